#include "facts/measure_near.h"

#include "tables/unreported.h"

enum { MEASURE_NEAR = 6 };

struct measure_near {
  struct slice name;
  double distance;
};

static void measure_near_add(struct measure_near near[MEASURE_NEAR], struct slice name, double distance) {
  size_t i = MEASURE_NEAR;
  for (size_t k = 0; k < MEASURE_NEAR; k++)
    if (near[k].name.len && slice_eq(near[k].name, name))
      return;
  while (i > 0 && distance < near[i - 1].distance) {
    if (i < MEASURE_NEAR)
      near[i] = near[i - 1];
    i--;
  }
  if (i < MEASURE_NEAR)
    near[i] = (struct measure_near){name, distance};
}

/* For a word of the table, only what the company reports is near. */
static void measure_say_near(const struct measure_context *x, struct slice asked, int known,
                             struct buf *why) {
  struct measure_near near[MEASURE_NEAR];
  for (size_t i = 0; i < MEASURE_NEAR; i++)
    near[i] = (struct measure_near){{NULL, 0}, 0.55};
  for (size_t i = 0; !known && i < x->table->word_count; i++) {
    struct slice list = x->table->words[i].words, one;
    while (concept_list_next(&list, ';', &one))
      measure_near_add(near, one, concept_distance(asked, one));
  }
  for (size_t i = 0; i < x->company->series_count; i++) {
    const struct fact_series *s = &x->company->series[i];
    double by_name = concept_distance(asked, s->concept), by_label = concept_distance(asked, s->label);
    measure_near_add(near, s->concept, by_name < by_label ? by_name : by_label);
  }
  for (size_t i = 0; i < MEASURE_NEAR && near[i].name.len; i++)
    buf_printf(why, "%s%.*s", i ? ", " : "; near: ", (int)near[i].name.len, near[i].name.data);
}

/* Whether text begins with a word that joins a figure to its part: "revenue of services". */
static int measure_joins(struct slice text) {
  static const char *const joins[] = {"of ", "in ", "from ", "for ", "by "};
  for (size_t i = 0; i < sizeof joins / sizeof *joins; i++)
    if (text.len > strlen(joins[i]) && strncasecmp(text.data, joins[i], strlen(joins[i])) == 0)
      return 1;
  return 0;
}

/* Whether a part stands before a figure's words or is joined to them: "iPhone revenue", "revenue in Japan".  What
 * follows directly, or after "per", makes another figure of it: "book value per share". */
static int measure_has_part(const struct measure_context *x, struct slice asked) {
  for (size_t i = 1; i + 1 < asked.len; i++) {
    struct slice before = slice_of(asked.data, i), behind = slice_of(asked.data + i + 1, asked.len - i - 1);
    if (asked.data[i] != ' ')
      continue;
    if (behind.len > 4 && strncasecmp(behind.data, "per ", 4) == 0)
      return 0;
    if (concept_word_find(x->table, behind) || (measure_joins(behind) && concept_word_find(x->table, before)))
      return 1;
  }
  return 0;
}

/* Why a figure is in filings' text, but not among XBRL facts; or NULL. */
static const char *measure_unreported(struct slice asked) {
  static const struct { const char *words, *why; } known[] = {UNREPORTED_FIGURE};
  static const char growth[] = " growth";
  size_t n = sizeof growth - 1;
  if (asked.len > n && strncasecmp(asked.data + asked.len - n, growth, n) == 0)
    asked.len -= n;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    struct slice list = slice_str(known[i].words), one;
    while (concept_list_next(&list, ';', &one))
      if (concept_same_words(one, asked))
        return known[i].why;
  }
  return NULL;
}

void measure_say_unreported(struct slice asked, struct buf *why) {
  const char *reason = measure_unreported(asked);
  if (reason)
    buf_printf(why, "'%.*s' is not reported in XBRL: %s; bid-search finds it in filings' text",
               (int)asked.len, asked.data, reason);
}

/* Explains why a figure is missing, where that is known: a word of the table or a valid concept name was never
 * reported. */
static void measure_say_none(const struct measure_context *x, struct slice asked, int known,
                             struct buf *why) {
  buf_printf(why, "'%.*s' ", (int)asked.len, asked.data);
  struct decimal number;
  if (decimal_parse(asked, &number) == 0) {
    buf_add_str(why, "is a number: a formula has words and concepts only");
    return;
  }
  int name = memchr(asked.data, ' ', asked.len) == NULL && *asked.data >= 'A' && *asked.data <= 'Z';
  if (known || name)
    buf_add_str(why, "was never reported");
  else if (measure_has_part(x, asked))
    buf_add_str(why,
                "is no figure that BID has a word or a formula for; of a segment, product or region, which "
                "company facts don't have, --segments shows what the newest report says, and bid-search what "
                "filings say");
  else
    buf_add_str(why, "is no figure that BID has a word or a formula for");
  if (x->unit.len && (known || name))
    buf_printf(why, " in %.*s", (int)x->unit.len, x->unit.data);
}

void measure_say_missing(const struct measure_context *x, struct slice asked, int known, struct buf *why) {
  const char *unreported = measure_unreported(asked);
  if (unreported && !known) {
    measure_say_unreported(asked, why);
    return;
  }
  measure_say_none(x, asked, known, why);
  if (unreported)
    buf_printf(why, ": %s", unreported);
  else
    measure_say_near(x, asked, known, why);
}
