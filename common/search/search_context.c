/* search_context.c: passages and facts as one prompt-ready block within a number of tokens (--context).
 *
 * Passages are cut at rows and sentences, so that no number loses its column or its sentence. */
#include "facts/fact_sheet.h"
#include "page/block.h"
#include "record/json.h"
#include "record/record.h"
#include "search/search.h"
#include "search/search_passage.h"
#include "text/wordpiece.h"

#include <math.h>
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

/* Tokens of a text; a quarter of its bytes where the searcher has no tokenizer open. */
static size_t search_tokens(struct searcher *s, struct slice text) {
  const struct wordpiece *w = searcher_tokenizer(s);
  return w != NULL ? wordpiece_count(w, text) : (text.len + 3) / 4;
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

/* ---- passages ----
 *
 * The units of all passages compete for the tokens.  The next one has the highest chance to hold the answer over the square root of its
 * tokens, with those of what it needs and, for the first one of a passage, of the passage's place and source.
 */

#define BLOCK_LEAST 32  /* tokens of a passage with its place and source, at least */
#define BLOCK_HEAD 64   /* tokens by which a table's head may be shorter than its rows */
#define BLOCK_PLACE 120 /* bytes of a place; in a longer one, titles are cut */
#define BLOCK_SOURCE 6  /* tokens of "Source: as of [1]" */

/* A passage on its way into the block. */
struct prompt_part {
  const struct rank_place *at;
  struct page_passage passage; /* a copy */
  struct rank_units *units;
  size_t *cost;                 /* tokens of each unit */
  uint8_t *chosen, *more;       /* of its units; with the next one */
  struct buf place, link, text; /* text: of the chosen units */
  size_t frame, tokens;         /* of place and source; of all, 0: it is not in the block */
  float chance, gain;           /* that it answers; of the next unit, 0: there is none */
  size_t next;                  /* the unit to try */
};

struct prompt {
  struct searcher *s;
  struct prompt_part *part; /* of the first hits */
  size_t count, left;       /* left: tokens */
};

/* The first passage in the block that is of the same document as part i; b->count: none. */
static size_t block_first(const struct prompt *b, size_t i) {
  const struct prompt_part *p = b->part;
  size_t k = 0;
  while (k < b->count && (p[k].tokens == 0 || p[k].at->seg != p[i].at->seg || p[k].at->doc != p[i].at->doc))
    k++;
  return k;
}

/* Finds the part's unit with the highest gain. */
static void block_find_next(struct prompt *b, size_t i) {
  struct prompt_part *p = &b->part[i];
  if (p->tokens == 0)
    p->frame = search_tokens(b->s, buf_slice(&p->place)) + BLOCK_SOURCE +
               (block_first(b, i) < b->count ? 0 : search_tokens(b->s, buf_slice(&p->link)));
  p->gain = 0;
  for (size_t n = 0; n < p->units->count; n++) {
    size_t cost = p->cost[n] + (p->tokens ? 1 : p->frame);
    if (p->chosen[n] || !rank_unit_answers(&p->units->list[n]))
      continue;
    for (size_t k = rank_units_above(p->units, n); k < n; k++)
      cost += !p->chosen[k] && rank_units_needs(p->units, n, k) ? p->cost[k] : 0;
    float gain = p->chance * p->units->list[n].chance / sqrtf((float)cost);
    if (gain > p->gain && cost <= b->left + BLOCK_HEAD) {
      p->gain = gain;
      p->next = n;
    }
  }
}

/* Gives the part the units of p->more, where all is within the tokens then. */
static void block_take(struct prompt *b, struct prompt_part *p) {
  struct buf text;
  buf_init(&text, RECORD_MAX);
  search_add_excerpt(p->units, p->passage, p->more, &text);
  size_t tokens = p->frame + search_tokens(b->s, buf_slice(&text));
  if (tokens <= b->left + p->tokens) {
    b->left = b->left + p->tokens - tokens;
    p->tokens = tokens;
    memcpy(p->chosen, p->more, p->units->count);
    buf_clear(&p->text);
    buf_add_slice(&p->text, buf_slice(&text));
  }
  buf_release(&text);
}

/* The part whose next unit has the highest gain; b->count: none has one. */
static size_t block_best(const struct prompt *b) {
  size_t best = b->count;
  for (size_t i = 0; i < b->count; i++)
    if (b->part[i].gain > (best < b->count ? b->part[best].gain : 0))
      best = i;
  return best;
}

/* Takes units by their gain, then the rest of a passage where that fits. */
static void block_fill(struct prompt *b) {
  for (size_t i = 0; i < b->count; i++)
    block_find_next(b, i);
  for (size_t best; (best = block_best(b)) < b->count;) {
    struct prompt_part *p = &b->part[best];
    size_t before = p->tokens;
    memcpy(p->more, p->chosen, p->units->count);
    search_unit_add(p->units, p->next, p->more);
    p->units->list[p->next].chance = 0; /* it is tried once */
    block_take(b, p);
    for (size_t i = 0; i < b->count; i++)
      if (i == best || (before == 0 && p->tokens > 0))
        block_find_next(b, i);
  }
  for (size_t i = 0; i < b->count; i++) {
    memset(b->part[i].more, 1, b->part[i].units->count);
    if (b->part[i].tokens > 0)
      block_take(b, &b->part[i]);
  }
}

static struct slice block_copy(struct slice text) {
  return slice_of(xstrndup(text.len ? text.data : "", text.len), text.len);
}

static int block_open(struct prompt *b, const struct search_answer *a, struct error_text *e) {
  const struct search_passage *of = searcher_passage(b->s);
  struct prompt_part *p = &b->part[b->count];
  struct rank_hit *hit = &a->result.hits[b->count];
  struct buf scratch;
  if (searcher_load(b->s, &hit->at, searcher_passage(b->s), e) != 0)
    return -1;
  p->at = &hit->at;
  p->chance = search_hit_chance(a, b->count++);
  p->passage = (struct page_passage){block_copy(of->text.text), block_copy(of->text.context)};
  p->units = rank_units_new();
  search_find_units(b->s, p->units, hit, p->passage.text);
  p->cost = xcalloc(p->units->count + 1, sizeof *p->cost);
  p->chosen = xcalloc(2 * p->units->count + 1, 1);
  p->more = p->chosen + p->units->count;
  for (size_t n = 0; n < p->units->count; n++) {
    struct rank_span at = p->units->list[n].at;
    p->cost[n] = search_tokens(b->s, slice_of(p->passage.text.data + at.start, at.end - at.start));
  }
  buf_init(&p->place, 1 << 20);
  buf_init(&p->link, 1 << 20);
  buf_init(&p->text, RECORD_MAX);
  buf_init(&scratch, 1 << 20);
  buf_printf(&p->place, "[%zu] ", b->count);
  struct slice place = page_place(p->passage.context);
  if (place.len > 0) /* a table that goes on has its groups there */
    page_place_add(&p->place, place, *p->passage.text.data == '|' ? place.len : BLOCK_PLACE);
  else
    buf_add_str(&p->place,
                search_collection_name(searcher_shared(b->s), p->at->seg->doc[p->at->doc].collection));
  search_pages_add(&p->place, " (", of->text.chunk, ")");
  buf_add_slice(&p->link, json_text(json_get(buf_slice(&of->document), "sourceUrl"), &scratch));
  buf_release(&scratch);
  return 0;
}

static void block_add_passages(struct searcher *s, const struct search_answer *a, size_t tokens,
                               struct buf *out, struct error_text *e) {
  struct prompt b = {.s = s, .part = xcalloc(a->result.count + 1, sizeof *b.part), .left = tokens};
  while (b.count < a->result.count && b.count < tokens / BLOCK_LEAST + 1 && block_open(&b, a, e) == 0)
    ;
  block_fill(&b);
  for (size_t i = 0; i < b.count; i++) {
    struct prompt_part *p = &b.part[i];
    size_t first = block_first(&b, i);
    if (p->tokens > 0) {
      buf_add_slice(out, buf_slice(&p->place));
      buf_add_char(out, '\n');
      buf_add_slice(out, buf_slice(&p->text));
      buf_add_str(out, "\nSource: ");
      if (first < i)
        buf_printf(out, "as of [%zu]", first + 1);
      else
        buf_add_slice(out, buf_slice(&p->link));
      buf_add_str(out, "\n\n");
    }
  }
  for (size_t i = 0; i < b.count; i++) {
    struct prompt_part *p = &b.part[i];
    free((char *)p->passage.text.data);
    free((char *)p->passage.context.data);
    buf_release(&p->place);
    buf_release(&p->link);
    buf_release(&p->text);
    rank_units_free(p->units);
    free(p->cost);
    free(p->chosen);
  }
  free(b.part);
}

void search_add_block(struct searcher *s, const struct search_answer *a, const struct edgar *g, size_t tokens,
                      struct buf *out, struct error_text *e) {
  size_t used = g ? block_add_facts(s, edgar_facts(g), tokens / 2, out) : 0;
  if (a)
    block_add_passages(s, a, tokens - used, out, e);
  while (out->len > 0 && out->data[out->len - 1] == '\n')
    out->len--;
}
