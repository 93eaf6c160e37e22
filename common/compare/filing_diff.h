/* filing_diff.h: compares a stored filing with the previous one, or two files, and prints the result. */
#ifndef BID_FILING_DIFF_H
#define BID_FILING_DIFF_H

#include "record/program.h"

struct filing_diff_call {
  const char *company;        /* NULL: compare the program's two operands */
  const char *form;           /* NULL: 10-K */
  const char *item, *exhibit; /* or NULL: the complete filings */
  enum program_form output;
  size_t back;  /* counts back from the newest filing */
  size_t limit; /* changes to print, not on a page; 0: all */
  int year_ago; /* compare with the filing of a year before instead of the previous one */
};

/* Prints the changes; reports errors. */
void filing_diff_run(struct program *p, const struct filing_diff_call *call);

#endif
