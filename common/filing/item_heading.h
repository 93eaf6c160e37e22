/* item_heading.h: reading how a heading begins: "Part I, Item 1A. Risk Factors". */
#ifndef BID_ITEM_HEADING_H
#define BID_ITEM_HEADING_H

#include <stddef.h>

#define ITEMLEAD_NUMBERS 20

struct item_heading {
  int part;                          /* 1 to 4, or 0 */
  size_t number_count;               /* of items */
  char numbers[ITEMLEAD_NUMBERS][8]; /* "1A", "5.02", upper case */
  size_t title;                      /* where the title starts in the text */
};

/* Reads the front of text (lower case, single blanks; block_view.h makes such) into *l.  Whether it names a part or
 * an item. */
int item_heading_read(const char *lower, struct item_heading *l);

/* "Item 1112(b) of Regulation AB", as asset-backed issuers have them between the items of the form: its
 * number into out.  0 where the text is no such. */
int item_heading_asset_backed(const char *lower, char out[8]);

/* Numbers of a heading "Items 1 and 2. ..." or "Item 7A" in any case: how many, at most max, each at most 7
 * bytes, in upper case ("7A", "5.02").  0 where it names no item. */
size_t item_heading_numbers(const char *text, char numbers[][8], size_t max);

#endif
