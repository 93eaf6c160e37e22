/* payload.h: payload records, bid-records(5). */
#ifndef BID_PAYLOAD_H
#define BID_PAYLOAD_H

#include "base/buf.h"

struct payload {
  struct slice carried; /* members from the job, raw, behind their '{'; or empty */
  const char *source, *source_url, *captured, *content_type;
  struct slice bytes;
  struct slice metadata; /* a JSON object, or empty */
  struct slice told;     /* what the job tells of it, where metadata does not: an object, or empty */
  int cached, truncated;
  const char *member; /* of an archive; added to metadata; or NULL */
  long long rows;     /* added to metadata where not negative */
};

/* Appends the object that both make together, without its closing brace; either may be empty. */
void payload_add_metadata(struct buf *out, struct slice metadata, struct slice told);

/* Appends the record.  rawContent is the text where bytes are UTF-8 without '\0', else base64.  0, or -1
 * where it would be longer than a record may be (out is as before). */
int payload_add(struct buf *out, const struct payload *p);

#endif
