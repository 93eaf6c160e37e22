#include "search/search_call.h"
#include "base/xalloc.h"
#include "page/pager.h"
#include "page/terminal.h"
#include "record/error.h"
#include "search/search_batch.h"
#include "search/search_hold.h"

#include <string.h>
#include <unistd.h>

enum { BUNDLE_TOKENS = 2000 }; /* default for bundles */

const struct search_call search_call_defaults = {
    .mode = "hybrid", .format = "auto", .limit = 5, .fold = 1, .routing = 1, .threshold = 1};

static struct search_list list_of_option(const struct option_list *from) {
  return (struct search_list){from->items, from->count};
}

static int search_call_check_form(const struct program *p, struct search_call *call) {
  static const char *const words[] = {"json", "text", "html"};
  call->form = p->people ? SEARCH_TEXT : SEARCH_JSON;
  if (strcmp(call->format, "auto") == 0)
    return 0;
  for (int i = 0; i < 3; i++)
    if (strcmp(call->format, words[i]) == 0) {
      call->form = (enum search_form)i;
      return 0;
    }
  return program_usage(p->spec, "--format: '%s' is none of auto, json, text, html", call->format);
}

int search_call_check(const struct program *p, struct search_call *call) {
  struct search_request *r = &call->request;
  int status;
  if (search_mode(call->mode, &r->mode) != 0)
    return program_usage(p->spec, "--mode: '%s' is none of hybrid, vector, text", call->mode);
  if (call->limit < 1 || call->limit > RANK_MAX)
    return program_usage(p->spec, "-n: %zu is not 1 to %zu", call->limit, RANK_MAX);
  if ((status = search_call_check_form(p, call)) != 0)
    return status;
  if (p->operand_count == 0 && isatty(STDIN_FILENO))
    return program_usage(p->spec, "no question");
  if (p->operand_count > 0 && call->wants)
    return program_usage(p->spec,
                         "--wants: jobs come on stdin, as bid-plan writes them, not in the command line");
  if (p->operand_count == 0 && call->form == SEARCH_HTML && !call->bundle)
    return program_usage(p->spec, "--format=html is for one question, in the command line");
  r->collections = list_of_option(&call->collections);
  r->companies = list_of_option(&call->companies);
  r->forms = list_of_option(&call->forms);
  r->items = list_of_option(&call->items);
  r->since = call->since;
  r->until = call->until;
  r->as_of = call->as_of;
  r->n = call->limit;
  r->exact = call->exact;
  r->fold = call->fold;
  r->routing = call->routing;
  r->threshold = call->threshold;
  r->news = call->news;
  call->output = (struct search_output){
      .explain = call->explain,
      .neighbours = call->neighbours,
      .context_tokens = call->bundle && call->context_tokens == 0 ? BUNDLE_TOKENS : call->context_tokens};
  return 0;
}

/* The operands as one question. */
static void join_operands(const struct program *p, struct buf *query) {
  for (int i = 0; i < p->operand_count; i++) {
    if (i > 0)
      buf_add_char(query, ' ');
    buf_add_str(query, p->operands[i]);
  }
}

/* Whether a document of any collection has this URL. */
static int url_is_stored(void *arg, struct slice url) {
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

/* Reads the file of --edgar, before the jobs; shared may be NULL. */
static struct edgar_set *search_call_edgar(struct program *p, const struct search_call *call,
                                           struct search *shared) {
  struct error_text e;
  int fd = call->edgar ? program_open(p, call->edgar) : -1;
  struct edgar_set *told = fd >= 0 ? edgar_read(fd, &e) : NULL;
  if (fd >= 0 && told == NULL) {
    diag_warn("%s", e.text);
    program_fail(p, EX_IOERR);
  }
  program_close(fd);
  if (told != NULL && shared != NULL && search_snapshot(shared) != NULL)
    edgar_mark(told, url_is_stored, shared);
  if (told != NULL && call->wants)
    edgar_claim(told);
  return told;
}

/* f: why there is no store; else NULL. */
static void search_call_one(struct program *p, struct search *shared, const struct search_call *call,
                            const struct search_fault *f) {
  struct searcher *s = shared ? searcher_new(shared) : NULL;
  const struct search_answer *a = NULL;
  struct search_fault failure = {.category = ERROR_INTERNAL, .status = EX_SOFTWARE};
  struct search_printer out = {.p = p,
                               .s = s,
                               .r = &call->request,
                               .o = &call->output,
                               .form = call->form,
                               .analyse = call->analyse,
                               .where = call->where != NULL};
  if (s && (call->analyse ? searcher_analyse : searcher_run)(s, &call->request, &a, &failure) != 0)
    f = &failure;
  if (call->bundle) {
    search_print_bundle(&out, a, f);
    if (a && !f && a->result.count == 0)
      program_fail(p, EXIT_NOTHING);
  } else if (a && !f)
    search_print_answer(&out, a);
  else
    search_print_fault(p, f ? f : &failure, call->form);
  searcher_free(s);
}

static void search_call_many(struct program *p, struct search *shared, const struct search_call *call,
                             const struct search_fault *f) {
  struct edgar_set *told = search_call_edgar(p, call, shared);
  struct search_batch b = {.shared = shared,
                           .base = call->request,
                           .output = call->output,
                           .bundle = call->bundle,
                           .people = call->form != SEARCH_JSON,
                           .html = call->form == SEARCH_HTML,
                           .width = page_terminal_width(),
                           .colour = p->colour,
                           .wants = call->wants,
                           .edgar_always = call->edgar_always,
                           .edgar = told,
                           .analyse = call->analyse,
                           .threads = call->remote ? 1 : call->threads,
                           .fault = f};
  search_batch_run(p, &b);
  if (b.people && !b.html)
    pager_show(&p->out.buf);
  if (p->records == 0 && !p->quiet)
    diag_warn("no question came on stdin");
  if (b.found == 0 && !call->analyse && !call->wants)
    program_fail(p, f ? f->status : EXIT_NOTHING);
  edgar_free(told);
}

void search_call_run(struct program *p, struct search_call *call) {
  int many = p->operand_count == 0;
  struct search_options so = {.stores = {call->stores.items, call->stores.count},
                              .where = call->where,
                              .model = call->model,
                              .remote = call->remote,
                              .rerank = call->rerank,
                              .many = many,
                              .held = !many && !call->remote && !call->rerank,
                              .vectors = !call->analyse && !call->wants && call->request.mode != RANK_TEXT,
                              .analyse = call->analyse || call->wants};
  struct search_fault f;
  struct buf query;
  if (!call->remote)
    search_hold(call, NULL);
  if (many) /* batches need similar amounts of memory */
    xalloc_keep((size_t)32 << 20, (size_t)256 << 20);
  buf_init(&query, (size_t)1 << 24);
  join_operands(p, &query);
  call->request.query = so.question = buf_slice(&query);
  struct search *shared = search_open(&so, &f);
  const struct search_fault *failed = shared ? NULL : &f;
  if (!many)
    search_call_one(p, shared, call, failed);
  else if (shared || call->bundle || call->wants)
    search_call_many(p, shared, call, failed);
  else
    search_print_fault(p, failed, SEARCH_JSON);
  search_close(shared);
  buf_release(&query);
}
