/* form.h: what kind of report a form is, by its name as EDGAR writes it. */
#ifndef BID_FORM_H
#define BID_FORM_H

#include "base/buf.h"

enum form_kind {
  FORM_OTHER,
  FORM_ANNUAL,    /* 10-K, 20-F, 40-F, with their amendments and variants */
  FORM_QUARTERLY, /* 10-Q */
  FORM_CURRENT    /* 8-K, 6-K */
};

enum form_kind form_kind_of(struct slice form);

/* Forms that stand as a title on their first page ("FORM 10-K"); ends with NULL. */
extern const char *const form_titles[];

#endif
