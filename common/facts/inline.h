/* inline.h: what an inline XBRL document reports (Inline XBRL 1.1, https://www.xbrl.org/specification/inlinexbrl-part1/):
 * its facts with their contexts and units, and the rows of its tables that they stand in. */
#ifndef BID_INLINE_H
#define BID_INLINE_H

#include "facts/fact.h"

struct inline_context {
  struct slice id;
  int32_t start, end;   /* start is DAY_NONE for a day */
  struct slice members; /* "axis=member; axis=member" where it is a part of the company; else empty */
};

struct inline_fact {
  struct slice name; /* "us-gaap:Assets" */
  const struct inline_context *context;
  struct slice unit;     /* "USD", "USD/shares" */
  struct decimal number; /* scaled, with its sign */
  struct slice printed;  /* as it stands in the document */
  int shown_negative;    /* printed in parentheses or behind a minus */
  int in_label;          /* inside the label of its row */
  int hidden;            /* stands where no reader sees it */
  size_t row;            /* of inline_document; or INLINE_NO_ROW */
};

#define INLINE_NO_ROW ((size_t)-1)

struct inline_row {
  size_t table;       /* counted from 1 */
  struct slice label; /* the text of its first cell that has any */
};

struct inline_document {
  struct inline_fact *facts;
  size_t fact_count;
  struct inline_row *rows; /* those with a text or a fact */
  size_t row_count;
  struct inline_context *contexts;
  size_t context_count;
  struct slice cik, name, ticker, form; /* of the dei facts; may be empty */
  int fiscal_year;                      /* or 0 */
  char **kept;
  size_t kept_count;
};

/* Any bytes: what is no inline XBRL has no facts. */
void inline_read(struct inline_document *d, struct slice html);
void inline_release(struct inline_document *d);

/* The facts about the whole company as series of c; takes over the bytes.  0, or -1 with why where there are
 * none. */
int inline_read_facts(struct fact_company *c, struct buf *html, struct error_text *why);

#endif
