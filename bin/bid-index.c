/* bid-index: indexes embedded chunks as documents in the store and prints receipts. */
#include "base/sandbox.h"
#include "chroma/chroma.h"
#include "chroma/chroma_copy.h"
#include "store/indexer.h"

static struct indexer_options indexing;
static const char *opt_expire, *opt_to;
static double opt_wait = 60;
static const struct program_option options[] = {
    {OPTION_TEXT, 'c', "collection", "NAME", &indexing.collection, "store everything in this collection"},
    {OPTION_TEXT, 0, "domain", "NAME", &indexing.domain,
     "first part of a collection's name (default: finance)"},
    {OPTION_TEXT, 0, "corpus", "NAME", &indexing.corpus,
     "second part (default: edgar for filings, else reports)"},
    {OPTION_TEXT, 0, "expire", "RULE", &opt_expire,
     "then remove documents filed before RULE: [GLOB:]WHEN, as in 2years or *_8-K:2020-01-01"},
    {OPTION_TEXT, 0, "to", "ADDRESS", &opt_to,
     "write to a Chroma server instead: chroma+http://HOST:PORT[/TENANT/DATABASE]"},
    {OPTION_FLAG, 0, "partial", NULL, &indexing.partial, "store documents even if they lack passages"},
    {OPTION_FLAG, 0, "older", NULL, &indexing.older, "replace even what was captured later"},
    {OPTION_SIZE, 0, "batch", "N", &indexing.batch, "passages per transaction (default: 16384)"},
    {OPTION_REAL, 0, "wait", "SECONDS", &opt_wait, "how long to wait for another writer (default: 60)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};
static const struct program_spec spec = {
    "bid-index", "[OPTION]... [FILE]...",
    "Writes embedded chunks (NDJSON) to the store, document by document, and prints a receipt for each.",
    options,
    "Example: bid-embed < chunks.ndjson | bid-index\nThe store is $BID_STORE. See also bid-search(1), "
    "bid-store(1)."};

static int bid_index_check(void) {
  const char *name = indexing.collection;
  if (opt_to && opt_expire)
    return program_usage(&spec, "--expire is for a store, not for --to");
  if (opt_to && !chroma_is_address(opt_to))
    return program_usage(&spec, "--to: '%s' is no chroma+http://HOST:PORT", opt_to);
  if (opt_expire && store_expiry_check(opt_expire) != 0)
    return program_usage(&spec, "--expire: '%s' is not [GLOB:]WHEN, such as 2years or *_8-K:2020-01-01",
                         opt_expire);
  if (name && !indexer_name_is_plain(slice_str(name)))
    return program_usage(&spec, "--collection: '%s' has more than letters, digits, '.', '-' and '_'", name);
  return -1;
}

static void bid_index_run(struct program *p, struct store *s) {
  struct indexer *x = indexer_new(p, s, &indexing);
  if (indexer_run(x) == 0 && opt_expire)
    store_expiry_run(p, s, opt_expire);
  program_stat(p, "documents", (double)indexer_documents(x));
  program_stat(p, "passages", (double)indexer_passages(x));
  indexer_free(x);
}

/* From here on only the operands are read, and files made and changed only in the store's folder: records aren't trusted. */
static void bid_index_hold(const struct program *p, const struct store_options *o) {
  struct sandbox_scope scope = {.allow = SANDBOX_CHANGE_FILES};
  program_may_read(p, &scope);
  store_may_change(o, &scope);
  sandbox_enter_scope(&scope);
}

int main(int argc, char **argv) {
  struct program p;
  struct store *s;
  struct error_text e;
  struct store_options o = {.write = 1, .create = 1};
  int status = program_start(&p, &spec, argc, argv);
  if (status < 0)
    status = bid_index_check();
  if (status >= 0)
    return status;
  if (opt_to) {
    sandbox_enter(SANDBOX_NETWORK, NULL, 0);
    chroma_index(&p, opt_to, &indexing);
    return program_finish(&p);
  }
  o.wait = opt_wait;
  bid_index_hold(&p, &o);
  enum store_status opened = store_open(&s, &o, &e);
  if (opened)
    indexer_fault(&p, opened, &e);
  else
    bid_index_run(&p, s);
  store_close(s);
  return program_finish(&p);
}
