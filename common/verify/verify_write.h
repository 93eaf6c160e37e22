/* verify_write.h: writes verdicts on an answer as a record, bid-records(5) "Verification", and for display. */
#ifndef BID_VERIFY_WRITE_H
#define BID_VERIFY_WRITE_H

#include "verify/citation.h"
#include "verify/claims.h"

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
