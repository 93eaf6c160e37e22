#include "verify/claim_sentence.h"

#include "verify/claim_quotes.h"
#include "verify/claim_subject.h"
#include "verify/evidence_lists.h"

#include <stdlib.h>
#include <strings.h>

/* "5% and 3% in the second quarter and year-to-date periods, respectively": the lengths of a list's parts. */
static void sentence_read_parts(struct claim_sentence *s) {
  struct evidence_respective *parts = xcalloc(s->stated.number_count + 1, sizeof *parts);
  evidence_respective_parts(&s->stated, s->text, s->listed, parts);
  for (size_t i = 0; i < s->stated.number_count; i++)
    if (parts[i].list.len && !s->listed[i].months)
      s->listed[i].months = evidence_part_months(&parts[i]);
  free(parts);
}

/* "IBM's total equity" names no "Total IBM stockholders' equity": the name of the company whose passages the sentence cites tells no
 * column. */
static void sentence_take_names(struct claim_sentence *s, const struct evidence *e) {
  const struct plan *plan = &s->names.plan;
  for (size_t i = 0; i < plan->company_count; i++) {
    const struct plan_company *c = &plan->companies[i];
    int own =
        slice_eq(c->matched, c->ticker) || (c->matched.len && c->matched.len <= c->name.len &&
                                            strncasecmp(c->name.data, c->matched.data, c->matched.len) == 0);
    for (size_t k = 0; own && k < s->owners->count; k++)
      if (slice_is(s->owners->list[k].cik, c->cik))
        evidence_words_add(e, &s->named, c->matched);
  }
}

void claim_sentence_read(struct claim_sentence *s, const struct evidence *e, double *about) {
  numbers_read(&s->stated, s->text, 0);
  evidence_words_of(e, &s->words, s->text);
  s->listed = xcalloc(s->stated.number_count + 1, sizeof *s->listed);
  evidence_listed_periods(&s->stated, s->text, s->listed);
  sentence_read_parts(s);
  if (s->stated.number_count) {
    owner_names_read(&s->names, s->owners,
                     s->stated.mark_count ? slice_of(s->text.data, s->stated.marks[0].start) : s->text);
    claim_find_concepts(s, e->table);
    sentence_take_names(s, e);
  }
  for (size_t i = 0; i < s->stated.mark_count && s->mark_count < CLAIM_MARKS; i++)
    s->marks[s->mark_count++] = s->stated.marks[i].mark;
  s->quoted = s->stated.number_count ? claim_quoted(s) : 0;
  for (size_t i = 0; s->stated.number_count && i < e->count; i++)
    about[i] = claim_about(s, &e->items[i]);
}
