/* diff_print.h: what changed between two texts, as records, for people or as a page. */
#ifndef BID_DIFF_PRINT_H
#define BID_DIFF_PRINT_H

#include "compare/passage_diff.h"
#include "record/output.h"

struct diff_about {
  const char *item;     /* or NULL: the whole documents */
  struct slice was, is; /* shared fields of the documents as of store_get_document(), or empty */
};

/* One record about the whole, {"diff": {item, old, new, same, moved, ...}}, then one for each change in the newer
 * text's order: {"change", "heading", "old", "new", "alike", "numbers": [[old, new], ...]}. */
void diff_print_records(struct output *out, const struct passage_diff *d, const struct diff_about *about);

/* The same to read: a line about the whole, then the paragraphs that changed under their headings, words that left
 * as [-word-] and new ones as {+word+}, or in red and green. */
void diff_print_people(struct output *out, const struct passage_diff *d, const struct diff_about *about,
                       int colour);

/* The same as a page to hand on (page/html_page.h), with what stayed folded between the changes. */
void diff_print_page(struct output *out, const struct passage_diff *d, const struct diff_about *about);

#endif
