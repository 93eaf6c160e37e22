/* jq_filter.h: which of many JSON objects a jq expression is true for.
 *
 * The expression runs in a child process with limits of time and memory, since a jq program may loop for
 * ever.
 */
#ifndef BID_JQ_FILTER_H
#define BID_JQ_FILTER_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

#define JQFILTER_SECONDS 5                /* for all objects together */
#define JQFILTER_MEMORY ((size_t)2 << 30) /* address space beyond what the caller has */

/* objects: count JSON texts.  keep[i] becomes 1 where the expression's first result for objects[i] is neither
 * false nor null, else 0 (no result: 0).  0, or -1 with *e: it doesn't compile, an object made it fail, it
 * took too long or too much memory. */
int jq_filter_run(const char *expression, const struct slice *objects, size_t count, uint8_t *keep,
                  struct error_text *e);

#endif
