/* choices.h: the companies that some words may mean, each with its most likely match. */
#ifndef BID_CHOICES_H
#define BID_CHOICES_H

#include "query/mentions.h"

#define CHOICES 64
#define CHOICE_MARGIN 1.6     /* score ratio from which the best is unambiguous */
#define CHOICE_SLIP_LETTERS 5 /* minimum letters for a typo in an option; two more in a question */
#define CHOICE_KEY 96         /* size of a key */

struct choice {
  uint32_t company;
  enum directory_way way;
  const struct directory_entry *entry; /* NULL: matched by parts of a name instead of a key */
  double weight;
};

/* Initialise as {.count = 0}; when full, the least likely are dropped. */
struct choices {
  struct choice list[CHOICES];
  size_t count;
};

/* Adds a candidate, or raises the weight of one for the same company; of two equal matches the larger company has
 * more weight. */
void choices_add(struct choices *c, const struct directory *d, struct choice one);

/* The keys to use: names as in questions, tickers, or all names. */
enum choices_of { OF_NAMES, OF_TICKERS, OF_ALL_NAMES };

/* Adds the companies of a key.  words: number of words in the text, 0 to ignore it; spellings with the same word
 * boundaries are preferred ("MT" hardly matches "M&T"); for tickers they must be equal. */
void choices_add_key(struct choices *c, const struct directory *d, const char *key, size_t len,
                     enum choices_of of, size_t words, double extra);

/* Adds the companies whose name differs from the key by one typing error. */
void choices_add_slips(struct choices *c, const struct directory *d, const char *key, size_t len);

/* Sorts the choices and returns the most likely one as a mention; 0 where there are none. */
int choices_best(struct choices *c, struct mention *found);

#endif
