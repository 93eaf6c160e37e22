/* rank_companies.c: whether a passage is about the company that the question asks about.
 *
 * A company that the store lacks may be mentioned as a competitor, customer or lender, and its revenue may be asked
 * for in words that every filing contains.  So a name counts by where it occurs: almost every document of a company
 * names that company and its products throughout; a passage may answer a question about a person or place that only
 * it names; a document without the name belongs to somebody else.
 */
#include "search/rank_internal.h"

#define THROUGHOUT 3         /* minimum passages of a document that name its subject, */
#define THROUGHOUT_PART 100U /* and minimum share, one in this many */
#define COMMON_PART 50       /* of all passages: a more frequent word doesn't identify a company */
#define LONG_NAME 3          /* words, of the distinctive ones */
#define SHORT_DOCUMENT 20U   /* passages */

static enum rank_standing standing_of(uint64_t term, const struct rank_place *at) {
  const struct store_doc *d = &at->seg->doc[at->doc];
  int here;
  uint32_t count = store_postings_count(at->seg, term, d->first, d->first + d->rows, at->row, &here);
  if ((count >= THROUGHOUT && count * THROUGHOUT_PART >= d->rows) || (here && d->rows < SHORT_DOCUMENT))
    return RANK_THROUGHOUT;
  return here ? RANK_HERE : count > 0 ? RANK_AWAY : RANK_NOWHERE;
}

/* All words of a name must occur, or all but one of three or more, since long names have several spellings. */
static enum rank_standing stands(const struct rank_names *n, size_t name, const struct rank_place *at) {
  size_t first = n->first[name], end = n->first[name + 1];
  enum rank_standing worst = RANK_THROUGHOUT, next = RANK_THROUGHOUT;
  for (size_t i = first; i < end; i++) {
    enum rank_standing s = standing_of(n->term[i], at);
    next = s < worst ? worst : s < next ? s : next;
    worst = s < worst ? s : worst;
  }
  return end - first < LONG_NAME ? worst : next;
}

enum rank_standing rank_names_standing(const struct rank_names *n, const struct rank_place *at, int upper) {
  enum rank_standing worst = RANK_THROUGHOUT;
  int nobodys = at->seg->doc[at->doc].company == 0;
  for (size_t i = 0; i < n->count; i++) {
    if (n->upper[i] != upper)
      continue;
    enum rank_standing s = !nobodys ? stands(n, i, at) : n->absent[i] ? RANK_AWAY : RANK_THROUGHOUT;
    worst = s < worst ? s : worst;
  }
  return worst;
}

int rank_names_held(const struct rank_names *n, const struct rank_place *at) {
  size_t words = 0;
  int nobodys = at->seg->doc[at->doc].company == 0;
  for (size_t i = 0; i < n->count; i++)
    for (size_t k = n->first[i]; !n->upper[i] && k < n->first[i + 1]; k++, words++)
      if (standing_of(n->term[k], at) > RANK_NOWHERE || (nobodys && !n->absent[i]))
        return 1;
  return words == 0;
}

/* Number of live passages with the term, and of all live passages. */
static uint64_t count_passages(const struct rank_scope *scope, uint64_t term, uint64_t *all) {
  uint64_t count = *all = 0;
  for (size_t s = 0; s < scope->seg_count; s++) {
    count += store_df(&scope->segs[s], term);
    *all += scope->segs[s].live_rows;
  }
  return count;
}

/* Adds a name's words, except those that many passages contain: "Depot" in "Home Depot". */
static void rank_companies_add_name(struct rank_names *n, const struct query *q,
                                    const struct query_name *name, const struct rank_scope *scope) {
  size_t first = n->first[n->count], terms = first;
  n->absent[n->count] = 0;
  n->upper[n->count] = 1;
  for (size_t i = 0; i < name->count && terms < RANK_NAME_TERMS; i++) {
    const struct query_token *t = &q->tokens[name->first + i];
    uint64_t all, hash = terms_hash(slice_of(q->own.data + t->stem, t->stem_len));
    uint64_t count = count_passages(scope, hash, &all);
    if (count * COMMON_PART > all)
      continue;
    n->term[terms++] = hash;
    n->absent[n->count] |= count == 0;
    n->upper[n->count] &= t->upper;
  }
  if (terms > first)
    n->first[++n->count] = terms;
}

void rank_names_begin(struct rank_names *n, const struct query *q, const struct rank_scope *scope) {
  struct query_name names[RANK_NAMES];
  size_t found = query_find_names(q, names, RANK_NAMES);
  n->count = n->first[0] = 0;
  for (size_t i = 0; i < found; i++)
    rank_companies_add_name(n, q, &names[i], scope);
}
