/* verify.h: the core of bid-verify, after its options are parsed. */
#ifndef BID_VERIFY_H
#define BID_VERIFY_H

#include "record/program.h"
#include "verify/citation.h"
#include "verify/claims.h"

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

/* Writes verdicts on an answer as a record, bid-records(5) "Verification", and for display. */

/* An answer with what it cites; its texts are in `kept`. */
struct verify_case {
  struct cited *cited;
  size_t cited_count;
  struct slice query, answer;
  struct evidence evidence;
  struct claims claims;
  char **kept;
  size_t kept_count;
  size_t number; /* number of the case in this run, from 1 */
};

void verify_write(struct buf *out, const struct verify_case *v, int people);

/* Appends it as a part of a page (page/html_page.h); snap, which may be NULL, is used to show citations in context. */
void verify_page_add(struct buf *out, const struct verify_case *v, const struct store_snapshot *snap);

/* Whether a passage has the mark. */
int verify_has_mark(const struct verify_case *v, int mark);

/* Whether everything checked was proved and found. */
int verify_is_clean(const struct verify_case *v);

#endif
