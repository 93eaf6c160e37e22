/* passage_diff_text.h: the paragraphs of a text and the words in them, as passage_diff.h compares them. */
#ifndef BID_PASSAGE_DIFF_TEXT_H
#define BID_PASSAGE_DIFF_TEXT_H

#include "compare/passage_diff.h"

/* Splits at empty lines; rows of tables and list items are paragraphs too.  The caller frees t->list. */
void passage_diff_split(struct diff_text *t, struct slice s);

/* The hashes of a paragraph's words, sorted. */
struct passage_diff_bag {
  uint64_t *words;
  size_t count;
};

/* The caller frees its words. */
struct passage_diff_bag passage_diff_bag(struct slice s);

/* Dice's coefficient of two bags. */
float passage_diff_alike(const struct passage_diff_bag *a, const struct passage_diff_bag *b);

/* A short paragraph can't be similar to a much longer one: cheap test before comparing words. */
int passage_diff_may_match(const struct passage_diff_bag *a, const struct passage_diff_bag *b);

/* The next number at or after *at, with its commas and points; *at is then behind it.  Empty at the end. */
struct slice passage_diff_next_number(struct slice s, size_t *at);

/* Whether the number that begins at s[i] has a minus, or stands alone in parentheses: "$(3.4)", "-5%". */
int passage_diff_is_negative(struct slice s, size_t i);

#endif
