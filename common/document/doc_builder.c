/* doc_builder.c: builds the text of a document block by block, for all readers except HTML's. */
#include "document/doc_builder.h"

#include "base/utf8.h"
#include "tables/xml_labels.h"

#include <ctype.h>

void doc_builder_begin(struct doc *d, enum doc_kind kind, unsigned flags) {
  if (d->text.len)
    buf_add_char(&d->text, '\n');
  struct doc_block *b = doc_add_block(d);
  b->start = d->text.len;
  b->kind = kind;
  b->flags = flags;
}

int doc_builder_capitals(struct slice s) {
  int letters = 0;
  for (size_t i = 0; i < s.len; i++) {
    if (islower((unsigned char)s.data[i]))
      return 0;
    letters += isupper((unsigned char)s.data[i]) != 0;
  }
  return letters > 1;
}

/* Removes the last block and the blank line before it. */
static void drop_last(struct doc *d) {
  d->block_count--;
  d->text.len = d->block_count ? d->blocks[d->block_count - 1].end + 1 : 0;
  if (d->text.data)
    d->text.data[d->text.len] = '\0';
}

/* Handles an exceeded ceiling: a table keeps its complete rows, any other block is dropped. */
static void cut_last(struct doc *d) {
  struct doc_block *b = &d->blocks[d->block_count - 1];
  struct buf *t = &d->text;
  while (t->len > b->start && t->data[t->len - 1] != '\n')
    t->len--;
  if (b->kind != DOC_TABLE)
    t->len = b->start;
}

void doc_builder_end(struct doc *d) {
  struct doc_block *b = &d->blocks[d->block_count - 1];
  struct buf *t = &d->text;
  if (t->overflow)
    cut_last(d);
  while (t->len > b->start && isspace((unsigned char)t->data[t->len - 1]))
    t->len--;
  if (t->len <= b->start) {
    drop_last(d);
    return;
  }
  t->data[t->len] = '\0';
  b->end = t->len;
  if (doc_builder_capitals(slice_of(t->data + b->start, b->end - b->start)))
    b->flags |= DOC_UPPERCASE;
  if (buf_add_char(t, '\n') < 0)
    drop_last(d);
}

/* Appends a word: ligatures as their letters, without soft hyphens, U+2010 as '-'. */
static void add_letters(struct buf *out, const char *p, size_t len) {
  size_t from = 0;
  for (size_t i = 0; i < len; i++) {
    size_t n = 0;
    const char *letters = (unsigned char)p[i] < 0xC2 ? NULL : doc_letters(p + i, len - i, &n);
    if (!letters)
      continue;
    buf_add(out, p + from, i - from);
    buf_add_str(out, letters);
    from = i + n;
    i += n - 1;
  }
  buf_add(out, p + from, len - from);
}

void doc_builder_squeeze(struct buf *out, struct slice text) {
  size_t i = 0, begin = out->len;
  while (i < text.len) {
    while (i < text.len && isspace((unsigned char)text.data[i]))
      i++;
    size_t start = i;
    while (i < text.len && !isspace((unsigned char)text.data[i]))
      i++;
    if (i == start)
      break;
    if (out->len > begin)
      buf_add_char(out, ' ');
    add_letters(out, text.data + start, i - start);
  }
}

void doc_builder_run(struct buf *out, unsigned *last, unsigned marks, struct slice text) {
  size_t blanks = 0;
  while (blanks < text.len && text.data[blanks] == ' ')
    blanks++;
  if (blanks == text.len && text.len) { /* blanks alone keep the marks */
    buf_add_slice(out, text);
    return;
  }
  if (marks != *last) {
    if (blanks) {
      doc_change_marks(out, *last & DOC_STRUCK, *last & marks & DOC_STRUCK, "", 0);
      buf_add(out, text.data, blanks);
      doc_change_marks(out, *last & marks & DOC_STRUCK, marks & DOC_STRUCK, "", 0);
      text = slice_of(text.data + blanks, text.len - blanks);
    } else {
      doc_change_marks(out, *last, marks, text.data, text.len);
    }
  }
  *last = marks;
  buf_add_slice(out, text);
}

/* Appends a cell of a Markdown table: white space collapsed, '|' escaped. */
static void doc_builder_cell(struct buf *out, struct slice text) {
  size_t start = out->len;
  doc_builder_squeeze(out, text);
  for (size_t i = start; i < out->len; i++) {
    if (out->data[i] != '|')
      continue;
    if (buf_add_char(out, ' ') < 0)
      return;
    memmove(out->data + i + 1, out->data + i, out->len - i - 1);
    out->data[i++] = '\\';
  }
}

void doc_builder_add(struct doc *d, enum doc_kind kind, unsigned flags, struct slice text) {
  doc_builder_begin(d, kind, flags);
  doc_builder_squeeze(&d->text, text);
  doc_builder_end(d);
}

void doc_builder_heading(struct doc *d, int level, int plain, struct slice text) {
  doc_builder_begin(d, DOC_HEADING, 0);
  size_t before = d->block_count;
  d->blocks[before - 1].level = level;
  size_t at = d->text.len;
  if (!plain)
    buf_printf(&d->text, "%.*s ", level, "######");
  size_t marks = d->text.len;
  doc_builder_squeeze(&d->text, text);
  if (d->text.len == marks && d->text.data != NULL)
    d->text.data[d->text.len = at] = '\0';
  doc_builder_end(d);
}

static int dropped(const struct doc_builder_table *t) {
  return t->mode == DOC_TABLES_DROP || t->d->text.overflow;
}

void doc_builder_table_begin(struct doc_builder_table *t, struct doc *d, enum doc_tables mode, int plain) {
  *t = (struct doc_builder_table){.d = d, .mode = mode, .plain = plain || mode == DOC_TABLES_TEXT};
  if (mode != DOC_TABLES_DROP)
    doc_builder_begin(d, DOC_TABLE, 0);
}

/* Begins a cell; the column, for what is written next. */
static size_t begin_cell(struct doc_builder_table *t) {
  size_t column = t->column++;
  if (!dropped(t))
    buf_add_str(&t->d->text, t->plain ? &"\t"[column == 0] : column ? " " : "| ");
  return column;
}

static void end_cell(struct doc_builder_table *t, size_t column, size_t from) {
  if (column < DOC_BUILDER_COLUMNS) {
    t->from[column] = from;
    t->len[column] = t->d->text.len - from;
  }
  if (!t->plain)
    buf_add_str(&t->d->text, " |");
}

void doc_builder_table_label(struct doc_builder_table *t, size_t blanks, struct slice text) {
  struct buf *out = &t->d->text;
  size_t column = begin_cell(t), from = out->len;
  if (dropped(t))
    return;
  buf_printf(out, "%*s", (int)blanks, "");
  if (t->plain)
    doc_builder_squeeze(out, text);
  else
    doc_builder_cell(out, text);
  end_cell(t, column, from);
}

void doc_builder_table_cell(struct doc_builder_table *t, struct slice text) {
  doc_builder_table_label(t, 0, text);
}

void doc_builder_table_repeat(struct doc_builder_table *t) {
  struct buf *out = &t->d->text;
  size_t column = begin_cell(t), from = out->len;
  if (dropped(t))
    return;
  if (column < DOC_BUILDER_COLUMNS && buf_reserve(out, t->len[column]) == 0)
    buf_add(out, out->data + t->from[column], t->len[column]);
  end_cell(t, column, from);
}

/* A row shorter than the header is padded with empty cells, so that it stays a row of the table. */
void doc_builder_table_row(struct doc_builder_table *t) {
  struct buf *out = &t->d->text;
  while (t->row && t->column < t->columns)
    doc_builder_table_cell(t, slice_of(NULL, 0));
  if (!t->row)
    t->columns = t->column;
  t->column = 0;
  if (dropped(t))
    return;
  buf_add_char(out, '\n');
  if (!t->row++ && !t->plain) {
    buf_add_char(out, '|');
    for (size_t i = 0; i < t->columns; i++)
      buf_add_str(out, " --- |");
    buf_add_char(out, '\n');
  }
}

void doc_builder_table_end(struct doc_builder_table *t) {
  if (t->mode != DOC_TABLES_DROP)
    doc_builder_end(t->d);
}

void doc_builder_labelled(struct doc *d, int plain, struct slice label, struct slice value) {
  doc_builder_begin(d, DOC_LIST_ITEM, 0);
  if (!plain)
    buf_add_str(&d->text, "- **");
  doc_builder_squeeze(&d->text, label);
  buf_add_str(&d->text, plain ? ": " : ":** ");
  doc_builder_squeeze(&d->text, value);
  doc_builder_end(d);
}

/* Readable forms of names in filing data that are not words. */
static const char *known_name(struct slice name) {
  static const char *const names[][2] = {XML_LABELS_NAME};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (slice_is(name, names[i][0]))
      return names[i][1];
  return NULL;
}

/* Whether an abbreviation of three capitals or more begins at i, behind a number: "Item2ATSName". */
static int words_abbreviation(struct slice name, size_t i) {
  if (i == 0 || !isdigit((unsigned char)name.data[i - 1]))
    return 0;
  size_t n = i;
  while (n < name.len && isupper((unsigned char)name.data[n]))
    n++;
  return n - i >= 3;
}

void doc_builder_words(struct buf *out, struct slice name) {
  const char *known = known_name(name);
  if (known)
    buf_add_str(out, known);
  for (size_t i = 0; !known && i < name.len; i++) {
    unsigned char c = (unsigned char)name.data[i];
    int next_lower = i + 1 < name.len && islower((unsigned char)name.data[i + 1]);
    int prev_lower = i && islower((unsigned char)name.data[i - 1]);
    if (c == '_' || c == '-') {
      buf_add_char(out, ' ');
    } else if (words_abbreviation(name, i)) {
      buf_add_char(out, ' ');
      buf_add_char(out, (char)c);
    } else if (isupper(c) && i && (prev_lower || next_lower) && name.data[i - 1] != '_') {
      buf_add_char(out, ' ');
      buf_add_char(out, next_lower || i + 1 == name.len ? (char)tolower(c) : (char)c);
    } else {
      if (isdigit(c) && prev_lower)
        buf_add_char(out, ' ');
      buf_add_char(out, i ? (char)c : (char)toupper(c));
    }
  }
}

void doc_builder_break(struct doc *d, int page) {
  struct doc_break *last = d->break_count ? &d->breaks[d->break_count - 1] : NULL;
  int counted = last ? last->page + 1 : d->text.len ? 2 : 1;
  struct doc_break *b = doc_add_break(d);
  b->offset = d->text.len ? d->text.len + 1 : 0;
  b->page = page ? page : counted;
}
