/* match.c: holds a claim against the figures of the evidence, aspect by aspect, and scores their lines.
 *
 * The weights of a line's signs were fitted on labelled sentences and on tagged ones; test/quality/VERIFY.md says how far
 * fit.py gives them again. */
#include "verify/match.h"
#include "tables/changes.h"
#include "verify/periods.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MATCH_LOST_MOST 4       /* words that are lost count up to this weight */
#define MATCH_SAME_KIND 2000.0  /* maximum ratio of two values of one kind, allowing for a wrong scale */
#define MATCH_TELLING_DIGITS 10 /* a smaller number without a unit may stand in any row */

/* ---- values ---- */

int match_near(const struct stated_number *n, double value) {
  double size = fabs(value), off = 1e-9 * size;
  return size >= n->low - off && size <= n->high + off;
}

/* A number in a text without currency, scale or sign before it, "6,500 units": not an amount of money. */
static int match_is_bare(const struct evidence_item *item) {
  for (size_t i = 0; i < item->printed.len; i++)
    if (!isdigit((unsigned char)item->printed.data[i]) && !strchr(",.", item->printed.data[i]))
      return 0;
  return !item->in_table && !item->field && item->printed.len;
}

int match_other_currency(const struct stated_number *n, const struct evidence_item *item) {
  int currency = item->currency ? item->currency : item->money;
  return n->currency && currency && !numbers_same_currency(n->currency, currency);
}

/* Whether a table's caption may not apply to one of its numbers: per-share amounts, counts. */
static int match_may_stand_alone(const struct stated_number *n, const struct evidence_item *item) {
  int whole = fabs(item->value - round(item->value)) < 1e-9;
  return item->scale.caption != 1 && !item->scale.captioned && !n->scaled &&
         (!n->currency || !whole || fabs(item->value) < 100);
}

enum match_value match_value(const struct stated_number *n, const struct evidence_item *item) {
  const double scales[] = {item->scale.any ? 1 : item->scale.caption, 1e3, 1e6};
  if ((n->points && item->in_table && !item->direction) || /* a level is no difference */
      n->percent != item->percent || match_other_currency(n, item) || (n->shares && item->currency) ||
      (n->currency && (item->shares || match_is_bare(item))))
    return VALUE_OTHER;
  for (int i = 0; i < (item->scale.any && !n->percent ? 3 : 1); i++)
    if (match_near(n, item->value * scales[i]))
      return fabs(fabs(n->value) - fabs(item->value * scales[i])) > 1e-9 * fabs(n->value) ? VALUE_ROUNDED
             : scales[i] != 1 || n->scaled                                                ? VALUE_SCALED
                                                                                          : VALUE_SAME;
  if (n->shares && match_near(n, item->value * item->scale.shares))
    return VALUE_SCALED;
  return match_may_stand_alone(n, item) && match_near(n, item->value) ? VALUE_SAME : VALUE_OTHER;
}

int match_is_stated_too(const struct claim_view *v, const struct evidence_item *item) {
  const struct stated *s = &v->s->stated;
  for (size_t i = 0; i < s->number_count; i++)
    if (&s->numbers[i] != v->n && v->s->cited[item - v->s->e->items] && match_value(&s->numbers[i], item))
      return 1;
  return 0;
}

const struct evidence_item *match_beside(const struct evidence *e, const struct evidence_item *item,
                                         int years) {
  for (const struct evidence_item *b = e->items; b < e->items + e->count; b++)
    if (b->row == item->row && b->mark == item->mark && b->when.year == item->when.year + years &&
        b->when.months == item->when.months && b->percent == item->percent &&
        b->direction == item->direction && b->when.quarter == item->when.quarter &&
        (!b->when.day || !item->when.day || b->when.day / 100 == item->when.day / 100 || b->when.months))
      return b;
  return NULL;
}

/* ---- signs: profit and loss, cash inflow and outflow, rise and fall ---- */

/* 1 for a word of profit at byte i of a text, -1 for one of loss, else 0. */
static int pole_at(struct slice t, size_t i) {
  static const char *const none[] = {"income tax", "operating activities", NULL};
  static const char *const up[] = {CHANGES_PROFIT, NULL};
  static const char *const down[] = {CHANGES_LOSS, NULL};
  const char *const *const lists[] = {none, up, down};
  static const int poles[] = {0, 1, -1};
  for (int list = 0; list < 3 && (!i || !isalpha((unsigned char)t.data[i - 1])); list++)
    for (int k = 0; lists[list][k]; k++)
      if (slice_at_nocase(t, i, lists[list][k]))
        return poles[list];
  return 0;
}

/* The poles of a text. */
struct poles {
  int up, down, last;
};

static struct poles poles_of(struct slice t) {
  struct poles p = {0, 0, 0};
  for (size_t i = 0; i < t.len; i++) {
    int pole = pole_at(t, i);
    p.up |= pole > 0;
    p.down |= pole < 0;
    p.last = pole ? pole : p.last;
  }
  return p;
}

/* The pole told for the number: the last one between the number before and it, else what the sentence has alone. */
static int pole_told(struct slice t, const struct stated *s, size_t start) {
  size_t from = 0;
  for (size_t i = 0; i < s->number_count && s->numbers[i].start < start; i++)
    from = s->numbers[i].end;
  from = from < start ? from : start;
  struct poles near = poles_of(slice_of(t.data + from, start - from)), all = poles_of(t);
  return near.last ? near.last : all.up - all.down;
}

/* Whether a figure is of a result, whose sign is meaningful; "gains" in parentheses may be a deduction. */
static int pole_is_result(const struct evidence_item *found) {
  static const char *const results[] = {"Net income",
                                        "Operating income",
                                        "Income before taxes",
                                        "Gross profit",
                                        "Diluted earnings per share",
                                        "Basic earnings per share",
                                        NULL};
  return found->whole && slice_among(found->concept->label, results);
}

/* 1 for a profit or inflow, -1 for a loss or outflow, by the name of the line or its heading and the printed value; 0
 * where unknown. */
static int pole_of_line(const struct evidence_item *found) {
  static const char *const gains[] = {"(gain", "(income)", "(profit", "(earnings)", NULL};
  const struct slice names[] = {found->label, found->cell.head, found->cell.under};
  int sign = found->value < 0 ? -1 : 1;
  for (int k = 0; k < 3; k++) {
    struct poles p = poles_of(names[k]);
    if (claim_has_word(names[k], gains)) /* "Foreign exchange (gain)/loss" */
      return -sign;
    if (p.down && !p.up)
      return -1;
    if (p.up && (p.down || sign > 0 || pole_is_result(found)))
      return sign;
  }
  return 0;
}

static int pole_of_prose(const struct evidence_item *found) {
  struct stated s;
  struct poles front = poles_of(found->prose.front), behind = poles_of(found->prose.behind);
  if (front.last || behind.up != behind.down)
    return front.last ? front.last : behind.up - behind.down;
  numbers_read(&s, found->label, 1);
  int pole = pole_told(found->label, &s, (size_t)(found->printed.data - found->label.data));
  numbers_release(&s);
  return pole;
}

/* What the words next to a number tell: poles between the number before and it, else up to the next one, else of the
 * sentence; `more` are further words of loss. */
static struct poles poles_near(const struct claim_view *v, const char *const *more) {
  const struct stated *s = &v->s->stated;
  struct slice t = v->s->text;
  size_t k = (size_t)(v->n - s->numbers), from = k ? s->numbers[k - 1].end : 0;
  size_t next = k + 1 < s->number_count ? s->numbers[k + 1].start : t.len, to = v->n->end;
  struct slice places[] = {slice_of(t.data + from, v->n->start > from ? v->n->start - from : 0),
                           slice_of(t.data + to, next > to ? next - to : 0), t};
  struct poles p = {0, 0, 0};
  for (size_t i = 0; i < sizeof places / sizeof *places && !p.up && !p.down; i++) {
    p = poles_of(places[i]);
    p.down |= claim_has_word(places[i], more);
  }
  return p;
}

static enum agree sign_if(int same) {
  return same ? AGREES : DIFFERS;
}

/* A fact's sign against the sentence: a loss must be told as one. */
static enum agree sign_of_fact(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const negative[] = {CHANGES_NEGATIVE, "credit", NULL};
  static const char *const below[] = {"negative", "outflow", "burn", NULL};
  static const char *const spent[] = {"investing cash", "financing cash", NULL};
  static const char *const cash[] = {"net cash", NULL}, *const either[] = {"margin", "cash flow", NULL};
  struct poles told = poles_near(v, negative), line = poles_of(found->label);
  if (v->n->value < 0 || found->value == 0)
    return sign_if(!(found->value > 0));
  if (found->value < 0)
    return sign_if(told.down || (!told.up && claim_has_word(found->label, spent)) ||
                   claim_has_word(v->s->text, cash));
  if (line.up && !line.down)
    return sign_if(!told.down || told.up);
  return sign_if(!claim_has_word(found->label, either) || !claim_has_word(v->s->text, below));
}

/* The words with which a line names either sign, "Operating income (loss)", and the sentence too: the number tells its sign alone. */
static int sign_is_quoted(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const either[] = {CHANGES_EITHER_SIGN, NULL};
  for (int k = 0; found->in_table && either[k]; k++)
    if (slice_holds_nocase(found->label, either[k]) && slice_holds_nocase(v->s->text, either[k]))
      return 1;
  return 0;
}

/* By the words of a row's label, "(loss)", "(expense)": the figure is below zero where the sentence tells of that. */
static enum agree sign_of_row(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const poles[] = {"(loss", "(benefit", "(deficit", "(used", "loss)", NULL};
  static const char *const negative[] = {CHANGES_NEGATIVE, NULL}, *const expense[] = {"(expense", NULL};
  static const char *const cost[] = {"net cost", "net expense", "negative", "minus",
                                     "cost ",    "loss",        "lost",     NULL};
  int below = found->value < 0;
  struct slice t = v->s->text;
  if (claim_has_word(found->label, expense) && !claim_has_word(t, expense))
    return sign_if((v->n->value < 0 || claim_has_word(t, cost)) == below);
  if (claim_has_word(found->label, poles))
    return sign_if((v->n->value < 0 || poles_near(v, negative).down) == below);
  return UNSAID;
}

enum agree match_sign(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const in[] = {"provided", "generated", "freed", "brought in", NULL};
  static const char *const out[] = {"used", "consumed", "tied up", "burned", NULL};
  static const char *const flows[] = {"provided", "generated", "used", "consumed", NULL};
  int below = found->value < 0;
  struct slice t = v->s->text;
  if (sign_is_quoted(v, found))
    return sign_if((v->n->value < 0) == below);
  if (v->direction && (found->direction || (found->percent && below)))
    return sign_if(v->direction == (found->direction ? found->direction : -1));
  if (!found->mark)
    return sign_of_fact(v, found);
  enum agree of_row = found->in_table && !found->percent ? sign_of_row(v, found) : UNSAID;
  if (of_row != UNSAID || found->percent || !found->printed.len)
    return of_row;
  if (found->in_table && found->cell.flow && !claim_has_word(found->label, flows)) {
    int came = claim_has_word(t, in), went = claim_has_word(t, out); /* the figure's sign tells which */
    return came == went ? UNSAID : sign_if(came == !below);
  }
  int is = found->in_table ? pole_of_line(found) : pole_of_prose(found);
  int told = v->n->value < 0 ? -1 : pole_told(t, &v->s->stated, v->n->start);
  return is && told ? sign_if(is == told) : UNSAID;
}

/* ---- signs of a line ---- */

/* Whether the clause has the opposite of a word of the line: "end of year" for "beginning of year". */
static int line_is_opposite(struct slice clause, struct slice label) {
  static const struct {
    const char *words;
    int group, side;
  } pairs[] = {CHANGES_OPPOSITE};
  size_t count = sizeof pairs / sizeof *pairs;
  for (size_t i = 0, k; i < count; i = k) {
    int told = 0, is = 0;
    for (k = i; k < count && pairs[k].group == pairs[i].group; k++)
      is |= claim_has_word(label, (const char *const[]){pairs[k].words, NULL}) << pairs[k].side;
    for (size_t n = i; is && n < k; n++)
      told |= claim_has_word(clause, (const char *const[]){pairs[n].words, NULL}) << pairs[n].side;
    if (told && is && (told & is) == 0)
      return 1;
  }
  return 0;
}

/* Whether the sentence names a figure, "net income", with a word that the line of another figure lacks. */
static int line_is_other_name(const struct claim_view *v, const struct evidence_item *item) {
  const struct claim_sentence *s = v->s;
  if (!item->in_table || !item->concept || claim_has_concept(s, item->concept) ||
      (!item->percent && slice_holds_nocase(item->concept->alternatives, "/")) ||
      claim_has_concept(
          s, evidence_concept(s->e, item->cell.head))) /* "Retained earnings" over "Equity, January 1" */
    return 0;
  for (size_t i = 0; i < s->concept_count; i++) {
    struct evidence_words words;
    evidence_words_of(s->e, &words, s->concepts[i].text);
    for (size_t k = 0; k < words.count; k++)
      if (!evidence_has_word(&item->words, words.hash[k]))
        return 1;
  }
  return 0;
}

/* The weight of the words of a list that the clause has, that only the rest of the sentence has, and that it lacks. */
struct line_words {
  double own, other, lost;
};

static struct line_words line_words(const struct claim_view *v, const struct evidence_words *w) {
  struct line_words sum = {0, 0, 0};
  for (size_t i = 0; i < w->count; i++) {
    double weight = claim_weight(v, w->hash[i]);
    int own = evidence_has_word(&v->own, w->hash[i]),
        told = own || evidence_has_word(&v->s->words, w->hash[i]);
    sum.own += own ? weight : 0;
    sum.other += told && !own ? weight : 0;
    sum.lost += told ? 0 : weight;
  }
  sum.lost /= 1 + sum.lost / MATCH_LOST_MOST;
  return sum;
}

/* A line whose label is a synonym of what the clause names has the clause's words, as it were, and no more: the weight of these. */
static double line_concept(const struct claim_view *v, const struct evidence_item *item) {
  double most = 0;
  for (size_t i = 0; item->whole && i < v->s->concept_count; i++) {
    struct slice text = v->s->concepts[i].text;
    struct evidence_words words;
    double sum = 0;
    if (v->s->concepts[i].word != item->concept || text.data < v->clause.data ||
        text.data >= v->clause.data + v->clause.len)
      continue;
    evidence_words_of(v->s->e, &words, text);
    for (size_t k = 0; k < words.count; k++)
      sum += claim_weight(v, words.hash[k]);
    most = fmax(most, sum);
  }
  return most;
}

static void line_of_cell(const struct claim_view *v, const struct evidence_item *item, double *x) {
  const struct evidence *e = v->s->e;
  struct evidence_words core = item->words, rest, above, place, of;
  core.count = item->cell.core && item->cell.core < core.count ? item->cell.core : core.count;
  rest = evidence_words_without(&item->words, &core);
  place = evidence_words_without(&item->place, &item->words);
  evidence_words_of(e, &above, item->cell.under);
  above = evidence_words_without(&above, &item->words);
  evidence_words_of(e, &of, item->cell.of);
  of = evidence_words_without(&of, &item->words);
  of = evidence_words_without(&of, &item->place);
  struct line_words label = line_words(v, &core), more = line_words(v, &rest), column = line_words(v, &place),
                    head = line_words(v, &above), whole = line_words(v, &of);
  int total = slice_holds_nocase(v->s->text, "total");
  double concept = line_concept(v, item), all = label.own + label.other + label.lost;
  x[SIGN_OWN] = item->cell.titled ? 0 : label.own + more.own;
  x[SIGN_OTHER] = item->cell.titled ? 0 : label.other + more.other;
  x[SIGN_LOST] = item->cell.titled ? 0 : label.lost;
  if (concept > 0 && !item->cell.titled && fmin(all, concept) > label.own) {
    x[SIGN_OWN] = fmin(all, concept);
    x[SIGN_OTHER] = x[SIGN_LOST] = 0;
  }
  x[SIGN_PLACE] = column.own + column.other + (item->cell.titled ? label.own + label.other : 0);
  x[SIGN_PLACE_LOST] = column.lost + (item->cell.titled ? 0 : more.lost);
  x[SIGN_ABOVE] = label.own > 0 || !core.count || item->cell.titled ? head.own : 0;
  if (core.count && label.lost <= 0) { /* a line that is named is bound to its total's words, too */
    x[SIGN_OWN] += whole.own;
    x[SIGN_OTHER] += whole.other;
  }
  x[SIGN_TOTAL] = total && (item->cell.titled || slice_holds_nocase(item->cell.head, "total"));
}

static void line_of_prose(const struct claim_view *v, const struct evidence_item *item, double *x) {
  struct evidence_words rest = evidence_words_without(&item->words, &item->prose.local);
  struct line_words local = line_words(v, &item->prose.local), far = line_words(v, &rest);
  x[SIGN_OWN] = local.own;
  x[SIGN_OTHER] = local.other;
  x[SIGN_LOST] = local.lost;
  x[SIGN_PLACE] = far.own + far.other / 2;
  x[SIGN_RIVALS] = line_words(v, &item->prose.others).own;
}

/* The weights of the signs, of figures of sentences and of tables: in logits, see claims.c. */
static const double match_weights[2][MATCH_SIGNS] = {
    [0] = {[SIGN_OWN] = 0.89,
           [SIGN_OTHER] = 0.27,
           [SIGN_LOST] = -1.02,
           [SIGN_PLACE] = 0.48,
           [SIGN_RIVALS] = -3.1,
           [SIGN_YEAR] = 0.73,
           [SIGN_DAY] = 0.82,
           [SIGN_CHANGE] = 1.66,
           [SIGN_OPPOSITE] = -6},
    [1] = {[SIGN_OWN] = 0.85,
           [SIGN_OTHER] = 0.29,
           [SIGN_LOST] = -0.77,
           [SIGN_PLACE] = 0.36,
           [SIGN_PLACE_LOST] = -0.24,
           [SIGN_ABOVE] = 0.18,
           [SIGN_YEAR] = 0.94,
           [SIGN_DAY] = 0.42,
           [SIGN_TOTAL] = 0.81,
           [SIGN_CHANGE] = 2.1,
           [SIGN_OPPOSITE] = -6.4,
           [SIGN_NAME] = -0.5},
};

static void match_line(const struct claim_view *v, struct match *m) {
  const struct evidence_item *item = m->item;
  double *x = m->signs;
  (item->in_table ? line_of_cell : line_of_prose)(v, item, x);
  x[SIGN_YEAR] = v->year && (item->when.year == v->year || item->when.row_year == v->year);
  x[SIGN_DAY] = !v->day || !item->when.day ? 0 : v->day == item->when.day ? 1 : -1;
  x[SIGN_CHANGE] = v->direction && v->n->percent && (item->direction || item->kind == KIND_GROWTH);
  x[SIGN_OPPOSITE] = item->in_table ? line_is_opposite(v->s->text, item->label) ||
                                          line_is_opposite(v->s->text, item->cell.head)
                                    : line_is_opposite(v->s->text, item->prose.behind) &&
                                          !line_is_opposite(v->s->text, item->prose.front);
  x[SIGN_NAME] = line_is_other_name(v, item);
  m->score = 0;
  for (int k = 0; k < MATCH_SIGNS; k++)
    m->score += match_weights[item->in_table][k] * x[k];
}

/* ---- aspects ---- */

/* Whether a fact is the newest of its line, of those of years or of quarters. */
static int match_is_newest(const struct evidence *e, const struct evidence_item *item) {
  for (const struct evidence_item *other = e->items; other < e->items + e->count; other++)
    if (other->row == item->row && other->when.year > item->when.year &&
        !other->when.quarter == !item->when.quarter)
      return 0;
  return 1;
}

/* A fact is of the span that the sentence names, or where it names none of a year, the newest one. */
static int match_is_of_time(const struct claim_view *v, const struct evidence_item *fact) {
  if (v->months ? fact->when.months && fact->when.months != v->months : fact->when.months == 3)
    return 0;
  return !(v->quarter && fact->when.quarter && fact->when.quarter != v->quarter) &&
         (v->year || match_is_newest(v->s->e, fact) || period_is_before(v->s->text, v->n->start, v->n->end));
}

/* Whether only one of a figure of a text and the number is an amount of money: texts write a currency with all of these.  A number
 * that isn't said, NAN, may be any. */
static int match_is_other_money(const struct stated_number *n, const struct evidence_item *item) {
  return !isnan(n->value) && !item->in_table && !item->field && !n->percent && !item->percent &&
         !n->currency != !item->currency;
}

/* Whether a figure of a text states a level or an amount of the time: neither a threshold ("10% or more") nor what something came from. */
static int match_could_tell(const struct claim_view *v, const struct evidence_item *item) {
  size_t n = item->prose.front.len, end = (size_t)(item->printed.data + item->printed.len - item->label.data);
  return !(n >= 5 && slice_at_nocase(item->prose.front, n - 5, "from ")) &&
         !slice_at_nocase(item->label, end, " or ") && (!item->direction || v->direction) &&
         (v->kind != KIND_CHANGE || item->kind == KIND_CHANGE);
}

static enum agree match_equal(int told, int is) {
  return !told || !is ? UNSAID : told == is ? AGREES : DIFFERS;
}

/* Whether a figure may be meant by a claim with another value: the sentence is about it, and of its kind, size and time. */
static int match_is_peer(const struct claim_view *v, const struct match *m) {
  const struct evidence_item *item = m->item;
  return !m->value && m->company != DIFFERS && m->year != DIFFERS && m->span != DIFFERS &&
         !(!item->mark && m->currency == DIFFERS) && !v->n->points && !match_is_other_money(v->n, item) &&
         !(v->n->currency && item->shares) && (item->in_table || match_could_tell(v, item));
}

struct match *match_all(const struct claim_view *v) {
  const struct evidence *e = v->s->e;
  struct match *all = xcalloc(e->count + 1, sizeof *all);
  for (size_t i = 0; i < e->count; i++) {
    struct match *m = &all[i];
    const struct evidence_item *item = m->item = &e->items[i];
    if (!v->s->cited[i])
      continue;
    m->value = match_value(v->n, item);
    m->company = v->s->foreign[i] ? DIFFERS : UNSAID;
    m->currency = match_other_currency(v->n, item) ? DIFFERS : UNSAID;
    int share = v->n->percent && !v->direction && slice_at_nocase(v->s->text, v->n->end, " of ");
    m->kind = evidence_kind_rivals(v->kind, item->kind) && !(share && item->direction) ? AGREES : DIFFERS;
    m->year = v->guessed > item->in_table && item->when.year == v->year + 1 ? UNSAID
              : v->year && item->when.row_year == v->year                   ? AGREES
                                                          : match_equal(v->year, item->when.year);
    m->span = match_equal(v->months, item->when.months);
    if (!item->mark && !match_is_of_time(v, item))
      m->value = VALUE_OTHER, m->span = DIFFERS;
    m->peer = match_is_peer(v, m);
    if (m->value || m->peer)
      match_line(v, m);
  }
  return all;
}
