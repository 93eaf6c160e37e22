/* plan_senses.h: words that tell which meaning of a name is meant beside them (data/senses.tsv): "gap" near "denim" is the
 * company, near "insurance" it is not. */
#ifndef BID_PLAN_SENSES_H
#define BID_PLAN_SENSES_H

#include "query/plan_text.h"

#include <stdint.h>

/* The words that go with a company, or with the other meanings of a name, whose key is directory_key()'s, with or without
 * an s at its end; empty where the table has none.  table: the bytes of senses.tsv, whose lines ascend by their bytes. */
struct slice plan_senses_of_company(struct slice table, uint32_t cik);
struct slice plan_senses_of_name(struct slice table, const char *key);

/* Whether a token is one of these words, in the singular or plural. */
int plan_senses_have(struct slice words, const struct plan_token *token);

#endif
