/* plan_form_table.h: data/forms.tsv in memory and its aliases in a text; private to plan_forms.c. */
#ifndef BID_PLAN_FORM_TABLE_H
#define BID_PLAN_FORM_TABLE_H

#include "query/plan_forms.h"

#define FORM_ROWS 160
#define FORM_ALIASES 900
#define ALIAS_WORDS 6

struct form_row {
  struct slice form, items, kin;
  enum plan_periodicity periodicity;
};

struct form_alias {
  uint8_t row, words;
  uint8_t number; /* the form's own number */
  uint8_t bare;  /* such a one that may be something else: "SD", "144"; only counts beside "filing", "form" */
  uint8_t wordy; /* a description without a number: a year may stand within it */
  uint8_t beside;           /* only counts where the text also names the form: "+auditor change" */
  uint8_t other;            /* means no form, although it contains a shorter alias: "!proxy access" */
  uint16_t at[ALIAS_WORDS]; /* offsets in `folded` of its words */
};

struct plan_forms {
  struct form_row rows[FORM_ROWS];
  size_t row_count;
  struct form_alias aliases[FORM_ALIASES];
  size_t alias_count;
  struct buf folded; /* words, each ended by 0 */
  struct plan_text scratch;
};

/* The first field of a list that is divided by `stop`, which is taken off it; empty for "-". */
struct slice plan_form_field(struct slice *rest, char stop);

/* The number of tokens that match the alias at i, joined or not ("10K", "10-K", "10 K"), with a year within it; 0 for none. */
size_t plan_form_alias_at(const struct plan_forms *f, const struct form_alias *a, const struct plan_text *t,
                          size_t i);

#endif
