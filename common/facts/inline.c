/* inline.c: reads inline XBRL in one pass over the tags: contexts, units, numbers, and the rows that they stand in; then
 * resolves references, which may stand before what they refer to. */
#include "facts/inline.h"

#include "base/utf8.h"
#include "html/entities.h"
#include "html/html_token.h"
#include "text/number_words.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { OPEN_FACTS = 4 };

/* The purpose for which text is being collected. */
enum inline_capture {
  CAPTURE_NOTHING,
  CAPTURE_START,
  CAPTURE_END,
  CAPTURE_ENTITY,
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

/* What a tag says of its number, by reference. */
struct inline_tag {
  struct slice context, unit, scale, format;
  int place; /* the power of ten of the last printed digit */
};

struct inline_reader {
  struct inline_document *d;
  struct inline_unit *units;
  size_t unit_count;
  struct inline_tag *tags; /* parallel to d->facts */
  struct inline_context context;
  struct buf members, unit, capture, label, decoded;
  struct slice unit_id, axis;
  enum inline_capture capturing;
  int hidden, in_row, label_done, denominator, in_part, too_deep;
  size_t table, open[OPEN_FACTS], open_count, row;
  char before; /* the last non-blank character */
};

/* A copy that lives as long as the document. */
static struct slice inline_keep(struct inline_document *d, struct slice s) {
  d->kept = xgrow(d->kept, d->kept_count, sizeof *d->kept);
  d->kept[d->kept_count] = xstrndup(s.data ? s.data : "", s.len);
  return slice_of(d->kept[d->kept_count++], s.len);
}

static struct slice inline_attribute(const struct html_token *t, const char *name) {
  for (size_t i = 0; i < t->attribute_count; i++)
    if (slice_is_nocase(t->attributes[i].name, name))
      return t->attributes[i].value;
  return slice_of(NULL, 0);
}

/* Leaves out a fact whose number, unit or context can't be known, and notes its name. */
static void inline_leave_out(struct inline_document *d, struct inline_fact *f) {
  if (!f->name.len)
    return;
  d->left_out = xgrow(d->left_out, d->left_out_count, sizeof *d->left_out);
  d->left_out[d->left_out_count++] = f->name;
  f->name = slice_of(NULL, 0);
}

/* A name without its prefix, in any case. */
static int inline_is(struct slice name, const char *local) {
  return slice_is_nocase(fact_name_local(name, NULL), local);
}

/* Without the blanks at its ends. */
static struct slice inline_trimmed(const struct buf *b) {
  struct slice s = buf_slice(b);
  while (s.len && (unsigned char)s.data[0] <= ' ')
    s = slice_of(s.data + 1, s.len - 1);
  while (s.len && (unsigned char)s.data[s.len - 1] <= ' ')
    s.len--;
  return s;
}

/* The tagged numbers that are open become unreadable. */
static void inline_facts_unreadable(struct inline_reader *r) {
  for (size_t i = 0; i < r->open_count; i++)
    r->d->facts[r->open[i]].number.units = 0;
}

/* Contexts and units, whose texts are captured. */
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
  d->contexts = xgrow(d->contexts, d->context_count, sizeof *d->contexts);
  d->contexts[d->context_count++] = r->context;
}

static void inline_unit_end(struct inline_reader *r) {
  r->units = xgrow(r->units, r->unit_count, sizeof *r->units);
  r->units[r->unit_count++] = (struct inline_unit){r->unit_id, inline_keep(r->d, buf_slice(&r->unit))};
}

static void inline_measure_end(struct inline_reader *r, struct slice text) {
  if (r->unit.len)
    buf_add_char(&r->unit, r->denominator ? '/' : '*');
  buf_add_slice(&r->unit, fact_name_local(text, NULL));
}

/* Adds a member; that of consolidation comes first, so that the others are beside each other. */
static void inline_member_end(struct inline_reader *r, struct slice text) {
  int first = inline_is(r->axis, "ConsolidationItemsAxis");
  char *others = xstrndup(r->members.data, r->members.len), *mark = *others ? "; " : "";
  buf_clear(&r->members);
  buf_printf(&r->members, "%s%s%.*s=%.*s%s%s", first ? "" : others, first ? "" : mark, (int)r->axis.len,
             r->axis.data, (int)text.len, text.data, first ? mark : "", first ? others : "");
  free(others);
}

/* Of a segment or scenario: what is no member is a part of the company too. */
static void inline_part_unknown(struct inline_reader *r) {
  r->axis = slice_str("?");
  inline_member_end(r, slice_str("?"));
}

/* A period that ends with a day's first moment ends with the day before. */
static int32_t inline_last_day(struct slice text) {
  int32_t day = day_parse(text);
  int is_midnight = text.len >= 19 && memcmp(text.data + 10, "T00:00:00", 9) == 0;
  return day == DAY_NONE ? day : day - is_midnight;
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

enum { DASH_MOST = 4 }; /* bytes of a dash */

static void inline_fact_start(struct inline_reader *r, const struct html_token *t) {
  struct inline_document *d = r->d;
  if (r->open_count == OPEN_FACTS) {
    r->too_deep++;
    inline_facts_unreadable(r);
    return;
  }
  d->facts = xgrow(d->facts, d->fact_count, sizeof *d->facts);
  r->tags = xgrow(r->tags, d->fact_count, sizeof *r->tags);
  struct inline_fact *f = &d->facts[d->fact_count];
  *f = (struct inline_fact){.name = inline_keep(d, inline_attribute(t, "name")), .hidden = r->hidden > 0};
  f->row = r->in_row ? r->row : INLINE_NO_ROW;
  f->shown_negative = r->before == '(' || r->before == '-';
  struct slice sign = inline_attribute(t, "sign");
  f->number.units = slice_is(sign, "-") ? -1 : sign.len == 0; /* 0: no number that can be read */
  if (inline_attribute(t, "target").len || slice_is(inline_attribute(t, "xsi:nil"), "true"))
    f->number.units = 0;
  r->tags[d->fact_count] = (struct inline_tag){.context = inline_attribute(t, "contextRef"),
                                               .unit = inline_attribute(t, "unitRef"),
                                               .scale = inline_attribute(t, "scale"),
                                               .format = inline_attribute(t, "format")};
  r->open[r->open_count++] = d->fact_count++;
  if (r->open_count == 1)
    buf_clear(&r->decoded);
  else if (inline_trimmed(&r->decoded).len) /* the whole of another tag's number, or none */
    f->number.units = 0;
}

/* The name of a format without its prefix and hyphens, in out of `room` bytes; its length. */
static size_t inline_format_name(struct slice format, char *out, size_t room) {
  size_t n = 0;
  format = fact_name_local(format, NULL);
  for (size_t i = 0; i < format.len && n < room; i++)
    if (format.data[i] != '-')
      out[n++] = format.data[i];
  return n;
}

/* Whether the format of a tag (the transformation registries of XBRL International, versions 1 to 5) makes a comma the decimal
 * point: 1, 0, or -1 where none says. */
static int inline_comma_decimal(struct slice format) {
  static const char *const comma[] = {"numcomma", "numcommadecimal", "numdotcomma", "numspacecomma", NULL};
  char name[24];
  size_t n = inline_format_name(format, name, sizeof name - 1);
  if (n < 4 || memcmp(name, "num", 3) != 0)
    return -1;
  return slice_among_nocase(slice_of(name, n), comma);
}

/* Without a format a comma is the decimal point where it comes after a point, as in "1.234,56". */
static int inline_comma_last(struct slice printed) {
  const char *comma = printed.len ? memrchr(printed.data, ',', printed.len) : NULL;
  const char *point = printed.len ? memrchr(printed.data, '.', printed.len) : NULL;
  return point && comma && comma > point;
}

/* A dash, or a word for none; other words are numbers that are not read. */
static int inline_is_nought(struct slice printed) {
  static const char *const words[] = {"no", "nil", "none", "zero", NULL};
  int letters = 0;
  for (size_t i = 0; i < printed.len; i++)
    letters |= isalpha((unsigned char)printed.data[i]) != 0;
  return letters ? slice_among_nocase(printed, words) : printed.len && printed.len <= DASH_MOST;
}

/* Reads a whole number in words, as the SEC's transformation numwordsen does: "one hundred twenty-five".  0, or -1. */
static int inline_number_words(struct slice printed, struct decimal *number) {
  int64_t whole = 0, part = 0;
  for (size_t i = 0, end = 0; i < printed.len; i = end) {
    struct slice word = number_words_word(printed, i);
    int64_t scale = slice_is_nocase(word, "thousand")  ? 1000
                    : slice_is_nocase(word, "million") ? 1000000
                    : slice_is_nocase(word, "billion") ? 1000000000
                                                       : 0;
    end = i + (word.len ? word.len : 1);
    if (scale && part)
      whole += part * scale, part = 0;
    else if (!part && number_words_cardinal(word))
      part = (int64_t)number_words_read(printed, i, &end);
    else if (word.len ? !slice_is_nocase(word, "and") : !strchr(" -,", printed.data[i]))
      return -1;
  }
  *number = (struct decimal){whole + part, 0};
  return whole + part > 0 ? 0 : -1;
}

/* Whether c may stand between digits: a blank, an apostrophe, a comma or a point, in the forms of the registries. */
static int inline_is_between(uint32_t c) {
  return c == ' ' || c == '\'' || c == '`' || c == ',' || c == '.' || c == 0xA0 || c == 0xB4 || c == 0x2032 ||
         c == 0x2019 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F;
}

/* Parses a printed number.  0, or -1 where it is not one that its format allows: neither a minus, parentheses nor words
 * belong to it. */
static int inline_number(struct slice printed, struct slice format, struct decimal *number) {
  char digits[DECIMAL_TEXT];
  size_t n = 0;
  int odd = 0, comma = inline_comma_decimal(format);
  char point = (comma < 0 ? inline_comma_last(printed) : comma) ? ',' : '.';
  for (size_t i = 0, step; i < printed.len && n + 1 < sizeof digits; i += step) {
    uint32_t c = (unsigned char)printed.data[i]; /* of Latin-1, where it is no UTF-8 */
    size_t known = utf8_decode(printed.data + i, printed.len - i, &c);
    step = known ? known : 1;
    if (c >= '0' && c <= '9')
      digits[n++] = (char)c;
    else if (c == (uint32_t)point)
      digits[n++] = '.';
    else
      odd |= !inline_is_between(c);
  }
  if (n == 0 && inline_is_nought(printed))
    return decimal_parse(slice_str("0"), number);
  if (n == 0 && inline_is(format, "numwordsen"))
    return inline_number_words(printed, number);
  if (odd || n + 1 == sizeof digits || (format.len && comma < 0))
    return -1;
  return decimal_parse(slice_of(digits, n), number);
}

/* Reads a scale: a power of ten, 0 where none is said.  0, or -1 where it is not one. */
static int inline_scale(struct slice text, int *power) {
  char digits[24], *end;
  if (text.len >= sizeof digits)
    return -1;
  memcpy(digits, text.len ? text.data : "", text.len);
  digits[text.len] = '\0';
  long n = strtol(digits, &end, 10);
  if (end[strspn(end, " \t\r\n")] || n < -DECIMAL_TEXT || n > DECIMAL_TEXT)
    return -1;
  *power = (int)n;
  return 0;
}

static void inline_fact_end(struct inline_reader *r) {
  struct inline_document *d = r->d;
  if (r->too_deep || r->open_count == 0) {
    r->too_deep -= r->too_deep > 0;
    return;
  }
  size_t i = r->open[--r->open_count];
  struct inline_fact *f = &d->facts[i];
  struct decimal number;
  int64_t sign = f->number.units;
  f->printed = inline_keep(d, inline_trimmed(&r->decoded));
  int power = 0;
  int is_number = sign != 0 && inline_number(f->printed, r->tags[i].format, &number) == 0 &&
                  inline_scale(r->tags[i].scale, &power) == 0;
  r->tags[i].place = is_number ? power - number.scale : 0;
  if (!is_number || decimal_shift(number, power, &number)) {
    inline_leave_out(d, f);
    return;
  }
  number.units *= sign;
  f->number = number;
  r->before = '0';
}

static int slice_order(struct slice a, struct slice b) {
  size_t n = a.len < b.len ? a.len : b.len;
  int order = n ? memcmp(a.data, b.data, n) : 0;
  return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int context_order(const void *a, const void *b) {
  return slice_order(((const struct inline_context *)a)->id, ((const struct inline_context *)b)->id);
}

static int unit_order(const void *a, const void *b) {
  return slice_order(((const struct inline_unit *)a)->id, ((const struct inline_unit *)b)->id);
}

static int context_is_same(const struct inline_context *a, const struct inline_context *b) {
  return a->start == b->start && a->end == b->end && slice_eq(a->members, b->members) &&
         slice_eq(a->entity, b->entity);
}

/* Sorts contexts and units by their ids, one of each; an id that is given to several that differ has none: a context without an
 * end, a unit without a text. */
static void settle_contexts(struct inline_document *d) {
  size_t kept = 0;
  if (d->context_count)
    qsort(d->contexts, d->context_count, sizeof *d->contexts, context_order);
  for (size_t i = 0; i < d->context_count; i++)
    if (kept == 0 || !slice_eq(d->contexts[kept - 1].id, d->contexts[i].id))
      d->contexts[kept++] = d->contexts[i];
    else if (!context_is_same(&d->contexts[kept - 1], &d->contexts[i]))
      d->contexts[kept - 1].end = DAY_NONE;
  d->context_count = kept;
}

static void settle_units(struct inline_reader *r) {
  size_t kept = 0;
  if (r->unit_count)
    qsort(r->units, r->unit_count, sizeof *r->units, unit_order);
  for (size_t i = 0; i < r->unit_count; i++)
    if (kept == 0 || !slice_eq(r->units[kept - 1].id, r->units[i].id))
      r->units[kept++] = r->units[i];
    else if (!slice_eq(r->units[kept - 1].text, r->units[i].text))
      r->units[kept - 1].text = slice_of(NULL, 0);
  r->unit_count = kept;
}

/* The context of that id, or NULL. */
static const struct inline_context *context_of(const struct inline_document *d, struct slice id) {
  struct inline_context key = {.id = id}, *c = NULL;
  if (d->context_count)
    c = bsearch(&key, d->contexts, d->context_count, sizeof key, context_order);
  return c && c->end != DAY_NONE ? c : NULL;
}

/* The text of the unit of that id, or empty. */
static struct slice unit_of(const struct inline_reader *r, struct slice id) {
  struct inline_unit key = {.id = id}, *u = NULL;
  if (r->unit_count)
    u = bsearch(&key, r->units, r->unit_count, sizeof key, unit_order);
  return u ? u->text : slice_of(NULL, 0);
}

/* An identifier without the zeros that pad a CIK. */
static struct slice identifier(struct slice text) {
  while (text.len > 1 && text.data[0] == '0')
    text = slice_of(text.data + 1, text.len - 1);
  return text;
}

static int entity_is_own(const struct inline_document *d, const struct inline_context *c) {
  return !d->cik.len || !c->entity.len || slice_eq(identifier(c->entity), identifier(d->cik));
}

/* A fact while facts are compared. */
struct twin {
  struct inline_fact *fact;
  int place;
};

static int twin_order(const void *a, const void *b) {
  const struct inline_fact *x = ((const struct twin *)a)->fact, *y = ((const struct twin *)b)->fact;
  int order = slice_order(x->name, y->name);
  if (!order)
    order = (x->context > y->context) - (x->context < y->context);
  return order ? order : slice_order(x->unit, y->unit);
}

/* Whether one number may be the other one, rounded to its last digit. */
static int may_be_same(const struct twin *a, const struct twin *b) {
  double half = pow(10, a->place > b->place ? a->place : b->place) / 2;
  return fabs(decimal_to_double(a->fact->number) - decimal_to_double(b->fact->number)) <= half * (1 + 1e-9);
}

/* Takes the names of facts that contradict each other. */
static void drop_contradictions(struct inline_document *d, struct twin *twins, size_t count) {
  qsort(twins, count, sizeof *twins, twin_order);
  for (size_t from = 0, to; from < count; from = to) {
    int agree = 1;
    for (to = from + 1; to < count && twin_order(&twins[from], &twins[to]) == 0; to++)
      agree &= may_be_same(&twins[from], &twins[to]);
    for (size_t i = from; !agree && i < to; i++)
      inline_leave_out(d, twins[i].fact);
  }
}

/* Finds the context and unit of each fact, and drops what can't be told. */
static void inline_resolve(struct inline_reader *r) {
  struct inline_document *d = r->d;
  struct twin *twins = xcalloc(d->fact_count ? d->fact_count : 1, sizeof *twins);
  size_t known = 0, kept = 0;
  settle_contexts(d);
  settle_units(r);
  while (r->open_count)
    inline_leave_out(d, &d->facts[r->open[--r->open_count]]); /* their tags don't end */
  for (size_t i = 0; i < d->fact_count; i++) {
    struct inline_fact *f = &d->facts[i];
    f->context = context_of(d, r->tags[i].context);
    f->unit = unit_of(r, r->tags[i].unit);
    if (!f->context || !f->unit.len || !entity_is_own(d, f->context))
      inline_leave_out(d, f);
    if (f->name.len)
      twins[known++] = (struct twin){f, r->tags[i].place};
  }
  drop_contradictions(d, twins, known);
  free(twins);
  for (size_t i = 0; i < d->fact_count; i++)
    if (d->facts[i].name.len)
      d->facts[kept++] = d->facts[i];
  d->fact_count = kept;
}

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
  d->rows = xgrow(d->rows, d->row_count, sizeof *d->rows);
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
  free(r.tags);
}

void inline_release(struct inline_document *d) {
  for (size_t i = 0; i < d->kept_count; i++)
    free(d->kept[i]);
  free(d->kept);
  free(d->facts);
  free(d->rows);
  free(d->contexts);
  free(d->left_out);
  memset(d, 0, sizeof *d);
}

void inline_add_fact(struct fact_company *c, const struct inline_document *d, const struct inline_fact *f) {
  char digits[DECIMAL_TEXT];
  struct slice taxonomy, concept = fact_name_local(f->name, &taxonomy);
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

int inline_add_facts(struct fact_company *c, const struct inline_document *d, struct error_text *why) {
  for (size_t i = 0; i < d->fact_count; i++)
    if (d->facts[i].context->members.len == 0)
      inline_add_fact(c, d, &d->facts[i]);
  if (d->name.len)
    c->name = fact_company_keep(c, d->name);
  if (d->ticker.len)
    c->ticker = fact_company_keep(c, d->ticker);
  if (d->cik.len)
    c->cik = fact_company_keep(c, d->cik);
  for (size_t i = 0; i < d->left_out_count; i++) {
    c->left_out = xgrow(c->left_out, c->left_out_count, sizeof *c->left_out);
    c->left_out[c->left_out_count++] = fact_company_keep(c, fact_name_local(d->left_out[i], NULL));
  }
  if (!d->fact_count)
    error_set(why, "no facts are tagged in it");
  inline_keep_year(c);
  fact_company_settle(c);
  return d->fact_count ? 0 : -1;
}

int inline_read_facts(struct fact_company *c, struct buf *html, struct error_text *why) {
  struct inline_document d;
  inline_read(&d, buf_slice(html));
  int failed = inline_add_facts(c, &d, why);
  inline_release(&d);
  return failed;
}
