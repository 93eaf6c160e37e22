/* table_grid.c: from the cells of HTML to a matrix as the reader sees it, table_grid.h.
 *
 * First each cell gets a kind (a number, a year, a sign, a dash, text) and its text as one line.  Filings lay out one
 * column of numbers with three to six HTML columns: a spacer, "$", the number, ")" or "%", a footnote mark; rows
 * without "$" let the number span two of them.  So signs are joined to their numbers, then the cells get columns
 * (table_layout.c), and the rows of the header are told from the others.
 */
#include "document/table_grid.h"
#include "tables/page_words.h"
#include "tables/symbols.h"

/* ---- kinds ---- */

static const char *const currencies[] = {"$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xB9", NULL};
static const char *const dashes[] = {"-", SYMBOLS_DASH, NULL};
static const char *const no_number[] = {PAGE_WORDS_NO_NUMBER, NULL};

static int is_digit(char c) {
  return c >= '0' && c <= '9';
}

static size_t one_of(const char *const *list, struct slice s) {
  if (!s.len || is_digit(s.data[0]) || s.data[0] == ' ' || s.data[0] == ')') /* no currency */
    return 0;
  for (size_t i = 0; list[i]; i++) {
    if (list[i][0] != s.data[0])
      continue;
    size_t len = strlen(list[i]);
    if (s.len >= len && memcmp(s.data, list[i], len) == 0)
      return len;
  }
  return 0;
}

static struct slice skip(struct slice s, size_t n) {
  return slice_of(s.data + n, s.len - n);
}

static int table_cell_is_letter(char c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* Length of currency signs with their letters ("US$", "C$"), blanks and opening parentheses. */
static size_t prefix_length(struct slice s) {
  size_t n = 0, letters = 0;
  while (letters < 3 && letters < s.len && s.data[letters] >= 'A' && s.data[letters] <= 'Z')
    letters++;
  if (letters && one_of(currencies, skip(s, letters)))
    n = letters;
  while (n < s.len) {
    size_t sign = one_of(currencies, skip(s, n));
    if (!sign && s.data[n] != '(' && s.data[n] != ' ' && s.data[n] != '+')
      break;
    n += sign ? sign : 1;
  }
  return n;
}

/* Length of ")", "%" and blanks. */
static size_t suffix_length(struct slice s) {
  size_t n = 0;
  while (n < s.len && (s.data[n] == ')' || s.data[n] == '%' || s.data[n] == ' '))
    n++;
  return n;
}

static int is_dash(struct slice s) {
  size_t n;
  while ((n = one_of(dashes, s)) != 0)
    s = skip(s, n);
  return suffix_length(s) == s.len;
}

/* Length of a footnote mark: "*", a dagger, "(a)", "(12)". */
static size_t one_mark(struct slice s) {
  if (s.len && (*s.data == '*' || *s.data == '^'))
    return 1;
  if (s.len >= 3 && (memcmp(s.data, "\xE2\x80\xA0", 3) == 0 || memcmp(s.data, "\xE2\x80\xA1", 3) == 0))
    return 3;
  size_t close = 1;
  if (s.len < 3 || *s.data != '(')
    return 0;
  while (close < s.len && close < 4 && (is_digit(s.data[close]) || table_cell_is_letter(s.data[close])))
    close++;
  return close > 1 && close < s.len && s.data[close] == ')' ? close + 1 : 0;
}

/* Length of the footnote marks that may follow a number, separated by commas and blanks. */
static size_t table_cell_mark_length(struct slice s) {
  size_t n = 0, gap = 0, mark;
  while ((mark = one_mark(skip(s, n + gap))) != 0 ||
         (n + gap < s.len && (s.data[n + gap] == ',' || s.data[n + gap] == ' '))) {
    n = mark ? n + gap + mark : n;
    gap = mark ? 0 : gap + 1;
  }
  return n;
}

/* Length of digits with commas and points, or of a ratio (2.0:1); *plain: only four digits. */
static size_t digits_length(struct slice s, int *plain) {
  size_t n = 0, digits = 0;
  for (; n < s.len && (is_digit(s.data[n]) || s.data[n] == ',' || s.data[n] == '.' || s.data[n] == ':'); n++)
    digits += is_digit(s.data[n]) != 0;
  *plain = n == 4 && digits == 4;
  return digits ? n : 0;
}

static int is_year_number(struct slice s) {
  return (s.data[0] == '1' && s.data[1] == '9') || (s.data[0] == '2' && s.data[1] == '0');
}

static const char *const units[] = {"x", "bps", "bp", "pts", "pp", "ppts", "X", NULL};

static struct slice skip_unit(struct slice s) {
  s = skip(s, suffix_length(s));
  s = skip(s, one_of(units, s));
  s = skip(s, suffix_length(s));
  s = skip(s, table_cell_mark_length(s));
  s = skip(s, suffix_length(s));
  return skip(s, table_cell_mark_length(s));
}

/* Skips a sign, blanks and digits; returns the rest, or an empty slice where there are no digits. */
static struct slice skip_digits(struct slice s, size_t *digits, int *plain) {
  s = skip(s, one_of(dashes, s));
  while (s.len && (*s.data == ' ' || *s.data == '$'))
    s = skip(s, 1);
  *digits = digits_length(s, plain);
  return skip(s, *digits);
}

/* Classifies a number after its prefix, or a range of two numbers: signs, unit and footnote marks. */
static enum cell_kind number_kind(struct slice s, int bare) {
  int plain;
  size_t digits, dash;
  struct slice rest = skip_digits(s, &digits, &plain);
  if (digits == 0)
    return CELL_TEXT;
  if (plain && bare && is_digit(*s.data) && is_year_number(s)) {
    struct slice marks = rest.len && *rest.data == ' ' ? skip(rest, 1) : rest;
    if (table_cell_mark_length(marks) == marks.len)
      return CELL_YEAR;
  }
  int tight = rest.len > 1 && *rest.data == '-' && rest.data[1] != ' '; /* "85018-2700" is a ZIP code */
  rest = skip_unit(rest);
  dash = tight ? 0 : one_of(dashes, rest);
  if (dash || (rest.len > 3 && memcmp(rest.data, "to ", 3) == 0)) {
    rest = skip_digits(skip(rest, dash ? dash : 3), &digits, &plain);
    rest = digits ? skip_unit(rest) : rest;
  }
  return rest.len ? CELL_TEXT : CELL_NUMBER;
}

/* The kind of a line of text. */
static enum cell_kind table_cell_kind_of(struct slice s) {
  if (s.len == 0 || s.len > 40 || (s.len > 4 && table_cell_is_letter(s.data[0]) && !memchr(s.data, '$', 4)))
    return CELL_TEXT; /* most labels; "N/A" and "US$ 5" don't start like that */
  size_t prefix = prefix_length(s);
  if (prefix == s.len)
    return CELL_PREFIX;
  if (suffix_length(s) == s.len)
    return CELL_SUFFIX;
  struct slice rest = skip(s, prefix);
  if (is_dash(rest) || one_of(no_number, rest) == rest.len)
    return CELL_DASH;
  enum cell_kind kind = number_kind(rest, prefix == 0);
  if (kind == CELL_TEXT && table_cell_mark_length(s) == s.len)
    return CELL_MARK;
  return kind;
}

/* ---- text of a cell ---- */

/* Removes blanks between a sign and its digits, which are layout only. */
static size_t close_up(char *s, size_t len) {
  size_t to = 0;
  for (size_t i = 0; i < len; i++) {
    if (s[i] == ' ' && to > 0) {
      char before = s[to - 1], behind = i + 1 < len ? s[i + 1] : ' ';
      if (before == '$' || before == '(' || behind == ')' || behind == '%')
        continue;
    }
    s[to++] = s[i];
  }
  return to;
}

/* Removes the blanks in "$ 5" and "( 5 )", which are layout only; the cell's text must be the last one in t->flat. */
static void table_cell_close_up(struct table *t, struct table_cell *c) {
  c->flat_len = close_up(t->flat.data + c->flat, c->flat_len);
  t->flat.len = c->flat + c->flat_len;
}

/* Appends a cell's text to t->flat as one line. */
static void table_cell_flatten(struct table *t, struct table_cell *c) {
  unsigned flags = 0;
  c->flat = t->flat.len;
  c->bold = 1;
  for (uint32_t i = c->piece_from; i < c->piece_to; i++) {
    const struct table_piece *p = &t->pieces[i];
    if (p->look.page_break || p->end == p->start)
      continue;
    if (t->flat.len > c->flat)
      buf_add_char(&t->flat, ' ');
    if (p->look.mark[0])
      buf_add_str(&t->flat, p->look.mark);
    buf_add(&t->flat, t->text.data + p->start, p->end - p->start);
    c->bold = c->bold && (p->look.flags & DOC_BOLD);
    flags = p->look.flags;
  }
  c->bold = c->bold || (flags & (DOC_UNDERLINED | DOC_LINKED)) == DOC_UNDERLINED;
  c->flat_len = t->flat.len - c->flat;
  for (size_t i = c->flat; i < t->flat.len; i++)
    if (t->flat.data[i] == '\n')
      t->flat.data[i] = ' ';
}

/* Appends the text of a cell and sets its kind; CELL_GONE for an empty one. */
static void table_cell_find_kind(struct table *t, struct table_cell *c) {
  table_cell_flatten(t, c);
  if (c->flat_len == 0) {
    c->kind = CELL_GONE;
    return;
  }
  c->kind = (uint8_t)table_cell_kind_of(table_cell_text(t, c));
  if (table_cell_is_numeric((enum cell_kind)c->kind))
    table_cell_close_up(t, c);
}

/* ---- signs ---- */

/* Merges `from`, the cell before or after c, into c; their joined text is written anew. */
static void join(struct table *t, struct table_cell *c, struct table_cell *from, int before,
                 const char *gap) {
  struct slice a = table_cell_text(t, before ? from : c), b = table_cell_text(t, before ? c : from);
  size_t start = t->flat.len;
  if (buf_reserve(&t->flat, a.len + b.len + 2))
    return;
  a = table_cell_text(t, before ? from : c),
  b = table_cell_text(t, before ? c : from); /* the text may have moved */
  buf_add_slice(&t->flat, a);
  buf_add_str(&t->flat, gap);
  buf_add_slice(&t->flat, b);
  c->flat = start;
  c->flat_len = t->flat.len - start;
  table_cell_close_up(t, c);
  uint32_t end = c->column + c->columns, other = from->column + from->columns;
  c->column = c->column < from->column ? c->column : from->column;
  c->columns = (end > other ? end : other) - c->column;
  c->fact |= from->fact;
  from->kind = CELL_GONE;
}

/* Merges "$" | "(5" | ")" into one cell: a sign is joined to an adjacent number, dash or sign among the non-empty
 * cells of its row. */
static void join_signs(struct table *t) {
  struct table_cell *before = NULL;
  for (size_t i = 0; i < t->cell_count; i++) {
    struct table_cell *c = &t->cells[i];
    if (c->kind == CELL_GONE)
      continue;
    if (before && (before->row != c->row || before->rows != c->rows))
      before = NULL;
    enum cell_kind kind = (enum cell_kind)c->kind;
    if (before && before->kind == CELL_PREFIX && table_cell_is_numeric(kind)) {
      join(t, c, before, 1, "");
      c->kind = kind == CELL_YEAR ? CELL_NUMBER : (uint8_t)kind;
    } else if (before && table_cell_is_numeric((enum cell_kind)before->kind) &&
               (kind == CELL_SUFFIX || kind == CELL_MARK)) {
      join(t, before, c, 0, kind == CELL_MARK ? " " : "");
      if (before->kind == CELL_YEAR && kind == CELL_SUFFIX)
        before->kind = CELL_NUMBER;
      continue;
    }
    before = c;
  }
}

/* ---- matrix ---- */

/* Puts cell n into a place, after any cells already there. */
static void table_grid_put(struct table *t, size_t row, size_t column, uint32_t n) {
  uint32_t *at = &t->matrix[row * t->columns_used + column];
  if (!*at)
    *at = n + 1;
  else
    t->cells[t->cells[*at - 1].tail].beside = n + 1;
  t->cells[*at - 1].tail = n;
}

static int fill_matrix(struct table *t) {
  size_t size = (size_t)t->row_count * t->columns_used;
  if (size > TABLE_MATRIX)
    return -1;
  if (size > t->matrix_cap) {
    t->matrix_cap = size * 2;
    t->matrix = xreallocarray(t->matrix, t->matrix_cap, sizeof *t->matrix);
  }
  if (size)
    memset(t->matrix, 0, size * sizeof *t->matrix);
  for (size_t i = 0; i < t->cell_count; i++) {
    struct table_cell *c = &t->cells[i];
    if (c->kind == CELL_GONE)
      continue;
    table_columns_place(t, c);
    table_grid_put(t, c->row, c->first, (uint32_t)i);
  }
  return 0;
}

/* ---- columns of footnote marks ---- */

/* Whether the text is a footnote mark: "(1)", "(a)", "*". */
static int is_note(struct slice s) {
  return s.len > 0 && s.len <= 12 && table_cell_mark_length(s) == s.len;
}

/* Whether the column has only footnote marks. *led: each of them follows a cell of the previous column. */
static int has_notes_only(const struct table *t, size_t column, int *led) {
  int any = 0;
  *led = 1;
  for (size_t row = 0; row < t->row_count; row++) {
    const struct table_cell *c = table_at(t, row, column);
    if (!c)
      continue;
    if (c->first != c->last)
      continue;
    if (c->beside || !is_note(table_cell_text(t, c)))
      return 0;
    const struct table_cell *left = table_at(t, row, column - 1);
    *led = *led && left && left->last < column;
    any = 1;
  }
  return any;
}

/* Joins marks to the cells that they follow; marks before text are text, not negative numbers.  1 where cells were
 * joined. */
static int settle_notes(struct table *t) {
  int joined = 0, led;
  for (size_t i = 1; i < t->columns_used; i++) {
    if (!has_notes_only(t, i, &led))
      continue;
    for (size_t row = 0; row < t->row_count; row++) {
      struct table_cell *c = table_at(t, row, i);
      if (c && c->first != c->last)
        continue;
      if (c && led)
        join(t, table_at(t, row, i - 1), c, 0, " ");
      else if (c)
        c->kind = CELL_TEXT;
    }
    joined |= led;
    if (led)
      i++; /* the left neighbour of the next column is gone */
  }
  return joined;
}

/* ---- header ---- */

struct row_look {
  size_t cells;
  int data, years, full, beyond, header;
  int label, bold_beyond; /* text in the first column; bold text in another one */
};

/* Inspects a row of the matrix: data means numbers after the first column; years alone mean a header. */
static struct row_look table_grid_look_at(const struct table *t, size_t row) {
  struct row_look r = {0};
  r.header = 1;
  for (size_t i = 0; i < t->columns_used; i++) {
    const struct table_cell *c = table_at(t, row, i);
    if (!c)
      continue;
    r.cells++;
    r.full = c->first == 0 && c->last + 1 == t->columns_used && t->columns_used > 1;
    r.beyond |= c->first > 0;
    r.label |= i == 0;
    r.years |= c->kind == CELL_YEAR;
    r.bold_beyond |= i > 0 && (c->bold || c->header);
    r.header = r.header && (c->header || c->bold) && c->flat_len < 200;
    r.data |= c->fact || c->tagged || (i > 0 && (c->kind == CELL_NUMBER || c->kind == CELL_DASH));
  }
  r.full = r.full && r.cells == 1;
  r.header = r.header && r.cells > 0;
  return r;
}

/* Number of rows at the top that span all columns and are not data. */
static uint32_t count_captions(const struct table *t) {
  uint32_t n = 0;
  for (; n < t->row_count; n++) {
    struct row_look r = table_grid_look_at(t, n);
    if (r.cells && !r.full)
      break;
  }
  return n;
}

static uint32_t count_notes(const struct table *t) {
  uint32_t n = 0;
  while (n < t->row_count) {
    struct row_look r = table_grid_look_at(t, t->row_count - 1 - n);
    if (r.cells && (!r.full || r.data))
      break;
    n++;
  }
  return n;
}

/* Whether the table is mainly numbers. */
static int is_numeric_table(const struct table *t) {
  size_t numbers = 0, cells = 0;
  for (size_t i = 0; i < t->cell_count; i++) {
    const struct table_cell *c = &t->cells[i];
    if (c->kind == CELL_GONE || c->first == 0)
      continue;
    cells++;
    numbers += c->fact || table_cell_is_numeric((enum cell_kind)c->kind);
  }
  return numbers * 4 >= cells;
}

#define HEADER_ROWS 16

/* The header of a table of numbers ends with the last row before the data that has a cell after the first column.
 * Below bold rows, a row with a label but without bold text or years after it is not a header. */
static uint32_t numeric_header(const struct table *t, uint32_t from, uint32_t to) {
  uint32_t n = from;
  int bold = 0;
  for (uint32_t row = from; row < to; row++) {
    struct row_look r = table_grid_look_at(t, row);
    if (r.data || (bold && r.beyond && r.label && !r.years && !r.bold_beyond))
      return n - from <= HEADER_ROWS ? n - from : 0;
    if (r.beyond)
      n = row + 1;
    bold |= r.bold_beyond;
  }
  return 0;
}

/* The header of a text table: its first rows, as far as they are bold, underlined or <th>, to the last one with a cell after the first column;
 * the first such row where all are. */
static uint32_t text_header(const struct table *t, uint32_t from, uint32_t to) {
  uint32_t first = 0, n = 0;
  for (uint32_t row = from; row < to; row++) {
    struct row_look r = table_grid_look_at(t, row);
    if (r.cells && (!r.header || r.data))
      return n;
    n = r.beyond && (r.cells > 1 || !first) ? row + 1 - from : n;
    first = r.beyond && !first ? n : first;
  }
  return first;
}

static uint32_t count_header(const struct table *t, uint32_t from, uint32_t to) {
  uint32_t n = is_numeric_table(t) ? numeric_header(t, from, to) : 0;
  return n ? n : text_header(t, from, to);
}

int table_grid(struct table *t) {
  buf_clear(&t->flat);
  buf_reserve(&t->flat, t->text.len + 64); /* avoid NULL data */
  t->header_rows = t->caption_rows = t->note_rows = 0;
  t->columns_used = 0;
  for (size_t i = 0; i < t->cell_count; i++)
    table_cell_find_kind(t, &t->cells[i]);
  join_signs(t);
  if (table_columns_find(t) || fill_matrix(t))
    return -1;
  if (settle_notes(t) && (table_columns_find(t) || fill_matrix(t)))
    return -1;
  t->caption_rows = count_captions(t);
  if (t->caption_rows == t->row_count)
    return 0;
  t->note_rows = count_notes(t);
  t->header_rows = count_header(t, t->caption_rows, t->row_count - t->note_rows);
  return 0;
}
