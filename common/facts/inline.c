#include "facts/inline.h"

#include "html/entities.h"
#include "html/html_token.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { OPEN_FACTS = 4, CAPTURE_MAX = 65536, LABEL_MAX = 400, SIGNS_MOST = 4 };

/* The purpose for which text is being collected. */
enum inline_capture {
  CAPTURE_NOTHING,
  CAPTURE_START,
  CAPTURE_END,
  CAPTURE_INSTANT,
  CAPTURE_MEMBER,
  CAPTURE_MEASURE,
  CAPTURE_NAME,
  CAPTURE_TICKER,
  CAPTURE_CIK,
  CAPTURE_FORM,
  CAPTURE_YEAR
};

struct inline_unit {
  struct slice id, text;
};

struct inline_reader {
  struct inline_document *d;
  struct inline_unit *units;
  size_t unit_count;
  struct slice *context_refs, *unit_refs, *scales; /* parallel to d->facts */
  struct inline_context context;
  struct buf members, unit, capture, label, decoded;
  struct slice unit_id, axis;
  enum inline_capture capturing;
  int hidden, in_row, label_done, denominator;
  size_t table, open[OPEN_FACTS], open_count, row;
  char before; /* the last non-blank character */
};

static int inline_is_full(size_t count) {
  return (count & (count - 1)) == 0;
}

static struct slice inline_keep(struct inline_document *d, struct slice s) {
  if (inline_is_full(d->kept_count))
    d->kept = xreallocarray(d->kept, d->kept_count ? 2 * d->kept_count : 1, sizeof *d->kept);
  d->kept[d->kept_count] = xstrndup(s.data ? s.data : "", s.len);
  return slice_of(d->kept[d->kept_count++], s.len);
}

static struct slice inline_attribute(const struct html_token *t, const char *name) {
  for (size_t i = 0; i < t->attribute_count; i++)
    if (t->attributes[i].name.len == strlen(name) &&
        strncasecmp(t->attributes[i].name.data, name, t->attributes[i].name.len) == 0)
      return t->attributes[i].value;
  return slice_of(NULL, 0);
}

/* A name without its prefix, in any case. */
static int inline_is(struct slice name, const char *local) {
  const char *colon = name.len ? memchr(name.data, ':', name.len) : NULL;
  if (colon)
    name = slice_of(colon + 1, name.len - (size_t)(colon + 1 - name.data));
  return name.len == strlen(local) && strncasecmp(name.data, local, name.len) == 0;
}

static struct slice inline_trimmed(const struct buf *b) {
  struct slice s = buf_slice(b);
  while (s.len && (unsigned char)s.data[0] <= ' ')
    s = slice_of(s.data + 1, s.len - 1);
  while (s.len && (unsigned char)s.data[s.len - 1] <= ' ')
    s.len--;
  return s;
}

/* ---- contexts and units ---- */

static void inline_capture_start(struct inline_reader *r, enum inline_capture what) {
  r->capturing = what;
  buf_clear(&r->capture);
}

static void inline_context_start(struct inline_reader *r, const struct html_token *t) {
  r->context = (struct inline_context){.start = DAY_NONE, .end = DAY_NONE};
  r->context.id = inline_keep(r->d, inline_attribute(t, "id"));
  buf_clear(&r->members);
}

static void inline_context_end(struct inline_reader *r) {
  struct inline_document *d = r->d;
  if (r->context.end == DAY_NONE)
    return;
  r->context.members = inline_keep(d, buf_slice(&r->members));
  if (inline_is_full(d->context_count))
    d->contexts =
        xreallocarray(d->contexts, d->context_count ? 2 * d->context_count : 1, sizeof *d->contexts);
  d->contexts[d->context_count++] = r->context;
}

static void inline_unit_end(struct inline_reader *r) {
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

static void inline_captured(struct inline_reader *r) {
  struct slice text = inline_trimmed(&r->capture);
  struct inline_document *d = r->d;
  switch (r->capturing) {
  case CAPTURE_START:
    r->context.start = day_parse(text);
    break;
  case CAPTURE_END:
  case CAPTURE_INSTANT:
    r->context.end = day_parse(text);
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

/* ---- facts ---- */

static void inline_fact_start(struct inline_reader *r, const struct html_token *t) {
  struct inline_document *d = r->d;
  if (r->open_count == OPEN_FACTS || slice_is(inline_attribute(t, "xsi:nil"), "true"))
    return;
  if (inline_is_full(d->fact_count)) {
    size_t cap = d->fact_count ? 2 * d->fact_count : 1;
    d->facts = xreallocarray(d->facts, cap, sizeof *d->facts);
    r->context_refs = xreallocarray(r->context_refs, cap, sizeof *r->context_refs);
    r->unit_refs = xreallocarray(r->unit_refs, cap, sizeof *r->unit_refs);
    r->scales = xreallocarray(r->scales, cap, sizeof *r->scales);
  }
  struct inline_fact *f = &d->facts[d->fact_count];
  *f = (struct inline_fact){.name = inline_keep(d, inline_attribute(t, "name")), .hidden = r->hidden > 0};
  f->row = r->in_row ? r->row : INLINE_NO_ROW;
  f->shown_negative = r->before == '(' || r->before == '-';
  f->number.units = slice_is(inline_attribute(t, "sign"), "-") ? -1 : 1;
  r->context_refs[d->fact_count] = inline_attribute(t, "contextRef");
  r->unit_refs[d->fact_count] = inline_attribute(t, "unitRef");
  r->scales[d->fact_count] = inline_attribute(t, "scale");
  r->open[r->open_count++] = d->fact_count++;
  if (r->open_count == 1)
    buf_clear(&r->decoded);
}

/* Parses a printed number; a comma is the decimal point where it is the last separator and two digits follow, as in
 * "1.234,56" (ixt:num-comma-decimal). */
static int inline_number(struct slice printed, struct decimal *number) {
  char digits[DECIMAL_TEXT];
  size_t n = 0;
  const char *point = NULL, *comma = NULL;
  for (size_t i = 0; i < printed.len; i++) {
    point = printed.data[i] == '.' ? printed.data + i : point;
    comma = printed.data[i] == ',' ? printed.data + i : comma;
  }
  int swapped = point && comma && comma > point;
  for (size_t i = 0; i < printed.len && n + 1 < sizeof digits; i++) {
    char c = printed.data[i];
    if (c >= '0' && c <= '9')
      digits[n++] = c;
    else if ((c == '.' && !swapped) || (c == ',' && swapped))
      digits[n++] = '.';
  }
  int dash = n == 0 && printed.len && printed.len <= 4; /* a dash is zero */
  if (dash)
    digits[n++] = '0';
  return decimal_parse(slice_of(digits, n), number);
}

static void inline_fact_end(struct inline_reader *r) {
  struct inline_document *d = r->d;
  if (r->open_count == 0)
    return;
  size_t i = r->open[--r->open_count];
  struct inline_fact *f = &d->facts[i];
  struct decimal number;
  int negative = f->number.units < 0;
  f->printed = inline_keep(d, inline_trimmed(&r->decoded));
  char scale[8] = "0";
  if (r->scales[i].len && r->scales[i].len < sizeof scale)
    snprintf(scale, sizeof scale, "%.*s", (int)r->scales[i].len, r->scales[i].data);
  if (inline_number(f->printed, &number) || decimal_shift(number, atoi(scale), &number)) {
    f->name = slice_of(NULL, 0);
    return;
  }
  number.units = negative ? -number.units : number.units;
  f->number = number;
  r->before = '0';
}

/* ---- tokens ---- */

static void inline_row_end(struct inline_reader *r) {
  if (!r->in_row)
    return;
  r->d->rows[r->row].label = inline_keep(r->d, inline_trimmed(&r->label));
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

static void inline_start_xbrl(struct inline_reader *r, const struct html_token *t) {
  static const struct {
    const char *local;
    enum inline_capture what;
  } known[] = {{"startDate", CAPTURE_START},    {"endDate", CAPTURE_END},
               {"instant", CAPTURE_INSTANT},    {"explicitMember", CAPTURE_MEMBER},
               {"typedMember", CAPTURE_MEMBER}, {"measure", CAPTURE_MEASURE}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (inline_is(t->text, known[i].local)) {
      inline_capture_start(r, known[i].what);
      r->axis = inline_attribute(t, "dimension");
    }
  if (inline_is(t->text, "context"))
    inline_context_start(r, t);
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

static void inline_resolve(struct inline_reader *r) {
  struct inline_document *d = r->d;
  size_t kept = 0;
  for (size_t i = 0; i < d->fact_count; i++) {
    struct inline_fact f = d->facts[i];
    for (size_t c = 0; c < d->context_count && !f.context; c++)
      if (slice_eq(d->contexts[c].id, r->context_refs[i]))
        f.context = &d->contexts[c];
    for (size_t u = 0; u < r->unit_count && !f.unit.len; u++)
      if (slice_eq(r->units[u].id, r->unit_refs[i]))
        f.unit = r->units[u].text;
    if (f.name.len && f.context)
      d->facts[kept++] = f;
  }
  d->fact_count = kept;
}

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

static void inline_add_fact(struct fact_company *c, const struct inline_document *d,
                            const struct inline_fact *f) {
  char digits[DECIMAL_TEXT];
  const char *colon = memchr(f->name.data, ':', f->name.len);
  size_t n = colon ? (size_t)(colon - f->name.data) : 0;
  struct slice taxonomy = slice_of(f->name.data, n);
  struct slice concept = colon ? slice_of(colon + 1, f->name.len - n - 1) : f->name;
  struct fact_series *s = NULL;
  for (size_t i = 0; i < c->series_count && !s; i++)
    if (slice_eq(c->series[i].concept, concept) && slice_eq(c->series[i].unit, f->unit))
      s = &c->series[i];
  if (!s)
    s = fact_company_add(c, fact_company_keep(c, taxonomy), fact_company_keep(c, concept),
                         fact_company_keep(c, f->unit));
  struct fact fact = {.start = f->context->start, .end = f->context->end, .filed = DAY_NONE, .exact = 1};
  fact.number = f->number;
  fact.months = (int16_t)day_months(fact.start, fact.end);
  fact.value = fact_company_keep(c, slice_str(decimal_write(f->number, digits)));
  fact.form = fact_company_keep(c, d->form);
  fact.annual = d->form.len >= 4 && memcmp(d->form.data, "10-Q", 4) != 0;
  fact.filing_year = (int16_t)d->fiscal_year;
  for (size_t i = 0; i < s->count; i++)
    if (s->facts[i].start == fact.start && s->facts[i].end == fact.end)
      return; /* the same fact may occur in several places */
  fact_series_add(s, &fact);
}

/* The filing's fiscal year applies to the spans that end last, not to comparative periods. */
static void inline_keep_year(struct fact_company *c) {
  int32_t last = DAY_NONE;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++)
      if (c->series[i].facts[k].months == 12 && c->series[i].facts[k].end > last)
        last = c->series[i].facts[k].end;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++)
      if (c->series[i].facts[k].end != last)
        c->series[i].facts[k].filing_year = 0;
}

int inline_read_facts(struct fact_company *c, struct buf *html, struct error_text *why) {
  struct inline_document d;
  inline_read(&d, buf_slice(html));
  for (size_t i = 0; i < d.fact_count; i++)
    if (d.facts[i].context->members.len == 0)
      inline_add_fact(c, &d, &d.facts[i]);
  if (d.name.len)
    c->name = fact_company_keep(c, d.name);
  if (d.ticker.len)
    c->ticker = fact_company_keep(c, d.ticker);
  if (d.cik.len)
    c->cik = fact_company_keep(c, d.cik);
  int failed = d.fact_count == 0;
  if (failed)
    error_set(why, "no facts are tagged in it");
  inline_release(&d);
  inline_keep_year(c);
  fact_company_settle(c);
  return failed ? -1 : 0;
}
