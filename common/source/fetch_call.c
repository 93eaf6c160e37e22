/* fetch_call.c: one run of bid-fetch: jobs from options or stdin; what is known of sources: --list, --describe, --check, --quota. */
#include "source/fetch_call.h"
#include "base/diag.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "net/fetch.h"
#include "record/error.h"
#include "record/json.h"
#include "source/runner.h"
#include "source/runner_request.h"
#include "source/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINT_ROWS 16

struct lint_row {
  const char *rule;        /* "rateLimit" */
  struct error_text fault; /* empty where the connector keeps it */
};

#define LINT_TEXT ((size_t)1 << 20)
#define LINT_REQUESTS 20 /* a first step that asks for more doesn't narrow first */

static struct slice lint_declared(const struct source *s, const char *name) {
  return json_get(buf_slice(&s->declared), name);
}

static void lint_name(const struct source *s, struct error_text *e) {
  struct slice name = lint_declared(s, "name");
  if (name.len && !json_is_text(name, slice_str(s->name)))
    error_set(e, "it is declared as %.*s, but its file is %s.jq", (int)name.len, name.data, s->name);
}

static void lint_description(const struct source *s, struct error_text *e) {
  size_t len = lint_declared(s, "description").len;
  if (len < 10 || len > 160)
    error_set(e, "it has %zu bytes; one sentence of 10 to 160 says what it answers", len - 2);
}

static void lint_auth(const struct source *s, struct error_text *e) {
  struct slice required = lint_declared(s, "authRequired");
  if (required.len && json_kind(required) != 't' && json_kind(required) != 'f')
    error_set(e, "it is neither true nor false");
  else if (s->auth_required && !s->key_variable)
    error_set(e, "a key is required, but keyVariable doesn't name the variable that has it");
  else if (s->key_variable && !source_key_allowed(s->key_variable, NULL))
    error_set(e, "keys.tsv names no host that may get %.60s", s->key_variable);
}

static void lint_rate(const struct source *s, struct error_text *e) {
  struct slice rate = lint_declared(s, "rateLimit");
  if (!s->hosts[0])
    return;
  if (json_to_double(json_get(rate, "requestsPerSecond"), 0) <= 0)
    error_set(e, "requestsPerSecond is no number above 0");
  else if (json_to_int(json_get(rate, "burstSize"), 0) < 1)
    error_set(e, "burstSize is no whole number above 0");
}

/* Scope: each parameter says what it is, once, and what is needed is declared. */
static void lint_scope(const struct source *s, struct error_text *e) {
  struct json_cursor at = {0};
  struct slice item, list = lint_declared(s, "parameters");
  struct buf names, name;
  buf_init(&names, LINT_TEXT);
  buf_init(&name, LINT_TEXT);
  buf_add_str(&names, " plan "); /* which bid-plan adds to any job */
  if (json_kind(list) != '[')
    error_set(e, "there is no array of parameters");
  while (json_kind(list) == '[' && json_next_element(list, &at, &item)) {
    struct slice word = json_text(json_get(item, "name"), &name);
    char mark[100];
    snprintf(mark, sizeof mark, " %.*s ", (int)word.len, word.len ? word.data : "");
    if (!word.len)
      error_set(e, "a parameter has no name");
    else if (json_get(item, "description").len < 3)
      error_set(e, "the parameter %.*s has no description", (int)word.len, word.data);
    else if (strstr(names.data, mark))
      error_set(e, "the parameter %.*s is declared twice", (int)word.len, word.data);
    buf_printf(&names, "%.*s ", (int)word.len, word.len ? word.data : "");
  }
  struct slice needs = lint_declared(s, "needs"), need;
  for (at = (struct json_cursor){0}; json_kind(needs) == '[' && json_next_element(needs, &at, &need);) {
    struct json_cursor inner = {0};
    struct slice one = need;
    while (json_kind(need) == '"' ? inner.at == NULL : json_next_element(need, &inner, &one)) {
      char mark[100];
      inner.at = inner.at ? inner.at : one.data;
      snprintf(mark, sizeof mark, " %.*s ", (int)(one.len - 2), one.data + 1);
      if (!strstr(names.data, mark))
        error_set(e, "it needs %.*s, which it doesn't declare", (int)one.len, one.data);
    }
  }
  buf_release(&names);
  buf_release(&name);
}

static void lint_example(const struct source *s, struct error_text *e) {
  char start[100];
  struct buf text;
  buf_init(&text, LINT_TEXT);
  struct slice example = json_text(lint_declared(s, "example"), &text);
  snprintf(start, sizeof start, "bid-fetch %s", s->name);
  if (example.len < strlen(start) || memcmp(example.data, start, strlen(start)) != 0)
    error_set(e, "it doesn't begin with '%s'", start);
  buf_release(&text);
}

static int lint_host_declared(const struct source *s, struct slice url) {
  char host[256], *copy = json_text_copy(url);
  int declared = copy && fetch_host(copy, host, sizeof host) == 0 &&
                 fetch_host_declared(host, (const char *const *)s->hosts);
  free(copy);
  return declared;
}

static void lint_availability(const struct source *s, struct error_text *e) {
  struct slice check = lint_declared(s, "check"),
               url = json_kind(check) == '{' ? json_get(check, "url") : check;
  if (!s->hosts[0])
    return;
  if (!check.len)
    error_set(e, "no check names what --check asks for");
  else if (!lint_host_declared(s, url))
    error_set(e, "the host of check is not declared: %.*s", (int)(url.len < 200 ? url.len : 200), url.data);
  else if (s->auth_required && json_kind(json_get(check, "key")) != '{')
    error_set(e, "a key is required, but check doesn't send it");
}

/* Appends a job in which every parameter has its example, or a plausible word. */
static void lint_job(const struct source *s, struct buf *out) {
  struct json_cursor at = {0};
  struct slice item, list = lint_declared(s, "parameters");
  struct job job;
  struct buf name, value;
  job_init(&job);
  buf_init(&name, LINT_TEXT);
  buf_init(&value, LINT_TEXT);
  while (json_kind(list) == '[' && json_next_element(list, &at, &item)) {
    struct slice word = json_text(json_get(item, "name"), &name),
                 example = json_text(json_get(item, "example"), &value);
    if (slice_is(word, "entity") && !job.entity)
      job.entity = example.len ? xstrndup(example.data, example.len) : xstrdup("320193");
    else if (slice_is(word, "query") && !job.query)
      job.query = example.len ? xstrndup(example.data, example.len) : xstrdup("risk");
    else if (slice_is(word, "filingTypes") && example.len)
      job_list_add(&job.forms, example.data, example.len);
    else if (slice_is(word, "operands"))
      job_list_add(&job.operands, "report.txt", 10);
    else if (example.len && json_kind(json_get(item, "required")) == 't')
      job_set_param(&job, word.data, word.len, example.data, example.len);
  }
  /* What is needed, of alternatives the first. */
  struct slice needs = lint_declared(s, "needs"), need;
  for (at = (struct json_cursor){0}; json_kind(needs) == '[' && json_next_element(needs, &at, &need);) {
    struct json_cursor inner = {0};
    struct slice one = need;
    if (json_kind(need) == '[')
      json_next_element(need, &inner, &one);
    struct slice word = json_text(one, &name);
    struct json_cursor of = {0};
    while (word.len && json_next_element(list, &of, &item))
      if (json_is_text(json_get(item, "name"), word)) {
        struct slice example = json_text(json_get(item, "example"), &value);
        char *text = xstrndup(word.data, word.len);
        if (!job_has(&job, text))
          job_set_param(&job, word.data, word.len, example.len ? example.data : "1",
                        example.len ? example.len : 1);
        free(text);
      }
  }
  job_write(&job, out);
  job_release(&job);
  buf_release(&name);
  buf_release(&value);
}

static void lint_request(const struct source *s, struct slice request, struct error_text *e) {
  struct slice url = json_get(request, "url");
  if (json_kind(url) != '"' && json_to_int(json_get(request, "operand"), -1) < 0)
    error_set(e, "a request has neither a url nor an operand");
  else if (json_kind(url) == '"' && !lint_host_declared(s, url))
    error_set(e, "a request goes to a host that is not declared: %.*s", (int)(url.len < 200 ? url.len : 200),
              url.data);
}

/* What a step may return, and what it asks for first. */
static void lint_step(const struct source *s, struct slice answer, struct error_text *fetch,
                      struct error_text *narrow) {
  struct json_cursor at = {0};
  struct slice one = json_get(answer, "request"), list = json_get(answer, "requests"), item;
  size_t count = 0;
  if (json_kind(answer) != '{')
    error_set(fetch, "step returns no object");
  if (json_kind(one) == '{')
    lint_request(s, one, fetch);
  while (json_kind(list) == '[' && json_next_element(list, &at, &item)) {
    count++;
    lint_request(s, item, fetch);
  }
  if (count > LINT_REQUESTS)
    error_set(narrow, "its first step makes %zu requests; it has to narrow before it asks for more than %d",
              count, LINT_REQUESTS);
}

static void lint_provenance(struct slice answer, struct error_text *e) {
  struct json_cursor at = {0};
  struct slice list = json_get(answer, "payloads"), item;
  while (json_kind(list) == '[' && json_next_element(list, &at, &item))
    if (json_get(item, "sourceUrl").len < 3)
      error_set(e, "a payload of the first step, which has no request, has no sourceUrl");
}

static void lint_category(struct slice answer, struct error_text *e) {
  struct slice error = json_get(answer, "error"), category = json_get(error, "category");
  struct buf text;
  buf_init(&text, LINT_TEXT);
  struct slice word = json_text(category, &text);
  if (json_kind(error) == '{' && !slice_is(word, error_category(word)))
    error_set(e, "%.*s is no category of an error", (int)category.len, category.data ? category.data : "");
  buf_release(&text);
}

/* Checks a source that is ready, without the network: its declaration, and its first step for a job that gives every
 * parameter its example.  Returns the number of rows. */
static size_t lint_connector(struct source *s, struct lint_row rows[LINT_ROWS]) {
  static const struct {
    const char *rule;
    void (*check)(const struct source *s, struct error_text *e);
  } checks[] = {{"name", lint_name},
                {"description", lint_description},
                {"authRequired", lint_auth},
                {"rateLimit", lint_rate},
                {"scope", lint_scope},
                {"example", lint_example},
                {"availability", lint_availability}};
  static const char *const step_rules[] = {"fetch", "narrow", "provenance", "categories"};
  enum { CHECKS = sizeof checks / sizeof *checks, STEPS = sizeof step_rules / sizeof *step_rules };
  struct buf input, answer;
  memset(rows, 0, LINT_ROWS * sizeof *rows);
  for (size_t i = 0; i < CHECKS; i++) {
    rows[i].rule = checks[i].rule;
    checks[i].check(s, &rows[i].fault);
  }
  for (size_t i = 0; i < STEPS; i++)
    rows[CHECKS + i].rule = step_rules[i];
  struct error_text *fetch = &rows[CHECKS].fault, *narrow = &rows[CHECKS + 1].fault;
  buf_init(&input, LINT_TEXT);
  buf_init(&answer, CONNECTOR_ANSWER_MAX);
  buf_add_str(&input, "{\"job\":");
  lint_job(s, &input);
  buf_add_str(&input, ",\"state\":null,\"now\":\"2026-01-01T00:00:00Z\",\"responses\":[]}");
  struct error_text why = {0};
  size_t at;
  const char *fault;
  if (connector_call(s->connector, CONNECTOR_STEP, buf_slice(&input), &answer, &why) != 0) {
    error_set(fetch, "%s", why.text);
  } else if (json_validate(answer.data, answer.len, &at, &fault) != 0) {
    error_set(fetch, "step returns no JSON: %s", fault);
  } else {
    lint_step(s, buf_slice(&answer), fetch, narrow);
    lint_provenance(buf_slice(&answer), &rows[CHECKS + 2].fault);
    lint_category(buf_slice(&answer), &rows[CHECKS + 3].fault);
  }
  buf_release(&input);
  buf_release(&answer);
  return CHECKS + STEPS;
}

/* ---- what is known of sources: --list, --describe, --check, --lint, --quota, --unblock ---- */

#define CATALOG_ROW "%-20s %-11s %-4s " /* source name, rate and key */
enum { CATALOG_TEXT = 38 };             /* column at which the description begins */

static int on_terminal(const struct program *p) {
  return p->people;
}

/* A text of the declaration, or "". */
static struct slice declared_text(const struct source *s, const char *name, struct buf *scratch) {
  return json_text(json_get(buf_slice(&s->declared), name), scratch);
}

/* Appends the declaration, with the name first and the state of the key. */
static void add_declared(struct buf *out, const struct source *s) {
  struct slice d = buf_slice(&s->declared), key, value;
  struct json_cursor at = {0};
  buf_add_char(out, '{');
  json_cstr(out, "name", s->name);
  json_bool(out, "authRequired", s->auth_required); /* write false instead of omitting it */
  while (json_next_member(d, &at, &key, &value)) {
    if (!slice_is(key, "name") && !slice_is(key, "authRequired") && !slice_is(key, "keyPresent"))
      json_add_member(out, key, value);
  }
  if (s->key_variable)
    json_bool(out, "keyPresent", s->key != NULL);
  buf_add_str(out, "}\n");
}

/* Appends the effective rate limit of the domain. */
static void add_rate(struct buf *out, const struct source *s) {
  if (!s->hosts[0]) {
    buf_add_str(out, "local");
    return;
  }
  buf_printf(out, "%.3g/s%s", s->rule.per_second, s->rule.serial ? " serial" : "");
}

static void list_row(struct buf *out, const struct source *s) {
  struct buf scratch, rate;
  buf_init(&scratch, 4096);
  buf_init(&rate, 256);
  add_rate(&rate, s);
  buf_printf(out, CATALOG_ROW, s->name, rate.data, s->auth_required ? "key" : "");
  buf_add_masked(out, declared_text(s, "description", &scratch));
  buf_add_char(out, '\n');
  buf_release(&scratch);
  buf_release(&rate);
}

/* Lists all sources.  A broken one is listed as such and sets status 1. */
static void fetch_catalog_list(struct runner *r) {
  struct buf *out = &r->program->out.buf;
  size_t count;
  struct error_text unread;
  char **names = connector_names(&count, &unread);
  int people = on_terminal(r->program);
  for (size_t i = 0; i < count; i++) /* all compile in parallel */
    runner_source(r, names[i]);
  if (people)
    buf_printf(out, CATALOG_ROW "%s\n", "SOURCE", "RATE", "", "WHAT IT ANSWERS");
  for (size_t i = 0; i < count; i++) {
    struct source *s = runner_source(r, names[i]);
    if (!s || source_ready(s) != 0) {
      runner_error(r, ERROR_INTERNAL, names[i], NULL, -1, "%s", s ? s->why.text : "it vanished");
      continue;
    }
    if (people)
      list_row(out, s);
    else
      add_declared(out, s);
    r->program->records++;
  }
  if (unread.text[0])
    runner_error(r, ERROR_INTERNAL, "", NULL, -1, "%s: sources may be missing", unread.text);
  program_fold(r->program, 0, r->program->columns > 2 * CATALOG_TEXT ? CATALOG_TEXT : 4);
  connector_names_free(names, count);
}

/* Prints "name text" for each declared parameter. */
static void describe_parameters(struct buf *out, const struct source *s) {
  struct buf text;
  buf_init(&text, 65536);
  for (size_t i = 0; i < s->parameter_count; i++) {
    const struct source_parameter *p = &s->parameters[i];
    struct slice d = json_text(json_get(p->declared, "description"), &text);
    buf_printf(out, "  %-16s  %.*s%s\n", p->name, (int)d.len, d.data ? d.data : "",
               json_is_true(p->declared, "required") ? " (needed)" : "");
  }
  buf_release(&text);
}

static void describe_rest(struct buf *out, const struct source *s) {
  struct buf scratch;
  buf_init(&scratch, 65536);
  buf_add_str(out, "hosts: ");
  for (size_t i = 0; s->hosts[i]; i++)
    buf_printf(out, "%s%s", i ? ", " : "", s->hosts[i]);
  buf_add_str(out, s->hosts[0] ? "\nrate: " : "none\nrate: ");
  add_rate(out, s);
  buf_printf(out, " (%s)\n", s->domain);
  if (s->key_variable)
    buf_printf(out, "key: %s, %s, %s\n", s->key_variable, s->auth_required ? "needed" : "optional",
               s->key ? "set" : "not set");
  if (s->terms_text)
    buf_printf(out, "terms: %s %s\n", s->terms_text, s->terms_url ? s->terms_url : "");
  struct slice example = declared_text(s, "example", &scratch);
  if (example.len)
    buf_printf(out, "example: %.*s\n", (int)example.len, example.data);
  buf_release(&scratch);
}

/* The source with a valid declaration; NULL after an error record. */
static struct source *ready_source(struct runner *r, const char *name) {
  struct source *s = runner_source(r, name);
  if (!s) {
    struct job job;
    job_init(&job);
    job_list_add(&job.sources, name, strlen(name));
    runner_job(r, &job); /* reports that it is not registered */
    job_release(&job);
  } else if (source_ready(s) != 0) {
    runner_error(r, ERROR_INTERNAL, name, NULL, -1, "%s", s->why.text);
    s = NULL;
  }
  return s;
}

/* Prints everything that one source declares. */
/* All that one source declares. */
static void fetch_catalog_describe(struct runner *r, const char *name) {
  struct buf *out = &r->program->out.buf, scratch, page;
  struct source *s = ready_source(r, name);
  if (!s)
    return;
  r->results++;
  if (!on_terminal(r->program)) {
    add_declared(out, s);
    return;
  }
  buf_init(&scratch, 65536);
  buf_init(&page, 4 << 20);
  struct slice text = declared_text(s, "description", &scratch);
  buf_printf(&page, "%s: %.*s\n", s->name, (int)text.len, text.data ? text.data : "");
  describe_parameters(&page, s);
  describe_rest(&page, s);
  buf_add_masked_lines(out, buf_slice(&page));
  program_fold(r->program, 0, SCREEN_HANG_AUTO);
  buf_release(&scratch);
  buf_release(&page);
}

/* Appends the request that the connector names for --check, or the root of its first host. */
static void check_request(const struct source *s, struct buf *out) {
  struct slice check = json_get(buf_slice(&s->declared), "check");
  if (json_kind(check) == '{') {
    buf_add_slice(out, check);
    return;
  }
  buf_add_char(out, '{');
  if (json_kind(check) == '"')
    json_raw(out, "url", check);
  else
    buf_printf(out, "\"url\":\"https://%s/\"", s->hosts[0][0] == '*' ? s->hosts[0] + 2 : s->hosts[0]);
  buf_add_char(out, '}');
}

/* Asks what the connector names, with its key.  A root that is not named counts with any answer but server errors and
 * refusals. */
static void check_host(struct runner *r, struct source *s, struct fetch_result *result) {
  struct job job;
  struct runner_request a;
  struct run run = {.runner = r, .source = s, .job = &job};
  struct buf request;
  struct error_text why;
  int named = json_get(buf_slice(&s->declared), "check").len > 0;
  job_init(&job);
  buf_init(&request, 65536);
  check_request(s, &request);
  if (runner_request_read(&a, buf_slice(&request), &run, &why) != 0) {
    result->category = ERROR_INTERNAL;
    result->message = why;
  } else {
    a.fetch.max_body = 65536;
    a.fetch.truncate = 1;
    fetch_url(r->fetcher, &a.fetch, result);
  }
  if (result->category && a.fetch.key.value &&
      (result->status == 400 || result->status == 401 || result->status == 403))
    result->category = ERROR_AUTH_FAILED;
  else if (!named && result->status && result->status < 500 && result->status != 401 &&
           result->status != 403 && result->status != 429)
    result->category = NULL;
  runner_request_release(&a);
  buf_release(&request);
  job_release(&job);
}

static void check_says(struct runner *r, const struct source *s) {
  struct buf *out = &r->program->out.buf;
  r->results++;
  if (on_terminal(r->program)) {
    buf_printf(out, "%s: available\n", s->name);
    return;
  }
  buf_add_char(out, '{');
  json_cstr(out, "source", s->name);
  json_bool(out, "available", 1);
  buf_add_str(out, "}\n");
}

/* Checks whether a source is usable now: it compiles, its key is set, its host answers. */
/* Asks the source once, and says whether its answer is one that the connector reads. */
static void fetch_catalog_check(struct runner *r, const char *name) {
  struct source *s = ready_source(r, name);
  struct fetch_result result;
  if (!s)
    return;
  if (s->auth_required && !s->key) {
    runner_error(r, ERROR_AUTH_FAILED, name, NULL, -1, "it needs a key: set %s",
                 s->key_variable ? s->key_variable : "its variable");
    return;
  }
  fetch_result_init(&result);
  if (s->hosts[0])
    check_host(r, s, &result);
  if (result.category) {
    runner_error(r, result.category, name, NULL, result.retry_after, "%s", result.message.text);
    if (result.exit_status)
      r->first_status = result.exit_status;
  } else {
    check_says(r, s);
  }
  fetch_result_release(&result);
}

/* Prints a row for each rule of the contract of connectors; a rule that is broken is a failure. */
/* What a connector's author should mend. */
static void fetch_catalog_lint(struct runner *r, const char *name) {
  struct buf *out = &r->program->out.buf;
  struct source *s = ready_source(r, name);
  struct lint_row rows[LINT_ROWS];
  size_t count = s ? lint_connector(s, rows) : 0;
  for (size_t i = 0; i < count; i++) {
    r->results++;
    if (rows[i].fault.text[0])
      program_fail(r->program, EXIT_NOTHING);
    if (on_terminal(r->program)) {
      buf_printf(out, "%-5s  %-12s  %s\n", rows[i].fault.text[0] ? "WRONG" : "ok", rows[i].rule,
                 rows[i].fault.text);
      continue;
    }
    buf_add_char(out, '{');
    json_cstr(out, "source", name);
    json_cstr(out, "rule", rows[i].rule);
    json_bool(out, "ok", !rows[i].fault.text[0]);
    if (rows[i].fault.text[0])
      json_cstr(out, "fault", rows[i].fault.text);
    buf_add_str(out, "}\n");
  }
}

/* ---- quota ---- */

/* Whether the screen is too narrow for the table of requests. */
static int is_narrow(const struct program *p) {
  return p->columns && p->columns < 95;
}

static void quota_row(struct program *p, const struct ledger_account *a) {
  char last[CLOCK_TEXT], until[CLOCK_TEXT];
  struct buf row;
  buf_init(&row, 8192);
  clock_format((int64_t)a->last, last);
  if (is_narrow(p))
    buf_printf(&row, "%s  %s\n  requests: %llu\n", a->domain, a->user, (unsigned long long)a->requests);
  else
    buf_printf(&row, "%-26s %-22s %9llu %12llu  %s\n", a->domain, a->user, (unsigned long long)a->requests,
               (unsigned long long)a->bytes, last);
  if (a->blocked_until > 0) {
    clock_format((int64_t)a->blocked_until, until);
    buf_printf(&row, "  blocked until %s: %s; bid-fetch --unblock=%s lifts it\n", until, a->reason,
               a->domain);
  }
  buf_add_masked_lines(&p->out.buf, buf_slice(&row));
  buf_release(&row);
}

static void quota_record(struct program *p, const struct ledger_account *a) {
  struct buf *out = &p->out.buf;
  char text[CLOCK_TEXT];
  buf_add_char(out, '{');
  json_cstr(out, "domain", a->domain);
  json_cstr(out, "source", a->user);
  json_cstr(out, "day", a->day);
  json_uint(out, "requests", a->requests);
  json_uint(out, "bytes", a->bytes);
  clock_format((int64_t)a->last, text);
  json_cstr(out, "last", text);
  if (a->blocked_until > 0) {
    clock_format((int64_t)a->blocked_until, text);
    json_cstr(out, "blockedUntil", text);
    json_cstr(out, "reason", a->reason);
  }
  buf_add_str(out, "}\n");
}

static void on_account(void *arg, const struct ledger_account *a) {
  struct program *p = arg;
  if (on_terminal(p))
    quota_row(p, a);
  else
    quota_record(p, a);
  p->records++;
}

/* Lifts the block of a domain such as sec.gov. */
/* Ends the pause of a domain that had blocked requests. */
static void fetch_catalog_unblock(struct program *p, const char *domain) {
  struct buf folder;
  int lifted = -1;
  buf_init(&folder, 8192);
  if (fetch_ledger_folder(&folder) == 0)
    lifted = ledger_unblock(folder.data, domain);
  if (lifted < 0) {
    diag_errno("%s", domain);
    program_fail(p, EX_NOINPUT);
  } else if (!lifted) {
    diag_warn("%s is not blocked", domain);
    program_fail(p, EXIT_NOTHING);
  } else if (!p->quiet) {
    diag_warn("%s may be asked again", domain);
  }
  buf_release(&folder);
}

/* Prints today's use of each rate domain. */
/* The accounts of the ledger, a domain a row. */
static void fetch_catalog_quota(struct program *p) {
  struct buf folder;
  buf_init(&folder, 8192);
  if (on_terminal(p) && !is_narrow(p))
    buf_printf(&p->out.buf, "%-26s %-22s %9s %12s  %s\n", "DOMAIN", "SOURCE", "REQUESTS", "BYTES", "LAST");
  if (fetch_ledger_folder(&folder) != 0 || ledger_accounts(folder.data, on_account, p) != 0) {
    diag_errno("the ledger cannot be read");
    program_fail(p, EX_IOERR);
  }
  buf_release(&folder);
}

/* ---- one run of bid-fetch: jobs from options and stdin ---- */

/* Builds a job for one entity (or NULL) from the options.  0, or the status of a usage error. */
static int fetch_call_job(const struct fetch_call *call, const struct program *p, const char *entity,
                          struct job *job) {
  struct error_text why;
  job_list_split(&job->sources, p->operands[0]);
  for (int i = 1; i < p->operand_count; i++)
    job_list_add(&job->operands, p->operands[i], strlen(p->operands[i]));
  job->entity = entity ? xstrdup(entity) : NULL;
  job->period = call->period ? xstrdup(call->period) : NULL;
  job->query = call->query ? xstrdup(call->query) : NULL;
  if (call->limit == 0)
    return program_usage(p->spec, "-n: 0 is not 1 or more");
  job->limit = call->limit == FETCH_NO_LIMIT ? -1 : (long long)call->limit;
  job->content = call->content;
  for (size_t i = 0; i < call->aliases.count; i++)
    job_list_add(&job->aliases, call->aliases.items[i], strlen(call->aliases.items[i]));
  for (size_t i = 0; i < call->forms.count; i++)
    job_list_split(&job->forms, call->forms.items[i]);
  for (size_t i = 0; i < call->params.count; i++) {
    const char *text = call->params.items[i], *equals = strchr(text, '=');
    if (!equals || equals == text)
      return program_usage(p->spec, "-P: '%s' is not NAME=VALUE", text);
    job_set_param(job, text, (size_t)(equals - text), equals + 1, strlen(equals + 1));
  }
  if (call->since && job_set_since(job, call->since, &why) != 0)
    return program_usage(p->spec, "--%s", why.text);
  job_carry(job);
  return 0;
}

/* Resolves a company given by a name in use ("Google") for EDGAR's sources.  A plan names its companies itself. */
static void fetch_call_name(const struct fetch_call *call, struct job *job) {
  int of_edgar = 0;
  for (size_t i = 0; i < job->sources.count; i++)
    of_edgar |= strncmp(job->sources.items[i], "sec-", 4) == 0;
  if (of_edgar && call->add_company && job->entity && !job->plan.len)
    call->add_company(job->entity, &job->company);
}

struct fetch_run {
  const struct fetch_call *call;
  struct runner *runner;
};

static int fetch_call_record(struct program *p, const struct record *rec, void *arg) {
  const struct fetch_run *run = arg;
  struct runner *r = run->runner;
  struct job job;
  struct error_text why;
  int result = 0;
  (void)p;
  job_init(&job);
  int bad = job_read(&job, rec->line, &why);
  if (!job.tag.len)
    buf_printf(&job.tag, "%llu", (unsigned long long)rec->number);
  r->job = &job;
  if (bad)
    runner_error(r, ERROR_INVALID_REQUEST, NULL, NULL, -1, "line %llu: %s", (unsigned long long)rec->number,
                 why.text);
  else {
    fetch_call_name(run->call, &job);
    result = runner_job(r, &job);
  }
  r->job = NULL;
  job_release(&job);
  return result;
}

static int reads_files(const struct job *job) {
  for (size_t i = 0; i < job->sources.count; i++)
    if (strcmp(job->sources.items[i], "file") == 0)
      return 1;
  return 0;
}

/* Runs the job that the options make, for each company. */
static int fetch_call_each(const struct fetch_call *call, struct runner *r) {
  const struct option_list *of = &call->entities;
  int status = 0, stopped = 0;
  if (of->count > 1 && call->aliases.count)
    return program_usage(r->program->spec, "-a names one company, but -e is given %zu times", of->count);
  for (size_t i = 0; status == 0 && !stopped && (i == 0 || i < of->count); i++) {
    struct job job;
    job_init(&job);
    status = fetch_call_job(call, r->program, of->count ? of->items[i] : NULL, &job);
    if (status == 0 && of->count > 1 && reads_files(&job))
      status =
          program_usage(r->program->spec,
                        "-e is given %zu times, but the files are read once, as one company's", of->count);
    if (status == 0) {
      fetch_call_name(call, &job);
      stopped = runner_job(r, &job) != 0;
    }
    job_release(&job);
  }
  return status;
}

/* Operands are a source and its files; jobs come from stdin. */
static int fetch_call_jobs(const struct fetch_call *call, struct runner *r) {
  static const char *const fields[] = {NULL};
  struct program *p = r->program;
  if (p->operand_count == 0) {
    if (isatty(STDIN_FILENO))
      return program_usage(p->spec, "no source");
    struct fetch_run run = {call, r};
    program_each_record(p, fields, fetch_call_record, &run);
    if (p->records == 0 && !p->quiet)
      diag_warn("no job came on stdin");
    return 0;
  }
  if (!strchr(p->operands[0], ',') && strchr(p->operands[0], '.') && access(p->operands[0], R_OK) == 0)
    return program_usage(p->spec,
                         "'%s' is a file, not a source: jobs come on stdin, files by bid-fetch file %s",
                         p->operands[0], p->operands[0]);
  r->strict = 1;
  return fetch_call_each(call, r);
}

/* A single error without results keeps its own status; errors among results give 1. */
static void fetch_call_settle(const struct fetch_call *call, struct runner *r) {
  int alone =
      r->results == 0 && (r->program->operand_count > 0 || call->describe || call->check || call->lint);
  if (r->errors)
    program_fail(r->program, alone ? r->first_status : EXIT_NOTHING);
}

static void show_wait(void *arg, const char *domain, double seconds) {
  if (seconds < 0)
    program_doing(arg, "waiting for another program that asks %s", domain);
  else
    program_doing(arg, "waiting %.1f s for %s", seconds, domain);
}

static void show_introduction(const char *text) {
  diag_warn("%s", text);
}

/* From here on only the cache and what is kept between runs are changed: archives and answers are not trusted.
 * process_keep_only() opens /dev/null for writing. */
static void enter_sandbox(struct fetcher *f) {
  struct buf state;
  buf_init(&state, 4096);
  if (paths_state(&state) != 0 || paths_make(state.data) != 0) /* the ledger says so where it is needed */
    buf_clear(&state);
  const char *const changed[] = {"/dev/null", fetch_cache(f)->folder, fetch_computed(f)->folder,
                                 state.len ? state.data : "/dev/null"};
  sandbox_enter(SANDBOX_FETCH, changed, sizeof changed / sizeof *changed);
  buf_release(&state);
}

/* Asks a person for the contact that the SEC wants, once: before the first request to it, and keeps the answer. */
static void ask_contact(const struct fetch_call *call, const struct program *p) {
  struct error_text why;
  char line[256] = "";
  if (p->quiet || call->offline || p->operand_count == 0 || !strstr(p->operands[0], "sec-") ||
      !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO) || !fetch_agent_is_shipped())
    return;
  diag_warn("the SEC wants to know who asks; your name and e-mail address, or nothing to go on with BID's "
            "contact:");
  if (!fgets(line, sizeof line, stdin) || !*line || *line == '\n')
    return;
  line[strcspn(line, "\r\n")] = '\0';
  if (!fetch_agent_has_address(line))
    diag_warn("there is no e-mail address in it; this run goes on with BID's contact");
  else if (fetch_agent_keep(line, &why) != 0)
    diag_warn("%s", why.text);
}

static int fetch_call_work(struct program *p, const struct fetch_call *call) {
  struct fetch_options how = {call->offline, call->refresh, call->timeout, call->cache_bytes,
                              p->quiet ? NULL : show_introduction};
  struct error_text why;
  struct runner r;
  struct fetcher *f = fetch_new(&how, &why);
  int status = 0;
  if (!f) {
    diag_warn("%s", why.text);
    return EX_CONFIG;
  }
  ask_contact(call, p);
  enter_sandbox(f);
  runner_init(&r, p, f);
  ledger_on_wait(show_wait, p);
  if (call->list)
    fetch_catalog_list(&r);
  else if (call->describe)
    fetch_catalog_describe(&r, call->describe);
  else if (call->check)
    fetch_catalog_check(&r, call->check);
  else if (call->lint)
    fetch_catalog_lint(&r, call->lint);
  else
    status = fetch_call_jobs(call, &r);
  fetch_call_settle(call, &r);
  program_stat(p, "payloads", (double)r.results);
  runner_release(&r);
  fetch_free(f);
  return status;
}

int fetch_call_run(struct program *p, const struct fetch_call *call) {
  int status;
  if (call->unblock)
    fetch_catalog_unblock(p, call->unblock);
  else if (call->quota)
    fetch_catalog_quota(p);
  else if ((status = fetch_call_work(p, call)) > 0)
    program_fail(p, status);
  return program_finish(p);
}
