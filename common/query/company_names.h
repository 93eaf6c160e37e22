/* company_names.h: what a company is known by of its name. */
#ifndef BID_COMPANY_NAMES_H
#define BID_COMPANY_NAMES_H

#include "query/query.h"

#define NAME_WORDS 8
#define NAME_JOINED 64 /* letters of a name that is compared run together */

/* What a company is known by. */
struct query_core {
  struct slice word[NAME_WORDS]; /* of the name, as written */
  size_t count;
};

void query_core_of(const char *name, struct query_core *core);

/* Whether the word stands in a list that ends with NULL, letters' case aside. */
int query_word_in(struct slice word, const char *const *list);
/* What ends a name without being part of it; ends with NULL. */
extern const char *const query_suffixes[];

/* Token i as written, and without its possessive: "Apple's". */
struct slice query_raw(const struct query *q, size_t i);
struct slice query_bare(struct slice raw);

/* Letters and digits of the first n words of a core, in lower case; 0 where they don't fit or are none. */
size_t query_join_core(const struct query_core *core, size_t n, char out[NAME_JOINED]);

#endif
