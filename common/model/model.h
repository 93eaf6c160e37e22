/* model.h: model files (.bidm): named sections in one memory-mapped file; bid-model(5) shows it to people.
 *
 * All numbers are little-endian.  The file:
 *
 *     byte  bytes
 *        0      8  magic: 89 'B' 'I' 'D' 'M' 0D 0A 1A (a transfer that mends line ends breaks it)
 *        8      4  byte order mark, the number 0x01020304
 *       12      4  version of this layout, 1
 *       16      8  size of the file
 *       24      8  XXH3 (64 bits, seed 0) of everything from byte 32 on
 *       32      4  kind: 1 static rows, 2 BERT encoder
 *       36      4  dimensions of a vector
 *       40      4  longest text in tokens, 0 for no limit
 *       44      4  number of sections
 *       48     32  fingerprint: SHA-256 of the sections' bytes, in the order of the table, and of bytes 32 to
 *                  47; "order" and "checks" are left out, in the number of sections too
 *       80     48  name of the model, zero-padded ("bid-static")
 *      128      -  section table: { name, 24 bytes, zero-padded; offset, 8; size, 8 } each
 *        -      -  sections, each at a multiple of 64, zero bytes between
 *
 * Every kind has "meta" (a JSON object: version, license, made from, ...) and "vocab" (the WordPiece tokens,
 * one a line, in the order of their ids).  The sections of static rows are described in embed_static.c,
 * those of a BERT encoder in bert.h.
 *
 * Two sections, made out of the others, spare a program that embeds a single question nearly all of its
 * start; a file without them does as well, but slower:
 *
 *     "order"    uint32 [V][2], for the V tokens in the order of their bytes: where the token's line begins
 *                in "vocab", and its id
 *     "checks"   uint64 [n], the last section and the end of the file: XXH3 (seed 0) of each MODEL_BLOCK
 *                bytes of the file up to this section, the first block without the file's bytes 0 to 31
 */
#ifndef BID_MODEL_H
#define BID_MODEL_H

#include "base/buf.h"
#include "base/diag.h"
#include "record/output.h"

#include <stdint.h>

#define MODEL_VERSION 1
#define MODEL_NAME_BYTES 48
#define MODEL_SECTION_NAME 24
#define MODEL_MAX ((size_t)2 << 30) /* bytes of a model file */
#define MODEL_BLOCK 4096

enum model_kind { MODEL_STATIC = 1, MODEL_BERT = 2 };

struct model;

/* Maps a model file and verifies all of it including the checksum (8 MB take about 1 ms).  NULL with *e, which names
 * cause and remedy: no such file, a folder, not a model, truncated, damaged, other byte order or version. */
struct model *model_open(const char *path, struct error_text *e);

/* The same, but section contents are only verified by model_check(), which the users of a section call before reading
 * a part of it.  Same as model_open() where the file has no "checks". */
struct model *model_open_unchecked(const char *path, struct error_text *e);

/* Verifies the blocks that contain `len` bytes from `at` on, which must lie within one section, unless already done.
 * 0, or -1 with *e: the file is damaged.  Not thread-safe, unless the model was opened by model_open(). */
int model_check(struct model *m, const void *at, size_t len, struct error_text *e);

/* Verifies the whole file.  0, or -1 with *e: it is damaged. */
int model_check_all(struct model *m, struct error_text *e);
void model_close(struct model *m);

/* Whether the model was opened without verification, so that model_check() is needed. */
int model_is_unchecked(const struct model *m);

enum model_kind model_kind(const struct model *m);
int model_dimensions(const struct model *m);
size_t model_max_tokens(const struct model *m);

/* "bid-static@3f9a0c1e2b4d": name and the first 12 digits of the fingerprint. */
const char *model_label(const struct model *m);

/* A section's bytes, mapped at a multiple of 64 and valid until model_close(); empty where there is none. */
struct slice model_section(const struct model *m, const char *name);

/* The same for a section of exactly `size` bytes.  NULL with *e where the size differs. */
const void *model_array(const struct model *m, const char *name, size_t size, struct error_text *e);

/* Finds a model file: name is a path (with a '/' or ending with ".bidm") or a name ("bid-static"), for which
 * NAME.bidm is searched in $BID_MODELS, then as paths_data("models/...") does.  NULL means BID_MODEL, else
 * "bid-static".  Appends the path to out.  0, or -1 where there is none; out is then the expected path. */
int model_find(struct buf *out, const char *name);

/* For --version (program_on_version()): appends "model: bid-static@3f9a0c1e2b4d (PATH)" for the default model, or why
 * it can't be used. */
void model_about(struct output *out);

#endif
