/* listing.c: formats a source's JSON answer for display: labelled values, and tables for arrays of objects. */
#include "base/clock.h"
#include "base/mask.h"
#include "base/screen.h"
#include "page/terminal.h"
#include "record/json.h"
#include "source/runner_emit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  LISTING_COLUMNS = 24, /* limit of a table */
  LISTING_ROWS = 100,
  LISTING_CELL = 36,  /* width at which a cell is truncated */
  LISTING_WIDE = 16,  /* a wider column of texts may be cut to this */
  LISTING_NAME = 14,  /* width of a label */
  LISTING_LINES = 12, /* limit of lines for a list of texts */
  LISTING_DEPTH = 3   /* nesting limit of objects */
};

struct listing {
  struct buf *out;
  size_t columns;
  int colour;
  struct buf text; /* one value */
};

/* Appends "filingDate" as "filing date". */
static void listing_add_name(struct buf *out, struct slice key) {
  for (size_t i = 0; i < key.len; i++) {
    char c = key.data[i];
    int starts = isupper((unsigned char)c) && i > 0 && islower((unsigned char)key.data[i - 1]);
    if (starts)
      buf_add_char(out, ' ');
    c = starts ? (char)tolower((unsigned char)c) : c;
    buf_add_masked(out, slice_of(&c, 1));
  }
}

/* Appends a string; a time without the fraction of a second that is 0. */
static void listing_add_string(struct buf *out, struct slice text) {
  static const char none[] = ".000Z";
  int64_t when;
  size_t n = sizeof none - 1;
  if (text.len == sizeof "2026-02-24T16:55:58.000Z" - 1 && memcmp(text.data + text.len - n, none, n) == 0 &&
      clock_parse(text.data, &when) == 0) {
    buf_add(out, text.data, text.len - n);
    buf_add_char(out, 'Z');
  } else {
    buf_add_slice(out, text);
  }
}

/* Appends a value on one line, not yet masked. */
static void listing_add_value(struct buf *out, struct slice value, int depth) {
  struct json_cursor c = {0};
  struct slice key, one;
  struct buf decoded;
  int first = 1;
  switch (json_kind(value)) {
  case '"':
    buf_init(&decoded, value.len);
    json_decode(value, &decoded);
    listing_add_string(out, buf_slice(&decoded));
    buf_release(&decoded);
    break;
  case '[':
    for (; json_next_element(value, &c, &one); first = 0) {
      buf_add_str(out, first ? "" : json_kind(one) == '{' ? "; " : ", ");
      listing_add_value(out, one, depth);
    }
    break;
  case '{':
    for (; depth < LISTING_DEPTH && json_next_member(value, &c, &key, &one);) {
      if (json_kind(one) == 'n')
        continue;
      buf_add_str(out, first ? "" : ", ");
      listing_add_name(out, key);
      buf_add_char(out, ' ');
      listing_add_value(out, one, depth + 1);
      first = 0;
    }
    break;
  case 'n':
    break;
  default:
    buf_add_slice(out, value);
  }
}

/* The text of a value; valid until the next call. */
static struct slice listing_text(struct listing *l, struct slice value) {
  buf_clear(&l->text);
  listing_add_value(&l->text, value, 0);
  for (size_t i = 0; i < l->text.len; i++)
    if (strchr("\n\r\t", l->text.data[i]))
      l->text.data[i] = ' ';
  return buf_slice(&l->text);
}

/* Prints a label, or blanks where it is empty, and a text after it. */
static void listing_line(struct listing *l, struct slice key, struct slice text) {
  struct buf line;
  if (text.len == 0)
    return;
  buf_init(&line, (size_t)64 << 20);
  buf_add_str(&line, "  ");
  listing_add_name(&line, key);
  size_t used = screen_text_columns(buf_slice(&line)) - 2;
  buf_printf(&line, "%*s", used < LISTING_NAME ? (int)(LISTING_NAME - used) + 2 : 2, "");
  buf_add_masked(&line, text);
  buf_add_char(&line, '\n');
  screen_fold(l->out, buf_slice(&line), l->columns, key.len ? SCREEN_HANG_AUTO : LISTING_NAME + 4);
  buf_release(&line);
}

/* Whether a list has texts with blanks, which read better one per line. */
static int listing_is_lines(struct slice value) {
  struct json_cursor c = {0};
  struct slice one;
  return json_kind(value) == '[' && json_next_element(value, &c, &one) && json_kind(one) == '"' &&
         memchr(one.data, ' ', one.len);
}

static void listing_member(struct listing *l, struct slice key, struct slice value) {
  struct json_cursor c = {0};
  struct slice one;
  char more[64];
  size_t n = 0;
  if (!listing_is_lines(value)) {
    listing_line(l, key, listing_text(l, value));
    return;
  }
  for (; json_next_element(value, &c, &one); n++)
    if (n < LISTING_LINES)
      listing_line(l, n ? slice_of("", 0) : key, listing_text(l, one));
  if (n <= LISTING_LINES)
    return;
  snprintf(more, sizeof more, "%zu more; --json has them", n - LISTING_LINES);
  listing_line(l, slice_of("", 0), slice_str(more));
}

/* ---- tables ---- */

struct listing_column {
  struct slice key;
  size_t width;
  int words, address;  /* has words, not only numbers; has URLs */
  int blanks;          /* has texts of several words; others are codes, which are useless when cut */
  int distinct, drawn; /* differs from the columns before it; is printed */
};

struct listing_table {
  struct slice rows[LISTING_ROWS];
  size_t row_count, total;
  struct listing_column list[LISTING_COLUMNS];
  size_t count;
};

static struct slice listing_cell(struct slice row, struct slice key) {
  struct slice value = json_member(row, key);
  return value.data ? value : slice_of("null", 4);
}

static struct listing_column *listing_find_column(struct listing_table *t, struct slice key) {
  for (size_t i = 0; i < t->count; i++)
    if (slice_eq(t->list[i].key, key))
      return &t->list[i];
  if (t->count == LISTING_COLUMNS)
    return NULL;
  t->list[t->count] = (struct listing_column){.key = key};
  return &t->list[t->count++];
}

static void listing_measure(struct listing *l, struct listing_table *t, struct slice row) {
  struct json_cursor c = {0};
  struct slice key, value;
  while (json_next_member(row, &c, &key, &value)) {
    struct listing_column *column = listing_find_column(t, key);
    struct slice text = listing_text(l, value);
    size_t width = screen_text_columns(text);
    if (!column)
      continue;
    column->words |= json_kind(value) != '0' && json_kind(value) != 'n';
    column->blanks |= text.len > 0 && memchr(text.data, ' ', text.len) != NULL;
    column->address |= json_kind(value) == '"' && text.len > 8 && memcmp(text.data, "http", 4) == 0;
    if (width > column->width)
      column->width = width < LISTING_CELL ? width : LISTING_CELL;
  }
}

static int listing_is_same(const struct listing_table *t, size_t a, size_t b) {
  for (size_t r = 0; r < t->row_count; r++)
    if (!slice_eq(listing_cell(t->rows[r], t->list[a].key), listing_cell(t->rows[r], t->list[b].key)))
      return 0;
  return 1;
}

/* Whether all values of a column are part of the URL that is printed below the row. */
static int listing_is_in_address(const struct listing_table *t, size_t a) {
  size_t with = 0;
  while (with < t->count && !t->list[with].address)
    with++;
  for (size_t r = 0; with < t->count && r < t->row_count; r++) {
    struct slice value = listing_cell(t->rows[r], t->list[a].key),
                 url = listing_cell(t->rows[r], t->list[with].key);
    if (value.len < 8 || json_kind(value) != '"' || !memmem(url.data, url.len, value.data + 1, value.len - 2))
      return 0;
  }
  return with < t->count;
}

/* Selects the columns that carry information of their own. */
static void listing_choose(struct listing_table *t) {
  for (size_t i = 0; i < t->count; i++) {
    struct listing_column *c = &t->list[i];
    struct buf name;
    buf_init(&name, 4096);
    listing_add_name(&name, c->key);
    size_t head = screen_text_columns(buf_slice(&name));
    buf_release(&name);
    c->distinct = c->width > 0 && !c->address && !listing_is_in_address(t, i);
    for (size_t k = 0; k < i && c->distinct; k++)
      c->distinct = !listing_is_same(t, i, k);
    c->width = head > c->width ? head : c->width;
  }
}

/* Selects the columns to print: as many as fit, in the source's order, which is by importance.  A wide column is
 * cut if it does not fit; the remaining space goes to the cut ones. */
static void listing_fit(const struct listing *l, struct listing_table *t) {
  size_t used = 0, whole[LISTING_COLUMNS];
  for (size_t i = 0; i < t->count; i++) {
    struct listing_column *c = &t->list[i];
    whole[i] = c->width;
    if (l->columns && c->blanks && c->width > LISTING_WIDE)
      c->width = LISTING_WIDE;
    c->drawn = c->distinct && (!l->columns || !used || used + c->width + 2 <= l->columns);
    used += c->drawn ? c->width + 2 : 0;
  }
  for (size_t i = 0; l->columns && i < t->count; i++)
    while (t->list[i].drawn && t->list[i].width < whole[i] && used < l->columns) {
      t->list[i].width++;
      used++;
    }
}

/* Appends a cell truncated or padded to its column's width; numbers are right-aligned. */
static void listing_add_cell(struct buf *out, struct slice text, const struct listing_column *c) {
  size_t columns = screen_text_columns(text), used = 0;
  int cut = columns > c->width;
  buf_add_str(out, "  ");
  if (!c->words)
    buf_printf(out, "%*s", cut ? 0 : (int)(c->width - columns), "");
  for (size_t i = 0, n; i < text.len; i += n) {
    uint32_t code;
    n = mask_decode(text.data + i, text.len - i, &code);
    used += (size_t)mask_columns(code);
    if (cut && used > c->width - 1)
      break;
    buf_add_masked(out, slice_of(text.data + i, n));
  }
  buf_add_str(out, cut ? "…" : "");
  if (c->words && !cut)
    buf_printf(out, "%*s", (int)(c->width - columns), "");
}

static void listing_end_line(struct buf *out) {
  while (out->len && out->data[out->len - 1] == ' ')
    out->len--;
  buf_add_char(out, '\n');
}

static void listing_row(struct listing *l, const struct listing_table *t, struct slice row) {
  struct page_terminal draw = {l->out, l->columns ? l->columns : 80, 6, 1, l->colour};
  for (size_t i = 0; i < t->count; i++)
    if (t->list[i].drawn)
      listing_add_cell(l->out, listing_text(l, listing_cell(row, t->list[i].key)), &t->list[i]);
  listing_end_line(l->out);
  for (size_t i = 0; i < t->count; i++) {
    struct slice text =
        listing_text(l, t->list[i].address ? listing_cell(row, t->list[i].key) : slice_of("null", 4));
    draw.lines = 1;
    if (text.len)
      page_terminal_link(&draw, text);
  }
}

static void listing_head(struct listing *l, const struct listing_table *t) {
  for (size_t i = 0; i < t->count; i++) {
    struct buf name;
    buf_init(&name, 4096);
    listing_add_name(&name, t->list[i].key);
    if (t->list[i].drawn)
      listing_add_cell(l->out, buf_slice(&name), &t->list[i]);
    buf_release(&name);
  }
  listing_end_line(l->out);
}

/* Names the columns that were dropped. */
static void listing_left_out(struct listing *l, const struct listing_table *t) {
  struct buf line;
  size_t n = 0;
  buf_init(&line, 65536);
  for (size_t i = 0; i < t->count; i++)
    if (t->list[i].distinct && !t->list[i].drawn) {
      buf_add_str(&line, n++ ? ", " : "  left out: ");
      listing_add_name(&line, t->list[i].key);
    }
  if (t->total > t->row_count)
    buf_printf(&line, "%s%zu more rows", n++ ? ", " : "  left out: ", t->total - t->row_count);
  if (n) {
    buf_add_str(&line, "; --json has them\n");
    screen_fold(l->out, buf_slice(&line), l->columns, 2);
  }
  buf_release(&line);
}

static void listing_table(struct listing *l, struct slice key, struct slice array) {
  struct listing_table *t = xcalloc(1, sizeof *t);
  struct json_cursor c = {0};
  struct slice row;
  for (; json_next_element(array, &c, &row); t->total++)
    if (t->row_count < LISTING_ROWS && json_kind(row) == '{') {
      t->rows[t->row_count++] = row;
      listing_measure(l, t, row);
    }
  listing_choose(t);
  listing_fit(l, t);
  buf_add_str(l->out, "\n  ");
  listing_add_name(l->out, key);
  buf_add_str(l->out, "\n\n");
  listing_head(l, t);
  for (size_t i = 0; i < t->row_count; i++)
    listing_row(l, t, t->rows[i]);
  listing_left_out(l, t);
  buf_add_char(l->out, '\n');
  free(t);
}

enum listing_shape { LISTING_PLAIN, LISTING_TABLE, LISTING_OBJECTS };

/* An array of objects becomes a table; where its objects contain tables, these are printed one after another. */
static enum listing_shape listing_shape(struct slice value) {
  struct json_cursor c = {0}, m = {0};
  struct slice first, key, member, one;
  size_t members = 0;
  enum listing_shape shape = LISTING_TABLE;
  if (json_kind(value) != '[' || !json_next_element(value, &c, &first) || json_kind(first) != '{')
    return LISTING_PLAIN;
  for (; json_next_member(first, &m, &key, &member); members++) {
    struct json_cursor e = {0};
    if (json_key_is(key, slice_str("rows")) && json_kind(member) == '[' &&
        json_next_element(member, &e, &one) && json_kind(one) == '{')
      shape = LISTING_OBJECTS;
  }
  return members > 1 ? shape : LISTING_PLAIN;
}

static void listing_object(struct listing *l, struct slice object, int depth) {
  struct json_cursor c = {0};
  struct slice key, value, one;
  while (json_next_member(object, &c, &key, &value)) {
    struct json_cursor e = {0};
    enum listing_shape shape = depth < LISTING_DEPTH ? listing_shape(value) : LISTING_PLAIN;
    if (shape == LISTING_PLAIN)
      listing_member(l, key, value);
    else if (shape == LISTING_TABLE)
      listing_table(l, key, value);
    else
      while (json_next_element(value, &e, &one))
        listing_object(l, one, depth + 1);
  }
}

void listing_add(struct buf *out, struct slice object, size_t columns, int colour) {
  struct listing l = {.out = out, .columns = columns, .colour = colour};
  buf_init(&l.text, (size_t)64 << 20);
  listing_object(&l, object, 0);
  buf_release(&l.text);
}
