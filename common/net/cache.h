/* cache.h: the disk cache of fetched bodies, content-addressed and safe for concurrent processes.
 *
 *     FOLDER/objects/AB/SHA256      a body, named by its digest
 *     FOLDER/answers/AB/SHA256      a small JSON object per request: validators, times, the body's digest
 *
 * Files are written under a temporary name and renamed, so a reader sees a complete file or none.  A body whose size
 * doesn't match its answer counts as missing.  The size limit is enforced by evicting the least recently
 * used bodies.  Losing any file costs a download, never a wrong answer.
 */
#ifndef BID_CACHE_H
#define BID_CACHE_H

#include "base/digest.h"
#include "base/diag.h"

#include <stdint.h>

struct cache {
  char *folder;
  uint64_t max_bytes; /* limit of all bodies; may be exceeded briefly by one that is being written */
};

/* One cached answer.  Strings are empty where unknown. */
struct cache_entry {
  char content_type[256], etag[256], last_modified[64];
  double fetched; /* Unix time when the body was downloaded */
  double checked; /* Unix time when the server last confirmed that it is current */
  uint64_t size;
  int truncated;
  char sha256[DIGEST_HEX];
  char host[256]; /* that the answer came from, where a redirect led away from the URL's own; else "" */
};

/* Creates the folder and opens the cache.  0, or -1 with why. */
int cache_open(struct cache *c, const char *folder, uint64_t max_bytes, struct error_text *why);
void cache_close(struct cache *c);

/* Computes the key of a request from everything that its answer depends on (URL without secrets, Accept, ...). */
void cache_key(struct slice request, char key[DIGEST_HEX]);

/* Looks up a request.  1 with *entry where there is an answer and a body of the right size, else 0. */
int cache_find(const struct cache *c, const char *key, struct cache_entry *entry);

/* The body.  cache_read() appends it to out: 0, or -1 where it is missing, damaged or exceeds out's ceiling.
 * cache_body_fd() opens it for reading from its start: a descriptor, or -1 where it is missing or damaged.  Bodies above
 * 64 MiB are checked by their size only. */
int cache_read(const struct cache *c, const struct cache_entry *entry, struct buf *out);
int cache_body_fd(const struct cache *c, const struct cache_entry *entry);

/* Appends the path of a body. */
void cache_body_path(const struct cache *c, const struct cache_entry *entry, struct buf *out);

/* A body being written. */
struct cache_writer {
  int fd;
  char *path;
  struct digest digest;
  uint64_t size;
};

/* Starts a body in a temporary file.  0, or -1 with why.  End it with cache_write_commit() or cache_write_drop(). */
int cache_write_start(struct cache *c, struct cache_writer *w, struct error_text *why);
int cache_write(struct cache_writer *w, const void *data, size_t len); /* 0, or -1 with errno */
void cache_write_drop(struct cache_writer *w);

/* Moves the body into place and writes its answer; sets entry->size and ->sha256.  url is stored for information
 * only.  0, or -1 with why; releases the writer in both cases. */
int cache_write_commit(struct cache *c, struct cache_writer *w, const char *key, const char *url,
                       struct cache_entry *entry, struct error_text *why);

/* Stores a body from memory with its answer, as cache_write_commit() does.  Failing is harmless: it is fetched or computed
 * again. */
void cache_keep(struct cache *c, const char *key, const char *url, struct cache_entry *entry,
                struct slice body);

/* Rewrites the answer (validators and times) without the body.  0, or -1 with errno. */
int cache_update(struct cache *c, const char *key, const char *url, const struct cache_entry *entry);

#endif
