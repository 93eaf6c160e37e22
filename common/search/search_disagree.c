/* search_disagree.c: compares an answer's passages with the facts in its bundle. */
#include "facts/concepts.h"
#include "record/json.h"
#include "record/record.h"
#include "search/search.h"
#include "verify/disagreement.h"

#include <stdio.h>
#include <stdlib.h>

enum { DISAGREE_CIK = 16 };

struct disagree_passage {
  struct search_passage of;
  char cik[DISAGREE_CIK]; /* or "" */
};

static int disagree_load(struct searcher *s, const struct search_answer *a, struct disagree_passage *list,
                         struct error_text *e) {
  struct buf scratch;
  int failed = 0;
  buf_init(&scratch, RECORD_MAX);
  for (size_t i = 0; i < a->result.count; i++) {
    store_text_init(&list[i].of.text);
    buf_init(&list[i].of.document, RECORD_MAX);
    failed |= searcher_load(s, &a->result.hits[i].at, &list[i].of, e) != 0;
    struct slice document = buf_slice(&list[i].of.document);
    struct slice cik = json_text(json_get(json_get(document, "metadata"), "cik"), &scratch);
    snprintf(list[i].cik, DISAGREE_CIK, "%.*s", (int)cik.len, cik.len ? cik.data : "");
  }
  buf_release(&scratch);
  return failed ? -1 : 0;
}

/* For the company of passage `first`, unless an earlier one has the same. */
static size_t disagree_company(const struct disagree_passage *list, size_t count, size_t first,
                               const struct concept_table *table, struct slice facts, struct buf *out) {
  struct evidence evidence;
  for (size_t i = 0; i < first; i++)
    if (strcmp(list[i].cik, list[first].cik) == 0)
      return 0;
  evidence_init(&evidence, table);
  for (size_t i = first; i < count; i++)
    if (strcmp(list[i].cik, list[first].cik) == 0)
      evidence_add_passage(&evidence, (int)i + 1, list[i].of.text.text, list[i].of.text.context);
  size_t found = *list[first].cik ? disagreement_add(&evidence, facts, list[first].cik, out) : 0;
  evidence_release(&evidence);
  return found;
}

int search_add_disagreements(struct searcher *s, const struct search_answer *a, struct slice facts,
                             struct buf *out, struct error_text *e) {
  size_t count = a->result.count, found = 0, before = out->len;
  struct disagree_passage *list = xcalloc(count + 1, sizeof *list);
  struct concept_table table = {0};
  int failed = concept_table_load(&table, e) != 0 || disagree_load(s, a, list, e) != 0;
  buf_add_char(out, '[');
  for (size_t i = 0; i < count && !failed; i++)
    found += disagree_company(list, count, i, &table, facts, out);
  buf_add_char(out, ']');
  if (!found)
    out->len = before;
  for (size_t i = 0; i < count; i++) {
    store_text_release(&list[i].of.text);
    buf_release(&list[i].of.document);
  }
  concept_table_release(&table);
  free(list);
  return failed ? -1 : 0;
}
