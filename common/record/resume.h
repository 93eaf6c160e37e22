/* resume.h: resuming an interrupted run of a filter.
 *
 * The output file of that run shows what is done: a record counts as done if the file has its line with the added
 * fields.  Records are identified by the hash of their bytes without those fields, so they need no id; duplicates are
 * counted.  An error record is identified by all of its bytes.
 */
#ifndef BID_RESUME_H
#define BID_RESUME_H

#include "base/diag.h"
#include "record/record.h"

struct resume;

/* Opens or creates the output file for appending, truncates an incomplete last line, and indexes its records that
 * have all the `added` fields (kept by reference).  value: what the field added[0] must hold, as raw JSON, or empty.
 * NULL with *e where the file can't be opened or written or is not a regular file, where another run has it open, or
 * where a record in it has a different added[0]. */
struct resume *resume_open(const char *path, const char *const *added, struct slice value,
                           struct error_text *e);
void resume_close(struct resume *r);

/* The descriptor to write to; resume_close() closes it. */
int resume_fd(const struct resume *r);

/* 1 where rec is already in the output (that occurrence is then used up), 0 where it must be processed. */
int resume_done(struct resume *r, const struct record *rec);

/* The same for an error record that is about to be written. */
int resume_error_done(struct resume *r, struct slice line);

#endif
