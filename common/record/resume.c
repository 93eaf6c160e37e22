/* resume.c: continues an output file after an interruption. */
#include "record/resume.h"

#include "base/slice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define TAIL 65536

/* A slot of an open-addressing hash table. */
struct resume_slot {
  XXH128_hash_t hash;
  uint32_t count; /* occurrences that were not used up */
  uint32_t used;  /* 0: the slot is free */
};

struct resume {
  int fd;
  const char *const *added;
  struct resume_slot *slots;
  size_t mask, used;
  struct buf line;
};

int resume_fd(const struct resume *r) {
  return r->fd;
}

static struct resume_slot *resume_slot_of(struct resume *r, XXH128_hash_t hash) {
  size_t at = hash.low64 & r->mask;
  while (r->slots[at].used && !XXH128_isEqual(r->slots[at].hash, hash))
    at = (at + 1) & r->mask;
  return &r->slots[at];
}

static void resume_grow(struct resume *r) {
  struct resume_slot *old = r->slots;
  size_t count = old ? r->mask + 1 : 0;
  r->mask = count ? count * 2 - 1 : 1023;
  r->slots = xcalloc(r->mask + 1, sizeof *r->slots);
  for (size_t i = 0; i < count; i++)
    if (old[i].used)
      *resume_slot_of(r, old[i].hash) = old[i];
  free(old);
}

/* The hash of the record's bytes without the added fields. */
static XXH128_hash_t resume_hash_of(struct resume *r, const struct record *rec) {
  buf_clear(&r->line);
  record_open_without(&r->line, rec, r->added);
  return XXH3_128bits(r->line.data, r->line.len);
}

static XXH128_hash_t hash_of_error(struct slice line) {
  return XXH3_128bits_withSeed(line.data, line.len, 1); /* seeded, so that it never equals a record's hash */
}

static void resume_remember(struct resume *r, XXH128_hash_t hash) {
  if (!r->slots || r->used * 2 > r->mask)
    resume_grow(r);
  struct resume_slot *s = resume_slot_of(r, hash);
  r->used += !s->used;
  s->hash = hash;
  s->used = 1;
  s->count++;
}

static int take_off(struct resume *r, XXH128_hash_t hash) {
  struct resume_slot *s = resume_slot_of(r, hash);
  if (!s->used || s->count == 0)
    return 0;
  s->count--;
  return 1;
}

int resume_done(struct resume *r, const struct record *rec) {
  return r->used && take_off(r, resume_hash_of(r, rec));
}

int resume_error_done(struct resume *r, struct slice line) {
  return r->used && take_off(r, hash_of_error(line));
}

/* Length of the file up to and with its last newline; -1 with errno. */
static off_t whole_lines(int fd, off_t size) {
  char part[TAIL];
  while (size > 0) {
    size_t want = size < TAIL ? (size_t)size : TAIL;
    ssize_t got = slice_read_at(fd, part, want, size - (off_t)want);
    if (got != (ssize_t)want)
      return -1;
    for (size_t i = want; i > 0; i--)
      if (part[i - 1] == '\n')
        return size - (off_t)(want - i);
    size -= (off_t)want;
  }
  return 0;
}

static int resume_take(struct resume *r, const struct record *rec, struct slice value) {
  if (rec->is_error) {
    resume_remember(r, hash_of_error(rec->line));
    return 0;
  }
  for (size_t i = 0; r->added[i]; i++)
    if (!rec->field[i].data)
      return 0; /* another program's record, not one of ours */
  if (value.len && !slice_eq(rec->field[0], value))
    return -1;
  resume_remember(r, resume_hash_of(r, rec));
  return 0;
}

static int read_done(struct resume *r, const char *path, struct slice value, struct error_text *e) {
  struct record rec;
  struct record_reader *in = record_reader_new(r->fd, r->added, NULL, NULL);
  enum record_status status;
  int bad = 0;
  while (!bad && ((status = record_read(in, &rec)) == RECORD_OK || status == RECORD_BAD)) {
    if (status == RECORD_BAD) {
      bad = 1;
      error_set(e, "%s: line %llu: %s: no output of this program", path, (unsigned long long)rec.number,
                record_why(in));
    } else if (resume_take(r, &rec, value) != 0) {
      bad = 1;
      error_set(e, "%s: line %llu was made with another model (%.*s)", path, (unsigned long long)rec.number,
                (int)rec.field[0].len, rec.field[0].data);
    }
  }
  if (!bad && status == RECORD_IO) {
    bad = 1;
    error_set(e, "%s: %s", path, strerror(errno));
  }
  record_reader_free(in);
  return bad ? -1 : 0;
}

static int resume_prepare(struct resume *r, const char *path, struct error_text *e) {
  struct stat st;
  off_t keep = -1;
  errno = 0;
  if (r->fd < 0 || fstat(r->fd, &st) != 0) {
    error_set(e, "%s: %s", path, strerror(errno));
    return -1;
  }
  if (!S_ISREG(st.st_mode)) {
    error_set(e, "%s: not a plain file, so nothing can be resumed", path);
    return -1;
  }
  if (flock(r->fd, LOCK_EX | LOCK_NB) != 0) {
    error_set(e, "%s: another run is writing it", path);
    return -1;
  }
  keep = whole_lines(r->fd, st.st_size);
  if (keep < 0 || (keep < st.st_size && ftruncate(r->fd, keep) != 0)) {
    error_set(e, "%s: %s", path, strerror(errno));
    return -1;
  }
  return 0;
}

struct resume *resume_open(const char *path, const char *const *added, struct slice value,
                           struct error_text *e) {
  struct resume *r = xcalloc(1, sizeof *r);
  r->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  r->added = added;
  buf_init(&r->line, RECORD_MAX + 64);
  if (resume_prepare(r, path, e) == 0 && read_done(r, path, value, e) == 0)
    return r;
  resume_close(r);
  return NULL;
}

void resume_close(struct resume *r) {
  if (!r)
    return;
  if (r->fd >= 0)
    close(r->fd);
  free(r->slots);
  buf_release(&r->line);
  free(r);
}
