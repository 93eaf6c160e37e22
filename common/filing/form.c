/* form.c: knows the kind of report of each form by its name on EDGAR. */
#include "filing/form.h"
#include "tables/report_forms.h"

const char *const form_titles[] = {REPORT_FORMS_TITLE, NULL};

enum form_kind form_kind_of(struct slice form) {
  static const struct {
    const char *begin;
    enum form_kind kind;
  } kinds[] = {REPORT_FORMS_KIND};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (slice_begins_nocase(form, kinds[i].begin))
      return kinds[i].kind;
  return FORM_OTHER;
}

static int begins_any(struct slice form, const char *const *list) {
  for (; *list != NULL; list++)
    if (slice_begins_nocase(form, *list))
      return 1;
  return 0;
}

int form_follows(struct slice form, struct slice registration) {
  static const char *const registrations[] = {REPORT_FORMS_REGISTRATION, NULL},
                           *const later[] = {REPORT_FORMS_FOLLOWS_REGISTRATION, NULL};
  return begins_any(registration, registrations) && begins_any(form, later);
}
