/* paths.c */
#include "base/paths.h"
#include "base/sandbox.h"
#include "base/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int try_path(struct buf *out, struct slice folder, const char *middle, const char *name) {
  buf_clear(out);
  buf_add_slice(out, folder);
  buf_add_str(out, middle);
  buf_add_char(out, '/');
  buf_add_str(out, name);
  return access(out->data, F_OK);
}

/* The folder of the running program.  0, or -1 where /proc is not available. */
static int own_folder(struct buf *out) {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n <= 0)
    return -1;
  path[n] = '\0';
  char *slash = strrchr(path, '/');
  return slash ? buf_add(out, path, (size_t)(slash - path)) : -1;
}

/* The top of a source tree is an ancestor folder with data/VERSION: one up from bin/, three from a build folder's
 * bin/. */
static int checkout_path(struct buf *out, struct slice own, const char *name) {
  static const char *const tops[] = {"/..", "/../../.."};
  int at_top = strncmp(name, "connectors", 10) == 0 || strncmp(name, "pipelines", 9) == 0 ||
               strncmp(name, "man/", 4) == 0;
  for (size_t i = 0; i < 2; i++) {
    if (try_path(out, own, tops[i], "data/VERSION"))
      continue;
    struct buf top;
    buf_init(&top, PATH_MAX);
    buf_add_slice(&top, own);
    buf_add_str(&top, tops[i]);
    int missing = try_path(out, buf_slice(&top), at_top ? "" : "/data", name);
    buf_release(&top);
    if (!missing)
      return 0;
  }
  return -1;
}

static int beside_program(struct buf *out, const char *name) {
  struct buf own;
  buf_init(&own, PATH_MAX);
  int missing = own_folder(&own);
  if (!missing)
    missing =
        checkout_path(out, buf_slice(&own), name) && try_path(out, buf_slice(&own), "/../share/bid", name);
  buf_release(&own);
  return missing;
}

int paths_data(struct buf *out, const char *name) {
  const char *set = getenv("BID_DATA");
  if (set && *set && try_path(out, slice_str(set), "", name) == 0)
    return 0;
  return beside_program(out, name) ? -1 : 0;
}

static int try_program(struct buf *out, struct slice folder, const char *middle, const char *name) {
  return folder.len == 0 || try_path(out, folder, middle, name) || access(out->data, X_OK);
}

int paths_program(struct buf *out, const char *name) {
  static const char *const places[] = {"", "/../pipelines", "/../../../pipelines"};
  struct buf own;
  int missing = 1;
  buf_init(&own, PATH_MAX);
  own_folder(&own);
  for (size_t i = 0; missing && i < sizeof places / sizeof *places; i++)
    missing = try_program(out, buf_slice(&own), places[i], name);
  buf_release(&own);
  for (const char *path = getenv("PATH"); missing && path && *path;) {
    size_t n = strcspn(path, ":");
    missing = try_program(out, slice_of(path, n), "", name);
    path += n + (path[n] == ':');
  }
  return missing ? -1 : 0;
}

/* A folder, and what links in it lead to. */
static void allow_folder(struct sandbox_scope *scope, struct slice base, const char *middle) {
  struct buf path;
  buf_init(&path, PATH_MAX);
  buf_add_slice(&path, base);
  buf_add_str(&path, middle);
  DIR *d = path.overflow ? NULL : opendir(path.data);
  size_t folder = path.len;
  if (d)
    sandbox_may_read(scope, path.data);
  for (const struct dirent *x; d && (x = readdir(d)) != NULL; path.len = folder)
    if (x->d_name[0] != '.' && (x->d_type == DT_LNK || x->d_type == DT_UNKNOWN) &&
        buf_printf(&path, "/%s", x->d_name) == 0)
      sandbox_may_read(scope, path.data);
  if (d)
    closedir(d);
  buf_release(&path);
}

static void allow_data(struct sandbox_scope *scope, struct slice base, const char *middle) {
  char models[64];
  snprintf(models, sizeof models, "%s/models", middle);
  allow_folder(scope, base, middle);
  allow_folder(scope, base, models);
}

void paths_may_read(struct sandbox_scope *scope) {
  const char *set = getenv("BID_DATA"), *models = getenv("BID_MODELS");
  struct buf own, found;
  buf_init(&own, PATH_MAX);
  buf_init(&found, PATH_MAX);
  if (set && *set)
    allow_data(scope, slice_str(set), "");
  if (models && *models)
    allow_folder(scope, slice_str(models), "");
  if (own_folder(&own) == 0) {
    if (checkout_path(&found, buf_slice(&own), "") == 0)
      allow_data(scope, buf_slice(&found), "");
    allow_data(scope, buf_slice(&own), "/../share/bid");
  }
  buf_release(&own);
  buf_release(&found);
}

/* $variable, else $xdg/suffix, else $HOME/home/suffix. */
static int user_path(struct buf *out, const char *variable, const char *xdg, const char *home,
                     const char *suffix) {
  const char *set = variable ? getenv(variable) : NULL;
  buf_clear(out);
  if (set && *set)
    return buf_add_str(out, set);
  set = getenv(xdg);
  if (set && *set == '/')
    return buf_printf(out, "%s/%s", set, suffix);
  set = getenv("HOME");
  if (!set || !*set)
    return -1;
  return buf_printf(out, "%s/%s/%s", set, home, suffix);
}

int paths_store(struct buf *out) {
  return user_path(out, "BID_STORE", "XDG_DATA_HOME", ".local/share", "bid/store");
}

int paths_cache(struct buf *out) {
  return user_path(out, "BID_CACHE", "XDG_CACHE_HOME", ".cache", "bid");
}

int paths_state(struct buf *out) {
  return user_path(out, "BID_STATE", "XDG_STATE_HOME", ".local/state", "bid");
}

void paths_unusable(const struct buf *out, const char *what, const char *variable, struct error_text *why) {
  if (out->overflow)
    error_set(why, "the path of %s is longer than %zu bytes: set %s to a shorter one", what, out->max,
              variable);
  else
    error_set(why, "neither %s nor HOME is set", variable);
}

int paths_config(struct buf *out, const char *name) {
  if (user_path(out, NULL, "XDG_CONFIG_HOME", ".config", "bid/"))
    return -1;
  return buf_add_str(out, name);
}

int paths_sync_folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) : xstrdup(".");
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(folder);
  if (fd < 0)
    return errno == EACCES ? 0 : -1;         /* the folder may be writable but not readable */
  int failed = fsync(fd) && errno != EINVAL; /* a file system without fsync */
  close(fd);
  return failed ? -1 : 0;
}

/* Makes a folder and syncs its directory entry.  0, also where it exists, or -1. */
static int make_one_folder(const char *folder) {
  if (mkdir(folder, 0700))
    return errno == EEXIST ? 0 : -1;
  return paths_sync_folder_of(folder);
}

int paths_make(const char *folder) {
  struct stat st;
  if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode))
    return 0;
  char *copy = xstrdup(folder);
  int failed = 0;
  for (char *p = copy + 1; *p && !failed; p++)
    if (*p == '/') {
      *p = '\0';
      failed = make_one_folder(copy);
      *p = '/';
    }
  if (!failed)
    failed = make_one_folder(copy);
  free(copy);
  return failed ? -1 : 0;
}

/* ---- the URL of a local file ---- */

#define SCHEME "file://"

void paths_url_escape(struct buf *out, const char *text, const char *also) {
  size_t left = strlen(text), valid = 0;
  for (; left > 0; text++, left--, valid -= valid > 0) {
    if (valid == 0)
      valid = utf8_valid_prefix(text, left);
    if (valid == 0 || strchr(also, *text))
      buf_printf(out, "%%%02X", (unsigned char)*text);
    else
      buf_add_char(out, *text);
  }
}

void paths_url_add(struct buf *out, const char *path) {
  buf_add_str(out, SCHEME);
  paths_url_escape(out, path, "%#");
}

int paths_url_is(struct slice url) {
  return url.len > strlen(SCHEME) && memcmp(url.data, SCHEME "/", strlen(SCHEME) + 1) == 0;
}

static int hex_digit(char c) {
  const char *digits = "0123456789ABCDEF", *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* The byte that "%41" at text stands for, or -1. */
static int escaped_byte(const char *text, size_t len) {
  int high = len > 2 && *text == '%' ? hex_digit(text[1]) : -1, low = high >= 0 ? hex_digit(text[2]) : -1;
  return low >= 0 ? high << 4 | low : -1;
}

char *paths_url_path(struct slice url) {
  if (!paths_url_is(url))
    return xstrndup(url.data, url.len);
  const char *from = url.data + strlen(SCHEME), *end = url.data + url.len;
  const char *part = memchr(from, '#', (size_t)(end - from));
  char *path = xmalloc(url.len), *to = path;
  for (end = part ? part : end; from < end; to++) {
    int byte = escaped_byte(from, (size_t)(end - from));
    *to = *from;
    if (byte >= 0)
      *to = (char)byte;
    from += byte >= 0 ? 3 : 1;
  }
  *to = '\0';
  return path;
}
