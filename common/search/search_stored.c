/* search_stored.c: the planner with the store's companies, and which of them some words mean. */
#include "base/buf.h"
#include "base/near_name.h"
#include "query/query.h"
#include "record/error.h"
#include "search/search_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* ---- the company whose documents are about a word ---- */

#define LEAST 4   /* passages of the document that hold the word, */
#define SHARE 4   /* and at least one of so many of its passages */
#define OTHERS 10 /* at most one of so many passages with the word is another company's */

/* Passages that hold a word in their text; not in the line above it, which names their company. */
struct subject_count {
  uint64_t *of; /* [companies] */
  uint64_t all;
  size_t throughout; /* company of a document that speaks of it throughout */
};

static void search_take_hash(void *arg, const struct term *t) {
  *(uint64_t *)arg = t->hash;
}

static void subject_count_segment(struct subject_count *c, const struct store_segment *seg, uint64_t term) {
  uint32_t rows[STORE_BLOCK], d = 0, in_document = 0;
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  struct store_postings p;
  int more = store_df(seg, term) > 0 && store_postings_open(&p, seg, term);
  for (; more; more = store_postings_next(&p)) {
    store_postings_decode(&p, rows, text, context);
    for (uint32_t i = 0; i < p.count; i++) {
      if (text[i] == 0 || (seg->live_bits && !(seg->live_bits[rows[i] / 64] >> (rows[i] % 64) & 1)))
        continue;
      for (; rows[i] >= seg->doc[d].first + seg->doc[d].rows; d++)
        in_document = 0;
      if (++in_document >= LEAST && in_document * SHARE >= seg->doc[d].rows)
        c->throughout = seg->doc[d].company;
      c->all++;
      c->of[seg->doc[d].company]++;
    }
  }
}

size_t search_subject_of(const struct searcher *s, struct slice word) {
  const struct search *shared = s->shared;
  struct subject_count c = {.of = xcalloc(shared->known.company_count + 1, sizeof *c.of)};
  uint64_t term = 0;
  terms_scan(s->terms, word, 0, search_take_hash, &term);
  for (size_t i = 0; term && i < shared->seg_count; i++)
    subject_count_segment(&c, &shared->segs[i], term);
  size_t found = (c.all - c.of[c.throughout]) * OTHERS <= c.all ? c.throughout : 0;
  free(c.of);
  return found;
}

/* ---- the planner ---- */

/* Whether the planner has the store's company by name, or by ticker where it has no name. */
static int search_is_listed(const struct planner *planner, const struct search *s, size_t number) {
  const struct query_company *c = &s->known.companies[number];
  struct slice name = slice_str(c->name[0] ? c->name : c->ticker);
  struct plan_company listed;
  return plan_company_is_listed(planner, name, &listed) && search_company_is(&listed, &s->known, number);
}

#define INITIALS_LEAST 4 /* shorter initials match too many companies */

static int is_numeral(struct slice word) {
  return word.len > 0 && strspn(word.data, "IVX") >= word.len;
}

static unsigned numeral_value(struct slice word) {
  static const char digits[] = "IVX";
  static const unsigned values[] = {1, 5, 10};
  unsigned sum = 0, last = 0;
  for (size_t i = word.len; i-- > 0;) {
    unsigned value = values[strchr(digits, word.data[i]) - digits];
    sum = value < last ? sum - value : sum + value;
    last = value > last ? value : last;
  }
  return sum;
}

/* "CIGF V" for Commonwealth Income & Growth Fund V, or "CIGF5" (digits); returns its length, 0 where it
 * would be ambiguous. */
static size_t search_initials(const struct query_core *core, int digits, char out[NAME_WORDS + NAME_JOINED]) {
  size_t n = 0;
  int numbered = core->count > 1 && is_numeral(core->word[core->count - 1]);
  for (size_t i = 0; i + (size_t)numbered < core->count; i++)
    if (!isalpha((unsigned char)core->word[i].data[0]))
      return 0;
    else
      out[n++] = (char)toupper((unsigned char)core->word[i].data[0]);
  if (n < INITIALS_LEAST || query_is_ordinary(slice_of(out, n)))
    return 0;
  if (digits && !numbered)
    return 0;
  if (digits)
    n += (size_t)snprintf(out + n, NAME_JOINED, "%u", numeral_value(core->word[core->count - 1]));
  else if (numbered)
    n += (size_t)snprintf(out + n, NAME_JOINED, " %.*s", (int)core->word[core->count - 1].len,
                          core->word[core->count - 1].data);
  return n;
}

static void add_initials(struct planner *planner, const struct query_company *c) {
  struct query_core core;
  query_core_of(c->name, &core);
  for (int digits = 0; digits < 2; digits++) {
    char initials[NAME_WORDS + NAME_JOINED];
    size_t length = search_initials(&core, digits, initials);
    if (length > 0)
      planner_add(planner, slice_str(c->cik), slice_str(""), slice_of(initials, length));
  }
}

/* Adds the store's companies to the planner: first those with a CIK, also by their initials, then those unknown by name or
 * ticker, with a number of our own. */
static void add_companies(struct planner *planner, const struct search *s) {
  for (int own_ones = 0; own_ones < 2; own_ones++)
    for (size_t i = 1; i < s->known.company_count; i++) {
      const struct query_company *c = &s->known.companies[i];
      char own[16];
      snprintf(own, sizeof own, "%zu", i + SCOPE_OWN_CIK);
      if ((c->cik[0] == '\0') == own_ones && (!own_ones || !search_is_listed(planner, s, i)))
        planner_add(planner, slice_str(own_ones ? own : c->cik), slice_str(c->ticker), slice_str(c->name));
      if (c->cik[0] != '\0' && !own_ones)
        add_initials(planner, c);
    }
}

/* NULL with *f. */
const struct planner *search_planner(struct search *s, struct search_fault *f) {
  struct error_text e;
  pthread_mutex_lock(&s->planner_lock);
  if (s->planner == NULL && (s->planner = planner_open(&e)) != NULL)
    add_companies(s->planner, s);
  pthread_mutex_unlock(&s->planner_lock);
  if (s->planner == NULL)
    search_fault_set(f, ERROR_INTERNAL, 78, "%s", e.text);
  return s->planner;
}

#define WORD_LETTERS 4 /* minimum letters of a distinctive word */
#define TICKER_LETTERS 5

/* The only company of the store whose name the words match at least so; 0: none, or several. */
static size_t only_stored(const struct search *s, struct slice words, enum search_match least) {
  size_t found = 0;
  for (size_t i = 1; i < s->known.company_count; i++)
    if (search_company_match(words, s->known.companies[i].name, least) >= least) {
      if (found)
        return 0;
      found = i;
    }
  return found;
}

size_t search_stored_by_word(const struct search *s, struct slice word) {
  return word.len >= WORD_LETTERS ? only_stored(s, word, MATCH_WORD) : 0;
}

/* The only company of the store whose name starts with or contains a word of the question, *words: that word.
 * Everyday words don't count, unless they are capitalised inside the sentence and a company's whole name. */
size_t search_stored_in_question(const struct search *s, const struct query *q, struct slice *words) {
  size_t found = 0;
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    struct slice raw = slice_of(q->text.data + t->start, t->end - t->start), word = query_bare(raw);
    int ordinary = query_is_ordinary(slice_of(q->own.data + t->stem, t->stem_len));
    if (t->kind == QUERY_STOP || word.len < WORD_LETTERS || isdigit((unsigned char)word.data[0]) ||
        (ordinary && (i == 0 || !isupper((unsigned char)word.data[0]))))
      continue;
    size_t number = only_stored(s, word, MATCH_BEGINNING);
    if (number == 0 && !ordinary &&
        isupper((unsigned char)word.data[0])) /* "harbour dues" doesn't mean Ystad Harbour */
      number = search_stored_by_word(s, word);
    if (number == 0 || number == found ||
        (ordinary && search_company_match(word, s->known.companies[number].name, MATCH_WHOLE) != MATCH_WHOLE))
      continue;
    if (found)
      return 0;
    found = number;
    *words = raw;
  }
  return found;
}

/* The only company of the store whose documents contain the word, if it looks like a ticker; 0: none, or several. */
size_t search_stored_by_text(const struct searcher *s, struct slice word) {
  const struct search *shared = s->shared;
  uint32_t rows[STORE_BLOCK];
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  uint64_t term = 0;
  size_t found = 0;
  if (word.len < 2 || word.len > TICKER_LETTERS || shared->snap == NULL)
    return 0;
  for (size_t i = 0; i < word.len; i++)
    if (!isupper((unsigned char)word.data[i]))
      return 0;
  terms_scan(s->terms, word, 0, search_take_hash, &term);
  for (size_t i = 0; i < shared->seg_count; i++) {
    const struct store_segment *seg = &shared->segs[i];
    struct store_postings p;
    int more = store_df(seg, term) > 0 && store_postings_open(&p, seg, term);
    for (; more; more = store_postings_next(&p)) {
      store_postings_decode(&p, rows, text, context);
      for (uint32_t k = 0; k < p.count; k++) {
        size_t company = seg->doc[store_doc_of_row(seg, rows[k])].company;
        if (company == 0 || (found && company != found))
          return 0;
        found = company;
      }
    }
  }
  return found;
}

struct lacked {
  const struct search *shared;
  int lacks;
};

static void find_lacked(void *arg, const struct term *t) {
  struct lacked *l = arg;
  for (size_t i = 0; i < l->shared->seg_count; i++)
    if (store_df(&l->shared->segs[i], t->hash) > 0)
      return;
  l->lacks = 1;
}

int search_stored_lacks(const struct searcher *s, struct slice words) {
  struct lacked l = {.shared = s->shared};
  terms_scan(s->terms, words, 0, find_lacked, &l);
  return l.lacks;
}

int search_is_stored(const struct search *s, const struct plan_company *c) {
  for (size_t i = 1; i < s->known.company_count; i++)
    if (search_company_is(c, &s->known, i))
      return 1;
  return 0;
}

size_t search_stored_rather(const struct search *s, const struct plan_company *c) {
  int stored = search_is_stored(s, c), former = c->how == PLAN_FORMER;
  if (c->how == PLAN_CIK || (stored && c->how != PLAN_ALIAS))
    return 0;
  size_t namesake = only_stored(s, c->matched, MATCH_WHOLE);
  if (namesake && !search_company_is(c, &s->known, namesake))
    return namesake; /* "BofA Securities", an alias of its parent */
  /* "Medicis" is the one that was, where its filings are stored */
  return !stored && (former || c->sure < SEARCH_UNSURE) ? only_stored(s, c->matched, MATCH_BEGINNING) : 0;
}

size_t search_stored_doubtful(const struct search *s, const struct plan *plan) {
  return plan->doubtful.len > 0 ? only_stored(s, query_bare(plan->doubtful), MATCH_BEGINNING) : 0;
}
