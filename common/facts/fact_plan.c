#include "facts/fact_plan.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/paths.h"
#include "facts/fact_filing.h"
#include "facts/fact_load.h"
#include "facts/fact_period.h"
#include "facts/fact_phrase.h"
#include "facts/fact_window.h"
#include "facts/fact_write.h"
#include "facts/measure.h"
#include "facts/statement.h"
#include "filing/form.h"
#include "record/error.h"
#include "record/json.h"
#include "tables/figure_words.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#define PLAN_BRANDS_MAX ((size_t)8 << 20)

enum { PLAN_WORDS = 8, PLAN_OLD_DAYS = 460, PLAN_YEARS_APART = 180, PLAN_TEXT_MAX = 65536 };

enum { J_PLAN, J_QUERY, J_QUESTION, J_JOB };
static const char *const plan_fields[] = {"plan", "query", "question", "job", NULL};

/* The company loaded last: jobs of one company are adjacent. */
struct fact_plan_last {
  char cik[16];
  int status; /* of loading it */
  struct fact_company company;
  struct error_text why;
  char period[16];            /* of the filing below, or empty */
  int filing_status;          /* of loading it */
  struct fact_company filing; /* what is tagged in the company's filing of that period */
};

struct fact_plan_run {
  const struct concept_table *table;
  struct buf brands; /* data/aliases.tsv */
  struct fact_plan_last last;
};

/* A figure that the question asks for: a label of the table, or a formula of labels; and its bytes of the question. */
struct fact_plan_word {
  char *asked;
  size_t from, to;
  struct slice part; /* what was asked, if that is a part of the company: "China revenue"; or empty */
  int unreported;    /* by the company at hand */
};

struct fact_plan_end {
  int32_t day; /* DAY_NONE: none yet */
  char company[128];
};

struct fact_plan {
  struct program *p;
  const struct concept_table *table;
  struct fact_plan_last *last;
  struct fact_phrases phrases;
  struct fact_plan_word words[PLAN_WORDS];
  size_t word_count;
  struct slice rejected[PLAN_WORDS]; /* phrases with a figure's words that mean another thing */
  size_t rejected_count;
  struct fact_windows windows;
  struct slice unit; /* the currency asked for, or empty */
  int32_t as_of;
  struct fact_plan_end ends[FACT_WINDOWS_MOST]; /* of the first company's figures, for each window */
  struct slice job;                             /* the job's number, copied to its facts; or empty */
  int32_t newest_end;                           /* of the figures written last; DAY_NONE: none */
  char newest[64];                              /* the newest period reported for a figure, or empty */
};

/* Reports an error of the plan's job, whose number the record carries. */
static void __attribute__((format(printf, 3, 4)))
plan_error(struct fact_plan *f, const char *category, const char *format, ...) {
  struct buf *out = &f->p->out.buf;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  size_t start = out->len;
  program_error(f->p, NULL, category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", text);
  if (!f->job.len || out->len < start + 2)
    return;
  out->len -= 2; /* the brace and the line's end */
  json_raw(out, "job", f->job);
  buf_add_str(out, "}\n");
}

static int plan_begins_with(struct slice text, const char *word) {
  size_t n = strlen(word);
  return text.len > n && text.data[0] == ' ' && strncasecmp(text.data + 1, word, n) == 0;
}

/* Whether `word` is the last word of a text that ends in a blank. */
static int plan_ends_in(struct slice text, const char *word) {
  size_t n = strlen(word);
  return text.len > n && text.data[text.len - 1] == ' ' &&
         strncasecmp(text.data + text.len - 1 - n, word, n) == 0 &&
         (text.len == n + 1 || !isalnum((unsigned char)text.data[text.len - n - 2]) ||
          !isalnum((unsigned char)*word));
}

static void plan_add_word(struct fact_plan *f, struct slice asked, size_t from, size_t to) {
  for (size_t i = 0; i < f->word_count; i++)
    if (slice_is(asked, f->words[i].asked))
      return;
  if (f->word_count < PLAN_WORDS)
    f->words[f->word_count++] =
        (struct fact_plan_word){xstrndup(asked.data, asked.len), from, to, slice_of(NULL, 0), 0};
}

/* Adds a formula of words, which is of the same part of the company. */
static void plan_add_formula(struct fact_plan *f, const char *format, const char *a, const char *b,
                             struct slice part) {
  size_t had = f->word_count;
  struct buf text;
  buf_init(&text, PLAN_TEXT_MAX);
  buf_printf(&text, format, a, b);
  plan_add_word(f, buf_slice(&text), 0, 0);
  if (f->word_count > had)
    f->words[had].part = part;
  buf_release(&text);
}

/* "How many shares does it have outstanding": the two words of the figure are separated. */
static void plan_find_shares(struct fact_plan *f, struct slice query) {
  const struct concept_word *w = concept_word_find(f->table, slice_str("shares outstanding"));
  if (!f->word_count && w && fact_window_word_at(query, "how many shares") < query.len &&
      fact_window_word_at(query, "outstanding") < query.len)
    plan_add_word(f, w->label, 0, 0);
}

/* Where "share of", "% of its", "portion of Apple's" begins that ends before byte `end`; `end` where there is none. */
static size_t plan_part_at(struct slice query, size_t end) {
  static const char *const parts[] = {FIGURE_WORDS_PART}, *const fillers[] = {FIGURE_WORDS_FILLER};
  struct slice text = slice_of(query.data, end);
  if (plan_ends_in(text, "'s")) {
    text.len -= 3;
    while (text.len && text.data[text.len - 1] != ' ')
      text.len--;
  }
  for (size_t i = 0; i < sizeof fillers / sizeof *fillers;)
    if (plan_ends_in(text, fillers[i])) {
      text.len -= strlen(fillers[i]) + 1;
      i = 0;
    } else {
      i++;
    }
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (plan_ends_in(text, parts[i]))
      return text.len - strlen(parts[i]) - 1;
  return end;
}

static void plan_note_rejected(struct fact_plan *f, struct slice phrase) {
  if (f->rejected_count < PLAN_WORDS)
    f->rejected[f->rejected_count++] = phrase;
}

/* "Share of revenue of its largest customer": of a share whose figure isn't known the whole is no answer. */
static void plan_drop_lone_whole(struct fact_plan *f, struct slice query) {
  size_t from = f->word_count == 1 && f->words[0].to ? plan_part_at(query, f->words[0].from) : query.len;
  if (from == query.len || from == f->words[0].from)
    return;
  plan_note_rejected(f, slice_of(query.data + from, f->words[0].to - from));
  free(f->words[--f->word_count].asked);
}

/* Adds formulas for figures requested in relation to another one: "R&D as a share of revenue", "free cash flow per
 * share", "revenue growth".  Their parts are kept too. */
static void plan_combine_words(struct fact_plan *f, struct slice query) {
  static const char *const grows[] = {FIGURE_WORDS_GROWTH}, *const shares[] = {FIGURE_WORDS_SHARE};
  size_t count = f->word_count, grown = 0;
  for (size_t i = 0; i < sizeof grows / sizeof *grows; i++)
    grown |= fact_window_word_at(query, grows[i]) < query.len;
  for (size_t i = 0; i < count; i++) {
    const struct fact_plan_word *w = &f->words[i];
    struct slice behind = slice_of(query.data + w->to, query.len - w->to);
    if (count > 1 && plan_part_at(query, w->from) < w->from)
      plan_add_formula(f, "%s / %s", f->words[i > 0 ? i - 1 : 1].asked, w->asked, w->part);
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
      if (plan_begins_with(behind, shares[k]))
        plan_add_formula(f, "%s / %s", w->asked, "Diluted shares", w->part);
    if (grown)
      plan_add_formula(f, "%s%s", w->asked, " growth", w->part);
  }
}

/* "How much income tax did Apple pay": what was paid may be another figure than what was charged. */
static const struct concept_word *plan_paid(const struct fact_plan *f, struct slice asked) {
  static const char *const paid[] = {FIGURE_WORDS_PAID};
  const struct concept_word *w = NULL;
  struct buf text;
  buf_init(&text, PLAN_TEXT_MAX);
  buf_printf(&text, "%.*s paid", (int)asked.len, asked.data);
  for (size_t i = 0; i < sizeof paid / sizeof *paid && !w; i++)
    if (fact_window_word_at(f->phrases.query, paid[i]) < f->phrases.query.len)
      w = concept_word_find(f->table, buf_slice(&text));
  buf_release(&text);
  return w;
}

/* Takes the figure's words [from, to) unless the phrase around them means another thing. */
static void plan_take_word(struct fact_plan *f, const struct concept_word *w, size_t from, size_t to) {
  const struct concept_word *paid = plan_paid(f, slice_of(f->phrases.query.data + from, to - from));
  struct fact_phrase phrase = fact_phrase_at(&f->phrases, from, to, w);
  size_t had = f->word_count;
  if (phrase.kind == FACT_PHRASE_OTHER) {
    plan_note_rejected(f, phrase.text);
    return;
  }
  plan_add_word(f, paid ? paid->label : w->label, from, to);
  if (f->word_count > had && phrase.kind == FACT_PHRASE_PART)
    f->words[had].part = phrase.text;
}

/* Finds the words of the table in a question, without duplicates, preferring longer ones to those inside them. */
static void plan_find_words(struct fact_plan *f, struct slice query) {
  for (size_t i = 0; i < query.len && f->word_count < PLAN_WORDS;) {
    size_t taken = 0;
    int begins = i == 0 || !isalnum((unsigned char)query.data[i - 1]);
    const struct concept_word *w =
        begins ? concept_word_at(f->table, slice_of(query.data + i, query.len - i), &taken) : NULL;
    if (w)
      plan_take_word(f, w, i, i + taken);
    i += w ? taken : 1;
  }
  plan_drop_lone_whole(f, query);
  plan_combine_words(f, query);
  plan_find_shares(f, query);
}

/* The currency that the question asks for, or empty. */
static struct slice plan_currency(struct slice query) {
  static const struct { const char *name, *code; } known[] = {FIGURE_WORDS_CURRENCY};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (fact_window_word_at(query, known[i].name) < query.len)
      return slice_str(known[i].code);
  return slice_of(NULL, 0);
}

static void plan_note_newest(struct fact_plan *f, const struct fact_rows *rows) {
  const struct fact_row *r = rows->count ? &rows->rows[rows->count - 1] : NULL;
  char day[DAY_TEXT];
  if (r)
    snprintf(f->newest, sizeof f->newest, "%s %d, ended %s", r->fiscal_period, r->fiscal_year,
             day_write(r->end, day));
}

/* Of a window of stated length, only spans of that length and balances. */
static void plan_keep_length(struct fact_rows *rows, int months) {
  size_t n = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (!months || !rows->rows[i].months || rows->rows[i].months == months)
      rows->rows[n++] = rows->rows[i];
  rows->count = n;
}

/* Whether a unit has nothing to do with the currency `code`, or is of it: "pure", "shares", "USD/shares". */
static int plan_unit_fits(const char *unit, struct slice code) {
  int currency = unit && strspn(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3;
  return !currency || strncmp(unit, code.data, code.len) == 0;
}

/* A figure in the currency that is asked for; one without a currency has its own unit. */
static int plan_measure(struct measure *m, const struct measure_context *x, struct slice word,
                        struct buf *why) {
  struct measure_context any = *x;
  if (measure_make(m, x, word, why) == 0 || !x->unit.len)
    return m->rows.count ? 0 : -1;
  measure_release(m);
  any.unit = slice_of(NULL, 0);
  return measure_make(m, &any, word, why) == 0 && plan_unit_fits(m->unit, x->unit) ? 0 : -1;
}

/* Writes the facts for a word in a window; returns how many. */
static size_t plan_write(struct fact_plan *f, const struct fact_company *c, const struct fact_splits *splits,
                         struct fact_plan_word *asked, const struct fact_window *w) {
  struct slice word = slice_str(asked->asked);
  struct measure_context x = {f->table, c, f->unit, {w->span, 0, f->as_of}};
  struct fact_column column = {.splits = splits};
  struct fact_rows *rows = &column.measure.rows;
  const char *statement = statement_of_word(f->table, word);
  struct buf why;
  size_t count = 0;
  buf_init(&why, PLAN_TEXT_MAX);
  asked->unreported = plan_measure(&column.measure, &x, word, &why) != 0;
  if (!asked->unreported) {
    measure_adjust_growth(&column.measure, splits);
    plan_note_newest(f, rows);
    plan_keep_length(rows, w->months);
    if (w->span == FACT_TRAILING && !w->period.fiscal_year && w->period.from == DAY_NONE)
      fact_rows_narrow(rows, c->newest - FACT_WINDOW_END_DAYS, DAY_NONE, 1);
    fact_period_keep(&w->period, rows);
    fact_rows_narrow(rows, DAY_NONE, DAY_NONE, w->count);
    count = rows->count;
    if (count)
      f->newest_end = rows->rows[count - 1].end;
    for (size_t i = 0; i < count; i++) {
      fact_write_row(&f->p->out.buf, &column, &rows->rows[i]);
      if (statement)
        json_cstr(&f->p->out.buf, "statement", statement);
      if (asked->part.len)
        json_str(&f->p->out.buf, "notOf", asked->part);
      if (f->job.len)
        json_raw(&f->p->out.buf, "job", f->job);
      buf_add_str(&f->p->out.buf, "}\n");
    }
  }
  measure_release(&column.measure);
  buf_release(&why);
  return count;
}

/* A range of days in which no fiscal year ends may hold the end of a quarter. */
static size_t plan_write_any(struct fact_plan *f, const struct fact_company *c,
                             const struct fact_splits *splits, struct fact_plan_word *word,
                             const struct fact_window *w) {
  struct fact_window quarters = *w;
  size_t count = plan_write(f, c, splits, word, w);
  quarters.span = FACT_QUARTERLY;
  if (count == 0 && w->span == FACT_ANNUAL && !w->months && !w->period.fiscal_year &&
      w->period.from != DAY_NONE)
    count = plan_write(f, c, splits, word, &quarters);
  return count;
}

/* Companies count their quarters and years differently: says where those of one name end far apart. */
static void plan_compare_ends(struct fact_plan *f, const struct fact_company *c, size_t window) {
  struct fact_plan_end *first = &f->ends[window];
  const struct fact_window *w = &f->windows.list[window];
  int most = w->span == FACT_ANNUAL ? PLAN_YEARS_APART : FACT_WINDOW_END_DAYS;
  char day[DAY_TEXT], other[DAY_TEXT];
  if (f->newest_end == DAY_NONE || !w->period.fiscal_year)
    return;
  if (!first->company[0]) {
    first->day = f->newest_end;
    snprintf(first->company, sizeof first->company, "%.*s", (int)c->name.len, c->name.data);
  } else if (abs(first->day - f->newest_end) > most) {
    plan_error(f, ERROR_NO_CONTENT, "the fiscal periods differ: that of %s ended %s, that of %.*s %s",
               first->company, day_write(first->day, day), (int)c->name.len, c->name.data,
               day_write(f->newest_end, other));
  }
}

/* Figures that are asked for without a period are the newest: says where company facts end long ago. */
static void plan_note_age(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w) {
  char day[DAY_TEXT], now[CLOCK_TEXT];
  clock_format_date(clock_now(), now);
  int32_t today = f->as_of != DAY_NONE ? f->as_of : day_parse(slice_str(now));
  if (!w->named && c->newest != DAY_NONE && today - c->newest > PLAN_OLD_DAYS)
    plan_error(f, ERROR_NO_CONTENT, "%.*s: company facts end with %s; a newer filing may have a newer figure",
               (int)c->name.len, c->name.data, day_write(c->newest, day));
}

/* A figure that the question names and the company doesn't report. */
static void plan_say_unreported(struct fact_plan *f, const struct fact_company *c) {
  for (size_t i = 0; i < f->word_count && !f->unit.len; i++)
    if (f->words[i].to && f->words[i].unreported)
      plan_error(f, ERROR_NO_CONTENT, "%.*s: '%s' is not reported", (int)c->name.len, c->name.data,
                 f->words[i].asked);
}

/* The filing that reports a window of the company's own numbering, for periods that company facts don't have yet. */
static const struct fact_company *plan_load_filing(struct fact_plan *f, const struct fact_window *w) {
  struct fact_plan_last *last = f->last;
  int quarter = w->period.quarter;
  char period[16];
  if (!w->period.fiscal_year || !*last->cik || (quarter == 0 && w->span != FACT_ANNUAL))
    return NULL;
  if (quarter >= 1 && quarter <= 3)
    snprintf(period, sizeof period, "Q%d-%d", quarter, w->period.fiscal_year);
  else
    snprintf(period, sizeof period, "FY-%d", w->period.fiscal_year);
  if (strcmp(last->period, period) != 0) {
    fact_company_release(&last->filing);
    fact_company_init(&last->filing);
    memcpy(last->period, period, sizeof period);
    last->filing_status = fact_filing_load(&last->filing, slice_str(last->cik),
                                           period[0] == 'Q' ? "10-Q" : "10-K,20-F,40-F", period, f->as_of);
  }
  return last->filing_status ? NULL : &last->filing;
}

/* Writes the figures of a window out of the filing that reports it; returns how many. */
static size_t plan_write_filing(struct fact_plan *f, const struct fact_window *w) {
  const struct fact_company *c = plan_load_filing(f, w);
  struct fact_splits none = {.count = 0};
  size_t count = 0;
  for (size_t i = 0; i < f->word_count && c; i++)
    count += plan_write_any(f, c, &none, &f->words[i], w);
  return count;
}

/* Writes the figures for all words in a window; a named period without any becomes an error record. */
static void plan_write_window(struct fact_plan *f, const struct fact_company *c,
                              const struct fact_splits *splits, const struct fact_window *w) {
  size_t count = 0;
  f->newest[0] = '\0';
  for (size_t i = 0; i < f->word_count; i++)
    count += plan_write_any(f, c, splits, &f->words[i], w);
  if (count)
    plan_note_age(f, c, w);
  else
    count = plan_write_filing(f, w);
  if (count == 0 && f->unit.len && !f->newest[0])
    plan_error(f, ERROR_NO_CONTENT, "%.*s: no figure in %.*s", (int)c->name.len, c->name.data,
               (int)f->unit.len, f->unit.data);
  if (count == 0 && w->named && f->newest[0])
    plan_error(f, ERROR_NO_CONTENT,
               "%.*s: no figure of the period that the question names; the newest is of %s", (int)c->name.len,
               c->name.data, f->newest);
}

/* The reason in the first of bid-fetch's error records, unless one is known. */
static void plan_keep_why(struct fact_plan_last *last, struct slice errors) {
  struct slice line;
  struct buf text;
  buf_init(&text, PLAN_TEXT_MAX);
  if (!last->why.text[0] && concept_list_next(&errors, '\n', &line) &&
      json_decode(json_get(json_get(line, "error"), "message"), &text) == 0)
    error_set(&last->why, "%.*s", (int)text.len, text.data);
  buf_release(&text);
}

static const struct fact_company *plan_load(struct fact_plan_last *last, const char *cik) {
  if (strcmp(last->cik, cik) != 0) {
    fact_company_release(&last->company);
    fact_company_init(&last->company);
    last->period[0] = '\0';
    last->why.text[0] = '\0';
    struct buf errors;
    buf_init(&errors, PLAN_TEXT_MAX);
    last->status = *cik ? fact_load_company(&last->company, cik, &errors, &last->why) : EX_DATAERR;
    plan_keep_why(last, buf_slice(&errors));
    buf_release(&errors);
    snprintf(last->cik, sizeof last->cik, "%s", cik);
  }
  return last->status ? NULL : &last->company;
}

/* Facts are asked for by CIK, whose answer has no ticker. */
static void plan_take_ticker(struct fact_company *c, struct slice ticker) {
  struct buf text;
  buf_init(&text, 64);
  if (json_kind(ticker) == '"' && json_decode(ticker, &text) == 0 && text.len)
    c->ticker = fact_company_keep(c, buf_slice(&text));
  buf_release(&text);
}

static void plan_company(struct fact_plan *f, struct slice company) {
  struct buf cik;
  struct fact_splits splits;
  buf_init(&cik, 4096);
  json_decode(json_get(company, "cik"), &cik);
  const struct fact_company *c = plan_load(f->last, cik.len ? cik.data : "");
  if (c && !c->ticker.len)
    plan_take_ticker(&f->last->company, json_get(company, "ticker"));
  size_t found = 0;
  for (size_t k = 0; k < f->windows.count && !c; k++)
    found += plan_write_filing(f, &f->windows.list[k]);
  if (c == NULL) {
    plan_error(f, ERROR_UNAVAILABLE, "the reported figures of CIK %s could not be had%s%s%s",
               cik.len ? cik.data : "?", f->last->why.text[0] ? ": " : "", f->last->why.text,
               found ? "; those of one filing are given" : "");
  } else {
    fact_splits_find(&splits, c, f->as_of);
    for (size_t k = 0; k < f->windows.count; k++) {
      f->newest_end = DAY_NONE;
      plan_write_window(f, c, &splits, &f->windows.list[k]);
      plan_compare_ends(f, c, k);
    }
    plan_say_unreported(f, c);
  }
  buf_release(&cik);
}

/* A question that names a figure, a company and a period and nothing else asks for the figure. */
static int plan_names_figures(const struct fact_plan *f) {
  size_t from = SIZE_MAX, to = 0;
  for (size_t i = 0; i < f->word_count; i++)
    if (f->words[i].to) {
      from = f->words[i].from < from ? f->words[i].from : from;
      to = f->words[i].to > to ? f->words[i].to : to;
      if (f->words[i].part.len)
        return 0;
    }
  return to && !f->rejected_count && fact_phrases_bare(&f->phrases, from, to);
}

/* A question for a figure that no word of the table names. */
static void plan_say_unknown(struct fact_plan *f) {
  struct slice asked = fact_phrases_unknown(&f->phrases);
  if (asked.len)
    plan_error(f, ERROR_NO_CONTENT, "company facts have no figure of '%.*s'", (int)asked.len, asked.data);
}

/* Figures of a phrase that means another thing are left out, and that is said. */
static void plan_say_rejected(struct fact_plan *f) {
  for (size_t i = 0; i < f->rejected_count && !f->word_count; i++)
    plan_error(f, ERROR_NO_CONTENT, "company facts have no figure of '%.*s'", (int)f->rejected[i].len,
               f->rejected[i].data);
}

static void plan_release_words(struct fact_plan *f) {
  while (f->word_count)
    free(f->words[--f->word_count].asked);
}

/* Whether the question's forms, if any, report a company's figures: not those on insiders' trades or holdings. */
static int plan_is_of_reports(struct slice plan) {
  struct slice list = json_get(plan, "forms"), one;
  struct json_cursor at = {0};
  size_t count = 0;
  for (; json_kind(list) == '[' && json_next_element(list, &at, &one); count++)
    if (one.len > 2 && form_kind_of(slice_of(one.data + 1, one.len - 2)) != FORM_OTHER)
      return 1;
  return count == 0;
}

static int plan_wants_figures(struct slice plan) {
  struct slice asks = json_get(plan, "asks");
  return slice_is(asks, "\"figure\"") || slice_is(asks, "\"table\"") || slice_is(asks, "\"comparison\"");
}

static int plan_record(struct program *p, const struct record *rec, void *arg) {
  struct fact_plan_run *run = arg;
  struct fact_plan f = {
      .p = p, .table = run->table, .last = &run->last, .as_of = DAY_NONE, .job = rec->field[J_JOB]};
  struct slice plan = rec->field[J_PLAN], companies, one;
  struct slice asked = rec->field[json_kind(rec->field[J_QUERY]) == '"' ? J_QUERY : J_QUESTION];
  struct json_cursor at = {0};
  struct buf query;
  if (json_kind(plan) != '{' || json_kind(asked) != '"') {
    program_error(p, rec, ERROR_INVALID_REQUEST, slice_of(NULL, 0), slice_of(NULL, 0),
                  "no job with a query and a plan (bid-plan writes them)");
    return 0;
  }
  if (!plan_is_of_reports(plan))
    return 0;
  buf_init(&query, PLAN_TEXT_MAX);
  json_decode(asked, &query);
  companies = json_get(plan, "companies");
  fact_phrases_read(&f.phrases, f.table, buf_slice(&query), companies, buf_slice(&run->brands));
  plan_find_words(&f, buf_slice(&query));
  if (!plan_wants_figures(plan) && !plan_names_figures(&f)) {
    plan_release_words(&f);
    buf_release(&query);
    return 0;
  }
  plan_say_rejected(&f);
  if (!f.word_count && !f.rejected_count && slice_is(json_get(plan, "asks"), "\"figure\"") &&
      json_kind(companies) == '[' && companies.len > 2)
    plan_say_unknown(&f);
  f.unit = plan_currency(buf_slice(&query));
  fact_windows_read(&f.windows, plan, buf_slice(&query));
  f.as_of = fact_window_day(json_get(plan, "asOf"));
  while (f.word_count && json_kind(companies) == '[' && json_next_element(companies, &at, &one))
    plan_company(&f, one);
  plan_release_words(&f);
  buf_release(&query);
  return 0;
}

void fact_plan_run(struct program *p, const struct concept_table *table) {
  struct fact_plan_run run = {.table = table};
  struct buf path;
  buf_init(&path, PLAN_TEXT_MAX);
  buf_init(&run.brands, PLAN_BRANDS_MAX);
  if (paths_data(&path, "aliases.tsv") == 0)
    buf_read_file(&run.brands, path.data);
  buf_release(&path);
  fact_company_init(&run.last.company);
  fact_company_init(&run.last.filing);
  program_each_record(p, plan_fields, plan_record, &run);
  buf_release(&run.brands);
  fact_company_release(&run.last.company);
  fact_company_release(&run.last.filing);
}
