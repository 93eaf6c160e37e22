/* strip.c: from the bytes of a payload to documents: the reader of its kind, then page furniture, cover and outline.
 *
 * The parts of full submissions, archives and mails are documents of their own. */
#include "reader/strip.h"
#include "filing/cover.h"
#include "filing/outline.h"
#include "filing/page_furniture.h"
#include "format/charset.h"
#include "format/content_type.h"
#include "format/submission.h"
#include "html/html.h"
#include "reader/container_reader.h"
#include "reader/office.h"
#include "reader/own_document.h"
#include "reader/pdf_reader.h"
#include "reader/text_reader.h"
#include "reader/xml_reader.h"
#include "record/error.h"
#include "record/metadata.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* ---- metadata that a document states of itself, beside those that it was given ---- */

/* one: converts the bytes of a part with its declared type; arg is passed on to it.  Each part is given to it, or a fault to ev. */
struct strip_parts {
  void (*one)(void *arg, struct slice bytes, struct slice declared, struct metadata *m,
              const struct strip_events *ev);
  void *arg;
  const struct strip_events *ev;
};

static int is_fiscal_year(struct slice s) {
  return s.len == 4 && strspn(s.data, "0123456789") >= 4;
}

static int is_period(struct slice s) {
  return slice_is(s, "FY") || (s.len == 2 && s.data[0] == 'Q' && s.data[1] >= '1' && s.data[1] <= '4');
}

/* Whether a word given as the company may denote it: its ticker, number, or a part of its name. */
static int given_names(const char *given, const struct html_facts *f) {
  size_t n = strlen(given);
  if (n == f->ticker.len && strncasecmp(given, f->ticker.data, n) == 0)
    return 1;
  for (size_t i = 0; i + n <= f->registrant.len; i++)
    if (strncasecmp(f->registrant.data + i, given, n) == 0)
      return 1;
  struct slice cik = f->cik;
  while (cik.len && *cik.data == '0')
    cik = slice_of(cik.data + 1, cik.len - 1);
  return cik.len && slice_is(cik, given + strspn(given, "0"));
}

/* For local files: records a contradiction between the metadata given and the document itself. */
static void doubt_company(struct metadata *m, struct slice company, struct slice ticker, const char *given) {
  char text[512];
  snprintf(text, sizeof text, "the document says that it is of %.*s%s%.*s%s, not of %.60s",
           (int)(company.len < 200 ? company.len : 200), company.data, ticker.len ? " (" : "",
           (int)(ticker.len < 60 ? ticker.len : 60), ticker.data ? ticker.data : "", ticker.len ? ")" : "",
           given);
  free(m->doubt);
  m->doubt = xstrdup(text);
}

static void doubt_facts(const struct html_facts *f, struct metadata *m) {
  const char *given = metadata_get(m, METADATA_TICKER);
  if (m->own && *given && f->registrant.len && f->ticker.len && !given_names(given, f))
    doubt_company(m, f->registrant, f->ticker, given);
}

/* Whether a word may be an abbreviation of a name: its letters occur in the name in this order, the first one at
 * the start. */
static int is_short_for(const char *word, const char *name) {
  if (tolower((unsigned char)*word) != tolower((unsigned char)*name))
    return 0;
  for (; *word && *name; name++)
    word += tolower((unsigned char)*word) == tolower((unsigned char)*name);
  return *word == '\0';
}

/* The same doubt from a cover page, which has a name but often no ticker: a given ticker that can't be an abbreviation of
 * the name is doubtful.  had_company: the name was known before the cover page was read. */
static void strip_metadata_doubt_cover(struct metadata *m, int had_company) {
  const char *given = metadata_get(m, METADATA_TICKER), *company = metadata_get(m, METADATA_COMPANY);
  if (m->own && *given && !had_company && *company && !is_short_for(given, company))
    doubt_company(m, slice_str(company), slice_of(NULL, 0), given);
}

/* Fills gaps of the metadata from a document's inline XBRL.  Where they name another company than a local file was given
 * as, m->doubt says so. */
static void strip_metadata_add_facts(const struct html_facts *f, struct metadata *m) {
  doubt_facts(f, m);
  metadata_set(m, METADATA_COMPANY, f->registrant);
  metadata_set(m, METADATA_TICKER, f->ticker);
  metadata_set_cik(m, f->cik);
  metadata_set(m, METADATA_FORM, f->document_type);
  metadata_set_date(m, METADATA_REPORT_DATE, f->period_end);
  if (is_fiscal_year(f->fiscal_year))
    metadata_set(m, METADATA_FISCAL_YEAR, f->fiscal_year);
  if (is_period(f->fiscal_period))
    metadata_set(m, METADATA_FISCAL_PERIOD, f->fiscal_period);
  if (!slice_is(f->title, "Document") && !slice_eq(f->title, f->document_type)) /* placeholder title */
    metadata_set(m, METADATA_TITLE, f->title);
}

/* ---- parts ---- */

#define KINDS_MAX 8 /* limit of kinds of omitted parts */

struct strip_tally {
  const char *kind[KINDS_MAX];
  int count[KINDS_MAX];
};

static void count_kind(struct strip_tally *t, const char *kind) {
  for (int i = 0; i < KINDS_MAX; i++) {
    if (t->kind[i] && strcmp(t->kind[i], kind) != 0)
      continue;
    t->kind[i] = kind;
    t->count[i]++;
    return;
  }
}

/* Returns {"graphic":2,"zip":1}, or NULL where nothing is omitted; also counts all parts. */
static char *count_omitted(struct submission s, int *parts) {
  struct strip_tally t = {0};
  struct submission_part part;
  char text[256] = "{";
  size_t n = 1;
  while (submission_next(&s, &part))
    if (part.omit)
      count_kind(&t, part.omit);
  *parts = s.parts;
  if (!t.kind[0])
    return NULL;
  for (int i = 0; i < KINDS_MAX && t.kind[i]; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\":%d", i ? "," : "", t.kind[i], t.count[i]);
  snprintf(text + n, sizeof text - n, "}");
  return xstrdup(text);
}

static void strip_part_metadata(struct metadata *m, const struct metadata *whole,
                                const struct submission_part *part) {
  m->part = part->number;
  metadata_set(m, METADATA_TYPE, part->type);
  metadata_set(m, METADATA_FILE_NAME, part->file_name);
  if (!slice_eq(part->description, part->type)) /* a description that only repeats the type */
    metadata_set(m, METADATA_TITLE, part->description);
  free(m->omitted);
  m->omitted = whole->omitted ? xstrdup(whole->omitted) : NULL;
  m->own = whole->own;
  struct metadata from = *whole; /* borrowed: fields of the whole submission */
  from.value[METADATA_TYPE] = from.value[METADATA_TITLE] = from.value[METADATA_FILE_NAME] =
      from.value[METADATA_EXHIBIT] = NULL;
  metadata_inherit(m, &from);
}

static void strip_part(const struct strip_parts *p, const struct submission_part *part,
                       const struct metadata *whole) {
  struct metadata m = {0};
  struct slice body = part->body;
  struct buf decoded;
  buf_init(&decoded, body.len + 1);
  strip_part_metadata(&m, whole, part);
  if (part->encoded && submission_uudecode(body, &decoded) < 0 && !decoded.len)
    p->ev->fault(p->ev->arg, ERROR_INVALID_REQUEST, "a uuencoded part can't be decoded");
  else
    p->one(p->arg, part->encoded ? buf_slice(&decoded) : body, slice_of(NULL, 0), &m, p->ev);
  buf_release(&decoded);
  metadata_release(&m);
}

struct strip_container {
  const struct strip_parts *parts;
  const struct metadata *whole;
  int alone; /* the only document: it is the payload itself */
};

static void container_metadata(struct metadata *m, const struct strip_container *c,
                               const struct container_part *part) {
  struct submission_part named = {.number = c->alone ? 0 : part->number,
                                  .file_name = slice_str(part->name),
                                  .description = slice_str(part->title)};
  strip_part_metadata(m, c->whole, &named);
  metadata_set_date(m, METADATA_FILING_DATE, slice_str(part->date));
}

static void strip_container_part(void *arg, const struct container_part *part) {
  const struct strip_container *c = arg;
  struct metadata m = {0};
  container_metadata(&m, c, part);
  if (submission_is(part->bytes))
    c->parts->ev->fault(c->parts->ev->arg, ERROR_INVALID_REQUEST,
                        "a full submission inside of an archive: give the archive to bid-fetch file");
  else
    c->parts->one(c->parts->arg, part->bytes, part->declared, &m, c->parts->ev);
  metadata_release(&m);
}

static void strip_container_fault(void *arg, const struct container_part *part, const char *category,
                                  const char *message) {
  const struct strip_container *c = arg;
  struct buf text;
  buf_init(&text, 4096);
  buf_printf(&text, "%s%s%s", part->name, *part->name ? ": " : "", message);
  c->parts->ev->fault(c->parts->ev->arg, category, text.data ? text.data : message);
  buf_release(&text);
}

static void strip_parts_of_container(const struct strip_parts *p, struct slice bytes, enum content_kind kind,
                                     const struct metadata *m) {
  struct strip_container c = {p, m, 0};
  struct container_events events = {strip_container_part, strip_container_fault, &c};
  c.alone = kind == CONTENT_MAIL && container_reader_read(bytes, kind, NULL) == 1;
  if (!container_reader_read(bytes, kind, &events))
    p->ev->fault(p->ev->arg, ERROR_NO_CONTENT, "the archive holds no document");
}

/* m holds what is known of the whole, and is completed from a submission's header. */
static void strip_parts_of_submission(const struct strip_parts *p, struct slice bytes, struct metadata *m) {
  struct submission sub;
  struct submission_part part;
  int shown = 0, parts;
  submission_open(&sub, bytes, m);
  free(m->omitted);
  m->omitted = count_omitted(sub, &parts);
  while (submission_next(&sub, &part)) {
    if (part.number == 1)
      metadata_set(m, METADATA_PRIMARY, part.file_name);
    int exhibit = part.type.len > 3 && strncasecmp(part.type.data, "EX-", 3) == 0;
    if (part.number == 1 && !exhibit && !*metadata_get(m, METADATA_FORM))
      metadata_set(m, METADATA_FORM, part.type); /* a single <DOCUMENT> has no header */
    if (part.omit)
      continue;
    shown++;
    part.number = parts > 1 ? part.number : 0; /* a single one is the document itself */
    strip_part(p, &part, m);
  }
  if (!shown)
    p->ev->fault(p->ev->arg, ERROR_NO_CONTENT, "the submission holds no document with text");
}

/* ---- one document ---- */

struct stripper {
  struct strip_options o;
  struct doc d;
  struct buf scratch; /* text of a PDF, or bytes of a uuencoded part */
};

struct stripper *strip_new(const struct strip_options *o) {
  struct stripper *s = xcalloc(1, sizeof *s);
  s->o = *o;
  doc_init(&s->d, o->out.max_text);
  buf_init(&s->scratch, (size_t)64 << 20);
  return s;
}

void strip_free(struct stripper *s) {
  doc_release(&s->d);
  buf_release(&s->scratch);
  free(s);
}

static int read_html(struct stripper *s, struct slice bytes, struct slice declared, struct metadata *m) {
  char charset[64];
  struct html_facts facts = {0};
  struct doc_options o = s->o.out;
  o.charset = content_type_charset(declared, charset, sizeof charset);
  int cut = html_read(&s->d, bytes, &o, &facts);
  strip_metadata_add_facts(&facts, m);
  html_facts_release(&facts);
  return cut != 0;
}

static int strip_read_text(struct stripper *s, struct slice bytes, int laid_out) {
  struct doc_options o = s->o.out;
  o.laid_out = laid_out;
  return text_reader_read(&s->d, bytes, &o) != 0;
}

/* For local files: uses the PDF's properties where nothing else is known. */
static void pdf_facts(struct slice bytes, struct metadata *m) {
  struct pdf_reader_facts f;
  if (!m->own || (*metadata_get(m, METADATA_TITLE) && *metadata_get(m, METADATA_FILING_DATE)))
    return;
  pdf_reader_facts_of(bytes, &f);
  if (!own_document_is_placeholder(slice_str(f.title)))
    metadata_set(m, METADATA_TITLE, slice_str(f.title));
  memcpy(m->changed, f.day, sizeof m->changed);
}

/* Notes the pages without text, between form feeds: most are scanned. */
static void note_bare_pages(struct slice text, struct doc *d, struct metadata *m) {
  struct buf list;
  int page = 1;
  buf_init(&list, 1 << 16);
  for (size_t i = 0, shown = 0; i < text.len; i++) {
    shown |= !isspace((unsigned char)text.data[i]);
    if (text.data[i] != '\f')
      continue;
    if (!shown) {
      d->omitted[DOC_BARE_PAGES]++;
      buf_printf(&list, "%s%d", list.len ? "," : "[", page);
    }
    page++;
    shown = 0;
  }
  if (list.len && buf_add_char(&list, ']') == 0)
    m->bare_pages = xstrdup(list.data);
  buf_release(&list);
}

/* The text of a PDF is laid out with form feeds and then read as plain text. */
static int read_pdf(struct stripper *s, struct slice bytes, struct metadata *m,
                    const struct strip_events *ev) {
  static const char *const categories[] = {[PDF_EMPTY] = ERROR_NO_CONTENT,
                                           [PDF_ENCRYPTED] = ERROR_AUTH_FAILED,
                                           [PDF_BROKEN] = ERROR_INVALID_REQUEST,
                                           [PDF_LIMIT] = ERROR_INVALID_REQUEST,
                                           [PDF_NO_TOOL] = ERROR_UNAVAILABLE};
  struct error_text e;
  struct buf text;
  buf_init(&text, 4 * s->o.out.max_text);
  enum pdf_reader_status status = pdf_reader_text(bytes, &text, &e);
  if (status != PDF_OK)
    ev->fault(ev->arg, categories[status], e.text);
  int cut = status == PDF_OK ? strip_read_text(s, buf_slice(&text), 1) : -1;
  if (cut >= 0)
    note_bare_pages(buf_slice(&text), &s->d, m);
  buf_release(&text);
  return cut;
}

static int strip_read_xml(struct stripper *s, struct slice bytes, struct slice declared, struct metadata *m) {
  char charset[64];
  struct buf decoded;
  buf_init(&decoded, 4 * bytes.len + 64);
  struct slice text =
      charset_read(bytes, content_type_charset(declared, charset, sizeof charset), 1, &decoded);
  int r = xml_reader_read(&s->d, text, &s->o.out, m);
  if (r < 0)
    r = read_html(s, text, slice_str("text/html; charset=utf-8"), m); /* not well-formed */
  buf_release(&decoded);
  return r;
}

static int read_data(struct stripper *s, struct slice bytes, enum content_kind kind, struct metadata *m) {
  if (kind == CONTENT_JSON)
    return data_reader_json(&s->d, bytes, &s->o.out, m);
  return data_reader_csv(&s->d, bytes, &s->o.out);
}

static int read_office(struct stripper *s, struct slice bytes, enum content_kind kind, struct metadata *m,
                       const struct strip_events *ev) {
  struct error_text why;
  office_reader *read = kind == CONTENT_DOCX   ? docx_reader_read
                        : kind == CONTENT_XLSX ? xlsx_reader_read
                                               : pptx_reader_read;
  int cut = office_reader_read(&s->d, bytes, read, &s->o.out, m, &why);
  if (cut < 0)
    ev->fault(ev->arg, ERROR_INVALID_REQUEST, why.text);
  cut |= cut == 0 && s->d.lost.text[0];
  if (!m->own) { /* else own_document.h, which knows better ones */
    own_document_file_day(m);
    metadata_set(m, METADATA_COMPANY, slice_str(m->maker));
  }
  return cut;
}

/* A password-protected office file is a compound file (MS-CFB) with a stream of this name, in UTF-16 ([MS-OFFCRYPTO]
 * 2.3.4.4). */
static int is_encrypted_office(struct slice bytes) {
  static const char magic[] = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
                    name[] = "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e";
  return bytes.len > sizeof magic && memcmp(bytes.data, magic, sizeof magic - 1) == 0 &&
         memmem(bytes.data, bytes.len, name, sizeof name - 1) != NULL;
}

/* UTF-8 */
static int read_markdown(struct stripper *s, struct slice text, struct metadata *m) {
  struct buf html;
  buf_init(&html, TEXT_READER_GROWTH * text.len + 4096);
  int cut = text_reader_markdown(text, &html);
  cut = cut < 0 ? strip_read_text(s, text, 0)
                : read_html(s, buf_slice(&html), slice_str("text/html"), m) || cut;
  buf_release(&html);
  return cut;
}

/* Plain text, Markdown and CSV in any encoding. */
static int strip_read_plain(struct stripper *s, struct slice bytes, struct slice declared,
                            enum content_kind kind, struct metadata *m) {
  char charset[64];
  struct buf decoded;
  buf_init(&decoded, 4 * bytes.len + 64);
  struct slice text =
      charset_read(bytes, content_type_charset(declared, charset, sizeof charset), 0, &decoded);
  int cut;
  if (kind == CONTENT_CSV)
    cut = read_data(s, text, kind, m);
  else
    cut = kind == CONTENT_MARKDOWN ? read_markdown(s, text, m) : strip_read_text(s, text, 0);
  buf_release(&decoded);
  return cut;
}

/* 0, 1 where the text was truncated at the limit, or -1 after reporting a fault. */
static int read_any(struct stripper *s, struct slice bytes, struct slice declared, enum content_kind kind,
                    struct metadata *m, const struct strip_events *ev) {
  switch (kind) {
  case CONTENT_HTML:
    return read_html(s, bytes, declared, m);
  case CONTENT_PDF:
    pdf_facts(bytes, m);
    return read_pdf(s, bytes, m, ev);
  case CONTENT_XML:
    return strip_read_xml(s, bytes, declared, m);
  case CONTENT_JSON:
    return read_data(s, bytes, kind, m);
  case CONTENT_DOCX:
  case CONTENT_XLSX:
  case CONTENT_PPTX:
    return read_office(s, bytes, kind, m, ev);
  case CONTENT_EMPTY:
    ev->fault(ev->arg, ERROR_NO_CONTENT, "the content is empty");
    return -1;
  case CONTENT_BINARY:
    if (is_encrypted_office(bytes))
      ev->fault(ev->arg, ERROR_AUTH_FAILED, "the office file is encrypted: a password is needed");
    else
      ev->fault(ev->arg, ERROR_NO_CONTENT,
                "the content is binary and holds no text (an image, or an office file from before 2007)");
    return -1;
  default:
    return strip_read_plain(s, bytes, declared, kind, m);
  }
}

static int strip_is_exhibit(const struct metadata *m) {
  return strncasecmp(metadata_get(m, METADATA_TYPE), "EX-", 3) == 0;
}

/* A part's own type decides: an exhibit of a 10-K has no items. */
static enum outline_form strip_form_of(struct stripper *s, struct metadata *m) {
  const char *type = metadata_get(m, METADATA_TYPE);
  if (*type && !strip_is_exhibit(m) && !*metadata_get(m, METADATA_FORM))
    metadata_set(m, METADATA_FORM, slice_str(type)); /* without its header */
  if (*type && outline_form_of(type) == OUTLINE_PLAIN && strcmp(type, metadata_get(m, METADATA_FORM)) != 0)
    return OUTLINE_PLAIN;
  if (!*metadata_get(m, METADATA_FORM))
    cover_form(&s->d, m);
  const char *form = *metadata_get(m, METADATA_FORM) ? NULL : outline_sniff(&s->d);
  if (form)
    metadata_set(m, METADATA_FORM, slice_str(form));
  return outline_form_of(*type ? type : metadata_get(m, METADATA_FORM));
}

static int has_structure(enum content_kind kind) {
  return kind == CONTENT_HTML || kind == CONTENT_TEXT || kind == CONTENT_PDF || kind == CONTENT_MARKDOWN;
}

/* For data formats, the outline is the headings that the reader wrote. */
static void outline_of_headings(struct doc *d) {
  for (size_t i = 0; i < d->block_count; i++) {
    const struct doc_block *b = &d->blocks[i];
    if (b->kind != DOC_HEADING)
      continue;
    const char *t = d->text.data + b->start;
    size_t marks = strspn(t, "# ");
    struct doc_outline *o = doc_add_outline(d);
    o->offset = b->start;
    o->level = b->level + 2;
    o->title = xstrndup(t + marks, b->end - b->start - marks);
    o->page = doc_page_at(d, b->start);
    o->confidence = 1;
  }
}

/* Drops breaks after all text, which start no page. */
static void drop_last_breaks(struct doc *d) {
  while (d->break_count && d->breaks[d->break_count - 1].offset >= d->text.len)
    d->break_count--;
}

/* Text before the first page break is a page too. */
static void add_first_page(struct doc *d) {
  if (!d->break_count || d->breaks[0].offset == 0)
    return;
  doc_add_break(d);
  memmove(d->breaks + 1, d->breaks, (d->break_count - 1) * sizeof *d->breaks);
  d->breaks[0] = (struct doc_break){0, d->breaks[1].page > 1 ? d->breaks[1].page - 1 : 1};
}

/* Adds what the reader left out to the counts of the whole, {"graphic":2}. */
static void add_omitted(const struct doc *d, struct metadata *m) {
  static const char *const names[] = {
#define X(name, text) text,
      METADATA_OMITTED(X)
#undef X
  };
  struct buf list;
  buf_init(&list, 4096);
  if (m->omitted)
    buf_add(&list, m->omitted, strlen(m->omitted) - 1);
  for (size_t i = 0; i < DOC_OMITTED; i++)
    if (d->omitted[i])
      buf_printf(&list, "%s\"%s\":%u", list.len > 1 ? "," : list.len ? "" : "{", names[i], d->omitted[i]);
  if (list.len > 1) {
    buf_add_char(&list, '}');
    free(m->omitted);
    m->omitted = xstrdup(list.data);
  }
  buf_release(&list);
}

static double structure(struct stripper *s, enum content_kind kind, struct metadata *m) {
  if (!has_structure(kind)) {
    outline_of_headings(&s->d);
    return -1;
  }
  if (!s->o.keep_furniture)
    page_furniture_remove(&s->d);
  page_join(&s->d);
  enum outline_form form = strip_form_of(s, m);
  int proxy = strcmp(metadata_get(m, METADATA_FORM), "DEF 14A") == 0;
  int periodic = !proxy && form != OUTLINE_PLAIN && form != OUTLINE_8K && form != OUTLINE_OFFERING;
  int had_company = *metadata_get(m, METADATA_COMPANY) != '\0';
  if (!strip_is_exhibit(m) && form != OUTLINE_SCHEDULE)
    cover_read(&s->d, m, periodic);
  strip_metadata_doubt_cover(m, had_company);
  return outline_find(&s->d, form, s->o.out.plain);
}

/* The items of an 8-K are its subject; they are listed where the header didn't name them. */
static void list_items(const struct doc *d, struct metadata *m) {
  struct buf list;
  buf_init(&list, 256);
  for (size_t i = 0; i < d->outline_count; i++) {
    if (!d->outline[i].item[0])
      continue;
    if (list.len)
      buf_add_char(&list, ',');
    buf_add_str(&list, d->outline[i].item);
  }
  metadata_set(m, METADATA_ITEMS, buf_slice(&list));
  buf_release(&list);
}

static size_t count_pictures(struct slice bytes) {
  size_t count = 0;
  for (size_t i = 0; i + 4 < bytes.len; i++)
    count += bytes.data[i] == '<' && strncasecmp(bytes.data + i + 1, "img", 3) == 0 &&
             !isalnum((unsigned char)bytes.data[i + 4]);
  return count;
}

/* Says which part of a submission has no text, and whether its pages are pictures. */
static void fault_no_text(struct slice bytes, enum content_kind kind, const struct metadata *m,
                          const struct strip_events *ev) {
  const char *type = metadata_get(m, METADATA_TYPE), *name = metadata_get(m, METADATA_FILE_NAME);
  size_t pictures = kind == CONTENT_HTML ? count_pictures(bytes) : 0;
  struct buf text;
  buf_init(&text, 4096);
  buf_printf(&text, "%s%s%s%s", type, *type && *name ? " " : "", name, *type || *name ? ": " : "");
  if (pictures)
    buf_printf(&text, "the document has %zu picture%s and no text", pictures, pictures == 1 ? "" : "s");
  else
    buf_add_str(&text, "the document shows no text");
  ev->fault(ev->arg, ERROR_NO_CONTENT, text.data ? text.data : "the document shows no text");
  buf_release(&text);
}

static void strip_one(void *stripper, struct slice bytes, struct slice declared, struct metadata *m,
                      const struct strip_events *ev) {
  struct stripper *s = stripper;
  enum content_kind kind = content_type_of(bytes, declared);
  doc_clear(&s->d);
  s->d.text.max = s->o.out.max_text;
  int cut = read_any(s, bytes, declared, kind, m, ev);
  if (cut < 0)
    return;
  add_omitted(&s->d, m);
  if (s->d.lost.text[0])
    ev->fault(ev->arg, ERROR_INVALID_REQUEST, s->d.lost.text);
  if (strip_is_exhibit(m))
    metadata_set(m, METADATA_EXHIBIT, slice_str(metadata_get(m, METADATA_TYPE)));
  double confidence = structure(s, kind, m);
  drop_last_breaks(&s->d);
  add_first_page(&s->d);
  if (outline_form_of(metadata_get(m, METADATA_FORM)) == OUTLINE_8K && confidence >= 0)
    list_items(&s->d, m);
  if (!s->d.block_count) {
    fault_no_text(bytes, kind, m, ev);
    return;
  }
  if (confidence >= OUTLINE_MIN_CONFIDENCE && confidence <= OUTLINE_DOUBTED && !m->doubt)
    m->doubt = xstrdup("the outline is doubtful: an item that such a report has was not found, or titles "
                       "alone tell the items");
  if (slice_holds_nocase(declared, "pdf") && (kind == CONTENT_TEXT || kind == CONTENT_HTML) && !m->doubt)
    m->doubt = xstrdup(kind == CONTENT_TEXT ? "it is called a PDF, but is plain text, and was read as that"
                                            : "it is called a PDF, but is HTML, and was read as that");
  if (m->own)
    own_document_describe(&s->d, kind, &s->o, m);
  m->truncated = cut;
  m->pages = s->d.break_count ? (int)(s->d.break_count + (s->d.breaks[0].offset > 0)) : 0;
  ev->document(ev->arg, &s->d, m, confidence);
}

void strip_payload(struct stripper *s, struct slice bytes, struct slice declared, struct metadata *m,
                   const struct strip_events *ev) {
  const struct strip_parts parts = {strip_one, s, ev};
  if (submission_is(bytes))
    strip_parts_of_submission(&parts, bytes, m);
  else if (container_reader_is(content_type_of(bytes, declared)))
    strip_parts_of_container(&parts, bytes, content_type_of(bytes, declared), m);
  else
    strip_one(s, bytes, declared, m, ev);
}
