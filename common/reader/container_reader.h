/* container_reader.h: formats that contain documents: archives, mail messages, mailboxes; and data: JSON, CSV.  Nested containers are
 * opened too. */
#ifndef BID_CONTAINER_READER_H
#define BID_CONTAINER_READER_H

#include "base/buf.h"
#include "document/doc.h"
#include "format/content_type.h"
#include "record/error.h"
#include "record/metadata.h"

#define CONTAINER_DEPTH 4                   /* nesting limit of containers */
#define CONTAINER_PARTS 10000               /* limit of documents per payload */
#define CONTAINER_MEMBER ((size_t)64 << 20) /* limit of a member in bytes */
#define CONTAINER_BYTES ((size_t)1 << 30)   /* limit of all members in bytes */

struct container_part {
  int number;       /* from 1, in order */
  const char *name; /* path in an archive; "2/report.pdf" for an attachment of a mail; "" for a message
                       itself */
  struct slice bytes;
  struct slice declared; /* MIME type, or extension of its name */
  const char *title;     /* a message's subject, or "" */
  const char *date;      /* a message's date, YYYY-MM-DD, or "" */
};

struct container_events {
  void (*part)(void *arg, const struct container_part *part);
  /* a part that can't be read, with its number and name; reading goes on */
  void (*fault)(void *arg, const struct container_part *part, const char *category, const char *message);
  void *arg;
};

/* Whether it holds other documents: an archive, a message, a mailbox. */
int container_reader_is(enum content_kind kind);

/* kind must satisfy container_reader_is(); events may be NULL.  Returns the number of parts and faults. */
int container_reader_read(struct slice bytes, enum content_kind kind, const struct container_events *events);

/* Converts JSON and CSV to readable documents.  JSON: members with scalar values become labelled values, arrays
 * of objects tables, objects with arrays of equal length (as in EDGAR's submissions lists) tables too, and
 * other objects headings.  Numbers keep their digits.  CSV: RFC 4180, separated by ',', ';' or tabs; one table
 * whose first row is the header. */

/* Fill d (cleared first) and the unknown fields of m; json must be valid.  0, or 1 where the text exceeded max_text. */
int data_reader_json(struct doc *d, struct slice json, const struct doc_options *o, struct metadata *m);
int data_reader_csv(struct doc *d, struct slice bytes, const struct doc_options *o);

#endif
