/* search_context.c: passages as one prompt-ready block within a number of tokens (--context). */
#include "record/json.h"
#include "search/search.h"
#include "text/wordpiece.h"

static size_t tokens_in(struct searcher *s, struct slice text) {
  const struct wordpiece *w = searcher_tokenizer(s);
  return w != NULL ? wordpiece_count(w, text) : (text.len + 3) / 4;
}

/* The start of the text within `tokens` tokens, cut at a blank. */
static struct slice cut_text(struct searcher *s, struct slice text, size_t tokens) {
  while (text.len > 0 && tokens_in(s, text) > tokens) {
    size_t n = text.len - text.len / 8 - 1;
    while (n > 0 && text.data[n] != ' ' && text.data[n] != '\n')
      n--;
    text.len = n;
  }
  return text;
}

static void block_head(struct searcher *s, const struct search_answer *a, size_t i, struct buf *out) {
  const struct search_passage *p = searcher_passage(s);
  const struct rank_hit *h = &a->result.hits[i];
  long long page = json_to_int(json_get(p->text.chunk, "page"), 0);
  buf_printf(out, "[%zu] ", i + 1);
  if (p->text.context.len > 0)
    buf_add_slice(out, p->text.context);
  else
    buf_add_str(out, search_collection_name(searcher_shared(s), h->at.seg->doc[h->at.doc].collection));
  if (page > 0)
    buf_printf(out, " (page %lld)", page);
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
    size_t frame = tokens_in(s, buf_slice(&head)) + tokens_in(s, buf_slice(&tail));
    struct slice text = slice_of("", 0);
    if (used + frame < tokens)
      text = cut_text(s, searcher_passage(s)->text.text, tokens - used - frame);
    if (text.len > 0) {
      buf_add_slice(out, buf_slice(&head));
      buf_add_slice(out, text);
      buf_add_slice(out, buf_slice(&tail));
      used += frame + tokens_in(s, text);
    }
    buf_release(&head);
    buf_release(&tail);
    if (text.len == 0)
      break;
  }
  while (out->len > 0 && out->data[out->len - 1] == '\n')
    out->len--;
  return used;
}
