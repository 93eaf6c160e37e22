/* search_everyone.c: questions for all companies that meet a condition on figures: no passage answers them. */
#include "facts/fact_pick.h"
#include "facts/fact_plan_screen.h"
#include "facts/fact_screen_rule.h"
#include "search/search_internal.h"

enum { EVERYONE_TEXT_MAX = 65536 };

int search_asks_everyone(struct slice question, struct buf *rule) {
  struct screen_rules rules;
  struct concept_table table;
  struct error_text why;
  if (!fact_screen_names_everyone(question))
    return 0;
  int loaded = concept_table_load(&table, &why) == 0;
  int asked = loaded && fact_screen_asked(&rules, &table, question);
  if (asked && rule)
    fact_screen_rules_write(&rules, rule);
  if (loaded)
    fact_screen_rules_release(&rules);
  concept_table_release(&table);
  return asked;
}

void search_say_everyone(struct asked *a, const struct search_request *r) {
  struct buf rule;
  int year = a->plan.window_count ? a->plan.windows[0].year : 0;
  buf_init(&rule, EVERYONE_TEXT_MAX);
  if (search_asks_everyone(r->query, &rule))
    buf_printf(&a->missing,
               "the question is for all companies that meet a condition: no passage answers it, but a screen "
               "of what they "
               "reported: bid facts --screen '%s' -p %d\n",
               rule.data, year ? year : fact_screen_newest_year(fact_pick_today(DAY_NONE)));
  buf_release(&rule);
}
