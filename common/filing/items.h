/* items.h: the items of the SEC's forms: numbers, order, titles.
 *
 * Sources: Form 10-K, 10-Q, 20-F, 8-K and S-1 (sec.gov/forms), and earlier meanings of the numbers: 10-K item 4
 * (votes) and 14 (exhibits) until 2003, 10-Q item II-4 (votes) until 2010, 8-K items 1 to 12 until 2004.
 */
#ifndef BID_ITEMS_H
#define BID_ITEMS_H

#include "filing/outline.h"

struct item_form_entry {
  const char *item;   /* as in an outline: "1A", "II-1A", "5.02"; "PART II" for a part */
  const char *number; /* as printed: "1A" */
  /* Current and former titles, separated by '|': words in lower case, letters and digits only, separated by blanks; a
   * heading must begin with one of them. */
  const char *titles;
};

/* The entries of a form in order, *count of them; NULL for OUTLINE_PLAIN, and for OUTLINE_8K and OUTLINE_SCHEDULE,
 * whose items are numbers in increasing order. */
const struct item_form_entry *items_of(enum outline_form form, size_t *count);

/* Finds items by a heading without a number (missing, or an image): text (lower case) must be exactly the title of an
 * item.  Returns the items with that title one by one; start with *cursor 0; NULL after the last. */
const char *items_whole_title(const char *text, size_t *cursor);

/* Whether text (lower case) equals one of the titles, or begins with one of several words. */
int items_is_title(const char *text, const char *titles);

/* Whether text (lower case) begins with one of the titles: the length of the title in text, or 0.  Punctuation and
 * white space are ignored. */
size_t items_title_match(const char *text, const char *titles);

#endif
