/* search_show.c: answers for display: passages drawn by page/terminal.h, with header and source. */
#include "facts/fact_sheet.h"
#include "page/terminal.h"
#include "record/error.h"
#include "record/json.h"
#include "record/record.h"
#include "search/search_passage.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

#define LINES_PLACE 2      /* of a longer place, titles are cut */
#define LINES_FIRST 20     /* most lines of the first excerpt */
#define LINES_OTHERS 12    /* and of another one */
#define LINES_DRAWN 1000   /* of a try */
#define LINE_CHANCE 0.004F /* least chance of an answer for each further line */
#define NEIGHBOUR_LINES 6  /* of the passages before and after */
#define INDENT 3
#define SHORT_ID 8 /* digits of an id, which tell passages of a store apart */

static void search_show_head(struct searcher *s, const struct search_answer *a, size_t i,
                             struct page_terminal *t) {
  const struct rank_hit *h = &a->result.hits[i];
  const struct search_passage *passage = searcher_passage(s);
  struct slice context = page_place(passage->text.context);
  if (context.len == 0)
    context = slice_str(search_collection_name(searcher_shared(s), h->at.seg->doc[h->at.doc].collection));
  buf_printf(t->out, "%s%2zu%s ", t->colour ? "\033[1m" : "", i + 1, t->colour ? "\033[0m" : "");
  struct buf place;
  buf_init(&place, 2 * context.len + 8);
  page_place_add(&place, context, LINES_PLACE * (t->width - INDENT));
  page_terminal_text(t, buf_slice(&place), "\033[36m", INDENT);
  buf_release(&place);
  buf_printf(t->out, "%*s%srelevance: %s", INDENT, "", t->colour ? "\033[2m" : "", search_relevance_word(h));
  search_pages_add(t->out, ", ", passage->text.chunk, "");
  if (h->folded_count > 0)
    buf_printf(t->out, ", %zu more like it", h->folded_count);
  const char *store = store_snapshot_path(search_snapshot(searcher_shared(s)), h->at.seg->doc[h->at.doc].id);
  if (store != NULL) {
    buf_add_str(t->out, ", in ");
    buf_add_masked(t->out, slice_str(store));
  }
  buf_add_str(t->out, ", id ");
  search_add_id(t->out, &h->at, SHORT_ID);
  buf_add_str(t->out, t->colour ? "\033[0m\n" : "\n");
}

static void search_show_source(struct searcher *s, struct page_terminal *t) {
  struct buf scratch;
  buf_init(&scratch, 1 << 20);
  page_terminal_link(t,
                     json_text(json_get(buf_slice(&searcher_passage(s)->document), "sourceUrl"), &scratch));
  buf_add_char(t->out, '\n');
  buf_release(&scratch);
}

const char *search_relevance_word(const struct rank_hit *h) {
  return h->relevance >= SEARCH_HIGH ? "high" : h->relevance >= SEARCH_FAIR ? "fair" : "low";
}

void search_add_verdict(const struct search_answer *a, struct buf *out) {
  float c = a->result.confidence, best = 0;
  for (size_t i = 0; i < a->result.count; i++)
    best = a->result.hits[i].relevance > best ? a->result.hits[i].relevance : best;
  buf_printf(out, "Answered here: %s.",
             c < RANK_ANSWERED                         ? "unlikely"
             : c < SEARCH_LIKELY || best < SEARCH_FAIR ? "unsure"
                                                       : "likely");
  if (best < SEARCH_FAIR)
    buf_add_str(out, " No passage stands out; the answer may be in none of them.");
}

void search_show_verdict(const struct search_answer *a, size_t width, int colour, struct buf *out) {
  struct page_terminal t = {.out = out, .width = width, .lines = (size_t)-1, .colour = colour};
  struct buf text;
  buf_init(&text, 4096);
  search_add_verdict(a, &text);
  page_terminal_text(&t, buf_slice(&text), NULL, 0);
  buf_add_char(out, '\n');
  buf_release(&text);
}

static void search_show_scores(const struct rank_hit *h, const struct page_terminal *t) {
  buf_printf(t->out, "%*s%ssum %.2f, bm25 %.2f, cosine %.3f, words %.2f, in a line %.2f, relevance %.2f%s\n",
             INDENT, "", t->colour ? "\033[2m" : "", (double)h->sum, (double)h->bm25, (double)h->cosine,
             (double)h->f.coverage, (double)h->f.line, (double)h->relevance, t->colour ? "\033[0m" : "");
}

/* The passage before a hit or after it, dim. */
static int search_show_neighbour(struct searcher *s, const struct rank_place *at, int step,
                                 struct page_terminal *t, struct error_text *e) {
  struct store_text text;
  store_text_init(&text);
  int found = search_neighbour(s, at, step, &text, e);
  if (found > 0) {
    t->lines = NEIGHBOUR_LINES;
    buf_printf(t->out, "%*s%s%s:%s\n", INDENT, "", t->colour ? "\033[1m" : "", step < 0 ? "before" : "after",
               t->colour ? "\033[0m" : "");
    page_terminal_passage(t, (struct page_passage){text.text, text.context}, NULL);
  }
  store_text_release(&text);
  return found < 0 ? -1 : 0;
}

/* A passage's units as they would be drawn. */
struct drawing {
  const struct rank_units *units;
  struct page_passage passage;
  struct page_terminal terminal;
  size_t most, lines; /* lines at most, and of what is chosen */
  float chance;       /* that the passage answers */
  struct buf *excerpt, *drawn;
};

/* Draws the chosen units: the last one is worth its lines, or too long, or not worth them, as no one after it is. */
static enum search_try drawing_judge(void *arg, const uint8_t *chosen, float chance) {
  struct drawing *d = arg;
  struct page_terminal t = d->terminal;
  t.out = d->drawn;
  t.lines = LINES_DRAWN;
  buf_clear(d->excerpt);
  buf_clear(d->drawn);
  search_add_excerpt(d->units, d->passage, chosen, d->excerpt);
  page_terminal_passage(&t, (struct page_passage){buf_slice(d->excerpt), slice_of(NULL, 0)}, NULL);
  size_t lines = LINES_DRAWN - t.lines, before = d->lines;
  if (lines > before && d->chance * chance < LINE_CHANCE * (float)(lines - before))
    return SEARCH_END;
  if (lines > d->most)
    return SEARCH_SKIP;
  d->lines = lines;
  return SEARCH_TAKE;
}

/* Appends some lines of the passage: the sentences and rows that most likely answer. */
static void search_show_excerpt(struct searcher *s, const struct search_answer *a, size_t i,
                                const struct page_terminal *t, struct buf *out) {
  const struct rank_hit *h = &a->result.hits[i];
  const struct store_text *text = &searcher_passage(s)->text;
  const struct rank_units *u = search_units(s, h, text->text);
  struct buf drawn;
  struct drawing d = {u, {text->text, text->context}, *t,  i ? LINES_OTHERS : LINES_FIRST,
                      0, search_hit_chance(a, i),     out, &drawn};
  uint8_t *chosen = xcalloc(u->count + 1, 1);
  buf_init(&drawn, RECORD_MAX);
  search_choose_units(u, drawing_judge, &d, chosen);
  buf_clear(out);
  search_add_excerpt(u, d.passage, chosen, out);
  buf_release(&drawn);
  free(chosen);
}

int search_show_hit(struct searcher *s, const struct search_answer *a, size_t i,
                    const struct search_output *o, size_t width, int colour, struct buf *out,
                    struct error_text *e) {
  struct page_terminal t = {
      .out = out, .width = width, .indent = INDENT, .lines = (size_t)-1, .colour = colour};
  struct search_marks m;
  if (searcher_load(s, &a->result.hits[i].at, searcher_passage(s), e) != 0)
    return -1;
  struct slice text = searcher_passage(s)->text.text;
  search_show_head(s, a, i, &t);
  if (o->explain)
    search_show_scores(&a->result.hits[i], &t);
  if (o->neighbours && search_show_neighbour(s, &a->result.hits[i].at, -1, &t, e) != 0)
    return -1;
  if (o->neighbours)
    buf_printf(out, "%*s%sfound:%s\n", INDENT, "", colour ? "\033[1m" : "", colour ? "\033[0m" : "");
  struct page_passage shown = {text, searcher_passage(s)->text.context};
  struct buf excerpt;
  buf_init(&excerpt, RECORD_MAX);
  if (!o->full) {
    search_show_excerpt(s, a, i, &t, &excerpt);
    shown = (struct page_passage){buf_slice(&excerpt), slice_of(NULL, 0)};
    t.lines = LINES_FIRST;
  }
  search_marks_find(&m, s, a->query, shown.text);
  page_terminal_passage(&t, shown, &m.marks);
  search_marks_release(&m);
  buf_release(&excerpt);
  t.lines = (size_t)-1;
  if (o->neighbours && search_show_neighbour(s, &a->result.hits[i].at, 1, &t, e) != 0)
    return -1;
  search_show_source(s, &t);
  return 0;
}

int search_show_document(struct searcher *s, const struct search_answer *a, size_t i, size_t width,
                         int colour, struct buf *out, struct error_text *e) {
  struct page_terminal t = {.out = out, .width = width, .lines = (size_t)-1, .colour = colour};
  if (search_is_again(a, i))
    return 0;
  if (searcher_load(s, &a->result.hits[i].at, searcher_passage(s), e) != 0)
    return -1;
  struct slice place = page_place(searcher_passage(s)->text.context);
  place.len = page_place_outline(place);
  page_terminal_text(&t, place, NULL, 0);
  t.indent = INDENT;
  search_show_source(s, &t);
  return 0;
}

void search_show_time(const struct search_answer *a, double seconds, int colour, struct buf *out) {
  buf_printf(out, "%s%zu of %llu passages, in %.0f ms%s\n", colour ? "\033[2m" : "", a->result.count,
             (unsigned long long)a->result.searched, seconds * 1e3, colour ? "\033[0m" : "");
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
    buf_add_str(out, "# ");
    buf_add_masked(out, line);
    buf_add_char(out, '\n');
  }
  for (size_t i = 0; i < q->year_count; i++)
    buf_printf(out, "# year: %d counts more\n", q->years[i]);
  int company = a->plan->company_count > 0,
      form = a->plan->form_count > 0 && (company || a->result.narrowed_form);
  if (company || form)
    buf_printf(out, "# narrowed to the %s named\n",
               company && form ? "company and form"
               : company       ? "company"
                               : "form");
  if (a->result.searched) /* --analyse searches nothing */
    buf_printf(out, "# %llu passages searched, %s\n", (unsigned long long)a->result.searched,
               a->model == NULL       ? "text only"
               : a->result.exact      ? "every vector"
               : a->result.candidates ? "1-bit sketches first"
                                      : "4 bits of every vector first");
  buf_add_str(out, colour ? "\033[0m\n" : "\n");
  buf_release(&list);
  buf_release(&text);
}

/* Prints "stage: message" for each error object of an array. */
static void show_errors(struct slice errors, struct buf *out) {
  struct json_cursor c = {0};
  struct slice one;
  struct buf stage, message;
  buf_init(&stage, 4096);
  buf_init(&message, 1 << 20);
  while (json_next_element(errors, &c, &one)) {
    struct slice at = json_text(json_get(one, "stage"), &stage),
                 why = json_text(json_get(one, "message"), &message);
    buf_printf(out, "%.*s: %.*s\n", (int)at.len, at.len ? at.data : "", (int)why.len,
               why.len ? why.data : "");
  }
  buf_release(&stage);
  buf_release(&message);
}

/* Prints "[1] prints $461,161 for Total net sales, XBRL has 416,161 million USD (0000320193-25-000079)". */
static void show_disagreements(struct searcher *s, const struct search_answer *a, const struct edgar *g,
                               struct buf *out) {
  struct buf facts, list, text[4];
  struct json_cursor c = {0};
  struct error_text e;
  struct slice one;
  buf_init(&facts, 1 << 22);
  buf_init(&list, 1 << 22);
  for (int i = 0; i < 4; i++)
    buf_init(&text[i], 1 << 16);
  buf_printf(&facts, "[%.*s]", (int)edgar_facts(g).len, edgar_facts(g).len ? edgar_facts(g).data : "");
  search_add_disagreements(s, a, buf_slice(&facts), &list, &e);
  while (list.len && json_next_element(buf_slice(&list), &c, &one)) {
    struct slice value = json_get(one, "value");
    struct slice printed = json_text(json_get(one, "printed"), &text[0]),
                 row = json_text(json_get(one, "row"), &text[1]),
                 unit = json_text(json_get(one, "unit"), &text[2]),
                 accession = json_text(json_get(one, "accessionNumber"), &text[3]);
    buf_printf(out, "[%lld] prints %.*s for %.*s, XBRL has ", json_to_int(json_get(one, "rank"), 0),
               (int)printed.len, printed.data, (int)row.len, row.data);
    fact_amount_add(out, value, unit);
    buf_printf(out, " (%.*s)\n", (int)accession.len, accession.len ? accession.data : "");
  }
  buf_release(&facts);
  buf_release(&list);
  for (int i = 0; i < 4; i++)
    buf_release(&text[i]);
}

/* The values that a figure is derived from, each with its sign and concept, and their filings. */
static void show_parts(struct slice fact, struct page_terminal *t, struct buf *line) {
  struct slice parts = json_get(fact, "parts"), part, unit;
  struct json_cursor c = {0};
  struct buf text[4];
  for (int i = 0; i < 4; i++)
    buf_init(&text[i], 1 << 16);
  unit = json_text(json_get(fact, "unit"), &text[0]);
  while (json_kind(parts) == '[' && json_next_element(parts, &c, &part)) {
    struct slice sign = json_text(json_get(part, "sign"), &text[1]);
    struct slice concept = json_text(json_get(part, "concept"), &text[2]);
    buf_clear(line);
    buf_printf(line, "%.*s ", (int)sign.len, sign.data);
    fact_amount_add(line, json_get(part, "value"), slice_is(unit, "pure") ? slice_of(NULL, 0) : unit);
    buf_printf(line, ", %.*s", (int)concept.len, concept.data);
    page_terminal_text(t, buf_slice(line), NULL, 0);
    struct slice href = json_text(json_get(part, "href"), &text[3]);
    if (href.len)
      page_terminal_link(t, href);
  }
  for (int i = 0; i < 4; i++)
    buf_release(&text[i]);
}

/* Prints the reported figures, each with its filing. */
static void show_facts(const struct edgar *g, size_t width, int colour, struct buf *out) {
  struct page_terminal t = {
      .out = out, .width = width, .indent = INDENT, .lines = (size_t)-1, .colour = colour};
  struct json_cursor c = {0};
  struct slice fact, href;
  struct buf facts, line, scratch;
  buf_init(&facts, RECORD_MAX);
  buf_init(&line, 1 << 16);
  buf_init(&scratch, 1 << 16);
  buf_printf(&facts, "[%.*s]", (int)edgar_facts(g).len, edgar_facts(g).len ? edgar_facts(g).data : "");
  for (size_t n = 0; json_next_element(buf_slice(&facts), &c, &fact); n++) {
    if (n == 0)
      buf_printf(out, "%sReported figures%s\n", colour ? "\033[1m" : "", colour ? "\033[0m" : "");
    buf_clear(&line);
    search_add_fact(fact, &line);
    page_terminal_text(&t, buf_slice(&line), NULL, 0);
    href = json_text(json_get(fact, "href"), &scratch);
    if (href.len)
      page_terminal_link(&t, href);
    else
      show_parts(fact, &t, &line);
  }
  if (facts.len > 2)
    buf_add_char(out, '\n');
  buf_release(&facts);
  buf_release(&line);
  buf_release(&scratch);
}

const char *search_nothing_text(const struct search_fault *f, const struct search_output *o) {
  if (f && strcmp(f->category, ERROR_NO_CONTENT) != 0) /* nothing was searched */
    return "";
  return o->edgar && edgar_facts(o->edgar).len ? "No passage was found; the figures are from company facts."
                                               : "Nothing relevant was found.";
}

void search_show_bundle(struct searcher *s, const struct search_answer *a, const struct search_fault *f,
                        const struct search_output *o, size_t width, int colour, struct buf *out) {
  struct error_text e;
  struct buf errors, notes;
  size_t count = a && !f ? a->result.count : 0;
  if (o->edgar)
    show_facts(o->edgar, width, colour, out);
  if (count)
    search_show_verdict(a, width, colour, out);
  for (size_t i = 0; i < count; i++)
    search_show_hit(s, a, i, o, width, colour, out, &e);
  if (count == 0)
    buf_printf(out, "%s%s", search_nothing_text(f, o), *search_nothing_text(f, o) ? "\n" : "");
  buf_init(&notes, 1 << 22);
  if (o->edgar)
    edgar_show(o->edgar, &notes);
  buf_add_masked_lines(out, buf_slice(&notes));
  buf_clear(&notes);
  if (count && o->edgar)
    show_disagreements(s, a, o->edgar, &notes);
  buf_init(&errors, 1 << 22);
  search_add_errors(a, f, o, &errors);
  show_errors(buf_slice(&errors), &notes);
  if (notes.len && out->len)
    buf_printf(out, "%sMissing or doubtful%s\n", colour ? "\033[1m" : "", colour ? "\033[0m" : "");
  buf_add_masked_lines(out, buf_slice(&notes));
  buf_release(&notes);
  buf_release(&errors);
}
