/* page_furniture.c: printed page numbers, running headers and footers, and paragraphs that a page break split. */
#include "filing/page_furniture.h"
#include "document/doc.h"
#include "document/doc_edits.h"
#include "filing/items.h"
#include "tables/page_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT_UP 0.8 /* share of neighbouring numbers that must differ by one */
#define FRONT 8      /* unnumbered pages at the start that may share page 1: covers, contents */
#define LEAST_RUN 5  /* minimum run of bare numbers that defines pages where there are no breaks */

static int is_roman(const char *s, size_t n) {
  return n > 0 && n < 7 && strspn(s, "ivxl") >= n;
}

/* Length of "f-", "ii-", "s - " before a digit. */
static size_t lettered(const char *s) {
  size_t n = is_roman(s, strspn(s, "ivxl")) ? strspn(s, "ivxl") : isalpha((unsigned char)s[0]) ? 1 : 0;
  size_t dash = strspn(s + n, " -");
  return n && dash && memchr(s + n, '-', dash) && isdigit((unsigned char)s[n + dash]) ? n + dash : 0;
}

/* Parses a page number: "12", "- 12 -", "page 12", "page 12 of 40", "f-12", "a-3", "12 | page", "(12)", "iv".
 * Returns its value, 0 for separate numbering (roman, lettered), or -1 where the text is not a page number. */
static long page_numbers_bare(const char *s) {
  static const char *const skip = " -.|()";
  long value = -1;
  s += strspn(s, skip);
  int page = strncmp(s, "page", 4) == 0;
  s += page ? 4 : 0;
  s += strspn(s, " -.|:()");
  size_t letters = lettered(s);
  int apart = letters > 0;
  s += letters;
  size_t digits = strspn(s, "0123456789"), roman = strspn(s, "ivxl");
  if (digits && digits <= 4)
    value = apart ? 0 : atol(s);
  else if (is_roman(s, roman))
    value = 0;
  if (value < 0)
    return -1;
  s += digits ? digits : roman;
  if (*s == '.' && !page)
    return -1; /* "1." numbers a paragraph */
  s += strspn(s, skip);
  if (strncmp(s, "of ", 3) == 0) {
    s += 3;
    s += lettered(s);
    s += strspn(s, "0123456789");
  } else if (strncmp(s, "page", 4) == 0)
    s += 4;
  s += strspn(s, skip);
  return *s ? -1 : value;
}

/* The outermost run of digits at either end of a line with words: "Apple Inc. | 2025 Form 10-K | 12". */
static long page_numbers_shown(const struct doc_view *p) {
  size_t n = p->len;
  while (n && strchr(" -.|", p->lower[n - 1]))
    n--;
  size_t end = n;
  while (n && isdigit((unsigned char)p->lower[n - 1]))
    n--;
  if (end > n && end - n <= 4 && (n == 0 || !isalnum((unsigned char)p->lower[n - 1])) &&
      !(n >= 2 && p->lower[n - 1] == '-' && isalnum((unsigned char)p->lower[n - 2])))
    return atol(p->lower + n);
  size_t digits = strspn(p->lower, "0123456789");
  return digits && digits <= 4 && p->lower[digits] == ' ' ? atol(p->lower) : -1;
}

/* printed[page]: its printed number, 0 for none.  Whether these increase with the pages. */
static int count_up(const long *printed, size_t pages) {
  size_t pairs = 0, good = 0, last = SIZE_MAX;
  for (size_t i = 0; i < pages; i++) {
    if (printed[i] <= 0)
      continue;
    if (last != SIZE_MAX) {
      pairs++;
      good += printed[i] - printed[last] == (long)(i - last);
    }
    last = i;
  }
  return pairs >= 1 && (double)good >= COUNT_UP * (double)pairs;
}

/* Drops numbers that are consistent with neither neighbour: a year, a table's cell. */
static void drop_outliers(long *printed, size_t pages) {
  size_t before = SIZE_MAX;
  for (size_t i = 0; i < pages; i++) {
    if (printed[i] <= 0)
      continue;
    size_t after = i + 1;
    while (after < pages && printed[after] <= 0)
      after++;
    int fits = (before != SIZE_MAX && printed[i] - printed[before] == (long)(i - before)) ||
               (after < pages && printed[after] - printed[i] == (long)(after - i));
    if (fits)
      before = i;
    else
      printed[i] = 0;
  }
}

/* Numbers pages without a printed number from the last one that has it; those before the first are counted backwards,
 * to 1 at least. */
static void fill_pages(struct doc *d, const long *printed, size_t pages) {
  size_t first = 0;
  while (first < pages && printed[first] <= 0)
    first++;
  long page = first < pages && (long)first - printed[first] < FRONT ? printed[first] - (long)first : 1;
  for (size_t i = 0; i < pages; i++, page++) {
    if (printed[i] > 0)
      page = printed[i];
    if (i)
      d->breaks[i - 1].page = page > 0 ? (int)page : 1;
  }
}

/* Gives the breaks of d their printed numbers where these increase with the pages.  printed[page], of which there is one more than
 * breaks: 0 for none; numbers that fit no neighbour are dropped from it. */
static void page_numbers_assign(struct doc *d, long *printed) {
  size_t pages = d->break_count + 1;
  if (!count_up(printed, pages))
    return;
  drop_outliers(printed, pages);
  fill_pages(d, printed, pages);
}

/* The number of a block that is only that, else 0 or less. */
static long block_number(const struct doc *d, const struct doc_block *b, struct doc_view *look) {
  if (b->end - b->start > 24 || b->kind == DOC_TABLE)
    return -1;
  doc_view_at(look, d, b->start, b->end);
  return page_numbers_bare(look->lower);
}

/* Without breaks: makes breaks of blocks that are only a number, each one greater than the previous by one. */
static void page_numbers_breaks(struct doc *d) {
  struct doc_view *look = xmalloc(sizeof *look);
  long last = 0, n;
  size_t good = 0, count = 0;
  for (size_t b = 0; b < d->block_count; b++)
    if ((n = block_number(d, &d->blocks[b], look)) > 0) {
      good += n == last + 1;
      count++;
      last = n;
    }
  int counts = count >= LEAST_RUN && (double)good >= COUNT_UP * (double)count;
  last = 0;
  for (size_t b = 0; counts && b + 1 < d->block_count; b++) {
    n = block_number(d, &d->blocks[b], look);
    if (n <= last || n > last + 3)
      continue;
    struct doc_break *k = doc_add_break(d);
    k->offset = d->blocks[b + 1].start;
    k->page = (int)n + 1;
    last = n;
  }
  free(look);
}

/* ---- split paragraphs ----
 *
 * The text is compacted in place in one pass: a join replaces "\n\n" by one blank, so it only shrinks. */

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

/* ---- running headers and footers ----
 *
 * A candidate is one of the last FOOT blocks of a page or the first HEAD blocks of the next; text in the middle of a
 * page is never removed.  Repeated blocks are found by a hash of their letters, in which a run of digits counts as one
 * letter. */

#define FOOT 3
#define HEAD 3
#define LONGEST 120 /* limit of a running header in bytes */
#define RARE 12     /* a line with page numbers must occur on at least one page in this many */
#define REPEATS 3   /* minimum number of pages on which it occurs */

/* The decision for a block; KEPT: the first of a running header, where blocks after it may still be removed. */
enum fate { STAYS, GONE, KEPT };

struct page_furniture_candidate {
  size_t block;
  size_t page;  /* number of breaks before it */
  uint64_t key; /* hash of its letters */
  uint64_t digits;
  long number; /* page number that it contains, or -1 */
  int bare;    /* it is only a page number */
  int back;    /* links to the "table of contents" or "index" */
  int keep;    /* belongs to a table next to it */
  int item;    /* names an item, which the first of a running header may open */
};

struct finder {
  struct doc *d;
  struct page_furniture_candidate *list;
  size_t count;
  long *bare; /* per page: its bare number, or 0 */
  struct doc_view look;
};

static uint64_t page_furniture_mix(uint64_t h, unsigned char c) {
  return (h ^ c) * 1099511628211u; /* FNV-1a */
}

/* Hashes the letters, and the digits into *digits. */
static uint64_t page_furniture_key_of(const struct doc_view *p, uint64_t *digits) {
  uint64_t h = 1469598103934665603u;
  *digits = h;
  for (size_t i = 0; i < p->len; i++) {
    unsigned char c = (unsigned char)p->lower[i];
    if (isdigit(c)) {
      int inside = i && isdigit((unsigned char)p->lower[i - 1]);
      *digits = page_furniture_mix(*digits, c);
      h = inside ? h : page_furniture_mix(h, '0');
    } else if (isalpha(c) || c >= 0x80) {
      h = page_furniture_mix(h, c);
    }
  }
  return h;
}

static int has(const struct doc_view *p, const char *word) {
  return strstr(p->lower, word) != NULL;
}

/* Units and "unaudited" repeat above a table on each of its pages and belong to it; an answer such as "None." may
 * occur in several items. */
static int belongs_to_text(const struct doc_view *p) {
  static const char *const words[] = {PAGE_WORDS_TABLE_UNIT, NULL};
  if (p->lower[0] == '(' && !has(p, "continued"))
    return 1;
  for (int i = 0; words[i]; i++)
    if (has(p, words[i]))
      return 1;
  return 0;
}

/* The item that a block names, by number or title; "" for none. */
static void named_item(struct finder *f, size_t block, char number[16]) {
  struct item_heading l;
  size_t cursor = 0;
  const char *item;
  number[0] = '\0';
  if (block >= f->d->block_count || f->d->blocks[block].end - f->d->blocks[block].start > 2 * LONGEST)
    return;
  doc_view_at(&f->look, f->d, f->d->blocks[block].start, f->d->blocks[block].end);
  if (item_heading_read(f->look.lower, &l) && l.number_count)
    snprintf(number, 16, "%s", l.numbers[0]);
  else if ((item = items_whole_title(f->look.lower, &cursor)) != NULL)
    snprintf(number, 16, "%s", item);
}

static void consider(struct finder *f, size_t block, size_t page) {
  const struct doc_block *b = &f->d->blocks[block];
  char number[16];
  if (b->end - b->start > 2 * LONGEST)
    return;
  doc_view_at(&f->look, f->d, b->start, b->end);
  if (!f->look.len || !f->look.whole || f->look.len > LONGEST)
    return;
  f->list = xgrow(f->list, f->count, sizeof *f->list);
  struct page_furniture_candidate *c = &f->list[f->count++];
  *c = (struct page_furniture_candidate){.block = block, .page = page};
  c->key = page_furniture_key_of(&f->look, &c->digits);
  c->number = page_numbers_bare(f->look.lower);
  c->bare = c->number >= 0;
  c->key = c->bare ? 1 : c->key;
  if (!c->bare)
    c->number = page_numbers_shown(&f->look);
  c->back = strncmp(f->look.lower, "table of contents", 17) == 0 || strcmp(f->look.lower, "index") == 0;
  c->keep = !c->bare && belongs_to_text(&f->look);
  if (c->bare)
    return;
  named_item(f, block, number);
  c->item = number[0] != '\0';
}

/* Collects the blocks around every break, each once. */
static void page_furniture_gather(struct finder *f) {
  const struct doc *d = f->d;
  size_t block = 0, done = 0;
  for (size_t i = 0; i < d->break_count; i++) {
    size_t offset = d->breaks[i].offset;
    while (block < d->block_count && d->blocks[block].start < offset)
      block++;
    size_t next = i + 1 < d->break_count ? d->breaks[i + 1].offset : d->text.len;
    size_t from = block > FOOT ? block - FOOT : 0;
    size_t b = from > done ? from : done;
    for (; b < block + HEAD && b < d->block_count && (b < block || d->blocks[b].start < next); b++)
      if (b >= block || !i || d->blocks[b].start >= d->breaks[i - 1].offset)
        consider(f, b, b < block ? i : i + 1);
    done = b > done ? b : done;
  }
  for (size_t k = 0; d->break_count && k < FOOT && done + k < d->block_count; k++) {
    size_t b = d->block_count - FOOT + k;
    if (d->block_count >= FOOT && b >= done)
      consider(f, b, d->break_count);
  }
}

static int by_key(const void *a, const void *b) {
  const struct page_furniture_candidate *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->block < y->block ? -1 : x->block > y->block;
}

/* Whether the numbers in a run of equal lines increase with the pages: then they are page numbers, not a year or an
 * amount. */
static int counts_pages(const struct page_furniture_candidate *c, size_t n) {
  size_t good = 0;
  for (size_t i = 1; i < n; i++)
    good +=
        c[i].number > c[i - 1].number && c[i].number - c[i - 1].number == (long)(c[i].page - c[i - 1].page);
  return good * 5 >= 3 * (n - 1);
}

static size_t distinct_pages(const struct page_furniture_candidate *c, size_t n) {
  size_t pages = n ? 1 : 0;
  for (size_t i = 1; i < n; i++)
    pages += c[i].page != c[i - 1].page;
  return pages;
}

/* A running header occurs on consecutive (or every other) pages, unlike a heading that happens to start three pages. */
static int page_furniture_runs_on(const struct page_furniture_candidate *c, size_t n) {
  size_t near = 0;
  for (size_t i = 1; i < n; i++)
    near += c[i].page - c[i - 1].page <= 2;
  return near * 4 >= 3 * (n - 1);
}

/* Whether a bare number increases with the pages between neighbours; some breaks may have been missed. */
static int goes_up(const struct page_furniture_candidate *a, const struct page_furniture_candidate *b) {
  long number = b->number - a->number, page = (long)b->page - (long)a->page;
  return a->number > 0 && b->number > 0 && page > 0 && number >= page && number <= page + 3;
}

/* Removes bare page numbers; other numbers at the edge of a page are text. */
static void judge_bare(struct finder *f, struct page_furniture_candidate *c, size_t n, unsigned char *gone) {
  for (size_t i = 0; i < n; i++) {
    int fits =
        c[i].number == 0 || (i && goes_up(&c[i - 1], &c[i])) || (i + 1 < n && goes_up(&c[i], &c[i + 1]));
    gone[c[i].block] = n > 1 && fits ? GONE : STAYS;
    if (!gone[c[i].block])
      c[i].number = -1;
    else if (c[i].number > 0)
      f->bare[c[i].page] = c[i].number;
  }
}

/* Whether a page has a bare number that differs from the one in this line. */
static int contradicts(const struct finder *f, const struct page_furniture_candidate *c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (f->bare[c[i].page] && f->bare[c[i].page] != c[i].number)
      return 1;
  return 0;
}

/* Whether lines differ only in numbers that are not page numbers: "Proposal No.  1", "No.  2" ... */
static int digits_vary(const struct page_furniture_candidate *c, size_t n) {
  size_t varied = 0;
  for (size_t i = 1; i < n; i++)
    varied += c[i].digits != c[i - 1].digits;
  return varied * 4 > n - 1;
}

/* Removes running lines, except the first of those without a page number. */
static void judge_running(const struct finder *f, struct page_furniture_candidate *c, size_t n,
                          unsigned char *gone) {
  int often = distinct_pages(c, n) >= REPEATS;
  int numbered = often && n * RARE >= f->d->break_count && counts_pages(c, n) && !contradicts(f, c, n);
  int running =
      often && !c->keep && (numbered || c->back || (page_furniture_runs_on(c, n) && !digits_vary(c, n)));
  size_t first = c->item || !numbered; /* a line that opens its item is kept */
  for (size_t i = 0; i < n; i++) {
    if (running)
      gone[c[i].block] = c[i].back || i >= first ? GONE : KEPT;
    if (!running || !numbered)
      c[i].number = -1;
  }
}

static void judge_all(struct finder *f, unsigned char *gone) {
  if (f->count)
    qsort(f->list, f->count, sizeof *f->list, by_key);
  for (size_t from = 0, to; from < f->count; from = to) {
    for (to = from + 1; to < f->count && f->list[to].key == f->list[from].key; to++)
      ;
    if (f->list[from].bare)
      judge_bare(f, f->list + from, to - from, gone);
    else
      judge_running(f, f->list + from, to - from, gone);
  }
}

/* Keeps blocks that are separated from the edge of the page by text. */
static void keep_inner(const struct doc *d, unsigned char *gone) {
  unsigned char *edge = xcalloc(d->block_count + 1, 1);
  size_t block = 0;
  for (size_t i = 0; i < d->break_count; i++) {
    while (block < d->block_count && d->blocks[block].start < d->breaks[i].offset)
      block++;
    for (size_t b = block; b > 0 && block - b < FOOT && gone[b - 1]; b--)
      edge[b - 1] = 1;
    for (size_t b = block; b < d->block_count && b - block < HEAD && gone[b]; b++)
      edge[b] = 1;
  }
  for (size_t k = d->block_count; k > 0 && d->block_count - k < FOOT && gone[k - 1]; k--)
    edge[k - 1] = 1;
  for (size_t b = 0; b < d->block_count; b++)
    gone[b] = gone[b] == GONE && edge[b];
  free(edge);
}

static void remove_gone(struct doc *d, const unsigned char *gone) {
  struct doc_edits e;
  doc_edits_init(&e);
  for (size_t from = 0, to; from < d->block_count; from = to) {
    for (to = from + 1; gone[from] && to < d->block_count && gone[to]; to++)
      ;
    if (gone[from])
      doc_edits_remove(&e, d, from, to);
  }
  doc_edits_apply(&e, d);
  doc_edits_release(&e);
}

static void number_pages(struct doc *d, const struct finder *f) {
  size_t pages = d->break_count + 1;
  long *printed = xcalloc(pages, sizeof *printed);
  for (size_t i = 0; i < f->count; i++)
    if (f->list[i].number > 0 && !printed[f->list[i].page])
      printed[f->list[i].page] = f->list[i].number;
  page_numbers_assign(d, printed);
  free(printed);
}

void page_furniture_remove(struct doc *d) {
  struct finder *f = xcalloc(1, sizeof *f);
  unsigned char *gone = xcalloc(d->block_count + 1, 1);
  f->d = d;
  if (!d->break_count)
    page_numbers_breaks(d);
  f->bare = xcalloc(d->break_count + 1, sizeof *f->bare);
  page_furniture_gather(f);
  judge_all(f, gone);
  keep_inner(d, gone);
  if (!d->sheets)
    number_pages(d, f);
  remove_gone(d, gone);
  free(f->list);
  free(f->bare);
  free(f);
  free(gone);
}
