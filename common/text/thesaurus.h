/* thesaurus.h: maps terms of questions ("capex") to the wording of filings ("purchases of property, plant and
 * equipment"): data/thesaurus.tsv, whose header explains the format. */
#ifndef BID_THESAURUS_H
#define BID_THESAURUS_H

#include "base/buf.h"
#include "base/diag.h"
#include "text/terms.h"

#include <stdint.h>

/* The statement that an entry refers to, and of what kind it is. */
enum thesaurus_place {
  PLACE_INCOME = 1,
  PLACE_BALANCE = 2,
  PLACE_CASH = 4,
  PLACE_RATIO = 8,   /* the answer is computed from lines of the statements */
  PLACE_SHORT = 16,  /* the trigger is an abbreviation of the first phrase */
  PLACE_OUTSIDE = 32 /* filings rarely mention the trigger, and if so literally */
};

struct thesaurus_entry {
  struct slice phrases; /* "phrase; phrase; ...", as written */
  unsigned places;      /* enum thesaurus_place, or 0 */
};

struct thesaurus;

/* text is kept by reference and must outlive the thesaurus.  question: the only question that will be asked, so that
 * triggers that can't occur in it are skipped without stemming; empty: no restriction.  NULL with *e (line and cause)
 * where text is malformed. */
struct thesaurus *thesaurus_new(struct slice text, struct terms *terms, struct slice question,
                                struct error_text *e);
void thesaurus_free(struct thesaurus *t);

/* Calls f for each trigger found in a question's stems, as stems[from, to).  Of nested triggers only the longest
 * counts. */
typedef void thesaurus_function(void *arg, size_t from, size_t to, const struct thesaurus_entry *entry);
void thesaurus_match(const struct thesaurus *t, const struct slice *stems, size_t count,
                     thesaurus_function *f, void *arg);

/* Removes the next "phrase" from *list; 0 at its end. */
int thesaurus_next(struct slice *list, struct slice *phrase);

#endif
