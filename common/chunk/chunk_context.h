/* chunk_context.h: the line that says where a passage comes from, and its id. */
#ifndef BID_CHUNK_CONTEXT_H
#define BID_CHUNK_CONTEXT_H

#include "base/buf.h"
#include "chunk/chunker.h"
#include "base/digest.h"

/* What a document record says of itself; slices of JSON text already decoded. */
struct chunk_source {
  struct slice company, ticker, form, type, fiscal_year, fiscal_period, report_date, filed, title, exhibit;
  struct slice url, sha256, part;
};

/* Takes the fields out of a document's `metadata` object (may be empty); own, which is
 * empty before, keeps their text. */
void chunk_source_read(struct chunk_source *s, struct slice metadata, struct buf *own);

/* Appends the part of the line that all passages of a document share:
 * "Apple Inc. (AAPL) · 10-K · FY 2024 · filed 2024-11-01".  What is unknown is left out. */
void chunk_context_document(struct buf *out, const struct chunk_source *s);

/* Append what is a passage's own, at most CONTEXT_MAX bytes, Markdown marks left out: the headings above it,
 * " · Item 1A. Risk Factors · Supply chain", which neighbours often share; and the caption and header of a
 * table that it continues, " · (in millions) | 2024 | 2023". */
#define CONTEXT_MAX 1024
void chunk_context_path(struct buf *out, const struct chunker_chunk *chunk);
void chunk_context_table(struct buf *out, const struct chunker_chunk *chunk);

/* Id of a passage: 32 hexadecimal digits and '\0', the first half of the SHA-256 over CHUNKER_VERSION,
 * sourceUrl, sha256, part (each ended by a zero byte), which chunk_id_start() takes in once for a document,
 * start and end (8 bytes each, little-endian). */
void chunk_id_start(struct digest *d, const struct chunk_source *s);
void chunk_id(char out[33], const struct digest *started, size_t start, size_t end);

#endif
