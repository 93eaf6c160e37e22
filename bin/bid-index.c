/* bid-index: embedded chunks in, documents in the store, a receipt for each. */
#include "base/clock.h"
#include "store/indexer.h"
#include "record/json.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>

static struct indexer_options indexing;
static const char *opt_expire;
static double opt_wait = 60;
static const struct program_option options[] = {
    {OPTION_TEXT, 'c', "collection", "NAME", &indexing.collection, "put all into this collection"},
    {OPTION_TEXT, 0, "domain", "NAME", &indexing.domain,
     "first part of a collection's name (default: finance)"},
    {OPTION_TEXT, 0, "corpus", "NAME", &indexing.corpus,
     "second part (default: edgar for filings, else reports)"},
    {OPTION_TEXT, 0, "expire", "RULE", &opt_expire,
     "then remove documents filed before RULE: [GLOB:]WHEN, as in 2years or *_8-K:2020-01-01"},
    {OPTION_FLAG, 0, "partial", NULL, &indexing.partial, "take a last document that seems cut short"},
    {OPTION_SIZE, 0, "batch", "N", &indexing.batch, "passages a transaction (default: 16384)"},
    {OPTION_REAL, 0, "wait", "SECONDS", &opt_wait, "how long to wait for another writer (default: 60)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};
static const struct program_spec spec = {
    "bid-index", "[OPTION]... [FILE]...",
    "Keeps embedded chunks (NDJSON) in the store, document by document, and prints a receipt for each.",
    options,
    "Example: bid-embed < chunks.ndjson | bid-index\nThe store is $BID_STORE. See also bid-search(1), "
    "bid-store(1)."};

/* ---- --expire ---- */

struct expiry {
  char *glob;
  int64_t before;
  uint32_t *ids; /* collections that match */
  size_t count;
};

static int parse_expiry(struct expiry *x) {
  const char *colon = strrchr(opt_expire, ':'), *when = opt_expire;
  int64_t t;
  memset(x, 0, sizeof *x);
  if (clock_when(opt_expire, &t) && colon) {
    x->glob = xstrndup(opt_expire, (size_t)(colon - opt_expire));
    when = colon + 1;
  }
  return clock_when(when, &x->before);
}

static int is_expired(void *arg, const struct store_segment *seg, uint32_t doc) {
  const struct expiry *x = arg;
  const struct store_doc *d = &seg->doc[doc];
  int64_t when = d->filed != STORE_NO_DAY ? (int64_t)d->filed * 86400 : d->captured;
  int named = x->glob == NULL;
  for (size_t i = 0; i < x->count; i++)
    named |= x->ids[i] == d->collection;
  return named && when != STORE_NO_TIME && when < x->before;
}

static enum store_status find_named(struct store *s, struct expiry *ex, struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_collection *list;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t n = store_collections(snap, &list);
  ex->ids = xcalloc(n + 1, sizeof *ex->ids);
  for (size_t i = 0; i < n; i++)
    if (ex->glob && fnmatch(ex->glob, list[i].name, 0) == 0)
      ex->ids[ex->count++] = list[i].id;
  store_snapshot_end(snap);
  return STORE_OK;
}

static void expire(struct program *p, struct store *s) {
  struct expiry ex;
  struct error_text e;
  uint64_t documents = 0, passages = 0;
  parse_expiry(&ex);
  enum store_status status = find_named(s, &ex, &e);
  if (!status)
    status = store_remove(s, is_expired, &ex, &documents, &passages, &e);
  if (status)
    indexer_fault(p, status, &e);
  else if (documents) {
    struct buf *out = &p->out.buf;
    buf_add_char(out, '{');
    json_cstr(out, "expired", opt_expire);
    json_uint(out, "documents", documents);
    json_uint(out, "removed", passages);
    buf_add(out, "}\n", 2);
  }
  free(ex.ids);
  free(ex.glob);
}

static int usage(void) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_";
  struct expiry ex;
  const char *name = indexing.collection;
  if (opt_expire && parse_expiry(&ex))
    return program_usage(&spec, "--expire: '%s' is not [GLOB:]WHEN", opt_expire);
  if (opt_expire)
    free(ex.glob);
  if (name && (!*name || strspn(name, letters) != strlen(name)))
    return program_usage(&spec, "--collection: '%s' has more than letters, digits, '.', '-' and '_'", name);
  return -1;
}

static void bid_index_run(struct program *p, struct store *s) {
  struct indexer *x = indexer_new(p, s, &indexing);
  if (indexer_run(x) == 0 && opt_expire)
    expire(p, s);
  program_stat(p, "documents", (double)indexer_documents(x));
  program_stat(p, "passages", (double)indexer_passages(x));
  indexer_free(x);
}

int main(int argc, char **argv) {
  struct program p;
  struct store *s;
  struct error_text e;
  struct store_options o = {.write = 1, .create = 1};
  int status = program_start(&p, &spec, argc, argv);
  if (status < 0)
    status = usage();
  if (status >= 0)
    return status;
  signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error like a full disk */
  o.wait = opt_wait;
  enum store_status opened = store_open(&s, &o, &e);
  if (opened)
    indexer_fault(&p, opened, &e);
  else
    bid_index_run(&p, s);
  store_close(s);
  return program_finish(&p);
}
