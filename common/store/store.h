/* store.h: the one file that holds collections of documents: text, vectors, postings, metadata.
 *
 * A store is one LMDB file (and its "-lock" beside it).  Documents (a sourceUrl within a collection) are cut
 * into passages.  What searching needs lies in immutable segments: each commit writes one, later commits
 * merge small ones.  A segment holds documents of any collections that share one embedding model; a passage
 * is a row of a segment, and the rows of a document are consecutive, in their order in the document.
 *
 * Readers work on a snapshot: they never wait and never see half a document.  All pointers that a snapshot
 * hands out point into the mapped file and live until store_snapshot_end().  One snapshot may be used by
 * several threads at once.  Writers wait for each other.
 *
 * Functions that can fail return an enum store_status and fill *e exactly when it isn't STORE_OK.
 */
#ifndef BID_STORE_H
#define BID_STORE_H

#include "base/buf.h"
#include "base/diag.h"
#include "vector/vector.h"

#include <stdint.h>

enum store_status {
  STORE_OK,
  STORE_MISSING,   /* no store at that path, or an empty one */
  STORE_UNNAMED,   /* no path: neither BID_STORE nor HOME is set */
  STORE_ABSENT,    /* no such document or passage in it */
  STORE_BUSY,      /* another process kept writing past the wait */
  STORE_NOT_STORE, /* the file is something else */
  STORE_VERSION,   /* written by another version; the message names the command that mends it */
  STORE_CORRUPT,   /* a checksum or an invariant is off */
  STORE_IO,        /* disk full, read-only, permissions, a network file system */
  STORE_MODEL,     /* vectors of another model than the collection's */
  STORE_LIMIT,     /* a document past the limits below */
  STORE_AWAY,      /* a server that keeps collections can't be reached, or failed */
  STORE_DENIED,    /* it refused the token */
  STORE_REFUSED    /* it refused what it was sent, or is no such server */
};

/* Exit status (sysexits) and error category of a status, by its kind (error.h). */
int store_exit_status(enum store_status s);
const char *store_category(enum store_status s);

#define STORE_DOCUMENT_ROWS 65536              /* passages of a document */
#define STORE_DOCUMENT_BYTES ((size_t)1 << 28) /* its text */
#define STORE_NAME_MAX 256                     /* bytes of a collection's name */

/* ---- opening ---- */

struct store;

struct store_options {
  const char *path; /* NULL: BID_STORE or its default */
  int write;        /* else for reading only; a store on a read-only disk can be read */
  int create;       /* with write: make it where there is none */
  double wait;      /* seconds that a writer waits for its turn; 0: not at all, negative: for ever */
};

enum store_status store_open(struct store **s, const struct store_options *o, struct error_text *e);
void store_close(struct store *s); /* NULL allowed */
const char *store_path(const struct store *s);

/* ---- reading ---- */

struct store_snapshot;

enum store_status store_snapshot_begin(struct store *s, struct store_snapshot **snap, struct error_text *e);
void store_snapshot_end(struct store_snapshot *snap); /* NULL allowed */

#define STORE_JOINT_MAX 255

/* One snapshot of several stores, which is searched and filtered as if they had been merged in this order: statistics are
 * over all, and of two versions of a document only the one that merging would leave lives.  Reads snapshots of its own; the
 * stores stay the caller's, open until it has ended, and each is another file. */
enum store_status store_joint_begin(struct store *const *stores, size_t count, struct store_snapshot **snap,
                                    struct error_text *e);
/* The path of the store that a document is of; NULL in a snapshot of one store. */
const char *store_snapshot_path(const struct store_snapshot *snap, uint64_t doc_id);

/* Whether a reader that lasts should let go of its snapshot and its store and open them anew: something was committed
 * since, another process waits to have the file alone, or another file stands in its place. */
int store_is_outdated(const struct store *s, const struct store_snapshot *snap);

struct store_collection {
  uint32_t id;
  const char *name;  /* DOMAIN_CORPUS_COMPANY_FORM */
  const char *model; /* "bid-static@3f9a0c1e2b4d" */
  uint32_t dims;
  uint64_t documents, passages; /* live */
  int64_t updated;              /* Unix seconds of the last commit that changed it */
};

/* All collections, by name (bytewise).  Those whose name starts with '~' are work in progress of
 * "bid-store reembed": left out of the list, found by
 * name. */
size_t store_collections(const struct store_snapshot *snap, const struct store_collection **list);
const struct store_collection *store_collection(const struct store_snapshot *snap, const char *name);

/* The name of the collection with that number, in the snapshot's memory; "" where there is none. */
const char *store_collection_name(const struct store_snapshot *snap, uint32_t id);

/* Words that documents share, as small numbers: forms ("10-K"), items ("1A").  Number 0 is "unknown". */
size_t store_forms(const struct store_snapshot *snap, const char *const **list); /* list[number] */
size_t store_items(const struct store_snapshot *snap, const char *const **list);

/* Companies: one a CIK, else a ticker, else a name.  "" where unknown.  Number 0 is "unknown". */
struct store_company {
  const char *name, *ticker, *cik; /* "Apple Inc.", "AAPL", "0000320193" */
};
size_t store_companies(const struct store_snapshot *snap,
                       const struct store_company **list); /* list[number] */

#define STORE_NO_DAY INT32_MIN  /* a date that isn't known */
#define STORE_NO_TIME INT64_MIN /* a time that isn't known */

/* What a segment knows of a document: 64 bytes. */
struct store_doc {
  uint64_t id;             /* of the document, never used again */
  uint32_t first, rows;    /* its rows of the segment */
  uint32_t collection;     /* store_collection.id */
  uint32_t company;        /* number of store_companies() */
  int64_t accepted;        /* acceptanceDateTime, else the end of filingDate; Unix seconds or STORE_NO_TIME */
  int64_t captured;        /* capturedAt */
  int32_t filed, reported; /* filingDate, reportDate: days since 1970-01-01, or STORE_NO_DAY */
  uint16_t form;           /* number of store_forms() */
  int16_t fiscal_year;     /* 0: unknown */
  uint8_t fiscal_period;   /* 1 to 4: quarters, 5: full year, 0: unknown */
  uint8_t flags;
  uint16_t spare;
  uint64_t url_hash; /* XXH3-64 of the sourceUrl */
};

enum { STORE_BOILERPLATE = 1 }; /* row flags; the others are those of passage_kind.h */

struct store_segment {
  uint32_t id, rows, docs;
  uint32_t live_rows, live_docs; /* without removed documents */
  uint64_t live_length;          /* sum of `length` over live rows */
  const char *model;
  const struct store_doc *doc; /* [docs], by ascending id and first row */
  const uint64_t *dead_docs;   /* bitmap of removed documents; NULL where there is none */
  const uint64_t *live_bits;   /* bitmap of live rows; NULL where all are */
  const uint16_t *length; /* [rows] BM25's length: TERM_WORD terms of the text (terms.h), at most 65,535 */
  const uint16_t *item;   /* [rows] number of store_items() */
  const uint8_t *flags;   /* [rows] */
  const uint8_t *ids;     /* [rows][16] the passage's id as bytes: by store_row_id() */
  struct vector_rows vectors;
  const struct store_terms *terms; /* opaque */
  struct segment_guard *guard;     /* opaque */
};

size_t store_segments(const struct store_snapshot *snap, const struct store_segment **list);

/* Index into seg->doc of a row's document. */
uint32_t store_doc_of_row(const struct store_segment *seg, uint32_t row);

/* Index into seg->doc of the document with that id; seg->docs where the segment has none. */
uint32_t store_doc_index(const struct store_segment *seg, uint64_t id);

#define STORE_ID_BYTES 16 /* of a passage's id */
const uint8_t *store_row_id(const struct store_segment *seg, uint32_t row);

/* What the file holds is checked as it is read, by checksums: once for each snapshot and block of about a page.  Where
 * reading postings, vectors, ids or lists met damage, the caller went on with what it got, and must not show it: ask
 * this after all reading and before anything is shown.  STORE_OK or STORE_CORRUPT.  Texts and documents say so
 * themselves. */
enum store_status store_snapshot_check(const struct store_snapshot *snap, struct error_text *e);

/* A number of 1-bit candidates that was measured on this store's own vectors of the model to hold recall@10
 * of 0.99; 0 where none does (or nothing was measured): scan exactly. */
size_t store_sketch_candidates(const struct store_snapshot *snap, const char *model);

/* ---- filters ---- */

/* Everything is allowed by {0}.  Lists are "any of"; different fields must all hold. */
struct store_filter {
  const uint32_t *collections; /* ids */
  size_t collection_count;
  const uint32_t *companies; /* numbers */
  size_t company_count;
  const uint16_t *forms;
  size_t form_count;
  const uint16_t *items;
  size_t item_count;
  const int16_t *years; /* fiscal years */
  size_t year_count;
  int32_t since, until; /* days of filing, both included (INT32_MAX: no end); 0 both: any.  A document without
                           a date is left out */
  int64_t as_of;        /* only what was accepted by then; 0: any */
  int (*keep)(void *arg, const struct store_segment *seg,
              uint32_t doc); /* or NULL: 0 leaves the document out */
  /* Or NULL.  Bitmap of the document's rows, counted from its first, of which only these may pass; NULL leaves the
   * document out. */
  const uint64_t *(*rows)(void *arg, const struct store_segment *seg, uint32_t doc);
  void *arg;
};

/* The live rows of a segment that pass, as ranges or as a bitmap. */
struct store_selection {
  uint32_t count;    /* rows that pass; 0: skip the segment */
  uint32_t from, to; /* all of them lie in [from, to) */
  uint64_t *bits;    /* bitmap over the segment's rows, owned; NULL where every row of [from, to) passes */
};
void store_select(const struct store_segment *seg, const struct store_filter *f, struct store_selection *out);
void store_selection_release(struct store_selection *sel);

static inline int store_selected(const struct store_selection *sel, uint32_t row) {
  return row >= sel->from && row < sel->to && (!sel->bits || (sel->bits[row / 64] >> (row % 64) & 1));
}

/* ---- postings ---- */

#define STORE_BLOCK 128 /* postings of a block */

/* A term is its terms_hash() (terms.h).
 * Documents frequency: live rows of the segment (of the whole store: summed) that hold the term, exactly. */
uint32_t store_df(const struct store_segment *seg, uint64_t term);

/* Live rows and the sum of their lengths over all segments: BM25's N and, divided, its average length. */
void store_totals(const struct store_snapshot *snap, uint64_t *rows, uint64_t *length);

/* Walks the blocks of a term's postings in a segment, rows ascending; removed documents are still in it.
 *
 *     struct store_postings p;
 *     for (int more = store_postings_open(&p, seg, hash); more; more = store_postings_next(&p)) {
 *       if (bound(p.max_text, p.max_context, p.min_length) < worst) continue;    // skip without decoding
 *       store_postings_decode(&p, rows, text_tf, context_tf);                     // p.count of each
 *     }
 */
struct store_postings {
  uint32_t total;        /* postings of the whole list */
  uint32_t count;        /* of this block: 1 to STORE_BLOCK */
  uint32_t before, last; /* its rows lie in (before, last]; before is UINT32_MAX for the first block */
  uint8_t max_text, max_context; /* largest term frequencies in it (capped at 63 and 3) */
  uint16_t min_length;           /* a lower bound of its rows' lengths */
  const struct store_segment *seg;
  const uint8_t *at, *data, *end; /* private, as all below */
  uint32_t index, blocks, inline_row;
  uint8_t row_bits, tf_bits, kind, inline_tf;
};
int store_postings_open(struct store_postings *p, const struct store_segment *seg, uint64_t term);
int store_postings_next(struct store_postings *p);
/* The first block at or after this one that may hold a row >= `row`. */
int store_postings_seek(struct store_postings *p, uint32_t row);
void store_postings_decode(const struct store_postings *p, uint32_t rows[STORE_BLOCK],
                           uint8_t text_tf[STORE_BLOCK], uint8_t context_tf[STORE_BLOCK]);

/* How many rows from `first` up to `end` hold the term; *here: whether `row` does. */
uint32_t store_postings_count(const struct store_segment *seg, uint64_t term, uint32_t first, uint32_t end,
                              uint32_t row, int *here);

/* Robertson and Zaragoza's BM25: scale is k1 + 1, fixed k1 * (1 - b), slope k1 * b / average length; a
 * frequency is the text's plus `context` times the context's. */
struct store_bm25 {
  float weight, context, scale, fixed, slope;
};
static inline float store_bm25(const struct store_bm25 *m, float tf, float length) {
  return tf * m->scale / (tf + m->fixed + m->slope * length);
}

/* Adds weight * store_bm25() to score[row] for each row of the block. */
void store_postings_score(const struct store_postings *p, const struct store_bm25 *m, float *score);
/* ---- text and metadata ---- */

/* A passage as it was given; slices of `own`. */
struct store_text {
  struct slice text, context; /* UTF-8, decoded */
  struct slice chunk;         /* raw JSON of "chunk": {index, start, end, page, item, heading, tokens} */
  struct slice
      extra;        /* raw JSON members, without braces, that only this passage has ("a":1,"b":2), or empty */
  uint64_t hash[2]; /* of its document */
  struct buf own;
  void *state; /* private */
};
void store_text_init(struct store_text *t);
void store_text_release(struct store_text *t);
enum store_status store_get_text(const struct store_snapshot *snap, const struct store_segment *seg,
                                 uint32_t row, struct store_text *t, struct error_text *e);

/* A document's fields that all of its passages share, as one raw JSON object (sourceUrl, source, capturedAt,
 * contentType, sha256, metadata, ... everything but id, text, context, chunk, boilerplate, embedding, model);
 * appended to out. */
enum store_status store_get_document(const struct store_snapshot *snap, uint64_t doc_id, struct buf *out,
                                     struct error_text *e);

/* Finds a passage by its id (32 hex digits), in any collection: *seg and *row.  skip: how many earlier
 * matches to pass over (the same document may be in several collections). */
enum store_status store_find_passage(const struct store_snapshot *snap, const char *id, size_t skip,
                                     const struct store_segment **seg, uint32_t *row, struct error_text *e);

/* Finds a document by its URL: segment and index into seg->doc. */
enum store_status store_find_document(const struct store_snapshot *snap, uint32_t collection,
                                      struct slice url, const struct store_segment **seg, uint32_t *doc,
                                      struct error_text *e);

/* ---- writing ---- */

struct store_passage {
  struct slice id;            /* 32 hex digits */
  struct slice text, context; /* decoded UTF-8 */
  struct slice chunk, extra;  /* as in struct store_text */
  struct slice item;          /* decoded, or empty */
  const float *vector;        /* [dims] */
  float scale;                /* of vector_quantize(); 0 to choose */
  int boilerplate;
};

struct store_document {
  const char *collection, *model;
  uint32_t dims;
  struct slice url;  /* decoded sourceUrl */
  struct slice json; /* shared fields, as of store_get_document() */
  const struct store_passage *passages;
  size_t count;
  const uint64_t *hash; /* [2], what tells it apart from another version; NULL: made from all the above */
};

struct store_receipt {
  const char *collection;
  struct slice url;
  uint64_t added, replaced, unchanged, removed; /* passages */
  enum store_status status;                     /* of this document; text in e where it failed */
  struct error_text e;
};

struct store_writer;
typedef void store_receipt_function(void *arg, const struct store_receipt *r);

/* Documents gather in memory and are committed together once there are `batch` passages (0: the default),
 * each replaced as a whole; f is called for every one after the commit that holds it, in order. */
struct store_writer *store_writer_new(struct store *s, size_t batch, store_receipt_function *f, void *arg);
void store_writer_free(struct store_writer *w); /* what wasn't committed is dropped */
enum store_status store_writer_add(struct store_writer *w, const struct store_document *d,
                                   struct error_text *e);
enum store_status store_writer_commit(struct store_writer *w, struct error_text *e);
size_t store_writer_pending(const struct store_writer *w); /* passages that wait for the commit */

/* Removes documents; each call is one transaction.  `which` is asked for every live document. */
enum store_status store_remove(struct store *s,
                               int (*which)(void *arg, const struct store_segment *seg, uint32_t doc),
                               void *arg, uint64_t *documents, uint64_t *passages, struct error_text *e);

/* Merges small and half-dead segments as long as there are; all: everything into as few as can be. */
enum store_status store_merge(struct store *s, int all, struct error_text *e);

/* What came of taking a store in: documents and their passages that came along, of which some replaced an older version;
 * and documents that stayed out, since the store had the same already, or a newer version. */
struct store_absorbed {
  uint64_t documents, passages, replaced, unchanged, older;
};

/* Takes in what `from` holds, another store, which is only read, without indexing it again: its segments are copied.  Each
 * is a transaction of its own; done again after a kill it goes on.  Of two versions of a document the one captured later
 * stays.  STORE_MODEL, with nothing done, where a collection of both has vectors of two models. */
enum store_status store_absorb(struct store *into, struct store *from, struct store_absorbed *sum,
                               struct error_text *e);
/* After the last one: small segments are merged, sketches measured. */
enum store_status store_absorb_end(struct store *into, struct error_text *e);

/* Whether the path (NULL: as in struct store_options) leads to the file of an open store: LMDB can't have one open twice in a
 * process. */
int store_is_at(const struct store *s, const char *path);

/* ---- care ---- */

/* Checks everything; calls f with each fault.  STORE_OK, or STORE_CORRUPT. */
enum store_status store_verify(struct store *s, void (*f)(void *arg, const char *fault), void *arg,
                               struct error_text *e);
/* A consistent copy, while others read and write. */
enum store_status store_backup(struct store *s, const char *path, struct error_text *e);
/* Rewrites the file without its free space; waits until no other process has it open.  s can only be closed
 * then. */
enum store_status store_compact(struct store *s, uint64_t *before, uint64_t *after, struct error_text *e);
/* Renames a collection; the one that had the name is dropped in the same transaction. */
enum store_status store_rename(struct store *s, const char *from, const char *to, struct error_text *e);

struct store_sizes {
  uint64_t file, used, free_bytes;                      /* bytes */
  uint64_t texts, vectors, sketches, postings, columns; /* of live and dead rows */
  uint64_t segments, documents, passages, dead;
};
enum store_status store_measure(const struct store_snapshot *snap, struct store_sizes *out,
                                struct error_text *e);

#endif
