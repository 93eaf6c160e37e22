#include "source/key_hosts.h"

#include "base/buf.h"
#include "base/paths.h"

#include <string.h>

#define TABLE_MAX ((size_t)1 << 20)

/* Removes and returns the field up to the byte `end`, which is removed too. */
static struct slice take_field(struct slice *s, char end) {
  const char *at = s->len ? memchr(s->data, end, s->len) : NULL;
  size_t n = at ? (size_t)(at - s->data) : s->len;
  struct slice field = slice_of(s->data, n);
  n += at != NULL;
  *s = slice_of(s->data + n, s->len - n);
  return field;
}

static int key_hosts_is_listed(struct slice table, const char *variable, const char *host) {
  while (table.len) {
    struct slice line = take_field(&table, '\n'), name = take_field(&line, '\t');
    if (!slice_is(name, variable))
      continue;
    if (!host)
      return 1;
    while (line.len)
      if (slice_is(take_field(&line, ','), host))
        return 1;
  }
  return 0;
}

int key_hosts_allow(const char *variable, const char *host) {
  struct buf path, table;
  int found = 0;
  buf_init(&path, 8192);
  buf_init(&table, TABLE_MAX);
  if (paths_data(&path, "keys.tsv") == 0 && buf_read_file(&table, path.data) == 0)
    found = key_hosts_is_listed(buf_slice(&table), variable, host);
  buf_clear(&path);
  buf_clear(&table);
  if (!found && paths_config(&path, "keys.tsv") == 0 && buf_read_file(&table, path.data) == 0)
    found = key_hosts_is_listed(buf_slice(&table), variable, host);
  buf_release(&path);
  buf_release(&table);
  return found;
}
