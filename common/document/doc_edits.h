/* doc_edits.h: changing a document's text while its offsets (blocks, breaks, outline) stay right. */
#ifndef BID_DOC_EDITS_H
#define BID_DOC_EDITS_H

#include "document/doc.h"

struct doc_edit {
  size_t start, end;        /* bytes of text that go; whole blocks, or the front of one */
  size_t text_at, text_len; /* what comes instead, in edits->own; 0 bytes: the blocks leave, with the blank
                               line behind them */
  int heading; /* the new text is a heading block of this level; what is left of its block goes on as
                  a block of its own, separated by a blank line */
};

struct doc_edits {
  struct doc_edit *list;
  size_t count, cap;
  struct buf own;
};

void doc_edits_init(struct doc_edits *e);
void doc_edits_release(struct doc_edits *e);

/* Both take blocks [from, to) of d; edits come in order and don't overlap. */
void doc_edits_remove(struct doc_edits *e, const struct doc *d, size_t from, size_t to);

/* Replaces text from block `from`'s start to byte `end` (within block to-1 or its end) by a heading. */
void doc_edits_heading(struct doc_edits *e, const struct doc *d, size_t from, size_t end, struct slice text,
                       int level);

/* Applies all of them; offsets inside what went away move to where it stood. */
void doc_edits_apply(struct doc_edits *e, struct doc *d);

#endif
