/* plan_period_latest.c: filings that a question counts from the latest: "latest", "last two", "previous", "the one before". */
#include "query/plan_period_items.h"

#include "tables/period_words.h"

static const char *const latest_words[] = {PERIOD_WORDS_LATEST, NULL};

/* The unit being counted: its months, or -1 for filings of any form; *used tokens. */
static int unit_at(const struct plan_scan *s, size_t i, size_t *used) {
  static const char *const skip[] = {PERIOD_WORDS_BEFORE_UNIT, NULL};
  static const char *const filings[] = {PERIOD_WORDS_FILING, NULL};
  size_t at = i;
  int annual = plan_item_word_is(s, at, "annual") || plan_item_word_is(s, at, "full"),
      quarterly = plan_item_word_is(s, at, "quarterly"), months = 0;
  while (plan_item_word_in(s, at, skip))
    at++;
  *used = at + 1 - i;
  plan_unit_at(s->t, at, &months);
  if (months == 3 || quarterly)
    return 3;
  if (months == 12 || annual)
    return 12;
  if (plan_item_word_in(s, at, filings))
    return -1;
  if (at < s->t->count && s->taken[at] == TAKEN_FORM) {
    *used = at - i; /* the form's words are left to plan_forms.c */
    return -1;
  }
  return 0;
}

/* "last year", "this year": a year rather than the latest report; "its last year" is of existence. */
static void read_latest_year(const struct plan_scan *s, struct plan_item *item, int this_one) {
  size_t i = item->from;
  item->kind = this_one ? ITEM_LATEST : ITEM_YEAR;
  item->months = this_one ? 0 : 12;
  item->year = s->today.year - !this_one;
  item->how = YEAR_FISCAL;
  if (i > 0 && (plan_item_word_is(s, i - 1, "its") || plan_item_word_is(s, i - 1, "their")))
    item->kind = ITEM_NOTHING;
}

/* Whether the latest filing is compared with the one before it, which then needs both: "how did it change since the
 * previous 10-K?" */
static int compares_filings(const struct plan_scan *s) {
  static const char *const words[] = {PERIOD_WORDS_COMPARES, NULL};
  for (size_t i = 0; i < s->t->count; i++)
    if (plan_item_word_in(s, i, words))
      return 1;
  return 0;
}

/* Takes the filing before the latest, named at tokens [from, to) and behind, into the item: "previous 10-K", "next to last
 * 10-Q", "latest 10-K but one"; both of "the latest 10-K and the one before". */
static void take_one_before(const struct plan_scan *s, size_t from, size_t to, struct plan_item *item) {
  static const char *const previous[] = {"previous", "prior", "preceding", NULL},
                           *const nth[] = {"next", "second", NULL}, *const links[] = {"and",    "vs",
                                                                                      "versus", "against",
                                                                                      "with",   "to",
                                                                                      "or",     NULL};
  int earlier = plan_item_word_in(s, from, previous) ||
                (from > 1 && plan_item_word_is(s, from - 1, "to") && plan_item_word_in(s, from - 2, nth));
  while (to < s->t->count && s->taken[to] == TAKEN_FORM)
    to++;
  earlier |= plan_item_word_is(s, to, "but") && plan_item_word_is(s, to + 1, "one");
  to += (size_t)plan_item_word_in(s, to, links);
  int both = plan_item_word_is(s, to, "the") &&
             ((plan_item_word_is(s, to + 1, "one") && plan_item_word_is(s, to + 2, "before")) ||
              plan_item_word_in(s, to + 1, previous));
  if (both || (earlier && compares_filings(s)))
    item->count = 2;
  else
    item->before = earlier;
}

/* "the 10-K before the latest one". */
int plan_item_read_before_latest(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const latest[] = {"last", "latest", "current", NULL};
  size_t the = plan_item_word_is(s, i + 1, "the") ? 2 : 1;
  if (i == 0 || s->taken[i - 1] != TAKEN_FORM || !plan_item_word_is(s, i, "before") ||
      !plan_item_word_in(s, i + the, latest))
    return 0;
  *item = (struct plan_item){.kind = ITEM_LATEST, .from = i, .to = i + the + 1, .count = 1, .before = 1};
  return 1;
}

/* "the oldest 10-K", "Tesla's first annual report": refused; "its first 10-Q after the merger" says when. */
int plan_item_read_first(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const oldest[] = {"oldest", "earliest", NULL}, *const of[] = {"of", "in", "for", NULL},
                           *const when[] = {PERIOD_WORDS_WHEN, NULL}, *const time[] = {"the",  "this",
                                                                                       "last", "fiscal",
                                                                                       "each", "that",
                                                                                       NULL};
  size_t used = 0, to;
  int months = unit_at(s, i + 1, &used), first = plan_item_word_is(s, i, "first");
  (void)item;
  if (months == 0 || !(first || plan_item_word_in(s, i, oldest)))
    return 0;
  for (to = i + 1 + used; to < s->t->count && s->taken[to] == TAKEN_FORM;)
    to++;
  if (first &&
      (plan_item_word_in(s, to, when) ||
       (plan_item_word_in(s, to, of) && plan_item_word_in(s, to + 1, time)) ||
       (months > 0 && !plan_item_word_is(s, i + used, "report") && s->taken[i + 1 + used] != TAKEN_FORM)))
    return 0;
  for (size_t k = to; first && k < s->t->count; k++)
    if (s->t->token[k].digits)
      return 0; /* "Tesla's first 10-Q, June 2010 quarter" */
  return plan_item_bad(s, i, to, "filings can be counted from the latest only; name a year");
}

/* "latest", "last two 10-Ks", "previous quarter", "two latest", "past three years". */
int plan_item_read_latest(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const plain[] = {"latest", "newest", "recent", NULL};
  size_t at = i, used = 0, n;
  int count = 1, counted = 0;
  if (plan_item_word_is(s, at, "most") && plan_item_word_is(s, at + 1, "recent"))
    at++;
  if (!plan_item_word_in(s, at, latest_words))
    return 0;
  int is_plain = plan_item_word_in(s, at, plain) && !(plan_item_word_is(s, at, "recent") && at == i);
  int this_one = plan_item_word_is(s, at, "this") || plan_item_word_is(s, at, "current");
  if (i > 0 && (n = plan_count_at(s->t, i - 1, &counted)) && is_plain && !s->taken[i - 1])
    count = counted, i--;
  at++;
  if (at < s->t->count && !s->taken[at] && (n = plan_count_at(s->t, at, &counted)) != 0) {
    size_t behind;
    if (unit_at(s, at + n, &behind) != 0 || is_plain)
      count = counted, at += n;
  }
  int months = unit_at(s, at, &used);
  if (plan_item_word_is(s, at, "decade") && !this_one) /* of ten years */
    months = 12, count = 10, counted = 1, used = 1;
  if (months == 0 && !is_plain)
    return 0;
  if (months == 0)
    used = 0;
  *item = (struct plan_item){
      .kind = ITEM_LATEST, .from = i, .to = at + used, .count = count, .months = months > 0 ? months : 0};
  if (!counted && (months < 0 || (used && plan_item_word_is(s, at + used - 1, "report"))))
    take_one_before(s, i, at + used, item);
  if (!is_plain && months == 12 && count == 1 && !counted && !plan_item_word_is(s, at + used - 1, "report") &&
      used == 1)
    read_latest_year(s, item, this_one);
  return 1;
}
