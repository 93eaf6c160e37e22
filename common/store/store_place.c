/* store_place.c: where a store is. */
#include "store/store_private.h"

#include "base/paths.h"
#include "base/sandbox.h"

#include <stdlib.h>
#include <sys/stat.h>

char *store_place_find(const struct store_options *o, struct error_text *e) {
  struct buf path;
  struct stat st;
  int unset = 0;
  buf_init(&path, 4096);
  if (o->path)
    buf_add_str(&path, o->path);
  else
    unset = paths_store(&path) != 0;
  if (path.overflow || unset || path.len == 0) {
    if (path.overflow || unset)
      paths_unusable(&path, "the store", "BID_STORE", e);
    else
      error_set(e, "the path of the store is empty");
    buf_release(&path);
    return NULL;
  }
  if (stat(path.data, &st) == 0 && S_ISDIR(st.st_mode))
    buf_add_str(&path, "/store.bid");
  return path.data;
}

void store_place_make_parent(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash || slash == path)
    return;
  char *folder = xstrndup(path, (size_t)(slash - path));
  paths_make(folder);
  free(folder);
}

void store_may_change(const struct store_options *o, struct sandbox_scope *scope) {
  struct error_text e; /* store_open() reports it */
  char *path = store_place_find(o, &e), *slash = path ? strrchr(path, '/') : NULL;
  if (path && o->write && o->create)
    store_place_make_parent(path);
  if (slash)
    slash[slash == path] = '\0';
  if (path)
    sandbox_may_change(scope, slash ? path : ".");
  free(path);
}
