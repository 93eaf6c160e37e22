/* chroma_candidates.c: the candidates for a question, found and fetched on the server. */
#include "chroma/chroma_candidates.h"

#include "chroma/chroma_row.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPTH 200      /* minimum number of candidate passages per question */
#define LOCAL_DEPTH 80 /* of these, from a local store by words */
#define WORDS 6        /* words passed to Chroma's full-text filter */

/* ---- allowed documents ---- */

static int allowed_order(const void *a, const void *b) {
  const struct chroma_known *x = *(const struct chroma_known *const *)a,
                            *y = *(const struct chroma_known *const *)b;
  if (x->collection != y->collection)
    return x->collection < y->collection ? -1 : 1;
  return (x > y) - (x < y);
}

void chroma_candidates_allow(struct chroma_search *c, const struct store_snapshot *snap,
                             const struct store_filter *filter) {
  const struct store_segment *seg;
  struct store_filter documents = *filter;
  size_t n = store_segments(snap, &seg), count = 0;
  documents.item_count = 0; /* only Chroma has the passages' items */
  for (size_t i = 0; i < n; i++) {
    struct store_selection sel;
    store_select(&seg[i], &documents, &sel);
    for (uint32_t d = 0; d < seg[i].docs && sel.count; d++) {
      const struct store_doc *x = &seg[i].doc[d];
      const struct chroma_known *k = NULL;
      struct error_text e;
      struct slice url;
      if (store_selected(&sel, x->first) && store_document_url(snap, x->id, &url, &e) == STORE_OK)
        k = chroma_catalog_find(&c->known, url, store_collection_name(snap, x->collection));
      if (k)
        c->allowed[count++] = k;
    }
    store_selection_release(&sel);
  }
  if (count)
    qsort(c->allowed, count, sizeof(struct chroma_known *), allowed_order);
  for (size_t i = 0, at = 0; i <= c->known.collections.count; i++) {
    while (at < count && c->allowed[at]->collection < i)
      at++;
    c->first[i] = at;
  }
}

static size_t documents_of(const struct chroma_search *c, size_t collection) {
  size_t n = 0;
  for (size_t i = 0; i < c->known.count; i++)
    n += c->known.list[i].collection == collection;
  return n;
}

/* ---- requests ---- */

/* Appends "item 1a" as "1A". */
static void add_asked_item(struct buf *out, const char *item) {
  char upper[64];
  size_t n = 0;
  if (strncasecmp(item, "item ", 5) == 0)
    item += 5;
  for (; n < sizeof upper - 1 && item[n]; n++)
    upper[n] = (char)toupper((unsigned char)item[n]);
  json_add_string(out, upper, n);
}

/* Appends the "where" filter for a collection: its documents, unless all are allowed, and the items. */
static void add_where(const struct chroma_search *c, size_t collection, const struct search_request *r,
                      struct buf *out) {
  size_t from = c->first[collection], to = c->first[collection + 1], items = r->items.count;
  int some = to - from < documents_of(c, collection);
  if (!some && !items)
    return;
  buf_add_str(out, ",\"where\":");
  buf_add_str(out, some && items ? "{\"$and\":[" : "");
  for (size_t i = from; some && i < to; i++) {
    buf_add_str(out, i == from ? "{\"sourceUrl\":{\"$in\":[" : ",");
    json_add_cstr(out, c->allowed[i]->url);
  }
  buf_add_str(out, some ? items ? "]}}," : "]}}" : "");
  for (size_t i = 0; i < items; i++) {
    buf_add_str(out, i == 0 ? "{\"item\":{\"$in\":[" : ",");
    add_asked_item(out, r->items.items[i]);
  }
  buf_add_str(out, items ? "]}}" : "");
  buf_add_str(out, some && items ? "]}" : "");
}

/* Appends the question's longest words, as they may occur in a text. */
static void add_question_words(const struct query *q, struct buf *out) {
  size_t best[WORDS], n = 0;
  for (size_t i = 0; i < q->token_count; i++) {
    const struct query_token *t = &q->tokens[i];
    if (t->kind == QUERY_ROUTED || t->kind == QUERY_FILLER || t->end - t->start < 3)
      continue;
    size_t at = n < WORDS ? n++ : WORDS;
    for (; at > 0 && q->tokens[best[at - 1]].end - q->tokens[best[at - 1]].start < t->end - t->start; at--)
      if (at < WORDS)
        best[at] = best[at - 1];
    if (at < WORDS)
      best[at] = i;
  }
  if (n == 0)
    return;
  buf_add_str(out, ",\"where_document\":{\"$or\":[");
  for (size_t i = 0; i < n; i++) {
    const struct query_token *t = &q->tokens[best[i]];
    char word[64];
    size_t len = t->end - t->start < sizeof word ? t->end - t->start : sizeof word;
    memcpy(word, q->text.data + t->start, len);
    for (int upper = 0; upper < 2; upper++) {
      word[0] = (char)(upper ? toupper((unsigned char)word[0]) : tolower((unsigned char)word[0]));
      buf_add_str(out, i || upper ? ",{\"$contains\":" : "{\"$contains\":");
      json_add_string(out, word, len);
      buf_add_char(out, '}');
    }
  }
  buf_add_str(out, "]}");
}

static size_t depth_of(const struct search_wanted *w) {
  return 2 * w->request->n > DEPTH ? 2 * w->request->n : DEPTH;
}

static void add_query(const struct chroma_search *c, size_t collection, const struct search_wanted *w,
                      struct chroma_call *call) {
  struct buf *out = &call->body;
  chroma_call_init(call, "POST");
  buf_printf(&call->path, "/collections/%s/%s", c->known.collections.list[collection].id,
             w->dims ? "query" : "get");
  buf_add_str(out, w->dims ? "{\"include\":[\"distances\"],\"query_embeddings\":[[" : "{\"include\":[]");
  for (size_t i = 0; i < w->dims; i++)
    buf_printf(out, "%s%.9g", i ? "," : "", (double)w->vector[i]);
  buf_printf(out, "%s,\"%s\":%zu", w->dims ? "]]" : "", w->dims ? "n_results" : "limit", depth_of(w));
  add_where(c, collection, w->request, out);
  if (!w->dims)
    add_question_words(w->query, out);
  buf_add_char(out, '}');
}

static void add_wish(struct chroma_search *c, size_t collection, struct slice id, float distance) {
  if (!chroma_row_is_id(id))
    return;
  if (c->wish_count == c->wish_cap) {
    c->wish_cap = c->wish_cap ? c->wish_cap * 2 : 512;
    c->wishes = xreallocarray(c->wishes, c->wish_cap, sizeof *c->wishes);
  }
  struct chroma_wish *w = &c->wishes[c->wish_count++];
  w->collection = collection;
  w->distance = distance;
  memcpy(w->id, id.data, 32);
  w->id[32] = '\0';
}

/* Reads the ids of a query's single question, or of a get. */
static void read_wishes(struct chroma_search *c, size_t collection, struct slice answer, int nested) {
  struct json_cursor ids = {0}, distances = {0}, inner = {0};
  struct slice list = json_get(answer, "ids"), far = json_get(answer, "distances"), id, distance = {0};
  struct buf scratch;
  if (json_kind(list) != '[' || (nested && !json_next_element(list, &inner, &list)) || json_kind(list) != '[')
    return;
  inner = (struct json_cursor){0};
  if (!nested || json_kind(far) != '[' || !json_next_element(far, &inner, &far) || json_kind(far) != '[')
    far = slice_str("[]");
  buf_init(&scratch, 4096);
  while (json_next_element(list, &ids, &id)) {
    int known = json_next_element(far, &distances, &distance);
    add_wish(c, collection, json_text(id, &scratch), known ? (float)json_to_double(distance, 2) : 2);
  }
  buf_release(&scratch);
}

static int wish_order(const void *a, const void *b) {
  const struct chroma_wish *x = a, *y = b;
  if (x->distance != y->distance)
    return x->distance < y->distance ? -1 : 1;
  return strcmp(x->id, y->id);
}

enum store_status chroma_candidates_ask(struct chroma_search *c, const struct search_wanted *w,
                                        struct error_text *e) {
  size_t n = c->known.collections.count, count = 0;
  struct chroma_call *calls = xcalloc(n + 1, sizeof *calls);
  size_t *of = xcalloc(n + 1, sizeof *of);
  for (size_t i = 0; i < n; i++) {
    if (c->first[i] == c->first[i + 1] || (w->dims && c->known.collections.list[i].dims != w->dims))
      continue;
    add_query(c, i, w, &calls[count]);
    of[count++] = i;
  }
  enum store_status status = chroma_perform(c->chroma, calls, count, e);
  for (size_t i = 0; i < count; i++) {
    if (!status)
      read_wishes(c, of[i], buf_slice(&calls[i].response.body), w->dims > 0);
    chroma_call_release(&calls[i]);
  }
  free(calls);
  free(of);
  if (c->wish_count)
    qsort(c->wishes, c->wish_count, sizeof *c->wishes, wish_order);
  if (c->wish_count > depth_of(w))
    c->wish_count = depth_of(w);
  return status;
}

void chroma_candidates_add_local(struct chroma_search *c, const struct search_request *request) {
  const struct search_answer *a = NULL;
  struct search_fault f;
  struct search_request r = *request;
  char id[33];
  r.mode = RANK_TEXT;
  r.n = LOCAL_DEPTH;
  r.fold = r.threshold = 0;
  if (!c->local || searcher_run(c->words, &r, &a, &f) != 0)
    return;
  for (size_t i = 0; i < a->result.count; i++) {
    const struct rank_place *at = &a->result.hits[i].at;
    const uint8_t *bytes = store_row_id(at->seg, at->row);
    const char *name = search_collection_name(c->local, at->seg->doc[at->doc].collection);
    for (int k = 0; k < 16; k++)
      snprintf(id + (size_t)k * 2, 3, "%02x", bytes[k]);
    for (size_t k = 0; k < c->known.collections.count; k++)
      if (strcmp(c->known.collections.list[k].name, name) == 0 && c->first[k] < c->first[k + 1])
        add_wish(c, k, slice_of(id, 32), 2);
  }
}

static int by_collection_and_id(const void *a, const void *b) {
  const struct chroma_wish *x = a, *y = b;
  if (x->collection != y->collection)
    return x->collection < y->collection ? -1 : 1;
  return strcmp(x->id, y->id);
}

enum store_status chroma_candidates_fetch(struct chroma_search *c, struct error_text *e) {
  if (c->wish_count)
    qsort(c->wishes, c->wish_count, sizeof *c->wishes, by_collection_and_id);
  c->answers = xcalloc(c->wish_count + 1, sizeof *c->answers);
  c->answer_of = xcalloc(c->wish_count + 1, sizeof *c->answer_of);
  for (size_t i = 0; i < c->wish_count; i++) {
    const struct chroma_wish *w = &c->wishes[i];
    int new_one = i == 0 || c->wishes[i - 1].collection != w->collection;
    if (new_one) {
      struct chroma_call *call = &c->answers[c->answer_count];
      chroma_call_init(call, "POST");
      buf_printf(&call->path, "/collections/%s/get", c->known.collections.list[w->collection].id);
      buf_add_str(&call->body, "{\"include\":[\"documents\",\"metadatas\",\"embeddings\"],\"ids\":[");
      c->answer_of[c->answer_count++] = w->collection;
    } else if (strcmp(c->wishes[i - 1].id, w->id) == 0)
      continue;
    buf_printf(&c->answers[c->answer_count - 1].body, "%s\"%s\"", new_one ? "" : ",", w->id);
  }
  for (size_t i = 0; i < c->answer_count; i++)
    buf_add_str(&c->answers[i].body, "]}");
  return chroma_perform(c->chroma, c->answers, c->answer_count, e);
}
