/* html_opening.h: what a start tag does to the text: the style of its element and its attributes. */
#ifndef BID_HTML_OPENING_H
#define BID_HTML_OPENING_H

#include "html/html_state.h"

/* The effect of a start tag. */
struct html_opening {
  enum html_tag tag;
  int level; /* level of a heading */
  struct html_style style;
  uint32_t columns, rows;
  struct slice id, name; /* anchors */
};

static inline void html_opening_turn(struct html_style *s, unsigned bits, int on) {
  s->set = (uint16_t)(s->set | bits);
  s->on = (uint16_t)(on ? s->on | bits : s->on & ~bits);
}

/* The value of an attribute by its name in small letters, or an empty slice. */
struct slice html_opening_attribute(const struct html_token *t, const char *lower);

/* The number that a value begins with, at most 6 digits; otherwise where it begins with none. */
unsigned long html_opening_number(struct slice s, unsigned long otherwise);

/* The default style of an element, before its attributes.  Returns the level of a heading, or 0. */
int html_opening_default(enum html_tag tag, struct html_style *s);

/* Reads the attributes of the current token. */
void html_opening_read(struct html *h, struct html_opening *o);

#endif
