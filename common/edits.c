/* The text is copied once, whatever the number of edits: a document has thousands of pages' headers and
 * headings at most, and moving the tail for each would be quadratic. */
#include "edits.h"

#include <ctype.h>
#include <stdlib.h>

void edits_init(struct doc_edits *e) {
  memset(e, 0, sizeof *e);
  buf_init(&e->own, (size_t)64 << 20);
}

void edits_release(struct doc_edits *e) {
  free(e->list);
  buf_release(&e->own);
  memset(e, 0, sizeof *e);
}

static struct doc_edit *add(struct doc_edits *e) {
  if (e->count == e->cap) {
    e->cap = e->cap ? e->cap * 2 : 64;
    e->list = xreallocarray(e->list, e->cap, sizeof *e->list);
  }
  return memset(&e->list[e->count++], 0, sizeof *e->list);
}

void edits_remove(struct doc_edits *e, const struct doc *d, size_t from, size_t to) {
  struct doc_edit *x = add(e);
  x->start = d->blocks[from].start;
  x->end = to < d->block_count ? d->blocks[to].start : d->text.len;
}

void edits_heading(struct doc_edits *e, const struct doc *d, size_t from, size_t end, struct slice text,
                   int level) {
  struct doc_edit *x = add(e);
  x->start = d->blocks[from].start;
  x->end = end;
  x->heading = level;
  x->text_at = e->own.len;
  buf_add_slice(&e->own, text);
  x->text_len = e->own.len - x->text_at;
}

/* Whether something of a block is left behind the edit's end, blanks and marks of emphasis aside. */
static int leaves_rest(const struct doc *d, const struct doc_edit *x, size_t block_end) {
  for (size_t i = x->end; i < block_end; i++)
    if (!isspace((unsigned char)d->text.data[i]))
      return 1;
  return 0;
}

struct mover {
  const struct doc_edits *e;
  size_t next;       /* edit that is not passed yet */
  long long shift;   /* new offset minus old one behind the edits passed */
  long long *shifts; /* per edit: shift in front of it */
  size_t *grown;     /* per edit: bytes that its place has in the new text */
};

/* Offsets must be asked for in rising order. */
static size_t moved(struct mover *m, size_t offset) {
  while (m->next < m->e->count && m->e->list[m->next].end <= offset)
    m->next++;
  long long shift = m->shift;
  if (m->next < m->e->count)
    shift = m->shifts[m->next];
  if (m->next < m->e->count && m->e->list[m->next].start < offset)
    return (size_t)((long long)m->e->list[m->next].start + shift);
  return (size_t)((long long)offset + shift);
}

static struct doc_block *keep(struct doc_block *list, size_t *count, size_t *cap, struct doc_block b) {
  if (*count == *cap) {
    *cap = *cap ? *cap * 2 : 64;
    list = xreallocarray(list, *cap, sizeof *list);
  }
  list[(*count)++] = b;
  return list;
}

/* The new text; fills m->shifts and m->grown. */
static void copy_text(const struct doc_edits *e, const struct doc *d, struct buf *out, struct mover *m,
                      const unsigned char *rest) {
  size_t at = 0;
  for (size_t i = 0; i < e->count; i++) {
    const struct doc_edit *x = &e->list[i];
    buf_add(out, d->text.data + at, x->start - at);
    m->shifts[i] = (long long)out->len - (long long)x->start;
    size_t before = out->len;
    buf_add(out, e->own.data + x->text_at, x->text_len);
    if (rest[i])
      buf_add_str(out, "\n\n");
    m->grown[i] = out->len - before;
    at = x->end;
    while (rest[i] && at < d->text.len && d->text.data[at] == ' ')
      at++;
    m->shift = (long long)out->len - (long long)at;
  }
  buf_add(out, d->text.data + at, d->text.len - at);
  while (out->len > 1 && out->data[out->len - 1] == '\n' && out->data[out->len - 2] == '\n')
    out->data[--out->len] = '\0';
}

void edits_apply(struct doc_edits *e, struct doc *d) {
  if (!e->count)
    return;
  struct doc_block *blocks = NULL;
  size_t count = 0, cap = 0, x = 0;
  struct buf text;
  struct mover m = {.e = e};
  m.shifts = xcalloc(e->count, sizeof *m.shifts);
  m.grown = xcalloc(e->count, sizeof *m.grown);
  unsigned char *rest = xcalloc(e->count, 1);
  for (size_t b = 0; b < d->block_count; b++) {
    while (x < e->count && e->list[x].end <= d->blocks[b].start)
      x++;
    if (x < e->count && e->list[x].end < d->blocks[b].end && e->list[x].end > d->blocks[b].start)
      rest[x] = (unsigned char)leaves_rest(d, &e->list[x], d->blocks[b].end);
  }
  buf_init(&text, d->text.max + e->own.len + 2 * e->count);
  buf_reserve(&text, d->text.len + e->own.len + 2 * e->count);
  copy_text(e, d, &text, &m, rest);
  x = 0;
  size_t made = SIZE_MAX;
  for (size_t b = 0; b < d->block_count; b++) {
    struct doc_block block = d->blocks[b];
    while (x < e->count && e->list[x].end <= block.start)
      x++;
    if (x < e->count && e->list[x].start <= block.start) { /* starts inside an edit */
      const struct doc_edit *edit = &e->list[x];
      size_t new_start = (size_t)((long long)edit->start + m.shifts[x]);
      if (edit->text_len && made != x) {
        struct doc_block h = {.start = new_start, .end = new_start + edit->text_len, .kind = DOC_HEADING};
        h.level = edit->heading;
        h.flags = block.flags;
        h.size = block.size;
        blocks = keep(blocks, &count, &cap, h);
        made = x;
      }
      if (!rest[x] || edit->end >= block.end)
        continue;
      long long after = x + 1 < e->count ? m.shifts[x + 1] : m.shift;
      block.start = new_start + m.grown[x];
      block.end = (size_t)((long long)block.end + after);
      block.flags &= ~(unsigned)(DOC_BOLD | DOC_UPPERCASE);
      blocks = keep(blocks, &count, &cap, block);
      continue;
    }
    long long shift = x < e->count ? m.shifts[x] : m.shift;
    block.start = (size_t)((long long)block.start + shift);
    block.end = (size_t)((long long)block.end + shift);
    blocks = keep(blocks, &count, &cap, block);
  }
  m.next = 0;
  for (size_t i = 0; i < d->break_count; i++)
    d->breaks[i].offset = moved(&m, d->breaks[i].offset);
  m.next = 0;
  for (size_t i = 0; i < d->outline_count; i++)
    d->outline[i].offset = moved(&m, d->outline[i].offset);
  text.max = d->text.max > text.len ? d->text.max : text.len;
  buf_release(&d->text);
  d->text = text;
  for (size_t i = 0; i < d->break_count; i++)
    if (d->breaks[i].offset > d->text.len)
      d->breaks[i].offset = d->text.len;
  free(d->blocks);
  d->blocks = blocks;
  d->block_count = count;
  d->block_cap = cap;
  free(m.shifts);
  free(m.grown);
  free(rest);
}
