/* company_names.h: the distinctive part of a company's name. */
#ifndef BID_COMPANY_NAMES_H
#define BID_COMPANY_NAMES_H

#include "query/query.h"

#define NAME_WORDS 8
#define NAME_JOINED 64 /* limit of letters of a name compared without blanks */

/* The distinctive words of a company's name. */
struct query_core {
  struct slice word[NAME_WORDS]; /* of the name, as written */
  size_t count;
};

void query_core_of(const char *name, struct query_core *core);

/* Words that end a name without being part of it; ended by NULL. */
extern const char *const query_suffixes[];

/* query_raw(): token i as written. query_bare(): without its possessive ending, "Apple's". */
struct slice query_raw(const struct query *q, size_t i);
struct slice query_bare(struct slice raw);

/* Joins the letters and digits of the first n words of a core in lower case; returns the length, 0 where they don't
 * fit or there are none. */
size_t query_join_core(const struct query_core *core, size_t n, char out[NAME_JOINED]);

#endif
