/* chunker.h: cuts a document's text into passages for retrieval.
 *
 * A passage is text[start, end): whole sentences, list items and table rows of one item, in one piece, of at
 * most `tokens` tokens.  It starts and ends with a byte that is no white space; what no passage holds is
 * white space between two of them, and characters that give no token at all (zero-width ones) where they
 * stand alone. A sentence or row that is longer than the bound is cut at its cells, clauses or words; a word
 * is never cut, as a word of any length has at most CHUNKER_TOKENS_MIN tokens.
 */
#ifndef BID_CHUNKER_H
#define BID_CHUNKER_H

#include "base/buf.h"
#include "text/wordpiece.h"

#include <stdint.h>

/* Part of every id: to be raised when the same text is cut otherwise. */
#define CHUNKER_VERSION "1"

/* By test/bench/chunk_sizes.py: nDCG@10 of BM25 and bid-static together is .732 for passages of 100, 128 and
 * 256 tokens, .714 for 384, .711 for 512; vectors alone like them shorter (.632, .626, .587, .567, .566),
 * BM25 alone does not.  256 makes the fewest vectors among the best. */
#define CHUNKER_TOKENS 256
#define CHUNKER_TOKENS_MIN 100
#define CHUNKER_TOKENS_MAX 8192
#define CHUNKER_LEVELS 8 /* deepest heading level that is kept apart */

struct chunker_options {
  size_t tokens;  /* bound, CHUNKER_TOKENS_MIN to CHUNKER_TOKENS_MAX */
  size_t overlap; /* tokens at most that a passage repeats of the one before; at most tokens / 2 */
};

/* A heading of the document; text that belongs to the caller. */
struct chunker_heading {
  size_t offset;      /* byte of text */
  int level;          /* 1 part, 2 item, 3 and more below */
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
  const struct chunker_heading *headings; /* by offset; where there are none, lines of '#' are taken */
  size_t heading_count;
  const struct chunker_break *breaks; /* by offset */
  size_t break_count;
};

/* A passage; its slices live as long as the document and, of path, until the callback returns. */
struct chunker_chunk {
  size_t index;
  size_t start, end;
  size_t tokens;
  int page;                                        /* that most of it stands on; 0 where unknown */
  struct chunker_heading path[CHUNKER_LEVELS + 1]; /* in force where its first words stand; level 0: none */
  struct slice item;                               /* of the path, or empty */
  struct slice heading;                            /* the deepest title of the path, or empty */
  struct slice
      table_caption; /* the line before a table that a passage starts with or continues, or whose notes it starts with ("(in millions)"), or empty */
  struct slice table_header; /* its header rows, or empty */
  int boilerplate;           /* cover page, table of contents, signatures, lists of exhibits */
};

/* Returns 0 to go on, anything else to stop. */
typedef int chunker_function(void *arg, const struct chunker_chunk *chunk);

/* Cuts and calls f for each passage in order.  0, or what f returned.  Memory: about 8 bytes a token of the
 * bound, and some 300 KB (more only for text without any blank, punctuation or line end for longer). */
int chunker_run(struct wordpiece_memo *w, const struct chunker_document *d, const struct chunker_options *o,
                chunker_function *f, void *arg);

#endif
