#include "html/html_style.h"

#include "base/hash.h"

#include <stdlib.h>

static int is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct slice html_style_trim(struct slice s) {
  while (s.len && is_space(s.data[0]))
    s = slice_of(s.data + 1, s.len - 1);
  while (s.len && is_space(s.data[s.len - 1]))
    s.len--;
  return s;
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
  if (slice_begins_nocase(unit, "pt"))
    style->size = (float)n;
  else if (slice_begins_nocase(unit, "px") || unit.len == 0)
    style->size = (float)(n * 0.75);
  else if (slice_begins_nocase(unit, "%"))
    style->factor = (float)(n / 100);
  else if (slice_begins_nocase(unit, "em") || slice_begins_nocase(unit, "rem"))
    style->factor = (float)n;
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
  else if (slice_is_nocase(name, "text-decoration") || slice_is_nocase(name, "text-decoration-line"))
    set(style, STYLE_UNDERLINE, slice_holds_nocase(v, "underline"));
  else if (slice_is_nocase(name, "top") && v.data[0] == '-')
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
    break;
  default:
    break;
  }
}

static struct slice without_important(struct slice v) {
  const char *mark = v.len ? memchr(v.data, '!', v.len) : NULL;
  return mark ? html_style_trim(slice_of(v.data, (size_t)(mark - v.data))) : v;
}

void html_style_parse(struct slice text, struct html_style *style) {
  memset(style, 0, sizeof *style);
  while (text.len) {
    const char *semicolon = memchr(text.data, ';', text.len);
    struct slice one = slice_of(text.data, semicolon ? (size_t)(semicolon - text.data) : text.len);
    const char *colon = one.len ? memchr(one.data, ':', one.len) : NULL;
    if (colon) {
      struct slice v = slice_of(colon + 1, (size_t)(one.data + one.len - colon - 1));
      declaration(html_style_trim(slice_of(one.data, (size_t)(colon - one.data))),
                  without_important(html_style_trim(v)), style);
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
