/* payload.h: payload records, bid-records(5). */
#ifndef BID_PAYLOAD_H
#define BID_PAYLOAD_H

#include "base/buf.h"

struct payload {
  struct slice carried; /* raw members from the job, without the opening '{'; or empty */
  const char *source, *source_url, *captured, *content_type;
  struct slice bytes;
  struct slice metadata; /* a JSON object, or empty */
  struct slice told;     /* defaults from the job for what metadata lacks: an object, or empty */
  int cached, truncated;
  const char *member; /* member of an archive, added to metadata; or NULL */
  long long rows;     /* number of rows, added to metadata where not negative */
};

/* Appends the union of both objects without its closing brace; metadata wins; either may be empty. */
void payload_add_metadata(struct buf *out, struct slice metadata, struct slice told);

/* Appends the record.  rawContent holds the text where bytes are UTF-8 without '\0', else base64.  0, or -1 where the
 * record would exceed RECORD_MAX; out is then unchanged. */
int payload_add(struct buf *out, const struct payload *p);

#endif
