/* rank_typos.c: corrects typos: words of a question that no passage contains and that differ by one typing error from
 * a word that passages contain.  The
 * dictionary is the store's own vocabulary, since no word list has all technical terms. */
#include "search/rank_internal.h"

#include <ctype.h>

#define TYPO_LETTERS 5 /* shorter words are one edit away from too many others */
#define TYPO_MOST 24
#define TYPO_ORDINARY (1ULL << 32) /* exceeds any count: prefers an ordinary word */
#define TYPO_LEAST 5               /* minimum passages with the intended word, unless it is an ordinary one */

struct typo {
  const struct rank_scope *scope;
  struct terms *terms;
  char word[TYPO_MOST + 2]; /* the candidate being tested */
  size_t len;
  char best[TYPO_MOST + 2];
  uint64_t best_count;
};

static uint64_t typo_count(const struct rank_scope *scope, uint64_t hash) {
  uint64_t count = 0;
  for (size_t s = 0; s < scope->seg_count; s++)
    count += store_df(&scope->segs[s], hash);
  return count;
}

/* Considers the candidate's stem: it wins if more passages contain it than the best so far. */
static void typo_weigh(void *arg, const struct term *t) {
  struct typo *y = arg;
  if (t->kind != TERM_WORD || t->end - t->start != y->len)
    return;
  uint64_t count = typo_count(y->scope, t->hash);
  if (count > 0 && query_is_ordinary(t->text))
    count += TYPO_ORDINARY;
  if (count < TYPO_LEAST)
    return;
  if (count <= y->best_count)
    return;
  y->best_count = count;
  memcpy(y->best, y->word, y->len);
  y->best[y->len] = '\0';
}

static void typo_try(struct typo *y, size_t len) {
  y->len = len;
  terms_scan(y->terms, slice_of(y->word, len), 0, typo_weigh, y);
}

/* Generates transpositions, deletions, substitutions and insertions; the first letter is kept. */
static void typo_variants(struct typo *y, const char *word, size_t len) {
  for (size_t i = 1; i < len; i++) {
    memcpy(y->word, word, len);
    if (i + 1 < len) {
      y->word[i] = word[i + 1];
      y->word[i + 1] = word[i];
      typo_try(y, len);
    }
    memmove(y->word + i, word + i + 1, len - i - 1);
    memcpy(y->word, word, i);
    typo_try(y, len - 1);
  }
  static const char letters[] = "zsaeioutrnlcdmphbgfvykwxjq"; /* tries "recognized" for "recognised" first */
  for (const char *next = letters; *next != '\0'; next++)
    for (size_t i = 1; i <= len; i++) {
      char c = *next;
      memcpy(y->word, word, len);
      if (i < len) {
        y->word[i] = c;
        typo_try(y, len);
      }
      memcpy(y->word + i + 1, word + i, len - i);
      y->word[i] = c;
      typo_try(y, len + 1);
    }
}

/* Lower case only: a capitalised word may be a name that the store lacks. */
static int typo_is_word(struct slice raw) {
  for (size_t i = 0; i < raw.len; i++)
    if (!islower((unsigned char)raw.data[i]))
      return 0;
  return raw.len >= TYPO_LETTERS && raw.len <= TYPO_MOST;
}

/* The intended word for token i, or nothing. */
static int typo_meant(const struct query *q, size_t i, struct typo *y) {
  const struct query_token *t = &q->tokens[i];
  struct slice raw = slice_of(q->text.data + t->start, t->end - t->start),
               stem = slice_of(q->own.data + t->stem, t->stem_len);
  if (t->kind != QUERY_WORD || !typo_is_word(raw) || query_is_ordinary(stem) ||
      typo_count(y->scope, terms_hash(stem)) > 0)
    return 0;
  typo_variants(y, raw.data, raw.len);
  return y->best_count > 0;
}

size_t rank_correct_typos(const struct query *q, const struct store_snapshot *snap, struct terms *terms,
                          struct buf *text, struct buf *notes) {
  struct rank_scope scope = {0};
  size_t corrected = 0, done = 0;
  scope.seg_count = store_segments(snap, &scope.segs);
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    struct typo y = {.scope = &scope, .terms = terms};
    if (!typo_meant(q, i, &y))
      continue;
    buf_add(text, q->text.data + done, t->start - done);
    buf_add_str(text, y.best);
    done = t->end;
    buf_printf(notes, "%s\"spelling: %.*s is looked for as %s\"", corrected++ > 0 ? "," : "",
               (int)(t->end - t->start), q->text.data + t->start, y.best);
  }
  buf_add(text, q->text.data + done, q->text.len - done);
  return corrected;
}
