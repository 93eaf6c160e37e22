/* plan_forms.h: recognises the forms named by a question or a caller, using data/forms.tsv. */
#ifndef BID_PLAN_FORMS_H
#define BID_PLAN_FORMS_H

#include "query/plan.h"
#include "text/plan_text.h"
#include "query/plan_words.h"

#include <stdint.h>

/* From FORM_EVENT on: forms that don't report on a period; from FORM_FISCAL on, they are filed for a year after its end. */
enum plan_periodicity {
  FORM_ANNUAL,
  FORM_QUARTER,
  FORM_HOLDINGS,
  FORM_EVENT,
  FORM_FISCAL,   /* "for 2023" is a fiscal year */
  FORM_CALENDAR, /* "for 2023" is filed in 2024 */
  FORM_MEETING   /* "for 2023" is the year of a meeting, "for fiscal 2023" the one told of */
};

struct plan_forms;

/* tsv is kept by reference.  NULL with *why. */
struct plan_forms *plan_forms_new(struct slice tsv, struct error_text *why);
void plan_forms_free(struct plan_forms *f);

/* The only word of forms and periods that a typed one becomes by one typing error; else NULL. */
const char *plan_forms_near_word(const struct plan_forms *f, const char *typed);

/* Finds the forms named in a text, adds them to plan->forms, sets plan->items and plan->amendments, and marks their
 * tokens (TAKEN_FORM).  Words that tell what an 8-K is about are kept in plan->terms.  Returns how many were found. */
size_t plan_find_forms(const struct plan_forms *f, const struct plan_text *t, uint8_t *taken,
                       struct plan *plan);

/* Adds a form given by a caller, by number or name; an unknown one is used as written. */
void plan_give_form(const struct plan_forms *f, struct slice name, struct plan *plan);

/* Adds the form of that number and, with kin, those that foreign filers file in its place. */
void plan_add_form(const struct plan_forms *f, const char *number, int kin, struct plan *plan);

/* What a form of the plan is; FORM_EVENT for one that the table doesn't have. */
enum plan_periodicity plan_form_periodicity(const struct plan_forms *f, struct slice form);

/* ---- the form in which a subject is disclosed ---- */

/* Fills plan->disclosed_in: DEF 14A for the pay of leaders, the board, large holders and what is put to the vote; 4 for
 * trades of insiders.  word, taken: of each token; a company's words may name a person who leads it. */
void plan_disclosed_in(const struct plan_text *t, const struct plan_word *word, const uint8_t *taken,
                       struct plan *plan);

#endif
