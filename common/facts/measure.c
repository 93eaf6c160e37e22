/* measure.c: finds the rows of a word, a concept or a formula, and says why there are none. */
#include "facts/measure.h"

#include "tables/unreported.h"

#include <stdio.h>
#include <stdlib.h>

enum { MEASURE_NEAR = 6 };

struct measure_near {
  struct slice name;
  double distance;
};

static void measure_near_add(struct measure_near near[MEASURE_NEAR], struct slice name, double distance) {
  size_t i = MEASURE_NEAR;
  for (size_t k = 0; k < MEASURE_NEAR; k++)
    if (near[k].name.len && slice_eq(near[k].name, name))
      return;
  while (i > 0 && distance < near[i - 1].distance) {
    if (i < MEASURE_NEAR)
      near[i] = near[i - 1];
    i--;
  }
  if (i < MEASURE_NEAR)
    near[i] = (struct measure_near){name, distance};
}

/* For a word of the table, only what the company reports is near. */
static void measure_say_near(const struct measure_context *x, struct slice asked, int known,
                             struct buf *why) {
  struct measure_near near[MEASURE_NEAR];
  for (size_t i = 0; i < MEASURE_NEAR; i++)
    near[i] = (struct measure_near){{NULL, 0}, 0.55};
  for (size_t i = 0; !known && i < x->table->word_count; i++) {
    struct slice list = x->table->words[i].words, one;
    while (concept_list_next(&list, ';', &one))
      measure_near_add(near, one, concept_distance(asked, one));
  }
  for (size_t i = 0; i < x->company->series_count; i++) {
    const struct fact_series *s = &x->company->series[i];
    double by_name = concept_distance(asked, s->concept), by_label = concept_distance(asked, s->label);
    measure_near_add(near, s->concept, by_name < by_label ? by_name : by_label);
  }
  for (size_t i = 0; i < MEASURE_NEAR && near[i].name.len; i++)
    buf_printf(why, "%s%.*s", i ? ", " : "; near: ", (int)near[i].name.len, near[i].name.data);
}

/* Why a figure is in filings' text, but not among XBRL facts; or NULL. */
static const char *measure_unreported(struct slice asked) {
  static const struct { const char *words, *why; } known[] = {UNREPORTED_FIGURE};
  static const char growth[] = " growth";
  size_t n = sizeof growth - 1;
  if (asked.len > n && strncasecmp(asked.data + asked.len - n, growth, n) == 0)
    asked.len -= n;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    struct slice list = slice_str(known[i].words), one;
    while (concept_list_next(&list, ';', &one))
      if (concept_same_words(one, asked))
        return known[i].why;
  }
  return NULL;
}

void measure_say_unreported(struct slice asked, struct buf *why) {
  const char *reason = measure_unreported(asked);
  if (reason)
    buf_printf(why, "'%.*s' is not reported in XBRL: %s; bid-search finds it in filings' text",
               (int)asked.len, asked.data, reason);
}

/* Whether a concept is one of a figure: a name itself, or of a word's concepts. */
static int measure_is_of(const struct measure_context *x, struct slice asked, struct slice concept) {
  const struct concept_word *word = concept_word_find(x->table, asked);
  struct slice list = word ? word->alternatives : asked, one;
  while (concept_list_next(&list, ',', &one))
    if (slice_eq(fact_name_local(one, NULL), concept))
      return 1;
  return 0;
}

int measure_is_of_shares(const struct concept_table *table, struct slice asked) {
  const struct concept_word *word = concept_word_find(table, asked);
  struct slice list = word ? word->alternatives : asked;
  return slice_holds_nocase(list, "PerShare") || slice_holds_nocase(list, "SharesOutstanding") ||
         slice_holds_nocase(list, "NumberOfShares");
}

/* Why a known figure has no value: left out of a document, in another unit, by class of share, or never reported. */
static void measure_say_never(const struct measure_context *x, struct slice asked, struct buf *why) {
  const struct fact_company *c = x->company;
  for (size_t i = 0; i < c->left_out_count; i++)
    if (measure_is_of(x, asked, c->left_out[i])) {
      buf_printf(why,
                 "is tagged (%.*s), but left out: its number can't be told from its format, unit and context",
                 (int)c->left_out[i].len, c->left_out[i].data);
      return;
    }
  for (size_t i = 0; i < c->series_count && x->unit.len; i++)
    if (c->series[i].count && measure_is_of(x, asked, c->series[i].concept)) {
      buf_printf(why, "was never reported in %.*s, but in %.*s", (int)x->unit.len, x->unit.data,
                 (int)c->series[i].unit.len, c->series[i].unit.data);
      return;
    }
  if (measure_is_of_shares(x->table, asked)) {
    buf_add_str(
        why,
        "is not there as one number of all shares; a company may report it by class of share, which company "
        "facts don't have and --segments shows");
    return;
  }
  buf_add_str(why, "was never reported");
  if (x->unit.len)
    buf_printf(why, " in %.*s", (int)x->unit.len, x->unit.data);
}

/* Explains why a figure is missing, where that is known: a word of the table or a valid concept name was never
 * reported. */
static void measure_say_none(const struct measure_context *x, struct slice asked, int known,
                             struct buf *why) {
  buf_printf(why, "'%.*s' ", (int)asked.len, asked.data);
  struct decimal number;
  if (decimal_parse(asked, &number) == 0) {
    buf_add_str(why, "is a number: a formula has words and concepts only");
    return;
  }
  int name = memchr(asked.data, ' ', asked.len) == NULL && *asked.data >= 'A' && *asked.data <= 'Z';
  if (known || name)
    measure_say_never(x, asked, why);
  else if (memchr(asked.data, ' ', asked.len))
    buf_add_str(why,
                "is no figure that BID has a word or a formula for; of a segment, product or region, which "
                "company facts don't have, --segments shows what the newest report says, and bid-search what "
                "filings say");
  else
    buf_add_str(why, "is no figure that BID has a word or a formula for");
}

void measure_say_missing(const struct measure_context *x, struct slice asked, int known, struct buf *why) {
  const char *unreported = measure_unreported(asked);
  if (unreported && !known) {
    measure_say_unreported(asked, why);
    return;
  }
  measure_say_none(x, asked, known, why);
  if (unreported)
    buf_printf(why, ": %s", unreported);
  else
    measure_say_near(x, asked, known, why);
}

static int measure_combine(struct fact_row *row, const struct fact_row *with, char sign) {
  double a = decimal_to_double(row->number), b = decimal_to_double(with->number);
  fact_row_add_parts(row, with, sign);
  row->derived |= with->derived;
  if (sign == '+')
    return decimal_add(row->number, with->number, &row->number);
  if (sign == '-')
    return decimal_subtract(row->number, with->number, &row->number);
  if (sign == '/' && b == 0)
    return -1;
  if (decimal_from_double(sign == '/' ? a / b : a * b, MEASURE_FORMULA_DIGITS, &row->number))
    return -1;
  while (sign == '*' && row->number.scale > 0 && row->number.units % 10 == 0) {
    row->number.units /= 10;
    row->number.scale--;
  }
  return 0;
}

/* A computed row that begins with a row's value, which is its first part. */
static struct fact_row measure_formula_row(const struct fact_row *r) {
  struct fact_row row = *r;
  row.part_count = 0;
  fact_row_add_parts(&row, r, '+');
  row.fact = row.other = NULL;
  row.formula = NULL;
  row.series = NULL;
  return row;
}

/* A flow combined with a balance keeps its span. */
static void measure_take_span(struct fact_row *row, const struct fact_row *with) {
  if (row->months || !with->months)
    return;
  row->start = with->start;
  row->months = with->months;
  memcpy(row->fiscal_period, with->fiscal_period, sizeof row->fiscal_period);
}

/* Adds to m the rows of a combined with those of b in the same periods. */
static void measure_formula_combine(struct measure *m, const struct measure *a, const struct measure *b,
                                    char sign) {
  for (size_t i = 0; i < a->rows.count; i++) {
    const struct fact_row *with = fact_rows_find(&b->rows, fact_row_key(&a->rows.rows[i]));
    struct fact_row row = measure_formula_row(&a->rows.rows[i]);
    if (!with || measure_combine(&row, with, sign))
      continue;
    measure_take_span(&row, with);
    decimal_write(row.number, row.value);
    fact_rows_add(&m->rows, &row);
  }
}

/* What is left of two units that are multiplied: "USD" of "USD/shares" and "shares"; else NULL. */
static char *measure_unit_left(const char *per, const char *by) {
  const char *slash = strchr(per, '/');
  return slash && strcmp(slash + 1, by) == 0 ? xstrndup(per, (size_t)(slash - per)) : NULL;
}

/* The unit of the result, to be freed; NULL where the units are incompatible. */
static char *measure_formula_unit(const char *a, const char *b, char sign) {
  char *left = NULL;
  if (!a || !b)
    return NULL;
  if (sign == '+' || sign == '-')
    return strcmp(a, b) == 0 ? xstrdup(a) : NULL;
  if (sign == '/' && strcmp(a, b) == 0)
    return xstrdup("pure");
  if (sign == '*' && ((left = measure_unit_left(a, b)) || (left = measure_unit_left(b, a))))
    return left;
  return xformat("%s%c%s", a, sign, b);
}

/* Appends why two figures that are known give no value. */
static void measure_formula_say(const struct measure *a, const struct measure *b, char sign, const char *unit,
                                struct buf *why) {
  size_t shared = 0;
  for (size_t i = 0; i < a->rows.count; i++)
    shared += fact_rows_find(&b->rows, fact_row_key(&a->rows.rows[i])) != NULL;
  if (!unit)
    buf_printf(why, "'%s' is in %s and '%s' in %s: neither a sum nor a difference", a->asked, a->unit,
               b->asked, b->unit);
  else if (shared && sign == '/')
    buf_printf(why, "'%s' is zero in every period", b->asked);
  else
    buf_printf(why, "'%s' and '%s' have no period in common", a->asked, b->asked);
}

enum { MEASURE_ENDED_DAYS = 400, MEASURE_DEPTH = 8 };

void measure_release(struct measure *m) {
  free(m->asked);
  free(m->label);
  free(m->unit);
  free(m->formula);
  for (size_t i = 0; i < m->text_count; i++)
    free(m->texts[i]);
  free(m->texts);
  fact_rows_release(&m->rows);
  buf_release(&m->notes);
  memset(m, 0, sizeof *m);
}

static char *measure_text(struct slice s) {
  return xstrndup(s.data, s.len);
}

enum measure_ratio measure_is_ratio(const struct measure *m) {
  static const char ratio[] = " ratio";
  size_t n = m->label ? strlen(m->label) : 0, k = sizeof ratio - 1;
  if ((!m->formula && !m->rate) || !m->unit || strcmp(m->unit, "pure") != 0)
    return MEASURE_AMOUNT;
  return n > k && strcmp(m->label + n - k, ratio) == 0 ? MEASURE_MULTIPLE : MEASURE_PERCENT;
}

static void measure_start(struct measure *m, const struct measure_context *x, struct slice asked) {
  memset(m, 0, sizeof *m);
  m->company = x->company;
  m->asked = measure_text(asked);
  buf_init(&m->notes, 65536);
}

/* A balance on a day other than a period's end: the shares on a report's cover. */
static int measure_is_between(const struct fact_row *r) {
  return r->months == 0 && !r->company->by_day && !fact_ends_on(r->company, r->end);
}

/* Adds rows of missing periods; with `later`, only those after the last one.  Where there are balances at period
 * ends, those of other days are not added. */
static void measure_merge(struct fact_rows *into, const struct fact_rows *from, int later) {
  int32_t last = into->count ? into->rows[into->count - 1].end : DAY_NONE;
  size_t had = into->count;
  for (size_t i = 0; i < from->count; i++) {
    const struct fact_row *r = &from->rows[i];
    struct fact_rows before = {into->rows, had, 0, 0};
    if ((had && measure_is_between(r) && !measure_is_between(&into->rows[had - 1])) ||
        (later && last != DAY_NONE && r->end <= last) || fact_rows_find(&before, fact_row_key(r)))
      continue;
    fact_rows_add(into, r);
  }
}

/* Notes the units, such as an earlier currency, in which a concept stands beside the one that is shown. */
static void measure_note_units(struct measure *m, const struct measure_context *x,
                               const struct fact_series *shown) {
  char day[DAY_TEXT];
  for (size_t i = 0; !x->unit.len && i < x->company->series_count; i++) {
    const struct fact_series *s = &x->company->series[i];
    if (s->count && slice_eq(s->concept, shown->concept) && slice_eq(s->taxonomy, shown->taxonomy) &&
        s->unit.len == 3 && shown->unit.len == 3 && !slice_eq(s->unit, shown->unit) &&
        shown->facts[shown->count - 1].end - s->facts[s->count - 1].end > MEASURE_ENDED_DAYS / 2)
      buf_printf(&m->notes, "%.*s was reported in %.*s until %s: --unit %.*s\n", (int)s->concept.len,
                 s->concept.data, (int)s->unit.len, s->unit.data, day_write(s->facts[s->count - 1].end, day),
                 (int)s->unit.len, s->unit.data);
  }
}

/* The rows of one concept, in the requested unit or the one with most facts; m gets the unit. */
static const struct fact_series *measure_concept(struct measure *m, const struct measure_context *x,
                                                 struct slice concept, struct fact_rows *rows) {
  struct slice unit = m->unit ? slice_str(m->unit) : x->unit;
  const struct fact_series *s = fact_company_find(x->company, concept, unit);
  char day[DAY_TEXT];
  *rows = (struct fact_rows){NULL, 0, 0, DAY_NONE};
  if (!s)
    return NULL;
  if (!m->unit)
    m->unit = measure_text(s->unit);
  fact_rows_of(rows, x->company, s, &x->choice);
  measure_note_units(m, x, s);
  if (rows->mixed)
    buf_printf(
        &m->notes,
        "%.*s: no twelve months to %s (and %zu other days): a year's part was restated, the year was not\n",
        (int)s->concept.len, s->concept.data, day_write(rows->mixed_end, day), rows->mixed - 1);
  return s;
}

/* A concept that is no longer reported: adds its successor, or a note about its end. */
static void measure_follow(struct measure *m, const struct measure_context *x, const struct fact_series *s) {
  char day[DAY_TEXT];
  int32_t last = s->facts[s->count - 1].end;
  if (x->company->newest == DAY_NONE || x->company->newest - last < MEASURE_ENDED_DAYS)
    return;
  const struct concept_succession *next = concept_succession_find(x->table, s->concept);
  struct slice list = next ? next->successors : slice_of(NULL, 0), one;
  while (concept_list_next(&list, ',', &one)) {
    struct fact_rows rows;
    size_t had = m->rows.count;
    if (measure_concept(m, x, one, &rows))
      measure_merge(&m->rows, &rows, 1);
    fact_rows_release(&rows);
    if (m->rows.count == had)
      continue;
    buf_printf(&m->notes, "%.*s was last reported for %s; followed by %.*s (%.*s)\n", (int)s->concept.len,
               s->concept.data, day_write(last, day), (int)one.len, one.data, (int)next->source.len,
               next->source.data);
    return;
  }
  buf_printf(&m->notes, "%.*s was last reported for %s\n", (int)s->concept.len, s->concept.data,
             day_write(last, day));
}

static int measure_by_name(struct measure *m, const struct measure_context *x, struct slice name) {
  const struct fact_series *s = measure_concept(m, x, name, &m->rows);
  if (!s)
    return -1;
  m->label = measure_text(s->label);
  measure_follow(m, x, s);
  fact_rows_sort(&m->rows);
  return 0;
}

/* ---- formulas ---- */

static int measure_any(struct measure *m, const struct measure_context *x, struct slice asked, int depth,
                       struct buf *why);

/* A figure times the days of each row's span: a share of a period's flow becomes a number of days. */
static int measure_by_days(struct measure *m, const struct measure_context *x, struct slice of, int depth,
                           struct buf *why) {
  struct measure a;
  if (measure_any(&a, x, of, depth + 1, why) == 0 && a.unit && strcmp(a.unit, "pure") == 0) {
    for (size_t i = 0; i < a.rows.count; i++) {
      struct fact_row row = a.rows.rows[i];
      double days = row.start == DAY_NONE ? 0 : row.end - row.start + 1;
      if (days != 0 && !fact_row_set(&row, decimal_to_double(row.number) * days, MEASURE_FORMULA_DIGITS))
        fact_rows_add(&m->rows, &row);
    }
    free(m->unit);
    m->unit = xstrdup("days");
  }
  measure_release(&a);
  return m->rows.count ? 0 : -1;
}

static int measure_by_formula(struct measure *m, const struct measure_context *x, struct slice formula,
                              int depth, struct buf *why) {
  struct slice left, right;
  struct measure a, b;
  char sign = concept_formula_split(formula, &left, &right);
  if (!sign || depth > MEASURE_DEPTH)
    return -1;
  if (sign == '*' && slice_is(right, "days"))
    return measure_by_days(m, x, left, depth, why);
  int failed = measure_any(&a, x, left, depth + 1, why);
  memset(&b, 0, sizeof b);
  if (!failed)
    failed = measure_any(&b, x, right, depth + 1, why);
  char *unit = failed ? NULL : measure_formula_unit(a.unit, b.unit, sign);
  if (unit && (!m->unit || strcmp(m->unit, unit) == 0)) {
    free(m->unit);
    m->unit = unit;
    measure_formula_combine(m, &a, &b, sign);
    buf_add_slice(&m->notes, buf_slice(&a.notes));
    buf_add_slice(&m->notes, buf_slice(&b.notes));
  } else {
    free(unit);
  }
  if (!failed && !m->rows.count && why)
    measure_formula_say(&a, &b, sign, m->unit, why);
  measure_release(&a);
  measure_release(&b);
  return m->rows.count ? 0 : -1;
}

/* Each period divided by the same one a year before, minus one.  There is no growth from zero or from a loss. */
static int measure_by_growth(struct measure *m, const struct measure_context *x, struct slice of, int depth,
                             struct buf *why) {
  struct measure a;
  if (measure_any(&a, x, of, depth + 1, why) == 0 && measure_is_ratio(&a) == MEASURE_AMOUNT) {
    for (size_t i = 0; i < a.rows.count; i++) {
      const struct fact_row *r = &a.rows.rows[i], *base = fact_rows_year_before(&a.rows, r);
      struct fact_row row = measure_formula_row(r);
      double was = base ? decimal_to_double(base->number) : 0;
      if (was <= 0 || fact_row_set(&row, decimal_to_double(r->number) / was - 1, MEASURE_FORMULA_DIGITS))
        continue;
      fact_row_add_parts(&row, base, '/');
      row.derived |= base->derived;
      fact_rows_add(&m->rows, &row);
    }
    m->growth = 1;
    m->label = xformat("%s growth", a.label);
    m->formula = xformat("%s / %s a year before - 1", a.label, a.label);
    free(m->unit);
    m->unit = xstrdup("pure");
  }
  measure_release(&a);
  return m->rows.count ? 0 : -1;
}

/* ---- words ---- */

/* Gives rows the formula that computed them, which m owns. */
static void measure_set_formula(struct measure *m, struct fact_rows *rows, struct slice formula) {
  m->texts = xreallocarray(m->texts, m->text_count + 1, sizeof *m->texts);
  m->texts[m->text_count] = measure_text(formula);
  for (size_t i = 0; i < rows->count; i++)
    rows->rows[i].formula = m->texts[m->text_count];
  m->text_count++;
}

/* Adds one alternative's rows for periods that the earlier ones lack. */
static void measure_alternative(struct measure *m, const struct measure_context *x, struct slice one,
                                int depth) {
  struct measure part = {0};
  measure_start(&part, x, one);
  part.unit = m->unit ? xstrdup(m->unit) : NULL;
  if (one.data[0] == '=') {
    struct slice formula = slice_of(one.data + 1 + (one.len > 1), one.len - 1 - (one.len > 1));
    if (measure_by_formula(&part, x, formula, depth + 1, NULL) == 0) {
      if (m->rows.count == 0 && !m->formula)
        m->formula = measure_text(formula);
      measure_set_formula(m, &part.rows, formula);
    }
  } else {
    measure_concept(&part, x, one, &part.rows);
  }
  measure_merge(&m->rows, &part.rows, 0);
  if (part.rows.count && !m->unit)
    m->unit = xstrdup(part.unit);
  fact_rows_sort(&m->rows);
  buf_add_slice(&m->notes, buf_slice(&part.notes));
  measure_release(&part);
}

/* A figure that the company's newer filings don't have, under any of its concepts. */
static void measure_note_end(struct measure *m, const struct measure_context *x) {
  char day[DAY_TEXT];
  int32_t last = m->rows.count ? m->rows.rows[m->rows.count - 1].end : DAY_NONE;
  if (last != DAY_NONE && x->choice.as_of == DAY_NONE && x->company->newest != DAY_NONE &&
      x->company->newest - last >= MEASURE_ENDED_DAYS)
    buf_printf(&m->notes, "%s was last reported for %s\n", m->label, day_write(last, day));
}

/* The unit in which a word was reported last, under any of its concepts; empty for the one of its first concept. */
static struct slice measure_word_unit(const struct measure_context *x, const struct concept_word *word) {
  struct slice list = word->alternatives, one, unit = x->unit;
  int32_t last = DAY_NONE;
  while (!x->unit.len && concept_list_next(&list, ',', &one)) {
    const struct fact_series *s = fact_company_find(x->company, one, x->unit);
    int32_t end = s ? s->facts[s->count - 1].end : DAY_NONE;
    if (end != DAY_NONE && (last == DAY_NONE || end > last + MEASURE_ENDED_DAYS)) {
      unit = s->unit;
      last = end;
    }
  }
  return unit;
}

static int measure_by_word(struct measure *m, const struct measure_context *x,
                           const struct concept_word *word, int depth) {
  struct slice list = word->alternatives, one;
  m->label = measure_text(word->label);
  m->rate = 1;
  struct slice unit = measure_word_unit(x, word);
  m->unit = unit.len ? measure_text(unit) : NULL;
  while (concept_list_next(&list, ',', &one))
    measure_alternative(m, x, one, depth);
  const struct fact_row *newest = m->rows.count ? &m->rows.rows[m->rows.count - 1] : NULL;
  if (newest && newest->formula && m->formula) {
    free(m->formula);
    m->formula = xstrdup(newest->formula);
  }
  measure_note_end(m, x);
  return m->rows.count ? 0 : -1;
}

static int measure_any(struct measure *m, const struct measure_context *x, struct slice asked, int depth,
                       struct buf *why) {
  struct slice left, right, inside = concept_formula_inside(asked);
  if (inside.len && depth < MEASURE_DEPTH)
    return measure_any(m, x, inside, depth + 1, why);
  measure_start(m, x, asked);
  const struct concept_word *word = concept_word_find(x->table, asked);
  if (fact_company_find(x->company, asked, slice_of(NULL, 0)) && (!word || asked.data[0] < 'a')) {
    if (measure_by_name(m, x, asked) == 0)
      return 0;
  } else if (word) {
    if (measure_by_word(m, x, word, depth) == 0)
      return 0;
  } else if (concept_formula_split(asked, &left, &right)) {
    m->label = measure_text(asked);
    m->formula = measure_text(asked);
    return measure_by_formula(m, x, asked, depth, why);
  } else if (concept_formula_growth(asked).len &&
             measure_by_growth(m, x, concept_formula_growth(asked), depth, why) == 0) {
    return 0;
  }
  if (!why)
    return -1;
  if (why->len)
    buf_add_str(why, "; ");
  measure_say_missing(x, asked, word != NULL, why);
  return -1;
}

void measure_note_fourths(struct measure *m, enum fact_span span) {
  size_t missing = 0;
  for (size_t i = 0; i + 1 < m->rows.count; i++) {
    const struct fact_row *r = &m->rows.rows[i];
    missing += r->months == 3 && r->series && !fact_is_additive(r->series) &&
               fact_row_key(r) % FACT_KEY_YEAR == 2 * FACT_KEY_QUARTER &&
               fact_row_key(&m->rows.rows[i + 1]) == fact_row_key(r) + 2 * FACT_KEY_QUARTER;
  }
  if (span == FACT_QUARTERLY && missing)
    buf_printf(&m->notes,
               "%s: %zu fourth quarter%s not reported, and %s not the year less nine months (amounts a "
               "share, averages)\n",
               m->label, missing, missing == 1 ? " was" : "s were", missing == 1 ? "is" : "are");
}

void measure_adjust_growth(struct measure *m, const struct fact_splits *splits) {
  for (size_t i = 0; m->growth && i < m->rows.count; i++) {
    struct fact_row *r = &m->rows.rows[i];
    double factor = fact_split_factor(splits, r), was = decimal_to_double(r->number);
    if (factor != 1 && !fact_row_set(r, (was + 1) / factor - 1, MEASURE_FORMULA_DIGITS))
      r->adjusted = 1;
  }
}

/* A quotient per share has cents, below one also hundredths of them: no more is exact. */
static void measure_round_shares(struct measure *m) {
  for (size_t i = 0; m->formula && m->unit && strstr(m->unit, "/shares") && i < m->rows.count; i++) {
    struct fact_row *r = &m->rows.rows[i];
    double v = decimal_to_double(r->number);
    if (!r->series && r->number.scale > 2)
      fact_row_set(r, v, v >= 1 || v <= -1 ? 2 : 4);
  }
}

int measure_make(struct measure *m, const struct measure_context *x, struct slice asked, struct buf *why) {
  int failed = measure_any(m, x, asked, 0, why);
  measure_round_shares(m);
  return failed;
}
