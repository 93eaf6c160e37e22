/* chroma.h: a client for Chroma servers, HTTP API v2 (chromadb 1.x): requests, retries, authentication, and mapping
 * of errors.
 *
 * An address is chroma+http://HOST[:PORT][/TENANT/DATABASE] (or chroma+https://), by default port 8000,
 * default_tenant and default_database.  It only comes from the user's command line, so private addresses are allowed.
 * $BID_CHROMA_TOKEN is sent as X-Chroma-Token, or as Authorization where it begins with "Bearer " or "Basic "; over
 * plain http:// only to this machine.  It is never displayed.
 */
#ifndef BID_CHROMA_H
#define BID_CHROMA_H

#include "net/http.h"
#include "record/json.h"
#include "store/store.h"

#define CHROMA_ANSWER_MAX ((uint64_t)512 << 20) /* limit of an answer in bytes */

struct chroma;

int chroma_is_address(const char *text);

/* Connects and reads the server's batch limit. *c is NULL on failure. */
enum store_status chroma_open(struct chroma **c, const char *address, struct error_text *e);
void chroma_close(struct chroma *c); /* c may be NULL */

/* chroma_name(): the address without its token, for messages. chroma_batch(): maximum number of rows per request. */
const char *chroma_name(const struct chroma *c);
size_t chroma_batch(const struct chroma *c);

struct chroma_call {
  const char *method; /* "GET", "POST" */
  struct buf path;    /* below the database: "/collections", or below the API root: "//pre-flight-checks" */
  struct buf body;    /* JSON, or empty */
  struct http_response response; /* its body is valid JSON where status is STORE_OK */
  enum store_status status;
  struct error_text e;
  size_t collection; /* the caller's */
};
void chroma_call_init(struct chroma_call *call, const char *method);
void chroma_call_release(struct chroma_call *call);

/* Performs the calls, several at a time, and retries temporary failures.  Each call gets its status; the first one
 * other than STORE_OK is returned, with *e. */
enum store_status chroma_perform(struct chroma *c, struct chroma_call *calls, size_t count,
                                 struct error_text *e);

/* ---- collections ---- */

struct chroma_collection {
  char *name, *model;
  char id[40];
  uint32_t dims; /* 0: the collection is empty */
};

struct chroma_collections {
  struct chroma_collection *list;
  size_t count;
};

/* Lists all collections by name. */
enum store_status chroma_list(struct chroma *c, struct chroma_collections *all, struct error_text *e);
void chroma_collections_release(struct chroma_collections *all);

/* Creates the collection for the model's vectors where it doesn't exist, and adds it to `all`. */
enum store_status chroma_make(struct chroma *c, struct chroma_collections *all, const char *name,
                              const char *model, uint32_t dims, struct error_text *e);

/* converts passages to rows of a Chroma collection and back.
 *
 * A row has the passage's id, its text as the document, its vector, and flat metadata:
 *
 *   sourceUrl, source, item, context, and every string, boolean and number of the record's metadata (company,
 *   ticker, form, filingDate, ...) under its own name, for filtering; filingDay and reportDay, dates as numbers
 *   (20251031), since Chroma compares only numbers
 *   bid_document, bid_chunk, bid_extra     the other fields of the document, of the chunk and of the passage, as JSON
 *   bid_scale                              as in the store; omitted where not set
 *   bid_hash                               of the document: 32 hex digits, the same in all its rows
 *   bid_order, bid_row, bid_rows           position of the document, the passage's number in it, and their count
 *
 * Members for filtering are copies of the JSON; only the JSON is read back.
 */

/* A document to be sent, with its content hash and its position among others. */
struct chroma_document {
  const struct store_document *d;
  uint64_t hash[2];
  uint64_t order;
};

/* Builds the lists of an upsert's body for rows [from, to); repeated calls extend the lists. */
enum chroma_list { CHROMA_IDS, CHROMA_TEXTS, CHROMA_METADATAS, CHROMA_VECTORS, CHROMA_LISTS };
struct chroma_body {
  struct buf lists[CHROMA_LISTS];
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
  struct slice lists[CHROMA_LISTS];
  struct json_cursor at[CHROMA_LISTS];
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

/* Calls f with the first row of each document that BID wrote. */
typedef void chroma_document_function(void *arg, const struct chroma_row *row,
                                      const struct chroma_place *place);
enum store_status chroma_each_document(struct chroma *c, const struct chroma_collection *from,
                                       chroma_document_function *f, void *arg, struct error_text *e);

/* Whether a decoded id is a passage id: 32 hex digits. */
int chroma_row_is_id(struct slice id);

/* Reads a row's vector into x[VECTOR_DIMS_MAX]; returns its dimensions, or 0 where there is no valid vector. */
uint32_t chroma_row_vector(const struct chroma_row *row, float *x);

#endif
