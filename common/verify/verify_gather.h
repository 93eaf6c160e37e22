/* verify_gather.h: gathers what an answer cites: passages and rows of facts, from JSON and from company facts. */
#ifndef BID_VERIFY_GATHER_H
#define BID_VERIFY_GATHER_H

#include "facts/fact_load.h"
#include "verify/verify_write.h"

/* No text in a case is larger. */
#define VERIFY_TEXT_MAX ((size_t)64 << 20)

/* A JSON string, decoded, as long as the case; empty where it is none. */
struct slice verify_keep(struct verify_case *v, struct slice json);

/* A passage of bid-search or a list of them. */
void verify_add_passage(struct verify_case *v, struct slice json);
void verify_add_passages(struct verify_case *v, struct slice list);

/* Rows of bid-facts: a list, or a file's lines. */
void verify_add_rows(struct verify_case *v, struct slice list);
void verify_add_file_rows(struct verify_case *v, struct slice text);

/* All words of the table for a company, years and quarters. */
void verify_add_company(struct verify_case *v, const struct concept_table *table,
                        const struct fact_company *c);

#endif
