/* store_length.c: checks that a file is complete and at its latest transaction, which LMDB doesn't. */
#include "store/store_private.h"

#include "base/whole_io.h"

#include <sys/stat.h>
#include <unistd.h>

/* How many pages from `first` to `last` are in LMDB's list of free pages (its table 0: a count, then page numbers). */
static size_t free_pages(MDB_txn *txn, size_t first, size_t last) {
  MDB_cursor *cursor;
  MDB_val k, v;
  size_t found = 0, id;
  if (mdb_cursor_open(txn, 0, &cursor))
    return 0;
  while (mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == 0)
    for (size_t at = sizeof id; at + sizeof id <= v.mv_size; at += sizeof id) {
      memcpy(&id, (const char *)v.mv_data + at, sizeof id);
      found += id >= first && id <= last;
    }
  mdb_cursor_close(cursor);
  return found;
}

/* Whether the roots of the free list and of the tables are among the first `pages` pages; otherwise the list
 * can't be read. */
static int has_roots(const struct store *s, size_t page_size, size_t pages) {
  enum { FREE_ROOT_AT = 80, MAIN_ROOT_AT = 128, TXNID_AT = 144 };
  char meta[2][TXNID_AT + 8];
  uint64_t id[2], root[2];
  for (int i = 0; i < 2; i++) {
    if (whole_read_at(s->fd, meta[i], sizeof meta[i], (off_t)(page_size * (size_t)i)) !=
        (ssize_t)sizeof meta[i])
      return 0;
    memcpy(&id[i], meta[i] + TXNID_AT, sizeof id[i]);
  }
  const char *newer = meta[id[1] > id[0]];
  memcpy(&root[0], newer + FREE_ROOT_AT, sizeof root[0]);
  memcpy(&root[1], newer + MAIN_ROOT_AT, sizeof root[1]);
  return root[0] < pages && root[1] < pages;
}

/* Whether all pages in use are within the file.  LMDB counts pages that a transaction added and freed again, but
 * doesn't write them, so after a removal the file may end before the last page. */
static int is_long_enough(const struct store *s, size_t *bytes, size_t *wanted) {
  MDB_envinfo info;
  MDB_stat page;
  MDB_txn *txn;
  struct stat st;
  if (mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn))
    return 1; /* reported where it matters */
  mdb_env_info(s->env, &info);
  mdb_env_stat(s->env, &page);
  *bytes = fstat(s->fd, &st) == 0 ? (size_t)st.st_size : 0;
  *wanted = (info.me_last_pgno + 1) * page.ms_psize;
  size_t pages = *bytes / page.ms_psize, last = info.me_last_pgno;
  int enough = pages > last ||
               (has_roots(s, page.ms_psize, pages) && free_pages(txn, pages, last) == last + 1 - pages);
  mdb_txn_abort(txn);
  return enough;
}

enum store_status store_length_check(const struct store *s, struct error_text *e) {
  size_t bytes, wanted;
  for (int tries = 0; tries < 5; tries++) { /* a commit may happen meanwhile */
    if (is_long_enough(s, &bytes, &wanted))
      return STORE_OK;
    usleep(200);
  }
  error_set(e, "%s: is cut short: %zu bytes of %zu; restore a backup", s->path, bytes, wanted);
  return STORE_CORRUPT;
}

enum { PSIZE_AT = 40, TXNID_AT = 144 }; /* in either of the first pages */

int store_length_is_unborn(const struct store *s) {
  char page[TXNID_AT + 8];
  struct stat st;
  for (int tries = 0; tries < 50; tries++) {
    uint64_t id;
    uint32_t size;
    if (whole_read_at(s->fd, page, sizeof page, 0) != (ssize_t)sizeof page || fstat(s->fd, &st) != 0)
      return 0;
    memcpy(&id, page + TXNID_AT, sizeof id);
    memcpy(&size, page + PSIZE_AT, sizeof size);
    if (id != 0 || st.st_size >= 2 * (off_t)size)
      return 0;
    usleep(200); /* it may be written just now */
  }
  return 1;
}

/* LMDB divides by the page size of the newer of both pages without a look at it. */
static int is_page_size(uint32_t size) {
  return size >= 256 && size <= 65536 && (size & (size - 1)) == 0;
}

enum store_status store_length_check_meta(struct store *s, struct error_text *e) {
  unsigned char page[TXNID_AT + 8];
  for (int tries = 0; tries < 50; tries++) {
    uint64_t id[2] = {0, 0};
    uint32_t size, other;
    if (whole_read_at(s->fd, page, sizeof page, 0) != (ssize_t)sizeof page)
      return STORE_OK; /* empty: new, or reported by store_length_check() */
    memcpy(&id[0], page + TXNID_AT, 8);
    memcpy(&size, page + PSIZE_AT, 4);
    if (!is_page_size(size) || whole_read_at(s->fd, page, sizeof page, size) != (ssize_t)sizeof page)
      break;
    memcpy(&id[1], page + TXNID_AT, 8);
    memcpy(&other, page + PSIZE_AT, 4);
    if (other != size)
      break;
    if ((id[0] == 0 && id[1] <= 1) || (id[0] % 2 == 0 && (id[0] + 1 == id[1] || id[0] == id[1] + 1)))
      return STORE_OK;
    usleep(200); /* a commit may happen between the two reads */
  }
  return store_damaged(e, s, "its first pages disagree");
}
