/* filing_diff.c: which two texts bid-diff compares, and their changes as records, for people, or as an HTML page. */
#include "compare/filing_diff.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/day.h"
#include "base/diag.h"
#include "base/sandbox.h"
#include "base/utf8.h"
#include "compare/passage_diff.h"
#include "compare/stored_text.h"
#include "page/html_page.h"
#include "page/pager.h"
#include "record/error.h"
#include "record/json.h"
#include "record/output.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

struct diff_about {
  const char *item;     /* or NULL: the complete documents */
  struct slice was, is; /* shared fields of the documents, from store_get_document(), or empty */
  unsigned spans;       /* of columns that were left out */
  const char *hint;     /* a line for people, or NULL */
  size_t limit;         /* changes to print; 0: all */
};

#define SHOWN_MOVED 100 /* bytes shown of a moved paragraph */

typedef void diff_walk_function(void *arg, enum diff_kind kind, const struct diff_paragraph *was,
                                const struct diff_paragraph *is);

static void walk_dropped(const struct passage_diff *d, size_t *from, size_t to, diff_walk_function *f,
                         void *arg) {
  for (; *from < to; ++*from)
    if (d->was.list[*from].kind == DIFF_DROPPED)
      f(arg, DIFF_DROPPED, &d->was.list[*from], NULL);
}

/* Calls f for the newer text's paragraphs in order, with their pairs (or NULL), and for the dropped ones where they stood. */
static void walk(const struct passage_diff *d, diff_walk_function *f, void *arg) {
  size_t dropped = 0;
  for (size_t i = 0; i < d->is.count; i++) {
    const struct diff_paragraph *is = &d->is.list[i];
    if (is->kind == DIFF_SAME)
      walk_dropped(d, &dropped, (size_t)is->pair, f, arg);
    f(arg, is->kind, is->pair >= 0 ? &d->was.list[is->pair] : NULL, is);
  }
  walk_dropped(d, &dropped, d->was.count, f, arg);
}

struct diff_printer {
  struct output *out;
  int people, colour;
  size_t limit, given; /* changes to print, 0: all, and printed */
  struct slice heading, shown_heading;
};

static struct slice unmarked(struct slice s) {
  while (s.len && strchr("#* ", s.data[0]))
    s = slice_of(s.data + 1, s.len - 1);
  return s;
}

/* ---- numbers ---- */

/* A number as in a table of numbers: with a minus in place of its parentheses. */
static void add_signed(struct buf *out, struct slice number, int negative) {
  char text[64];
  snprintf(text, sizeof text, "%s%.*s", negative ? "-" : "", (int)(number.len < 60 ? number.len : 60),
           number.data);
  json_add_cstr(out, text);
}

/* Lists numbers that differ; the paragraphs have equal shapes, so their numbers are in the same order. */
static void diff_add_numbers(struct buf *out, struct slice was, struct slice is) {
  size_t a = 0, b = 0;
  json_key(out, "numbers");
  buf_add_char(out, '[');
  for (int any = 0;;) {
    struct slice x = passage_diff_next_number(was, &a), y = passage_diff_next_number(is, &b);
    if (!x.len || !y.len)
      break;
    int less = passage_diff_is_negative(was, a - x.len), now_less = passage_diff_is_negative(is, b - y.len);
    if (slice_eq(x, y) && less == now_less)
      continue;
    buf_add_str(out, any ? ",[" : "[");
    any = 1;
    add_signed(out, x, less);
    buf_add_char(out, ',');
    add_signed(out, y, now_less);
    buf_add_char(out, ']');
  }
  buf_add_char(out, ']');
}

/* ---- records ---- */

static void add_side(struct buf *out, const char *name, struct slice document) {
  static const char *const kept[] = {"company",    "ticker",          "form",
                                     "fiscalYear", "fiscalPeriod",    "reportDate",
                                     "filingDate", "accessionNumber", NULL};
  struct slice metadata = json_get(document, "metadata");
  json_key(out, name);
  buf_add_char(out, '{');
  if (json_get(document, "sourceUrl").data)
    json_raw(out, "sourceUrl", json_get(document, "sourceUrl"));
  for (int i = 0; kept[i] && json_kind(metadata) == '{'; i++)
    if (json_get(metadata, kept[i]).data)
      json_raw(out, kept[i], json_get(metadata, kept[i]));
  buf_add_char(out, '}');
}

/* "leftOut": [6, 9]: months of columns that only one of the documents has. */
static void add_left_out(struct buf *out, unsigned spans) {
  if (!spans)
    return;
  json_key(out, "leftOut");
  buf_add_char(out, '[');
  for (int m = 1, any = 0; spans >> m; m++)
    if (spans >> m & 1)
      buf_printf(out, "%s%d", any++ ? "," : "", m);
  buf_add_char(out, ']');
}

static void add_counts(struct buf *out, const struct passage_diff *d) {
  size_t counts[DIFF_DROPPED + 1];
  passage_diff_count(d, counts);
  for (int k = DIFF_SAME; k <= DIFF_DROPPED; k++)
    if (k != DIFF_SPANS || counts[k])
      json_uint(out, passage_diff_name((enum diff_kind)k), counts[k]);
}

/* The number of changes that a limit leaves out; people don't see those whose years alone moved on. */
static size_t diff_not_shown(const struct passage_diff *d, size_t limit, int people) {
  size_t counts[DIFF_DROPPED + 1], changes = 0;
  passage_diff_count(d, counts);
  for (int k = DIFF_SAME; k <= DIFF_DROPPED; k++)
    changes += k != DIFF_SAME && k != DIFF_SPANS ? counts[k] : 0;
  changes -= people ? passage_diff_years(d) : 0;
  return limit && changes > limit ? changes - limit : 0;
}

static void record_of(struct diff_printer *p, enum diff_kind kind, const struct diff_paragraph *was,
                      const struct diff_paragraph *is) {
  struct buf *out = &p->out->buf;
  buf_add_char(out, '{');
  json_cstr(out, "change", passage_diff_name(kind));
  if (p->heading.len)
    json_str(out, "heading", unmarked(p->heading));
  if (was && kind != DIFF_MOVED)
    json_str(out, "old", was->text);
  if (is)
    json_str(out, "new", is->text);
  if (kind == DIFF_CHANGED)
    buf_printf(out, ",\"alike\":%.2f", (double)is->alike);
  if (kind == DIFF_NUMBERS)
    diff_add_numbers(out, was->text, is->text);
  if (is && is->years)
    json_raw(out, "yearsAlone", slice_str("true"));
  buf_add_str(out, "}\n");
}

/* ---- text ---- */

/* Appends the counts of the kinds that occur: "45 the same, 25 changed, 11 dropped". */
static void diff_print_counts(struct buf *out, const struct passage_diff *d) {
  static const char *const words[] = {
      "the same", "moved", "of other spans of time", "with other numbers", "changed", "added", "dropped"};
  size_t counts[DIFF_DROPPED + 1], listed = 0;
  passage_diff_count(d, counts);
  for (int k = DIFF_SAME; k <= DIFF_DROPPED; k++)
    if (counts[k])
      buf_printf(out, "%s%zu %s", listed++ ? ", " : "", counts[k], words[k]);
  buf_add_str(out, listed ? "" : "none");
}

/* Appends "columns of 6 and 9 months, which only one of the two has, are left out"; nothing for an empty set. */
static void diff_print_left_out(struct buf *out, unsigned spans) {
  int any = 0;
  for (int m = 1; spans >> m; m++)
    if (spans >> m & 1)
      buf_printf(out, "%s%d", any++ ? " and " : "columns of ", m);
  buf_add_str(out, any ? " months, which only one of the two has, are left out" : "");
}

static void painted(void *arg, char what, struct slice text) {
  struct diff_printer *p = arg;
  struct buf *out = &p->out->buf;
  struct slice blanks = text, word = text;
  while (word.len && isspace((unsigned char)word.data[0]))
    word = slice_of(word.data + 1, word.len - 1);
  blanks.len -= word.len;
  buf_add_str(out, blanks.len ? " " : "");
  if (what != '=')
    buf_add_str(out, p->colour ? (what == '-' ? "\033[31m" : "\033[32m") : what == '-' ? "[-" : "{+");
  buf_add_masked(out, word);
  if (what != '=')
    buf_add_str(out, p->colour ? "\033[m" : what == '-' ? "-]" : "+}");
}

/* For a new heading, its own line is enough. */
static void show_heading(struct diff_printer *p, enum diff_kind kind) {
  struct buf *out = &p->out->buf;
  if (!p->heading.len || slice_eq(p->heading, p->shown_heading))
    return;
  p->shown_heading = p->heading;
  buf_add_str(out, p->colour ? "\n\033[1m" : "\n== ");
  buf_add_masked(out, unmarked(p->heading));
  buf_add_str(out, p->colour ? "\033[m" : " ==");
  buf_add_str(out, kind == DIFF_ADDED ? " (new)\n" : "\n");
}

/* A heading without its marks, a row of a table without its outer bars. */
static struct slice diff_row(struct slice s) {
  if (s.len && s.data[0] == '#')
    return unmarked(s);
  if (s.len > 4 && s.data[0] == '|' && s.data[s.len - 1] == '|')
    return slice_of(s.data + 2, s.len - 4);
  return s;
}

static void paragraph_of(struct diff_printer *p, enum diff_kind kind, const struct diff_paragraph *was,
                         const struct diff_paragraph *is) {
  static const char signs[] = {[DIFF_SAME] = ' ',    [DIFF_MOVED] = '>', [DIFF_NUMBERS] = '#',
                               [DIFF_CHANGED] = '~', [DIFF_ADDED] = '+', [DIFF_DROPPED] = '-'};
  struct buf *out = &p->out->buf;
  int heading = is && is->text.data[0] == '#';
  show_heading(p, heading ? kind : DIFF_SAME);
  if (heading && kind == DIFF_ADDED)
    return;
  buf_printf(out, "\n%c ", signs[kind]);
  if (kind == DIFF_NUMBERS || kind == DIFF_CHANGED) {
    passage_diff_words(diff_row(was->text), diff_row(is->text), painted, p);
  } else if (kind == DIFF_MOVED) {
    struct slice s = is->text;
    buf_add_str(out, "moved: ");
    buf_add_masked(out, slice_of(s.data, s.len < SHOWN_MOVED ? s.len : SHOWN_MOVED));
    buf_add_str(out, s.len > SHOWN_MOVED ? "..." : "");
  } else {
    painted(p, kind == DIFF_DROPPED ? '-' : '+', diff_row((kind == DIFF_DROPPED ? was : is)->text));
  }
  buf_add_char(out, '\n');
}

/* ---- records and text ---- */

static void give_change(struct diff_printer *p, enum diff_kind kind, const struct diff_paragraph *was,
                        const struct diff_paragraph *is) {
  if (p->limit && p->given++ >= p->limit)
    return;
  if (p->people)
    paragraph_of(p, kind, was, is);
  else
    record_of(p, kind, was, is);
  if (!p->people)
    output_flush_if_full(p->out);
}

static void give_any(void *arg, enum diff_kind kind, const struct diff_paragraph *was,
                     const struct diff_paragraph *is) {
  struct diff_printer *p = arg;
  if (is && is->text.data[0] == '#')
    p->heading = is->text;
  if (kind != DIFF_SAME && kind != DIFF_SPANS && !(p->people && is && is->years))
    give_change(p, kind, was, is);
}

/* Prints one summary record, {"diff": {item, old, new, leftOut, same, moved, ...}}, then one per change in the order of
 * the newer text: {"change", "heading", "old", "new", "alike", "numbers": [[old, new], ...]}.  Rows that only have
 * numbers of another span are counted, if there are any, and not printed; nor are changes beyond the limit, whose number is
 * "notShown" of the summary. */
static void diff_print_records(struct output *out, const struct passage_diff *d,
                               const struct diff_about *about) {
  struct diff_printer p = {.out = out, .limit = about->limit};
  buf_add_str(&out->buf, "{\"diff\":{");
  if (about->item)
    json_cstr(&out->buf, "item", about->item);
  add_side(&out->buf, "old", about->was);
  add_side(&out->buf, "new", about->is);
  add_left_out(&out->buf, about->spans);
  add_counts(&out->buf, d);
  if (diff_not_shown(d, about->limit, 0) > 0)
    json_uint(&out->buf, "notShown", diff_not_shown(d, about->limit, 0));
  buf_add_str(&out->buf, "}}\n");
  walk(d, give_any, &p);
}

static void side_line(struct buf *out, const char *label, struct slice document) {
  struct slice metadata = json_get(document, "metadata"), form = json_get(metadata, "form"),
               day = json_get(metadata, "reportDate"), company = json_get(metadata, "company"),
               filed = json_get(metadata, "filingDate"), accession = json_get(metadata, "accessionNumber");
  if (json_kind(metadata) != '{')
    return;
  buf_printf(out, "%s", label);
  const struct slice parts[] = {company, form, day, filed, accession};
  for (int i = 0; i < 5; i++)
    if (json_kind(parts[i]) == '"') {
      buf_add_str(out, i ? " \xc2\xb7 " : "");
      buf_add_str(out, i == 3 ? "filed " : "");
      buf_add_masked(out, slice_of(parts[i].data + 1, parts[i].len - 2));
    }
  buf_add_char(out, '\n');
}

/* Appends text to out and leaves it there: a summary, then the changed paragraphs under their headings, with removed
 * words as [-word-] and added ones as {+word+}, or in red and green. */
static void diff_print_people(struct output *out, const struct passage_diff *d,
                              const struct diff_about *about, int colour) {
  struct diff_printer p = {.out = out, .people = 1, .colour = colour, .limit = about->limit};
  side_line(&out->buf, "old: ", about->was);
  side_line(&out->buf, "new: ", about->is);
  if (about->item)
    buf_printf(&out->buf, "item %s\n", about->item);
  diff_print_counts(&out->buf, d);
  buf_add_str(&out->buf, about->spans ? "\n" : "");
  diff_print_left_out(&out->buf, about->spans);
  buf_printf(&out->buf, "%s%s", about->hint ? "\n" : "", about->hint ? about->hint : "");
  if (passage_diff_years(d))
    buf_printf(&out->buf, "\nnot shown: %zu with other numbers that are years, moved on with the report",
               passage_diff_years(d));
  buf_add_str(&out->buf, "\n+ added, - dropped, ~ changed, # other numbers, > moved\n");
  walk(d, give_any, &p);
  if (diff_not_shown(d, about->limit, 1) > 0)
    buf_printf(&out->buf, "\n%zu further changes are not shown (-n)\n", diff_not_shown(d, about->limit, 1));
}

/* ---- the page: unchanged paragraphs are folded between the changes ---- */

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

/* Whether the heading at i has a change before the next heading. */
static int diff_page_has_change(const struct passage_diff *d, size_t i) {
  for (i++; i < d->is.count && d->is.list[i].text.data[0] != '#'; i++)
    if (d->is.list[i].kind != DIFF_SAME && d->is.list[i].kind != DIFF_SPANS)
      return 1;
  return 0;
}

static void diff_page_any(void *arg, enum diff_kind kind, const struct diff_paragraph *was,
                          const struct diff_paragraph *is) {
  struct diff_page *g = arg;
  if (kind == DIFF_SAME && is->text.data[0] == '#' &&
      diff_page_has_change(g->d, (size_t)(is - g->d->is.list))) {
    diff_page_same(g);
    diff_page_begin(g, DIFF_SAME);
    buf_add_str(g->out, "<h2>");
    html_page_text(g->out, diff_page_bare(is->text));
    buf_add_str(g->out, "</h2>\n");
  } else if (kind == DIFF_SAME || kind == DIFF_SPANS) {
    diff_page_keep(g, is);
  } else {
    diff_page_change(g, kind, was, is);
  }
}

/* ---- the two documents ---- */

static void diff_page_member(struct buf *out, struct slice document, const char *name, const char *before) {
  struct slice metadata = json_get(document, "metadata");
  struct slice value = json_kind(metadata) == '{' ? json_get(metadata, name) : slice_of(NULL, 0);
  if (json_kind(value) == '"') {
    buf_add_str(out, out->len ? before : "");
    json_decode(value, out);
  }
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

/* Prints an HTML page (page/html_page.h) with unchanged paragraphs folded between the changes. */
static void diff_print_page(struct output *out, const struct passage_diff *d,
                            const struct diff_about *about) {
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
  walk(d, diff_page_any, &g);
  diff_page_same(&g);
  diff_page_begin(&g, DIFF_SAME);
  html_page_close(&out->buf);
  buf_release(&lead);
  buf_release(&title);
}

/* ---- a file ---- */

static int entry_is(struct slice entry, const char *item) {
  struct slice own = json_get(entry, "item");
  return json_kind(own) == '"' && own.len == strlen(item) + 2 &&
         strncasecmp(own.data + 1, item, strlen(item)) == 0;
}

/* From the item's entry in the outline to the next one of level 2 or less. */
static int cut_item(struct slice record, const char *item, struct buf *text) {
  struct slice outline = json_get(record, "outline"), entry;
  struct json_cursor at = {0};
  long long from = -1, to = (long long)text->len;
  while (json_kind(outline) == '[' && json_next_element(outline, &at, &entry)) {
    long long offset = json_to_int(json_get(entry, "offset"), 0);
    if (from >= 0 && json_to_int(json_get(entry, "level"), 9) <= 2) {
      to = offset;
      break;
    }
    if (from < 0 && entry_is(entry, item))
      from = offset;
  }
  if (from < 0 || to < from || to > (long long)text->len)
    return -1;
  memmove(text->data, text->data + from, (size_t)(to - from));
  text->len = (size_t)(to - from);
  text->data[text->len] = '\0';
  return 0;
}

/* Reads a file that holds text, or a document record on its first line.  item: as in bid-strip's --items, only for
 * records; NULL for all.  text gets the text, json the record's line without its text.  0, or -1 with why. */
static int record_text_read(int fd, const char *item, struct buf *text, struct buf *json,
                            struct error_text *why) {
  size_t at;
  const char *fault = "";
  if (buf_read_fd(text, fd) != 0) {
    error_set(why, "%s", strerror(errno));
    return -1;
  }
  if (!text->len || text->data[0] == '<' || memchr(text->data, '\0', text->len) ||
      utf8_valid_prefix(text->data, text->len) < text->len) {
    error_set(why, text->len
                       ? "neither a document record nor plain text; bid-strip --raw makes a record of it"
                       : "nothing is in it");
    return -1;
  }
  if (text->data[0] != '{') {
    if (item)
      error_set(why, "a text has no items; bid-strip makes a record of it");
    return item ? -1 : 0;
  }
  const char *end = memchr(text->data, '\n', text->len);
  struct slice line = slice_of(text->data, end ? (size_t)(end - text->data) : text->len);
  if (json_validate(line.data, line.len, &at, &fault) != 0 || json_kind(json_get(line, "text")) != '"') {
    error_set(why, "its first line is no document record%s%s", *fault ? ": " : "", fault);
    return -1;
  }
  buf_add_slice(json, line);
  buf_clear(text);
  json_decode(json_get(buf_slice(json), "text"), text);
  if (item && cut_item(buf_slice(json), item, text) != 0) {
    error_set(why, "the document has no item %s", item);
    return -1;
  }
  return 0;
}

/* ---- stored filings ---- */

enum { YEAR_LEAST = 350, YEAR_MOST = 380 }; /* fiscal years end up to two weeks apart */

struct diff_side {
  struct buf text, json;
};

/* Days from the end of a filing's period to that of the next one on the form, and to the last day for filing it
 * (Forms 10-K, 10-Q, 20-F and 40-F, general instructions); after a third quarter the next 10-Q is two quarters away. */
static const struct {
  const char *form;
  int period, filing;
} diff_intervals[] = {{"10-K", 371, 90}, {"10-Q", 196, 45}, {"20-F", 371, 120}, {"40-F", 371, 120}};

static void diff_sides_init(struct diff_side s[2]) {
  for (int i = 0; i < 2; i++) {
    buf_init(&s[i].text, STORE_DOCUMENT_BYTES);
    buf_init(&s[i].json, STORE_DOCUMENT_BYTES);
  }
}

static void diff_sides_release(struct diff_side s[2]) {
  for (int i = 0; i < 2; i++) {
    buf_release(&s[i].text);
    buf_release(&s[i].json);
  }
}

static int32_t reported_on(const struct stored_place *at) {
  return at->seg->doc[at->doc].reported;
}

/* The filing to compare list[call->back] with: the previous one, or that of a year before; count where there is none. */
static size_t older_of(const struct stored_place *list, size_t count, const struct filing_diff_call *call) {
  size_t i = call->back + 1;
  if (!call->year_ago || i >= count)
    return i < count ? i : count;
  int32_t newest = reported_on(&list[call->back]);
  while (i < count && (newest == STORE_NO_DAY || reported_on(&list[i]) == STORE_NO_DAY ||
                       newest - reported_on(&list[i]) < YEAR_LEAST))
    i++;
  return i < count && newest - reported_on(&list[i]) <= YEAR_MOST ? i : count;
}

static void say_too_few(const struct filing_diff_call *call, const char *form,
                        const struct stored_place *list, size_t count, struct error_text *e) {
  char day[DAY_TEXT] = "the newest one";
  if (call->year_ago && call->back < count) {
    int32_t newest = reported_on(&list[call->back]);
    if (newest != STORE_NO_DAY)
      day_write(newest, day);
    error_set(e,
              "too few to compare: the store has no %s of %s of a year before %s; 'bid ingest -e %s -f %s "
              "--since 2years -n 9' reads those of two years",
              form, call->company, day, call->company, form);
  } else {
    error_set(e,
              "too few to compare: the store has %zu of the %zu newest filings of %s on form %s; 'bid ingest "
              "-e %s -f %s -n %zu' reads them",
              count, call->back + 2, call->company, form, call->company, form, call->back + 2);
  }
}

/* Warns where a newer filing than the store's newest must be out by now. */
static void warn_if_old(const struct filing_diff_call *call, const char *form,
                        const struct stored_place *newest) {
  char day[DAY_TEXT];
  for (size_t i = 0;
       i < sizeof diff_intervals / sizeof *diff_intervals && reported_on(newest) != STORE_NO_DAY; i++) {
    int32_t due = reported_on(newest) + diff_intervals[i].period + diff_intervals[i].filing;
    if (strcasecmp(diff_intervals[i].form, form) != 0 || day_of_time(clock_now()) <= due)
      continue;
    day_write(reported_on(newest), day);
    diag_warn(
        "the newest %s in the store is for the period to %s; a newer one is due since: 'bid ingest -e %s "
        "-f %s -n 1' reads it",
        form, day, call->company, form);
  }
}

static enum store_status diff_sides_read(const struct store_snapshot *snap, struct diff_side s[2],
                                         const struct filing_diff_call *call, struct error_text *e) {
  struct stored_choice c = {call->company, call->form ? call->form : "10-K", call->exhibit, 0, NULL};
  struct stored_place *list;
  size_t count, older = 0;
  enum store_status status = stored_text_find(snap, &c, &list, &count, e);
  if (!status && (older = older_of(list, count, call)) == count) {
    say_too_few(call, c.form, list, count, e);
    status = STORE_ABSENT;
  }
  if (!status && !call->back)
    warn_if_old(call, c.form, &list[0]);
  if (!status)
    status = stored_text_read(snap, &list[older], call->item, &s[0].text, &s[0].json, NULL, e);
  if (!status)
    status = stored_text_read(snap, &list[call->back], call->item, &s[1].text, &s[1].json, NULL, e);
  free(list);
  return status;
}

/* Takes out columns of spans that only one text has, such as the year to date, from tables that have others; returns
 * those spans. */
static unsigned diff_sides_trim(struct diff_side s[2]) {
  unsigned was = passage_diff_all(buf_slice(&s[0].text)), is = passage_diff_all(buf_slice(&s[1].text)),
           left = 0;
  for (int i = 0; i < 2 && (was & is) && was != is; i++) {
    struct buf kept;
    buf_init(&kept, s[i].text.max);
    left |= passage_diff_keep(&kept, buf_slice(&s[i].text), was & is);
    buf_release(&s[i].text);
    s[i].text = kept;
  }
  return left;
}

/* From here on files are changed only in the store's folder, or not at all: neither stores nor files are trusted. */
static void diff_hold(const struct program *p, const struct store_options *o) {
  static helper_run *const pager[] = {pager_run};
  struct sandbox_scope scope = {.allow = o ? SANDBOX_CHANGE_FILES : SANDBOX_READ_FILES};
  if (isatty(STDOUT_FILENO))
    helper_start(pager, 1);
  if (o)
    store_may_change(o, &scope);
  program_may_read(p, &scope);
  sandbox_enter_scope(&scope);
}

static void diff_store(struct program *p, const struct filing_diff_call *call, struct diff_side s[2]) {
  struct store *store = NULL;
  struct store_snapshot *snap = NULL;
  struct error_text e;
  struct store_options o = {0};
  diff_hold(p, &o);
  enum store_status status = store_open(&store, &o, &e);
  sandbox_no_more_changes();
  if (!status)
    status = store_snapshot_begin(store, &snap, &e);
  if (!status)
    status = diff_sides_read(snap, s, call, &e);
  if (status && call->output == FORM_JSON)
    program_error(p, NULL, status == STORE_ABSENT ? ERROR_NO_CONTENT : store_category(status),
                  slice_of(NULL, 0), slice_of(NULL, 0), "%s", e.text);
  else if (status)
    diag_warn("%s", e.text);
  if (status)
    program_fail(p, status == STORE_ABSENT ? EXIT_NOTHING : store_exit_status(status));
  store_snapshot_end(snap);
  store_close(store);
}

static void diff_files(struct program *p, const struct filing_diff_call *call, struct diff_side s[2]) {
  struct error_text e;
  diff_hold(p, NULL);
  for (int i = 0; i < 2; i++) {
    int fd = program_open(p, p->operands[i]);
    int failed = fd < 0 || record_text_read(fd, call->item, &s[i].text, &s[i].json, &e) != 0;
    if (failed && fd >= 0) {
      diag_warn("%s: %s", p->input_name, e.text);
      program_fail(p, EX_DATAERR);
    }
    if (fd >= 0)
      program_close(fd);
  }
}

static void diff_write(struct program *p, const struct passage_diff *d, const struct diff_about *about,
                       enum program_form form) {
  if (form == FORM_HTML) {
    diff_print_page(&p->out, d, about);
  } else if (form == FORM_JSON) {
    diff_print_records(&p->out, d, about);
  } else {
    diff_print_people(&p->out, d, about, p->colour);
    program_fold(p, 0, 2); /* after the sign */
    pager_show(&p->out.buf);
  }
}

/* The year of a report's last day, or 0. */
static int diff_year(const struct diff_side *s) {
  struct slice day = json_get(json_get(buf_slice(&s->json), "metadata"), "reportDate");
  return json_kind(day) == '"' && day.len > 5 ? atoi(day.data + 1) : 0;
}

void filing_diff_run(struct program *p, const struct filing_diff_call *call) {
  struct diff_side s[2];
  struct passage_diff d;
  diff_sides_init(s);
  (call->company ? diff_store : diff_files)(p, call, s);
  if (p->status == 0) {
    struct diff_about about = {
        .item = call->item, .was = buf_slice(&s[0].json), .is = buf_slice(&s[1].json), .limit = call->limit};
    about.spans = diff_sides_trim(s);
    if (about.spans && call->company)
      about.hint = "--year-ago compares with the same quarter of the year before";
    passage_diff_make(&d, buf_slice(&s[0].text), buf_slice(&s[1].text));
    passage_diff_settle(&d, diff_year(&s[0]), diff_year(&s[1]));
    diff_write(p, &d, &about, call->output);
    passage_diff_release(&d);
  }
  diff_sides_release(s);
}
