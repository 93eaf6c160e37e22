/* search_call.c: one run of bid-search from its options to its exit status: what it gives up (the sandbox), one question or
 * questions on stdin, what is printed, and which filter is to blame where there is nothing. */
#include "search/search_call.h"

#include "base/clock.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "base/xalloc.h"
#include "model/model.h"
#include "page/pager.h"
#include "page/terminal.h"
#include "record/error.h"
#include "record/json.h"
#include "search/jq_filter.h"
#include "source/company_list.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void call_start_helper(const struct search_call *call) {
  static helper_run *const runs[] = {pager_run, jq_filter_judge, company_list_run};
  if (call->where)
    jq_filter_use(call->where);
  if (call->where || isatty(STDOUT_FILENO) || call->companies.count > 0)
    helper_start(runs, sizeof runs / sizeof *runs);
}

/* Of a model that is named by its file; others are found among the shipped ones. */
static void call_add_model(struct sandbox_scope *s, const char *name) {
  if (name && *name)
    sandbox_may_read(s, name);
}

static void call_add_stores(struct sandbox_scope *s, const struct option_list *stores) {
  for (size_t i = 0; i < stores->count; i++)
    store_may_change(&(struct store_options){.path = stores->items[i]}, s);
  if (stores->count == 0)
    store_may_change(&(struct store_options){.path = NULL}, s);
}

void search_enter_sandbox(const struct search_call *call, const struct option_list *local) {
  const char *server = getenv("BID_EMBED_URL"); /* which questions may have to be embedded by */
  int network = call->remote || (server && *server);
  struct sandbox_scope s = {.allow = network ? SANDBOX_NETWORK : SANDBOX_CHANGE_FILES};
  struct buf cache;
  call_start_helper(call);
  paths_may_read(&s);
  call_add_model(&s, call->model);
  call_add_model(&s, getenv("BID_MODEL"));
  if (call->edgar)
    sandbox_may_read(&s, call->edgar);
  sandbox_may_read(&s, "/sys/devices/system/cpu");
  call_add_stores(&s, &call->stores);
  if (local)
    call_add_stores(&s, local);
  buf_init(&cache, 65536);
  if (company_list_folder(&cache) == 0)
    sandbox_may_read(&s, cache.data);
  buf_release(&cache);
  sandbox_enter_scope(&s);
}

/* ---- which filter excluded all passages ---- */

enum blame_filter {
  BLAME_NONE,
  BLAME_COLLECTION,
  BLAME_COMPANY,
  BLAME_FORM,
  BLAME_ITEM,
  BLAME_SINCE,
  BLAME_UNTIL,
  BLAME_AS_OF,
  BLAME_ALL
};

/* The request with only one filter, and the filter's name.  0 where it was not given. */
static int blame_alone(const struct search_request *r, enum blame_filter f, struct search_request *alone,
                       struct buf *name) {
  static const struct search_list none;
  const struct search_list *list = f == BLAME_COLLECTION ? &r->collections
                                   : f == BLAME_COMPANY  ? &r->companies
                                   : f == BLAME_FORM     ? &r->forms
                                   : f == BLAME_ITEM     ? &r->items
                                                         : &none;
  const char *when = f == BLAME_SINCE   ? r->since
                     : f == BLAME_UNTIL ? r->until
                     : f == BLAME_AS_OF ? r->as_of
                                        : NULL;
  static const char *const options[] = {"", "-c", "-e", "-f", "--item", "--since", "--until", "--as-of"};
  *alone = *r;
  alone->collections = f == BLAME_COLLECTION ? r->collections : none;
  alone->companies = f == BLAME_COMPANY ? r->companies : none;
  alone->forms = f == BLAME_FORM ? r->forms : none;
  alone->items = f == BLAME_ITEM ? r->items : none;
  alone->since = f == BLAME_SINCE ? r->since : NULL;
  alone->until = f == BLAME_UNTIL ? r->until : NULL;
  alone->as_of = f == BLAME_AS_OF ? r->as_of : NULL;
  alone->mode = RANK_TEXT;
  alone->routing = alone->threshold = 0;
  alone->embedding = alone->embedding_model = slice_of(NULL, 0);
  buf_clear(name);
  for (size_t i = 0; i < list->count; i++)
    buf_printf(name, "%s%s %s", i ? " " : "", options[f], list->items[i]);
  if (when)
    buf_printf(name, "%s %s", options[f], when);
  return f == BLAME_NONE || list->count > 0 || when != NULL;
}

static uint64_t blame_left(struct searcher *s, const struct search_request *alone) {
  const struct search_answer *a;
  struct search_fault f;
  return searcher_run(s, alone, &a, &f) == 0 ? a->result.searched : 0;
}

/* Appends why no passage passed the request's filters: the first filter that excludes all by itself, or how many each
 * leaves where only their combination excludes all; "the store is empty" where there is no filter.  Runs questions on
 * s, which invalidates its last answer.  where: whether there was also an expression. */
static void search_blame(struct searcher *s, const struct search_request *r, int where, struct buf *out) {
  struct search_request alone;
  struct buf name, each;
  uint64_t left = 1;
  int f;
  buf_init(&name, 4096);
  buf_init(&each, 4096);
  for (f = BLAME_NONE; f < BLAME_ALL && left > 0; f++) {
    if (!blame_alone(r, (enum blame_filter)f, &alone, &name))
      continue;
    left = blame_left(s, &alone);
    if (f != BLAME_NONE && left > 0)
      buf_printf(&each, "%s%s alone leaves %llu", each.len ? ", " : "", name.data, (unsigned long long)left);
  }
  if (left == 0 && f == BLAME_NONE + 1)
    buf_add_str(out, where ? "--where leaves no document" : "there is no passage to search");
  else if (left == 0)
    buf_printf(out, "no passage passes %s", name.data);
  else
    buf_printf(out, "no passage passes all filters: %s%s", each.len ? each.data : "none of them",
               where ? ", with --where" : "");
  buf_release(&name);
  buf_release(&each);
}

/* ---- printing ---- */

struct search_printer {
  struct program *p;
  struct searcher *s; /* NULL: the store could not be opened */
  const struct search_request *r;
  const struct search_output *o;
  enum program_form form;
  int analyse; /* analysis only: an answer without hits is not an error */
  int where;   /* --where was given */
};

void search_print_fault(struct program *p, const struct search_fault *f, enum program_form form) {
  if (form != FORM_JSON)
    diag_warn("%s", f->e.text);
  else
    program_error(p, NULL, f->category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", f->e.text);
  program_fail(p, f->status);
}

/* Prints {query, rag, edgar, errors}; a or f may be NULL. */
static void search_print_bundle(const struct search_printer *out, const struct search_answer *a,
                                const struct search_fault *f) {
  struct program *p = out->p;
  struct search_fault late = {.category = ERROR_INTERNAL, .status = EX_DATAERR};
  size_t before = p->out.buf.len;
  if (search_add_bundle(out->s, out->r->query, a, f, out->o, &p->out.buf, &late.e) != 0) {
    p->out.buf.len = before; /* a passage can't be read */
    program_fail(p, late.status);
    search_add_bundle(out->s, out->r->query, NULL, &late, out->o, &p->out.buf, &late.e);
  }
  buf_add_char(&p->out.buf, '\n');
  if (f != NULL) {
    diag_warn("%s", f->e.text);
    program_fail(p, f->status);
  }
}

/* The prompt-ready context only. */
static int print_context(const struct search_printer *out, const struct search_answer *a,
                         struct error_text *e) {
  struct buf text;
  buf_init(&text, SIZE_MAX / 4);
  e->text[0] = '\0';
  search_add_block(out->s, a, out->o->edgar, out->o->context_tokens, &text, e);
  buf_add_char(&text, '\n');
  if (!e->text[0])
    buf_add_masked_lines(&out->p->out.buf, buf_slice(&text));
  buf_release(&text);
  return e->text[0] ? -1 : 0;
}

static int print_text(const struct search_printer *out, const struct search_answer *a, struct error_text *e) {
  struct program *p = out->p;
  struct buf *to = &p->out.buf;
  size_t width = page_terminal_width();
  if (out->o->explain || out->analyse)
    search_show_explanation(a, p->colour, to);
  if (out->o->context_tokens > 0)
    return print_context(out, a, e);
  if (a->result.count > 0 && !p->quiet)
    search_show_verdict(a, width, p->colour, to);
  for (size_t i = 0; i < a->result.count; i++) {
    size_t before = to->len;
    if ((out->o->documents ? search_show_document(out->s, a, i, width, p->colour, to, e)
                           : search_show_hit(out->s, a, i, out->o, width, p->colour, to, e)) != 0) {
      to->len = before; /* no partial hit */
      return -1;
    }
  }
  if (a->result.count > 0 && !p->quiet)
    search_show_time(a, clock_monotonic() - p->started, p->colour, to);
  return 0;
}

static int print_html(const struct search_printer *out, const struct search_answer *a, struct error_text *e) {
  return search_add_page(out->s, buf_slice(&a->query->text), a, NULL, out->o, &out->p->out.buf, e);
}

/* {query, context} on one line. */
static int print_context_json(const struct search_printer *out, const struct search_answer *a,
                              struct error_text *e) {
  struct buf *to = &out->p->out.buf;
  struct search_output block = {.context_tokens = out->o->context_tokens, .neighbours = out->o->neighbours};
  size_t before = to->len;
  buf_add_char(to, '{');
  json_str(to, "query", buf_slice(&a->query->text));
  int status = search_add_answer(out->s, a, &block, to, e);
  buf_add_str(to, "}\n");
  if (status != 0)
    to->len = before;
  return status;
}

static int print_json(const struct search_printer *out, const struct search_answer *a, struct error_text *e) {
  struct buf *to = &out->p->out.buf;
  if (out->o->explain || out->analyse) {
    buf_add_char(to, '{');
    json_key(to, "explain");
    search_add_explanation(a, to);
    buf_add_str(to, "}\n");
  }
  if (out->o->context_tokens > 0)
    return print_context_json(out, a, e);
  for (size_t i = 0; i < a->result.count; i++) {
    size_t before = to->len;
    if ((out->o->documents ? search_add_document(out->s, a, i, to, e)
                           : search_add_hit(out->s, a, i, out->o, to, e)) != 0) {
      to->len = before;
      return -1;
    }
    if (!out->o->documents)
      buf_add_char(to, '\n');
  }
  return 0;
}

/* Warns about requested things that the store lacks. */
static void warn_lines(struct slice rest) {
  while (rest.len > 0) {
    struct slice line = slice_cut(&rest, '\n');
    diag_warn("%.*s", (int)line.len, line.data);
  }
}

static void warn_missing(const struct search_answer *a) {
  struct buf overdue;
  warn_lines(a->missing ? buf_slice(a->missing) : slice_of(NULL, 0));
  buf_init(&overdue, 2048);
  if (a->scope && search_overdue(a->scope, &overdue) > 0)
    warn_lines(buf_slice(&overdue));
  buf_release(&overdue);
}

/* Explains why there is no answer: how many passages were searched, or which filter excluded all. */
static void warn_nothing(const struct search_printer *out, const struct search_answer *a) {
  struct buf why;
  buf_init(&why, 2048);
  if (a->result.searched > 0)
    buf_printf(&why, "nothing relevant among %llu passages", (unsigned long long)a->result.searched);
  else
    search_blame(out->s, out->r, out->where, &why);
  program_nothing(out->p, why.data);
  buf_release(&why);
}

/* Prints the hits; where there are none, explains why. */
static void search_print_answer(const struct search_printer *out, const struct search_answer *a) {
  static int (*const print[])(const struct search_printer *, const struct search_answer *,
                              struct error_text *) = {
      [FORM_JSON] = print_json, [FORM_TEXT] = print_text, [FORM_HTML] = print_html};
  struct search_fault f = {.category = ERROR_INTERNAL, .status = EX_DATAERR}; /* a passage can't be read */
  if (a->warning.len > 0)
    diag_warn("%s", a->warning.data);
  if (search_plan_names_another(a->plan, &f.e))
    diag_warn("%s", f.e.text);
  if (a->plan && a->plan->remark[0])
    diag_warn("%s", a->plan->remark);
  warn_missing(a);
  if (print[out->form](out, a, &f.e) != 0)
    search_print_fault(out->p, &f, out->form);
  if (out->form == FORM_TEXT)
    pager_show(&out->p->out.buf);
  if (a->result.count == 0 && !out->analyse)
    warn_nothing(out, a);
}

/* ---- the run ---- */

enum { BUNDLE_TOKENS = 2000 }; /* default for bundles */

const struct search_call search_call_defaults = {
    .mode = SEARCH_MODES, .format = PROGRAM_FORMS, .limit = 5, .fold = 1, .routing = 1, .threshold = 1};

static struct search_list list_of_option(const struct option_list *from) {
  return (struct search_list){from->items, from->count};
}

int search_call_check(const struct program *p, struct search_call *call) {
  struct search_request *r = &call->request;
  r->mode = (enum rank_mode)call->mode.chosen;
  call->form = program_form(p, &call->format);
  if (call->limit < 1 || call->limit > RANK_MAX)
    return program_usage(p->spec, "-n: %zu is not 1 to %zu", call->limit, RANK_MAX);
  if (p->operand_count == 0 && isatty(STDIN_FILENO))
    return program_usage(p->spec, "no question");
  if (p->operand_count > 0 && call->wants)
    return program_usage(p->spec,
                         "--wants: jobs come on stdin, as bid-plan writes them, not in the command line");
  if (p->operand_count == 0 && call->form == FORM_HTML && !call->bundle)
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
      .full = call->full,
      .documents = call->documents,
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
  struct edgar_set *listed = fd >= 0 ? edgar_read(fd, &e) : NULL;
  if (fd >= 0 && listed == NULL) {
    diag_warn("%s", e.text);
    program_fail(p, EX_IOERR);
  }
  program_close(fd);
  if (listed != NULL && shared != NULL && search_snapshot(shared) != NULL)
    edgar_mark(listed, url_is_stored, shared);
  return listed;
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
  struct edgar_set *listed = search_call_edgar(p, call, shared);
  struct search_batch b = {.shared = shared,
                           .base = call->request,
                           .output = call->output,
                           .bundle = call->bundle,
                           .people = call->form != FORM_JSON,
                           .html = call->form == FORM_HTML,
                           .width = page_terminal_width(),
                           .colour = p->colour,
                           .wants = call->wants,
                           .edgar_always = call->edgar_always,
                           .edgar = listed,
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
  edgar_free(listed);
}

void search_call_run(struct program *p, struct search_call *call) {
  int many = p->operand_count == 0;
  struct search_options so = {.stores = {call->stores.items, call->stores.count},
                              .where = call->where,
                              .model = call->model,
                              .remote = call->remote,
                              .many = many,
                              .confined = !many && !call->remote,
                              .vectors = !call->analyse && !call->wants && call->request.mode != RANK_TEXT,
                              .analyse = call->analyse || call->wants};
  struct search_fault f;
  struct buf query;
  if (!call->remote)
    search_enter_sandbox(call, NULL);
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
    search_print_fault(p, failed, FORM_JSON);
  search_close(shared);
  buf_release(&query);
}
