/* near_name.h: the known name that is closest to a mistyped one.
 *
 *     struct near_name n;
 *     near_name_init(&n, "bid-serach");
 *     for (each name) near_name_try(&n, name);
 *     if (n.best) "did you mean '%s'?"
 */
#ifndef BID_NEAR_NAME_H
#define BID_NEAR_NAME_H

#include <stddef.h>

#define NEAR_NAME_MAX 160 /* bytes of the longest word that is compared; a longer one matches nothing */

/* The edit distance of two words (optimal string alignment): insertions, deletions, substitutions and swaps of
 * neighbours.  ASCII case is ignored.  More than NEAR_NAME_MAX where a word is longer than that. */
size_t near_name_distance(const char *a, const char *b);
size_t near_name_edits(const char *a, size_t n, const char *b, size_t m);

/* Whether two words of any length differ by one such edit; case counts.  Takes linear time, for searches in long lists. */
int near_name_is_typo(const char *a, size_t n, const char *b, size_t m);

struct near_name {
  const char *word;
  const char *best; /* the closest name so far, by reference; NULL where none is close enough */
  size_t distance;  /* distance of best; before there is one, the limit */
};

/* A name is close enough within a third of the word's length in edits, at least one and at most three, or where the
 * word, of three letters or more, is a prefix of it. */
void near_name_init(struct near_name *n, const char *word);
void near_name_try(struct near_name *n, const char *name);

#endif
