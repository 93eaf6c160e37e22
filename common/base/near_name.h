/* near_name.h: the name that a mistyped one was meant to be.
 *
 *     struct near_name n;
 *     near_name_init(&n, "bid-serach");
 *     for (each name) near_name_try(&n, name);
 *     if (n.best) "did you mean '%s'?"
 */
#ifndef BID_NEAR_NAME_H
#define BID_NEAR_NAME_H

#include <stddef.h>

#define NEAR_NAME_MAX 64 /* bytes of a word that are compared; longer ones are near to nothing */

/* Edits that make one word of the other: a letter added, dropped or changed, or two neighbours swapped (optimal
 * string alignment).  ASCII letters' case does not count.  More than NEAR_NAME_MAX where a word is longer than
 * that. */
size_t near_name_distance(const char *a, const char *b);

struct near_name {
  const char *word;
  const char *best; /* the nearest name so far, by reference; NULL: none is near */
  size_t distance;  /* of best; before that, what is too far */
};

/* Near are names within a third of the word's length, at least one edit and at most three, and names that the word
 * is the beginning of, from three letters on. */
void near_name_init(struct near_name *n, const char *word);
void near_name_try(struct near_name *n, const char *name);

#endif
