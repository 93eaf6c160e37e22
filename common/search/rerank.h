/* rerank.h: how like a question passages are to an encoder that reads them, for the order of the best few.
 *
 * It reads the few sentences of a passage that may answer, not all of it: a vector of 512 tokens says what a passage is
 * about, and the one sentence that answers is lost in it.  An encoder reads some hundred sentences a second on a core,
 * so what it made of a text is kept in a file of $BID_CACHE (rerank_cache.h): a text costs its time once.  Threads may share a reranker; they wait for each other.
 */
#ifndef BID_RERANK_H
#define BID_RERANK_H

#include "base/buf.h"
#include "base/diag.h"

struct rerank;

/* model: as in embed.h.  NULL with *e. */
struct rerank *rerank_open(const char *model, struct error_text *e);
void rerank_close(struct rerank *r);

/* Cosines of the question with passages, between their worst (0) and their best (1), into out[passages]; of fewer
 * than two: 0.  A passage's is that of its nearest text: texts[i] is of passage of[i], and each passage has one.  0, or
 * -1 with *e. */
int rerank_likeness(struct rerank *r, struct slice question, const struct slice *texts, const size_t *of,
                    size_t count, float *out, size_t passages, struct error_text *e);

#endif
