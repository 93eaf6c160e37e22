/* strip.h: from the bytes of a payload to documents; the core of bid-strip. */
#ifndef BID_STRIP_H
#define BID_STRIP_H

#include "format/content_type.h"
#include "document/doc.h"
#include "record/metadata.h"

#define STRIP_MAX_TEXT ((size_t)32 << 20) /* default limit of a document's text, in bytes */

struct strip_options {
  /* Names the company of a local document that doesn't say it in a machine-readable way or on a cover; NULL: stays unknown. */
  void (*company)(void *arg, const struct doc *d, struct metadata *m);
  void *company_arg;
  int keep_furniture; /* keep running headers and page numbers */
  struct doc_options out;
};

/* Called for the results of a payload, in order; the callback may modify d and m.  confidence: in the items found; -1
 * where the form has none. */
struct strip_events {
  void (*document)(void *arg, struct doc *d, const struct metadata *m, double confidence);
  void (*fault)(void *arg, const char *category, const char *message); /* category: see error.h */
  void *arg;
};

struct stripper;

struct stripper *strip_new(const struct strip_options *o);
void strip_free(struct stripper *s);

/* Converts the bytes of a payload with its declared type (MIME type or file extension, or empty).  m holds known
 * metadata and is completed.  A full submission yields one document per part.  Every part yields a document or a
 * fault, except those omitted, which are counted in m->omitted of all its documents. */
void strip_payload(struct stripper *s, struct slice bytes, struct slice declared, struct metadata *m,
                   const struct strip_events *events);

#endif
