/* block.h: splits passages into blocks for display; supports only the Markdown that bid-strip writes.
 *
 * Blocks are headings, paragraphs, list items, tables and fixed text (between lines of ```).  A passage may start or
 * end anywhere, so a table may lack its header and fixed text its fences.
 */
#ifndef BID_BLOCK_H
#define BID_BLOCK_H

#include "base/buf.h"

struct page_passage {
  struct slice text, context; /* context: its context line, or empty */
};

enum page_kind { PAGE_HEADING, PAGE_PARAGRAPH, PAGE_ITEM, PAGE_TABLE, PAGE_FIXED };

struct page_block {
  enum page_kind kind;
  int level;           /* of a heading, 1 to 6; of a list item, its nesting from 0 */
  struct slice label;  /* marker of an item, "- " or "1.  ", else empty */
  struct slice strong; /* an item's "Name:", from "**Name:** value", else empty */
  struct slice text;   /* text without marks; of a table, its lines */
  struct slice head;   /* header of the passage's first table, where it continues one: as of page_head() */
};

/* Reads the block at *at and moves *at after it.  0 at the end. */
int page_next_block(struct page_passage p, size_t *at, struct page_block *b);

/* A passage's location for display: its context line without the header of a split table, which bid-chunk appends for
 * the model ("… · Segments · (in millions) | 2025 | 2024"). */
struct slice page_place(struct slice context);

/* The last part of that location: the heading above the passage. */
struct slice page_place_end(struct slice context);

#define PAGE_TITLE 160 /* bytes to which bid-chunk truncates a title in a context line */

/* Removes the last word of a location whose title was truncated to PAGE_TITLE bytes, since the word may be
 * incomplete.  Returns whether it did. */
int page_place_cut(struct slice *place);

/* Appends a location for a heading of at most `room` bytes: in a longer one, the titles above the last one are cut behind their first words. */
void page_place_add(struct buf *out, struct slice place, size_t room);

/* Where the outline part of a location starts, after " · filed 2025-10-31 · "; its length where it has none. */
size_t page_place_outline(struct slice place);

/* That header, "(in millions) | 2025 | 2024", without its empty cells; empty where there is none. */
struct slice page_head(struct slice context);

/* The line at `at`. */
struct slice page_line(struct slice text, size_t at);

/* Positions of a question's words in a passage, in order. */
struct page_marks {
  const char *base; /* the passage */
  const size_t (*span)[2];
  size_t count;
  const size_t (*answer)[2]; /* sentences and rows that most likely answer, in order */
  size_t answer_count;
};

/* Whether the byte at `at` lies in one of these. */
int page_is_answer(const struct page_marks *m, const char *at);

/* Whether the byte at `at` (within the passage) is marked. *next speeds up sequential access; start with 0. */
int page_is_marked(const struct page_marks *m, const char *at, size_t *next);

/* Whether a URL may be written as a link: printable ASCII with a scheme for documents. */
int page_may_link(struct slice url);

#endif
