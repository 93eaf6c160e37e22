/* statement.h: income statement, balance sheet and cash flows over several periods, in the order and with the labels of
 * the newest filing's own inline XBRL; where that cannot be had, those of data/statements.tsv. */
#ifndef BID_STATEMENT_H
#define BID_STATEMENT_H

#include "facts/fact_period.h"
#include "facts/fact_write.h"
#include "facts/inline.h"
#include "record/program.h"

struct statement_request {
  const char *which; /* "income", "balance", "cash" or "segments" */
  const struct concept_table *table;
  const struct fact_company *company;
  const struct fact_splits *splits;
  struct fact_choice choice;
  struct fact_period period;
  size_t limit;  /* columns */
  size_t screen; /* columns that a table may take, 0: as many as it comes to */
  enum fact_format format;
  const char *word;     /* of segments: the figure whose parts are wanted; else NULL */
  const char *own_file; /* an inline XBRL document that the company was read from, or NULL */
};

struct statement_line {
  struct fact_column column; /* of a heading it has only a label */
  struct fact_series own;    /* what the document itself says in this line */
  int heading;
  struct slice segment; /* of segments, while the document lasts: "axis=member" */
  int negated;          /* printed with the opposite sign of the concept's */
  int shift;            /* 1 for a balance at the beginning of the span */
  int *checked; /* for each column of the statement: of how many lines it is the sum; 0: not seen to be one */
  int seen_equal; /* likewise in any column */
};

struct statement {
  struct statement_line *lines;
  size_t count;
  int from_filing; /* labels and order are the filing's */
  int unread;      /* the filing could not be fetched */
  struct slice form, accession, filed;
  char title[32];
  int *keys; /* of the columns, newest first */
  size_t key_count;
};

/* Finds the lines in a document; 0, or -1 where it has no such statement.  filing tells of what is filed there. */
int statement_lines_read(struct statement *s, const struct statement_request *ask,
                         const struct inline_document *d, const struct fact *filing);

/* The parts of one figure that a document reports, by product, segment, region and the like, in its order; likewise. */
int statement_lines_segments(struct statement *s, const struct statement_request *ask,
                             const struct inline_document *d, const struct fact *filing);

/* The standard lines. */
int statement_lines_standard(struct statement *s, const struct statement_request *ask);

/* The statement that has a line for a word of the table, by its label: "income", "balance", "cash", or NULL. */
const char *statement_of_word(const struct concept_table *table, struct slice label);

/* The presented value of a line in a column; 0, or -1 where there is none. */
int statement_value(const struct statement *s, const struct statement_line *l, size_t column,
                    struct decimal *value);
const struct fact_row *statement_row(const struct statement *s, const struct statement_line *l,
                                     size_t column);

/* Looks for lines that are sums or differences of lines above them, column by column; unit is the last digit that is
 * printed, as an amount. */
void statement_check(struct statement *s, int64_t unit);

/* All of it; writes to p->out. */
void statement_run(struct program *p, const struct statement_request *ask);
void statement_release(struct statement *s);

#endif
