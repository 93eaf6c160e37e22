/* bid-fetch: jobs to payloads, politely. */
#include "source/catalog.h"
#include "record/error.h"
#include "record/program.h"
#include "source/runner.h"

#include <stdlib.h>
#include <unistd.h>

static struct {
  const char *entity, *period, *query, *since, *describe, *check, *unblock;
  struct option_list aliases, forms, params;
  size_t limit, cache_bytes;
  double timeout;
  int content, list, quota, offline, refresh;
} opt;

static const struct program_option options[] = {
    {OPTION_HEADING, 0, NULL, NULL, NULL, "What to fetch:"},
    {OPTION_TEXT, 'e', "company", "ID", &opt.entity, "company, series, firm ...: ticker, name or number"},
    {OPTION_TEXT, 0, "entity", "ID", &opt.entity, NULL},
    {OPTION_LIST, 'a', "alias", "ID", &opt.aliases, "another name of it (repeatable)"},
    {OPTION_TEXT, 'p', "period", "PERIOD", &opt.period, "FY-2024, Q3-2024, 2024-06, ..."},
    {OPTION_LIST, 'f', "form", "FORM", &opt.forms, "filing type (repeatable, or with commas)"},
    {OPTION_TEXT, 0, "query", "WORDS", &opt.query, "words to search for"},
    {OPTION_TEXT, 0, "since", "WHEN", &opt.since, "not older: a date, or 6months, 90days ..."},
    {OPTION_SIZE, 'n', "limit", "COUNT", &opt.limit, "at most so many"},
    {OPTION_LIST, 'P', "param", "NAME=VALUE", &opt.params, "a parameter of the source (repeatable)"},
    {OPTION_FLAG, 0, "content", NULL, &opt.content, "the content of each hit, not the list of hits"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "About the sources:"},
    {OPTION_FLAG, 0, "list", NULL, &opt.list, "all sources"},
    {OPTION_TEXT, 0, "describe", "SOURCE", &opt.describe, "parameters, limits, hosts, key, terms, example"},
    {OPTION_TEXT, 0, "check", "SOURCE", &opt.check, "whether it can be used: key present, host answers"},
    {OPTION_FLAG, 0, "quota", NULL, &opt.quota, "who used what today, and who has sent this host away"},
    {OPTION_TEXT, 0, "unblock", "DOMAIN", &opt.unblock,
     "lift the block of a domain (sec.gov): it is known to be over"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "How:"},
    {OPTION_FLAG, 0, "offline", NULL, &opt.offline, "from the cache alone"},
    {OPTION_FLAG, 0, "refresh", NULL, &opt.refresh, "fetch anew what the cache has"},
    {OPTION_REAL, 0, "timeout", "SECONDS", &opt.timeout, "for a whole transfer, and for silence in it"},
    {OPTION_SIZE, 0, "cache-size", "BYTES", &opt.cache_bytes, "limit of the cache (default 4G)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-fetch",
    "[OPTION]... SOURCE[,SOURCE]... [PATH]...\n[OPTION]... < JOBS\n--list | --describe=SOURCE | "
    "--check=SOURCE | "
    "--quota",
    "Fetches what public financial sources say, as payload records with their provenance.", options,
    "Without SOURCE, job records are read from stdin.\n"
    "Example: bid-fetch sec-filings -e AAPL -f 10-K -n 3 --content | bid-strip"};

/* The options as a job.  0, or the status of a usage error. */
static int job_of_options(struct job *job, struct program *p) {
  struct error_text why;
  job_list_split(&job->sources, p->operands[0]);
  for (int i = 1; i < p->operand_count; i++)
    job_list_add(&job->operands, p->operands[i], strlen(p->operands[i]));
  job->entity = opt.entity ? xstrdup(opt.entity) : NULL;
  job->period = opt.period ? xstrdup(opt.period) : NULL;
  job->query = opt.query ? xstrdup(opt.query) : NULL;
  job->limit = opt.limit ? (long long)opt.limit : -1;
  job->content = opt.content;
  for (size_t i = 0; i < opt.aliases.count; i++)
    job_list_add(&job->aliases, opt.aliases.items[i], strlen(opt.aliases.items[i]));
  for (size_t i = 0; i < opt.forms.count; i++)
    job_list_split(&job->forms, opt.forms.items[i]);
  for (size_t i = 0; i < opt.params.count; i++) {
    const char *text = opt.params.items[i], *equals = strchr(text, '=');
    if (!equals || equals == text)
      return program_usage(&spec, "-P: '%s' is not NAME=VALUE", text);
    job_set_param(job, text, (size_t)(equals - text), equals + 1, strlen(equals + 1));
  }
  if (opt.since && job_set_since(job, opt.since, &why) != 0)
    return program_usage(&spec, "--%s", why.text);
  job_carry(job);
  return 0;
}

static int on_record(struct program *p, const struct record *rec, void *arg) {
  struct runner *r = arg;
  struct job job;
  struct error_text why;
  int result = 0;
  (void)p;
  job_init(&job);
  if (job_read(&job, rec->line, &why) != 0)
    runner_error(r, ERROR_INVALID_REQUEST, NULL, NULL, -1, "line %llu: %s", (unsigned long long)rec->number,
                 why.text);
  else
    result = runner_job(r, &job);
  job_release(&job);
  return result;
}

/* Operands are a source and its files; a job's own come through stdin. */
static int run_jobs(struct runner *r) {
  static const char *const fields[] = {NULL};
  struct program *p = r->program;
  struct job job;
  if (p->operand_count == 0) {
    if (isatty(STDIN_FILENO))
      return program_usage(&spec, "no source");
    program_each_record(p, fields, on_record, r);
    if (p->records == 0 && !p->quiet)
      diag_warn("no job came on stdin");
    return 0;
  }
  if (!strchr(p->operands[0], ',') && strchr(p->operands[0], '.') && access(p->operands[0], R_OK) == 0)
    return program_usage(&spec,
                         "'%s' is a file, not a source: jobs come on stdin, files by bid-fetch file %s",
                         p->operands[0], p->operands[0]);
  job_init(&job);
  r->strict = 1;
  int status = job_of_options(&job, p);
  if (status == 0)
    runner_job(r, &job);
  job_release(&job);
  return status;
}

/* One fault and nothing else: its own status.  Otherwise 1 for some faults among results. */
static void settle_status(struct runner *r) {
  int alone = r->results == 0 && (r->program->operand_count > 0 || opt.describe || opt.check);
  if (r->errors)
    program_fail(r->program, alone ? r->first_status : EXIT_NOTHING);
}

static void waiting(void *arg, const char *domain, double seconds) {
  if (seconds < 0)
    program_doing(arg, "waiting for another program that asks %s", domain);
  else
    program_doing(arg, "waiting %.1f s for %s", seconds, domain);
}

static void introduce(const char *text) {
  diag_warn("%s", text);
}

static int bid_fetch_work(struct program *p) {
  struct fetch_options how = {opt.offline, opt.refresh, opt.timeout, opt.cache_bytes,
                              isatty(STDERR_FILENO) ? introduce : NULL};
  struct error_text why;
  struct runner r;
  struct fetcher *f = fetcher_new(&how, &why);
  int status = 0;
  if (!f) {
    diag_warn("%s", why.text);
    return EX_CONFIG;
  }
  runner_init(&r, p, f);
  ledger_on_wait(waiting, p);
  if (opt.list)
    catalog_list(&r);
  else if (opt.describe)
    catalog_describe(&r, opt.describe);
  else if (opt.check)
    catalog_check(&r, opt.check);
  else
    status = run_jobs(&r);
  settle_status(&r);
  program_stat(p, "payloads", (double)r.results);
  runner_release(&r);
  fetcher_free(f);
  return status;
}

int main(int argc, char **argv) {
  struct program p;
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  if (opt.unblock)
    catalog_unblock(&p, opt.unblock);
  else if (opt.quota)
    catalog_quota(&p);
  else if ((status = bid_fetch_work(&p)) > 0)
    program_fail(&p, status);
  return program_finish(&p);
}
