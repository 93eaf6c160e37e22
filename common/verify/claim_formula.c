#include "verify/claim_formula.h"

#include "facts/measure.h"
#include "verify/claim_lines.h"
#include "verify/claim_operands.h"

#include <math.h>

enum { CLAIM_DEPTH = 4 };

/* The figure for a word of the table in the column of an item: the line with that name, or the line below a heading
 * with that name that the sentence names; NULL where there is none. */
static const struct evidence_item *claim_line_of(const struct claim_view *v, const struct concept_word *word,
                                                 const struct evidence_item *at) {
  const struct evidence_item *whole = NULL;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (!item->in_table || item->percent || item->year != at->year || item->months != at->months ||
        item->mark != at->mark || !claim_cites(v->s, item))
      continue;
    struct slice under = item->under;
    under.len -= under.len && under.data[under.len - 1] == ':';
    if (claim_named(v, item) >= CLAIM_SURE_LABEL && evidence_whole_label(v->e->table, under) == word)
      return item;
    whole = !whole && item->whole && item->concept == word ? item : whole;
  }
  return whole;
}

/* A word's value in the column of an item, computed by its formula where no line has it; NAN for none. */
static double claim_formula(const struct claim_view *v, struct slice asked, const struct evidence_item *at,
                            int depth) {
  const struct concept_word *word = concept_word_find(v->e->table, asked);
  const struct evidence_item *line = word && depth ? claim_line_of(v, word, at) : NULL;
  if (line) {
    if (v->computation->count < EVIDENCE_OPERANDS)
      v->computation->operands[v->computation->count++] = line;
    return claim_value(line);
  }
  struct slice list = word ? word->alternatives : slice_of(NULL, 0), one, left, right;
  while (depth < CLAIM_DEPTH && concept_list_next(&list, ',', &one)) {
    char sign = one.data[0] == '=' ? measure_split(one, &left, &right) : 0;
    if (!sign || left.len < 2)
      continue;
    double a = claim_formula(v, slice_of(left.data + 2, left.len - 2), at, depth + 1);
    double b = claim_formula(v, right, at, depth + 1);
    return sign == '+' ? a + b : sign == '-' ? a - fabs(b) : sign == '*' ? a * b : a / b;
  }
  return NAN;
}

/* Whether a ratio named in the sentence has the number as its value in the column of an item: "gross margin" 73.9%. */
int claim_is_ratio(const struct claim_view *v, const struct evidence_item *at) {
  for (size_t i = 0; i < v->s->concept_count; i++) {
    const struct concept_word *word = v->s->concepts[i];
    *v->computation = (struct claim_computation){.relation = "ratio"};
    if (word->alternatives.len && word->alternatives.data[0] == '=' &&
        claim_is(v, (v->n->percent ? 100 : 1) * claim_formula(v, word->label, at, 0)))
      return 1;
  }
  return 0;
}
