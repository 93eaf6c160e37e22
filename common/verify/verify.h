/* verify.h: what bid-verify does with its records, once its options are known. */
#ifndef BID_VERIFY_H
#define BID_VERIFY_H

#include "record/program.h"

enum verify_form { VERIFY_JSON, VERIFY_PEOPLE, VERIFY_PAGE };

struct verify_options {
  struct option_list companies, facts; /* whose XBRL facts count; files of fact rows */
  struct option_list cited;            /* ids of passages of the store, in the order of their marks */
  const char *answer_text;             /* the answer itself */
  const char *answer, *store;          /* a file with the answer's text */
  enum verify_form form;
  int from_source; /* prove citations from the source's bytes, too */
};

/* Reads p's operands or stdin, writes verdicts to p->out, raises p's status: 1 where something is not proved or not
 * found. */
void verify_run(struct program *p, const struct verify_options *o);

#endif
