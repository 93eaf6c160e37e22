/* item_finder.h: finds where the items of a form start in a document. */
#ifndef BID_ITEM_FINDER_H
#define BID_ITEM_FINDER_H

#include "document/doc.h"
#include "filing/items.h"

struct found_item {
  size_t block, next_block; /* the heading is blocks [block, next_block), up to heading_end */
  size_t heading_end;       /* offset in text of the heading's end, in block next_block-1 */
  char item[16];            /* "1A"; "" for a part */
  char *title;              /* owned; as printed, one line */
  int is_part;
  double confidence;
};

struct found_items {
  struct found_item *list; /* in text order */
  size_t count;
  double confidence; /* in the items as a whole; 0 where there are none */
  int by_index;      /* found through a cross-reference index, not by headings */
};

/* Fills *f; release it with item_finder_release(). */
void item_finder_find(const struct doc *d, enum outline_form form, struct found_items *f);
void item_finder_release(struct found_items *f);

/* ---- the places of a document that may begin an item; private to the three item_*.c ---- */

#define ITEM_CANDIDATES 3000 /* limit of a document's candidates; later ones are ignored */

struct item_candidate {
  size_t block, next_block, heading_end;
  size_t start; /* offset in text */
  int order;    /* place in the form */
  int entry;    /* index in the form's table, or -1 */
  double score; /* of the candidate by itself */
  double best;  /* of the best chain that ends with it */
  int before;   /* its predecessor in that chain, or -1 */
  int titled;   /* followed by the form's title */
  int look;     /* 0 to 2: how much it looks like a heading */
  int toc;      /* looks like a line of a table of contents */
  int partial;  /* lacks the number, or the word "item" */
  int numbered; /* where partial: has a number */
  int loose;    /* not in the form's order: Regulation AB items of asset-backed issuers */
  char number[8];
};

struct item_search {
  const struct doc *d;
  enum outline_form form;
  const struct item_form_entry *entries; /* of the form; NULL where it has no table */
  size_t entry_count;
  struct item_candidate *list; /* [ITEM_CANDIDATES], owned by the caller */
  size_t count;
  int wide; /* also search titles without the word "item", everywhere and for all items */
  struct doc_view look, next;
};

/* Fills list and count, in the order of the text; best and before are left to item_finder.c. */
void item_candidates_find(struct item_search *s);

/* The end of a block's first line, as an offset in the text. */
size_t item_first_line_end(const struct doc *d, const struct doc_block *b);

/* ---- item_index.c: the items of a 10-K, 10-Q or 20-F that is written as one report without "Item N" headings
 * and lists, at its start or end, the pages on which each item is answered ("Form 10-K cross-reference index") ---- */

/* Confidence of an item whose title heads its page, and of one located at the first heading of its page: lower than
 * for a heading that names its item. */
#define ITEMINDEX_TITLED 0.65
#define ITEMINDEX_PAGED 0.5

/* Fills *f from the index; empty where there is none.  A section that ends before the next one starts is followed by
 * an entry without an item, so that it doesn't include unrelated pages. */
void item_index_find(const struct doc *d, enum outline_form form, struct found_items *f);

#endif
