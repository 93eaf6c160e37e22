/* unpack.c: reads archives and compressed files member by member with libarchive, in bounded memory. */
#include "format/unpack.h"

#include "base/slice.h"
#include "format/gunzip.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)256 << 10)
#define GZIP_STEP 4096 /* bytes decompressed at a time, to at most 1032 times as much */
#define NAME_MAX_BYTES 4096

struct unpack {
  struct archive *archive;
  struct archive_entry *entry; /* ours: libarchive 3.6 uses its own one unchecked where memory failed */
  uint64_t out;
  int fd;
  int unread;       /* errno of a read that failed; libarchive may take that for the end of an empty file */
  char *block;      /* what was read last */
  struct slice raw; /* what was read, or is in memory, and not passed on yet */
  struct gunzip *gunzip; /* of a file that is compressed so, or NULL */
  struct buf piece;      /* decompressed last */
  const char *gzip_fault;
  uint64_t in;          /* bytes that were decompressed */
  int64_t at, block_at; /* bytes of the member passed on, and where its next block begins */
  struct slice block_left;
  int is_link; /* a hard link, whose bytes are in another member */
  int inside;  /* a member was begun, and its rest can be skipped */
  int damaged; /* a header was skipped: its member is missing */
  char name[NAME_MAX_BYTES];
};

/* The locale in which libarchive makes names: in that of the program, C, those of UTF-8 and UTF-16 are none. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t unpack_locale;

static void make_locale(void) {
  unpack_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

void unpack_prepare(void) {
  pthread_once(&once, make_locale);
}

static const char bomb[] = "the archive unpacks to more than %d times its size";

static int unpack_fault(struct unpack *u, struct error_text *why) {
  const char *text = archive_error_string(u->archive);
  if (u->unread)
    return error_set(why, "%s", strerror(u->unread)), -1;
  if (u->gunzip && gunzip_is_bomb(u->gunzip))
    return error_set(why, bomb, UNPACK_RATIO), -1;
  if (u->gzip_fault)
    text = u->gzip_fault;
  if (text && strstr(text, "Passphrase"))
    return error_set(why, "the archive is locked with a password; unpack it yourself"), -1;
  error_set(why, "the archive is damaged: %s", text ? text : "no reason is known");
  return -1;
}

/* Enables only formats that need no helper program. */
static void support(struct archive *a) {
  static int (*const kinds[])(struct archive *) = {archive_read_support_filter_gzip,
                                                   archive_read_support_filter_bzip2,
                                                   archive_read_support_filter_xz,
                                                   archive_read_support_filter_lzma,
                                                   archive_read_support_filter_zstd,
                                                   archive_read_support_filter_lz4,
                                                   archive_read_support_filter_compress,
                                                   archive_read_support_format_zip_seekable,
                                                   archive_read_support_format_zip_streamable,
                                                   archive_read_support_format_tar,
                                                   archive_read_support_format_7zip,
                                                   archive_read_support_format_cpio,
                                                   archive_read_support_format_raw,
                                                   archive_read_support_format_empty};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i](a) != ARCHIVE_OK) /* without a format, its files would be taken for another one */
      diag_oom();
  archive_read_set_option(a, "tar", "read_concatenated_archives",
                          "1"); /* also sees what else stands behind its end */
}

static struct unpack *unpack_new(void) {
  struct unpack *u = xcalloc(1, sizeof *u);
  u->archive = archive_read_new();
  u->entry = archive_entry_new2(u->archive);
  if (!u->archive || !u->entry)
    diag_oom();
  support(u->archive);
  buf_init(&u->piece, (size_t)2 * 1032 * GZIP_STEP);
  return u;
}

/* Reads more of the file into u->raw, at least 2 bytes unless it ends.  0, or -1. */
static int read_raw(struct unpack *u) {
  size_t len = 0;
  ssize_t n = 1;
  while (u->fd >= 0 && len < 2 && n != 0) {
    n = read(u->fd, u->block + len, BLOCK - len);
    if (n < 0 && errno != EINTR) {
      u->unread = errno;
      return -1;
    }
    len += n > 0 ? (size_t)n : 0;
  }
  u->raw = slice_of(u->block, len);
  return 0;
}

static la_ssize_t unpack_more(struct archive *a, void *arg, const void **block) {
  struct unpack *u = arg;
  (void)a;
  if (u->raw.len == 0 && read_raw(u) != 0)
    return ARCHIVE_FATAL;
  *block = u->raw.data;
  size_t len = u->raw.len;
  u->raw.len = 0;
  return (la_ssize_t)len;
}

static int keep_piece(void *arg, const char *data, size_t len) {
  struct unpack *u = arg;
  return buf_add(&u->piece, data, len);
}

/* Libarchive's own decoder of gzip looks neither at the checksum nor at the length behind the data. */
static la_ssize_t unpack_more_gzip(struct archive *a, void *arg, const void **block) {
  struct unpack *u = arg;
  buf_clear(&u->piece);
  while (u->piece.len == 0) {
    if (!u->gzip_fault && u->raw.len == 0 && read_raw(u) != 0)
      return ARCHIVE_FATAL;
    size_t step = u->raw.len < GZIP_STEP ? u->raw.len : GZIP_STEP;
    if (!u->gzip_fault && step == 0 && gunzip_is_whole(u->gunzip))
      return 0;
    if (!u->gzip_fault && step == 0)
      u->gzip_fault = "its gzip data is cut off";
    if (u->gzip_fault) {
      archive_set_error(a, EIO, "%s", u->gzip_fault);
      return ARCHIVE_FATAL;
    }
    if (gunzip_feed(u->gunzip, u->raw.data, step, keep_piece, u) !=
        0) /* said when what came before has been read */
      u->gzip_fault = gunzip_has_more(u->gunzip) ? "something else stands behind its gzip data"
                                                 : "wrong gzip data or checksum";
    u->raw = slice_of(u->raw.data + step, u->raw.len - step);
    u->in += step;
  }
  *block = u->piece.data;
  return (la_ssize_t)u->piece.len;
}

static la_int64_t unpack_seek(struct archive *a, void *arg, la_int64_t offset, int whence) {
  struct unpack *u = arg;
  off_t at = lseek(u->fd, offset, whence);
  (void)a;
  u->raw.len = 0;
  return at < 0 ? ARCHIVE_FATAL : at;
}

/* Begins with u->raw, of memory or of u->fd. */
static struct unpack *unpack_begin(struct unpack *u, struct error_text *why) {
  struct archive *a = u->archive;
  int status;
  if (archive_read_set_callback_data(a, u) != ARCHIVE_OK)
    diag_oom();
  if (u->raw.len >= 2 && memcmp(u->raw.data, "\x1f\x8b", 2) == 0) {
    u->gunzip = gunzip_new();
    archive_read_set_read_callback(a, unpack_more_gzip);
    status = archive_read_open1(a);
  } else if (u->fd < 0) {
    status = archive_read_open_memory(a, u->raw.data, u->raw.len);
  } else {
    archive_read_set_read_callback(a, unpack_more);
    if (lseek(u->fd, 0, SEEK_CUR) >= 0) /* a pipe can't be sought in */
      archive_read_set_seek_callback(a, unpack_seek);
    status = archive_read_open1(a);
  }
  if (status == ARCHIVE_OK && !u->unread)
    return u;
  unpack_fault(u, why);
  unpack_close(u);
  return NULL;
}

struct unpack *unpack_open_bytes(struct slice bytes, struct error_text *why) {
  struct unpack *u = unpack_new();
  u->fd = -1;
  u->raw = bytes;
  return unpack_begin(u, why);
}

struct unpack *unpack_open(int fd, struct error_text *why) {
  struct unpack *u = unpack_new();
  u->fd = fd;
  u->block = xmalloc(BLOCK);
  if (read_raw(u) == 0)
    return unpack_begin(u, why);
  unpack_fault(u, why);
  unpack_close(u);
  return NULL;
}

void unpack_close(struct unpack *u) {
  if (!u)
    return;
  archive_entry_free(u->entry);
  archive_read_free(u->archive);
  gunzip_free(u->gunzip);
  buf_release(&u->piece);
  free(u->block);
  free(u);
}

static void unpack_take_name(struct unpack *u, struct archive_entry *entry) {
  const char *name = archive_entry_pathname(entry);
  if (archive_format(u->archive) == ARCHIVE_FORMAT_RAW || !name)
    name = "";
  size_t len = strlen(name);
  if (len >= sizeof u->name)
    len = sizeof u->name - 1;
  memcpy(u->name, name, len);
  u->name[len] = '\0';
}

static int is_tar(const struct unpack *u) {
  return (archive_format(u->archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;
}

static int has_nonzero(const char *bytes, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (bytes[i])
      return 1;
  return 0;
}

/* Whether something stands behind the compressed data of a file: libarchive's decoders of bzip2 and lz4 end there without
 * a word, though it may be another stream that is damaged.  Zeros are padding. */
static int has_more(const struct unpack *u) {
  int64_t at = archive_filter_bytes(u->archive, -1);
  char part[4096];
  ssize_t n;
  if (u->gunzip || archive_filter_count(u->archive) < 2 || at < 0)
    return 0;
  if (u->fd < 0)
    return (size_t)at < u->raw.len && has_nonzero(u->raw.data + at, u->raw.len - (size_t)at);
  for (; (n = slice_read_at(u->fd, part, sizeof part, at)) > 0; at += n)
    if (has_nonzero(part, (size_t)n))
      return 1;
  return 0;
}

/* The end of the archive, which libarchive also finds where a tar is cut between two members, without its end mark, and
 * behind headers that it skipped. */
static int unpack_end(const struct unpack *u, int64_t members_end, struct error_text *why) {
  if (u->damaged)
    return error_set(why,
                     "the archive is damaged: a member's header can't be read, and the member is missing"),
           -1;
  if (is_tar(u) && archive_filter_bytes(u->archive, 0) == members_end)
    return error_set(why, "the archive is cut off: its end mark is missing"), -1;
  if (has_more(u))
    return error_set(why, "the archive is damaged: something else stands behind its compressed data"), -1;
  return 0;
}

static int next_member(struct unpack *u, const char **name, struct error_text *why) {
  struct archive_entry *entry = u->entry;
  for (;;) {
    if (u->inside && is_tar(u))
      archive_read_data_skip(u->archive);
    int64_t at = archive_filter_bytes(u->archive, 0);
    int status = archive_read_next_header2(u->archive, entry);
    if (status == ARCHIVE_EOF && !u->unread && !u->gzip_fault)
      return unpack_end(u, at, why);
    if (status == ARCHIVE_FATAL || status == ARCHIVE_FAILED || status == ARCHIVE_EOF || u->unread)
      return unpack_fault(u, why);
    u->inside = status != ARCHIVE_RETRY;
    u->damaged |= status == ARCHIVE_RETRY;
    if (!u->inside)
      continue;
    u->is_link = archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry) != NULL;
    if (u->is_link || archive_entry_filetype(entry) == AE_IFREG ||
        archive_format(u->archive) == ARCHIVE_FORMAT_RAW)
      break;
  }
  unpack_take_name(u, entry);
  u->at = u->block_at = 0;
  u->block_left = slice_of(NULL, 0);
  *name = u->name;
  return 1;
}

int unpack_next(struct unpack *u, const char **name, struct error_text *why) {
  unpack_prepare();
  locale_t before = uselocale(unpack_locale);
  int more = next_member(u, name, why);
  uselocale(before);
  return more;
}

static int is_bomb(const struct unpack *u) {
  int64_t in = u->gunzip ? (int64_t)u->in : archive_filter_bytes(u->archive, -1);
  return u->out > UNPACK_FREE && in > 0 && u->out / (uint64_t)in > UNPACK_RATIO;
}

/* The next bytes that a member has: 1, 0 at its end, or -1. */
static int next_block(struct unpack *u, struct error_text *why) {
  la_int64_t offset = 0;
  const void *data = NULL;
  size_t len = 0;
  int status;
  do
    status = archive_read_data_block(u->archive, &data, &len, &offset);
  while (status == ARCHIVE_RETRY || (status == ARCHIVE_OK && len == 0 && offset <= u->at));
  if ((status < ARCHIVE_OK || u->unread)) /* the warning is of a wrong checksum or size */
    return unpack_fault(u, why);
  u->block_at = offset;
  u->block_left = slice_of(data, status == ARCHIVE_EOF ? 0 : len);
  return status == ARCHIVE_EOF && offset <= u->at ? 0 : 1;
}

/* Passes a block on, or zeros for the hole before it: a sparse file has its bytes where they were. */
int unpack_read(struct unpack *u, const void **data, size_t *len, struct error_text *why) {
  static const char zeros[65536];
  int more;
  if (u->is_link)
    return error_set(why, "it is a link, which is not followed"), -1;
  if (u->block_left.len == 0 && u->block_at <= u->at && (more = next_block(u, why)) != 1)
    return more;
  int64_t hole = u->block_at - u->at;
  *data = hole > 0 ? zeros : u->block_left.data;
  *len = hole <= 0 ? u->block_left.len : hole < (int64_t)sizeof zeros ? (size_t)hole : sizeof zeros;
  if (hole <= 0)
    u->block_left.len = 0;
  u->at += (int64_t)*len;
  u->out += *len;
  if (!is_bomb(u))
    return 1;
  error_set(why, bomb, UNPACK_RATIO);
  return -1;
}

int unpack_all(struct unpack *u, struct buf *out, struct error_text *why) {
  const void *data;
  size_t len;
  int more;
  while ((more = unpack_read(u, &data, &len, why)) == 1)
    if (buf_add(out, data, len) != 0) {
      error_set(why, "it is larger than %zu bytes", out->max);
      return -1;
    }
  return more;
}

uint64_t unpack_bytes(const struct unpack *u) {
  return u->out;
}
