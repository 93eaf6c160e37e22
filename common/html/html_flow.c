/* html_flow.c: passes blocks from the current paragraph to a table cell or to the document; the stack of open
 * elements; the start and end of tables, rows and cells. */
#include "html/html_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- to the document ---- */

static void add_break(struct html *h, size_t offset) {
  struct doc_break *b = doc_add_break(h->doc);
  b->offset = offset;
  b->page = ++h->pages;
  h->page_pending = 0;
}

/* Appends the marks before a block's text. */
static void add_mark(struct html *h, const struct piece *look, struct slice text) {
  struct buf *out = &h->doc->text;
  if (look->kind == DOC_LIST_ITEM) {
    for (int i = 0; i < look->depth; i++)
      buf_add_str(out, "  ");
    buf_add_str(out, h->options->plain && look->mark[0] == '-' ? "\xE2\x80\xA2 " : look->mark);
  } else if (!h->options->plain && look->kind == DOC_HEADING)
    buf_add_str(out, &"###### "[look->level < 6 ? 6 - look->level : 0]);
  else if (!h->options->plain && look->kind == DOC_PARAGRAPH && (text.data[0] == '#' || text.data[0] == '|'))
    buf_add_char(out, '\\');
}

static void html_flow_add_text(struct html *h, const struct piece *look, struct slice text) {
  struct buf *out = &h->doc->text;
  int fenced = look->kind == DOC_PREFORMATTED && !h->options->plain;
  add_mark(h, look, text);
  if (fenced)
    buf_add_str(out, "```\n");
  buf_add_slice(out, text);
  if (fenced)
    buf_add_str(out, "\n```");
}

static void html_flow_add_block(struct html *h, const struct piece *look, size_t start) {
  struct doc *d = h->doc;
  struct doc_block *b = doc_add_block(d);
  b->start = start;
  b->end = d->text.len;
  b->kind = look->kind;
  b->flags = look->flags;
  b->level = look->kind == DOC_HEADING ? look->level : 0;
  b->size = look->size;
}

/* Limit of a block's marks, in bytes. */
#define MARKS_MAX 64

static void emit_document(void *arg, struct slice text, const struct piece *look) {
  struct html *h = arg;
  struct doc *d = h->doc;
  if (look->page_break) {
    h->page_pending = 1;
    return;
  }
  if (text.len == 0 || h->truncated)
    return;
  if (text.len + MARKS_MAX > d->text.max - d->text.len) {
    h->truncated = 1;
    return;
  }
  if (d->text.len)
    buf_add_char(&d->text, '\n');
  size_t start = d->text.len;
  if (h->page_pending && (d->block_count || h->pages > 1))
    add_break(h, start);
  h->page_pending = 0;
  html_flow_add_text(h, look, text);
  html_flow_add_block(h, look, start);
  buf_add_char(&d->text, '\n');
}

/* ---- to a table ---- */

static void html_flow_emit_table(void *arg, struct slice text, const struct piece *look) {
  table_add(arg, text, look);
}

struct table *html_flow_table(const struct html *h) {
  for (size_t i = h->frame_count; i-- > 0;)
    if (h->frames[i].table)
      return h->frames[i].table;
  return NULL;
}

/* Passes a finished block of text to the open table or to the document. */
static void html_flow_emit(struct html *h, struct slice text, const struct piece *look) {
  struct table *t = html_flow_table(h);
  if (t)
    html_flow_emit_table(t, text, look);
  else
    emit_document(h, text, look);
}

/* ---- the paragraph ---- */

static int html_flow_is_upper(struct slice s) {
  int upper = 0;
  for (size_t i = 0; i < s.len; i++) {
    if (s.data[i] >= 'a' && s.data[i] <= 'z')
      return 0;
    upper |= s.data[i] >= 'A' && s.data[i] <= 'Z';
  }
  return upper;
}

static unsigned flags_of(const struct html_line *l, struct slice text) {
  unsigned has = ~l->missing & l->look.on, flags = 0;
  flags |= has & STYLE_BOLD ? DOC_BOLD : 0;
  flags |= has & STYLE_ITALIC ? DOC_ITALIC : 0;
  flags |= has & STYLE_UNDERLINE ? DOC_UNDERLINED : 0;
  flags |= has & LOOK_LINK ? DOC_LINKED : 0;
  flags |= l->look.on & STYLE_CENTER ? DOC_CENTERED : 0;
  return flags | (html_flow_is_upper(text) ? DOC_UPPERCASE : 0);
}

static struct piece look_of(struct html *h, struct slice text) {
  struct piece p = {.kind = DOC_PARAGRAPH,
                    .flags = flags_of(&h->line, text),
                    .size = h->line.look.size,
                    .indent = h->line.look.indent};
  if (h->line.look.level) {
    p.kind = DOC_HEADING;
    p.level = h->line.look.level;
  }
  if (h->mark[0]) {
    p.kind = DOC_LIST_ITEM;
    p.depth = (uint8_t)(h->list_depth > 1 ? h->list_depth - 1 : 0);
    memcpy(p.mark, h->mark, sizeof p.mark);
    h->mark[0] = '\0';
  }
  return p;
}

/* Whether words are separated by runs of blanks, as in a plain-text table. */
static int is_columns(struct slice s) {
  for (size_t i = 1; i + 3 < s.len; i++)
    if (memcmp(s.data + i, "   ", 3) == 0 && s.data[i - 1] != '\n' && s.data[i - 1] != ' ' &&
        s.data[i + 3] > ' ')
      return 1;
  return 0;
}

static struct slice html_flow_trim(struct slice s, const char *what) {
  while (s.len && strchr(what, s.data[s.len - 1]))
    s.len--;
  return s;
}

/* Removes leading blanks of the lines of prose, in place: they are layout only. */
static struct slice without_indents(struct slice s) {
  char *at = (char *)(uintptr_t)s.data;
  size_t to = 0;
  for (size_t i = 0; i < s.len; i++)
    if (s.data[i] != ' ' || (to > 0 && at[to - 1] != '\n' && at[to - 1] != ' '))
      at[to++] = s.data[i];
  return html_flow_trim(slice_of(at, to), " \n");
}

/* Preformatted text: each part between empty lines is a block; one without columns is a paragraph. */
static void emit_preformatted(struct html *h, struct slice text) {
  while (text.len) {
    size_t end = 0;
    while (end < text.len && !(text.data[end] == '\n' && end + 1 < text.len &&
                               text.data[end + 1 + strspn(text.data + end + 1, " ")] == '\n'))
      end++;
    struct slice one = html_flow_trim(slice_of(text.data, end), " \n");
    while (one.len && *one.data == '\n')
      one = slice_of(one.data + 1, one.len - 1);
    struct piece look = look_of(h, one);
    if (is_columns(one))
      look.kind = DOC_PREFORMATTED;
    else
      one = without_indents(one);
    if (one.len)
      html_flow_emit(h, one, &look);
    end = end < text.len ? end + 1 : end;
    text = slice_of(text.data + end, text.len - end);
  }
}

void html_flow_paragraph(struct html *h) {
  html_line_end(&h->line);
  struct slice text = buf_slice(&h->line.text);
  h->page_fresh = 0;
  if (h->line.pre)
    emit_preformatted(h, text);
  else {
    struct piece look = look_of(h, text);
    html_flow_emit(h, text, &look);
  }
  html_line_clear(&h->line);
}

void html_flow_break(struct html *h) {
  html_line_break(&h->line);
  if (h->line.newlines > 1)
    html_flow_flush(h);
}

void html_flow_page(struct html *h) {
  html_flow_flush(h);
  if (h->page_fresh)
    return;
  struct piece look = {.page_break = 1};
  html_flow_emit(h, slice_of(NULL, 0), &look);
  h->page_fresh = 1;
}

void html_flow_release(struct html *h) {
  for (size_t i = 0; i < h->tables_made; i++)
    table_release(&h->tables[i]);
  html_line_release(&h->line);
  buf_release(&h->unit);
}

/* ---- open elements and inherited style ----
 *
 * Without a tree, the standard's adoption agency algorithm and list of active formatting elements reduce to one rule:
 * closing an element removes it and everything opened inside it except formatting elements, which stay as if they
 * were reopened after it.  Table cells close everything that was opened in them. */

/* Returns the look that it stores: reading it back after writing single fields would stall the processor. */
static struct html_look inherit(struct html_element *e, const struct html_look *from) {
  struct html_look l = *from;
  l.on = (uint16_t)((from->on & ~e->own_set) | e->own_on);
  l.on = (uint16_t)(l.on | (from->on & STYLE_HIDDEN)); /* everything inside a hidden element is hidden */
  if (e->level)
    l.level = e->level;
  if (e->own_size > 0)
    l.size = e->own_size;
  if (e->own_factor > 0)
    l.size *= e->own_factor;
  l.indent += e->own_indent;
  e->look = l;
  return l;
}

static const struct html_look no_look;

static void look_again(struct html *h, size_t from) {
  for (size_t i = from; i < h->depth; i++)
    inherit(&h->stack[i], i ? &h->stack[i - 1].look : &no_look);
  h->look = h->depth ? h->stack[h->depth - 1].look : no_look;
}

void html_stack_push(struct html *h, enum html_tag tag, const struct html_style *style, int level) {
  if (h->depth == DEPTH_MAX) {
    h->too_deep++;
    return;
  }
  struct html_element *e = &h->stack[h->depth++];
  e->tag = (uint8_t)tag;
  e->level = (uint8_t)level;
  e->break_after = style->break_after == BREAK_PAGE;
  e->display = style->display;
  e->own_set = style->set;
  e->own_on = style->on;
  e->own_size = style->size;
  e->own_factor = style->factor;
  e->own_indent = style->indent;
  h->paragraphs += tag == TAG_P;
  h->look = inherit(e, &h->look);
}

/* Effects of an element's end other than on style. */
static void leave(struct html *h, const struct html_element *e) {
  h->paragraphs -= e->tag == TAG_P;
  if ((e->tag == TAG_UL || e->tag == TAG_OL) && h->list_depth)
    h->list_depth--;
  if (e->display == DISPLAY_BLOCK)
    html_flow_flush(h);
  if (e->break_after && !(e->look.on & STYLE_HIDDEN))
    html_flow_page(h);
}

void html_stack_cut(struct html *h, size_t depth) {
  if (h->depth <= depth) {
    h->too_deep = 0;
    return;
  }
  while (h->depth > depth) {
    h->depth--;
    leave(h, &h->stack[h->depth]);
  }
  h->too_deep = 0;
  look_again(h, h->depth);
  if (h->fact_slot && h->depth <= h->fact_depth)
    html_facts_end(h);
}

size_t html_stack_limit(const struct html *h) {
  if (!h->frame_count)
    return 0;
  const struct html_frame *f = &h->frames[h->frame_count - 1];
  return f->cell_base ? f->cell_base : f->row_base ? f->row_base : f->base;
}

static int html_stack_find(const struct html *h, enum html_tag tag, size_t *at) {
  size_t limit = html_stack_limit(h);
  for (size_t i = h->depth; i-- > limit;)
    if (h->stack[i].tag == tag) {
      *at = i;
      return 1;
    }
  return 0;
}

int html_stack_holds(const struct html *h, enum html_tag tag) {
  size_t at;
  return html_stack_find(h, tag, &at);
}

int html_stack_is_inline(const struct html *h, enum html_tag tag) {
  size_t at;
  return html_stack_find(h, tag, &at) && h->stack[at].display == DISPLAY_INLINE;
}

/* Removes element `at` and all non-formatting elements above it. */
static void take_out(struct html *h, size_t at) {
  size_t to = at;
  for (size_t i = at; i < h->depth; i++)
    if (i > at && (html_tag_properties((enum html_tag)h->stack[i].tag) & TAG_FORMATTING))
      h->stack[to++] = h->stack[i];
    else
      leave(h, &h->stack[i]);
  h->depth = to;
  look_again(h, at);
  if (h->fact_slot && at <= h->fact_depth)
    html_facts_end(h);
}

int html_stack_close(struct html *h, enum html_tag tag) {
  size_t at;
  if (h->too_deep) {
    h->too_deep--;
    return 1;
  }
  if (!html_stack_find(h, tag, &at))
    return 0;
  if (at + 1 == h->depth)
    html_stack_cut(h, at);
  else
    take_out(h, at);
  return 1;
}

/* ---- tables, rows and cells ---- */

static struct table *new_table(struct html *h) {
  size_t n = h->frame_count - 1;
  for (; h->tables_made <= n; h->tables_made++)
    table_init(&h->tables[h->tables_made], h->line.text.max);
  table_clear(&h->tables[n]);
  return &h->tables[n];
}

static struct html_frame *top(struct html *h) {
  return h->frame_count ? &h->frames[h->frame_count - 1] : NULL;
}

void html_flow_table_start(struct html *h, const struct html_style *style) {
  struct html_frame *f = top(h);
  html_flow_flush(h);
  if (f && !f->cell_base && f->table) /* a table directly inside a table ends it */
    html_flow_table_end(h);
  if (h->frame_count == TABLES_MAX || h->depth == DEPTH_MAX) {
    h->too_many_tables++;
    return;
  }
  html_stack_push(h, TAG_TABLE, style, 0);
  f = &h->frames[h->frame_count++];
  memset(f, 0, sizeof *f);
  f->base = h->depth;
  f->table = h->look.on & STYLE_HIDDEN ? NULL : new_table(h);
}

static enum table_style table_style(const struct html *h) {
  if (h->options->tables == DOC_TABLES_DROP)
    return TABLE_DROP;
  return h->options->plain || h->options->tables == DOC_TABLES_TEXT ? TABLE_TEXT : TABLE_MARKDOWN;
}

/* Looks for the unit in the paragraph before a table; where that one is short, such as "(Unaudited)", the one before it
 * is tried.  Many empty tables have one paragraph before them. */
static void find_unit_above(struct html *h) {
  const struct doc *d = h->doc;
  struct slice unit = {NULL, 0};
  if (h->unit_blocks == d->block_count)
    return;
  for (size_t n = 1; n <= 2 && n <= d->block_count && !unit.len; n++) {
    const struct doc_block *b = &d->blocks[d->block_count - n];
    if (b->kind == DOC_TABLE)
      break;
    unit = table_unit(slice_of(d->text.data + b->start, b->end - b->start));
    if (b->end - b->start > 60)
      break;
  }
  h->unit_blocks = d->block_count;
  buf_clear(&h->unit); /* copied: the document's text moves as it grows */
  buf_add_slice(&h->unit, unit);
}

static void emit_up(void *arg, struct slice text, const struct piece *look) {
  html_flow_emit(arg, text, look);
}

void html_flow_table_end(struct html *h) {
  if (h->too_many_tables) {
    html_flow_flush(h);
    h->too_many_tables--;
    return;
  }
  if (!h->frame_count)
    return;
  html_flow_row_end(h);
  struct table *t = top(h)->table;
  size_t base = top(h)->base;
  h->frame_count--;
  if (t) {
    struct slice none = {NULL, 0};
    if (!h->frame_count)
      find_unit_above(h);
    table_write(t, table_style(h), h->frame_count ? none : buf_slice(&h->unit), emit_up, h);
  }
  html_stack_cut(h, base - 1);
}

void html_flow_cell_end(struct html *h) {
  struct html_frame *f = top(h);
  html_flow_flush(h);
  h->mark[0] = '\0';
  if (!f || !f->cell_base)
    return;
  html_stack_cut(h, f->cell_base - 1);
  f->cell_base = 0;
  if (f->table)
    table_cell_end(f->table);
}

void html_flow_row_end(struct html *h) {
  struct html_frame *f = top(h);
  html_flow_cell_end(h);
  if (!f)
    return;
  f->row_base = 0;
  html_stack_cut(h, f->base);
}

void html_flow_row_start(struct html *h, const struct html_style *style) {
  struct html_frame *f = top(h);
  if (!f)
    return;
  html_flow_row_end(h);
  html_stack_push(h, TAG_TR, style, 0);
  f->row_base = h->depth;
  if (f->table && !(h->look.on & STYLE_HIDDEN))
    table_row(f->table);
}

void html_flow_cell_start(struct html *h, enum html_tag tag, const struct html_style *style, uint32_t columns,
                          uint32_t rows) {
  static const struct html_style plain;
  struct html_frame *f = top(h);
  if (!f) {
    html_flow_flush(h);
    return;
  }
  html_flow_cell_end(h);
  if (!f->row_base)
    html_flow_row_start(h, &plain);
  html_stack_cut(h, f->row_base);
  html_stack_push(h, tag, style, 0);
  f->cell_base = h->depth;
  if (f->table && !(h->look.on & STYLE_HIDDEN))
    table_cell(f->table, columns, rows, tag == TAG_TH);
}

void html_flow_finish(struct html *h) {
  html_flow_flush(h);
  while (h->frame_count)
    html_flow_table_end(h);
}
