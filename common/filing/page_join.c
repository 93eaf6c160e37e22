/* page_join.c: the text is compacted in place in one pass: a join replaces "\n\n" by one blank, so it only shrinks. */
#include "filing/page_join.h"

#include <ctype.h>

static int plain_paragraph(const struct doc_block *b) {
  unsigned apart = DOC_BOLD | DOC_CENTERED | DOC_UPPERCASE | DOC_UNDERLINED | DOC_ITALIC | DOC_LINKED;
  return (b->kind == DOC_PARAGRAPH || b->kind == DOC_LIST_ITEM) && !(b->flags & apart);
}

static int page_join_runs_on(const struct doc *d, const struct doc_block *a, const struct doc_block *b) {
  unsigned char last = (unsigned char)d->text.data[a->end - 1], first = (unsigned char)d->text.data[b->start];
  return plain_paragraph(a) && plain_paragraph(b) && b->kind == DOC_PARAGRAPH && islower(first) &&
         (isalnum(last) || last == ',' || last == '-' || last == '%') && a->end - a->start > 40;
}

/* Whether there are breaks between block b and the previous one; *next is the first break after them. */
static int is_broken(const struct doc *d, size_t b, size_t *next) {
  size_t before = *next;
  while (*next < d->break_count && d->breaks[*next].offset <= d->blocks[b].start)
    ++*next;
  return b > 0 && *next > before;
}

/* Checks that blocks are separated by exactly one empty line. */
static int is_regular(const struct doc *d) {
  for (size_t b = 1; b < d->block_count; b++)
    if (d->blocks[b].start != d->blocks[b - 1].end + 2)
      return 0;
  return d->block_count > 1 && d->blocks[d->block_count - 1].end + 1 == d->text.len;
}

/* Moves block `b` towards the start by `shift` bytes. */
static void move_block(struct doc *d, struct doc_block *to, const struct doc_block *b, size_t shift) {
  if (shift)
    memmove(d->text.data + b->start - shift, d->text.data + b->start, b->end - b->start);
  *to = *b;
  to->start -= shift;
  to->end -= shift;
}

/* Moves the breaks before block b, from *moved on. */
static void move_breaks(struct doc *d, size_t *moved, size_t start, size_t shift) {
  for (; *moved < d->break_count && d->breaks[*moved].offset <= start; ++*moved)
    d->breaks[*moved].offset -= shift < d->breaks[*moved].offset ? shift : d->breaks[*moved].offset;
}

/* Puts a block after the last kept one, as a block of its own or joined to it. */
static void page_join_place(struct doc *d, size_t *kept, struct doc_block block, int join, size_t shift) {
  struct doc_block *last = *kept ? &d->blocks[*kept - 1] : NULL, moved;
  if (join && d->text.data[last->end - 1] != '-')
    d->text.data[last->end] = ' ';
  move_block(d, &moved, &block, shift);
  if (join) {
    last->end = moved.end;
    return;
  }
  if (last)
    memcpy(d->text.data + last->end, "\n\n", 2);
  d->blocks[(*kept)++] = moved;
}

void page_join(struct doc *d) {
  size_t shift = 0, kept = 0, next = 0, moved = 0;
  if (!is_regular(d))
    return;
  for (size_t b = 0; b < d->block_count; b++) {
    struct doc_block block = d->blocks[b];
    int join = is_broken(d, b, &next) && page_join_runs_on(d, &d->blocks[kept - 1], &block);
    if (join)
      shift += d->text.data[d->blocks[kept - 1].end - 1] == '-' ? 2 : 1;
    move_breaks(d, &moved, block.start, shift);
    page_join_place(d, &kept, block, join, shift);
  }
  d->block_count = kept;
  move_breaks(d, &moved, d->text.len, shift);
  d->text.len -= shift;
  d->text.data[d->text.len - 1] = '\n';
  d->text.data[d->text.len] = '\0';
}
