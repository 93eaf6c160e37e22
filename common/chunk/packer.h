/* packer.h: packs the pieces of a text (headings, sentences, list items, table rows) into passages.
 *
 * Pieces come in order.  A passage is closed where the next piece does not fit: at the boundary before one of
 * its last pieces that is best by its strength and by how full the passage gets.  The passage before the one
 * that is being filled is held back, so that a tiny leftover at a section's end can join it.
 */
#ifndef BID_PACKER_H
#define BID_PACKER_H

#include <stddef.h>
#include <stdint.h>

/* The boundary before a piece, from the weakest up. */
enum boundary {
  BOUNDARY_KEEP,     /* none: behind a heading, a table's header, a caption */
  BOUNDARY_WORD,     /* inside of an oversized sentence or row */
  BOUNDARY_SENTENCE, /* of one paragraph */
  BOUNDARY_ROW,      /* of one table */
  BOUNDARY_LINE,     /* list items, lines */
  BOUNDARY_PARAGRAPH,
  BOUNDARY_HEADING, /* sections below an item: no passage reaches over one once it has some size */
  BOUNDARY_PAGE,    /* between paragraphs of two pages: the same, but a few words are size enough */
  BOUNDARY_SECTION, /* parts and items: no passage reaches over one */
  BOUNDARIES
};

enum { PIECE_HEADING = 1, PIECE_ROW = 2, PIECE_BREAK = 4 /* a caller's own mark */ };

struct packer_piece {
  size_t start, end; /* bytes of the text */
  size_t tokens;
  uint32_t heading; /* number of the heading in force, for the caller */
  uint32_t table;   /* number of its table, for the caller; 0: none */
  uint8_t boundary, flags;
};

/* A passage: pieces[0..count). */
typedef int packer_function(void *arg, const struct packer_piece *pieces, size_t count);

struct packer {
  size_t bound, overlap;
  packer_function *f;
  void *arg;
  int status; /* what f returned, once it is not 0; nothing is called from then on */
  struct packer_piece *pieces;
  size_t count, cap;
  int held;        /* pieces[0..held_end) wait as a passage of their own */
  size_t repeated; /* of the held pieces, how many at the front an earlier passage has */
  size_t held_end; /* first piece that no earlier passage has */
  size_t start;    /* first piece of the passage being filled; less than held_end by the overlap */
  size_t tokens;   /* of pieces[start..count) */
};

void packer_init(struct packer *p, size_t bound, size_t overlap, packer_function *f, void *arg);
void packer_release(struct packer *p);

/* The piece has at most `bound` tokens. */
void packer_add(struct packer *p, const struct packer_piece *piece);

/* The last piece added, so that the caller can extend it; NULL at a section's start. */
struct packer_piece *packer_last(struct packer *p);

/* Ends the section: what is held and what is being filled become passages. */
void packer_end_section(struct packer *p);

#endif
