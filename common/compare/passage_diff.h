/* passage_diff.h: compares two versions of a text paragraph by paragraph.
 *
 * Paragraphs (and rows of tables) that are equal except for white space and punctuation are the same.  The longest
 * sequence of these that is in the same order in both texts is in place (patience diff, by a longest increasing
 * subsequence); the others have moved.  The remaining paragraphs are paired if they are equal except for numbers,
 * preferably between the same neighbours, or except for dates (rows of numbers of another
 * span of time, six months and nine, can't be compared); then by similarity of their words (Dice's coefficient
 * over word counts, at least DIFF_ALIKE), as changed paragraphs.  The rest was added or dropped.
 */
#ifndef BID_PASSAGE_DIFF_H
#define BID_PASSAGE_DIFF_H

#include "base/buf.h"

#include <stdint.h>

#define DIFF_ALIKE 0.5        /* minimum Dice coefficient of a pair */
#define DIFF_PARAGRAPHS 65536 /* limit for a text; the rest becomes one paragraph */
#define DIFF_PAIRS 4000000    /* limit of pairs of paragraphs compared by words */

/* DIFF_SPANS: equal except for numbers, which are of different spans */
enum diff_kind { DIFF_SAME, DIFF_MOVED, DIFF_SPANS, DIFF_NUMBERS, DIFF_CHANGED, DIFF_ADDED, DIFF_DROPPED };

struct diff_paragraph {
  struct slice text; /* slice of the text given */
  uint64_t key;      /* hash of its letters and digits */
  uint64_t shape;    /* hash of its letters, without numbers */
  uint64_t undated;  /* the same without names of months */
  uint32_t gap;      /* number of the gap between paragraphs in place that contains it */
  float place;       /* 0 to 1: position in that gap */
  uint32_t words;
  int32_t pair; /* index in the other text, or -1 */
  int months;   /* of a row: the span of its table's columns; 0: none, or several */
  int years; /* of DIFF_NUMBERS: only years differ, which moved on with the report's (passage_diff_settle()) */
  enum diff_kind kind;
  float alike; /* of DIFF_CHANGED: similarity, 0 to 1 */
};

struct diff_text {
  struct diff_paragraph *list;
  size_t count;
};

struct passage_diff {
  struct diff_text was, is;
};

/* Fills d, whose slices point into the texts, which must outlive it.  Release it. */
void passage_diff_make(struct passage_diff *d, struct slice was, struct slice is);
/* Of paragraphs with other numbers, marks those in which years alone moved on with the year of the report (0: not known), and makes
 * rows of a table of contents with another page the same. */
void passage_diff_settle(struct passage_diff *d, int was_year, int is_year);

/* Number of paragraphs that are marked so. */
size_t passage_diff_years(const struct passage_diff *d);
void passage_diff_release(struct passage_diff *d);

/* Counts per kind: DIFF_DROPPED in the older text, all others in the newer one. */
void passage_diff_count(const struct passage_diff *d, size_t counts[DIFF_DROPPED + 1]);

const char *passage_diff_name(enum diff_kind kind); /* "same", "moved", ... */

/* The shortest edit script between the words of a changed paragraph, where runs of white space and punctuation belong
 * to the next word.  f is called for each run: '=' in both, '-' only in the older, '+' only in the newer. */
typedef void diff_words_function(void *arg, char what, struct slice text);
void passage_diff_words(struct slice was, struct slice is, diff_words_function *f, void *arg);

/* The next number at or after *at, with its commas and points; *at is then behind it.  Empty at the end. */
struct slice passage_diff_next_number(struct slice s, size_t *at);

/* Whether the number that begins at s[i] has a minus, or stands alone in parentheses: "$(3.4)", "-5%". */
int passage_diff_is_negative(struct slice s, size_t i);

/* ---- the spans of time of a Markdown table's columns, by its heading: "Three Months Ended June 28, 2025".

Quarterly reports have columns of the quarter and of the year to date; those of different lengths tell of no change.
A set of spans has bit N for N months ---- */

/* The spans in the headings of all tables of a text. */
unsigned passage_diff_all(struct slice text);

/* Appends the text.  Tables that have a column of a span in `keep` lose their columns of other spans; returns those. */
unsigned passage_diff_keep(struct buf *out, struct slice text, unsigned keep);

/* The months of all columns of a table with this heading row that have a span; 0 where they have none, or several. */
int passage_diff_months(struct slice heading);

#endif
