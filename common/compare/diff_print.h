/* diff_print.h: prints the changes between two texts as records, as text or as an HTML page. */
#ifndef BID_DIFF_PRINT_H
#define BID_DIFF_PRINT_H

#include "compare/passage_diff.h"
#include "record/output.h"

struct diff_about {
  const char *item;     /* or NULL: the complete documents */
  struct slice was, is; /* shared fields of the documents, from store_get_document(), or empty */
  unsigned spans;       /* of columns that were left out (span_columns.h) */
  const char *hint;     /* a line for people, or NULL */
  size_t limit;         /* changes to print; 0: all */
};

/* Prints one summary record, {"diff": {item, old, new, leftOut, same, moved, ...}}, then one per change in the order of
 * the newer text: {"change", "heading", "old", "new", "alike", "numbers": [[old, new], ...]}.  Rows that only have
 * numbers of another span are counted, if there are any, and not printed; nor are changes beyond the limit, whose number is
 * "notShown" of the summary. */
void diff_print_records(struct output *out, const struct passage_diff *d, const struct diff_about *about);

/* Appends text to out and leaves it there: a summary, then the changed paragraphs under their headings, with removed
 * words as [-word-] and added ones as {+word+}, or in red and green. */
void diff_print_people(struct output *out, const struct passage_diff *d, const struct diff_about *about,
                       int colour);

/* Prints an HTML page (page/html_page.h) with unchanged paragraphs folded between the changes. */
void diff_print_page(struct output *out, const struct passage_diff *d, const struct diff_about *about);

#endif
