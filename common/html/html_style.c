/* html_style.c: style attributes, html_style.h. */
#include "html/html_style.h"

#include "base/hash.h"

#include <stdlib.h>
#include <strings.h>

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

static int html_style_is_word(struct slice s, const char *lower) {
  size_t len = strlen(lower);
  return s.len == len && strncasecmp(s.data, lower, len) == 0;
}

static int html_style_begins(struct slice s, const char *lower) {
  size_t len = strlen(lower);
  return s.len >= len && strncasecmp(s.data, lower, len) == 0;
}

static int html_style_holds(struct slice s, const char *lower) {
  size_t len = strlen(lower);
  for (size_t i = 0; i + len <= s.len; i++)
    if (strncasecmp(s.data + i, lower, len) == 0)
      return 1;
  return 0;
}

static void set(struct html_style *style, unsigned bit, int on) {
  style->set = (uint16_t)(style->set | bit);
  style->on = (uint16_t)(on ? style->on | bit : style->on & ~bit);
}

/* "12.5pt" to 12.5 and "pt"; the text is not terminated. */
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
    if (html_style_is_word(v, named_sizes[i].name))
      style->size = named_sizes[i].points;
  double n = html_style_number(v, &unit);
  if (n <= 0 || n > 1000)
    return;
  style->size = style->factor = 0;
  if (html_style_begins(unit, "pt"))
    style->size = (float)n;
  else if (html_style_begins(unit, "px") || unit.len == 0)
    style->size = (float)(n * 0.75);
  else if (html_style_begins(unit, "%"))
    style->factor = (float)(n / 100);
  else if (html_style_begins(unit, "em") || html_style_begins(unit, "rem"))
    style->factor = (float)n;
}

static void font_weight(struct slice v, struct html_style *style) {
  struct slice unit;
  set(style, STYLE_BOLD, html_style_begins(v, "bold") || html_style_number(v, &unit) >= 600);
}

/* "font: italic bold 10pt/1.2 Times" */
static void font(struct slice v, struct html_style *style) {
  set(style, STYLE_BOLD, html_style_holds(v, "bold"));
  set(style, STYLE_ITALIC, html_style_holds(v, "italic"));
  set(style, STYLE_SYMBOLS, html_style_holds(v, "wingdings"));
  for (size_t i = 0; i < v.len; i++)
    if (v.data[i] >= '0' && v.data[i] <= '9' && (i == 0 || is_space(v.data[i - 1]))) {
      struct slice unit, rest = slice_of(v.data + i, v.len - i);
      html_style_number(rest, &unit);
      if (html_style_begins(unit, "p") || html_style_begins(unit, "%") || html_style_begins(unit, "em")) {
        html_style_font_size(rest, style);
        return;
      }
    }
}

static void display(struct slice v, struct html_style *style) {
  set(style, STYLE_HIDDEN, html_style_is_word(v, "none"));
  if (html_style_is_word(v, "inline"))
    style->display = DISPLAY_INLINE;
  else if (html_style_is_word(v, "block") || html_style_begins(v, "table") || html_style_is_word(v, "flex") ||
           html_style_is_word(v, "list-item"))
    style->display = DISPLAY_BLOCK;
}

static uint8_t breaks_page(struct slice v) {
  return html_style_is_word(v, "always") || html_style_is_word(v, "page") || html_style_is_word(v, "left") ||
                 html_style_is_word(v, "right")
             ? BREAK_PAGE
             : BREAK_NONE;
}

static void page_break(struct slice name, struct slice v, struct html_style *style) {
  if (html_style_begins(name, "page-"))
    name = slice_of(name.data + 5, name.len - 5);
  if (html_style_is_word(name, "break-before"))
    style->break_before = breaks_page(v);
  else if (html_style_is_word(name, "break-after"))
    style->break_after = breaks_page(v);
}

static void text_property(struct slice name, struct slice v, struct html_style *style) {
  if (html_style_is_word(name, "text-align"))
    set(style, STYLE_CENTER, html_style_begins(v, "center"));
  else if (html_style_is_word(name, "text-decoration") || html_style_is_word(name, "text-decoration-line"))
    set(style, STYLE_UNDERLINE, html_style_holds(v, "underline"));
  else if (html_style_is_word(name, "top") && v.data[0] == '-')
    set(style, STYLE_SUPER, 1);
}

static void font_property(struct slice name, struct slice v, struct html_style *style) {
  if (html_style_is_word(name, "font-weight"))
    font_weight(v, style);
  else if (html_style_is_word(name, "font-size"))
    html_style_font_size(v, style);
  else if (html_style_is_word(name, "font-style"))
    set(style, STYLE_ITALIC, html_style_is_word(v, "italic") || html_style_is_word(v, "oblique"));
  else if (html_style_is_word(name, "font-family"))
    set(style, STYLE_SYMBOLS, html_style_holds(v, "wingdings"));
  else if (html_style_is_word(name, "font"))
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
    if (html_style_is_word(name, "display"))
      display(v, style);
    break;
  case 'v':
    if (html_style_is_word(name, "visibility"))
      set(style, STYLE_VEILED, html_style_is_word(v, "hidden") || html_style_is_word(v, "collapse"));
    else if (html_style_is_word(name, "vertical-align") && html_style_is_word(v, "super"))
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

/* Texts of the same hash and length are taken for the same: a page that were made to have two such styles
 * would only change how it looks itself. */
const struct html_style *style_cache_get(struct style_cache *c, struct slice text) {
  uint64_t hash = hash_bytes(text.data, text.len);
  size_t slot = hash % STYLE_SLOTS;
  if (c->slots[slot].hash != hash || c->slots[slot].len != text.len) {
    html_style_parse(text, &c->slots[slot].style);
    c->slots[slot].hash = hash;
    c->slots[slot].len = text.len;
  }
  return &c->slots[slot].style;
}
