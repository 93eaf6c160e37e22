/* metadata.h: metadata of a document, and completing a record's `metadata` object.
 *
 * Values that the record already has stay byte for byte; only missing members are added.
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
  METADATA_ACCEPTED,      /* ISO 8601, UTC where it is read from a header */
  METADATA_REPORT_DATE,   /* YYYY-MM-DD */
  METADATA_FISCAL_YEAR,   /* "2025" */
  METADATA_FISCAL_PERIOD, /* "FY", "Q1" ... */
  METADATA_ACCESSION,     /* with dashes */
  METADATA_PRIMARY,       /* primaryDocument: file name */
  METADATA_TITLE,
  METADATA_TYPE,      /* documentType: "EX-99.1" */
  METADATA_ITEMS,     /* 8-K items as sent, separated by commas */
  METADATA_FILE_NAME, /* fileName: file name of a part of a submission */
  METADATA_EXHIBIT,   /* exhibit: "EX-99.1"; set for exhibits only */
  METADATA_FILE_DATE, /* fileDate: YYYY-MM-DD, when an own file was changed last, by its properties; says nothing of its text */
  METADATA_COUNT
};

/* Initialise with {0}.  Strings are owned, NULL where unknown. */
struct metadata {
  char *value[METADATA_COUNT];
  int part;         /* sequence number in a full submission, 0 where it is not part of one */
  int pages;        /* 0 for unknown */
  int truncated;    /* the text was cut at the ceiling */
  const char *own;  /* name of a local file, to be searched for a date; NULL for a source's document */
  char *maker;      /* owned; the company whose program wrote the file, by its properties, or NULL */
  char changed[11]; /* YYYY-MM-DD: when the file was changed last, by its properties, or "" */
  char *doubt;   /* owned; a contradiction between the text and the metadata supplied, for display, or NULL */
  char *omitted; /* owned; JSON object with counts of omitted things by kind, or NULL */
  char *bare_pages; /* owned; JSON array of the pages without text, or NULL */
};

void metadata_release(struct metadata *m);

/* Fills m from the string members of a JSON object (an empty slice has none). */
void metadata_load(struct metadata *m, struct slice object);

/* Set a field that is still unknown.  Surrounding blanks are trimmed and empty values ignored; invalid UTF-8 is
 * replaced when the value is written.  metadata_set_date takes YYYYMMDD or YYYY-MM-DD and ignores anything else;
 * metadata_set_cik pads to 10 digits. */
void metadata_set(struct metadata *m, enum metadata_field f, struct slice value);
void metadata_set_date(struct metadata *m, enum metadata_field f, struct slice value);
void metadata_set_cik(struct metadata *m, struct slice value);

/* The value, or "" where unknown; valid until the field is set or m released. */
const char *metadata_get(const struct metadata *m, enum metadata_field f);

/* Copies every field that is unknown in `to`. */
void metadata_inherit(struct metadata *to, const struct metadata *from);

/* Appends `"metadata":{...}` to an open object: the members of `given` (a JSON object or empty) unchanged, then the
 * members of m that it lacks. */
void metadata_write(struct buf *out, const struct metadata *m, struct slice given);

#endif
