/* item_heading.h: parses the start of a heading: "Part I, Item 1A.  Risk Factors". */
#ifndef BID_ITEM_HEADING_H
#define BID_ITEM_HEADING_H

#include <stddef.h>

#define ITEMLEAD_NUMBERS 20

struct item_heading {
  int part;                          /* 1 to 4, or 0 */
  size_t number_count;               /* number of items */
  char numbers[ITEMLEAD_NUMBERS][8]; /* "1A", "5.02", upper case */
  size_t title;                      /* offset of the title in the text */
};

/* Parses the start of text (lower case, single blanks, as from block_view.h) into *l.  Returns whether it names a
 * part or an item. */
int item_heading_read(const char *lower, struct item_heading *l);

/* Parses "Item 1112(b) of Regulation AB", which asset-backed issuers add between the items of the form: the number is
 * put into out.  0 where the text is not of this form. */
int item_heading_asset_backed(const char *lower, char out[8]);

/* The numbers in a heading such as "Items 1 and 2. ..." or "Item 7A", in any case: returns how many, at most max,
 * each of at most 7 bytes in upper case ("7A", "5.02").  0 where it names no item. */
size_t item_heading_numbers(const char *text, char numbers[][8], size_t max);

#endif
