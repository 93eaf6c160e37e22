/* store_format.h: the format of the store's file; private to store*.c and to tests.  bid-store(5) documents it for
 * users; README.md in this folder explains how damage is detected.
 *
 * One LMDB file, version STORE_FORMAT (or STORE_FORMAT_SHARED from the first dictionary.N on), in host byte order,
 * like LMDB's own pages.  Tables:
 *
 *   meta         "format"     struct store_format_head
 *                "segments"   struct store_segment_entry[]: the manifest, by ascending first_doc within a model
 *                "counters"   struct store_counters
 *                "dictionary" zstd dictionary of the text blocks (trained on the first large batch)
 *                "dictionary.N" of documents copied from another store (store_joint.c), N from 1 on
 *                "sketch"     struct store_sketch_entry[]: measured accuracy of 1-bit sketches, per model
 *   collections  name -> struct store_collection_value
 *   strings      kind + text -> u32 number; kinds: f(orm), i(tem), m(odel)
 *   companies    identity -> u32 number, name\0 ticker\0 cik\0; identities: c + CIK, t + ticker, n + name
 *   urls         u32 collection (big endian), 12 bytes of XXH3-128 of the URL -> u64 document id
 *   documents    u64 id -> document value, below
 *   segments     u32 id -> segment value, below; immutable
 *   dead         u32 id -> bitmap of the segment's removed documents, 64-bit words
 *
 * Every value except those of documents and segments is sealed: followed by the XXH3-64 of key and value
 * (store_seal()).
 *
 * Document value (never rewritten when segments are merged):
 *
 *   struct store_document_head | url | packed shared JSON | u32 end[blocks] | u32 sum[blocks] | block 0 | block 1 ...
 *
 *   A block is a zstd frame of `block_rows` passages: for each, varint lengths of text, context, chunk and
 *   extra, then these bytes.  end[i] is the offset of the end of block i from the start of block 0; sum[i] is
 *   the lower half of the XXH3-64 of the unpacked block, which also detects a damaged dictionary.
 *
 * Segment value: struct store_segment_head (48 bytes, so that what follows is 64-byte aligned in the map: LMDB puts a large
 * value 16 bytes into a page), the directory of its parts, and the parts, each 64-byte aligned:
 *
 *   docs      struct store_doc[docs]
 *   ids       16 bytes a row
 *   lengths   u16 a row           items  u16 a row           flags  u8 a row, 0
 *   high      u8 [rows][width / 2]: components' upper 4 bits (vector.h)
 *   low       u8 [rows][width]
 *   scale     float a row
 *   sketch    u64 [groups of 8 rows][width / 64][8]
 *   factor    u16 [groups of 8 rows][2][8]
 *   axis      float [width]
 *   hashes    u64 a term, ascending: XXH3-64 of the term's bytes
 *   where     u32 a term: bit 31 set: the only posting itself (row << 8 | tf); else its offset in `postings`
 *   postings  lists, postings.h
 *   sums      u32 a block of SEGMENT_BLOCK bytes of each part above: XXH3-64's lower half
 *
 * Rejected alternatives:
 * - One key per passage (the common, simple design): a 1.5 KB value wastes a third of its page, random puts run at a
 *   fifth of the speed of appends, and a vector scan would read from all over the file.
 * - A file or segments per collection: a store of 5,000 filings has 1,500 collections, so a question to all of them
 *   would open 1,500 small indexes; here it opens a dozen, and a collection is a filter over at most a few thousand
 *   documents with adjacent rows.
 * - Bitmaps per company, form, date and item: at the intended sizes the documents' table (64 bytes each) is scanned
 *   faster than bitmaps are merged, and needs no maintenance.
 * - Strings in the term dictionary: nothing needs prefix look-ups, and a 64-bit hash takes 8 bytes for any term; the
 *   chance that two of 10,000,000 terms collide is 3 in a million.
 * - An approximate graph (HNSW): needs several times the space and build time, can't filter, and the scan answers in
 *   milliseconds up to 10,000,000 rows.
 * - int8 rows plus 4 more bits (version 1 of this format): the same 384 bytes, but a scan had to read 256 of each
 *   row, where 128 are enough to select the candidates.
 * - One axis for the whole store: it would have to fit from the first document on.  A segment's axis is computed when
 *   the segment is written, including by a merge.
 */
#ifndef BID_STORE_FORMAT_H
#define BID_STORE_FORMAT_H

#include "store/store.h"

#include <stdatomic.h>

#define STORE_FORMAT 3
#define STORE_FORMAT_SHARED 4 /* several dictionaries; older versions would see damage */
#define STORE_MAGIC "BIDSTORE"
#define SEGMENT_MAGIC "BIDSEGM3"

/* Rows of a segment: smaller ones are merged, a segment of this size is closed. */
#define SEGMENT_ROWS_MAX 131072
/* Limit of the format's row numbers, for a single huge document above that. */
#define SEGMENT_ROWS_LIMIT (1u << 20)
/* Limit of dictionaries in a store. */
#define STORE_DICTIONARIES_MAX 65536
/* Bytes of a part that share a checksum: about a page, which has to be read anyway. */
#define SEGMENT_BLOCK 4096

struct store_format_head {
  char magic[8];
  uint32_t version, terms_version;
  int64_t created;
};

struct store_counters {
  uint64_t next_doc;
  uint32_t next_segment, next_collection, next_company, spare;
};

struct store_segment_entry {
  uint32_t id, model, rows, docs, live_rows, live_docs;
  uint64_t live_length, first_doc, last_doc, bytes;
};

struct store_sketch_entry {
  uint32_t model, candidates; /* 0: sketches are not accurate enough */
  uint64_t rows;              /* number of rows when it was measured */
  double recall;
};

struct store_collection_value {
  uint32_t id, model, dims, spare;
  uint64_t documents, passages;
  int64_t updated;
};

struct store_document_head {
  uint64_t check; /* XXH3-64, seeded with the document's id, of everything from the next field to the
                     blocks */
  uint64_t hash[2];
  uint32_t collection, rows, block_rows, blocks;
  uint32_t url_len, json_len, json_packed; /* packed with zstd; equal: stored uncompressed */
  uint32_t packed;                         /* bit 0: with a dictionary; from bit 8 on: its number */
  uint64_t json_check;                     /* XXH3-64 of the unpacked JSON */
};

enum store_segment_part {
  PART_DOCS,
  PART_IDS,
  PART_LENGTHS,
  PART_ITEMS,
  PART_FLAGS,
  PART_HIGH,
  PART_LOW,
  PART_SCALE,
  PART_SKETCH,
  PART_FACTOR,
  PART_AXIS,
  PART_HASHES,
  PART_WHERE,
  PART_POSTINGS,
  PART_SUMS,
  PART_COUNT
};

struct store_segment_head {
  char magic[8];
  uint32_t id, rows, docs, dims, width, terms;
  uint64_t check;      /* XXH3-64 of this head (with 0 here) and the directory */
  uint64_t sums_check; /* XXH3-64 of the part `sums` */
};

struct store_segment_directory {
  struct {
    uint64_t offset, bytes; /* from the start of the value */
    uint64_t first_sum;     /* index in `sums` of its first block */
  } part[PART_COUNT];
};

_Static_assert(sizeof(struct store_doc) == 64, "layout");
_Static_assert(sizeof(struct store_segment_head) == 48, "layout");
_Static_assert(sizeof(struct store_segment_entry) == 56, "layout");
_Static_assert(sizeof(struct store_document_head) == 64, "layout");

/* Terms of a segment; struct store_segment.terms points here. */
struct store_terms {
  const uint64_t *hashes;
  const uint32_t *where;
  uint32_t count;
  const uint8_t *postings;
  size_t postings_len; /* without the 8 padding bytes */
};

/* ---- store_segment.c: segments in memory, without LMDB ---- */

/* Attaches seg to a segment value and verifies head, directory and checksums, so that reading stays inside the value.
 * 0, or -1 with *e.  The parts are verified as they are read, by a guard (below), or not at all. */
int store_segment_attach(struct store_segment *seg, struct store_terms *terms, const void *value, size_t len,
                         struct error_text *e);

/* The row after a document's last; within the segment even in a damaged file. */
static inline uint32_t store_segment_doc_end(const struct store_segment *seg, const struct store_doc *d) {
  uint64_t end = (uint64_t)d->first + d->rows;
  return end < seg->rows ? (uint32_t)end : seg->rows;
}

/* Whether a document was removed. */
static inline int store_list_has(const uint32_t *list, size_t n, uint32_t v) {
  while (n-- > 0)
    if (list[n] == v)
      return 1;
  return 0;
}

/* The head's and the directory's checksum. */
uint64_t store_segment_head_check(const struct store_segment_head *h,
                                  const struct store_segment_directory *dir);

/* Whether the checksums are right and the documents fill the rows: 1 or 0.  Of all parts, or only of documents and
 * lengths, which is all that marking a document as removed reads. */
int store_segment_is_sound(const struct store_segment *seg, const void *value);
int store_segment_docs_are_sound(const struct store_segment *seg, const void *value);

/* Whether the checksums of one part are right, and whether the documents' rows are consecutive and fill the segment. */
int store_segment_part_is_right(const void *value, enum store_segment_part p);
int store_segment_docs_fill(const struct store_segment *seg);

/* ---- building ---- */

/* A segment being built, row by row. */
struct store_segment_builder {
  uint32_t dims, width;
  uint32_t rows, rows_cap, docs;
  struct store_doc *doc;
  uint8_t *ids; /* [rows][16] */
  uint16_t *length, *item;
  uint8_t *high, *low;
  float *scale;
  uint64_t *sketch; /* computed with the next two by store_segment_seal() */
  uint16_t *factor;
  float *axis;
  struct postings_builder *postings;
};
void store_segment_builder_init(struct store_segment_builder *b, uint32_t dims);
void store_segment_builder_release(struct store_segment_builder *b);
struct store_doc *store_segment_add_doc(struct store_segment_builder *b); /* its rows follow */
uint32_t store_segment_add_row(struct store_segment_builder *b);

/* Encodes the postings and computes the sketches; returns the size of the whole value. */
size_t store_segment_seal(struct store_segment_builder *b);
/* Writes the value (of that size) to `value`, which must be 16-byte aligned. */
void store_segment_write(struct store_segment_builder *b, uint32_t id, void *value);

/* Copies a verified value of `len` bytes to `to` (16-byte aligned) as segment `id` with other documents and items. */
void store_segment_copy(const void *value, size_t len, uint32_t id, const struct store_doc *docs,
                        const uint16_t *items, void *to);

/* Merges segments (same model, ascending) without their removed documents into a builder. */
void store_segment_merge(struct store_segment_builder *b, const struct store_segment *const *from,
                         size_t count);

/* ---- verifying the blocks of a segment as they are read ---- */

struct store_segment_guard {
  const char *value;
  const struct store_segment_directory *dir;
  const uint32_t *sums;
  _Atomic(uint64_t) *seen; /* bitmap of verified blocks */
  atomic_int damaged;      /* 1 + the first part found damaged; 0: none */
};

/* Starts verifying reads of seg (attached to `value`).  Columns that are read everywhere are verified at once: 0, or
 * -1 with *e where they are damaged. */
int store_segment_guard_start(struct store_segment_guard *g, struct store_segment *seg, const void *value,
                              struct error_text *e);
void store_segment_guard_release(struct store_segment_guard *g);

/* To be called before bytes [from, to) of a part are read: 0, or -1 where one of their blocks is damaged, which is
 * remembered.  Thread-safe. */
int store_segment_guard_check(struct store_segment_guard *g, enum store_segment_part part, uint64_t from,
                              uint64_t to);

/* Marks a part as damaged although its checksums are right. */
void store_segment_guard_blame(struct store_segment_guard *g, enum store_segment_part part);

const char *store_segment_part_name(enum store_segment_part part);

/* A part's blocks; fills the part with the sums of all blocks of a whole value, and returns the check of these; whether
 * the sums of blocks [from, to) of a part are right. */
uint64_t store_segment_block_count(uint64_t bytes);
uint64_t store_segment_write_sums(void *value, const struct store_segment_directory *dir);
int store_segment_blocks_are_right(const void *value, enum store_segment_part part, uint64_t from,
                                   uint64_t to);

#endif
