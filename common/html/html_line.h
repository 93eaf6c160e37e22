/* html_line.h: the current paragraph: white space handling by the rules of HTML, and the appearance of its text. */
#ifndef BID_HTML_LINE_H
#define BID_HTML_LINE_H

#include "document/doc.h"

#include <stdint.h>

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

#endif
