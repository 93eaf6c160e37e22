/* fetch_call.c: one run of bid-fetch: jobs from options and stdin. */
#include "source/fetch_call.h"

#include "base/diag.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "net/agent.h"
#include "record/error.h"
#include "source/fetch_catalog.h"
#include "source/runner.h"
#include "source/runner_request.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
      !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO) || !agent_is_shipped())
    return;
  diag_warn("the SEC wants to know who asks; your name and e-mail address, or nothing to go on with BID's "
            "contact:");
  if (!fgets(line, sizeof line, stdin) || !*line || *line == '\n')
    return;
  line[strcspn(line, "\r\n")] = '\0';
  if (!agent_has_address(line))
    diag_warn("there is no e-mail address in it; this run goes on with BID's contact");
  else if (agent_keep(line, &why) != 0)
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
