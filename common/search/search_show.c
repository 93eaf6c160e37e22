/* search_show.c: answers for people: wrapped, the question's words marked, control bytes masked. */
#include "record/json.h"
#include "search/search.h"
#include "text/terms.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

#define LINES 12 /* of a passage that are shown */
#define INDENT 3

/* The bytes of the text that the question's terms stand at. */
struct marks {
  const struct query *q;
  size_t (*span)[2];
  size_t count, cap;
};

static void mark_term(void *arg, const struct term *t) {
  struct marks *m = arg;
  for (size_t i = 0; i < m->q->term_count; i++) {
    if (m->q->terms[i].weight < 0.3F || !slice_eq(m->q->terms[i].text, t->text))
      continue;
    if (m->count == m->cap) {
      m->cap = m->cap ? 2 * m->cap : 64;
      m->span = xreallocarray(m->span, m->cap, sizeof *m->span);
    }
    m->span[m->count][0] = t->start;
    m->span[m->count++][1] = t->end;
    return;
  }
}

/* A line being filled. */
struct search_show_page {
  struct buf *out;
  size_t width, column, lines;
  int bold, colour;
};

static void set_bold(struct search_show_page *p, int bold) {
  if (p->colour && p->bold != bold)
    buf_add_str(p->out, bold ? "\033[1;33m" : "\033[0m");
  p->bold = bold;
}

static void new_line(struct search_show_page *p) {
  buf_printf(p->out, "\n%*s", INDENT, "");
  p->column = INDENT;
  p->lines++;
}

/* Bytes of the character at text, and what it may do to a terminal taken away. */
static size_t put_character(struct search_show_page *p, const char *text, size_t len) {
  uint32_t c;
  size_t n = utf8_decode(text, len, &c);
  if (n == 0 || c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
      (c >= 0x2066 && c <= 0x2069)) {
    buf_add_char(p->out, '?');
    p->column++;
    return n ? n : 1;
  }
  buf_add(p->out, text, n);
  p->column += c >= 0x1100 ? 2 : 1;
  return n;
}

static size_t word_end(struct slice text, size_t i) {
  while (i < text.len && text.data[i] != ' ' && text.data[i] != '\n')
    i++;
  return i;
}

static int is_marked(const struct marks *m, size_t at, size_t *next) {
  while (*next < m->count && m->span[*next][1] <= at)
    ++*next;
  return *next < m->count && at >= m->span[*next][0];
}

static void put_word(struct search_show_page *p, struct slice text, size_t from, size_t to,
                     const struct marks *m, size_t *next) {
  for (size_t i = from; i < to;) {
    set_bold(p, is_marked(m, i, next));
    i += put_character(p, text.data + i, to - i);
  }
  set_bold(p, 0);
}

static void put_text(struct search_show_page *p, struct slice text, const struct marks *m) {
  size_t next = 0;
  if (p->column < INDENT)
    buf_printf(p->out, "%*s", INDENT, "");
  p->column = INDENT;
  for (size_t i = 0; i < text.len && p->lines < LINES;) {
    if (text.data[i] == ' ' || text.data[i] == '\n') {
      int line = text.data[i] == '\n' && p->column > INDENT;
      i++;
      if (line)
        new_line(p);
      continue;
    }
    size_t end = word_end(text, i);
    if (p->column > INDENT && p->column + (end - i) >= p->width)
      new_line(p);
    else if (p->column > INDENT)
      buf_add_char(p->out, ' '), p->column++;
    if (p->lines < LINES)
      put_word(p, text, i, end, m, &next);
    i = end;
  }
  if (p->lines >= LINES)
    buf_add_str(p->out, "\xe2\x80\xa6");
  buf_add_char(p->out, '\n');
}

/* One line of somebody else's text, cut to the width. */
static void search_show_put_line(struct search_show_page *p, struct slice text) {
  for (size_t i = 0; i < text.len && p->column < p->width;)
    i += put_character(p, text.data + i, text.len - i);
}

static void search_show_put_head(struct searcher *s, const struct search_answer *a, size_t i,
                                 struct search_show_page *p) {
  const struct rank_hit *h = &a->result.hits[i];
  const struct search_passage *passage = searcher_passage(s);
  long long page = json_to_int(json_get(passage->text.chunk, "page"), 0);
  const struct marks none = {.q = a->query};
  struct slice context = passage->text.context;
  if (context.len == 0)
    context = slice_str(search_collection_name(searcher_shared(s), h->at.seg->doc[h->at.doc].collection));
  buf_printf(p->out, "%s%2zu%s ", p->colour ? "\033[1m" : "", i + 1, p->colour ? "\033[0;36m" : "");
  struct search_show_page head = {.out = p->out, .width = p->width, .column = INDENT};
  put_text(&head, context, &none);
  buf_add_str(p->out, p->colour ? "\033[0m" : "");
  buf_printf(p->out, "%*s%sscore %.3f", INDENT, "", p->colour ? "\033[2m" : "", (double)h->score);
  if (page > 0)
    buf_printf(p->out, ", page %lld", page);
  if (h->folded_count > 0)
    buf_printf(p->out, ", %zu more like it", h->folded_count);
  buf_add_str(p->out, p->colour ? "\033[0m\n" : "\n");
}

static void put_source(struct searcher *s, struct search_show_page *p) {
  struct buf scratch;
  buf_init(&scratch, 1 << 20);
  struct slice url = json_text(json_get(buf_slice(&searcher_passage(s)->document), "sourceUrl"), &scratch);
  buf_printf(p->out, "%*s%s", INDENT, "", p->colour ? "\033[2m" : "");
  p->column = INDENT;
  p->width = (size_t)-1; /* an address is not cut */
  search_show_put_line(p, url);
  buf_add_str(p->out, p->colour ? "\033[0m\n\n" : "\n\n");
  buf_release(&scratch);
}

static void put_scores(const struct rank_hit *h, struct search_show_page *p) {
  buf_printf(p->out,
             "%*s%stext %.3f (bm25 %.2f), vector %.3f (cosine %.3f), period %.3f, form %.3f, table %.3f, "
             "phrase %.3f, relevance %.2f%s\n",
             INDENT, "", p->colour ? "\033[2m" : "", (double)h->text, (double)h->bm25, (double)h->vector,
             (double)h->cosine, (double)h->period, (double)h->form, (double)h->table, (double)h->phrase,
             (double)h->relevance, p->colour ? "\033[0m" : "");
}

int search_show_hit(struct searcher *s, const struct search_answer *a, size_t i,
                    const struct search_output *o, size_t width, int colour, struct buf *out,
                    struct error_text *e) {
  struct search_show_page p = {.out = out, .width = width, .colour = colour};
  struct marks m = {.q = a->query};
  if (searcher_load(s, &a->result.hits[i].at, searcher_passage(s), e) != 0)
    return -1;
  struct slice text = searcher_passage(s)->text.text;
  search_show_put_head(s, a, i, &p);
  if (o->explain)
    put_scores(&a->result.hits[i], &p);
  terms_scan(searcher_terms(s), text, 0, mark_term, &m);
  put_text(&p, text, &m);
  put_source(s, &p);
  free(m.span);
  return 0;
}

void search_show_explanation(const struct search_answer *a, int colour, struct buf *out) {
  const struct query *q = a->query;
  struct slice all = slice_of(NULL, 0), value;
  struct json_cursor c = {0};
  struct buf list, text;
  buf_init(&list, 1 << 20);
  buf_init(&text, 1 << 16);
  buf_printf(&list, "[%.*s]", (int)q->notes.len, q->notes.len ? q->notes.data : "");
  all = buf_slice(&list);
  buf_add_str(out, colour ? "\033[2m" : "");
  while (json_next_element(all, &c, &value)) {
    struct slice line = json_text(value, &text);
    buf_printf(out, "# %.*s\n", (int)line.len, line.data);
  }
  for (size_t i = 0; i < q->year_count; i++)
    buf_printf(out, "# year: %d counts more\n", q->years[i]);
  if (a->result.narrowed_company || a->result.narrowed_form)
    buf_printf(out, "# narrowed to the %s named\n",
               a->result.narrowed_company && a->result.narrowed_form ? "company and form"
               : a->result.narrowed_company                          ? "company"
                                                                     : "form");
  buf_printf(out, "# %llu passages searched, %s\n", (unsigned long long)a->result.searched,
             a->model == NULL       ? "text only"
             : a->result.exact      ? "every vector"
             : a->result.candidates ? "1-bit sketches first"
                                    : "4 bits of every vector first");
  buf_add_str(out, colour ? "\033[0m\n" : "\n");
  buf_release(&list);
  buf_release(&text);
}
