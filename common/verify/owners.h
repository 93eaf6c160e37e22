/* owners.h: whose figures a passage has, and whether a sentence speaks of another company. */
#ifndef BID_OWNERS_H
#define BID_OWNERS_H

#include "query/plan.h"

struct owner { /* of the passage with this mark; texts may be empty, and have to stay */
  int mark;
  struct slice cik, ticker, company, context, text, url;
  char of_url[PLAN_DATE]; /* the CIK that its URL has, for owners_open() */
};

struct owners {
  struct planner *planner; /* NULL: nothing is known of companies */
  struct owner *list;
  size_t count;
};

/* The planner is opened with the shipped lists where a passage tells whose it is; where they are absent nothing is known. */
void owners_open(struct owners *o);
void owners_release(struct owners *o);

/* The companies that a sentence names. */
struct owner_names {
  struct plan plan;
  struct slice
      strange; /* a name at the head of the sentence or of an owner, "Huawei", "Samsung's", that is on no list */
};

void owner_names_read(struct owner_names *n, const struct owners *o, struct slice sentence);
void owner_names_release(struct owner_names *n);

/* Whether the sentence names companies, and none of them is that of the passage with this mark (0: of a fact, whose cik
 * that is), nor stands in it. */
int owner_names_another(const struct owner_names *n, const struct owners *o, int mark, struct slice cik);

/* A proper name of the sentence, "Pacific", that neither the passage has nor what is told about it; or empty. */
struct slice owner_stranger(const struct owners *o, int mark, struct slice sentence);

#endif
