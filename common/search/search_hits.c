/* search_hits.c: the hits of an answer held against the question: its companies, its period, its doubtful words. */
#include "search/search_internal.h"
#include "query/query.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <strings.h>

/* Whether the words occur in the passage as whole words, in any case, but capitalised where they are: "Shell" is not
 * "shell". */
int search_has_words(struct searcher *s, const struct rank_place *at, struct slice words) {
  struct store_text *t = &s->passage.text;
  struct error_text e;
  words = query_bare(words);
  if (words.len == 0 || store_get_text(s->shared->snap, at->seg, at->row, t, &e) != STORE_OK)
    return 0;
  for (size_t i = 0; (i = slice_find_word(t->text, words, i)) < t->text.len; i++)
    if (!isupper((unsigned char)words.data[0]) || t->text.data[i] == words.data[0])
      return 1;
  return 0;
}

/* Below this a name is as likely no company ("Fund V").  Halfway between two hundredths, to which a plan's JSON
 * is rounded. */
#define EVEN 0.505

/* Whether the words that named a company may also be ordinary ones. */
static int may_be_words(const struct plan_company *c) {
  return c->sure <= EVEN;
}

/* Words of the question that a passage should contain. */
struct search_wants {
  uint64_t name[QUERY_TOKENS], word[QUERY_TOKENS];
  uint8_t held[QUERY_TOKENS];
  size_t names, words;
};

static void note_name_word(void *arg, const struct term *t) {
  struct search_wants *w = arg;
  if (t->kind != TERM_STOP && w->names < QUERY_TOKENS)
    w->name[w->names++] = t->hash;
}

static void note_held_word(void *arg, const struct term *t) {
  struct search_wants *w = arg;
  for (size_t i = 0; i < w->words; i++)
    w->held[i] |= t->kind != TERM_STOP && t->hash == w->word[i];
}

/* Whether the passage contains at least half of the question's own words, without those that name its companies.
 * A thesaurus phrase counts as the everyday words that led to it.  A bare name asks for its own documents. */
static int search_tells(struct searcher *s, const struct rank_hit *hit) {
  const struct asked *a = &s->asked;
  const struct query *q = &a->query;
  struct store_text *t = &s->passage.text;
  struct search_wants w = {.names = 0};
  struct error_text e;
  size_t held = 0;
  for (size_t c = 0; c < a->plan.company_count; c++)
    terms_scan(s->terms, a->plan.companies[c].matched, 0, note_name_word, &w);
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *token = &q->tokens[i];
    uint64_t hash = terms_hash(slice_of(q->own.data + token->stem, token->stem_len));
    int own = token->kind == QUERY_WORD || token->kind == QUERY_EVERYDAY;
    for (size_t k = 0; own && k < w.names; k++)
      own = w.name[k] != hash;
    if (!own)
      continue;
    w.held[w.words] = token->kind == QUERY_EVERYDAY && hit->f.phrase > 0;
    w.word[w.words++] = hash;
  }
  if (w.words == 0 || store_get_text(s->shared->snap, hit->at.seg, hit->at.row, t, &e) != STORE_OK)
    return 0;
  terms_scan(s->terms, t->text, 0, note_held_word, &w);
  for (size_t i = 0; i < w.words; i++)
    held += w.held[i];
  return 2 * held >= w.words;
}

/* Whether nobody said whose document a passage is of. */
static int is_ownerless(const struct rank_place *at) {
  return at->seg->doc[store_doc_of_row(at->seg, at->row)].company == 0;
}

/* Whether the passage is of a document without a company of which one of the found passages names this one: it may well
 * be the company's own, whatever this passage says. */
static int search_may_be_own(struct searcher *s, const struct rank_result *found, size_t all, size_t i,
                             const struct plan_company *company) {
  const struct rank_place *at = &found->hits[i].at;
  uint32_t doc = store_doc_of_row(at->seg, at->row);
  if (!is_ownerless(at))
    return 0;
  for (size_t k = 0; k < all; k++) {
    const struct rank_place *other = &found->hits[k].at;
    if (other->seg == at->seg && store_doc_of_row(other->seg, other->row) == doc &&
        search_has_words(s, other, company->matched))
      return 1;
  }
  return 0;
}

/* Notes that the passages are not of documents that are known to be the requested companies'. */
static void note_absent(struct asked *a, const struct rank_result *kept) {
  int unknown = 0;
  for (size_t i = 0; i < kept->count; i++)
    unknown |= is_ownerless(&kept->hits[i].at);
  for (size_t c = 0; c < a->plan.company_count; c++)
    if (!may_be_words(&a->plan.companies[c])) {
      buf_add_str(&a->missing, "no document of ");
      search_company_add(&a->plan.companies[c], &a->missing);
      buf_add_str(
          &a->missing,
          unknown ? " is known in the store; the passages are of documents whose company is unknown, or "
                    "of others, which name it; bid-ingest --reports FOLDER -e COMPANY says whose they are\n"
                  : " is in the store; the passages are of others, which name it\n");
    }
}

/* Whether a passage of another company is from the requested forms, and from the requested windows or contains a
 * requested year.  *scope is that of *plan, which names no company. */
static int search_obeys(struct plan *plan, const struct search_scope *scope, const struct rank_hit *hit) {
  size_t windows = plan->window_count;
  plan->window_count = hit->f.years > 0 ? 0 : windows;
  int fits = search_scope_fits(scope, hit->at.seg, store_doc_of_row(hit->at.seg, hit->at.row));
  plan->window_count = windows;
  return fits;
}

/* Removes passages of other companies that are not from the forms and windows of the question. */
static void keep_obeying(struct searcher *s, const struct asked *a, struct rank_result *found) {
  struct plan plan = a->plan;
  struct search_scope scope;
  size_t kept = 0;
  plan.company_count = 0;
  plan.form_count = plan.forms_named ? plan.form_count : 0;
  search_scope_make(&scope, &plan, &s->shared->known, s->shared->snap, NULL, 0);
  for (size_t i = 0; i < found->count; i++)
    if (is_ownerless(&found->hits[i].at) || search_obeys(&plan, &scope, &found->hits[i]))
      found->hits[kept++] = found->hits[i];
  found->count = kept;
}

#define DOUBTED 0.5F /* maximum probability for passages of other companies or other periods */

void search_lower_confidence(struct rank_result *found) {
  found->confidence = found->confidence < DOUBTED ? found->confidence : DOUBTED;
  for (size_t i = 0; i < found->count; i++) {
    float relevance = found->hits[i].score * found->confidence;
    found->hits[i].relevance = relevance < SEARCH_HIGH ? relevance : nextafterf(SEARCH_HIGH, 0);
  }
}

/* Whether a passage is of a document of a known company. */
static int has_others(const struct rank_result *found) {
  for (size_t i = 0; i < found->count; i++)
    if (!is_ownerless(&found->hits[i].at))
      return 1;
  return 0;
}

void search_keep_naming(struct searcher *s, struct asked *a) {
  struct rank_result *found = &s->answer.result;
  int anyones = 0;
  for (size_t c = 0; c < a->plan.company_count; c++)
    anyones |= may_be_words(&a->plan.companies[c]);
  if (!anyones)
    keep_obeying(s, a, found);
  size_t kept = 0, all = found->count < SEARCH_LOOKED_AT ? found->count : SEARCH_LOOKED_AT, named = 0;
  uint8_t own[SEARCH_LOOKED_AT] = {0};
  for (size_t c = 0; c < a->plan.company_count; c++) {
    const struct plan_company *company = &a->plan.companies[c];
    int held = may_be_words(company);
    for (size_t i = 0; i < all; i++)
      own[i] |= (uint8_t)search_may_be_own(s, found, all, i, company);
    for (size_t i = 0; !held && i < all; i++)
      held = own[i] ||
             (search_has_words(s, &found->hits[i].at, company->matched) && search_tells(s, &found->hits[i]));
    named += (size_t)held;
  }
  for (size_t i = 0; i < all; i++) {
    int naming = anyones || own[i];
    for (size_t c = 0; !naming && c < a->plan.company_count; c++)
      naming = search_has_words(s, &found->hits[i].at, a->plan.companies[c].matched) &&
               search_tells(s, &found->hits[i]);
    if (naming)
      found->hits[kept++] = found->hits[i];
  }
  found->count = named == a->plan.company_count ? kept : 0;
  if (found->count > 0)
    note_absent(a, found);
  if (!anyones && has_others(found))
    search_lower_confidence(found);
}

static int has_letter(struct slice words) {
  for (size_t i = 0; i < words.len; i++)
    if (isalpha((unsigned char)words.data[i]))
      return 1;
  return 0;
}

int search_finds_doubtful(struct searcher *s, const struct asked *a) {
  const struct rank_result *found = &s->answer.result;
  int held = !has_letter(a->doubtful);
  for (size_t i = 0; !held && i < found->count && i < SEARCH_LOOKED_AT; i++)
    held = search_has_words(s, &found->hits[i].at, a->doubtful);
  return held;
}

void search_keep_dated(struct rank_result *found) {
  size_t kept = 0;
  for (size_t i = 0; i < found->count; i++)
    if (found->hits[i].f.years > 0)
      found->hits[kept++] = found->hits[i];
  found->count = kept;
}

int search_misses_period(const struct asked *a, const struct rank_result *found) {
  if (a->scope.plan == NULL || a->scope.reach == SCOPE_FITTING || a->plan.window_count == 0)
    return 0;
  for (size_t i = 0; a->scope.reach == SCOPE_TELLING && i < found->count; i++)
    if (found->hits[i].f.years > 0)
      return 0;
  return 1;
}

/* The company of the plan whose document the passage is of, or -1. */
static int asked_owner(const struct search_scope *scope, const struct rank_hit *hit) {
  return search_scope_owner(scope, &hit->at.seg->doc[store_doc_of_row(hit->at.seg, hit->at.row)]);
}

static size_t count_owned(const struct search_scope *scope, const struct rank_result *found, int company) {
  size_t count = 0;
  for (size_t i = 0; i < found->count; i++)
    count += asked_owner(scope, &found->hits[i]) == company;
  return count;
}

/* Replaces the last hit whose company has others, if there is one; the new hit is appended. */
static void displace_hit(const struct search_scope *scope, struct rank_result *found,
                         const struct rank_hit *hit) {
  size_t i = found->count;
  while (i > 0 && count_owned(scope, found, asked_owner(scope, &found->hits[i - 1])) < 2)
    i--;
  if (i == 0)
    return; /* more companies than passages are asked for */
  memmove(&found->hits[i - 1], &found->hits[i], (found->count - i) * sizeof *found->hits);
  found->hits[found->count - 1] = *hit;
}

/* Searches the documents of one company of the plan for its best passage. */
static int search_one_company(struct searcher *s, size_t company, struct rank_result *out,
                              struct error_text *e) {
  const struct asked *a = &s->asked;
  struct rank_options options = a->options;
  uint32_t numbers[SCOPE_NUMBERS];
  size_t count = 0;
  for (size_t i = 0; i < a->scope.company_count; i++)
    if (a->scope.plan_company[i] == company)
      numbers[count++] = a->scope.companies[i];
  options.n = 1;
  options.filter.companies = numbers;
  options.filter.company_count = count;
  return rank_search(s->ranker, &a->query, a->dims ? a->vector : NULL, &options, out, e);
}

int search_show_each_company(struct searcher *s, struct error_text *e) {
  struct asked *a = &s->asked;
  struct rank_result *found = &s->answer.result, one;
  if (a->scope.plan == NULL || a->unsure || a->ownerless_only || a->plan.company_count < 2 ||
      found->count == 0)
    return 0;
  s->hits =
      xreallocarray(s->hits, found->count, sizeof *s->hits); /* the ranker's own end with its next search */
  memcpy(s->hits, found->hits, found->count * sizeof *s->hits);
  found->hits = s->hits;
  for (size_t c = 0; c < a->plan.company_count; c++) {
    if (a->scope.of[c].fitting == 0 || may_be_words(&a->plan.companies[c]) ||
        count_owned(&a->scope, found, (int)c) > 0)
      continue;
    if (search_one_company(s, c, &one, e) != 0)
      return -1;
    if (one.count > 0) {
      displace_hit(&a->scope, found, &one.hits[0]);
      continue;
    }
    buf_add_str(&a->missing, "no passage of ");
    search_company_add(&a->plan.companies[c], &a->missing);
    buf_add_str(&a->missing, " answers this\n");
  }
  return 0;
}
