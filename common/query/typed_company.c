/* typed_company.c: resolves the company of a job that reaches bid-fetch without a plan. */
#include "query/typed_company.h"
#include "record/json.h"
#include "source/company_list.h"

#define LIST_BYTES ((size_t)64 << 20)

/* The tables of bid-plan: those shipped, and the SEC's list where the cache has a newer one. */
static void typed_companies_open(struct typed_companies *t) {
  struct error_text why;
  t->opened = 1;
  buf_init(&t->list, LIST_BYTES);
  plan_init(&t->plan);
  t->planner = planner_open(&why);
  if (t->planner && company_list_cached(planner_date(t->planner), &t->list) == 0)
    planner_add_list(t->planner, buf_slice(&t->list));
}

/* NULL where the name is to be looked up. */
static const struct plan_company *typed_company(struct typed_companies *t, const char *name) {
  struct slice entity = slice_str(name);
  struct plan_request ask = {.entities = &entity, .entity_count = 1};
  struct error_text why;
  if (!t->opened)
    typed_companies_open(t);
  if (!t->planner || plan_make(t->planner, &ask, &t->plan, &why) != 0 || t->plan.company_count != 1)
    return NULL;
  const struct plan_company *company = &t->plan.companies[0];
  int named = company->how == PLAN_NAME || company->how == PLAN_ALIAS || company->how == PLAN_FORMER;
  return named ? company : NULL;
}

void typed_company_add_json(struct typed_companies *t, const char *name, struct buf *out) {
  const struct plan_company *company = typed_company(t, name);
  if (!company)
    return;
  buf_add_char(out, '{');
  json_cstr(out, "cik", company->cik);
  if (company->ticker.len)
    json_str(out, "ticker", company->ticker);
  else
    json_raw(out, "ticker", slice_str("null"));
  json_str(out, "name", company->name);
  buf_add_char(out, '}');
}

void typed_companies_release(struct typed_companies *t) {
  if (!t->opened)
    return;
  plan_release(&t->plan);
  planner_free(t->planner);
  buf_release(&t->list);
}
