/* page_table.c: reads a Markdown table back: its head, its rows, and the widths that its columns need. */
#include "page/page_table.h"

#include "base/mask.h"
#include "base/screen.h"

/* ---- rows ---- */

int page_is_rule(struct slice line) {
  int dashes = 0;
  for (size_t i = 0; i < line.len; i++) {
    dashes |= line.data[i] == '-';
    if (!strchr("|-: \r", line.data[i]))
      return 0;
  }
  return dashes && *line.data == '|';
}

size_t page_cell_end(struct slice row, size_t from) {
  while (from < row.len && (row.data[from] != '|' || row.data[from - 1] == '\\'))
    from++;
  return from;
}

static void page_split_row(struct slice line, struct page_row *row) {
  row->count = 0;
  for (size_t from = 1, end; from <= line.len; from = end + 1) {
    end = row->count < PAGE_COLUMNS - 1 ? page_cell_end(line, from) : line.len;
    struct slice cell = slice_trimmed(slice_of(line.data + from, end - from));
    if (end < line.len || cell.len)
      row->cell[row->count++] = cell;
  }
}

int page_next_row(const struct page_table *t, size_t *at, struct page_row *row) {
  while (*at < t->rows.len) {
    struct slice line = page_line(t->rows, *at);
    *at += line.len + 1;
    if (line.len == 0 || page_is_rule(line))
      continue;
    page_split_row(line, row);
    return 1;
  }
  return 0;
}

/* Whether it is a number, an amount, a percentage or a dash, which is never wrapped. */
static int page_is_figure(struct slice cell) {
  size_t digits = 0, letters = 0;
  for (size_t i = 0; i < cell.len; i++) {
    char c = cell.data[i];
    digits += c >= '0' && c <= '9';
    letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  return digits ? letters <= 3 && cell.len <= 32 : slice_is(cell, "-") || slice_is(cell, "\xe2\x80\x94");
}

/* ---- heads ---- */

/* Reads the alignment of each column from the header rule; 0 where the line is none. */
static int head_rule(struct page_table *t, struct slice line) {
  struct page_row row;
  if (line.len == 0 || !page_is_rule(line))
    return 0;
  page_split_row(line, &row);
  for (size_t i = 0; i < row.count; i++)
    if (row.cell[i].len && row.cell[i].data[row.cell[i].len - 1] == ':')
      t->right |= 1ULL << i;
  return 1;
}

/* Detects columns of figures where there is no rule. */
static void head_guess_right(struct page_table *t) {
  struct page_row row;
  int more[PAGE_COLUMNS] = {0}; /* excess of figures over texts */
  for (size_t at = 0; page_next_row(t, &at, &row);)
    for (size_t i = 1; i < row.count; i++)
      more[i] += row.cell[i].len == 0 ? 0 : page_is_figure(row.cell[i]) ? 1 : -1;
  for (size_t i = 1; i < PAGE_COLUMNS; i++)
    t->right |= (unsigned long long)(more[i] > 0) << i;
}

static void head_split(struct slice head, struct page_row *row) {
  row->count = 0;
  while (head.len && row->count < PAGE_COLUMNS) {
    const char *bar = memmem(head.data, head.len, " | ", 3);
    size_t n = bar && row->count < PAGE_COLUMNS - 1 ? (size_t)(bar - head.data) : head.len;
    row->cell[row->count++] = slice_of(head.data, n);
    head = n < head.len ? slice_of(head.data + n + 3, head.len - n - 3) : slice_of(NULL, 0);
  }
}

/* A header from the context has no empty cells.  It has as many cells as the table, or one less if the first cell is
 * a period; otherwise its cells can't be assigned to columns. */
static void head_take(struct page_table *t, struct slice head) {
  struct page_row row;
  head_split(head, &row);
  size_t skip = row.count && t->columns == row.count + 1 && page_is_figure(row.cell[row.count - 1]);
  for (size_t i = 0; skip && i < row.cell[0].len; i++)
    if (row.cell[0].data[i] >= '0' && row.cell[0].data[i] <= '9')
      skip = 2;
  skip = skip == 2;
  if (row.count + skip != t->columns) {
    t->above = head;
    return;
  }
  t->head.cell[0] = slice_of("", 0);
  memcpy(t->head.cell + skip, row.cell, row.count * sizeof *row.cell);
  t->head.count = t->columns;
}

/* Length of the common suffix of two texts. */
static size_t head_same_end(struct slice a, struct slice b) {
  size_t n = 0;
  while (n < a.len && n < b.len && a.data[a.len - 1 - n] == b.data[b.len - 1 - n])
    n++;
  return n;
}

enum { HEAD_SHARED = 12 }; /* minimum length of a suffix that all headers share, which is then shown once */

/* Removes such a suffix, from a blank on, from the headers. */
static void head_take_shared(struct page_table *t) {
  struct page_row *h = &t->head;
  size_t n = h->count > 2 ? h->cell[1].len : 0;
  for (size_t i = 2; i < h->count; i++) {
    size_t same = head_same_end(h->cell[1], h->cell[i]);
    n = same < n ? same : n;
  }
  while (n > 0 && h->cell[1].data[h->cell[1].len - n] != ' ')
    n--;
  if (n < HEAD_SHARED || memchr(h->cell[1].data + h->cell[1].len - n, '(', n) == NULL)
    return;
  t->above = slice_trimmed(slice_of(h->cell[1].data + h->cell[1].len - n, n));
  for (size_t i = 1; i < h->count; i++)
    h->cell[i] = slice_trimmed(slice_of(h->cell[i].data, h->cell[i].len - n));
}

void page_table_read(struct page_table *t, struct slice lines, struct slice head) {
  struct page_row row;
  *t = (struct page_table){.rows = lines};
  size_t first = page_line(lines, 0).len + 1, all = 0;
  int has_head = first < lines.len && head_rule(t, page_line(lines, first));
  if (has_head) {
    page_split_row(page_line(lines, 0), &t->head);
    t->rows = slice_of(lines.data + first, lines.len - first);
  }
  for (size_t i = 0; i < t->head.count; i++)
    all += t->head.cell[i].len;
  t->columns = t->head.count;
  if (all == 0)
    t->head.count = 0;
  for (size_t at = 0; page_next_row(t, &at, &row);)
    t->columns = row.count > t->columns ? row.count : t->columns;
  if (!has_head) {
    head_guess_right(t);
    head_take(t, head);
  }
  head_take_shared(t);
}

/* ---- widths ---- */

int page_cell_line(struct slice cell, size_t width, size_t *at, struct slice *line) {
  while (*at < cell.len && cell.data[*at] == ' ')
    ++*at;
  if (*at >= cell.len)
    return 0;
  size_t used = 0, end = *at, blank = 0;
  while (end < cell.len) {
    uint32_t c;
    size_t n = mask_decode(cell.data + end, cell.len - end, &c), w = (size_t)mask_columns(c);
    if (c == ' ')
      blank = end;
    if (used + w > width && end > *at)
      break;
    used += w;
    end += n;
  }
  if (end < cell.len && cell.data[end] != ' ' && blank > *at)
    end = blank;
  *line = slice_trimmed(slice_of(cell.data + *at, end - *at));
  *at = end;
  return 1;
}

enum {
  LAYOUT_LABEL = 16, /* columns for the words of a label, */
  LAYOUT_WORD = 12,  /* and for other words, that are never split */
  LAYOUT_LEAST = 4   /* minimum for a label beside figures that need all other space */
};

struct layout_need {
  size_t head, head_word; /* width of the header and of its longest word */
  size_t body, piece;     /* width of the widest cell and of its longest word or figure */
};

static size_t layout_word(struct slice text) {
  size_t most = 0;
  for (size_t from = 0, end; from < text.len; from = end + 1) {
    for (end = from; end < text.len && text.data[end] != ' ';)
      end++;
    size_t n = screen_text_columns(slice_of(text.data + from, end - from));
    most = n > most ? n : most;
  }
  return most;
}

static size_t layout_most(size_t a, size_t b) {
  return a > b ? a : b;
}

static size_t layout_at_most(size_t n, size_t limit) {
  return n < limit ? n : limit;
}

int page_row_is_label(const struct page_row *row) {
  size_t i = 1;
  while (i < row->count && row->cell[i].len == 0)
    i++;
  return i >= row->count;
}

static void layout_measure(struct layout_need *need, const struct page_table *t) {
  struct page_row row;
  for (size_t i = 0; i < t->head.count; i++) {
    need[i].head = screen_text_columns(t->head.cell[i]);
    need[i].head_word = layout_at_most(layout_word(t->head.cell[i]), i ? LAYOUT_WORD : LAYOUT_LABEL);
  }
  for (size_t at = 0; page_next_row(t, &at, &row);) {
    int label = row.count > 1 && page_row_is_label(&row);
    for (size_t i = 0; i < row.count; i++) {
      size_t n = screen_text_columns(row.cell[i]);
      size_t piece = page_is_figure(row.cell[i])
                         ? n
                         : layout_at_most(layout_word(row.cell[i]), i ? LAYOUT_WORD : LAYOUT_LABEL);
      if (i > 0 || !label)
        need[i].body = layout_most(need[i].body, n);
      need[i].piece = layout_most(need[i].piece, piece);
    }
  }
}

static size_t layout_total(const struct page_layout *l, size_t columns) {
  size_t all = 0;
  for (size_t i = 0; i < columns; i++)
    all += l->width[i] + (i > 0 ? PAGE_GAP : 0);
  return all;
}

/* Shrinks the widest columns first, none below its floor, until all fit. */
static void layout_shrink(struct page_layout *l, size_t columns, const size_t *floor, size_t room) {
  for (size_t all = layout_total(l, columns); all > room; all--) {
    size_t widest = columns;
    for (size_t i = 0; i < columns; i++)
      if (l->width[i] > floor[i] && (widest == columns || l->width[i] > l->width[widest]))
        widest = i;
    if (widest == columns)
      return;
    l->width[widest]--;
  }
}

size_t page_layout_width(const struct page_layout *l, size_t block) {
  size_t all = l->width[0];
  for (size_t i = l->from[block]; i < l->from[block + 1]; i++)
    all += PAGE_GAP + l->width[i];
  return all;
}

/* Distributes columns to blocks, as many as fit into each; labels get the remaining space. */
static void layout_part(struct page_layout *l, size_t columns, size_t room, size_t label) {
  size_t used = room + 1, most = 0;
  for (size_t i = 1; i < columns; i++)
    most = layout_most(most, l->width[i]);
  if (columns > 1 && l->width[0] + PAGE_GAP + most > room)
    l->width[0] = room > most + PAGE_GAP + LAYOUT_LEAST ? room - most - PAGE_GAP : LAYOUT_LEAST;
  l->blocks = 0;
  for (size_t i = 1; i < columns; i++) {
    l->width[i] =
        layout_at_most(l->width[i], layout_most(room - layout_at_most(room, l->width[0] + PAGE_GAP), 1));
    if (used + PAGE_GAP + l->width[i] > room) {
      l->from[l->blocks++] = i;
      used = l->width[0];
    }
    used += PAGE_GAP + l->width[i];
  }
  if (columns <= 1)
    l->from[l->blocks++] = 1;
  l->from[l->blocks] = layout_most(columns, 1);
  for (size_t i = most = 0; i < l->blocks; i++)
    most = layout_most(most, page_layout_width(l, i));
  l->width[0] = layout_at_most(label, l->width[0] + (room > most ? room - most : 0));
}

void page_layout_fit(struct page_layout *l, const struct page_table *t, size_t room) {
  struct layout_need need[PAGE_COLUMNS] = {0};
  size_t heads_wrapped[PAGE_COLUMNS], least[PAGE_COLUMNS], label;
  *l = (struct page_layout){0};
  layout_measure(need, t);
  for (size_t i = 0; i < t->columns; i++) {
    l->width[i] = layout_at_most(layout_most(need[i].head, need[i].body), layout_most(room, need[i].piece));
    least[i] = layout_most(layout_most(need[i].piece, need[i].head_word), 1);
    heads_wrapped[i] = layout_most(need[i].body, least[i]);
  }
  label = layout_most(l->width[0], 1);
  layout_shrink(l, t->columns, heads_wrapped, room);
  layout_shrink(l, t->columns, least, room);
  layout_part(l, t->columns, room, label);
}
