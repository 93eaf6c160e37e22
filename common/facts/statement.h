/* statement.h: income statement, balance sheet and cash flows over several periods, with the order and labels of the
 * newest filing's own inline XBRL; without it, those of data/statements.tsv. */
#ifndef BID_STATEMENT_H
#define BID_STATEMENT_H

#include "facts/fact_period.h"
#include "facts/fact_write.h"
#include "record/program.h"

struct statement_request {
  const char *which; /* "income", "balance", "cash", "segments" or "key" */
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

/* The statement with a line for a word of the table, by its label: "income", "balance", "cash", or NULL. */
const char *statement_of_word(const struct concept_table *table, struct slice label);

/* Where the figures may stand that a single document of a form lacks, for the end of a message; or "". */
const char *statement_elsewhere(struct slice form);

/* Produces the statement; writes to p->out. */
void statement_run(struct program *p, const struct statement_request *ask);

#endif
