/* filing_diff.h: a filing compared with the one before it in the store, or two files with each other, and printed. */
#ifndef BID_FILING_DIFF_H
#define BID_FILING_DIFF_H

#include "record/program.h"

enum diff_form { DIFF_AUTO, DIFF_JSON, DIFF_TEXT, DIFF_HTML }; /* auto: text for people, else records */

struct filing_diff_call {
  const char *company;        /* of the store; NULL: the program's two operands are compared */
  const char *form;           /* NULL: 10-K */
  const char *item, *exhibit; /* or NULL: the whole filings */
  enum diff_form output;
  size_t back; /* filings before the newest */
};

/* The form of that name; -1 where there is none. */
int filing_diff_form(const char *name);

/* Prints what changed; reports what fails. */
void filing_diff_run(struct program *p, const struct filing_diff_call *call);

#endif
