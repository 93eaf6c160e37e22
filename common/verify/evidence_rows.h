/* evidence_rows.h: the figures of a table's rows as items of the evidence. */
#ifndef BID_EVIDENCE_ROWS_H
#define BID_EVIDENCE_ROWS_H

#include "page/page_table.h"
#include "verify/evidence.h"

/* ---- columns: what the caption, the header and the corner of a table say of them ---- */

struct evidence_column {
  int year, percent;
  int months;                  /* where a column has none, the corner's */
  int change;                  /* of changes, "2024 vs. 2023" */
  int shares;                  /* "Number of shares" */
  int each;                    /* "Price / lb" */
  int currency;                /* that its head names, "High (Cdn$)"; 0 for none */
  int names;                   /* "CUSIP": its digits name things */
  double caption;              /* the column's own caption, "Value (in millions)", else 1 */
  struct evidence_words words; /* without those of a period */
  struct slice head;
  int ends; /* month */
  int day;  /* as in an item */
};

enum evidence_heading { HEADING_NONE, HEADING_PART, HEADING_SHARES, HEADING_EACH };

struct evidence_table {
  struct evidence_column columns[PAGE_COLUMNS];
  double caption, share_caption; /* for amounts, for share counts */
  struct evidence_words except;  /* what the caption excludes: "units" of "in millions, except units" */
  int excepts;                   /* it excludes something */
  int some_captions;             /* columns have their own captions: one column's doesn't apply to others */
  size_t cells;                  /* of a header from the context, which omits an empty corner */
  enum evidence_heading
      heading; /* current heading of the rows: the name of a part, "Shares used in", "Earnings per share:" */
  int headed;  /* the header is in the passage, and so would be a caption */
  struct page_groups groups; /* of its rows, and the headings' labels */
  struct slice headings[PAGE_GROUPS];
  struct slice under; /* as in an item */
  int last_year;      /* of the row before, in a schedule of years whose last row is "Thereafter" */
  size_t first;       /* index of an item */
  size_t parts;       /* the first item behind the last total */
  int each;           /* the corner says that all figures are "per car" */
  int percent;        /* the caption says that all figures are */
  struct slice title; /* the line of text above the table, or the heading above the passage */
  size_t labels;      /* rows with figures and a label */
};

/* Whether a text has one of the words. */
int evidence_has(struct slice text, const char *const *words);

/* Whether a line or column is of amounts "per" something. */
int evidence_of_each(struct slice label);

/* Records a line that may be the caption of the following tables. */
void evidence_take_caption(const struct evidence *e, struct evidence_table *t, struct slice line);

/* Reads the header; a second table without one keeps the previous one's if it has as many columns. */
void evidence_table_head(const struct evidence *e, struct evidence_table *t, struct slice line);

/* ---- tables without a scale ----
 *
 * Long reports state "in millions" once for all notes, and a passage may lack it.  A table without a caption may be in millions where its
 * largest amount has four to six digits and its amounts are not all round.  With more digits it is taken as printed. */

/* Sets `scale.any` of a table's amounts, which begin at `first` and go to the last item. */
void evidence_scales_find(struct evidence *e, size_t first);

/* ---- rows ---- */

/* Appends the figures of a row, or takes it as the heading of the rows below it. */
void evidence_table_row(struct evidence *e, struct evidence_table *t, int mark, struct slice line);

#endif
