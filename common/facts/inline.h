/* inline.h: parses inline XBRL documents (Inline XBRL 1.1, https://www.xbrl.org/specification/inlinexbrl-part1/):
 * facts with their contexts and units, and the table rows that contain them. */
#ifndef BID_INLINE_H
#define BID_INLINE_H

#include "facts/fact.h"

struct inline_context {
  struct slice id, entity;
  int32_t start, end;   /* start is DAY_NONE for a balance */
  struct slice members; /* "axis=member; axis=member" for a part of the company; else empty */
};

struct inline_fact {
  struct slice name; /* "us-gaap:Assets" */
  const struct inline_context *context;
  struct slice unit;     /* "USD", "USD/shares" */
  struct decimal number; /* scaled, with its sign */
  struct slice printed;  /* as printed in the document */
  int shown_negative;    /* printed in parentheses or after a minus */
  int in_label;          /* inside the label of its row */
  int hidden;            /* not visible to a reader */
  size_t row;            /* index in inline_document, or INLINE_NO_ROW */
};

#define INLINE_NO_ROW ((size_t)-1)

struct inline_row {
  size_t table;       /* numbered from 1 */
  struct slice label; /* text of its first non-empty cell */
};

struct inline_document {
  struct inline_fact *facts;
  size_t fact_count;
  struct inline_row *rows; /* rows with a text or a fact */
  size_t row_count;
  struct inline_context *contexts;
  size_t context_count;
  struct slice cik, name, ticker, form; /* from dei facts; may be empty */
  int fiscal_year;                      /* or 0 */
  struct slice *left_out;               /* the names of facts whose number, unit or context can't be known */
  size_t left_out_count;
  char **kept;
  size_t kept_count;
};

/* Any bytes are accepted; input that is not inline XBRL has no facts.  Left out are facts that can't be told: whose tag does not
 * end; whose number their format, sign or scale does not allow; without a unit or a context, or with one of an id that is given
 * to several; of another company's identifier or another target document; and facts that contradict each other. */
void inline_read(struct inline_document *d, struct slice html);
void inline_release(struct inline_document *d);

/* Adds a fact of the document to the series of c; call fact_company_settle() after the last. */
void inline_add_fact(struct fact_company *c, const struct inline_document *d, const struct inline_fact *f);

/* Adds the document's facts about the whole company as series of c, and its name, ticker and CIK.  0, or -1 with why where
 * nothing is tagged. */
int inline_add_facts(struct fact_company *c, const struct inline_document *d, struct error_text *why);

/* Likewise, of the bytes of a document. */
int inline_read_facts(struct fact_company *c, struct buf *html, struct error_text *why);

#endif
