/* search_context.c: passages as one prompt-ready block within a number of tokens (--context). */
#include "record/json.h"
#include "record/record.h"
#include "search/search_pages.h"
#include "search/search_cut.h"

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
