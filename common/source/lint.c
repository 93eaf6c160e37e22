/* lint.c: checks what a connector declares, and what its first step returns, against the contract of connectors. */
#include "source/lint.h"

#include "net/fetch.h"
#include "record/error.h"
#include "record/json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

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

size_t lint_connector(struct source *s, struct lint_row rows[LINT_ROWS]) {
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
