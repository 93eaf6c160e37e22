/* nightly_page.c: the report of bid-nightly as an HTML page. */
#include "front/commands.h"

#include "base/clock.h"
#include "page/html_page.h"
#include "record/json.h"

#include <stdio.h>

#define NIGHTLY_PAGE_MAX ((size_t)64 << 20)

enum { N_LINE, N_SUBJECT, N_SOURCE, N_FAILED, N_MESSAGES, N_DOCUMENTS, N_TOTAL };
static const char *const nightly_page_fields[] = {"line",     "subject",   "source", "failed",
                                                  "messages", "documents", "total",  NULL};

struct nightly_page {
  struct buf rows, fresh, wrong, lead;
  size_t tasks;
};

static void nightly_page_text(struct buf *out, struct slice json) {
  struct buf text;
  buf_init(&text, NIGHTLY_PAGE_MAX);
  html_page_text(out, json_kind(json) == '"' ? json_text(json, &text) : slice_str("-"));
  buf_release(&text);
}

/* "2 unavailable, 1 internal", or a dash. */
static void nightly_page_failed(struct buf *out, struct slice failed) {
  struct json_cursor at = {0};
  struct slice key, value;
  size_t count = 0;
  while (json_kind(failed) == '{' && json_next_member(failed, &at, &key, &value)) {
    buf_printf(out, "%s%lld ", count++ ? ", " : "", json_to_int(value, 0));
    html_page_text(out, key);
  }
  buf_add_str(out, count ? "" : "-");
}

/* "49 new, 3 unchanged" passages and "2 documents known", or a dash. */
static void nightly_page_passages(struct buf *out, const struct record *rec) {
  static const char *const names[] = {"new", "replaced", "unchanged"};
  size_t listed = 0;
  for (size_t i = 0; i < 3; i++) {
    long long n = json_to_int(json_get(rec->line, names[i]), 0);
    if (n > 0)
      buf_printf(out, "%s%lld %s", listed++ ? ", " : "", n, names[i]);
  }
  long long known = json_to_int(json_get(rec->line, "known"), 0);
  if (known > 0)
    buf_printf(out, "%s%lld document%s known", listed++ ? ", " : "", known, known == 1 ? "" : "s");
  buf_add_str(out, listed ? "" : "-");
}

/* The form of a collection, "10-K" for "finance_edgar_AAPL_10-K": the text after the last '_'. */
static struct slice nightly_page_form(struct slice collection) {
  const char *bar = memrchr(collection.data ? collection.data : "", '_', collection.len);
  return bar ? slice_of(bar + 1, (size_t)(collection.data + collection.len - bar - 1)) : slice_of(NULL, 0);
}

static void nightly_page_heading(struct buf *out, const struct record *rec) {
  buf_add_str(out, "<h3>");
  nightly_page_text(out, rec->field[N_SUBJECT]);
  buf_add_str(out, "</h3>\n<p class=\"soft\">");
  nightly_page_text(out, rec->field[N_SOURCE]);
  buf_printf(out, ", line %lld of the watch list</p>\n<ul>\n", json_to_int(rec->field[N_LINE], 0));
}

static void nightly_page_documents(struct nightly_page *g, const struct record *rec) {
  struct slice list = rec->field[N_DOCUMENTS], one;
  struct json_cursor at = {0};
  struct buf url, collection;
  size_t count = 0;
  buf_init(&url, NIGHTLY_PAGE_MAX);
  buf_init(&collection, NIGHTLY_PAGE_MAX);
  while (json_kind(list) == '[' && json_next_element(list, &at, &one)) {
    if (count++ == 0)
      nightly_page_heading(&g->fresh, rec);
    struct slice address = json_text(json_get(one, "sourceUrl"), &url);
    struct slice form = nightly_page_form(json_text(json_get(one, "collection"), &collection));
    long long passages = json_to_int(json_get(one, "passages"), 0);
    buf_add_str(&g->fresh, "<li>");
    html_page_text(&g->fresh, form);
    buf_printf(&g->fresh, "%s%lld passage%s: ", form.len ? ", " : "", passages, passages == 1 ? "" : "s");
    html_page_link(&g->fresh, address, address);
    buf_add_str(&g->fresh, "</li>\n");
  }
  buf_add_str(&g->fresh, count ? "</ul>\n" : "");
  buf_release(&url);
  buf_release(&collection);
}

static void nightly_page_messages(struct nightly_page *g, const struct record *rec) {
  struct slice list = rec->field[N_MESSAGES], one;
  struct json_cursor at = {0};
  struct buf text;
  size_t count = 0;
  buf_init(&text, NIGHTLY_PAGE_MAX);
  while (json_kind(list) == '[' && json_next_element(list, &at, &one)) {
    if (count++ == 0)
      nightly_page_heading(&g->wrong, rec);
    buf_add_str(&g->wrong, "<li>");
    html_page_prose(&g->wrong, json_text(one, &text));
    buf_add_str(&g->wrong, "</li>\n");
  }
  buf_add_str(&g->wrong, count ? "</ul>\n" : "");
  buf_release(&text);
}

static void nightly_page_task(struct nightly_page *g, const struct record *rec) {
  buf_printf(&g->rows, "<tr><td class=\"n\">%lld</td><th scope=\"row\">", json_to_int(rec->field[N_LINE], 0));
  nightly_page_text(&g->rows, rec->field[N_SUBJECT]);
  buf_add_str(&g->rows, "</th><td>");
  nightly_page_text(&g->rows, rec->field[N_SOURCE]);
  buf_add_str(&g->rows, "</td><td>");
  nightly_page_passages(&g->rows, rec);
  buf_add_str(&g->rows, "</td><td>");
  nightly_page_failed(&g->rows, rec->field[N_FAILED]);
  buf_add_str(&g->rows, "</td></tr>\n");
  nightly_page_documents(g, rec);
  nightly_page_messages(g, rec);
  g->tasks++;
}

static int nightly_page_record(struct program *p, const struct record *rec, void *arg) {
  struct nightly_page *g = arg;
  (void)p;
  if (json_kind(rec->field[N_TOTAL]) != 't') {
    nightly_page_task(g, rec);
    return 0;
  }
  buf_printf(&g->lead,
             "%lld of %lld tasks done in %lld s; passages: ", json_to_int(json_get(rec->line, "done"), 0),
             json_to_int(json_get(rec->line, "tasks"), 0), json_to_int(json_get(rec->line, "seconds"), 0));
  nightly_page_passages(&g->lead, rec);
  buf_add_str(&g->lead, "; failed: ");
  nightly_page_failed(&g->lead, rec->field[N_FAILED]);
  return 0;
}

static void nightly_page_part(struct buf *out, const char *id, const char *title, const struct buf *part) {
  if (!part->len)
    return;
  buf_printf(out, "<article aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", id, id, title);
  buf_add_slice(out, buf_slice(part));
  buf_add_str(out, "</article>\n");
}

void nightly_page_run(struct program *p) {
  struct nightly_page g = {.tasks = 0};
  struct buf *const parts[] = {&g.rows, &g.fresh, &g.wrong, &g.lead}, *out = &p->out.buf;
  char day[CLOCK_TEXT], title[CLOCK_TEXT + 40];
  for (size_t i = 0; i < 4; i++)
    buf_init(parts[i], NIGHTLY_PAGE_MAX);
  program_each_record(p, nightly_page_fields, nightly_page_record, &g);
  clock_format_date(clock_now(), day);
  snprintf(title, sizeof title, "What came in the night to %s", day);
  html_page_open(out, slice_str(title), buf_slice(&g.lead));
  html_page_table_open(out, "Tasks");
  buf_add_str(out, "<thead><tr><th scope=\"col\" class=\"n\">line</th><th scope=\"col\">what</th><th "
                   "scope=\"col\">source</th>"
                   "<th scope=\"col\">passages</th><th scope=\"col\">failed</th></tr></thead>\n<tbody>\n");
  buf_add_slice(out, buf_slice(&g.rows));
  buf_add_str(out, "</tbody>");
  html_page_table_close(out);
  nightly_page_part(out, "new", "What is new", &g.fresh);
  nightly_page_part(out, "wrong", "What went wrong", &g.wrong);
  html_page_close(out);
  for (size_t i = 0; i < 4; i++)
    buf_release(parts[i]);
}
