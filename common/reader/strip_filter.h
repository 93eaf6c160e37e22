/* strip_filter.h: the filter bid-strip: payload records or files in, document records out. */
#ifndef BID_STRIP_FILTER_H
#define BID_STRIP_FILTER_H

#include "base/digest.h"
#include "base/hash.h"
#include "reader/strip.h"
#include "record/program.h"

enum { STRIP_FILTER_ITEMS = 64 };

struct strip_filter {
  struct program *p;
  struct stripper *stripper;
  const struct record *rec; /* the current payload; NULL with --raw */
  struct slice metadata, source, url;
  struct buf raw, scratch, text; /* decoded payload, JSON text, cut text */
  const char *type;              /* --raw: declared type of the files, or NULL */
  const char *raw_url;           /* --raw: URL of the file */
  char raw_digest[DIGEST_HEX];
  char items[STRIP_FILTER_ITEMS][16];
  size_t item_count;
  struct hash_counts parts; /* names of its parts so far */
  size_t shown, matched;    /* documents of this payload; those with a requested item */
  double documents, text_bytes, unsure;
};

/* The caller keeps p and everything that `o` refers to. */
void strip_filter_init(struct strip_filter *r, struct program *p, const struct strip_options *o);
void strip_filter_release(struct strip_filter *r);

/* Restricts output to these items: "1A,7", "II-1A".  0, or -1 where the list is malformed. */
int strip_filter_items(struct strip_filter *r, const char *list);

/* Processes the program's operands, or stdin: payload records, or with r->raw files (r->type: their declared type, or
 * NULL). */
void strip_filter_records(struct strip_filter *r);
void strip_filter_files(struct strip_filter *r);

#endif
