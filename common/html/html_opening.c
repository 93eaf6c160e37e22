#include "html/html_opening.h"

#include <strings.h>

struct slice html_opening_attribute(const struct html_token *t, const char *lower) {
  for (size_t i = 0; i < t->attribute_count; i++)
    if (slice_is_nocase(t->attributes[i].name, lower))
      return t->attributes[i].value;
  return slice_of(NULL, 0);
}

unsigned long html_opening_number(struct slice s, unsigned long otherwise) {
  unsigned long n = 0;
  size_t i = 0;
  while (i < s.len && (s.data[i] == ' ' || s.data[i] == '+'))
    i++;
  if (i == s.len || s.data[i] < '0' || s.data[i] > '9')
    return otherwise;
  for (; i < s.len && s.data[i] >= '0' && s.data[i] <= '9' && n < 100000; i++)
    n = n * 10 + (unsigned long)(s.data[i] - '0');
  return n;
}

/* ---- default styles ---- */

static const float heading_sizes[7] = {0, 24, 18, 14, 12, 10, 8};
static const float font_sizes[8] = {0, 7.5f, 10, 12, 13.5f, 18, 24, 36};

/* <font size="4">, <font size="+1"> (relative to 3) */
static float html_font_size(struct slice v) {
  if (!v.len)
    return 0;
  unsigned long n = html_opening_number(v, 0);
  if (v.data[0] == '+')
    n += 3;
  else if (v.data[0] == '-') {
    n = html_opening_number(slice_of(v.data + 1, v.len - 1), 0);
    n = n < 3 ? 3 - n : 1;
  }
  return n ? font_sizes[n < 7 ? n : 7] : 0;
}

int html_opening_default(enum html_tag tag, struct html_style *s) {
  memset(s, 0, sizeof *s);
  switch (tag) {
  case TAG_B:
  case TAG_STRONG:
    html_opening_turn(s, STYLE_BOLD, 1);
    break;
  case TAG_TH:
    html_opening_turn(s, STYLE_BOLD | STYLE_CENTER, 1);
    break;
  case TAG_I:
  case TAG_EM:
    html_opening_turn(s, STYLE_ITALIC, 1);
    break;
  case TAG_U:
  case TAG_INS:
    html_opening_turn(s, STYLE_UNDERLINE, 1);
    break;
  case TAG_CENTER:
    html_opening_turn(s, STYLE_CENTER, 1);
    break;
  case TAG_SUP:
    html_opening_turn(s, STYLE_SUPER, 1);
    break;
  case TAG_PRE:
  case TAG_LISTING:
  case TAG_XMP:
  case TAG_PLAINTEXT:
    html_opening_turn(s, LOOK_PRE, 1);
    break;
  case TAG_H1:
  case TAG_H2:
  case TAG_H3:
  case TAG_H4:
  case TAG_H5:
  case TAG_H6:
    html_opening_turn(s, STYLE_BOLD, 1);
    s->size = heading_sizes[tag - TAG_H1 + 1];
    return (int)(tag - TAG_H1) + 1;
  default:
    if (html_tag_properties(tag) & TAG_SILENT)
      html_opening_turn(s, STYLE_HIDDEN, 1);
  }
  return 0;
}

static void align(struct html_style *s, struct slice v) {
  html_opening_turn(s, STYLE_CENTER, slice_is_nocase(v, "center") || slice_is_nocase(v, "middle"));
}

/* Attributes of any element. */
static void common_attribute(struct html *h, struct html_opening *o, uint64_t key, struct slice v) {
  if (key == HTML_NAME("style"))
    html_style_merge(&o->style, html_style_cache_get(&h->styles, v));
  else if (key == HTML_NAME("id") && (o->tag != TAG_IX_NONNUMERIC && o->tag != TAG_OTHER))
    o->id = v;
  else if (key == HTML_NAME("align") && o->tag != TAG_TABLE)
    align(&o->style, v);
  else if (key == HTML_NAME("hidden") && !(o->style.set & STYLE_HIDDEN)) /* display in a style attribute
                                                                            takes precedence */
    html_opening_turn(&o->style, STYLE_HIDDEN, 1);
}

/* Attributes of particular elements. */
static void own_attribute(struct html *h, struct html_opening *o, uint64_t key, struct slice v) {
  if (o->tag == TAG_TD || o->tag == TAG_TH) {
    if (key == HTML_NAME("colspan"))
      o->columns = (uint32_t)html_opening_number(v, 1);
    else if (key == HTML_NAME("rowspan"))
      o->rows = (uint32_t)html_opening_number(v, 1);
  } else if (o->tag == TAG_A) {
    if (key == HTML_NAME("name"))
      o->name = v;
    else if (key == HTML_NAME("href")) {
      html_opening_turn(&o->style, LOOK_LINK, 1);
      html_flow_target(h, v);
    }
  } else if (o->tag == TAG_FONT && key == HTML_NAME("size"))
    o->style.size = html_font_size(v);
  else if (o->tag == TAG_FONT && key == HTML_NAME("face"))
    html_opening_turn(&o->style, STYLE_SYMBOLS, v.len >= 9 && strncasecmp(v.data, "wingdings", 9) == 0);
}

/* The first of several attributes with the same name counts, so they are processed from last to first.  Attributes of
 * iXBRL numbers don't affect how they read. */
void html_opening_read(struct html *h, struct html_opening *o) {
  const struct html_token *t = &h->token;
  if (o->tag == TAG_IX_NONFRACTION)
    return;
  for (size_t i = t->attribute_count; i-- > 0;) {
    struct slice n = t->attributes[i].name, v = t->attributes[i].value;
    if (n.len > 8)
      continue;
    uint64_t key = html_name_key(n.data, n.len, (size_t)(h->tokens.end - n.data));
    common_attribute(h, o, key, v);
    own_attribute(h, o, key, v);
  }
}
