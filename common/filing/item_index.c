/* item_index.c: an index is a run of lines, in a table or one block each, that name an item by number and title and
 * end with pages: "Item 1A.  Risk Factors 53-65", "7.  Management's Discussion ...  12-40, 88".  Parts of an item may
 * follow with pages of their own.  An item starts on the first of its pages: at a heading with the item's title, else
 * at the page's first heading.  Pages are those of doc_break, which are the printed ones where an HTML page prints
 * them. */
#include "filing/item_finder.h"

#include "filing/items.h"
#include "document/doc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS_MAX 256
#define ROWS_LEAST 4   /* minimum number of rows with pages */
#define GAP 8          /* limit of blocks between two rows: parts, page numbers */
#define TITLE_MAX 200  /* limit of a heading in bytes */
#define PAGE_TOP 600   /* bytes from the start of a page in which its heading must be */
#define PAGES_MAX 2000 /* a higher number is not a page */
#define TITLE_LETTERS 8

struct item_index_row {
  size_t block;
  size_t entry;
  int first, last;              /* pages; 0: none */
  char title[DOC_VIEW_MAX + 1]; /* as in the index, lower case */
};

struct item_index_place {
  size_t block;
  int score; /* 0: none */
};

struct index {
  const struct doc *d;
  const struct item_form_entry *entries;
  size_t entry_count;
  struct item_index_row *rows;
  size_t count;
  size_t from, to; /* the selected rows */
  struct doc_view look;
};

/* ---- rows ---- */

/* Where the pages at the end of a line start, or its length: digits, dashes, commas, "and", "pages". */
static size_t pages_at(const char *s, size_t from) {
  size_t n = strlen(s), at;
  if (n > from + 4 && s[n - 1] == ')' && (s[n - 3] == '(' || s[n - 4] == '('))
    n -= s[n - 3] == '(' ? 3 : 4; /* a footnote */
  for (at = n; at > from; at--) {
    char c = s[at - 1];
    if (!isdigit((unsigned char)c) && !strchr(" ,-;&.", c))
      break;
  }
  if (at > from && isalpha((unsigned char)s[at - 1]) && s[at] == '-')
    return n; /* F-12 */
  return at;
}

/* Reads the first and last page of "12---40, 88": 12 and 40; 0 where there is no page. */
static int read_pages(const char *s, int *last) {
  while (*s && !isdigit((unsigned char)*s))
    s++;
  char *end;
  long first = strtol(s, &end, 10), to = 0;
  if (end == s || first < 1 || first >= PAGES_MAX - 100)
    return 0;
  if (end[strspn(end, " ")] == '-')
    to = strtol(end + strspn(end, "- "), NULL, 10);
  *last = to >= first && to < PAGES_MAX ? (int)to : (int)first;
  return (int)first;
}

/* The form entry for a number and title, preferably after the previous row's, else any. */
static size_t item_index_entry_of(const struct index *x, const char *number, const char *title) {
  size_t after = x->count ? x->rows[x->count - 1].entry + 1 : 0, found = x->entry_count;
  for (size_t e = 0; e < x->entry_count; e++) {
    const struct item_form_entry *y = &x->entries[e];
    if (!y->number || strcmp(y->number, number) != 0 || !items_title_match(title, y->titles))
      continue;
    if (e >= after)
      return e;
    found = found < x->entry_count ? found : e;
  }
  return found;
}

/* Reads "Item 1A.  Risk Factors 53", and "1A.  Risk Factors 53" as some filers write. */
static int read_lead(const char *lower, struct item_heading *l, size_t *title) {
  char text[DOC_VIEW_MAX + 8];
  size_t front = isdigit((unsigned char)*lower) ? 5 : 0;
  snprintf(text, sizeof text, "%s%s", front ? "item " : "", lower);
  if (!item_heading_read(text, l) || !l->number_count)
    return 0;
  *title = l->title - front;
  return 1;
}

/* Sets the pages, or extends them where they continue the previous ones: parts of an item. */
static void item_index_set_pages(struct item_index_row *r, const char *pages) {
  int last = 0, first = read_pages(pages, &last);
  if (!r->first) {
    r->first = first;
    r->last = last;
  } else if (first >= r->first && first <= r->last + 1 && last > r->last)
    r->last = last;
}

/* Adds the line in x->look. */
static void item_index_add_line(struct index *x, size_t block) {
  const char *s = x->look.lower;
  struct item_heading l;
  size_t title;
  if (!read_lead(s, &l, &title)) {
    struct item_index_row *r = x->count ? &x->rows[x->count - 1] : NULL;
    if (r && r->block + 1 >= block) /* a part of the item above */
      item_index_set_pages(r, s + pages_at(s, 0));
    return;
  }
  size_t e = item_index_entry_of(x, l.numbers[0], s + title);
  if (e == x->entry_count || x->count == ROWS_MAX)
    return;
  struct item_index_row *r = memset(&x->rows[x->count++], 0, sizeof *r);
  size_t pages = pages_at(s, title);
  r->block = block;
  r->entry = e;
  item_index_set_pages(r, s + pages);
  memcpy(r->title, s + title, pages - title);
}

static void read_table(struct index *x, size_t block) {
  const struct doc_block *b = &x->d->blocks[block];
  const char *t = x->d->text.data;
  for (size_t at = b->start, end; at < b->end; at = end + 1) {
    const char *eol = memchr(t + at, '\n', b->end - at);
    end = eol ? (size_t)(eol - t) : b->end;
    doc_view_at(&x->look, x->d, at, end);
    if (x->look.whole)
      item_index_add_line(x, block);
  }
}

static void item_index_read_rows(struct index *x) {
  for (size_t b = 0; b < x->d->block_count && x->count < ROWS_MAX; b++) {
    const struct doc_block *block = &x->d->blocks[b];
    if (block->kind == DOC_TABLE) {
      read_table(x, b);
      continue;
    }
    if (block->end - block->start >= DOC_VIEW_MAX)
      continue;
    doc_view_at(&x->look, x->d, block->start, block->end);
    item_index_add_line(x, b);
  }
}

/* Selects the longest run of rows with pages. */
static size_t choose_run(struct index *x) {
  size_t best = 0;
  for (size_t from = 0, to; from < x->count; from = to) {
    size_t paged = 0;
    for (to = from; to < x->count && (to == from || x->rows[to].block - x->rows[to - 1].block <= GAP); to++)
      paged += x->rows[to].first > 0;
    if (paged <= best)
      continue;
    best = paged;
    x->from = from;
    x->to = to;
  }
  return best;
}

/* ---- places ---- */

static size_t item_index_block_at(const struct doc *d, size_t offset) {
  size_t low = 0, high = d->block_count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (d->blocks[mid].end <= offset)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* Blocks [*from, *to) of a page; 0 where there is no such page. */
static int page_blocks(const struct doc *d, int page, size_t *from, size_t *to) {
  size_t i = 0;
  while (i < d->break_count && d->breaks[i].page != page)
    i++;
  if (i == d->break_count)
    return 0;
  *from = item_index_block_at(d, d->breaks[i].offset);
  *to = i + 1 < d->break_count ? item_index_block_at(d, d->breaks[i + 1].offset) : d->block_count;
  return *from < *to;
}

static int is_index(const struct index *x, size_t block) {
  return block >= x->rows[x->from].block && block <= x->rows[x->to - 1].block;
}

static int heads(struct index *x, size_t block) {
  const struct doc_block *b = &x->d->blocks[block];
  const unsigned apart = DOC_BOLD | DOC_UPPERCASE | DOC_UNDERLINED | DOC_CENTERED | DOC_ITALIC;
  if (b->kind == DOC_TABLE || b->kind == DOC_PREFORMATTED || b->flags & (DOC_LINKED | DOC_FROM_TABLE) ||
      b->end - b->start > TITLE_MAX || (b->kind != DOC_HEADING && !(b->flags & apart)) || is_index(x, block))
    return 0;
  doc_view_at(&x->look, x->d, b->start, b->end);
  return x->look.whole && isalpha((unsigned char)x->look.text[0]);
}

/* Number of letters and digits in the shorter title if it is a prefix of the other; else -1. */
static int common_start(const char *a, const char *b) {
  int n = 0;
  for (;; a++, b++, n++) {
    while (*a && !isalnum((unsigned char)*a))
      a++;
    while (*b && !isalnum((unsigned char)*b))
      b++;
    if (!*a || !*b)
      return n;
    if (*a != *b)
      return -1;
  }
}

/* Scores: 3: heading and index have the same title; 2: it is one of the form's titles; 1: first on the page. */
static struct item_index_place find_place(struct index *x, const struct item_index_row *r, size_t from,
                                          size_t to, int top) {
  struct item_index_place best = {0};
  for (size_t b = from; b < to; b++) {
    if (!heads(x, b))
      continue;
    int score = top && x->d->blocks[b].start - x->d->blocks[from].start < PAGE_TOP;
    if (common_start(x->look.lower, r->title) >= TITLE_LETTERS)
      score = 3;
    else if (items_title_match(x->look.lower, x->entries[r->entry].titles))
      score = 2;
    if (score > best.score)
      best = (struct item_index_place){b, score};
  }
  return best;
}

static struct item_index_place item_index_place_of(struct index *x, const struct item_index_row *r) {
  size_t from, to;
  struct item_index_place none = {0};
  if (r->first && page_blocks(x->d, r->first, &from, &to))
    return find_place(x, r, from, to, 1);
  if (!r->first || x->d->break_count)
    return none;
  struct item_index_place p = find_place(x, r, 0, x->d->block_count, 0);
  return p.score == 3 ? p : none;
}

/* ---- items ---- */

static struct found_item *item_index_add(struct index *x, struct found_items *f, size_t block,
                                         double confidence) {
  const struct doc_block *b = &x->d->blocks[block];
  for (size_t i = 0; i < f->count; i++)
    if (f->list[i].block == block)
      return NULL;
  struct found_item *it = memset(&f->list[f->count++], 0, sizeof *f->list);
  doc_view_at(&x->look, x->d, b->start, b->end);
  it->block = block;
  it->next_block = block + 1;
  it->heading_end = b->end;
  it->title = xstrndup(x->look.text, x->look.len);
  it->confidence = confidence;
  return it;
}

static void item_index_add_row(struct index *x, const struct item_index_row *r, struct found_items *f) {
  struct item_index_place p = item_index_place_of(x, r);
  if (!p.score)
    return;
  struct found_item *it = item_index_add(x, f, p.block, p.score > 1 ? ITEMINDEX_TITLED : ITEMINDEX_PAGED);
  if (it)
    snprintf(it->item, sizeof it->item, "%s", x->entries[r->entry].item);
}

/* Text after an item's last page that starts with a heading belongs to no item. */
static void add_end(struct index *x, const struct item_index_row *r, struct found_items *f) {
  size_t from, to;
  if (!r->first || !page_blocks(x->d, r->last + 1, &from, &to))
    return;
  for (size_t b = from; b < to && x->d->blocks[b].start - x->d->blocks[from].start < PAGE_TOP; b++)
    if (heads(x, b)) {
      item_index_add(x, f, b, ITEMINDEX_PAGED);
      return;
    }
}

static int item_index_by_block(const void *a, const void *b) {
  const struct found_item *x = a, *y = b;
  return x->block < y->block ? -1 : x->block > y->block;
}

/* Entries without an item are needed only directly after one. */
static void drop_idle_ends(struct found_items *f) {
  size_t to = 0;
  for (size_t i = 0; i < f->count; i++) {
    if (f->list[i].item[0] || (to && f->list[to - 1].item[0]))
      f->list[to++] = f->list[i];
    else
      free(f->list[i].title);
  }
  f->count = to;
}

static void item_index_collect(struct index *x, struct found_items *f) {
  double sum = 0;
  f->list = xcalloc(2 * ROWS_MAX, sizeof *f->list);
  for (size_t i = x->from; i < x->to; i++)
    item_index_add_row(x, &x->rows[i], f);
  size_t items = f->count;
  for (size_t i = 0; i < items; i++)
    sum += f->list[i].confidence;
  for (size_t i = x->from; i < x->to; i++)
    add_end(x, &x->rows[i], f);
  qsort(f->list, f->count, sizeof *f->list, item_index_by_block);
  drop_idle_ends(f);
  f->confidence = items >= ROWS_LEAST ? sum / (double)items : 0;
}

void item_index_find(const struct doc *d, enum outline_form form, struct found_items *f) {
  struct index x = {.d = d};
  memset(f, 0, sizeof *f);
  x.entries = items_of(form, &x.entry_count);
  if (!x.entries)
    return;
  x.rows = xcalloc(ROWS_MAX, sizeof *x.rows);
  item_index_read_rows(&x);
  if (choose_run(&x) >= ROWS_LEAST)
    item_index_collect(&x, f);
  free(x.rows);
}
