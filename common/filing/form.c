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
