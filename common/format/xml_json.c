#include "format/xml_json.h"

#include "record/json.h"
#include "base/utf8.h"
#include "format/xml.h"

#include <ctype.h>
#include <stdlib.h>

#define ATTRIBUTES_MAX 128 /* limit of attributes per element; further ones are dropped */
#define TEXT_MAX ((size_t)16 << 20)

/* Decodes a character reference or one of the five predefined entities at p ("&...;").  Its length, or 0. */
static size_t reference(const char *p, const char *end, struct buf *out) {
  static const char *const names[][2] = {
      {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}};
  const char *semicolon = memchr(p, ';', (size_t)(end - p) < 12 ? (size_t)(end - p) : 12);
  char bytes[4];
  if (!semicolon)
    return 0;
  size_t len = (size_t)(semicolon - p) + 1;
  for (size_t i = 0; i < 5; i++)
    if (slice_is(slice_of(p, len), names[i][0]))
      return buf_add_str(out, names[i][1]) == 0 ? len : 0;
  if (p[1] != '#')
    return 0;
  unsigned long c = p[2] == 'x' ? strtoul(p + 3, NULL, 16) : strtoul(p + 2, NULL, 10);
  if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
    return 0;
  buf_add(out, bytes, utf8_encode((uint32_t)c, bytes));
  return len;
}

static void add_attribute_value(struct buf *out, struct slice raw) {
  struct buf text;
  const char *p = raw.data, *end = raw.data + raw.len;
  buf_init(&text, TEXT_MAX);
  while (p < end) {
    size_t n = *p == '&' ? reference(p, end, &text) : 0;
    if (!n)
      buf_add_char(&text, *p);
    p += n ? n : 1;
  }
  json_add_slice(out, buf_slice(&text));
  buf_release(&text);
}

/* The next NAME="VALUE" of the raw attributes; 0 at the end. */
static int next_attribute(struct slice raw, size_t *at, struct slice *name, struct slice *value) {
  while (*at < raw.len) {
    while (*at < raw.len && (isspace((unsigned char)raw.data[*at]) || raw.data[*at] == '/'))
      ++*at;
    size_t from = *at;
    while (*at < raw.len && raw.data[*at] != '=' && !isspace((unsigned char)raw.data[*at]))
      ++*at;
    *name = slice_of(raw.data + from, *at - from);
    while (*at < raw.len && (isspace((unsigned char)raw.data[*at]) || raw.data[*at] == '='))
      ++*at;
    char quote = *at < raw.len ? raw.data[*at] : '\0';
    if (quote != '"' && quote != '\'')
      return 0;
    const char *end = memchr(raw.data + *at + 1, quote, raw.len - *at - 1);
    if (!end)
      return 0;
    *value = slice_of(raw.data + *at + 1, (size_t)(end - raw.data) - *at - 1);
    *at = (size_t)(end - raw.data) + 1;
    if (name->len)
      return 1;
  }
  return 0;
}

/* Skips namespace declarations and removes prefixes. */
static int attribute_name(struct slice *name) {
  if (name->len >= 5 && memcmp(name->data, "xmlns", 5) == 0)
    return 0;
  const char *colon = memchr(name->data, ':', name->len);
  if (colon)
    *name = slice_of(colon + 1, name->len - (size_t)(colon + 1 - name->data));
  return name->len > 0;
}

/* Names in a JSON object are unique: of two that differ only by prefix the first is kept. */
static int is_new(struct slice name, struct slice *seen, size_t *count) {
  for (size_t i = 0; i < *count; i++)
    if (slice_eq(seen[i], name))
      return 0;
  if (*count == ATTRIBUTES_MAX)
    return 0;
  seen[(*count)++] = name;
  return 1;
}

static void add_attributes(struct buf *out, struct slice raw) {
  struct slice name, value, seen[ATTRIBUTES_MAX];
  size_t at = 0, start = out->len, count = 0;
  buf_add_str(out, ",\"attributes\":{");
  size_t open = out->len;
  while (next_attribute(raw, &at, &name, &value)) {
    if (!attribute_name(&name) || !is_new(name, seen, &count))
      continue;
    buf_add_str(out, out->len > open ? "," : "");
    json_add_slice(out, name);
    buf_add_char(out, ':');
    add_attribute_value(out, value);
  }
  if (out->len == open)
    out->len = start;
  else
    buf_add_char(out, '}');
}

static void xml_json_add_text(struct buf *out, const struct xml *x, uint32_t node) {
  struct buf text;
  buf_init(&text, TEXT_MAX);
  for (uint32_t n = x->nodes[node].first; n; n = x->nodes[n].next)
    if (x->nodes[n].name.len == 0 && x->nodes[n].text.len) {
      buf_add_str(&text, text.len ? " " : "");
      buf_add_slice(&text, x->nodes[n].text);
    }
  if (text.len) {
    buf_add_str(out, ",\"text\":");
    json_add_slice(out, buf_slice(&text));
  }
  buf_release(&text);
}

/* Recursion is bounded by XML_DEPTH. */
static void xml_json_add_node(struct buf *out, const struct xml *x, uint32_t node) {
  int children = 0;
  buf_add_str(out, "{\"tag\":");
  json_add_slice(out, x->nodes[node].name);
  add_attributes(out, x->nodes[node].attributes);
  xml_json_add_text(out, x, node);
  for (uint32_t n = xml_child(x, node, NULL, 0); n; n = xml_child(x, node, NULL, n)) {
    buf_add_str(out, children++ ? "," : ",\"children\":[");
    xml_json_add_node(out, x, n);
  }
  buf_add_str(out, children ? "]}" : "}");
}

int xml_json_add(struct buf *out, struct slice bytes, const char **why) {
  struct xml x;
  memset(&x, 0, sizeof x);
  int result = xml_read(&x, bytes, why);
  uint32_t root = result == 0 ? xml_child(&x, 0, NULL, 0) : 0;
  if (root)
    xml_json_add_node(out, &x, root);
  else if (result == 0)
    *why = "no element";
  xml_release(&x);
  return root ? 0 : -1;
}
