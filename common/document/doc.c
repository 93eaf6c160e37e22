/* doc.c: a document's text, blocks, page breaks and outline, and the view of one block that filing/ reads. */
#include "document/doc.h"

#include <ctype.h>
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
  d->lost.text[0] = '\0';
  buf_clear(&d->text);
}

void *doc_grow(void *items, size_t count, size_t *cap, size_t size) {
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

/* ---- the view of a block ---- */

/* The class of a byte: its own lower-case form, or one of these. */
enum { SPACE = 1, MARK = 2, MORE = 3 };
static unsigned char kinds[256];

/* Marks of emphasis, tables and escapes are dropped; '|' separates cells. */
static void fill_kinds(void) {
  for (int c = 0; c < 256; c++)
    kinds[c] = (unsigned char)(c >= 0x80 ? MORE : isspace(c) ? SPACE : tolower(c));
  for (const char *p = "*_\\`"; *p; p++)
    kinds[(unsigned char)*p] = MARK;
  kinds['|'] = SPACE;
  kinds[0] = kinds[SPACE] = kinds[MARK] = kinds[MORE] = MARK;
}

/* U+2018 2019 201A 201B as ', 2010 to 2015 and 2212 as -, 201C to 201F as "; 0: any other character. */
static char plain_form(const unsigned char *c) {
  if (c[0] != 0xE2)
    return 0;
  if (c[1] == 0x88 && c[2] == 0x92)
    return '-';
  if (c[1] != 0x80)
    return 0;
  if (c[2] >= 0x90 && c[2] <= 0x95)
    return '-';
  if (c[2] >= 0x98 && c[2] <= 0x9B)
    return '\'';
  return c[2] >= 0x9C && c[2] <= 0x9F ? '"' : 0;
}

/* Appends one multi-byte character at t[i]; returns its length.  A no-break space counts as white space. */
static size_t put_more(struct doc_view *p, const char *t, size_t i, size_t end, int *blank) {
  const unsigned char *c = (const unsigned char *)t + i;
  size_t n = c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
  n = n < end - i ? n : end - i;
  if (n == 2 && c[0] == 0xC2 && c[1] == 0xA0) {
    *blank = 1;
    return n;
  }
  char plain = n == 3 ? plain_form(c) : 0;
  for (size_t k = 0; k < n; k++, p->len++) {
    p->at[p->len] = i;
    p->text[p->len] = t[i + k];
    p->lower[p->len] = plain ? plain : t[i + k];
  }
  return n;
}

static void put_blank(struct doc_view *p, size_t at) {
  p->at[p->len] = at;
  p->text[p->len] = p->lower[p->len] = ' ';
  p->len++;
}

/* Appends the run of plain bytes that starts at t[i]; returns the position after it. */
static size_t put_plain(struct doc_view *p, const char *t, size_t i, size_t end) {
  size_t n = p->len, room = DOC_VIEW_MAX - 6 - n;
  end = end - i < room ? end : i + room;
  do {
    p->at[n] = i;
    p->text[n] = t[i];
    p->lower[n++] = (char)kinds[(unsigned char)t[i++]];
  } while (i < end && kinds[(unsigned char)t[i]] > MORE);
  p->len = n;
  return i;
}

void doc_view_at(struct doc_view *p, const struct doc *d, size_t start, size_t end) {
  const char *t = d->text.data;
  int blank = 0;
  size_t i = start;
  if (!kinds['a'])
    fill_kinds();
  p->len = 0;
  while (i < end && p->len + 6 < DOC_VIEW_MAX) {
    unsigned char kind = kinds[(unsigned char)t[i]];
    if (kind == SPACE || kind == MARK || (t[i] == '#' && !p->len)) {
      blank |= kind == SPACE;
      i++;
      continue;
    }
    if (blank && p->len &&
        !(kind == MORE && (unsigned char)t[i] == 0xC2 && i + 1 < end && (unsigned char)t[i + 1] == 0xA0))
      put_blank(p, i), blank = 0;
    if (kind == MORE) {
      i += put_more(p, t, i, end, &blank);
      continue;
    }
    blank = 0;
    i = put_plain(p, t, i, end);
  }
  p->whole = i >= end;
  p->text[p->len] = p->lower[p->len] = '\0';
  p->at[p->len] = i;
}
