#include "format/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)256 << 10)
#define NAME_MAX_BYTES 4096

struct unpack {
  struct archive *archive;
  uint64_t out;
  int fd;
  int unread;  /* errno of a read that failed; libarchive may take that for the end of an empty file */
  char *block; /* what was read last */
  int is_link; /* a hard link, whose bytes are in another member */
  char name[NAME_MAX_BYTES];
};

static int unpack_fault(struct unpack *u, struct error_text *why) {
  const char *text = archive_error_string(u->archive);
  if (u->unread)
    return error_set(why, "%s", strerror(u->unread)), -1;
  if (text && strstr(text, "Passphrase"))
    return error_set(why, "the archive is locked with a password; unpack it yourself"), -1;
  error_set(why, "the archive is damaged: %s", text ? text : "no reason is known");
  return -1;
}

/* Enables only formats that need no helper program. */
static void support(struct archive *a) {
  archive_read_support_filter_gzip(a);
  archive_read_support_filter_bzip2(a);
  archive_read_support_filter_xz(a);
  archive_read_support_filter_lzma(a);
  archive_read_support_filter_zstd(a);
  archive_read_support_filter_lz4(a);
  archive_read_support_filter_compress(a);
  archive_read_support_format_zip_seekable(a);
  archive_read_support_format_zip_streamable(a);
  archive_read_support_format_tar(a);
  archive_read_support_format_7zip(a);
  archive_read_support_format_cpio(a);
  archive_read_support_format_raw(a);
  archive_read_support_format_empty(a);
}

static struct unpack *unpack_new(void) {
  struct unpack *u = xcalloc(1, sizeof *u);
  u->archive = archive_read_new();
  if (!u->archive)
    diag_oom();
  support(u->archive);
  return u;
}

struct unpack *unpack_open_bytes(struct slice bytes, struct error_text *why) {
  struct unpack *u = unpack_new();
  if (archive_read_open_memory(u->archive, bytes.data, bytes.len) == ARCHIVE_OK)
    return u;
  unpack_fault(u, why);
  unpack_close(u);
  return NULL;
}

static la_ssize_t unpack_more(struct archive *a, void *arg, const void **block) {
  struct unpack *u = arg;
  ssize_t n;
  (void)a;
  while ((n = read(u->fd, u->block, BLOCK)) < 0 && errno == EINTR)
    ;
  *block = u->block;
  u->unread = n < 0 ? errno : u->unread;
  return n < 0 ? ARCHIVE_FATAL : n;
}

static la_int64_t unpack_seek(struct archive *a, void *arg, la_int64_t offset, int whence) {
  const struct unpack *u = arg;
  off_t at = lseek(u->fd, offset, whence);
  (void)a;
  return at < 0 ? ARCHIVE_FATAL : at;
}

struct unpack *unpack_open(int fd, struct error_text *why) {
  struct unpack *u = unpack_new();
  u->fd = fd;
  u->block = xmalloc(BLOCK);
  archive_read_set_callback_data(u->archive, u);
  archive_read_set_read_callback(u->archive, unpack_more);
  if (lseek(fd, 0, SEEK_CUR) >= 0) /* a pipe can't be sought in */
    archive_read_set_seek_callback(u->archive, unpack_seek);
  if (archive_read_open1(u->archive) == ARCHIVE_OK && !u->unread)
    return u;
  unpack_fault(u, why);
  unpack_close(u);
  return NULL;
}

void unpack_close(struct unpack *u) {
  if (!u)
    return;
  archive_read_free(u->archive);
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

int unpack_next(struct unpack *u, const char **name, struct error_text *why) {
  struct archive_entry *entry;
  for (;;) {
    int status = archive_read_next_header(u->archive, &entry);
    if (status == ARCHIVE_EOF && !u->unread)
      return 0;
    if (status == ARCHIVE_FATAL || status == ARCHIVE_FAILED || u->unread)
      return unpack_fault(u, why);
    if (status == ARCHIVE_RETRY)
      continue;
    u->is_link = archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry) != NULL;
    if (u->is_link || archive_entry_filetype(entry) == AE_IFREG ||
        archive_format(u->archive) == ARCHIVE_FORMAT_RAW)
      break;
  }
  unpack_take_name(u, entry);
  *name = u->name;
  return 1;
}

static int is_bomb(const struct unpack *u) {
  int64_t in = archive_filter_bytes(u->archive, -1);
  return u->out > UNPACK_FREE && in > 0 && u->out / (uint64_t)in > UNPACK_RATIO;
}

int unpack_read(struct unpack *u, const void **data, size_t *len, struct error_text *why) {
  la_int64_t offset;
  int status;
  if (u->is_link)
    return error_set(why, "it is a link, which is not followed"), -1;
  do
    status = archive_read_data_block(u->archive, data, len, &offset);
  while (status == ARCHIVE_RETRY || (status >= ARCHIVE_WARN && status != ARCHIVE_EOF && *len == 0));
  if (status == ARCHIVE_EOF && !u->unread)
    return 0;
  if (status < ARCHIVE_WARN || u->unread)
    return unpack_fault(u, why);
  u->out += *len;
  if (!is_bomb(u))
    return 1;
  error_set(why, "the archive unpacks to more than %d times its size", UNPACK_RATIO);
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
