/* text_reader.c: lines are collected into groups, separated by empty lines, tags and page ends (text_group.h). */
#include "reader/text_reader.h"

#include "document/doc_builder.h"
#include "format/charset.h"
#include "reader/text_group.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#define GROUP_MAX 4096 /* limit of lines in a group; a longer one is split */
#define INDENTS 64     /* indents that are counted */

struct plain {
  struct text_group group;
  struct plain_line lines[GROUP_MAX];
  size_t count;
  int in_table;
  int fed, tagged; /* pages start at form feeds; at <PAGE> */
};

static void flush(struct plain *p) {
  text_group_emit(&p->group, p->lines, p->count);
  p->count = 0;
}

/* The last line of a page may be the page number, directly below the text. */
static void flush_page(struct plain *p) {
  if (p->count > 1 && text_group_is_page_number(p->lines[p->count - 1].text)) {
    struct plain_line last = p->lines[--p->count];
    flush(p);
    text_group_emit(&p->group, &last, 1);
  }
  flush(p);
}

static void end_page(struct plain *p, int number) {
  flush_page(p);
  doc_builder_break(p->group.d, number);
}

static void add_to_group(struct plain *p, struct slice text, size_t indent) {
  if (p->count == GROUP_MAX && p->in_table) {
    text_group_add_aligned(&p->group, p->lines, p->count);
    p->group.table.odd = 1;
  } else if (p->count == GROUP_MAX)
    text_group_emit(&p->group, p->lines, p->count);
  if (p->count == GROUP_MAX)
    p->count = 0;
  p->lines[p->count].text = text;
  p->lines[p->count++].indent = indent;
}

/* Blanks out the column marks of a table and its own tags, which leave no text. */
static int is_table_tag(struct slice s) {
  static const char *const tags[] = {"<S>", "<C>", "<CAPTION>", "</CAPTION>", "<FN>", "</FN>", NULL};
  for (int i = 0; tags[i]; i++)
    if (slice_begins_nocase(s, tags[i]))
      return 1;
  return 0;
}

static void table_ends(struct plain *p) {
  while (p->count && !p->lines[p->count - 1].text.len)
    p->count--;
  if (p->count && p->group.o->tables != DOC_TABLES_DROP &&
      (p->group.o->tables == DOC_TABLES_TEXT ||
       text_table_add(p->group.d, &p->group.table, p->lines, p->count, p->group.o->tables,
                      p->group.o->plain) < 0))
    text_group_add_aligned(&p->group, p->lines, p->count);
  p->count = 0;
  p->in_table = 0;
}

static void table_begins(struct plain *p) {
  p->in_table = 1;
  p->group.table = (struct text_table){.notes = SIZE_MAX};
}

/* Handles a tag that stands alone on a line; 1 where the line is consumed. */
static int take_tag(struct plain *p, struct slice *s) {
  if (slice_begins_nocase(*s, "<PAGE>")) {
    if (p->in_table)
      table_ends(p);
    p->tagged = 1;
    end_page(p, s->len > 6 ? atoi(s->data + 6) : 0);
    return 1;
  }
  if (slice_begins_nocase(*s, "<TABLE>")) {
    flush(p);
    table_begins(p);
    *s = slice_of(s->data + 7, s->len - 7);
    return s->len == 0;
  }
  if (slice_begins_nocase(*s, "</TABLE>")) {
    table_ends(p);
    return 1;
  }
  return slice_begins_nocase(*s, "<TEXT>") || slice_begins_nocase(*s, "</TEXT>") ||
         slice_begins_nocase(*s, "<CENTER>") || slice_begins_nocase(*s, "</CENTER>");
}

/* Removes the marks <S> <C> from a table's line and keeps other text. */
static struct slice without_marks(struct slice s) {
  while (s.len && is_table_tag(s)) {
    size_t n = (size_t)((const char *)memchr(s.data, '>', s.len) - s.data) + 1;
    s.data += n;
    s.len -= n;
    while (s.len && isspace((unsigned char)s.data[0]))
      s.data++, s.len--;
  }
  return s;
}

static void text_reader_take_line(struct plain *p, struct slice s, size_t indent) {
  if (s.len && s.data[0] == '<') {
    if (take_tag(p, &s) || (p->in_table && text_table_marks(&p->group.table, s, indent, p->count)))
      return;
    if (p->in_table && slice_begins_nocase(s, "<FN>") && p->group.table.notes == SIZE_MAX)
      p->group.table.notes = p->count;
    size_t before = s.len;
    s = without_marks(s);
    if (before && !s.len)
      return;
  }
  if (!s.len && !p->in_table)
    flush(p);
  else if (s.len || p->count)
    add_to_group(p, s, indent);
}

/* The width of a line's leading blanks; tab stops are every 8 columns. */
static size_t measure_indent(struct slice *s) {
  size_t column = 0;
  while (s->len && (s->data[0] == ' ' || s->data[0] == '\t')) {
    column = s->data[0] == '\t' ? (column / 8 + 1) * 8 : column + 1;
    s->data++, s->len--;
  }
  while (s->len && isspace((unsigned char)s->data[s->len - 1]))
    s->len--;
  return column;
}

/* Replaces tabs by blanks up to the next tab stop, to keep aligned text aligned. */
static void expand_tabs(struct buf *out, struct slice in) {
  size_t column = 0;
  for (size_t i = 0; i < in.len; i++) {
    char c = in.data[i];
    if (c == '\t') {
      do
        buf_add_char(out, ' ');
      while (++column % 8);
      continue;
    }
    buf_add_char(out, c);
    column = c == '\n' || c == '\r' || c == '\f' ? 0 : column + ((c & 0xC0) != 0x80);
  }
}

/* In a PEM envelope, lines that start with '-' are prefixed with "- " (RFC 1421, 4.3.2.2). */
static struct slice without_dash(struct slice s) {
  return s.len > 2 && memcmp(s.data, "- -", 3) == 0 ? slice_of(s.data + 2, s.len - 2) : s;
}

static void text_reader_read_lines(struct plain *p, struct slice rest) {
  while (rest.len && !p->group.d->text.overflow) {
    size_t n = 0;
    while (n < rest.len && rest.data[n] != '\n' && rest.data[n] != '\r' && rest.data[n] != '\f')
      n++;
    struct slice s = without_dash(slice_of(rest.data, n));
    size_t indent = measure_indent(&s);
    int feed = n < rest.len && rest.data[n] == '\f';
    if (!feed || s.len)
      text_reader_take_line(p, s, indent);
    if (feed) {
      if (p->in_table)
        table_ends(p);
      p->fed = 1;
      if (n + 1 < rest.len)
        end_page(p, 0);
    }
    if (n < rest.len)
      n += rest.data[n] == '\r' && n + 1 < rest.len && rest.data[n + 1] == '\n' ? 2 : 1;
    rest = slice_of(rest.data + n, rest.len - n);
  }
}

/* Measures the most frequent indent of long lines, and their width. */
static void measure_page(struct plain *p, struct slice rest) {
  size_t counts[INDENTS] = {0};
  while (rest.len) {
    const char *eol = memchr(rest.data, '\n', rest.len);
    size_t n = eol ? (size_t)(eol - rest.data) : rest.len;
    struct plain_line l = {.text = slice_of(rest.data, n)};
    l.indent = measure_indent(&l.text);
    if (l.indent < INDENTS && l.text.len > TITLE_BODY && !text_group_inner_gap(l.text)) {
      counts[l.indent]++;
      p->group.width =
          text_group_right_edge(&l) > p->group.width ? text_group_right_edge(&l) : p->group.width;
    }
    n += eol != NULL;
    rest = slice_of(rest.data + n, rest.len - n);
  }
  for (size_t i = 1; i < INDENTS; i++)
    p->group.margin = counts[i] > counts[p->group.margin] ? i : p->group.margin;
}

int text_reader_read(struct doc *d, struct slice bytes, const struct text_reader_options *o) {
  struct plain *p = xcalloc(1, sizeof *p);
  struct buf text, wide;
  doc_clear(d);
  d->text.max = o->max_text;
  buf_init(&text, 2 * bytes.len + 4);
  charset_clean(&text, bytes);
  p->group.d = d;
  p->group.o = o;
  buf_init(&wide, 8 * text.len + 8);
  if (text.len && memchr(text.data, '\t', text.len)) {
    expand_tabs(&wide, buf_slice(&text));
    buf_release(&text);
    text = wide;
    buf_init(&wide, 0);
  }
  p->group.all = buf_slice(&text);
  if (o->laid_out)
    measure_page(p, p->group.all);
  text_reader_read_lines(p, p->group.all);
  if (p->in_table)
    table_ends(p);
  flush_page(p);
  d->sheets = p->fed && !p->tagged;
  int cut = d->text.overflow;
  line_hyphens_free(p->group.hyphens);
  buf_release(&text);
  free(p);
  return cut ? -1 : 0;
}
