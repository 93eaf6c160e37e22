/* packer.h: packs the pieces of a text (headings, sentences, list items, table rows) into passages.
 *
 * Pieces are added in order.  When the next piece doesn't fit, the passage is closed before one of its last pieces,
 * at the boundary with the best combination of strength and fill.
 */
#ifndef BID_PACKER_H
#define BID_PACKER_H

#include "base/buf.h"
#include "text/wordpiece.h"

#include <stddef.h>
#include <stdint.h>

/* ---- the tokens of a long text in order, tokenized once, one window at a time. ---- */

struct packer_stream {
  struct wordpiece_memo *w;
  struct slice text; /* less than 2 GiB */
  size_t keep;       /* tokens before `at` that are kept when the window moves */
  uint32_t *places;  /* [cap]: as of wordpiece_places() */
  size_t cap;
  size_t at, count; /* index of the next token, and number of tokens, in places */
  size_t end;       /* offset in text of the window's end */
};

void packer_stream_init(struct packer_stream *t, struct wordpiece_memo *w, struct slice text, size_t keep);
void packer_stream_release(struct packer_stream *t);

/* Takes tokens that start before byte `end` of the text, at most max; returns how many. */
size_t packer_stream_take(struct packer_stream *t, size_t end, size_t max);

/* packer_stream_start(): offset in text of token i, at or before `at`.  packer_stream_apart(): whether splitting before
 * it splits no word. */
static inline size_t packer_stream_start(const struct packer_stream *t, size_t i) {
  return t->places[i] >> 1;
}
static inline int packer_stream_apart(const struct packer_stream *t, size_t i) {
  return !(t->places[i] & 1) && t->places[i] >> 1 != t->places[i - 1] >> 1;
}

/* Whether another token starts before byte `end`. */
int packer_stream_more(struct packer_stream *t, size_t end);

/* The boundary before a piece, weakest first. */
enum packer_boundary {
  BOUNDARY_KEEP,     /* none: after a heading, a table's header, a caption */
  BOUNDARY_WORD,     /* inside an oversized sentence or row */
  BOUNDARY_SENTENCE, /* between sentences of a paragraph */
  BOUNDARY_ROW,      /* between rows of a table */
  BOUNDARY_LINE,     /* list items, lines */
  BOUNDARY_PARAGRAPH,
  BOUNDARY_HEADING, /* sections below an item: a passage above a minimum size doesn't cross it */
  BOUNDARY_PAGE,    /* between paragraphs on two pages: likewise, with a very small minimum */
  BOUNDARY_SECTION, /* parts and items: no passage crosses it */
  BOUNDARIES
};

enum { PIECE_HEADING = 1, PIECE_ROW = 2 };

struct packer_piece {
  size_t start, end; /* range of the text */
  size_t tokens;
  uint32_t heading; /* number of the current heading, for the caller */
  uint32_t table;   /* number of its table, for the caller; 0: none */
  uint8_t boundary, flags;
};

/* A passage: pieces[0..count). */
typedef int packer_function(void *arg, const struct packer_piece *pieces, size_t count);

struct packer {
  size_t bound, overlap;
  packer_function *f;
  void *arg;
  int status; /* what f returned, once it isn't 0; f is not called again */
  struct packer_piece *pieces;
  size_t count;    /* of the current passage */
  size_t repeated; /* leading pieces that the passage before contains: the overlap */
  size_t tokens;   /* in pieces[0..count) */
};

void packer_init(struct packer *p, size_t bound, size_t overlap, packer_function *f, void *arg);
void packer_release(struct packer *p);

/* Adds a piece of at most `bound` tokens. */
void packer_add(struct packer *p, const struct packer_piece *piece);

/* The piece added last, which the caller may extend; NULL at the start of a section. */
struct packer_piece *packer_last(struct packer *p);

/* Ends the section: outputs the current passage. */
void packer_end_section(struct packer *p);

#endif
