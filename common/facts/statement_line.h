/* statement_line.h: lines of a statement out of the facts of a document; for the statement_*.c files alone. */
#ifndef BID_STATEMENT_LINE_H
#define BID_STATEMENT_LINE_H

#include "facts/statement.h"

/* Adds an empty line; the pointer is valid until the next one is added. */
struct statement_line *statement_line_add(struct statement *s);

/* A fact of a document as one of the filing; keep has its text. */
struct fact statement_line_fact(const struct inline_fact *f, const struct fact *filing,
                                struct fact_company *keep);

/* Names the line's own series by a fact's concept, part and unit. */
void statement_line_name(struct statement_line *l, const struct inline_fact *f, struct fact_company *keep);

/* Adds the company's rows of a line's concept, then those of the document for missing periods. */
void statement_line_fill(struct statement_line *l, const struct statement_request *ask, int whole_company);

/* Appends which totals were found to be sums, and where one isn't though it is in other columns. */
void statement_note_checks(const struct statement *s, enum fact_span span, struct buf *out);

/* The value of one unit of the last printed digit. */
int64_t statement_unit(const struct statement *s);

/* Writes the lines as a table, and as records or CSV. */
void statement_show(struct buf *out, const struct statement *s, const struct statement_request *ask);

void statement_line_release(struct statement_line *l);

#endif
