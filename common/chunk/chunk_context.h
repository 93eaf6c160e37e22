/* chunk_context.h: the context line that describes a passage's origin, and a passage's id. */
#ifndef BID_CHUNK_CONTEXT_H
#define BID_CHUNK_CONTEXT_H

#include "base/buf.h"
#include "base/digest.h"
#include "chunk/chunker.h"

#include <stdint.h>

/* A document record's description of itself; slices of decoded JSON text. */
struct chunk_source {
  struct slice company, ticker, form, type, fiscal_year, fiscal_period, report_date, filed, title, exhibit;
  struct slice url, sha256, part;
  struct slice name; /* of a local file, or empty */
};

/* Reads the members of a document's `metadata` object (may be empty); own, which must be empty, holds their text. */
void chunk_source_read(struct chunk_source *s, struct slice metadata, struct buf *own);

/* Appends the part of the line shared by all passages of a document: "Apple Inc.  (AAPL) · 10-K · FY 2024 · filed
 * 2024-11-01".  Unknown parts are omitted.  A document without a form is described by its title, else by its file's name. */
void chunk_context_document(struct buf *out, const struct chunk_source *s);

/* Append a passage's own part, of CONTEXT_MAX bytes at most each, without Markdown marks: the headings above it, " · Item 1A.
 * Risk Factors · Supply chain", which neighbouring passages often share; and the caption, the group's
 * heading and the header of a table that it continues, " · Financing activities: · (in millions) | 2024 | 2023". */
#define CONTEXT_MAX 1024
void chunk_context_path(struct buf *out, const struct chunker_chunk *chunk);
void chunk_context_table(struct buf *out, const struct chunker_chunk *chunk);

/* A passage's id is 32 hexadecimal digits and '\0': the first half of the SHA-256 over CHUNKER_VERSION, sourceUrl,
 * sha256, part (each ended by a zero byte), which chunk_id_start() digests once per document, and start and end (8
 * bytes each, little-endian). */
void chunk_id_start(struct digest *d, const struct chunk_source *s);
void chunk_id(char out[33], const struct digest *started, size_t start, size_t end);

#endif
