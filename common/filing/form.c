#include "filing/form.h"

#include <strings.h>

const char *const form_titles[] = {"10-K", "10-Q", "20-F", "8-K", "S-1", "S-3", "F-1", "F-3", NULL};

enum form_kind form_kind_of(struct slice form) {
  static const struct {
    const char *begin;
    enum form_kind kind;
  } kinds[] = {{"10-K", FORM_ANNUAL},    {"10K", FORM_ANNUAL},  {"20-F", FORM_ANNUAL},
               {"20F", FORM_ANNUAL},     {"40-F", FORM_ANNUAL}, {"40F", FORM_ANNUAL},
               {"10-Q", FORM_QUARTERLY}, {"8-K", FORM_CURRENT}, {"6-K", FORM_CURRENT}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t n = strlen(kinds[i].begin);
    if (form.len >= n && strncasecmp(form.data, kinds[i].begin, n) == 0)
      return kinds[i].kind;
  }
  return FORM_OTHER;
}
