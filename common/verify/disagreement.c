/* disagreement.c: finds table rows of passages that contradict a reported fact. */
#include "verify/disagreement.h"

#include "record/json.h"

#include <math.h>
#include <stdlib.h>

static int has_value(const struct evidence_item *item, double value) {
  static const double scales[] = {1, 1e3, 1e6};
  for (size_t i = 0; i < (item->scale.any ? 3 : 1); i++) {
    double scale = item->scale.any ? scales[i] : item->scale.caption;
    if (fabs(fabs(item->value) * scale - fabs(value)) <= item->last * scale * 0.5 + 1e-9 * fabs(value))
      return 1;
  }
  return 0;
}

struct disagreement_fact {
  const struct concept_word *word;
  double value;
  int year, months;
  int ends;    /* month */
  int percent; /* a ratio, its value in percent */
  int instant; /* a balance, not a flow */
};

/* Whether two months may be the same day's, some days apart. */
static int is_about_month(int a, int b) {
  int apart = abs(a - b);
  return !a || !b || apart < 2 || apart == 11;
}

static int is_of_fact(const struct evidence_item *item, const struct disagreement_fact *f) {
  return item->in_table && !item->cell.named && item->percent == f->percent && item->concept == f->word &&
         item->when.year == f->year && is_about_month(item->when.ends, f->ends) &&
         (!item->when.months || !f->months || item->when.months == f->months);
}

/* A change, "Inventories (1,046)" in cash flows, is not a balance; a value of the other sign is something else. */
static int is_like_fact(const struct evidence_item *item, const struct disagreement_fact *f) {
  return !(f->instant && (item->when.months || item->cell.flow)) && (item->value < 0) == (f->value < 0);
}

/* The row with another value than the fact; NULL where there is none, or where a row has the fact's value. */
static const struct evidence_item *disagreement_find(const struct evidence *e,
                                                     const struct disagreement_fact *f) {
  const struct evidence_item *other = NULL;
  for (size_t i = 0; i < e->count; i++) {
    const struct evidence_item *item = &e->items[i];
    if (!is_of_fact(item, f))
      continue;
    if (has_value(item, f->value))
      return NULL;
    if (!other && !item->cell.part && item->whole && is_like_fact(item, f))
      other = item;
  }
  return other;
}

static void disagreement_write(struct buf *out, struct slice fact, const struct evidence_item *item) {
  static const char *const kept[] = {"label", "fiscalYear", "fiscalPeriod",
                                     "value", "unit",       "accessionNumber"};
  if (out->data[out->len - 1] != '[')
    buf_add_char(out, ',');
  buf_add_char(out, '{');
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (json_kind(json_get(fact, kept[i])))
      json_raw(out, kept[i], json_get(fact, kept[i]));
  json_uint(out, "rank", (unsigned)item->mark);
  json_str(out, "row", item->label);
  json_str(out, "printed", item->printed);
  buf_add_char(out, '}');
}

size_t disagreement_add(const struct evidence *e, struct slice facts, const char *cik, struct buf *out) {
  struct json_cursor at = {0};
  struct slice fact;
  struct buf scratch;
  size_t count = 0;
  buf_init(&scratch, 1 << 16);
  while (json_kind(facts) == '[' && json_next_element(facts, &at, &fact)) {
    if (!slice_is(json_text(json_get(fact, "cik"), &scratch), cik))
      continue;
    struct disagreement_fact f = {.value = json_to_double(json_get(fact, "value"), 0),
                                  .months = (int)json_to_int(json_get(fact, "months"), 0),
                                  .instant = !json_get(fact, "start").data};
    f.percent = slice_is(json_get(fact, "unit"), "\"pure\"");
    f.value *= f.percent ? 100 : 1;
    f.word = concept_word_find(e->table, json_text(json_get(fact, "label"), &scratch));
    struct slice end = json_text(json_get(fact, "end"), &scratch);
    f.year = end.len >= 4 ? atoi(end.data) : 0;
    f.ends = end.len >= 7 ? atoi(end.data + 5) : 0;
    const struct evidence_item *other = f.word && f.year ? disagreement_find(e, &f) : NULL;
    if (other)
      disagreement_write(out, fact, other);
    count += other != NULL;
  }
  buf_release(&scratch);
  return count;
}
