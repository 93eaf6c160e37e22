/* claim_view.h: a number of a sentence and the evidence, shared by the parts of claims.c. */
#ifndef BID_CLAIM_VIEW_H
#define BID_CLAIM_VIEW_H

#include "verify/evidence_periods.h"
#include "verify/evidence_words.h"
#include "verify/numbers.h"
#include "verify/owners.h"

enum { CLAIM_MARKS = 32, CLAIM_CONCEPTS = 16 };
#define CLAIM_SAME_LABEL 0.6   /* share of a label's words in the sentence, to be about the same */
#define CLAIM_SURE_LABEL 0.99  /* to be exactly about it */
#define CLAIM_SAME_KIND 2000.0 /* maximum ratio of two values of one kind, allowing for a wrong scale */

struct claim_sentence {
  struct slice text;
  struct stated stated;
  struct evidence_period *listed; /* of each number: the one of a list of periods that is its own */
  struct evidence_words words;
  struct evidence_words named; /* of these, what names the cited passages' own company */
  int marks[CLAIM_MARKS];
  const struct concept_word *concepts[CLAIM_CONCEPTS]; /* that it names */
  struct slice concept_text[CLAIM_CONCEPTS];           /* its words for each */
  int plain[CLAIM_CONCEPTS]; /* beside them: the whole company's, not "iPhone revenue" */
  size_t mark_count, concept_count;
  int quoted; /* the mark of a passage that has the sentence word by word, or 0 */
  const struct owners *owners;
  struct owner_names names;
};

struct claim_view {
  const struct evidence *e;
  const struct claim_sentence *s;
  const struct stated_number *n;
  double *about; /* per item: how much of its label the sentence contains */
  int year;
  int told_year;   /* where the sentence names no year: the last one that the answer named before it, or 0 */
  int told_months; /* the length of the last period that it named before it, or 0 */
  int months;
  int quarter;   /* 1 to 4 where one is named */
  int direction; /* of an increase or decrease */
  enum evidence_kind kind;
  int day; /* as in an item */
  /* By claim_take_clause(): */
  struct evidence_words own; /* of its clause, or of the sentence where the clause names nothing */
  const struct concept_word *own_concepts[CLAIM_CONCEPTS];
  double own_concept_weights[CLAIM_CONCEPTS]; /* of the words by which the clause names each */
  size_t own_concept_count;
  struct claim_computation *computation; /* how the number was computed: set by claim_computed() */
  int bare;                              /* its clause names nothing, and the sentence has other numbers */
  double most_line_words;                /* the most that claim_line_words() gives for a line of a table */
};

/* Whether only one of a figure of a text and the number is an amount of money: texts write a currency with all of these. */
int claim_is_other_money(const struct stated_number *n, const struct evidence_item *item);

int claim_near(double stated, double last, double value);
/* Whether the number is stated in another currency than an item's. */
int claim_other_currency(const struct stated_number *n, const struct evidence_item *item);
/* Whether an item has the number; *how tells in which form. */
int claim_matches(const struct stated_number *n, const struct evidence_item *item, const char **how);
/* Whether the sentence may be about an item: a passage's where it cites it, or no passage; a fact where it names its line
 * plainly. */
int claim_cites(const struct claim_sentence *s, const struct evidence_item *item);
/* Whether a fact is of the span that the sentence names, or where it names none of the newest year; an item of a passage
 * always. */
int claim_fits_time(const struct claim_view *v, const struct evidence_item *item);
int claim_has_word(struct slice text, const char *const *words);
int claim_has_concept(const struct claim_sentence *s, const struct concept_word *concept);
int claim_same_year(const struct evidence_item *item, int year);
int claim_same_months(const struct evidence_item *item, int months);

#endif
