/* citation.h: verifies a cited passage against the stored document and against the source's own bytes. */
#ifndef BID_CITATION_H
#define BID_CITATION_H

#include "base/helper.h"
#include "base/diag.h"
#include "store/store.h"

enum citation_state {
  CITATION_UNCHECKED, /* there is nothing to check it against */
  CITATION_PROVED,    /* the same text at the same place */
  CITATION_CHANGED,   /* another text, place or document */
  CITATION_ABSENT     /* not in the store */
};

struct cited {
  int mark;                                       /* its number in the answer */
  struct slice id, text, context, url, accession; /* as in the answer's passages; may be empty */
  struct slice cik, ticker, company;
  long long start, end; /* byte range in the document's text; -1 where unknown */
  enum citation_state stored, source;
  char sha256[72]; /* hash of the document's bytes in the store, or "" */
  char why[512];   /* what differs, or why it could not be checked, or "" */
};

/* Finds a passage of the store by its id and loads its text. */
enum store_status citation_find(const struct store_snapshot *snap, struct slice id,
                                const struct store_segment **seg, uint32_t *row, struct store_text *t,
                                struct error_text *e);

/* Checks text, offsets and URL against the store. */
void citation_prove(struct cited *c, const struct store_snapshot *snap);

/* Checks against the source, fetched again by bid-fetch and converted by bid-strip: its hash and the bytes from start
 * to end. */
void citation_prove_source(struct cited *c);

/* Runs bid-strip for it, for a helper of a program that is held by then. */
helper_run citation_run_strip;

const char *citation_word(enum citation_state s);

#endif
