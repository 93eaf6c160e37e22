/* facts.c: checks the options of bid-facts, loads the companies, and shows their figures or statements. */
#include "facts/facts.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/mask.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "facts/chart.h"
#include "facts/fact_load.h"
#include "facts/fact_period.h"
#include "facts/fact_plan.h"
#include "facts/fact_screen.h"
#include "facts/measure.h"
#include "facts/statement.h"
#include "page/html_page.h"
#include "period/period_option.h"
#include "record/error.h"

#include <stdlib.h>

/* The span that a document is about: years where it has one that ends with its newest span, else quarters; with
 * to_date, as for cash flows, the longest span that ends then. */
enum fact_span fact_document_span(const struct fact_company *c, int to_date);

static const char *const facts_formats[] = {"table", "json", "csv", "markdown", "html", "auto", NULL};

/* Operators stand between words, with blanks around them. */
static int facts_is_formula(const char *text) {
  int lacks = 1, open = 0; /* a word is expected; brackets */
  for (const char *p = text; *p && open >= 0; p++)
    open += (*p == '(') - (*p == ')');
  if (open)
    return 0;
  for (size_t n; *(text += strspn(text, " ")); text += n) {
    n = strcspn(text, " ");
    int operator= n == 1 && strchr("+-*/", *text);
    if (operator&& lacks)
      return 0;
    lacks = operator;
  }
  return !lacks;
}

/* The first operand that can't be a figure, or NULL. */
static const char *facts_bad_operand(const struct facts_options *o) {
  for (size_t i = 0; i < o->operands.count; i++)
    if (!facts_is_formula(o->operands.items[i]))
      return o->operands.items[i];
  return NULL;
}

/* No option names a company: the first of several words may be its name. */
static void facts_say_company(const struct facts_options *o, struct buf *why) {
  buf_add_str(why, "name a company with -e, or use --fred, --from or --screen");
  if (o->operands.count > 1)
    buf_printf(why, "; if '%s' is one: -e '%s' '%s'", o->operands.items[0], o->operands.items[0],
               o->operands.items[1]);
  else if (o->operands.count && o->statement)
    buf_printf(why, "; if '%s' is one: -e '%s' --statement %s", o->operands.items[0], o->operands.items[0],
               o->statement);
}

/* Whether the options' days and periods can be read; else says why not. */
static int facts_check_days(const struct facts_options *o, struct buf *why) {
  struct fact_period period;
  char day[PERIOD_WHEN];
  if (o->period && !o->fred && fact_period_parse(&period, o->period))
    buf_printf(
        why,
        "--period: '%s' is none of FY-2024, Q3-2024, H1-2024, CY2024, CY2024Q1, 2024, 2019..2021, DAY..DAY",
        o->period);
  else if (o->as_of && period_when(o->as_of, PERIOD_LAST, day))
    buf_printf(why, "--as-of: '%s' is no day, month or year such as 2024-06-30", o->as_of);
  else if (o->since && period_when(o->since, PERIOD_FIRST, day))
    buf_printf(why, "--since: '%s' is neither a day, a month or year, nor a span such as 3years", o->since);
  return why->len == 0;
}

void facts_check(const struct facts_options *o, struct buf *why) {
  if (o->annual + o->quarterly + o->trailing > 1)
    buf_add_str(why, "of --annual, --quarterly and --ttm only one goes");
  else if (o->csv + o->markdown + (o->format != NULL) + (o->plot != NULL) > 1)
    buf_add_str(why, "of --csv, --markdown, --format and --plot only one goes");
  else if (!o->operands.count && (o->fred || o->segments || o->plot))
    buf_add_str(why, o->fred ? "name a FRED series, such as GDP" : "name a concept, such as revenue");
  else if (facts_bad_operand(o))
    buf_printf(why, "'%s' is neither a concept nor a formula such as 'net income / revenue'",
               facts_bad_operand(o));
  else if (!o->fred && !o->entities.count && !o->files.count && !o->screen && !o->for_plan && !o->words)
    facts_say_company(o, why);
  else if (!facts_check_days(o, why))
    return;
  else if (o->screen && !o->period)
    buf_add_str(why, "--screen wants a period: -p 2024 or -p CY2024Q1");
  else if (o->limit == 0)
    buf_add_str(why, "--limit: 0 is less than 1");
  else if (o->plot && (o->statement || o->segments || o->screen))
    buf_add_str(why, "--plot draws figures, such as revenue, not --statement, --segments or --screen");
  else if (o->plot)
    chart_check(o->plot, why);
}

/* The form of a single document (fact_is_document()), or an empty slice. */
static struct slice fact_document_form(const struct fact_company *c) {
  return fact_is_document(c) ? c->series[0].facts[0].form : slice_of(NULL, 0);
}

/* The last day of the spans of three to twelve months; other spans may go beyond it, as events after the period do. */
static int32_t hint_last_day(const struct fact_company *c) {
  int32_t last = DAY_NONE;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++) {
      const struct fact *f = &c->series[i].facts[k];
      if (f->months && f->months % 3 == 0 && f->months <= 12 && f->end > last)
        last = f->end;
    }
  return last;
}

enum fact_span fact_document_span(const struct fact_company *c, int to_date) {
  int32_t last = hint_last_day(c);
  int has[5] = {0}, none = 1;
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++) {
      const struct fact *f = &c->series[i].facts[k];
      if (f->end == last && f->months && f->months % 3 == 0 && f->months <= 12) {
        has[f->months / 3] = 1;
        none = 0;
      }
    }
  if (none || has[4])
    return FACT_ANNUAL;
  if (has[1] && !to_date)
    return FACT_QUARTERLY;
  return has[3] ? FACT_NINE_MONTHS : has[2] ? FACT_HALF : FACT_QUARTERLY;
}

static const char *const hint_names[] = {"years", "quarters", "twelve months", "six months", "nine months"};

/* Appends that a figure without rows in the span of x has some in another one, with the newest period ("'capex' is not
 * reported for quarters, but for six months: -p H1-2025").  Returns whether there is one. */
static int fact_hint_span(const struct measure_context *x, struct slice asked, struct buf *why) {
  static const struct {
    enum fact_span span;
    const char *period;
  } spans[] = {{FACT_NINE_MONTHS, "9M"}, {FACT_HALF, "H1"}, {FACT_QUARTERLY, NULL}, {FACT_ANNUAL, "FY"}};
  int found = 0;
  for (size_t i = 0; i < sizeof spans / sizeof *spans && !found; i++) {
    struct measure_context other = *x;
    struct measure m;
    other.choice.span = spans[i].span;
    found = spans[i].span != x->choice.span && measure_make(&m, &other, asked, NULL) == 0;
    if (found) {
      const struct fact_row *r = &m.rows.rows[m.rows.count - 1];
      buf_printf(why, "'%.*s' is not reported for %s, but for %s: -p %s-%d", (int)asked.len, asked.data,
                 hint_names[x->choice.span], hint_names[spans[i].span],
                 spans[i].period ? spans[i].period : r->fiscal_period, r->fiscal_year);
    }
    if (spans[i].span != x->choice.span)
      measure_release(&m);
  }
  return found;
}

/* A document with a balance sheet or a result has its statements in it. */
static int hint_has_statements(const struct fact_company *c) {
  static const char *const marks[] = {"Assets", "NetIncomeLoss", "ProfitLoss"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (fact_company_find(c, slice_str(marks[i]), slice_of(NULL, 0)))
      return 1;
  return 0;
}

/* Where a word of the table may stand that a single document doesn't report, for the end of a message; or "". */
static const char *fact_hint_elsewhere(const struct measure_context *x, struct slice asked) {
  return fact_is_document(x->company) && !hint_has_statements(x->company) &&
                 concept_word_find(x->table, asked)
             ? statement_elsewhere(fact_document_form(x->company))
             : "";
}

enum {
  STATEMENT_COLUMNS = 3,
  STATEMENT_QUARTERS = 4,
  ROWS_DEFAULT = 12,
  ROWS_CHART = 40,
  ROWS_SCREEN = 50,
  WHY_MAX = 65536,
  OLD_DAYS = 550, /* a year and a half: the next annual report is filed long before */
  PAGE_MAX = 256 << 20
};

struct facts_work {
  struct program *p;
  const struct facts_options *o;
  struct concept_table table;
  struct fact_company *companies;
  struct fact_splits *splits; /* parallel to them */
  size_t company_count;
  struct fact_period period;
  struct fact_choice choice;
  int32_t since;
  size_t limit;
  struct fact_sheet sheet;
};

static enum fact_format facts_format(const struct facts_work *w) {
  const struct facts_options *o = w->o;
  for (int i = 0; o->format && i <= FACT_HTML; i++)
    if (strcmp(o->format, facts_formats[i]) == 0)
      return (enum fact_format)i;
  return o->csv ? FACT_CSV : o->markdown ? FACT_MARKDOWN : w->p->people ? FACT_TABLE : FACT_JSON;
}

static int facts_writes_records(const struct facts_work *w) {
  return facts_format(w) == FACT_JSON && !w->o->plot;
}

/* Reports an error after which the rest continues: as a record where records are written, else as a message. */
static void facts_fault(struct facts_work *w, const char *category, int status, const char *text) {
  if (facts_writes_records(w))
    program_error(w->p, NULL, category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", text);
  else
    diag_warn("%s", text);
  program_fail(w->p, status);
}

/* ---- companies ---- */

static void facts_add_company(struct facts_work *w, const char *name, int is_file) {
  struct fact_company *c = &w->companies[w->company_count];
  struct error_text why = {""};
  struct buf *errors = facts_writes_records(w) ? &w->p->out.buf : NULL;
  fact_company_init(c);
  int status = is_file ? fact_load_file(c, name, &why) : fact_load_company(c, name, errors, &why);
  if (status) {
    if (why.text[0])
      facts_fault(w, ERROR_INVALID_REQUEST, status, why.text);
    program_fail(w->p, status);
    fact_company_release(c);
    return;
  }
  fact_splits_find(&w->splits[w->company_count++], c, w->choice.as_of);
}

static void facts_add_fred(struct facts_work *w) {
  struct fact_company *c = &w->companies[w->company_count];
  struct error_text why = {""};
  fact_company_init(c);
  for (size_t i = 0; i < w->o->operands.count; i++) {
    int status = fact_load_fred(c, w->o->operands.items[i], w->o->since, w->o->period, &why);
    if (why.text[0])
      facts_fault(w, ERROR_UNAVAILABLE, status, why.text);
    program_fail(w->p, status);
  }
  fact_company_settle(c);
  w->company_count += c->series_count > 0;
  if (!c->series_count)
    fact_company_release(c);
}

static void facts_load(struct facts_work *w) {
  size_t count = w->o->entities.count + w->o->files.count + 1;
  w->companies = xcalloc(count, sizeof *w->companies);
  w->splits = xcalloc(count, sizeof *w->splits);
  for (size_t i = 0; i < w->o->files.count; i++)
    facts_add_company(w, w->o->files.items[i], 1);
  if (w->company_count < w->o->files.count) /* fetch nothing for a call that can't be answered completely */
    return;
  if (w->o->fred)
    facts_add_fred(w);
  for (size_t i = 0; i < w->o->entities.count; i++)
    facts_add_company(w, w->o->entities.items[i], 0);
}

/* ---- figures ---- */

/* One span for all columns: as requested, else implied by the period, else years. */
static enum fact_span facts_span(const struct facts_options *o, const struct fact_period *period) {
  if (o->trailing)
    return FACT_TRAILING;
  if (o->quarterly)
    return FACT_QUARTERLY;
  if (o->annual)
    return FACT_ANNUAL;
  return period->months == 3   ? FACT_QUARTERLY
         : period->months == 6 ? FACT_HALF
         : period->months == 9 ? FACT_NINE_MONTHS
                               : FACT_ANNUAL;
}

static size_t facts_limit(const struct facts_options *o, size_t usual) {
  return o->limit == FACTS_LIMIT_DEFAULT ? usual : o->limit;
}

static void facts_read_scope(struct facts_work *w) {
  const struct facts_options *o = w->o;
  char day[PERIOD_WHEN];
  w->period = (struct fact_period){.from = DAY_NONE, .until = DAY_NONE};
  if (o->period && !o->fred)
    fact_period_parse(&w->period, o->period);
  int since = o->since && period_when(o->since, PERIOD_FIRST, day) == 0;
  w->since = since ? day_parse(slice_str(day)) : DAY_NONE;
  const struct fact_window *asked = o->asked.count ? o->asked.list : NULL;
  if (o->asked.count == 1)
    w->period = asked->period; /* of a statement */
  int chosen = o->annual || o->quarterly || o->trailing;
  w->choice.span = asked && !chosen ? asked->span : facts_span(o, &w->period);
  if (w->choice.span == FACT_QUARTERLY)
    fact_period_each_quarter(&w->period);
  w->choice.first_reported = o->first_reported;
  int as_of = o->as_of && period_when(o->as_of, PERIOD_LAST, day) == 0;
  w->choice.as_of = as_of ? day_parse(slice_str(day)) : DAY_NONE;
  int latest = o->asked.count == 1 && asked->period.until == DAY_NONE && !asked->named;
  w->limit = facts_limit(o, latest ? asked->count : o->plot ? ROWS_CHART : ROWS_DEFAULT);
}

static void facts_say_empty(struct facts_work *w, const struct measure *m, int32_t first, int32_t last) {
  struct buf why;
  char from[DAY_TEXT], until[DAY_TEXT];
  buf_init(&why, WHY_MAX);
  buf_printf(&why, "%.*s: no fact of '%s' for what was asked", (int)m->company->name.len,
             m->company->name.data, m->asked);
  if (w->o->period)
    buf_printf(&why, " (period %s)", w->o->period);
  if (first != DAY_NONE)
    buf_printf(&why, "; there are facts that end from %s to %s", day_write(first, from),
               day_write(last, until));
  if (w->choice.span == FACT_ANNUAL && w->period.from != DAY_NONE && !w->o->annual)
    buf_add_str(&why, "; of whole years: --quarterly has quarters");
  facts_fault(w, ERROR_NO_CONTENT, EXIT_NOTHING, why.data);
  buf_release(&why);
}

/* Why a figure has no column, and where it may be had instead. */
static void facts_say_missing(struct facts_work *w, const struct measure_context *x, const char *asked,
                              const struct buf *why) {
  struct buf text;
  buf_init(&text, WHY_MAX);
  buf_printf(&text, "%.*s: ", (int)x->company->name.len, x->company->name.data);
  if (!fact_hint_span(x, slice_str(asked), &text))
    buf_printf(&text, "%s%s", why->data ? why->data : "", fact_hint_elsewhere(x, slice_str(asked)));
  facts_fault(w, ERROR_NO_CONTENT, EXIT_NOTHING, text.data);
  buf_release(&text);
}

static void facts_add_column(struct facts_work *w, size_t company, const char *asked) {
  struct fact_sheet *s = &w->sheet;
  struct measure_context x = {&w->table, &w->companies[company], slice_str(w->o->unit), w->choice};
  struct fact_column *c = &s->columns[s->column_count];
  struct buf why;
  buf_init(&why, WHY_MAX);
  c->splits = &w->splits[company];
  if (measure_make(&c->measure, &x, slice_str(asked), &why)) {
    facts_say_missing(w, &x, asked, &why);
    measure_release(&c->measure);
  } else {
    struct fact_rows *rows = &c->measure.rows;
    measure_adjust_growth(&c->measure, c->splits);
    int32_t first = rows->count ? rows->rows[0].end : DAY_NONE;
    int32_t last = rows->count ? rows->rows[rows->count - 1].end : DAY_NONE;
    if (w->o->asked.count)
      fact_windows_keep(&w->o->asked, rows);
    else
      fact_period_keep(&w->period, rows);
    fact_rows_narrow(rows, w->since, DAY_NONE, SIZE_MAX);
    if (rows->count)
      s->column_count++;
    else
      facts_say_empty(w, &c->measure, first, last);
    if (!rows->count)
      measure_release(&c->measure);
  }
  buf_release(&why);
}

/* In a pipe, the notes below a table are written to stderr. */
static void facts_say_notes(const struct facts_work *w) {
  const struct fact_sheet *s = &w->sheet;
  for (size_t c = 0; c < s->column_count && !w->p->quiet; c++) {
    struct slice rest = buf_slice(&s->columns[c].measure.notes), line;
    while (concept_list_next(&rest, '\n', &line))
      diag_warn("%.*s", (int)line.len, line.data);
  }
}

/* Where a figure ends long ago, says so: a reader expects the newest report's. */
static void facts_note_old(const struct facts_work *w, struct measure *m) {
  const struct fact_row *newest = m->rows.count ? &m->rows.rows[m->rows.count - 1] : NULL;
  char day[DAY_TEXT];
  int asked = w->o->period || w->o->asked.count || w->o->as_of || w->o->fred || m->company->file;
  if (newest && !asked && day_of_time(clock_now()) - newest->end > OLD_DAYS)
    buf_printf(&m->notes, "%s: company facts have nothing newer than %s\n", m->label,
               day_write(newest->end, day));
}

/* Years between those that are shown in which a figure wasn't reported. */
static void facts_note_gaps(const struct facts_work *w, struct measure *m) {
  const struct fact_rows *rows = &m->rows;
  int each = w->choice.span == FACT_ANNUAL && !m->company->by_day && w->o->asked.count < 2;
  for (size_t i = 1; i < rows->count && each; i++) {
    int from = rows->rows[i - 1].fiscal_year + 1, until = rows->rows[i].fiscal_year - 1;
    if (from == until)
      buf_printf(&m->notes, "%s: company facts have none for FY%d\n", m->label, from);
    else if (from < until)
      buf_printf(&m->notes, "%s: company facts have none for FY%d to FY%d\n", m->label, from, until);
  }
}

static void facts_columns(struct facts_work *w) {
  struct fact_sheet *s = &w->sheet;
  s->span = w->choice.span;
  s->columns = xcalloc(w->company_count * w->o->operands.count + 1, sizeof *s->columns);
  for (size_t i = 0; i < w->o->operands.count; i++)
    for (size_t c = 0; c < w->company_count; c++)
      facts_add_column(w, c, w->o->operands.items[i]);
  if (!s->column_count)
    return;
  int records = !w->o->plot && (facts_format(w) == FACT_JSON || facts_format(w) == FACT_CSV);
  fact_sheet_settle(s, w->limit,
                    w->o->plot ? FACT_SHEET_AXIS
                    : records  ? FACT_SHEET_APART
                               : FACT_SHEET_BESIDE);
  for (size_t c = 0; c < s->column_count; c++) {
    measure_note_fourths(&s->columns[c].measure, s->span);
    facts_note_old(w, &s->columns[c].measure);
    facts_note_gaps(w, &s->columns[c].measure);
  }
  if (w->o->plot)
    chart_draw(w->p, s, w->o->plot);
  else
    fact_write(&w->p->out.buf, s, facts_format(w), w->p->columns);
  if (records)
    facts_say_notes(w);
}

static void facts_statement(struct facts_work *w, size_t company, const char *which, const char *word) {
  struct statement_request ask = {.which = which, .word = word, .table = &w->table, .choice = w->choice};
  ask.company = &w->companies[company];
  ask.splits = &w->splits[company];
  ask.period = w->period;
  int quarters = w->o->period && w->choice.span == FACT_QUARTERLY;
  ask.limit = facts_limit(w->o, quarters ? STATEMENT_QUARTERS : STATEMENT_COLUMNS);
  ask.format = facts_format(w);
  ask.screen = w->p->columns;
  ask.own_file = ask.company->file;
  statement_run(w->p, &ask);
}

/* The words of the table, each with its label and what it stands for. */
static void facts_words(struct facts_work *w) {
  struct buf *out = &w->p->out.buf;
  for (size_t i = 0; i < w->table.word_count; i++) {
    const struct concept_word *word = &w->table.words[i];
    buf_printf(out, "%.*s\n    %.*s: %.*s\n", (int)word->words.len, word->words.data, (int)word->label.len,
               word->label.data, (int)word->alternatives.len, word->alternatives.data);
  }
}

/* Statements, breakdowns, or without a word the key figures. */
static void facts_statements(struct facts_work *w) {
  for (size_t c = 0; c < w->company_count; c++) {
    if (!w->o->segments)
      facts_statement(w, c, w->o->statement ? w->o->statement : "key", NULL);
    for (size_t i = 0; w->o->segments && i < w->o->operands.count; i++)
      facts_statement(w, c, "segments", w->o->operands.items[i]);
  }
}

/* Without options a single document is shown for the span that it is about. */
static void facts_take_document_span(struct facts_work *w) {
  const struct facts_options *o = w->o;
  if (!o->annual && !o->quarterly && !o->trailing && !o->period && w->company_count &&
      fact_is_document(&w->companies[0]))
    w->choice.span = fact_document_span(&w->companies[0], o->statement && strcmp(o->statement, "cash") == 0);
}

static void facts_release(struct facts_work *w) {
  fact_sheet_release(&w->sheet);
  for (size_t i = 0; i < w->company_count; i++)
    fact_company_release(&w->companies[i]);
  free(w->companies);
  free(w->splits);
  concept_table_release(&w->table);
}

/* Names are external text: masks everything except the output's own line ends. */
static void facts_mask(struct buf *out) {
  size_t to = 0;
  for (size_t from = 0, next; from < out->len; from = next) {
    const char *end = memchr(out->data + from, '\n', out->len - from);
    size_t n = (end ? (size_t)(end - out->data) : out->len) - from;
    size_t ends = !end ? 0 : n && end[-1] == '\r' ? 2 : 1; /* CSV ends its lines with both */
    next = from + n + (end != NULL);
    n = mask_in_place(out->data + from, next - from - ends);
    memmove(out->data + to, out->data + from, n);
    memmove(out->data + to + n, ends == 2 ? "\r\n" : "\n", ends);
    to += n + ends;
  }
  out->len = to;
}

/* Makes the records CSV. */
static void facts_csv(struct buf *out) {
  struct buf csv;
  buf_init(&csv, PAGE_MAX);
  fact_write_csv(&csv, buf_slice(out));
  buf_clear(out);
  buf_add_slice(out, buf_slice(&csv));
  buf_release(&csv);
}

/* Wraps the output in a page whose title names the companies and figures. */
static void facts_page(const struct facts_work *w) {
  const struct facts_options *o = w->o;
  struct buf *out = &w->p->out.buf, title, page;
  buf_init(&title, WHY_MAX);
  buf_init(&page, PAGE_MAX);
  if (w->sheet.column_count) {
    fact_sheet_title(&w->sheet, 1, &title);
  } else if (o->screen) {
    buf_printf(&title, "%s, %s", o->screen, o->period);
  } else {
    for (size_t i = 0; i < w->company_count; i++)
      buf_printf(&title, "%s%.*s", i ? ", " : "", (int)w->companies[i].name.len, w->companies[i].name.data);
  }
  html_page_open(&page, buf_slice(&title), slice_str("Every figure leads to the filing that it stands in."));
  buf_add_slice(&page, buf_slice(out));
  html_page_close(&page);
  buf_clear(out);
  buf_add_slice(out, buf_slice(&page));
  buf_release(&page);
  buf_release(&title);
}

/* From here on only shipped tables and the named files are read, and nothing is written but stdout: facts aren't trusted.
 * The helper runs bid-fetch, and writes the picture. */
static void facts_hold(const struct program *p, const struct facts_options *o) {
  static helper_run *const runs[] = {fact_fetch_run, chart_run};
  struct sandbox_scope scope = {.allow = SANDBOX_READ_FILES};
  if (o->plot)
    chart_use(o->plot);
  helper_start(runs, sizeof runs / sizeof *runs);
  paths_may_read(&scope);
  for (size_t i = 0; i < o->files.count; i++)
    sandbox_may_read(&scope, o->files.items[i]);
  if (o->for_plan)
    program_may_read(p, &scope);
  sandbox_enter_scope(&scope);
}

void facts_run(struct program *p, const struct facts_options *o) {
  struct facts_work w = {.p = p, .o = o};
  struct error_text why;
  facts_hold(p, o);
  facts_read_scope(&w);
  if (concept_table_load(&w.table, &why)) {
    diag_warn("%s", why.text);
    program_fail(p, EX_CONFIG);
  } else if (o->for_plan) {
    fact_plan_run(p, &w.table);
  } else if (o->words) {
    facts_words(&w);
  } else if (o->screen) {
    fact_screen_run(p, &w.table, o->screen, o->period, facts_limit(o, ROWS_SCREEN), facts_format(&w));
  } else {
    facts_load(&w);
    facts_take_document_span(&w);
    if (o->statement || o->segments || !o->operands.count)
      facts_statements(&w);
    else
      facts_columns(&w);
  }
  if (facts_format(&w) == FACT_HTML && p->out.buf.len)
    facts_page(&w);
  if (facts_format(&w) == FACT_CSV && p->out.buf.len && !o->for_plan && !o->words)
    facts_csv(&p->out.buf);
  if (facts_format(&w) != FACT_JSON && !o->for_plan)
    facts_mask(&p->out.buf);
  if (facts_format(&w) == FACT_TABLE)
    program_fold(p, 0, SCREEN_HANG_AUTO);
  facts_release(&w);
}
