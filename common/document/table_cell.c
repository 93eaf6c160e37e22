/* table_cell.c: the kinds of cells (a number, a year, a sign, a dash, text), and their text as one line. */
#include "document/table_grid.h"
#include "tables/page_words.h"

/* ---- kinds ---- */

static const char *const currencies[] = {"$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xB9", NULL};
static const char *const dashes[] = {"\xE2\x80\x94",
                                     "\xE2\x80\x93",
                                     "\xE2\x80\x92",
                                     "\xE2\x88\x92",
                                     "\xE2\x80\x90",
                                     "\xE2\x80\x91",
                                     "-",
                                     NULL};
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

size_t table_cell_mark_length(struct slice s) {
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

void table_cell_close_up(struct table *t, struct table_cell *c) {
  c->flat_len = close_up(t->flat.data + c->flat, c->flat_len);
  t->flat.len = c->flat + c->flat_len;
}

/* Appends a cell's text to t->flat as one line. */
static void table_cell_flatten(struct table *t, struct table_cell *c) {
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
  }
  c->flat_len = t->flat.len - c->flat;
  for (size_t i = c->flat; i < t->flat.len; i++)
    if (t->flat.data[i] == '\n')
      t->flat.data[i] = ' ';
}

void table_cell_find_kind(struct table *t, struct table_cell *c) {
  table_cell_flatten(t, c);
  if (c->flat_len == 0) {
    c->kind = CELL_GONE;
    return;
  }
  c->kind = (uint8_t)table_cell_kind_of(table_cell_text(t, c));
  if (table_cell_is_numeric((enum cell_kind)c->kind))
    table_cell_close_up(t, c);
}
