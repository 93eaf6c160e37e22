/* items.h: the items of the SEC's forms: numbers, order, titles.
 *
 * Sources: Form 10-K, 10-Q, 20-F, 8-K and S-1 (sec.gov/forms), and what their numbers meant before: 10-K item
 * 4 (votes) and 14 (exhibits) up to 2003, 10-Q item II-4 (votes) up to 2010, 8-K items 1 to 12 up to 2004.
 */
#ifndef BID_ITEMS_H
#define BID_ITEMS_H

#include "filing/outline.h"

struct item_form_entry {
  const char *item;   /* as in an outline: "1A", "II-1A", "5.02"; "PART II" for a part */
  const char *number; /* as it is printed: "1A" */
  /* Titles that it has had: words in lower case, letters and digits only, blanks between; a heading begins
   * with one of them.  '|' between titles. */
  const char *titles;
};

/* The entries of a form in their order, *count of them; NULL for OUTLINE_PLAIN and for OUTLINE_8K and
 * OUTLINE_SCHEDULE, whose items are numbers in rising order. */
const struct item_form_entry *items_of(enum outline_form form, size_t *count);

/* Whether text (lower case) is the whole title of an item and names nothing else: what a heading whose number
 * is missing or an image is known by.  Gives the items that have the title one by one: start with *cursor 0;
 * NULL behind the last. */
const char *items_whole_title(const char *text, size_t *cursor);

/* Whether text (lower case) is one of the titles, or begins with one of several words. */
int items_is_title(const char *text, const char *titles);

/* Whether text (lower case) begins with one of the titles; the bytes of text that the title takes, or 0.
 * Punctuation and white space don't count. */
size_t items_title_match(const char *text, const char *titles);

#endif
