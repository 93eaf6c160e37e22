/* text_table.c: numbers are right-aligned below left-aligned marks, so a value belongs to the last column whose mark
 * is at or before the value's right edge.  Words at the start of a line are its label.  A word of the header belongs
 * to every column that it, or the rule below it, spans.  Anything that doesn't fit makes the table unreadable: a
 * number in a wrong column is worse than aligned text. */
#include "reader/text_table.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>

#define TOKENS_MAX 64
#define BLANKS_MAX 16   /* before a label */
#define GUESS_WIDTH 400 /* width of the page on which numbers are searched */

struct token {
  size_t from, to; /* character columns */
  struct slice text;
  int dollar; /* preceded by a separate "$" */
};

struct grid {
  const struct text_table *t;
  struct token tokens[TOKENS_MAX];
  size_t count;
  size_t low[PLAINTABLE_COLUMNS], high[PLAINTABLE_COLUMNS]; /* character columns that the values occupy */
  struct buf head[PLAINTABLE_COLUMNS];
};

int text_table_marks(struct text_table *t, struct slice line, size_t indent, size_t so_far) {
  size_t found[PLAINTABLE_COLUMNS], n = 0;
  if (!slice_begins_nocase(line, "<S>"))
    return 0;
  for (size_t i = 0; i + 3 <= line.len && n < PLAINTABLE_COLUMNS; i++) {
    struct slice rest = slice_of(line.data + i, line.len - i);
    if (slice_begins_nocase(rest, "<S>") || slice_begins_nocase(rest, "<C>"))
      found[n++] = indent + i;
    else if (line.data[i] == '<')
      t->odd = 1;
  }
  if (t->columns && (n != t->columns || memcmp(found, t->starts, n * sizeof *found) != 0))
    t->odd = 1;
  if (!t->columns) {
    memcpy(t->starts, found, n * sizeof *found);
    t->columns = n;
    t->head = so_far;
  }
  return 1;
}

static int text_table_is_rule(struct slice s) {
  for (size_t i = 0; i < s.len; i++)
    if (!strchr("-=_ ", s.data[i]))
      return 0;
  return s.len > 0;
}

static int is_value(struct slice s) {
  if (strchr("$(-+.", s.data[0]) == NULL && !isdigit((unsigned char)s.data[0]))
    return 0;
  for (size_t i = 0; i < s.len; i++)
    if (isdigit((unsigned char)s.data[i]))
      return 1;
  return s.data[0] == '-' || s.data[0] == '$';
}

static int is_gap(const struct plain_line *l, size_t i) {
  const char *s = l->text.data;
  size_t left = l->text.len - i;
  return (left > 1 && s[i] == ' ' && s[i + 1] == ' ') || (left > 2 && memcmp(s + i, "...", 3) == 0);
}

/* Skips blanks and leaders. */
static size_t skip_gap(const struct plain_line *l, size_t i) {
  const char *s = l->text.data;
  while (i < l->text.len && (s[i] == ' ' || (s[i] == '.' && i + 1 < l->text.len && strchr(". ", s[i + 1]))))
    i++;
  return i;
}

static void text_table_add_token(struct grid *g, const struct plain_line *l, size_t from, size_t to,
                                 int dollar) {
  while (to > from && l->text.data[to - 1] == ' ')
    to--;
  if (g->count == TOKENS_MAX || to == from)
    return;
  size_t left = l->indent + utf8_characters(l->text.data, from);
  g->tokens[g->count++] = (struct token){left, left + utf8_characters(l->text.data + from, to - from),
                                         slice_of(l->text.data + from, to - from), dollar};
}

/* A number, or a dash in place of one; "$ million" is not an amount. */
static int is_amount(const struct plain_line *l, size_t i) {
  return i < l->text.len && !isalpha((unsigned char)l->text.data[i]);
}

/* Splits a line at two blanks or leaders; "$" is joined to what follows. */
static void text_table_split(struct grid *g, const struct plain_line *l) {
  size_t n = l->text.len, i = skip_gap(l, 0);
  int dollar = 0;
  g->count = 0;
  while (i < n) {
    size_t from = i;
    if (l->text.data[i] == '$' && i + 1 < n && l->text.data[i + 1] == ' ' &&
        is_amount(l, skip_gap(l, i + 1))) {
      dollar = 1;
      i = skip_gap(l, i + 1);
      continue;
    }
    while (i < n && !is_gap(l, i))
      i++;
    text_table_add_token(g, l, from, i, dollar);
    dollar = 0;
    i = skip_gap(l, i);
  }
}

/* The column of a token in a body line; `first`: it is the first of its line. */
static size_t text_table_column_of(const struct grid *g, const struct token *k, int first) {
  size_t c = g->t->columns - 1;
  if (first && !is_value(k->text))
    return 0;
  while (c > 0 && k->to <= g->t->starts[c])
    c--;
  return c;
}

/* Measures the columns over all body lines; -1 where a cell would get two values. */
static int measure(struct grid *g, const struct plain_line *lines, size_t from, size_t to, size_t *rows) {
  *rows = 0;
  for (size_t i = from; i < to; i++) {
    size_t last = SIZE_MAX;
    if (!lines[i].text.len || text_table_is_rule(lines[i].text))
      continue;
    text_table_split(g, &lines[i]);
    for (size_t k = 0; k < g->count; k++) {
      size_t c = text_table_column_of(g, &g->tokens[k], k == 0);
      if (k > 0 && (c < last || (c == last && c > 0) || (c == 0 && is_value(g->tokens[k].text))))
        return -1;
      last = c;
      g->low[c] = g->low[c] < g->tokens[k].from ? g->low[c] : g->tokens[k].from;
      g->high[c] = g->high[c] > g->tokens[k].to ? g->high[c] : g->tokens[k].to;
    }
    ++*rows;
  }
  return 0;
}

/* Extends a header word to the segment of the rule below that it touches. */
static void reach(struct token *k, const struct plain_line *rule) {
  size_t i = 0;
  while (i < rule->text.len) {
    while (i < rule->text.len && rule->text.data[i] == ' ')
      i++;
    size_t from = rule->indent + i;
    while (i < rule->text.len && rule->text.data[i] != ' ')
      i++;
    size_t to = rule->indent + i;
    if (from < k->to && k->from < to) {
      k->from = k->from < from ? k->from : from;
      k->to = k->to > to ? k->to : to;
    }
  }
}

static void text_table_put_head(struct grid *g, size_t c, const struct token *k) {
  buf_printf(&g->head[c], "%s%.*s", g->head[c].len ? " " : "", (int)k->text.len, k->text.data);
}

static size_t low_of(const struct grid *g, size_t c) {
  return g->high[c] ? g->low[c] : g->t->starts[c];
}

static size_t high_of(const struct grid *g, size_t c) {
  return g->high[c] ? g->high[c] : g->t->starts[c] + 1;
}

/* Fewer words than columns, but a divisor: each spans the same number of columns if it is centred over them. */
static int spans(const struct grid *g, size_t each) {
  if (!g->count || each < 2 || each * g->count != g->t->columns - 1)
    return 0;
  for (size_t k = 0; k < g->count; k++) {
    size_t low = low_of(g, 1 + k * each), high = high_of(g, (k + 1) * each);
    size_t quarter = high > low ? (high - low) / 4 : 0, middle = (g->tokens[k].from + g->tokens[k].to) / 2;
    if (middle < low + quarter || middle > high - quarter)
      return 0;
  }
  return 1;
}

/* Adds a header word to every column that it spans, else to the nearest, else to the label column. */
static void add_head(struct grid *g, const struct token *k) {
  size_t nearest = 0, best = SIZE_MAX;
  int placed = 0;
  for (size_t c = 1; c < g->t->columns; c++) {
    size_t low = low_of(g, c), high = high_of(g, c);
    size_t off = k->to <= low ? low - k->to : k->from >= high ? k->from - high : 0;
    if (off < best)
      best = off, nearest = c;
    if (k->from >= high || k->to <= low)
      continue;
    text_table_put_head(g, c, k);
    placed = 1;
  }
  if (!placed)
    text_table_put_head(g, k->to <= g->t->starts[1] ? 0 : nearest, k);
}

static void add_head_line(struct grid *g) {
  size_t each = g->count ? (g->t->columns - 1) / g->count : 0;
  int even = spans(g, each);
  for (size_t k = 0; k < g->count; k++) {
    if (!even)
      add_head(g, &g->tokens[k]);
    for (size_t c = 1 + k * each; even && c <= (k + 1) * each; c++)
      text_table_put_head(g, c, &g->tokens[k]);
  }
}

static const struct plain_line *rule_below(const struct plain_line *lines, size_t i, size_t to) {
  return i + 1 < to && text_table_is_rule(lines[i + 1].text) ? &lines[i + 1] : NULL;
}

/* Single-run lines above the header are captions; returns the first line that is not one. */
static size_t add_captions(struct doc *d, struct grid *g, const struct plain_line *lines, size_t to) {
  size_t i = 0;
  for (; i < to; i++) {
    if (!lines[i].text.len || text_table_is_rule(lines[i].text))
      continue;
    text_table_split(g, &lines[i]);
    if (g->count != 1 || rule_below(lines, i, to))
      break;
    if (i + 1 < to && lines[i + 1].text.len) { /* the upper line of a header word in two lines is not a
                                                  caption */
      text_table_split(g, &lines[i + 1]);
      if (g->count > 1 && lines[i].indent >= g->t->starts[1])
        break;
    }
    doc_builder_add(d, DOC_PARAGRAPH, 0, lines[i].text);
  }
  return i;
}

static void text_table_read_head(struct grid *g, const struct plain_line *lines, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const struct plain_line *rule = rule_below(lines, i, to);
    if (!lines[i].text.len || text_table_is_rule(lines[i].text))
      continue;
    text_table_split(g, &lines[i]);
    for (size_t k = 0; rule && k < g->count; k++)
      reach(&g->tokens[k], rule);
    add_head_line(g);
  }
}

/* The blanks before a row's label: two for each two of its indentation, as for labels in HTML.  The second line of a long label, which is
 * indented, has the first one as its heading. */
static size_t text_table_blanks(const struct grid *g) {
  if (g->count == 0 || text_table_column_of(g, &g->tokens[0], 1) != 0)
    return 0;
  size_t blanks = (g->tokens[0].from - g->low[0]) / 2 * 2;
  return blanks < BLANKS_MAX ? blanks : BLANKS_MAX;
}

static void text_table_add_row(struct grid *g, struct doc_builder_table *out, const struct plain_line *l) {
  struct buf cell;
  size_t k = 0;
  text_table_split(g, l);
  buf_init(&cell, l->text.len + 2 * TOKENS_MAX);
  for (size_t c = 0; c < g->t->columns; c++) {
    buf_clear(&cell);
    for (; k < g->count && text_table_column_of(g, &g->tokens[k], k == 0) == c; k++) {
      buf_add_str(&cell, cell.len ? " " : "");
      buf_add_str(&cell, g->tokens[k].dollar ? "$" : "");
      buf_add_slice(&cell, g->tokens[k].text);
    }
    doc_builder_table_label(out, c == 0 ? text_table_blanks(g) : 0, buf_slice(&cell));
  }
  buf_release(&cell);
  doc_builder_table_row(out);
}

static void add_notes(struct doc *d, const struct plain_line *lines, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (lines[i].text.len && !text_table_is_rule(lines[i].text))
      doc_builder_add(d, DOC_PARAGRAPH, 0, lines[i].text);
}

static void write_table(struct doc *d, struct grid *g, const struct plain_line *lines, size_t end,
                        enum doc_tables mode, int plain) {
  struct doc_builder_table out;
  text_table_read_head(g, lines, add_captions(d, g, lines, g->t->head), g->t->head);
  doc_builder_table_begin(&out, d, mode, plain);
  for (size_t c = 0; c < g->t->columns; c++)
    doc_builder_table_cell(&out, buf_slice(&g->head[c]));
  doc_builder_table_row(&out);
  for (size_t i = g->t->head; i < end; i++)
    if (lines[i].text.len && !text_table_is_rule(lines[i].text))
      text_table_add_row(g, &out, &lines[i]);
  doc_builder_table_end(&out);
}

int text_table_add(struct doc *d, const struct text_table *t, const struct plain_line *lines, size_t count,
                   enum doc_tables mode, int plain) {
  size_t end = t->notes < count ? t->notes : count, rows;
  if (t->columns < 2 || t->odd || t->head > end)
    return -1;
  struct grid *g = xcalloc(1, sizeof *g);
  g->t = t;
  for (size_t c = 0; c < t->columns; c++) {
    g->low[c] = SIZE_MAX;
    buf_init(&g->head[c], 4096);
  }
  int bad = measure(g, lines, t->head, end, &rows) < 0 || rows < 2;
  if (!bad) {
    write_table(d, g, lines, end, mode, plain);
    add_notes(d, lines, end, count);
  }
  for (size_t c = 0; c < t->columns; c++)
    buf_release(&g->head[c]);
  free(g);
  return bad ? -1 : 0;
}

/* ---- tables without marks ---- */

/* Whether it is a body cell: a number or a placeholder for one. */
static int is_cell(struct slice s) {
  return is_value(s) || slice_is(s, "n/a") || slice_is(s, "N/A") || slice_is(s, "n.m.") ||
         slice_is(s, "\xE2\x80\x94") || slice_is(s, "\xE2\x80\x93");
}

/* Whether it is a year in a column header: "2025", "2026E". */
static int text_table_is_year(struct slice s) {
  return (s.len == 4 || (s.len == 5 && isalpha((unsigned char)s.data[4]))) &&
         (memcmp(s.data, "19", 2) == 0 || memcmp(s.data, "20", 2) == 0);
}

static int text_table_is_label(struct slice s) {
  return !is_cell(s) || (s.data[0] == '$' && s.len > 1 && isspace((unsigned char)s.data[1]));
}

/* Whether the tokens are a body row: an optional label, then numbers that are not all years. */
static int text_table_is_row(const struct grid *g) {
  size_t first = g->count && text_table_is_label(g->tokens[0].text), years = 0;
  for (size_t k = first; k < g->count; k++) {
    if (!is_cell(g->tokens[k].text))
      return 0;
    years += (size_t)text_table_is_year(g->tokens[k].text);
  }
  return g->count > first && years < g->count - first;
}

/* Marks the character columns that the row's numbers occupy. */
static void mark_row(const struct grid *g, unsigned char *taken) {
  for (size_t k = (size_t)text_table_is_label(g->tokens[0].text); k < g->count; k++)
    for (size_t c = g->tokens[k].from; c < g->tokens[k].to && c < GUESS_WIDTH; c++)
      taken[c] = 1;
}

int text_table_guess(struct text_table *t, const struct plain_line *lines, size_t count) {
  unsigned char taken[GUESS_WIDTH + 1] = {0};
  struct grid *g = xcalloc(1, sizeof *g);
  size_t rows = 0;
  *t = (struct text_table){.notes = SIZE_MAX, .columns = 1};
  for (size_t i = 0; i < count; i++) {
    text_table_split(g, &lines[i]);
    if (text_table_is_rule(lines[i].text) || !text_table_is_row(g))
      continue;
    t->head = rows++ ? t->head : i;
    mark_row(g, taken);
  }
  free(g);
  for (size_t c = 1; c <= GUESS_WIDTH && rows >= 2; c++) {
    if (!taken[c] || taken[c - 1])
      continue;
    if (t->columns == PLAINTABLE_COLUMNS)
      return -1;
    t->starts[t->columns++] = c;
  }
  return t->columns < 2 ? -1 : 0;
}
