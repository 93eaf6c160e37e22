/* strip.h: from the bytes of a payload to documents: what bid-strip does to a record. */
#ifndef BID_STRIP_H
#define BID_STRIP_H

#include "format/content_type.h"
#include "document/doc.h"
#include "html/html.h"
#include "record/metadata.h"

#define STRIP_MAX_TEXT ((size_t)32 << 20) /* default ceiling of a document's text, bytes */

struct strip_options {
  enum doc_tables tables;
  int plain;
  int keep_furniture; /* leave running headers and page numbers in */
  size_t max_text;
};

/* What comes of a payload, in order; d and m belong to the caller of the event and may be changed.
 * confidence: of the items found; -1 where the form has none. */
struct strip_events {
  void (*document)(void *arg, struct doc *d, const struct metadata *m, double confidence);
  void (*fault)(void *arg, const char *category, const char *message); /* category of error.h */
  void *arg;
};

struct stripper;

struct stripper *strip_new(const struct strip_options *o);
void strip_free(struct stripper *s);

/* Bytes of a payload with its declared type (MIME type or file extension, or empty).  m holds what is known
 * of it and is filled further.  A full submission yields a document a part.  Every part yields a document or
 * a fault, but those that are left out and counted in m->omitted of all its documents. */
void strip_payload(struct stripper *s, struct slice bytes, struct slice declared, struct metadata *m,
                   const struct strip_events *events);

#endif
