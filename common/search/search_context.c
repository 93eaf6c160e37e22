/* search_context.c: passages and facts as one prompt-ready block within a number of tokens (--context).
 *
 * A passage is cut at rows and sentences, so that no number loses its column or its sentence. */
#include "facts/fact_sheet.h"
#include "record/json.h"
#include "record/record.h"
#include "search/search.h"
#include "search/search_passage.h"
#include "text/sentence.h"
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

#define MARK "\xe2\x80\xa6" /* … */
#define MARK_TOKENS 1

/* A row, sentence or heading, with the blanks behind it. */
struct cut_unit {
  struct slice text;
  size_t tokens;
  size_t head; /* first unit of the row's table; for others, itself */
  double score;
  int row, heads, chosen, refused; /* heads: a row of the table's head */
};

struct cut {
  struct searcher *s;
  const struct query *q;
  struct cut_unit *units;
  size_t count, left; /* left: tokens not yet used */
};

/* Tokens of a text; a quarter of its bytes where the searcher has no tokenizer open. */
static size_t search_tokens(struct searcher *s, struct slice text) {
  const struct wordpiece *w = searcher_tokenizer(s);
  return w != NULL ? wordpiece_count(w, text) : (text.len + 3) / 4;
}

struct cut_scan {
  const struct query *q;
  uint8_t seen[QUERY_TERMS];
  double score;
};

static void score_term(void *arg, const struct term *t) {
  struct cut_scan *scan = arg;
  for (size_t i = 0; i < scan->q->term_count; i++)
    if (!scan->seen[i] && terms_hash(scan->q->terms[i].text) == t->hash) {
      scan->seen[i] = 1;
      scan->score += (double)scan->q->terms[i].weight;
    }
}

static int is_head_rule(struct slice row) {
  for (size_t i = 0; i < row.len; i++)
    if (!strchr("|-: \n", row.data[i]))
      return 0;
  return 1;
}

/* Adds a unit; a row is of the table of the row before it. */
static void add_unit(struct cut *c, struct slice text) {
  struct cut_scan scan = {.q = c->q};
  c->units = xreallocarray(c->units, c->count + 1, sizeof *c->units);
  struct cut_unit *u = &c->units[c->count], *before = c->count ? u - 1 : NULL;
  *u = (struct cut_unit){.text = text, .row = text.data[0] == '|', .head = c->count};
  if (u->row && before && before->row)
    u->head = before->head;
  u->heads = u->head == c->count;
  if (u->row && is_head_rule(text)) /* all rows above it are the head */
    for (size_t i = u->head; i <= c->count; i++)
      c->units[i].heads = 1;
  u->tokens = search_tokens(c->s, text) + MARK_TOKENS;
  terms_scan(searcher_terms(c->s), text, 0, score_term, &scan);
  u->score = scan.score;
  c->count++;
}

static void split_units(struct cut *c, struct slice text) {
  while (text.len > 0) {
    const char *end = memchr(text.data, '\n', text.len);
    size_t line = end ? (size_t)(end - text.data) : text.len;
    size_t n = text.data[0] == '|' ? line : sentence_end(slice_of(text.data, line));
    while (n < text.len && (text.data[n] == '\n' || text.data[n] == ' '))
      n++;
    add_unit(c, slice_of(text.data, n));
    text = slice_of(text.data + n, text.len - n);
  }
}

/* Chooses a unit and, for a row, the head of its table, if they fit. */
static void choose_unit(struct cut *c, size_t i) {
  size_t cost = c->units[i].chosen ? 0 : c->units[i].tokens;
  for (size_t h = c->units[i].head; h < i && c->units[h].heads; h++)
    cost += c->units[h].chosen ? 0 : c->units[h].tokens;
  c->units[i].refused = cost > c->left;
  if (c->units[i].refused)
    return;
  c->left -= cost;
  c->units[i].chosen = 1;
  for (size_t h = c->units[i].head; h < i && c->units[h].heads; h++)
    c->units[h].chosen = 1;
}

static void choose_units(struct cut *c) {
  for (;;) {
    size_t best = c->count;
    for (size_t i = 0; i < c->count; i++)
      if (!c->units[i].chosen && !c->units[i].refused && c->units[i].score > 0 &&
          (best == c->count || c->units[i].score > c->units[best].score))
        best = i;
    if (best == c->count)
      break;
    choose_unit(c, best);
  }
  for (size_t i = 0; i < c->count && !c->units[i].refused; i++)
    choose_unit(c, i);
}

static int ends_line(const struct buf *out) {
  return out->len == 0 || out->data[out->len - 1] == '\n';
}

/* Appends whole rows and sentences of the text, in order and within `tokens`: first those with the question's terms,
 * rows with the head of their table, then others from the start.  "…" stands for what is left out.  Returns the
 * tokens used; 0 where not even one fits. */
static size_t search_cut(struct searcher *s, const struct query *q, struct slice text, size_t tokens,
                         struct buf *out) {
  struct cut c = {.s = s, .q = q, .left = tokens > MARK_TOKENS ? tokens - MARK_TOKENS : 0};
  size_t start = out->len, chosen = 0;
  split_units(&c, text);
  choose_units(&c);
  for (size_t i = 0; i < c.count; i++) {
    const struct cut_unit *u = &c.units[i];
    chosen += (size_t)u->chosen;
    if (u->chosen)
      buf_add_slice(out, u->text);
    else if (i == 0 || c.units[i - 1].chosen)
      buf_add_str(out, ends_line(out) || u->row ? MARK "\n" : MARK " ");
  }
  free(c.units);
  if (chosen == 0)
    out->len = start;
  while (out->len > start && (out->data[out->len - 1] == '\n' || out->data[out->len - 1] == ' '))
    out->len--;
  return chosen ? search_tokens(s, slice_of(out->data + start, out->len - start)) : 0;
}

/* ---- the block ---- */

/* The start of a text of which not even one sentence fits, cut at a blank; returns its tokens. */
static size_t add_start(struct searcher *s, struct slice text, size_t tokens, struct buf *out) {
  while (text.len > 0 && search_tokens(s, text) + 1 > tokens) {
    size_t n = text.len - text.len / 8 - 1;
    while (n > 0 && text.data[n] != ' ' && text.data[n] != '\n')
      n--;
    text.len = n;
  }
  if (text.len == 0)
    return 0;
  buf_add_slice(out, text);
  buf_add_str(out, " \xe2\x80\xa6");
  return search_tokens(s, text) + 1;
}

static void block_head(struct searcher *s, const struct search_answer *a, size_t i, struct buf *out) {
  const struct search_passage *p = searcher_passage(s);
  const struct rank_hit *h = &a->result.hits[i];
  buf_printf(out, "[%zu] ", i + 1);
  if (p->text.context.len > 0)
    buf_add_slice(out, p->text.context);
  else
    buf_add_str(out, search_collection_name(searcher_shared(s), h->at.seg->doc[h->at.doc].collection));
  search_pages_add(out, " (", p->text.chunk, ")");
  buf_add_char(out, '\n');
}

static void block_source(struct searcher *s, struct buf *out) {
  struct buf scratch;
  buf_init(&scratch, 1 << 20);
  buf_add_str(out, "\nSource: ");
  buf_add_slice(out, json_text(json_get(buf_slice(&searcher_passage(s)->document), "sourceUrl"), &scratch));
  buf_add_str(out, "\n\n");
  buf_release(&scratch);
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

static void block_add_passages(struct searcher *s, const struct search_answer *a, size_t tokens,
                               struct buf *out, struct error_text *e) {
  size_t used = 0;
  for (size_t i = 0; i < a->result.count && used < tokens; i++) {
    struct buf head, tail;
    if (searcher_load(s, &a->result.hits[i].at, searcher_passage(s), e) != 0)
      return;
    buf_init(&head, 1 << 20);
    buf_init(&tail, 1 << 20);
    block_head(s, a, i, &head);
    block_source(s, &tail);
    size_t frame = search_tokens(s, buf_slice(&head)) + search_tokens(s, buf_slice(&tail));
    size_t had = out->len, room = used + frame < tokens ? tokens - used - frame : 0, text = 0;
    struct slice whole = searcher_passage(s)->text.text;
    buf_add_slice(out, buf_slice(&head));
    if (room > 0 && (text = search_tokens(s, whole)) <= room)
      buf_add_slice(out, whole);
    else
      text = room > 0 ? search_cut(s, a->query, whole, room, out) : 0;
    if (text == 0 && room > 0 && i == 0)
      text = add_start(s, whole, room, out);
    buf_add_slice(out, buf_slice(&tail));
    if (text > 0)
      used += frame + text;
    else
      out->len = had;
    buf_release(&head);
    buf_release(&tail);
    if (text == 0)
      break;
  }
}

void search_add_block(struct searcher *s, const struct search_answer *a, const struct edgar *g, size_t tokens,
                      struct buf *out, struct error_text *e) {
  size_t used = g ? block_add_facts(s, edgar_facts(g), tokens / 2, out) : 0;
  if (a)
    block_add_passages(s, a, tokens - used, out, e);
  while (out->len > 0 && out->data[out->len - 1] == '\n')
    out->len--;
}
