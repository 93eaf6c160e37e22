/* strip_metadata.c: metadata that a document states of itself, beside those that it was given. */
#include "reader/strip_metadata.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static int is_fiscal_year(struct slice s) {
  return s.len == 4 && strspn(s.data, "0123456789") >= 4;
}

static int is_period(struct slice s) {
  return slice_is(s, "FY") || (s.len == 2 && s.data[0] == 'Q' && s.data[1] >= '1' && s.data[1] <= '4');
}

/* Whether a word given as the company may denote it: its ticker, number, or a part of its name. */
static int given_names(const char *given, const struct html_facts *f) {
  size_t n = strlen(given);
  if (n == f->ticker.len && strncasecmp(given, f->ticker.data, n) == 0)
    return 1;
  for (size_t i = 0; i + n <= f->registrant.len; i++)
    if (strncasecmp(f->registrant.data + i, given, n) == 0)
      return 1;
  struct slice cik = f->cik;
  while (cik.len && *cik.data == '0')
    cik = slice_of(cik.data + 1, cik.len - 1);
  return cik.len && slice_is(cik, given + strspn(given, "0"));
}

/* For local files: records a contradiction between the metadata given and the document itself. */
static void doubt_company(struct metadata *m, struct slice company, struct slice ticker, const char *given) {
  char text[512];
  snprintf(text, sizeof text, "the document says that it is of %.*s%s%.*s%s, not of %.60s",
           (int)(company.len < 200 ? company.len : 200), company.data, ticker.len ? " (" : "",
           (int)(ticker.len < 60 ? ticker.len : 60), ticker.data ? ticker.data : "", ticker.len ? ")" : "",
           given);
  free(m->doubt);
  m->doubt = xstrdup(text);
}

static void doubt_facts(const struct html_facts *f, struct metadata *m) {
  const char *given = metadata_get(m, METADATA_TICKER);
  if (m->own && *given && f->registrant.len && f->ticker.len && !given_names(given, f))
    doubt_company(m, f->registrant, f->ticker, given);
}

/* Whether a word may be an abbreviation of a name: its letters occur in the name in this order, the first one at
 * the start. */
static int is_short_for(const char *word, const char *name) {
  if (tolower((unsigned char)*word) != tolower((unsigned char)*name))
    return 0;
  for (; *word && *name; name++)
    word += tolower((unsigned char)*word) == tolower((unsigned char)*name);
  return *word == '\0';
}

void strip_metadata_doubt_cover(struct metadata *m, int had_company) {
  const char *given = metadata_get(m, METADATA_TICKER), *company = metadata_get(m, METADATA_COMPANY);
  if (m->own && *given && !had_company && *company && !is_short_for(given, company))
    doubt_company(m, slice_str(company), slice_of(NULL, 0), given);
}

void strip_metadata_add_facts(const struct html_facts *f, struct metadata *m) {
  doubt_facts(f, m);
  metadata_set(m, METADATA_COMPANY, f->registrant);
  metadata_set(m, METADATA_TICKER, f->ticker);
  metadata_set_cik(m, f->cik);
  metadata_set(m, METADATA_FORM, f->document_type);
  metadata_set_date(m, METADATA_REPORT_DATE, f->period_end);
  if (is_fiscal_year(f->fiscal_year))
    metadata_set(m, METADATA_FISCAL_YEAR, f->fiscal_year);
  if (is_period(f->fiscal_period))
    metadata_set(m, METADATA_FISCAL_PERIOD, f->fiscal_period);
  if (!slice_is(f->title, "Document") && !slice_eq(f->title, f->document_type)) /* placeholder title */
    metadata_set(m, METADATA_TITLE, f->title);
}
