/* doc_edits.h: edits a document's text and keeps its offsets (blocks, breaks, outline) correct. */
#ifndef BID_DOC_EDITS_H
#define BID_DOC_EDITS_H

#include "document/doc.h"

struct doc_edit {
  size_t start, end;        /* bytes to remove; whole blocks, or the start of one */
  size_t text_at, text_len; /* replacement in edits->own; 0 bytes: removes the blocks and the blank line
                               after them */
  int heading; /* the replacement is a heading of this level; the rest of its block becomes a block of its
                  own */
};

struct doc_edits {
  struct doc_edit *list;
  size_t count;
  struct buf own;
};

void doc_edits_init(struct doc_edits *e);
void doc_edits_release(struct doc_edits *e);

/* Both apply to blocks [from, to) of d; edits must be added in order and not overlap. */
void doc_edits_remove(struct doc_edits *e, const struct doc *d, size_t from, size_t to);

/* Replaces the text from the start of block `from` to byte `end` (inside block to-1 or its end) by a heading. */
void doc_edits_heading(struct doc_edits *e, const struct doc *d, size_t from, size_t end, struct slice text,
                       int level);

/* Applies all edits; offsets inside removed text move to where it was. */
void doc_edits_apply(struct doc_edits *e, struct doc *d);

#endif
