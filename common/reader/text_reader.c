/* text_reader.c: plain text and Markdown.
 *
 * Lines of plain text are collected into groups, separated by empty lines, tags and page ends.  A group is either a
 * table by its appearance, kept as aligned text in a fence so that Markdown readers preserve it, or prose, whose lines
 * are joined.
 */
#include "reader/text_reader.h"
#include "base/utf8.h"
#include "document/doc_builder.h"
#include "format/charset.h"
#include "reader/text_table.h"

#include <ctype.h>
#include <md4c-html.h>
#include <md4c.h>
#include <stdlib.h>
#include <strings.h>

#define TITLE_BODY 60 /* bytes from which text is a body, not a title */

struct text_group {
  struct doc *d;
  const struct doc_options *o;
  size_t margin, width;         /* laid-out text: indent of most lines, and their right margin */
  struct slice all;             /* the text */
  struct line_hyphens *hyphens; /* of it, from the first line on that ends with one; or NULL */
  struct text_table table;      /* the current one */
};

/* ---- groups of lines ---- */

#define GAP 3             /* blanks inside a line that indicate a column gap */
#define SHORT_LINE 40     /* bytes */
#define PAGE_WIDTH 80     /* width of a typewritten page, to recognise centred lines */
#define TITLE_LONGEST 100 /* limit of a heading line in bytes */

/* The number of places in a line where blanks indicate a gap between columns; none behind the number of a heading,
 * "1.1      Method". */
static size_t text_group_inner_gaps(struct slice s) {
  size_t blanks = 0, gaps = 0, number = 0;
  while (number < s.len && (isdigit((unsigned char)s.data[number]) || s.data[number] == '.'))
    number++;
  size_t title = number;
  while (title < s.len && s.data[title] == ' ')
    title++;
  for (size_t i = 0; i < s.len; i++) {
    blanks = s.data[i] == ' ' ? blanks + 1 : 0;
    gaps += blanks == GAP;
  }
  return gaps - (number && title >= number + GAP && title < s.len && isalpha((unsigned char)s.data[title]));
}

static int only_of(struct slice s, const char *set) {
  for (size_t i = 0; i < s.len; i++)
    if (!strchr(set, s.data[i]))
      return 0;
  return s.len > 0;
}

static int text_group_is_rule(struct slice s) {
  return s.len >= 3 && only_of(s, "-=_ *~") && s.data[0] != ' ';
}

static int text_group_has_digit(struct slice s) {
  for (size_t i = 0; i < s.len; i++)
    if (isdigit((unsigned char)s.data[i]))
      return 1;
  return 0;
}

/* "12", "- 12 -", "-12-", "Page 12", "Page 12 of 40", "F-3", "iv". */
static int text_group_is_page_number(struct slice s) {
  if (s.len > 20 || !s.len)
    return 0;
  if (s.len > 5 && strncasecmp(s.data, "page ", 5) == 0)
    return text_group_has_digit(s);
  return only_of(s, "0123456789- F") && text_group_has_digit(s) && s.len <= 8;
}

/* Whether two or more lines look like a table: half of them have gaps, or one is a ruled line. */
static int looks_tabular(const struct plain_line *lines, size_t count) {
  size_t gaps = 0, rules = 0;
  for (size_t i = 0; i < count; i++) {
    gaps += text_group_inner_gaps(lines[i].text) > 0;
    rules += (size_t)text_group_is_rule(lines[i].text);
  }
  return count >= 2 && gaps && (gaps * 2 >= count || rules);
}

static int centred(const struct plain_line *l) {
  size_t used = l->indent + l->text.len;
  if (l->indent < 8 || used > PAGE_WIDTH)
    return 0;
  size_t right = PAGE_WIDTH - used;
  size_t off = right > l->indent ? right - l->indent : l->indent - right;
  return off <= 10;
}

static void text_group_add_line(struct buf *out, const struct plain_line *l, size_t margin) {
  for (size_t i = margin; i < l->indent; i++)
    buf_add_char(out, ' ');
  buf_add_slice(out, l->text);
  buf_add_char(out, '\n');
}

static void text_group_add_aligned(struct text_group *g, const struct plain_line *lines, size_t count) {
  size_t margin = SIZE_MAX;
  for (size_t i = 0; i < count; i++)
    if (lines[i].text.len && lines[i].indent < margin)
      margin = lines[i].indent;
  doc_builder_begin(g->d, DOC_PREFORMATTED, 0);
  size_t start = g->d->text.len;
  if (!g->o->plain)
    buf_add_str(&g->d->text, "```\n");
  size_t body = g->d->text.len;
  for (size_t i = 0; i < count; i++)
    text_group_add_line(&g->d->text, &lines[i], margin);
  if (g->d->text.len == body && body > start)
    g->d->text.data[g->d->text.len = start] = '\0';
  else if (!g->o->plain)
    buf_add_str(&g->d->text, "```");
  doc_builder_end(g->d);
}

/* Whether a line begins with a sign that is a bullet wherever it stands, also as a font without names of characters has it. */
static int has_bullet_sign(struct slice s) {
  static const char *const signs[] = {"\xE2\x80\xA2", "\xE2\x97\x8F", "\xE2\x96\xAA", "\xEF\x82\xB7", NULL};
  for (size_t i = 0; signs[i]; i++)
    if (slice_begins_nocase(s, signs[i]))
      return 1;
  return s.len > 2 && s.data[0] == '\xC2' && (unsigned char)s.data[1] < 0xA0 && s.data[2] == ' ';
}

/* Whether a line starts a paragraph of its own: a bullet or an enumeration. */
static int text_group_is_bullet(struct slice s) {
  if (s.len < 3)
    return 0;
  if ((strchr("*-o", s.data[0]) && s.data[1] == ' ') || slice_begins_nocase(s, "\xE2\x80\x93 ") ||
      has_bullet_sign(s))
    return 1;
  if (isalnum((unsigned char)s.data[0])) /* "c) Moor", "12) Pay" */
    return s.data[1] == ')' || (isdigit((unsigned char)s.data[1]) && s.data[2] == ')');
  return s.data[0] == '(' && s.len > 4 && (s.data[2] == ')' || s.data[3] == ')');
}

static int ends_sentence(struct slice s) {
  return s.len && strchr(".:;?!)\"", s.data[s.len - 1]) != NULL;
}

static int begins_word(struct slice s, const char *word) {
  size_t n = strlen(word);
  return s.len > n && strncasecmp(s.data, word, n) == 0 && !isalpha((unsigned char)s.data[n]);
}

/* Whether line i starts a new paragraph after line i-1 of the same group. */
static int new_paragraph(const struct plain_line *lines, size_t i) {
  const struct plain_line *l = &lines[i], *before = &lines[i - 1];
  if (text_group_is_rule(l->text) || text_group_is_rule(before->text))
    return 1;
  if (has_bullet_sign(l->text) ||
      (text_group_is_bullet(l->text) && (ends_sentence(before->text) || text_group_is_bullet(before->text))))
    return 1;
  if (begins_word(l->text, "ITEM") && (doc_builder_capitals(before->text) || ends_sentence(before->text)))
    return 1;
  if (doc_builder_capitals(before->text) != doc_builder_capitals(l->text) && (centred(before) != centred(l)))
    return 1;
  if (begins_word(before->text, "ITEM") && doc_builder_capitals(before->text) &&
      !doc_builder_capitals(l->text))
    return 1;
  if (before->text.len < SHORT_LINE && l->indent >= before->indent + 4 && !centred(l) && !centred(before))
    return 1; /* text after a shorter line further left: an address, a letterhead */
  return l->indent >= before->indent + 3 && ends_sentence(before->text) && !centred(l);
}

/* Whether the text ends with a letter or digit and a hyphen. */
static int ends_with_hyphen(const struct buf *t) {
  unsigned char before = t->len > 1 ? (unsigned char)t->data[t->len - 2] : ' ';
  return t->len > 1 && t->data[t->len - 1] == '-' && (isalnum(before) || before >= 0x80);
}

/* Continues a paragraph with its next line: a word that was divided becomes whole. */
static void text_group_continue(struct text_group *g, struct slice before, struct slice line) {
  struct buf *t = &g->d->text;
  if (before.len > 2 &&
      memcmp(before.data + before.len - 2, "\xC2\xAD", 2) == 0) /* a soft hyphen, which is gone */
    return;
  if (!ends_with_hyphen(t) || !line.len || !isalnum((unsigned char)line.data[0])) {
    buf_add_char(t, ' ');
    return;
  }
  if (!g->hyphens)
    g->hyphens = line_hyphens_new(g->all);
  enum line_hyphen kind = line_hyphens_judge(g->hyphens, slice_of(t->data, t->len - 1), line);
  if (kind == HYPHEN_DIVIDES)
    t->data[--t->len] = '\0';
  if (kind == HYPHEN_SUSPENDED)
    buf_add_char(t, ' ');
}

static void add_prose(struct text_group *g, const struct plain_line *lines, size_t count) {
  unsigned flags = centred(&lines[0]) ? DOC_CENTERED : 0;
  doc_builder_begin(g->d, text_group_is_bullet(lines[0].text) ? DOC_LIST_ITEM : DOC_PARAGRAPH, flags);
  for (size_t i = 0; i < count; i++) {
    if (i)
      text_group_continue(g, lines[i - 1].text, lines[i].text);
    doc_builder_squeeze(&g->d->text, lines[i].text);
  }
  doc_builder_end(g->d);
}

/* ---- laid-out text: structure that a PDF has lost is inferred from where lines end ---- */

/* The column where a line ends. */
static size_t text_group_right_edge(const struct plain_line *l) {
  return l->indent + utf8_characters(l->text.data, l->text.len);
}

/* The bytes of a hyphen at a line's end: '-', U+2010 or a soft hyphen. */
static size_t hyphen_length(struct slice s) {
  static const char *const hyphens[] = {"-", "\xE2\x80\x90", "\xC2\xAD", NULL};
  for (size_t i = 0; hyphens[i]; i++) {
    size_t n = strlen(hyphens[i]);
    if (s.len > n && memcmp(s.data + s.len - n, hyphens[i], n) == 0)
      return n;
  }
  return 0;
}

/* Whether the first word of the next line would have fit on this one: then it ends its paragraph.  Letters differ in
 * width, so an eighth is left as tolerance. */
static int ends_early(const struct plain_line *lines, size_t i, size_t widest) {
  const struct plain_line *next = &lines[i + 1];
  if (hyphen_length(lines[i].text)) /* a divided word goes on */
    return 0;
  size_t word = 0, room = widest > lines[i].indent ? (widest - lines[i].indent) / 8 : 0;
  while (word < next->text.len && next->text.data[word] != ' ')
    word++;
  return text_group_right_edge(&lines[i]) + 1 + word + room < widest;
}

/* Whether a short line may be a heading: it starts with a capital or a number and doesn't end a sentence. */
static int is_title(const struct text_group *g, const struct plain_line *l) {
  struct slice s = l->text;
  size_t letters = 0;
  if (s.len < 3 || s.len > TITLE_LONGEST || (l->indent > g->margin + 2 && !centred(l)) ||
      text_group_inner_gaps(s))
    return 0;
  if (!isupper((unsigned char)s.data[0]) && !isdigit((unsigned char)s.data[0]))
    return 0;
  for (size_t i = 0; i < s.len; i++)
    letters += isalpha((unsigned char)s.data[i]) != 0;
  return letters * 2 > s.len && !strchr(".,;:!-", s.data[s.len - 1]);
}

static int is_body(const struct plain_line *lines, size_t count) {
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++)
    bytes += lines[i].text.len;
  return bytes > TITLE_BODY;
}

/* "2.1 Berths" is subordinate to "2.  Harbor". */
static unsigned title_flags(struct slice s) {
  size_t digits = 0;
  while (digits < s.len && isdigit((unsigned char)s.data[digits]))
    digits++;
  int under =
      digits && digits + 1 < s.len && s.data[digits] == '.' && isdigit((unsigned char)s.data[digits + 1]);
  return under ? DOC_BOLD | DOC_ITALIC : DOC_BOLD;
}

/* "2. Pay" */
static int is_numbered(struct slice s) {
  size_t digits = strspn(s.data, "0123456789");
  return digits && digits + 1 < s.len && s.data[digits] == '.' && s.data[digits + 1] == ' ';
}

/* Whether the group is two lines that could each be a title, the first much shorter than the page width. */
static int text_group_is_pair(const struct text_group *g, const struct plain_line *lines, size_t count) {
  return count == 2 && is_title(g, &lines[0]) && is_title(g, &lines[1]) && !is_numbered(lines[1].text) &&
         text_group_right_edge(&lines[0]) * 10 < g->width * 7;
}

/* The end of the paragraph that starts at `from`. */
static size_t paragraph_end(const struct plain_line *lines, size_t from, size_t count, size_t widest) {
  size_t i = from + 1;
  while (i < count && !new_paragraph(lines, i) && !ends_early(lines, i - 1, widest))
    i++;
  return i;
}

/* A title stands alone between empty lines or above a body.  Adjacent lines that all end early are an address or
 * similar, except two lines that form a title and subtitle. */
static void emit_laid_out(struct text_group *g, const struct plain_line *lines, size_t count) {
  size_t widest = 0;
  int pair = text_group_is_pair(g, lines, count);
  for (size_t i = 0; i < count; i++)
    widest = text_group_right_edge(&lines[i]) > widest ? text_group_right_edge(&lines[i]) : widest;
  for (size_t from = 0, to; from < count; from = to) {
    to = pair ? from + 1 : paragraph_end(lines, from, count, widest);
    if (to - from == 1 && text_group_is_rule(lines[from].text))
      continue;
    size_t next = to < count ? paragraph_end(lines, to, count, widest) : to;
    int title = to - from == 1 && is_title(g, &lines[from]) &&
                (count == 1 || is_body(lines + to, next - to) || (pair && from == 0));
    size_t block = g->d->block_count;
    add_prose(g, lines + from, to - from);
    if (title && g->d->block_count > block)
      g->d->blocks[block].flags |= title_flags(lines[from].text);
  }
}

/* Number of lines at the end of a group that are the caption of the table below. */
static size_t lines_over_table(const struct text_group *g, const struct plain_line *lines, size_t count) {
  size_t n = 0;
  while (n + 2 < count && is_title(g, &lines[n]) && lines[n].indent <= g->margin + 2)
    n++;
  return n;
}

static struct slice block_line(const struct doc *d, const struct doc_block *b) {
  const char *text = d->text.data + b->start, *end = memchr(text, '\n', b->end - b->start);
  return slice_of(text, end ? (size_t)(end - text) : b->end - b->start);
}

static size_t count_bars(struct slice s) {
  size_t bars = 0;
  for (size_t i = 0; i < s.len; i++)
    bars += s.data[i] == '|' && (i == 0 || s.data[i - 1] != '\\');
  return bars;
}

/* A table without a head that follows one with as many columns, but for page numbers, goes on with its head. */
static void continue_head(struct doc *d) {
  size_t last = d->block_count - 1, above = last;
  struct slice own = block_line(d, &d->blocks[last]);
  if (!only_of(own, "| "))
    return;
  do
    if (above-- == 0)
      return;
  while (text_group_is_page_number(block_line(d, &d->blocks[above])));
  struct slice head = block_line(d, &d->blocks[above]);
  if (d->blocks[above].kind != DOC_TABLE || count_bars(head) != count_bars(own) || only_of(head, "| "))
    return;
  size_t at = d->blocks[last].start, rest = at + own.len, more = head.len > own.len ? head.len - own.len : 0;
  char *copy = xstrndup(head.data, head.len);
  size_t len = head.len, was = own.len;
  if (buf_reserve(&d->text, more) == 0) {
    memmove(d->text.data + at + len, d->text.data + rest, d->text.len - rest + 1);
    memcpy(d->text.data + at, copy, len);
    d->text.len = d->text.len + len - was;
    d->blocks[last].end = d->blocks[last].end + len - was;
  }
  free(copy);
}

static void text_group_emit_table(struct text_group *g, const struct plain_line *lines, size_t count) {
  size_t over = g->o->laid_out ? lines_over_table(g, lines, count) : 0;
  if (over) {
    emit_laid_out(g, lines, 1);
    emit_laid_out(g, lines + 1, over - 1);
  }
  if (g->o->laid_out && g->o->tables == DOC_TABLES_DROP)
    return;
  if (!g->o->laid_out || g->o->tables != DOC_TABLES_MARKDOWN ||
      text_table_guess(&g->table, lines + over, count - over) < 0 ||
      text_table_add(g->d, &g->table, lines + over, count - over, g->o->tables, g->o->plain) < 0)
    text_group_add_aligned(g, lines + over, count - over);
  else if (g->d->block_count && g->d->blocks[g->d->block_count - 1].kind == DOC_TABLE)
    continue_head(g->d);
}

/* Finds lines [*from, *to) of a table that no empty line sets apart from prose: three or more with gaps, in columns of numbers
 * or with several gaps each. */
static int has_table_inside(struct text_group *g, const struct plain_line *lines, size_t count, size_t *from,
                            size_t *to) {
  for (*from = 0; *from < count; *from = *to + 1) {
    size_t gaps = 0, one;
    for (*to = *from; *to < count && (one = text_group_inner_gaps(lines[*to].text)) > 0; ++*to)
      gaps += one;
    size_t rows = *to - *from;
    if (rows >= 3 && (gaps * 2 >= rows * 3 || text_table_guess(&g->table, lines + *from, rows) == 0))
      return 1;
  }
  return 0;
}

/* Writes lines as what they look like; as aligned text. */
static void text_group_emit(struct text_group *g, const struct plain_line *lines, size_t count) {
  if (!count)
    return;
  size_t from = 0, to = count;
  if (looks_tabular(lines, count)) {
    while (g->o->laid_out && to && !text_group_inner_gaps(lines[to - 1].text))
      to--;
    to = is_body(lines + to, count - to) ? to : count; /* prose below the table */
    text_group_emit_table(g, lines, to);
    text_group_emit(g, lines + to, count - to);
    return;
  }
  if (g->o->laid_out && has_table_inside(g, lines, count, &from, &to)) {
    text_group_emit(g, lines, from);
    text_group_emit_table(g, lines + from, to - from);
    text_group_emit(g, lines + to, count - to);
    return;
  }
  if (g->o->laid_out) {
    emit_laid_out(g, lines, count);
    return;
  }
  from = 0;
  for (size_t i = 1; i <= count; i++) {
    if (i < count && !new_paragraph(lines, i))
      continue;
    if (i - from > 1 || !text_group_is_rule(lines[from].text)) /* a ruled line is not text */
      add_prose(g, lines + from, i - from);
    from = i;
  }
}

/* ---- Markdown ---- */

static void add_markdown(const MD_CHAR *text, MD_SIZE size, void *html) {
  buf_add(html, text, size);
}

int text_reader_markdown(struct slice text, struct buf *html) {
  static const char head[] = "<html><head><meta charset=\"utf-8\"></head><body>";
  buf_add(html, head, sizeof head - 1);
  if (md_html(text.data, (MD_SIZE)text.len, add_markdown, html, MD_DIALECT_GITHUB, 0) != 0)
    return -1;
  buf_add_str(html, "</body></html>");
  return html->overflow;
}

/* ---- plain text ---- */

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
    if (l.indent < INDENTS && l.text.len > TITLE_BODY && !text_group_inner_gaps(l.text)) {
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

int text_reader_read(struct doc *d, struct slice bytes, const struct doc_options *o) {
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
