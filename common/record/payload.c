#include "record/payload.h"

#include "base/base64.h"
#include "base/digest.h"
#include "record/json.h"
#include "record/record.h"
#include "base/utf8.h"

/* Whether the object has this raw key. */
static int has_key(struct slice object, struct slice wanted) {
  struct json_cursor at = {0};
  struct slice key, value;
  while (json_kind(object) == '{' && json_next_member(object, &at, &key, &value))
    if (slice_eq(key, wanted))
      return 1;
  return 0;
}

void payload_add_metadata(struct buf *out, struct slice metadata, struct slice told) {
  struct json_cursor at = {0};
  struct slice key, value;
  if (json_kind(metadata) == '{')
    buf_add(out, metadata.data, metadata.len - 1);
  else
    buf_add_char(out, '{');
  while (json_kind(told) == '{' && json_next_member(told, &at, &key, &value)) {
    if (has_key(metadata, key))
      continue;
    buf_add_str(out, out->data[out->len - 1] == '{' ? "\"" : ",\"");
    buf_add_slice(out, key);
    buf_add_str(out, "\":");
    buf_add_slice(out, value);
  }
}

static void add_metadata(struct buf *out, const struct payload *p) {
  struct slice given = p->metadata;
  json_key(out, "metadata");
  payload_add_metadata(out, given, p->told);
  if (p->member && !json_get(given, "member").data)
    json_cstr(out, "member", p->member);
  if (p->rows >= 0)
    json_int(out, "rows", p->rows);
  if (p->cached)
    json_bool(out, "cache", 1);
  if (p->truncated)
    json_bool(out, "truncated", 1);
  buf_add_char(out, '}');
}

/* A truncated text may end within a character, which is then dropped too. */
static struct slice whole_characters(const struct payload *p, size_t valid) {
  if (p->truncated && valid < p->bytes.len && p->bytes.len - valid < 4)
    return slice_of(p->bytes.data, valid);
  return p->bytes;
}

int payload_add(struct buf *out, const struct payload *p) {
  char sha[DIGEST_HEX];
  size_t before = out->len, valid = utf8_valid_prefix(p->bytes.data, p->bytes.len);
  struct slice bytes = whole_characters(p, valid);
  int text = valid == bytes.len && !memchr(bytes.data ? bytes.data : "", '\0', bytes.len);
  digest_hex_of(bytes.data, bytes.len, sha);
  if (p->carried.len)
    buf_add_slice(out, p->carried);
  else
    buf_add_char(out, '{');
  json_cstr(out, "source", p->source);
  json_cstr(out, "sourceUrl", p->source_url);
  json_cstr(out, "capturedAt", p->captured);
  json_cstr(out, "contentType", p->content_type);
  json_key(out, "rawContent");
  if (text) {
    json_add_slice(out, bytes);
  } else {
    buf_add_char(out, '"');
    base64_add(out, bytes.data, bytes.len);
    buf_add_char(out, '"');
    json_cstr(out, "rawEncoding", "base64");
  }
  json_cstr(out, "sha256", sha);
  add_metadata(out, p);
  buf_add_str(out, "}\n");
  if (!out->overflow && out->len - before <= RECORD_MAX)
    return 0;
  out->len = before;
  return -1;
}
