/* stored_text.c: finds documents of the store, and puts their text together from overlapping passages. */
#include "compare/stored_text.h"

#include "base/digest.h"
#include "record/json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* ---- finding documents ---- */

static int is_company(const struct store_company *c, const char *want) {
  const char *cik = c->cik + strspn(c->cik, "0");
  if (!*want)
    return 0;
  return strcasecmp(want, c->ticker) == 0 || strcasecmp(want, c->name) == 0 ||
         (*cik && strcmp(want + strspn(want, "0"), cik) == 0) ||
         (strlen(want) > 2 && strncasecmp(want, c->name, strlen(want)) == 0);
}

int stored_text_is_live(const struct stored_place *at) {
  return !at->seg->dead_docs || !(at->seg->dead_docs[at->doc / 64] >> (at->doc % 64) & 1);
}

static int has_type(struct slice type, const char *wanted) {
  return json_kind(type) == '"' && type.len >= strlen(wanted) + 2 &&
         strncasecmp(type.data + 1, wanted, strlen(wanted)) == 0;
}

/* Whether a document is an exhibit of the wanted type, or another part of that type, "INFORMATION TABLE"; with NULL whether it
 * is no exhibit, and where the choice is for primary documents, no other part. */
static int is_exhibit(const struct store_snapshot *snap, const struct store_doc *d,
                      const struct stored_choice *c, struct buf *json, enum store_status *status,
                      struct error_text *e) {
  if (c->exhibit && !*c->exhibit)
    return 1;
  buf_clear(json);
  *status = store_get_document(snap, d->id, json, e);
  struct slice metadata = json_get(buf_slice(json), "metadata"), exhibit = json_get(metadata, "exhibit"),
               type = json_get(metadata, "documentType"), form = json_get(metadata, "form");
  int part = json_kind(type) == '"' && json_kind(form) == '"' && !slice_eq(type, form);
  if (!c->exhibit)
    return json_kind(exhibit) != '"' && !(c->primary && part);
  return has_type(exhibit, c->exhibit) || (part && has_type(type, c->exhibit));
}

struct stored_search {
  const struct store_snapshot *snap;
  const struct stored_choice *c;
  const struct store_company *companies;
  const char *const *forms;
  struct stored_place *list;
  size_t count;
  struct buf json;
};

static int meant(const struct stored_search *s, const struct store_doc *d) {
  if (s->c->company && !is_company(&s->companies[d->company], s->c->company))
    return 0;
  if (s->c->subset && !store_subset_has(s->c->subset, store_collection_name(s->snap, d->collection)))
    return 0;
  return !s->c->form || strcasecmp(s->forms[d->form], s->c->form) == 0;
}

static enum store_status look_through(struct stored_search *s, const struct store_segment *seg,
                                      struct error_text *e) {
  enum store_status status = STORE_OK;
  for (uint32_t d = 0; d < seg->docs && !status; d++) {
    const struct store_doc *x = &seg->doc[d];
    struct stored_place at = {seg, d};
    if (!stored_text_is_live(&at) || !meant(s, x) || !is_exhibit(s->snap, x, s->c, &s->json, &status, e))
      continue;
    s->list = xgrow(s->list, s->count, sizeof *s->list);
    s->list[s->count++] = at;
  }
  return status;
}

int stored_text_newest_first(const void *a, const void *b) {
  const struct stored_place *x = a, *y = b;
  const struct store_doc *p = &x->seg->doc[x->doc], *q = &y->seg->doc[y->doc];
  if (p->reported != q->reported)
    return p->reported > q->reported ? -1 : 1;
  if (p->filed != q->filed)
    return p->filed > q->filed ? -1 : 1;
  return p->id > q->id ? -1 : p->id < q->id;
}

static int by_url(const void *a, const void *b) {
  const struct stored_place *x = a, *y = b;
  const struct store_doc *p = &x->seg->doc[x->doc], *q = &y->seg->doc[y->doc];
  if (p->url_hash != q->url_hash)
    return p->url_hash < q->url_hash ? -1 : 1;
  return (p->id > q->id) - (p->id < q->id);
}

/* Whether one of the first `kept` documents has the URL of the one at i.  Those with its hash stand at their end. */
static int is_copy(const struct stored_search *s, size_t kept, size_t i, enum store_status *status,
                   struct error_text *e) {
  const struct store_doc *d = &s->list[i].seg->doc[s->list[i].doc];
  struct slice url, other;
  while (kept-- > 0) {
    const struct store_doc *o = &s->list[kept].seg->doc[s->list[kept].doc];
    if (o->url_hash != d->url_hash)
      return 0;
    if (!*status)
      *status = store_document_url(s->snap, d->id, &url, e);
    if (!*status)
      *status = store_document_url(s->snap, o->id, &other, e);
    if (*status || slice_eq(url, other))
      return 1;
  }
  return 0;
}

/* Keeps the first of the documents with the same URL. */
static enum store_status leave_out_copies(struct stored_search *s, struct error_text *e) {
  enum store_status status = STORE_OK;
  size_t kept = 0;
  qsort(s->list, s->count, sizeof *s->list, by_url);
  for (size_t i = 0; i < s->count; i++)
    if (!is_copy(s, kept, i, &status, e))
      s->list[kept++] = s->list[i];
  s->count = kept;
  return status;
}

enum store_status stored_text_find(const struct store_snapshot *snap, const struct stored_choice *c,
                                   struct stored_place **list, size_t *count, struct error_text *e) {
  struct stored_search s = {.snap = snap, .c = c};
  const struct store_segment *seg;
  size_t n = store_segments(snap, &seg);
  store_companies(snap, &s.companies);
  store_forms(snap, &s.forms);
  enum store_status status = store_snapshot_check(snap, e);
  buf_init(&s.json, (size_t)64 << 20);
  for (size_t i = 0; i < n && !status; i++)
    status = look_through(&s, &seg[i], e);
  buf_release(&s.json);
  if (s.count) {
    if (!status)
      status = leave_out_copies(&s, e);
    qsort(s.list, s.count, sizeof *s.list, stored_text_newest_first);
  }
  *list = s.list;
  *count = s.count;
  return status;
}

/* ---- reading their text ---- */

/* "7" is matched by "7", II-1A by both "II-1A" and "1A". */
static int is_item(struct slice item, const char *wanted) {
  const char *dash = item.len ? memchr(item.data, '-', item.len) : NULL;
  size_t n = strlen(wanted);
  if (item.len == n && strncasecmp(item.data, wanted, n) == 0)
    return 1;
  struct slice behind =
      dash ? slice_of(dash + 1, item.len - (size_t)(dash + 1 - item.data)) : slice_of(NULL, 0);
  return dash && !strchr(wanted, '-') && behind.len == n && strncasecmp(behind.data, wanted, n) == 0;
}

/* Restores the gap between two passages: an empty line, a line end within a table or list, or a blank. */
static void add_gap(struct buf *text, size_t gap, struct slice next) {
  if (!text->len || gap == 0)
    return;
  const char *line = text->data + text->len;
  while (line > text->data && line[-1] != '\n')
    line--;
  int lined = *line == '|' || (next.len && strchr("|-", next.data[0]));
  buf_add_str(text, gap >= 2 ? "\n\n" : lined ? "\n" : " ");
}

static struct stored_span stored_add_passage(struct buf *text, const struct store_text *t, size_t *end) {
  size_t from = (size_t)json_to_int(json_get(t->chunk, "start"), 0), again = 0;
  struct slice s = t->text;
  if (from < *end)
    again = *end - from < s.len ? *end - from : s.len;
  else
    add_gap(text, *end ? from - *end : 0, s);
  again = again < text->len ? again : text->len;
  struct stored_span span = {text->len - again, 0};
  buf_add(text, s.data + again, s.len - again);
  span.to = text->len;
  size_t behind = (size_t)json_to_int(json_get(t->chunk, "end"), 0);
  *end = behind > *end ? behind : *end;
  return span;
}

enum store_status stored_text_read(const struct store_snapshot *snap, const struct stored_place *at,
                                   const char *item, struct buf *text, struct buf *json,
                                   struct stored_span *spans, struct error_text *e) {
  const struct store_doc *d = &at->seg->doc[at->doc];
  const char *const *items;
  enum store_status status = json ? store_get_document(snap, d->id, json, e) : STORE_OK;
  struct store_text t;
  size_t end = 0, before = text->len;
  store_items(snap, &items);
  store_text_init(&t);
  for (uint32_t row = d->first; row < d->first + d->rows && !status; row++) {
    struct stored_span span = {0};
    if (spans)
      spans[row - d->first] = span;
    if (item && !is_item(slice_str(items[at->seg->item[row]]), item))
      continue;
    status = store_get_text(snap, at->seg, row, &t, e);
    if (!status)
      span = stored_add_passage(text, &t, &end);
    if (spans)
      spans[row - d->first] = span;
  }
  store_text_release(&t);
  if (!status)
    status = store_snapshot_check(snap, e);
  if (!status && text->len == before) {
    error_set(e, item ? "the document has no item %s" : "the document has no text", item);
    status = STORE_ABSENT;
  }
  if (text->len > before && text->data[text->len - 1] != '\n')
    buf_add_char(text, '\n');
  return status;
}

/* ---- ids ---- */

size_t stored_text_ids(const struct store_snapshot *snap, const char *prefix, char first[33]) {
  const struct store_segment *seg;
  size_t n = store_segments(snap, &seg), found = 0;
  char hex[33], digits[3] = {prefix[0], prefix[1], '\0'};
  uint8_t byte = (uint8_t)strtoul(digits, NULL, 16);
  first[0] = '\0';
  for (size_t i = 0; i < n; i++)
    for (uint32_t row = 0; row < seg[i].rows; row++) {
      const uint8_t *id = store_row_id(&seg[i], row);
      if (id[0] != byte || (seg[i].live_bits && !(seg[i].live_bits[row / 64] >> (row % 64) & 1)))
        continue;
      digest_hex(id, STORE_ID_BYTES, hex);
      if (strncmp(hex, prefix, strlen(prefix)) != 0 || strcmp(hex, first) == 0)
        continue;
      if (found++ == 0)
        memcpy(first, hex, sizeof hex);
    }
  return found;
}
