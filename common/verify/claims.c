/* claims.c: a verdict for each number of an answer: found, contradicted or unsupported.
 *
 * A number is found where a figure of the cited passages has its value, line, period, unit and company.  It is contradicted where such a
 * line has another value.  First come readers of the whole sentence (literal quotes, directions, signs), then the verdicts. */
#include "verify/claims.h"
#include "base/clock.h"
#include "tables/changes.h"
#include "text/sentence.h"
#include "verify/claim_binding.h"
#include "verify/claim_computed.h"
#include "verify/claim_lines.h"
#include "verify/claim_subject.h"
#include "verify/claim_view.h"
#include "verify/evidence.h"
#include "verify/evidence_lists.h"
#include "verify/periods.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  QUOTE_WORDS = 5, /* fewer may be a label */
  QUOTE_FRONT = 5, /* words before a number that tell what it is of */
  QUOTE_BEHIND = 2
};

static size_t quote_blanks(struct slice t, size_t i) {
  while (i < t.len && isspace((unsigned char)t.data[i]))
    i++;
  return i;
}

/* Whether a quote stands at byte i of a text, apart from case and the width of blanks. */
static int quote_is_at(struct slice t, size_t i, struct slice quote) {
  size_t k = 0;
  while (k < quote.len && i < t.len) {
    size_t behind = quote_blanks(quote, k), next = quote_blanks(t, i);
    if ((behind > k) != (next > i) ||
        tolower((unsigned char)quote.data[behind]) != tolower((unsigned char)t.data[next]))
      return 0;
    k = behind + 1;
    i = next + 1;
  }
  return k >= quote.len && (i >= t.len || !isalnum((unsigned char)t.data[i]));
}

static int quote_is_in(struct slice t, struct slice quote) {
  for (size_t i = 0; i + quote.len / 2 < t.len; i++)
    if ((!i || !isalnum((unsigned char)t.data[i - 1])) && quote_is_at(t, i, quote))
      return 1;
  return 0;
}

/* The sentence without its marks and its last punctuation. */
static struct slice quote_of(const struct claim_sentence *s) {
  struct slice t = s->text;
  t.len = s->stated.mark_count ? s->stated.marks[0].start : t.len;
  while (t.len && (isspace((unsigned char)t.data[t.len - 1]) || strchr(".;:!?\"", t.data[t.len - 1])))
    t.len--;
  size_t from = quote_blanks(t, 0);
  return slice_of(t.data + from, t.len - from);
}

/* The mark of a cited passage, or of any where the sentence cites none, that has the sentence up to its marks word by word; 0 where
 * none has it, or where it has few words. */
static int claim_quoted(const struct claim_sentence *s) {
  struct slice quote = quote_of(s);
  size_t words = 0;
  for (size_t i = 0; i < quote.len; i++)
    words += quote.data[i] == ' ';
  for (size_t i = 0; words >= QUOTE_WORDS && i < s->owners->count; i++) {
    int cited = !s->mark_count;
    for (size_t k = 0; k < s->mark_count; k++)
      cited |= s->marks[k] == s->owners->list[i].mark;
    if (cited && quote_is_in(s->owners->list[i].text, quote))
      return s->owners->list[i].mark;
  }
  return 0;
}

/* How many words two texts have in common from their beginnings, or, with step -1, from their ends; *all where either is used up. */
static size_t quote_common(struct slice a, struct slice b, int step, int *all) {
  size_t i = 0, words = 0;
  while (i < a.len && i < b.len) {
    char x = step > 0 ? a.data[i] : a.data[a.len - 1 - i], y = step > 0 ? b.data[i] : b.data[b.len - 1 - i];
    if (tolower((unsigned char)x) != tolower((unsigned char)y))
      break;
    words += x == ' ' && i;
    i++;
  }
  *all = i == a.len || i == b.len;
  return words + (size_t)*all;
}

/* Whether the number has the words beside it of a figure of a text: those before it up to the number before or some five, and the next
 * ones behind it. */
static int claim_is_verbatim(const struct claim_view *v, const struct evidence_item *found) {
  struct slice t = v->s->text, label = found->label;
  size_t k = (size_t)(v->n - v->s->stated.numbers), last = k ? v->n[-1].end : 0;
  if (found->in_table || !found->printed.len || last > v->n->start)
    return 0;
  size_t next = k + 1 < v->s->stated.number_count ? v->n[1].start : t.len;
  size_t start = (size_t)(found->printed.data - label.data), end = start + found->printed.len;
  int front_all, behind_all;
  size_t front = quote_common(slice_of(t.data, v->n->start), slice_of(label.data, start), -1, &front_all);
  size_t behind = quote_common(slice_of(t.data + v->n->end, t.len - v->n->end),
                               slice_of(label.data + end, label.len - end), 1, &behind_all);
  size_t to_last = 0, to_next = 0;
  for (size_t i = last; i < v->n->start; i++)
    to_last += t.data[i] == ' ';
  for (size_t i = v->n->end; i < next; i++)
    to_next += t.data[i] == ' ';
  int led = front >= QUOTE_FRONT || (k && front > to_last);
  return led && (behind >= QUOTE_BEHIND || behind_all || behind >= to_next);
}

/* ---- what a sentence says as a whole ---- */

/* "5% and 3% in the second quarter and year-to-date periods, respectively": the lengths of a list's parts. */
static void sentence_read_parts(struct claim_sentence *s) {
  struct evidence_respective *parts = xcalloc(s->stated.number_count + 1, sizeof *parts);
  evidence_respective_parts(&s->stated, s->text, s->listed, parts);
  for (size_t i = 0; i < s->stated.number_count; i++)
    if (parts[i].list.len && !s->listed[i].months)
      s->listed[i].months = evidence_part_months(&parts[i]);
  free(parts);
}

/* "IBM's total equity" names no "Total IBM stockholders' equity": the name of the company whose passages the sentence cites tells no
 * column. */
static void sentence_take_names(struct claim_sentence *s, const struct evidence *e) {
  const struct plan *plan = &s->names.plan;
  for (size_t i = 0; i < plan->company_count; i++) {
    const struct plan_company *c = &plan->companies[i];
    int own =
        slice_eq(c->matched, c->ticker) || (c->matched.len && c->matched.len <= c->name.len &&
                                            strncasecmp(c->name.data, c->matched.data, c->matched.len) == 0);
    for (size_t k = 0; own && k < s->owners->count; k++)
      if (slice_is(s->owners->list[k].cik, c->cik))
        evidence_words_add(e, &s->named, c->matched);
  }
}

/* Reads the numbers, words, marks, names and periods of a sentence, whose text and owners are set; about[i] gets how much it is about
 * item i. */
static void claim_sentence_read(struct claim_sentence *s, const struct evidence *e, double *about) {
  numbers_read(&s->stated, s->text, 0);
  evidence_words_of(e, &s->words, s->text);
  s->listed = xcalloc(s->stated.number_count + 1, sizeof *s->listed);
  evidence_listed_periods(&s->stated, s->text, s->listed);
  sentence_read_parts(s);
  if (s->stated.number_count) {
    owner_names_read(&s->names, s->owners,
                     s->stated.mark_count ? slice_of(s->text.data, s->stated.marks[0].start) : s->text);
    claim_find_concepts(s, e->table);
    sentence_take_names(s, e);
  }
  for (size_t i = 0; i < s->stated.mark_count && s->mark_count < CLAIM_MARKS; i++)
    s->marks[s->mark_count++] = s->stated.marks[i].mark;
  s->quoted = s->stated.number_count ? claim_quoted(s) : 0;
  for (size_t i = 0; s->stated.number_count && i < e->count; i++)
    about[i] = claim_about(s, &e->items[i]);
}

/* ---- whether figures that are found moved as the sentence says ---- */

/* The direction in which the sentence says that something came to the number, "grew to $5"; 0 for none. */
static int move_to(const struct claim_view *v, const struct stated_number *n) {
  if (n->start < 3 || !slice_at_nocase(v->s->text, n->start - 3, "to "))
    return 0;
  return period_direction(v->s->text, n->start - 3, n->end);
}

static void move_contradict(struct claim *claim, const struct evidence_item *item, const char *how) {
  claim->verdict = CLAIM_CONTRADICTED;
  claim->item = item;
  claim->how = how;
}

/* Whether two figures are of one line of a table at two dates, the first one's later. */
static int move_is_later(const struct evidence_item *a, const struct evidence_item *b) {
  return a->in_table && a->row == b->row && a->year > b->year && b->year && a->months == b->months;
}

/* "X from Y": Y is what was before. */
static void move_from(struct claim *x, const struct claim *y, const struct claim_view *v) {
  const struct stated_number *b = v->n, *a = b - 1;
  int to = a->start >= 3 && slice_at_nocase(v->s->text, a->start - 3, "to ");
  if (a->percent && !to) /* "grew 9% after 11%" */
    return;
  if (move_is_later(y->item, x->item)) {
    move_contradict(x, x->item, "other year");
    return;
  }
  int direction = period_direction(v->s->text, a->start - (to ? 3 : 0), a->end);
  if ((direction > 0 && a->value < b->value) || (direction < 0 && a->value > b->value))
    move_contradict(x, x->item, "other sign");
}

/* The line's figure so many years later; NULL where it has none. */
static const struct evidence_item *move_beside(const struct claim_view *v, const struct evidence_item *item,
                                               int years) {
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *b = &v->e->items[i];
    if (b->row == item->row && b->mark == item->mark && b->year == item->year + years &&
        b->months == item->months && b->percent == item->percent && b->direction == item->direction &&
        b->quarter == item->quarter && (!b->day || !item->day || b->day == item->day || b->months))
      return b;
  }
  return NULL;
}

/* "Grew to $6.6 billion". */
static void move_alone(struct claim *x, const struct claim_view *v, const struct stated_number *n) {
  const struct evidence_item *is = x->item, *was, *next;
  int direction = move_to(v, n);
  static const char *const better[] = {CHANGES_BETTER, NULL};
  if (!direction || claim_has_word(v->s->text, better) || !is->in_table || !is->year || is->direction ||
      is->value <= 0 || strcmp(x->how, "computed") == 0)
    return;
  was = move_beside(v, is, -1);
  if (!was && !v->s->stated.year_count && !v->told_year && (next = move_beside(v, is, 1)) != NULL) {
    move_contradict(x, next,
                    "other year"); /* without a year the newest one is meant, and this has none before it */
    return;
  }
  if (was && was->value > 0 && (direction > 0 ? is->value < was->value : is->value > was->value))
    move_contradict(x, was, "other sign");
}

/* Contradicts claim k of the sentence, or the one before it, where both are found and the sentence tells of the other
 * direction or of the other order: "climbed to $11.4 billion from $11.8 billion", "from $72 million to $70 million" where $72
 * million is the later one; "grew to $6.6 billion" where the line was larger in the year before. */
static void claim_moves_check(struct claim *claim, const struct claim_view *v, size_t k) {
  const struct stated_number *b = v->n, *a = k && (size_t)(b - v->s->stated.numbers) == k ? b - 1 : NULL;
  if (claim->verdict != CLAIM_FOUND)
    return;
  if (!a || claim[-1].verdict != CLAIM_FOUND || a->percent != b->percent || a->change) {
    move_alone(claim, v, b);
  } else if (period_is_before(v->s->text, b->start, b->end)) {
    move_from(&claim[-1], claim, v);
  } else if (a->start >= 5 && slice_at_nocase(v->s->text, a->start - 5, "from ") && b->start == a->end + 4 &&
             slice_at_nocase(v->s->text, a->end, " to ")) {
    int direction = period_direction(v->s->text, a->start - strlen("from "), a->end);
    if (move_is_later(claim[-1].item, claim->item))
      move_contradict(&claim[-1], claim[-1].item, "other year");
    else if ((direction > 0 && b->value < a->value) || (direction < 0 && b->value > a->value))
      move_contradict(claim, claim[-1].item, "other sign");
  } else {
    move_alone(claim, v, b);
  }
}

/* ---- poles: profit and loss, cash inflow and outflow ---- */

/* 1 for a word of profit at byte i of a text, -1 for one of loss, else 0. */
static int pole_at(struct slice t, size_t i) {
  static const char *const none[] = {"income tax", "operating activities", NULL};
  static const char *const up[] = {CHANGES_PROFIT, NULL};
  static const char *const down[] = {CHANGES_LOSS, NULL};
  struct slice rest = slice_of(t.data + i, t.len - i);
  if (i && isalpha((unsigned char)t.data[i - 1]))
    return 0;
  for (int k = 0; none[k]; k++)
    if (slice_begins_nocase(rest, none[k]))
      return 0;
  for (int k = 0; up[k]; k++)
    if (slice_begins_nocase(rest, up[k]))
      return 1;
  for (int k = 0; down[k]; k++)
    if (slice_begins_nocase(rest, down[k]))
      return -1;
  return 0;
}

/* The only pole in a text; 0 where it has none or both. *both is set in the latter case. */
static int pole_of(struct slice t, int *both) {
  int up = 0, down = 0;
  for (size_t i = 0; i < t.len; i++) {
    int pole = pole_at(t, i);
    up |= pole > 0;
    down |= pole < 0;
  }
  *both = up && down;
  return up - down;
}

/* The last pole in [from, at). */
static int pole_before(struct slice t, size_t from, size_t at) {
  for (size_t i = at; i-- > from;) {
    int pole = pole_at(t, i);
    if (pole)
      return pole;
  }
  return 0;
}

/* The pole stated for a number of a text: the last one between the previous number and it, or the only one. */
static int pole_told(struct slice t, const struct stated *s, size_t start) {
  size_t from = 0;
  int both;
  for (size_t i = 0; i < s->number_count && s->numbers[i].start < start; i++)
    from = s->numbers[i].end;
  int pole = pole_before(t, from < start ? from : start, start);
  return pole ? pole : pole_of(t, &both);
}

/* Whether the figure's sign is meaningful; "gains" in parentheses may be a deduction. */
static int claim_is_result(const struct evidence_item *found) {
  static const char *const results[] = {"Net income",
                                        "Operating income",
                                        "Income before taxes",
                                        "Gross profit",
                                        "Diluted earnings per share",
                                        "Basic earnings per share",
                                        NULL};
  for (int k = 0; found->whole && results[k]; k++)
    if (slice_is(found->concept->label, results[k]))
      return 1;
  return 0;
}

/* "Foreign exchange (gain)/loss": a figure in parentheses is the gain. */
static int pole_is_bracketed(struct slice name) {
  static const char *const gains[] = {"(gain", "(income)", "(profit", "(earnings)", NULL};
  for (int k = 0; gains[k]; k++)
    if (slice_holds_nocase(name, gains[k]))
      return 1;
  return 0;
}

/* 1 for a profit or inflow, -1 for a loss or outflow, by the name of the line or its heading and the printed value; 0
 * where unknown. */
static int pole_of_line(const struct evidence_item *found) {
  struct slice names[3] = {found->label, found->head, found->under};
  for (int k = 0; k < 3; k++) {
    int both, pole = pole_of(names[k], &both);
    if (pole_is_bracketed(names[k]))
      return found->value < 0 ? 1 : -1;
    if (pole < 0)
      return -1;
    if (both || (pole > 0 && (found->value > 0 || claim_is_result(found))))
      return found->value < 0 ? -1 : 1;
  }
  return 0;
}

static int pole_of_prose(const struct evidence_item *found) {
  struct stated s;
  int both, own = pole_before(found->front, 0, found->front.len);
  own = own ? own : pole_of(found->behind, &both);
  if (own)
    return own;
  numbers_read(&s, found->label, 1);
  int pole = pole_told(found->label, &s, (size_t)(found->printed.data - found->label.data));
  numbers_release(&s);
  return pole;
}

/* What the words next to a number tell: poles between the number before and it, else up to the next one, else of the
 * sentence. */
static void pole_near(const struct claim_view *v, const char *const *more, int *up, int *down) {
  const struct stated *s = &v->s->stated;
  struct slice t = v->s->text;
  size_t k = (size_t)(v->n - s->numbers), from = k ? s->numbers[k - 1].end : 0;
  size_t next = k + 1 < s->number_count ? s->numbers[k + 1].start : t.len, to = v->n->end;
  struct slice places[] = {slice_of(t.data + from, v->n->start > from ? v->n->start - from : 0),
                           slice_of(t.data + to, next > to ? next - to : 0), t};
  *up = *down = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places && !*up && !*down; i++) {
    int both, pole = pole_of(places[i], &both);
    *up = both || pole > 0;
    *down = both || pole < 0 || claim_has_word(places[i], more);
  }
}

/* A fact's sign against the sentence: a loss must be told as one. */
static int claim_other_fact_sign(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const negative[] = {CHANGES_NEGATIVE, "credit", NULL};
  static const char *const below[] = {"negative", "outflow", "burn", NULL};
  static const char *const spent[] = {"investing cash", "financing cash", NULL};
  static const char *const cash[] = {"net cash", NULL};
  int up, down, both;
  pole_near(v, negative, &up, &down);
  if (v->n->value < 0 || found->value == 0)
    return found->value > 0;
  if (found->value < 0)
    return !down && (up || !claim_has_word(found->label, spent)) && !claim_has_word(v->s->text, cash);
  if (pole_of(found->label, &both) > 0)
    return down && !up;
  return claim_has_word(found->label, (const char *const[]){"margin", "cash flow", NULL}) &&
         claim_has_word(v->s->text, below);
}

/* A profit that the line calls a loss, an inflow that the line calls an outflow, or the reverse. */
static int claim_other_pole(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const in[] = {"provided", "generated", "freed", "brought in", NULL};
  static const char *const out[] = {"used", "consumed", "tied up", "burned", NULL};
  static const char *const flows[] = {"provided", "generated", "used", "consumed", NULL};
  if (!found->mark)
    return claim_other_fact_sign(v, found);
  if (found->percent || !found->printed.len)
    return 0;
  if (found->in_table && found->flow &&
      !claim_has_word(found->label, flows)) { /* the sign only distinguishes inflow and outflow */
    int came = claim_has_word(v->s->text, in), went = claim_has_word(v->s->text, out);
    return came != went && came != (found->value > 0);
  }
  int is = found->in_table ? pole_of_line(found) : pole_of_prose(found);
  int told = v->n->value < 0 ? -1 : pole_told(v->s->text, &v->s->stated, v->n->start);
  return is && told && is != told;
}

/* "Operating income (loss) was $5": the sentence has the line's name of either sign, and tells the sign by the number alone. */
static int claim_quotes_either(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const either[] = {CHANGES_EITHER_SIGN, NULL};
  for (int k = 0; found->in_table && either[k]; k++)
    if (slice_holds_nocase(found->label, either[k]) && slice_holds_nocase(v->s->text, either[k]))
      return 1;
  return 0;
}

/* For a line of either sign, "Operating (loss) profit" or "Income tax expense (benefit)": the sentence names the
 * other sign, or calls an increase a decrease. */
static int claim_other_sign(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const poles[] = {"(loss", "(benefit", "(deficit", "(used", "loss)", NULL};
  static const char *const negative[] = {CHANGES_NEGATIVE, NULL};
  static const char *const expense[] = {"(expense", NULL};
  static const char *const cost[] = {"net cost", "net expense", "negative", "minus",
                                     "cost ",    "loss",        "lost",     NULL};
  int up, down;
  if (claim_quotes_either(v, found))
    return (v->n->value < 0) != (found->value < 0);
  if (v->direction && (found->direction || (found->percent && found->value < 0)))
    return v->direction != (found->direction ? found->direction : -1);
  if (!found->in_table || found->percent)
    return claim_other_pole(v, found);
  if (claim_has_word(found->label, expense) && !claim_has_word(v->s->text, expense))
    return (v->n->value < 0 || claim_has_word(v->s->text, cost)) != (found->value < 0);
  if (!claim_has_word(found->label, poles))
    return claim_other_pole(v, found);
  pole_near(v, negative, &up, &down);
  return (v->n->value < 0 || down) != (found->value < 0);
}

/* ---- verdicts ---- */

/* Whether the sentence names a company and the item belongs to another. */
static int claim_is_foreign(const struct claim_view *v, const struct evidence_item *item) {
  return owner_names_another(&v->s->names, v->s->owners, item->mark, item->cik);
}

/* "7% of sales" is a share, and a change is none. */
static int claim_is_no_share(const struct claim_view *v, const struct evidence_item *item) {
  return v->n->percent && !v->direction && item->direction && slice_at_nocase(v->s->text, v->n->end, " of ");
}

/* The best item with the number: in the right year, with the right label. */
static const struct evidence_item *claim_find(const struct claim_view *v, const char **how) {
  const struct evidence_item *best = NULL;
  double best_score = -1;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    const char *this_how;
    if (!claim_cites(v->s, item) || !claim_fits_time(v, item) || !claim_matches(v->n, item, &this_how) ||
        (item->in_table && claim_is_no_share(v, item)))
      continue;
    double score = v->about[i] + (v->year && item->year == v->year ? 1
                                  : claim_same_year(item, v->year) ? 0.5
                                                                   : 0);
    score -= claim_same_year(item, v->year) ? 0 : 1;
    score += !claim_same_months(item, v->months) ? -1 : item->months && v->months ? 0.5 : 0;
    score -= v->direction && item->direction && item->direction != v->direction ? 0.25 : 0;
    score -= claim_is_foreign(v, item) ? 1 : 0;
    if (!best || score > best_score) {
      best_score = score;
      best = item;
      *how = this_how;
    }
  }
  return best;
}

/* An item with another value for what the sentence is about; at_least: required similarity. */
static const struct evidence_item *claim_rival(const struct claim_view *v, double at_least) {
  const struct evidence_item *best = NULL;
  double most = at_least;
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    const char *how;
    if (v->n->points || v->about[i] < most || !evidence_kind_rivals(v->kind, item->kind) ||
        !claim_cites(v->s, item) || claim_matches(v->n, item, &how) || !claim_same_year(item, v->year) ||
        !claim_fits_time(v, item) || claim_is_foreign(v, item) || !claim_same_months(item, v->months) ||
        (!item->mark && claim_other_currency(v->n, item)) ||
        (!v->n->percent && claim_has_other_noun(v, item)) ||
        (v->n->currency && (item->counts || item->shares)) || claim_is_other_money(v->n, item) ||
        claim_is_no_share(v, item))
      continue;
    if (!best || v->about[i] > most) {
      best = item;
      most = v->about[i];
    }
  }
  return best;
}

/* A fact that has the number, but in another currency. */
static const struct evidence_item *claim_in_other_currency(const struct claim_view *v) {
  struct stated_number bare = *v->n;
  struct claim_view of = *v;
  const char *how;
  bare.currency = 0;
  of.n = &bare;
  const struct evidence_item *found = v->n->currency ? claim_find(&of, &how) : NULL;
  return found && !found->mark && claim_same_year(found, v->year) ? found : NULL;
}

/* The same line in the year and duration that the sentence names. */
static const struct evidence_item *claim_same_row(const struct claim_view *v,
                                                  const struct evidence_item *found) {
  for (size_t i = 0; i < v->e->count; i++) {
    const struct evidence_item *item = &v->e->items[i];
    if (item->row == found->row && item != found && (!v->year || item->year == v->year) &&
        claim_same_months(item, v->months) && item->percent == found->percent)
      return item;
  }
  return NULL;
}

static void claim_set(struct claim *c, enum claim_verdict verdict, const struct evidence_item *item,
                      const char *how) {
  c->verdict = verdict;
  c->item = item;
  c->how = how;
}

/* "Cut from $5 to $4 in 2025": whether a number that is only taken for the year before's, or the one after it, stands beside the
 * other one in a sentence of a passage as well, which tells both of one year. */
static int claim_is_pair(const struct claim_view *v, const struct evidence_item *found) {
  const struct stated *t = &v->s->stated;
  size_t k = (size_t)(v->n - t->numbers);
  const char *how;
  if (found->in_table || t->year_count > 1)
    return 0;
  for (size_t other = k ? k - 1 : 1; other < t->number_count && other <= k + 1;
       other += other + 1 == k ? 2 : 1)
    for (size_t i = 0; i < v->e->count; i++)
      if (v->e->items[i].row == found->row && &v->e->items[i] != found &&
          v->e->items[i].year == found->year && claim_matches(&t->numbers[other], &v->e->items[i], &how))
        return 1;
  return 0;
}

static int claim_other_year(const struct claim_view *v, const struct evidence_item *found) {
  if (claim_same_year(found, v->year))
    return 0;
  int derived = found->year == v->year + 1 && period_is_before(v->s->text, v->n->start, v->n->end);
  return !(derived && claim_is_pair(v, found));
}

/* Where a text has the number without a year: its number for the year that the sentence names. */
static const struct evidence_item *claim_of_year(const struct claim_view *v,
                                                 const struct evidence_item *found) {
  return !found->in_table && !found->year && v->year ? claim_same_row(v, found) : NULL;
}

/* Whether the sentence has a proper name that occurs in none of the cited passages: of a place, or any where no word of the figure's
 * line is told. */
static int claim_has_stranger(const struct claim_view *v, const struct evidence_item *found) {
  size_t common;
  evidence_overlap(found->in_table ? &found->words : &found->local, &v->s->words, &common);
  for (size_t i = 0; i < v->s->mark_count; i++)
    if (!owner_stranger(v->s->owners, v->s->marks[i], v->s->text, common > 0).len)
      return 0;
  return v->s->mark_count > 0;
}

/* "Net sales of Services", where a table has "Services" and "Total net sales": the clause has the whole label of the line that was
 * found, and of the other neither the whole label nor that word in it. */
static int claim_is_row_named(const struct claim_view *v, const struct evidence_item *found,
                              const struct evidence_item *rival) {
  int lacks = 0, lost = slice_holds_nocase(rival->label, "total") && !slice_holds_nocase(v->s->text, "total");
  if (!found->in_table || !rival->in_table || found->words.count == 0)
    return 0;
  for (size_t i = 0; i < found->words.count; i++) {
    if (!evidence_has_word(&v->own, found->words.hash[i]))
      return 0;
    lacks |= !evidence_has_word(&rival->words, found->words.hash[i]);
  }
  for (size_t i = 0; i < rival->words.count; i++)
    lost |= !evidence_has_word(&v->s->words, rival->words.hash[i]);
  return lacks && lost;
}

/* Whether the other numbers of the sentence stand with the figure, and not with a rival of another row or place of a list. */
static int claim_is_out_of_company(const struct claim_view *v, const struct evidence_item *found,
                                   const struct evidence_item *rival) {
  int listed = found->list > 1 && rival->first_of_list == found->first_of_list;
  return (rival->row != found->row || listed) && claim_has_companion(v, found);
}

/* The item that shows that the number belongs to another line than the sentence's; NULL where it doesn't. */
static const struct evidence_item *claim_true_line(const struct claim_view *v,
                                                   const struct evidence_item *found) {
  if (claim_is_verbatim(v, found))
    return NULL;
  const struct evidence_item *rival = claim_other_line(v, found);
  if (rival && (claim_is_row_named(v, found, rival) || claim_is_out_of_company(v, found, rival)))
    rival = NULL;
  if (!rival)
    rival = claim_swapped(v, found);
  if (!rival)
    rival = claim_of_companion(v, found);
  if (!rival && claim_is_other_name(v, found))
    rival = found;
  const struct evidence_item *from = rival ? claim_computed(v) : NULL;
  int itself = from && from->row == found->row && strcmp(v->computation->relation, "sum") != 0;
  return rival && (!from || itself) ? rival : NULL; /* the change of its own row is the figure once more */
}

/* "Was $5 in 2025" of a quarter's figure, where neither the sentence nor one before it speaks of less than a year. */
static int claim_is_of_part_year(const struct claim_view *v, const struct evidence_item *found) {
  return v->year && !v->months && !v->told_months && !v->quarter && !v->day && found->in_table &&
         found->mark && !found->direction && found->months > 0 && found->months < 12;
}

static void claim_judge(struct claim *c, const struct claim_view *v) {
  const char *how = "same";
  const struct evidence_item *found = claim_find(v, &how), *rival;
  if (found && found->mark && found->mark == v->s->quoted) {
    claim_set(c, CLAIM_FOUND, found, how);
    return;
  }
  if (found) {
    if (claim_is_foreign(v, found)) {
      claim_set(c, CLAIM_CONTRADICTED, found, "other company");
    } else if (claim_other_year(v, found) && (rival = claim_same_row(v, found)) != NULL) {
      claim_set(c, CLAIM_CONTRADICTED, rival, "other year");
    } else if (!claim_same_months(found, v->months)) {
      rival = claim_same_row(v, found);
      claim_set(c, CLAIM_CONTRADICTED, rival ? rival : found, "other period");
    } else if (claim_other_year(v, found)) {
      claim_set(c, CLAIM_CONTRADICTED, found, "other year");
    } else if ((rival = claim_of_year(v, found)) != NULL) {
      claim_set(c, CLAIM_CONTRADICTED, rival, "other year");
    } else if (!claim_is_verbatim(v, found) && claim_other_sign(v, found)) {
      claim_set(c, CLAIM_CONTRADICTED, found, "other sign");
    } else if ((rival = claim_true_line(v, found)) != NULL) {
      claim_set(c, CLAIM_CONTRADICTED, rival, "other line");
    } else if (claim_is_of_part_year(v, found)) {
      claim_set(c, CLAIM_UNSUPPORTED, NULL, NULL);
    } else if (claim_is_unbound(v, found) || (found->mark && claim_has_stranger(v, found))) {
      claim_set(c, CLAIM_UNSUPPORTED, NULL, NULL);
    } else {
      claim_set(c, CLAIM_FOUND, found, how);
    }
    return;
  }
  if ((found = claim_computed(v)) != NULL)
    claim_set(c, CLAIM_FOUND, found, "computed");
  else if ((rival = claim_in_other_currency(v)) != NULL)
    claim_set(c, CLAIM_CONTRADICTED, rival, "other currency");
  else if ((rival = claim_rival(v, CLAIM_SAME_LABEL)) != NULL)
    claim_set(c, CLAIM_CONTRADICTED, rival, "other value");
  else
    claim_set(c, CLAIM_UNSUPPORTED, NULL, NULL);
}

/* Judges again with the year before where that may be meant; a figure of yet another year is not blamed. */
static void claim_judge_before(struct claim *c, const struct claim_view *v, const struct claim *before) {
  const struct evidence_item *last = before && before->verdict == CLAIM_FOUND ? before->item : NULL;
  int year = c->verdict == CLAIM_FOUND ? 0 : claim_year_before(v, last);
  if (year <= 0)
    return;
  struct claim again = *c;
  struct claim_view of = *v;
  of.year = year;
  of.computation = &again.computed;
  claim_judge(&again, &of);
  if (again.verdict == CLAIM_CONTRADICTED && strcmp(again.how, "other year") == 0)
    claim_set(&again, CLAIM_UNSUPPORTED, NULL, NULL);
  if (again.verdict == CLAIM_FOUND || c->verdict == CLAIM_CONTRADICTED)
    *c = again;
}

static void claims_add(struct claims *c, const struct claim *claim) {
  if ((c->count & (c->count - 1)) == 0)
    c->claims = xreallocarray(c->claims, c->count ? 2 * c->count : 1, sizeof *c->claims);
  c->claims[c->count++] = *claim;
}

/* "$5 and $4 in 2009 and 2008": the number's own of the periods that the sentence lists. */
static void claim_take_listed(struct claim_view *view) {
  const struct claim_sentence *s = view->s;
  const struct evidence_period *own = &s->listed[view->n - s->stated.numbers];
  view->year = own->year ? own->year : view->year;
  view->months = own->months ? own->months : view->months;
  view->day = own->day ? own->day : view->day;
}

/* Reads what the sentence says of one number. */
static void claim_view_read(struct claim_view *view) {
  const struct claim_sentence *s = view->s;
  const struct stated_number *n = view->n;
  view->year = claim_year(s, n);
  view->months = period_months_near(s->text, n->start);
  view->quarter = period_quarter_near(s->text, n->start);
  view->day = period_day_near(s->text, n->start);
  claim_take_listed(view);
  view->direction = n->change ? n->change : period_direction(s->text, n->start, n->end);
  view->kind = evidence_kind_told(n, s->text, view->direction);
  claim_take_clause(view);
}

struct claim_told { /* the last ones that the answer named before a sentence, or 0 */
  int year, months;
};

/* told: before the sentence, and then up to its end. */
static void claims_sentence(struct claims *c, const struct evidence *e, const struct owners *owners,
                            struct slice answer, size_t from, size_t to, struct claim_told *told) {
  struct claim_sentence s = {.text = slice_of(answer.data + from, to - from), .owners = owners};
  double *about = xcalloc(e->count + 1, sizeof *about);
  claim_sentence_read(&s, e, about);
  for (size_t i = 0, first = c->count; i < s.stated.number_count; i++) {
    struct claim claim = {.number = s.stated.numbers[i]};
    struct claim_view view = {.e = e, .s = &s, .n = &s.stated.numbers[i], .about = about};
    if (owner_is_numbered_name(owners, s.text, view.n->start, view.n->end))
      continue;
    view.told_year = told->year;
    view.told_months = told->months;
    view.computation = &claim.computed;
    claim_view_read(&view);
    claim_judge(&claim, &view);
    claim_judge_before(&claim, &view, c->count > first ? &c->claims[c->count - 1] : NULL);
    claim.number.start += from;
    claim.number.end += from;
    claims_add(c, &claim);
    claim_moves_check(c->claims + c->count - 1, &view, c->count - 1 - first);
  }
  if (s.stated.number_count)
    owner_names_release(&s.names);
  int months = period_months_near(s.text, 0);
  told->year = s.stated.year_count ? s.stated.years[s.stated.year_count - 1].year : told->year;
  told->months = months ? months : told->months;
  numbers_release(&s.stated);
  free(s.listed);
  free(about);
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
  struct claim_told told = {0, 0};
  *c = (struct claims){NULL, 0};
  for (size_t from = 0, to; from < answer.len; from = to) {
    to = claims_sentence_end(answer, from);
    claims_sentence(c, e, owners, answer, from, to, &told);
  }
}
