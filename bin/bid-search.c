/* bid-search: finds the passages that answer a question. */
#include "model/model.h"
#include "page/pager.h"
#include "page/terminal.h"
#include "record/error.h"
#include "base/clock.h"
#include "base/malloc_options.h"
#include "record/json.h"
#include "record/program.h"
#include "search/search.h"
#include "search/search_batch.h"
#include "search/search_blame.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct option_list collections, companies, forms, items;
static const char *since, *until, *as_of, *where, *mode = "hybrid", *format = "auto", *store, *model, *edgar;
static size_t limit = 5, context_tokens, threads;
static int explain, exact, fold = 1, routing = 1, threshold = 1, neighbours, bundle, wants, edgar_always,
                           analyse, html;

static const struct program_option options[] = {
    {OPTION_HEADING, 0, NULL, NULL, NULL, "What is searched:"},
    {OPTION_LIST, 'c', "collection", "GLOB", &collections,
     "collections by name, e.g. 'finance_edgar_*_10-K'"},
    {OPTION_LIST, 'e', "company", "COMPANY", &companies, "ticker, CIK or name"},
    {OPTION_LIST, 0, "entity", "COMPANY", &companies, NULL},
    {OPTION_LIST, 'f', "form", "FORM", &forms, "form, e.g. 10-K (with its amendments)"},
    {OPTION_TEXT, 0, "since", "DATE", &since, "filed on that day or later; also 6months, 90days"},
    {OPTION_TEXT, 0, "until", "DATE", &until, "filed on that day or earlier"},
    {OPTION_TEXT, 0, "as-of", "TIME", &as_of, "only what had been accepted by then"},
    {OPTION_LIST, 0, "item", "ITEM", &items, "item of the form, e.g. 1A"},
    {OPTION_TEXT, 0, "where", "JQ", &where, "documents for which this jq expression is true"},
    {OPTION_TEXT, 0, "store", "PATH", &store, "the store (default: BID_STORE)"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "How:"},
    {OPTION_SIZE, 'n', "limit", "N", &limit, "answers wanted, 1 to 1000 (default 5)"},
    {OPTION_TEXT, 0, "mode", "MODE", &mode, "hybrid (default), vector or text"},
    {OPTION_FLAG, 0, "exact", NULL, &exact, "scan every vector, never 1-bit sketches first"},
    {OPTION_NOFLAG, 0, "no-fold", NULL, &fold, "list near-duplicates one by one"},
    {OPTION_NOFLAG, 0, "no-routing", NULL, &routing,
     "don't go by companies, forms and years in the question"},
    {OPTION_NOFLAG, 0, "no-threshold", NULL, &threshold,
     "list the best passages even where none is relevant"},
    {OPTION_TEXT, 'm', "model", "MODEL", &model, "model file for the question (default: the collection's)"},
    {OPTION_SIZE, 0, "threads", "N", &threads, "threads for questions on stdin (default: one a core)"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "What is printed:"},
    {OPTION_SIZE, 0, "context", "TOKENS", &context_tokens, "one prompt-ready block within so many tokens"},
    {OPTION_FLAG, 0, "neighbours", NULL, &neighbours, "the passages before and after, too"},
    {OPTION_FLAG, 0, "explain", NULL, &explain, "say what was decided and why"},
    {OPTION_FLAG, 0, "analyse", NULL, &analyse, "explain the question, search nothing"},
    {OPTION_FLAG, 0, "bundle", NULL, &bundle, "one object {query, rag, edgar, errors}"},
    {OPTION_FLAG, 0, "wants", NULL, &wants, "of jobs on stdin: those that EDGAR is to be asked for"},
    {OPTION_FLAG, 0, "always", NULL, &edgar_always, "with --wants: all that name a company"},
    {OPTION_TEXT, 0, "edgar", "FILE", &edgar, "with --bundle, --wants: records that EDGAR gave"},
    {OPTION_TEXT, 0, "format", "FORMAT", &format,
     "auto, json, text or html: a page to hand on (auto: text on a terminal)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-search", "[OPTION]... QUESTION...\n[OPTION]... <QUESTIONS",
    "Find the passages that answer a question.", options,
    "Questions on stdin are records {\"query\": \"...\"}; each comes back with \"matches\" added.\n"
    "Status 1: nothing relevant was found.  See bid-search(1)."};

static struct search_list list_of(const struct option_list *from) {
  return (struct search_list){from->items, from->count};
}

static int bid_search_check_options(struct search_request *r, int people, int *text) {
  if (search_mode(mode, &r->mode) != 0)
    return program_usage(&spec, "--mode: '%s' is none of hybrid, vector, text", mode);
  if (limit < 1 || limit > RANK_MAX)
    return program_usage(&spec, "-n: %zu is not 1 to %zu", limit, RANK_MAX);
  html = strcmp(format, "html") == 0;
  *text = html || strcmp(format, "text") == 0 || (strcmp(format, "auto") == 0 && people);
  if (!*text && strcmp(format, "json") != 0 && strcmp(format, "auto") != 0)
    return program_usage(&spec, "--format: '%s' is none of auto, json, text, html", format);
  r->collections = list_of(&collections);
  r->companies = list_of(&companies);
  r->forms = list_of(&forms);
  r->items = list_of(&items);
  r->since = since;
  r->until = until;
  r->as_of = as_of;
  r->n = limit;
  r->exact = exact;
  r->fold = fold;
  r->routing = routing;
  r->threshold = threshold;
  return -1;
}

/* Reports a fault: an error record in a pipe, a line for people in any case. */
static void bid_search_report(struct program *p, const struct search_fault *f, int text) {
  if (text)
    diag_warn("%s", f->e.text);
  else
    program_error(p, NULL, f->category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", f->e.text);
  program_fail(p, f->status);
}

/* The bundle of a question of the call. */
static void print_bundle(struct program *p, struct searcher *s, const struct search_request *r,
                         const struct search_answer *a, const struct search_fault *f,
                         const struct search_output *o) {
  struct search_fault late = {.category = ERROR_INTERNAL, .status = EX_DATAERR};
  size_t before = p->out.buf.len;
  if (search_add_bundle(s, r->query, a, f, o, &p->out.buf, &late.e) != 0) {
    p->out.buf.len = before; /* a passage couldn't be read */
    program_fail(p, late.status);
    search_add_bundle(s, r->query, NULL, &late, o, &p->out.buf, &late.e);
  }
  buf_add_char(&p->out.buf, '\n');
  if (f != NULL) {
    diag_warn("%s", f->e.text);
    program_fail(p, f->status);
  }
}

static int print_text(struct program *p, struct searcher *s, const struct search_answer *a,
                      const struct search_output *o, struct error_text *e) {
  int colour = p->colour;
  size_t width = page_terminal_width();
  if (o->explain)
    search_show_explanation(a, colour, &p->out.buf);
  if (o->context_tokens > 0) {
    struct error_text none = {""};
    size_t before = p->out.buf.len;
    search_add_context(s, a, o->context_tokens, &p->out.buf, &none);
    buf_add_char(&p->out.buf, '\n');
    if (none.text[0])
      p->out.buf.len = before;
    *e = none;
    return none.text[0] ? -1 : 0;
  }
  for (size_t i = 0; i < a->result.count; i++) {
    size_t before = p->out.buf.len;
    if (search_show_hit(s, a, i, o, width, colour, &p->out.buf, e) != 0) {
      p->out.buf.len = before; /* no half hit */
      return -1;
    }
  }
  if (a->result.count > 0 && !p->quiet)
    search_show_time(a, clock_monotonic() - p->started, colour, &p->out.buf);
  return 0;
}

static int print_page(struct program *p, struct searcher *s, const struct search_answer *a,
                      const struct search_output *o, struct error_text *e) {
  return search_add_page(s, buf_slice(&a->query->text), a, NULL, o, &p->out.buf, e);
}

static int print_json(struct program *p, struct searcher *s, const struct search_answer *a,
                      const struct search_output *o, struct error_text *e) {
  struct buf *out = &p->out.buf;
  if (o->explain || analyse) {
    buf_add_char(out, '{');
    json_key(out, "explain");
    search_add_explanation(a, out);
    buf_add_str(out, "}\n");
  }
  if (o->context_tokens > 0) {
    size_t before = out->len;
    struct search_output block = {.context_tokens = o->context_tokens, .neighbours = o->neighbours};
    buf_add_char(out, '{');
    json_str(out, "query", buf_slice(&a->query->text));
    int status = search_add_answer(s, a, &block, out, e);
    buf_add_str(out, "}\n");
    if (status != 0)
      out->len = before;
    return status;
  }
  for (size_t i = 0; i < a->result.count; i++) {
    size_t before = out->len;
    if (search_add_hit(s, a, i, o, out, e) != 0) {
      out->len = before;
      return -1;
    }
    buf_add_char(out, '\n');
  }
  return 0;
}

/* What the store lacks of what was asked for. */
static void warn_missing(const struct search_answer *a) {
  for (struct slice rest = buf_slice(a->missing); rest.len > 0;) {
    const char *end = memchr(rest.data, '\n', rest.len);
    size_t n = end ? (size_t)(end - rest.data) : rest.len;
    diag_warn("%.*s", (int)n, rest.data);
    rest = slice_of(rest.data + n + (end != NULL), rest.len - n - (end != NULL));
  }
}

/* Why there is no answer: among how many passages, or what left none. */
static void print_nothing(const struct program *p, struct searcher *s, const struct search_request *r,
                          const struct search_answer *a) {
  struct buf why;
  if (p->quiet)
    return;
  buf_init(&why, 2048);
  if (a->result.searched > 0)
    buf_printf(&why, "nothing relevant among %llu passages", (unsigned long long)a->result.searched);
  else
    search_blame(s, r, where != NULL, &why);
  diag_warn("%s", why.data);
  buf_release(&why);
}

static void print_answer(struct program *p, struct searcher *s, const struct search_request *r,
                         const struct search_answer *a, const struct search_output *o, int text) {
  struct search_fault f = {.category = ERROR_INTERNAL,
                           .status = EX_DATAERR}; /* a passage that can't be read */
  if (a->warning.len > 0)
    diag_warn("%s", a->warning.data);
  warn_missing(a);
  if ((html ? print_page : text ? print_text : print_json)(p, s, a, o, &f.e) != 0)
    bid_search_report(p, &f, text);
  if (text && !html)
    pager_show(&p->out.buf);
  if (a->result.count == 0 && !analyse) {
    print_nothing(p, s, r, a);
    program_fail(p, EXIT_NOTHING);
  }
}

/* The operands as one question. */
static void join_operands(const struct program *p, struct buf *query) {
  for (int i = 0; i < p->operand_count; i++) {
    if (i > 0)
      buf_add_char(query, ' ');
    buf_add_str(query, p->operands[i]);
  }
}

/* Whether a document of any collection has this address. */
static int stored(void *arg, struct slice url) {
  const struct store_snapshot *snap = search_snapshot(arg);
  const struct store_collection *list;
  size_t n = store_collections(snap, &list);
  for (size_t i = 0; i < n; i++) {
    const struct store_segment *seg;
    uint32_t doc;
    struct error_text e;
    if (store_find_document(snap, list[i].id, url, &seg, &doc, &e) == STORE_OK)
      return 1;
  }
  return 0;
}

/* Reads what --edgar names, before the jobs; shared may be NULL. */
static struct edgar_set *read_edgar(struct program *p, struct search *shared) {
  struct error_text e;
  int fd = edgar ? program_open(p, edgar) : -1;
  struct edgar_set *told = fd >= 0 ? edgar_read(fd, &e) : NULL;
  if (fd >= 0 && told == NULL) {
    diag_warn("%s", e.text);
    program_fail(p, EX_IOERR);
  }
  program_close(fd);
  if (told != NULL && shared != NULL && search_snapshot(shared) != NULL)
    edgar_mark(told, stored, shared);
  if (told != NULL && wants)
    edgar_claim(told);
  return told;
}

static void search_one(struct program *p, struct search *shared, struct search_request *r,
                       struct search_output *o, int text) {
  struct searcher *s = searcher_new(shared);
  const struct search_answer *a = NULL;
  struct search_fault f = {.category = ERROR_INTERNAL, .status = 70};
  int failed = (analyse ? searcher_analyse : searcher_run)(s, r, &a, &f) != 0;
  if (bundle) {
    print_bundle(p, s, r, a, failed ? &f : NULL, o);
    if (!failed && a->result.count == 0)
      program_fail(p, EXIT_NOTHING);
  } else if (failed || a == NULL)
    bid_search_report(p, &f, text);
  else
    print_answer(p, s, r, a, o, text);
  searcher_free(s);
}

static void search_many(struct program *p, struct search *shared, const struct search_request *r,
                        const struct search_output *o, const struct search_fault *f, int text) {
  struct edgar_set *told = read_edgar(p, shared);
  struct search_batch b = {.shared = shared,
                           .base = *r,
                           .output = *o,
                           .bundle = bundle,
                           .people = text,
                           .html = html,
                           .width = page_terminal_width(),
                           .colour = p->colour,
                           .wants = wants,
                           .edgar_always = edgar_always,
                           .edgar = told,
                           .analyse = analyse,
                           .threads = threads,
                           .fault = f};
  search_batch_run(p, &b);
  if (p->records == 0 && !p->quiet)
    diag_warn("no question came on stdin");
  if (b.found == 0 && !analyse && !wants)
    program_fail(p, f ? f->status : EXIT_NOTHING);
  edgar_free(told);
}

static int bid_search_search_all(struct program *p, struct search_request *r, int text) {
  struct search_options so = {.store = store,
                              .where = where,
                              .model = model,
                              .many = p->operand_count == 0,
                              .vectors = !analyse && !wants && r->mode != RANK_TEXT,
                              .analyse = analyse || wants};
  struct search_output o = {.explain = explain, .neighbours = neighbours, .context_tokens = context_tokens};
  struct search_fault f;
  struct buf query;
  if (so.many) /* every few take about the same memory */
    malloc_options_keep((size_t)32 << 20, (size_t)256 << 20);
  if (bundle && o.context_tokens == 0)
    o.context_tokens = 2000;
  buf_init(&query, (size_t)1 << 24);
  join_operands(p, &query);
  r->query = so.question = buf_slice(&query);
  struct search *shared = search_open(&so, &f);
  if (p->operand_count == 0 && (shared != NULL || bundle || wants))
    search_many(p, shared, r, &o, shared == NULL ? &f : NULL, text);
  else if (shared == NULL && bundle)
    print_bundle(p, NULL, r, NULL, &f, &o);
  else if (shared == NULL)
    bid_search_report(p, &f, text && p->operand_count > 0);
  else
    search_one(p, shared, r, &o, text);
  search_close(shared);
  buf_release(&query);
  return program_finish(p);
}

int main(int argc, char **argv) {
  struct program p;
  struct search_request request = {.n = 5};
  int text, status;
  program_on_version(model_about);
  status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  status = bid_search_check_options(&request, p.people, &text);
  if (status >= 0)
    return status;
  if (p.operand_count == 0 && isatty(STDIN_FILENO))
    return program_usage(&spec, "no question");
  if (p.operand_count == 0 && html && !bundle)
    return program_usage(&spec, "--format=html is for one question, in the command line");
  return bid_search_search_all(&p, &request, text);
}
