/* text_group.h: writes groups of a plain text's lines as paragraphs, headings and tables. */
#ifndef BID_TEXT_GROUP_H
#define BID_TEXT_GROUP_H

#include "reader/line_hyphens.h"
#include "reader/text_reader.h"
#include "reader/text_table.h"

#define TITLE_BODY 60 /* bytes from which text is a body, not a title */

struct text_group {
  struct doc *d;
  const struct text_reader_options *o;
  size_t margin, width;         /* laid-out text: indent of most lines, and their right margin */
  struct slice all;             /* the text */
  struct line_hyphens *hyphens; /* of it, from the first line on that ends with one; or NULL */
  struct text_table table;      /* the current one */
};

/* Writes lines as what they look like; as aligned text. */
void text_group_emit(struct text_group *g, const struct plain_line *lines, size_t count);
void text_group_add_aligned(struct text_group *g, const struct plain_line *lines, size_t count);

/* Whether a line has blanks inside that indicate a column gap; whether it is only a page number. */
int text_group_inner_gap(struct slice s);
int text_group_is_page_number(struct slice s);

/* The column where a line ends. */
size_t text_group_right_edge(const struct plain_line *l);

#endif
