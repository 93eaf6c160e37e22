/* fact_screen.c: fetches the SEC's frames that a condition needs, computes the figures of each company in them, and writes
 * those that meet all conditions. */
#include "facts/fact_screen.h"

#include "base/diag.h"
#include "query/concepts.h"
#include "facts/fact.h"
#include "facts/fact_load.h"
#include "query/plan_screen.h"
#include "facts/fact_sheet.h"
#include "facts/fact_write.h"
#include "facts/measure.h"
#include "record/error.h"
#include "record/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { FRAMES_CONCEPTS = 128 };

struct screen_frames {
  struct concept_table words; /* those that the rules need, to be used in place of the whole table */
  struct slice concepts[FRAMES_CONCEPTS];
  size_t word_of
      [FRAMES_CONCEPTS]; /* the word, from 1, that each is an alternative of; 0: it stands in a formula */
  size_t concept_count;
  int growth;                /* a figure of the period before is needed, too */
  int year, quarter;         /* the calendar period; quarter 0: the year */
  struct fact_company *list; /* the companies, by their CIK */
  size_t count;
  struct fact_company keep;  /* memory of texts */
  struct buf absent;         /* "NAME, ...": concepts without a frame, for a message */
  size_t failed;             /* frames that may exist and could not be fetched, */
  struct error_text failure; /* and why the first could not */
};

/* A company and, for each condition, its figure: a measure with one row. */
struct screen_row {
  struct fact_company *company;
  struct measure figures[SCREEN_RULES];
};

struct screen_rows {
  struct screen_row *rows; /* in the order of the first condition's values */
  size_t count;
};

#define FRAMES_MAX ((size_t)128 << 20)

enum {
  FRAMES_DEPTH = 8,
  FRAMES_QUARTERS = 12,
  FRAMES_HALF_QUARTER = 45,
  FRAMES_TRIES = 3,
  FRAMES_TEXT_MAX = 65536
};

/* ---- which concepts ---- */

static void frames_need(struct screen_frames *s, const struct concept_table *t, struct slice what, int depth);

static void frames_add_word(struct screen_frames *s, const struct concept_word *word) {
  size_t n = s->words.word_count;
  s->words.words = xgrow(s->words.words, n, sizeof *s->words.words);
  s->words.words[s->words.word_count++] = *word;
}

/* Adds a concept that is not there yet; word: whose alternative it is, from 1, or 0. */
static void frames_add_concept(struct screen_frames *s, struct slice concept, size_t word) {
  for (size_t i = 0; i < s->concept_count; i++)
    if (slice_eq(s->concepts[i], concept))
      return;
  if (s->concept_count == FRAMES_CONCEPTS)
    return;
  s->concepts[s->concept_count] = concept;
  s->word_of[s->concept_count++] = word;
}

/* A concept that is named itself; companies may report one that took its place, so both are alternatives of a word. */
static void frames_need_concept(struct screen_frames *s, const struct concept_table *t,
                                struct slice concept) {
  const struct concept_succession *next = concept_succession_find(t, concept);
  struct slice list = next ? next->successors : slice_of(NULL, 0), one;
  struct buf alternatives;
  frames_add_concept(s, concept, 0);
  if (!next)
    return;
  buf_init(&alternatives, FRAMES_TEXT_MAX);
  buf_add_slice(&alternatives, concept);
  while (concept_list_next(&list, ',', &one)) {
    buf_printf(&alternatives, ", %.*s", (int)one.len, one.data);
    frames_add_concept(s, one, 0);
  }
  struct concept_word word = {concept, concept, fact_company_keep(&s->keep, buf_slice(&alternatives))};
  frames_add_word(s, &word);
  buf_release(&alternatives);
}

static void frames_need_word(struct screen_frames *s, const struct concept_table *t,
                             const struct concept_word *word, int depth) {
  struct slice list = word->alternatives, one;
  for (size_t i = 0; i < s->words.word_count; i++)
    if (slice_eq(s->words.words[i].label, word->label))
      return;
  frames_add_word(s, word);
  size_t number = s->words.word_count;
  while (concept_list_next(&list, ',', &one)) {
    if (one.data[0] == '=')
      frames_need(s, t, slice_of(one.data + 2, one.len - 2), depth + 1);
    else
      frames_add_concept(s, one, number);
  }
}

static void frames_need(struct screen_frames *s, const struct concept_table *t, struct slice what,
                        int depth) {
  struct slice left, right, inside = concept_formula_inside(what);
  const struct concept_word *word = concept_word_find(t, what);
  if (depth > FRAMES_DEPTH || slice_is(what, "days"))
    return;
  if (inside.len) {
    frames_need(s, t, inside, depth + 1);
  } else if (word) {
    frames_need_word(s, t, word, depth);
  } else if (concept_formula_split(what, &left, &right)) {
    frames_need(s, t, left, depth + 1);
    frames_need(s, t, right, depth + 1);
  } else if (concept_formula_growth(what).len) {
    s->growth = 1;
    frames_need(s, t, concept_formula_growth(what), depth + 1);
  } else {
    frames_need_concept(s, t, what);
  }
}

static void frames_read_period(struct screen_frames *s, const char *period) {
  const char *year = strpbrk(period, "12"), *quarter = strpbrk(period, "Qq");
  if (quarter && year == quarter + 1) /* Q1-2024 */
    year = strpbrk(quarter + 2, "12");
  s->year = year ? atoi(year) : 0;
  s->quarter = quarter ? atoi(quarter + 1) : 0;
}

/* Finds the words and concepts that the rules need.  period: "2024", "FY-2024", "CY2024", "CY2024Q1", "Q1-2024".  Release s. */
static void fact_screen_frames_init(struct screen_frames *s, const struct concept_table *table,
                                    const struct screen_rules *rules, const char *period) {
  memset(s, 0, sizeof *s);
  fact_company_init(&s->keep);
  buf_init(&s->absent, FRAMES_TEXT_MAX);
  frames_read_period(s, period);
  for (size_t i = 0; i < rules->count; i++)
    frames_need(s, table, slice_str(rules->list[i].what), 0);
}

static void fact_screen_frames_release(struct screen_frames *s) {
  for (size_t i = 0; i < s->count; i++)
    fact_company_release(&s->list[i]);
  free(s->list);
  free(s->words.words);
  buf_release(&s->absent);
  fact_company_release(&s->keep);
}

/* The name of a frame: "CY2024", "CY2024Q1", "CY2024Q4I". */
static void frames_name(int year, int quarter, int instant, char out[16]) {
  if (quarter || instant)
    snprintf(out, 16, "CY%04dQ%d%s", year % 10000, quarter ? quarter % 10 : 4, instant ? "I" : "");
  else
    snprintf(out, 16, "CY%04d", year % 10000);
}

/* ---- a frame's facts ---- */

static int frames_order(const void *x, const void *y) {
  const struct fact_company *a = x, *b = y;
  int n = memcmp(a->cik.data, b->cik.data, a->cik.len);
  return n;
}

/* The company of a CIK among the first `known`, which are in order, or a new one. */
static struct fact_company *frames_company(struct screen_frames *s, size_t known, const char cik[11],
                                           struct slice name) {
  struct fact_company key = {.cik = slice_of(cik, 10)};
  struct fact_company *c = known ? bsearch(&key, s->list, known, sizeof key, frames_order) : NULL;
  if (c)
    return c;
  s->list = xgrow(s->list, s->count, sizeof *s->list);
  c = &s->list[s->count++];
  fact_company_init(c);
  c->cik = fact_company_keep(c, slice_of(cik, 10));
  c->name = fact_company_keep(c, name);
  c->source = slice_str("sec-frames");
  return c;
}

static struct fact_series *frames_series(struct fact_company *c, struct slice concept, struct slice unit) {
  struct slice taxonomy, name = fact_name_local(concept, &taxonomy);
  if (!taxonomy.len)
    taxonomy = slice_str("us-gaap");
  for (size_t i = 0; i < c->series_count; i++)
    if (slice_eq(c->series[i].concept, name) && slice_eq(c->series[i].taxonomy, taxonomy))
      return &c->series[i];
  return fact_company_add(c, taxonomy, name, unit);
}

static void frames_read_row(struct screen_frames *s, size_t known, struct slice concept, struct slice unit,
                            struct slice json) {
  struct buf scratch;
  char cik[11];
  struct fact f = {.start = DAY_NONE, .filed = DAY_NONE, .annual = 1};
  struct slice value = json_get(json, "val");
  buf_init(&scratch, FRAMES_TEXT_MAX);
  long long number = json_to_int(json_get(json, "cik"), 0);
  f.start = day_parse(json_text(json_get(json, "start"), &scratch));
  f.end = day_parse(json_text(json_get(json, "end"), &scratch));
  f.exact = decimal_parse(value, &f.number) == 0;
  if (number > 0 && number <= 9999999999 && f.end != DAY_NONE && f.exact) {
    snprintf(cik, sizeof cik, "%010lld", number);
    struct fact_company *c = frames_company(s, known, cik, json_text(json_get(json, "entityName"), &scratch));
    f.months = (int16_t)day_months(f.start, f.end);
    f.value = fact_company_keep(c, value);
    f.accession = fact_company_keep(c, json_text(json_get(json, "accn"), &scratch));
    fact_series_add(frames_series(c, concept, unit), &f);
  }
  buf_release(&scratch);
}

/* "USD-per-shares" is "USD/shares" in company facts. */
static struct slice frames_unit(struct screen_frames *s, struct slice json) {
  struct buf text, unit;
  buf_init(&text, FRAMES_TEXT_MAX);
  buf_init(&unit, FRAMES_TEXT_MAX);
  struct slice name = json_text(json, &text);
  const char *per = name.len ? memmem(name.data, name.len, "-per-", 5) : NULL;
  size_t n = per ? (size_t)(per - name.data) : name.len;
  buf_add_slice(&unit, slice_of(name.data, n));
  if (per)
    buf_printf(&unit, "/%.*s", (int)(name.len - n - 5), per + 5);
  struct slice kept = fact_company_keep(&s->keep, buf_slice(&unit));
  buf_release(&text);
  buf_release(&unit);
  return kept;
}

static int frames_read(struct screen_frames *s, struct slice concept, struct slice content) {
  struct slice rows = json_get(content, "rows"), row;
  struct json_cursor at = {0};
  const char *why;
  size_t where, known = s->count;
  if (json_validate(content.data, content.len, &where, &why) || json_kind(rows) != '[')
    return -1;
  struct slice unit = frames_unit(s, json_get(content, "unit"));
  while (json_next_element(rows, &at, &row))
    frames_read_row(s, known, concept, unit, row);
  if (s->count)
    qsort(s->list, s->count, sizeof *s->list, frames_order);
  return 0;
}

/* ---- fetching ---- */

/* Keeps the reason why a frame could not be fetched, unless the SEC answered that it does not exist. */
static void frames_failed(struct screen_frames *s, struct slice records) {
  struct slice error = json_get(records, "error");
  if (error.len == 0 || json_is_text(json_get(error, "category"), slice_str(ERROR_NO_CONTENT)))
    return;
  if (s->failed++ == 0)
    fact_load_why(records, &s->failure);
}

static int frames_ask(struct screen_frames *s, struct slice concept, const char *frame, const char *unit) {
  struct buf name, of_unit, records, content;
  struct error_text why;
  struct fact_company scratch;
  fact_company_init(&scratch);
  buf_init(&name, FRAMES_TEXT_MAX);
  buf_init(&of_unit, FRAMES_TEXT_MAX);
  buf_init(&records, FRAMES_MAX);
  buf_init(&content, FRAMES_MAX);
  buf_printf(&name, "concept=%.*s", (int)concept.len, concept.data);
  buf_printf(&of_unit, "unit=%s", unit);
  const char *const arguments[] = {"sec-frames", "-P",      name.data, "-p",         frame,
                                   "-n",         "1000000", "-P",      of_unit.data, NULL};
  int failed = fact_fetch(arguments, 1, &records, &why) != 0 ||
               fact_load_payload(&scratch, buf_slice(&records), &content) ||
               frames_read(s, concept, buf_slice(&content));
  if (failed)
    frames_failed(s, buf_slice(&records));
  buf_release(&name);
  buf_release(&of_unit);
  buf_release(&records);
  buf_release(&content);
  fact_company_release(&scratch);
  return failed ? -1 : 0;
}

static int frames_name_has(struct slice concept, const char *part) {
  return memmem(concept.data, concept.len, part, strlen(part)) != NULL;
}

/* The unit in which a concept is reported, by its name: the SEC has a frame for each. */
static const char *frames_unit_of(struct slice concept) {
  if (frames_name_has(concept, "PerShare"))
    return "USD/shares";
  if (frames_name_has(concept, "NumberOf") || frames_name_has(concept, "SharesOutstanding"))
    return "shares";
  if (frames_name_has(concept, "Rate") || frames_name_has(concept, "Ratio") ||
      frames_name_has(concept, "CapitalTo"))
    return "pure";
  return "USD";
}

/* One frame of a concept: 0, or -1 where there is none. */
static int frames_fetch(struct screen_frames *s, struct slice concept, int year, int quarter, int instant) {
  char frame[16];
  frames_name(year, quarter, instant, frame);
  if (s->failed >= FRAMES_TRIES && !s->count) /* the source can't be reached */
    return -1;
  return frames_ask(s, concept, frame, frames_unit_of(concept));
}

/* The calendar quarter, counted from that of January of the year before the period, at whose end a day is. */
static int frames_quarter_of(const struct screen_frames *s, int32_t day) {
  int y, m, d;
  day_split(day + FRAMES_HALF_QUARTER, &y, &m, &d);
  return 4 * (y - s->year + 1) + (m - 1) / 3 - 1;
}

/* How many facts end with each quarter; without any, one with the last quarter of the period. */
static void frames_count_ends(const struct screen_frames *s, size_t ends[FRAMES_QUARTERS]) {
  int last = 3 + (s->quarter ? s->quarter : 4);
  size_t total = 0;
  memset(ends, 0, FRAMES_QUARTERS * sizeof *ends);
  for (size_t i = 0; i < s->count; i++)
    for (size_t k = 0; k < s->list[i].series_count; k++)
      for (size_t n = 0; n < s->list[i].series[k].count; n++) {
        int at = frames_quarter_of(s, s->list[i].series[k].facts[n].end);
        if (at >= 0 && at < FRAMES_QUARTERS)
          ends[at]++, total++;
      }
  ends[last] += !total;
  ends[last - 4] += !total && s->growth;
}

/* The frames of balances on the last days of the fiscal years.  Where the quarter with most companies has none, the concept
 * has none at all. */
static int frames_fetch_balance(struct screen_frames *s, struct slice concept,
                                const size_t ends[FRAMES_QUARTERS]) {
  int most = 0;
  for (int i = 1; i < FRAMES_QUARTERS; i++)
    most = ends[i] > ends[most] ? i : most;
  if (frames_fetch(s, concept, s->year - 1 + most / 4, most % 4 + 1, 1))
    return -1;
  for (int i = 0; i < FRAMES_QUARTERS; i++)
    if (ends[i] && i != most)
      frames_fetch(s, concept, s->year - 1 + i / 4, i % 4 + 1, 1);
  return 0;
}

/* Whether another alternative of a concept's word is a flow: then the concept is one, too. */
static int frames_is_flow(const struct screen_frames *s, const int flow[FRAMES_CONCEPTS], size_t concept) {
  for (size_t i = 0; i < s->concept_count; i++)
    if (flow[i] && s->word_of[i] && s->word_of[i] == s->word_of[concept])
      return 1;
  return 0;
}

/* Fetches the frames; afterwards the companies are settled (fact_company_settle). */
static void fact_screen_frames_load(struct screen_frames *s) {
  int flow[FRAMES_CONCEPTS] = {0};
  size_t ends[FRAMES_QUARTERS];
  for (size_t i = 0; i < s->concept_count; i++) {
    flow[i] = frames_fetch(s, s->concepts[i], s->year, s->quarter, 0) == 0;
    if (flow[i] && s->growth)
      frames_fetch(s, s->concepts[i], s->year - 1, s->quarter, 0);
  }
  frames_count_ends(s, ends);
  for (size_t i = 0; i < s->concept_count; i++)
    if (!flow[i] && (frames_is_flow(s, flow, i) || frames_fetch_balance(s, s->concepts[i], ends)))
      buf_printf(&s->absent, "%s%.*s", s->absent.len ? ", " : "", (int)s->concepts[i].len,
                 s->concepts[i].data);
  for (size_t i = 0; i < s->count; i++)
    fact_company_settle(&s->list[i]);
}

enum { SCREEN_TAGS = 64, SCREEN_WRITE_MAX = 1 << 20, SCREEN_FIRST = 4 /* column of the first figure */ };

static const struct fact_splits screen_no_splits = {.count = 0};

static struct fact_column screen_column(const struct screen_row *row, size_t rule) {
  return (struct fact_column){row->figures[rule], &screen_no_splits};
}

/* The next condition from k on whose figure is not that of an earlier one, "between 1 and 2"; their count where none is. */
static size_t screen_next(const struct screen_rules *rules, size_t k) {
  for (; k < rules->count; k++) {
    size_t same = 0;
    while (same < k && strcmp(rules->list[same].what, rules->list[k].what) != 0)
      same++;
    if (same == k)
      return k;
  }
  return k;
}

/* Appends a record for each figure of the first `limit` rows, with the job's number where it isn't empty. */
static void fact_screen_write_records(struct buf *out, const char *frame, const struct screen_rules *rules,
                                      const struct screen_rows *rows, size_t limit, struct slice job) {
  for (size_t i = 0; i < limit && i < rows->count; i++)
    for (size_t k = 0; k < rules->count; k = screen_next(rules, k + 1)) {
      struct fact_column c = screen_column(&rows->rows[i], k);
      fact_write_row(out, &c, &c.measure.rows.rows[0]);
      json_cstr(out, "frame", frame);
      if (job.len)
        json_raw(out, "job", job);
      buf_add_str(out, "}\n");
    }
}

/* ---- tags: which concepts a company's figures are of ---- */

struct screen_tags {
  char *list[SCREEN_TAGS];
  size_t count;
};

/* "ResearchAndDevelopmentExpense / Revenues": the concepts of a figure. */
static void screen_add_concepts(struct buf *out, const struct fact_row *row) {
  if (row->series)
    buf_add_slice(out, row->series->concept);
  for (size_t i = 0; i < row->part_count && !row->series; i++) {
    const struct fact_part *part = &row->parts[i];
    if (i)
      buf_printf(out, " %c ", part->sign);
    buf_add_slice(out, part->series->concept);
  }
}

/* The number, from 1, of the note that names a company's concepts; 0 where there are too many. */
static size_t screen_tag(struct screen_tags *tags, const struct screen_rules *rules,
                         const struct screen_row *row) {
  struct buf text;
  size_t found = 0;
  buf_init(&text, SCREEN_WRITE_MAX);
  for (size_t i = 0; i < rules->count; i = screen_next(rules, i + 1)) {
    buf_add_str(&text, i ? "; " : "");
    screen_add_concepts(&text, &row->figures[i].rows.rows[0]);
  }
  while (found < tags->count && strcmp(tags->list[found], text.data) != 0)
    found++;
  if (found == tags->count && found < SCREEN_TAGS)
    tags->list[tags->count++] = xstrndup(text.data, text.len);
  buf_release(&text);
  return found < SCREEN_TAGS ? found + 1 : 0;
}

/* ---- the table ---- */

static void screen_heads(struct page_table *g, const struct screen_rules *rules,
                         const struct screen_rows *rows, const int scales[SCREEN_RULES]) {
  static const char *const heads[] = {"company", "CIK", "ends", "accession"};
  char unit[128];
  for (size_t i = 0; i < SCREEN_FIRST; i++)
    fact_grid_set(g, 0, i, "%s", heads[i]);
  size_t column = SCREEN_FIRST;
  for (size_t k = 0; k < rules->count; k = screen_next(rules, k + 1)) {
    struct fact_column c = screen_column(&rows->rows[0], k);
    fact_column_unit(&c, scales[k], unit, sizeof unit);
    fact_grid_set(g, 0, column++, "%s, %s", c.measure.label, unit);
  }
  fact_grid_set(g, 0, column, "tags");
}

static void screen_line(struct page_table *g, size_t line, const struct screen_rules *rules,
                        const struct screen_row *row, const int scales[SCREEN_RULES], size_t tag) {
  const struct fact_row *first = &row->figures[0].rows.rows[0];
  const struct fact *filing = fact_row_filing(first);
  char day[DAY_TEXT], value[FACT_CELL];
  fact_grid_set(g, line, 0, "%.*s", (int)row->company->name.len, row->company->name.data);
  fact_grid_set(g, line, 1, "%.*s", (int)row->company->cik.len, row->company->cik.data);
  fact_grid_set(g, line, 2, "%s", day_write(first->end, day));
  if (filing) {
    fact_grid_set(g, line, 3, "%.*s", (int)filing->accession.len, filing->accession.data);
    fact_grid_link(g, line, 3, row->company->cik, filing->accession);
  }
  size_t column = SCREEN_FIRST;
  for (size_t k = 0; k < rules->count; k = screen_next(rules, k + 1)) {
    const struct measure *m = &row->figures[k];
    fact_grid_set(g, line, column++, "%s",
                  fact_value_text(&m->rows.rows[0], measure_is_ratio(m), scales[k], value));
  }
  if (tag)
    fact_grid_set(g, line, column, "%zu", tag);
}

static void screen_notes(struct buf *out, const char *frame, const struct screen_tags *tags,
                         const struct screen_rows *rows, size_t limit) {
  for (size_t i = 0; i < tags->count; i++)
    buf_printf(out, "%zu: %s\n", i + 1, tags->list[i]);
  buf_printf(out, "Source: XBRL frames of data.sec.gov, %s; %zu of %zu companies shown\n", frame, limit,
             rows->count);
}

/* The scale that all values of a column have room in. */
static int screen_scale(const struct screen_rows *rows, size_t rule, size_t limit) {
  int least = 9;
  for (size_t i = 0; i < limit; i++) {
    struct fact_column c = screen_column(&rows->rows[i], rule);
    int scale = fact_column_scale(&c);
    least = scale < least ? scale : least;
  }
  return least;
}

static void screen_table(struct buf *out, const char *frame, const struct screen_rules *rules,
                         const struct screen_rows *rows, size_t limit, enum fact_format format,
                         size_t screen) {
  struct page_table g;
  struct screen_tags tags = {.count = 0};
  struct buf notes, title;
  int scales[SCREEN_RULES];
  size_t figures = 0;
  buf_init(&notes, SCREEN_WRITE_MAX);
  buf_init(&title, SCREEN_WRITE_MAX);
  for (size_t k = 0; k < rules->count; k = screen_next(rules, k + 1), figures++)
    scales[k] = screen_scale(rows, k, limit);
  fact_grid_init(&g, SCREEN_FIRST + figures + 1, limit + 1, SCREEN_FIRST);
  screen_heads(&g, rules, rows, scales);
  for (size_t i = 0; i < limit; i++)
    screen_line(&g, i + 1, rules, &rows->rows[i], scales, screen_tag(&tags, rules, &rows->rows[i]));
  screen_notes(&notes, frame, &tags, rows, limit);
  plan_screen_write(rules, &title);
  if (format == FACT_HTML) {
    fact_page_grid(out, buf_slice(&title), &g, buf_slice(&notes));
  } else {
    fact_grid_write(out, &g, format, screen);
    buf_add_char(out, '\n');
    fact_prose_notes(out, buf_slice(&notes), format);
  }
  while (tags.count)
    free(tags.list[--tags.count]);
  buf_release(&notes);
  buf_release(&title);
  fact_grid_release(&g);
}

/* Appends the first `limit` rows; frame: the period of the frames, "CY2024"; screen: the width of a terminal, or 0. */
static void fact_screen_write(struct buf *out, const char *frame, const struct screen_rules *rules,
                              const struct screen_rows *rows, size_t limit, enum fact_format format,
                              size_t screen) {
  limit = limit < rows->count ? limit : rows->count;
  if (format == FACT_JSON || format == FACT_CSV)
    fact_screen_write_records(out, frame, rules, rows, limit, slice_of(NULL, 0));
  else
    screen_table(out, frame, rules, rows, limit, format, screen);
}

enum { SCREEN_TEXT_MAX = 65536 };

struct screen {
  const struct concept_table *table;
  const struct screen_rules *rules;
  struct screen_frames frames;
  struct screen_rows rows;
  size_t measured; /* companies that have all figures, whether they meet the conditions or not */
  char frame[16];
};

/* ---- the companies that meet the conditions ---- */

static void screen_release_row(struct screen_row *row) {
  for (size_t i = 0; i < SCREEN_RULES; i++)
    measure_release(&row->figures[i]);
}

/* The newest row alone: others are only there for growth. */
static void screen_keep_newest(struct fact_rows *rows) {
  if (rows->count > 1)
    rows->rows[0] = rows->rows[rows->count - 1];
  rows->count = rows->count > 0;
}

/* Computes the figures of a company; returns whether it meets all conditions. */
static int screen_measure(struct screen *s, struct fact_company *c, struct screen_row *row) {
  struct measure_context x = {&s->frames.words, c, slice_of(NULL, 0), {FACT_ANNUAL, 0, DAY_NONE}};
  int holds = 1;
  x.choice.span = s->frames.quarter ? FACT_QUARTERLY : FACT_ANNUAL;
  *row = (struct screen_row){.company = c};
  for (size_t i = 0; i < s->rules->count; i++) {
    const struct screen_rule *rule = &s->rules->list[i];
    struct measure *m = &row->figures[i];
    if (measure_make(m, &x, slice_str(rule->what), NULL) || !m->rows.count)
      return 0;
    screen_keep_newest(&m->rows);
    holds &= plan_screen_holds(rule, decimal_to_double(m->rows.rows[0].number));
  }
  s->measured++;
  return holds;
}

static void screen_add(struct screen_rows *r, const struct screen_row *row) {
  r->rows = xgrow(r->rows, r->count, sizeof *r->rows);
  r->rows[r->count++] = *row;
}

/* The largest first. */
static int screen_order(const void *x, const void *y) {
  const struct screen_row *a = x, *b = y;
  int order = decimal_compare(b->figures[0].rows.rows[0].number, a->figures[0].rows.rows[0].number);
  return order ? order : memcmp(a->company->cik.data, b->company->cik.data, a->company->cik.len);
}

static int screen_order_lowest(const void *x, const void *y) {
  return screen_order(y, x);
}

static void screen_find(struct screen *s, const char *period) {
  struct screen_row row;
  fact_screen_frames_init(&s->frames, s->table, s->rules, period);
  frames_name(s->frames.year, s->frames.quarter, 0, s->frame);
  fact_screen_frames_load(&s->frames);
  for (size_t i = 0; i < s->frames.count; i++)
    if (screen_measure(s, &s->frames.list[i], &row))
      screen_add(&s->rows, &row);
    else
      screen_release_row(&row);
  if (s->rows.count)
    qsort(s->rows.rows, s->rows.count, sizeof *s->rows.rows,
          s->rules->lowest ? screen_order_lowest : screen_order);
  for (size_t i = 0; i < s->frames.count; i++)
    s->frames.list[i].by_day = 1; /* a frame doesn't say how a company counts its fiscal years */
}

static void screen_release(struct screen *s) {
  for (size_t i = 0; i < s->rows.count; i++)
    screen_release_row(&s->rows.rows[i]);
  free(s->rows.rows);
  fact_screen_frames_release(&s->frames);
}

/* ---- what is said ---- */

/* A share that was written without its sign: "gross margin > 60". */
static void screen_say_percent(const struct screen *s, struct buf *why) {
  struct screen_row row;
  for (size_t i = 0; i < s->frames.count && s->measured; i++) {
    screen_measure((struct screen *)(uintptr_t)s, &s->frames.list[i], &row);
    int percent = row.figures[0].label && measure_is_ratio(&row.figures[0]) == MEASURE_PERCENT;
    screen_release_row(&row);
    if (percent && s->rules->list[0].bound > 1 && !s->rules->list[0].percent)
      buf_printf(why, "; a share is written with its sign, %.15g%%", s->rules->list[0].bound);
    if (percent)
      return;
  }
}

/* Why a screen has no result, and which data could not be checked. */
static void screen_say_none(const struct screen *s, const char *text, struct buf *why) {
  if (s->measured)
    buf_printf(why, "none of the %zu compan%s with such a figure in %s meets '%s'", s->measured,
               s->measured == 1 ? "y" : "ies", s->frame, text);
  else
    buf_printf(why, "no frame of '%s' for %s", s->rules->list[0].what, s->frame);
  screen_say_percent(s, why);
  if (s->frames.absent.len && !s->frames.failed)
    buf_printf(why, "; there is no frame of %s", s->frames.absent.data);
}

/* Frames that could not be fetched: the companies that only they have are missing. */
static void screen_say_failed(const struct screen *s, struct buf *why) {
  if (s->frames.failed == 1 || !s->frames.count)
    buf_printf(why, "%sone could not be had: %s", why->len ? "; " : "", s->frames.failure.text);
  else
    buf_printf(why, "%s%zu frames could not be had, so that companies may be missing: %s",
               why->len ? "; " : "", s->frames.failed, s->frames.failure.text);
}

/* Whether a text is a figure or formula, so that a condition could follow. */
static int screen_knows(const struct concept_table *table, struct slice what) {
  struct screen_rules rules;
  struct slice rest;
  struct buf whole;
  buf_init(&whole, SCREEN_TEXT_MAX);
  buf_printf(&whole, "%.*s> 1", (int)what.len, what.data);
  int known = plan_screen_read(&rules, table, buf_slice(&whole), &rest) == 0 && rest.len == 0;
  plan_screen_release(&rules);
  buf_release(&whole);
  return known;
}

/* The figure of a text without a condition that can be read, and names near to it. */
static void screen_say_unread(const struct concept_table *table, const char *text, struct slice rest,
                              struct buf *why) {
  if (rest.len < strlen(text) && rest.len) {
    buf_printf(why,
               "--screen: '%.*s' behind the condition is not understood; another one is written as 'and "
               "revenue > 1 billion'",
               (int)rest.len, rest.data);
    return;
  }
  buf_printf(why, "--screen: '%s' is no rule such as 'R&D / revenue > 20%%' or 'gross margin over 60%%'",
             text);
  size_t n = strcspn(text, "<>");
  if (!text[n] || n < 2)
    return;
  if (screen_knows(table, slice_of(text, n))) {
    buf_add_str(why, ": behind the sign a number is missing");
    return;
  }
  struct fact_company none;
  fact_company_init(&none);
  struct measure_context x = {table, &none, slice_of(NULL, 0), {FACT_ANNUAL, 0, DAY_NONE}};
  buf_add_str(why, ": ");
  measure_say_missing(&x, slice_of(text, n - (text[n - 1] == ' ')), 0, why);
}

void fact_screen_run(struct program *p, const struct concept_table *table, const char *text,
                     const char *period, size_t limit, enum fact_format format) {
  struct screen_rules rules;
  struct screen s = {.table = table, .rules = &rules};
  struct slice rest;
  struct buf why;
  buf_init(&why, SCREEN_TEXT_MAX);
  if (plan_screen_read(&rules, table, slice_str(text), &rest) || rest.len) {
    screen_say_unread(table, text, rest, &why);
    program_fail(p, EX_USAGE);
  } else {
    screen_find(&s, period);
    if (s.rows.count)
      fact_screen_write(&p->out.buf, s.frame, &rules, &s.rows, limit, format, p->columns);
    else
      screen_say_none(&s, text, &why), program_fail(p, EXIT_NOTHING);
    if (s.frames.failed)
      screen_say_failed(&s, &why);
    if (s.frames.failed && s.rows.count)
      program_fail(p, EX_UNAVAILABLE);
    screen_release(&s);
  }
  if (why.len)
    diag_warn("%s", why.data);
  plan_screen_release(&rules);
  buf_release(&why);
}

size_t fact_screen_answer(struct buf *out, const struct concept_table *table,
                          const struct screen_rules *rules, const char *period, size_t limit,
                          struct slice job, struct buf *why) {
  struct screen s = {.table = table, .rules = rules};
  struct buf text;
  buf_init(&text, SCREEN_TEXT_MAX);
  plan_screen_write(rules, &text);
  screen_find(&s, period);
  size_t count = s.rows.count;
  if (count)
    buf_printf(why,
               "%zu of the %zu companies that meet it in %s are given; all: ", limit < count ? limit : count,
               count, s.frame);
  else
    screen_say_none(&s, text.data, why);
  if (s.frames.failed)
    screen_say_failed(&s, why);
  buf_printf(why, "%sbid facts --screen '%s' -p %s", count ? "" : "; ", text.data, s.frame);
  fact_screen_write_records(out, s.frame, rules, &s.rows, limit, job);
  screen_release(&s);
  buf_release(&text);
  return count;
}
