/* inline_reader.h: what the parts of the inline XBRL parser share. */
#ifndef BID_INLINE_READER_H
#define BID_INLINE_READER_H

#include "facts/inline.h"
#include "html/html_token.h"

enum { OPEN_FACTS = 4 };

/* The purpose for which text is being collected. */
enum inline_capture {
  CAPTURE_NOTHING,
  CAPTURE_START,
  CAPTURE_END,
  CAPTURE_ENTITY,
  CAPTURE_INSTANT,
  CAPTURE_MEMBER,
  CAPTURE_MEASURE,
  CAPTURE_NAME,
  CAPTURE_TICKER,
  CAPTURE_CIK,
  CAPTURE_FORM,
  CAPTURE_YEAR
};

struct inline_unit {
  struct slice id, text;
};

struct inline_reader {
  struct inline_document *d;
  struct inline_unit *units;
  size_t unit_count;
  struct slice *context_refs, *unit_refs, *scales, *formats; /* parallel to d->facts, as is: */
  int *places;                                               /* the power of ten of the last printed digit */
  struct inline_context context;
  struct buf members, unit, capture, label, decoded;
  struct slice unit_id, axis;
  enum inline_capture capturing;
  int hidden, in_row, label_done, denominator, in_part, too_deep;
  size_t table, open[OPEN_FACTS], open_count, row;
  char before; /* the last non-blank character */
};

/* Whether an array that doubles has to grow before one more element is added. */
int inline_is_full(size_t count);

/* A copy that lives as long as the document. */
struct slice inline_keep(struct inline_document *d, struct slice s);

struct slice inline_attribute(const struct html_token *t, const char *name);

/* A name without its prefix, in any case. */
int inline_is(struct slice name, const char *local);

/* Without the blanks at its ends. */
struct slice inline_trimmed(const struct buf *b);

/* Contexts and units, whose texts are captured. */
void inline_capture_start(struct inline_reader *r, enum inline_capture what);
void inline_captured(struct inline_reader *r);
void inline_context_start(struct inline_reader *r, const struct html_token *t);
void inline_context_end(struct inline_reader *r);
void inline_unit_end(struct inline_reader *r);

/* Of a segment or scenario: what is no member is a part of the company too. */
void inline_part_unknown(struct inline_reader *r);

/* Finds the context and unit of each fact, and drops what can't be told. */
void inline_resolve(struct inline_reader *r);

/* Tagged numbers; those that are open become unreadable. */
void inline_facts_unreadable(struct inline_reader *r);
void inline_fact_start(struct inline_reader *r, const struct html_token *t);
void inline_fact_end(struct inline_reader *r);

#endif
