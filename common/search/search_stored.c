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
#define COMMON 5  /* a word of more than one of so many passages of the store is no subject */

struct subject_count {
  uint64_t *of; /* [companies] passages with the word */
  size_t companies, throughout;
  uint64_t all;
  int text_alone; /* not the line above the passage, which names its company */
};

static void subject_take_hash(void *arg, const struct term *t) {
  *(uint64_t *)arg = t->hash;
}

/* Notes the company of a document that speaks of the word throughout. */
static void subject_end_document(struct subject_count *c, const struct store_doc *d, uint32_t count) {
  if (count >= LEAST && count * SHARE >= d->rows)
    c->throughout = d->company;
}

static void subject_count_segment(struct subject_count *c, const struct store_segment *seg, uint64_t term) {
  uint32_t rows[STORE_BLOCK], d = 0, in_document = 0;
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  struct store_postings p;
  if (store_df(seg, term) == 0)
    return;
  for (int more = store_postings_open(&p, seg, term); more; more = store_postings_next(&p)) {
    store_postings_decode(&p, rows, text, context);
    for (uint32_t i = 0; i < p.count; i++) {
      uint32_t doc = store_doc_of_row(seg, rows[i]);
      int removed = seg->live_bits != NULL && !(seg->live_bits[rows[i] / 64] >> (rows[i] % 64) & 1);
      if (removed || (c->text_alone && text[i] == 0))
        continue;
      if (doc != d)
        subject_end_document(c, &seg->doc[d], in_document), in_document = 0;
      d = doc;
      in_document++;
      c->all++;
      if (seg->doc[d].company < c->companies)
        c->of[seg->doc[d].company]++;
    }
  }
  subject_end_document(c, &seg->doc[d], in_document);
}

/* Counts the passages of each company with the word; -1 where they are too few, or too many. */
static int subject_count(struct subject_count *c, const struct store_segment *segs, size_t seg_count,
                         struct terms *terms, struct slice word, uint64_t least, int common) {
  uint64_t term = 0, rows = 0, total = 0;
  terms_scan(terms, word, 0, subject_take_hash, &term);
  for (size_t s = 0; s < seg_count; s++) {
    rows += segs[s].live_rows;
    total += term ? store_df(&segs[s], term) : 0;
    for (uint32_t d = 0; d < segs[s].docs; d++)
      c->companies = segs[s].doc[d].company >= c->companies ? segs[s].doc[d].company + 1 : c->companies;
  }
  if (total < least || (!common && total * COMMON > rows))
    return -1;
  c->of = xcalloc(c->companies + 1, sizeof *c->of);
  for (size_t s = 0; s < seg_count; s++)
    subject_count_segment(c, &segs[s], term);
  return 0;
}

size_t search_subject_of(const struct store_segment *segs, size_t seg_count, struct terms *terms,
                         struct slice word, int name) {
  struct subject_count c = {.text_alone = 1};
  if (subject_count(&c, segs, seg_count, terms, word, LEAST, name) != 0)
    return 0;
  size_t found = c.throughout > 0 && (c.all - c.of[c.throughout]) * OTHERS <= c.all ? c.throughout : 0;
  free(c.of);
  return found;
}

/* Whether hardly any passage of another company holds the word, in its text or in the line above it. */
static int search_subject_alone(const struct store_segment *segs, size_t seg_count, struct terms *terms,
                                struct slice word, size_t company) {
  struct subject_count c = {0};
  if (subject_count(&c, segs, seg_count, terms, word, 1, 0) != 0)
    return 0;
  int alone = company < c.companies && (c.all - c.of[company]) * OTHERS <= c.all;
  free(c.of);
  return alone;
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
static size_t search_initials(const char *name, int digits, char out[NAME_WORDS + NAME_JOINED]) {
  struct query_core core;
  size_t n = 0;
  query_core_of(name, &core);
  int numbered = core.count > 1 && is_numeral(core.word[core.count - 1]);
  for (size_t i = 0; i + (size_t)numbered < core.count; i++)
    if (!isalpha((unsigned char)core.word[i].data[0]))
      return 0;
    else
      out[n++] = (char)toupper((unsigned char)core.word[i].data[0]);
  if (n < INITIALS_LEAST || query_is_ordinary(slice_of(out, n)))
    return 0;
  if (digits && !numbered)
    return 0;
  if (digits)
    n += (size_t)snprintf(out + n, NAME_JOINED, "%u", numeral_value(core.word[core.count - 1]));
  else if (numbered)
    n += (size_t)snprintf(out + n, NAME_JOINED, " %.*s", (int)core.word[core.count - 1].len,
                          core.word[core.count - 1].data);
  return n;
}

static void add_initials(struct planner *planner, const struct query_company *c) {
  for (int digits = 0; digits < 2; digits++) {
    char initials[NAME_WORDS + NAME_JOINED];
    size_t length = search_initials(c->name, digits, initials);
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

#define NAME_TOKENS 8 /* limit of tokens of a name matched as a whole */

/* Whether the whole name occurs in the question, however ordinary its words are; 0: no. */
static int search_finds_name(const struct query *q, const char *name, struct slice *words) {
  size_t first = strcspn(name, " ,.");
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    if (t->end - t->start != first || strncasecmp(q->text.data + t->start, name, first) != 0)
      continue;
    for (size_t k = i + 1; k < q->token_count && k < i + NAME_TOKENS; k++) {
      *words = slice_of(q->text.data + t->start, q->tokens[k].end - t->start);
      if (search_company_match(*words, name, MATCH_WHOLE) == MATCH_WHOLE)
        return 1;
    }
  }
  return 0;
}

/* The only company of the store whose name starts with or contains a word of the question, *words: that word.
 * Everyday words don't count, unless they are capitalised inside the sentence and a company's whole name ("The Buckle"),
 * or stand in its documents alone. */
size_t search_stored_in_question(const struct searcher *searcher, const struct query *q,
                                 struct slice *words) {
  const struct search *s = searcher->shared;
  size_t found = 0;
  for (size_t i = 1; i < s->known.company_count; i++)
    if (search_finds_name(q, s->known.companies[i].name, words))
      return i;
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
        (ordinary &&
         search_company_match(word, s->known.companies[number].name, MATCH_WHOLE) != MATCH_WHOLE &&
         !search_subject_alone(s->segs, s->seg_count, searcher->terms, word, number)))
      continue;
    if (found)
      return 0;
    found = number;
    *words = raw;
  }
  return found;
}

/* Words of its own name count in capitals: the planner has taken others for ordinary ones ("apple tree"). */
size_t search_stored_by_subject(const struct searcher *s, const struct query *q) {
  const struct search *shared = s->shared;
  size_t found = 0;
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    struct slice word = slice_of(q->text.data + t->start, t->end - t->start);
    if (t->kind != QUERY_WORD || word.len < WORD_LETTERS)
      continue;
    size_t number = search_subject_of(shared->segs, shared->seg_count, s->terms, word, 0);
    int capital = i > 0 && isupper((unsigned char)word.data[0]);
    if (number == 0 || number == found ||
        (!capital && search_company_match(query_bare(word), shared->known.companies[number].name,
                                          MATCH_WORD) >= MATCH_WORD))
      continue;
    if (found > 0)
      return 0;
    found = number;
  }
  return found;
}

static void search_take_hash(void *arg, const struct term *t) {
  *(uint64_t *)arg = t->hash;
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
  size_t namesake = c->how == PLAN_ALIAS ? only_stored(s, c->matched, MATCH_WHOLE) : 0;
  if (namesake && !search_company_is(c, &s->known, namesake))
    return namesake; /* "BofA Securities", an alias of its parent */
  if (c->how == PLAN_CIK || search_is_stored(s, c))
    return 0;
  size_t typo = c->how == PLAN_TICKER || c->how == PLAN_TYPO ? only_stored(s, c->matched, MATCH_TYPO) : 0,
         named = typo ? 0 : only_stored(s, c->matched, MATCH_BEGINNING);
  int vehicle = named && search_company_is_vehicle(c->matched, s->known.companies[named].name);
  return typo || c->sure < SEARCH_UNSURE || vehicle ? typo + named : 0;
}
