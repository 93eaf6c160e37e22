/* plan_choices.h: the companies that some words may name, each by its likeliest way of being called so. */
#ifndef BID_PLAN_CHOICES_H
#define BID_PLAN_CHOICES_H

#include "query/plan_mentions.h"

#define CHOICES 64
#define CHOICE_MARGIN 1.6     /* one company is much likelier than the next one */
#define CHOICE_SLIP_LETTERS 5 /* of an option's text; a question's word needs two more */
#define CHOICE_KEY 96         /* room of a key */

struct choice {
  uint32_t company;
  enum directory_way way;
  const struct directory_entry *entry; /* or NULL: no key of it, but parts of a name */
  double weight;
};

/* Begins as {.count = 0}; where there are more, the least likely go. */
struct choices {
  struct choice list[CHOICES];
  size_t count;
};

/* Adds a candidate, or raises the weight of one of the same company; of two that fit alike the larger one weighs more. */
void choices_add(struct choices *c, const struct directory *d, struct choice one);

/* Which keys are meant: names that a question may have, tickers, or every name. */
enum choices_of { OF_NAMES, OF_TICKERS, OF_ALL_NAMES };

/* Adds the companies of a key.  words: of the text, 0 where that doesn't matter; of two
 * spellings of a name the one parted alike is taken, and "MT" is hardly "M&T"; a ticker has to be parted alike. */
void choices_add_key(struct choices *c, const struct directory *d, const char *key, size_t len,
                     enum choices_of of, size_t words, double extra);

/* Adds the companies whose name is one slip from the key. */
void choices_add_slips(struct choices *c, const struct directory *d, const char *key, size_t len);

/* The likeliest of the choices as a mention, the choices sorted; 0 where there are none. */
int choices_best(struct choices *c, struct mention *found);

#endif
