/* metadata.h: metadata of a document, and completing a record's `metadata` object.
 *
 * Values that the record already has stay byte for byte; only missing members are added.
 */
#ifndef BID_METADATA_H
#define BID_METADATA_H

#include "base/buf.h"
#include "tables/metadata.h"

/* METADATA_COMPANY and so on. */
enum metadata_field {
#define X(name, text) METADATA_##name,
  METADATA_FIELDS(X)
#undef X
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
