/* chunker.c: finds the pieces of a text, line by line; packer.c combines them into passages.
 *
 * The text is read once: lines for their kind, paragraphs for the ends of sentences, and the token stream in parallel
 * for the sizes.
 */
#include "chunk/chunker.h"

#include "chunk/packer.h"
#include "page/block.h"
#include "text/sentence.h"

#include <ctype.h>
#include <stdlib.h>

#define HEADINGS_MAX 65536 /* limit of headings from lines of '#'; more are plain text */
#define TABLES_MAX 65536   /* limit of tables whose header is repeated */
#define HEADING_LINE 300   /* a longer line is a paragraph that starts with its heading */
#define PLAIN_ROW 512      /* a longer line is not a row of a plain-text table */
#define FENCE_MAX 65536    /* limit of preformatted text between its fences, in bytes */
#define GROUP_BACK 8192    /* bytes of a table in which the heading of a group is looked for */
#define CAPTION_TOKENS 48  /* a longer paragraph before a table is not its caption */

struct heading {
  struct chunker_heading it;
  uint32_t parent; /* 0: none */
};

struct chunker_table {
  size_t start; /* offset of its first row */
  struct slice caption, header;
  size_t header_end; /* offset in text; 0 where the table has no header */
};

struct chunker_line {
  size_t start, end; /* trimmed */
  size_t next;
};

struct cutter {
  const struct chunker_document *d;
  struct slice text;
  struct packer_stream tokens;
  struct packer packer;
  size_t bound;
  chunker_function *f;
  void *arg;
  size_t index; /* of the next chunk */
  struct heading *headings;
  size_t heading_count;
  size_t next_heading;                   /* index in d->headings */
  uint32_t in_force[CHUNKER_LEVELS + 1]; /* current heading by level; 0: none */
  uint32_t deepest;
  int heading_just_was; /* level of the last line if it was a heading, or 0 */
  int sectioned;        /* the document's own headings have level 1 or 2 */
  struct chunker_table *tables;
  size_t table_count;
  uint32_t table;       /* table of the last line; 0: none */
  uint32_t noted;       /* table to which notes below would belong; 0: none */
  int fence_mark;       /* the last line was a fence that starts preformatted text */
  size_t fence_end;     /* end of the preformatted text of the last line; 0: none */
  int blank;            /* preceded by an empty line or nothing */
  size_t breaks_before; /* result of the last breaks_before() */
  struct chunker_line caption;
  size_t caption_tokens;
};

static size_t in_bounds(size_t value, size_t low, size_t high) {
  return value < low ? low : value > high ? high : value;
}

/* --- output of passages --- */

/* Number of breaks at or before the offset; starts from the last result, which is usually close. */
static size_t breaks_before(struct cutter *c, size_t offset) {
  const struct chunker_break *breaks = c->d->breaks;
  size_t low = c->breaks_before, high = c->d->break_count;
  if ((low == 0 || breaks[low - 1].offset <= offset) && (low == high || breaks[low].offset > offset))
    return low;
  for (low = 0; low < high;) {
    size_t mid = (low + high) / 2;
    if (breaks[mid].offset <= offset)
      low = mid + 1;
    else
      high = mid;
  }
  return c->breaks_before = low;
}

static int page_at(struct cutter *c, size_t offset, int otherwise) {
  size_t n = breaks_before(c, offset);
  return n ? c->d->breaks[n - 1].page : otherwise;
}

/* The page that contains most of a passage, the first one of a tie: the page number at the foot of a page often
 * starts the first passage of the next one. */
static int chunker_page_of(struct cutter *c, const struct packer_piece *pieces, size_t count, int otherwise) {
  int best = otherwise, page = otherwise;
  size_t most = 0, tokens = 0;
  for (size_t i = 0; i < count; i++) {
    int at = page_at(c, pieces[i].start, otherwise);
    tokens = i > 0 && at == page ? tokens + pieces[i].tokens : pieces[i].tokens;
    page = at;
    if (i == 0 || tokens > most) {
      most = tokens;
      best = page;
    }
  }
  return best;
}

#define STRAY_TOKENS 3 /* of a page number, which belongs to neither page */

/* The pages on which a passage begins and ends. */
static void fill_first_last_page(struct cutter *c, const struct packer_piece *pieces, size_t count,
                                 struct chunker_chunk *k) {
  size_t first = 0, last = count - 1;
  while (first < last && pieces[first].tokens <= STRAY_TOKENS)
    first++;
  while (last > first && pieces[last].tokens <= STRAY_TOKENS)
    last--;
  k->first_page = page_at(c, pieces[first].start, k->page);
  k->last_page =
      page_at(c, pieces[last].end > pieces[last].start ? pieces[last].end - 1 : pieces[last].end, k->page);
}

static void fill_path(const struct cutter *c, uint32_t number, struct chunker_chunk *out) {
  for (; number; number = c->headings[number].parent) {
    const struct chunker_heading *h = &c->headings[number].it;
    out->path[h->level] = *h;
    if (out->heading.len == 0)
      out->heading = h->title;
    if (out->item.len == 0)
      out->item = h->item;
    if (out->page == 0)
      out->page = h->page;
  }
}

/* Finds the headings of the group that a table goes on with at byte `at`; its rows are read from byte `from` on. */
static void fill_groups(struct slice text, size_t from, size_t at, struct chunker_chunk *out) {
  struct page_groups g = {.count = 0};
  struct slice row, cells[PAGE_COLUMNS];
  if (at - from > GROUP_BACK) {
    from = at - GROUP_BACK;
    from += page_line(text, from).len + 1;
  }
  for (; from < at; from += row.len + 1) {
    row = page_line(text, from);
    page_groups_row(&g, row, from);
  }
  out->table_group_count = page_groups_row(&g, page_line(text, at), at);
  for (size_t i = 0; i < out->table_group_count; i++)
    if (page_row_split(page_line(text, g.open[i].at), cells) > 0)
      out->table_groups[i] = cells[0];
}

static void fill_table(const struct cutter *c, const struct packer_piece *first, struct chunker_chunk *out) {
  const struct chunker_table *t = &c->tables[first->table];
  if (first->table == 0 || first->start < t->start)
    return; /* if it starts with the table, the caption is in the previous passage */
  out->table_caption = t->caption;
  if (t->header_end && first->start >= t->header_end)
    out->table_header = t->header;
  size_t rows = t->header_end ? t->header_end + 1 : t->start;
  if (first->flags & PIECE_ROW && first->start >= rows)
    fill_groups(c->text, rows, first->start, out);
}

#define MAIN_SHARE 3 /* as many times more tokens than what stands before it: what a passage is about */

/* A piece of the section that the passage begins with, or of one that has much more of it: the rest of a section may lead to
 * another one ("Members", then the table of owners).  Headings count for neither. */
static const struct packer_piece *chunker_main_piece(const struct packer_piece *pieces, size_t count) {
  const struct packer_piece *best = pieces + count - 1;
  size_t most = 0, tokens = 0;
  for (size_t i = 0; i < count; i++) {
    tokens = i > 0 && pieces[i].heading == pieces[i - 1].heading ? tokens : 0;
    tokens += pieces[i].flags & PIECE_HEADING ? 0 : pieces[i].tokens;
    if (tokens > most && (most == 0 || pieces[i].heading == best->heading || tokens > MAIN_SHARE * most)) {
      most = tokens;
      best = &pieces[i];
    }
  }
  return best;
}

static int give_chunk(void *arg, const struct packer_piece *pieces, size_t count) {
  struct cutter *c = arg;
  struct chunker_chunk k = {.index = c->index++, .start = pieces[0].start, .end = pieces[count - 1].end};
  const struct packer_piece *body = chunker_main_piece(pieces, count);
  for (size_t i = 0; i < count; i++)
    k.tokens += pieces[i].tokens;
  fill_path(c, body->heading, &k);
  fill_table(c, pieces, &k);
  k.page = chunker_page_of(c, pieces, count, k.page);
  fill_first_last_page(c, pieces, count, &k);
  return c->f(c->arg, &k);
}

/* --- pieces --- */

static void chunker_put(struct cutter *c, size_t start, size_t end, size_t tokens,
                        enum packer_boundary boundary, unsigned flags) {
  struct packer_piece *last = packer_last(&c->packer);
  if (tokens == 0 && last && boundary < BOUNDARY_HEADING) {
    last->end = end;
    return;
  }
  struct packer_piece piece = {.start = start,
                               .end = end,
                               .tokens = tokens,
                               .heading = c->deepest,
                               .table = c->table,
                               .boundary = (uint8_t)boundary,
                               .flags = (uint8_t)flags};
  packer_add(&c->packer, &piece);
}

/* The quality of a split before byte `at`: at a line or cell, a clause, a blank; 0 inside text without blanks. */
static int cut_class(struct slice text, size_t start, size_t at) {
  size_t before = at;
  while (before > start && isspace((unsigned char)text.data[before - 1]))
    before--;
  if (before == at)
    return 0;
  if (text.data[at] == '|' || memchr(text.data + before, '\n', at - before))
    return 4;
  char c = before > start ? text.data[before - 1] : 0;
  return c == ';' || c == '.' ? 3 : c == ',' || c == ':' || c == ')' ? 2 : 1;
}

/* Where to split among the tokens taken since byte start: puts the tokens after it back into the stream and sets
 * *tokens to the rest, at least one.  Returns the offset of the split. */
static size_t cut_oversized(struct cutter *c, size_t start, size_t *tokens) {
  struct packer_stream *t = &c->tokens;
  size_t best = 0;
  int best_class = -1;
  for (size_t back = 0; back < *tokens && (best_class < 0 || back <= *tokens / 2); back++) {
    size_t i = t->at - back;
    if (!packer_stream_apart(t, i))
      continue;
    int class = cut_class(c->text, start, packer_stream_start(t, i));
    if (class > best_class) {
      best_class = class;
      best = back;
    }
  }
  t->at -= best;
  *tokens -= best;
  return packer_stream_start(t, t->at);
}

static size_t trim_end(struct slice text, size_t start, size_t end) {
  while (end > start && isspace((unsigned char)text.data[end - 1]))
    end--;
  return end;
}

/* Paragraphs and tables on different pages are separated like sections: a passage on a single page can be cited by
 * it, and reports tend to change the subject there. */
static enum packer_boundary over_page(struct cutter *c, size_t start, enum packer_boundary boundary) {
  const struct packer_piece *before = packer_last(&c->packer);
  if (before == NULL || boundary < BOUNDARY_LINE || boundary >= BOUNDARY_HEADING)
    return boundary;
  return page_at(c, before->start, 0) != page_at(c, start, 0) ? BOUNDARY_PAGE : boundary;
}

/* Adds a stretch of text as one piece, or as several where it has more tokens than the limit. */
static void put_stretch(struct cutter *c, size_t start, size_t end, enum packer_boundary boundary,
                        unsigned flags) {
  boundary = over_page(c, start, boundary);
  for (;;) {
    size_t tokens = packer_stream_take(&c->tokens, end, c->bound);
    if (tokens < c->bound || !packer_stream_more(&c->tokens, end)) {
      chunker_put(c, start, end, tokens, boundary, flags);
      return;
    }
    size_t next = cut_oversized(c, start, &tokens);
    chunker_put(c, start, trim_end(c->text, start, next), tokens, boundary, flags);
    start = next;
    boundary = BOUNDARY_WORD;
  }
}

static void put_sentences(struct cutter *c, size_t start, size_t end, enum packer_boundary boundary) {
  while (start < end) {
    size_t stop = start + sentence_end(slice_of(c->text.data + start, end - start));
    put_stretch(c, start, stop, boundary, 0);
    for (start = stop; start < end && isspace((unsigned char)c->text.data[start]);)
      start++;
    boundary = BOUNDARY_SENTENCE;
  }
}

/* --- headings --- */

static uint32_t chunker_add_heading(struct cutter *c, const struct chunker_heading *h) {
  c->headings = xgrow(c->headings, c->heading_count, sizeof *c->headings);
  c->headings[c->heading_count] = (struct heading){*h, 0};
  return (uint32_t)c->heading_count++;
}

static int clamp_level(int level) {
  return level < 1 ? 1 : level > CHUNKER_LEVELS ? CHUNKER_LEVELS : level;
}

/* Makes the heading the current one. */
static void enter_heading(struct cutter *c, const struct chunker_heading *given) {
  struct chunker_heading h = *given;
  h.level = clamp_level(h.level);
  uint32_t number = chunker_add_heading(c, &h);
  for (int level = h.level; level <= CHUNKER_LEVELS; level++)
    c->in_force[level] = 0;
  for (int level = h.level - 1; level > 0 && c->headings[number].parent == 0; level--)
    c->headings[number].parent = c->in_force[level];
  c->in_force[h.level] = number;
  c->deepest = number;
}

/* No boundary after a heading of a higher level: "PART II" stays with "Item 5". */
static enum packer_boundary heading_boundary(const struct cutter *c, int level) {
  if (c->heading_just_was && level > c->heading_just_was)
    return BOUNDARY_KEEP;
  return level <= 2 ? BOUNDARY_SECTION : BOUNDARY_HEADING;
}

/* The title of a line "## Title"; returns its level, or 0. */
static int marked_heading(struct slice text, const struct chunker_line *l, struct slice *title) {
  size_t marks = 0;
  while (l->start + marks < l->end && text.data[l->start + marks] == '#')
    marks++;
  if (marks == 0 || marks > 6 || l->start + marks == l->end || text.data[l->start + marks] != ' ')
    return 0;
  *title = slice_of(text.data + l->start + marks + 1, l->end - l->start - marks - 1);
  return (int)marks;
}

static void put_heading(struct cutter *c, const struct chunker_line *l, int level,
                        enum packer_boundary boundary) {
  if (l->end - l->start > HEADING_LINE) {
    put_sentences(c, l->start, l->end, boundary);
    c->heading_just_was = 0;
    return;
  }
  put_stretch(c, l->start, l->end, boundary, PIECE_HEADING);
  c->heading_just_was = level;
}

/* Enters the document's own headings at or before this line. */
static int own_headings(struct cutter *c, const struct chunker_line *l) {
  enum packer_boundary boundary = BOUNDARY_KEEP;
  int level = 0;
  for (; c->next_heading < c->d->heading_count; c->next_heading++) {
    const struct chunker_heading *h = &c->d->headings[c->next_heading];
    if (h->offset >= l->end)
      break;
    int this_level = clamp_level(h->level);
    enum packer_boundary b = heading_boundary(c, this_level);
    boundary = b > boundary ? b : boundary;
    level = this_level;
    enter_heading(c, h);
  }
  if (level)
    put_heading(c, l, level, boundary);
  return level;
}

static int text_heading(struct cutter *c, const struct chunker_line *l) {
  struct chunker_heading h = {.offset = l->start};
  h.level = marked_heading(c->text, l, &h.title);
  if (h.level == 0 || c->heading_count >= HEADINGS_MAX)
    return 0;
  if (c->sectioned && h.level < 3)
    h.level = 3;
  enum packer_boundary boundary = heading_boundary(c, h.level);
  enter_heading(c, &h);
  put_heading(c, l, h.level, boundary);
  return 1;
}

/* --- tables --- */

static int chunker_is_row(struct slice text, const struct chunker_line *l) {
  return text.data[l->start] == '|' && l->end - l->start > 1;
}

static void begin_table(struct cutter *c, const struct chunker_line *l) {
  if (c->table_count == TABLES_MAX) {
    c->table = TABLES_MAX - 1;
    c->tables[c->table] = (struct chunker_table){.start = l->start, .header_end = l->start};
    return;
  }
  c->tables = xgrow(c->tables, c->table_count, sizeof *c->tables);
  struct chunker_table t = {.start = l->start};
  if (c->caption_tokens)
    t.caption = slice_of(c->text.data + c->caption.start, c->caption.end - c->caption.start);
  c->table = (uint32_t)c->table_count;
  c->tables[c->table_count++] = t;
}

static void put_row(struct cutter *c, const struct chunker_line *l) {
  enum packer_boundary boundary = BOUNDARY_ROW;
  struct chunker_table *t = &c->tables[c->table];
  if (c->table == 0) {
    int captioned = c->caption_tokens > 0 || c->heading_just_was;
    begin_table(c, l);
    boundary = captioned ? BOUNDARY_KEEP : BOUNDARY_PARAGRAPH;
  } else if (t->header_end == 0 && page_is_rule(slice_of(c->text.data + l->start, l->end - l->start))) {
    t->header = slice_of(c->text.data + t->start, trim_end(c->text, t->start, l->start) - t->start);
    t->header_end = l->end;
    boundary = BOUNDARY_KEEP;
  } else if (t->header_end && c->blank == 0 && trim_end(c->text, t->header_end, l->start) == t->header_end)
    boundary = BOUNDARY_KEEP; /* the first row below the header */
  put_stretch(c, l->start, l->end, boundary, PIECE_ROW);
  c->heading_just_was = 0;
  c->caption_tokens = 0;
}

/* --- lines --- */

static int chunker_next_line(struct slice text, size_t at, struct chunker_line *l) {
  if (at >= text.len)
    return 0;
  const char *end = memchr(text.data + at, '\n', text.len - at);
  l->end = end ? (size_t)(end - text.data) : text.len;
  l->next = end ? l->end + 1 : text.len;
  l->start = at;
  while (l->start < l->end && isspace((unsigned char)text.data[l->start]))
    l->start++;
  l->end = trim_end(text, l->start, l->end);
  return 1;
}

/* Whether it has columns separated by tabs or three or more blanks: a row of a plain-text table. */
static int is_plain_row(struct slice text, const struct chunker_line *l) {
  const char *s = text.data + l->start;
  size_t n = l->end - l->start;
  if (n > PLAIN_ROW)
    return 0;
  for (size_t i = 0; i < n; i++)
    if (s[i] == '\t' || (n - i >= 3 && memcmp(s + i, "   ", 3) == 0))
      return 1;
  return 0;
}

static int is_list_item(struct slice text, const struct chunker_line *l) {
  const char *s = text.data + l->start;
  size_t n = l->end - l->start, digits = 0;
  if (n > 1 && strchr("-*+", *s) && s[1] == ' ')
    return 1;
  if (n > 3 && memcmp(s, "\xe2\x80\xa2", 3) == 0)
    return 1;
  while (digits < 3 && digits + (*s == '(') < n && isalnum((unsigned char)s[digits + (*s == '(')]))
    digits++;
  size_t mark = digits + (*s == '(');
  return digits && mark + 1 < n && (s[mark] == ')' || (isdigit((unsigned char)*s) && s[mark] == '.')) &&
         s[mark + 1] == ' ';
}

/* The end of a block between lines of "```" that starts at this line, or 0. */
static size_t fence_end(struct slice text, const struct chunker_line *l) {
  if (l->end - l->start != 3 || memcmp(text.data + l->start, "```", 3) != 0)
    return 0;
  size_t room = text.len - l->end < FENCE_MAX ? text.len - l->end : FENCE_MAX;
  const char *close = memmem(text.data + l->end, room, "\n```", 4);
  return close ? (size_t)(close - text.data) + 4 : 0;
}

/* Whether a line continues the previous paragraph. */
static int continues_paragraph(const struct cutter *c, const struct chunker_line *l) {
  struct slice title;
  if (l->start == l->end || chunker_is_row(c->text, l) || is_list_item(c->text, l) ||
      is_plain_row(c->text, l) || fence_end(c->text, l))
    return 0;
  if (marked_heading(c->text, l, &title))
    return 0;
  return c->next_heading == c->d->heading_count || c->d->headings[c->next_heading].offset >= l->end;
}

/* Adds a paragraph or list item from *l on, including continuation lines; *l becomes its last line. */
static void put_paragraph(struct cutter *c, struct chunker_line *l) {
  struct chunker_line first = *l, next;
  enum packer_boundary boundary = c->blank ? BOUNDARY_PARAGRAPH : BOUNDARY_LINE;
  if (c->heading_just_was)
    boundary = BOUNDARY_KEEP;
  if (is_plain_row(c->text, l)) {
    put_stretch(c, l->start, l->end, boundary == BOUNDARY_LINE ? BOUNDARY_ROW : boundary, PIECE_ROW);
    c->heading_just_was = 0;
    return;
  }
  while (chunker_next_line(c->text, l->next, &next) && continues_paragraph(c, &next))
    *l = next;
  c->heading_just_was = 0;
  struct packer_piece *before = packer_last(&c->packer);
  size_t last_end = before ? before->end : 0;
  put_sentences(c, first.start, l->end, boundary);
  before = packer_last(&c->packer);
  c->caption = (struct chunker_line){first.start, l->end, l->next};
  c->caption_tokens = before && before->start == first.start && before->end > last_end ? before->tokens : 0;
  if (c->caption_tokens > CAPTION_TOKENS)
    c->caption_tokens = 0;
}

/* Lines of preformatted text are rows; fences stay with the adjacent lines. */
static void put_fenced(struct cutter *c, const struct chunker_line *l) {
  int mark = l->end - l->start == 3 && memcmp(c->text.data + l->start, "```", 3) == 0;
  enum packer_boundary boundary = mark || c->fence_mark ? BOUNDARY_KEEP
                                  : c->blank            ? BOUNDARY_PARAGRAPH
                                                        : BOUNDARY_ROW;
  if (mark && l->end != c->fence_end)
    boundary = c->heading_just_was || c->caption_tokens ? BOUNDARY_KEEP : BOUNDARY_PARAGRAPH;
  put_stretch(c, l->start, l->end, boundary, PIECE_ROW);
  c->fence_mark = mark && l->end != c->fence_end;
  c->heading_just_was = 0;
  c->caption_tokens = 0;
  c->table = 0;
  if (l->end >= c->fence_end)
    c->fence_end = 0;
}

/* "(1) ...", "[a] ...", "* ..." or "^1^ ..." below a table is a note to it. */
static int is_table_note(struct slice text, const struct chunker_line *l) {
  const char *s = text.data + l->start;
  size_t n = l->end - l->start;
  if (n > 2 && *s == '*' && s[1] != '*')
    return 1;
  if (n < 4 || !strchr("([^", *s))
    return 0;
  return (isdigit((unsigned char)s[1]) || islower((unsigned char)s[1])) &&
         (strchr(")]^", s[2]) || (isdigit((unsigned char)s[2]) && strchr(")]^", s[3])));
}

static void chunker_put_line(struct cutter *c, struct chunker_line *l) {
  int own = own_headings(c, l);
  if (!own && (c->fence_end || (c->fence_end = fence_end(c->text, l)) != 0)) {
    put_fenced(c, l);
    return;
  }
  if (own || text_heading(c, l)) {
    c->table = c->noted = 0;
    c->caption_tokens = 0;
    return;
  }
  if (chunker_is_row(c->text, l)) {
    put_row(c, l);
    c->noted = c->table;
    return;
  }
  c->table = is_table_note(c->text, l) ? c->noted : 0;
  c->noted = c->table;
  put_paragraph(c, l);
  c->table = 0;
}

static void cut_lines(struct cutter *c) {
  struct chunker_line l;
  c->blank = 1;
  for (size_t at = 0; c->packer.status == 0 && chunker_next_line(c->text, at, &l); at = l.next) {
    if (l.start == l.end) {
      c->blank = 1;
      c->table = 0;
      continue;
    }
    chunker_put_line(c, &l);
    c->blank = 0;
  }
  packer_end_section(&c->packer);
}

static int has_sections(const struct chunker_document *d) {
  for (size_t i = 0; i < d->heading_count; i++)
    if (d->headings[i].level <= 2)
      return 1;
  return 0;
}

int chunker_run(struct wordpiece_memo *w, const struct chunker_document *d, const struct chunker_options *o,
                chunker_function *f, void *arg) {
  struct cutter c = {.d = d, .text = d->text, .f = f, .arg = arg, .sectioned = has_sections(d)};
  c.bound = in_bounds(o->tokens, CHUNKER_TOKENS_MIN, CHUNKER_TOKENS_MAX);
  packer_stream_init(&c.tokens, w, d->text, 2 * c.bound);
  packer_init(&c.packer, c.bound, in_bounds(o->overlap, 0, c.bound / 2), give_chunk, &c);
  chunker_add_heading(&c, &(struct chunker_heading){0}); /* number 0 means none */
  c.tables = xcalloc(1, sizeof *c.tables);
  c.table_count = 1;
  cut_lines(&c);
  int status = c.packer.status;
  packer_stream_release(&c.tokens);
  packer_release(&c.packer);
  free(c.headings);
  free(c.tables);
  return status;
}
