/* store.h: the one file that holds collections of documents: text, vectors, postings, metadata.
 *
 * A store is one LMDB file (and its "-lock" file).  A document, identified by its sourceUrl within a collection, is
 * divided into passages.  The data used by searches is in immutable segments: each commit writes one, and small ones
 * are merged later.  A segment holds documents of any collections with the same embedding model.  A passage is a row
 * of a segment; the rows of a document are consecutive and in document order.
 *
 * Readers use a snapshot: they never wait and never see part of a document.  All pointers obtained from a snapshot
 * point into the mapped file and are valid until store_snapshot_end().  A snapshot may be used by several threads at
 * once.  Writers wait for each other.
 *
 * Functions that can fail return an enum store_status and fill *e if and only if it isn't STORE_OK.
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
  STORE_ABSENT,    /* no such document or passage */
  STORE_BUSY,      /* another process kept the write lock past the wait, or changed what was read */
  STORE_NOT_STORE, /* the file is not a store */
  STORE_VERSION,   /* written by another version; the message names the command to convert it */
  STORE_CORRUPT,   /* a checksum or an invariant is violated */
  STORE_IO,        /* disk full, read-only, permissions, or a network file system */
  STORE_MODEL,     /* vectors of a different model than the collection's */
  STORE_LIMIT,     /* a document exceeds a limit below */
  STORE_AWAY,      /* a collection server can't be reached, or failed */
  STORE_DENIED,    /* it rejected the token */
  STORE_REFUSED    /* it rejected the request, or is not such a server */
};

/* The exit status (sysexits.h) and error category of a status, both from its kind (error.h). */
int store_exit_status(enum store_status s);
const char *store_category(enum store_status s);

#define STORE_DOCUMENT_ROWS 65536              /* limit of passages in a document */
#define STORE_DOCUMENT_BYTES ((size_t)1 << 28) /* limit of its text in bytes */
#define STORE_NAME_MAX 256                     /* limit of a collection's name in bytes */

/* ---- opening ---- */

struct store;

struct store_options {
  const char *path; /* NULL: BID_STORE or its default */
  int write;        /* open for writing; a store on a read-only disk can be read */
  int create;       /* with write: create it where there is none */
  double wait;      /* seconds a writer waits for the lock; 0: none, negative: without limit */
};

enum store_status store_open(struct store **s, const struct store_options *o, struct error_text *e);

struct sandbox_scope;
/* Adds what store_open() and the use of the store need in a sandbox (SANDBOX_CHANGE_FILES): the folder of its file, in
 * which LMDB's lock file is, too.  With `create`, makes the folder. */
void store_may_change(const struct store_options *o, struct sandbox_scope *scope);
void store_close(struct store *s); /* s may be NULL */
const char *store_path(const struct store *s);

/* ---- reading ---- */

struct store_snapshot;

enum store_status store_snapshot_begin(struct store *s, struct store_snapshot **snap, struct error_text *e);
void store_snapshot_end(struct store_snapshot *snap); /* snap may be NULL */

#define STORE_JOINT_MAX 255

/* One snapshot over several stores, searched and filtered as if they had been merged in this order: statistics are
 * global, and of two versions of a document only the one that merging would keep is live.  The stores must be
 * different files; the caller keeps them and must not close them before the snapshot has ended. */
enum store_status store_joint_begin(struct store *const *stores, size_t count, struct store_snapshot **snap,
                                    struct error_text *e);
/* The path of the store that contains a document; NULL in a snapshot of a single store. */
const char *store_snapshot_path(const struct store_snapshot *snap, uint64_t doc_id);

/* Whether a long-lived reader should close its snapshot and store and reopen them: there has been a commit, another
 * process waits for exclusive access, or the file was replaced. */
int store_is_outdated(const struct store *s, const struct store_snapshot *snap);

struct store_collection {
  uint32_t id;
  const char *name;  /* DOMAIN_CORPUS_COMPANY_FORM */
  const char *model; /* "bid-static@3f9a0c1e2b4d" */
  uint32_t dims;
  uint64_t documents, passages; /* live only */
  int64_t updated;              /* Unix seconds of the last commit that changed it */
};

/* All collections, sorted by name (bytewise).  Collections whose name starts with '~' are in progress ("bid-store
 * reembed"): not listed, but found by name. */
size_t store_collections(const struct store_snapshot *snap, const struct store_collection **list);
const struct store_collection *store_collection(const struct store_snapshot *snap, const char *name);

/* The name of the collection with that id, in the snapshot's memory; "" where there is none. */
const char *store_collection_name(const struct store_snapshot *snap, uint32_t id);

/* Strings shared by documents, as small numbers: forms ("10-K"), items ("1A").  Number 0 is "unknown". */
size_t store_forms(const struct store_snapshot *snap, const char *const **list); /* list[number] */
size_t store_items(const struct store_snapshot *snap, const char *const **list);

/* Companies, identified by CIK, else by ticker, else by name.  "" where unknown.  Number 0 is "unknown". */
struct store_company {
  const char *name, *ticker, *cik; /* "Apple Inc.", "AAPL", "0000320193" */
};
size_t store_companies(const struct store_snapshot *snap,
                       const struct store_company **list); /* list[number] */

#define STORE_NO_DAY INT32_MIN  /* unknown date */
#define STORE_NO_TIME INT64_MIN /* unknown time */

/* A document's entry in its segment: 64 bytes. */
struct store_doc {
  uint64_t id;             /* unique, never reused */
  uint32_t first, rows;    /* its rows in the segment */
  uint32_t collection;     /* store_collection.id */
  uint32_t company;        /* index in store_companies() */
  int64_t accepted;        /* acceptanceDateTime, else the end of filingDate; Unix seconds or STORE_NO_TIME */
  int64_t captured;        /* capturedAt */
  int32_t filed, reported; /* filingDate, reportDate: days since 1970-01-01, or STORE_NO_DAY */
  uint16_t form;           /* index in store_forms() */
  int16_t fiscal_year;     /* 0: unknown */
  uint8_t fiscal_period;   /* 1 to 4: quarters, 5: full year, 0: unknown */
  uint8_t flags;
  uint16_t spare;
  uint64_t url_hash; /* XXH3-64 of the sourceUrl */
};

struct store_segment {
  uint32_t id, rows, docs;
  uint32_t live_rows, live_docs; /* without removed documents */
  uint64_t live_length;          /* sum of `length` over live rows */
  const char *model;
  const struct store_doc *doc; /* [docs], ordered by id and by first row */
  const uint64_t *dead_docs;   /* bitmap of removed documents; NULL where there are none */
  const uint64_t *live_bits;   /* bitmap of live rows; NULL where all are live */
  const uint16_t *length;      /* [rows] length for BM25: number of TERM_WORD terms in the text (terms.h), at
                             most 65,535 */
  const uint16_t *item;        /* [rows] index in store_items() */
  const uint8_t *ids;          /* [rows][16] passage ids as bytes; use store_row_id() */
  struct vector_rows vectors;
  const struct store_terms *terms;   /* opaque */
  struct store_segment_guard *guard; /* opaque */
};

static inline int store_segment_doc_is_dead(const struct store_segment *seg, uint32_t doc) {
  return seg->dead_docs && (seg->dead_docs[doc / 64] >> (doc % 64) & 1);
}

size_t store_segments(const struct store_snapshot *snap, const struct store_segment **list);

/* The index in seg->doc of a row's document. */
uint32_t store_doc_of_row(const struct store_segment *seg, uint32_t row);

/* The index in seg->doc of the document with that id; seg->docs where there is none. */
uint32_t store_doc_index(const struct store_segment *seg, uint64_t id);

#define STORE_ID_BYTES 16 /* of a passage's id */
const uint8_t *store_row_id(const struct store_segment *seg, uint32_t row);

/* Reports damage found by a snapshot's readers.  Data is verified by checksums as it is read, once per snapshot and
 * block of about a page.  After reading damaged postings, vectors, ids or lists, the functions continue with what
 * they got, and the results must not be shown: call this after all reading and before any output.  STORE_OK or
 * STORE_CORRUPT.  Functions that read texts and documents return their errors directly. */
enum store_status store_snapshot_check(const struct store_snapshot *snap, struct error_text *e);

/* The number of sketch candidates that was measured, on this store's vectors of the model, to give a recall@10 of
 * 0.99; 0 where none does (or nothing was measured): scan exactly. */
size_t store_sketch_candidates(const struct store_snapshot *snap, const char *model);

/* ---- filters ---- */

/* {0} allows everything.  A list allows any of its values; conditions on different fields must all hold. */
struct store_filter {
  const uint32_t *collections; /* ids */
  size_t collection_count;
  const uint32_t *companies; /* store_companies() numbers */
  size_t company_count;
  const uint16_t *forms;
  size_t form_count;
  const uint16_t *items;
  size_t item_count;
  const int16_t *years; /* fiscal years */
  size_t year_count;
  int32_t since, until; /* filing dates in days, inclusive (INT32_MAX: no end); both 0: any.  Documents
                           without a date are excluded */
  int64_t as_of;        /* only documents accepted by then; 0: any */
  int (*keep)(void *arg, const struct store_segment *seg,
              uint32_t doc); /* or NULL; returning 0 excludes the document */
  /* Or NULL.  Returns a bitmap of the document's rows, counted from its first, of those that may pass; NULL excludes
   * the document. */
  const uint64_t *(*rows)(void *arg, const struct store_segment *seg, uint32_t doc);
  void *arg;
};

/* The live rows of a segment that pass a filter, as a range or a bitmap. */
struct store_selection {
  uint32_t count;    /* number of rows that pass; 0: skip the segment */
  uint32_t from, to; /* all of them are in [from, to) */
  uint64_t *bits;    /* bitmap over the segment's rows, owned; NULL where every row of [from, to) passes */
};
void store_select(const struct store_segment *seg, const struct store_filter *f, struct store_selection *out);
void store_selection_release(struct store_selection *sel);

static inline int store_selected(const struct store_selection *sel, uint32_t row) {
  return row >= sel->from && row < sel->to && (!sel->bits || (sel->bits[row / 64] >> (row % 64) & 1));
}

/* ---- postings ---- */

#define STORE_BLOCK 128 /* postings per block */

/* A term is its terms_hash() (terms.h).  Document frequency: the exact number of live rows in the segment (the whole
 * store: the sum) that contain the term. */
uint32_t store_df(const struct store_segment *seg, uint64_t term);

/* Number of live rows and the sum of their lengths over all segments: BM25's N, and its average length after
 * division. */
void store_totals(const struct store_snapshot *snap, uint64_t *rows, uint64_t *length);

/* Iterates over the blocks of a term's postings in a segment, rows ascending; rows of removed documents are included.
 *
 *     struct store_postings p;
 *     for (int more = store_postings_open(&p, seg, hash); more; more = store_postings_next(&p)) {
 *       if (bound(p.max_text, p.max_context, p.min_length) < worst) continue;    // skip without decoding
 *       store_postings_decode(&p, rows, text_tf, context_tf);                     // p.count of each
 *     }
 */
struct store_postings {
  uint32_t total;        /* postings in the whole list */
  uint32_t count;        /* postings in this block: 1 to STORE_BLOCK */
  uint32_t before, last; /* its rows are in (before, last]; before is UINT32_MAX for the first block */
  uint8_t max_text, max_context; /* maximum term frequencies in it (at most 63 and 3) */
  uint16_t min_length;           /* lower bound of the lengths of its rows */
  const struct store_segment *seg;
  const uint8_t *at, *data, *end; /* private, like all members below */
  uint32_t index, blocks, inline_row;
  uint8_t row_bits, tf_bits, kind, inline_tf;
};
int store_postings_open(struct store_postings *p, const struct store_segment *seg, uint64_t term);
int store_postings_next(struct store_postings *p);
/* Moves to the first block from this one on that may contain a row >= `row`. */
int store_postings_seek(struct store_postings *p, uint32_t row);
void store_postings_decode(const struct store_postings *p, uint32_t rows[STORE_BLOCK],
                           uint8_t text_tf[STORE_BLOCK], uint8_t context_tf[STORE_BLOCK]);

/* Counts the rows in [first, end) that contain the term; *here: whether `row` is one of them. */
uint32_t store_postings_count(const struct store_segment *seg, uint64_t term, uint32_t first, uint32_t end,
                              uint32_t row, int *here);

/* Robertson and Zaragoza's BM25 with scale = k1 + 1, fixed = k1 * (1 - b), slope = k1 * b / average length; the
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

/* A passage as it was stored; slices of `own`. */
struct store_text {
  struct slice text, context; /* UTF-8, decoded */
  struct slice chunk;         /* raw JSON of "chunk": {index, start, end, page, item, heading, tokens} */
  struct slice extra; /* raw JSON members, without braces, specific to this passage ("a":1,"b":2), or empty */
  uint64_t hash[2];   /* hash of its document */
  struct buf own;
  void *state; /* private */
};
void store_text_init(struct store_text *t);
void store_text_release(struct store_text *t);
enum store_status store_get_text(const struct store_snapshot *snap, const struct store_segment *seg,
                                 uint32_t row, struct store_text *t, struct error_text *e);

/* Appends the fields shared by all passages of a document as one raw JSON object (sourceUrl, source, capturedAt,
 * contentType, sha256, metadata, ... everything except id, text, context, chunk, embedding, model). */
enum store_status store_get_document(const struct store_snapshot *snap, uint64_t doc_id, struct buf *out,
                                     struct error_text *e);

/* Finds a passage by its id (32 hex digits) in any collection: *seg and *row.  skip: number of matches to skip (a
 * document may be in several collections). */
enum store_status store_find_passage(const struct store_snapshot *snap, const char *id, size_t skip,
                                     const struct store_segment **seg, uint32_t *row, struct error_text *e);

/* The URL of a document; it lives as long as the snapshot. */
enum store_status store_document_url(const struct store_snapshot *snap, uint64_t doc_id, struct slice *url,
                                     struct error_text *e);

/* Finds a document by its URL: its segment and its index in seg->doc. */
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
  float scale;                /* as of vector_quantize(); 0: choose it */
};

struct store_document {
  const char *collection, *model;
  uint32_t dims;
  struct slice url;  /* decoded sourceUrl */
  struct slice json; /* shared fields, as of store_get_document() */
  const struct store_passage *passages;
  size_t count;
  int older;            /* replaces even a version that was captured later */
  const uint64_t *hash; /* [2] content hash that distinguishes versions; NULL: computed from the members
                           above */
};

struct store_receipt {
  const char *collection;
  struct slice url;
  uint64_t added, replaced, unchanged, removed; /* numbers of passages */
  uint64_t older;           /* not stored, since the store has a version that was captured later */
  enum store_status status; /* status of this document; where it failed, the message is
                                                   in e */
  struct error_text e;
};

struct store_writer;
typedef void store_receipt_function(void *arg, const struct store_receipt *r);

/* A writer that collects documents in memory and commits them together once there are `batch` passages (0: the
 * default); each document is replaced as a whole.  After a commit, f is called for each of its documents, in order. */
struct store_writer *store_writer_new(struct store *s, size_t batch, store_receipt_function *f, void *arg);
void store_writer_free(struct store_writer *w); /* drops what wasn't committed */
enum store_status store_writer_add(struct store_writer *w, const struct store_document *d,
                                   struct error_text *e);
enum store_status store_writer_commit(struct store_writer *w, struct error_text *e);

/* Which documents to remove: `takes` is called for every live document; has_url, where it isn't NULL, for those that it
 * takes, with the whole URL, of which a segment has only the hash. */
struct store_removal {
  int (*takes)(void *arg, const struct store_segment *seg, uint32_t doc);
  int (*has_url)(void *arg, struct slice url);
  void *arg;
};

/* Removes documents, in one transaction per call. */
enum store_status store_remove(struct store *s, const struct store_removal *which, uint64_t *documents,
                               uint64_t *passages, struct error_text *e);

/* Merges small and half-dead segments until none are left; all: everything into as few segments as possible. */
enum store_status store_merge(struct store *s, int all, struct error_text *e);

/* Counts of a store_absorb(): documents and passages that were copied, including those that replaced an older
 * version, and documents that were skipped because the store had the same or a newer version. */
struct store_absorbed {
  uint64_t documents, passages, replaced, unchanged, older;
};

/* Copies the contents of another store, `from`, which is only read, without indexing again: its segments are copied,
 * each in its own transaction.  Repeating it after an interruption continues.  Of two versions of a document the one
 * captured later is kept.  STORE_MODEL, with nothing copied, where a collection has vectors of different models in
 * the two stores. */
enum store_status store_absorb(struct store *into, struct store *from, struct store_absorbed *sum,
                               struct error_text *e);
/* Call after the last store_absorb(): merges small segments and measures sketches. */
enum store_status store_absorb_end(struct store *into, struct error_text *e);

/* Whether the path (NULL: as in struct store_options) is the file of an open store; LMDB can't open a file twice in a
 * process. */
int store_is_at(const struct store *s, const char *path);

/* ---- maintenance ---- */

/* Verifies everything; calls f for each fault.  STORE_OK, or STORE_CORRUPT. */
enum store_status store_verify(struct store *s, void (*f)(void *arg, const char *fault), void *arg,
                               struct error_text *e);
/* Writes a consistent copy while others read and write. */
enum store_status store_backup(struct store *s, const char *path, struct error_text *e);
/* Rewrites the file without free space; waits until no other process has it open.  Afterwards s can only be closed. */
enum store_status store_compact(struct store *s, uint64_t *before, uint64_t *after, struct error_text *e);
/* The documents of a collection at one time; none where it doesn't exist. */
struct store_mark {
  uint64_t documents, last; /* their number, and the highest id */
};
enum store_status store_mark(struct store *s, const char *name, struct store_mark *m, struct error_text *e);
/* Renames a collection; an existing one with the new name is dropped in the same transaction.  With m (or NULL) only
 * where that one is as it was then, else STORE_BUSY. */
enum store_status store_rename(struct store *s, const char *from, const char *to, const struct store_mark *m,
                               struct error_text *e);

struct store_sizes {
  uint64_t file, used, free_bytes;                      /* bytes */
  uint64_t texts, vectors, sketches, postings, columns; /* including removed rows */
  uint64_t segments, documents, passages, dead;
};
enum store_status store_measure(const struct store_snapshot *snap, struct store_sizes *out,
                                struct error_text *e);

#endif
