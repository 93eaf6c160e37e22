/* strip_filter.h: bid-strip's work: payload records or files in, document records out. */
#ifndef BID_STRIP_FILTER_H
#define BID_STRIP_FILTER_H

#include "base/digest.h"
#include "reader/strip.h"
#include "record/program.h"

enum { STRIP_FILTER_ITEMS = 64 };

struct strip_filter {
  struct program *p;
  struct stripper *stripper;
  const struct record *rec; /* of the payload at hand; NULL with --raw */
  struct slice metadata, source, url;
  struct buf raw, scratch, text; /* decoded payload, JSON text, cut text */
  const char *type;              /* --raw: declared type of the files, or NULL */
  const char *raw_url;           /* --raw: the file's URL */
  char raw_digest[DIGEST_HEX];
  char items[STRIP_FILTER_ITEMS][16];
  size_t item_count;
  size_t shown, matched; /* documents of this payload; of them with an item asked for */
  double documents, text_bytes, omitted_items, unsure;
};

/* p and what `o` points to stay the caller's. */
void strip_filter_init(struct strip_filter *r, struct program *p, const struct strip_options *o);
void strip_filter_release(struct strip_filter *r);

/* Only these items: "1A,7", "II-1A".  0, or -1 where it is no list of items. */
int strip_filter_items(struct strip_filter *r, const char *list);

/* The program's operands, or stdin: payload records, or files as they are (r->type: their declared type, or NULL). */
void strip_filter_records(struct strip_filter *r);
void strip_filter_files(struct strip_filter *r);

#endif
