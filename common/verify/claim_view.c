/* claim_view.c: prepares a number of a sentence and the evidence for claims.c. */
#include "verify/claim_view.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

static int claim_names_fact(const struct claim_sentence *s, const struct evidence_item *fact) {
  size_t common;
  for (size_t i = 0; fact->concept && i < s->concept_count; i++)
    if (s->concepts[i] == fact->concept && s->plain[i])
      return 1;
  return !fact->concept && fact->words.count &&
         (evidence_overlap(&fact->words, &s->words, &common), common == fact->words.count);
}

int claim_cites(const struct claim_sentence *s, const struct evidence_item *item) {
  if (item->mark == 0)
    return claim_names_fact(s, item);
  if (!s->mark_count)
    return 1;
  for (size_t i = 0; i < s->mark_count; i++)
    if (s->marks[i] == item->mark)
      return 1;
  return 0;
}

int claim_near(double stated, double last, double value) {
  return fabs(fabs(stated) - fabs(value)) <= last * 0.5 + 1e-9 * fabs(value);
}

/* Whether a table's caption may not apply to one of its numbers: per-share amounts, counts. */
static int claim_may_stand_alone(const struct stated_number *n, const struct evidence_item *item) {
  int whole = fabs(item->value - round(item->value)) < 1e-9;
  return !item->captioned && !n->scaled && (!n->currency || !whole || fabs(item->value) < 100);
}

/* A number in a text without currency, scale or sign before it, "6,500 units": not an amount of money. */
static int claim_is_bare(const struct evidence_item *item) {
  for (size_t i = 0; i < item->printed.len; i++)
    if (!isdigit((unsigned char)item->printed.data[i]) && !strchr(",.", item->printed.data[i]))
      return 0;
  return !item->in_table && !item->field && item->printed.len;
}

int claim_is_other_money(const struct stated_number *n, const struct evidence_item *item) {
  return !item->in_table && !item->field && !n->percent && !item->percent && !n->currency != !item->currency;
}

int claim_other_currency(const struct stated_number *n, const struct evidence_item *item) {
  int currency = item->currency ? item->currency : item->money;
  return n->currency && currency && !numbers_same_currency(n->currency, currency);
}

int claim_matches(const struct stated_number *n, const struct evidence_item *item, const char **how) {
  static const double scales[] = {1, 1e3, 1e6};
  if (n->points && item->in_table && !item->direction) /* a level is no difference */
    return 0;
  if (n->percent != item->percent || claim_other_currency(n, item) || (n->shares && item->currency) ||
      (n->currency && (item->shares || claim_is_bare(item))))
    return 0;
  for (size_t i = 0; i < 3; i++) {
    double scale = item->any_scale ? scales[i] : item->caption;
    if ((!item->any_scale && i) || (i && n->percent))
      break;
    if (claim_near(n->value, n->last, item->value * scale)) {
      double exact = fabs(fabs(n->value) - fabs(item->value * scale));
      *how = exact > 1e-9 * fabs(n->value) ? "rounded" : scale != 1 || n->scaled ? "scaled" : "same";
      return 1;
    }
  }
  if (n->shares && claim_near(n->value, n->last, item->value * item->shares_caption)) {
    *how = "scaled";
    return 1;
  }
  if (item->caption == 1 || !claim_may_stand_alone(n, item) || !claim_near(n->value, n->last, item->value))
    return 0;
  *how = "same";
  return 1;
}

/* Whether a word stands at i; a blank at its end also stands for the text's end and for punctuation. */
static int claim_word_is_at(struct slice text, size_t i, const char *word) {
  size_t n = strlen(word), end = n && word[n - 1] == ' ' ? n - 1 : n;
  return i + end <= text.len && strncasecmp(text.data + i, word, end) == 0 &&
         (end == n || i + end == text.len || !isalnum((unsigned char)text.data[i + end]));
}

int claim_has_word(struct slice text, const char *const *words) {
  for (size_t i = 0; i < text.len; i++)
    for (size_t k = 0; words[k]; k++) {
      int blank = words[k][0] == ' '; /* not after "non-" */
      if ((blank || !i || !isalpha((unsigned char)text.data[i - 1])) &&
          claim_word_is_at(text, i, words[k] + (i == 0 && blank)))
        return 1;
    }
  return 0;
}

int claim_has_concept(const struct claim_sentence *s, const struct concept_word *concept) {
  for (size_t i = 0; i < s->concept_count; i++)
    if (s->concepts[i] == concept)
      return 1;
  return 0;
}

int claim_same_year(const struct evidence_item *item, int year) {
  return !year || !item->year || item->year == year || item->row_year == year;
}

int claim_same_months(const struct evidence_item *item, int months) {
  return !months || !item->months || item->months == months;
}

/* The balances at the ends of years and of quarters each have a newest one. */
static int claim_is_newer(const struct evidence_item *a, const struct evidence_item *b) {
  return a->year > b->year && !a->quarter == !b->quarter;
}

int claim_fits_time(const struct claim_view *v, const struct evidence_item *item) {
  if (item->mark)
    return 1;
  if (v->months ? item->months && item->months != v->months : item->months == 3)
    return 0;
  if (v->quarter && item->quarter && item->quarter != v->quarter)
    return 0;
  for (const struct evidence_item *other = item;
       !v->year && other < v->e->items + v->e->count && other->row == item->row; other++)
    if (claim_is_newer(other, item))
      return 0;
  for (const struct evidence_item *other = item; !v->year && other >= v->e->items && other->row == item->row;
       other--)
    if (claim_is_newer(other, item))
      return 0;
  return 1;
}
