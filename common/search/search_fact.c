/* search_fact.c: a reported figure as a line, for people and for a prompt. */
#include "facts/fact_sheet.h"
#include "record/json.h"
#include "search/search.h"

/* A member's text after a word, if there is one. */
static void fact_part(struct buf *out, const char *before, struct slice fact, const char *name) {
  struct buf scratch;
  buf_init(&scratch, 1 << 16);
  struct slice text = json_text(json_get(fact, name), &scratch);
  if (text.len)
    buf_printf(out, "%s%.*s", before, (int)text.len, text.data);
  buf_release(&scratch);
}

/* A fact's value, a ratio in percent as bid-facts prints it. */
static void fact_value(struct slice fact, struct buf *out) {
  static const char ratio[] = " ratio\"";
  struct slice label = json_get(fact, "label"), value = json_get(fact, "value");
  struct buf unit;
  size_t n = sizeof ratio - 1;
  int multiple = label.len > n && memcmp(label.data + label.len - n, ratio, n) == 0;
  buf_init(&unit, 1 << 16);
  if (slice_is(json_get(fact, "unit"), "\"pure\"") && !multiple)
    buf_printf(out, "%.1f %%", 100 * json_to_double(value, 0));
  else
    fact_amount_add(out, value, json_text(json_get(fact, "unit"), &unit));
  buf_release(&unit);
}

/* A value per share from before a stock split, and its equivalent in today's shares. */
static void fact_add_split(struct slice fact, struct buf *out) {
  double factor = json_to_double(json_get(fact, "splitFactor"), 1),
         value = json_to_double(json_get(fact, "value"), 0);
  if (factor > 0 && factor != 1)
    buf_printf(out, ", as filed before a later stock split; %.10g after it (%g for 1)", value / factor,
               factor > 1 ? factor : 1 / factor);
}

void search_add_fact(struct slice fact, struct buf *out) {
  fact_part(out, "", fact, "company");
  fact_part(out, ": ", fact, "label");
  fact_part(out, ", ", fact, "fiscalPeriod");
  if (json_to_int(json_get(fact, "fiscalYear"), 0) > 0)
    buf_printf(out, " %lld", json_to_int(json_get(fact, "fiscalYear"), 0));
  fact_part(out, " (", fact, json_get(fact, "start").data ? "start" : "end");
  if (json_get(fact, "start").data)
    fact_part(out, " to ", fact, "end");
  buf_add_str(out, "): ");
  fact_value(fact, out);
  if (json_kind(json_get(fact, "kind")) == '"' && !slice_is(json_get(fact, "kind"), "\"reported\""))
    fact_part(out, ", ", fact, "kind");
  fact_add_split(fact, out);
  fact_part(out, "; ", fact, "form");
  fact_part(out, " filed ", fact, "filingDate");
  fact_part(out, ", ", fact, "accessionNumber");
}
