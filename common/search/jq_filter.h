/* jq_filter.h: evaluates a jq expression as a filter on many JSON objects.
 *
 * The expression runs in a child process with limits of time and memory, since a jq program may loop forever.
 */
#ifndef BID_JQ_FILTER_H
#define BID_JQ_FILTER_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/helper.h"

#include <stdint.h>

#define JQFILTER_SECONDS 5                /* time limit for all objects together */
#define JQFILTER_MEMORY ((size_t)2 << 30) /* limit of address space, in addition to the parent's */

/* Sets the expression, which must stay; before a helper for jq_filter_judge is started. */
void jq_filter_use(const char *expression);

/* Objects stand in a buffer, each behind its length: begins one, whose JSON text is then appended, and ends it.  Returns
 * the length of the text; an empty one is none of the objects. */
size_t jq_filter_begin(struct buf *objects);
size_t jq_filter_end(struct buf *objects, size_t begun);

/* objects: count of them.  keep[i] is set to 1 where the expression's first result for the i-th is neither false
 * nor null, else to 0.  0, or -1 with *e: it doesn't compile, fails on an object, or exceeds a limit. */
int jq_filter_run(struct slice objects, size_t count, uint8_t *keep, struct error_text *e);

/* The child. */
helper_run jq_filter_judge;

#endif
