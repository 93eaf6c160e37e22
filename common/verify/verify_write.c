/* verify_write.c: verdicts on an answer as records, as text and as a part of a page. */
#include "verify/verify_write.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "facts/fact_sheet.h"
#include "page/html_page.h"
#include "record/json.h"
#include "verify/passage_place.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGE_LABEL = 120 }; /* bytes of a label that are displayed */

/* Truncates a text to at most `most` bytes of whole characters. */
static struct slice verify_cut(struct slice s, size_t most) {
  return slice_of(s.data, s.len > most ? utf8_floor(s.data, most) : s.len);
}

/* "3 numbers, 1 statement: 2 found, ...". */
static void verify_add_counts(struct buf *out, const struct verify_case *v) {
  buf_printf(out, "%zu number%s", v->claims.count, v->claims.count == 1 ? "" : "s");
  if (v->claims.statement_count)
    buf_printf(out, ", %zu statement%s", v->claims.statement_count,
               v->claims.statement_count == 1 ? "" : "s");
  buf_printf(out, ": %zu found, %zu contradicted, %zu unsupported, %zu unsure", verify_count(v, CLAIM_FOUND),
             verify_count(v, CLAIM_CONTRADICTED), verify_count(v, CLAIM_UNSUPPORTED),
             verify_count(v, CLAIM_UNSURE));
}

/* A part of the answer in which the marks of citations that it has, "[1]", lead to them. */
static void verify_page_marks(struct buf *out, const struct verify_case *v, struct slice text) {
  size_t from = 0;
  for (size_t i = 0; i < text.len; i++) {
    size_t end = i + 1;
    int mark = 0;
    while (text.data[i] == '[' && end < text.len && isdigit((unsigned char)text.data[end]) && end < i + 5)
      mark = 10 * mark + text.data[end++] - '0';
    if (!mark || end == text.len || text.data[end] != ']' || !verify_has_mark(v, mark))
      continue;
    html_page_text(out, slice_of(text.data + from, i - from));
    buf_printf(out, "<a href=\"#cited%zu-%d\">[%d]</a>", v->number, mark, mark);
    from = end + 1;
    i = end;
  }
  html_page_text(out, slice_of(text.data + from, text.len - from));
}

static void verify_page_answer(struct buf *out, const struct verify_case *v) {
  static const char *const signs[] = {"\xe2\x9c\x93", "\xe2\x9c\x97", "?", "~"};
  size_t at = 0;
  buf_add_str(out, "<p class=\"prose\">");
  for (size_t i = 0; i < v->claims.count; i++) {
    const struct claim *c = &v->claims.claims[i];
    if (c->number.start < at)
      continue;
    verify_page_marks(out, v, slice_of(v->answer.data + at, c->number.start - at));
    buf_printf(out, "<a class=\"%s\" href=\"#number%zu-%zu\" title=\"%s\">", verify_verdict(c->verdict),
               v->number, i + 1, verify_verdict(c->verdict));
    html_page_text(out, slice_of(v->answer.data + c->number.start, c->number.end - c->number.start));
    buf_printf(out, "<sup>%s</sup></a>", signs[c->verdict]);
    at = c->number.end;
  }
  verify_page_marks(out, v, slice_of(v->answer.data + at, v->answer.len - at));
  buf_add_str(out, "</p>\n");
}

static void verify_page_evidence(struct buf *out, const struct verify_case *v,
                                 const struct evidence_item *item) {
  if (item->mark) {
    buf_printf(out, "<a href=\"#cited%zu-%d\">[%d]</a> ", v->number, item->mark, item->mark);
  } else if (item->accession.len) {
    struct buf href;
    buf_init(&href, 4096);
    if (item->cik.len)
      fact_write_href(&href, item->cik, item->accession);
    html_page_link(out, buf_slice(&href), item->accession);
    buf_add_char(out, ' ');
    buf_release(&href);
  }
  html_page_text(out, verify_cut(item->label, PAGE_LABEL));
  if (item->in_table) {
    buf_add_str(out, ": ");
    struct buf value;
    buf_init(&value, 4096);
    verify_add_value(&value, item);
    html_page_text(out, buf_slice(&value));
    buf_release(&value);
  }
  if (item->when.year)
    buf_printf(out, " (%d)", item->when.year);
}

/* The bytes [from, to) of the answer, and the verdict on them. */
static void verify_page_verdict(struct buf *out, const struct verify_case *v, size_t from, size_t to,
                                enum claim_verdict verdict, const char *how) {
  buf_add_str(out, "<th scope=\"row\">");
  html_page_text(out, slice_of(v->answer.data + from, to - from));
  buf_printf(out, "</th><td class=\"%s\">%s%s%s</td><td>", verify_verdict(verdict), verify_verdict(verdict),
             how ? ": " : "", how ? how : "");
}

static void verify_page_numbers(struct buf *out, const struct verify_case *v) {
  if (!v->claims.count && !v->claims.statement_count)
    return;
  html_page_table_open(out, "Numbers and statements of the answer");
  buf_add_str(out, "<thead><tr><th scope=\"col\">number</th><th scope=\"col\">verdict</th><th scope=\"col\">"
                   "evidence</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < v->claims.count; i++) {
    const struct claim *c = &v->claims.claims[i];
    buf_printf(out, "<tr id=\"number%zu-%zu\">", v->number, i + 1);
    verify_page_verdict(out, v, c->number.start, c->number.end, c->verdict, c->how);
    const struct claim_computation *of = verify_computation(c);
    for (size_t k = 0; k < (of ? of->count : c->item != NULL); k++) {
      buf_add_str(out, k ? "; " : "");
      verify_page_evidence(out, v, of ? of->operands[k] : c->item);
    }
    if (c->against) {
      buf_add_str(out, "; against it: ");
      verify_page_evidence(out, v, c->against);
    }
    buf_add_str(out, "</td></tr>\n");
  }
  for (size_t i = 0; i < v->claims.statement_count; i++) {
    const struct claim_statement *c = &v->claims.statements[i];
    buf_add_str(out, "<tr>");
    verify_page_verdict(out, v, c->start, c->end, c->verdict, c->how);
    if (c->near.len)
      buf_printf(out, "<a href=\"#cited%zu-%d\">[%d]</a> ", v->number, c->mark, c->mark);
    html_page_text(out, verify_cut(c->near, 2 * PAGE_LABEL));
    buf_add_str(out, "</td></tr>\n");
  }
  buf_add_str(out, "</tbody>");
  html_page_table_close(out);
}

/* ---- citations ---- */

static int verify_page_order(const void *x, const void *y) {
  const size_t *a = x, *b = y;
  return (a[0] > b[0]) - (a[0] < b[0]);
}

/* The ranges of a cited text that support numbers of the answer; to be freed. */
static size_t (*verify_page_spans(const struct verify_case *v, const struct cited *p, size_t *count))[2] {
  size_t(*spans)[2] = xcalloc(v->claims.count + 1, sizeof *spans);
  *count = 0;
  for (size_t i = 0; i < v->claims.count; i++) {
    const struct evidence_item *item = v->claims.claims[i].item;
    const char *at = item ? item->printed.data : NULL;
    if (!at || item->mark != p->mark || at < p->text.data || at >= p->text.data + p->text.len)
      continue;
    spans[*count][0] = (size_t)(at - p->text.data);
    spans[(*count)++][1] = (size_t)(at - p->text.data) + item->printed.len;
  }
  qsort(spans, *count, sizeof *spans, verify_page_order);
  return spans;
}

/* Shows the passage in its item, where the store still has it. */
static void verify_page_place(struct buf *out, const struct cited *p, const struct store_snapshot *snap,
                              struct page_marks marks) {
  const struct store_segment *seg;
  struct error_text e;
  struct store_text t;
  uint32_t row;
  store_text_init(&t);
  if (snap && citation_find(snap, p->id, &seg, &row, &t, &e) == STORE_OK && slice_eq(t.text, p->text)) {
    marks.base = t.text.data;
    passage_place_add(out, snap, seg, row, &t, &marks);
  }
  store_text_release(&t);
}

static void verify_page_state(struct buf *out, const struct citation *c) {
  buf_printf(out, "<p><span class=\"%s\">%s</span>", c->stored == CITATION_PROVED ? "found" : "unsupported",
             c->stored == CITATION_PROVED      ? "the store has it, the same text at the same place"
             : c->stored == CITATION_UNCHECKED ? "not looked up: there is no store"
             : c->stored == CITATION_CHANGED   ? "the store has something else"
                                               : "not in the store");
  if (c->source)
    buf_printf(out, "; its source, fetched again: <span class=\"%s\">%s</span>",
               c->source == CITATION_PROVED ? "found" : "unsupported", citation_word(c->source));
  if (c->why[0]) {
    buf_add_str(out, "; ");
    html_page_cstr(out, c->why);
  }
  buf_add_str(out, "</p>\n");
}

static void verify_page_citation(struct buf *out, const struct verify_case *v, size_t i,
                                 const struct store_snapshot *snap) {
  const struct cited *p = &v->cited[i];
  struct page_marks marks = {.base = p->text.data};
  size_t(*spans)[2] = verify_page_spans(v, p, &marks.count);
  marks.span = (const size_t(*)[2])spans;
  buf_printf(out, "<section id=\"cited%zu-%d\">\n<h3>[%d] ", v->number, p->mark, p->mark);
  if (p->context.len)
    html_page_place(out, verify_cut(page_place(p->context), 4 * PAGE_LABEL));
  else
    html_page_text(out, p->accession);
  buf_add_str(out, "</h3>\n<p class=\"soft\">Source: ");
  html_page_link(out, p->url, p->url);
  if (p->start >= 0)
    buf_printf(out, ", bytes %lld to %lld of its text", p->start, p->end);
  if (v->proofs[i].sha256[0]) {
    buf_add_str(out, "; sha256 ");
    html_page_cstr(out, v->proofs[i].sha256);
  }
  buf_add_str(out, "</p>\n");
  verify_page_state(out, &v->proofs[i]);
  buf_add_str(out, "<div class=\"passage\">\n");
  html_page_passage(out, (struct page_passage){p->text, p->context}, &marks);
  buf_add_str(out, "</div>\n");
  verify_page_place(out, p, snap, marks);
  buf_add_str(out, "</section>\n");
  free(spans);
}

void verify_page_add(struct buf *out, const struct verify_case *v, const struct store_snapshot *snap) {
  buf_printf(out, "<article aria-labelledby=\"case%zu\">\n<h2 id=\"case%zu\">", v->number, v->number);
  html_page_text(out, v->query.len ? v->query : slice_str("The answer"));
  buf_add_str(out, "</h2>\n<p>");
  verify_add_counts(out, v);
  buf_printf(out, "; %zu citation%s.</p>\n", v->cited_count, v->cited_count == 1 ? "" : "s");
  if (v->answer.len)
    verify_page_answer(out, v);
  verify_page_numbers(out, v);
  for (size_t i = 0; i < v->cited_count; i++)
    verify_page_citation(out, v, i, snap);
  buf_add_str(out, "</article>\n");
}

/* ---- records and text ---- */

enum { SHOWN_LABEL = 60 };

const char *verify_verdict(enum claim_verdict v) {
  static const char *const words[] = {"found", "contradicted", "unsupported", "unsure"};
  return words[v];
}

const struct claim_computation *verify_computation(const struct claim *c) {
  int is = c->how && strcmp(c->how, "computed") == 0 && c->computed.count > 1;
  return is ? &c->computed : NULL;
}

size_t verify_count(const struct verify_case *v, enum claim_verdict verdict) {
  size_t n = 0;
  for (size_t i = 0; i < v->claims.count; i++)
    n += v->claims.claims[i].verdict == verdict;
  for (size_t i = 0; i < v->claims.statement_count; i++)
    n += v->claims.statements[i].verdict == verdict;
  return n;
}

int verify_has_mark(const struct verify_case *v, int mark) {
  for (size_t i = 0; i < v->cited_count; i++)
    if (v->cited[i].mark == mark)
      return 1;
  return 0;
}

int verify_is_clean(const struct verify_case *v) {
  for (size_t i = 0; i < v->cited_count; i++)
    if (v->proofs[i].stored > CITATION_PROVED || v->proofs[i].source > CITATION_PROVED)
      return 0;
  for (size_t i = 0; i < v->claims.count; i++)
    if (v->claims.claims[i].verdict != CLAIM_FOUND)
      return 0;
  for (size_t i = 0; i < v->claims.statement_count; i++) /* of an unsure one nothing is known */
    if (v->claims.statements[i].verdict == CLAIM_UNSUPPORTED)
      return 0;
  return 1;
}

static void verify_json_citation(struct buf *out, const struct cited *p, const struct citation *c) {
  buf_add_char(out, '{');
  json_int(out, "mark", p->mark);
  if (p->id.len)
    json_str(out, "id", p->id);
  if (p->url.len)
    json_str(out, "sourceUrl", p->url);
  json_cstr(out, "stored", citation_word(c->stored));
  if (c->source)
    json_cstr(out, "source", citation_word(c->source));
  if (c->sha256[0])
    json_cstr(out, "sha256", c->sha256);
  if (p->start >= 0) {
    json_int(out, "start", p->start);
    json_int(out, "end", p->end);
  }
  if (c->why[0])
    json_cstr(out, "why", c->why);
  buf_add_char(out, '}');
}

static void verify_json_item(struct buf *out, const struct evidence_item *item) {
  json_cstr(out, "where", item->mark ? "passage" : "fact");
  if (item->mark)
    json_int(out, "mark", item->mark);
  json_str(out, "label", item->label);
  json_double(out, "value", item->value);
  if (item->scale.caption != 1)
    json_double(out, "scale", item->scale.caption);
  if (item->when.year)
    json_int(out, "year", item->when.year);
  if (item->accession.len)
    json_str(out, "accessionNumber", item->accession);
}

/* Of a computed number all figures that it took: {"relation": "change", "of": [...]}. */
static void verify_json_evidence(struct buf *out, const struct claim *c) {
  const struct claim_computation *of = verify_computation(c);
  json_key(out, "evidence");
  buf_add_char(out, '{');
  verify_json_item(out, c->item);
  if (of) {
    json_cstr(out, "relation", of->relation);
    json_key(out, "of");
    buf_add_char(out, '[');
    for (size_t i = 0; i < of->count; i++) {
      buf_add_str(out, i ? ",{" : "{");
      verify_json_item(out, of->operands[i]);
      buf_add_char(out, '}');
    }
    buf_add_char(out, ']');
  }
  buf_add_char(out, '}');
}

static void verify_json_claim(struct buf *out, struct slice answer, const struct claim *c) {
  buf_add_char(out, '{');
  json_str(out, "text", slice_of(answer.data + c->number.start, c->number.end - c->number.start));
  json_uint(out, "start", c->number.start);
  json_uint(out, "end", c->number.end);
  json_double(out, "value", c->number.value);
  if (c->number.percent)
    json_bool(out, "percent", 1);
  json_cstr(out, "verdict", verify_verdict(c->verdict));
  if (c->how)
    json_cstr(out, "how", c->how);
  if (c->item)
    verify_json_evidence(out, c);
  if (c->against) {
    json_key(out, "against");
    buf_add_char(out, '{');
    verify_json_item(out, c->against);
    buf_add_char(out, '}');
  }
  buf_add_char(out, '}');
}

static void verify_json_statement(struct buf *out, struct slice answer, const struct claim_statement *c) {
  buf_add_char(out, '{');
  json_str(out, "text", slice_of(answer.data + c->start, c->end - c->start));
  json_uint(out, "start", c->start);
  json_uint(out, "end", c->end);
  json_cstr(out, "verdict", verify_verdict(c->verdict));
  if (c->how)
    json_cstr(out, "how", c->how);
  if (c->near.len) {
    json_int(out, "mark", c->mark);
    json_str(out, "nearest", c->near);
  }
  buf_add_char(out, '}');
}

static void verify_write_json(struct buf *out, const struct verify_case *v) {
  buf_add_char(out, '{');
  if (v->query.len)
    json_str(out, "query", v->query);
  if (v->answer.len)
    json_str(out, "answer", v->answer);
  json_key(out, "citations");
  buf_add_char(out, '[');
  for (size_t i = 0; i < v->cited_count; i++) {
    buf_add_str(out, i ? "," : "");
    verify_json_citation(out, &v->cited[i], &v->proofs[i]);
  }
  buf_add_char(out, ']');
  json_key(out, "numbers");
  buf_add_char(out, '[');
  for (size_t i = 0; i < v->claims.count; i++) {
    buf_add_str(out, i ? "," : "");
    verify_json_claim(out, v->answer, &v->claims.claims[i]);
  }
  buf_add_char(out, ']');
  json_key(out, "statements");
  buf_add_char(out, '[');
  for (size_t i = 0; i < v->claims.statement_count; i++) {
    buf_add_str(out, i ? "," : "");
    verify_json_statement(out, v->answer, &v->claims.statements[i]);
  }
  buf_add_char(out, ']');
  json_key(out, "summary");
  buf_add_char(out, '{');
  json_uint(out, "found", verify_count(v, CLAIM_FOUND));
  json_uint(out, "contradicted", verify_count(v, CLAIM_CONTRADICTED));
  json_uint(out, "unsupported", verify_count(v, CLAIM_UNSUPPORTED));
  json_uint(out, "unsure", verify_count(v, CLAIM_UNSURE));
  json_bool(out, "clean", verify_is_clean(v));
  buf_add_str(out, "}}\n");
}

/* ---- for people ---- */

static void verify_masked(struct buf *out, struct slice s, size_t most) {
  buf_add_masked(out, verify_cut(s, most));
  buf_add_str(out, s.len > most ? "..." : "");
}

/* Whether a number as printed has its unit, "3.2%", "3.2 percent" or "half"; "(3.2)" has none. */
static int verify_has_unit(struct slice printed) {
  for (size_t i = 0; i < printed.len; i++)
    if (printed.data[i] == '%' || isalpha((unsigned char)printed.data[i]))
      return 1;
  return 0;
}

void verify_add_value(struct buf *out, const struct evidence_item *item) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.15g", item->value);
  if (item->printed.len)
    buf_add_masked(out, item->printed);
  else
    fact_amount_add(out, slice_str(digits), slice_of(NULL, 0));
  if (item->percent && !verify_has_unit(item->printed))
    buf_add_char(out, '%');
  buf_add_str(out, item->scale.caption == 1e3   ? " thousand"
                   : item->scale.caption == 1e6 ? " million"
                   : item->scale.caption == 1e9 ? " billion"
                                                : "");
}

static void verify_people_item(struct buf *out, const struct evidence_item *i) {
  if (i->mark)
    buf_printf(out, "[%d] ", i->mark);
  else
    buf_printf(out, "fact %.*s%s", (int)i->accession.len, i->accession.data ? i->accession.data : "",
               i->accession.len ? " " : "");
  verify_masked(out, i->label, SHOWN_LABEL);
  buf_add_str(out, ": ");
  verify_add_value(out, i);
  if (i->when.year)
    buf_printf(out, " (%d)", i->when.year);
}

static void verify_people_verdict(struct buf *out, struct slice text, enum claim_verdict verdict,
                                  const char *how) {
  buf_printf(out, "  %-13s ", verify_verdict(verdict));
  verify_masked(out, text, SHOWN_LABEL);
  if (how)
    buf_printf(out, " (%s)", how);
}

static void verify_people_claim(struct buf *out, struct slice answer, const struct claim *c) {
  const struct claim_computation *of = verify_computation(c);
  verify_people_verdict(out, slice_of(answer.data + c->number.start, c->number.end - c->number.start),
                        c->verdict, of ? of->relation : c->how);
  for (size_t i = 0; i < (of ? of->count : c->item != NULL); i++) {
    buf_add_str(out, i ? "; " : ": ");
    verify_people_item(out, of ? of->operands[i] : c->item);
  }
  if (c->against) {
    buf_add_str(out, "; against it: ");
    verify_people_item(out, c->against);
  }
  buf_add_char(out, '\n');
}

static void verify_people_statement(struct buf *out, struct slice answer, const struct claim_statement *c) {
  verify_people_verdict(out, slice_of(answer.data + c->start, c->end - c->start), c->verdict, c->how);
  if (c->near.len) {
    buf_printf(out, ": [%d] ", c->mark);
    verify_masked(out, c->near, SHOWN_LABEL);
  }
  buf_add_char(out, '\n');
}

static void verify_write_people(struct buf *out, const struct verify_case *v) {
  for (size_t i = 0; i < v->cited_count; i++) {
    const struct citation *c = &v->proofs[i];
    buf_printf(out, "  [%d] %s", v->cited[i].mark, citation_word(c->stored));
    if (c->source)
      buf_printf(out, ", source %s", citation_word(c->source));
    if (c->why[0]) {
      buf_add_str(out, ": ");
      buf_add_masked(out, slice_str(c->why));
    }
    buf_add_str(out, "  ");
    verify_masked(out, v->cited[i].url, 100);
    buf_add_char(out, '\n');
  }
  for (size_t i = 0; i < v->claims.count; i++)
    verify_people_claim(out, v->answer, &v->claims.claims[i]);
  for (size_t i = 0; i < v->claims.statement_count; i++)
    verify_people_statement(out, v->answer, &v->claims.statements[i]);
  verify_add_counts(out, v);
  buf_add_char(out, '\n');
}

void verify_write(struct buf *out, const struct verify_case *v, int people) {
  if (people)
    verify_write_people(out, v);
  else
    verify_write_json(out, v);
}
