/* items.h: the items of the SEC's forms: numbers, order, titles.
 *
 * Sources: Form 10-K, 10-Q, 20-F, 8-K and S-1 (sec.gov/forms), and earlier meanings of the numbers: 10-K item 4
 * (votes) and 14 (exhibits) until 2003, 10-Q item II-4 (votes) until 2010, 8-K items 1 to 12 until 2004.
 */
#ifndef BID_ITEMS_H
#define BID_ITEMS_H

#include <stddef.h>

/* Upper limit of the confidence in an outline that lacks an item which such a report has (item_finder.c), or that
 * relies on titles without the word "item". */
#define OUTLINE_DOUBTED 0.5
#define OUTLINE_MIN_CONFIDENCE 0.5 /* below it no items are reported */

enum outline_form {
  OUTLINE_PLAIN, /* headings only */
  OUTLINE_10K,
  OUTLINE_10KSB, /* small businesses until 2008: other numbers */
  OUTLINE_10Q,
  OUTLINE_20F,
  OUTLINE_8K,
  OUTLINE_OFFERING, /* S-1, S-3, F-1 ...: the items of part II */
  OUTLINE_SCHEDULE  /* SC 13D, SC 13G, SC TO: numbered items */
};

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

/* ---- the start of a heading: "Part I, Item 1A.  Risk Factors" ---- */

#define ITEMLEAD_NUMBERS 20

struct item_heading {
  int part;                          /* 1 to 4, or 0 */
  size_t number_count;               /* number of items */
  char numbers[ITEMLEAD_NUMBERS][8]; /* "1A", "5.02", upper case */
  size_t title;                      /* offset of the title in the text */
};

/* The bytes of quotation marks, brackets, dashes and bullets at the start of a text. */
size_t items_lead(const char *s);

/* Parses the start of text (lower case, single blanks, as from doc_view_at()) into *l.  Returns whether it names a
 * part or an item. */
int item_heading_read(const char *lower, struct item_heading *l);

/* Parses "Item 1112(b) of Regulation AB", which asset-backed issuers add between the items of the form: the number is
 * put into out.  0 where the text is not of this form. */
int item_heading_asset_backed(const char *lower, char out[8]);

/* The numbers in a heading such as "Items 1 and 2. ..." or "Item 7A", in any case: returns how many, at most max,
 * each of at most 7 bytes in upper case ("7A", "5.02").  0 where it names no item. */
size_t item_heading_numbers(const char *text, char numbers[][8], size_t max);

#endif
