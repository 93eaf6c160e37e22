/* measure.h: resolves a requested figure (a concept's name, a plain word or a formula) to the rows of a column. */
#ifndef BID_MEASURE_H
#define BID_MEASURE_H

#include "query/concepts.h"
#include "facts/fact_rows.h"

struct measure {
  const struct fact_company *company;
  char *asked, *label, *unit, *formula; /* formula may be NULL */
  char **texts;                         /* formulas of rows, where a word has several */
  size_t text_count;
  int growth; /* each value is the change from the one a year before */
  int rate;   /* of a word: a number without a unit is a share of something, an effective tax rate */
  struct fact_rows rows;
  struct buf notes; /* notes for display, one per line: series that ended or were succeeded */
};

struct measure_context {
  const struct concept_table *table;
  const struct fact_company *company;
  struct slice unit; /* as requested, or empty */
  struct fact_choice choice;
};

/* 0, or -1 with why (which lists similar concepts; may be NULL) where the company reports nothing for it.  Release m in
 * both cases. */
int measure_make(struct measure *m, const struct measure_context *x, struct slice asked, struct buf *why);

/* Of quarters: notes how many fourth quarters are missing between m's rows and can't be derived.  To be called when the
 * rows are those that are shown. */
void measure_note_fourths(struct measure *m, enum fact_span span);
void measure_release(struct measure *m);

/* Growth of amounts a share or share counts between values from before and after a split: as if both were from after it. */
void measure_adjust_growth(struct measure *m, const struct fact_splits *splits);

/* Whether values are ratios: shares of a whole, shown as percent, or figures called a ratio, "current ratio". */
enum measure_ratio { MEASURE_AMOUNT, MEASURE_PERCENT, MEASURE_MULTIPLE };

enum measure_ratio measure_is_ratio(const struct measure *m);

/* Appends the reason and similar names to why; known: `asked` is a word of the table. */
void measure_say_missing(const struct measure_context *x, struct slice asked, int known, struct buf *why);

/* Whether a figure counts shares or is an amount a share: companies with classes of shares may report it by class alone. */
int measure_is_of_shares(const struct concept_table *table, struct slice asked);

/* Appends that a figure is in filings' text but not among XBRL facts, and why; nothing where that isn't so. */
void measure_say_unreported(struct slice asked, struct buf *why);

enum { MEASURE_FORMULA_DIGITS = 6 }; /* decimals of a quotient */

#endif
