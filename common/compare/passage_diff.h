/* passage_diff.h: what a text says that an older one did not, paragraph by paragraph.
 *
 * Paragraphs (and rows of tables) that are equal but for white space and marks are the same; of these, the longest
 * run that rises in both texts is in place (patience, by a longest increasing subsequence), the rest moved.  Of what
 * is left, paragraphs that are equal but for their numbers are found, first of all between the same neighbours, and
 * those that are equal but for dates; then the most alike by their words (Dice's
 * coefficient over counts of words, at least DIFF_ALIKE) are one paragraph that changed.  The rest is added or
 * dropped.
 */
#ifndef BID_PASSAGE_DIFF_H
#define BID_PASSAGE_DIFF_H

#include "base/buf.h"

#include <stdint.h>

#define DIFF_ALIKE 0.5        /* share of words that two paragraphs need in common */
#define DIFF_PARAGRAPHS 65536 /* of a text; what stands behind is one paragraph */
#define DIFF_PAIRS 4000000    /* pairs of paragraphs whose words are compared */

enum diff_kind { DIFF_SAME, DIFF_MOVED, DIFF_NUMBERS, DIFF_CHANGED, DIFF_ADDED, DIFF_DROPPED };

struct diff_paragraph {
  struct slice text; /* of the text given */
  uint64_t key;      /* of its letters and digits */
  uint64_t shape;    /* of its letters, numbers left out */
  uint64_t undated;  /* the same without the names of months */
  uint32_t gap;      /* number of the gap between paragraphs in place in which it stands */
  float place;       /* 0 to 1: where in that gap */
  uint32_t words;
  int32_t pair; /* index in the other text, or -1 */
  enum diff_kind kind;
  float alike; /* of DIFF_CHANGED: 0 to 1 */
};

struct diff_text {
  struct diff_paragraph *list;
  size_t count;
};

struct passage_diff {
  struct diff_text was, is;
};

/* Fills d; its slices point into the texts, which live as long.  Release it. */
void passage_diff_make(struct passage_diff *d, struct slice was, struct slice is);
void passage_diff_release(struct passage_diff *d);

/* Counts of each kind: DIFF_DROPPED of the older text, all others of the newer. */
void passage_diff_count(const struct passage_diff *d, size_t counts[DIFF_DROPPED + 1]);

const char *passage_diff_name(enum diff_kind kind); /* "same", "moved", ... */

/* Words (or runs of white space and marks between them, with the word behind) of a changed paragraph, as the
 * shortest change from one to the other: f is called for each run with '=' both, '-' older only, '+' newer only. */
typedef void diff_words_function(void *arg, char what, struct slice text);
void passage_diff_words(struct slice was, struct slice is, diff_words_function *f, void *arg);

#endif
