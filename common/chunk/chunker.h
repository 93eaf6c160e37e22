/* chunker.h: splits a document's text into passages for retrieval.
 *
 * A passage is text[start, end): consecutive whole sentences, list items and table rows of one item, at most `tokens`
 * tokens.  It starts and ends with a non-blank byte.  Text outside of all passages is white space between them, and
 * isolated characters without tokens (zero-width ones).  A sentence or row longer than the limit is split at its
 * cells, clauses or words.  A word is never split, since a word of any length has at most CHUNKER_TOKENS_MIN tokens.
 */
#ifndef BID_CHUNKER_H
#define BID_CHUNKER_H

#include "base/buf.h"
#include "page/page_table.h"
#include "text/wordpiece.h"

#include <stdint.h>

/* Part of every id: increment it when the same text is split differently. */
#define CHUNKER_VERSION "1"

/* Chosen by the analysts' questions, with the ranker fitted for each size and judged on filings held out
 * (data/gen/ranker.py --report): right passage first, among five and mean reciprocal rank are .597, .866, .710
 * for passages of 256 tokens, .613, .866, .721 for 384, and .640, .870, .741 for 512, the limit of BERT
 * encoders.  Whole tables stay together, and a document has half as many vectors. */
#define CHUNKER_TOKENS 512
#define CHUNKER_TOKENS_MIN 100
#define CHUNKER_TOKENS_MAX 8192
#define CHUNKER_LEVELS 8 /* deepest heading level that is distinguished */

struct chunker_options {
  size_t tokens;  /* limit, CHUNKER_TOKENS_MIN to CHUNKER_TOKENS_MAX */
  size_t overlap; /* maximum tokens that a passage repeats from the previous one; at most tokens / 2 */
};

/* A heading of the document; its text belongs to the caller. */
struct chunker_heading {
  size_t offset;      /* offset in text */
  int level;          /* 1 part, 2 item, 3 and above: subheadings */
  struct slice item;  /* "1A" or empty */
  struct slice title; /* one line, or empty */
  int page;           /* 0 where unknown */
};

struct chunker_break {
  size_t offset;
  int page;
};

struct chunker_document {
  struct slice text;                      /* valid UTF-8, less than 2 GiB */
  const struct chunker_heading *headings; /* ordered by offset; where there are none, lines of '#' are used */
  size_t heading_count;
  const struct chunker_break *breaks; /* ordered by offset */
  size_t break_count;
};

/* A passage.  Its slices are valid as long as the document; those of path until the callback returns. */
struct chunker_chunk {
  size_t index;
  size_t start, end;
  size_t tokens;
  int page;                                        /* page that contains most of it; 0 where unknown */
  int first_page, last_page;                       /* where it begins and ends; 0 where unknown */
  struct chunker_heading path[CHUNKER_LEVELS + 1]; /* headings above its first words, or above
                                                    * most of it (MAIN_SHARE); level 0: none */
  struct slice item;                               /* item of the path, or empty */
  struct slice heading;                            /* the deepest title of the path, or empty */
  struct slice
      table_caption; /* line before a table that the passage starts with, continues, or has notes of ("(in
                        millions)"); or empty */
  struct slice table_header; /* its header rows, or empty */
  struct slice
      table_groups[PAGE_GROUPS]; /* headings of the rows that it goes on with ("Financing activities:") */
  size_t table_group_count;
};

/* Returns 0 to go on, anything else to stop. */
typedef int chunker_function(void *arg, const struct chunker_chunk *chunk);

/* Splits the text and calls f for each passage in order.  0, or what f returned.  Memory: about 8 bytes per token of
 * the limit, plus about 300 KB (more only for long text without blanks, punctuation or line ends). */
int chunker_run(struct wordpiece_memo *w, const struct chunker_document *d, const struct chunker_options *o,
                chunker_function *f, void *arg);

#endif
