/* diff_page.c: the changes between two texts as an HTML page, with unchanged paragraphs folded in between. */
#include "compare/diff_print.h"
#include "page/html_page.h"
#include "record/json.h"

#include <ctype.h>
#include <stdio.h>

#define PAGE_TEXT ((size_t)1 << 20)

struct diff_page {
  struct buf *out;
  const struct passage_diff *d;
  struct slice same;             /* unchanged newer text that was not written yet */
  size_t same_count, span_count; /* the latter: rows of another span of time among them */
  enum diff_kind open;           /* of the changes that the open <div> holds; DIFF_SAME: none is open */
};

/* Removes heading marks and the outer bars of a table row. */
static struct slice diff_page_bare(struct slice s) {
  while (s.len && strchr("#| ", s.data[0]))
    s = slice_of(s.data + 1, s.len - 1);
  while (s.len && strchr("| \r\n", s.data[s.len - 1]))
    s.len--;
  return s;
}

/* Whether it is the rule between a table's header and its rows. */
static int diff_page_is_rule(struct slice s) {
  for (size_t i = 0; i < s.len; i++)
    if (!strchr("|-: \r\n", s.data[i]))
      return 0;
  return 1;
}

/* Consecutive changes of one kind share a label. */
static void diff_page_begin(struct diff_page *g, enum diff_kind kind) {
  static const char *const labels[] = {[DIFF_MOVED] = "moved",
                                       [DIFF_NUMBERS] = "other numbers",
                                       [DIFF_CHANGED] = "changed",
                                       [DIFF_ADDED] = "added",
                                       [DIFF_DROPPED] = "dropped"};
  if (g->open == kind)
    return;
  buf_add_str(g->out, g->open == DIFF_SAME ? "" : "</div>\n");
  if (kind != DIFF_SAME)
    buf_printf(g->out, "<div class=\"change %s\"><p class=\"soft\">%s</p>\n", passage_diff_name(kind),
               labels[kind]);
  g->open = kind;
}

static void diff_page_same(struct diff_page *g) {
  if (g->same_count) {
    diff_page_begin(g, DIFF_SAME);
    buf_printf(g->out, "<details><summary>%zu paragraph%s as before", g->same_count - g->span_count,
               g->same_count - g->span_count == 1 ? "" : "s");
    if (g->span_count)
      buf_printf(g->out, ", %zu row%s of another span of time", g->span_count, g->span_count == 1 ? "" : "s");
    buf_add_str(g->out, "</summary>\n<div class=\"place\">\n");
    html_page_passage(g->out, (struct page_passage){.text = g->same}, NULL);
    buf_add_str(g->out, "</div></details>\n");
  }
  g->same_count = g->span_count = 0;
}

static void diff_page_keep(struct diff_page *g, const struct diff_paragraph *p) {
  if (!g->same_count)
    g->same = p->text;
  g->same.len = (size_t)(p->text.data + p->text.len - g->same.data);
  g->same_count++;
  g->span_count += p->kind == DIFF_SPANS;
}

static void diff_page_word(void *arg, char what, struct slice text) {
  struct diff_page *g = arg;
  const char *name = what == '-' ? "del" : what == '+' ? "ins" : NULL;
  size_t blanks = 0;
  while (blanks < text.len && isspace((unsigned char)text.data[blanks]))
    blanks++;
  int follows = g->out->data[g->out->len - 1] == '>'; /* directly after the old text */
  buf_add_str(g->out, blanks || (follows && what == '+') ? " " : "");
  if (name)
    buf_printf(g->out, "<%s>", name);
  html_page_text(g->out, slice_of(text.data + blanks, text.len - blanks));
  if (name)
    buf_printf(g->out, "</%s>", name);
}

static void diff_page_change(struct diff_page *g, enum diff_kind kind, const struct diff_paragraph *was,
                             const struct diff_paragraph *is) {
  struct slice text = (kind == DIFF_DROPPED ? was : is)->text;
  if (diff_page_is_rule(text))
    return;
  diff_page_same(g);
  if (kind == DIFF_ADDED && text.data[0] == '#') {
    diff_page_begin(g, DIFF_SAME);
    buf_add_str(g->out, "<h2><ins>");
    html_page_text(g->out, diff_page_bare(text));
    buf_add_str(g->out, "</ins></h2>\n");
    return;
  }
  diff_page_begin(g, kind);
  buf_add_str(g->out, "<p>");
  if (kind == DIFF_NUMBERS || kind == DIFF_CHANGED)
    passage_diff_words(diff_page_bare(was->text), diff_page_bare(is->text), diff_page_word, g);
  else
    diff_page_word(g, kind == DIFF_MOVED ? '=' : kind == DIFF_ADDED ? '+' : '-', diff_page_bare(text));
  buf_add_str(g->out, "</p>\n");
}

static void diff_page_dropped(struct diff_page *g, size_t *from, size_t to) {
  for (; *from < to; ++*from)
    if (g->d->was.list[*from].kind == DIFF_DROPPED)
      diff_page_change(g, DIFF_DROPPED, &g->d->was.list[*from], NULL);
}

/* Whether the heading at i has a change before the next heading. */
static int diff_page_has_change(const struct passage_diff *d, size_t i) {
  for (i++; i < d->is.count && d->is.list[i].text.data[0] != '#'; i++)
    if (d->is.list[i].kind != DIFF_SAME && d->is.list[i].kind != DIFF_SPANS)
      return 1;
  return 0;
}

static void diff_page_walk(struct diff_page *g) {
  size_t dropped = 0;
  for (size_t i = 0; i < g->d->is.count; i++) {
    const struct diff_paragraph *is = &g->d->is.list[i];
    if (is->kind == DIFF_SAME)
      diff_page_dropped(g, &dropped, (size_t)is->pair);
    if (is->kind == DIFF_SAME && is->text.data[0] == '#' && diff_page_has_change(g->d, i)) {
      diff_page_same(g);
      diff_page_begin(g, DIFF_SAME);
      buf_add_str(g->out, "<h2>");
      html_page_text(g->out, diff_page_bare(is->text));
      buf_add_str(g->out, "</h2>\n");
    } else if (is->kind == DIFF_SAME || is->kind == DIFF_SPANS) {
      diff_page_keep(g, is);
    } else {
      diff_page_change(g, is->kind, is->pair >= 0 ? &g->d->was.list[is->pair] : NULL, is);
    }
  }
  diff_page_dropped(g, &dropped, g->d->was.count);
  diff_page_same(g);
  diff_page_begin(g, DIFF_SAME);
}

/* ---- the two documents ---- */

static void diff_page_member(struct buf *out, struct slice document, const char *name, const char *before) {
  struct slice metadata = json_get(document, "metadata");
  struct buf scratch;
  buf_init(&scratch, PAGE_TEXT);
  struct slice value = json_kind(metadata) == '{' ? json_get(metadata, name) : slice_of(NULL, 0);
  if (json_kind(value) == '"') {
    buf_add_str(out, out->len ? before : "");
    buf_add_slice(out, json_text(value, &scratch));
  }
  buf_release(&scratch);
}

/* Writes "10-K of 2025-09-27, filed 2025-10-31" as a link to the document. */
static void diff_page_side(struct buf *out, const char *label, struct slice document) {
  struct buf text, url;
  buf_init(&text, PAGE_TEXT);
  buf_init(&url, PAGE_TEXT);
  diff_page_member(&text, document, "form", "");
  diff_page_member(&text, document, "reportDate", " of ");
  diff_page_member(&text, document, "filingDate", ", filed ");
  diff_page_member(&text, document, "accessionNumber", ", ");
  struct slice source = json_get(document, "sourceUrl");
  struct slice href = json_kind(source) == '"' ? json_text(source, &url) : slice_of(NULL, 0);
  if (text.len || href.len) {
    buf_printf(out, "<li>%s: ", label);
    html_page_link(out, href, text.len ? buf_slice(&text) : href);
    buf_add_str(out, "</li>\n");
  }
  buf_release(&text);
  buf_release(&url);
}

static void diff_page_title(struct buf *title, const struct diff_about *about) {
  diff_page_member(title, about->is, "company", "");
  if (!title->len)
    buf_add_str(title, "What changed");
  diff_page_member(title, about->is, "form", ", ");
  if (about->item)
    buf_printf(title, ", item %s", about->item);
  diff_page_member(title, about->is, "reportDate", ": ");
  diff_page_member(title, about->was, "reportDate", " against ");
}

void diff_print_page(struct output *out, const struct passage_diff *d, const struct diff_about *about) {
  struct diff_page g = {.out = &out->buf, .d = d};
  struct buf title, lead;
  buf_init(&title, PAGE_TEXT);
  buf_init(&lead, PAGE_TEXT);
  diff_page_title(&title, about);
  buf_add_str(&lead, "Paragraphs: ");
  diff_print_counts(&lead, d);
  buf_add_str(&lead, about->spans ? "; " : "");
  diff_print_left_out(&lead, about->spans);
  html_page_open(&out->buf, buf_slice(&title), buf_slice(&lead));
  buf_add_str(&out->buf, "<ul>\n");
  diff_page_side(&out->buf, "new", about->is);
  diff_page_side(&out->buf, "old", about->was);
  buf_add_str(&out->buf, "</ul>\n");
  diff_page_walk(&g);
  html_page_close(&out->buf);
  buf_release(&lead);
  buf_release(&title);
}
