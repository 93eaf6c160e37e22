/* metadata.h: what is known of a document, and filling the gaps of a record's `metadata` object.
 *
 * A value that the record brought stays byte for byte; only absent names are added.
 */
#ifndef BID_METADATA_H
#define BID_METADATA_H

#include "base/buf.h"

enum metadata_field {
  METADATA_COMPANY,
  METADATA_TICKER,
  METADATA_CIK,           /* 10 digits */
  METADATA_FORM,          /* "10-K" */
  METADATA_FILING_DATE,   /* YYYY-MM-DD */
  METADATA_ACCEPTED,      /* ISO 8601, UTC where a header's time is read */
  METADATA_REPORT_DATE,   /* YYYY-MM-DD */
  METADATA_FISCAL_YEAR,   /* "2025" */
  METADATA_FISCAL_PERIOD, /* "FY", "Q1" ... */
  METADATA_ACCESSION,     /* with dashes */
  METADATA_PRIMARY,       /* primaryDocument: file name */
  METADATA_TITLE,
  METADATA_TYPE,      /* documentType: "EX-99.1" */
  METADATA_ITEMS,     /* 8-K items as sent, comma between */
  METADATA_FILE_NAME, /* fileName: a part's own file name */
  METADATA_EXHIBIT,   /* exhibit: "EX-99.1", of an exhibit only */
  METADATA_COUNT
};

/* Initialise with {0}; owned strings, NULL where unknown. */
struct metadata {
  char *value[METADATA_COUNT];
  int part;        /* number in a full submission, 0 for none */
  int pages;       /* 0 for unknown */
  int truncated;   /* the text was cut at the ceiling */
  const char *own; /* name of one's own file, whose day is looked for; NULL of what a source sent */
  char *doubt;     /* owned; what contradicts the metadata that came with it, for people, or NULL */
  char *omitted;   /* owned JSON object of counts by kind, or NULL */
};

void metadata_release(struct metadata *m);

/* Fills m from the strings of a JSON object (an empty slice has none). */
void metadata_load(struct metadata *m, struct slice object);

/* Sets a field that is still unknown; blanks around the value are dropped, an empty one ignored, its bytes
 * made valid UTF-8 where they are written.  metadata_set_date takes YYYYMMDD or YYYY-MM-DD and ignores what
 * is neither; metadata_set_cik pads to 10 digits. */
void metadata_set(struct metadata *m, enum metadata_field f, struct slice value);
void metadata_set_date(struct metadata *m, enum metadata_field f, struct slice value);
void metadata_set_cik(struct metadata *m, struct slice value);

/* The value, or "". */
const char *metadata_get(const struct metadata *m, enum metadata_field f);

/* Copies every field that `to` has not. */
void metadata_inherit(struct metadata *to, const struct metadata *from);

/* Appends `"metadata":{...}` to an open object: the members of `given` (a JSON object or empty) unchanged,
 * then what m knows more. */
void metadata_write(struct buf *out, const struct metadata *m, struct slice given);

#endif
