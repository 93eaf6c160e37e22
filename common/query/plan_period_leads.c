/* plan_period_leads.c: the words beside an item of time: "since", "filed in", "2019 or earlier". */
#include "query/plan_period_items.h"

#include "tables/period_words.h"

/* The relation expressed by the words before token i. */
static enum plan_item_lead lead_before(const struct plan_scan *s, size_t i) {
  static const struct {
    const char *first, *word; /* "prior to"; first may be NULL */
    enum plan_item_lead lead;
  } leads[] = {PERIOD_WORDS_LEAD};
  for (size_t k = 0; i > 0 && k < sizeof leads / sizeof *leads; k++)
    if (plan_item_word_is(s, i - 1, leads[k].word) &&
        (leads[k].first == NULL || (i > 1 && plan_item_word_is(s, i - 2, leads[k].first))))
      return leads[k].lead;
  return LEAD_NONE;
}

/* The relation expressed after an item: "2022 onwards", "2019 or earlier". */
static enum plan_item_lead lead_behind(const struct plan_scan *s, size_t i) {
  static const char *const later[] = {"onward", "onwards", "later", "after", "newer", NULL},
                           *const earlier[] = {"earlier", "before", "older", NULL},
                           *const now[] = {"present", "date", "now", "today", NULL};
  size_t at = i + (plan_item_word_is(s, i, "and") || plan_item_word_is(s, i, "or"));
  if (plan_item_word_is(s, i, "to") &&
      (plan_item_word_in(s, i + 1, now) ||
       (plan_item_word_is(s, i + 1, "the") && plan_item_word_in(s, i + 2, now))))
    return LEAD_SINCE;
  if (plan_item_word_in(s, at, later) && (at > i || !plan_item_word_is(s, at, "after")))
    return LEAD_SINCE;
  return at > i && plan_item_word_in(s, at, earlier) ? LEAD_UNTIL : LEAD_NONE;
}

/* Whether filings of any form are asked for, of that year: "filings 2024", "what did Exxon file in 2024". */
static int is_of_filings(const struct plan_scan *s, const struct plan_item *item) {
  static const char *const filings[] = {"filing", "filings", "documents", "submissions", "file", NULL},
                           *const between[] = {"of", "in", "from", "during", "the", "for", "year", NULL};
  size_t before = item->from, behind = item->to;
  if (s->when->named || (item->kind != ITEM_YEAR && item->kind != ITEM_PART) || item->how != YEAR_PLAIN)
    return 0;
  while (before > 0 && plan_item_word_in(s, before - 1, between))
    before--;
  return (before > 0 && plan_item_word_in(s, before - 1, filings)) || plan_item_word_in(s, behind, filings);
}

void plan_item_note_lead(struct plan_scan *s, struct plan_item *item) {
  static const char *const skip[] = {PERIOD_WORDS_BEHIND_LEAD, NULL},
                           *const filed[] = {"filed", "submitted", "published", "accepted", "lodged", NULL},
                           *const end[] = {"end", "close", NULL};
  size_t i = item->from, steps = 0;
  if (i > 1 && plan_item_word_is(s, i - 1, "of") && plan_item_word_in(s, i - 2, end)) {
    item->at_end = 1;
    i -= 2;
    i -= i > 0 && plan_item_word_is(s, i - 1, "the");
    memset(s->taken + i, TAKEN_PERIOD, item->from - i);
  }
  if (i > 1 && plan_item_word_is(s, i - 1, "of") && plan_item_word_is(s, i - 2, "as")) {
    item->lead = LEAD_AS_OF;
    memset(s->taken + i - 2, TAKEN_PERIOD, 2);
    return;
  }
  while (i > 0 && lead_before(s, i) == LEAD_NONE && plan_item_word_in(s, i - 1, skip) && steps++ < 3 &&
         !(plan_item_word_is(s, i - 1, "of") && i > 1 && plan_item_word_is(s, i - 2, "as")))
    i--;
  item->lead = lead_before(s, i);
  enum plan_item_lead behind = lead_behind(s, item->to);
  if (item->lead == LEAD_BETWEEN && plan_item_word_is(s, item->to, "on")) /* "from 2020 on" */
    behind = LEAD_SINCE;
  if (behind != LEAD_NONE && item->kind != ITEM_LATEST)
    item->lead = behind;
  if (is_of_filings(s, item))
    item->filed = 1;
  if (i == 0)
    return;
  if (item->lead == LEAD_NONE && i == item->from) {
    item->filed |= plan_item_word_in(s, i - 1, filed);
    return;
  }
  item->filed |= item->kind == ITEM_MONTH &&
                 (item->lead == LEAD_BETWEEN || plan_item_word_is(s, i - 1, "of")) && i > 1 &&
                 s->taken[i - 2] == TAKEN_FORM;
  for (size_t back = 1; back <= 5 && back <= i && !item->filed; back++)
    item->filed = plan_item_word_in(s, i - back, filed);
}
