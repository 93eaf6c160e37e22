/* stored_text.h: reassembles stored documents from their passages. */
#ifndef BID_STORED_TEXT_H
#define BID_STORED_TEXT_H

#include "record/program.h"
#include "store/store_commands.h"
#include "store/store_subset.h"

struct stored_choice {
  const char *company; /* ticker, CIK or name; NULL: any */
  const char *form;    /* "10-K"; NULL: any */
  const char *exhibit; /* exhibits of this type ("EX-99.1"); NULL: no exhibits, "": any document */
  int primary;         /* no other documents of a filing either, such as the INFORMATION TABLE of a 13F-HR */
  const struct store_subset *subset; /* of these collections; NULL: any */
};

struct stored_place {
  const struct store_segment *seg;
  uint32_t doc; /* index in seg->doc */
};

/* Comparison for qsort: newest first by report date, then by filing date, then in the order added. */
int stored_text_newest_first(const void *a, const void *b);

/* Finds the selected live documents, newest first.  The caller frees *list, of length *count.  A document in several of
 * the wanted collections is listed once. */
enum store_status stored_text_find(const struct store_snapshot *snap, const struct stored_choice *c,
                                   struct stored_place **list, size_t *count, struct error_text *e);

/* The place of a passage in the text that was read; text shared by two passages belongs to both. */
struct stored_span {
  size_t from, to;
};

/* Appends the document's text, or the passages of an item ("7", "II-1A"), in order.  Overlaps of passages appear
 * once; white space between passages is restored as far as their offsets give its length.  json, which may be NULL,
 * gets the document's shared fields; spans, which may be NULL, a span for each of the document's rows (empty for rows
 * outside of the item).  STORE_ABSENT where the document has no such item. */
enum store_status stored_text_read(const struct store_snapshot *snap, const struct stored_place *at,
                                   const char *item, struct buf *text, struct buf *json,
                                   struct stored_span *spans, struct error_text *e);

/* ---- prints stored passages and documents, and lists the documents ---- */

/* "bid-store show": passages by id, or the newest document of a company and form, or an item of it. */
enum store_status stored_show(struct program *p, struct store *s, const struct store_call *call,
                              struct error_text *e);

/* "bid-store documents": the documents of all companies by name, or those of one, newest first: a line each for a
 * person, else a record of the fields that its passages share, with its collection and their number. */
enum store_status stored_documents(struct program *p, struct store *s, const struct store_call *call,
                                   struct error_text *e);

#endif
