/* stored_text.h: documents of the store read whole again, from their passages. */
#ifndef BID_STORED_TEXT_H
#define BID_STORED_TEXT_H

#include "store/store.h"

struct stored_choice {
  const char *company; /* ticker, CIK or name; NULL: any */
  const char *form;    /* "10-K"; NULL: any */
  const char
      *exhibit; /* documents of exhibits with this type ("EX-99.1"); NULL: none of them, "": any document */
};

struct stored_place {
  const struct store_segment *seg;
  uint32_t doc; /* index into seg->doc */
};

int stored_text_is_live(const struct stored_place *at);

/* Order of qsort: the newest first, by the day that they report on, then by filing day, then as they came. */
int stored_text_newest_first(const void *a, const void *b);

/* The live documents that are meant, newest first.  *list is the caller's to free; their number in *count.  A document in several collections comes
 * once. */
enum store_status stored_text_find(const struct store_snapshot *snap, const struct stored_choice *c,
                                   struct stored_place **list, size_t *count, struct error_text *e);

/* Where in the text that was read a passage stands; what two passages share belongs to both. */
struct stored_span {
  size_t from, to;
};

/* Appends the document's text, or of an item ("7", "II-1A") its passages, in order: what two passages share is given
 * once, and the white space between two is that of the document as far as their offsets tell its length.  json, which
 * may be NULL, gets the document's shared fields; spans, which may be NULL, a span for each of the document's rows (empty
 * for one that is not of the item).  STORE_ABSENT where the document has no such item. */
enum store_status stored_text_read(const struct store_snapshot *snap, const struct stored_place *at,
                                   const char *item, struct buf *text, struct buf *json,
                                   struct stored_span *spans, struct error_text *e);

/* The ids of live passages that begin with the prefix (hex digits): their number, and the first of them in full. */
size_t stored_text_ids(const struct store_snapshot *snap, const char *prefix, char first[33]);

#endif
