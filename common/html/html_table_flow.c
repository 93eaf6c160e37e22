/* html_table_flow.c: opening and closing tables, rows and cells. */
#include "html/html_state.h"

#include <string.h>

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
  html_flow_mark_anchored(h);
}
