/* html.c: HTML and inline XBRL to Markdown, html.h.
 *
 * Tokens (html_token.c) drive a stack of open elements (html_flow.c), the current paragraph (html_line.c) and,
 * inside a table, its cells (table.c).  Blocks are passed to the document as soon as they end (html_flow.c).
 */
#include "html/html.h"
#include "format/charset.h"
#include "format/xml.h"
#include "html/entities.h"
#include "html/html_state.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* The effect of a start tag. */
struct html_opening {
  enum html_tag tag;
  int level; /* level of a heading */
  struct html_style style;
  uint32_t columns, rows;
};

static inline void turn(struct html_style *s, unsigned bits, int on) {
  s->set = (uint16_t)(s->set | bits);
  s->on = (uint16_t)(on ? s->on | bits : s->on & ~bits);
}

/* ---- the effect of a start tag: the style of its element and its attributes ---- */

/* The value of an attribute by its name in small letters; without data where there is no such attribute. */
static struct slice attribute_of(const struct html_token *t, const char *lower) {
  for (size_t i = 0; i < t->attribute_count; i++)
    if (slice_is_nocase(t->attributes[i].name, lower))
      return t->attributes[i].value;
  return slice_of(NULL, 0);
}

/* The number that a value begins with, at most 6 digits; otherwise where it begins with none. */
static unsigned long leading_number(struct slice s, unsigned long otherwise) {
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
/* The default style of an element, before its attributes.  Returns the level of a heading, or 0. */
static int default_style(enum html_tag tag, struct html_style *s) {
  static const uint16_t styles[] = {0,
#define X(name, text, properties, style) style,
                                    HTML_TAGS(X)
#undef X
  };
  int level = tag >= TAG_H1 && tag <= TAG_H6 ? (int)(tag - TAG_H1) + 1 : 0;
  *s = (struct html_style){.set = styles[tag], .on = styles[tag], .size = heading_sizes[level]};
  return level;
}

static void align(struct html_style *s, struct slice v) {
  turn(s, STYLE_CENTER, slice_is_nocase(v, "center") || slice_is_nocase(v, "middle"));
}

/* Attributes of any element. */
static void common_attribute(struct html *h, struct html_opening *o, uint64_t key, struct slice v) {
  if (key == HTML_NAME("style"))
    html_style_merge(&o->style, html_style_cache_get(&h->styles, v));
  else if (key == HTML_NAME("align") && o->tag != TAG_TABLE)
    align(&o->style, v);
  else if (key == HTML_NAME("hidden") && !(o->style.set & STYLE_HIDDEN)) /* display in a style attribute
                                                                            takes precedence */
    turn(&o->style, STYLE_HIDDEN, 1);
}

/* Attributes of particular elements. */
static void own_attribute(struct html_opening *o, uint64_t key, struct slice v) {
  if (o->tag == TAG_TD || o->tag == TAG_TH) {
    if (key == HTML_NAME("colspan"))
      o->columns = (uint32_t)leading_number(v, 1);
    else if (key == HTML_NAME("rowspan"))
      o->rows = (uint32_t)leading_number(v, 1);
  } else if (o->tag == TAG_A) {
    if (key == HTML_NAME("href"))
      turn(&o->style, LOOK_LINK, 1);
  } else if (o->tag == TAG_FONT && key == HTML_NAME("face"))
    turn(&o->style, STYLE_SYMBOLS, v.len >= 9 && strncasecmp(v.data, "wingdings", 9) == 0);
}

/* Reads the attributes of the current token, from last to first since the first of a name counts.  Those of iXBRL numbers don't
 * affect how they read. */
static void read_attributes(struct html *h, struct html_opening *o) {
  const struct html_token *t = &h->token;
  if (o->tag == TAG_IX_NONFRACTION)
    return;
  for (size_t i = t->attribute_count; i-- > 0;) {
    struct slice n = t->attributes[i].name, v = t->attributes[i].value;
    if (n.len > 8)
      continue;
    uint64_t key = html_name_key(n.data, n.len, (size_t)(h->tokens.end - n.data));
    common_attribute(h, o, key, v);
    own_attribute(o, key, v);
  }
}

/* ---- void elements ---- */

static int is_file_name(struct slice s) {
  for (size_t i = 0; i < s.len; i++)
    if (s.data[i] == ' ')
      return 0;
  return s.len > 4 && memchr(s.data + s.len - 5, '.', 5) != NULL;
}

/* An image is replaced by its alt text, unless that is a file name. */
static void image(struct html *h) {
  struct slice alt = attribute_of(&h->token, "alt");
  if (alt.len == 0 || is_file_name(alt))
    return;
  html_line_add_word(&h->line, slice_str("["), &h->look);
  html_line_add(&h->line, alt, 1, &h->look);
  html_line_add_word(&h->line, slice_str("]"), &h->look);
}

/* What a form's field shows: a check box's state, or its text. */
static void field(struct html *h) {
  struct slice type = attribute_of(&h->token, "type");
  static const char *const unseen[] = {"hidden", "submit",   "button", "reset",
                                       "image",  "password", "file",   NULL};
  if (slice_is_nocase(type, "checkbox") || slice_is_nocase(type, "radio"))
    html_line_add(&h->line,
                  slice_str(attribute_of(&h->token, "checked").data ? " \xE2\x98\x92 " : " \xE2\x98\x90 "), 0,
                  &h->look);
  else if (!slice_among_nocase(type, unseen))
    html_line_add(&h->line, attribute_of(&h->token, "value"), 1, &h->look);
}

/* The options of a list that are not chosen are hidden where one is. */
static int is_other_option(struct html *h, enum html_tag tag) {
  if (tag == TAG_SELECT) {
    const char *end = memmem(h->tokens.at, (size_t)(h->tokens.end - h->tokens.at), "</select", 8);
    h->chosen = end && memmem(h->tokens.at, (size_t)(end - h->tokens.at), " selected", 9);
  }
  return tag == TAG_OPTION && h->chosen && !attribute_of(&h->token, "selected").data;
}

static void void_element(struct html *h, enum html_tag tag, const struct html_style *s) {
  if (h->look.on & STYLE_HIDDEN || s->on & STYLE_HIDDEN)
    return;
  if (tag == TAG_BR)
    html_flow_break(h);
  else if (tag == TAG_IMG)
    image(h);
  else if (tag == TAG_INPUT)
    field(h);
  else if (tag == TAG_PAGE)
    html_flow_page(h);
  else if (html_tag_properties(tag) & TAG_BLOCK)
    html_flow_flush(h);
  if (s->break_before == BREAK_PAGE || s->break_after == BREAK_PAGE)
    html_flow_page(h);
}

/* ---- start tags ---- */

/* Closes elements that the start of this one implicitly ends. */
static void close_implied(struct html *h, enum html_tag tag, unsigned properties) {
  if (properties & TAG_BLOCK && h->paragraphs && html_stack_holds(h, TAG_P))
    html_stack_close(h, TAG_P);
  if (tag == TAG_A || tag == TAG_OPTION)
    html_stack_close(h, tag);
  if (tag == TAG_DD || tag == TAG_DT)
    html_stack_close(h, html_stack_holds(h, TAG_DD) ? TAG_DD : TAG_DT);
  if (tag == TAG_LI) /* up to its own list */
    for (size_t i = h->depth; i-- > html_stack_limit(h);) {
      if (h->stack[i].tag == TAG_UL || h->stack[i].tag == TAG_OL)
        break;
      if (h->stack[i].tag == TAG_LI) {
        html_stack_cut(h, i);
        break;
      }
    }
}

static void list_start(struct html *h, enum html_tag tag) {
  if (h->list_depth < LISTS_MAX) {
    struct slice start = attribute_of(&h->token, "start"), type = attribute_of(&h->token, "type");
    int counted =
        tag == TAG_OL && !attribute_of(&h->token, "reversed").data; /* how many follow isn't known */
    h->lists[h->list_depth].kind = !counted                                      ? '-'
                                   : type.len == 1 && strchr("aAiI", *type.data) ? *type.data
                                                                                 : '1';
    h->lists[h->list_depth].next = (long)leading_number(start, 1);
  }
  h->list_depth++;
}

static void item_start(struct html *h) {
  struct html_list *l = h->list_depth && h->list_depth <= LISTS_MAX ? &h->lists[h->list_depth - 1] : NULL;
  memcpy(h->mark, "- ", 3);
  if (!l || l->kind == '-')
    return;
  char number[DOC_ORDINAL];
  l->next = (long)leading_number(attribute_of(&h->token, "value"), (unsigned long)l->next);
  snprintf(h->mark, sizeof h->mark, "%s. ", doc_ordinal(number, l->kind, l->next++));
}

static int is_table_part(enum html_tag tag) {
  return tag == TAG_TABLE || tag == TAG_TR || tag == TAG_TD || tag == TAG_TH || tag == TAG_TBODY ||
         tag == TAG_THEAD || tag == TAG_TFOOT;
}

static void table_part(struct html *h, const struct html_opening *o) {
  if (o->tag == TAG_TABLE)
    html_flow_table_start(h, &o->style);
  else if (o->tag == TAG_TR)
    html_flow_row_start(h, &o->style);
  else if (o->tag == TAG_TD || o->tag == TAG_TH)
    html_flow_cell_start(h, o->tag, &o->style, o->columns, o->rows);
  else
    html_flow_row_end(h);
}

/* Skips contexts and units of iXBRL, which contain no displayed text and no facts. */
static void skip_resources(struct html *h) {
  static const char tag[] = "</ix:resources";
  const char *close = memmem(h->tokens.at, (size_t)(h->tokens.end - h->tokens.at), tag, sizeof tag - 1);
  if (close)
    h->tokens.at = close;
}

/* The text of a <style> element extends to its end tag, whatever it contains. */
static void sheet(struct html *h) {
  const char *p = h->tokens.at, *end = h->tokens.end;
  while ((p = memchr(p, '<', (size_t)(end - p))) != NULL &&
         !(end - p >= 7 && strncasecmp(p, "</style", 7) == 0))
    p++;
  p = p ? p : end;
  html_sheet_read(&h->sheet, slice_of(h->tokens.at, (size_t)(p - h->tokens.at)),
                  attribute_of(&h->token, "media"));
}

/* A formula becomes one word; the tokens go on at its end tag.  One that is not well-formed is read as text. */
static void formula(struct html *h) {
  const char *end = memmem(h->tokens.at, (size_t)(h->tokens.end - h->tokens.at), "</math", 6);
  struct xml x;
  struct buf text;
  struct error_text why;
  if (!end || h->look.on & (STYLE_HIDDEN | STYLE_VEILED))
    return;
  buf_init(&text, 1 << 16);
  if (xml_read(&x, slice_of(h->tokens.at, (size_t)(end - h->tokens.at)), &why) != 0)
    end = h->tokens.at;
  xml_add_formula(&text, &x, 0);
  xml_release(&x);
  h->line.space |= text.len && h->line.text.len && isdigit((unsigned char)*text.data) &&
                   isdigit((unsigned char)h->line.text.data[h->line.text.len - 1]);
  html_line_add_word(&h->line, buf_slice(&text), &h->look);
  buf_release(&text);
  h->tokens.at = end;
}

static void text_fact(struct html *h) {
  struct slice name = attribute_of(&h->token, "name");
  html_facts_start(h, &h->token);
  if (html_flow_table(h) && name.len > 4 && memcmp(name.data, "dei:", 4) == 0)
    table_tagged(html_flow_table(h));
}

static void plain_element(struct html *h, enum html_tag tag, const struct html_style *s, int level) {
  size_t depth = h->depth;
  html_stack_push(h, tag, s, level);
  if (h->depth == depth)
    return;
  if (tag == TAG_IX_NONNUMERIC)
    text_fact(h);
  else if (tag == TAG_IX_RESOURCES && !h->token.self_closing)
    skip_resources(h);
  else if (tag == TAG_MATH && !h->token.self_closing)
    formula(h);
  else if (tag == TAG_STYLE && !(h->token.self_closing && h->tokens.xml))
    sheet(h);
  if (h->look.on & STYLE_HIDDEN)
    return;
  if (tag == TAG_IX_NONFRACTION && html_flow_table(h))
    table_fact(html_flow_table(h));
  else if (tag == TAG_RT)
    html_line_add_word(&h->line, slice_str("("), &h->look);
  else if (tag == TAG_UL || tag == TAG_OL)
    list_start(h, tag);
  else if (tag == TAG_LI)
    item_start(h);
}

static int is_block(unsigned properties, const struct html_style *s) {
  return s->display == DISPLAY_BLOCK || (properties & TAG_BLOCK && s->display != DISPLAY_INLINE);
}

static void html_open_element(struct html *h, const struct html_opening *o) {
  unsigned properties = html_tag_properties(o->tag);
  if (is_block(properties, &o->style))
    html_flow_flush(h);
  close_implied(h, o->tag, properties);
  if (properties & TAG_VOID) {
    void_element(h, o->tag, &o->style);
    return;
  }
  if (o->style.break_before == BREAK_PAGE && !((h->look.on | o->style.on) & STYLE_HIDDEN))
    html_flow_page(h);
  if (is_table_part(o->tag))
    table_part(h, o);
  else
    plain_element(h, o->tag, &o->style, o->level);
}

static void start_tag(struct html *h) {
  struct html_opening o = {.tag = h->token.tag, .columns = 1, .rows = 1};
  o.level = default_style(o.tag, &o.style);
  if (h->sheet)
    html_sheet_apply(h->sheet, &h->token, &o.style);
  read_attributes(h, &o);
  if (html_tag_properties(o.tag) & TAG_SILENT ||
      ((o.tag == TAG_OPTION || o.tag == TAG_SELECT) && is_other_option(h, o.tag)))
    turn(&o.style, STYLE_HIDDEN, 1);
  html_open_element(h, &o);
  if (h->token.self_closing && h->tokens.xml && !is_table_part(o.tag) &&
      !(html_tag_properties(o.tag) & TAG_VOID))
    html_stack_close(h, o.tag);
}

/* ---- end tags ---- */

static void end_tag(struct html *h, enum html_tag tag) {
  unsigned properties = html_tag_properties(tag);
  if (properties & TAG_BLOCK && !html_stack_is_inline(h, tag))
    html_flow_flush(h);
  switch (tag) {
  case TAG_TABLE:
    html_flow_table_end(h);
    break;
  case TAG_TR:
  case TAG_TBODY:
  case TAG_THEAD:
  case TAG_TFOOT:
    html_flow_row_end(h);
    break;
  case TAG_TD:
  case TAG_TH:
    html_flow_cell_end(h);
    break;
  case TAG_BODY:
  case TAG_HTML:
    break;
  case TAG_BR:
    html_flow_break(h);
    break;
  case TAG_RT:
    if (html_stack_holds(h, TAG_RT) && !(h->look.on & STYLE_HIDDEN))
      html_line_add_word(&h->line, slice_str(")"), &h->look);
    html_stack_close(h, tag);
    break;
  case TAG_LI:
    h->mark[0] = '\0';
    /* fall through */
  default:
    html_stack_close(h, tag);
  }
}

/* Whether text that isn't shown is a person's: words, and not inside of an element that never shows any. */
static unsigned is_hidden_text(const struct html *h, struct slice s) {
  size_t i = 0;
  while (i < s.len && !isalnum((unsigned char)s.data[i]))
    i++;
  for (size_t k = 0; k < h->depth && i < s.len; k++)
    if (html_tag_properties((enum html_tag)h->stack[k].tag) & TAG_SILENT)
      return 0;
  return i < s.len;
}

static void text(struct html *h) {
  struct slice s = h->token.text;
  if (h->fact_slot)
    html_facts_text(h, s, h->token.references);
  if (h->depth && h->stack[h->depth - 1].tag == TAG_TITLE)
    html_facts_title(h, s);
  if (h->look.on & (STYLE_HIDDEN | STYLE_VEILED))
    h->doc->omitted[DOC_HIDDEN_TEXT] += is_hidden_text(h, s);
  else
    html_line_add(&h->line, s, h->token.references, &h->look);
}

/* <!-- PAGEBREAK --> marked page ends in the 1990s. */
static void html_comment(struct html *h) {
  struct slice s = h->token.text;
  while (s.len && *s.data == ' ')
    s = slice_of(s.data + 1, s.len - 1);
  if (s.len >= 9 && s.len < 12 && strncasecmp(s.data, "pagebreak", 9) == 0 && !(h->look.on & STYLE_HIDDEN))
    html_flow_page(h);
}

static void read_tokens(struct html *h) {
  enum html_token_kind kind = HTML_COMMENT;
  while (kind != HTML_END_OF_FILE) {
    kind = html_token_next(&h->tokens, &h->token);
    if (kind == HTML_TEXT)
      text(h);
    else if (kind == HTML_START_TAG)
      start_tag(h);
    else if (kind == HTML_END_TAG)
      end_tag(h, h->token.tag);
    else if (kind == HTML_COMMENT)
      html_comment(h);
  }
}

static void html_start(struct html *h, struct doc *d, const struct doc_options *o, struct html_facts *facts,
                       struct slice text) {
  h->doc = d;
  h->options = o;
  h->facts = facts;
  h->pages = 1;
  h->page_fresh = 1;
  html_line_init(&h->line, text.len * 2 + 1024); /* a decoded reference is at most twice as long */
  buf_init(&h->fact, 4096);
  buf_init(&h->unit, 4096);
  html_tokenizer_init(&h->tokens, text);
  h->tokens.xml = text.len > 5 && memcmp(text.data, "<?xml", 5) == 0;
}

int html_read(struct doc *d, struct slice bytes, const struct doc_options *o, struct html_facts *facts) {
  struct buf converted;
  buf_init(&converted, bytes.len * 3 + 64);
  struct slice text = charset_read(bytes, o->charset, 1, &converted);
  doc_clear(d);
  d->text.max = o->max_text;
  if (facts) {
    memset(facts, 0, sizeof *facts);
    buf_init(&facts->own, 65536);
  }
  struct html *h = xcalloc(1, sizeof *h);
  html_start(h, d, o, facts, text);
  read_tokens(h);
  html_flow_finish(h);
  if (facts)
    html_facts_fix(facts);
  int status = h->truncated ? -1 : 0;
  html_flow_release(h);
  html_sheet_free(h->sheet);
  buf_release(&h->fact);
  free(h);
  buf_release(&converted);
  return status;
}
