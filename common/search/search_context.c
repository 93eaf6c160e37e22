/* search_context.c: passages as one prompt-ready block within a number of tokens (--context). */
#include "record/json.h"
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

size_t search_add_context(struct searcher *s, const struct search_answer *a, size_t tokens, struct buf *out,
                          struct error_text *e) {
  size_t used = 0;
  for (size_t i = 0; i < a->result.count && used < tokens; i++) {
    struct buf head, tail;
    if (searcher_load(s, &a->result.hits[i].at, searcher_passage(s), e) != 0)
      return used;
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
  while (out->len > 0 && out->data[out->len - 1] == '\n')
    out->len--;
  return used;
}
