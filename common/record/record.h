/* record.h: the record stream: one JSON object a line.
 *
 * record_reader reads NDJSON in large blocks, validates every line strictly (RFC 8259; UTF-8
 * without surrogates; no lone \u surrogate; no duplicate key in any object; nesting of at most
 * 512; at most RECORD_MEMBERS top-level fields; a line of at most RECORD_MAX bytes; the last line ends with a
 * newline or is whole) and finds the top-level fields that the program asked for.  It decodes nothing: a
 * field is the slice of its raw JSON value.  Blank lines are skipped.
 *
 * A record is written by copying its untouched bytes and adding fields:
 *
 *     record_open(out, rec, "text", NULL);          // all but text, byte for byte, without '}'
 *     json_str(out, "model", slice_str("x"));       // json.h
 *     record_close(out);                            // '}' and a newline
 */
#ifndef BID_RECORD_H
#define BID_RECORD_H

#include "base/buf.h"

#include <stdint.h>

#define RECORD_MAX ((size_t)64 << 20) /* bytes of a line, newline not counted */
#define RECORD_DEPTH 512              /* nesting of arrays and objects */
#define RECORD_MEMBERS 256            /* top-level fields of a record */
#define RECORD_FIELDS 32              /* fields that a program may ask for */

struct record_member { /* byte offsets in line */
  uint32_t from;       /* of the key's opening quote */
  uint32_t key_end;    /* behind its closing quote */
  uint32_t to;         /* behind the value */
};

struct record {
  struct slice line; /* the object, without the newline; valid until the next read; of a bad line all */
  uint64_t number;   /* line in the input, from 1 */
  uint64_t offset;   /* byte of the line's start in the input, from 0 */
  int is_error;      /* it has a top-level "error" object */
  struct slice field[RECORD_FIELDS]; /* raw values in the order asked for; .data NULL where absent */
  size_t member_count;
  struct record_member member[RECORD_MEMBERS]; /* every top-level field, in order */
};

enum record_status {
  RECORD_OK,  /* a record */
  RECORD_END, /* no more */
  RECORD_BAD, /* a bad line: reader->why and reader->at say what and where; reading goes on */
  RECORD_IO   /* read(2) failed: errno */
};

struct record_reader;

/* fields: names, NULL at the end, kept by reference.  fd is not closed by the reader.
 * before_wait (may be NULL) is called when the next read would wait, so that what was made
 * of the records so far can be flushed. */
struct record_reader *record_reader_new(int fd, const char *const *fields, void (*before_wait)(void *),
                                        void *arg);
void record_reader_free(struct record_reader *r);
/* The record lies in the reader's own buffer, which its caller may change until the next read. */
enum record_status record_read(struct record_reader *r, struct record *rec);

/* After RECORD_BAD: a static text, and the byte within the line (from 1) where it went wrong. */
const char *record_why(const struct record_reader *r);
size_t record_why_byte(const struct record_reader *r);
uint64_t record_bytes(const struct record_reader *r); /* bytes read so far */

/* Parses one line that is already in memory, same rules.  RECORD_OK or RECORD_BAD with *why and *at. */
enum record_status record_parse(const char *line, size_t len, const char *const *fields, struct record *rec,
                                const char **why, size_t *at);

/* What is wrong with a record's `metadata`, which has to be an object where there is one (null counts as
 * none): a static text, or NULL. */
const char *record_metadata_fault(struct slice metadata);

/* Appends the record without the named top-level fields (NULL ends the list) and without its closing
 * brace; the bytes of the others are not changed. */
void record_open(struct buf *out, const struct record *rec, ...) __attribute__((sentinel));

/* The same with the names in an array, NULL at the end. */
void record_open_without(struct buf *out, const struct record *rec, const char *const *names);

/* Appends "}\n". */
void record_close(struct buf *out);

#endif
