/* search_request.h: the request that a record makes; private to search_request.c and search_batch.c. */
#ifndef BID_SEARCH_REQUEST_H
#define BID_SEARCH_REQUEST_H

#include "record/record.h"
#include "search/search.h"

/* The members of a record that are read; record_reader's fields. */
enum search_request_field {
  F_QUERY,
  F_QUESTION,
  F_COLLECTION,
  F_COMPANY,
  F_ENTITY,
  F_FORM,
  F_TYPES,
  F_ITEM,
  F_SINCE,
  F_UNTIL,
  F_AS_OF,
  F_N,
  F_NEW,
  F_MODE,
  F_EMBEDDING,
  F_MODEL,
  F_PERIOD,
  F_PLAN,
  F_JOB,
  F_ERROR,
  F_ID
};
extern const char *const search_request_fields[]; /* their names, NULL at the end */

#define SEARCH_REQUEST_LISTS 8 /* per record */

/* Decoded strings of one request, and lists of them; initialise with {0}. */
struct search_request_strings {
  char **kept;
  size_t count, cap;
  const char **lists[SEARCH_REQUEST_LISTS];
  size_t list_count;
  const char *why; /* what is wrong with one of them (static), or NULL */
};

/* Changes *r, which has the defaults, by the members of the record; its texts belong to *s, the record and `query`.
 * NULL, or what is wrong (static): a member of a wrong kind, no query. */
const char *search_request_read(const struct record *rec, struct search_request *r,
                                struct search_request_strings *s, struct buf *query);

/* Frees the strings of a request; its memory for pointers is kept for the next one. */
void search_request_release(struct search_request_strings *s);

#endif
