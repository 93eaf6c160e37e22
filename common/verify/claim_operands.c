#include "verify/claim_operands.h"

#include "verify/claim_binding.h"
#include "verify/claim_lines.h"

#include <string.h>
#include <strings.h>

#define CLAIM_WEAK 0.3 /* share of a line's words that a sum or share must name */

double claim_value(const struct evidence_item *item) {
  return item->value * item->caption;
}

/* Notes what the number was computed from; returns 1. */
int claim_took(const struct claim_view *v, const char *relation, const struct evidence_item *const *list,
               size_t count) {
  struct claim_computation *c = v->computation;
  c->relation = relation;
  c->count = count;
  for (size_t i = 0; i < count; i++)
    c->operands[i] = list[i];
  return 1;
}

int claim_took_two(const struct claim_view *v, const char *relation, const struct evidence_item *a,
                   const struct evidence_item *b) {
  const struct evidence_item *list[] = {a, b};
  return claim_took(v, relation, list, 2);
}

int claim_is(const struct claim_view *v, double value) {
  return claim_near(v->n->value, v->n->last, value);
}

/* An amount computed from figures that may be in thousands or millions. */
int claim_is_amount(const struct claim_view *v, const struct evidence_item *of, double value) {
  int any = of->any_scale && v->n->scaled && !v->n->percent;
  int bare = of->caption > 1 && !of->captioned && !v->n->scaled && !v->n->currency && !v->n->percent;
  if (bare && claim_is(v, value / of->caption)) /* a count, "policies in force", below "in thousands" */
    return 1;
  return claim_is(v, value) || (any && (claim_is(v, 1e3 * value) || claim_is(v, 1e6 * value)));
}

/* Whether no line is named by more, or rarer, words of the sentence. */
static int claim_is_best_named(const struct claim_view *v, const struct evidence_item *item) {
  double own = claim_line_words(v, item);
  return own > 0 && own >= v->most_line_words * 0.99;
}

/* The total of a column: "Total", "Consolidated". */
int claim_is_total(const struct evidence_item *item) {
  static const char *const totals[] = {"total", "consolidated", "all ", NULL};
  for (int k = 0; totals[k]; k++)
    if (item->label.len >= strlen(totals[k]) &&
        strncasecmp(item->label.data, totals[k], strlen(totals[k])) == 0)
      return 1;
  return 0;
}

/* "Total", "Total $": a line without other words; the sentence names it by the word. */
static int claim_is_bare_total(const struct claim_view *v, const struct evidence_item *item) {
  return item->in_table && (item->words.count == 0 || item->titled) && claim_is_total(item) &&
         slice_holds_nocase(v->s->text, "total");
}

/* Whether the sentence has all words of another line beside this one, and these are more: "audit fees" is not "Total fees". */
static int claim_is_overshadowed(const struct claim_view *v, const struct evidence_item *item) {
  int told = claim_is_total(item) && slice_holds_nocase(v->s->text, "total");
  for (size_t i = 0; item->in_table && !told && i < v->e->count; i++) {
    const struct evidence_item *other = &v->e->items[i];
    size_t common;
    int part = other->whole_row == item->row && other->row != item->row;
    if (!other->in_table || other->row == item->row || other->mark != item->mark ||
        other->column != item->column || (!part && other->core <= item->core) ||
        claim_named(v, other) < CLAIM_SURE_LABEL)
      continue;
    evidence_overlap(&item->words, &other->words, &common);
    if (part ? common < other->words.count
             : common == item->words.count) /* "Equipment" is in "Property and equipment" */
      return 1;
  }
  return 0;
}

int claim_is_named(const struct claim_view *v, const struct evidence_item *item) {
  size_t common;
  if (claim_is_bare_total(v, item))
    return 1;
  if (claim_is_overshadowed(v, item))
    return 0;
  if (!item->in_table && (evidence_overlap(&item->words, &v->s->words, &common), common > 1))
    return 1;
  return v->about[item - v->e->items] >= CLAIM_SAME_LABEL ||
         (item->in_table && (claim_named(v, item) >= CLAIM_SAME_LABEL || claim_is_best_named(v, item)));
}

/* Whether the sentence may refer to a line: by one of the line's rare words, or by a known synonym. */
int claim_is_meant(const struct claim_view *v, const struct evidence_item *item) {
  return claim_is_named(v, item) || claim_named(v, item) >= CLAIM_WEAK ||
         (item->concept && claim_has_concept(v->s, item->concept));
}

/* "70% of": a share, whatever the other words. */
int claim_is_share(const struct claim_view *v) {
  size_t end = v->n->end;
  return end + 4 <= v->s->text.len && memcmp(v->s->text.data + end, " of ", 4) == 0;
}

/* Whether the sentence has one of a number's own words, or one of those before the first number of its sentence. */
int claim_is_told(const struct claim_view *v, const struct evidence_item *item) {
  size_t common;
  evidence_overlap(&item->local, &v->s->words, &common);
  return common > 0;
}
