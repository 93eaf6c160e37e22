/* block.c: splits a passage's Markdown into blocks, and its context into the place that people read. */
#include "page/block.h"

struct slice page_line(struct slice text, size_t at) {
  const char *end = memchr(text.data + at, '\n', text.len - at);
  return slice_of(text.data + at, end ? (size_t)(end - text.data) - at : text.len - at);
}

static int page_begins(struct slice s, const char *with) {
  size_t n = strlen(with);
  return s.len >= n && memcmp(s.data, with, n) == 0;
}

/* The level of a heading "## Title", or 0. */
static int page_heading_level(struct slice line) {
  int n = 0;
  while ((size_t)n < line.len && n < 6 && line.data[n] == '#')
    n++;
  return n && (size_t)n < line.len && line.data[n] == ' ' ? n : 0;
}

/* Length of "- ", "* " or "12.  " at the start of the line. */
static size_t page_item_mark(struct slice line) {
  size_t n = 0;
  if (line.len > 1 && line.data[1] == ' ' && (line.data[0] == '-' || line.data[0] == '*'))
    return 2;
  while (n < line.len && n < 4 && line.data[n] >= '0' && line.data[n] <= '9')
    n++;
  return n && n + 1 < line.len && (line.data[n] == '.' || line.data[n] == ')') && line.data[n + 1] == ' '
             ? n + 2
             : 0;
}

/* Takes the lines of a table, from the line at `at` on. */
static void page_take_table(struct slice text, size_t *at, struct page_block *b) {
  size_t from = *at;
  while (*at < text.len && text.data[*at] == '|')
    *at += page_line(text, *at).len + 1;
  b->kind = PAGE_TABLE;
  b->text = slice_of(text.data + from, (*at > text.len ? text.len : *at) - from);
}

static void page_take_fixed(struct slice text, size_t *at, struct page_block *b) {
  *at += page_line(text, *at).len + 1;
  size_t from = *at < text.len ? *at : text.len, end = from;
  while (*at < text.len) {
    struct slice line = page_line(text, *at);
    *at += line.len + 1;
    if (page_begins(line, "```"))
      break;
    end = *at < text.len ? *at : text.len;
  }
  b->kind = PAGE_FIXED;
  b->text = slice_of(text.data + from, end - from);
}

static void page_take_item(struct slice line, size_t blanks, size_t mark, struct page_block *b) {
  b->kind = PAGE_ITEM;
  b->level = (int)(blanks / 2);
  b->label = slice_of(line.data, mark);
  b->text = slice_of(line.data + mark, line.len - mark);
  const char *end = page_begins(b->text, "**") ? memmem(b->text.data, b->text.len, ":**", 3) : NULL;
  if (!end)
    return;
  size_t n = (size_t)(end - b->text.data);
  b->strong = slice_of(b->text.data + 2, n - 1);
  b->text = slice_trimmed(slice_of(end + 3, b->text.len - n - 3));
}

/* ---- context lines ---- */

static const char place_dot[] = " \xc2\xb7 ";
enum { PLACE_DOT = sizeof place_dot - 1 };

/* The start of a location's last part, including its dot; 0 where it is the only one. */
static size_t place_last(struct slice place) {
  size_t last = 0;
  for (const char *at = place.data, *end = at + place.len;
       at && (at = memmem(at, (size_t)(end - at), place_dot, PLACE_DOT)); at += PLACE_DOT)
    last = (size_t)(at - place.data);
  return last;
}

struct slice page_place(struct slice context) {
  size_t last = place_last(context);
  return last && memmem(context.data + last, context.len - last, " | ", 3) ? slice_of(context.data, last)
                                                                           : context;
}

struct slice page_place_end(struct slice context) {
  struct slice place = page_place(context);
  size_t last = place_last(place), from = last ? last + PLACE_DOT : 0;
  return slice_of(place.data + from, place.len - from);
}

int page_place_cut(struct slice *place) {
  size_t last = place_last(*place), title = place->len - last - (last ? PLACE_DOT : 0);
  if (title + 4 < PAGE_TITLE) /* don't split a character */
    return 0;
  while (place->len > last && place->data[place->len - 1] != ' ')
    place->len--;
  while (place->len > last && place->data[place->len - 1] == ' ')
    place->len--;
  return 1;
}

size_t page_place_outline(struct slice place) {
  static const char filed[] = " \xc2\xb7 filed ";
  const char *at = memmem(place.data, place.len, filed, sizeof filed - 1);
  size_t behind = at ? (size_t)(at - place.data) + sizeof filed - 1 + strlen("2025-10-31") : place.len;
  return behind + PLACE_DOT < place.len && memcmp(place.data + behind, place_dot, PLACE_DOT) == 0 ? behind
                                                                                                  : place.len;
}

#define PLACE_WORDS 7 /* bytes of a cut title at least, to the end of a word: "ITEM 2." */

void page_place_add(struct buf *out, struct slice place, size_t room) {
  int cut = page_place_cut(&place);
  size_t last = place_last(place), at = place.len > room ? page_place_outline(place) : last;
  at = at < last ? at : last;
  buf_add(out, place.data, at);
  while (at < last) {
    struct slice rest = slice_of(place.data + at + PLACE_DOT, place.len - at - PLACE_DOT);
    const char *dot = memmem(rest.data, rest.len, place_dot, PLACE_DOT);
    size_t all = dot ? (size_t)(dot - rest.data) : rest.len, n = all < PLACE_WORDS ? all : PLACE_WORDS;
    while (n < all && rest.data[n] != ' ')
      n++;
    buf_add(out, place_dot, PLACE_DOT);
    buf_add(out, rest.data, n);
    buf_add_str(out, n < all ? " \xe2\x80\xa6" : "");
    at += PLACE_DOT + all;
  }
  buf_add(out, place.data + last, place.len - last);
  buf_add_str(out, cut ? " \xe2\x80\xa6" : "");
}

int page_may_link(struct slice url) {
  static const char *const schemes[] = {"https://", "http://", "file:///"};
  int known = 0;
  for (size_t i = 0; i < 3; i++)
    known |= url.len > strlen(schemes[i]) && memcmp(url.data, schemes[i], strlen(schemes[i])) == 0;
  for (size_t i = 0; i < url.len; i++)
    known &= url.data[i] > ' ' && url.data[i] < 0x7f;
  return known;
}

struct slice page_head(struct slice context) {
  size_t place = page_place(context).len + PLACE_DOT;
  return place < context.len ? slice_of(context.data + place, context.len - place) : slice_of(NULL, 0);
}

int page_next_block(struct page_passage p, size_t *at, struct page_block *b) {
  struct slice text = p.text;
  *b = (struct page_block){.kind = PAGE_PARAGRAPH};
  while (*at < text.len && (text.data[*at] == '\n' || text.data[*at] == '\r'))
    ++*at;
  if (*at >= text.len)
    return 0;
  struct slice line = page_line(text, *at), bare = slice_trimmed(line);
  size_t blanks = bare.len ? (size_t)(bare.data - line.data) : 0, mark = page_item_mark(bare);
  if (*line.data == '|') {
    if (*at == 0)
      b->head = page_head(p.context);
    page_take_table(text, at, b);
    return 1;
  }
  if (page_begins(line, "```")) {
    page_take_fixed(text, at, b);
    return 1;
  }
  *at += line.len + 1;
  if ((b->level = page_heading_level(line)) > 0) {
    b->kind = PAGE_HEADING;
    b->text = slice_trimmed(slice_of(line.data + b->level, line.len - (size_t)b->level));
  } else if (mark) {
    page_take_item(bare, blanks, mark, b);
  } else {
    int escaped = bare.len > 1 && bare.data[0] == '\\' && (bare.data[1] == '#' || bare.data[1] == '|');
    b->text = slice_of(bare.data + escaped, bare.len - (size_t)escaped);
  }
  return 1;
}

/* ---- marks ---- */

int page_is_marked(const struct page_marks *m, const char *at, size_t *next) {
  size_t i = (size_t)(at - m->base);
  while (*next < m->count && m->span[*next][1] <= i)
    ++*next;
  return *next < m->count && i >= m->span[*next][0];
}

int page_is_answer(const struct page_marks *m, const char *at) {
  size_t i = (size_t)(at - m->base);
  for (size_t k = 0; k < m->answer_count; k++)
    if (i >= m->answer[k][0] && i < m->answer[k][1])
      return 1;
  return 0;
}
