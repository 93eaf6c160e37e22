/* match.h: a claim held against a figure of the evidence: what of them agrees, differs, or isn't said.
 *
 * Value, company, currency, kind, year and span are compared as such.  The line has a score: a weighted sum of a few signs
 * (enum match_sign), of which only differences within one claim mean something. */
#ifndef BID_MATCH_H
#define BID_MATCH_H

#include "verify/claim.h"

enum agree { UNSAID, AGREES, DIFFERS, DOUBTFUL };

/* How a claim's value is a figure's. */
enum match_value { VALUE_OTHER, VALUE_SAME, VALUE_ROUNDED, VALUE_SCALED };

/* What speaks for or against a line: weights of words by their rarity, and facts that are 0 or 1. */
enum match_sign {
  SIGN_OWN,        /* words of the label, or beside the number, that the clause has */
  SIGN_OTHER,      /* those that only the rest of the sentence has */
  SIGN_LOST,       /* those that the sentence lacks */
  SIGN_PLACE,      /* words of the column's head, the heading above, or the rest of the figure's sentence */
  SIGN_PLACE_LOST, /* those that the sentence lacks */
  SIGN_ABOVE,      /* words of the heading above that the clause has, of a line that it names */
  SIGN_RIVALS,     /* words of other parts of the figure's list */
  SIGN_YEAR,
  SIGN_DAY,   /* -1 where it is another */
  SIGN_TOTAL, /* both tell of a total */
  SIGN_CHANGE,
  SIGN_OPPOSITE, /* "end of year" for "beginning of year", another unit */
  SIGN_NAME,     /* the sentence names another concept than the line's */
  MATCH_SIGNS
};

struct match {
  const struct evidence_item *item;
  enum match_value value;
  enum agree company, currency, kind, year, span;
  int peer;     /* may be meant instead of another figure, if it has another value */
  double score; /* of its line */
  double signs[MATCH_SIGNS];
};

/* Holds a claim against all figures of the evidence: matches[k] for item k.  To be freed. */
struct match *match_all(const struct claim_view *v);

/* Whether a value is one that the number may be rounded from, or that its words bound. */
int match_near(const struct stated_number *n, double value);

/* How the number is a figure's value. */
enum match_value match_value(const struct stated_number *n, const struct evidence_item *item);

/* Whether the number is stated in another currency than an item's. */
int match_other_currency(const struct stated_number *n, const struct evidence_item *item);

/* Whether the sentence says another sign than the figure has: a profit for a loss, a rise for a fall, an inflow for an outflow. */
enum agree match_sign(const struct claim_view *v, const struct evidence_item *item);

/* Whether another number of the sentence has the figure's value. */
int match_is_stated_too(const struct claim_view *v, const struct evidence_item *item);

/* The figure of the same line so many years later; NULL where it has none. */
const struct evidence_item *match_beside(const struct evidence *e, const struct evidence_item *item,
                                         int years);

/* ---- relation.c ---- */

enum relation_found {
  RELATION_NONE,
  RELATION_LIKELY, /* the figures give the number, but the sentence doesn't say how, or doesn't name both */
  RELATION_FOUND
};

/* Finds the figures from which the number was computed, "rose 6%" of two revenues, and how. */
enum relation_found relation_find(const struct claim_view *v, struct claim_computation *c);

/* The same from other numbers of the sentence, of which each has its figure: "$2 million and $7 million, $9 million in all". */
int relation_of_stated(const struct claim_view *v, const struct stated_number *const *numbers,
                       const struct evidence_item *const *items, size_t count, struct claim_computation *c);

#endif
