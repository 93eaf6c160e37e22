/* resume.h: going on where an interrupted run of a filter stopped.
 *
 * The output file of that run tells what is done: a record counts as done when the file has its line with
 * the added fields.  A record is known by the 128-bit hash of its bytes without those fields, so it needs no
 * id; equal records are counted.  An error record is known by all of its bytes.
 */
#ifndef BID_RESUME_H
#define BID_RESUME_H

#include "base/diag.h"
#include "record/record.h"

struct resume;

/* Opens (or makes) the output file for appending, cuts off a last line that is not whole, and remembers its
 * records that have all the `added` fields (kept by reference).  value: what the field added[0] must hold, as
 * raw JSON, or empty.  NULL with *e: it cannot be opened or written, it is no file, another run has it open,
 * or a record there holds something else in added[0]. */
struct resume *resume_open(const char *path, const char *const *added, struct slice value,
                           struct error_text *e);
void resume_close(struct resume *r);

/* Descriptor to write to. */
int resume_fd(const struct resume *r);

/* 1 where rec was done before (and is taken off the list), 0 where it is to be done. */
int resume_done(struct resume *r, const struct record *rec);

/* The same of an error record, about to be written. */
int resume_error_done(struct resume *r, struct slice line);

#endif
