/* plan_period_years.c: years in a question: of a period, or only of a maturity, a plan, a name. */
#include "query/plan_period_items.h"

#include "tables/period_words.h"

#include <ctype.h>
#include <stdlib.h>

#define OLDEST_YEAR 1900 /* of a report, though EDGAR has none of it */

/* Whether a date at token i says when something is due, expires or is planned; no report is for that day. "debt
 * maturing in 2028", "obligations due after 2027", "leases that expire between 2026 and 2030"; the nouns for
 * days to come only. */
int plan_item_is_due(const struct plan_scan *s, size_t i, int year) {
  static const char *const due[] = {PERIOD_WORDS_DUE, NULL}, *const ahead[] = {PERIOD_WORDS_DUE_AHEAD, NULL},
                           *const between[] = {PERIOD_WORDS_DUE_LINK, NULL};
  enum plan_year_kind kind;
  int other;
  for (size_t k = i; k-- > 0 && i - k < 8 && !(s->t->token[k + 1].gap & GAP_SENTENCE);) {
    if (plan_item_word_in(s, k, due) || (year >= s->today.year && plan_item_word_in(s, k, ahead)))
      return 1;
    if (!plan_item_word_in(s, k, between) && !plan_year_at(s->t, k, &other, &kind))
      return 0;
  }
  return 0;
}

/* Whether a year to come is one for which something is planned or expected: an earlier report says it. "plan to spend on
 * capex in 2026", "guidance for 2026". */
static int is_intended(const struct plan_scan *s, size_t i, int year) {
  static const char *const intent[] = {PERIOD_WORDS_INTENT, NULL}, *const before[] = {PERIOD_WORDS_INTENT_TO,
                                                                                      NULL};
  for (size_t k = i; year >= s->today.year && k-- > 0 && !(s->t->token[k + 1].gap & GAP_SENTENCE);)
    if (plan_item_word_in(s, k, intent) ||
        (plan_item_word_in(s, k, before) && plan_item_word_is(s, k + 1, "to")))
      return 1;
  return 0;
}

/* Whether a plain number of four digits is a year of business, not a part of a name or a maturity. */
static int is_period_year(const struct plan_scan *s, size_t i, size_t to, int year) {
  static const char *const label[] = {PERIOD_WORDS_NO_PERIOD, NULL};
  unsigned gap = s->t->token[i].gap;
  if (gap & (GAP_DOLLAR | GAP_HASH | GAP_DOT) || plan_item_word_is(s, i - (i > 0), "asu"))
    return 0;
  size_t part = i > 0 && plan_item_word_is(s, i - 1, "of") ? i - 1 : i; /* "the first quarter of 2030" */
  if (i > 0 && gap == GAP_BLANK && s->count > 0 && s->items[s->count - 1].kind == ITEM_PART &&
      s->items[s->count - 1].to == part)
    return 1; /* "Q3 2024 convertible notes" */
  if (i > 0 && (plan_item_word_is(s, i - 1, "by") || plan_item_word_is(s, i - 1, "due")) &&
      year > s->today.year)
    return 0;
  if (year > s->today.year + 1)
    return 0;
  if (to < s->t->count && (s->t->token[to].gap & (GAP_PERCENT | GAP_HYPHEN)) &&
      !isdigit((unsigned char)s->t->token[to].fold[0]) && (s->t->token[to].gap & GAP_PERCENT))
    return 0;
  return !plan_item_word_in(s, to, label) && !(plan_item_word_in(s, to + 1, label) && to < s->t->count &&
                                               s->t->token[to].capitals == s->t->token[to].letters);
}

/* A year before EDGAR's first one, where a report is asked for: "fiscal 1979", "annual report 1975"; else its events may be told in
 * any filing. */
static int read_old_year(const struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const fiscal[] = {"fy", "fye", "fiscal", NULL}, *const between[] = {"of", "for", "from",
                                                                                         "in", "the", NULL};
  const struct plan_token *token = &s->t->token[i];
  size_t before = i, skip = strncmp(token->fold, "fy", 2) == 0 ? 2 : 0;
  int year = token->len == skip + 4 && token->digits == 4 ? atoi(token->fold + skip) : 0;
  if (year < OLDEST_YEAR || year >= PLAN_YEAR_FIRST || (token->gap & (GAP_DOLLAR | GAP_HASH | GAP_DOT)))
    return 0;
  int named = skip || (i > 0 && plan_item_word_in(s, i - 1, fiscal));
  while (!named && before > 0 && plan_item_word_in(s, before - 1, between))
    before--;
  if (!named && !(before > 0 && s->taken[before - 1] == TAKEN_FORM) &&
      !(i + 1 < s->t->count && s->taken[i + 1] == TAKEN_FORM))
    return 0;
  size_t from = skip || !named ? i : i - 1;
  *item = (struct plan_item){.kind = ITEM_YEAR, .from = from, .to = i + 1, .year = year, .how = YEAR_FISCAL};
  return 1;
}

/* "five-year trend", "10-year history of", "5-year CAGR": the newest annual reports, each of which has several. */
int plan_item_read_years(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const of[] = {PERIOD_WORDS_COURSE, NULL};
  int count, months;
  size_t used = plan_count_at(s->t, i, &count), unit = used ? plan_unit_at(s->t, i + used, &months) : 0,
         k = 0;
  size_t to = i + used + unit;
  if (unit == 0 || months != 12 || count < 2)
    return 0;
  while (k < 3 && !plan_item_word_in(s, to + k, of))
    k++;
  *item = (struct plan_item){.kind = ITEM_LATEST, .from = i, .to = to, .count = count, .months = 12};
  return k < 3;
}

int plan_item_read_year(struct plan_scan *s, size_t i, struct plan_item *item) {
  static const char *const whole[] = {"full", "whole", "fiscal", "year", NULL};
  int year, ends = 0;
  enum plan_year_kind kind;
  size_t at = i;
  if ((plan_item_word_is(s, at, "year") || plan_item_word_is(s, at, "yearend")) &&
      (plan_item_word_is(s, at + 1, "end") || plan_item_word_is(s, at, "yearend"))) {
    at += plan_item_word_is(s, at, "yearend") ? 1 : 2;
    ends = 1;
  } else if (plan_item_word_is(s, at, "end") && plan_item_word_is(s, at + 1, "of")) {
    at += 2;
    ends = 1;
  }
  size_t used = plan_year_at(s->t, at, &year, &kind);
  if (used == 0)
    return read_old_year(s, i, item);
  if (plan_item_is_due(s, at, year) || is_intended(s, at, year)) {
    *item = (struct plan_item){.kind = ITEM_NOTHING, .from = at, .to = at + used, .year = year};
    return 1;
  }
  if (kind == YEAR_PLAIN && !is_period_year(s, at, at + used, year))
    return 0;
  *item = (struct plan_item){
      .kind = ITEM_YEAR, .from = i, .to = at + used, .year = year, .how = kind, .at_end = ends};
  for (size_t k = i; k-- > 0 && i - k <= 3 && plan_item_word_in(s, k, whole);)
    item->whole |= plan_item_word_is(s, k, "full") || plan_item_word_is(s, k, "whole");
  if (!ends && plan_item_word_is(s, at + used, "year") && plan_item_word_is(s, at + used + 1, "end"))
    item->to += 2, item->at_end = 1;
  return 1;
}

/* Whether what is paid in a year is asked for: "what did the chief executive earn in 2023". */
static int asks_pay(const struct plan_scan *s, size_t from, size_t to) {
  static const char *const pay[] = {PERIOD_WORDS_PAY, NULL};
  for (size_t i = from; i < to && i < s->t->count; i++)
    if (plan_item_word_in(s, i, pay))
      return 1;
  return 0;
}

/* Whether the year of a proxy statement or a late notice is the fiscal year that it tells of, not the one it was filed in: a
 * fiscal one; of a notice the year of the late report ("for the 10-K of 2024"); of a proxy statement the year of pay that
 * doesn't stand beside the form's name ("2023 pay according to the proxy"). */
int plan_item_is_told_year(const struct plan_scan *s, const struct plan_item *item) {
  static const char *const between[] = {"of", "for", "the", "from", "in", "s", NULL}, *const late[] = {
                                                                                          "k", "10k", "10",
                                                                                          NULL};
  size_t before = item->from, behind = item->to;
  static const char *const of[] = {"for", "year", "fy", NULL};
  if (!item->filed && s->when->earnings && item->months != 12 &&
      (item->how == YEAR_FISCAL || item->whole || (before > 0 && plan_item_word_in(s, before - 1, of))))
    return 1; /* "earnings release for 2023" */
  if (item->filed || !s->when->tells_year)
    return 0;
  if (item->how == YEAR_FISCAL && item->months != 12) /* not "last year" */
    return 1;
  while (before > 0 && plan_item_word_in(s, before - 1, between) && !(s->t->token[before].gap & GAP_COMMA))
    before--;
  int form_before =
          before > 0 && s->taken[before - 1] == TAKEN_FORM && !(s->t->token[before].gap & GAP_COMMA),
      form_behind = behind < s->t->count && s->taken[behind] == TAKEN_FORM;
  if (s->when->late)
    return (form_before && plan_item_word_in(s, before - 1, late) && before < item->from) ||
           (form_behind && plan_item_word_in(s, behind, late));
  return !form_before && !form_behind && item->year < s->today.year && asks_pay(s, 0, s->t->count);
}
