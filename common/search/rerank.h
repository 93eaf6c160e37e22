/* rerank.h: how like a question passages are to an encoder that reads them, for the order of the best few.
 *
 * An encoder reads a dozen passages a second on a core, so what it made of a passage is kept in a file of $BID_CACHE
 * (rerank_cache.h): a passage costs its time once.  Threads may share a reranker; they wait for each other.
 */
#ifndef BID_RERANK_H
#define BID_RERANK_H

#include "base/buf.h"
#include "base/diag.h"

struct rerank;

/* model: as in embed.h.  NULL with *e. */
struct rerank *rerank_open(const char *model, struct error_text *e);
void rerank_close(struct rerank *r);

/* Cosines of the question with texts (context line, newline, text), between their worst (0) and their best (1), into
 * out[count]; of fewer than two: 0.  0, or -1 with *e. */
int rerank_likeness(struct rerank *r, struct slice question, const struct slice *texts, size_t count,
                    float *out, struct error_text *e);

#endif
