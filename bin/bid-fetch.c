/* bid-fetch: fetches the documents of jobs as payloads, within rate limits. */
#include "query/document_company.h"
#include "source/fetch_call.h"

#include <stddef.h>

static struct query_typed names;

static void add_typed_company(const char *name, struct buf *out) {
  query_typed_company(&names, name, out);
}

static struct fetch_call call = {.limit = FETCH_NO_LIMIT, .add_company = add_typed_company};

static const struct program_option options[] = {
    {OPTION_HEADING, 0, NULL, NULL, NULL, "What to fetch:"},
    {OPTION_LIST, 'e', "company", "ID", &call.entities,
     "company, series, firm ...: ticker, name or number (repeatable)"},
    {OPTION_LIST, 0, "entity", "ID", &call.entities, NULL},
    {OPTION_LIST, 'a', "alias", "ID", &call.aliases, "another name of it (repeatable)"},
    {OPTION_TEXT, 'p', "period", "PERIOD", &call.period, "FY-2024, Q3-2024, 2024-06, ..."},
    {OPTION_LIST, 'f', "form", "FORM", &call.forms, "filing type (repeatable, or with commas)"},
    {OPTION_TEXT, 0, "query", "WORDS", &call.query, "words to search for"},
    {OPTION_TEXT, 0, "since", "WHEN", &call.since, "not older: a date, or 6months, 90days ..."},
    {OPTION_SIZE, 'n', "limit", "COUNT", &call.limit, "at most this many"},
    {OPTION_LIST, 'P', "param", "NAME=VALUE", &call.params, "a parameter of the source (repeatable)"},
    {OPTION_FLAG, 0, "content", NULL, &call.content, "the content of each hit, not the list of hits"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "About the sources:"},
    {OPTION_FLAG, 0, "list", NULL, &call.list, "all sources"},
    {OPTION_TEXT, 0, "describe", "SOURCE", &call.describe, "parameters, limits, hosts, key, terms, example"},
    {OPTION_TEXT, 0, "check", "SOURCE", &call.check, "whether it can be used: key present, host answers"},
    {OPTION_TEXT, 0, "lint", "SOURCE", &call.lint, "whether a connector keeps the contract, row by row"},
    {OPTION_FLAG, 0, "quota", NULL, &call.quota, "today's requests, and blocked domains"},
    {OPTION_TEXT, 0, "unblock", "DOMAIN", &call.unblock,
     "lift the block of a domain (sec.gov) that is known to be over"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "How:"},
    {OPTION_FLAG, 0, "offline", NULL, &call.offline, "answer from the cache only"},
    {OPTION_FLAG, 0, "refresh", NULL, &call.refresh, "fetch again even if cached"},
    {OPTION_REAL, 0, "timeout", "SECONDS", &call.timeout,
     "limit for a whole transfer, and for silence during it"},
    {OPTION_SIZE, 0, "cache-size", "BYTES", &call.cache_bytes, "limit of the cache (default 4G)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-fetch",
    "[OPTION]... SOURCE[,SOURCE]... [PATH]...\n[OPTION]... < JOBS\n--list | --describe=SOURCE | "
    "--check=SOURCE | "
    "--lint=SOURCE | --quota",
    "Fetches data from public financial sources, as payload records with provenance.", options,
    "Without SOURCE, job records are read from stdin.\n"
    "Example: bid-fetch sec-filings -e AAPL -f 10-K -n 3 --content | bid-strip"};

int main(int argc, char **argv) {
  struct program p;
  int status = program_start(&p, &spec, argc, argv);
  if (status < 0)
    status = fetch_call_run(&p, &call);
  query_typed_release(&names);
  return status;
}
