/* container_reader.h: what holds documents: archives, mail messages, mailboxes.  Containers inside containers are
 * opened too.
 */
#ifndef BID_CONTAINER_READER_H
#define BID_CONTAINER_READER_H

#include "base/buf.h"
#include "format/content_type.h"
#include "record/error.h"
#include "record/metadata.h"

#define CONTAINER_DEPTH 4                   /* containers inside each other */
#define CONTAINER_PARTS 10000               /* documents of a payload */
#define CONTAINER_MEMBER ((size_t)64 << 20) /* bytes of a member */
#define CONTAINER_BYTES ((size_t)1 << 30)   /* bytes of all members together */

struct container_part {
  int number;       /* from 1, in order */
  const char *name; /* path in an archive, "2/report.pdf" of a mail's attachment; "" for a message itself */
  struct slice bytes;
  struct slice declared; /* type, or extension of its name */
  const char *title;     /* a message's subject, or "" */
  const char *date;      /* a message's day, YYYY-MM-DD, or "" */
};

struct container_events {
  void (*part)(void *arg, const struct container_part *part);
  /* a part that can't be read, with its number and name; the others follow */
  void (*fault)(void *arg, const struct container_part *part, const char *category, const char *message);
  void *arg;
};

int container_reader_is(enum content_kind kind);

/* kind is one for which container_reader_is() holds.  The number of parts and faults. */
int container_reader_read(struct slice bytes, enum content_kind kind, const struct container_events *events);

#endif
