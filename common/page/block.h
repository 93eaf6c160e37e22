/* block.h: passages taken apart for showing: the Markdown that bid-strip writes, and no more of it.
 *
 * Blocks are headings, paragraphs, list items, tables and fixed text (between lines of ```).  A passage may begin or
 * end anywhere, so a table may have lost its head and fixed text its fences.
 */
#ifndef BID_BLOCK_H
#define BID_BLOCK_H

#include "base/buf.h"

struct page_passage {
  struct slice text, context; /* context: its line of context, or empty */
};

enum page_kind { PAGE_HEADING, PAGE_PARAGRAPH, PAGE_ITEM, PAGE_TABLE, PAGE_FIXED };

struct page_block {
  enum page_kind kind;
  int level;           /* of a heading, 1 to 6; of a list item, its depth from 0 */
  struct slice label;  /* an item's "- " or "1. ", else empty */
  struct slice strong; /* an item's "Name:", written as "**Name:** value", else empty */
  struct slice text;   /* what it says, without its marks; a table: its lines */
  struct slice
      head; /* of the passage's first table, where it goes on from the passage before: as page_head() has it */
};

/* The block from *at on, which moves behind it.  0 at the end. */
int page_next_block(struct page_passage p, size_t *at, struct page_block *b);

/* Where a passage stands, for people: its context line without the head of a table that is cut in two, which bid-chunk
 * puts at the end for the model to read ("… · Segments · (in millions) | 2025 | 2024"). */
struct slice page_place(struct slice context);

#define PAGE_TITLE 160 /* bytes that bid-chunk cuts a title of a context line to */

/* Takes the last word of a place away where its title was cut to PAGE_TITLE bytes, and so maybe within that word.  Returns
 * whether it was. */
int page_place_cut(struct slice *place);

/* Where the outline's part of a place begins, behind " · filed 2025-10-31 · "; its length where it has none. */
size_t page_place_outline(struct slice place);

/* That head, "(in millions) | 2025 | 2024", without its empty cells; empty where there is none. */
struct slice page_head(struct slice context);

/* The line at `at`, and a text without the blanks at its ends. */
struct slice page_line(struct slice text, size_t at);
struct slice page_trim(struct slice s);

/* The bytes of a passage that a question's words stand at, in order. */
struct page_marks {
  const char *base; /* the passage */
  const size_t (*span)[2];
  size_t count;
};

/* Whether the byte at `at` (within the passage) is marked.  *next speeds up a walk: 0 at first. */
int page_is_marked(const struct page_marks *m, const char *at, size_t *next);

/* Whether any byte of the text is. */
int page_has_mark(const struct page_marks *m, struct slice text);

/* Whether an address may stand in a link: printable ASCII of a scheme that leads to a document. */
int page_may_link(struct slice url);

#endif
