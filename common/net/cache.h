/* cache.h: what was fetched, on disk, content-addressed and safe among processes.
 *
 *     FOLDER/objects/AB/SHA256      a body, named by its digest
 *     FOLDER/answers/AB/SHA256      a small JSON object a request: validators, times, the body's digest
 *
 * Files are written beside their place and renamed, so a reader sees a whole one or none.  A body whose size
 * or digest is not what its answer says counts as absent.  A size limit is kept by taking out the longest
 * unused bodies.  Losing any file costs a download, never a wrong answer.
 */
#ifndef BID_CACHE_H
#define BID_CACHE_H

#include "base/digest.h"
#include "base/diag.h"

#include <stdint.h>

struct cache {
  char *folder;
  uint64_t max_bytes; /* of bodies; exceeded for a moment at most by what is being written */
};

/* One answer.  Strings are empty where unknown. */
struct cache_entry {
  char content_type[256], etag[256], last_modified[64];
  double fetched; /* Unix time of the bytes */
  double checked; /* Unix time when the server last said that they still hold */
  uint64_t size;
  int truncated;
  char sha256[DIGEST_HEX];
};

/* Makes the folder.  0, or -1 with why. */
int cache_open(struct cache *c, const char *folder, uint64_t max_bytes, struct error_text *why);
void cache_close(struct cache *c);

/* Key of a request: whatever tells two answers apart (URL without secrets, Accept, ...). */
void cache_key(struct slice request, char key[DIGEST_HEX]);

/* Looks a request up.  1 with *entry where its answer and a body of the right size are there, else 0. */
int cache_find(const struct cache *c, const char *key, struct cache_entry *entry);

/* The body, checked against its digest: appended to out (0, or -1 where it is gone or damaged or past out's
 * ceiling), or opened for reading (a descriptor, or -1; a large file is not digested again). */
int cache_read(const struct cache *c, const struct cache_entry *entry, struct buf *out);
int cache_body_fd(const struct cache *c, const struct cache_entry *entry);

/* Path of a body. */
void cache_body_path(const struct cache *c, const struct cache_entry *entry, struct buf *out);

/* A body that is being written. */
struct cache_writer {
  int fd;
  char *path;
  struct digest digest;
  uint64_t size;
};

int cache_write_start(struct cache *c, struct cache_writer *w, struct error_text *why);
int cache_write(struct cache_writer *w, const void *data, size_t len); /* 0, or -1 with errno */
void cache_write_drop(struct cache_writer *w);

/* Puts the body in its place and the answer beside it; entry->size and ->sha256 are set here.  url is stored
 * for people.  0, or -1 with why; the writer is done with either way. */
int cache_write_commit(struct cache *c, struct cache_writer *w, const char *key, const char *url,
                       struct cache_entry *entry, struct error_text *why);

/* Writes the answer alone (validators and times anew).  0, or -1 with errno. */
int cache_update(struct cache *c, const char *key, const char *url, const struct cache_entry *entry);

#endif
