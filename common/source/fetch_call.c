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

/* ---- what is known of sources: --list, --describe, --check, --lint, --quota, --unblock ---- */

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

/* Prints the records of one of these, as lib/catalog.jq lays them out where people read them. */
static void catalog_print(struct program *p, const char *which, const struct buf *records) {
  struct buf input;
  buf_init(&input, 2 * CONNECTOR_ANSWER_MAX);
  struct connector *catalog = p->people ? connector_open_library("catalog") : NULL;
  json_add_slice(&input, buf_slice(records));
  if (!catalog || runner_lay_out(p, catalog, which, buf_slice(&input), &p->out.buf) != 0)
    buf_add_slice(&p->out.buf, buf_slice(records));
  connector_close(catalog);
  buf_release(&input);
}

/* Lists all sources.  A broken one is listed as such and sets status 1. */
static void fetch_catalog_list(struct runner *r, struct buf *out) {
  size_t count;
  struct error_text unread;
  char **names = connector_names(&count, &unread);
  for (size_t i = 0; i < count; i++) /* all compile in parallel */
    runner_source(r, names[i]);
  for (size_t i = 0; i < count; i++) {
    struct source *s = runner_source(r, names[i]);
    if (!s || source_ready(s) != 0) {
      runner_error(r, ERROR_INTERNAL, names[i], NULL, -1, "%s", s ? s->why.text : "it vanished");
      continue;
    }
    add_declared(out, s);
    r->program->records++;
  }
  if (unread.text[0])
    runner_error(r, ERROR_INTERNAL, "", NULL, -1, "%s: sources may be missing", unread.text);
  connector_names_free(names, count);
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

/* All that one source declares. */
static void fetch_catalog_describe(struct runner *r, const char *name, struct buf *out) {
  struct source *s = ready_source(r, name);
  if (!s)
    return;
  r->results++;
  add_declared(out, s);
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

/* Checks whether a source is usable now: it compiles, its key is set, its host answers. */
static void fetch_catalog_check(struct runner *r, const char *name, struct buf *out) {
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
    r->results++;
    buf_add_char(out, '{');
    json_cstr(out, "source", s->name);
    json_bool(out, "available", 1);
    buf_add_str(out, "}\n");
  }
  fetch_result_release(&result);
}

/* ---- the contract of connectors ---- */

/* Calls lib/lint.jq with what is known of a source, and what `more` adds: the answer of its first step, or why there is none. */
static int lint_call(struct connector *lint, const struct source *s, struct slice more, struct buf *out,
                     struct error_text *why) {
  struct buf input;
  buf_init(&input, 2 * CONNECTOR_ANSWER_MAX);
  buf_add_char(&input, '{');
  json_cstr(&input, "name", s->name);
  json_bool(&input, "keyAllowed", s->key_variable && source_key_allowed(s->key_variable, NULL));
  json_raw(&input, "declared", buf_slice(&s->declared));
  buf_add_str(&input, more.len ? "," : "");
  buf_add_slice(&input, more);
  buf_add_char(&input, '}');
  int result = connector_call(lint, "step", buf_slice(&input), out, why);
  buf_release(&input);
  return result;
}

/* Appends the rules with the fault of each, or null: of the declaration, and of the first step for a job of its examples. */
static int lint_rules(struct connector *lint, const struct source *s, struct buf *out,
                      struct error_text *why) {
  struct buf job, input, step, more;
  struct error_text failed;
  buf_init(&job, CONNECTOR_ANSWER_MAX);
  buf_init(&input, CONNECTOR_ANSWER_MAX);
  buf_init(&step, CONNECTOR_ANSWER_MAX);
  buf_init(&more, 2 * CONNECTOR_ANSWER_MAX);
  int result = lint_call(lint, s, slice_of("", 0), &job, why);
  buf_printf(&input, "{\"job\":%s,\"state\":null,\"now\":\"2026-01-01T00:00:00Z\",\"responses\":[]}",
             job.data ? job.data : "null");
  if (connector_call(s->connector, "step", buf_slice(&input), &step, &failed) != 0)
    json_cstr(&more, "failed", failed.text);
  else
    json_raw(&more, "answer", buf_slice(&step));
  result = result ? result : lint_call(lint, s, buf_slice(&more), out, why);
  buf_release(&job);
  buf_release(&input);
  buf_release(&step);
  buf_release(&more);
  return result;
}

/* Prints a row for each rule of the contract of connectors; a rule that is broken is a failure. */
static void fetch_catalog_lint(struct runner *r, const char *name, struct buf *out) {
  struct buf rules, scratch;
  struct source *s = ready_source(r, name);
  struct json_cursor at = {0};
  struct error_text why;
  struct slice row;
  if (!s)
    return;
  buf_init(&rules, CONNECTOR_ANSWER_MAX);
  buf_init(&scratch, CONNECTOR_ANSWER_MAX);
  struct connector *lint = connector_open_library("lint");
  if (lint_rules(lint, s, &rules, &why) != 0)
    runner_error(r, ERROR_INTERNAL, name, NULL, -1, "%s", why.text);
  while (json_next_element(buf_slice(&rules), &at, &row)) {
    struct slice rule = json_get(row, "rule"), fault = json_text(json_get(row, "fault"), &scratch);
    r->results++;
    if (fault.len)
      program_fail(r->program, EXIT_NOTHING);
    buf_add_char(out, '{');
    json_cstr(out, "source", name);
    json_raw(out, "rule", rule);
    json_bool(out, "ok", !fault.len);
    if (fault.len)
      json_str(out, "fault", fault);
    buf_add_str(out, "}\n");
  }
  connector_close(lint);
  buf_release(&rules);
  buf_release(&scratch);
}

/* ---- quota ---- */

static void on_account(void *arg, const struct ledger_account *a) {
  struct buf *out = arg;
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

/* Ends the pause of a domain, such as sec.gov, that had blocked requests. */
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
static void fetch_catalog_quota(struct program *p) {
  struct buf folder, out;
  buf_init(&folder, 8192);
  buf_init(&out, CONNECTOR_ANSWER_MAX);
  if (fetch_ledger_folder(&folder) != 0 || ledger_accounts(folder.data, on_account, &out) != 0) {
    diag_errno("the ledger cannot be read");
    program_fail(p, EX_IOERR);
  }
  catalog_print(p, "quota", &out);
  buf_release(&folder);
  buf_release(&out);
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
  struct buf out;
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
  buf_init(&out, CONNECTOR_ANSWER_MAX);
  if (call->list)
    fetch_catalog_list(&r, &out);
  else if (call->describe)
    fetch_catalog_describe(&r, call->describe, &out);
  else if (call->check)
    fetch_catalog_check(&r, call->check, &out);
  else if (call->lint)
    fetch_catalog_lint(&r, call->lint, &out);
  else
    status = fetch_call_jobs(call, &r);
  if (out.len)
    catalog_print(p,
                  call->list       ? "list"
                  : call->describe ? "describe"
                  : call->check    ? "check"
                                   : "lint",
                  &out);
  buf_release(&out);
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
