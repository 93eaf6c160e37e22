#include "verify/claims.h"

#include "base/clock.h"
#include "text/sentence.h"
#include "verify/claim_binding.h"
#include "verify/claim_computed.h"
#include "verify/claim_lines.h"
#include "verify/claim_moves.h"
#include "verify/claim_quotes.h"
#include "verify/claim_rows.h"
#include "verify/claim_sentence.h"
#include "verify/claim_signs.h"
#include "verify/claim_subject.h"
#include "verify/claim_swaps.h"
#include "verify/claim_view.h"
#include "verify/evidence_kinds.h"
#include "verify/evidence_lists.h"
#include "verify/periods.h"
#include "tables/changes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

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

/* "Three" of a text is no rival of an amount of money, or of millions. */
static int claim_is_bare_word(const struct stated_number *n, const struct evidence_item *item) {
  return !item->in_table && (n->currency || n->scaled) && !item->currency && item->printed.len &&
         isalpha((unsigned char)item->printed.data[0]);
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
        (!v->n->percent && claim_has_other_noun(v, item)) || claim_is_bare_word(v->n, item) ||
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
  return (rival->row != found->row || listed) && claim_has_company(v, found);
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
    rival = claim_of_company(v, found);
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
