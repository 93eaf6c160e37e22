/* store_expiry.h: documents that are too old, removed by a rule: "[GLOB:]WHEN", where GLOB names collections and WHEN
 * is a date or a span ("2years", "*_8-K:2020-01-01"). */
#ifndef BID_STORE_EXPIRY_H
#define BID_STORE_EXPIRY_H

#include "record/program.h"
#include "store/store.h"

/* 0, or -1 where it is no rule. */
int store_expiry_check(const char *rule);

/* Removes the documents that were filed before WHEN (captured, where they have no filing date), and prints a record
 * with their number where there are any; reports what fails.  rule has passed store_expiry_check(). */
void store_expiry_run(struct program *p, struct store *s, const char *rule);

#endif
