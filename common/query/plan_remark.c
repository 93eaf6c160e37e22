/* plan_remark.c: what a question asks that its options, or the calendar of filings, rule out. */
#include "query/plan_remark.h"

#include "base/mask.h"
#include "query/plan_windows.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void plan_remark(struct plan *plan, const char *format, ...) {
  size_t n = strlen(plan->remark);
  va_list args;
  if (n > 0)
    n += (size_t)snprintf(plan->remark + n, sizeof plan->remark - n, "; ");
  if (n >= sizeof plan->remark)
    return;
  va_start(args, format);
  vsnprintf(plan->remark + n, sizeof plan->remark - n, format, args);
  va_end(args);
  plan->remark[mask_in_place(plan->remark, strlen(plan->remark))] = '\0';
}

void plan_remark_form(const struct plan_text *t, const uint8_t *taken, const struct plan *other,
                      struct plan *plan) {
  int numbered = 0;
  for (size_t i = 0; i < t->count; i++)
    numbered |= taken[i] == TAKEN_FORM && t->token[i].digits;
  for (size_t i = 0; i < other->form_count; i++)
    for (size_t k = 0; k < plan->form_count; k++)
      numbered &= !slice_eq(other->forms[i], plan->forms[k]);
  if (numbered && other->form_count > 0)
    plan_remark(plan, "the question names form %.*s, but only %.*s is searched", (int)other->forms[0].len,
                other->forms[0].data, (int)plan->forms[0].len, plan->forms[0].data);
}

static void remark_window(const struct plan_window *w, char *out, size_t size) {
  int part = w->period && w->period != PLAN_FY;
  snprintf(out, size, "%s%sfiscal %d", part ? plan_period_name(w->period) : "", part ? " of " : "", w->year);
}

void plan_remark_period(struct plan *plan, size_t given) {
  char asked[64], only[64];
  for (size_t i = given; i < plan->window_count; i++)
    for (size_t k = 0; k < given; k++) {
      const struct plan_window *a = &plan->windows[i], *b = &plan->windows[k];
      int parts = a->period && b->period && a->period != PLAN_FY && b->period != PLAN_FY;
      if (!a->year || !b->year || (a->year == b->year && (!parts || a->period == b->period)))
        return; /* a report filed in a year may be on any other */
    }
  if (plan->window_count == given)
    return;
  remark_window(&plan->windows[given], asked, sizeof asked);
  remark_window(&plan->windows[0], only, sizeof only);
  plan_remark(plan, "the question names %s, but only %s is searched", asked, only);
}
