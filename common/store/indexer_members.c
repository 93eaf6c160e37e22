#include "store/indexer_members.h"

#include "record/json.h"
#include "record/record.h"

static int has_member(struct slice object, struct slice key, struct slice value) {
  struct json_cursor c = {0};
  struct slice k, v;
  while (json_next_member(object, &c, &k, &v))
    if (slice_eq(k, key))
      return slice_eq(v, value);
  return 0;
}

static void indexer_add_member(struct buf *out, struct slice key, struct slice value) {
  if (out->len && out->data[out->len - 1] != '{')
    buf_add_char(out, ',');
  buf_add_char(out, '"');
  buf_add_slice(out, key);
  buf_add(out, "\":", 2);
  buf_add_slice(out, value);
}

static int all_alike(const struct slice *objects, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (!slice_eq(objects[i], objects[0]))
      return 0;
  return 1;
}

void indexer_members_shared(const struct slice *objects, size_t count, struct buf *shared) {
  struct json_cursor c = {0};
  struct slice key, value, first = objects[0];
  if (all_alike(objects, count)) {
    buf_add_slice(shared, first);
    return;
  }
  buf_add_char(shared, '{');
  while (json_next_member(first, &c, &key, &value)) {
    size_t i = 1;
    while (i < count && (slice_eq(objects[i], first) || has_member(objects[i], key, value)))
      i++;
    if (i == count)
      indexer_add_member(shared, key, value);
  }
  buf_add_char(shared, '}');
}

size_t indexer_members_extra(struct slice object, struct slice shared, struct buf *out) {
  struct json_cursor c = {0};
  struct slice key, value;
  struct buf members;
  size_t n;
  if (slice_eq(object, shared))
    return 0;
  buf_init(&members, RECORD_MAX);
  while (json_next_member(object, &c, &key, &value))
    if (!has_member(shared, key, value))
      indexer_add_member(&members, key, value);
  n = members.len;
  buf_add_slice(out, buf_slice(&members));
  buf_release(&members);
  return n;
}
