/* form.h: the kind of report of a form, by its name in EDGAR's spelling. */
#ifndef BID_FORM_H
#define BID_FORM_H

#include "base/buf.h"

enum form_kind {
  FORM_OTHER,
  FORM_ANNUAL,    /* 10-K, 20-F, 40-F, with amendments and variants */
  FORM_QUARTERLY, /* 10-Q */
  FORM_CURRENT    /* 8-K, 6-K */
};

enum form_kind form_kind_of(struct slice form);

/* Whether `form` amends, withdraws or completes a registration statement of the form `registration`: a
 * post-effective amendment or a prospectus for an S-3. */
int form_follows(struct slice form, struct slice registration);

/* Forms that appear as a title on their first page ("FORM 10-K"); ended by NULL. */
extern const char *const form_titles[];

#endif
