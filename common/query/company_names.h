/* company_names.h: companies' names as questions are matched against them; private to company_names.c and
 * query_entities.c. */
#ifndef BID_COMPANY_NAMES_H
#define BID_COMPANY_NAMES_H

#include "query/query.h"

#define NAME_WORDS 8
#define NAME_JOINED 64 /* letters of a name that is compared run together */

/* What a company is known by. */
struct query_core {
  struct slice word[NAME_WORDS]; /* of the name, as written */
  size_t count;
  char letter; /* the first one in lower case, 0 where it isn't ASCII */
};

/* Names outright, else as people write them, else with a letter wrong. */
enum query_way { BY_NAME, BY_ALIAS, MISSPELT, QUERY_WAYS };

void query_core_of(const char *name, struct query_core *core);
const struct query_core *query_core_at(const struct query_names *names, size_t company);

/* Whether the word stands in a list that ends with NULL, letters' case aside. */
int query_word_in(struct slice word, const char *const *list);
/* What ends a name without being part of it; ends with NULL. */
extern const char *const query_suffixes[];

char query_letter(struct slice word); /* its first letter or digit in lower case, or 0 */

/* Three or more capitals that begin a name written in mixed letters ("JPMorgan", "AMCNetworks": 3); else 0.
 */
size_t query_leading_capitals(struct slice word);

/* Token i as written, and without its possessive: "Apple's". */
struct slice query_raw(const struct query *q, size_t i);
struct slice query_bare(struct slice raw);

/* Letters and digits of tokens [i, i + n), or of the first n words of a core, in lower case; 0 where they
 * don't fit or are none. */
size_t query_join_tokens(const struct query *q, size_t i, size_t n, char out[NAME_JOINED]);
size_t query_join_core(const struct query_core *core, size_t n, char out[NAME_JOINED]);

/* Companies that the question may name in this way, ascending, all that do among them; how many.  SIZE_MAX:
 * they are more than max, or there is no index: any may be named. */
size_t query_candidates(const struct query_names *names, const struct query *q, enum query_way way,
                        uint32_t *companies, size_t max);

#endif
