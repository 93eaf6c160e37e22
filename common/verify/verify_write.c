/* verify_write.c: verdicts on an answer as records, as text and as a part of a page. */
#include "verify/verify.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "facts/fact_sheet.h"
#include "page/html_page.h"
#include "record/json.h"
#include "verify/passage_place.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  SHOWN_LABEL = 60,
  PAGE_LABEL = 120,
  WRITE_MAX = 1 << 20
}; /* bytes of a label that are displayed; of a cell */

static const char *const verdicts[] = {"found", "contradicted", "unsupported", "unsure"};

/* ---- what all forms need ---- */

/* How many numbers have this verdict, or sentences without numbers. */
static size_t verify_count(const struct verify_case *v, int statement, enum claim_verdict verdict) {
  size_t n = 0;
  for (size_t i = 0; i < v->claims.count; i++)
    n += v->claims.claims[i].verdict == verdict && v->claims.claims[i].statement == statement;
  return n;
}

static size_t verify_count_all(const struct verify_case *v, enum claim_verdict verdict) {
  return verify_count(v, 0, verdict) + verify_count(v, 1, verdict);
}

int verify_has_mark(const struct verify_case *v, int mark) {
  for (size_t i = 0; i < v->cited_count; i++)
    if (v->cited[i].mark == mark)
      return 1;
  return 0;
}

int verify_is_clean(const struct verify_case *v) {
  for (size_t i = 0; i < v->cited_count; i++)
    if (v->cited[i].stored > CITATION_PROVED || v->cited[i].source > CITATION_PROVED)
      return 0;
  return verify_count(v, 0, CLAIM_FOUND) + verify_count(v, 1, CLAIM_FOUND) +
             verify_count(v, 1, CLAIM_UNSURE) ==
         v->claims.count; /* of an unsure sentence nothing is known */
}

/* The figures from which a number was computed, or NULL. */
static const struct claim_computation *verify_computation(const struct claim *c) {
  int is = c->how && strcmp(c->how, "computed") == 0 && c->computed.count > 1;
  return is ? &c->computed : NULL;
}

static struct slice verify_text(const struct verify_case *v, const struct claim *c) {
  return slice_of(v->answer.data + c->number.start, c->number.end - c->number.start);
}

/* ---- records ---- */

static void verify_json_citation(struct buf *out, const struct cited *c) {
  buf_add_char(out, '{');
  json_int(out, "mark", c->mark);
  if (c->id.len)
    json_str(out, "id", c->id);
  if (c->url.len)
    json_str(out, "sourceUrl", c->url);
  json_cstr(out, "stored", citation_word(c->stored));
  if (c->source)
    json_cstr(out, "source", citation_word(c->source));
  if (c->sha256[0])
    json_cstr(out, "sha256", c->sha256);
  if (c->start >= 0) {
    json_int(out, "start", c->start);
    json_int(out, "end", c->end);
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
static void verify_json_evidence(struct buf *out, const char *key, const struct evidence_item *item,
                                 const struct claim_computation *of) {
  json_key(out, key);
  buf_add_char(out, '{');
  verify_json_item(out, item);
  if (of) {
    json_cstr(out, "relation", of->relation);
    json_key(out, "of");
    for (size_t i = 0; i < of->count; i++) {
      buf_add_str(out, i ? ",{" : "[{");
      verify_json_item(out, of->operands[i]);
      buf_add_char(out, '}');
    }
    buf_add_char(out, ']');
  }
  buf_add_char(out, '}');
}

static void verify_json_claim(struct buf *out, struct slice text, const struct claim *c) {
  buf_add_str(out, out->data[out->len - 1] == '[' ? "{" : ",{");
  json_str(out, "text", text);
  json_uint(out, "start", c->number.start);
  json_uint(out, "end", c->number.end);
  if (!c->statement)
    json_double(out, "value", c->number.value);
  if (c->number.percent)
    json_bool(out, "percent", 1);
  json_cstr(out, "verdict", verdicts[c->verdict]);
  if (c->how)
    json_cstr(out, "how", c->how);
  if (c->item)
    verify_json_evidence(out, "evidence", c->item, verify_computation(c));
  if (c->against)
    verify_json_evidence(out, "against", c->against, NULL);
  if (c->near.len) {
    json_int(out, "mark", c->mark);
    json_str(out, "nearest", c->near);
  }
  buf_add_char(out, '}');
}

static void verify_json_claims(struct buf *out, const char *key, const struct verify_case *v, int statement) {
  json_key(out, key);
  buf_add_char(out, '[');
  for (const struct claim *c = v->claims.claims; c < v->claims.claims + v->claims.count; c++)
    if (c->statement == statement)
      verify_json_claim(out, verify_text(v, c), c);
  buf_add_char(out, ']');
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
    verify_json_citation(out, &v->cited[i]);
  }
  buf_add_char(out, ']');
  verify_json_claims(out, "numbers", v, 0);
  verify_json_claims(out, "statements", v, 1);
  json_key(out, "summary");
  buf_add_char(out, '{');
  for (enum claim_verdict k = CLAIM_FOUND; k <= CLAIM_UNSURE; k++)
    json_uint(out, verdicts[k], verify_count_all(v, k));
  json_bool(out, "clean", verify_is_clean(v));
  buf_add_str(out, "}}\n");
}

/* ---- for people: text, and what of it the page has ---- */

/* Truncates a text to at most `most` bytes of whole characters. */
static void verify_masked(struct buf *out, struct slice s, size_t most) {
  buf_add_masked(out, slice_of(s.data, s.len > most ? utf8_floor(s.data, most) : s.len));
  buf_add_str(out, s.len > most ? "..." : "");
}

/* "3 numbers, 1 statement: 2 found, ...". */
static void verify_add_counts(struct buf *out, const struct verify_case *v) {
  static const char *const of[] = {"number", "statement"};
  for (int statement = 0; statement < 2; statement++) {
    size_t count = 0;
    for (size_t i = 0; i < v->claims.count; i++)
      count += v->claims.claims[i].statement == statement;
    if (count || !statement)
      buf_printf(out, "%s%zu %s%s", statement ? ", " : "", count, of[statement], count == 1 ? "" : "s");
  }
  for (enum claim_verdict k = CLAIM_FOUND; k <= CLAIM_UNSURE; k++)
    buf_printf(out, "%s%zu %s", k ? ", " : ": ", verify_count_all(v, k), verdicts[k]);
}

/* Appends an item's value: as its passage prints it, or "416,161 million" of a fact. */
static void verify_add_value(struct buf *out, const struct evidence_item *item) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.15g", item->value);
  if (item->printed.len)
    buf_add_masked(out, item->printed);
  else
    fact_amount_add(out, slice_str(digits), slice_of(NULL, 0));
  if (item->percent && !memchr(item->printed.data ? item->printed.data : "", '%', item->printed.len) &&
      (item->in_table || !item->printed.len))
    buf_add_char(out, '%');
  buf_add_str(out, item->scale.caption == 1e3   ? " thousand"
                   : item->scale.caption == 1e6 ? " million"
                   : item->scale.caption == 1e9 ? " billion"
                                                : "");
}

static void verify_add_item(struct buf *out, const struct evidence_item *i, size_t most) {
  if (i->mark)
    buf_printf(out, "[%d] ", i->mark);
  else
    buf_printf(out, "fact %.*s%s", (int)i->accession.len, i->accession.data ? i->accession.data : "",
               i->accession.len ? " " : "");
  verify_masked(out, i->label, most);
  buf_add_str(out, ": ");
  verify_add_value(out, i);
  if (i->when.year)
    buf_printf(out, " (%d)", i->when.year);
}

/* Appends what a verdict rests on: "[1] Rafts: 190 million (2025); [1] Rafts: $120 million (2024)". */
static void verify_add_grounds(struct buf *out, const struct claim *c, size_t most) {
  const struct claim_computation *of = verify_computation(c);
  for (size_t i = 0; i < (of ? of->count : c->item != NULL); i++) {
    buf_add_str(out, i ? "; " : "");
    verify_add_item(out, of ? of->operands[i] : c->item, most);
  }
  if (c->against) {
    buf_add_str(out, "; against it: ");
    verify_add_item(out, c->against, most);
  }
  if (c->near.len) {
    buf_printf(out, "[%d] ", c->mark);
    verify_masked(out, c->near, most);
  }
}

static void verify_write_people(struct buf *out, const struct verify_case *v) {
  for (const struct cited *c = v->cited; c < v->cited + v->cited_count; c++) {
    buf_printf(out, "  [%d] %s", c->mark, citation_word(c->stored));
    if (c->source)
      buf_printf(out, ", source %s", citation_word(c->source));
    buf_add_str(out, c->why[0] ? ": " : "");
    buf_add_masked(out, slice_str(c->why));
    buf_add_str(out, "  ");
    verify_masked(out, c->url, PAGE_LABEL);
    buf_add_char(out, '\n');
  }
  for (const struct claim *c = v->claims.claims; c < v->claims.claims + v->claims.count; c++) {
    const char *how = verify_computation(c) ? c->computed.relation : c->how;
    buf_printf(out, "  %-13s ", verdicts[c->verdict]);
    verify_masked(out, verify_text(v, c), SHOWN_LABEL);
    if (how)
      buf_printf(out, " (%s)", how);
    buf_add_str(out, c->item || c->against || c->near.len ? ": " : "");
    verify_add_grounds(out, c, SHOWN_LABEL);
    buf_add_char(out, '\n');
  }
  verify_add_counts(out, v);
  buf_add_char(out, '\n');
}

void verify_write(struct buf *out, const struct verify_case *v, int people) {
  if (people)
    verify_write_people(out, v);
  else
    verify_write_json(out, v);
}

/* ---- the page ---- */

/* A text in which the marks of citations that the answer has, "[1]", lead to them. */
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
    if (c->statement || c->number.start < at)
      continue;
    verify_page_marks(out, v, slice_of(v->answer.data + at, c->number.start - at));
    buf_printf(out, "<a class=\"%s\" href=\"#number%zu-%zu\" title=\"%s\">", verdicts[c->verdict], v->number,
               i + 1, verdicts[c->verdict]);
    html_page_text(out, verify_text(v, c));
    buf_printf(out, "<sup>%s</sup></a>", signs[c->verdict]);
    at = c->number.end;
  }
  verify_page_marks(out, v, slice_of(v->answer.data + at, v->answer.len - at));
  buf_add_str(out, "</p>\n");
}

static void verify_page_claims(struct buf *out, const struct verify_case *v) {
  html_page_table_open(out, "Numbers and statements of the answer");
  buf_add_str(out, "<thead><tr><th scope=\"col\">number</th><th scope=\"col\">verdict</th><th scope=\"col\">"
                   "evidence</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < v->claims.count; i++) {
    const struct claim *c = &v->claims.claims[i];
    struct buf grounds;
    buf_init(&grounds, WRITE_MAX);
    buf_printf(out, "<tr id=\"number%zu-%zu\"><th scope=\"row\">", v->number, i + 1);
    html_page_text(out, verify_text(v, c));
    buf_printf(out, "</th><td class=\"%s\">%s%s%s</td><td>", verdicts[c->verdict], verdicts[c->verdict],
               c->how ? ": " : "", c->how ? c->how : "");
    verify_add_grounds(&grounds, c, PAGE_LABEL);
    verify_page_marks(out, v, buf_slice(&grounds));
    buf_add_str(out, "</td></tr>\n");
    buf_release(&grounds);
  }
  buf_add_str(out, "</tbody>");
  html_page_table_close(out);
}

/* The ranges of a cited text that support numbers of the answer; to be freed. */
static size_t (*verify_page_spans(const struct verify_case *v, const struct cited *c, size_t *count))[2] {
  size_t(*spans)[2] = xcalloc(v->evidence.count + 1, sizeof *spans), last = 0;
  const struct evidence_item *item = v->evidence.items;
  *count = 0;
  for (; item < v->evidence.items + v->evidence.count; item++) {
    size_t at = (size_t)(item->printed.data - c->text.data), i = 0;
    while (i < v->claims.count && v->claims.claims[i].item != item)
      i++;
    if (i == v->claims.count || item->mark != c->mark || !item->printed.len || at < last || at >= c->text.len)
      continue;
    spans[*count][0] = at;
    spans[(*count)++][1] = last = at + item->printed.len;
  }
  return spans;
}

/* Shows the passage in its item, where the store still has it. */
static void verify_page_place(struct buf *out, const struct cited *c, const struct store_snapshot *snap,
                              struct page_marks marks) {
  const struct store_segment *seg;
  struct error_text e;
  struct store_text t;
  uint32_t row;
  store_text_init(&t);
  if (snap && citation_find(snap, c->id, &seg, &row, &t, &e) == STORE_OK && slice_eq(t.text, c->text)) {
    marks.base = t.text.data;
    passage_place_add(out, snap, seg, row, &t, &marks);
  }
  store_text_release(&t);
}

static void verify_page_state(struct buf *out, const struct cited *c) {
  static const char *const states[] = {[CITATION_UNCHECKED] = "not looked up: there is no store",
                                       [CITATION_PROVED] =
                                           "the store has it, the same text at the same place",
                                       [CITATION_CHANGED] = "the store has something else",
                                       [CITATION_ABSENT] = "not in the store"};
  static const char *const classes[] = {"unsupported", "found"};
  buf_printf(out, "<p><span class=\"%s\">%s</span>", classes[c->stored == CITATION_PROVED],
             states[c->stored]);
  if (c->source)
    buf_printf(out, "; its source, fetched again: <span class=\"%s\">%s</span>",
               classes[c->source == CITATION_PROVED], citation_word(c->source));
  buf_add_str(out, c->why[0] ? "; " : "");
  html_page_cstr(out, c->why);
  buf_add_str(out, "</p>\n");
}

static void verify_page_citation(struct buf *out, const struct verify_case *v, const struct cited *c,
                                 const struct store_snapshot *snap) {
  struct page_marks marks = {.base = c->text.data};
  size_t(*spans)[2] = verify_page_spans(v, c, &marks.count);
  marks.span = (const size_t(*)[2])spans;
  buf_printf(out, "<section id=\"cited%zu-%d\">\n<h3>[%d] ", v->number, c->mark, c->mark);
  if (c->context.len)
    html_page_place(out, page_place(c->context));
  else
    html_page_text(out, c->accession);
  buf_add_str(out, "</h3>\n<p class=\"soft\">Source: ");
  html_page_link(out, c->url, c->url);
  if (c->start >= 0)
    buf_printf(out, ", bytes %lld to %lld of its text", c->start, c->end);
  if (c->sha256[0])
    buf_printf(out, "; sha256 %s", c->sha256);
  buf_add_str(out, "</p>\n");
  verify_page_state(out, c);
  buf_add_str(out, "<div class=\"passage\">\n");
  html_page_passage(out, (struct page_passage){c->text, c->context}, &marks);
  buf_add_str(out, "</div>\n");
  verify_page_place(out, c, snap, marks);
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
  if (v->claims.count)
    verify_page_claims(out, v);
  for (size_t i = 0; i < v->cited_count; i++)
    verify_page_citation(out, v, &v->cited[i], snap);
  buf_add_str(out, "</article>\n");
}
