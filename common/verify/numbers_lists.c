#include "verify/numbers_lists.h"

#include <math.h>
#include <string.h>

/* "5.6 to 6.4 billion", "27 to 30 percent": the first number gets the second one's scale. */
static void stated_ranges(struct stated *s, struct slice t) {
  static const char *const words[] = {" to ", " and ", " or ", "-", "\xE2\x80\x93", "\xE2\x80\x94"};
  for (size_t i = 0; i + 1 < s->number_count; i++) {
    struct stated_number *a = &s->numbers[i];
    const struct stated_number *b = a + 1;
    int between = 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      between |= b->start == a->end + strlen(words[k]) && slice_at_nocase(t, a->end, words[k]);
    double scale = !b->scaled               ? 1
                   : fabs(b->value) >= 1e12 ? 1e12
                   : fabs(b->value) >= 1e9  ? 1e9
                   : fabs(b->value) >= 1e6  ? 1e6
                                            : 1e3;
    double ratio = b->value == 0 ? 0 : fabs(a->value * scale / b->value);
    int cents = b->end >= 6 && slice_at_nocase(t, b->end - 6, " cents");
    if (between && cents && !a->scaled && !a->percent && !a->currency) { /* "from 22 to 27 cents" */
      a->value *= 0.01;
      a->last *= 0.01;
      a->currency = b->currency;
    }
    if (!between || a->scaled || a->percent || (!b->scaled && !b->percent) || ratio < 0.05 || ratio > 20)
      continue;
    a->value *= scale;
    a->last *= scale;
    a->scaled = b->scaled;
    a->percent = b->percent;
    a->points = b->points;
  }
}

/* "$209.6, $33.7 and $28.0 billion": the last one's scale is that of all amounts of the list. */
static void stated_lists(struct stated *s, struct slice t) {
  static const char *const joints[] = {", ", " and ", ", and "};
  for (size_t i = s->number_count; i-- > 1;) {
    struct stated_number *a = &s->numbers[i - 1];
    const struct stated_number *b = a + 1;
    int joined = 0;
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++)
      joined |= b->start == a->end + strlen(joints[k]) && slice_at_nocase(t, a->end, joints[k]);
    double scale = fabs(b->value) >= 1e12 ? 1e12 : fabs(b->value) >= 1e9 ? 1e9 : 1e6;
    if (!joined || a->scaled || !b->scaled || !a->currency || a->currency != b->currency || b->percent ||
        fabs(a->value) >= 1e3 || fabs(b->value) < 1e6 || (b->last < scale && a->last >= 1))
      continue;
    a->value *= scale;
    a->last *= scale;
    a->scaled = 1;
  }
}

void numbers_share_scales(struct stated *s, struct slice t) {
  stated_ranges(s, t);
  stated_lists(s, t);
}
