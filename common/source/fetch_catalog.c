/* fetch_catalog.c: what is known of sources: --list, --describe, --check, --lint, --quota, --unblock. */
#include "source/fetch_catalog.h"

#include "base/diag.h"
#include "record/error.h"
#include "record/json.h"
#include "source/lint.h"
#include "source/runner_request.h"

#include <stdio.h>
#include <string.h>

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
void fetch_catalog_list(struct runner *r) {
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
void fetch_catalog_describe(struct runner *r, const char *name) {
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
void fetch_catalog_check(struct runner *r, const char *name) {
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
void fetch_catalog_lint(struct runner *r, const char *name) {
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
void fetch_catalog_unblock(struct program *p, const char *domain) {
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
void fetch_catalog_quota(struct program *p) {
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

/* ---- jobs ---- */
