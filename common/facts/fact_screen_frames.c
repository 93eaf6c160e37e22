#include "facts/fact_screen_frames.h"

#include "facts/fact_fetch.h"
#include "facts/fact_load.h"
#include "facts/measure_formula.h"
#include "record/error.h"
#include "record/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

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
  if ((n & (n - 1)) == 0)
    s->words.words = xreallocarray(s->words.words, n ? 2 * n : 1, sizeof *s->words.words);
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
  struct slice left, right, inside = measure_formula_inside(what);
  const struct concept_word *word = concept_word_find(t, what);
  if (depth > FRAMES_DEPTH || slice_is(what, "days"))
    return;
  if (inside.len) {
    frames_need(s, t, inside, depth + 1);
  } else if (word) {
    frames_need_word(s, t, word, depth);
  } else if (measure_split(what, &left, &right)) {
    frames_need(s, t, left, depth + 1);
    frames_need(s, t, right, depth + 1);
  } else if (measure_formula_growth(what).len) {
    s->growth = 1;
    frames_need(s, t, measure_formula_growth(what), depth + 1);
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

void fact_screen_frames_init(struct screen_frames *s, const struct concept_table *table,
                             const struct screen_rules *rules, const char *period) {
  memset(s, 0, sizeof *s);
  fact_company_init(&s->keep);
  buf_init(&s->absent, FRAMES_TEXT_MAX);
  frames_read_period(s, period);
  for (size_t i = 0; i < rules->count; i++)
    frames_need(s, table, slice_str(rules->list[i].what), 0);
}

void fact_screen_frames_release(struct screen_frames *s) {
  for (size_t i = 0; i < s->count; i++)
    fact_company_release(&s->list[i]);
  free(s->list);
  free(s->words.words);
  buf_release(&s->absent);
  fact_company_release(&s->keep);
}

static void frames_name(int year, int quarter, int instant, char out[16]) {
  if (quarter || instant)
    snprintf(out, 16, "CY%04dQ%d%s", year % 10000, quarter ? quarter % 10 : 4, instant ? "I" : "");
  else
    snprintf(out, 16, "CY%04d", year % 10000);
}

void fact_screen_frames_name(const struct screen_frames *s, char out[16]) {
  frames_name(s->year, s->quarter, 0, out);
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
  if ((s->count & (s->count - 1)) == 0)
    s->list = xreallocarray(s->list, s->count ? 2 * s->count : 1, sizeof *s->list);
  c = &s->list[s->count++];
  fact_company_init(c);
  c->cik = fact_company_keep(c, slice_of(cik, 10));
  c->name = fact_company_keep(c, name);
  c->source = slice_str("sec-frames");
  return c;
}

static struct fact_series *frames_series(struct fact_company *c, struct slice concept, struct slice unit) {
  const char *colon = memchr(concept.data, ':', concept.len);
  size_t n = colon ? (size_t)(colon - concept.data) : 0;
  struct slice name = colon ? slice_of(colon + 1, concept.len - n - 1) : concept;
  struct slice taxonomy = colon ? slice_of(concept.data, n) : slice_str("us-gaap");
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
  struct buf text;
  buf_init(&text, FRAMES_TEXT_MAX);
  struct slice name = json_text(json, &text);
  const char *per = name.len ? memmem(name.data, name.len, "-per-", 5) : NULL;
  size_t n = per ? (size_t)(per - name.data) : name.len;
  struct slice unit = fact_company_keep(&s->keep, name);
  if (per) {
    buf_release(&text);
    buf_init(&text, FRAMES_TEXT_MAX);
    buf_printf(&text, "%.*s/%.*s", (int)n, unit.data, (int)(unit.len - n - 5), unit.data + n + 5);
    unit = fact_company_keep(&s->keep, buf_slice(&text));
  }
  buf_release(&text);
  return unit;
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

void fact_screen_frames_load(struct screen_frames *s) {
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
