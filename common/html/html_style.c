/* html_style.c: CSS, html_style.h: style attributes, and the rules of <style> sheets. */
#include "html/html_style.h"
#include "base/hash.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

static int is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void set(struct html_style *style, unsigned bit, int on) {
  style->set = (uint16_t)(style->set | bit);
  style->on = (uint16_t)(on ? style->on | bit : style->on & ~bit);
}

/* Splits "12.5pt" into 12.5 and "pt"; the text is not terminated. */
static double html_style_number(struct slice s, struct slice *unit) {
  double value = 0, scale = 1;
  size_t i = 0;
  int negative = s.len && s.data[0] == '-', point = 0;
  for (i = (size_t)negative; i < s.len; i++) {
    if (s.data[i] == '.' && !point)
      point = 1;
    else if (s.data[i] >= '0' && s.data[i] <= '9' && value < 1e6) {
      value = value * 10 + (s.data[i] - '0');
      scale *= point ? 10 : 1;
    } else
      break;
  }
  *unit = slice_of(s.data + i, s.len - i);
  return (negative ? -value : value) / scale;
}

/* The points of a length. */
static float style_points(struct slice v) {
  static const struct {
    const char *unit;
    double points;
  } units[] = {{"pt", 1}, {"px", 0.75}, {"em", 10}, {"in", 72}, {"%", 3}};
  struct slice unit;
  double n = html_style_number(v, &unit), points = 0.75;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (slice_begins_nocase(unit, units[i].unit))
      points = units[i].points;
  return (float)(n * points);
}

static const struct {
  const char *name;
  float points;
} named_sizes[] = {{"xx-small", 7},  {"x-small", 7.5f}, {"small", 10},   {"medium", 12},
                   {"large", 13.5f}, {"x-large", 18},   {"xx-large", 24}};

static void html_style_font_size(struct slice v, struct html_style *style) {
  struct slice unit;
  for (size_t i = 0; i < sizeof named_sizes / sizeof named_sizes[0]; i++)
    if (slice_is_nocase(v, named_sizes[i].name))
      style->size = named_sizes[i].points;
  double n = html_style_number(v, &unit);
  if (n <= 0 || n > 1000)
    return;
  style->size = style->factor = 0;
  if (slice_begins_nocase(unit, "%"))
    style->factor = (float)(n / 100);
  else if (slice_begins_nocase(unit, "em") || slice_begins_nocase(unit, "rem"))
    style->factor = (float)n;
  else
    style->size = style_points(v);
}

/* The left one of the four, three, two sides or of all sides that "margin" and "padding" give. */
static struct slice left_side(struct slice v) {
  struct slice sides[4];
  size_t count = 0;
  for (size_t i = 0, from; i < v.len && count < 4; count++) {
    while (i < v.len && is_space(v.data[i]))
      i++;
    for (from = i; i < v.len && !is_space(v.data[i]);)
      i++;
    sides[count] = slice_of(v.data + from, i - from);
  }
  return count ? sides[count == 4 ? 3 : count > 1] : v;
}

static void indent(struct slice name, struct slice v, struct html_style *style) {
  if (slice_is_nocase(name, "padding-left") || slice_is_nocase(name, "margin-left") ||
      slice_is_nocase(name, "text-indent"))
    style->indent += style_points(v);
  else if (slice_is_nocase(name, "padding") || slice_is_nocase(name, "margin"))
    style->indent += style_points(left_side(v));
}

static void font_weight(struct slice v, struct html_style *style) {
  struct slice unit;
  set(style, STYLE_BOLD, slice_begins_nocase(v, "bold") || html_style_number(v, &unit) >= 600);
}

/* "font: italic bold 10pt/1.2 Times" */
static void font(struct slice v, struct html_style *style) {
  set(style, STYLE_BOLD, slice_holds_nocase(v, "bold"));
  set(style, STYLE_ITALIC, slice_holds_nocase(v, "italic"));
  set(style, STYLE_SYMBOLS, slice_holds_nocase(v, "wingdings"));
  for (size_t i = 0; i < v.len; i++)
    if (v.data[i] >= '0' && v.data[i] <= '9' && (i == 0 || is_space(v.data[i - 1]))) {
      struct slice unit, rest = slice_of(v.data + i, v.len - i);
      html_style_number(rest, &unit);
      if (slice_begins_nocase(unit, "p") || slice_begins_nocase(unit, "%") ||
          slice_begins_nocase(unit, "em")) {
        html_style_font_size(rest, style);
        return;
      }
    }
}

static void display(struct slice v, struct html_style *style) {
  set(style, STYLE_HIDDEN, slice_is_nocase(v, "none"));
  if (slice_is_nocase(v, "inline"))
    style->display = DISPLAY_INLINE;
  else if (slice_is_nocase(v, "block") || slice_begins_nocase(v, "table") || slice_is_nocase(v, "flex") ||
           slice_is_nocase(v, "list-item"))
    style->display = DISPLAY_BLOCK;
}

static uint8_t breaks_page(struct slice v) {
  return slice_is_nocase(v, "always") || slice_is_nocase(v, "page") || slice_is_nocase(v, "left") ||
                 slice_is_nocase(v, "right")
             ? BREAK_PAGE
             : BREAK_NONE;
}

static void page_break(struct slice name, struct slice v, struct html_style *style) {
  if (slice_begins_nocase(name, "page-"))
    name = slice_of(name.data + 5, name.len - 5);
  if (slice_is_nocase(name, "break-before"))
    style->break_before = breaks_page(v);
  else if (slice_is_nocase(name, "break-after"))
    style->break_after = breaks_page(v);
}

static void text_property(struct slice name, struct slice v, struct html_style *style) {
  if (slice_is_nocase(name, "text-align"))
    set(style, STYLE_CENTER, slice_begins_nocase(v, "center"));
  else if (slice_is_nocase(name, "text-decoration") || slice_is_nocase(name, "text-decoration-line")) {
    set(style, STYLE_UNDERLINE, slice_holds_nocase(v, "underline"));
    set(style, STYLE_STRUCK, slice_holds_nocase(v, "line-through"));
  } else if (slice_is_nocase(name, "top") && v.data[0] == '-')
    set(style, STYLE_SUPER, 1);
}

static void font_property(struct slice name, struct slice v, struct html_style *style) {
  if (slice_is_nocase(name, "font-weight"))
    font_weight(v, style);
  else if (slice_is_nocase(name, "font-size"))
    html_style_font_size(v, style);
  else if (slice_is_nocase(name, "font-style"))
    set(style, STYLE_ITALIC, slice_is_nocase(v, "italic") || slice_is_nocase(v, "oblique"));
  else if (slice_is_nocase(name, "font-family"))
    set(style, STYLE_SYMBOLS, slice_holds_nocase(v, "wingdings"));
  else if (slice_is_nocase(name, "font"))
    font(v, style);
}

static void declaration(struct slice name, struct slice v, struct html_style *style) {
  if (!name.len || !v.len)
    return;
  switch (name.data[0] | 0x20) {
  case 'f':
    font_property(name, v, style);
    break;
  case 't':
    text_property(name, v, style);
    indent(name, v, style);
    break;
  case 'd':
    if (slice_is_nocase(name, "display"))
      display(v, style);
    break;
  case 'v':
    if (slice_is_nocase(name, "visibility"))
      set(style, STYLE_VEILED, slice_is_nocase(v, "hidden") || slice_is_nocase(v, "collapse"));
    else if (slice_is_nocase(name, "vertical-align") && slice_is_nocase(v, "super"))
      set(style, STYLE_SUPER, 1);
    break;
  case 'p':
  case 'b':
    page_break(name, v, style);
    /* fall through */
  case 'm':
    indent(name, v, style);
    break;
  default:
    break;
  }
}

static struct slice without_important(struct slice v) {
  const char *mark = v.len ? memchr(v.data, '!', v.len) : NULL;
  return mark ? slice_trimmed(slice_of(v.data, (size_t)(mark - v.data))) : v;
}

/* Parses declarations ("font-weight:bold; ..."). */
static void html_style_parse(struct slice text, struct html_style *style) {
  memset(style, 0, sizeof *style);
  while (text.len) {
    const char *semicolon = memchr(text.data, ';', text.len);
    struct slice one = slice_of(text.data, semicolon ? (size_t)(semicolon - text.data) : text.len);
    const char *colon = one.len ? memchr(one.data, ':', one.len) : NULL;
    if (colon) {
      struct slice v = slice_of(colon + 1, (size_t)(one.data + one.len - colon - 1));
      declaration(slice_trimmed(slice_of(one.data, (size_t)(colon - one.data))),
                  without_important(slice_trimmed(v)), style);
    }
    size_t taken = one.len + (semicolon ? 1 : 0);
    text = slice_of(text.data + taken, text.len - taken);
  }
}

/* Texts of the same hash and length are assumed to be equal: a page crafted to collide only affects how it is read
 * itself. */
const struct html_style *html_style_cache_get(struct html_style_cache *c, struct slice text) {
  uint64_t hash = hash_bytes(text.data, text.len);
  size_t slot = hash % STYLE_SLOTS;
  if (c->slots[slot].hash != hash || c->slots[slot].len != text.len) {
    html_style_parse(text, &c->slots[slot].style);
    c->slots[slot].hash = hash;
    c->slots[slot].len = text.len;
  }
  return &c->slots[slot].style;
}

/* ---- rules ----
 *
 * Rules are kept in one array in source order.  Rules with an id or a class are chained by the hash of that name,
 * others by tag.  A page may have a million elements with a class, and each costs one table look-up.  Names are hashed
 * in lower case, since pages without a DOCTYPE ignore case. */

#define SLOTS 4096
#define NAMES 4    /* limit of ids and classes per selector */
#define CLASSES 16 /* limit of classes and ids per element */
#define FITTING 32 /* limit of rules that match one element */
#define STEPS 256  /* limit of rules tested for one element */
#define NONE UINT16_MAX

struct rule {
  uint64_t names[NAMES]; /* names that the element must have; the first is the rule's key */
  uint8_t name_count;
  uint8_t tag; /* enum html_tag, TAG_OTHER for any */
  uint8_t weight;
  uint16_t next; /* next rule of its chain */
  uint16_t style;
};

struct html_sheet {
  struct rule rules[SHEET_RULES];
  struct html_style styles[SHEET_RULES];
  uint16_t rule_count, style_count;
  uint16_t slots[SLOTS], tags[TAG_COUNT]; /* heads of chains */
};

/* ---- selectors ---- */

/* Names are compared ignoring case and cut at 255 bytes. */
static uint64_t hash_name(char kind, struct slice s) {
  char lower[255];
  size_t n = s.len < sizeof lower ? s.len : sizeof lower;
  for (size_t i = 0; i < n; i++)
    lower[i] = (char)tolower((unsigned char)s.data[i]);
  return hash_seeded(lower, n, (uint8_t)kind);
}

static int is_name(char c) {
  return isalnum((unsigned char)c) || c == '-' || c == '_' || (unsigned char)c >= 0x80;
}

static size_t name_len(struct slice s) {
  size_t n = 0;
  while (n < s.len && is_name(s.data[n]))
    n++;
  return n;
}

static struct slice html_sheet_behind(struct slice s, size_t n) {
  return slice_of(s.data + n, s.len - n);
}

/* Parses "p.x#y" into *r; 0 where it is not a supported selector. */
static int read_selector(struct slice s, struct rule *r) {
  memset(r, 0, sizeof *r);
  size_t n = name_len(s);
  if (n) {
    r->tag = (uint8_t)html_tag_find(slice_of(s.data, n), n);
    r->weight = 1;
    if (r->tag == TAG_OTHER)
      return 0;
  } else if (s.len > 1 && *s.data == '*')
    n = 1;
  for (s = html_sheet_behind(s, n); s.len; s = html_sheet_behind(s, n + 1)) {
    char kind = *s.data;
    n = name_len(html_sheet_behind(s, 1));
    if ((kind != '.' && kind != '#') || !n || r->name_count == NAMES)
      return 0;
    r->names[r->name_count++] = hash_name(kind, slice_of(s.data + 1, n));
    r->weight = (uint8_t)(r->weight + (kind == '#' ? 50 : 10));
  }
  return r->name_count || r->tag;
}

/* A sheet that hides the whole page relies on a script to show it, so such a rule is ignored. */
static int hides_page(const struct rule *r, const struct html_style *style) {
  return (r->tag == TAG_BODY || r->tag == TAG_HTML) && style->on & (STYLE_HIDDEN | STYLE_VEILED);
}

static void add_rule(struct html_sheet *sheet, const struct rule *from, uint16_t style) {
  if (sheet->rule_count == SHEET_RULES || hides_page(from, &sheet->styles[style]))
    return;
  uint16_t at = sheet->rule_count++;
  struct rule *r = &sheet->rules[at];
  *r = *from;
  uint16_t *head = r->name_count ? &sheet->slots[r->names[0] % SLOTS] : &sheet->tags[r->tag];
  r->style = style;
  r->next = *head;
  *head = at;
}

/* Whether a style has no effect. */
static int html_sheet_is_empty(const struct html_style *s) {
  return !s->set && !s->display && !s->break_before && !s->break_after && s->size <= 0 && s->factor <= 0 &&
         s->indent == 0;
}

static struct html_sheet *new_sheet(void) {
  struct html_sheet *s = xcalloc(1, sizeof *s);
  memset(s->slots, 0xFF, sizeof s->slots);
  memset(s->tags, 0xFF, sizeof s->tags);
  return s;
}

static void read_rule(struct html_sheet **sheet, struct slice selectors, struct slice body) {
  struct html_style style;
  struct rule r;
  html_style_parse(body, &style);
  if (html_sheet_is_empty(&style))
    return;
  if (!*sheet)
    *sheet = new_sheet();
  if ((*sheet)->style_count == SHEET_RULES)
    return;
  uint16_t at = (*sheet)->style_count++;
  (*sheet)->styles[at] = style;
  while (selectors.len) {
    const char *comma = memchr(selectors.data, ',', selectors.len);
    size_t n = comma ? (size_t)(comma - selectors.data) : selectors.len;
    if (read_selector(slice_trimmed(slice_of(selectors.data, n)), &r))
      add_rule(*sheet, &r, at);
    selectors = html_sheet_behind(selectors, comma ? n + 1 : n);
  }
}

/* ---- sheets ---- */

/* Whether a sheet for these media is one for screens. */
static int is_for_screens(struct slice media) {
  media = slice_trimmed(media);
  return !media.len || slice_holds_nocase(media, "all") || slice_holds_nocase(media, "screen");
}

/* The position after the '}' that closes the block open at the start of s. */
static size_t block_end(struct slice s) {
  size_t depth = 1;
  for (size_t i = 0; i < s.len; i++) {
    depth += s.data[i] == '{';
    if (s.data[i] == '}' && --depth == 0)
      return i + 1;
  }
  return s.len;
}

/* The length of an at-rule, which is not followed: what it holds is for other media, or for fonts. */
static size_t at_rule(struct slice s) {
  size_t n = 0;
  while (n < s.len && s.data[n] != ';' && s.data[n] != '{')
    n++;
  if (n == s.len || s.data[n] == ';')
    return n + (n < s.len);
  return n + 1 + block_end(html_sheet_behind(s, n + 1));
}

static void read_rules(struct html_sheet **sheet, struct slice s) {
  for (s = slice_trimmed(s); s.len; s = slice_trimmed(s)) {
    if (*s.data == '@') {
      s = html_sheet_behind(s, at_rule(s));
      continue;
    }
    const char *open = memchr(s.data, '{', s.len);
    if (!open)
      return;
    size_t n = (size_t)(open - s.data);
    struct slice body = html_sheet_behind(s, n + 1);
    size_t len = block_end(body);
    read_rule(sheet, slice_of(s.data, n),
              slice_of(body.data, len && body.data[len - 1] == '}' ? len - 1 : len));
    s = html_sheet_behind(body, len);
  }
}

/* Removes comments, and the "<!--" and "-->" that hid sheets from browsers of the 1990s. */
static void add_bare(struct buf *out, struct slice s) {
  while (s.len) {
    const char *end = NULL;
    size_t n = 1;
    if (s.len > 1 && memcmp(s.data, "/*", 2) == 0) {
      end = memmem(s.data + 2, s.len - 2, "*/", 2);
      n = end ? (size_t)(end + 2 - s.data) : s.len;
      buf_add_char(out, ' ');
    } else if (s.len > 3 && memcmp(s.data, "<!--", 4) == 0)
      n = 4;
    else if (s.len > 2 && memcmp(s.data, "-->", 3) == 0)
      n = 3;
    else
      buf_add_char(out, *s.data);
    s = html_sheet_behind(s, n);
  }
}

void html_sheet_read(struct html_sheet **sheet, struct slice text, struct slice media) {
  struct buf bare;
  if (!is_for_screens(media) || !text.len)
    return;
  buf_init(&bare, SHEET_MAX);
  add_bare(&bare, slice_of(text.data, text.len < SHEET_MAX ? text.len : SHEET_MAX));
  read_rules(sheet, buf_slice(&bare));
  buf_release(&bare);
}

void html_sheet_free(struct html_sheet *sheet) {
  free(sheet);
}

/* ---- elements ---- */

struct html_sheet_names {
  uint64_t hash[CLASSES];
  size_t count;
};

static void html_sheet_add_name(struct html_sheet_names *n, char kind, struct slice s) {
  if (s.len && n->count < CLASSES)
    n->hash[n->count++] = hash_name(kind, s);
}

static void add_classes(struct html_sheet_names *n, struct slice s) {
  while (s.len) {
    size_t len = 0;
    while (len < s.len && !isspace((unsigned char)s.data[len]))
      len++;
    html_sheet_add_name(n, '.', slice_of(s.data, len));
    s = html_sheet_behind(s, len < s.len ? len + 1 : len);
  }
}

static void names_of(const struct html_token *t, struct html_sheet_names *n) {
  int classed = 0, named = 0; /* the first of several attributes with the same name counts */
  n->count = 0;
  for (size_t i = 0; i < t->attribute_count; i++) {
    struct slice name = t->attributes[i].name;
    if (name.len == 5 && strncasecmp(name.data, "class", 5) == 0 && !classed++)
      add_classes(n, t->attributes[i].value);
    else if (name.len == 2 && strncasecmp(name.data, "id", 2) == 0 && !named++)
      html_sheet_add_name(n, '#', t->attributes[i].value);
  }
}

static int has_name(const struct html_sheet_names *n, uint64_t hash) {
  for (size_t i = 0; i < n->count; i++)
    if (n->hash[i] == hash)
      return 1;
  return 0;
}

static int fits(const struct rule *r, const struct html_token *t, const struct html_sheet_names *n) {
  if (r->tag && r->tag != t->tag)
    return 0;
  for (size_t i = 1; i < r->name_count; i++)
    if (!has_name(n, r->names[i]))
      return 0;
  return 1;
}

/* Inserts a rule in the order of precedence: weaker and earlier ones first. */
static size_t html_sheet_insert(uint16_t *list, size_t count, const struct html_sheet *sheet, uint16_t rule) {
  size_t i = count;
  if (count == FITTING)
    return count;
  for (; i > 0; i--) {
    const struct rule *a = &sheet->rules[list[i - 1]], *b = &sheet->rules[rule];
    if (a->weight < b->weight || (a->weight == b->weight && list[i - 1] <= rule))
      break;
    list[i] = list[i - 1];
  }
  list[i] = rule;
  return count + 1;
}

void html_sheet_apply(const struct html_sheet *sheet, const struct html_token *tag,
                      struct html_style *style) {
  struct html_sheet_names names;
  uint16_t list[FITTING];
  size_t count = 0, steps = 0;
  names_of(tag, &names);
  for (uint16_t r = sheet->tags[tag->tag]; r != NONE && steps++ < STEPS; r = sheet->rules[r].next)
    count = html_sheet_insert(list, count, sheet, r);
  for (size_t i = 0; i < names.count; i++)
    for (uint16_t r = sheet->slots[names.hash[i] % SLOTS]; r != NONE && steps++ < STEPS;
         r = sheet->rules[r].next)
      if (sheet->rules[r].names[0] == names.hash[i] && fits(&sheet->rules[r], tag, &names))
        count = html_sheet_insert(list, count, sheet, r);
  for (size_t i = 0; i < count; i++)
    html_style_merge(style, &sheet->styles[sheet->rules[list[i]].style]);
}
