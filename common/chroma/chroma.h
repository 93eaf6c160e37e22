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
  size_t count, cap;
};

/* Lists all collections by name. */
enum store_status chroma_list(struct chroma *c, struct chroma_collections *all, struct error_text *e);
void chroma_collections_release(struct chroma_collections *all);

/* Creates the collection for the model's vectors where it doesn't exist, and adds it to `all`. */
enum store_status chroma_make(struct chroma *c, struct chroma_collections *all, const char *name,
                              const char *model, uint32_t dims, struct chroma_collection **made,
                              struct error_text *e);

#endif
