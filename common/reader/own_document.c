/* own_document.c: finds the day, period, title and company of a document that no source has described. */
#include "reader/own_document.h"

#include "filing/cover.h"

#include <string.h>

#define TITLE_WITHIN 600 /* bytes of text in which a first heading is the document's title */

const char *own_document_name(const struct metadata *m) {
  const char *part = metadata_get(m, METADATA_FILE_NAME), *slash = strrchr(part, '/');
  return slash ? slash + 1 : *part ? part : m->own ? m->own : "";
}

int own_document_is_placeholder(struct slice title) {
  static const char *const words[] = {
      "untitled", "(anonymous)", "(unspecified)", "word document", "powerpoint presentation", NULL};
  return slice_among_nocase(title, words);
}

static int is_prose(enum content_kind kind) {
  return kind == CONTENT_HTML || kind == CONTENT_TEXT || kind == CONTENT_PDF || kind == CONTENT_MARKDOWN ||
         kind == CONTENT_DOCX;
}

static int own_has_time(const struct metadata *m) {
  return *metadata_get(m, METADATA_FILING_DATE) || *metadata_get(m, METADATA_REPORT_DATE);
}

void own_document_file_day(struct metadata *m) {
  metadata_set_date(m, METADATA_FILE_DATE, slice_str(m->changed));
  if (!own_has_time(m) && *m->changed && cover_is_past(m->changed))
    metadata_set_date(m, METADATA_FILING_DATE, slice_str(m->changed));
}

/* A filing by its cover, name and signatures; all else by its first lines, its name, its properties. */
static void own_document_time(const struct doc *d, enum content_kind kind, struct metadata *m) {
  int known = own_has_time(m), filing = *metadata_get(m, METADATA_FORM) != '\0';
  int first_lines = is_prose(kind) || (kind == CONTENT_PPTX && !filing);
  if (filing) {
    cover_event(d, m);
    cover_signed(d, own_document_name(m), m);
  }
  if (!known && first_lines && !filing)
    cover_period(d, m);
  if (!known && is_prose(kind) && !(filing && own_has_time(m)))
    cover_date(d, m);
  if (!known && !*metadata_get(m, METADATA_FILING_DATE))
    cover_name_date(own_document_name(m), m);
  if (!known && !*metadata_get(m, METADATA_FILING_DATE))
    cover_name_date(m->own, m);
  own_document_file_day(m);
}

/* The first heading, except of data, where it is the name of a sheet or a member. */
static void own_document_title(const struct doc *d, enum content_kind kind, struct metadata *m) {
  if ((is_prose(kind) || kind == CONTENT_PPTX) && d->outline_count && d->outline[0].offset < TITLE_WITHIN)
    metadata_set(m, METADATA_TITLE, slice_str(d->outline[0].title));
}

static void own_document_company(const struct doc *d, const struct strip_options *o, struct metadata *m) {
  int given = *metadata_get(m, METADATA_TICKER) || *metadata_get(m, METADATA_CIK);
  if (*metadata_get(m, METADATA_COMPANY))
    return;
  if (o->company)
    o->company(o->company_arg, d, m);
  if (m->maker && !given)
    metadata_set(m, METADATA_COMPANY, slice_str(m->maker));
}

void own_document_describe(const struct doc *d, enum content_kind kind, const struct strip_options *o,
                           struct metadata *m) {
  own_document_time(d, kind, m);
  own_document_company(d, o, m);
  own_document_title(d, kind, m);
}
