/* resume.c: continues an output file after an interruption. */
#include "record/resume.h"

#include "base/hash.h"
#include "base/slice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAIL 65536

struct resume {
  int fd;
  const char *const *added;
  struct hash_counts written, met; /* what the file has, and what has come in this run */
  struct buf line;
};

int resume_fd(const struct resume *r) {
  return r->fd;
}

/* The record's bytes without the added fields. */
static struct slice resume_name_of(struct resume *r, const struct record *rec) {
  buf_clear(&r->line);
  record_open_without(&r->line, rec, r->added);
  return buf_slice(&r->line);
}

/* No record has a line's end. */
static struct slice resume_name_of_error(struct resume *r, struct slice line) {
  buf_clear(&r->line);
  buf_add_char(&r->line, '\n');
  buf_add_slice(&r->line, line);
  return buf_slice(&r->line);
}

static int resume_is_written(struct resume *r, struct slice name) {
  return hash_counts_add(&r->met, name) <= hash_counts_of(&r->written, name);
}

int resume_done(struct resume *r, const struct record *rec) {
  return r->written.used && resume_is_written(r, resume_name_of(r, rec));
}

int resume_error_done(struct resume *r, struct slice line) {
  return r->written.used && resume_is_written(r, resume_name_of_error(r, line));
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
    hash_counts_add(&r->written, resume_name_of_error(r, rec->line));
    return 0;
  }
  for (size_t i = 0; r->added[i]; i++)
    if (!rec->field[i].data)
      return 0; /* another program's record, not one of ours */
  if (value.len && !slice_eq(rec->field[0], value))
    return -1;
  hash_counts_add(&r->written, resume_name_of(r, rec));
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
  hash_counts_release(&r->written);
  hash_counts_release(&r->met);
  buf_release(&r->line);
  free(r);
}
