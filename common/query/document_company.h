/* document_company.h: whose a person's own document is: the company that its first lines, its title or its file's name
 * name, if it is clear that the document is about this one.
 *
 * A wrong company is worse than none: with two companies in the head, one of them has to dominate the text; a document
 * that names its company only in the head must not name another one more often; a single ordinary word ("Apple",
 * "Visa") has to be used as a name within the text too.
 */
#ifndef BID_DOCUMENT_COMPANY_H
#define BID_DOCUMENT_COMPANY_H

#include "query/plan.h"
#include "record/metadata.h"

struct document_company_ask {
  struct slice text;  /* Markdown */
  struct slice title; /* or empty */
  struct slice name;  /* of the file, with or without its extension; or empty */
};

/* Sets company, and for a company on the list ticker and CIK; one that isn't on the list is known by the legal form behind
 * its name ("Acme Robotics plc").  1, or 0 where no company is certain. */
int document_company_find(const struct planner *p, const struct document_company_ask *ask,
                          struct metadata *m);

/* Whether the text names companies of the list more often than this name, which only the file's properties tell. */
int document_company_is_doubtful(const struct planner *p, struct slice text, const char *company);

/* ---- the company that a typed name means, for jobs that reach bid-fetch without a plan ---- */

/* Initialise with {0}; the tables are loaded for the first name. */
struct query_typed {
  struct planner *planner; /* NULL before the first name, and where the tables can't be read */
  struct plan plan;
  struct buf list; /* the SEC's list in the cache, to which the planner refers */
  int opened;
};

/* Appends {"cik","ticker","name"}, of which ticker may be null.  Appends nothing where the name is a ticker or a
 * number, which EDGAR's own list tells better, or is unknown, ambiguous, or right only with a typing error. */
void query_typed_company(struct query_typed *t, const char *name, struct buf *out);

void query_typed_release(struct query_typed *t);

#endif
