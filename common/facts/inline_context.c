#include "facts/inline_reader.h"

#include <stdlib.h>
#include <string.h>

void inline_capture_start(struct inline_reader *r, enum inline_capture what) {
  r->capturing = what;
  buf_clear(&r->capture);
}

void inline_context_start(struct inline_reader *r, const struct html_token *t) {
  r->context = (struct inline_context){.start = DAY_NONE, .end = DAY_NONE};
  r->context.id = inline_keep(r->d, inline_attribute(t, "id"));
  buf_clear(&r->members);
}

void inline_context_end(struct inline_reader *r) {
  struct inline_document *d = r->d;
  if (r->context.end == DAY_NONE)
    return;
  r->context.members = inline_keep(d, buf_slice(&r->members));
  if (inline_is_full(d->context_count))
    d->contexts =
        xreallocarray(d->contexts, d->context_count ? 2 * d->context_count : 1, sizeof *d->contexts);
  d->contexts[d->context_count++] = r->context;
}

void inline_unit_end(struct inline_reader *r) {
  if (inline_is_full(r->unit_count))
    r->units = xreallocarray(r->units, r->unit_count ? 2 * r->unit_count : 1, sizeof *r->units);
  r->units[r->unit_count++] = (struct inline_unit){r->unit_id, inline_keep(r->d, buf_slice(&r->unit))};
}

static void inline_measure_end(struct inline_reader *r, struct slice text) {
  const char *colon = text.len ? memchr(text.data, ':', text.len) : NULL;
  if (colon)
    text = slice_of(colon + 1, text.len - (size_t)(colon + 1 - text.data));
  if (r->unit.len)
    buf_add_char(&r->unit, r->denominator ? '/' : '*');
  buf_add_slice(&r->unit, text);
}

static void inline_member_end(struct inline_reader *r, struct slice text) {
  if (r->members.len)
    buf_add_str(&r->members, "; ");
  buf_add_slice(&r->members, r->axis);
  buf_add_char(&r->members, '=');
  buf_add_slice(&r->members, text);
}

void inline_part_unknown(struct inline_reader *r) {
  r->axis = slice_str("?");
  inline_member_end(r, slice_str("?"));
}

/* A period that ends with a day's first moment ends with the day before. */
static int32_t inline_last_day(struct slice text) {
  int32_t day = day_parse(text);
  int is_midnight = text.len >= 19 && memcmp(text.data + 10, "T00:00:00", 9) == 0;
  return day == DAY_NONE ? day : day - is_midnight;
}

void inline_captured(struct inline_reader *r) {
  struct slice text = inline_trimmed(&r->capture);
  struct inline_document *d = r->d;
  switch (r->capturing) {
  case CAPTURE_START:
    r->context.start = day_parse(text);
    break;
  case CAPTURE_END:
  case CAPTURE_INSTANT:
    r->context.end = inline_last_day(text);
    break;
  case CAPTURE_ENTITY:
    r->context.entity = inline_keep(d, text);
    break;
  case CAPTURE_MEMBER:
    inline_member_end(r, text);
    break;
  case CAPTURE_MEASURE:
    inline_measure_end(r, text);
    break;
  case CAPTURE_NAME:
    d->name = d->name.len ? d->name : inline_keep(d, text);
    break;
  case CAPTURE_TICKER:
    d->ticker = d->ticker.len ? d->ticker : inline_keep(d, text);
    break;
  case CAPTURE_CIK:
    d->cik = d->cik.len ? d->cik : inline_keep(d, text);
    break;
  case CAPTURE_FORM:
    d->form = d->form.len ? d->form : inline_keep(d, text);
    break;
  case CAPTURE_YEAR:
    d->fiscal_year = d->fiscal_year ? d->fiscal_year : atoi(text.data && text.len ? r->capture.data : "0");
    break;
  default:
    break;
  }
  r->capturing = CAPTURE_NOTHING;
}
