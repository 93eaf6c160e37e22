/* chroma.h: a Chroma server, by its HTTP API v2 (chromadb 1.x): requests, retries, the token, what its refusals mean.
 *
 * An address is chroma+http://HOST[:PORT][/TENANT/DATABASE] (or chroma+https://), by default port 8000, default_tenant and
 * default_database.  It comes from the user's command line alone, so it may be of this machine or a private network.
 * $BID_CHROMA_TOKEN is sent as X-Chroma-Token, or as Authorization where it begins with "Bearer " or "Basic "; never
 * over plain http:// but to this machine, and never shown.
 */
#ifndef BID_CHROMA_H
#define BID_CHROMA_H

#include "net/http.h"
#include "store/store.h"

#define CHROMA_ANSWER_MAX ((uint64_t)512 << 20) /* bytes of an answer */

struct chroma;

int chroma_is_address(const char *text);

/* Asks the server what it takes at once.  *c is NULL where it fails. */
enum store_status chroma_open(struct chroma **c, const char *address, struct error_text *e);
void chroma_close(struct chroma *c); /* NULL allowed */

/* The address without its token, for messages; most rows of a request. */
const char *chroma_name(const struct chroma *c);
size_t chroma_batch(const struct chroma *c);

struct chroma_call {
  const char *method; /* "GET", "POST" */
  struct buf path;    /* behind the database: "/collections", or from the root: "//pre-flight-checks" */
  struct buf body;    /* JSON, or empty */
  struct http_response response; /* its body is valid JSON where status is STORE_OK */
  enum store_status status;
  struct error_text e;
};
void chroma_call_init(struct chroma_call *call, const char *method);
void chroma_call_release(struct chroma_call *call);

/* Carries them out, some at a time, and tries again what may pass.  Each has its status; the first that is not STORE_OK
 * is returned, with *e. */
enum store_status chroma_perform(struct chroma *c, struct chroma_call *calls, size_t count,
                                 struct error_text *e);

/* ---- collections ---- */

struct chroma_collection {
  char *name, *model;
  char id[40];
  uint32_t dims; /* 0: nothing is in it */
};

struct chroma_collections {
  struct chroma_collection *list;
  size_t count, cap;
};

/* All of them, by name. */
enum store_status chroma_list(struct chroma *c, struct chroma_collections *all, struct error_text *e);
void chroma_collections_release(struct chroma_collections *all);

/* Makes the collection where there is none, for vectors of the model, and adds it to `all`. */
enum store_status chroma_make(struct chroma *c, struct chroma_collections *all, const char *name,
                              const char *model, uint32_t dims, struct chroma_collection **made,
                              struct error_text *e);

#endif
