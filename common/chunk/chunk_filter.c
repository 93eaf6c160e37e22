/* chunk_filter.c: cuts document records into chunk records. */
#include "chunk/chunk_filter.h"

#include "base/digest.h"
#include "base/utf8.h"
#include "chunk/chunk_context.h"
#include "record/error.h"
#include "record/json.h"

#include <stdlib.h>

#define HEADING_MAX 512                /* limit of a passage's heading in bytes */
#define ITEM_MAX 64                    /* and of its item */
#define CARRIED_MAX ((size_t)64 << 10) /* limit of document fields repeated in each passage, in bytes */

enum { TEXT, OUTLINE, BREAKS, METADATA, URL, SHA256, SOURCE };
const char *const chunk_fields[] = {"text",      "outline", "breaks", "metadata",
                                    "sourceUrl", "sha256",  "source", NULL};

/* Fields of a document that are not copied to chunks. */
static const char *const dropped[] = {"text", "outline", "breaks", "outlineConfidence",
                                      "id",   "context", "chunk",  NULL};

/* The current document and its output. */
struct chunk_filter_job {
  struct chunk_filter *f;
  struct program *p;
  struct chunk_source source;
  struct slice text;
  int open;            /* a chunk is written except for its end */
  size_t document_len; /* length of the context line's part for the document */
  int path_made;       /* path has its context line part */
  struct chunker_heading path[CHUNKER_LEVELS + 1];
  struct digest id; /* digest of the part that all ids of the document share */
};

void chunk_filter_init(struct chunk_filter *f, const struct wordpiece *tokenizer,
                       const struct chunker_options *o) {
  memset(f, 0, sizeof *f);
  f->tokenizer = wordpiece_memo_new(tokenizer);
  f->options = *o;
  buf_init(&f->own, 3 * RECORD_MAX);
  buf_init(&f->prefix, RECORD_MAX);
  buf_init(&f->context, 1 << 16);
  buf_init(&f->sum, 1 << 10);
}

void chunk_filter_release(struct chunk_filter *f) {
  wordpiece_memo_free(f->tokenizer);
  buf_release(&f->own);
  buf_release(&f->prefix);
  buf_release(&f->context);
  buf_release(&f->sum);
}

/* --- output --- */

/* json_uint() without printf(), for speed. */
static void chunk_filter_add_number(struct buf *out, const char *name, size_t value) {
  char digits[24];
  size_t at = sizeof digits;
  do
    digits[--at] = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  json_key(out, name);
  buf_add(out, digits + at, sizeof digits - at);
}

/* Leaves the object open: only the next chunk, or the end, shows whether this one is the last. */
static void chunk_filter_add_place(struct buf *out, const struct chunker_chunk *k) {
  json_key(out, "chunk");
  buf_add_char(out, '{');
  chunk_filter_add_number(out, "index", k->index);
  chunk_filter_add_number(out, "start", k->start);
  chunk_filter_add_number(out, "end", k->end);
  if (k->page)
    chunk_filter_add_number(out, "page", (size_t)k->page);
  if (k->page && k->last_page > k->first_page) {
    chunk_filter_add_number(out, "firstPage", (size_t)k->first_page);
    chunk_filter_add_number(out, "lastPage", (size_t)k->last_page);
  }
  if (k->item.len)
    json_str(
        out, "item",
        slice_of(k->item.data, utf8_floor(k->item.data, k->item.len < ITEM_MAX ? k->item.len : ITEM_MAX)));
  if (k->heading.len)
    json_str(
        out, "heading",
        slice_of(k->heading.data,
                 utf8_floor(k->heading.data, k->heading.len < HEADING_MAX ? k->heading.len : HEADING_MAX)));
  chunk_filter_add_number(out, "tokens", k->tokens);
}

/* Ends the record that write_chunk() left open. */
static void end_chunk(struct chunk_filter_job *job, int last) {
  struct buf *out = &job->p->out.buf;
  json_bool(out, "last", last);
  buf_add_char(out, '}');
  record_close(out);
  output_flush_if_full(&job->p->out);
}

static int same_place(struct slice a, struct slice b) {
  return a.data == b.data && a.len == b.len;
}

static int has_path(const struct chunk_filter_job *job, const struct chunker_chunk *k) {
  int same = job->path_made;
  for (size_t i = 0; i <= CHUNKER_LEVELS && same; i++)
    same = same_place(job->path[i].item, k->path[i].item) && same_place(job->path[i].title, k->path[i].title);
  return same;
}

/* The part of the context line that neighbours often share is built once. */
static void add_path(struct chunk_filter_job *job, const struct chunker_chunk *k) {
  struct buf *context = &job->f->context;
  if (has_path(job, k))
    return;
  context->len = job->document_len;
  chunk_context_path(context, k);
  memcpy(job->path, k->path, sizeof job->path);
  job->path_made = 1;
}

static int write_chunk(void *arg, const struct chunker_chunk *k) {
  struct chunk_filter_job *job = arg;
  struct buf *out = &job->p->out.buf, *context = &job->f->context;
  char id[33];
  if (job->open)
    end_chunk(job, 0);
  chunk_id(id, &job->id, k->start, k->end);
  add_path(job, k);
  size_t shared = context->len;
  chunk_context_table(context, k);
  struct slice text = slice_of(job->text.data + k->start, k->end - k->start);
  if (job->p->people) {
    buf_printf(out, "%s%u tokens%s", k->index ? "\n" : "", (unsigned)k->tokens, context->len ? "  " : "");
    buf_add_masked(out, buf_slice(context));
    buf_add_str(out, "\n\n");
    buf_add_masked_lines(out, text);
    buf_add_char(out, '\n');
  } else {
    buf_add_slice(out, buf_slice(&job->f->prefix));
    json_cstr(out, "id", id);
    json_str(out, "text", text);
    json_str(out, "context", buf_slice(context));
    chunk_filter_add_place(out, k);
    job->open = 1;
  }
  context->len = shared;
  job->f->chunks++;
  job->f->tokens += k->tokens;
  return job->p->out.error;
}

/* --- input --- */

static size_t count_elements(struct slice array) {
  struct json_cursor c = {0};
  struct slice value;
  size_t n = 0;
  if (json_kind(array) == '[')
    while (json_next_element(array, &c, &value))
      n++;
  return n;
}

static struct slice owned_text(struct slice value, struct buf *own) {
  size_t start = own->len;
  if (json_decode(value, own) != 0 || own->len == start)
    return slice_of(NULL, 0);
  return slice_of(own->data + start, own->len - start);
}

static int clamp_int(long long v) {
  return v < 0 ? 0 : v > 1000000000 ? 1000000000 : (int)v;
}

/* An entry of an outline or of breaks; missing values are empty. */
struct chunk_filter_entry {
  struct slice offset, level, item, title, page;
};

static struct slice *member_of(struct chunk_filter_entry *e, struct slice key) {
  return slice_is(key, "offset")  ? &e->offset
         : slice_is(key, "level") ? &e->level
         : slice_is(key, "item")  ? &e->item
         : slice_is(key, "title") ? &e->title
         : slice_is(key, "page")  ? &e->page
                                  : NULL;
}

static struct chunk_filter_entry chunk_filter_read_entry(struct slice object) {
  struct chunk_filter_entry e = {0};
  struct json_cursor c = {0};
  struct slice key, value;
  if (json_kind(object) == '{')
    while (json_next_member(object, &c, &key, &value)) {
      struct slice *member = member_of(&e, key);
      if (member)
        *member = value;
    }
  return e;
}

/* Skips entries that are out of order or beyond the text, in case the outline belongs to another text. */
static size_t read_outline(struct slice array, size_t text_len, struct buf *own,
                           struct chunker_heading *out) {
  struct json_cursor c = {0};
  struct slice value;
  size_t n = 0;
  if (json_kind(array) != '[')
    return 0;
  while (json_next_element(array, &c, &value)) {
    struct chunk_filter_entry e = chunk_filter_read_entry(value);
    long long offset = json_to_int(e.offset, -1);
    if (offset < 0 || (size_t)offset >= text_len || (n && (size_t)offset < out[n - 1].offset))
      continue;
    out[n++] = (struct chunker_heading){.offset = (size_t)offset,
                                        .level = clamp_int(json_to_int(e.level, 3)),
                                        .item = owned_text(e.item, own),
                                        .title = owned_text(e.title, own),
                                        .page = clamp_int(json_to_int(e.page, 0))};
  }
  return n;
}

static size_t read_breaks(struct slice array, struct chunker_break *out) {
  struct json_cursor c = {0};
  struct slice value;
  size_t n = 0;
  if (json_kind(array) != '[')
    return 0;
  while (json_next_element(array, &c, &value)) {
    struct chunk_filter_entry e = chunk_filter_read_entry(value);
    long long offset = json_to_int(e.offset, -1);
    if (offset < 0 || (n && (size_t)offset < out[n - 1].offset))
      continue;
    out[n++] = (struct chunker_break){(size_t)offset, clamp_int(json_to_int(e.page, 0))};
  }
  return n;
}

/* The name of a local file, or of a member of a local archive, without its extension, in own; empty for a source's
 * document. */
static struct slice chunk_filter_file_name(struct slice url, struct buf *own) {
  size_t start = own->len;
  if (json_kind(url) != '"' || !slice_begins_nocase(slice_of(url.data + 1, url.len - 1), "file://"))
    return slice_of(NULL, 0);
  json_decode(url, own);
  const char *slash = memrchr(own->data + start, '/', own->len - start);
  struct slice name = slice_of(slash + 1, (size_t)(own->data + own->len - slash - 1));
  const char *dot = name.len ? memrchr(name.data, '.', name.len) : NULL;
  return dot > name.data ? slice_of(name.data, (size_t)(dot - name.data)) : name;
}

static void chunk_filter_read_source(struct chunk_filter_job *job, const struct record *rec) {
  struct buf *own = &job->f->own;
  buf_clear(own);
  buf_reserve(own, rec->field[METADATA].len + rec->field[OUTLINE].len +
                       rec->field[URL].len); /* reserved: it must not move */
  job->source = (struct chunk_source){0};
  chunk_source_read(&job->source, rec->field[METADATA], own);
  job->source.url = rec->field[URL];
  job->source.name = chunk_filter_file_name(rec->field[URL], own);
  job->source.sha256 = rec->field[SHA256];
  if (rec->field[SHA256].len == 0) { /* a text without origin: its own bytes identify it */
    char hex[DIGEST_HEX];
    digest_hex_of(job->text.data, job->text.len, hex);
    buf_clear(&job->f->sum);
    buf_add_str(&job->f->sum, hex);
    job->source.sha256 = buf_slice(&job->f->sum);
  }
}

/* -1 where the fields that each passage repeats exceed the limit. */
static int cut_document(struct chunk_filter_job *job, const struct record *rec) {
  struct chunk_filter *f = job->f;
  struct chunker_heading *headings =
      xreallocarray(NULL, count_elements(rec->field[OUTLINE]) + 1, sizeof *headings);
  struct chunker_break *breaks = xreallocarray(NULL, count_elements(rec->field[BREAKS]) + 1, sizeof *breaks);
  struct chunker_document d = {.text = job->text, .headings = headings, .breaks = breaks};
  chunk_filter_read_source(job, rec);
  d.heading_count = read_outline(rec->field[OUTLINE], job->text.len, &f->own, headings);
  d.break_count = read_breaks(rec->field[BREAKS], breaks);
  buf_clear(&f->prefix);
  record_open_without(&f->prefix, rec, dropped);
  if (f->prefix.len > CARRIED_MAX) {
    free(headings);
    free(breaks);
    return -1;
  }
  buf_clear(&f->context);
  chunk_context_document(&f->context, &job->source);
  job->document_len = f->context.len;
  chunk_id_start(&job->id, &job->source);
  chunker_run(f->tokenizer, &d, &f->options, write_chunk, job);
  if (job->open)
    end_chunk(job, 1);
  free(headings);
  free(breaks);
  return 0;
}

static int chunk_filter_refuse(struct program *p, const struct record *rec, const char *category,
                               const char *why) {
  struct buf source, url;
  buf_init(&source, 1 << 16);
  buf_init(&url, 1 << 16);
  program_error(p, rec, category, json_text(rec->field[SOURCE], &source), json_text(rec->field[URL], &url),
                "%s", why);
  buf_release(&source);
  buf_release(&url);
  return 0;
}

int chunk_filter_record(struct program *p, const struct record *rec, void *arg) {
  struct chunk_filter *f = arg;
  struct chunk_filter_job job = {.f = f, .p = p};
  uint64_t before = f->chunks;
  if (json_kind(rec->field[TEXT]) != '"')
    return chunk_filter_refuse(p, rec, ERROR_INVALID_REQUEST,
                               "the record has no text: it is not one of bid-strip's");
  const char *fault = record_metadata_fault(rec->field[METADATA]);
  if (fault)
    return chunk_filter_refuse(p, rec, ERROR_INVALID_REQUEST, fault);
  /* In the reader's buffer, to avoid a second copy of a text of up to 60 MB. */
  job.text = json_text_in_place(rec->field[TEXT], (char *)(uintptr_t)rec->field[TEXT].data);
  if (cut_document(&job, rec) != 0)
    return chunk_filter_refuse(
        p, rec, ERROR_INVALID_REQUEST,
        "the record's other fields take more than 64 KiB, which each passage would repeat");
  f->documents++;
  f->bytes += job.text.len;
  if (f->chunks == before)
    return chunk_filter_refuse(p, rec, ERROR_NO_CONTENT, "the document's text is empty");
  return 0;
}
