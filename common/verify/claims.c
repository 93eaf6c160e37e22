/* claims.c: a verdict for each number of an answer: found, contradicted, unsupported, or unsure.
 *
 * The figure that has the number (claims_found) and the figures that the number could be meant for instead are compared aspect by aspect.
 * One table of rules makes the verdict of it and names the reason. */
#include "verify/claims.h"
#include "tables/changes.h"
#include "text/sentence.h"
#include "verify/match.h"
#include "verify/periods.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SAME 0.6 /* share of a label's words in the sentence, to be about the same */

#define LINE_DOUBTED -.7 /* from which log odds on a number may be another line's */

/* Log odds besides the difference of two lines' scores, fitted with them (match.c). */
static const double odds_another = -1.8, /* that the number is another line's */
    odds_bare = -1.4,                    /* its clause names nothing */
    odds_column = 2.8;                   /* the clause names the other column of the row */

/* ---- the figure with the number ---- */

/* How well a figure that has the number fits the sentence otherwise. */
static double claims_fit(const struct claim_view *v, const struct match *m) {
  static const double of_agree[] = {[UNSAID] = .5, [AGREES] = 1, [DIFFERS] = -1};
  double fit = claim_about(v->s, m->item) + of_agree[m->year];
  fit += m->span == DIFFERS ? -1 : m->span == AGREES ? .5 : 0;
  fit -= v->direction && m->item->direction && m->item->direction != v->direction ? .25 : 0;
  return fit - (m->company == DIFFERS ? 1 : 0);
}

static const struct match *claims_found(const struct claim_view *v, const struct match *all) {
  const struct match *best = NULL;
  for (size_t i = 0; i < v->s->e->count; i++)
    if (all[i].value &&
        !(all[i].item->in_table && all[i].kind == DIFFERS && all[i].item->direction && v->n->percent &&
          !v->direction) &&
        (!best || claims_fit(v, &all[i]) > claims_fit(v, best)))
      best = &all[i];
  return best;
}

/* ---- other figures for which the number could be meant ---- */

/* Whether two figures could stand for each other. */
static int rival_is_like(const struct claim_view *v, const struct match *rival, const struct match *found) {
  const struct evidence_item *a = rival->item, *b = found->item;
  double scale =
      a->scale.any && v->n->scaled && b->value != 0 ? fabs(v->n->value / b->value) : a->scale.caption;
  double ratio = a->value != 0 ? fabs(v->n->value / (a->value * scale)) : 0;
  const double *told = rival->signs;
  /* "$383,000 in 2016" is the row of that year, and no total of years */
  int of_year = b->in_table && found->year == AGREES && b->when.row_year == v->year && rival->year == UNSAID;
  return !of_year && rival->peer && (rival->kind != DIFFERS || a->kind == b->kind) &&
         told[SIGN_OWN] + told[SIGN_OTHER] + told[SIGN_PLACE] > 0 && a != b && a->in_table == b->in_table &&
         (!a->in_table || a->shares == b->shares) && ratio < 2000 && ratio > 1 / 2000.0;
}

/* The number of the sentence, other than the claim's, that has a figure's value; NULL for none. */
static const struct stated_number *rival_number(const struct claim_view *v,
                                                const struct evidence_item *item) {
  const struct stated *s = &v->s->stated;
  for (size_t k = 0; k < s->number_count; k++)
    if (&s->numbers[k] != v->n && match_value(&s->numbers[k], item))
      return &s->numbers[k];
  return NULL;
}

struct claims_sentence {
  struct claim_sentence s;
  struct claim_view *views;
  struct match **matches; /* of each number */
};

/* Whether the sentence tells the column of one figure of a row, "Class C", or the heading above one of two lines of a name, and nothing
 * that only the other's has. */
static int rival_is_column(const struct claim_view *v, const struct evidence_item *rival,
                           const struct evidence_item *found) {
  struct evidence_words its = evidence_words_without(&rival->place, &found->place);
  struct evidence_words own = evidence_words_without(&found->place, &rival->place);
  size_t told, other;
  evidence_overlap(&its, &v->s->words, &told);
  evidence_overlap(&own, &v->s->words, &other);
  int namesake = rival->in_table && rival->cell.column == found->cell.column && rival->words.count &&
                 slice_eq(rival->label, found->label);
  return (rival->row == found->row ? told > 0 : namesake && (told || own.count)) && told == its.count &&
         !other;
}

/* The log odds that the number is a rival's instead of that of the figure that has it: by the scores of their lines; where another
 * number of the sentence has the rival's value, the two clauses are compared with both figures. */
static double rival_odds(const struct claims_sentence *x, size_t k, const struct match *found,
                         const struct match *rival) {
  const struct claim_view *v = &x->views[k];
  const struct evidence_item *a = rival->item, *b = found->item;
  const struct stated_number *other = rival_number(v, a);
  if (a->prose.list > 1 && a->row == b->row && a->prose.first == b->prose.first && !a->prose.others.count)
    return -INFINITY; /* the numbers of a list have one name */
  double odds = odds_another + rival->score - found->score + (v->bare ? odds_bare : 0) +
                (rival_is_column(v, rival->item, found->item) ? odds_column : 0);
  if (!other)
    return odds;
  const struct match *its = x->matches[other - x->s.stated.numbers];
  size_t f = (size_t)(found - x->matches[k]), r = (size_t)(rival - x->matches[k]);
  return its[f].peer ? odds + its[f].score - its[r].score : -INFINITY;
}

#ifdef CLAIMS_SIGNS /* for test/quality/verify/fit.py */
#include <stdio.h>
static void rival_print(const struct claims_sentence *x, size_t k, const struct match *found,
                        const struct match *rival) {
  const struct claim_view *v = &x->views[k];
  const struct stated_number *other = rival_number(v, rival->item);
  const struct match *its = other ? x->matches[other - x->s.stated.numbers] : NULL;
  fprintf(stderr, "signs %zu %d %d %d", k, found->item->in_table, v->bare,
          rival_is_column(v, rival->item, found->item));
  for (int i = 0; i < MATCH_SIGNS; i++)
    fprintf(stderr, " %g",
            rival->signs[i] - found->signs[i] +
                (its ? its[found - x->matches[k]].signs[i] - its[rival - x->matches[k]].signs[i] : 0));
  fputc('\n', stderr);
}
#else
#define rival_print(x, k, found, rival) (void)0
#endif

/* The figure whose line the claim most likely means instead of found's; NULL where there is none. */
static const struct match *claims_rival(const struct claims_sentence *x, size_t k, const struct match *found,
                                        double *odds) {
  const struct claim_view *v = &x->views[k];
  const struct match *all = x->matches[k], *best = NULL;
  *odds = LINE_DOUBTED;
  for (size_t i = 0; i < v->s->e->count; i++) {
    double more = rival_is_like(v, &all[i], found) ? rival_odds(x, k, found, &all[i]) : -INFINITY;
    if (more > -INFINITY)
      rival_print(x, k, found, &all[i]);
    if (more > *odds) {
      *odds = more;
      best = &all[i];
    }
  }
  return best;
}

/* ---- findings: what of a claim agrees and differs ---- */

enum aspect {
  A_QUOTED,
  A_VALUE,
  A_COMPANY,
  A_YEAR,
  A_SPAN,
  A_SIGN,
  A_LINE,
  A_CURRENCY,
  A_COMPUTED,
  A_OTHER,
  ASPECTS
};

enum shown { SHOW_FOUND, SHOW_ROW, SHOW_RIVAL, SHOW_NONE };

struct finding {
  enum agree is[ASPECTS];
  const struct evidence_item *shown[SHOW_NONE + 1]; /* by enum shown */
  enum match_value value;
  double odds; /* of another line */
  struct claim_computation computed;
};

/* The same line in the year, the span and on the day that the sentence names; where no figure is of the day, of any; NULL for none. */
static const struct evidence_item *finding_row(const struct claim_view *v,
                                               const struct evidence_item *found) {
  const struct evidence_item *any = NULL;
  for (const struct evidence_item *item = v->s->e->items; item < v->s->e->items + v->s->e->count; item++) {
    if (item->row != found->row || item == found || (v->year && item->when.year != v->year) ||
        (v->months && item->when.months && item->when.months != v->months) || item->percent != found->percent)
      continue;
    if (v->day && item->when.day == v->day)
      return item;
    any = any ? any : item;
  }
  return any;
}

/* Whether nothing that the sentence says ties a small per cent to a figure, no word of its line, its column or its sentence
 * and no synonym: "29%" may be of anything, which an amount of many digits is not. */
static int finding_is_loose(const struct claim_view *v, const struct match *found) {
  enum { FEW_DIGITS = 100 };
  const struct evidence_item *item = found->item;
  size_t common, beside;
  evidence_overlap(&item->words, &v->s->words, &common);
  evidence_overlap(&item->place, &v->s->words, &beside);
  return item->mark && !item->field && v->n->percent && fabs(v->n->value / v->n->last) < (double)FEW_DIGITS &&
         common == 0 && (beside == 0 || !item->in_table) && !claim_has_concept(v->s, item->concept);
}

/* Whether the figure is of another span or day than the number: "was $5 in 2025" of a quarter's, where neither the sentence nor one before
 * it speaks of less than a year. */
static enum agree finding_span(const struct claim_view *v, const struct match *found,
                               const struct evidence_item *row) {
  const struct evidence_when *is = &found->item->when;
  int part = v->year && !v->months && !v->s->told_months && !v->quarter && !v->day && found->item->mark &&
             !found->item->direction && is->months > 0 && is->months < 12;
  int other_day = v->day && is->day && is->day != v->day && row && row->when.day == v->day;
  return found->item->in_table && (part || other_day) ? DIFFERS : found->span;
}

static enum agree finding_line(const struct claim_view *v, const struct match *found,
                               const struct match *rival) {
  const struct evidence_item *item = found->item;
  if (rival || found->signs[SIGN_OPPOSITE] > 0 ||
      (found->signs[SIGN_NAME] > 0 && claim_about(v->s, item) < LINE_SAME))
    return DIFFERS;
  return finding_is_loose(v, found) || (item->mark && owner_lacks_place(v->s->owners, item->mark, v->s->text))
             ? DOUBTFUL
             : AGREES;
}

/* Compares the figure with the number. */
static void finding_of_found(const struct claims_sentence *x, size_t k, const struct match *found,
                             struct finding *f) {
  const struct claim_view *v = &x->views[k];
  const struct evidence_item *item = found->item;
  f->value = found->value;
  f->is[A_VALUE] = AGREES;
  f->is[A_QUOTED] = item->mark && item->mark == v->s->quoted ? AGREES : UNSAID;
  f->is[A_COMPANY] = found->company;
  f->is[A_YEAR] = found->year;
  f->shown[SHOW_FOUND] = item;
  f->shown[SHOW_ROW] = finding_row(v, item);
  if (!item->in_table && !item->when.year && v->year && f->shown[SHOW_ROW])
    f->is[A_YEAR] = DIFFERS; /* its sentence has another number for the year */
  f->is[A_SPAN] = finding_span(v, found, f->shown[SHOW_ROW]);
  f->is[A_SIGN] = match_sign(v, item);
  const struct match *rival = claims_rival(x, k, found, &f->odds);
  f->is[A_LINE] = finding_line(v, found, rival);
  f->odds = rival ? f->odds : 0;
  f->shown[SHOW_RIVAL] = rival ? rival->item : item;
}

/* ---- rules and odds ---- */

/* What besides the rule says whether a number is false. */
enum claims_sign {
  OF_HEDGE,  /* "about", "more than" */
  OF_PART,   /* "a third" */
  OF_YEAR,   /* a year is told */
  OF_WORDS,  /* tens of words of the sentence, up to two */
  OF_SCORE,  /* a fifth of the score of its figure's line in a table */
  OF_RIVAL,  /* the odds of another line */
  OF_OTHERS, /* how many other numbers the sentence has, up to three, none of which is of the other line */
  CLAIMS_SIGN_COUNT
};

/* Of numbers that no figure has, and that one has: fitted by fit.py of test/quality/verify, as the rules' odds are. */
static const double claims_weights[2][CLAIMS_SIGN_COUNT] = {
    [0] = {[OF_HEDGE] = -0.53, [OF_PART] = 1.02, [OF_YEAR] = -0.2, [OF_WORDS] = -1.88},
    [1] = {[OF_HEDGE] = -1.58,
           [OF_PART] = -0.27,
           [OF_YEAR] = -0.63,
           [OF_WORDS] = -0.14,
           [OF_SCORE] = -0.53,
           [OF_RIVAL] = 0.51,
           [OF_OTHERS] = -1.85},
};

/* From which log odds on a number is doubted, and is taken for false. */
#define ODDS_DOUBTED -1.1
#define ODDS_FALSE -.2

struct claims_rule {
  enum aspect aspect;
  enum agree is;
  enum claim_verdict best, worst; /* where the odds are low, and high */
  const char *how;                /* NULL: as the value */
  enum shown shown;
  double odds; /* that the number is false */
};

/* The first that holds decides. */
static const struct claims_rule rules[] = {
    {A_QUOTED, AGREES, CLAIM_FOUND, CLAIM_FOUND, NULL, SHOW_FOUND, -5},
    {A_COMPANY, DIFFERS, CLAIM_UNSURE, CLAIM_CONTRADICTED, "other company", SHOW_FOUND, 4.09},
    {A_SPAN, DIFFERS, CLAIM_UNSURE, CLAIM_CONTRADICTED, "other period", SHOW_ROW, 3.8},
    {A_YEAR, DIFFERS, CLAIM_UNSURE, CLAIM_CONTRADICTED, "other year", SHOW_ROW, 4.08},
    {A_SIGN, DIFFERS, CLAIM_UNSURE, CLAIM_CONTRADICTED, "other sign", SHOW_FOUND, 5.01},
    {A_LINE, DIFFERS, CLAIM_FOUND, CLAIM_CONTRADICTED, "other line", SHOW_RIVAL, 1.97},
    {A_LINE, DOUBTFUL, CLAIM_FOUND, CLAIM_UNSUPPORTED, NULL, SHOW_FOUND, 1.5},
    {A_VALUE, AGREES, CLAIM_FOUND, CLAIM_UNSUPPORTED, NULL, SHOW_FOUND, -1.19},
    {A_COMPUTED, AGREES, CLAIM_FOUND, CLAIM_UNSUPPORTED, "computed", SHOW_FOUND, -1.82},
    {A_CURRENCY, DIFFERS, CLAIM_UNSURE, CLAIM_CONTRADICTED, "other currency", SHOW_FOUND, 5},
    {A_COMPUTED, DOUBTFUL, CLAIM_UNSURE, CLAIM_UNSUPPORTED, "computed", SHOW_FOUND, 0.9},
    {A_OTHER, AGREES, CLAIM_UNSURE, CLAIM_CONTRADICTED, "other value", SHOW_RIVAL, 3.91},
    {A_VALUE, UNSAID, CLAIM_UNSURE, CLAIM_UNSUPPORTED, NULL, SHOW_NONE, 2.33},
};

static void claims_signs(const struct claim_view *v, const struct match *found, const struct finding *f,
                         double *x) {
  x[OF_HEDGE] = v->n->hedged;
  x[OF_PART] = v->n->part;
  x[OF_YEAR] = v->year != 0;
  x[OF_WORDS] = fmin(20, (double)v->s->words.count) / 10;
  x[OF_SCORE] = found && found->item->in_table ? fmax(-1, fmin(3, found->score / 5)) : 0;
  x[OF_OTHERS] = f->is[A_LINE] == DIFFERS && rival_number(v, f->shown[SHOW_RIVAL])
                     ? 0
                     : fmin(3, (double)v->s->stated.number_count - 1);
  x[OF_RIVAL] = fmax(-1, fmin(4, f->odds));
}

#ifdef CLAIMS_SIGNS /* for test/quality/verify/fit.py */
static void rule_print(size_t number, const struct claims_rule *r, const struct finding *f, const double *x) {
  fprintf(stderr, "number %zu %d %d", number, (int)(r - rules), f->is[A_VALUE] == AGREES);
  for (int i = 0; i < CLAIMS_SIGN_COUNT; i++)
    fprintf(stderr, " %g", x[i]);
  fputc('\n', stderr);
}
#define claims_print() fputs("answer\n", stderr)
#else
#define claims_print() (void)0
#define rule_print(number, r, f, x) (void)(number)
#endif

static void claims_decide(struct claim *c, size_t number, const struct finding *f, const double *x) {
  static const char *const of_value[] = {
      [VALUE_SAME] = "same", [VALUE_ROUNDED] = "rounded", [VALUE_SCALED] = "scaled"};
  const struct claims_rule *r = rules;
  while (f->is[r->aspect] != r->is)
    r++;
  double odds = r->odds;
  for (int i = 0; i < CLAIMS_SIGN_COUNT; i++)
    odds += claims_weights[f->is[A_VALUE] == AGREES][i] * x[i];
  rule_print(number, r, f, x);
  c->verdict = odds > ODDS_FALSE ? r->worst : odds > ODDS_DOUBTED ? CLAIM_UNSURE : r->best;
  enum shown shown = c->verdict == CLAIM_CONTRADICTED ? r->shown
                     : r->shown == SHOW_NONE          ? SHOW_NONE
                                                      : SHOW_FOUND;
  c->item = c->verdict == CLAIM_UNSUPPORTED ? NULL : f->shown[shown];
  c->item = shown == SHOW_ROW && !c->item ? f->shown[SHOW_FOUND] : c->item;
  c->against = c->verdict == CLAIM_UNSURE ? f->shown[SHOW_RIVAL] : NULL;
  c->how = c->verdict == CLAIM_FOUND && f->is[A_VALUE] == AGREES ? of_value[f->value]
           : c->verdict == CLAIM_UNSUPPORTED                     ? NULL
                                                                 : r->how;
  c->computed = f->computed;
}

/* ---- values that no figure has ---- */

/* A fact that has the number, but in another currency. */
static const struct evidence_item *claims_in_other_currency(const struct claim_view *v) {
  struct stated_number bare = *v->n;
  bare.currency = 0;
  for (size_t i = 0; v->n->currency && i < v->s->e->count; i++) {
    const struct evidence_item *item = &v->s->e->items[i];
    if (!item->mark && v->s->cited[i] && match_other_currency(v->n, item) && match_value(&bare, item) &&
        (!v->year || !item->when.year || item->when.year == v->year))
      return item;
  }
  return NULL;
}

/* The figure with another value that the sentence names best. */
static const struct evidence_item *claims_other_value(const struct claim_view *v, const struct match *all) {
  const struct evidence_item *best = NULL;
  double most = LINE_SAME;
  for (size_t i = 0; i < v->s->e->count; i++) {
    double about = all[i].peer && all[i].kind != DIFFERS ? claim_about(v->s, all[i].item) : 0;
    if (about > most || (about >= most && !best)) {
      most = about;
      best = all[i].item;
    }
  }
  return best;
}

static void claims_judge(struct claim *c, const struct claims_sentence *x, size_t k) {
  const struct claim_view *v = &x->views[k];
  const struct match *found = claims_found(v, x->matches[k]);
  struct finding f = {.value = VALUE_OTHER};
  if (found)
    finding_of_found(x, k, found, &f);
  if (!found || f.is[A_LINE] == DIFFERS) {
    static const enum agree of_found[] = {UNSAID, DOUBTFUL, AGREES};
    f.is[A_COMPUTED] = of_found[relation_find(v, &f.computed)];
    /* the change of its own row is the figure once more */
    if (found && (f.is[A_COMPUTED] == DOUBTFUL ||
                  (f.is[A_COMPUTED] == AGREES && f.computed.operands[0]->row == found->item->row &&
                   strcmp(f.computed.relation, "sum") != 0)))
      f.is[A_COMPUTED] = UNSAID;
    f.is[A_LINE] = f.is[A_COMPUTED] == AGREES ? UNSAID : f.is[A_LINE];
  }
  if (!found) {
    const struct evidence_item *foreign = f.is[A_COMPUTED] == AGREES ? NULL : claims_in_other_currency(v);
    f.shown[SHOW_FOUND] = foreign ? foreign : f.computed.operands[0];
    f.is[A_CURRENCY] = foreign ? DIFFERS : UNSAID;
    f.shown[SHOW_RIVAL] = claims_other_value(v, x->matches[k]);
    f.is[A_OTHER] = f.shown[SHOW_RIVAL] ? AGREES : UNSAID;
  }
  double signs[CLAIMS_SIGN_COUNT];
  claims_signs(v, found, &f, signs);
  claims_decide(c, k, &f, signs);
}

/* ---- directions: "rose from 70 to 72", "fell to $5" ---- */

static int move_is_behind(const struct claim_view *v, size_t at, const char *word) {
  size_t n = strlen(word);
  return at >= n && slice_at_nocase(v->s->text, at - n, word);
}

static void move_contradict(struct claim *claim, const struct evidence_item *item, const char *how) {
  claim->verdict = CLAIM_CONTRADICTED;
  claim->item = item;
  claim->how = how;
}

/* "Grew to $6.6 billion", where the line was larger in the year before. */
static void move_alone(struct claim *x, const struct claim_view *v) {
  static const char *const better[] = {CHANGES_BETTER, NULL};
  const struct evidence_item *is = x->item, *was, *next;
  int to = move_is_behind(v, v->n->start, "to ");
  int direction = to ? period_direction(v->s->text, v->n->start - 3, v->n->end) : 0;
  if (!direction || x->verdict != CLAIM_FOUND || claim_has_word(v->s->text, better) || !is->in_table ||
      !is->when.year || is->direction || is->value <= 0 || strcmp(x->how, "computed") == 0)
    return;
  was = match_beside(v->s->e, is, -1);
  if (!was && !v->s->stated.year_count && !v->s->told_year && (next = match_beside(v->s->e, is, 1)) != NULL)
    move_contradict(x, next, "other year"); /* without a year the newest one is meant */
  else if (was && was->value > 0 && (direction > 0 ? is->value < was->value : is->value > was->value))
    move_contradict(x, was, "other sign");
}

/* Whether both figures are of one line of a table, the first one's date later. */
static int move_is_later(const struct evidence_item *a, const struct evidence_item *b) {
  return a && b && a->in_table && a->row == b->row && a->when.year > b->when.year && b->when.year &&
         a->when.months == b->when.months;
}

/* The direction of a number and of the one behind it, which was before: 1, -1 or 0. */
static int move_direction(const struct claim_view *v, size_t from, const struct stated_number *a,
                          int before) {
  int direction = period_direction(v->s->text, from, a->end);
  return direction || !before                         ? direction
         : move_is_behind(v, v->n->start, "up from ") ? 1
                                                      : -move_is_behind(v, v->n->start, "down from ");
}

/* The two figures that a direction joins, numbers k - 1 and k: "from A to B", "to A from B", "A, up from B"; they must be in the order
 * of their dates, and differ as the sentence says. */
static void move_check(struct claim *claim, const struct claim_view *v, size_t k) {
  const struct stated_number *b = v->n, *a = b - 1;
  int before = k && period_is_before(v->s->text, b->start, b->end);
  int range = k && move_is_behind(v, a->start, "from ") && b->start == a->end + 4 &&
              slice_at_nocase(v->s->text, a->end, " to ");
  int to = k && move_is_behind(v, a->start, "to ");
  if ((!before && !range) || a->percent != b->percent || a->change || (before && a->percent && !to)) {
    move_alone(claim, v);
    return;
  }
  struct claim *is = before ? &claim[-1] : claim, *was = before ? claim : &claim[-1];
  double more = is->number.value - was->number.value;
  size_t from = a->start - (range ? strlen("from ") : to ? strlen("to ") : 0);
  int direction = move_direction(v, from, a, before),
      found = is->verdict == CLAIM_FOUND && was->verdict == CLAIM_FOUND;
  if (found && move_is_later(was->item, is->item))
    move_contradict(&claim[-1], claim[-1].item, "other year");
  else if (is->verdict != CLAIM_CONTRADICTED && was->verdict != CLAIM_CONTRADICTED && direction * more < 0)
    move_contradict(is, found ? claim[-1].item : is->item, "other sign");
}

/* ---- sentences ---- */

static void claims_add(struct claims *c, const struct claim *claim) {
  if ((c->count & (c->count - 1)) == 0)
    c->claims = xreallocarray(c->claims, c->count ? 2 * c->count : 1, sizeof *c->claims);
  c->claims[c->count++] = *claim;
}

/* Whether a verdict blames no more than the line or the value. */
static int stated_may_be(const struct claim *c) {
  return c->verdict != CLAIM_FOUND && (!c->how || strcmp(c->how, "other value") == 0 ||
                                       strcmp(c->how, "other line") == 0 || strcmp(c->how, "computed") == 0);
}

static void stated_is_found(struct claim *c, const char *how, const struct claim_computation *computed,
                            const struct evidence_item *item) {
  c->verdict = CLAIM_FOUND;
  c->how = how;
  c->item = item;
  c->against = NULL;
  c->computed = *computed;
}

/* Finds the numbers that are computed from others of their sentence, and those from which another one was: "59% of the 624,400".
 * claims[k] is of number which[k]. */
static void claims_of_stated(struct claim *claims, const size_t *which, size_t count,
                             const struct claims_sentence *x) {
  const struct stated_number *numbers[CLAIM_MARKS], *n;
  const struct evidence_item *items[CLAIM_MARKS];
  for (size_t k = 0; k < count; k++) {
    struct claim_computation computed;
    size_t others = 0;
    for (size_t i = 0; i < count && others < CLAIM_MARKS; i++)
      if (i != k && claims[i].item &&
          (claims[i].verdict == CLAIM_FOUND || claims[i].verdict == CLAIM_UNSURE ||
           strcmp(claims[i].how, "other line") == 0)) {
        numbers[others] = &x->s.stated.numbers[which[i]];
        items[others++] = claims[i].item;
      }
    if (stated_may_be(&claims[k]) &&
        relation_of_stated(&x->views[which[k]], numbers, items, others, &computed))
      stated_is_found(&claims[k], "computed", &computed, computed.operands[0]);
  }
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < count && (n = &x->s.stated.numbers[which[k]]) != NULL; i++)
      for (size_t o = 0; claims[i].verdict == CLAIM_FOUND && strcmp(claims[i].how, "computed") == 0 &&
                         o < claims[i].computed.count && stated_may_be(&claims[k]);
           o++)
        if (i != k && match_value(n, claims[i].computed.operands[o]))
          stated_is_found(&claims[k], n->scaled ? "scaled" : "same", &claims[i].computed,
                          claims[i].computed.operands[o]);
}

/* The last period that the answer named before a sentence; 0 for what it didn't. */
struct claims_told {
  int year, months;
};

static void claims_add_statement(struct claims *c, const struct claim_sentence *s, size_t from, size_t to) {
  struct claim one = {.statement = 1, .number = {.start = from, .end = to}};
  while (one.number.end > from && isspace((unsigned char)s->text.data[one.number.end - 1 - from]))
    one.number.end--;
  claim_text_judge(&one, s);
  claims_add(c, &one);
}

/* told: before the sentence, and then up to its end. */
static void claims_sentence(struct claims *c, const struct evidence *e, const struct owners *owners,
                            struct slice answer, size_t from, size_t to, struct claims_told *told) {
  struct claims_sentence x = {
      .s = {.e = e, .text = slice_of(answer.data + from, to - from), .owners = owners}};
  struct claim_sentence *s = &x.s;
  s->told_year = told->year;
  s->told_months = told->months;
  claim_sentence_read(s);
  size_t count = s->stated.number_count, first = c->count, last = 0;
  x.views = xcalloc(count + 1, sizeof *x.views);
  x.matches = xcalloc(count + 1, sizeof *x.matches);
  size_t *which = xcalloc(count + 1, sizeof *which);
  for (size_t k = 0; k < count; k++) {
    x.views[k] = (struct claim_view){.s = s, .n = &s->stated.numbers[k]};
    claim_read(&x.views[k]);
    x.matches[k] = match_all(&x.views[k]);
  }
  for (size_t k = 0; k < count; k++) {
    const struct stated_number *n = &s->stated.numbers[k];
    struct claim claim = {.number = *n};
    if (owner_is_numbered_name(owners, s->text, n->start, n->end))
      continue;
    claims_judge(&claim, &x, k);
    claim.number.start += from;
    claim.number.end += from;
    which[c->count - first] = k;
    claims_add(c, &claim);
    if (claim.how == NULL || s->quoted == 0)
      move_check(&c->claims[c->count - 1], &x.views[k], c->count - 1 > first && last + 1 == k ? k : 0);
    last = k;
  }
  if (c->count > first)
    claims_of_stated(&c->claims[first], which, c->count - first, &x);
  else if (s->mark_count)
    claims_add_statement(c, s, from, to);
  free(which);
  for (size_t k = 0; k < count; k++)
    free(x.matches[k]);
  free(x.matches);
  free(x.views);
  int months = period_months_near(&s->periods, 0);
  told->year = s->stated.year_count ? s->stated.years[s->stated.year_count - 1].year : told->year;
  told->months = months ? months : told->months;
  claim_sentence_release(s);
}

/* A sentence ends with punctuation and a blank before a capital, a digit or a bracket, but not after "Mr."; a mark
 * [1] after its full stop belongs to it. */
static size_t claims_sentence_end(struct slice answer, size_t from) {
  size_t sure = from + sentence_end(slice_of(answer.data + from, answer.len - from));
  for (size_t i = from; i < answer.len; i++) {
    if (answer.data[i] == '\n' && i > from)
      return i + 1;
    if (!strchr(".!?", answer.data[i]) || !answer.data[i] || i + 1 >= answer.len || answer.data[i + 1] != ' ')
      continue;
    size_t at = i + 1;
    while (at < answer.len && answer.data[at] == ' ')
      at++;
    int marked = at < answer.len && answer.data[at] == '[';
    while (at < answer.len && answer.data[at] == '[') {
      const char *end = memchr(answer.data + at, ']', answer.len - at);
      at = end ? (size_t)(end - answer.data) + 1 : answer.len;
      while (at < answer.len && answer.data[at] == ' ')
        at++;
    }
    if (!marked && sure > at)
      continue;
    if (at >= answer.len || isupper((unsigned char)answer.data[at]) ||
        isdigit((unsigned char)answer.data[at]) || answer.data[at] == '$')
      return at;
  }
  return answer.len;
}

void claims_check(struct claims *c, const struct evidence *e, const struct owners *owners,
                  struct slice answer) {
  struct claims_told told = {0, 0};
  claims_print();
  *c = (struct claims){NULL, 0};
  for (size_t from = 0, to; from < answer.len; from = to) {
    to = claims_sentence_end(answer, from);
    claims_sentence(c, e, owners, answer, from, to, &told);
  }
}

void claims_release(struct claims *c) {
  free(c->claims);
}
