/* period_match.c: runs a grammar over a text: rules are rows, rows are elements, the first row that matches counts.
 *
 * Within a row, what may be missing or repeated is tried longest first and given up again where the rest doesn't match.
 * Of another rule the first row that matches is final. */
#include "period/period_match.h"

#include "base/day.h"
#include "period/period.h"
#include "text/number_words.h"

#include <ctype.h>
#include <stdlib.h>

#define NO_MATCH SIZE_MAX
#define REPEATS 8      /* of one element */
#define COUNT_WORDS 12 /* the highest number in words that counts units */

static const char *const words[] = {PERIOD_GRAMMAR_WORD};
static const uint32_t sets[] = {PERIOD_GRAMMAR_SET};
static const struct period_element elements[] = {PERIOD_GRAMMAR_ELEMENT};
static const struct period_setting settings[] = {PERIOD_GRAMMAR_SETTING};
static const struct period_row rows[] = {PERIOD_GRAMMAR_ROW};
static const struct period_rule rules[] = {PERIOD_GRAMMAR_RULE};
const struct period_grammar period_grammar = {
    words, sizeof words / sizeof *words, PERIOD_GRAMMAR_GROUPS, sets, elements, settings, rows, rules};

/* A row that is being matched. */
struct row_attempt {
  const struct period_text *t;
  size_t start, from, to; /* pieces */
  int slot[SLOTS];
};

/* ---- words ---- */

static int compare_word(const void *key, const void *word) {
  return strcmp(key, *(const char *const *)word);
}

/* The number of a word, from 1; 0 for one that the grammar doesn't know. */
static uint16_t word_number(const struct period_grammar *g, const char *word) {
  const char *const *found = bsearch(word, g->words, g->word_count, sizeof *g->words, compare_word);
  return found ? (uint16_t)(found - g->words + 1) : 0;
}

static int set_has(const struct period_text *t, unsigned number, const struct period_piece *p) {
  const uint32_t *set = t->g->sets + number * t->g->groups;
  return (p->word && (set[p->word / 32] >> p->word % 32 & 1)) ||
         (p->bare && (set[p->bare / 32] >> p->bare % 32 & 1));
}

/* Appends the pieces of token i. */
static void add_pieces(struct period_text *pt, uint16_t i) {
  const struct plan_token *token = &pt->t->token[i];
  char text[PLAN_FOLD];
  for (size_t at = 0, n; at < token->len && pt->count < PERIOD_PIECES; at += n) {
    int digits = isdigit((unsigned char)token->fold[at]) != 0;
    for (n = 0; at + n < token->len && (isdigit((unsigned char)token->fold[at + n]) != 0) == digits; n++)
      text[n] = token->fold[at + n];
    text[n] = '\0';
    if (at > 0 && token->possessive && strcmp(text, "s") == 0) /* "2024's" */
      return;
    struct period_piece *p = &pt->piece[pt->count++];
    *p = (struct period_piece){.of = i, .glued = at > 0, .number = -1};
    if (digits) {
      p->digits = (uint8_t)n;
      p->number = n <= 9 ? atoi(text) : -1;
    } else {
      p->word = word_number(pt->g, text);
      text[at + n == token->len && n > 1 ? n - (token->len - token->bare) : n] = '\0';
      p->bare = token->possessive ? word_number(pt->g, text) : 0;
    }
  }
}

void period_text_read(struct period_text *pt, const struct period_grammar *g, const struct plan_text *t,
                      const uint8_t *taken) {
  pt->g = g;
  pt->t = t;
  pt->taken = taken;
  pt->count = 0;
  for (size_t i = 0; i < t->count; i++) {
    pt->first[i] = (uint16_t)pt->count;
    if (t->token[i].amp && pt->count < PERIOD_PIECES)
      pt->piece[pt->count++] = (struct period_piece){.of = (uint16_t)i, .word = word_number(pt->g, "&")};
    else
      add_pieces(pt, (uint16_t)i);
  }
  pt->first[t->count] = (uint16_t)pt->count;
}

int period_word_is(const struct period_text *pt, size_t i, unsigned set) {
  return i < pt->t->count && pt->first[i + 1] == pt->first[i] + 1 &&
         set_has(pt, set, &pt->piece[pt->first[i]]);
}

/* ---- elements ---- */

static const struct plan_token *token_of(const struct period_text *t, size_t at) {
  return &t->t->token[t->piece[at].of];
}

static int was_taken(const struct period_text *t, size_t at, enum plan_taken what) {
  return at < t->count && t->taken && t->taken[t->piece[at].of] == what;
}

static int is_form_piece(const struct period_text *t, size_t at) {
  return was_taken(t, at, TAKEN_FORM);
}

/* Whether what is between a piece and the one before it is as the element says. */
static int gap_is(const struct period_text *t, const struct period_element *e, size_t at, size_t start) {
  unsigned gap = at < t->count ? token_of(t, at)->gap : 0;
  if (e->gap == '+' || at >= t->count)
    return at < t->count && t->piece[at].glued;
  if (t->piece[at].glued)
    return e->gap == '\0' && at == start;
  switch (e->gap) {
  case '-':
    return (gap & GAP_HYPHEN) != 0;
  case '/':
    return (gap & GAP_SLASH) != 0;
  case '.':
    return (gap & GAP_DOT) != 0;
  case ',':
    return (gap & GAP_COMMA) != 0;
  case '%':
    return (gap & GAP_PERCENT) != 0;
  case '\'':
    return (gap & GAP_APOSTROPHE) != 0;
  case '~':
    return !(gap & ~(unsigned)(GAP_HYPHEN | GAP_SLASH | GAP_BLANK | GAP_APOSTROPHE));
  case '_':
    return !(gap & (GAP_HYPHEN | GAP_APOSTROPHE));
  default:
    return 1;
  }
}

/* The year of two or four digits, or 0. */
static int piece_year(const struct period_piece *p) {
  int year = p->digits == 2 ? p->number + (p->number >= PERIOD_YEAR_FIRST % 100 ? 1900 : 2000) : p->number;
  return (p->digits == 2 || p->digits == 4) && year >= PERIOD_YEAR_FIRST && year <= PERIOD_YEAR_LAST ? year
                                                                                                     : 0;
}

static int cardinal_at(const struct period_text *t, size_t at) {
  return at < t->count && !t->piece[at].digits ? number_words_cardinal(slice_str(token_of(t, at)->fold)) : 0;
}

/* The end of a number at `at`, in *slot; NO_MATCH for none within the element's range. */
static size_t number_at(const struct period_text *t, const struct period_element *e, size_t at, int *slot) {
  const struct period_piece *p = &t->piece[at];
  int number = p->number;
  if (e->type == ELEMENT_COUNT && !p->digits)
    number = cardinal_at(t, at) <= COUNT_WORDS ? cardinal_at(t, at) : 0;
  if ((!p->digits && e->type != ELEMENT_COUNT) || number < e->low || number > e->high || is_form_piece(t, at))
    return NO_MATCH;
  *slot = number;
  return at + 1;
}

static int has_digits_later(const struct period_text *t, size_t at) {
  while (at < t->count && !t->piece[at].digits)
    at++;
  return at < t->count;
}

/* The end of a year or a day of digits at `at`, or NO_MATCH. */
static size_t date_at(const struct period_text *t, const struct period_element *e, size_t at,
                      int slot[SLOTS]) {
  const struct period_piece *p = &t->piece[at];
  int whole = e->type == ELEMENT_YYYYMMDD;
  if ((!whole && is_form_piece(t, at)) || (e->type == ELEMENT_YYYY && p->digits != 4) ||
      (e->type == ELEMENT_Y2 && p->digits != 2) || (whole && p->digits != 8))
    return NO_MATCH;
  slot[SLOT_YEAR] = whole ? p->number / 10000 : piece_year(p);
  if (!whole)
    return slot[SLOT_YEAR] ? at + 1 : NO_MATCH;
  slot[SLOT_MONTH] = p->number / 100 % 100;
  slot[SLOT_DAY] = p->number % 100;
  int known = slot[SLOT_YEAR] >= PERIOD_YEAR_FIRST && slot[SLOT_YEAR] <= PERIOD_YEAR_LAST;
  return known && slot[SLOT_MONTH] && slot[SLOT_DAY] ? at + 1 : NO_MATCH;
}

static size_t rule_match(const struct period_text *t, unsigned number, size_t at, int slot[SLOTS]);

/* Whether a piece at `at` has the gap and the capital that an element asks for. */
static int may_be_at(const struct row_attempt *a, const struct period_element *e, size_t at) {
  return at < a->t->count && ((e->flags & FLAG_BEHIND) || gap_is(a->t, e, at, a->start)) &&
         (!(e->flags & FLAG_CAPITAL) || token_of(a->t, at)->first_capital);
}

/* The end of one occurrence of an element at `at`, with its settings. */
static size_t element_match(const struct row_attempt *a, const struct period_element *e, size_t at,
                            int slot[SLOTS]) {
  const struct period_text *t = a->t;
  size_t end;
  if (e->type == ELEMENT_DIGITS_LATER)
    return has_digits_later(t, at) ? at : NO_MATCH;
  if (!may_be_at(a, e, at))
    return NO_MATCH;
  switch (e->type) {
  case ELEMENT_WORD:
    return set_has(t, e->number, &t->piece[at]) ? at + 1 : NO_MATCH;
  case ELEMENT_RULE:
    end = rule_match(t, e->number, at, slot);
    return e->slot && slot[e->slot] != e->low ? NO_MATCH : end;
  case ELEMENT_NUMBER:
  case ELEMENT_COUNT:
    return number_at(t, e, at, &slot[e->slot]);
  case ELEMENT_YYYY:
  case ELEMENT_YY:
  case ELEMENT_Y2:
  case ELEMENT_YYYYMMDD:
    return date_at(t, e, at, slot);
  case ELEMENT_FORM:
  case ELEMENT_PERIOD:
  case ELEMENT_COMPANY:
  case ELEMENT_FIGURE:
    return was_taken(t, at, (enum plan_taken)(TAKEN_FORM + (e->type - ELEMENT_FORM))) ? at + 1 : NO_MATCH;
  case ELEMENT_DIGITS:
    return t->piece[at].digits ? at + 1 : NO_MATCH;
  default:
    return at + 1;
  }
}

/* Matches a row's elements [e, until) at `at`: the end, or NO_MATCH with *a as it was.  repeats: how often e has matched. */
static size_t elements_match(struct row_attempt *a, const struct period_element *e,
                             const struct period_element *until, size_t at, int repeats) {
  if (e == until)
    return at;
  const struct row_attempt before = *a;
  size_t end = NO_MATCH;
  if (e->type == ELEMENT_FROM || e->type == ELEMENT_TO || e->type == ELEMENT_TO_KEPT) {
    end = elements_match(a, e + 1, until, at, 0);
    if (end != NO_MATCH && e->type == ELEMENT_TO)
      memcpy(a->slot, before.slot, sizeof a->slot);
    if (end != NO_MATCH)
      *(e->type == ELEMENT_FROM ? &a->from : &a->to) = at;
    return end;
  }
  if (e->flags & (FLAG_NOT | FLAG_BEHIND)) {
    int slot[SLOTS];
    memcpy(slot, a->slot, sizeof slot);
    size_t looked = !(e->flags & FLAG_BEHIND) ? at : a->start > 0 ? a->start - 1 : a->t->count;
    int found = element_match(a, e, looked, slot) != NO_MATCH;
    return found != ((e->flags & FLAG_NOT) != 0) ? elements_match(a, e + 1, until, at, 0) : NO_MATCH;
  }
  size_t one = repeats < REPEATS ? element_match(a, e, at, a->slot) : NO_MATCH;
  if (one != NO_MATCH) {
    int again = (e->flags & FLAG_REPEATED) && one > at;
    end = elements_match(a, again ? e : e + 1, until, one, again ? repeats + 1 : 0);
  }
  if (end == NO_MATCH) {
    *a = before;
    end = e->flags & FLAG_OPTIONAL ? elements_match(a, e + 1, until, at, 0) : NO_MATCH;
  }
  return end;
}

static void row_set(const struct period_grammar *g, const struct period_row *r, int slot[SLOTS]) {
  const struct period_setting *first = g->settings + r->setting;
  for (const struct period_setting *s = first; s < first + r->settings; s++)
    slot[s->slot] = s->op == OP_SET     ? s->value
                    : s->op == OP_COPY  ? slot[s->value]
                    : s->op == OP_TIMES ? slot[s->slot] * slot[s->value]
                                        : (slot[s->value] + 2) * 3 / 13;
}

static int rule_begins(const struct period_text *t, unsigned number, size_t at);

/* Whether a row can begin with the piece at `at`, as far as its first word or number says. */
static int row_begins(const struct period_text *t, const struct period_row *r, size_t at) {
  const struct period_element *e = &t->g->elements[r->element];
  const struct period_piece *p = &t->piece[at];
  while (e->type == ELEMENT_FROM)
    e++;
  if (at >= t->count || e->flags)
    return 1;
  if (e->type == ELEMENT_WORD)
    return set_has(t, e->number, p);
  if (e->type == ELEMENT_RULE)
    return rule_begins(t, e->number, at);
  return p->digits || e->type == ELEMENT_COUNT || e->type >= ELEMENT_FORM;
}

/* Whether one of a rule's rows can; answered once for each piece. */
static int rule_begins(const struct period_text *t, unsigned number, size_t at) {
  struct period_piece *p = (struct period_piece *)(uintptr_t)&t->piece[at]; /* a cache */
  const struct period_rule *rule = &t->g->rules[number];
  uint64_t bit = (uint64_t)1 << number % 64, *asked = &p->asked[number / 64 % 2],
           *begins = &p->begins[number / 64 % 2];
  if (*asked & bit && number < 128)
    return (*begins & bit) != 0;
  int can = 0;
  for (unsigned k = 0; k < rule->rows && !can; k++)
    can = row_begins(t, &t->g->rows[rule->row + k], at);
  *asked |= bit;
  *begins |= can ? bit : 0;
  return can;
}

/* Matches one row: 1 with a->from, a->to and a->slot.  A day that no month has is no match. */
static int row_match(struct row_attempt *a, const struct period_row *r) {
  a->from = a->start;
  a->to = NO_MATCH;
  const struct period_element *first = a->t->g->elements + r->element;
  size_t end = elements_match(a, first, first + r->elements, a->start, 0);
  if (end == NO_MATCH)
    return 0;
  a->to = a->to == NO_MATCH ? end : a->to;
  row_set(a->t->g, r, a->slot);
  int year = a->slot[SLOT_YEAR] ? a->slot[SLOT_YEAR] : 2024; /* a leap year */
  return !a->slot[SLOT_DAY] || !a->slot[SLOT_MONTH] ||
         day_is_real(year, a->slot[SLOT_MONTH], a->slot[SLOT_DAY]);
}

static size_t rule_match(const struct period_text *t, unsigned number, size_t at, int slot[SLOTS]) {
  const struct period_rule *rule = &t->g->rules[number];
  for (unsigned k = 0; k < rule->rows; k++) {
    const struct period_row *r = &t->g->rows[rule->row + k];
    struct row_attempt a;
    if (!row_begins(t, r, at))
      continue;
    a.t = t;
    a.start = at;
    memcpy(a.slot, slot, sizeof a.slot);
    if (!row_match(&a, r))
      continue;
    memcpy(slot, a.slot, sizeof a.slot);
    return a.to;
  }
  return NO_MATCH;
}

static int is_end(const struct period_text *t, size_t at) {
  return at >= t->count || !t->piece[at].glued;
}

size_t period_rule_at(const struct period_text *pt, unsigned rule, size_t i, int slot[SLOTS]) {
  if (i >= pt->t->count)
    return 0;
  size_t at = pt->first[i], end = rule_match(pt, rule, at, slot);
  return end == NO_MATCH || end == at || !is_end(pt, end) ? 0 : (size_t)pt->piece[end - 1].of + 1 - i;
}

int period_item_at(const struct period_text *pt, unsigned rule, size_t i, unsigned given, unsigned *row,
                   struct period_range *range, int slot[SLOTS]) {
  const struct period_rule *items = &pt->g->rules[rule];
  const struct period_piece *p = &pt->piece[pt->first[i]];
  if (!p->word && !p->bare && !p->digits && !cardinal_at(pt, pt->first[i]))
    return 0; /* no row begins with any other word */
  for (; *row < items->rows; ++*row) {
    const struct period_row *r = &pt->g->rows[items->row + *row];
    if ((r->condition & ~given) || !row_begins(pt, r, pt->first[i]))
      continue;
    struct row_attempt a = {.t = pt, .start = pt->first[i]};
    if (!row_match(&a, r) || !is_end(pt, a.to) || a.to <= a.from)
      continue;
    range->from = pt->piece[a.from].of;
    range->to = (size_t)pt->piece[a.to - 1].of + 1;
    memcpy(slot, a.slot, sizeof a.slot);
    return 1;
  }
  return 0;
}
