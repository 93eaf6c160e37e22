/* plan_screen.h: the conditions of a screen, in symbols ("R&D / revenue > 20%") or in words ("R&D over 20% of revenue",
 * "gross margin of at least 60% and revenue above $1 billion", "highest free cash flow"). */
#ifndef BID_PLAN_SCREEN_H
#define BID_PLAN_SCREEN_H

#include "query/concepts.h"

enum { SCREEN_RULES = 4 };

struct screen_rule {
  char *what;   /* a word, a concept or a formula */
  char op[3];   /* ">", ">=", "<", "<=", or empty: companies are only put in order */
  double bound; /* of "20%" it is 0.2 */
  int percent;  /* the bound was written so */
};

struct screen_rules {
  struct screen_rule list[SCREEN_RULES];
  size_t count;
  int lowest; /* the smallest values come first */
};

/* Reads the conditions of a text.  Words before a figure that are none are passed over ("companies that have a gross margin
 * over 60%"); *rest has what stands behind the last condition.  0, or -1 where the text has no condition.  Release r in both
 * cases. */
int plan_screen_read(struct screen_rules *r, const struct concept_table *t, struct slice text,
                     struct slice *rest);
void plan_screen_release(struct screen_rules *r);

/* Whether a value meets a condition. */
int plan_screen_holds(const struct screen_rule *rule, double value);

/* Whether a question asks for all companies that meet a condition: then 1, and the condition as --screen takes it. */
int plan_screen_of_question(const struct concept_table *t, struct slice question, char *out, size_t size);

/* Appends the conditions as --screen takes them: "R&D / revenue > 20%". */
void plan_screen_write(const struct screen_rules *r, struct buf *out);

struct plan_amount {
  double value; /* of "20%" it is 0.2 */
  size_t taken; /* bytes of the text; 0: it begins with no number */
  int percent;
  int bare_year; /* four digits from 1900 to 2199 without a unit: may be a year */
};

/* The number that a text begins with, behind blanks and a currency's sign. */
struct plan_amount plan_amount_read(struct slice text);

#endif
