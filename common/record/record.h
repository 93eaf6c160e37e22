/* record.h: the record stream, one JSON object per line.
 *
 * record_reader reads NDJSON in large blocks and validates every line strictly: RFC 8259; UTF-8 without surrogates;
 * no lone \u surrogate; no duplicate key in any object; nesting of at most RECORD_DEPTH; at most RECORD_MEMBERS
 * top-level fields; at most RECORD_MAX bytes; a last line without a newline must be complete.  It finds the top-level
 * fields that the program requested but decodes nothing: a field is the slice of its raw JSON value.  Blank lines are
 * skipped.
 *
 * A record is written by copying its unchanged bytes and adding fields:
 *
 *     record_open(out, rec, "text", NULL);          // all but text, byte for byte, without '}'
 *     json_str(out, "model", slice_str("x"));       // json.h
 *     record_close(out);                            // '}' and a newline
 */
#ifndef BID_RECORD_H
#define BID_RECORD_H

#include "record/json.h"

#include <stdint.h>

#define RECORD_MEMBERS 256 /* top-level fields of a record */
#define RECORD_FIELDS 32   /* fields that a program may request */

struct record_member { /* byte offsets in line */
  uint32_t from;       /* offset of the key's opening quote */
  uint32_t key_end;    /* after its closing quote */
  uint32_t to;         /* after the value */
};

struct record {
  struct slice
      line;        /* the object, without the newline; of a bad line all its bytes, none where it is too long;
                        valid until the next read */
  uint64_t number; /* line number in the input, from 1 */
  uint64_t offset; /* byte offset of the line in the input, from 0 */
  int is_error;    /* it has a top-level "error" object */
  int is_listing;  /* it has a top-level "discovered" object: what a source lists, besides documents */
  struct slice field[RECORD_FIELDS]; /* raw values in the order requested; .data NULL where absent */
  size_t member_count;
  struct record_member member[RECORD_MEMBERS]; /* all top-level fields, in order */
};

enum record_status {
  RECORD_OK,  /* a record */
  RECORD_END, /* end of the input */
  RECORD_BAD, /* a bad line, see record_why(); reading can go on */
  RECORD_IO   /* read(2) failed, see errno */
};

struct record_reader;

/* A reader of fd, which it does not close.  fields: names ended by NULL, kept by reference.  before_wait (may be
 * NULL) is called before a read that would block, so that pending output can be flushed. */
struct record_reader *record_reader_new(int fd, const char *const *fields, void (*before_wait)(void *),
                                        void *arg);
void record_reader_free(struct record_reader *r);
/* Reads the next record.  It lies in the reader's buffer, which the caller may modify, until the next read. */
enum record_status record_read(struct record_reader *r, struct record *rec);

/* The value of a top-level field by its name, found without reading the others' values; empty where it isn't there. */
struct slice record_get(const struct record *rec, const char *name);

/* After RECORD_BAD: a static description of the fault, and its byte position within the line, from 1. */
const char *record_why(const struct record_reader *r);
size_t record_why_byte(const struct record_reader *r);
uint64_t record_bytes(const struct record_reader *r); /* bytes read so far */

/* Parses one line in memory by the same rules.  RECORD_OK, or RECORD_BAD with *why and *at. */
enum record_status record_parse(const char *line, size_t len, const char *const *fields, struct record *rec,
                                const char **why, size_t *at);

/* The fault of a record's `metadata`, which must be absent, null or an object: a static description, or NULL. */
const char *record_metadata_fault(struct slice metadata);

/* Appends the record without the named top-level fields (a list ended by NULL) and without its closing brace; all
 * other bytes are copied unchanged. */
void record_open(struct buf *out, const struct record *rec, ...) __attribute__((sentinel));

/* The same with the names in an array ended by NULL. */
void record_open_without(struct buf *out, const struct record *rec, const char *const *names);

/* Appends "}\n". */
void record_close(struct buf *out);

#endif
