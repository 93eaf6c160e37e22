/* doc.h: a document: the output of bid-strip's readers (HTML, plain text, PDF, XML, ...) and the input of outline
 * detection.
 *
 * `text` is Markdown in UTF-8; it ends with one newline, and paragraphs are separated by one empty line.  `blocks`
 * are its parts in order, without overlap: text[start, end) is the block without the following blank line.  Page
 * breaks are not in the text but in `breaks`.
 */
#ifndef BID_DOC_H
#define BID_DOC_H

#include "base/buf.h"
#include "base/diag.h"
#include "tables/metadata.h"

#include <stdint.h>

/* How tables are written: as Markdown, as aligned text, or not at all. */
enum doc_tables { DOC_TABLES_MARKDOWN, DOC_TABLES_TEXT, DOC_TABLES_DROP };

/* What a reader writes. */
struct doc_options {
  enum doc_tables tables;
  int plain;           /* no Markdown marks */
  size_t max_text;     /* ceiling of the text in bytes */
  const char *charset; /* declared by the transport, or NULL */
  int laid_out; /* plain text from a layout program (a PDF): a short line ends its paragraph, a short line by
                          itself is a heading, tables have no tags */
};

enum doc_kind { DOC_PARAGRAPH, DOC_HEADING, DOC_LIST_ITEM, DOC_TABLE, DOC_PREFORMATTED };

/* The appearance of a block, used to detect headings and items. */
enum {
  DOC_BOLD = 1, /* all letters are bold */
  DOC_CENTERED = 2,
  DOC_UPPERCASE = 4, /* all letters are capitals */
  DOC_LINKED = 8,    /* the whole block is links (a table of contents) */
  DOC_UNDERLINED = 16,
  DOC_ITALIC = 32,
  DOC_FROM_TABLE = 64 /* from a table used for layout */
};

struct doc_block {
  size_t start, end; /* bytes of text */
  enum doc_kind kind;
  unsigned flags;
  int level;  /* level of a DOC_HEADING from markup (h1 = 1), else 0 */
  float size; /* font size in points, 0 where unknown */
};

struct doc_break {
  size_t offset; /* offset in text where the new page starts */
  int page;      /* page number: printed where known, else counted */
};

struct doc_outline {
  size_t offset;    /* offset in text of the section's heading */
  int level;        /* 1 part, 2 item, 3 and above: other headings */
  char item[16];    /* "1A", "7", "II-1A" (10-Q parts), "5.02" (8-K), or "" */
  char *title;      /* owned; the heading as printed, one line */
  int page;         /* 0 where unknown */
  float confidence; /* 0 to 1 */
};

/* What a reader leaves out, or can't read as text; counted in a document's metadata. */
enum doc_omitted {
#define X(name, text) DOC_##name,
  METADATA_OMITTED(X)
#undef X
      DOC_OMITTED
};

struct doc {
  struct buf text;
  struct doc_block *blocks;
  size_t block_count, block_cap;
  struct doc_break *breaks;
  size_t break_count, break_cap;
  int sheets; /* pages are sheets of a PDF or separated by form feeds: count them, ignore printed numbers */
  struct doc_outline *outline;
  size_t outline_count, outline_cap;
  unsigned omitted[DOC_OMITTED];
  struct error_text lost; /* the first part of an office file that could not be read; empty: none */
};

/* max: ceiling of the text in bytes. */
void doc_init(struct doc *d, size_t max);
void doc_release(struct doc *d);
void doc_clear(struct doc *d);

/* Append a zeroed entry and return it to be filled in; the pointer is valid until the next call. */
struct doc_block *doc_add_block(struct doc *d);
struct doc_break *doc_add_break(struct doc *d);
struct doc_outline *doc_add_outline(struct doc *d);

#define DOC_ORDINAL 24

/* The number of a list item into out: kind '1' for digits, 'a' and 'A' for letters, 'i' and 'I' for Roman digits. */
const char *doc_ordinal(char out[DOC_ORDINAL], char kind, long n);

/* The character that Wingdings draws for this one (check boxes, ticks, bullets); itself where it is none that is known. */
uint32_t doc_symbol(uint32_t code);

/* The letters of the character at p, *n bytes: of a ligature (U+FB00 to U+FB06), "-" for U+2010, "" for a soft hyphen and
 * for marks of direction; NULL for any other character. */
const char *doc_letters(const char *p, size_t len, size_t *n);

/* Text that is raised or struck out, in any format: "1,250^2", "~~30~~ 45". */
enum { DOC_RAISED = 1, DOC_STRUCK = 2 };

/* To be called before text at p is appended to t with other marks than the text before it: ends and begins "~~", and
 * appends what separates raised text from its neighbours: "10^6", "10^-3", "Apple^1", "1 Represents"; nothing in "5th",
 * "7*".  A raised number before '/' is the numerator of a fraction: "4 1/2".  The text ends with len 0. */
void doc_change_marks(struct buf *t, unsigned before, unsigned now, const char *p, size_t len);

/* Makes room in an array for one more entry of `size` bytes; returns the array. */
void *doc_grow(void *items, size_t count, size_t *cap, size_t size);

/* The page at an offset of text; 0 where the document has no pages. */
int doc_page_at(const struct doc *d, size_t offset);

#define DOC_VIEW_MAX 400 /* limit of a view in bytes */

/* A short block of a document as its reader sees it: one line of text without Markdown marks, mapped to byte offsets
 * of the document.  Headings, items and page furniture are found in it. */
struct doc_view {
  char text[DOC_VIEW_MAX + 1];  /* without marks, white space collapsed */
  char lower[DOC_VIEW_MAX + 1]; /* the same in lower-case ASCII, with curly quotes and dashes as ' and - */
  size_t len;                   /* of text, and of lower */
  size_t at[DOC_VIEW_MAX + 1];  /* offset in d->text of each byte of text; at[len]: the end */
  int whole;                    /* the view covers the whole block */
};

/* Fills p from text[start, end) of d. */
void doc_view_at(struct doc_view *p, const struct doc *d, size_t start, size_t end);

#endif
