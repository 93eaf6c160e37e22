/* container_reader.h: formats that contain documents: archives, mail messages, mailboxes.  Nested containers are
 * opened too. */
#ifndef BID_CONTAINER_READER_H
#define BID_CONTAINER_READER_H

#include "base/buf.h"
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

#endif
