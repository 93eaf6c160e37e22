/* strip_filter.c: the loop of bid-strip: payload records or files in, document records out. */
#include "reader/strip_filter.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/digest.h"
#include "base/paths.h"
#include "record/error.h"
#include "base/utf8.h"
#include "filing/items.h"
#include "filing/outline.h"
#include "record/json.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum { TITLE_MAX = 512 /* limit of an outline entry's title, in bytes */ };

/* Fields of a payload, in the order of `fields`. */
enum { F_CONTENT, F_ENCODING, F_TYPE, F_METADATA, F_SOURCE, F_URL };
static const char *const fields[] = {"rawContent", "rawEncoding", "contentType", "metadata",
                                     "source",     "sourceUrl",   NULL};

/* ---- --items ---- */

int strip_filter_items(struct strip_filter *r, const char *list) {
  while (*list) {
    size_t n = strcspn(list, ", ");
    if (n >= sizeof r->items[0] || r->item_count == STRIP_FILTER_ITEMS)
      return -1;
    for (size_t i = 0; i < n; i++)
      r->items[r->item_count][i] = (char)toupper((unsigned char)list[i]);
    r->item_count += n > 0;
    list += n + strspn(list + n, ", ");
  }
  return r->item_count ? 0 : -1;
}

/* "1A" is matched by "1A", and II-1A by both forms; a heading "Items 1 and 2" matches both. */
static int same_item(const char *wanted, const char *item) {
  const char *dash = strchr(item, '-');
  return strcasecmp(wanted, item) == 0 || (dash && !strchr(wanted, '-') && strcasecmp(wanted, dash + 1) == 0);
}

static int is_wanted(const struct strip_filter *r, const struct doc_outline *o) {
  char numbers[ITEMLEAD_NUMBERS][8];
  size_t n = item_heading_numbers(o->title, numbers, ITEMLEAD_NUMBERS);
  for (size_t i = 0; i < r->item_count; i++) {
    if (o->item[0] && same_item(r->items[i], o->item))
      return 1;
    for (size_t k = 1; o->item[0] && k < n; k++)
      if (same_item(r->items[i], numbers[k]))
        return 1;
  }
  return 0;
}

/* A section that is kept starts on its original page. */
static size_t keep_page(struct doc *d, size_t breaks, size_t offset, int page) {
  if (page && (breaks == 0 || d->breaks[breaks - 1].page != page))
    d->breaks[breaks++] = (struct doc_break){offset, page};
  return breaks;
}

/* A section of the document: bytes [start, end) of its text, and the breaks of all of it. */
struct strip_section {
  size_t start, end;
  const struct doc_break *was;
  size_t was_count;
};

/* Appends a section's text to r->text and its breaks, which move along; returns their number. */
static size_t keep_section(struct strip_filter *r, struct doc *d, const struct strip_section *s,
                           size_t breaks) {
  size_t shift = s->start - r->text.len, b = 0;
  int page = 0;
  for (; b < s->was_count && s->was[b].offset <= s->start; b++)
    page = s->was[b].page;
  breaks = keep_page(d, breaks, r->text.len, page);
  for (; b < s->was_count && s->was[b].offset < s->end; b++)
    d->breaks[breaks++] = (struct doc_break){s->was[b].offset - shift, s->was[b].page};
  buf_add(&r->text, d->text.data + s->start, s->end - s->start);
  return breaks;
}

/* Keeps only the requested sections; text, outline and breaks move together. */
static size_t keep_items(struct strip_filter *r, struct doc *d) {
  size_t kept = 0, breaks = 0, sections = 0, was_count = d->break_count;
  struct doc_break *was = xmalloc((was_count + 1) * sizeof *was);
  for (size_t i = 0; i < was_count; i++)
    was[i] = d->breaks[i];
  buf_clear(&r->text);
  buf_reserve(&r->text, d->text.len);
  for (size_t i = 0, next; i < d->outline_count; i = next) {
    next = i + 1;
    if (d->outline[i].level != 2 || !is_wanted(r, &d->outline[i])) {
      free(d->outline[i].title);
      continue;
    }
    while (next < d->outline_count && d->outline[next].level > 2)
      next++;
    size_t start = d->outline[i].offset,
           end = next < d->outline_count ? d->outline[next].offset : d->text.len;
    size_t shift = start - r->text.len;
    breaks = keep_section(r, d, &(struct strip_section){start, end, was, was_count}, breaks);
    for (size_t k = i; k < next; k++) {
      d->outline[kept] = d->outline[k];
      d->outline[kept++].offset -= shift;
    }
    sections++;
  }
  while (r->text.len > 1 && r->text.data[r->text.len - 1] == '\n' && r->text.data[r->text.len - 2] == '\n')
    r->text.data[--r->text.len] = '\0'; /* a document ends with one newline */
  free(was);
  d->outline_count = kept;
  d->break_count = breaks;
  struct buf whole = d->text;
  d->text = r->text;
  r->text = whole;
  return sections;
}

/* ---- writing ---- */

static void add_outline(struct buf *out, const struct doc *d) {
  json_key(out, "outline");
  buf_add_char(out, '[');
  for (size_t i = 0; i < d->outline_count; i++) {
    const struct doc_outline *o = &d->outline[i];
    if (i)
      buf_add_char(out, ',');
    buf_add_char(out, '{');
    json_uint(out, "offset", o->offset);
    json_int(out, "level", o->level);
    size_t title = strlen(o->title);
    json_str(out, "title", slice_of(o->title, title < TITLE_MAX ? title : utf8_floor(o->title, TITLE_MAX)));
    if (o->item[0])
      json_cstr(out, "item", o->item);
    if (o->page)
      json_int(out, "page", o->page);
    json_hundredths(out, "confidence", o->confidence);
    buf_add_char(out, '}');
  }
  buf_add_char(out, ']');
}

static void add_breaks(struct buf *out, const struct doc *d) {
  if (!d->break_count)
    return;
  json_key(out, "breaks");
  buf_add_char(out, '[');
  for (size_t i = 0; i < d->break_count; i++) {
    buf_add_str(out, i ? ",{" : "{");
    json_uint(out, "offset", d->breaks[i].offset);
    json_int(out, "page", d->breaks[i].page);
    buf_add_char(out, '}');
  }
  buf_add_char(out, ']');
}

/* Appends "#" and the name by which a part goes: its file's, or its number.  Where parts share one, the second gets
 * "%282%29" behind it, and so on. */
static void add_part_name(struct strip_filter *r, struct buf *url, const struct metadata *m) {
  const char *file = metadata_get(m, METADATA_FILE_NAME);
  size_t from = url->len;
  if (*file) {
    buf_add_char(url, '#');
    paths_url_escape(url, file, "");
  } else {
    buf_printf(url, "#part-%d", m->part);
  }
  size_t len = url->len;
  unsigned nth = hash_counts_add(&r->parts, slice_of(url->data + from, len - from));
  for (unsigned taken = nth; taken > 1;) { /* what results may be a name, too */
    url->len = len;
    buf_printf(url, "%%28%u%%29", nth++);
    taken = hash_counts_add(&r->parts, slice_of(url->data + from, url->len - from));
  }
}

/* Each part of a submission or container gets its own URL. */
static void add_url(struct strip_filter *r, struct buf *out, const struct metadata *m) {
  struct buf url;
  buf_init(&url, 65536);
  if (r->raw_url)
    buf_add_str(&url, r->raw_url);
  else
    buf_add_slice(&url, json_text(r->url, &r->scratch));
  if (m->part)
    add_part_name(r, &url, m);
  if (url.len)
    json_str(out, "sourceUrl", buf_slice(&url));
  buf_release(&url);
}

/* Copies the record's fields except those that are replaced. */
static void open_document(struct strip_filter *r, struct buf *out, const struct metadata *m) {
  static const char *const replaced[] = {"rawContent",        "rawEncoding", "text",      "outline", "breaks",
                                         "outlineConfidence", "metadata",    "sourceUrl", NULL};
  if (r->rec) {
    record_open_without(out, r->rec, replaced);
    add_url(r, out, m);
    return;
  }
  char stamp[CLOCK_TEXT];
  clock_stamp(stamp);
  buf_add_char(out, '{');
  json_cstr(out, "source", "file");
  add_url(r, out, m);
  json_cstr(out, "capturedAt", stamp);
  json_cstr(out, "sha256", r->raw_digest);
}

static void on_fault(void *arg, const char *category, const char *message) {
  struct strip_filter *r = arg;
  struct buf url;
  buf_init(&url, 65536);
  if (r->raw_url)
    buf_add_str(&url, r->raw_url);
  else
    json_decode(r->url, &url);
  r->shown++;
  r->matched++;
  program_error(r->p, r->rec, category, json_text(r->source, &r->scratch), buf_slice(&url), "%s%s%s",
                r->rec ? "" : r->p->input_name, r->rec ? "" : ": ", message);
  buf_release(&url);
}

/* Says once what a reader knows that it left out; a page's hidden text is furniture of its program. */
static void warn_omitted(struct strip_filter *r, const struct doc *d, const struct metadata *m) {
  size_t some = 0;
  for (size_t i = DOC_HIDDEN_TEXT + 1; i < DOC_OMITTED; i++)
    some += d->omitted[i];
  if (!some)
    return;
  struct slice name = r->rec ? json_text(r->url, &r->scratch) : slice_str(r->p->input_name);
  if (m->bare_pages)
    diag_warn("%.*s: pages %s have no text: they are most likely scanned", (int)name.len, name.data,
              m->bare_pages);
  else
    diag_warn("%.*s: left out: %s", (int)name.len, name.data, m->omitted);
}

static void on_document(void *arg, struct doc *d, const struct metadata *m, double confidence) {
  struct strip_filter *r = arg;
  struct buf *out = &r->p->out.buf;
  size_t start = out->len;
  r->shown++;
  if (m->doubt && !r->p->quiet) {
    struct slice name = r->rec ? json_text(r->url, &r->scratch) : slice_str(r->p->input_name);
    diag_warn("%.*s: %s", (int)name.len, name.data, m->doubt);
  }
  if (!r->p->quiet)
    warn_omitted(r, d, m);
  if (r->item_count && !keep_items(r, d))
    return;
  r->matched++;
  if (r->p->people) {
    buf_add_masked_lines(out, buf_slice(&d->text));
  } else {
    open_document(r, out, m);
    json_str(out, "text", buf_slice(&d->text));
    add_outline(out, d);
    add_breaks(out, d);
    if (confidence >= 0)
      buf_printf(out, ",\"outlineConfidence\":%.2f", confidence);
    metadata_write(out, m, r->metadata);
    record_close(out);
  }
  if (out->overflow || out->len - start > RECORD_MAX) {
    out->len = start;
    out->overflow = 0;
    on_fault(r, ERROR_INVALID_REQUEST, "the document is larger than a record may be; see --max-bytes");
    return;
  }
  r->documents++;
  r->text_bytes += (double)d->text.len;
  r->unsure += confidence >= 0 && confidence <= OUTLINE_DOUBTED;
  output_flush_if_full(&r->p->out);
}

/* ---- payloads ---- */

/* The name of a local file; NULL for a source's document. */
static const char *own_name(struct strip_filter *r, struct buf *name) {
  struct slice kind = json_get(r->metadata, "kind");
  if (json_kind(r->metadata) != '{' || !slice_is(kind, "\"file\""))
    return NULL;
  buf_add_slice(name, json_text(r->url, &r->scratch));
  const char *slash = name->data ? strrchr(name->data, '/') : NULL;
  return slash ? slash + 1 : "";
}

static void strip_bytes(struct strip_filter *r, struct slice bytes, struct slice declared) {
  struct strip_events events = {on_document, on_fault, r};
  struct metadata m = {0};
  struct buf name;
  buf_init(&name, 65536);
  m.own = own_name(r, &name);
  r->shown = r->matched = 0;
  metadata_load(&m, r->metadata);
  strip_payload(r->stripper, bytes, declared, &m, &events);
  if (r->shown && !r->matched)
    on_fault(r, ERROR_NO_CONTENT, "none of the items asked for was found");
  metadata_release(&m);
  hash_counts_release(&r->parts);
  buf_release(&name);
}

/* Decodes a string in the reader's buffer to avoid a second copy; a '\0' replaces its closing quote or an earlier
 * byte. */
static struct slice text_in_place(struct slice value) {
  char *bytes = (char *)(uintptr_t)value.data;
  struct slice text = json_text_in_place(value, bytes);
  bytes[1 + text.len] = '\0';
  return text;
}

/* The bytes of a payload, which stay until the next one.  NULL, or the fault (static). */
static const char *decode_content(struct strip_filter *r, const struct record *rec, struct slice *bytes) {
  struct slice encoding = json_text(rec->field[F_ENCODING], &r->scratch);
  struct buf decoded;
  *bytes = text_in_place(rec->field[F_CONTENT]);
  if (encoding.len == 0)
    return NULL;
  if (!slice_is(encoding, "base64"))
    return "rawEncoding is not base64, the only one there is";
  buf_init(&decoded, RECORD_MAX);
  int bad = base64_decode(*bytes, &decoded);
  buf_release(&r->raw);
  r->raw = decoded;
  *bytes = buf_slice(&r->raw);
  return bad ? "rawContent is not base64" : NULL;
}

static int strip_record(struct program *p, const struct record *rec, void *arg) {
  struct strip_filter *r = arg;
  struct slice bytes;
  struct buf type;
  r->rec = rec;
  r->metadata = rec->field[F_METADATA];
  r->source = rec->field[F_SOURCE];
  r->url = rec->field[F_URL];
  if (json_kind(rec->field[F_CONTENT]) != '"') {
    program_error(p, rec, ERROR_INVALID_REQUEST, slice_of(NULL, 0), slice_of(NULL, 0),
                  "a payload needs rawContent, a string");
    return 0;
  }
  const char *fault = record_metadata_fault(r->metadata);
  if (fault) {
    on_fault(r, ERROR_INVALID_REQUEST, fault);
    return 0;
  }
  fault = decode_content(r, rec, &bytes);
  if (fault) {
    on_fault(r, ERROR_INVALID_REQUEST, fault);
    return 0;
  }
  buf_init(&type, 4096);
  strip_bytes(r, bytes, json_text(rec->field[F_TYPE], &type));
  buf_release(&type);
  return 0;
}

static struct slice extension_of(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? slice_str(dot + 1) : slice_of(NULL, 0);
}

static void strip_file(struct strip_filter *r, const char *name) {
  char path[PATH_MAX] = "/dev/stdin";
  struct buf url;
  int fd = program_open(r->p, name);
  if (fd < 0)
    return;
  buf_clear(&r->raw);
  int failed = buf_read_fd(&r->raw, fd);
  program_close(fd);
  if (failed) {
    diag_errno("%s", r->p->input_name);
    program_fail(r->p, errno == EFBIG ? EX_DATAERR : EX_IOERR);
    return;
  }
  if (fd != STDIN_FILENO && !realpath(name, path))
    snprintf(path, sizeof path, "%s", name);
  buf_init(&url, 16384);
  paths_url_add(&url, path);
  r->raw_url = url.data;
  digest_hex_of(r->raw.data, r->raw.len, r->raw_digest);
  strip_bytes(r, buf_slice(&r->raw), r->type ? slice_str(r->type) : extension_of(name));
  buf_release(&url);
  r->p->records++;
  r->p->bytes_in += r->raw.len;
  output_flush_if_full(&r->p->out);
}

void strip_filter_files(struct strip_filter *r) {
  if (!r->p->operand_count)
    strip_file(r, "-");
  for (int i = 0; i < r->p->operand_count && !r->p->out.error; i++)
    strip_file(r, r->p->operands[i]);
}

void strip_filter_records(struct strip_filter *r) {
  r->p->reads = "payload records, as bid-fetch writes them; files themselves with --raw";
  program_each_record(r->p, fields, strip_record, r);
}

static void strip_filter_stats(struct strip_filter *r) {
  program_stat(r->p, "documents", r->documents);
  program_stat(r->p, "textBytes", r->text_bytes);
  program_stat(r->p, "lowConfidence", r->unsure);
}

void strip_filter_init(struct strip_filter *r, struct program *p, const struct strip_options *o) {
  memset(r, 0, sizeof *r);
  r->p = p;
  buf_init(&r->raw, RECORD_MAX);
  buf_init(&r->scratch, RECORD_MAX);
  buf_init(&r->text, RECORD_MAX);
  r->stripper = strip_new(o);
}

void strip_filter_release(struct strip_filter *r) {
  strip_filter_stats(r);
  strip_free(r->stripper);
  buf_release(&r->raw);
  buf_release(&r->scratch);
  buf_release(&r->text);
}
