/* store_file.c: opens a store's file as a file: what is no store, lies where no store is safe, or is being replaced. */
#include "store/store_private.h"

#include "base/whole_io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* LMDB creates its lock file before it checks the data; a foreign file should not get one. */
static int store_is_foreign(int fd) {
  uint32_t magic[6] = {0}; /* LMDB's meta page: 16 bytes of page header, then the magic number */
  ssize_t n = whole_read_at(fd, magic, sizeof magic, 0);
  return n > 0 && (n < (ssize_t)sizeof magic || magic[4] != 0xbeefc0deu);
}

/* LMDB maps the file and relies on its locks, neither of which works over a network. */
static const char *network_file_system(int fd) {
  struct statfs fs;
  if (fstatfs(fd, &fs))
    return NULL;
  switch ((unsigned long)fs.f_type) {
  case 0x6969:
    return "NFS";
  case 0x517b:
  case 0xff534d42:
  case 0xfe534d42:
    return "SMB";
  case 0x5346414f:
    return "AFS";
  case 0x73757245:
    return "Coda";
  case 0x00c36400:
    return "Ceph";
  case 0x01021997:
    return "9P";
  default:
    return NULL;
  }
}

/* Why the file can't be opened; errno is the reason. */
static enum store_status open_fault(const struct store *s, const struct store_options *o,
                                    struct error_text *e) {
  struct stat st;
  if (errno == ELOOP) {
    error_set(e, "%s: is a link, which is not followed; name the file itself", s->path);
    return STORE_NOT_STORE;
  }
  if (o->create) {
    error_set(e, "%s: can't be made or written: %s; set BID_STORE to a path that can", s->path,
              strerror(errno));
    return STORE_IO;
  }
  if (errno == EACCES &&
      access(s->path, o->write ? R_OK | W_OK : R_OK) == 0) { /* so the sandbox forbids it */
    error_set(e,
              "%s: its folder was replaced since this program began, which may open no other one; start it "
              "again",
              s->path);
    return STORE_IO;
  }
  if (errno == EACCES && stat(s->path, &st) == 0) {
    error_set(e, "%s: belongs to user %u and may not be %s by you: ask for the permission, or set BID_STORE",
              s->path, (unsigned)st.st_uid, o->write ? "written" : "read");
    return STORE_IO;
  }
  return store_error_io(e, s->path);
}

static enum store_status open_file(struct store *s, const struct store_options *o, struct error_text *e) {
  int flags = (o->write ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW; /* no FIFO wait */
  if (o->write && o->create) {
    store_place_make_parent(s->path);
    flags |= O_CREAT;
  }
  s->fd = open(s->path, flags, 0600);
  struct stat st;
  if (s->fd < 0)
    return open_fault(s, o, e);
  if (fstat(s->fd, &st) < 0)
    return store_error_io(e, s->path);
  if (!S_ISREG(st.st_mode)) {
    error_set(e, "%s: not a file", s->path);
    return STORE_NOT_STORE;
  }
  if (store_is_foreign(s->fd)) {
    error_set(e, "%s: not a store of bid", s->path);
    return STORE_NOT_STORE;
  }
  const char *network = network_file_system(s->fd);
  if (network) {
    error_set(e, "%s: on a network file system (%s), where a store isn't safe: set BID_STORE to a local disk",
              s->path, network);
    return STORE_IO;
  }
  return STORE_OK;
}

enum store_status store_file_open(struct store *s, const struct store_options *o, struct error_text *e) {
  for (int tries = 0; tries < 10; tries++) {
    enum store_status status = open_file(s, o, e);
    if (status)
      return status;
    store_lock_yield(s->fd);
    int rc = store_lock_wait(s->fd, STORE_LOCK_USERS, F_RDLCK, o->wait > 5 || o->wait < 0 ? o->wait : 5);
    if (rc > 0) {
      error_set(e, "%s: is being compacted by another process", s->path);
      return STORE_BUSY;
    }
    if (rc < 0)
      return store_error_io(e, s->path);
    if (store_lock_is_at_path(s->fd, s->path) > 0)
      return STORE_OK;
    close(s->fd);
    s->fd = -1;
  }
  error_set(e, "%s: is being replaced again and again", s->path);
  return STORE_BUSY;
}

/* LMDB opens its lock file by name, follows a link there and overwrites what it finds. */
enum store_status store_file_check_lock(const struct store *s, struct error_text *e) {
  struct buf path;
  struct stat st;
  buf_init(&path, 4200);
  buf_printf(&path, "%s-lock", s->path);
  int foreign = lstat(path.data, &st) == 0 && !S_ISREG(st.st_mode);
  if (foreign)
    error_set(e, "%s: is a link, FIFO, folder or the like where the store's lock file belongs; remove it",
              path.data);
  buf_release(&path);
  return foreign ? STORE_NOT_STORE : STORE_OK;
}
