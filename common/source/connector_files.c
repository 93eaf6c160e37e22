/* connector_files.c: the files of connectors: found by name, listed, fingerprinted. */
#include "source/connector_process.h"

#include "base/paths.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define FOLDERS_MAX 32

/* Whether text is a valid connector name. */
static int connector_name_ok(const char *name) {
  size_t len = strlen(name);
  for (size_t i = 0; i < len; i++)
    if (!isalnum((unsigned char)name[i]) && name[i] != '-' && name[i] != '_')
      return 0;
  return len > 0 && len < 64 && isalnum((unsigned char)name[0]);
}

/* The folders to search, in order; returns how many. */
static size_t folders(char *out[FOLDERS_MAX]) {
  const char *list = getenv("BID_CONNECTORS");
  struct buf b;
  size_t count = 0;
  while (list && *list && count < FOLDERS_MAX - 2) {
    size_t len = strcspn(list, ":");
    if (len)
      out[count++] = xstrndup(list, len);
    list += len + (list[len] == ':');
  }
  buf_init(&b, 8192);
  if (paths_config(&b, "connectors") == 0)
    out[count++] = xstrdup(b.data);
  buf_clear(&b);
  paths_data(&b, "connectors");
  out[count++] = xstrdup(b.data ? b.data : "connectors");
  buf_release(&b);
  return count;
}

static void folders_free(char *list[FOLDERS_MAX], size_t count) {
  while (count > 0)
    free(list[--count]);
}

/* A file that is there and can't be read is the one that is meant: opening it says why. */
static int connector_is_there(const char *path) {
  return access(path, R_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

int connector_find(const char *name, struct buf *path) {
  char *list[FOLDERS_MAX];
  size_t count = folders(list);
  int found = 0;
  for (size_t i = 0; i < count && !found && connector_name_ok(name); i++) {
    buf_clear(path);
    buf_printf(path, "%s/%s.jq", list[i], name);
    found = connector_is_there(path->data);
  }
  folders_free(list, count);
  return found ? 0 : -1;
}

struct connector_names {
  char **items;
  size_t count, cap;
};

static void names_add(struct connector_names *n, const char *file) {
  size_t len = strlen(file);
  if (len < 4 || strcmp(file + len - 3, ".jq") != 0)
    return;
  char *name = xstrndup(file, len - 3);
  int known = !connector_name_ok(name);
  for (size_t i = 0; i < n->count && !known; i++)
    known = strcmp(n->items[i], name) == 0;
  if (known) {
    free(name);
    return;
  }
  if (n->count == n->cap) {
    n->cap = n->cap ? n->cap * 2 : 32;
    n->items = xreallocarray(n->items, n->cap, sizeof *n->items);
  }
  n->items[n->count++] = name;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A folder of the list need not exist. */
static void connector_names_in(struct connector_names *n, const char *folder, struct error_text *unread) {
  DIR *d = opendir(folder);
  if (!d && unread && errno != ENOENT && errno != ENOTDIR)
    error_set(unread, "%s: %s", folder, strerror(errno));
  errno = 0;
  for (struct dirent *e; d && (e = readdir(d)); errno = 0)
    names_add(n, e->d_name);
  if (d && unread && errno)
    error_set(unread, "%s: %s", folder, strerror(errno));
  if (d)
    closedir(d);
}

char **connector_names(size_t *count, struct error_text *unread) {
  char *list[FOLDERS_MAX];
  struct connector_names n = {0};
  if (unread)
    unread->text[0] = '\0';
  size_t many = folders(list);
  for (size_t i = 0; i < many; i++)
    connector_names_in(&n, list[i], unread);
  if (unread && !unread->text[0] && n.count == 0)
    error_set(unread, "%s: no connectors there", list[many - 1]);
  folders_free(list, many);
  if (n.count)
    qsort(n.items, n.count, sizeof *n.items, by_name);
  *count = n.count;
  return n.items;
}

void connector_names_free(char **names, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
}

static int digest_file(struct digest *d, const char *path) {
  struct buf text;
  buf_init(&text, CONNECTOR_SOURCE_MAX);
  int failed = buf_read_file(&text, path);
  digest_add(d, path, strlen(path) + 1);
  if (text.len)
    digest_add(d, text.data, text.len + 1);
  buf_release(&text);
  return failed;
}

static int is_library(const struct dirent *e) {
  size_t len = strlen(e->d_name);
  return len > 3 && strcmp(e->d_name + len - 3, ".jq") == 0;
}

/* Digests every file that the connector could include.  -1 where the folder or one of them can't be read. */
static int digest_folder(struct digest *d, const char *folder) {
  struct dirent **names;
  struct buf path;
  int n = scandir(folder, &names, is_library, alphasort), failed = n < 0 && errno != ENOENT ? -1 : 0;
  buf_init(&path, 8192);
  for (int i = 0; i < n; i++) {
    buf_clear(&path);
    buf_printf(&path, "%s/%s", folder, names[i]->d_name);
    failed |= digest_file(d, path.data);
    free(names[i]);
  }
  if (n >= 0)
    free(names);
  buf_release(&path);
  return failed;
}

int connector_fingerprint(struct connector *c) {
  struct digest d;
  struct buf folder;
  uint8_t digest[DIGEST_SIZE];
  digest_start(&d);
  digest_add(&d, BID_VERSION " libjq 1.6 2", sizeof BID_VERSION " libjq 1.6 2");
  int failed = digest_file(&d, c->path);
  buf_init(&folder, 8192);
  const char *slash = strrchr(c->path, '/');
  buf_printf(&folder, "%.*s/lib", slash ? (int)(slash - c->path) : 1, slash ? c->path : ".");
  failed |= digest_folder(&d, folder.data);
  buf_clear(&folder);
  if (paths_data(&folder, "connectors/lib") == 0)
    failed |= digest_folder(&d, folder.data);
  buf_release(&folder);
  digest_end(&d, digest);
  digest_hex(digest, DIGEST_SIZE, c->fingerprint);
  return failed ? -1 : 0;
}
