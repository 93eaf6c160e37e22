/* bid-store: looks after the store. */
#include "compare/stored_text.h"
#include "record/error.h"
#include "store/indexer.h"
#include "record/json.h"
#include "record/program.h"
#include "store/reembed.h"
#include "store/store_dump.h"
#include "text/terms.h"
#include "store/unseen.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct option_list opt_collections, opt_urls, opt_companies;
static struct indexer_options loading = {.restore = 1};
static const char *opt_model;
static double opt_wait = 60;
static const char *opt_vectors, *opt_format, *opt_item, *opt_exhibit;
static size_t opt_back;
static int opt_plain;
static struct store_rows rows;
static const struct program_option options[] = {
    {OPTION_LIST, 'c', "collection", "GLOB", &opt_collections,
     "only these collections (ls, rm, dump, reembed)"},
    {OPTION_LIST, 'u', "url", "URL", &opt_urls, "rm: documents of this sourceUrl"},
    {OPTION_LIST, 'e', "company", "NAME", &opt_companies,
     "rm: documents of this ticker, CIK or company name"},
    {OPTION_LIST, 0, "entity", "NAME", &opt_companies, NULL},
    {OPTION_TEXT, 0, "vectors", "[FORM]", &opt_vectors,
     "show: with the embedding; dump --format: as floats or base64"},
    {OPTION_TEXT, 0, "format", "FORM", &opt_format, "dump: flat rows for other tools, ndjson or csv"},
    {OPTION_TEXT, 0, "item", "ITEM", &opt_item, "show: only this item of the document, e.g. 7 or II-1A"},
    {OPTION_TEXT, 0, "exhibit", "TYPE", &opt_exhibit, "show: the exhibit of this type, e.g. EX-99.1"},
    {OPTION_SIZE, 0, "back", "N", &opt_back, "show: the document N before the newest"},
    {OPTION_FLAG, 0, "plain", NULL, &opt_plain, "dump: as bid-chunk made it, without embedding"},
    {OPTION_TEXT, 'm', "model", "MODEL", &opt_model, "reembed: with this model"},
    {OPTION_REAL, 0, "wait", "SECONDS", &opt_wait, "how long to wait for another writer (default: 60)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};
static const struct program_spec spec = {
    "bid-store",
    "[OPTION]... ls | stat | verify | compact\n[OPTION]... show ID...\n[OPTION]... show COMPANY "
    "[FORM]\n[OPTION]... rm\n[OPTION]... dump\n"
    "[OPTION]... load [FILE]...\n[OPTION]... unseen [FILE]...\n[OPTION]... backup FILE\n[OPTION]... "
    "--model=MODEL reembed",
    "Looks after the store of bid-index and bid-search.", options,
    "Example: bid-store dump | BID_STORE=copy bid-store load\nThe store is $BID_STORE. See also "
    "bid-store(5)."};

/* A command on a snapshot, or on the store. */
struct command {
  const char *name;
  int operands; /* how many it takes; -1: at least one, -2: any number */
  int write, create;
  enum store_status (*run)(struct program *p, struct store *s, struct error_text *e);
};

static int named(const char *name) {
  for (size_t i = 0; i < opt_collections.count; i++)
    if (fnmatch(opt_collections.items[i], name, 0) == 0)
      return 1;
  return opt_collections.count == 0;
}

/* A run that did nothing says so. */
static void nothing(struct program *p, const char *why) {
  program_fail(p, EXIT_NOTHING);
  if (!p->quiet)
    diag_warn("%s", why);
}

/* ---- ls, stat, show ---- */

static void list_as_record(struct buf *out, const struct store_collection *c) {
  buf_add_char(out, '{');
  json_cstr(out, "collection", c->name);
  json_cstr(out, "model", c->model);
  json_uint(out, "dimensions", c->dims);
  json_uint(out, "documents", c->documents);
  json_uint(out, "passages", c->passages);
  json_int(out, "updated", c->updated);
  buf_add(out, "}\n", 2);
}

static enum store_status list(struct program *p, struct store *s, struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_collection *c;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t n = store_collections(snap, &c), shown = 0;
  int people = p->people;
  for (size_t i = 0; i < n; i++) {
    if (!named(c[i].name))
      continue;
    shown++;
    if (people)
      buf_printf(&p->out.buf, "%-40s %8llu documents %10llu passages  %s\n", c[i].name,
                 (unsigned long long)c[i].documents, (unsigned long long)c[i].passages, c[i].model);
    else
      list_as_record(&p->out.buf, &c[i]);
    output_flush_if_full(&p->out);
  }
  if (!shown)
    nothing(p, opt_collections.count ? "no collection matches" : "the store is empty");
  store_snapshot_end(snap);
  return STORE_OK;
}

static void add_models(struct buf *out, const struct store_snapshot *snap) {
  const struct store_collection *c;
  size_t n = store_collections(snap, &c);
  json_key(out, "models");
  buf_add_char(out, '{');
  for (size_t i = 0; i < n; i++) {
    uint64_t passages = 0;
    int before = 0;
    for (size_t k = 0; k < n; k++)
      if (strcmp(c[k].model, c[i].model) == 0) {
        passages += c[k].passages;
        before |= k < i;
      }
    if (before)
      continue;
    if (out->data[out->len - 1] != '{')
      buf_add_char(out, ',');
    json_add_cstr(out, c[i].model);
    buf_printf(out, ":{\"passages\":%llu,\"dimensions\":%u,\"sketchCandidates\":%zu}",
               (unsigned long long)passages, c[i].dims, store_sketch_candidates(snap, c[i].model));
  }
  buf_add_char(out, '}');
}

/* "1,234,567" of a size, and what it is of. */
static void people_line(struct buf *out, const char *what, uint64_t n, const char *unit) {
  char digits[32], grouped[48];
  int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), k = 0;
  for (int i = 0; i < len; i++) {
    if (i > 0 && (len - i) % 3 == 0)
      grouped[k++] = ',';
    grouped[k++] = digits[i];
  }
  grouped[k] = '\0';
  buf_printf(out, "  %-18s %16s%s\n", what, grouped, unit);
}

static void sizes_for_people(struct buf *out, const char *path, size_t collections,
                             const struct store_sizes *z) {
  buf_add_masked(out, slice_str(path));
  buf_add_char(out, '\n');
  people_line(out, "collections", collections, "");
  people_line(out, "documents", z->documents, "");
  people_line(out, "passages", z->passages, "");
  people_line(out, "removed passages", z->dead,
              z->dead > z->passages / 4 ? "  (bid-store compact gives their room back)" : "");
  people_line(out, "size", z->file, " bytes");
  people_line(out, "  texts", z->texts, "");
  people_line(out, "  vectors", z->vectors + z->sketches, "");
  people_line(out, "  postings", z->postings, "");
  people_line(out, "  free", z->free_bytes, "");
}

static enum store_status show_sizes(struct program *p, struct store *s, struct error_text *e) {
  struct store_snapshot *snap;
  struct store_sizes z;
  const struct store_collection *c;
  struct buf *out = &p->out.buf;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  store_measure(snap, &z, e);
  if (p->people) {
    sizes_for_people(out, store_path(s), store_collections(snap, &c), &z);
    store_snapshot_end(snap);
    return STORE_OK;
  }
  buf_add_char(out, '{');
  json_cstr(out, "path", store_path(s));
  json_uint(out, "collections", store_collections(snap, &c));
  json_uint(out, "documents", z.documents);
  json_uint(out, "passages", z.passages);
  json_uint(out, "removedPassages", z.dead);
  json_uint(out, "segments", z.segments);
  json_uint(out, "bytes", z.file);
  json_uint(out, "bytesFree", z.free_bytes);
  json_uint(out, "bytesTexts", z.texts);
  json_uint(out, "bytesVectors", z.vectors);
  json_uint(out, "bytesSketches", z.sketches);
  json_uint(out, "bytesPostings", z.postings);
  json_uint(out, "bytesColumns", z.columns);
  json_double(out, "bytesPerPassage", z.passages ? (double)z.file / (double)z.passages : 0);
  add_models(out, snap);
  buf_add(out, "}\n", 2);
  store_snapshot_end(snap);
  return STORE_OK;
}

static enum store_status show_one(struct program *p, struct store_snapshot *snap, const char *id,
                                  struct store_text *t, struct error_text *e) {
  const struct store_segment *seg;
  uint32_t row;
  enum store_status status;
  size_t found = 0;
  while (!(status = store_find_passage(snap, id, found, &seg, &row, e)) &&
         !(status =
               store_dump_passage(snap, seg, row, opt_vectors != NULL ? DUMP_VECTORS : 0, t, &p->out.buf, e)))
    found++;
  return status == STORE_ABSENT && found ? STORE_OK : status;
}

/* An id may be cut short, as long as it begins no other passage's. */
static enum store_status show_short(struct program *p, struct store_snapshot *snap, const char *id,
                                    struct store_text *t, struct error_text *e) {
  char whole[33];
  size_t found = stored_text_ids(snap, id, whole);
  if (found == 1)
    return show_one(p, snap, whole, t, e);
  if (found == 0)
    error_set(e, "no passage has an id that begins with %s", id);
  else
    error_set(e, "%zu passages have an id that begins with %s: give more of it", found, id);
  return STORE_ABSENT;
}

enum { ID_DIGITS = 32, ID_LEAST = 4 };

static int looks_like_id(const char *word) {
  size_t n = strlen(word);
  return n >= ID_LEAST && n <= ID_DIGITS && strspn(word, "0123456789abcdef") == n;
}

/* A document or an item of it, whole: as text for people, else as a record. */
static enum store_status show_text(struct program *p, const struct store_snapshot *snap,
                                   struct stored_place *at, struct error_text *e) {
  struct buf text, json;
  buf_init(&text, STORE_DOCUMENT_BYTES);
  buf_init(&json, STORE_DOCUMENT_BYTES);
  enum store_status status = stored_text_read(snap, at, opt_item, &text, &json, e);
  if (!status && p->people) {
    buf_add_masked_lines(&p->out.buf, buf_slice(&text));
  } else if (!status) {
    while (json.len && json.data[json.len - 1] != '}')
      json.len--;
    buf_add(&p->out.buf, json.data, json.len ? json.len - 1 : 0);
    if (opt_item)
      json_cstr(&p->out.buf, "item", opt_item);
    json_str(&p->out.buf, "text", buf_slice(&text));
    buf_add_str(&p->out.buf, "}\n");
  }
  buf_release(&text);
  buf_release(&json);
  return status;
}

static enum store_status show_document(struct program *p, const struct store_snapshot *snap,
                                       struct error_text *e) {
  struct stored_choice c = {p->operands[1], p->operand_count > 2 ? p->operands[2] : NULL, opt_exhibit};
  struct stored_place *list;
  size_t count;
  enum store_status status = stored_text_find(snap, &c, &list, &count, e);
  if (!status && count <= opt_back) {
    error_set(e, "the store has %zu documents of %s%s%s%s", count, c.company, c.form ? " on form " : "",
              c.form ? c.form : "", opt_back ? ", fewer than --back asks for" : "");
    status = STORE_ABSENT;
  }
  if (!status)
    status = show_text(p, snap, &list[opt_back], e);
  free(list);
  return status;
}

/* Ids, or a company and a form: what only an id looks like, and nothing of a document is asked, is one. */
static int asks_document(const struct program *p) {
  int ids = 1;
  for (int i = 1; i < p->operand_count; i++)
    ids &= looks_like_id(p->operands[i]);
  return !ids || opt_item || opt_exhibit || opt_back;
}

static enum store_status bid_store_show(struct program *p, struct store *s, struct error_text *e) {
  struct store_snapshot *snap;
  struct store_text t;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  store_text_init(&t);
  if (asks_document(p))
    status = show_document(p, snap, e);
  else
    for (int i = 1; i < p->operand_count && !status; i++)
      status = strlen(p->operands[i]) == ID_DIGITS ? show_one(p, snap, p->operands[i], &t, e)
                                                   : show_short(p, snap, p->operands[i], &t, e);
  store_text_release(&t);
  store_snapshot_end(snap);
  return status;
}

/* ---- rm ---- */

struct bid_store_doomed {
  uint32_t *collections, *companies; /* ids that were asked for */
  size_t collection_count, company_count;
};

static int names_company(const struct store_company *c) {
  for (size_t i = 0; i < opt_companies.count; i++) {
    const char *want = opt_companies.items[i], *cik = c->cik;
    while (*cik == '0')
      cik++;
    if (strcasecmp(want, c->ticker) == 0 || strcasecmp(want, c->name) == 0 ||
        (*cik && strcmp(want + strspn(want, "0"), cik) == 0))
      return *want != '\0';
  }
  return 0;
}

static enum store_status find_doomed(struct store *s, struct bid_store_doomed *d, struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_collection *c;
  const struct store_company *company;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t n = store_collections(snap, &c), m = store_companies(snap, &company);
  d->collections = xcalloc(n + 1, sizeof *d->collections);
  d->companies = xcalloc(m + 1, sizeof *d->companies);
  for (size_t i = 0; i < n; i++)
    if (named(c[i].name))
      d->collections[d->collection_count++] = c[i].id;
  for (size_t i = 1; i < m; i++)
    if (names_company(&company[i]))
      d->companies[d->company_count++] = (uint32_t)i;
  status = store_snapshot_check(snap, e);
  store_snapshot_end(snap);
  return status;
}

static int bid_store_is_in(const uint32_t *list, size_t n, uint32_t v) {
  while (n-- > 0)
    if (list[n] == v)
      return 1;
  return 0;
}

static int is_doomed(void *arg, const struct store_segment *seg, uint32_t doc) {
  const struct bid_store_doomed *d = arg;
  const struct store_doc *x = &seg->doc[doc];
  int url = opt_urls.count == 0;
  for (size_t i = 0; i < opt_urls.count; i++)
    url |= terms_hash(slice_str(opt_urls.items[i])) == x->url_hash;
  return url && bid_store_is_in(d->collections, d->collection_count, x->collection) &&
         (opt_companies.count == 0 || bid_store_is_in(d->companies, d->company_count, x->company));
}

static enum store_status remove_some(struct program *p, struct store *s, struct error_text *e) {
  struct bid_store_doomed d = {0};
  uint64_t documents = 0, passages = 0;
  enum store_status status = find_doomed(s, &d, e);
  if (!status)
    status = store_remove(s, is_doomed, &d, &documents, &passages, e);
  if (!status && p->people)
    buf_printf(&p->out.buf, "removed %llu documents with %llu passages\n", (unsigned long long)documents,
               (unsigned long long)passages);
  if (!status && documents == 0)
    nothing(p, "nothing matches: no document was removed");
  if (!status && !p->people) {
    buf_add_char(&p->out.buf, '{');
    json_uint(&p->out.buf, "documents", documents);
    json_uint(&p->out.buf, "removed", passages);
    buf_add(&p->out.buf, "}\n", 2);
  }
  free(d.collections);
  free(d.companies);
  return status;
}

/* ---- dump, load, the rest ---- */

static enum store_status dump(struct program *p, struct store *s, struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_collection *c;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t n = store_collections(snap, &c), count = 0;
  uint32_t *ids = xcalloc(n + 1, sizeof *ids);
  for (size_t i = 0; i < n; i++)
    if (named(c[i].name))
      ids[count++] = c[i].id;
  status = opt_format ? store_dump_rows(snap, ids, count, &rows, &p->out, e)
                      : store_dump(snap, ids, count, opt_plain ? 0 : DUMP_VECTORS | DUMP_STORE, &p->out, e);
  if (!count)
    nothing(p, "no collection matches");
  free(ids);
  store_snapshot_end(snap);
  return status;
}

static enum store_status bid_store_load(struct program *p, struct store *s, struct error_text *e) {
  (void)e;
  p->operands++;
  p->operand_count--;
  struct indexer *x = indexer_new(p, s, &loading);
  indexer_run(x);
  indexer_free(x);
  return STORE_OK;
}

static void print_fault(void *arg, const char *fault) {
  struct program *p = arg;
  diag_warn("%s", fault);
  p->errors++;
}

static enum store_status verify(struct program *p, struct store *s, struct error_text *e) {
  enum store_status status = store_verify(s, print_fault, p, e);
  if (!status && p->people && !p->quiet)
    buf_add_str(&p->out.buf, "every block, passage and posting is as it was written\n");
  return status;
}

static enum store_status backup(struct program *p, struct store *s, struct error_text *e) {
  enum store_status status = store_backup(s, p->operands[1], e);
  if (!status && p->people && !p->quiet) {
    buf_add_str(&p->out.buf, "copied to ");
    buf_add_masked(&p->out.buf, slice_str(p->operands[1]));
    buf_add_char(&p->out.buf, '\n');
  }
  return status;
}

static enum store_status compact(struct program *p, struct store *s, struct error_text *e) {
  uint64_t before = 0, after = 0;
  enum store_status status = store_compact(s, &before, &after, e);
  if (status)
    return status;
  if (p->people) {
    buf_printf(&p->out.buf, "%.1f MB before, %.1f MB now\n", (double)before / 1e6, (double)after / 1e6);
    return STORE_OK;
  }
  buf_add_char(&p->out.buf, '{');
  json_uint(&p->out.buf, "before", before);
  json_uint(&p->out.buf, "after", after);
  buf_add(&p->out.buf, "}\n", 2);
  return STORE_OK;
}

/* Also asked where there is no store yet: then all of it is unseen. */
static enum store_status unseen(struct program *p, struct store *s, struct error_text *e) {
  (void)e;
  p->operands++;
  p->operand_count--;
  unseen_run(p, s);
  return STORE_OK;
}

static enum store_status reembed(struct program *p, struct store *s, struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_collection *c;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t n = store_collections(snap, &c), count = 0;
  char **names = xcalloc(n + 1, sizeof *names);
  for (size_t i = 0; i < n; i++)
    if (named(c[i].name))
      names[count++] = xstrdup(c[i].name);
  store_snapshot_end(snap);
  if (!count)
    nothing(p, "no collection matches");
  for (size_t i = 0; i < count; i++) {
    if (!status)
      status = reembed_collection(p, s, names[i], opt_model, e);
    free(names[i]);
  }
  free(names);
  return status;
}

static const struct command commands[] = {
    {"ls", 0, 0, 0, list},         {"stat", 0, 0, 0, show_sizes}, {"show", -1, 0, 0, bid_store_show},
    {"rm", 0, 1, 0, remove_some},  {"dump", 0, 0, 0, dump},       {"load", -2, 1, 1, bid_store_load},
    {"verify", 0, 0, 0, verify},   {"compact", 0, 1, 0, compact}, {"backup", 1, 0, 0, backup},
    {"reembed", 0, 1, 0, reembed}, {"unseen", -2, 0, 0, unseen},  {NULL, 0, 0, 0, NULL}};

static const struct command *find_command(const struct program *p) {
  const struct command *c = commands;
  while (c->name && (p->operand_count == 0 || strcmp(c->name, p->operands[0]) != 0))
    c++;
  return c->name ? c : NULL;
}

static int unknown_command(const struct program *p) {
  const char *names[sizeof commands / sizeof *commands];
  if (p->operand_count == 0)
    return program_usage(&spec, "a command is missing");
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    names[i] = commands[i].name;
  return program_usage_unknown(&spec, "command", p->operands[0], names);
}

/* 0, or the status of a usage fault. */
/* How rows are written; 0, or the status of a usage error. */
static int check_rows(void) {
  static const char *const forms[] = {"", "base64", "floats"};
  size_t i = 0;
  while (opt_vectors && i < 3 && strcmp(opt_vectors, forms[i]) != 0)
    i++;
  if (i == 3)
    return program_usage(&spec, "--vectors: '%s' is neither base64 nor floats", opt_vectors);
  rows.vectors = opt_vectors == NULL ? ROWS_NO_VECTORS : i == 2 ? ROWS_FLOATS : ROWS_BASE64;
  rows.csv = opt_format && strcmp(opt_format, "csv") == 0;
  if (opt_format && !rows.csv && strcmp(opt_format, "ndjson") != 0)
    return program_usage(&spec, "--format: '%s' is neither ndjson nor csv", opt_format);
  if (rows.vectors == ROWS_FLOATS && !opt_format)
    return program_usage(&spec, "--vectors=floats needs --format=ndjson or --format=csv");
  return 0;
}

static int check_words(const struct program *p, const struct command *c) {
  int given = p->operand_count - 1;
  if (!c)
    return unknown_command(p);
  if ((c->operands >= 0 && given != c->operands) || (c->operands == -1 && given < 1))
    return program_usage(&spec, "%s takes %s", c->name,
                         c->operands == 0   ? "no operand"
                         : c->operands == 1 ? "one operand"
                                            : "at least one operand");
  if (c->run == remove_some && !opt_collections.count && !opt_urls.count && !opt_companies.count)
    return program_usage(&spec, "rm needs --collection, --url or --company");
  if (c->run == reembed && !opt_model)
    return program_usage(&spec, "reembed needs --model");
  return check_rows();
}

int main(int argc, char **argv) {
  struct program p;
  struct store *s = NULL;
  struct error_text e;
  int usage, status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  const struct command *c = find_command(&p);
  if ((usage = check_words(&p, c)) != 0)
    return usage;
  signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error like a full disk */
  struct store_options o = {.write = c->write, .create = c->create, .wait = opt_wait};
  enum store_status done = store_open(&s, &o, &e);
  if (done == STORE_MISSING && c->run == unseen)
    done = STORE_OK;
  if (!done)
    done = c->run(&p, s, &e);
  if (done)
    indexer_fault(&p, done, &e);
  store_close(s);
  return program_finish(&p);
}
