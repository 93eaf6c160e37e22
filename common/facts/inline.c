#include "facts/inline_reader.h"

#include "html/entities.h"

#include <ctype.h>
#include <stdlib.h>

enum { CAPTURE_MAX = 65536, LABEL_MAX = 400, SIGNS_MOST = 4 };

/* ---- tokens ---- */

/* The length of the footnote's mark at the end of a label, "(1)", "[a]" or "*"; 0 where there is none. */
static size_t inline_mark_at_end(struct slice label) {
  size_t n = label.len;
  while (n && label.data[n - 1] == '*')
    n--;
  if (n < label.len)
    return label.len - n;
  if (n < 4 || !strchr(")]", label.data[n - 1]))
    return 0;
  char open = label.data[n - 1] == ')' ? '(' : '[';
  size_t inside =
      1 + (isdigit((unsigned char)label.data[n - 2]) && isdigit((unsigned char)label.data[n - 3]) ? 1u : 0u);
  unsigned char first = (unsigned char)label.data[n - 1 - inside];
  return (isdigit(first) || islower(first)) && label.data[n - 2 - inside] == open ? inside + 2 : 0;
}

static struct slice inline_without_marks(struct slice label) {
  size_t n;
  while ((n = inline_mark_at_end(label)) > 0 && n < label.len) {
    label.len -= n;
    while (label.len && (label.data[label.len - 1] == ' ' || label.data[label.len - 1] == ','))
      label.len--;
  }
  return label;
}

static void inline_row_end(struct inline_reader *r) {
  if (!r->in_row)
    return;
  r->d->rows[r->row].label = inline_keep(r->d, inline_without_marks(inline_trimmed(&r->label)));
  r->in_row = 0;
}

static void inline_row_start(struct inline_reader *r) {
  struct inline_document *d = r->d;
  inline_row_end(r);
  if (inline_is_full(d->row_count))
    d->rows = xreallocarray(d->rows, d->row_count ? 2 * d->row_count : 1, sizeof *d->rows);
  r->row = d->row_count++;
  d->rows[r->row] = (struct inline_row){r->table, {NULL, 0}};
  buf_clear(&r->label);
  r->in_row = 1;
  r->label_done = 0;
}

static void inline_start_nonnumeric(struct inline_reader *r, const struct html_token *t) {
  static const struct {
    const char *name;
    enum inline_capture what;
  } known[] = {{"dei:EntityRegistrantName", CAPTURE_NAME},
               {"dei:TradingSymbol", CAPTURE_TICKER},
               {"dei:EntityCentralIndexKey", CAPTURE_CIK},
               {"dei:DocumentType", CAPTURE_FORM},
               {"dei:DocumentFiscalYearFocus", CAPTURE_YEAR}};
  struct slice name = inline_attribute(t, "name");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (slice_is(name, known[i].name))
      inline_capture_start(r, known[i].what);
}

static int inline_is_part(struct slice name) {
  return inline_is(name, "segment") || inline_is(name, "scenario");
}

static void inline_start_xbrl(struct inline_reader *r, const struct html_token *t) {
  static const struct {
    const char *local;
    enum inline_capture what;
  } known[] = {{"startDate", CAPTURE_START},       {"endDate", CAPTURE_END},
               {"instant", CAPTURE_INSTANT},       {"identifier", CAPTURE_ENTITY},
               {"explicitMember", CAPTURE_MEMBER}, {"typedMember", CAPTURE_MEMBER},
               {"measure", CAPTURE_MEASURE}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (inline_is(t->text, known[i].local)) {
      inline_capture_start(r, known[i].what);
      r->axis = inline_attribute(t, "dimension");
    }
  if (inline_is(t->text, "context"))
    inline_context_start(r, t);
  if (inline_is(t->text, "exclude"))
    inline_facts_unreadable(r);
  if (r->in_part && r->capturing == CAPTURE_NOTHING)
    inline_part_unknown(r);
  r->in_part |= inline_is_part(t->text);
  if (inline_is(t->text, "unit") && inline_attribute(t, "id").len) {
    r->unit_id = inline_keep(r->d, inline_attribute(t, "id"));
    buf_clear(&r->unit);
    r->denominator = 0;
  }
  if (inline_is(t->text, "unitDenominator"))
    r->denominator = 1;
}

static void inline_start(struct inline_reader *r, const struct html_token *t) {
  r->table += t->tag == TAG_TABLE;
  r->hidden += t->tag == TAG_IX_HEADER && !t->self_closing;
  if (t->tag == TAG_TR)
    inline_row_start(r);
  else if (t->tag == TAG_TD || t->tag == TAG_TH)
    r->before = 0;
  else if (t->tag == TAG_IX_NONFRACTION && !t->self_closing)
    inline_fact_start(r, t);
  else if (t->tag == TAG_IX_NONNUMERIC && !t->self_closing)
    inline_start_nonnumeric(r, t);
  else if (t->tag == TAG_OTHER && !t->self_closing)
    inline_start_xbrl(r, t);
}

/* A cell with text is the row's label; facts in it are part of the label unless they are all of it. */
static void inline_label_end(struct inline_reader *r) {
  struct slice label = inline_trimmed(&r->label);
  int words = 0;
  for (size_t i = 0; i < label.len; i++)
    words |= isalpha((unsigned char)label.data[i]) != 0;
  for (size_t i = r->d->fact_count; i-- > 0 && r->d->facts[i].row == r->row;)
    r->d->facts[i].in_label = words || label.len > r->d->facts[i].printed.len + SIGNS_MOST;
  r->label_done = label.len > 0;
}

static void inline_end(struct inline_reader *r, const struct html_token *t) {
  if (t->tag == TAG_IX_NONFRACTION)
    inline_fact_end(r);
  else if (t->tag == TAG_TR || t->tag == TAG_TABLE)
    inline_row_end(r);
  else if ((t->tag == TAG_TD || t->tag == TAG_TH) && r->in_row && !r->label_done)
    inline_label_end(r);
  else if (t->tag == TAG_IX_HEADER)
    r->hidden -= r->hidden > 0;
  else if (r->capturing && (t->tag == TAG_OTHER || t->tag == TAG_IX_NONNUMERIC))
    inline_captured(r);
  if (t->tag == TAG_OTHER && inline_is_part(t->text))
    r->in_part = 0;
  if (t->tag == TAG_OTHER && inline_is(t->text, "context"))
    inline_context_end(r);
  if (t->tag == TAG_OTHER && inline_is(t->text, "unit"))
    inline_unit_end(r);
}

/* Appends a text with references decoded and blanks collapsed. */
static void inline_squeeze(struct buf *out, struct slice text, int references) {
  for (size_t i = 0; i < text.len;) {
    char c[ENTITY_MAX] = {text.data[i]};
    size_t n = 1, taken = 0;
    if (text.data[i] == '&' && references)
      taken = entity_decode(text.data + i, text.len - i, 0, c, &n);
    if (!taken && i + 1 < text.len && memcmp(text.data + i, "\xC2\xA0", 2) == 0)
      taken = 2, c[0] = ' ';
    if (n == 2 && memcmp(c, "\xC2\xA0", 2) == 0)
      n = 1, c[0] = ' ';
    i += taken ? taken : 1;
    if (n == 1 && (unsigned char)c[0] <= ' ') {
      c[0] = ' ';
      n = out->len && out->data[out->len - 1] != ' ';
    }
    buf_add(out, c, n);
  }
}

static void inline_text(struct inline_reader *r, const struct html_token *t) {
  if (r->capturing)
    inline_squeeze(&r->capture, t->text, t->references);
  if (r->open_count)
    inline_squeeze(&r->decoded, t->text, t->references);
  if (r->in_row && !r->label_done && r->label.len < LABEL_MAX)
    inline_squeeze(&r->label, t->text, t->references);
  for (size_t i = t->text.len; i-- > 0;) {
    unsigned char c = (unsigned char)t->text.data[i];
    if (c > ' ') {
      int minus = i >= 2 && memcmp(t->text.data + i - 2, "\xE2\x88\x92", 3) == 0; /* U+2212 */
      r->before = minus ? '-' : (char)c;
      return;
    }
  }
}

/* ---- the whole ---- */

void inline_read(struct inline_document *d, struct slice html) {
  struct inline_reader r = {.d = d};
  struct html_tokenizer t;
  struct html_token token;
  struct buf *bufs[] = {&r.members, &r.unit, &r.capture, &r.label, &r.decoded};
  memset(d, 0, sizeof *d);
  for (size_t i = 0; i < 5; i++)
    buf_init(bufs[i], CAPTURE_MAX);
  html_tokenizer_init(&t, html);
  while (html_token_next(&t, &token) != HTML_END_OF_FILE) {
    if (token.kind == HTML_START_TAG)
      inline_start(&r, &token);
    else if (token.kind == HTML_END_TAG)
      inline_end(&r, &token);
    else if (token.kind == HTML_TEXT)
      inline_text(&r, &token);
  }
  inline_row_end(&r);
  inline_resolve(&r);
  for (size_t i = 0; i < 5; i++)
    buf_release(bufs[i]);
  free(r.units);
  free(r.context_refs);
  free(r.unit_refs);
  free(r.scales);
  free(r.formats);
  free(r.places);
}

void inline_release(struct inline_document *d) {
  for (size_t i = 0; i < d->kept_count; i++)
    free(d->kept[i]);
  free(d->kept);
  free(d->facts);
  free(d->rows);
  free(d->contexts);
  memset(d, 0, sizeof *d);
}
