/* plan_json.c: a plan as JSON and for display; the members of a job that make no sense. */
#include "query/plan_json.h"
#include "query/plan.h"
#include "record/json.h"

#include <stdio.h>

/* ---- names of values, in the order of their enums ---- */

static const char *const how_names[] = {"ticker", "cik", "name", "alias", "former", "typo", "given", NULL};
static const char *const period_names[] = {"", "Q1", "Q2", "Q3", "Q4", "H1", "H2", "9M", "FY", NULL};
static const char *const asks_names[] = {"figure", "table", "narrative", "comparison", "filings", NULL};
static const char *const span_names[] = {"", "quarter", "toDate", "quarters", "trailing", NULL};
static const char *const choice_names[] = {"", "firstAbove", "firstBelow", "years", NULL};
static const char *const as_names[] = {"value",     "growth", "share",   "perShare",
                                       "breakdown", "other",  "unknown", NULL};

const char *plan_how_name(enum plan_how how) {
  return how_names[how];
}

const char *plan_period_name(enum period_part period) {
  return period_names[period];
}

const char *plan_asks_name(enum plan_asks asks) {
  return asks_names[asks];
}

/* ---- writing ---- */

static void add_company(const struct plan_company *c, int full, struct buf *out) {
  buf_add_char(out, '{');
  json_cstr(out, "cik", c->cik);
  if (c->ticker.len)
    json_str(out, "ticker", c->ticker);
  if (c->name.len)
    json_str(out, "name", c->name);
  if (full) {
    json_str(out, "matched", c->matched);
    json_cstr(out, "how", plan_how_name(c->how));
  }
  json_hundredths(out, "sure", (float)c->sure);
  if (c->since)
    json_cstr(out, "partSince", c->since);
  if (c->asked)
    json_bool(out, "asked", 1);
  buf_add_char(out, '}');
}

static void add_company_list(const char *name, const struct plan_company *list, size_t count, int full,
                             struct buf *out) {
  json_key(out, name);
  buf_add_char(out, '[');
  for (size_t i = 0; i < count; i++) {
    buf_add_str(out, i ? "," : "");
    add_company(&list[i], full, out);
  }
  buf_add_char(out, ']');
}

static void add_window_json(const struct plan_window *w, struct buf *out) {
  buf_add_char(out, '{');
  if (w->year)
    json_int(out, "fiscalYear", w->year);
  if (w->period != PART_ANY)
    json_cstr(out, "fiscalPeriod", plan_period_name(w->period));
  if (w->ends_month)
    json_int(out, "endsMonth", w->ends_month);
  if (w->ends[0])
    json_cstr(out, "ends", w->ends);
  if (w->from[0])
    json_cstr(out, "from", w->from);
  if (w->until[0])
    json_cstr(out, "until", w->until);
  if (w->by_filing)
    json_cstr(out, "by", "filing");
  if (w->latest) {
    json_bool(out, "latest", 1);
    json_int(out, "count", w->count);
    if (w->before)
      json_int(out, "before", w->before);
  }
  buf_add_char(out, '}');
}

static void add_texts(const char *name, const struct slice *list, size_t count, const char *ending,
                      struct buf *out) {
  json_key(out, name);
  buf_add_char(out, '[');
  for (size_t i = 0; i < count; i++) {
    char text[64];
    size_t n = strlen(ending);
    int has = list[i].len >= n && memcmp(list[i].data + list[i].len - n, ending, n) == 0;
    buf_add_str(out, i ? "," : "");
    if (n && !has && list[i].len + n < sizeof text) {
      snprintf(text, sizeof text, "%.*s%s", (int)list[i].len, list[i].data, ending);
      json_add_cstr(out, text);
    } else {
      json_add_slice(out, list[i]);
    }
  }
  buf_add_char(out, ']');
}

static void add_figure_json(const struct plan_figure *f, struct buf *out) {
  buf_add_char(out, '{');
  if (f->figure[0])
    json_cstr(out, "figure", f->figure);
  json_cstr(out, "as", as_names[f->as]);
  if (f->words.len)
    json_str(out, "words", f->words);
  if (f->part_count) {
    json_key(out, "parts");
    for (size_t i = 0; i < f->part_count; i++) {
      buf_add_char(out, i ? ',' : '[');
      json_add_cstr(out, f->parts[i]);
    }
    buf_add_char(out, ']');
  }
  if (f->axis.len)
    json_str(out, "axis", f->axis);
  buf_add_char(out, '}');
}

/* The figures, and what the question's words say of their periods. */
static void add_figures_json(const struct plan *plan, struct buf *out) {
  json_key(out, "figures");
  buf_add_char(out, '[');
  for (size_t i = 0; i < plan->figure_count; i++) {
    buf_add_str(out, i ? "," : "");
    add_figure_json(&plan->figures[i], out);
  }
  buf_add_char(out, ']');
  if (plan->span)
    json_cstr(out, "span", span_names[plan->span]);
  if (plan->choice)
    json_cstr(out, "choice", choice_names[plan->choice]);
  if (plan->choice == PLAN_FIRST_ABOVE || plan->choice == PLAN_FIRST_BELOW) {
    json_key(out, "amount");
    buf_printf(out, "%.15g", plan->amount);
  }
  if (plan->currency[0])
    json_cstr(out, "currency", plan->currency);
  if (plan->year_named)
    json_bool(out, "yearNamed", 1);
}

void plan_add_json(const struct plan *plan, struct buf *out) {
  buf_add_char(out, '{');
  add_company_list("companies", plan->companies, plan->company_count, 1, out);
  if (plan->other_count)
    add_company_list("others", plan->others, plan->other_count, 1, out);
  add_texts("forms", plan->forms, plan->form_count, plan->amendments ? "/A" : "", out);
  if (plan->forms_named)
    json_bool(out, "formsNamed", 1);
  if (plan->items.len)
    add_texts("items", &plan->items, 1, "", out);
  if (plan->disclosed_in.len)
    json_str(out, "disclosedIn", plan->disclosed_in);
  json_bool(out, "amendments", plan->amendments);
  json_key(out, "windows");
  buf_add_char(out, '[');
  for (size_t i = 0; i < plan->window_count; i++) {
    buf_add_str(out, i ? "," : "");
    add_window_json(&plan->windows[i], out);
  }
  buf_add_char(out, ']');
  if (plan->as_of[0])
    json_cstr(out, "asOf", plan->as_of);
  if (plan->since[0])
    json_cstr(out, "since", plan->since);
  json_cstr(out, "asks", plan_asks_name(plan->asks));
  if (plan->figure_count)
    add_figures_json(plan, out);
  if (plan->screen[0])
    json_cstr(out, "screen", plan->screen);
  if (plan->term_count)
    add_texts("terms", plan->terms, plan->term_count, "", out);
  add_texts("notUnderstood", plan->unknown, plan->unknown_count, "", out);
  if (plan->untimed.len)
    json_str(out, "untimed", plan->untimed);
  if (plan->remark[0])
    json_cstr(out, "remark", plan->remark);
  if (plan->candidate_count) {
    json_str(out, "doubtful", plan->doubtful);
    add_company_list("candidates", plan->candidates, plan->candidate_count, 0, out);
  }
  buf_add_char(out, '}');
}

/* ---- reading ---- */

static struct slice plan_text_of(struct slice value, struct buf *scratch) {
  struct buf decoded;
  if (json_kind(value) != '"')
    return slice_of(NULL, 0);
  if (memchr(value.data, '\\', value.len) == NULL)
    return slice_of(value.data + 1, value.len - 2);
  buf_init(&decoded, 1 << 16);
  json_decode(value, &decoded);
  struct slice kept = slice_of(scratch->data + scratch->len, decoded.len);
  if (scratch->cap - scratch->len <= decoded.len || buf_add_slice(scratch, buf_slice(&decoded)) != 0)
    kept = slice_of(NULL, 0);
  buf_release(&decoded);
  return kept;
}

static void plan_json_copy_text(struct slice object, const char *key, char *out, size_t room) {
  struct slice value = json_get(object, key);
  size_t n = json_kind(value) == '"' ? value.len - 2 : 0;
  if (n >= room)
    n = 0;
  if (n)
    memcpy(out, value.data + 1, n);
  out[n] = '\0';
}

static int name_index(struct slice value, const char *const *names) {
  for (int i = 0; json_kind(value) == '"' && names[i]; i++)
    if (slice_is(slice_of(value.data + 1, value.len - 2), names[i]))
      return i;
  return 0;
}

static size_t read_companies(struct slice list, struct plan_company *out, struct buf *scratch) {
  struct json_cursor at = {0};
  struct slice item;
  size_t n = 0;
  while (json_kind(list) == '[' && n < PLAN_COMPANIES && json_next_element(list, &at, &item)) {
    struct plan_company *c = &out[n++];
    plan_json_copy_text(item, "cik", c->cik, sizeof c->cik);
    c->ticker = plan_text_of(json_get(item, "ticker"), scratch);
    c->name = plan_text_of(json_get(item, "name"), scratch);
    c->matched = plan_text_of(json_get(item, "matched"), scratch);
    c->how = (enum plan_how)name_index(json_get(item, "how"), how_names);
    c->sure = json_to_double(json_get(item, "sure"), 0);
    c->asked = json_kind(json_get(item, "asked")) == 't';
  }
  return n;
}

static size_t read_texts(struct slice list, struct slice *out, size_t max, struct buf *scratch) {
  struct json_cursor at = {0};
  struct slice item;
  size_t n = 0;
  while (json_kind(list) == '[' && n < max && json_next_element(list, &at, &item))
    out[n++] = plan_text_of(item, scratch);
  return n;
}

static void plan_json_read_window(struct slice item, struct plan_window *w) {
  memset(w, 0, sizeof *w);
  w->year = (int)json_to_int(json_get(item, "fiscalYear"), 0);
  w->period = (enum period_part)name_index(json_get(item, "fiscalPeriod"), period_names);
  w->ends_month = (int)json_to_int(json_get(item, "endsMonth"), 0);
  plan_json_copy_text(item, "ends", w->ends, sizeof w->ends);
  plan_json_copy_text(item, "from", w->from, sizeof w->from);
  plan_json_copy_text(item, "until", w->until, sizeof w->until);
  w->by_filing = json_get(item, "by").data != NULL;
  w->latest = json_kind(json_get(item, "latest")) == 't';
  w->count = (int)json_to_int(json_get(item, "count"), w->latest);
  w->before = (int)json_to_int(json_get(item, "before"), 0);
}

static void read_parts(struct slice list, struct plan_figure *f) {
  struct json_cursor at = {0};
  struct slice item;
  struct buf text;
  buf_init(&text, 1 << 16);
  while (json_kind(list) == '[' && f->part_count < PLAN_PARTS && json_next_element(list, &at, &item)) {
    struct slice part = json_text(item, &text);
    if (part.len && part.len < PLAN_PART_NAME)
      snprintf(f->parts[f->part_count++], PLAN_PART_NAME, "%.*s", (int)part.len, part.data);
  }
  buf_release(&text);
}

static void read_figures(struct slice json, struct plan *plan, struct buf *scratch) {
  struct slice list = json_get(json, "figures"), item;
  struct json_cursor at = {0};
  plan->figure_count = 0;
  while (json_kind(list) == '[' && plan->figure_count < PLAN_FIGURES && json_next_element(list, &at, &item)) {
    struct plan_figure *f = &plan->figures[plan->figure_count++];
    struct slice name = plan_text_of(json_get(item, "figure"), scratch);
    *f = (struct plan_figure){.as = (enum plan_as)name_index(json_get(item, "as"), as_names)};
    snprintf(f->figure, sizeof f->figure, "%.*s", (int)name.len, name.len ? name.data : "");
    f->words = plan_text_of(json_get(item, "words"), scratch);
    f->axis = plan_text_of(json_get(item, "axis"), scratch);
    read_parts(json_get(item, "parts"), f);
  }
  plan->span = (enum plan_span)name_index(json_get(json, "span"), span_names);
  plan->choice = (enum plan_choice)name_index(json_get(json, "choice"), choice_names);
  plan->amount = json_to_double(json_get(json, "amount"), 0);
  plan->year_named = json_kind(json_get(json, "yearNamed")) == 't';
  plan_json_copy_text(json, "currency", plan->currency, sizeof plan->currency);
  struct slice screen = plan_text_of(json_get(json, "screen"), scratch);
  snprintf(plan->screen, sizeof plan->screen, "%.*s", (int)screen.len, screen.len ? screen.data : "");
}

int plan_read_json(struct slice json, struct plan *plan, struct buf *scratch) {
  struct json_cursor at = {0};
  struct slice item;
  if (json_kind(json) != '{' || json_kind(json_get(json, "companies")) != '[')
    return -1;
  buf_clear(scratch); /* decoded texts are no longer than the input, so the buffer doesn't move */
  if (buf_reserve(scratch, json.len + 1) != 0)
    return -1;
  plan->company_count = read_companies(json_get(json, "companies"), plan->companies, scratch);
  plan->other_count = read_companies(json_get(json, "others"), plan->others, scratch);
  plan->candidate_count = read_companies(json_get(json, "candidates"), plan->candidates, scratch);
  plan->form_count = read_texts(json_get(json, "forms"), plan->forms, PLAN_FORMS, scratch);
  plan->forms_named = json_kind(json_get(json, "formsNamed")) == 't';
  plan->items = slice_of(NULL, 0);
  read_texts(json_get(json, "items"), &plan->items, 1, scratch);
  plan->disclosed_in = plan_text_of(json_get(json, "disclosedIn"), scratch);
  plan->amendments = json_kind(json_get(json, "amendments")) == 't';
  struct slice windows = json_get(json, "windows");
  plan->window_count = 0;
  while (json_kind(windows) == '[' && plan->window_count < PLAN_WINDOWS &&
         json_next_element(windows, &at, &item))
    plan_json_read_window(item, &plan->windows[plan->window_count++]);
  plan_json_copy_text(json, "asOf", plan->as_of, sizeof plan->as_of);
  plan_json_copy_text(json, "since", plan->since, sizeof plan->since);
  plan->asks = (enum plan_asks)name_index(json_get(json, "asks"), asks_names);
  read_figures(json, plan, scratch);
  plan->term_count = read_texts(json_get(json, "terms"), plan->terms, PLAN_TERMS, scratch);
  plan->unknown_count = read_texts(json_get(json, "notUnderstood"), plan->unknown, PLAN_UNKNOWN, scratch);
  plan->untimed = plan_text_of(json_get(json, "untimed"), scratch);
  struct slice remark = plan_text_of(json_get(json, "remark"), scratch);
  snprintf(plan->remark, sizeof plan->remark, "%.*s", (int)remark.len, remark.len ? remark.data : "");
  plan->doubtful = plan_text_of(json_get(json, "doubtful"), scratch);
  return 0;
}

/* ---- for display ---- */

static void explain_companies(const char *label, const struct plan_company *list, size_t count,
                              struct buf *out) {
  for (size_t i = 0; i < count; i++) {
    const struct plan_company *c = &list[i];
    buf_printf(out, "%-12s %s  %-6.*s ", i ? "" : label, c->cik, (int)c->ticker.len,
               c->ticker.len ? c->ticker.data : "");
    buf_add_masked(out, c->name);
    if (c->matched.len) {
      buf_printf(out, "  (%s '", plan_how_name(c->how));
      buf_add_masked(out, c->matched);
      buf_printf(out, "', %.2f)", c->sure);
    }
    buf_add_char(out, '\n');
  }
}

static void explain_window(const struct plan_window *w, struct buf *out) {
  if (w->ends_month)
    buf_printf(out, "the quarter of fiscal %d that ends in month %d", w->year, w->ends_month);
  else if (w->year)
    buf_printf(out, "%s of fiscal %d", w->period == PART_FY ? "all" : plan_period_name(w->period), w->year);
  else if (w->ends[0])
    buf_printf(out, "the period that ends %s%s%s", w->ends, w->from[0] ? ", from " : "", w->from);
  else if (w->before)
    buf_printf(out, "the %d before the latest %d%s%s", w->count, w->before, w->period ? " of " : "",
               plan_period_name(w->period));
  else if (w->latest)
    buf_printf(out, "the latest %d%s%s", w->count, w->period ? " of " : "", plan_period_name(w->period));
  else
    buf_printf(out, "%s%s%s%s%s", w->by_filing ? "filed" : "reporting", w->from[0] ? " from " : "", w->from,
               w->until[0] ? " until " : "", w->until);
  buf_add_char(out, '\n');
}

static void explain_texts(const char *label, const struct slice *list, size_t count, struct buf *out) {
  if (count == 0)
    return;
  buf_printf(out, "%-12s ", label);
  for (size_t i = 0; i < count; i++) {
    buf_add_str(out, i ? ", " : "");
    buf_add_masked(out, list[i]);
  }
  buf_add_char(out, '\n');
}

static void explain_figures(const struct plan *plan, struct buf *out) {
  for (size_t i = 0; i < plan->figure_count; i++) {
    const struct plan_figure *f = &plan->figures[i];
    buf_printf(out, "%-12s %s", i ? "" : "figures",
               f->as == PLAN_AS_OTHER     ? "another thing than "
               : f->as == PLAN_AS_UNKNOWN ? "none is known"
                                          : "");
    buf_printf(out, "%s", f->figure);
    if (f->words.len) {
      buf_add_str(out, "  (");
      buf_add_masked(out, f->words);
      buf_add_char(out, ')');
    }
    buf_add_char(out, '\n');
  }
  if (plan->span)
    buf_printf(out, "%-12s %s\n", "span", span_names[plan->span]);
  if (plan->choice)
    buf_printf(out, "%-12s %s\n", "choice", choice_names[plan->choice]);
  if (plan->currency[0])
    buf_printf(out, "%-12s %s\n", "currency", plan->currency);
  if (plan->screen[0])
    buf_printf(out, "%-12s %s\n", "screen", plan->screen);
}

void plan_explain(const struct plan *plan, struct buf *out) {
  explain_companies("companies", plan->companies, plan->company_count, out);
  explain_companies("others", plan->others, plan->other_count, out);
  explain_companies("candidates", plan->candidates, plan->candidate_count, out);
  explain_texts("forms", plan->forms, plan->form_count, out);
  if (plan->amendments)
    buf_add_str(out, "             amendments of them\n");
  explain_texts("items", &plan->items, plan->items.len > 0, out);
  for (size_t i = 0; i < plan->window_count; i++) {
    buf_printf(out, "%-12s ", i ? "" : "windows");
    explain_window(&plan->windows[i], out);
  }
  if (plan->as_of[0])
    buf_printf(out, "%-12s %s\n", "as of", plan->as_of);
  if (plan->since[0])
    buf_printf(out, "%-12s %s\n", "since", plan->since);
  buf_printf(out, "%-12s %s\n", "asks", plan_asks_name(plan->asks));
  explain_figures(plan, out);
  explain_texts("terms", plan->terms, plan->term_count, out);
  explain_texts("unknown", plan->unknown, plan->unknown_count, out);
  struct slice notes = buf_slice(&plan->notes);
  if (plan->remark[0])
    buf_printf(out, "%-12s %s\n", "remark", plan->remark);
  while (notes.len > 0) {
    buf_printf(out, "%-12s ", "why");
    buf_add_masked(out, slice_cut(&notes, '\n'));
    buf_add_char(out, '\n');
  }
}

/* ---- jobs ---- */

const char *plan_job_fault(struct slice job) {
  struct slice limit = json_get(job, "limit");
  if (json_get(job, "periods").data)
    return "a job has no member \"periods\"; \"period\" is meant";
  if (json_get(job, "companies").data)
    return "a job has no member \"companies\"; \"company\" is meant";
  if (json_get(job, "forms").data)
    return "a job has no member \"forms\"; \"form\" is meant";
  if (json_kind(limit) == 0 || json_kind(limit) == 'n')
    return NULL;
  return json_kind(limit) != '0' || json_to_int(limit, 0) < 1 ? "\"limit\" is no whole number of at least 1"
                                                              : NULL;
}
