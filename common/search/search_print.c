#include "search/search_print.h"
#include "base/clock.h"
#include "page/pager.h"
#include "page/terminal.h"
#include "record/error.h"
#include "record/json.h"
#include "search/search_blame.h"

#include <string.h>

void search_print_fault(struct program *p, const struct search_fault *f, enum search_form form) {
  if (form != SEARCH_JSON)
    diag_warn("%s", f->e.text);
  else
    program_error(p, NULL, f->category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", f->e.text);
  program_fail(p, f->status);
}

void search_print_bundle(const struct search_printer *out, const struct search_answer *a,
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
    if (search_show_hit(out->s, a, i, out->o, width, p->colour, to, e) != 0) {
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
    if (search_add_hit(out->s, a, i, out->o, to, e) != 0) {
      to->len = before;
      return -1;
    }
    buf_add_char(to, '\n');
  }
  return 0;
}

/* Warns about requested things that the store lacks. */
static void warn_lines(struct slice rest) {
  while (rest.len > 0) {
    const char *end = memchr(rest.data, '\n', rest.len);
    size_t n = end ? (size_t)(end - rest.data) : rest.len;
    diag_warn("%.*s", (int)n, rest.data);
    rest = slice_of(rest.data + n + (end != NULL), rest.len - n - (end != NULL));
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

void search_print_answer(const struct search_printer *out, const struct search_answer *a) {
  static int (*const print[])(const struct search_printer *, const struct search_answer *,
                              struct error_text *) = {print_json, print_text, print_html};
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
  if (out->form == SEARCH_TEXT)
    pager_show(&out->p->out.buf);
  if (a->result.count == 0 && !out->analyse)
    warn_nothing(out, a);
}
