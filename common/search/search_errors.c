/* search_errors.c: what a search could not do, as error records after its answer. */
#include "record/error.h"
#include "record/json.h"
#include "search/search.h"

#include <stdio.h>

static void add_fault(struct buf *out, const char *category, const char *message) {
  if (out->data[out->len - 1] != '[')
    buf_add_char(out, ',');
  buf_add_char(out, '{');
  json_cstr(out, "category", category);
  json_cstr(out, "message", message);
  json_cstr(out, "stage", "search");
  buf_add_char(out, '}');
}

/* An error for each line. */
static void add_faults(struct buf *out, const char *category, struct slice lines, const char *remark) {
  while (lines.len > 0) {
    const char *end = memchr(lines.data, '\n', lines.len);
    size_t n = end ? (size_t)(end - lines.data) : lines.len;
    char text[1024];
    snprintf(text, sizeof text, "%.*s%s", (int)(n < 900 ? n : 900), lines.data, remark);
    add_fault(out, category, text);
    lines = slice_of(lines.data + n + (end != NULL), lines.len - n - (end != NULL));
  }
}

/* What the plan wants and the store lacks; and where the passages are about something else, or older than asked for. */
static void add_missing_faults(struct buf *out, const struct search_answer *a) {
  int other = a->scope && a->scope->reach != SCOPE_FITTING && a->result.count > 0;
  struct buf overdue;
  add_faults(out, ERROR_NO_CONTENT, a->missing ? buf_slice(a->missing) : slice_of(NULL, 0),
             other ? "; the passages are of other reports, which may tell of it" : "");
  buf_init(&overdue, 2048);
  if (a->scope && search_overdue(a->scope, &overdue) > 0)
    add_faults(out, ERROR_STALE, buf_slice(&overdue), "");
  buf_release(&overdue);
}

static void add_other_subject(struct buf *out, const struct search_answer *a) {
  struct error_text text;
  if (search_plan_names_another(a->plan, &text))
    add_fault(out, ERROR_INVALID_REQUEST, text.text);
  if (a->plan && a->plan->remark[0])
    add_fault(out, ERROR_INVALID_REQUEST, a->plan->remark);
}

void search_add_errors(const struct search_answer *a, const struct search_fault *f,
                       const struct search_output *o, struct buf *out) {
  int unanswered = o->edgar && (f != NULL || !a || a->result.count == 0);
  buf_add_char(out, '[');
  if (unanswered) /* an ingestion error is more specific than "nothing found" */
    edgar_add_errors(o->edgar, out);
  if (f != NULL)
    add_fault(out, f->category, f->e.text);
  if (a != NULL && f == NULL) {
    add_other_subject(out, a);
    add_missing_faults(out, a);
  }
  if (a != NULL && f == NULL && a->warning.len > 0)
    add_fault(out, ERROR_MODEL_MISMATCH, a->warning.data);
  if (o->edgar) {
    if (!unanswered)
      edgar_add_errors(o->edgar, out);
    edgar_add_stale(o->edgar, a ? a->scope : NULL, out);
  }
  buf_add_char(out, ']');
}
