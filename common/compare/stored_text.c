/* stored_text.c: documents of the store: found, put together from overlapping passages, and shown for bid store. */
#include "compare/stored_text.h"
#include "base/day.h"
#include "base/diag.h"
#include "base/digest.h"
#include "chunk/chunk_context.h"
#include "page/terminal.h"
#include "record/json.h"
#include "store/store_dump.h"
#include "store/store_format.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- finding documents ---- */

/* Also by the beginning of its name. */
static int is_company(const struct store_company *c, const char *want) {
  return store_subset_is_company(c, want) ||
         (strlen(want) > 2 && strncasecmp(want, c->name, strlen(want)) == 0);
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
    if (store_segment_doc_is_dead(seg, d) || !meant(s, x) ||
        !is_exhibit(s->snap, x, s->c, &s->json, &status, e))
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

/* Finds live passages whose id starts with the prefix (hex digits): returns their number, and the first id. */
static size_t stored_text_ids(const struct store_snapshot *snap, const char *prefix, char first[33]) {
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

/* ---- stored passages and documents for display, and the list of documents ---- */

enum { SHOW_COLUMNS_LEAST = 20 };
enum { ID_DIGITS = 32, ID_LEAST = 4 }; /* digits of a passage's id, and minimum for a prefix */

struct show_manner {
  unsigned flags; /* DUMP_VECTORS */
  size_t near;    /* number of passages before and after */
};

/* A passage for a person: its place and id, and its text. */
static enum store_status show_row_drawn(struct program *p, const struct store_snapshot *snap,
                                        const struct store_segment *seg, uint32_t row, struct store_text *t,
                                        struct error_text *e) {
  struct page_terminal to = {.out = &p->out.buf,
                             .width = p->columns >= SHOW_COLUMNS_LEAST ? p->columns : page_terminal_width(),
                             .lines = SIZE_MAX,
                             .colour = p->colour};
  char id[ID_DIGITS + 1];
  enum store_status status = store_get_text(snap, seg, row, t, e);
  if (status)
    return status;
  page_terminal_text(&to, page_place(t->context), "\033[36m", 0);
  digest_hex(store_row_id(seg, row), STORE_ID_BYTES, id);
  buf_printf(&p->out.buf, "id %s\n\n", id);
  page_terminal_passage(&to, (struct page_passage){t->text, t->context}, NULL);
  buf_add_char(&p->out.buf, '\n');
  return STORE_OK;
}

/* A passage, and those of its document near it, in order. */
static enum store_status show_row(struct program *p, const struct store_snapshot *snap,
                                  const struct store_segment *seg, uint32_t row,
                                  const struct show_manner *how, struct store_text *t, struct error_text *e) {
  const struct store_doc *d = &seg->doc[store_doc_of_row(seg, row)];
  uint32_t end = store_segment_doc_end(seg, d);
  uint32_t from = row - d->first > how->near ? row - (uint32_t)how->near : d->first;
  uint32_t until = end - row > how->near ? row + (uint32_t)how->near + 1 : end;
  enum store_status status = STORE_OK;
  for (uint32_t r = from; r < until && !status; r++)
    status = p->people && !how->flags ? show_row_drawn(p, snap, seg, r, t, e)
                                      : store_dump_passage(snap, seg, r, how->flags, t, &p->out.buf, e);
  return status;
}

static enum store_status show_passage(struct program *p, struct store_snapshot *snap, const char *id,
                                      const struct show_manner *how, struct store_text *t,
                                      struct error_text *e) {
  const struct store_segment *seg;
  uint32_t row;
  enum store_status status;
  size_t found = 0;
  while (!(status = store_find_passage(snap, id, found, &seg, &row, e)) &&
         !(status = show_row(p, snap, seg, row, how, t, e)))
    found++;
  return status == STORE_ABSENT && found ? STORE_OK : status;
}

/* Shows a passage by a prefix of its id, which must be unique. */
static enum store_status show_passage_short(struct program *p, struct store_snapshot *snap, const char *id,
                                            const struct show_manner *how, struct store_text *t,
                                            struct error_text *e) {
  char whole[ID_DIGITS + 1];
  size_t found = stored_text_ids(snap, id, whole);
  if (found == 1)
    return show_passage(p, snap, whole, how, t, e);
  if (found == 0)
    error_set(e, "no passage has an id that begins with %s", id);
  else
    error_set(e, "%zu passages have an id that begins with %s: give more of it", found, id);
  return STORE_ABSENT;
}

static enum store_status show_passages(struct program *p, struct store_snapshot *snap,
                                       const struct show_manner *how, struct error_text *e) {
  struct store_text t;
  enum store_status status = STORE_OK;
  store_text_init(&t);
  for (int i = 0; i < p->operand_count && !status; i++) {
    const char *id = p->operands[i];
    status = (strlen(id) == ID_DIGITS ? show_passage : show_passage_short)(p, snap, id, how, &t, e);
  }
  store_text_release(&t);
  return status;
}

/* Draws a text for a screen; in a pipe it stays Markdown. */
static void show_drawn(struct program *p, struct slice text) {
  struct page_terminal t = {.out = &p->out.buf, .width = p->columns, .lines = SIZE_MAX, .colour = p->colour};
  if (p->columns >= SHOW_COLUMNS_LEAST)
    page_terminal_passage(&t, (struct page_passage){text, slice_of(NULL, 0)}, NULL);
  else
    buf_add_masked_lines(&p->out.buf, text);
}

/* The start of the character at or behind byte i. */
static size_t show_character(struct slice text, size_t i) {
  while (i < text.len && ((unsigned char)text.data[i] & 0xC0) == 0x80)
    i++;
  return i;
}

/* Cuts a text to the part from --from on, of at most --limit bytes, which ends with a paragraph where it has one.  Returns
 * where the next part begins, or 0 where none is left. */
static size_t show_cut(struct slice *text, const struct store_call *call) {
  size_t from = show_character(*text, call->from), n = text->len - from;
  if (call->limit && call->limit < n) {
    const char *stop = memrchr(text->data + from, '\n', call->limit);
    n = stop && stop > text->data + from ? (size_t)(stop + 1 - text->data) - from : call->limit;
    n = show_character(*text, from + n) - from;
  }
  size_t next = from + n < text->len ? from + n : 0;
  *text = slice_of(text->data + from, n);
  return next;
}

/* Shows a document or an item of it as text, or as a record. */
static enum store_status show_text(struct program *p, const struct store_snapshot *snap,
                                   struct stored_place *at, const struct store_call *call,
                                   struct error_text *e) {
  const char *item = call->item;
  struct buf text, json;
  buf_init(&text, STORE_DOCUMENT_BYTES);
  buf_init(&json, STORE_DOCUMENT_BYTES);
  enum store_status status = stored_text_read(snap, at, item, &text, &json, NULL, e);
  struct slice part = buf_slice(&text);
  if (!status && call->from && call->from >= part.len) {
    error_set(e, "the text has %zu bytes: none is left from byte %zu on", part.len, call->from);
    status = STORE_ABSENT;
  }
  size_t next = status ? 0 : show_cut(&part, call);
  if (!status && p->people) {
    show_drawn(p, part);
  } else if (!status) {
    while (json.len && json.data[json.len - 1] != '}')
      json.len--;
    buf_add(&p->out.buf, json.data, json.len ? json.len - 1 : 0);
    if (item)
      json_cstr(&p->out.buf, "item", item);
    json_str(&p->out.buf, "text", part);
    if (next)
      json_uint(&p->out.buf, "next", next);
    buf_add_str(&p->out.buf, "}\n");
  }
  buf_release(&text);
  buf_release(&json);
  return status;
}

/* Appends "10-K filed 2025-10-31" for a document. */
static void show_name_document(struct buf *out, const struct store_snapshot *snap,
                               const struct stored_place *at) {
  const struct store_doc *d = &at->seg->doc[at->doc];
  const char *const *forms;
  char day[DAY_TEXT];
  store_forms(snap, &forms);
  buf_add_str(out, forms[d->form][0] ? forms[d->form] : "a document");
  if (d->filed != STORE_NO_DAY)
    buf_printf(out, " filed %s", day_write(d->filed, day));
}

/* Appends a document's name as passages cite it; document: its shared fields. */
static void add_citation(struct buf *out, struct slice document) {
  struct chunk_source source = {.part = {NULL, 0}};
  struct buf own;
  buf_init(&own, RECORD_MAX);
  chunk_source_read(&source, json_get(document, "metadata"), &own);
  chunk_context_document(out, &source);
  buf_release(&own);
}

/* Prints which document follows, named as passages cite it, and which others the same words select. */
static void show_tell(const struct program *p, const struct store_snapshot *snap,
                      const struct stored_place *list, size_t count, size_t shown) {
  enum { OTHERS = 6 };
  struct error_text e;
  struct buf text, json;
  if (!p->people || p->quiet)
    return;
  buf_init(&text, RECORD_MAX);
  buf_init(&json, RECORD_MAX);
  if (store_get_document(snap, list[shown].seg->doc[list[shown].doc].id, &json, &e) == STORE_OK)
    add_citation(&text, buf_slice(&json));
  for (size_t i = 0, n = 0; i < count && n <= OTHERS; i++) {
    if (i == shown)
      continue;
    buf_add_str(&text, n == 0 ? "; also here (a form or --back selects): " : ", ");
    if (n++ < OTHERS)
      show_name_document(&text, snap, &list[i]);
    else
      buf_printf(&text, "%zu more", count - 1 - OTHERS);
  }
  if (text.len > 0)
    diag_warn("%s", text.data);
  buf_release(&text);
  buf_release(&json);
}

static enum store_status show_document(struct program *p, const struct store_snapshot *snap,
                                       const struct store_call *call, struct error_text *e) {
  struct stored_choice c = {p->operands[0], p->operand_count > 1 ? p->operands[1] : NULL, call->exhibit, 1,
                            NULL};
  struct stored_place *list;
  size_t count;
  enum store_status status = stored_text_find(snap, &c, &list, &count, e);
  if (!status && count == 0) {
    free(list);
    c.primary = 0;
    status = stored_text_find(snap, &c, &list, &count, e);
  }
  if (!status && count == 0) {
    error_set(
        e,
        "no passage has the id '%s' (%d hex digits, or the first %d), and no company of that name has a "
        "document%s%s here",
        c.company, ID_DIGITS, ID_LEAST, c.form ? " on form " : "", c.form ? c.form : "");
    status = STORE_ABSENT;
  } else if (!status && count <= call->back) {
    error_set(e, "the store has %zu documents of %s%s%s%s", count, c.company, c.form ? " on form " : "",
              c.form ? c.form : "", call->back ? ", fewer than --back asks for" : "");
    status = STORE_ABSENT;
  }
  if (!status)
    show_tell(p, snap, list, count, call->back);
  if (!status)
    status = show_text(p, snap, &list[call->back], call, e);
  free(list);
  return status;
}

/* Operands that all look like ids are ids, unless an option selects a document. */
static int show_asks_document(const struct program *p, const struct store_call *call) {
  int ids = 1;
  for (int i = 0; i < p->operand_count; i++) {
    size_t n = strlen(p->operands[i]);
    ids &= n >= ID_LEAST && n <= ID_DIGITS && strspn(p->operands[i], "0123456789abcdef") == n;
  }
  return !ids || call->item || call->exhibit || call->back || call->from || call->limit;
}

enum store_status stored_show(struct program *p, struct store *s, const struct store_call *call,
                              struct error_text *e) {
  struct store_snapshot *snap;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  struct show_manner how = {call->vectors ? DUMP_VECTORS : 0, call->near};
  status = show_asks_document(p, call) ? show_document(p, snap, call, e) : show_passages(p, snap, &how, e);
  store_snapshot_end(snap);
  return status;
}

/* ---- the list of documents ---- */

/* The documents being listed. */
struct documents {
  struct program *program;
  const struct store_snapshot *snap;
  const struct store_company *companies;
  struct buf json; /* the shared fields of the current document */
};

static const char *documents_company(const struct documents *l, const struct stored_place *at) {
  const struct store_company *c = &l->companies[at->seg->doc[at->doc].company];
  return c->name[0] ? c->name : c->ticker;
}

/* For qsort_r(3): by company, then newest first. */
static int documents_order(const void *a, const void *b, void *arg) {
  int by_company = strcasecmp(documents_company(arg, a), documents_company(arg, b));
  return by_company ? by_company : stored_text_newest_first(a, b);
}

static unsigned long long documents_passages(const struct stored_place *at) {
  const struct store_doc *d = &at->seg->doc[at->doc];
  return store_segment_doc_end(at->seg, d) - d->first;
}

/* The fields that its passages share, with its collection and their number. */
static void documents_add_record(struct documents *l, const struct stored_place *at) {
  struct buf *out = &l->program->out.buf;
  buf_add(out, l->json.data, l->json.len ? l->json.len - 1 : 0);
  json_cstr(out, "collection", store_collection_name(l->snap, at->seg->doc[at->doc].collection));
  json_uint(out, "passages", documents_passages(at));
  buf_add_str(out, "}\n");
}

/* "Apple Inc. (AAPL) · 10-K · FY 2025 · filed 2025-10-31 · 157 passages · URL", named as passages cite it */
static void documents_add_line(struct documents *l, const struct stored_place *at) {
  struct buf *out = &l->program->out.buf;
  struct slice shared = buf_slice(&l->json);
  struct buf url, line;
  buf_init(&url, RECORD_MAX);
  buf_init(&line, RECORD_MAX);
  add_citation(&line, shared);
  buf_printf(&line, " · %llu passage%s · ", documents_passages(at), documents_passages(at) == 1 ? "" : "s");
  buf_add_slice(&line, json_text(json_get(shared, "sourceUrl"), &url));
  buf_add_masked(out, buf_slice(&line));
  buf_add_char(out, '\n');
  buf_release(&url);
  buf_release(&line);
}

static enum store_status documents_write(struct documents *l, const struct stored_place *list, size_t count,
                                         struct error_text *e) {
  enum store_status status = STORE_OK;
  for (size_t i = 0; i < count && !status && !l->program->out.error; i++) {
    buf_clear(&l->json);
    status = store_get_document(l->snap, list[i].seg->doc[list[i].doc].id, &l->json, e);
    if (!status)
      (l->program->people ? documents_add_line : documents_add_record)(l, &list[i]);
    output_flush_if_full(&l->program->out);
  }
  return status;
}

enum store_status stored_documents(struct program *p, struct store *s, const struct store_call *call,
                                   struct error_text *e) {
  struct stored_choice wanted = {p->operand_count > 0 ? p->operands[0] : NULL,
                                 p->operand_count > 1 ? p->operands[1] : NULL,
                                 call->exhibit ? call->exhibit : "", 0, &call->subset};
  struct store_snapshot *snap;
  struct stored_place *list = NULL;
  size_t count = 0;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  struct documents l = {.program = p, .snap = snap};
  buf_init(&l.json, STORE_DOCUMENT_BYTES);
  store_companies(snap, &l.companies);
  status = stored_text_find(snap, &wanted, &list, &count, e);
  if (!status && count > 0) {
    qsort_r(list, count, sizeof *list, documents_order, &l);
    status = documents_write(&l, list, count, e);
  } else if (!status) {
    program_nothing(p, wanted.company || call->subset.collections.count
                           ? "no such document; bid-store documents lists all"
                           : "the store is empty");
  }
  free(list);
  buf_release(&l.json);
  store_snapshot_end(snap);
  return status;
}
