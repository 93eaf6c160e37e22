/* sidecar.c: metadata of a local file in a JSON file beside it. */
#include "source/sidecar.h"

#include "record/json.h"
#include "tables/file_types.h"
#include "tables/sidecar.h"

#include <limits.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>

static const char *const members[][2] = {SIDECAR_MEMBERS};

#define MEMBERS (sizeof members / sizeof *members)

static int sidecar_exists(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Loads the object in a file into text; an empty slice where it is not an object with metadata. */
static struct slice sidecar_load(const char *path, struct buf *text) {
  if (buf_read_file(text, path) != 0 || !json_is_valid(buf_slice(text)))
    return slice_of(NULL, 0);
  struct slice object = buf_slice(text);
  while (object.len && strchr(" \t\r\n", object.data[0]))
    object = slice_of(object.data + 1, object.len - 1);
  for (size_t i = 0; json_kind(object) == '{' && i < MEMBERS; i++)
    if (json_get(object, members[i][0]).data)
      return object;
  return slice_of(NULL, 0);
}

int sidecar_is(const char *path) {
  static const char *const endings[] = {FILE_TYPES_DESCRIBED, NULL};
  size_t n = strlen(path);
  char beside[PATH_MAX];
  struct buf text;
  if (n < 6 || n >= sizeof beside - 8 || strcasecmp(path + n - 5, ".json") != 0)
    return 0;
  snprintf(beside, sizeof beside, "%.*s", (int)(n - 5), path);
  int found = sidecar_exists(beside);
  for (int i = 0; !found && endings[i]; i++) {
    snprintf(beside, sizeof beside, "%.*s%s", (int)(n - 5), path, endings[i]);
    found = sidecar_exists(beside);
  }
  buf_init(&text, SIDECAR_MAX);
  found = found && sidecar_load(path, &text).len > 0;
  buf_release(&text);
  return found;
}

/* Finds the sidecar's path; 0 where there is none. */
static int sidecar_path(const char *path, char out[PATH_MAX]) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  size_t n = strlen(path);
  if (n >= PATH_MAX - 8 || (n > 5 && strcasecmp(path + n - 5, ".json") == 0))
    return 0;
  snprintf(out, PATH_MAX, "%.*s.json", (int)n, path);
  if (sidecar_exists(out))
    return 1;
  if (!dot || (slash && dot < slash))
    return 0;
  snprintf(out, PATH_MAX, "%.*s.json", (int)(dot - path), path);
  return sidecar_exists(out);
}

static void sidecar_add(struct buf *out, const char *name, struct slice value) {
  if (json_kind(value) == '"')
    json_raw(out, name, value);
  else if (json_kind(value) == '0') /* a year as a number */
    json_str(out, name, value);
}

static void compare(struct slice given, struct slice said, const char *name, struct buf *says) {
  struct slice a = json_get(given, name), b = json_get(said, name);
  if (json_kind(a) == '"' && json_kind(b) == '"' &&
      (a.len != b.len || strncasecmp(a.data, b.data, a.len) != 0))
    buf_printf(says, "the file beside it says %.*s, not %.*s", (int)b.len, b.data, (int)a.len, a.data);
}

int sidecar_merge(const char *path, struct slice given, struct buf *out, struct buf *says) {
  char beside[PATH_MAX];
  struct buf text;
  int found = 0;
  buf_init(&text, SIDECAR_MAX);
  struct slice said = sidecar_path(path, beside) ? sidecar_load(beside, &text) : slice_of(NULL, 0);
  if (said.len) {
    found = 1;
    compare(given, said, "ticker", says);
    buf_add_char(out, '{');
    if (json_kind(given) == '{')
      buf_add(out, given.data + 1, given.len - 2);
    for (size_t i = 0; i < MEMBERS; i++) {
      struct slice value = json_get(said, members[i][0]);
      int twice =
          i > 0 && strcmp(members[i][1], members[i - 1][1]) == 0 && json_get(said, members[i - 1][0]).data;
      if (value.data && !twice && !json_get(given, members[i][1]).data)
        sidecar_add(out, members[i][1], value);
    }
    buf_add_char(out, '}');
  }
  buf_release(&text);
  return found;
}
