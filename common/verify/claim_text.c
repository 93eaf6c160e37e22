/* claim_text.c: a verdict on a cited sentence that has no number: what of it differs from its passages.
 *
 * People say a passage's text in other words, so words that it lacks tell nothing, nor do vectors of words (VERIFY.md).
 * What tells is a name, a day or a quantity that no cited passage has, a negation that the nearest sentence has alone, and a
 * direction that two figures of the line have not.  A logistic regression weighs these signs. */
#include "tables/changes.h"
#include "text/number_words.h"
#include "verify/claims.h"
#include "verify/match.h"
#include "verify/periods.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STATEMENT_FALSE .4 /* from which log odds on it is unsupported */
#define STATEMENT_EVEN -.2 /* unsure from here on, where */
#define STATEMENT_SHARE .7 /* the nearest sentence has less of its words */
#define STATEMENT_MOST 2   /* days or quantities that count */

enum statement_sign {
  SAYS_NAME,     /* a name that no cited passage has */
  SAYS_DAY,      /* a day, month or year that none has */
  SAYS_SAME_DAY, /* one that a passage has */
  SAYS_MUCH,     /* a quantity that none has */
  SAYS_AS_MUCH,  /* one that a passage has */
  SAYS_NOT,      /* it is negated */
  SAYS_BUT_NOT,  /* the nearest sentence is negated, it isn't */
  SAYS_WAY,      /* a direction that figures don't have */
  SAYS_SAME_WAY, /* one that figures have */
  STATEMENT_SIGNS
};

static const double statement_odds = .05; /* that it is false, where no sign is there */

static const struct {
  const char *how;
  double weight;
} statement_signs[STATEMENT_SIGNS] = {
    [SAYS_NAME] = {"other name", 1.53}, [SAYS_DAY] = {"other day", 2.38},
    [SAYS_SAME_DAY] = {NULL, -0.44},    [SAYS_MUCH] = {"other quantity", 0.89},
    [SAYS_AS_MUCH] = {NULL, -1.1},      [SAYS_NOT] = {NULL, -1.93},
    [SAYS_BUT_NOT] = {"negated", 1.44}, [SAYS_WAY] = {"other sign", 2.09},
    [SAYS_SAME_WAY] = {NULL, -0.73},
};

static int word_begins(struct slice t, size_t i) {
  return !i || !isalnum((unsigned char)t.data[i - 1]);
}

/* ---- days and quantities ---- */

enum { DETAILS = 1024 };

enum detail_kind {
  OF_YEAR,
  OF_MONTH,      /* 1 to 12 */
  OF_YEAR_MONTH, /* a month of a year: 100 for each year, and the month */
  OF_DAY,        /* a day of a month: 100 for each month, and the day */
  OF_THINGS      /* a number */
};

struct detail {
  enum detail_kind kind;
  double value;
};

struct details {
  struct detail all[DETAILS];
  size_t count;
};

static void detail_add(struct details *d, enum detail_kind kind, double value) {
  if (d->count < DETAILS)
    d->all[d->count++] = (struct detail){kind, value};
}

/* "Twice", "twelve", "36", "4.1" at i; 0 for none. */
static double detail_number(struct slice t, size_t i, size_t *end) {
  static const struct {
    const char *word;
    double value;
  } words[] = {{"twice ", 2}, {"double ", 2}, {"doubled ", 2}, {"half ", .5}};
  double value = number_words_read(t, i, end), place = .1;
  for (size_t k = 0; k < sizeof words / sizeof *words && value == 0; k++)
    if (slice_at_nocase(t, i, words[k].word)) {
      *end = i + strlen(words[k].word) - 1;
      return words[k].value;
    }
  if (value > 0 || !isdigit((unsigned char)t.data[i]) || (i && strchr("$.-/", t.data[i - 1])))
    return value;
  for (*end = i; *end < t.len && isdigit((unsigned char)t.data[*end]); ++*end)
    value = 10 * value + (t.data[*end] - '0');
  if (*end + 1 < t.len && t.data[*end] == '.')
    for (++*end; *end < t.len && isdigit((unsigned char)t.data[*end]); ++*end, place /= 10)
      value += place * (t.data[*end] - '0');
  return *end < t.len && isalpha((unsigned char)t.data[*end]) ? 0 : value; /* "20th" */
}

/* Adds the year, month and day of a period; returns whether it has one. */
static int details_of_period(struct details *d, const struct period_told *p) {
  int month = p->day ? p->day / 100 : p->month;
  if (month)
    detail_add(d, OF_MONTH, month);
  if (month && p->year)
    detail_add(d, OF_YEAR_MONTH, 100 * p->year + month);
  if (p->day)
    detail_add(d, OF_DAY, p->day);
  if (p->year)
    detail_add(d, OF_YEAR, p->year);
  return month || p->year;
}

/* Adds the days and quantities of a line. */
static void details_of_line(struct details *d, struct slice t) {
  struct stated s;
  struct periods p;
  numbers_read(&s, t, 0);
  periods_read(&p, t, &s);
  numbers_release(&s);
  for (size_t i = 0, k = 0, end; i < t.len; i = end) {
    while (k < p.count && p.of[k].start < i)
      k++;
    end = i + 1;
    double value = 0;
    if (k < p.count && p.of[k].start == i && details_of_period(d, &p.of[k]))
      end = p.of[k].end;
    else if (word_begins(t, i) && isalnum((unsigned char)t.data[i]))
      value = detail_number(t, i, &end);
    if (value > 0)
      detail_add(d, OF_THINGS, value);
  }
}

static void details_read(struct details *d, struct slice text) {
  while (text.len)
    details_of_line(d, slice_cut(&text, '\n'));
}

/* Whether a detail of the statement is the passage's. */
static int detail_is(const struct detail *told, const struct detail *is) {
  double a = told->value, b = is->value;
  if (told->kind == OF_THINGS)
    return is->kind == OF_THINGS && (a == b || a == 1 || ((a == .5 || a == 2) && 100 * a == b));
  return told->kind == is->kind && a == b;
}

/* ---- negation ---- */

static int text_is_negated(struct slice t) {
  static const char *const words[] = {CHANGES_NEGATION, NULL}, *const bounds[] = {CHANGES_NEGATION_BOUND,
                                                                                  NULL};
  for (size_t i = 0; i < t.len; i++) {
    if (t.data[i] == 't' && ((i > 1 && memcmp(t.data + i - 2, "n'", 2) == 0) ||
                             (i > 3 && memcmp(t.data + i - 4, "n\xE2\x80\x99", 4) == 0)))
      return 1;
    for (int k = 0; word_begins(t, i) && words[k]; k++) {
      size_t end = i + strlen(words[k]);
      int is = slice_at_nocase(t, i, words[k]) && (end >= t.len || !isalpha((unsigned char)t.data[end]));
      for (int b = 0; is && bounds[b]; b++)
        is = !slice_at_nocase(t, end + 1, bounds[b]);
      if (is)
        return 1;
    }
  }
  return 0;
}

/* ---- the nearest sentence ---- */

/* The sentence or label that has most of the statement's words, weighed by their rarity, and their share; NULL where none has any. */
static const struct evidence_text *text_nearest(const struct claim_sentence *s, double *share) {
  const struct evidence *e = s->e;
  const struct evidence_text *best = NULL;
  double weight[EVIDENCE_WORDS], most = 0, all = 0;
  for (struct evidence_text *t = e->texts; t < e->texts + e->text_count && !t->has_words; t++) {
    evidence_words_of(e, &t->words, t->text);
    t->has_words = 1;
  }
  for (size_t w = 0; w < s->words.count; w++) {
    size_t with = 0;
    for (size_t i = 0; i < e->text_count; i++)
      with += (size_t)evidence_has_word(&e->texts[i].words, s->words.hash[w]);
    weight[w] = log(1 + (double)e->text_count / (double)(with ? with : 1));
    all += weight[w];
  }
  for (const struct evidence_text *t = e->texts; t < e->texts + e->text_count; t++) {
    double sum = 0;
    for (size_t w = 0; w < s->words.count && claim_cites_mark(s, t->mark); w++)
      sum += evidence_has_word(&t->words, s->words.hash[w]) ? weight[w] : 0;
    if (sum > most || (best && sum >= most && t->words.count < best->words.count)) {
      most = sum;
      best = t;
    }
  }
  *share = best ? most / all : 0;
  return best;
}

/* ---- names ---- */

static int text_has_short(struct slice t, struct slice word) {
  return slice_find_word(t, word, 0) < t.len || evidence_initials(t, word).len > 0;
}

/* Whether the owner's texts lack a name of the statement: "Geneva", or an abbreviation of three letters or more, "SLVM". */
static int text_names_another(const struct owner *owner, struct slice text) {
  enum { SHORT = 3 };
  if (owner_lacks_name(owner, text))
    return 1;
  for (size_t i = 0, end; i < text.len; i = end + 1) {
    for (end = i; end < text.len && isupper((unsigned char)text.data[end]);)
      end++;
    struct slice word = slice_of(text.data + i, end - i);
    if (word.len >= SHORT && word_begins(text, i) &&
        (end == text.len || !isalnum((unsigned char)text.data[end])) && !text_has_short(owner->text, word) &&
        !text_has_short(owner->context, word) && !text_has_short(owner->company, word))
      return 1;
  }
  return 0;
}

/* ---- directions ---- */

/* Whether "more" or "less" at i compares two times, "more in 2025 than in 2024", and no number: "more than twice". */
static int direction_compares(struct slice t, size_t i, const char *word) {
  size_t end = i + strlen(word);
  return slice_at_nocase(t, i, word) && !slice_at_nocase(t, end, " than ") &&
         slice_holds_nocase(slice_of(t.data + end, t.len - end), " than ");
}

/* The direction that the word at i says, alone or with the next one: "lower", "came down". */
static int direction_said(struct slice t, size_t i) {
  size_t end = i;
  if (direction_compares(t, i, "more") || direction_compares(t, i, "less"))
    return slice_at_nocase(t, i, "more") ? 1 : -1;
  for (int words = 0; words < 2 && end < t.len; words++) {
    while (end < t.len && isalpha((unsigned char)t.data[end]))
      end++;
    end += end < t.len;
    struct slice said = slice_of(t.data + i, end - i);
    int direction = period_direction(said, said.len, said.len);
    if (direction)
      return direction;
  }
  return 0;
}

/* Whether a figure has the direction: of its sentence, or against the one before it. */
static enum agree direction_of_figure(const struct claim_view *v, const struct evidence_item *item) {
  if (item->direction)
    return item->direction == v->direction ? AGREES : DIFFERS;
  const struct evidence_item *was = match_beside(v->s->e, item, -1);
  if (!was || was->value == item->value || (!v->year && match_beside(v->s->e, item, 1)))
    return UNSAID;
  int both = item->value < 0 && was->value < 0;
  return ((item->value > was->value) != both) == (v->direction > 0) ? AGREES : DIFFERS;
}

/* Holds the direction of a clause against the figures of the line that it names best. */
static enum agree direction_of_clause(const struct claim_sentence *s, struct slice clause, size_t at,
                                      int direction) {
  struct stated_number none = {.start = at, .end = at, .value = NAN, .last = 1, .low = NAN, .high = NAN};
  struct claim_view v = {.s = s, .n = &none, .direction = direction, .clause = clause, .kind = KIND_AMOUNT};
  enum agree is = UNSAID;
  double most = -INFINITY;
  v.year = numbers_year_of(&s->stated, s->text, &none);
  v.year = v.year || !s->stated.year_count ? v.year : s->stated.years[0].year;
  evidence_words_of(s->e, &v.own, clause);
  struct match *all = match_all(&v);
  for (size_t i = 0; i < s->e->count; i++) {
    enum agree one =
        all[i].peer && all[i].signs[SIGN_OWN] > 0 ? direction_of_figure(&v, all[i].item) : UNSAID;
    if (one != UNSAID && all[i].score > most) {
      most = all[i].score;
      is = one;
    }
  }
  free(all);
  return is;
}

static void directions_read(const struct claim_sentence *s, struct slice text, double *x) {
  static const char *const ends[] = {", ", "; ", " while ", " but ", " even as ", " before ", NULL};
  for (size_t from = 0, to; from < text.len; from = to + 1) {
    int end = 0;
    for (to = from; to < text.len && !end; to += !end)
      for (int k = 0; ends[k] && !end; k++)
        end = to > from && slice_at_nocase(text, to, ends[k]);
    for (size_t i = from; i < to; i++) {
      int direction = word_begins(text, i) ? direction_said(text, i) : 0;
      enum agree is =
          direction ? direction_of_clause(s, slice_of(text.data + from, to - from), i, direction) : UNSAID;
      x[SAYS_WAY] = is == DIFFERS ? 1 : x[SAYS_WAY];
      x[SAYS_SAME_WAY] = is == AGREES ? 1 : x[SAYS_SAME_WAY];
      if (direction)
        break;
    }
  }
}

/* ---- verdict ---- */

/* Compares the names, days and quantities of the statement with those of the passages that it cites. */
static void statement_compare(const struct claim_sentence *s, struct slice text, double *x) {
  struct details told = {.count = 0}, known = {.count = 0};
  size_t lacking = 0, cited = 0;
  for (size_t i = 0; i < s->owners->count; i++) {
    const struct owner *owner = &s->owners->list[i];
    if (!claim_cites_mark(s, owner->mark))
      continue;
    cited++;
    lacking += (size_t)text_names_another(owner, text);
    details_read(&known, owner->text);
    details_read(&known, owner->context);
  }
  x[SAYS_NAME] = cited && lacking == cited;
  details_read(&told, text);
  for (size_t i = 0, k; i < told.count; i++) {
    for (k = 0; k < known.count && !detail_is(&told.all[i], &known.all[k]);)
      k++;
    if (told.all[i].kind < OF_THINGS)
      x[k < known.count ? SAYS_SAME_DAY : SAYS_DAY]++;
    else
      x[k < known.count ? SAYS_AS_MUCH : SAYS_MUCH]++;
  }
}

#ifdef CLAIMS_SIGNS /* for test/quality/verify/fit.py */
#include <stdio.h>
static void statement_print(const double *x) {
  fputs("statement", stderr);
  for (int i = 0; i < STATEMENT_SIGNS; i++)
    fprintf(stderr, " %g", x[i]);
  fputc('\n', stderr);
}
#else
#define statement_print(x) (void)0
#endif

void claim_text_judge(struct claim *c, const struct claim_sentence *s) {
  struct slice text = slice_of(s->text.data, s->stated.marks[0].start);
  double x[STATEMENT_SIGNS] = {0}, odds = statement_odds, most = 0, share;
  const struct evidence_text *near = text_nearest(s, &share);
  int negated = text_is_negated(text), near_is = near && text_is_negated(near->text);
  statement_compare(s, text, x);
  directions_read(s, text, x);
  x[SAYS_NOT] = negated && near_is;
  x[SAYS_BUT_NOT] = !negated && near_is;
  statement_print(x);
  for (int i = 0; i < STATEMENT_SIGNS; i++) {
    double weight = statement_signs[i].weight * fmin(x[i], STATEMENT_MOST);
    odds += weight;
    if (statement_signs[i].how && weight > most) {
      most = weight;
      c->how = statement_signs[i].how;
    }
  }
  c->verdict = s->quoted                                          ? CLAIM_FOUND
               : !near || odds > STATEMENT_FALSE                  ? CLAIM_UNSUPPORTED
               : odds > STATEMENT_EVEN && share < STATEMENT_SHARE ? CLAIM_UNSURE
                                                                  : CLAIM_FOUND;
  c->how = c->verdict == CLAIM_FOUND ? NULL : c->how;
  c->near = near ? near->text : slice_of(NULL, 0);
  c->mark = near ? near->mark : 0;
}
