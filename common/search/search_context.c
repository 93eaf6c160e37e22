/* search_context.c: passages and facts as one prompt-ready block within a number of tokens (--context).
 *
 * A passage is cut at rows and sentences, so that no number loses its column or its sentence. */
#include "facts/fact_sheet.h"
#include "page/block.h"
#include "record/json.h"
#include "record/record.h"
#include "search/search.h"
#include "search/search_passage.h"
#include "text/wordpiece.h"

#include <stdlib.h>

/* ---- facts ---- */

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

/* ---- cutting a passage ---- */

/* Tokens of a text; a quarter of its bytes where the searcher has no tokenizer open. */
static size_t search_tokens(struct searcher *s, struct slice text) {
  const struct wordpiece *w = searcher_tokenizer(s);
  return w != NULL ? wordpiece_count(w, text) : (text.len + 3) / 4;
}

/* A passage's units as they would be written. */
struct cut {
  struct searcher *s;
  const struct rank_units *units;
  struct page_passage passage;
  size_t tokens, start; /* start: of the passage in *out */
  struct buf *out;
};

/* Writes the chosen units; whether they take the tokens at most. */
static int cut_fits(struct cut *c, const uint8_t *chosen) {
  c->out->len = c->start;
  search_add_excerpt(c->units, c->passage, chosen, c->out);
  return search_tokens(c->s, slice_of(c->out->data + c->start, c->out->len - c->start)) <= c->tokens;
}

static enum search_try cut_judge(void *arg, const uint8_t *chosen, float chance) {
  (void)chance;
  return cut_fits(arg, chosen) ? SEARCH_TAKE : SEARCH_SKIP;
}

/* Appends the hit's passage, or its units that most likely answer, within `tokens`.  Returns the tokens used; 0 where not even
 * one unit fits. */
static size_t add_passage_text(struct searcher *s, const struct rank_hit *h, size_t tokens, struct buf *out) {
  const struct store_text *t = &searcher_passage(s)->text;
  const struct rank_units *u = search_units(s, h, t->text);
  struct cut c = {s, u, {t->text, t->context}, tokens, out->len, out};
  uint8_t *chosen = xcalloc(u->count + 1, 1);
  memset(chosen, 1, u->count);
  if (!cut_fits(&c, chosen)) {
    memset(chosen, 0, u->count);
    search_choose_units(u, cut_judge, &c, chosen);
    if (!cut_fits(&c, chosen)) /* its shortest part is too long */
      out->len = c.start;
  }
  free(chosen);
  return search_tokens(s, slice_of(out->data + c.start, out->len - c.start));
}

/* ---- the block ---- */

#define LEAST_SHARE 0.1F /* beside its chance, of each passage */
#define SHARE_TOKENS 200 /* below which a passage with its place and source says little */

static void block_head(struct searcher *s, const struct search_answer *a, size_t i, struct buf *out) {
  const struct search_passage *p = searcher_passage(s);
  const struct rank_hit *h = &a->result.hits[i];
  buf_printf(out, "[%zu] ", i + 1);
  if (p->text.context.len > 0) /* the head of a table that goes on is in the text */
    buf_add_slice(out, page_place(p->text.context));
  else
    buf_add_str(out, search_collection_name(searcher_shared(s), h->at.seg->doc[h->at.doc].collection));
  search_pages_add(out, " (", p->text.chunk, ")");
  buf_add_char(out, '\n');
}

/* first: the first passage in the block of the same document, where there is one before this; else 0. */
static void block_source(struct searcher *s, size_t first, struct buf *out) {
  struct buf scratch;
  buf_init(&scratch, 1 << 20);
  buf_add_str(out, "\nSource: ");
  if (first > 0)
    buf_printf(out, "as of [%zu]", first);
  else
    buf_add_slice(out, json_text(json_get(buf_slice(&searcher_passage(s)->document), "sourceUrl"), &scratch));
  buf_add_str(out, "\n\n");
  buf_release(&scratch);
}

/* The number of the first hit before hit i that is in the block and of its document; 0: none. */
static size_t block_first(const struct search_answer *a, size_t i, const uint8_t *in) {
  const struct rank_place *at = &a->result.hits[i].at;
  for (size_t k = 0; k < i; k++)
    if (in[k] && a->result.hits[k].at.seg == at->seg && a->result.hits[k].at.doc == at->doc)
      return k + 1;
  return 0;
}

/* A figure as a line, with its filing's link behind it. */
static void block_fact(struct slice fact, struct buf *line) {
  struct buf scratch;
  buf_init(&scratch, 1 << 16);
  search_add_fact(fact, line);
  struct slice href = json_text(json_get(fact, "href"), &scratch);
  if (href.len)
    buf_printf(line, ", %.*s", (int)href.len, href.data);
  buf_add_char(line, '\n');
  buf_release(&scratch);
}

static size_t block_add_facts(struct searcher *s, struct slice facts, size_t tokens, struct buf *out) {
  struct json_cursor c = {0};
  struct slice fact;
  struct buf list, line;
  size_t used = 0, one;
  buf_init(&list, RECORD_MAX);
  buf_init(&line, 1 << 20);
  buf_printf(&list, "[%.*s]", (int)facts.len, facts.len ? facts.data : "");
  while (json_next_element(buf_slice(&list), &c, &fact)) {
    buf_clear(&line);
    if (!used)
      buf_add_str(&line, "Reported figures (XBRL):\n");
    block_fact(fact, &line);
    if ((one = search_tokens(s, buf_slice(&line))) > tokens - used)
      break;
    buf_add_slice(out, buf_slice(&line));
    used += one;
  }
  if (used)
    buf_add_char(out, '\n');
  buf_release(&list);
  buf_release(&line);
  return used;
}

/* The tokens for hit i of those that are left: by the chance that it answers, so that the first passages don't take all. */
static size_t block_share(const struct search_answer *a, size_t i, size_t left) {
  float own = a->result.hits[i].score + LEAST_SHARE, all = 0;
  for (size_t k = i; k < a->result.count && (k == i || (k - i + 1) * SHARE_TOKENS <= left); k++)
    all += a->result.hits[k].score + LEAST_SHARE;
  return (size_t)((float)left * own / all);
}

static void block_add_passages(struct searcher *s, const struct search_answer *a, size_t tokens,
                               struct buf *out, struct error_text *e) {
  uint8_t *in = xcalloc(a->result.count + 1, 1); /* whether a hit is in the block */
  size_t used = 0;
  for (size_t i = 0; i < a->result.count && used < tokens; i++) {
    struct buf head, tail;
    if (searcher_load(s, &a->result.hits[i].at, searcher_passage(s), e) != 0)
      break;
    buf_init(&head, 1 << 20);
    buf_init(&tail, 1 << 20);
    block_head(s, a, i, &head);
    block_source(s, block_first(a, i, in), &tail);
    size_t frame = search_tokens(s, buf_slice(&head)) + search_tokens(s, buf_slice(&tail));
    size_t had = out->len, share = block_share(a, i, tokens - used), text = 0;
    buf_add_slice(out, buf_slice(&head));
    if (share > frame)
      text = add_passage_text(s, &a->result.hits[i], share - frame, out);
    if (text == 0 && i == 0 && tokens > used + frame) /* the first is worth all tokens */
      text = add_passage_text(s, &a->result.hits[i], tokens - used - frame, out);
    buf_add_slice(out, buf_slice(&tail));
    in[i] = text > 0;
    if (text > 0)
      used += frame + text;
    else
      out->len = had;
    buf_release(&head);
    buf_release(&tail);
  }
  free(in);
}

void search_add_block(struct searcher *s, const struct search_answer *a, const struct edgar *g, size_t tokens,
                      struct buf *out, struct error_text *e) {
  size_t used = g ? block_add_facts(s, edgar_facts(g), tokens / 2, out) : 0;
  if (a)
    block_add_passages(s, a, tokens - used, out, e);
  while (out->len > 0 && out->data[out->len - 1] == '\n')
    out->len--;
}
