/* xml.c: documents as trees of elements and text, parsed by libexpat, and the JSON that connectors get of one. */
#include "format/xml.h"
#include "base/utf8.h"
#include "format/charset.h"
#include "record/json.h"

#include <ctype.h>
#include <expat.h>
#include <limits.h>
#include <stdlib.h>

#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9 /* where the shorter name is deprecated */
#define XML_GetCurrentByteIndex XML_GetCurrentByteIndex64
#endif

struct reader {
  struct xml *x;
  XML_Parser parser;
  struct error_text *why;
  uint32_t stack[XML_DEPTH]; /* open elements; [0] is the document */
  int depth;                 /* depth of the innermost open element */
  int deeper;                /* open elements beyond the depth limit */
  int spaced;                /* don't trim text */
  size_t from;               /* where the text that is being read begins in x->text */
};

uint32_t xml_add_node(struct xml *x, uint32_t parent, struct slice name) {
  x->nodes = xgrow(x->nodes, x->count, sizeof *x->nodes);
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

void xml_init(struct xml *x, size_t room) {
  memset(x, 0, sizeof *x);
  buf_init(&x->text, room);
  buf_reserve(&x->text, room);
  xml_add_node(x, 0, slice_of(NULL, 0));
}

void xml_add_text(struct xml *x, uint32_t parent, struct slice text) {
  size_t at = x->text.len;
  if (buf_add_slice(&x->text, text) != 0)
    return;
  uint32_t id = xml_add_node(x, parent, slice_of(NULL, 0));
  x->nodes[id].text = slice_of(x->text.data + at, text.len);
}

/* Text that only a comment, an instruction or a CDATA section parts is one: "1,<!-- -->234" is a single number. */
static void end_text(struct reader *r) {
  struct xml *x = r->x;
  struct slice text = slice_of(x->text.data + r->from, x->text.len - r->from);
  if (!r->spaced)
    text = slice_trimmed(text);
  r->from = x->text.len;
  if (text.len) {
    uint32_t id = xml_add_node(x, r->stack[r->depth], slice_of(NULL, 0));
    x->nodes[id].text = text;
  }
}

/* Adds to the tree's text, which has room for all of the source, so that it never moves. */
static void xml_keep(struct reader *r, const char *data, size_t len) {
  if (buf_add(&r->x->text, data, len) == 0 && r->x->count < XML_NODES)
    return;
  error_set(r->why, r->x->text.overflow ? "its declarations are larger than itself" : "too many elements");
  XML_StopParser(r->parser, XML_FALSE);
}

static struct slice xml_keep_string(struct reader *r, const char *string) {
  size_t at = r->x->text.len;
  xml_keep(r, string, strlen(string) + 1);
  return slice_of(r->x->text.data + at, r->x->text.len - at - !r->x->text.overflow);
}

static void XMLCALL xml_on_start(void *arg, const XML_Char *name, const XML_Char **attributes) {
  struct reader *r = arg;
  const char *colon = strchr(name, ':');
  end_text(r);
  uint32_t id =
      xml_add_node(r->x, r->stack[r->depth], xml_keep_string(r, colon && colon[1] ? colon + 1 : name));
  size_t at = r->x->text.len;
  for (; *attributes && !r->x->text.overflow; attributes++)
    xml_keep_string(r, *attributes);
  r->x->nodes[id].attributes = slice_of(r->x->text.data + at, r->x->text.len - at);
  r->from = r->x->text.len;
  if (r->depth + 1 < XML_DEPTH)
    r->stack[++r->depth] = id;
  else
    r->deeper++;
}

static void XMLCALL xml_on_end(void *arg, const XML_Char *name) {
  struct reader *r = arg;
  (void)name;
  end_text(r);
  if (r->deeper)
    r->deeper--;
  else
    r->depth--;
}

static void XMLCALL xml_on_text(void *arg, const XML_Char *data, int len) {
  xml_keep(arg, data, (size_t)len);
}

/* References to entities are not expanded, since this handler is there; they are text as they stand. */
static void XMLCALL xml_on_other(void *arg, const XML_Char *data, int len) {
  struct reader *r = arg;
  if (*data == '&' && r->depth)
    xml_keep(r, data, (size_t)len);
}

/* Parses the document at the beginning of `rest`; returns its length, or 0 with r->why. */
static size_t xml_parse(struct reader *r, struct slice rest) {
  static const XML_Memory_Handling_Suite memory = {xmalloc, xrealloc, free};
  size_t len = rest.len, line = 1;
  r->parser = XML_ParserCreate_MM("UTF-8", &memory, NULL);
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, xml_on_start, xml_on_end);
  XML_SetCharacterDataHandler(r->parser, xml_on_text);
  XML_SetDefaultHandler(r->parser, xml_on_other);
  XML_UseForeignDTD(r->parser, XML_TRUE); /* which may declare any entity */
  r->depth = r->deeper = 0;
  r->from = r->x->text.len;
  if (XML_Parse(r->parser, rest.data, (int)len, 1) == XML_STATUS_ERROR) {
    enum XML_Error code = XML_GetErrorCode(r->parser);
    size_t at = (size_t)XML_GetCurrentByteIndex(r->parser);
    len = code == XML_ERROR_JUNK_AFTER_DOC_ELEMENT ? at : 0;
    for (size_t i = 0; i < at && i < rest.len; i++)
      line += rest.data[i] == '\n';
    if (!len && code != XML_ERROR_ABORTED)
      error_set(r->why, "%s in line %zu", XML_ErrorString(code), line);
  }
  XML_ParserFree(r->parser);
  return len;
}

/* Reads the source, which may be several documents with text between them. */
static int xml_read_all(struct reader *r, struct slice rest) {
  while (rest.len) {
    const char *p = memchr(rest.data, '<', rest.len);
    size_t len = p ? (size_t)(p - rest.data) : rest.len;
    r->depth = 0;
    r->from = r->x->text.len;
    buf_add(&r->x->text, rest.data, len);
    end_text(r);
    rest = slice_of(rest.data + len, rest.len - len);
    len = rest.len ? xml_parse(r, rest) : 0;
    if (rest.len && !len)
      return -1;
    rest = slice_of(rest.data + len, rest.len - len);
  }
  if (!xml_child(r->x, 0, NULL, 0))
    error_set(r->why, "no element in it");
  return xml_child(r->x, 0, NULL, 0) ? 0 : -1;
}

static int read_tree(struct xml *x, struct slice bytes, int spaced, struct error_text *why) {
  struct reader r = {.x = x, .why = why, .spaced = spaced};
  struct buf source;
  buf_init(&source, 3 * bytes.len + 4);
  charset_clean(&source, bytes);
  for (size_t i = 0; i < source.len; i++)
    source.data[i] = source.data[i] == '\f' ? ' ' : source.data[i];
  xml_init(x, source.len + 64); /* names, values and text are no longer than what they are read from */
  int status = source.len < INT_MAX ? xml_read_all(&r, buf_slice(&source)) : -1;
  if (source.len >= INT_MAX)
    error_set(why, "too large");
  buf_release(&source);
  return status;
}

int xml_read(struct xml *x, struct slice bytes, struct error_text *why) {
  return read_tree(x, bytes, 0, why);
}

int xml_read_spaced(struct xml *x, struct slice bytes, struct error_text *why) {
  return read_tree(x, bytes, 1, why);
}

void xml_release(struct xml *x) {
  free(x->nodes);
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
  struct slice rest = x->nodes[node].attributes, found, value;
  while (xml_next_attribute(&rest, &found, &value))
    if (slice_is(found, name))
      return value;
  return slice_of(NULL, 0);
}

int xml_next_attribute(struct slice *rest, struct slice *name, struct slice *value) {
  if (!rest->len)
    return 0;
  *name = slice_cut(rest, '\0');
  *value = slice_cut(rest, '\0');
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

/* A name without its prefix; empty for declarations of namespaces. */
static struct slice bare_name(struct slice name) {
  const char *colon = memchr(name.data, ':', name.len);
  if (name.len >= 5 && memcmp(name.data, "xmlns", 5) == 0)
    return slice_of(NULL, 0);
  return colon ? slice_str(colon + 1) : name;
}

/* Names in a JSON object are unique: of two that differ only by prefix the first is kept. */
static void add_attributes(struct buf *out, struct slice rest) {
  struct slice name, value, seen[ATTRIBUTES_MAX];
  size_t count = 0, twin;
  while (count < ATTRIBUTES_MAX && xml_next_attribute(&rest, &name, &value)) {
    seen[count] = bare_name(name);
    for (twin = 0; !slice_eq(seen[twin], seen[count]);)
      twin++;
    if (twin < count || !seen[count].len)
      continue;
    buf_add_str(out, count ? "," : ",\"attributes\":{");
    json_add_slice(out, seen[count++]);
    buf_add_char(out, ':');
    json_add_slice(out, value);
  }
  buf_add_str(out, count ? "}" : "");
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

int xml_json_add(struct buf *out, struct slice bytes, struct error_text *why) {
  struct xml x;
  int result = xml_read(&x, bytes, why);
  if (result == 0)
    xml_json_add_node(out, &x, xml_child(&x, 0, NULL, 0));
  xml_release(&x);
  return result;
}
