/* record.c: the record stream.
 *
 * The input is read in blocks of 256 KiB and more into one buffer.  A line is found by memchr(3), scanned once by
 * json.c, and returned in place.  Unread bytes move to the start of the buffer before the next read.  A line
 * that does not fit doubles the buffer, up to RECORD_MAX; beyond that it is skipped.
 */
#include "record/record.h"
#include "record/json.h"
#include "record/json_scan.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 256 * 1024 };

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* some editors put it at the start of a file */

struct record_reader {
  int fd;
  const char *const *fields;
  size_t lengths[RECORD_FIELDS];
  void (*before_wait)(void *);
  void *arg;
  char *data;
  size_t cap, from, to; /* data[from, to) is unread */
  size_t searched;      /* data[from, searched) holds no newline */
  int ended, skipping;
  uint64_t number, offset, total; /* offset: position of data[from] in the input */
  struct json_scan scan;
  const char *why;
  size_t at;
};

static void field_lengths(const char *const *fields, size_t *lengths) {
  for (size_t i = 0; fields && fields[i] && i < RECORD_FIELDS; i++)
    lengths[i] = strlen(fields[i]);
}

struct record_reader *record_reader_new(int fd, const char *const *fields, void (*before_wait)(void *),
                                        void *arg) {
  struct record_reader *r = xcalloc(1, sizeof *r);
  r->fd = fd;
  r->fields = fields;
  r->before_wait = before_wait;
  r->arg = arg;
  r->cap = 2 * (size_t)BLOCK;
  r->data = xmalloc(r->cap);
  field_lengths(fields, r->lengths);
  json_scan_init(&r->scan);
  return r;
}

void record_reader_free(struct record_reader *r) {
  if (!r)
    return;
  json_scan_release(&r->scan);
  free(r->data);
  free(r);
}

const char *record_why(const struct record_reader *r) {
  return r->why;
}
size_t record_why_byte(const struct record_reader *r) {
  return r->at;
}
uint64_t record_bytes(const struct record_reader *r) {
  return r->total;
}

/* A record whose line is scanned. */
struct record_scan {
  struct record *rec;
  const char *const *fields;
  const size_t *lengths;
};

static void note_field(const struct record_scan *r, struct slice key, struct slice value) {
  if (key.len == 5 && memcmp(key.data, "error", 5) == 0 && value.data[0] == '{')
    r->rec->is_error = 1;
  if (key.len == 10 && memcmp(key.data, "discovered", 10) == 0 && value.data[0] == '{')
    r->rec->is_listing = 1;
  for (size_t i = 0; r->fields && r->fields[i] && i < RECORD_FIELDS; i++)
    if (r->lengths[i] == key.len && memcmp(r->fields[i], key.data, key.len) == 0) {
      r->rec->field[i] = value;
      return;
    }
}

static const char *take_member(void *arg, struct slice name, struct slice key, struct slice value) {
  const struct record_scan *r = arg;
  struct record *rec = r->rec;
  if (rec->member_count == RECORD_MEMBERS)
    return "more than 256 fields";
  struct record_member *m = &rec->member[rec->member_count++];
  m->from = (uint32_t)(key.data - rec->line.data);
  m->key_end = (uint32_t)(key.data + key.len - rec->line.data);
  m->to = (uint32_t)(value.data + value.len - rec->line.data);
  note_field(r, name, value);
  return NULL;
}

/* Scans one line; rec->line becomes the object without surrounding white space. */
static enum record_status scan_line(struct json_scan *s, const char *line, size_t len, struct record *rec,
                                    const char *const *fields, const size_t *lengths) {
  struct record_scan r = {rec, fields, lengths};
  const char *end = line + len;
  memset(rec->field, 0, sizeof rec->field);
  rec->is_error = rec->is_listing = 0;
  rec->member_count = 0;
  while (line < end && strchr(" \t\r\n", *line) && *line)
    line++;
  while (end > line && strchr(" \t\r\n", end[-1]) && end[-1])
    end--;
  rec->line = slice_of(line, (size_t)(end - line));
  s->member = take_member;
  s->arg = &r;
  s->why = "not a JSON object";
  s->where = line;
  if (line < end && *line == '{' && json_scan(s, rec->line) == 0)
    return RECORD_OK;
  if (strcmp(s->why, JSON_SCAN_OPEN) == 0)
    s->why = JSON_SCAN_OPEN " (a record is one line)";
  return RECORD_BAD;
}

enum record_status record_parse(const char *line, size_t len, const char *const *fields, struct record *rec,
                                const char **why, size_t *at) {
  struct json_scan s;
  size_t lengths[RECORD_FIELDS] = {0};
  field_lengths(fields, lengths);
  json_scan_init(&s);
  rec->number = 1;
  rec->offset = 0;
  enum record_status status = scan_line(&s, line, len, rec, fields, lengths);
  if (status == RECORD_BAD) {
    *why = s.why;
    *at = (size_t)(s.where - line) + 1;
  }
  json_scan_release(&s);
  return status;
}

static void record_make_room(struct record_reader *r) {
  size_t held = r->to - r->from;
  if (r->from && r->cap - r->to < BLOCK) {
    memmove(r->data, r->data + r->from, held);
    r->searched -= r->from;
    r->from = 0;
    r->to = held;
  }
  if (r->cap - r->to < BLOCK) {
    r->cap *= 2;
    r->data = xrealloc(r->data, r->cap);
  }
}

/* Calls before_wait where the next read would block, or where an interrupted poll(2) doesn't tell. */
static void about_to_wait(struct record_reader *r) {
  struct pollfd p = {r->fd, POLLIN, 0};
  if (r->before_wait && poll(&p, 1, 0) <= 0)
    r->before_wait(r->arg);
}

/* 1: bytes were read, 0: end of input, -1: see errno. */
static int record_fill(struct record_reader *r) {
  if (r->ended)
    return 0;
  record_make_room(r);
  about_to_wait(r);
  for (;;) {
    ssize_t n = read(r->fd, r->data + r->to, r->cap - r->to);
    if (n < 0 && slice_again(r->fd, POLLIN))
      continue;
    if (n <= 0) {
      r->ended = 1;
      return n < 0 ? -1 : 0;
    }
    r->to += (size_t)n;
    r->total += (uint64_t)n;
    return 1;
  }
}

/* Length of the next line without its newline; -1 at the end, -2 with errno, -3 where it is too long. */
static long long record_next_line(struct record_reader *r) {
  for (;;) {
    char *nl = memchr(r->data + r->searched, '\n', r->to - r->searched);
    if (nl)
      return nl - (r->data + r->from);
    r->searched = r->to;
    if (r->to - r->from > RECORD_MAX)
      return -3;
    int got = record_fill(r);
    if (got < 0)
      return -2;
    if (!got)
      return r->to > r->from ? (long long)(r->to - r->from) : -1;
  }
}

static void consume(struct record_reader *r, size_t len) {
  size_t with_newline = len + (r->from + len < r->to);
  r->from += with_newline;
  r->offset += with_newline;
  r->searched = r->from;
}

/* Discards input up to the end of a line that is too long. */
static void skip_line(struct record_reader *r) {
  for (;;) {
    char *nl = memchr(r->data + r->from, '\n', r->to - r->from);
    size_t gone = nl ? (size_t)(nl - r->data) + 1 - r->from : r->to - r->from;
    r->from += gone;
    r->offset += gone;
    r->searched = r->from;
    if (nl || record_fill(r) <= 0)
      break;
  }
  r->skipping = 0;
}

static int blank(const char *line, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
      return 0;
  return 1;
}

static enum record_status too_long(struct record_reader *r, struct record *rec) {
  rec->line = slice_of(NULL, 0); /* its bytes are not kept */
  r->number++;
  r->why = "line longer than 64 MiB";
  r->at = RECORD_MAX + 1;
  r->skipping = 1; /* by the next read, so that an endless line is reported */
  return RECORD_BAD;
}

enum record_status record_read(struct record_reader *r, struct record *rec) {
  if (r->skipping)
    skip_line(r);
  for (;;) {
    long long found = record_next_line(r);
    if (found == -1)
      return RECORD_END;
    if (found == -2)
      return RECORD_IO;
    rec->number = r->number + 1;
    rec->offset = r->offset;
    if (found == -3 || (size_t)found > RECORD_MAX)
      return too_long(r, rec);
    const char *begin = r->data + r->from, *line = begin;
    size_t len = (size_t)found;
    r->number++;
    consume(r, len);
    if (rec->offset == 0 && len >= 3 && memcmp(line, BYTE_ORDER_MARK, 3) == 0) {
      line += 3;
      len -= 3;
    }
    if (blank(line, len))
      continue;
    enum record_status status = scan_line(&r->scan, line, len, rec, r->fields, r->lengths);
    if (status == RECORD_BAD) {
      r->why = r->scan.why;
      r->at = (size_t)(r->scan.where - begin) + 1;
      rec->line = slice_of(line, len);
    }
    return status;
  }
}

#define METADATA_MEND                                                                                        \
  ", and has to be an object such as {\"form\":\"10-K\"}; leave it out where nothing is known"

const char *record_metadata_fault(struct slice metadata) {
  switch (json_kind(metadata)) {
  case '"':
    return "metadata is a string" METADATA_MEND;
  case '[':
    return "metadata is a list" METADATA_MEND;
  case '0':
    return "metadata is a number" METADATA_MEND;
  case 't':
  case 'f':
    return "metadata is a boolean" METADATA_MEND;
  default:
    return NULL;
  }
}

struct slice record_get(const struct record *rec, const char *name) {
  const char *line = rec->line.data;
  for (size_t i = 0; i < rec->member_count; i++) {
    const struct record_member *m = &rec->member[i];
    const char *value = line + m->key_end, *end = line + m->to;
    if (!json_key_is(slice_of(line + m->from + 1, m->key_end - m->from - 2), slice_str(name)))
      continue;
    while (value < end && strchr(" \t\r\n:", *value))
      value++;
    return slice_of(value, (size_t)(end - value));
  }
  return slice_of(NULL, 0);
}

static int record_listed(struct slice key, const char *const *names) {
  for (; *names; names++)
    if (json_key_is(key, slice_str(*names)))
      return 1;
  return 0;
}

/* Copies the adjacent members [from, to), after a comma where others precede them. */
static void copy_run(struct buf *out, const struct record *rec, size_t from, size_t to) {
  if (from == to)
    return;
  const struct record_member *first = &rec->member[from], *last = &rec->member[to - 1];
  if (out->data[out->len - 1] != '{')
    buf_add_char(out, ',');
  buf_add(out, rec->line.data + first->from, last->to - first->from);
}

void record_open_without(struct buf *out, const struct record *rec, const char *const *names) {
  size_t run = 0;
  if (buf_reserve(out, rec->line.len + 1))
    return;
  buf_add_char(out, '{');
  for (size_t i = 0; i < rec->member_count; i++) {
    const struct record_member *m = &rec->member[i];
    if (!record_listed(slice_of(rec->line.data + m->from + 1, m->key_end - m->from - 2), names))
      continue;
    copy_run(out, rec, run, i);
    run = i + 1;
  }
  copy_run(out, rec, run, rec->member_count);
}

void record_open(struct buf *out, const struct record *rec, ...) {
  const char *names[RECORD_FIELDS + 1];
  size_t n = 0;
  va_list args;
  va_start(args, rec);
  const char *name;
  while (n < RECORD_FIELDS && (name = va_arg(args, const char *)))
    names[n++] = name;
  va_end(args);
  names[n] = NULL;
  record_open_without(out, rec, names);
}

void record_close(struct buf *out) {
  buf_add(out, "}\n", 2);
}
