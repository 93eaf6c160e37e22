/* fact.c: reads company facts, sorts them, and determines the fiscal years from the annual reports. */
#include "facts/fact.h"

#include "filing/form.h"
#include "record/json.h"

#include <math.h>
#include <stdlib.h>

#define FACT_JSON_MAX ((size_t)256 << 20)

enum {
  UNIT_ENDED_DAYS = 300,
  YEAR_DRIFT_DAYS = 20
}; /* of the ends of years of 52 or 53 weeks, and of months */

void fact_company_init(struct fact_company *c) {
  memset(c, 0, sizeof *c);
  buf_init(&c->text, FACT_JSON_MAX);
  c->newest = DAY_NONE;
}

void fact_company_release(struct fact_company *c) {
  for (size_t i = 0; i < c->series_count; i++)
    free(c->series[i].facts);
  free(c->series);
  for (size_t i = 0; i < c->kept_count; i++)
    free(c->kept[i]);
  free(c->kept);
  free(c->years);
  free(c->left_out);
  free(c->ends);
  buf_release(&c->text);
  fact_company_init(c);
}

int fact_is_document(const struct fact_company *c) {
  const struct fact *first = c->file && c->series_count && c->series[0].count ? c->series[0].facts : NULL;
  return first && !first->accession.len;
}

struct slice fact_company_keep(struct fact_company *c, struct slice text) {
  c->kept = xgrow(c->kept, c->kept_count, sizeof *c->kept);
  c->kept[c->kept_count] = xstrndup(text.data ? text.data : "", text.len);
  return slice_of(c->kept[c->kept_count++], text.len);
}

struct fact_series *fact_company_add(struct fact_company *c, struct slice taxonomy, struct slice concept,
                                     struct slice unit) {
  c->series = xgrow(c->series, c->series_count, sizeof *c->series);
  struct fact_series *s = &c->series[c->series_count++];
  *s = (struct fact_series){.taxonomy = taxonomy, .concept = concept, .label = concept, .unit = unit};
  return s;
}

void fact_series_add(struct fact_series *s, const struct fact *f) {
  s->facts = xgrow(s->facts, s->count, sizeof *s->facts);
  s->facts[s->count++] = *f;
}

/* The text of a JSON string, decoded in place. */
static struct slice fact_text(struct slice value) {
  if (json_kind(value) != '"')
    return slice_of(NULL, 0);
  return json_text_in_place(value, (char *)(uintptr_t)value.data);
}

static void fact_member(struct fact *f, struct slice key, struct slice value) {
  if (slice_is(key, "start"))
    f->start = day_parse(fact_text(value));
  else if (slice_is(key, "end"))
    f->end = day_parse(fact_text(value));
  else if (slice_is(key, "val"))
    f->value = value;
  else if (slice_is(key, "accn"))
    f->accession = fact_text(value);
  else if (slice_is(key, "fy"))
    f->filing_year = (int16_t)json_to_int(value, 0);
  else if (slice_is(key, "form"))
    f->form = fact_text(value);
  else if (slice_is(key, "filed"))
    f->filed = day_parse(fact_text(value));
}

static void fact_read_row(struct fact_series *s, struct slice row) {
  struct json_cursor at = {0};
  struct slice key, value;
  struct fact f = {.start = DAY_NONE, .end = DAY_NONE, .filed = DAY_NONE};
  while (json_next_member(row, &at, &key, &value))
    fact_member(&f, key, value);
  if (f.end == DAY_NONE || json_kind(f.value) != '0')
    return;
  f.months = (int16_t)day_months(f.start, f.end);
  f.exact = decimal_parse(f.value, &f.number) == 0;
  f.annual = form_kind_of(f.form) == FORM_ANNUAL;
  fact_series_add(s, &f);
}

/* A unit of shares as most companies spell it: "USD/shares" for "USD/Share". */
static struct slice fact_unit(struct fact_company *c, struct slice unit) {
  const char *slash = unit.len ? memchr(unit.data, '/', unit.len) : NULL;
  size_t n = slash ? (size_t)(slash + 1 - unit.data) : 0;
  struct slice last = slice_of(unit.data + n, unit.len - n);
  if (slice_is(last, "shares") || !(slice_is_nocase(last, "shares") || slice_is_nocase(last, "share")))
    return unit;
  char *usual = xformat("%.*sshares", (int)n, unit.data);
  struct slice kept = fact_company_keep(c, slice_str(usual));
  free(usual);
  return kept;
}

static void fact_read_units(struct fact_company *c, struct slice taxonomy, struct slice concept,
                            struct slice body) {
  struct json_cursor at = {0};
  struct slice units = json_get(body, "units"), label = json_get(body, "label"), unit, rows, row;
  struct slice text = json_kind(label) == '"' ? fact_text(label) : concept;
  size_t first = c->series_count;
  while (json_kind(units) == '{' && json_next_member(units, &at, &unit, &rows)) {
    unit = fact_unit(c, unit);
    struct fact_series *s = NULL;
    for (size_t i = first; i < c->series_count && !s; i++)
      s = slice_eq(c->series[i].unit, unit) ? &c->series[i] : NULL;
    s = s ? s : fact_company_add(c, taxonomy, concept, unit);
    struct json_cursor each = {0};
    s->label = text;
    while (json_kind(rows) == '[' && json_next_element(rows, &each, &row))
      fact_read_row(s, row);
  }
}

static void fact_read_all(struct fact_company *c, struct slice facts) {
  struct json_cursor outer = {0}, inner;
  struct slice taxonomy, concepts, concept, body;
  while (json_kind(facts) == '{' && json_next_member(facts, &outer, &taxonomy, &concepts)) {
    inner = (struct json_cursor){0};
    while (json_kind(concepts) == '{' && json_next_member(concepts, &inner, &concept, &body))
      fact_read_units(c, taxonomy, concept, body);
  }
}

static void fact_pad_cik(struct fact_company *c, struct slice cik) {
  struct slice digits = json_kind(cik) == '"' ? fact_text(cik) : cik;
  char padded[11] = "0000000000";
  if (!digits.len || digits.len > 10 || strspn(digits.data, "0123456789") < digits.len)
    return;
  memcpy(padded + 10 - digits.len, digits.data, digits.len);
  c->cik = fact_company_keep(c, slice_of(padded, 10));
}

int fact_company_read(struct fact_company *c, struct buf *json, struct error_text *why) {
  const char *fault;
  size_t at;
  buf_release(&c->text);
  c->text = *json;
  c->text.max = FACT_JSON_MAX;
  buf_init(json, json->max);
  if (json_validate(c->text.data, c->text.len, &at, &fault)) {
    error_set(why, "no JSON: %s at byte %zu", fault, at + 1);
    return -1;
  }
  struct slice all = buf_slice(&c->text), facts = json_get(all, "facts"), cik = json_get(all, "cik");
  if (json_kind(facts) != '{') {
    error_set(why, "no company facts: it has no object \"facts\"");
    return -1;
  }
  c->name = fact_text(json_get(all, "entityName"));
  fact_read_all(c, facts);
  fact_pad_cik(c, cik);
  fact_company_settle(c);
  return 0;
}

static int fact_order(const void *x, const void *y) {
  const struct fact *a = x, *b = y;
  if (a->end != b->end)
    return a->end < b->end ? -1 : 1;
  if (a->months != b->months)
    return a->months - b->months;
  if (a->filed != b->filed)
    return a->filed < b->filed ? -1 : 1;
  size_t len = a->accession.len < b->accession.len ? a->accession.len : b->accession.len;
  int n = len ? memcmp(a->accession.data, b->accession.data, len) : 0;
  return n ? n : (a->start > b->start) - (a->start < b->start);
}

static int fact_day_order(const void *x, const void *y) {
  int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
  return (a > b) - (a < b);
}

/* Collects the last days of spans of 3, 6, 9 and 12 months and the days before their start, on which balances are
 * reported. */
static void fact_find_ends(struct fact_company *c) {
  size_t total = 0, n = 0;
  for (size_t i = 0; i < c->series_count; i++)
    total += c->series[i].count;
  c->ends = xreallocarray(NULL, 2 * total + 1, sizeof *c->ends);
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++)
      if (c->series[i].facts[k].months && c->series[i].facts[k].months % 3 == 0) {
        c->ends[n++] = c->series[i].facts[k].end;
        c->ends[n++] = c->series[i].facts[k].start - 1;
      }
  qsort(c->ends, n, sizeof *c->ends, fact_day_order);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || c->ends[i] != c->ends[i - 1])
      c->ends[c->end_count++] = c->ends[i];
  c->newest = c->end_count ? c->ends[c->end_count - 1] : DAY_NONE;
}

int fact_ends_on(const struct fact_company *c, int32_t day) {
  return c->end_count && bsearch(&day, c->ends, c->end_count, sizeof day, fact_day_order) != NULL;
}

static int fact_year_order(const void *x, const void *y) {
  const struct fact_year *a = x, *b = y;
  return (a->end > b->end) - (a->end < b->end);
}

/* Counts a fiscal year mentioned in annual reports, in label. */
static void fact_count_year(struct fact_company *c, const struct fact *f) {
  for (size_t i = 0; i < c->year_count; i++)
    if (c->years[i].end == f->end) {
      c->years[i].label++;
      return;
    }
  c->years = xgrow(c->years, c->year_count, sizeof *c->years);
  c->years[c->year_count++] = (struct fact_year){f->start, f->end, 1, 0};
}

static int fact_calendar_year(int32_t end) {
  int y, m, d;
  day_split(end - 15, &y, &m, &d); /* years of 52 or 53 weeks may end in the first days of January */
  return y;
}

/* Whether a year begins where another one of the same company ends, or whole years later: between them the fiscal year stayed. */
static int fact_year_goes_on(const struct fact_year *before, const struct fact_year *y) {
  int apart = (int)fmod(y->start - 1 - before->end, 365.25);
  return apart <= YEAR_DRIFT_DAYS || apart >= 365 - YEAR_DRIFT_DAYS;
}

/* Numbers the years [from, to), which end alike: as their own annual reports do by majority, or by the calendar. */
static void fact_label_years(struct fact_company *c, size_t from, size_t to) {
  size_t votes[3] = {0, 0, 0};
  int best = 1;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++) {
      const struct fact *f = &c->series[i].facts[k];
      int offset = f->filing_year - fact_calendar_year(f->end);
      if (f->annual && f->months == 12 && f->filing_year && f->end >= c->years[from].end &&
          f->end <= c->years[to - 1].end && (f->filed == DAY_NONE || f->filed - f->end < 300) &&
          offset >= -1 && offset <= 1)
        votes[offset + 1]++;
    }
  for (int i = 0; i < 3; i++)
    best = votes[i] > votes[best] ? i : best;
  for (size_t i = from; i < to; i++)
    c->years[i].label = fact_calendar_year(c->years[i].end) + best - 1;
}

/* Adds the transition period between two years; one that no year's number is left for shares that of the year before. */
static void fact_add_transition(struct fact_company *c, const struct fact_year *before,
                                const struct fact_year *next) {
  struct fact_year t = {before->end + 1, next->start - 1, before->label + (next->label - before->label > 1),
                        TRANSITION_NAMED};
  if (t.label == before->label)
    t.transition = TRANSITION_BETWEEN;
  c->years = xgrow(c->years, c->year_count, sizeof *c->years);
  c->years[c->year_count++] = t;
}

/* The last day of a transition period that a report on form 10-KT has behind the last year; DAY_NONE where there is none. */
static int32_t fact_transition_end(const struct fact_company *c, const struct fact_year *last) {
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++) {
      const struct fact *f = &c->series[i].facts[k];
      if (f->form.len > 4 && memcmp(f->form.data + 4, "T", 1) == 0 && f->start == last->end + 1 &&
          f->months < 12)
        return f->end;
    }
  return DAY_NONE;
}

/* Finds the periods between years that end on other days of the year than those before: the company changed its fiscal year. */
static void fact_find_transitions(struct fact_company *c) {
  size_t years = c->year_count, from = 0;
  for (size_t i = 1; i <= years; i++)
    if (i == years || !fact_year_goes_on(&c->years[i - 1], &c->years[i])) {
      fact_label_years(c, from, i);
      from = i;
    }
  for (size_t i = 1; i < years; i++) {
    struct fact_year before = c->years[i - 1], next = c->years[i];
    if (!fact_year_goes_on(&before, &next) && next.start - before.end < 350)
      fact_add_transition(c, &before, &next);
  }
  struct fact_year last = years ? c->years[years - 1] : (struct fact_year){0};
  int32_t end = years ? fact_transition_end(c, &last) : DAY_NONE;
  if (end != DAY_NONE) {
    struct fact_year next = {end + 1, end + 365, fact_calendar_year(end + 365), 0};
    fact_add_transition(c, &last, &next);
    c->years = xgrow(c->years, c->year_count, sizeof *c->years);
    c->years[c->year_count++] = next;
  }
  if (c->year_count > years)
    qsort(c->years, c->year_count, sizeof *c->years, fact_year_order);
}

/* Of year ends less than ten months apart, the one mentioned more often is kept.  Year ends that are really closer
 * occur after a change of the fiscal year, whose short span doesn't have twelve months. */
static void fact_drop_doubtful_years(struct fact_company *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->year_count; i++) {
    if (n && c->years[i].end - c->years[n - 1].end < 300) {
      if (c->years[i].label > c->years[n - 1].label)
        c->years[n - 1] = c->years[i];
    } else {
      c->years[n++] = c->years[i];
    }
  }
  c->year_count = n;
}

/* Whether a balance for the day before is reported. */
static int fact_has_opening(const struct fact_company *c, int32_t start) {
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++)
      if (c->series[i].facts[k].months == 0 && c->series[i].facts[k].end == start - 1)
        return 1;
  return 0;
}

/* Without an annual report: the longest span of six or nine months up to the newest day starts with the fiscal year; so does
 * a quarter where the report has no longer span and compares its balances with those of the day before, the year's end. */
static void fact_guess_year(struct fact_company *c) {
  const struct fact *best = NULL;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++) {
      const struct fact *f = &c->series[i].facts[k];
      int from_start = f->months == 6 || f->months == 9 || f->months == 3;
      if (f->end == c->newest && from_start && (!best || f->months > best->months))
        best = f;
    }
  if (best && best->months == 3 && !fact_has_opening(c, best->start))
    best = NULL;
  if (!best)
    return;
  int32_t end = best->start + 364;
  c->years = xcalloc(1, sizeof *c->years);
  c->years[c->year_count++] = (struct fact_year){
      best->start, end, best->filing_year ? best->filing_year : fact_calendar_year(end), 0};
}

static void fact_find_years(struct fact_company *c) {
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++)
      if (c->series[i].facts[k].annual && c->series[i].facts[k].months == 12)
        fact_count_year(c, &c->series[i].facts[k]);
  if (c->year_count)
    qsort(c->years, c->year_count, sizeof *c->years, fact_year_order);
  fact_drop_doubtful_years(c);
  fact_find_transitions(c);
  if (c->year_count == 0)
    fact_guess_year(c);
}

void fact_company_settle(struct fact_company *c) {
  for (size_t i = 0; i < c->series_count; i++)
    if (c->series[i].count)
      qsort(c->series[i].facts, c->series[i].count, sizeof *c->series[i].facts, fact_order);
  fact_find_ends(c);
  fact_find_years(c);
}

struct slice fact_name_local(struct slice name, struct slice *taxonomy) {
  const char *colon = name.len ? memchr(name.data, ':', name.len) : NULL;
  size_t n = colon ? (size_t)(colon - name.data) : 0;
  if (taxonomy)
    *taxonomy = slice_of(name.data, n);
  return colon ? slice_of(colon + 1, name.len - n - 1) : name;
}

int fact_is_concept(const struct fact_series *s, struct slice name) {
  struct slice taxonomy, concept = fact_name_local(name, &taxonomy);
  return slice_eq(s->concept, concept) && (concept.len == name.len || slice_eq(s->taxonomy, taxonomy));
}

/* Of two units of a concept the one in which it is reported still is the company's now, else the one with more facts. */
static int fact_series_rank(const struct fact_series *a, const struct fact_series *b) {
  int32_t apart = b->facts[b->count - 1].end - a->facts[a->count - 1].end;
  if (apart > UNIT_ENDED_DAYS || apart < -UNIT_ENDED_DAYS)
    return apart;
  return (b->count > a->count) - (b->count < a->count);
}

const struct fact_series *fact_company_find(const struct fact_company *c, struct slice concept,
                                            struct slice unit) {
  const struct fact_series *best = NULL;
  for (size_t i = 0; i < c->series_count; i++) {
    const struct fact_series *s = &c->series[i];
    if (s->count && fact_is_concept(s, concept) && (unit.len == 0 || slice_eq(unit, s->unit)) &&
        (!best || fact_series_rank(best, s) > 0))
      best = s;
  }
  return best;
}

/* The fiscal year that contains a day; years of 365 days before the first and after the last known one. */
static struct fact_year fact_year_with(const struct fact_company *c, int32_t day) {
  if (c->year_count == 0) {
    int y, m, d;
    day_split(day, &y, &m, &d);
    return (struct fact_year){day_of(y, 1, 1), day_of(y, 12, 31), y, 0};
  }
  for (size_t i = 0; i < c->year_count; i++)
    if (day <= c->years[i].end && day >= c->years[i].start)
      return c->years[i];
  struct fact_year near = c->years[0];
  for (size_t i = 0; i < c->year_count && c->years[i].end < day; i++)
    near = c->years[i];
  while (day > near.end)
    near = (struct fact_year){near.end + 1, near.end + 365, near.label + 1, 0};
  while (day < near.start)
    near = (struct fact_year){near.start - 365, near.start - 1, near.label - 1, 0};
  return near;
}

/* The fiscal year in which a span ends.  Of 52 and 53 weeks, the days just after a year's expected end still belong to it. */
static struct fact_year fact_year_of(const struct fact_company *c, int32_t end) {
  struct fact_year y = fact_year_with(c, end);
  if (end - y.start < 14 && (c->year_count == 0 || end > c->years[c->year_count - 1].end))
    y = (struct fact_year){y.start - 365, end, y.label - 1, 0};
  return y;
}

/* The quarter of a year, from 1, at whose end a day is. */
static int fact_quarter_of(const struct fact_year *y, int32_t end) {
  int quarter = (int)((end - y->start + 1) / 91.25 + 0.5);
  return quarter < 1 ? 1 : quarter > 4 ? 4 : quarter;
}

int fact_key(const struct fact_company *c, int32_t end) {
  struct fact_year y = fact_year_of(c, end);
  int quarter = fact_quarter_of(&y, end);
  if (y.transition == TRANSITION_BETWEEN)
    return FACT_KEY_QUARTER * (4 * y.label + 3) +
           FACT_KEY_QUARTER * quarter / (fact_quarter_of(&y, y.end) + 1);
  return FACT_KEY_QUARTER * (4 * y.label + quarter - 1);
}

int fact_fiscal(const struct fact_company *c, int32_t start, int32_t end, int months, char period[8]) {
  static const char *const quarters[] = {"Q1", "Q2", "Q3", "Q4"}, *const between[] = {"TP-Q1", "TP-Q2",
                                                                                      "TP-Q3", "TP-Q4"};
  struct fact_year y = fact_year_of(c, end);
  int quarter = fact_quarter_of(&y, end), whole = start == DAY_NONE || start - y.start < YEAR_DRIFT_DAYS;
  const char *name = "";
  if (y.transition && whole && y.end - end < YEAR_DRIFT_DAYS)
    name = "TP";
  else if (start == DAY_NONE || months == 3)
    name = start == DAY_NONE && quarter == 4
               ? "FY"
               : (y.transition == TRANSITION_BETWEEN ? between : quarters)[quarter - 1];
  else if (months == 12)
    name = quarter == 4 && !y.transition ? "FY" : "TTM";
  else if (months == 6 && quarter % 2 == 0 && y.transition != TRANSITION_BETWEEN)
    name = quarter == 2 ? "H1" : "H2";
  else if (months == 9 && quarter == 3 && y.transition != TRANSITION_BETWEEN)
    name = "9M";
  memcpy(period, name, strlen(name) + 1);
  return y.label;
}
