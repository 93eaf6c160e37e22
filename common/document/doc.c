#include "document/doc.h"

#include <stdlib.h>

void doc_init(struct doc *d, size_t max) {
  memset(d, 0, sizeof *d);
  buf_init(&d->text, max);
}

static void free_titles(struct doc *d) {
  for (size_t i = 0; i < d->outline_count; i++)
    free(d->outline[i].title);
  d->outline_count = 0;
}

void doc_release(struct doc *d) {
  free_titles(d);
  free(d->blocks);
  free(d->breaks);
  free(d->outline);
  buf_release(&d->text);
  doc_init(d, d->text.max);
}

void doc_clear(struct doc *d) {
  free_titles(d);
  d->block_count = d->break_count = 0;
  d->sheets = 0;
  buf_clear(&d->text);
}

/* Makes room for one more entry of `size` bytes. */
static void *doc_grow(void *items, size_t count, size_t *cap, size_t size) {
  if (count < *cap)
    return items;
  *cap = *cap ? *cap * 2 : 64;
  return xreallocarray(items, *cap, size);
}

struct doc_block *doc_add_block(struct doc *d) {
  d->blocks = doc_grow(d->blocks, d->block_count, &d->block_cap, sizeof *d->blocks);
  return memset(&d->blocks[d->block_count++], 0, sizeof *d->blocks);
}

struct doc_break *doc_add_break(struct doc *d) {
  d->breaks = doc_grow(d->breaks, d->break_count, &d->break_cap, sizeof *d->breaks);
  return memset(&d->breaks[d->break_count++], 0, sizeof *d->breaks);
}

struct doc_outline *doc_add_outline(struct doc *d) {
  d->outline = doc_grow(d->outline, d->outline_count, &d->outline_cap, sizeof *d->outline);
  return memset(&d->outline[d->outline_count++], 0, sizeof *d->outline);
}

/* Text before the first break is on the page before it, at least page 1. */
int doc_page_at(const struct doc *d, size_t offset) {
  size_t low = 0, high = d->break_count;
  if (high == 0)
    return 0;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (d->breaks[middle].offset <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > 0)
    return d->breaks[low - 1].page;
  return d->breaks[0].page > 1 ? d->breaks[0].page - 1 : 1;
}
