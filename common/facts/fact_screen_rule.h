/* fact_screen_rule.h: the conditions of a screen, in symbols ("R&D / revenue > 20%") or in words ("R&D over 20% of revenue",
 * "gross margin of at least 60% and revenue above $1 billion", "highest free cash flow"). */
#ifndef BID_FACT_SCREEN_RULE_H
#define BID_FACT_SCREEN_RULE_H

#include "facts/concepts.h"

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
int fact_screen_rules_read(struct screen_rules *r, const struct concept_table *t, struct slice text,
                           struct slice *rest);
void fact_screen_rules_release(struct screen_rules *r);

/* Whether a value meets a condition. */
int fact_screen_holds(const struct screen_rule *rule, double value);

/* Whether a question asks for all companies that meet a condition; then also reads it.  Release r in both cases.
 * fact_screen_names_everyone(): whether its words speak of all companies at all; needs no table. */
int fact_screen_names_everyone(struct slice question);
int fact_screen_asked(struct screen_rules *r, const struct concept_table *t, struct slice question);

/* Appends the conditions as --screen takes them: "R&D / revenue > 20%". */
void fact_screen_rules_write(const struct screen_rules *r, struct buf *out);

#endif
