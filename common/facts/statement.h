/* statement.h: income statement, balance sheet and cash flows over several periods, with the order and labels of the
 * newest filing's own inline XBRL; without it, those of data/statements.tsv. */
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
  size_t limit;  /* number of columns */
  size_t screen; /* maximum width of a table in columns, 0: no limit */
  enum fact_format format;
  const char *word;     /* for segments: the figure to be broken down; else NULL */
  const char *own_file; /* the inline XBRL document that the company was read from, or NULL */
};

/* A line "Other, to TOTAL" makes the lines above a total add up to it, which checks nothing. */
enum { STATEMENT_MADE_EQUAL = -1 };

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
  int *checked;     /* per column: number of lines whose sum it is; 0: not found to be a sum; or MADE_EQUAL */
  int seen_equal;   /* maximum over all columns */
  struct slice how; /* of the standard lines: how totals are made of it (data/statements.tsv) */
  int rest;         /* of the standard lines: what the lines above lack of the total below */
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

/* Adds to the lines of a filing what the company reported under other concepts in periods before those that the filing
 * prints: the other concepts of the line's word (data/concepts.tsv) and those that its concept succeeds
 * (data/concept_successions.tsv); not one that another line has, or that a filing reports with another value beside the
 * line's own or a broader one. */
void statement_add_former(struct statement *s, const struct statement_request *ask);

/* Whether a value of a line was reported under another concept than the line's. */
int statement_is_former(const struct statement_line *l, const struct fact_row *row);

/* Uses the standard lines of the company's kind, with lines for what they lack of a total. */
int statement_lines_standard(struct statement *s, const struct statement_request *ask);

/* The statement with a line for a word of the table, by its label: "income", "balance", "cash", or NULL. */
const char *statement_of_word(const struct concept_table *table, struct slice label);

/* The displayed value of a line in a column; 0, or -1 where there is none. */
int statement_value(const struct statement *s, const struct statement_line *l, size_t column,
                    struct decimal *value);
const struct fact_row *statement_row(const struct statement *s, const struct statement_line *l,
                                     size_t column);

/* Finds lines that are sums or differences of lines above them, for each column; unit is the value of the last
 * printed digit. */
void statement_check(struct statement *s, int64_t unit);

/* Of the parts of a figure: finds which lines beside each other add up to the figure or to another line, with the columns
 * known; sets them apart and notes them in s->sums.  Parts on two axes that add up to nothing are left out. */
void statement_segment_sums(struct statement *s, const struct statement_request *ask);

/* Where the figures may stand that a single document of a form lacks, for the end of a message; or "". */
const char *statement_elsewhere(struct slice form);

/* Produces the statement; writes to p->out. */
void statement_run(struct program *p, const struct statement_request *ask);
void statement_release(struct statement *s);

#endif
