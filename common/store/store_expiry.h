/* store_expiry.h: removes documents by age, by a rule "[GLOB:]WHEN", where GLOB selects collections and WHEN is a date or a
 * time span ("2years", "*_8-K:2020-01-01"). */
#ifndef BID_STORE_EXPIRY_H
#define BID_STORE_EXPIRY_H

#include "record/program.h"
#include "store/store.h"

/* Checks the syntax of a rule: 0 or -1. */
int store_expiry_check(const char *rule);

/* Removes documents filed before WHEN (captured, where they have no filing date), prints a record with their number
 * if there are any, and reports errors.  rule must have passed store_expiry_check(). */
void store_expiry_run(struct program *p, struct store *s, const char *rule);

#endif
