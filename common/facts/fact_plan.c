/* fact_plan.c: answers the jobs of a plan: which companies, periods and figures, and what is said where one is missing.
 *
 * Company facts have the whole company's figures only.  Figures of parts are tagged in the filings: in the one that reports
 * the period, and in newer ones, which compare with it.  bid-fetch gives the document; its cache has it where an answer was
 * read from it before.  Where the filing doesn't know the part, no figure is given, and an error record says so. */
#include "facts/fact_plan.h"

#include "base/diag.h"
#include "facts/fact_load.h"
#include "facts/fact_screen.h"
#include "facts/member.h"
#include "filing/form.h"
#include "query/plan_json.h"
#include "query/plan_screen.h"
#include "record/error.h"

#include <stdio.h>
#include <stdlib.h>

/* Whether the question's forms, if any, report a company's figures: not those on insiders' trades or holdings. */
static int plan_is_of_reports(const struct plan *plan) {
  for (size_t i = 0; i < plan->form_count; i++)
    if (form_kind_of(plan->forms[i]) != FORM_OTHER)
      return 1;
  return plan->form_count == 0;
}

/* ---- screens ---- */

/* A year's annual reports are there by April of the next one. */
enum { SCREEN_COMPANIES = 25, SCREEN_FILED_BY_MONTH = 4, SCREEN_WHY_MAX = 65536 };

int fact_screen_newest_year(int32_t as_of) {
  int year, month, day;
  day_split(fact_plan_today(as_of), &year, &month, &day);
  return year - (month < SCREEN_FILED_BY_MONTH ? 2 : 1);
}

/* The period of the plan's first window, "CY2024" or "CY2024Q1"; else the newest year that all have reported on. */
static void screen_period(const struct plan *plan, char out[16]) {
  const struct plan_window *w = plan->window_count ? &plan->windows[0] : &(struct plan_window){0};
  int year = w->year, month, day, quarter = w->period <= PART_Q4 ? (int)w->period : 0;
  int32_t ends = fact_window_day(w->ends);
  if (!year && ends != DAY_NONE) {
    day_split(ends, &year, &month, &day);
    quarter = fact_window_day(w->from) > ends - 120 ? (month + 2) / 3 : 0;
  }
  year = year ? year : fact_screen_newest_year(fact_window_day(plan->as_of));
  snprintf(out, 16, quarter ? "CY%04dQ%d" : "CY%04d", year % 10000, quarter % 10);
}

/* Answers a question for all companies that meet a condition: writes the first of them, and an error record with their number
 * and the command that lists all. */
static void plan_screen(struct program *p, const struct concept_table *table, const struct plan *plan,
                        struct slice job) {
  struct screen_rules rules;
  struct slice rest;
  struct buf why;
  char period[16];
  buf_init(&why, SCREEN_WHY_MAX);
  if (plan_screen_read(&rules, table, slice_str(plan->screen), &rest) == 0) {
    screen_period(plan, period);
    fact_screen_answer(&p->out.buf, table, &rules, period, SCREEN_COMPANIES, job, &why);
    fact_plan_say(p, job, ERROR_NO_CONTENT, "%s", why.data);
  }
  plan_screen_release(&rules);
  buf_release(&why);
}

/* ---- figures of a part of the company ---- */

enum { PART_TEXT_MAX = 65536, PART_TIES = 4, PART_LISTED = 12, PART_CALENDAR_DAYS = 400 };

/* Scores so near are equal. */
static const double part_tie = 1e-9;

/* ---- the words that name the part ---- */

/* Reads the words of parts [first, end) of a figure.  Nouns for parts, "segment", count where they are all there is, or not light.
 * Returns whether one of the words counts. */
static int part_read(struct member_phrase *m, const struct plan_figure *figure, size_t first, size_t end,
                     int light) {
  size_t needed = 0;
  m->count = 0;
  for (size_t i = first; i < end; i++)
    needed += member_phrase_read(m, slice_str(figure->parts[i]), 1, light);
  member_phrase_read(m, figure->words, 0, 0);
  return needed > 0;
}

/* ---- the part as a company ---- */

static void part_copy_calendar(struct fact_company *part, const struct fact_company *whole) {
  free(part->years);
  free(part->ends);
  part->years = xreallocarray(NULL, whole->year_count + 1, sizeof *part->years);
  part->ends = xreallocarray(NULL, whole->end_count + 1, sizeof *part->ends);
  if (whole->year_count)
    memcpy(part->years, whole->years, whole->year_count * sizeof *part->years);
  if (whole->end_count)
    memcpy(part->ends, whole->ends, whole->end_count * sizeof *part->ends);
  part->year_count = whole->year_count;
  part->end_count = whole->end_count;
  part->newest = whole->newest;
}

/* The facts of a member, with what the filing says of the company; c: its own facts, or NULL. */
static void part_load(struct fact_company *part, const struct fact_last *last, const struct fact_company *c,
                      const struct member *m) {
  const struct inline_document *d = &last->document;
  fact_company_init(part);
  for (size_t i = 0; i < d->fact_count; i++)
    if (slice_eq(member_key(d->facts[i].context->members, MEMBER_AXES), m->key))
      inline_add_fact(part, d, &d->facts[i]);
  fact_company_settle(part);
  part_copy_calendar(part, c && c->newest + PART_CALENDAR_DAYS > last->filing.newest ? c : &last->filing);
  fact_filing_stamp(part, &last->filed);
  part->name = c && c->name.len ? c->name : last->filing.name;
  part->ticker = c && c->ticker.len ? c->ticker : last->filing.ticker;
  part->cik = c && c->cik.len ? c->cik : slice_str(last->cik);
  part->source = last->filing.source;
  part->url = last->filing.url;
  part->captured = last->filing.captured;
}

static size_t part_write_member(struct fact_plan *f, const struct fact_company *c,
                                const struct plan_figure *word, const struct fact_window *w,
                                const struct member_match *match) {
  struct fact_splits none = {.count = 0};
  struct fact_company part;
  int of_filing = f->of_filing;
  char *title = member_match_title(match);
  part_load(&part, f->last, c, match->member);
  f->part = match->member;
  f->part_title = title;
  f->of_filing = 1;
  size_t count = fact_plan_write(f, &part, &none, word, w);
  f->of_filing = of_filing;
  f->part = NULL;
  fact_company_release(&part);
  free(title);
  return count;
}

/* Undoes what was written since. */
static void part_undo(struct fact_plan *f, size_t start, size_t written) {
  f->p->out.buf.len = start;
  f->written_count = written;
}

/* A part of two parts, "Streaming, Latin America", of which the phrase names one. */
static int part_is_half(const struct member_match *m) {
  return member_is_crossed(m->member->key) && m->score < 1 - part_tie;
}

/* Writes the figures of the members that fit best and have the figure. */
static size_t part_write_best(struct fact_plan *f, const struct fact_company *c,
                              const struct plan_figure *word, const struct fact_window *w,
                              const struct member_match *found, size_t n) {
  size_t count = 0, members = 0;
  double best = 0;
  for (size_t i = 0; i < n && members < PART_TIES && found[i].score > best - part_tie; i++) {
    size_t one = part_is_half(&found[i]) ? 0 : part_write_member(f, c, word, w, &found[i]);
    best = one ? found[i].score : best;
    count += one;
    members += one > 0;
  }
  return count;
}

static size_t part_write_matches(struct fact_plan *f, const struct fact_company *c,
                                 const struct plan_figure *word, const struct fact_window *w,
                                 const struct member_phrase *phrase) {
  struct member_match found[MEMBER_MATCH_MOST];
  return part_write_best(f, c, word, w, found, member_match_find(&f->last->members, phrase, found));
}

/* Writes each of several parts, "iPhone and Mac", or none where one is missing. */
static size_t part_write_each(struct fact_plan *f, const struct fact_company *c,
                              const struct plan_figure *word, const struct fact_window *w, int light) {
  size_t count = 0, start = f->p->out.buf.len, had = f->written_count;
  struct member_phrase phrase;
  for (size_t i = 0; i < word->part_count; i++) {
    size_t one = part_read(&phrase, word, i, i + 1, light) ? part_write_matches(f, c, word, w, &phrase) : 0;
    if (!one) {
      part_undo(f, start, had);
      return 0;
    }
    count += one;
  }
  return count;
}

/* Whether a member belongs to a breakdown by an axis. Crossed members do where all of them share the other side. */
static int part_is_of_axis(const struct member *m, struct slice noun, int crossed, struct slice *other) {
  if (member_is_crossed(m->key) != crossed)
    return 0;
  if (!crossed)
    return member_match_axis(m->key, noun);
  int second = member_match_axis(member_side(m->key, 1), noun);
  if (!noun.len || second == member_match_axis(member_side(m->key, 0), noun))
    return 0;
  struct slice rest = member_side(m->key, !second);
  *other = other->len ? *other : rest;
  return slice_eq(*other, rest);
}

/* Writes all members of the axis of a breakdown; one alone is no breakdown. */
static size_t part_write_axis(struct fact_plan *f, const struct fact_company *c,
                              const struct plan_figure *word, const struct fact_window *w, struct slice noun,
                              int crossed) {
  const struct member_list *list = &f->last->members;
  size_t count = 0, members = 0, start = f->p->out.buf.len, had = f->written_count;
  struct slice other = {NULL, 0};
  for (size_t i = 0; i < list->count && members < PART_LISTED; i++) {
    const struct member *m = &list->members[i];
    size_t one = part_is_of_axis(m, noun, crossed, &other)
                     ? part_write_member(f, c, word, w, &(struct member_match){m, m->label_count > 0, 1})
                     : 0;
    count += one;
    members += one > 0;
  }
  if (members == 1)
    part_undo(f, start, had);
  return members > 1 ? count : 0;
}

static size_t part_write_phrase(struct fact_plan *f, const struct fact_company *c,
                                const struct plan_figure *word, const struct fact_window *w, int strict) {
  struct member_phrase phrase;
  size_t count = 0;
  if (word->as == PLAN_AS_BREAKDOWN) {
    count = part_write_axis(f, c, word, w, word->axis, 0);
    return count ? count : part_write_axis(f, c, word, w, word->axis, 1);
  }
  for (int light = 0; light < 2 - strict && !count; light++) {
    if (part_read(&phrase, word, 0, word->part_count, light))
      count = part_write_matches(f, c, word, w, &phrase);
    count = count ? count : part_write_each(f, c, word, w, light);
  }
  return count;
}

/* ---- the filings ---- */

/* The filing of the window, or the newest. */
static const struct fact_company *part_filing(struct fact_plan *f, const struct fact_window *w, int newest) {
  return newest ? fact_last_newest(f->last, w->span != FACT_ANNUAL && w->span != FACT_TRAILING, f->as_of)
                : fact_last_filing(f->last, w, f->as_of);
}

/* Lists the members of one axis, or of two, that have a figure; returns how many. */
static size_t part_list_members(const struct fact_plan *f, struct slice concepts, int crossed,
                                struct buf *out) {
  const struct member_list *list = &f->last->members;
  size_t listed = 0;
  for (size_t i = 0; i < list->count && listed < PART_LISTED; i++) {
    const struct member *m = &list->members[i];
    if (member_is_crossed(m->key) != crossed || !member_has_figure(m, &f->last->document, concepts))
      continue;
    char *title = member_match_title(&(struct member_match){m, m->label_count > 0, 1});
    buf_printf(out, "%s%s", listed++ ? "; " : "", title);
    free(title);
  }
  return listed;
}

/* The parts that the filing breaks a figure down by, for a message. */
static void part_list_all(const struct fact_plan *f, const struct plan_figure *word, struct buf *out) {
  const struct concept_word *known = concept_word_find(f->table, slice_str(word->figure));
  struct buf parts;
  buf_init(&parts, PART_TEXT_MAX);
  size_t listed = known ? part_list_members(f, known->alternatives, 0, &parts) : 0;
  if (listed < 2 && known) {
    buf_clear(&parts);
    listed = part_list_members(f, known->alternatives, 1, &parts);
  }
  if (listed)
    buf_printf(out, "; it breaks %s down by: %s", word->figure, parts.data);
  buf_release(&parts);
}

/* Appends that the filing doesn't tag the part, and which parts it tags. */
static void part_note_none(struct fact_plan *f, const struct plan_figure *word, struct slice name,
                           struct buf *note) {
  char day[DAY_TEXT];
  buf_printf(note, "%.*s: '%.*s' asks for a part of the company, and the %.*s filed %s tags no such part",
             (int)name.len, name.data, (int)word->words.len, word->words.data, (int)f->last->filed.form.len,
             f->last->filed.form.data, day_write(f->last->filed.filed, day));
  part_list_all(f, word, note);
}

/* Tries the filings in turn; where none has the figure, note says what the first of them has. */
static size_t part_write_any(struct fact_plan *f, const struct fact_company *c,
                             const struct plan_figure *word, const struct fact_window *w, int strict,
                             struct buf *note) {
  struct slice name = c ? c->name : slice_of(NULL, 0);
  size_t count = 0;
  for (int newest = 0, done = 0; newest < 2 && !done; newest++) {
    const struct fact_company *filing = part_filing(f, w, newest);
    count = filing ? part_write_phrase(f, c, word, w, strict) : 0;
    if (filing && !count && !note->len)
      part_note_none(f, word, name.len ? name : filing->name, note);
    done = count || filing != NULL; /* the period's own filing has it, or no other does */
  }
  if (!count && !note->len)
    buf_printf(
        note,
        "%.*s: '%.*s' asks for a part of the company, whose figures only its filings have; none could be "
        "had: %s",
        name.len ? (int)name.len : (int)strlen(f->last->cik), name.len ? name.data : f->last->cik,
        (int)word->words.len, word->words.data, f->last->filing_why.text);
  return count;
}

/* Writes the figures of the parts of a figure in a window as records; says where there are none.  c: the company's facts, for its
 * fiscal years, or NULL.  Returns how many. */
static size_t plan_write_part(struct fact_plan *f, const struct fact_company *c,
                              const struct plan_figure *word, const struct fact_window *w) {
  struct buf note;
  buf_init(&note, PART_TEXT_MAX);
  size_t count = part_write_any(f, c, word, w, 0, &note);
  if (!count)
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%s", note.data);
  buf_release(&note);
  return count;
}

/* The same for a phrase that probably means another thing: every word has to name the part, and no error is reported. */
static size_t plan_try_part(struct fact_plan *f, const struct fact_company *c, const struct plan_figure *word,
                            const struct fact_window *w) {
  struct buf note;
  buf_init(&note, PART_TEXT_MAX);
  size_t start = f->p->out.buf.len, count = part_write_any(f, c, word, w, 1, &note);
  if (!count)
    f->p->out.buf.len = start;
  buf_release(&note);
  return count;
}

/* ---- figures ---- */

enum { PLAN_TEXT_MAX = 65536 };

enum { J_PLAN, J_JOB };
static const char *const plan_fields[] = {"plan", "job", NULL};

struct fact_plan_run {
  const struct concept_table *table;
  struct plan *plan;
  struct buf texts; /* of the plan */
  struct fact_last last;
};

static int is_of_part(const struct plan_figure *f) {
  return f->part_count || f->as == PLAN_AS_BREAKDOWN;
}

/* Whether it is a figure of the table: not a phrase that means another thing. */
static int is_figure(const struct plan_figure *f) {
  return f->as != PLAN_AS_OTHER && f->as != PLAN_AS_UNKNOWN;
}

/* Writes a figure of shares that a filing has for each class of them alone. */
static size_t plan_write_classes(struct fact_plan *f, const struct fact_company *c,
                                 const struct plan_figure *word, const struct fact_window *w) {
  if (!measure_is_of_shares(f->table, slice_str(word->figure)) || !part_filing(f, w, w->named ? 0 : 1))
    return 0;
  return part_write_axis(f, c, word, w, slice_str("class"), 0);
}

/* Writes the figures of the whole company in a window; returns how many. */
static size_t plan_write_whole(struct fact_plan *f, const struct fact_company *c,
                               const struct fact_splits *splits, const struct fact_window *w) {
  size_t count = 0;
  for (size_t i = 0; i < f->plan->figure_count; i++) {
    const struct plan_figure *word = &f->plan->figures[i];
    if (!is_figure(word) || is_of_part(word))
      continue;
    size_t one = fact_plan_write(f, c, splits, word, w), classes = 0;
    if (!one && (f->unreported[i] || f->of_filing))
      classes = plan_write_classes(f, c, word, w);
    f->unreported[i] &= !classes;
    count += one + classes;
  }
  return count;
}

/* Writes the figures of a window out of the filing that reports it; returns how many. */
static size_t plan_write_filing(struct fact_plan *f, const struct fact_window *w) {
  const struct fact_company *c = fact_last_filing(f->last, w, f->as_of);
  struct fact_splits none = {.count = 0};
  f->of_filing = 1;
  size_t count = c ? plan_write_whole(f, c, &none, w) : 0;
  f->of_filing = 0;
  return count;
}

/* Writes the figures of parts of the company that are asked for in a window; c may be NULL. */
static void plan_write_parts(struct fact_plan *f, const struct fact_company *c, const struct fact_window *w) {
  for (size_t i = 0; i < f->plan->figure_count; i++)
    if (is_figure(&f->plan->figures[i]) && is_of_part(&f->plan->figures[i]))
      plan_write_part(f, c, &f->plan->figures[i], w);
}

/* Whether a figure of the whole company is among those asked for. */
static int plan_asks_whole(const struct fact_plan *f) {
  for (size_t i = 0; i < f->plan->figure_count; i++)
    if (is_figure(&f->plan->figures[i]) && !is_of_part(&f->plan->figures[i]))
      return 1;
  return 0;
}

/* Writes the figures of a window; a named period without any becomes an error record. */
static void plan_write_window(struct fact_plan *f, const struct fact_company *c,
                              const struct fact_splits *splits, const struct fact_window *w) {
  f->newest[0] = '\0';
  plan_write_parts(f, c, w);
  if (!plan_asks_whole(f))
    return;
  size_t count = plan_write_whole(f, c, splits, w);
  if (count)
    fact_plan_note_age(f, c, w);
  else
    count = plan_write_filing(f, w);
  if (count == 0 && f->plan->currency[0] && !f->newest[0])
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT, "%.*s: no figure in %s", (int)c->name.len, c->name.data,
                  f->plan->currency);
  if (count == 0 && w->named && f->newest[0])
    fact_plan_say(f->p, f->job, ERROR_NO_CONTENT,
                  "%.*s: no figure of the period that the question names; the newest is of %s",
                  (int)c->name.len, c->name.data, f->newest);
}

/* Writes what the filings tag, for a company whose facts can't be loaded. */
static void plan_company_filings(struct fact_plan *f, const char *cik) {
  size_t found = 0;
  for (size_t k = 0; k < f->windows.count; k++) {
    found += plan_write_filing(f, &f->windows.list[k]);
    plan_write_parts(f, NULL, &f->windows.list[k]);
  }
  if (plan_asks_whole(f))
    fact_plan_say(f->p, f->job, ERROR_UNAVAILABLE, "the reported figures of CIK %s could not be had%s%s%s",
                  *cik ? cik : "?", f->last->why.text[0] ? ": " : "", f->last->why.text,
                  found ? "; those of one filing are given" : "");
}

static void plan_company(struct fact_plan *f, const struct plan_company *company) {
  struct fact_splits splits;
  const struct fact_company *c = fact_last_company(f->last, company->cik, company->ticker);
  f->written_count = 0;
  memset(f->unreported, 0, sizeof f->unreported);
  if (c == NULL) {
    plan_company_filings(f, company->cik);
    return;
  }
  fact_splits_find(&splits, c, f->as_of);
  for (size_t k = 0; k < f->windows.count; k++) {
    f->newest_end = DAY_NONE;
    plan_write_window(f, c, &splits, &f->windows.list[k]);
    fact_plan_compare_ends(f, c, k);
  }
  fact_plan_say_unreported(f, c);
}

/* Tries phrases that usually mean another thing as names of a part of the company.  Returns the number of figures written. */
static size_t plan_try_parts(struct fact_plan *f) {
  const struct plan *plan = f->plan;
  size_t count = 0;
  for (size_t n = 0; n < plan->company_count; n++) {
    const struct fact_company *c =
        fact_last_company(f->last, plan->companies[n].cik, plan->companies[n].ticker);
    f->written_count = 0;
    for (size_t k = 0; k < f->windows.count; k++)
      for (size_t i = 0; i < plan->figure_count; i++)
        if (plan->figures[i].part_count)
          count += plan_try_part(f, c, &plan->figures[i], &f->windows.list[k]);
  }
  return count;
}

/* Writes the figures that the question asks for, of all companies of its plan. */
static void plan_answer(struct fact_plan *f) {
  const struct plan *plan = f->plan;
  size_t known = 0;
  fact_windows_read(&f->windows, plan);
  f->as_of = fact_window_day(plan->as_of);
  for (size_t i = 0; i < plan->figure_count; i++)
    known += (size_t)is_figure(&plan->figures[i]);
  if (!known && plan->figure_count && !plan_try_parts(f))
    for (size_t i = 0; i < plan->figure_count; i++)
      if (plan->figures[i].as == PLAN_AS_OTHER || plan->company_count)
        fact_plan_say_other(f, plan->figures[i].words);
  for (size_t i = 0; known && i < plan->company_count; i++)
    plan_company(f, &plan->companies[i]);
}

static int plan_record(struct program *p, const struct record *rec, void *arg) {
  struct fact_plan_run *run = arg;
  struct fact_plan f = {.p = p,
                        .table = run->table,
                        .plan = run->plan,
                        .last = &run->last,
                        .as_of = DAY_NONE,
                        .job = rec->field[J_JOB]};
  if (plan_read_json(rec->field[J_PLAN], run->plan, &run->texts))
    program_error(p, rec, ERROR_INVALID_REQUEST, slice_of(NULL, 0), slice_of(NULL, 0),
                  "no job with a plan (bid-plan writes them)");
  else if (run->plan->screen[0] && plan_is_of_reports(run->plan))
    plan_screen(p, run->table, run->plan, f.job);
  else if (plan_is_of_reports(run->plan))
    plan_answer(&f);
  return 0;
}

void fact_plan_run(struct program *p, const struct concept_table *table) {
  struct fact_plan_run run = {.table = table, .plan = xcalloc(1, sizeof *run.plan)};
  buf_init(&run.texts, PLAN_TEXT_MAX);
  fact_last_init(&run.last);
  program_each_record(p, plan_fields, plan_record, &run);
  buf_release(&run.texts);
  fact_last_release(&run.last);
  free(run.plan);
}
