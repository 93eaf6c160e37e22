/* search_page.c: answers as an HTML page (page/html_page.h), each passage with its place in the filing. */
#include "page/html_page.h"
#include "record/json.h"
#include "record/record.h"
#include "search/search_passage.h"
#include "search/search.h"
#include "verify/passage_place.h"

#include <stdio.h>

static void search_page_source(struct searcher *s, const struct rank_hit *h, struct buf *out) {
  const struct search_passage *p = searcher_passage(s);
  struct buf scratch;
  buf_init(&scratch, 1 << 20);
  struct slice url = json_text(json_get(buf_slice(&p->document), "sourceUrl"), &scratch);
  buf_add_str(out, "<p class=\"soft\">Source: ");
  html_page_link(out, url, url);
  search_pages_add(out, ", ", p->text.chunk, "");
  buf_printf(out, "; relevance: %s", search_relevance_word(h));
  if (h->folded_count > 0)
    buf_printf(out, "; %zu more like it", h->folded_count);
  buf_add_str(out, "</p>\n");
  buf_release(&scratch);
}

static int search_page_hit(struct searcher *s, const struct search_answer *a, size_t i, struct buf *out,
                           struct error_text *e) {
  const struct rank_hit *h = &a->result.hits[i];
  const struct search_passage *p = searcher_passage(s);
  struct search_marks m;
  if (searcher_load(s, &h->at, searcher_passage(s), e) != 0)
    return -1;
  struct slice context = page_place(p->text.context);
  if (context.len == 0)
    context = slice_str(search_collection_name(searcher_shared(s), h->at.seg->doc[h->at.doc].collection));
  buf_printf(out, "<article aria-labelledby=\"hit%zu\">\n<h2 id=\"hit%zu\">%zu. ", i + 1, i + 1, i + 1);
  html_page_place(out, context);
  buf_add_str(out, "</h2>\n");
  search_page_source(s, h, out);
  size_t answer[SEARCH_SPANS][2];
  search_marks_find(&m, s, a->query, p->text.text);
  m.marks.answer_count = search_find_spans(search_units(s, h, p->text.text), answer);
  m.marks.answer = (const size_t(*)[2])answer;
  buf_add_str(out, "<div class=\"passage\">\n");
  html_page_passage(out, (struct page_passage){p->text.text, p->text.context}, &m.marks);
  buf_add_str(out, "</div>\n");
  passage_place_add(out, search_snapshot(searcher_shared(s)), h->at.seg, h->at.row, &p->text, &m.marks);
  buf_add_str(out, "</article>\n");
  search_marks_release(&m);
  return 0;
}

/* The reported figures, each with its filing. */
static void search_page_facts(const struct edgar *g, struct buf *out) {
  struct json_cursor c = {0};
  struct slice fact;
  struct buf facts, text;
  if (edgar_facts(g).len == 0)
    return;
  buf_init(&facts, RECORD_MAX);
  buf_init(&text, 1 << 16);
  buf_printf(&facts, "[%.*s]", (int)edgar_facts(g).len, edgar_facts(g).data);
  buf_add_str(out, "<article aria-labelledby=\"facts\">\n<h2 id=\"facts\">Reported figures</h2>\n<ul>\n");
  while (json_next_element(buf_slice(&facts), &c, &fact)) {
    buf_add_str(out, "<li>");
    buf_clear(&text);
    search_add_fact(fact, &text);
    html_page_text(out, buf_slice(&text));
    buf_add_char(out, ' ');
    struct slice href = json_text(json_get(fact, "href"), &text);
    html_page_link(out, href, href);
    buf_add_str(out, "</li>\n");
  }
  buf_add_str(out, "</ul>\n</article>\n");
  buf_release(&facts);
  buf_release(&text);
}

/* EDGAR's filings with links. */
static void search_page_edgar(const struct search_answer *a, const struct edgar *g, struct buf *out) {
  struct json_cursor c = {0};
  struct slice filing;
  struct buf json, text;
  buf_init(&json, 1 << 22);
  buf_init(&text, 1 << 16);
  edgar_add(g, a ? a->plan : NULL, slice_of(NULL, 0), &json);
  struct slice filings = json_get(buf_slice(&json), "filings");
  buf_add_str(out, "<article aria-labelledby=\"edgar\">\n<h2 id=\"edgar\">EDGAR has</h2>\n<ul>\n");
  while (json_kind(filings) == '[' && json_next_element(filings, &c, &filing)) {
    static const char *const members[] = {"filingDate", "form"};
    buf_add_str(out, "<li>");
    for (size_t i = 0; i < 2; i++) {
      html_page_text(out, json_text(json_get(filing, members[i]), &text));
      buf_add_char(out, ' ');
    }
    struct slice href = json_text(json_get(filing, "href"), &text);
    html_page_link(out, href, href);
    buf_add_str(out, json_kind(json_get(filing, "ingested")) == 't' ? " (in the store)</li>\n" : "</li>\n");
  }
  buf_add_str(out, "</ul>\n</article>\n");
  buf_release(&json);
  buf_release(&text);
}

static void search_page_errors(struct slice errors, struct buf *out) {
  struct json_cursor c = {0};
  struct slice one;
  struct buf text;
  size_t count = 0;
  buf_init(&text, 1 << 20);
  while (json_next_element(errors, &c, &one)) {
    if (count++ == 0)
      buf_add_str(out,
                  "<article aria-labelledby=\"errors\">\n<h2 id=\"errors\">What went wrong</h2>\n<ul>\n");
    buf_add_str(out, "<li>");
    html_page_text(out, json_text(json_get(one, "stage"), &text));
    buf_add_str(out, ": ");
    html_page_prose(out, json_text(json_get(one, "message"), &text));
    buf_add_str(out, "</li>\n");
  }
  if (count > 0)
    buf_add_str(out, "</ul>\n</article>\n");
  buf_release(&text);
}

int search_add_page(struct searcher *s, struct slice query, const struct search_answer *a,
                    const struct search_fault *f, const struct search_output *o, struct buf *out,
                    struct error_text *e) {
  struct buf errors, lead;
  int status = 0;
  buf_init(&lead, 4096);
  size_t count = a && !f ? a->result.count : 0;
  if (a && !f)
    buf_printf(&lead, "%zu of %llu passages. ", count, (unsigned long long)a->result.searched);
  if (count > 0)
    search_add_verdict(a, &lead);
  html_page_open(out, query, slice_trimmed(buf_slice(&lead)));
  buf_release(&lead);
  if (o->edgar)
    search_page_facts(o->edgar, out);
  if (count == 0 && *search_nothing_text(f, o))
    buf_printf(out, "<p>%s</p>\n", search_nothing_text(f, o));
  for (size_t i = 0; i < count && status == 0; i++)
    status = search_page_hit(s, a, i, out, e);
  if (o->edgar)
    search_page_edgar(a, o->edgar, out);
  buf_init(&errors, 1 << 22);
  search_add_errors(a, f, o, &errors);
  search_page_errors(buf_slice(&errors), out);
  buf_release(&errors);
  html_page_close(out);
  return status;
}
