/* tool_table.c: the tools, from data/mcp-tools.json; which of them are available here. */
#include "mcp/tool_table.h"
#include "base/paths.h"
#include "record/json.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds a program: in BID_BIN, in the running one's folder, among the pipelines of its source tree, or in PATH.
 * Returns its path, allocated, or NULL. */
static char *tool_find(const char *name) {
  const char *set = getenv("BID_BIN");
  struct buf path;
  buf_init(&path, PATH_MAX);
  buf_printf(&path, "%s/%s", set ? set : "", name);
  if (!set || !*set || path.overflow || access(path.data, X_OK) != 0)
    if (paths_program(&path, name) != 0)
      buf_release(&path);
  return path.data;
}

/* ---- the table ---- */

#define TABLE_BYTES ((size_t)4 << 20)

/* Reads a tool; 1, or 0 where it is not available here. */
static int tool_take(struct tool *tool, struct slice entry, int may_write) {
  struct slice run = json_get(entry, "run");
  if (json_is_true(run, "writes") && !may_write)
    return 0;
  char *program = json_text_copy(json_get(run, "program"));
  tool->path = tool_find(program ? program : "");
  tool->name = json_get(json_get(entry, "tool"), "name");
  free(program);
  return tool->path != NULL;
}

static int tool_table_read(struct buf *text, struct error_text *e) {
  struct buf path;
  size_t at = 0;
  const char *why;
  int status = -1;
  buf_init(&path, PATH_MAX);
  if (paths_data(&path, "mcp-tools.json") != 0 || buf_read_file(text, path.data) != 0)
    error_set(e, "%s: %s", path.data, strerror(errno));
  else if (json_validate(text->data, text->len, &at, &why) != 0)
    error_set(e, "%s: %s at byte %zu", path.data, why, at);
  else
    status = 0;
  buf_release(&path);
  return status;
}

int tool_table_load(struct tool_table *t, int may_write, struct error_text *e) {
  struct json_cursor c = {0};
  struct slice key, value, entry;
  *t = (struct tool_table){.count = 0};
  buf_init(&t->file, TABLE_BYTES);
  buf_init(&t->json, TABLE_BYTES);
  if (tool_table_read(&t->file, e) != 0)
    return -1;
  buf_add_char(&t->json, '{');
  while (json_next_member(buf_slice(&t->file), &c, &key, &value))
    if (!json_key_is(key, slice_str("tools")))
      json_add_member(&t->json, key, value);
  json_key(&t->json, "tools");
  buf_add_char(&t->json, '[');
  struct slice list = json_get(buf_slice(&t->file), "tools");
  c = (struct json_cursor){0};
  while (json_kind(list) == '[' && json_next_element(list, &c, &entry)) {
    t->tools = xgrow(t->tools, t->count, sizeof *t->tools);
    if (!tool_take(&t->tools[t->count], entry, may_write))
      continue;
    buf_add_str(&t->json, t->count++ ? "," : "");
    buf_add_slice(&t->json, entry);
  }
  buf_add_str(&t->json, "]}");
  if (t->count > 0)
    return 0;
  error_set(e, "none of BID's programs is beside bid-mcp or on PATH");
  return -1;
}

void tool_table_release(struct tool_table *t) {
  for (size_t i = 0; i < t->count; i++)
    free(t->tools[i].path);
  free(t->tools);
  buf_release(&t->file);
  buf_release(&t->json);
}

const struct tool *tool_table_find(const struct tool_table *t, struct slice name) {
  for (size_t i = 0; i < t->count; i++)
    if (slice_eq(name, t->tools[i].name))
      return &t->tools[i];
  return NULL;
}
