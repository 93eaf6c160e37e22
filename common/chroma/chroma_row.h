/* chroma_row.h: converts passages to rows of a Chroma collection and back.
 *
 * A row has the passage's id, its text as the document, its vector, and flat metadata:
 *
 *   sourceUrl, source, item, context, and every string, boolean and number of the record's metadata (company,
 *   ticker, form, filingDate, ...) under its own name, for filtering; filingDay and reportDay, dates as numbers
 *   (20251031), since Chroma compares only numbers
 *   bid_document, bid_chunk, bid_extra     the other fields of the document, of the chunk and of the passage, as JSON
 *   bid_boilerplate, bid_scale             as in the store; omitted where not set
 *   bid_hash                               of the document: 32 hex digits, the same in all its rows
 *   bid_order, bid_row, bid_rows           position of the document, the passage's number in it, and their count
 *
 * Members for filtering are copies of the JSON; only the JSON is read back.
 */
#ifndef BID_CHROMA_ROW_H
#define BID_CHROMA_ROW_H

#include "chroma/chroma.h"
#include "record/json.h"

/* A document to be sent, with its content hash and its position among others. */
struct chroma_document {
  const struct store_document *d;
  uint64_t hash[2];
  uint64_t order;
};

/* Builds the lists of an upsert's body for rows [from, to); repeated calls extend the lists. */
struct chroma_body {
  struct buf ids, texts, metadatas, vectors;
  size_t rows;
};
void chroma_body_init(struct chroma_body *b);
void chroma_body_release(struct chroma_body *b);
void chroma_body_clear(struct chroma_body *b);
void chroma_body_add(struct chroma_body *b, const struct chroma_document *doc, size_t from, size_t to);
/* Appends the complete body. */
void chroma_body_write(const struct chroma_body *b, struct buf *out);

/* A row of an answer: slices of the answer, raw JSON values. */
struct chroma_row {
  struct slice id, text, metadata, vector; /* empty where not requested */
};

/* Iterates over the rows of a get answer. */
struct chroma_rows {
  struct slice lists[4]; /* ids, documents, metadatas, embeddings */
  struct json_cursor at[4];
};
void chroma_rows_begin(struct chroma_rows *rows, struct slice answer);
int chroma_rows_next(struct chroma_rows *rows, struct chroma_row *row);

/* A row's place in its document. */
struct chroma_place {
  uint64_t order;
  uint32_t row, rows;
};
/* 0, or -1 where BID did not write the row. */
int chroma_row_place(const struct chroma_row *row, struct chroma_place *place);

/* Whether a decoded id is a passage id: 32 hex digits. */
int chroma_row_is_id(struct slice id);

/* Reads a row's vector into x[VECTOR_DIMS_MAX]; returns its dimensions, or 0 where there is no valid vector. */
uint32_t chroma_row_vector(const struct chroma_row *row, float *x);

#endif
