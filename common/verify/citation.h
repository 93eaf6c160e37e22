/* citation.h: a cited passage proved again: from the stored document, and from the source's own bytes. */
#ifndef BID_CITATION_H
#define BID_CITATION_H

#include "base/diag.h"
#include "store/store.h"

struct cited {
  int mark;                                       /* its number in the answer */
  struct slice id, text, context, url, accession; /* as the answer's passages have them; may be empty */
  struct slice cik, ticker, company;
  long long start, end; /* bytes of the document's text; -1 where not told */
};

enum citation_state {
  CITATION_UNCHECKED, /* nothing to check it against */
  CITATION_PROVED,    /* the same text at the same place */
  CITATION_CHANGED,   /* another text, place or document */
  CITATION_ABSENT     /* not in the store */
};

struct citation {
  enum citation_state stored, source;
  char sha256[72]; /* of the document's bytes, as the store has it; or "" */
  char why[512];   /* what differs, or why it could not be looked at; or "" */
};

/* Against the store: text, offsets, URL. */
void citation_prove(struct citation *c, const struct store_snapshot *snap, const struct cited *p);

/* Against the source: fetched again by bid-fetch and read by bid-strip; its hash and the bytes from start to end. */
void citation_prove_source(struct citation *c, const struct cited *p);

const char *citation_word(enum citation_state s);

#endif
