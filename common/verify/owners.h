/* owners.h: determines the company of a passage's figures, and whether a sentence is about another company. */
#ifndef BID_OWNERS_H
#define BID_OWNERS_H

#include "query/plan.h"

struct owner { /* of the passage with this mark; texts may be empty and must stay valid */
  int mark;
  struct slice cik, ticker, company, context, text, url;
  char of_url[PLAN_DATE]; /* the CIK in its URL, set by owners_open() */
};

struct owners {
  struct planner *planner; /* the caller's, or NULL: companies are not recognised */
  struct owner *list;
  size_t count;
  int of_facts; /* facts are given as a company's */
};

/* Uses a planner where any passage or fact has a company: *kept, which is opened with the shipped lists where it is NULL and serves all
 * answers.  Without the lists companies are not recognised. */
void owners_open(struct owners *o, struct planner **kept);
void owners_release(struct owners *o);

/* The companies named in a sentence. */
struct owner_names {
  struct plan plan;
  struct slice
      strange; /* a name at the start of the sentence or a possessive, "Huawei", "Samsung's", on no list */
};

void owner_names_read(struct owner_names *n, const struct owners *o, struct slice sentence);
void owner_names_release(struct owner_names *n);

/* Whether the sentence names companies, none of which is that of the passage with this mark (0: of a fact, with this
 * cik) or occurs in the passage. */
int owner_names_another(const struct owner_names *n, const struct owners *o, int mark, struct slice cik);

/* Whether the sentence has a proper name, "Kevin Rendino", no word of which occurs in the owner's texts. */
int owner_lacks_name(const struct owner *owner, struct slice sentence);

/* Whether the sentence names a place, "Japan", that occurs neither in the passage nor in its metadata. */
int owner_lacks_place(const struct owners *o, int mark, struct slice sentence);

/* Whether the number at bytes [from, to) of a sentence is part of a name in the passages' metadata: "180 Degree Capital",
 * "3M". */
int owner_is_numbered_name(const struct owners *o, struct slice sentence, size_t from, size_t to);

#endif
