/* doc.h: a document on its way from bytes to text: what the readers of bid-strip (HTML, plain text,
 * PDF, XML, ...) produce and what outline detection works on.
 *
 * `text` is Markdown, UTF-8, ends with one newline, paragraphs separated by one empty line.  `blocks`
 * are its parts in order, without overlap: text[start, end) is the block without the blank line behind.
 * Page breaks leave no text: they are in `breaks`.
 */
#ifndef BID_DOC_H
#define BID_DOC_H

#include "base/buf.h"

#include <stdint.h>

/* How tables are written: as Markdown, as aligned text, or not at all. */
enum doc_tables { DOC_TABLES_MARKDOWN, DOC_TABLES_TEXT, DOC_TABLES_DROP };

enum doc_kind { DOC_PARAGRAPH, DOC_HEADING, DOC_LIST_ITEM, DOC_TABLE, DOC_PREFORMATTED };

/* How a block looked; what heading and item detection go by. */
enum {
  DOC_BOLD = 1, /* all of its letters are bold */
  DOC_CENTERED = 2,
  DOC_UPPERCASE = 4, /* all of its letters are capitals */
  DOC_LINKED = 8,    /* all of it is inside links (a table of contents) */
  DOC_UNDERLINED = 16,
  DOC_ITALIC = 32,
  DOC_FROM_TABLE = 64, /* came out of a layout table */
  DOC_ANCHORED = 128   /* an id or a name that a link of the document points to starts here */
};

struct doc_block {
  size_t start, end; /* bytes of text */
  enum doc_kind kind;
  unsigned flags;
  int level;  /* of DOC_HEADING by markup (h1 = 1), else 0 */
  float size; /* font size in points where known, else 0 */
};

struct doc_break {
  size_t offset; /* the new page starts at this byte of text */
  int page;      /* its number by counting from 1, or the printed one where it is known */
};

struct doc_outline {
  size_t offset;    /* byte of text where the section's heading starts */
  int level;        /* 1 part, 2 item, 3 and more headings */
  char item[16];    /* "1A", "7", "II-1A" (10-Q parts), "5.02" (8-K), or "" */
  char *title;      /* owned; heading as printed, one line */
  int page;         /* 0 where unknown */
  float confidence; /* 0 to 1 */
};

struct doc {
  struct buf text;
  struct doc_block *blocks;
  size_t block_count, block_cap;
  struct doc_break *breaks;
  size_t break_count, break_cap;
  int sheets; /* pages are the sheets of a PDF or of a text with form feeds: counted, whatever is printed on
                 them */
  struct doc_outline *outline;
  size_t outline_count, outline_cap;
};

/* max: ceiling of the text in bytes. */
void doc_init(struct doc *d, size_t max);
void doc_release(struct doc *d);
void doc_clear(struct doc *d);

/* Append an entry and return it (zeroed) for filling; the pointer lives until the next call. */
struct doc_block *doc_add_block(struct doc *d);
struct doc_break *doc_add_break(struct doc *d);
struct doc_outline *doc_add_outline(struct doc *d);

/* Page at a byte offset of text; 0 where the document has no pages. */
int doc_page_at(const struct doc *d, size_t offset);

#endif
