/* claim_view.h: a number of a sentence beside the evidence, as the parts of claims.c see it, and what they all ask of it. */
#ifndef BID_CLAIM_VIEW_H
#define BID_CLAIM_VIEW_H

#include "verify/evidence.h"
#include "verify/numbers.h"
#include "verify/owners.h"

enum { CLAIM_MARKS = 32, CLAIM_CONCEPTS = 16 };
#define CLAIM_SAME_LABEL 0.6   /* of a label's words that a sentence has, to be about the same */
#define CLAIM_SURE_LABEL 0.99  /* to be about that and nothing else */
#define CLAIM_SAME_KIND 2000.0 /* by which two values of one kind may differ, a wrong scale included */

struct claim_sentence {
  struct slice text;
  struct stated stated;
  struct evidence_words words;
  int marks[CLAIM_MARKS];
  const struct concept_word *concepts[CLAIM_CONCEPTS]; /* that it names */
  size_t mark_count, concept_count;
  const struct owners *owners;
  struct owner_names names;
};

struct claim_view {
  const struct evidence *e;
  const struct claim_sentence *s;
  const struct stated_number *n;
  double *about; /* of each item: how much of its label the sentence has */
  int year;
  int months;
  int direction; /* of a number by which something rose or fell */
};

int claim_near(double stated, double last, double value);
/* Whether an item has the number; *how says in which dress. */
int claim_matches(const struct stated_number *n, const struct evidence_item *item, const char **how);
int claim_cites(const struct claim_sentence *s, const struct evidence_item *item);
int claim_has_word(struct slice text, const char *const *words);
int claim_has_concept(const struct claim_sentence *s, const struct concept_word *concept);
int claim_same_year(const struct evidence_item *item, int year);
int claim_same_months(const struct evidence_item *item, int months);

#endif
