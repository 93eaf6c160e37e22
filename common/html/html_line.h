/* html_line.h: the paragraph that is being read: white space after the rules of HTML, and how its text looks.
 */
#ifndef BID_HTML_LINE_H
#define BID_HTML_LINE_H

#include "base/buf.h"

#include <stdint.h>

/* How text looks where the reader is: STYLE_* bits (html_style.h) and these. */
enum { LOOK_LINK = 1 << 8, LOOK_PRE = 1 << 9 };

struct look {
  uint16_t on;
  uint8_t level; /* of a heading, or 0 */
  float size;    /* points, or 0 */
};

struct line {
  struct buf text;
  int space;        /* white space was read since the last word */
  int newlines;     /* so many <br> since the last word */
  int raised;       /* the last word was a superscript */
  int pre;          /* some of it is preformatted */
  unsigned missing; /* bits of look.on that some letters of the line do not have */
  struct look look; /* of its first word */
};

void line_init(struct line *l, size_t max);
void line_release(struct line *l);
void line_clear(struct line *l);

static inline int line_is_empty(const struct line *l) {
  return l->text.len == 0;
}

/* Appends text of the page: white space collapses, no-break spaces count as such, soft hyphens and zero-width
 * characters are dropped; character references are decoded where `references` is true.  Where look.on has
 * LOOK_PRE, blanks and line ends stay. */
void line_add(struct line *l, struct slice text, int references, const struct look *look);

/* Appends text as it is, as one word. */
void line_add_word(struct line *l, struct slice text, const struct look *look);

/* A <br>. */
void line_break(struct line *l);

#endif
