/* text_group.c: a group is either a table by its appearance, kept as aligned text in a fence so that Markdown readers preserve it,
 * or prose, whose lines are joined. */
#include "reader/text_group.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#define GAP 3             /* blanks inside a line that indicate a column gap */
#define SHORT_LINE 40     /* bytes */
#define PAGE_WIDTH 80     /* width of a typewritten page, to recognise centred lines */
#define TITLE_LONGEST 100 /* limit of a heading line in bytes */

int text_group_inner_gap(struct slice s) {
  size_t blanks = 0;
  for (size_t i = 0; i < s.len; i++) {
    blanks = s.data[i] == ' ' ? blanks + 1 : 0;
    if (blanks >= GAP)
      return 1;
  }
  return 0;
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
int text_group_is_page_number(struct slice s) {
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
    gaps += (size_t)text_group_inner_gap(lines[i].text);
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

void text_group_add_aligned(struct text_group *g, const struct plain_line *lines, size_t count) {
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

/* Whether a line starts a paragraph of its own: a bullet or an enumeration. */
static int text_group_is_bullet(struct slice s) {
  if (s.len < 3)
    return 0;
  if (strchr("*-o", s.data[0]) && s.data[1] == ' ')
    return 1;
  if (memcmp(s.data, "\xE2\x80\xA2", 3) == 0 || memcmp(s.data, "\xE2\x97\x8F", 3) == 0 ||
      memcmp(s.data, "\xE2\x96\xAA", 3) == 0 || memcmp(s.data, "\xEF\x82\xB7", 3) == 0)
    return 1;
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
  if (text_group_is_bullet(l->text) && (ends_sentence(before->text) || text_group_is_bullet(before->text)))
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
static void text_group_continue(struct text_group *g, struct slice line) {
  struct buf *t = &g->d->text;
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
      text_group_continue(g, lines[i].text);
    doc_builder_squeeze(&g->d->text, lines[i].text);
  }
  doc_builder_end(g->d);
}

/* ---- laid-out text: structure that a PDF has lost is inferred from where lines end ---- */

/* The column where a line ends. */
size_t text_group_right_edge(const struct plain_line *l) {
  size_t columns = l->indent;
  for (size_t i = 0; i < l->text.len; i++)
    columns += (l->text.data[i] & 0xC0) != 0x80;
  return columns;
}

/* Whether the first word of the next line would have fit on this one: then it ends its paragraph.  Letters differ in
 * width, so an eighth is left as tolerance. */
static int ends_early(const struct plain_line *lines, size_t i, size_t widest) {
  const struct plain_line *next = &lines[i + 1];
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
      text_group_inner_gap(s))
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

/* Whether the group is two lines that could each be a title, the first much shorter than the page width. */
static int text_group_is_pair(const struct text_group *g, const struct plain_line *lines, size_t count) {
  return count == 2 && is_title(g, &lines[0]) && is_title(g, &lines[1]) &&
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
}

void text_group_emit(struct text_group *g, const struct plain_line *lines, size_t count) {
  if (!count)
    return;
  if (looks_tabular(lines, count)) {
    text_group_emit_table(g, lines, count);
    return;
  }
  if (g->o->laid_out) {
    emit_laid_out(g, lines, count);
    return;
  }
  size_t from = 0;
  for (size_t i = 1; i <= count; i++) {
    if (i < count && !new_paragraph(lines, i))
      continue;
    if (i - from > 1 || !text_group_is_rule(lines[from].text)) /* a ruled line is not text */
      add_prose(g, lines + from, i - from);
    from = i;
  }
}
