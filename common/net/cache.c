/* cache.c: the size limit.  FOLDER/usage holds the sum of all bodies' sizes; each writer adds to it under a lock.
 * Once it exceeds the limit, the writer lists the bodies, evicts the least recently used ones down to nine tenths of
 * the limit, and writes the exact sum.  If a writer dies, the sum is slightly wrong until then. */
#include "net/cache.h"

#include "record/json.h"
#include "base/paths.h"
#include "base/slice.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FREE_STEP ((uint64_t)16 << 20) /* bytes of a body between two checks of free disk space, */
#define FREE_LEFT ((uint64_t)64 << 20) /* and the free space that a body must leave */

#define ANSWER_MAX ((size_t)32 << 10)
#define DIGEST_AGAIN ((uint64_t)64 << 20) /* bodies up to this size are verified when read */
#define TIME_END 253402300800.0           /* the year 10000 */
#define TOUCH_AFTER 3600                  /* seconds between two updates of a body's access time */

static void path_of(const struct cache *c, const char *kind, const char *name, struct buf *out) {
  buf_init(out, 8192);
  buf_printf(out, "%s/%s/%.2s/%s", c->folder, kind, name, name);
}

void cache_close(struct cache *c) {
  free(c->folder);
  c->folder = NULL;
}

void cache_key(struct slice request, char key[DIGEST_HEX]) {
  digest_hex_of(request.data, request.len, key);
}

static void copy_member(struct slice answer, const char *name, char *out, size_t room) {
  struct buf scratch;
  buf_init(&scratch, ANSWER_MAX);
  struct slice text = json_text(json_get(answer, name), &scratch);
  if (text.len < room) {
    if (text.len)
      memcpy(out, text.data, text.len);
    out[text.len] = '\0';
  }
  buf_release(&scratch);
}

/* Parses an answer's file as written by cache_update(). */
static int parse_answer(struct slice answer, struct cache_entry *e) {
  memset(e, 0, sizeof *e);
  if (!json_is_valid(answer) || json_kind(answer) != '{')
    return -1;
  copy_member(answer, "contentType", e->content_type, sizeof e->content_type);
  copy_member(answer, "etag", e->etag, sizeof e->etag);
  copy_member(answer, "lastModified", e->last_modified, sizeof e->last_modified);
  copy_member(answer, "sha256", e->sha256, sizeof e->sha256);
  copy_member(answer, "host", e->host, sizeof e->host);
  e->fetched = json_to_double(json_get(answer, "fetched"), 0);
  e->checked = json_to_double(json_get(answer, "checked"), 0);
  e->size = (uint64_t)json_to_int(json_get(answer, "size"), -1);
  e->truncated = json_kind(json_get(answer, "truncated")) == 't';
  int is_time = e->fetched >= 0 && e->fetched < TIME_END;
  return is_time && strspn(e->sha256, "0123456789abcdef") == DIGEST_HEX - 1 ? 0 : -1;
}

/* A link in the cache is not followed, and a FIFO reads as empty. */
static int cache_open_file(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

int cache_find(const struct cache *c, const char *key, struct cache_entry *entry) {
  struct buf path, text;
  struct stat st;
  int found = 0;
  path_of(c, "answers", key, &path);
  buf_init(&text, ANSWER_MAX);
  int fd = cache_open_file(path.data);
  if (fd >= 0 && buf_read_fd(&text, fd) == 0 && parse_answer(buf_slice(&text), entry) == 0) {
    buf_clear(&path);
    cache_body_path(c, entry, &path);
    found = stat(path.data, &st) == 0 && (uint64_t)st.st_size == entry->size;
    if (found && st.st_mtime + TOUCH_AFTER < time(NULL))
      utimensat(AT_FDCWD, path.data, NULL, 0);
  }
  if (fd >= 0)
    close(fd);
  buf_release(&path);
  buf_release(&text);
  return found;
}

void cache_body_path(const struct cache *c, const struct cache_entry *entry, struct buf *out) {
  buf_printf(out, "%s/objects/%.2s/%s", c->folder, entry->sha256, entry->sha256);
}

static int open_body(const struct cache *c, const struct cache_entry *entry) {
  struct buf path;
  path_of(c, "objects", entry->sha256, &path);
  int fd = cache_open_file(path.data);
  buf_release(&path);
  return fd;
}

/* Whether an open body is the one that was stored, as far as that is checked. */
static int is_undamaged(int fd, const struct cache_entry *entry) {
  char piece[1 << 16];
  uint8_t digest[DIGEST_SIZE];
  char sha[DIGEST_HEX];
  struct digest d;
  off_t at = 0;
  ssize_t n;
  if (entry->size > DIGEST_AGAIN)
    return 1;
  digest_start(&d);
  for (; (n = slice_read_at(fd, piece, sizeof piece, at)) > 0; at += n)
    digest_add(&d, piece, (size_t)n);
  digest_end(&d, digest);
  digest_hex(digest, DIGEST_SIZE, sha);
  return n == 0 && strcmp(sha, entry->sha256) == 0;
}

int cache_body_fd(const struct cache *c, const struct cache_entry *entry) {
  int fd = open_body(c, entry);
  if (fd < 0 || is_undamaged(fd, entry))
    return fd;
  close(fd);
  return -1;
}

int cache_read(const struct cache *c, const struct cache_entry *entry, struct buf *out) {
  char sha[DIGEST_HEX];
  size_t before = out->len;
  int fd = open_body(c, entry);
  if (fd < 0)
    return -1;
  int result = buf_read_fd(out, fd);
  close(fd);
  if (result == 0 && out->len - before != entry->size)
    result = -1;
  if (result == 0 && entry->size <= DIGEST_AGAIN) {
    digest_hex_of(out->data + before, out->len - before, sha);
    result = strcmp(sha, entry->sha256) == 0 ? 0 : -1;
  }
  return result;
}

/* Whether another process took the file for an orphan before its lock was there. */
static int is_taken_away(int fd) {
  struct stat st;
  return (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
         (fstat(fd, &st) == 0 && st.st_nlink == 0);
}

/* Creates a temporary file in FOLDER/parts, locked as long as it is open. */
static int make_part(const struct cache *c, char **path) {
  struct buf b;
  int fd;
  buf_init(&b, 8192);
  for (;;) {
    buf_clear(&b);
    buf_printf(&b, "%s/parts/XXXXXX", c->folder);
    fd = mkostemp(b.data, O_CLOEXEC);
    if (fd < 0 || !is_taken_away(fd))
      break;
    close(fd);
  }
  *path = fd >= 0 ? xstrdup(b.data) : NULL;
  buf_release(&b);
  return fd;
}

int cache_write_start(struct cache *c, struct cache_writer *w, struct error_text *why) {
  memset(w, 0, sizeof *w);
  digest_start(&w->digest);
  w->fd = make_part(c, &w->path);
  if (w->fd >= 0)
    return 0;
  error_set(why, "cache: %s/parts: %s", c->folder, strerror(errno));
  return -1;
}

/* Keeps a body from filling the disk; checked every FREE_STEP bytes. */
static int has_room(struct cache_writer *w, size_t len) {
  struct statvfs v;
  if (w->size / FREE_STEP == (w->size + len) / FREE_STEP && w->size > 0)
    return 1;
  if (fstatvfs(w->fd, &v) != 0 || v.f_bavail * (uint64_t)v.f_frsize > FREE_STEP + FREE_LEFT)
    return 1;
  errno = ENOSPC;
  return 0;
}

int cache_write(struct cache_writer *w, const void *data, size_t len) {
  if (!has_room(w, len))
    return -1;
  digest_add(&w->digest, data, len);
  w->size += len;
  return slice_write(slice_of(data, len), w->fd);
}

void cache_write_drop(struct cache_writer *w) {
  if (!w->path)
    return;
  close(w->fd);
  unlink(w->path);
  free(w->path);
  w->path = NULL;
}

/* Renames into FOLDER/KIND/AB/NAME and makes AB where necessary. */
static int put_in_place(const struct cache *c, const char *part, const char *kind, const char *name) {
  struct buf to;
  path_of(c, kind, name, &to);
  int result = rename(part, to.data);
  if (result != 0 && errno == ENOENT) {
    char *slash = strrchr(to.data, '/');
    *slash = '\0';
    if (mkdir(to.data, 0700) == 0 || errno == EEXIST) {
      *slash = '/';
      result = rename(part, to.data);
    }
  }
  buf_release(&to);
  return result;
}

int cache_update(struct cache *c, const char *key, const char *url, const struct cache_entry *entry) {
  struct buf b;
  char *path;
  int fd = make_part(c, &path), result = -1;
  if (fd < 0)
    return -1;
  buf_init(&b, ANSWER_MAX);
  buf_add_char(&b, '{');
  json_cstr(&b, "url", url);
  json_cstr(&b, "contentType", entry->content_type);
  json_cstr(&b, "etag", entry->etag);
  json_cstr(&b, "lastModified", entry->last_modified);
  json_cstr(&b, "sha256", entry->sha256);
  if (entry->host[0])
    json_cstr(&b, "host", entry->host);
  buf_printf(&b, ",\"fetched\":%.3f,\"checked\":%.3f", entry->fetched, entry->checked);
  json_uint(&b, "size", entry->size);
  json_bool(&b, "truncated", entry->truncated);
  buf_add_str(&b, "}\n");
  if (!b.overflow && slice_write(buf_slice(&b), fd) == 0)
    result = put_in_place(c, path, "answers", key);
  close(fd);
  if (result != 0)
    unlink(path);
  free(path);
  buf_release(&b);
  return result;
}

/* A body found while listing. */
struct body {
  char *path;
  uint64_t size;
  struct timespec used;
};

struct bodies {
  struct body *items;
  size_t count;
  uint64_t sum;
};

static void bodies_add(struct bodies *all, const char *path, const struct stat *st) {
  all->items = xgrow(all->items, all->count, sizeof *all->items);
  all->items[all->count++] = (struct body){xstrdup(path), (uint64_t)st->st_size, st->st_mtim};
  all->sum += (uint64_t)st->st_size;
}

/* Collects every file two levels below a folder or, with flat, directly in it. */
static void bodies_walk(struct bodies *all, const char *folder, int flat) {
  DIR *d = opendir(folder);
  struct buf path;
  struct stat st;
  buf_init(&path, 8192);
  for (struct dirent *e; d && (e = readdir(d));) {
    buf_clear(&path);
    if (e->d_name[0] == '.' || buf_printf(&path, "%s/%s", folder, e->d_name) != 0 ||
        lstat(path.data, &st) != 0)
      continue;
    if (S_ISDIR(st.st_mode) && !flat)
      bodies_walk(all, path.data, 1);
    else if (S_ISREG(st.st_mode))
      bodies_add(all, path.data, &st);
  }
  if (d)
    closedir(d);
  buf_release(&path);
}

/* The same of one of the cache's own folders. */
static void bodies_of(struct bodies *all, const struct cache *c, const char *kind, int flat) {
  struct buf path;
  buf_init(&path, 8192);
  buf_printf(&path, "%s/%s", c->folder, kind);
  bodies_walk(all, path.data, flat);
  buf_release(&path);
}

static int by_use(const void *a, const void *b) {
  const struct timespec *x = &((const struct body *)a)->used, *y = &((const struct body *)b)->used;
  if (x->tv_sec != y->tv_sec)
    return x->tv_sec < y->tv_sec ? -1 : 1;
  return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

static void bodies_release(struct bodies *all) {
  for (size_t i = 0; i < all->count; i++)
    free(all->items[i].path);
  free(all->items);
}

/* Removes answers whose bodies are gone. */
static void drop_orphans(const struct cache *c) {
  struct bodies all = {0};
  bodies_of(&all, c, "answers", 0);
  for (size_t i = 0; i < all.count; i++) {
    const char *slash = strrchr(all.items[i].path, '/');
    struct cache_entry e;
    if (slash && !cache_find(c, slash + 1, &e))
      unlink(all.items[i].path);
  }
  bodies_release(&all);
}

/* Evicts the least recently used bodies down to nine tenths of the limit.  Returns the bytes left. */
static uint64_t evict(const struct cache *c) {
  struct bodies all = {0};
  bodies_of(&all, c, "objects", 0);
  if (all.count)
    qsort(all.items, all.count, sizeof *all.items, by_use);
  uint64_t goal = c->max_bytes / 10 * 9, sum = all.sum;
  for (size_t i = 0; i < all.count && sum > goal; i++)
    if (unlink(all.items[i].path) == 0)
      sum -= all.items[i].size;
  bodies_release(&all);
  drop_orphans(c);
  return sum;
}

/* Removes orphaned temporary files: those without a lock. */
static void drop_leftovers(const struct cache *c) {
  struct bodies all = {0};
  bodies_of(&all, c, "parts", 1);
  for (size_t i = 0; i < all.count; i++) {
    int fd = cache_open_file(all.items[i].path);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
      unlink(all.items[i].path);
    if (fd >= 0)
      close(fd);
  }
  bodies_release(&all);
}

int cache_open(struct cache *c, const char *folder, uint64_t max_bytes, struct error_text *why) {
  static const char *const kinds[] = {"objects", "answers", "parts"};
  struct buf path;
  int result = 0;
  c->folder = xstrdup(folder);
  c->max_bytes = max_bytes;
  buf_init(&path, 8192);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && result == 0; i++) {
    buf_clear(&path);
    buf_printf(&path, "%s/%s", folder, kinds[i]);
    result = access(path.data, W_OK) == 0 ? 0 : paths_make(path.data);
    if (result != 0)
      error_set(why, "cache: %s: %s; set BID_CACHE to a folder that can be written", path.data,
                strerror(errno));
  }
  buf_release(&path);
  if (result == 0)
    drop_leftovers(c);
  return result;
}

static void cache_count_bytes(const struct cache *c, uint64_t bytes) {
  struct buf path;
  char text[32] = "";
  buf_init(&path, 8192);
  buf_printf(&path, "%s/usage", c->folder);
  int fd = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  buf_release(&path);
  if (fd < 0)
    return;
  if (flock(fd, LOCK_EX) == 0 && slice_read_at(fd, text, sizeof text - 1, 0) >= 0) {
    uint64_t sum = strtoull(text, NULL, 10) + bytes;
    if (sum > c->max_bytes)
      sum = evict(c);
    int n = snprintf(text, sizeof text, "%020llu\n", (unsigned long long)sum);
    if (slice_write_at(fd, slice_of(text, (size_t)n), 0) != 0)
      errno = 0; /* the sum is wrong until the next eviction */
  }
  close(fd);
}

int cache_write_commit(struct cache *c, struct cache_writer *w, const char *key, const char *url,
                       struct cache_entry *entry, struct error_text *why) {
  uint8_t digest[DIGEST_SIZE];
  int result = -1, fault;
  digest_end(&w->digest, digest);
  digest_hex(digest, DIGEST_SIZE, entry->sha256);
  entry->size = w->size;
  if (put_in_place(c, w->path, "objects", entry->sha256) == 0) {
    close(w->fd);
    free(w->path);
    w->path = NULL;
    result = cache_update(c, key, url, entry);
    fault = errno;
    cache_count_bytes(c, w->size);
    errno = fault;
  }
  if (result != 0)
    error_set(why, "cache: %s: %s", c->folder, strerror(errno));
  cache_write_drop(w);
  return result;
}

void cache_keep(struct cache *c, const char *key, const char *url, struct cache_entry *entry,
                struct slice body) {
  struct cache_writer w;
  struct error_text why;
  if (cache_write_start(c, &w, &why) == 0 && cache_write(&w, body.data, body.len) == 0)
    cache_write_commit(c, &w, key, url, entry, &why);
  cache_write_drop(&w);
}
