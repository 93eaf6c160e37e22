/* fact_question.c: what bid-facts is asked in words, without an option that names a company: its plan becomes the options. */
#include "facts/facts.h"

#include "query/plan.h"

#include <stdlib.h>

static void question_add(struct option_list *list, struct slice text) {
  list->items = xreallocarray(list->items, list->count + 1, sizeof *list->items);
  list->items[list->count++] = xstrndup(text.data, text.len);
}

/* Whether all is understood, and bid-facts can show all that is asked of figures; else says what not, and whose work it is. */
static int question_is_plain(const struct plan *plan, struct buf *why) {
  if (plan->unknown_count)
    buf_printf(why, "'%.*s' is not understood", (int)plan->unknown[0].len, plan->unknown[0].data);
  for (size_t i = 0; why->len == 0 && i < plan->figure_count; i++)
    if (!plan->figures[i].figure[0] || plan->figures[i].part_count || plan->figures[i].as == PLAN_AS_OTHER ||
        plan->figures[i].as == PLAN_AS_BREAKDOWN)
      buf_printf(why, "'%.*s' is no figure of the whole company: bid-retrieve answers such a question",
                 (int)plan->figures[i].words.len, plan->figures[i].words.data);
  return why->len == 0;
}

static void question_take(const struct plan *plan, struct facts_options *o) {
  o->operands = (struct option_list){NULL, 0};
  for (size_t i = 0; i < plan->company_count;
       i++) { /* by its ticker, under which people read it in a column */
    const struct plan_company *c = &plan->companies[i];
    question_add(&o->entities, c->ticker.len ? c->ticker : slice_str(c->cik));
  }
  for (size_t i = 0; i < plan->figure_count; i++)
    question_add(&o->operands, slice_str(plan->figures[i].figure));
  if (plan->window_count && !o->period)
    fact_windows_read(&o->asked, plan);
  if (plan->currency[0] && !o->unit)
    o->unit = xstrndup(plan->currency, sizeof plan->currency);
  int span = o->annual || o->quarterly || o->trailing || o->asked.count;
  o->quarterly |= !span && (plan->span == PLAN_SPAN_QUARTER || plan->span == PLAN_SPAN_QUARTERS);
  o->trailing |= !span && plan->span == PLAN_SPAN_TRAILING;
}

void facts_question(struct facts_options *o, struct buf *why) {
  struct error_text e;
  struct plan plan;
  struct buf words;
  if (o->entities.count || o->files.count || o->fred || o->screen || o->for_plan || o->words ||
      !o->operands.count)
    return;
  struct planner *planner = planner_open(&e);
  buf_init(&words, 256);
  for (size_t i = 0; i < o->operands.count; i++)
    buf_printf(&words, "%s%s", i ? " " : "", o->operands.items[i]);
  plan_init(&plan);
  struct plan_request ask = {.question = buf_slice(&words), .as_of = slice_str(o->as_of ? o->as_of : "")};
  if (planner == NULL || plan_make(planner, &ask, &plan, &e) != 0)
    buf_add_str(why, e.text);
  else if (plan.company_count && question_is_plain(&plan, why))
    question_take(&plan, o);
  plan_release(&plan);
  planner_free(planner);
  buf_release(&words);
}
