#include "verify/verify_write.h"

#include "facts/fact_sheet.h"
#include "record/json.h"

#include <ctype.h>
#include <stdio.h>

enum { SHOWN_LABEL = 60 };

const char *verify_verdict(enum claim_verdict v) {
  static const char *const words[] = {"found", "contradicted", "unsupported"};
  return words[v];
}

const struct claim_computation *verify_computation(const struct claim *c) {
  int is = c->verdict == CLAIM_FOUND && c->how && strcmp(c->how, "computed") == 0 && c->computed.count > 1;
  return is ? &c->computed : NULL;
}

size_t verify_count(const struct verify_case *v, enum claim_verdict verdict) {
  size_t n = 0;
  for (size_t i = 0; i < v->claims.count; i++)
    n += v->claims.claims[i].verdict == verdict;
  return n;
}

int verify_is_clean(const struct verify_case *v) {
  for (size_t i = 0; i < v->cited_count; i++)
    if (v->proofs[i].stored > CITATION_PROVED || v->proofs[i].source > CITATION_PROVED)
      return 0;
  return verify_count(v, CLAIM_FOUND) == v->claims.count;
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
  if (item->caption != 1)
    json_double(out, "scale", item->caption);
  if (item->year)
    json_int(out, "year", item->year);
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
  json_key(out, "summary");
  buf_add_char(out, '{');
  json_uint(out, "found", verify_count(v, CLAIM_FOUND));
  json_uint(out, "contradicted", verify_count(v, CLAIM_CONTRADICTED));
  json_uint(out, "unsupported", verify_count(v, CLAIM_UNSUPPORTED));
  json_bool(out, "clean", verify_is_clean(v));
  buf_add_str(out, "}}\n");
}

/* ---- for people ---- */

static void verify_masked(struct buf *out, struct slice s, size_t most) {
  if (s.len <= most) {
    buf_add_masked(out, s);
    return;
  }
  while (most && ((unsigned char)s.data[most] & 0xC0) == 0x80)
    most--;
  buf_add_masked(out, slice_of(s.data, most));
  buf_add_str(out, "...");
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
  buf_add_str(out, item->caption == 1e3   ? " thousand"
                   : item->caption == 1e6 ? " million"
                   : item->caption == 1e9 ? " billion"
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
  if (i->year)
    buf_printf(out, " (%d)", i->year);
}

static void verify_people_claim(struct buf *out, struct slice answer, const struct claim *c) {
  const struct claim_computation *of = verify_computation(c);
  buf_printf(out, "  %-13s ", verify_verdict(c->verdict));
  verify_masked(out, slice_of(answer.data + c->number.start, c->number.end - c->number.start), SHOWN_LABEL);
  if (c->how)
    buf_printf(out, " (%s)", of ? of->relation : c->how);
  for (size_t i = 0; i < (of ? of->count : c->item != NULL); i++) {
    buf_add_str(out, i ? "; " : ": ");
    verify_people_item(out, of ? of->operands[i] : c->item);
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
  buf_printf(out, "%zu number%s: %zu found, %zu contradicted, %zu unsupported\n", v->claims.count,
             v->claims.count == 1 ? "" : "s", verify_count(v, CLAIM_FOUND),
             verify_count(v, CLAIM_CONTRADICTED), verify_count(v, CLAIM_UNSUPPORTED));
}

void verify_write(struct buf *out, const struct verify_case *v, int people) {
  if (people)
    verify_write_people(out, v);
  else
    verify_write_json(out, v);
}
