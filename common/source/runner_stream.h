/* runner_stream.h: the stream of a request, while its body is read; private to runner_*.c.
 *
 *   runner_stream.c  opens it, reads files and folders; documents: the members of an archive, the parts of a submission
 *   runner_rows.c    rows of CSV, of lines and of XML elements, in batches
 *   runner_emit.c    members and batches as payloads; faults
 *
 * Functions that return an int return 0, or -1 where the stream has failed or is over: s->failed tells which, s->why and
 * s->category why.
 */
#ifndef BID_RUNNER_STREAM_H
#define BID_RUNNER_STREAM_H

#include "format/csv_rows.h"
#include "source/runner_request.h"

struct unpack;

#define RUNNER_MEMBER_MAX ((size_t)64 << 20) /* limit of a member, in bytes */
#define RUNNER_TALLY_VALUES 1000             /* different values that are counted; more are not */

/* Counts of each value of a field, in a small hash table with open addressing. */
struct runner_tally {
  char *field;
  int column;
  char *values[RUNNER_TALLY_VALUES * 2];
  uint64_t counts[RUNNER_TALLY_VALUES * 2];
  size_t used;
};

enum runner_stream_format { FORMAT_ARCHIVE, FORMAT_CSV, FORMAT_LINES, FORMAT_XML };

struct runner_stream {
  struct run *run;
  struct runner_request *ask;
  enum runner_stream_format format;
  struct json_filter *where;
  struct slice spec; /* the request's "stream" */
  int filter, summary, split, stopped, failed, in_folder;
  unsigned nth; /* of the members of one name in an archive, from 1; 0 outside of one */
  long long limit, batch_size, skip, skipped;
  struct error_text why;
  const char *category;

  uint64_t total, matched, emitted, bytes, members;
  struct buf names; /* fields of a summary */

  struct buf batch;                           /* rows as JSON, without brackets */
  long long batched, batch_first, batch_last; /* numbers of rows or lines in the member, from 1 */

  struct buf header; /* CSV: column names, each with its '\0' */
  const char *columns[CSVROWS_COLUMNS];
  size_t column_count;
  int keep[CSVROWS_COLUMNS];
  struct buf key_text;
  struct slice keys[CSVROWS_COLUMNS]; /* `,"NAME":` of each kept column */
  size_t keep_count;
  struct runner_tally *tallies;
  size_t tally_count;

  char *element; /* XML */
};

/* ---- runner_emit.c ---- */

/* Marks the stream as failed.  -1. */
int runner_part_give_up(struct runner_stream *s, const char *category, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same where unpack has filled s->why. */
int runner_part_damaged(struct runner_stream *s);

/* The category of damage: a damaged response may be complete the next time, a damaged file of the user's stays so. */
const char *runner_part_damage(const struct runner_stream *s);

/* The media type of a file, by the extension of its name (NULL: none is known) or by its bytes; static. */
const char *runner_part_type_of_name(const char *name);
const char *runner_part_type_of_bytes(struct slice bytes);

/* Appends the URL of a part: the body's URL with the fragment `mark` and name; the body's own where name is "". */
void runner_part_url(const struct runner_stream *s, const char *mark, const char *name, struct buf *out);

/* A payload with what all parts have in common; it borrows from the stream and `url`. */
struct payload runner_part_payload(const struct runner_stream *s, const char *url);

/* Writes an error record with the metadata of the payload that failed. */
void runner_part_error(struct runner_stream *s, const char *category, const char *url, const char *text);

/* Counts a payload; ends the stream at its limit or where stdout has failed. */
void runner_part_count(struct runner_stream *s);

/* Starts the object that the connector's row function gets: the caller adds the part itself and the closing brace, passes
 * it to runner_part_filter(), and releases it. */
void runner_part_open_input(struct runner_stream *s, struct buf *input, const char *name);

/* Passes a part to the connector's row function and writes what it returns. */
int runner_part_filter(struct runner_stream *s, struct slice input, const struct payload *p);

/* ---- runner_rows.c ---- */

/* Writes the batch, if it has rows. */
int runner_rows_flush(struct runner_stream *s);

/* Reads a member: a row a line, or a row an element. */
int runner_rows_read_lines(struct runner_stream *s, struct unpack *u);
int runner_rows_read_xml(struct runner_stream *s, struct unpack *u);

/* Reads a member whose first row names the columns. */
int runner_csv_read(struct runner_stream *s, struct unpack *u);

/* Appends the member "tally" of a summary. */
void runner_csv_add_tallies(const struct runner_stream *s, struct buf *out);

/* Frees what these two keep in the stream. */
void runner_csv_release(struct runner_stream *s);

#endif
