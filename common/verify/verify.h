/* verify.h: the core of bid-verify, after its options are parsed. */
#ifndef BID_VERIFY_H
#define BID_VERIFY_H

#include "record/program.h"

struct verify_options {
  struct option_list companies, facts; /* companies whose XBRL facts are evidence; files of fact rows */
  struct option_list cited;            /* ids of stored passages, in the order of their marks */
  const char *answer_text;             /* the answer itself */
  const char *answer, *store;          /* a file with the answer's text */
  enum program_form form;
  int from_source; /* also verify citations against the source's bytes */
};

/* Reads p's operands or stdin, writes verdicts to p->out, and raises p's status: 1 where something is not proved or
 * not found. */
void verify_run(struct program *p, const struct verify_options *o);

#endif
