/* statement_lines.h: a statement as lines, found in a document, and how they are checked and shown; for the statement_*.c
 * files alone. */
#ifndef BID_STATEMENT_LINES_H
#define BID_STATEMENT_LINES_H

#include "facts/inline.h"
#include "facts/statement.h"

struct statement_line {
  struct fact_column column; /* a heading has only a label */
  struct fact_series own;    /* the document's own values in this line */
  int heading;
  struct slice segment; /* for segments, valid as long as the document: "axis=member" */
  int crossed;          /* for segments: a heading above parts on two axes, such as a product's regions */
  int apart;            /* for segments: an empty line is printed below it */
  int dropped;          /* for segments: not shown */
  int negated;          /* printed with the opposite sign of the concept */
  int shift;            /* 1 for a balance at the start of the span */
  int *checked;         /* per column: number of lines whose sum it is; 0: not found to be a sum */
  int seen_equal;       /* maximum over all columns */
  struct slice how;     /* of the standard lines: how totals are made of it (data/statements.tsv) */
  int rest;             /* of the standard lines: what the lines above lack of the total below */
};

struct statement {
  struct statement_line *lines;
  size_t count;
  int from_filing;          /* labels and order are from the filing */
  struct error_text unread; /* why the filing could not be fetched; empty: it was, or none was wanted */
  struct slice form, accession, filed;
  char title[32];
  int *keys; /* of the columns, newest first */
  size_t key_count;
  char *sums;        /* of parts: which lines together are the figure or another line, for display; or NULL */
  char *missing;     /* totals of the standard lines that are not reported, for display; or NULL */
  struct buf table;  /* memory of the standard lines */
  struct slice kind; /* of company, whose standard lines they are: "bank" */
};

/* Finds the lines in a document; 0, or -1 where it has no such statement. filing: a fact of that filing. */
int statement_lines_read(struct statement *s, const struct statement_request *ask,
                         const struct inline_document *d, const struct fact *filing);

/* The breakdown of one figure in a document, by product, segment, region and so on, in its order; likewise. */
int statement_lines_segments(struct statement *s, const struct statement_request *ask,
                             const struct inline_document *d, const struct fact *filing);

/* Whether a value of a line was reported under another concept than the line's. */
int statement_is_former(const struct statement_line *l, const struct fact_row *row);

/* Uses the standard lines of the company's kind, with lines for what they lack of a total. */
int statement_lines_standard(struct statement *s, const struct statement_request *ask);

/* The displayed value of a line in a column; 0, or -1 where there is none. */
int statement_value(const struct statement *s, const struct statement_line *l, size_t column,
                    struct decimal *value);
const struct fact_row *statement_row(const struct statement *s, const struct statement_line *l,
                                     size_t column);

/* Of the parts of a figure: finds which lines beside each other add up to the figure or to another line, with the columns
 * known; sets them apart and notes them in s->sums.  Parts on two axes that add up to nothing are left out. */
void statement_segment_sums(struct statement *s, const struct statement_request *ask);

/* Adds an empty line; the pointer is valid until the next one is added. */
struct statement_line *statement_line_add(struct statement *s);

/* A fact of a document as one of the filing; keep has its text. */
struct fact statement_line_fact(const struct inline_fact *f, const struct fact *filing,
                                struct fact_company *keep);

/* Names the line's own series by a fact's concept, part and unit. */
void statement_line_name(struct statement_line *l, const struct inline_fact *f, struct fact_company *keep);

/* Adds the company's rows of a line's concept, then those of the document for missing periods. */
void statement_line_fill(struct statement_line *l, const struct statement_request *ask, int whole_company);

void statement_line_release(struct statement_line *l);
void statement_release(struct statement *s);

#endif
