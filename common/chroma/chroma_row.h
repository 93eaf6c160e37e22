/* chroma_row.h: passages as rows of a Chroma collection, and rows as passages again.
 *
 * A row has the passage's id, its text as the document, its vector, and as metadata, which are flat:
 *
 *   sourceUrl, source, item, context, and every text, truth value and number of the record's metadata (company,
 *   ticker, form, filingDate, ...) under its own name, to be filtered by; filingDay and reportDay, dates as numbers
 *   (20251031), since Chroma compares only these
 *   bid_document, bid_chunk, bid_extra     what the passage's document, its place and itself hold besides, as JSON
 *   bid_boilerplate, bid_scale             as in the store; left out where nothing is to be said
 *   bid_hash                               of the document: 32 hex digits, the same in all its rows
 *   bid_order, bid_row, bid_rows           when the document came, the passage's number in it, and how many there are
 *
 * What is to be filtered by is copied from the JSON; only that is read back.
 */
#ifndef BID_CHROMA_ROW_H
#define BID_CHROMA_ROW_H

#include "chroma/chroma.h"
#include "record/json.h"

/* A document on its way to Chroma, with what tells it apart and where it stands among others. */
struct chroma_document {
  const struct store_document *d;
  uint64_t hash[2];
  uint64_t order;
};

/* Appends the members of an upsert's body that hold rows [from, to), separated by commas where the lists aren't empty. */
struct chroma_body {
  struct buf ids, texts, metadatas, vectors;
  size_t rows;
};
void chroma_body_init(struct chroma_body *b);
void chroma_body_release(struct chroma_body *b);
void chroma_body_clear(struct chroma_body *b);
void chroma_body_add(struct chroma_body *b, const struct chroma_document *doc, size_t from, size_t to);
/* The whole body, appended. */
void chroma_body_write(const struct chroma_body *b, struct buf *out);

/* A row of an answer: raw JSON values, of the answer. */
struct chroma_row {
  struct slice id, text, metadata, vector; /* empty where they weren't asked for */
};

/* Walks over an answer of get. */
struct chroma_rows {
  struct slice lists[4]; /* ids, documents, metadatas, embeddings */
  struct json_cursor at[4];
};
void chroma_rows_begin(struct chroma_rows *rows, struct slice answer);
int chroma_rows_next(struct chroma_rows *rows, struct chroma_row *row);

/* What of a row says where it belongs. */
struct chroma_place {
  uint64_t order;
  uint32_t row, rows;
};
/* 0, or -1 where the row was not written by BID. */
int chroma_row_place(const struct chroma_row *row, struct chroma_place *place);

/* Whether a decoded id is a passage's: 32 hex digits. */
int chroma_row_is_id(struct slice id);

/* A row's vector into x[VECTOR_DIMS_MAX]; its dimensions, or 0 where it is none. */
uint32_t chroma_row_vector(const struct chroma_row *row, float *x);

#endif
