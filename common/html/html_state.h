/* html_state.h: state shared by the parts of the HTML reader: html.c (tags and text), html_flow.c (open elements, output
 * of blocks and tables), html_facts.c (iXBRL). */
#ifndef BID_HTML_STATE_H
#define BID_HTML_STATE_H

#include "document/doc.h"
#include "document/table.h"
#include "html/html.h"
#include "html/html_style.h"
#include "html/html_token.h"

#include <stdint.h>

/* The current paragraph: white space handling by the rules of HTML, and the appearance of its text. */

/* Appearance of text at the reader's position: STYLE_* bits (html_style.h) and these. */
enum { LOOK_LINK = 1 << 8, LOOK_PRE = 1 << 9 };

struct html_look {
  uint16_t on;
  uint8_t level; /* level of a heading, or 0 */
  float size;    /* points, or 0 */
  float indent;  /* points at its left */
};

struct html_line {
  struct buf text;
  int space;             /* white space followed the last word */
  int blanks;            /* no-break and wide spaces before the first word */
  int newlines;          /* number of <br> since the last word */
  unsigned marks;        /* STYLE_SUPER and STYLE_STRUCK of the last word */
  int pre;               /* part of it is preformatted */
  unsigned missing;      /* bits of look.on that some letters of the line lack */
  struct html_look look; /* appearance of its first word */
};

void html_line_init(struct html_line *l, size_t max);
void html_line_release(struct html_line *l);
void html_line_clear(struct html_line *l);

static inline int html_line_is_empty(const struct html_line *l) {
  return l->text.len == 0;
}

/* Appends text of the page: white space is collapsed, including no-break spaces; soft hyphens and zero-width
 * characters are dropped; character references are decoded where `references` is true.  Where look.on has LOOK_PRE,
 * blanks and line ends are kept. */
void html_line_add(struct html_line *l, struct slice text, int references, const struct html_look *look);

/* Appends text unchanged, as one word. */
void html_line_add_word(struct html_line *l, struct slice text, const struct html_look *look);

/* Ends the paragraph: struck-out text gets its last mark. */
void html_line_end(struct html_line *l);

/* Appends a <br>. */
void html_line_break(struct html_line *l);

#define DEPTH_MAX 1000 /* limit of open elements; deeper ones are read but not styled */
#define TABLES_MAX 40  /* limit of nested tables; deeper ones are read as paragraphs */
#define LISTS_MAX 16

struct html_element {
  uint8_t tag;              /* enum html_tag */
  uint8_t level;            /* its own heading level, or 0 */
  uint8_t break_after;      /* a page ends after it */
  uint8_t display;          /* enum style_display from its own style */
  uint16_t own_set, own_on; /* its own style */
  float own_size, own_factor, own_indent;
  struct html_look look; /* including inherited style */
};

/* An open <table>.  End tags inside it don't close elements of the stack below its bases. */
struct html_frame {
  struct table *table;        /* NULL where it is hidden or nested too deep; only the stack is tracked then */
  size_t base;                /* number of open elements including the table itself */
  size_t row_base, cell_base; /* the same for the row and the cell; 0 where none is open */
};

struct html_list {
  char kind; /* of its numbers, as doc_ordinal() has it; '-' for none */
  long next;
};

struct html {
  const struct doc_options *options;
  struct doc *doc;
  struct html_facts *facts;
  struct html_tokenizer tokens;
  struct html_token token;
  struct html_element stack[DEPTH_MAX];
  size_t depth, too_deep;
  size_t paragraphs;     /* number of open <p> */
  struct html_look look; /* appearance of the innermost element */
  struct html_frame frames[TABLES_MAX];
  size_t frame_count, too_many_tables;
  struct table tables[TABLES_MAX]; /* by depth, reused */
  size_t tables_made;
  struct html_line line;
  struct buf unit;    /* unit of the numbers in the table being written, stated above it */
  size_t unit_blocks; /* number of blocks when it was looked for */
  struct html_list lists[LISTS_MAX];
  size_t list_depth;
  int chosen;                          /* an option of the current <select> is */
  char mark[DOC_ORDINAL + 4];          /* marker of the list item that starts with the next block */
  int pages, page_pending, page_fresh; /* page_fresh: nothing was written since the last break */
  int truncated;
  /* iXBRL */
  struct buf fact;         /* text of the fact being read */
  struct slice *fact_slot; /* destination of the fact, or NULL */
  size_t fact_depth;       /* stack index of its element */
  struct html_style_cache styles;
  struct html_sheet *sheet; /* from <style> elements; NULL where they have no effect */
};

/* html_flow.c: open elements */
void html_stack_push(struct html *h, enum html_tag tag, const struct html_style *style, int level);
void html_stack_cut(struct html *h, size_t depth);             /* closes all elements above */
int html_stack_close(struct html *h, enum html_tag tag);       /* handles an end tag; 0 where none was open */
int html_stack_holds(const struct html *h, enum html_tag tag); /* whether it is open inside the innermost
                                                                 cell or table */
int html_stack_is_inline(const struct html *h, enum html_tag tag); /* whether it is an open <div
                                                                 style="display:inline"> */
size_t html_stack_limit(const struct html *h);

/* html_flow.c: output */
void html_flow_paragraph(struct html *h);
static inline void html_flow_flush(struct html *h) { /* ends the paragraph, if there is one */
  if (html_line_is_empty(&h->line))
    h->line.space = h->line.blanks = 0;
  else
    html_flow_paragraph(h);
}
void html_flow_break(struct html *h); /* <br> */
void html_flow_page(struct html *h);  /* a new page */
void html_flow_table_start(struct html *h, const struct html_style *style);
void html_flow_table_end(struct html *h);
void html_flow_row_start(struct html *h, const struct html_style *style);
void html_flow_row_end(struct html *h);
void html_flow_cell_start(struct html *h, enum html_tag tag, const struct html_style *style, uint32_t columns,
                          uint32_t rows);
void html_flow_cell_end(struct html *h);
struct table *html_flow_table(const struct html *h); /* the table that receives text, or NULL */
void html_flow_finish(struct html *h);               /* closes everything that is open */
void html_flow_release(struct html *h);

/* html_facts.c */
void html_facts_start(struct html *h, const struct html_token *tag); /* ix:nonNumeric */
void html_facts_text(struct html *h, struct slice text, int references);
void html_facts_end(struct html *h);
void html_facts_title(struct html *h, struct slice text);
void html_facts_fix(
    struct html_facts *f); /* offsets in f->own become pointers, once it doesn't move any more */

#endif
