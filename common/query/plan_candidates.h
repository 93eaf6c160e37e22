/* plan_candidates.h: the companies that some words may mean, each with its most likely match. */
#ifndef BID_PLAN_CANDIDATES_H
#define BID_PLAN_CANDIDATES_H

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

/* The keys to use: names as in questions, tickers, or all names. */
enum plan_choices_of { OF_NAMES, OF_TICKERS, OF_ALL_NAMES };

/* Adds the companies of a key.  words: number of words in the text, 0 to ignore it; spellings with the same word
 * boundaries are preferred ("MT" hardly matches "M&T"); for tickers they must be equal. */
void plan_choices_add_key(struct choices *c, const struct directory *d, const char *key, size_t len,
                          enum plan_choices_of of, size_t words, double extra);

/* Adds the companies whose name differs from the key by one typing error. */
void plan_choices_add_slips(struct choices *c, const struct directory *d, const char *key, size_t len);

/* Adds the companies whose ticker differs by one typing error from this one, in small letters. */
void plan_choices_add_near_tickers(struct choices *c, const struct directory *d, const char *ticker);

/* Sorts the choices and returns the most likely one as a mention; 0 where there are none. */
int plan_choices_best(struct choices *c, const struct directory *d, struct mention *found);

/* ---- by some words of a name ---- */

/* The company whose name has some words of t: "royal bank canada", "Grainger", "align tech", "Thermo Fischer
 * Scientfic".  Scans all names, so it is only for texts without a key.  slips: also where words have typing errors.  1 with *found; 0;
 * -1 where several match and none is much more likely: *found has them as rivals. */
int plan_partial_resolve(const struct directory *d, const struct plan_words *words, const struct plan_text *t,
                         int slips, struct mention *found);

/* ---- by a name with one typing error ---- */

/* The company whose name differs by one typing error from tokens [0, to) of t, the words without legal forms.  1 with *found; 0; -1
 * where it may be another name, or several differ so: *found has them as rivals. */
int plan_slip_resolve(const struct directory *d, const struct plan_text *t, size_t to, struct mention *found);

#endif
