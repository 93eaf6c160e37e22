/* line_hyphens.h: decides what a hyphen at the end of a line is: the division of a word ("num-" "ber"), part of a
 * compound ("long-" "term"), or a word left out ("short-" "and long-term").
 *
 * The first witness is the document: how it prints the word elsewhere, within a line.  The second are ordinary English
 * words (base/ordinary_words.h): two parts of one are a division, two words a compound.  What neither knows is a
 * division, since that is what programs that break lines make.
 */
#ifndef BID_LINE_HYPHENS_H
#define BID_LINE_HYPHENS_H

#include "base/slice.h"

enum line_hyphen { HYPHEN_DIVIDES, HYPHEN_COMPOUND, HYPHEN_SUSPENDED };

struct line_hyphens;

/* Counts the words of a text with its lines.  Free it. */
struct line_hyphens *line_hyphens_new(struct slice text);
void line_hyphens_free(struct line_hyphens *h); /* h may be NULL */

/* What the hyphen between two lines is: `before` ends with the letters in front of it, `after` begins with the next
 * line's. */
enum line_hyphen line_hyphens_judge(const struct line_hyphens *h, struct slice before, struct slice after);

#endif
