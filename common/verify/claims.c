#include "verify/claims.h"

#include "base/clock.h"
#include "text/sentence.h"
#include "verify/claim_binding.h"
#include "verify/claim_computed.h"
#include "verify/claim_lines.h"
#include "verify/claim_moves.h"
#include "verify/claim_signs.h"
#include "verify/claim_view.h"
#include "verify/periods.h"
#include "tables/changes.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#define CLAIM_YEAR_BEHIND 16 /* bytes between a number and its year: " in fiscal year " */

/* ---- what a sentence is about ---- */

/* "From $3.9 billion to $10.1 billion between 2022 and 2024": the year for either end; 0 where not stated. */
static int claim_year_of_ends(const struct claim_sentence *s, const struct stated_number *n) {
  const struct stated *t = &s->stated;
  int first = t->year_count == 2 ? t->years[0].year : 0, last = first ? t->years[1].year : 0;
  if (!first || first == last)
    return 0;
  for (size_t i = 0; i + 1 < t->number_count; i++) {
    const struct stated_number *a = &t->numbers[i], *b = a + 1;
    if (a->start < 5 || memcmp(s->text.data + a->start - 5, "from ", 5) != 0 || b->start != a->end + 4 ||
        memcmp(s->text.data + a->end, " to ", 4) != 0)
      continue;
    if (n == a)
      return first < last ? first : last;
    if (n == b)
      return first < last ? last : first;
  }
  return 0;
}

/* "$96 billion in fiscal 2024": the year stands right behind the number; in "from 99.0% to 99.7% in 2009" behind another one. */
static int claim_has_own_year(const struct claim_sentence *s, const struct stated_number *n) {
  const struct stated_number *next = n + 1 < s->stated.numbers + s->stated.number_count ? n + 1 : NULL;
  for (size_t i = 0; i < s->stated.year_count; i++) {
    size_t start = s->stated.years[i].start;
    if (start > n->end && start - n->end <= CLAIM_YEAR_BEHIND && (!next || start < next->start) &&
        !memchr(s->text.data + n->end, ',', start - n->end))
      return 1;
  }
  return 0;
}

/* The year for a number of the sentence; the previous one where the words say so without naming a year. */
static int claim_year(const struct claim_sentence *s, const struct stated_number *n) {
  int year = claim_year_of_ends(s, n);
  if (year)
    return year;
  year = numbers_year_of(&s->stated, s->text, n);
  return year && s->stated.year_count == 1 && !claim_has_own_year(s, n) &&
                 period_is_before(s->text, n->start, n->end)
             ? year - 1
             : year;
}

static int claim_is_one_of(struct slice word, const char *const *words) {
  for (; *words; words++)
    if (word.len == strlen(*words) && strncasecmp(word.data, *words, word.len) == 0)
      return 1;
  return 0;
}

/* Whether a word of the sentence names a company by its own name or ticker, not by a product's. */
static int claim_is_company(struct slice word, const struct plan_company *c) {
  struct slice name = c->name;
  if (!c->matched.len || word.data < c->matched.data || word.data >= c->matched.data + c->matched.len)
    return 0;
  if (word.len == c->ticker.len && word.len && strncasecmp(word.data, c->ticker.data, word.len) == 0)
    return 1;
  for (size_t i = 0; i + word.len <= name.len; i++)
    if (strncasecmp(name.data + i, word.data, word.len) == 0)
      return 1;
  return 0;
}

/* Whether a word belongs to a company's name; if no companies are known, whether it is the capitalised first
 * word of the sentence. */
static int claim_is_of_company(const struct claim_sentence *s, struct slice word) {
  const struct plan *plan = &s->names.plan;
  for (size_t i = 0; i < plan->company_count; i++)
    if (claim_is_company(word, &plan->companies[i]))
      return 1;
  for (size_t i = 0; i < plan->other_count; i++)
    if (claim_is_company(word, &plan->others[i]))
      return 1;
  return !s->owners->planner && word.data == s->text.data && isupper((unsigned char)word.data[0]);
}

static size_t claim_word_end(struct slice t, size_t i) {
  while (i < t.len && isalnum((unsigned char)t.data[i]))
    i++;
  return i;
}

/* Words that don't restrict a figure to a part of the company. */
static int claim_is_neutral(const struct claim_sentence *s, struct slice word) {
  static const char *const words[] = {CHANGES_WHOLE, NULL};
  int verb = word.len > 4 && memcmp(word.data + word.len - 2, "ed", 2) == 0;
  return word.len == 0 || verb || isdigit((unsigned char)word.data[word.len - 1]) ||
         claim_is_one_of(word, words) || clock_month(word.data, word.len) > 0 || claim_is_of_company(s, word);
}

/* Whether a figure that bytes [from, to) name is the whole company's: neither "iPhone revenue" nor "revenue in China". */
static int claim_is_plain(const struct claim_sentence *s, size_t from, size_t to) {
  static const char *const behind[] = {"in", "from", "of", "for", "at", "within", NULL};
  static const char *const articles[] = {"the", "its", "a", "this", "that", "all", NULL};
  struct slice t = s->text;
  size_t end = from, at = to;
  while (end > 0 && (t.data[end - 1] == ' ' || t.data[end - 1] == '-'))
    end--;
  size_t start = end;
  while (start > 0 && isalnum((unsigned char)t.data[start - 1]))
    start--;
  if (!claim_is_neutral(s, slice_of(t.data + start, end - start)))
    return 0;
  for (int k = 0; at < t.len && t.data[at] == ' '; k++) { /* "in the fiscal year", "of $5" */
    size_t word = at + 1;
    at = claim_word_end(t, word);
    struct slice next = slice_of(t.data + word, at - word);
    if (k == 0 && !claim_is_one_of(next, behind))
      return 1;
    if (k > 0 && !claim_is_one_of(next, articles))
      return claim_is_neutral(s, next);
  }
  return 1;
}

static void claim_add_concept(struct claim_sentence *s, const struct concept_word *w, size_t from, size_t to) {
  if (!w || s->concept_count >= CLAIM_CONCEPTS)
    return;
  s->plain[s->concept_count] = claim_is_plain(s, from, to);
  s->concept_text[s->concept_count] = slice_of(s->text.data + from, to - from);
  s->concepts[s->concept_count++] = w;
}

/* "Lost $5 million in 2025", "earned $7.46 a share": net income, or that of each share; not "lost $5 million on swaps". */
static void claim_find_result(struct claim_sentence *s, const struct concept_table *table,
                              const struct stated_number *n) {
  static const char *const verbs[] = {CHANGES_RESULT, NULL};
  static const char *const each[] = {CHANGES_EACH, NULL};
  static const char *const part[] = {CHANGES_RESULT_PART, NULL};
  struct slice t = s->text;
  size_t end = n->start;
  const char *named = "net income";
  for (size_t from = 0, i = 0; n->currency && !n->percent && verbs[i]; i++) {
    if (end < strlen(verbs[i]) + 1 || t.data[end - 1] != ' ')
      continue;
    from = end - 1 - strlen(verbs[i]);
    if ((from && isalpha((unsigned char)t.data[from - 1])) || !slice_at_nocase(t, from, verbs[i]))
      continue;
    size_t to = n->end;
    for (int k = 0; each[k]; k++)
      if (slice_at_nocase(t, n->end, each[k])) {
        named = "earnings per share";
        to = n->end + strlen(each[k]);
        break;
      }
    for (int k = 0; part[k]; k++)
      if (slice_at_nocase(t, to, part[k]))
        return;
    claim_add_concept(s, concept_word_find(table, slice_of(named, strlen(named))), from, to);
    return;
  }
}

/* Finds the concepts of the table named in the sentence. */
static void claim_find_concepts(struct claim_sentence *s, const struct concept_table *table) {
  for (size_t i = 0; table && i < s->text.len; i++) {
    size_t taken = 0;
    if (i && isalnum((unsigned char)s->text.data[i - 1]))
      continue;
    const struct concept_word *w =
        concept_word_at(table, slice_of(s->text.data + i, s->text.len - i), &taken);
    claim_add_concept(s, w, i, i + taken);
    i += taken ? taken - 1 : 0;
  }
  for (size_t i = 0; table && i < s->stated.number_count; i++)
    claim_find_result(s, table, &s->stated.numbers[i]);
}

/* How much of an item's label the sentence contains: 1 for all words, or where both denote the same word of the
 * table. */
static double claim_about(const struct claim_sentence *s, const struct evidence_item *item) {
  size_t common;
  double overlap = evidence_overlap(&item->words, &s->words, &common);
  if (item->in_table && item->words.count) {
    size_t core = 0;
    for (size_t i = 0; i < item->core; i++)
      core += (size_t)evidence_has_word(&s->words, item->words.hash[i]);
    overlap = item->core ? (double)core / (double)item->core : (double)common / (double)item->words.count;
  }
  if (!item->in_table && common < 2)
    overlap = 0;
  if (item->in_table && item->whole && claim_has_concept(s, item->concept))
    return 1;
  return overlap;
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

/* "$90.7 billion of term debt": the number's own noun; empty where none follows. */
static struct slice claim_noun(const struct claim_view *v) {
  static const char *const ends[] = {CHANGES_NOUN_END, NULL};
  struct slice t = v->s->text;
  size_t from = v->n->end + 4, end = from;
  if (!slice_at_nocase(t, v->n->end, " of ") || from >= t.len || !isalpha((unsigned char)t.data[from]))
    return slice_of(t.data, 0);
  for (int found = 0; end < t.len && !strchr(",.;:()[0123456789", t.data[end]); end++) {
    for (int k = 0; ends[k] && !found; k++)
      found = slice_at_nocase(t, end, ends[k]);
    if (found)
      break;
  }
  return slice_of(t.data + from, end - from);
}

/* "Bought back $90 billion of stock": the line's name stands right before the number, whatever its noun. */
static int claim_is_right_behind(const struct claim_view *v, const struct evidence_item *item) {
  enum { CLAIM_RIGHT_BEHIND = 12 }; /* " nearly " */
  for (size_t i = 0; item->concept && i < v->s->concept_count; i++) {
    struct slice name = v->s->concept_text[i];
    size_t end = (size_t)(name.data + name.len - v->s->text.data);
    if (v->s->concepts[i] != item->concept || end > v->n->start || v->n->start - end > CLAIM_RIGHT_BEHIND)
      continue;
    struct slice between = slice_of(v->s->text.data + end, v->n->start - end);
    if (!slice_holds_nocase(between, " and ") && !slice_holds_nocase(between, ","))
      return 1;
  }
  return 0;
}

/* Whether the number's own noun is another than a line's: it has none of its words, and isn't a name of its figure. */
static int claim_has_other_noun(const struct claim_view *v, const struct evidence_item *item) {
  struct slice noun = claim_noun(v);
  struct evidence_words words;
  size_t common;
  evidence_words_of(v->e, &words, noun);
  for (size_t i = 0; item->concept && i < noun.len; i++) {
    size_t taken = 0;
    if ((!i || !isalnum((unsigned char)noun.data[i - 1])) &&
        concept_word_at(v->e->table, slice_of(noun.data + i, noun.len - i), &taken) == item->concept)
      return 0;
  }
  evidence_overlap(&words, &item->words, &common);
  return item->in_table && words.count > 0 && common == 0 && !claim_is_right_behind(v, item);
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
    score += !claim_same_months(item, v->months) ? -0.5 : item->months && v->months ? 0.5 : 0;
    score -= v->direction && item->direction && item->direction != v->direction ? 0.25 : 0;
    score -= claim_is_foreign(v, item) ? 1 : 0;
    if (score > best_score) {
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
    if (v->n->points || v->about[i] < most || item->percent != v->n->percent || !claim_cites(v->s, item) ||
        claim_matches(v->n, item, &how) || !claim_same_year(item, v->year) || !claim_fits_time(v, item) ||
        claim_is_foreign(v, item) || !claim_same_months(item, v->months) ||
        (!item->mark && (claim_other_currency(v->n, item) || claim_has_other_noun(v, item))) ||
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

static int claim_other_year(const struct claim_view *v, const struct evidence_item *found) {
  return !claim_same_year(found, v->year);
}

/* Where a text has the number without a year: its number for the year that the sentence names. */
static const struct evidence_item *claim_of_year(const struct claim_view *v,
                                                 const struct evidence_item *found) {
  return !found->in_table && !found->year && v->year ? claim_same_row(v, found) : NULL;
}

/* Whether the sentence has a proper name that occurs in none of the cited passages. */
static int claim_has_stranger(const struct claim_sentence *s) {
  for (size_t i = 0; i < s->mark_count; i++)
    if (!owner_stranger(s->owners, s->marks[i], s->text).len)
      return 0;
  return s->mark_count > 0;
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

/* The item that shows that the number belongs to another line than the sentence's; NULL where it doesn't. */
static const struct evidence_item *claim_true_line(const struct claim_view *v,
                                                   const struct evidence_item *found) {
  const struct evidence_item *rival = claim_other_line(v, found);
  if (found->mark && claim_has_stranger(v->s))
    return found;
  if (rival && claim_is_row_named(v, found, rival))
    rival = NULL;
  if (!rival && claim_is_other_name(v, found))
    rival = found;
  return rival && !claim_computed(v) ? rival : NULL;
}

static void claim_judge(struct claim *c, const struct claim_view *v) {
  const char *how = "same";
  const struct evidence_item *found = claim_find(v, &how), *rival;
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
    } else if (claim_other_sign(v, found)) {
      claim_set(c, CLAIM_CONTRADICTED, found, "other sign");
    } else if ((rival = claim_true_line(v, found)) != NULL) {
      claim_set(c, CLAIM_CONTRADICTED, rival, "other line");
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

/* "From a net loss of $5 to a net profit of $6 in 2026": the first is a level from which the next one came. */
static int claim_is_start(const struct claim_sentence *s, const struct stated_number *n) {
  static const char from[] = "from ", to[] = " to ";
  const struct stated_number *first = s->stated.numbers, *next = n + 1;
  size_t least = n > first ? n[-1].end : 0, at = n->start;
  if (next >= first + s->stated.number_count || next->start <= n->end)
    return 0;
  if (!memmem(s->text.data + n->end, next->start - n->end, to, sizeof to - 1))
    return 0;
  while (at > least && !strchr(",;", s->text.data[at - 1]) && !slice_at_nocase(s->text, at, from))
    at--;
  return slice_at_nocase(s->text, at, from);
}

/* "Rose to A from B in 2025", "swung from B to A in 2025": the one named year may be A's, and B's the one before.  That
 * year, without a named one the year before that of the claim before; 0 where the number is no such B. */
static int claim_year_before(const struct claim_sentence *s, const struct claim_view *v,
                             const struct claim *before) {
  const struct stated *t = &s->stated;
  int start = claim_is_start(s, v->n), is_before = period_is_before(s->text, v->n->start, v->n->end);
  if (v->n->percent || t->year_count > 1 || (!start && !is_before))
    return 0;
  if (t->year_count)
    return start && t->years[0].start < v->n[1].end && t->years[0].start > v->n->end ? 0
                                                                                    : t->years[0].year - 1;
  return is_before && before && before->verdict == CLAIM_FOUND && before->item ? before->item->year - 1 : 0;
}

/* Judges again with the year before where that may be meant; a figure of yet another year is not blamed. */
static void claim_judge_before(struct claim *c, const struct claim_view *v, const struct claim *before) {
  int year = c->verdict == CLAIM_FOUND ? 0 : claim_year_before(v->s, v, before);
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

/* told_year: the last one named before the sentence, and then up to its end. */
static void claims_sentence(struct claims *c, const struct evidence *e, const struct owners *owners,
                            struct slice answer, size_t from, size_t to, int *told_year) {
  struct claim_sentence s = {.text = slice_of(answer.data + from, to - from), .owners = owners};
  double *about = xcalloc(e->count + 1, sizeof *about);
  numbers_read(&s.stated, s.text, 0);
  evidence_words_of(e, &s.words, s.text);
  if (s.stated.number_count) {
    owner_names_read(&s.names, owners,
                     s.stated.mark_count ? slice_of(s.text.data, s.stated.marks[0].start) : s.text);
    claim_find_concepts(&s, e->table);
  }
  for (size_t i = 0; i < s.stated.mark_count && s.mark_count < CLAIM_MARKS; i++)
    s.marks[s.mark_count++] = s.stated.marks[i].mark;
  for (size_t i = 0; s.stated.number_count && i < e->count; i++)
    about[i] = claim_about(&s, &e->items[i]);
  for (size_t i = 0; i < s.stated.number_count; i++) {
    const struct stated_number *n = &s.stated.numbers[i];
    struct claim_view view = {
        .e = e, .s = &s, .n = n, .about = about, .year = claim_year(&s, n), .told_year = *told_year};
    view.months = period_months_near(s.text, n->start);
    view.quarter = period_quarter_near(s.text, n->start);
    view.day = period_day_near(s.text, n->start);
    view.direction = n->change ? n->change : period_direction(s.text, n->start, n->end);
    struct claim claim = {.number = s.stated.numbers[i]};
    view.computation = &claim.computed;
    claim_take_clause(&view);
    claim_judge(&claim, &view);
    claim_judge_before(&claim, &view, i ? &c->claims[c->count - 1] : NULL);
    claim.number.start += from;
    claim.number.end += from;
    claims_add(c, &claim);
    claim_moves_check(c->claims + c->count - 1, &view, i);
  }
  if (s.stated.number_count)
    owner_names_release(&s.names);
  *told_year = s.stated.year_count ? s.stated.years[s.stated.year_count - 1].year : *told_year;
  numbers_release(&s.stated);
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
  int told_year = 0;
  *c = (struct claims){NULL, 0};
  for (size_t from = 0, to; from < answer.len; from = to) {
    to = claims_sentence_end(answer, from);
    claims_sentence(c, e, owners, answer, from, to, &told_year);
  }
}
