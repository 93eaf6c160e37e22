/* bid-search: finds the passages that answer a question. */
#include "chroma/chroma.h"
#include "chroma/chroma_search.h"
#include "model/model.h"
#include "search/search_call.h"

static struct search_call call;
static const char *from;
static const struct program_option options[] = {
    {OPTION_HEADING, 0, NULL, NULL, NULL, "What is searched:"},
    {OPTION_LIST, 'c', "collection", "GLOB", &call.collections,
     "collections by name, e.g. 'finance_edgar_*_10-K'"},
    {OPTION_LIST, 'e', "company", "COMPANY", &call.companies, "ticker, CIK or name"},
    {OPTION_LIST, 0, "entity", "COMPANY", &call.companies, NULL},
    {OPTION_LIST, 'f', "form", "FORM", &call.forms, "form, e.g. 10-K (with its amendments)"},
    {OPTION_TEXT, 0, "since", "DATE", &call.since, "filed on that day or later; also 6months, 90days"},
    {OPTION_TEXT, 0, "until", "DATE", &call.until, "filed on that day or earlier"},
    {OPTION_TEXT, 0, "as-of", "TIME", &call.as_of, "only what had been accepted by then"},
    {OPTION_LIST, 0, "item", "ITEM", &call.items, "item of the form, e.g. 1A"},
    {OPTION_FLAG, 0, "new", NULL, &call.news, "only what the newest filings add to the previous ones"},
    {OPTION_TEXT, 0, "where", "JQ", &call.where, "documents for which this jq expression is true"},
    {OPTION_LIST, 0, "store", "PATH", &call.stores,
     "the store (default: BID_STORE); several are searched as one"},
    {OPTION_TEXT, 0, "from", "ADDRESS", &from, "a Chroma server, chroma+http://HOST:PORT[/TENANT/DATABASE]"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "How:"},
    {OPTION_SIZE, 'n', "limit", "N", &call.limit, "number of passages, 1 to 1000 (default 5)"},
    {OPTION_CHOICE, 0, "mode", "MODE", &call.mode, " (default: hybrid)"},
    {OPTION_FLAG, 0, "exact", NULL, &call.exact, "scan every vector, never 1-bit sketches first"},
    {OPTION_NOFLAG, 0, "no-fold", NULL, &call.fold, "list near-duplicates one by one"},
    {OPTION_NOFLAG, 0, "no-routing", NULL, &call.routing,
     "ignore companies, forms and years that the question names"},
    {OPTION_NOFLAG, 0, "no-threshold", NULL, &call.threshold,
     "list the best passages even where none is relevant"},
    {OPTION_TEXT, 'm', "model", "MODEL", &call.model,
     "model file for the question (default: the collection's)"},
    {OPTION_SIZE, 0, "threads", "N", &call.threads, "threads for questions on stdin (default: one per core)"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "What is printed:"},
    {OPTION_SIZE, 0, "context", "TOKENS", &call.context_tokens,
     "one prompt-ready block within this many tokens"},
    {OPTION_FLAG, 0, "full", NULL, &call.full, "on a terminal: whole passages, not their best lines"},
    {OPTION_FLAG, 'l', "documents", NULL, &call.documents, "only the documents that the passages are of"},
    {OPTION_FLAG, 0, "neighbours", NULL, &call.neighbours, "also the previous and the next passage"},
    {OPTION_FLAG, 0, "explain", NULL, &call.explain, "explain the interpretation and the scores"},
    {OPTION_FLAG, 0, "analyse", NULL, &call.analyse, "explain the question, search nothing"},
    {OPTION_FLAG, 0, "bundle", NULL, &call.bundle, "one object {query, rag, edgar, errors}"},
    {OPTION_FLAG, 0, "wants", NULL, &call.wants, "print the jobs for EDGAR and for figures"},
    {OPTION_FLAG, 0, "always", NULL, &call.edgar_always, "with --wants: ask EDGAR for all of them"},
    {OPTION_TEXT, 0, "edgar", "FILE", &call.edgar, "with --bundle: records from EDGAR"},
    {OPTION_CHOICE, 0, "format", "FORMAT", &call.format,
     ": a self-contained page (auto: text on a terminal)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-search", "[OPTION]... QUESTION...\n[OPTION]... <QUESTIONS",
    "Finds the passages that answer a question.", options,
    "Questions on stdin are records {\"query\": \"...\"}; each comes back with \"matches\" added.\n"
    "Status 1: nothing relevant was found.  See bid-search(1)."};

/* Searches the passages of a Chroma server instead of a store's. */
static void run_from(struct program *p) {
  struct search_fault f;
  struct option_list named = call.stores;
  struct search_list local = {named.items, named.count};
  struct chroma_search *c = chroma_search_open(from, &local, &f);
  if (c == NULL) {
    search_print_fault(p, &f, call.form);
    return;
  }
  const char *scratch = chroma_search_store(c);
  call.stores = (struct option_list){.items = &scratch, .count = 1};
  call.remote = chroma_search_remote(c);
  search_enter_sandbox(&call, &named);
  search_call_run(p, &call);
  chroma_search_close(c);
}

int main(int argc, char **argv) {
  struct program p;
  call = search_call_defaults;
  program_on_version(model_about);
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0 || (status = search_call_check(&p, &call)) != 0 || (status = program_refuse_file(&p)) != 0)
    return status;
  if (from && !chroma_is_address(from))
    return program_usage(&spec, "--from: '%s' is no chroma+http://HOST:PORT", from);
  if (from && call.news)
    return program_usage(&spec, "--new: a server's passages can't be compared; search a store of your own");
  if (from)
    run_from(&p);
  else
    search_call_run(&p, &call);
  return program_finish(&p);
}
