/* doc_edits.c: the text is copied once for all edits.  A document has thousands of page headers and headings, and
 * moving the tail for each would be quadratic. */
#include "document/doc_edits.h"

#include <ctype.h>
#include <stdlib.h>

void doc_edits_init(struct doc_edits *e) {
  memset(e, 0, sizeof *e);
  buf_init(&e->own, (size_t)64 << 20);
}

void doc_edits_release(struct doc_edits *e) {
  free(e->list);
  buf_release(&e->own);
  memset(e, 0, sizeof *e);
}

static struct doc_edit *doc_edits_add(struct doc_edits *e) {
  e->list = xgrow(e->list, e->count, sizeof *e->list);
  return memset(&e->list[e->count++], 0, sizeof *e->list);
}

void doc_edits_remove(struct doc_edits *e, const struct doc *d, size_t from, size_t to) {
  struct doc_edit *x = doc_edits_add(e);
  x->start = d->blocks[from].start;
  x->end = to < d->block_count ? d->blocks[to].start : d->text.len;
}

void doc_edits_heading(struct doc_edits *e, const struct doc *d, size_t from, size_t end, struct slice text,
                       int level) {
  struct doc_edit *x = doc_edits_add(e);
  x->start = d->blocks[from].start;
  x->end = end;
  x->heading = level;
  x->text_at = e->own.len;
  buf_add_slice(&e->own, text);
  x->text_len = e->own.len - x->text_at;
}

/* Whether the block has text after the edit's end, other than blanks and marks of emphasis. */
static int leaves_rest(const struct doc *d, const struct doc_edit *x, size_t block_end) {
  for (size_t i = x->end; i < block_end; i++)
    if (!isspace((unsigned char)d->text.data[i]))
      return 1;
  return 0;
}

struct mover {
  const struct doc_edits *e;
  size_t next;         /* the next edit */
  long long *shifts;   /* per edit, and after the last: new offset minus old one before it */
  size_t *grown;       /* per edit: length of its place in the new text */
  unsigned char *rest; /* per edit: its last block has a rest */
};

static void mover_init(struct mover *m, const struct doc_edits *e) {
  *m = (struct mover){.e = e};
  m->shifts = xcalloc(e->count + 1, sizeof *m->shifts);
  m->grown = xcalloc(e->count, sizeof *m->grown);
  m->rest = xcalloc(e->count, 1);
}

static void mover_release(struct mover *m) {
  free(m->shifts);
  free(m->grown);
  free(m->rest);
}

static size_t shifted(size_t offset, long long shift) {
  return (size_t)((long long)offset + shift);
}

/* Maps an offset to the new text; offsets must be passed in increasing order. */
static size_t moved(struct mover *m, size_t offset) {
  while (m->next < m->e->count && m->e->list[m->next].end <= offset)
    m->next++;
  size_t inside = m->next < m->e->count && m->e->list[m->next].start < offset;
  return shifted(inside ? m->e->list[m->next].start : offset, m->shifts[m->next]);
}

static void find_rests(struct mover *m, const struct doc *d) {
  const struct doc_edits *e = m->e;
  for (size_t b = 0, x = 0; b < d->block_count; b++) {
    while (x < e->count && e->list[x].end <= d->blocks[b].start)
      x++;
    if (x < e->count && e->list[x].end < d->blocks[b].end)
      m->rest[x] = (unsigned char)leaves_rest(d, &e->list[x], d->blocks[b].end);
  }
}

/* Builds the new text; fills m->shifts and m->grown. */
static void copy_text(struct mover *m, const struct doc *d, struct buf *out) {
  const struct doc_edits *e = m->e;
  size_t at = 0;
  for (size_t i = 0; i < e->count; i++) {
    const struct doc_edit *x = &e->list[i];
    buf_add(out, d->text.data + at, x->start - at);
    m->shifts[i] = (long long)out->len - (long long)x->start;
    size_t before = out->len;
    if (x->text_len)
      buf_add(out, e->own.data + x->text_at, x->text_len);
    if (m->rest[i])
      buf_add_str(out, "\n\n");
    m->grown[i] = out->len - before;
    at = x->end;
    while (m->rest[i] && at < d->text.len && d->text.data[at] == ' ')
      at++;
    m->shifts[i + 1] = (long long)out->len - (long long)at;
  }
  buf_add(out, d->text.data + at, d->text.len - at);
  while (out->len > 1 && out->data[out->len - 1] == '\n' && out->data[out->len - 2] == '\n')
    out->data[--out->len] = '\0';
}

static void doc_edits_keep(struct doc *to, struct doc_block b) {
  *doc_add_block(to) = b;
}

/* Adds the blocks of edit `x` when it reaches `block`: its heading, once, and the rest of the block. */
static void keep_edited(struct doc *to, const struct mover *m, size_t x, struct doc_block block,
                        size_t *made) {
  const struct doc_edit *edit = &m->e->list[x];
  size_t start = shifted(edit->start, m->shifts[x]);
  if (edit->text_len && *made != x) {
    struct doc_block h = block;
    h.start = start;
    h.end = start + edit->text_len;
    h.kind = DOC_HEADING;
    h.level = edit->heading;
    doc_edits_keep(to, h);
    *made = x;
  }
  if (!m->rest[x] || edit->end >= block.end)
    return;
  block.start = start + m->grown[x];
  block.end = shifted(block.end, m->shifts[x + 1]);
  block.flags &= ~(unsigned)(DOC_BOLD | DOC_UPPERCASE);
  doc_edits_keep(to, block);
}

/* Copies the blocks with their new offsets to `to`. */
static void move_blocks(const struct mover *m, const struct doc *d, struct doc *to) {
  size_t made = SIZE_MAX, x = 0;
  for (size_t b = 0; b < d->block_count; b++) {
    struct doc_block block = d->blocks[b];
    while (x < m->e->count && m->e->list[x].end <= block.start)
      x++;
    if (x < m->e->count && m->e->list[x].start <= block.start) {
      keep_edited(to, m, x, block, &made);
      continue;
    }
    block.start = shifted(block.start, m->shifts[x]);
    block.end = shifted(block.end, m->shifts[x]);
    doc_edits_keep(to, block);
  }
}

static void move_marks(struct mover *m, struct doc *d, size_t text_len) {
  for (size_t i = 0; i < d->break_count; i++) {
    size_t offset = moved(m, d->breaks[i].offset);
    d->breaks[i].offset = offset < text_len ? offset : text_len;
  }
  m->next = 0;
  for (size_t i = 0; i < d->outline_count; i++)
    d->outline[i].offset = moved(m, d->outline[i].offset);
}

void doc_edits_apply(struct doc_edits *e, struct doc *d) {
  struct mover m;
  struct doc to;
  if (!e->count)
    return;
  mover_init(&m, e);
  doc_init(&to, d->text.max + e->own.len + 2 * e->count);
  buf_reserve(&to.text, d->text.len + e->own.len + 2 * e->count);
  find_rests(&m, d);
  copy_text(&m, d, &to.text);
  move_blocks(&m, d, &to);
  move_marks(&m, d, to.text.len);
  mover_release(&m);
  buf_release(&d->text);
  d->text = to.text;
  free(d->blocks);
  d->blocks = to.blocks;
  d->block_count = to.block_count;
  d->block_cap = to.block_cap;
}
