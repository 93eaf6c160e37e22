/* strip_parts.h: the parts of full submissions, archives and mails, each of which is a document. */
#ifndef BID_STRIP_PARTS_H
#define BID_STRIP_PARTS_H

#include "format/content_type.h"
#include "reader/strip.h"

/* one: converts the bytes of a part with its declared type; arg is passed on to it.  Each part is given to it, or a fault to ev. */
struct strip_parts {
  void (*one)(void *arg, struct slice bytes, struct slice declared, struct metadata *m,
              const struct strip_events *ev);
  void *arg;
  const struct strip_events *ev;
};

/* m holds what is known of the whole, and is completed from a submission's header. */
void strip_parts_of_submission(const struct strip_parts *p, struct slice bytes, struct metadata *m);
void strip_parts_of_container(const struct strip_parts *p, struct slice bytes, enum content_kind kind,
                              const struct metadata *m);

#endif
