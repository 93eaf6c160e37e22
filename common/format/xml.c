/* xml.c: the XML parser, and the JSON that connectors get of a document. */
#include "format/xml.h"
#include "base/utf8.h"
#include "format/charset.h"
#include "record/json.h"

#include <ctype.h>
#include <stdlib.h>

struct reader {
  struct xml *x;
  const char *at, *end;
  uint32_t stack[XML_DEPTH]; /* open elements; [0] is the document */
  int depth;                 /* depth of the innermost open element */
  int deeper;                /* open elements beyond the depth limit */
  int spaced;                /* don't trim text */
  int gap;                   /* whitespace was trimmed behind the last text */
};

static uint32_t xml_add_node(struct xml *x, uint32_t parent, struct slice name) {
  if (x->count == x->cap) {
    x->cap = x->cap ? x->cap * 2 : 256;
    x->nodes = xreallocarray(x->nodes, x->cap, sizeof *x->nodes);
  }
  uint32_t id = x->count++;
  struct xml_node *n = memset(&x->nodes[id], 0, sizeof *x->nodes);
  n->name = name;
  n->parent = parent;
  if (id == 0)
    return 0;
  struct xml_node *p = &x->nodes[parent];
  if (p->last)
    x->nodes[p->last].next = id;
  else
    p->first = id;
  p->last = id;
  return id;
}

static void xml_add_code(struct buf *out, uint32_t c) {
  char text[4];
  if (c < 0x20 && c != '\t' && c != '\n')
    c = ' ';
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
    c = 0xFFFD;
  buf_add(out, text, utf8_encode(c, text));
}

/* Decodes one reference after '&'; its length, or 0 where it is not a reference. */
static size_t xml_add_reference(struct buf *out, const char *p, const char *end) {
  static const struct {
    const char *name;
    char c;
  } named[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}};
  size_t left = (size_t)(end - p);
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    size_t n = strlen(named[i].name);
    if (left >= n && memcmp(p, named[i].name, n) == 0) {
      buf_add_char(out, named[i].c);
      return n;
    }
  }
  if (left < 3 || p[0] != '#')
    return 0;
  int hex = p[1] == 'x' || p[1] == 'X';
  const char *q = p + 1 + hex;
  uint32_t c = 0;
  for (; q < end && q < p + 12 && isxdigit((unsigned char)*q) && (hex || isdigit((unsigned char)*q)); q++)
    c = c * (hex ? 16 : 10) + (uint32_t)(isdigit((unsigned char)*q) ? *q - '0' : (*q | 32) - 'a' + 10);
  if (q == end || *q != ';' || q == p + 1 + hex)
    return 0;
  xml_add_code(out, c);
  return (size_t)(q + 1 - p);
}

void xml_decode(struct buf *out, struct slice raw) {
  const char *p = raw.data, *end = raw.data + raw.len;
  while (p < end) {
    const char *amp = memchr(p, '&', (size_t)(end - p));
    const char *stop = amp ? amp : end;
    buf_add(out, p, (size_t)(stop - p));
    if (!amp)
      return;
    size_t n = xml_add_reference(out, amp + 1, end);
    if (!n)
      buf_add_char(out, '&');
    p = amp + 1 + n;
  }
}

/* Text that only a comment, an instruction or a CDATA section parts is one: "1,<!-- -->234" is a single number. */
static void take_text(struct reader *r, const char *from, const char *to, int raw) {
  const char *first = from, *last = to;
  while (!r->spaced && from < to && isspace((unsigned char)*from))
    from++;
  while (!r->spaced && to > from && isspace((unsigned char)to[-1]))
    to--;
  if (from == to) {
    r->gap |= first < last;
    return;
  }
  struct xml *x = r->x;
  struct buf *t = &x->text; /* reserved in advance: it never moves */
  uint32_t id = x->nodes[r->stack[r->depth]].last;
  if (!id || x->nodes[id].name.len) {
    id = xml_add_node(x, r->stack[r->depth], slice_of(NULL, 0));
    x->nodes[id].text = slice_of(t->data + t->len, 0);
  } else if (r->gap || first < from) {
    buf_add_char(t, ' ');
  }
  if (raw)
    buf_add(t, from, (size_t)(to - from));
  else
    xml_decode(t, slice_of(from, (size_t)(to - from)));
  x->nodes[id].text.len = (size_t)(t->data + t->len - x->nodes[id].text.data);
  r->gap = to < last;
}

static const char *xml_find(const struct reader *r, const char *from, const char *what) {
  const char *p = memmem(from, (size_t)(r->end - from), what, strlen(what));
  return p ? p : r->end;
}

static struct slice xml_name_at(const char *p, const char *end) {
  const char *start = p;
  while (p < end && !isspace((unsigned char)*p) && *p != '>' && *p != '/' && *p != '<')
    p++;
  const char *colon = memchr(start, ':', (size_t)(p - start));
  if (colon)
    start = colon + 1;
  return slice_of(start, (size_t)(p - start));
}

/* The '>' that ends a tag, skipping quoted values. */
static const char *tag_end(const char *p, const char *end) {
  char quote = 0;
  for (; p < end; p++) {
    if (quote)
      quote = *p == quote ? 0 : quote;
    else if (*p == '"' || *p == '\'')
      quote = *p;
    else if (*p == '>')
      return p;
  }
  return end;
}

/* Closes the innermost open element of that name and everything inside it; an unmatched end tag is ignored. */
static void close_element(struct reader *r, struct slice name) {
  if (r->deeper) {
    r->deeper--;
    return;
  }
  for (int i = r->depth; i > 0; i--) {
    if (slice_eq(r->x->nodes[r->stack[i]].name, name)) {
      r->depth = i - 1;
      return;
    }
  }
}

static void xml_open_element(struct reader *r, const char *p) {
  const char *close = tag_end(p, r->end);
  struct slice name = xml_name_at(p, close);
  int empty = close > p && close[-1] == '/';
  uint32_t id = xml_add_node(r->x, r->stack[r->depth], name);
  const char *attributes = name.data + name.len;
  r->x->nodes[id].attributes = slice_of(attributes, (size_t)(close - attributes));
  if (!empty && r->depth + 1 < XML_DEPTH)
    r->stack[++r->depth] = id;
  else if (!empty)
    r->deeper++;
  r->at = close < r->end ? close + 1 : close;
}

/* Skips a DOCTYPE with its declarations in [ ]. */
static void skip_doctype(struct reader *r) {
  int brackets = 0;
  const char *p = r->at;
  for (; p < r->end && (*p != '>' || brackets > 0); p++)
    brackets += (*p == '[') - (*p == ']');
  r->at = p < r->end ? p + 1 : p;
}

static void skip_past(struct reader *r, const char *what) {
  const char *p = xml_find(r, r->at, what);
  r->at = p < r->end ? p + strlen(what) : p;
}

static int xml_begins(const struct reader *r, const char *what) {
  size_t n = strlen(what);
  return (size_t)(r->end - r->at) >= n && memcmp(r->at, what, n) == 0;
}

static void take_markup(struct reader *r) {
  if (xml_begins(r, "<!--")) {
    skip_past(r, "-->");
  } else if (xml_begins(r, "<![CDATA[")) {
    const char *p = xml_find(r, r->at + 9, "]]>");
    take_text(r, r->at + 9, p, 1);
    r->at = p < r->end ? p + 3 : p;
  } else if (xml_begins(r, "<?")) {
    skip_past(r, "?>");
  } else if (xml_begins(r, "<!")) {
    skip_doctype(r);
  } else if (xml_begins(r, "</")) {
    close_element(r, xml_name_at(r->at + 2, r->end));
    const char *close = memchr(r->at, '>', (size_t)(r->end - r->at));
    r->at = close ? close + 1 : r->end;
  } else if (r->at + 1 < r->end && (isalpha((unsigned char)r->at[1]) || r->at[1] == '_')) {
    xml_open_element(r, r->at + 1);
  } else {
    take_text(r, r->at, r->at + 1, 1);
    r->at++;
  }
}

static int read_tree(struct xml *x, struct slice bytes, int spaced, const char **why) {
  memset(x, 0, sizeof *x);
  buf_init(&x->source, 3 * bytes.len + 4);
  buf_init(&x->text, 3 * bytes.len + 4);
  charset_clean(&x->source, bytes);
  buf_reserve(&x->text, x->source.len + 1); /* a reference is at least as long as its character */
  struct reader r = {.x = x, .at = x->source.data, .end = x->source.data + x->source.len, .spaced = spaced};
  xml_add_node(x, 0, slice_of(NULL, 0));
  while (r.at < r.end && x->count < XML_NODES) {
    if (*r.at == '<') {
      take_markup(&r);
      continue;
    }
    const char *p = memchr(r.at, '<', (size_t)(r.end - r.at));
    take_text(&r, r.at, p ? p : r.end, 0);
    r.at = p ? p : r.end;
  }
  *why = x->count >= XML_NODES ? "too many elements" : xml_child(x, 0, NULL, 0) ? NULL : "no element in it";
  return *why ? -1 : 0;
}

int xml_read(struct xml *x, struct slice bytes, const char **why) {
  return read_tree(x, bytes, 0, why);
}

int xml_read_spaced(struct xml *x, struct slice bytes, const char **why) {
  return read_tree(x, bytes, 1, why);
}

void xml_release(struct xml *x) {
  free(x->nodes);
  buf_release(&x->source);
  buf_release(&x->text);
  memset(x, 0, sizeof *x);
}

uint32_t xml_child(const struct xml *x, uint32_t node, const char *name, uint32_t after) {
  uint32_t id = after ? x->nodes[after].next : x->nodes[node].first;
  for (; id; id = x->nodes[id].next)
    if (x->nodes[id].name.len && (!name || slice_is(x->nodes[id].name, name)))
      return id;
  return 0;
}

uint32_t xml_at(const struct xml *x, uint32_t node, const char *path) {
  char name[64];
  while (*path) {
    size_t n = strcspn(path, "/");
    if (n >= sizeof name)
      return 0;
    memcpy(name, path, n);
    name[n] = '\0';
    node = xml_child(x, node, name, 0);
    if (!node)
      return 0;
    path += n + (path[n] == '/');
  }
  return node;
}

struct slice xml_text(const struct xml *x, uint32_t node, const char *path) {
  uint32_t id = xml_at(x, node, path);
  if (!id && *path)
    return slice_of(NULL, 0);
  for (id = x->nodes[id].first; id; id = x->nodes[id].next)
    if (!x->nodes[id].name.len)
      return x->nodes[id].text;
  return slice_of(NULL, 0);
}

struct slice xml_attribute(const struct xml *x, uint32_t node, const char *name) {
  struct slice a = x->nodes[node].attributes;
  size_t n = strlen(name);
  for (size_t i = 1; i + n + 2 < a.len; i++) {
    if (!isspace((unsigned char)a.data[i - 1]) || memcmp(a.data + i, name, n) != 0 || a.data[i + n] != '=')
      continue;
    char quote = a.data[i + n + 1];
    const char *p = a.data + i + n + 2, *end = a.data + a.len;
    const char *close = quote == '"' || quote == '\'' ? memchr(p, quote, (size_t)(end - p)) : NULL;
    return close ? slice_of(p, (size_t)(close - p)) : slice_of(NULL, 0);
  }
  return slice_of(NULL, 0);
}

int xml_next_attribute(struct slice *rest, struct slice *name, struct slice *value) {
  const char *p = rest->data, *end = rest->data + rest->len;
  while (p < end && (isspace((unsigned char)*p) || *p == '/'))
    p++;
  const char *start = p;
  while (p < end && *p != '=' && !isspace((unsigned char)*p))
    p++;
  *name = slice_of(start, (size_t)(p - start));
  while (p < end && isspace((unsigned char)*p))
    p++;
  if (p == end || *p != '=' || !name->len)
    return 0;
  for (p++; p < end && isspace((unsigned char)*p);)
    p++;
  const char *close = p < end && (*p == '"' || *p == '\'') ? memchr(p + 1, *p, (size_t)(end - p - 1)) : NULL;
  if (!close)
    return 0;
  *value = slice_of(p + 1, (size_t)(close - p - 1));
  *rest = slice_of(close + 1, (size_t)(end - close - 1));
  return 1;
}

/* ---- formulas ---- */

#define TEXT_MAX ((size_t)16 << 20)

enum formula {
  FORMULA_ROW,
  FORMULA_FRACTION,
  FORMULA_ABOVE,
  FORMULA_BELOW,
  FORMULA_BOTH,
  FORMULA_ROOT,
  FORMULA_FENCED,
  FORMULA_NONE
};

/* MathML 3, chapter 3; ECMA-376 part 1, 22.1. */
static enum formula formula_kind(struct slice name) {
  static const struct {
    const char *name;
    enum formula kind;
  } elements[] = {
      {"mfrac", FORMULA_FRACTION},  {"f", FORMULA_FRACTION},      {"msup", FORMULA_ABOVE},
      {"mover", FORMULA_ABOVE},     {"sSup", FORMULA_ABOVE},      {"msub", FORMULA_BELOW},
      {"munder", FORMULA_BELOW},    {"sSub", FORMULA_BELOW},      {"msubsup", FORMULA_BOTH},
      {"munderover", FORMULA_BOTH}, {"sSubSup", FORMULA_BOTH},    {"msqrt", FORMULA_ROOT},
      {"mroot", FORMULA_ROOT},      {"rad", FORMULA_ROOT},        {"mfenced", FORMULA_FENCED},
      {"d", FORMULA_FENCED},        {"annotation", FORMULA_NONE}, {"annotation-xml", FORMULA_NONE},
      {"deg", FORMULA_NONE}};
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (slice_is(name, elements[i].name))
      return elements[i].kind;
  size_t n = name.len;
  return n > 2 && memcmp(name.data + n - 2, "Pr", 2) == 0 ? FORMULA_NONE : FORMULA_ROW;
}

static void add_formula_node(struct buf *out, const struct xml *x, uint32_t node);

/* One operand, in parentheses where it has several signs. */
static void add_operand(struct buf *out, const struct xml *x, uint32_t node) {
  struct buf text;
  int plain = 1;
  buf_init(&text, TEXT_MAX);
  add_formula_node(&text, x, node);
  for (size_t i = 0; i < text.len; i++) /* a leading sign is no operator */
    plain &= (i == 0 && text.data[i] == '-') || isalnum((unsigned char)text.data[i]) ||
             strchr(".,%", text.data[i]) || text.data[i] & 0x80;
  buf_printf(out, "%s%.*s%s", plain ? "" : "(", (int)text.len, text.len ? text.data : "", plain ? "" : ")");
  buf_release(&text);
}

/* The element's operands with the sign of its kind between them. */
static void add_operands(struct buf *out, const struct xml *x, uint32_t node, enum formula kind) {
  static const char *const signs[][3] = {
      [FORMULA_FRACTION] = {"", "/", "/"}, [FORMULA_ABOVE] = {"", "^", "^"},
      [FORMULA_BELOW] = {"", "_", "_"},    [FORMULA_BOTH] = {"", "_", "^"},
      [FORMULA_ROOT] = {"", "", ""},       [FORMULA_FENCED] = {"", ", ", ", "}};
  size_t count = 0;
  for (uint32_t n = xml_child(x, node, NULL, 0); n; n = xml_child(x, node, NULL, n)) {
    if (formula_kind(x->nodes[n].name) == FORMULA_NONE)
      continue;
    buf_add_str(out, signs[kind][count < 2 ? count : 2]);
    if (kind == FORMULA_FENCED || kind == FORMULA_ROOT)
      add_formula_node(out, x, n);
    else
      add_operand(out, x, n);
    count++;
  }
}

/* Recursion is bounded by XML_DEPTH. */
static void add_formula_node(struct buf *out, const struct xml *x, uint32_t node) {
  enum formula kind = formula_kind(x->nodes[node].name);
  if (kind == FORMULA_NONE)
    return;
  if (!x->nodes[node].name.len && node) {
    buf_add_slice(out, x->nodes[node].text);
  } else if (kind == FORMULA_ROW) {
    for (uint32_t n = x->nodes[node].first; n; n = x->nodes[n].next)
      add_formula_node(out, x, n);
  } else {
    int bracketed = kind == FORMULA_ROOT || kind == FORMULA_FENCED;
    size_t last = out->len;
    if (kind == FORMULA_FRACTION && last && isdigit((unsigned char)out->data[last - 1]))
      buf_add_char(out, ' ');
    buf_add_str(out, kind == FORMULA_ROOT ? "\xE2\x88\x9A(" : bracketed ? "(" : "");
    add_operands(out, x, node, kind);
    buf_add_str(out, bracketed ? ")" : "");
  }
}

void xml_add_formula(struct buf *out, const struct xml *x, uint32_t node) {
  for (uint32_t n = x->nodes[node].first; n; n = x->nodes[n].next)
    add_formula_node(out, x, n);
}

/* ---- JSON ---- */

#define ATTRIBUTES_MAX 128 /* limit of attributes per element; further ones are dropped */

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
