/* container_reader.c: opens documents that hold others: archives, mail, mailboxes. */
#include "reader/container_reader.h"

#include "base/day.h"
#include "format/charset.h"
#include "format/mime.h"
#include "format/unpack.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

struct container {
  const struct container_events *events;
  int number; /* parts found so far */
  int depth;
  size_t room; /* bytes that may still be unpacked or decoded */
};

int container_reader_is(enum content_kind kind) {
  return kind == CONTENT_ARCHIVE || kind == CONTENT_MAIL || kind == CONTENT_MAILBOX;
}

static void open_container(struct container *c, struct slice bytes, enum content_kind kind, const char *name);

static void container_fault(struct container *c, const char *name, const char *category,
                            const char *message) {
  struct container_part part = {.number = ++c->number, .name = name, .title = "", .date = ""};
  if (c->events)
    c->events->fault(c->events->arg, &part, category, message);
}

static struct slice container_extension(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && !strchr(dot, '/') ? slice_str(dot + 1) : slice_of(NULL, 0);
}

/* Reports a document, or opens a nested container. */
static void give_part(struct container *c, struct container_part part) {
  enum content_kind kind = content_type_of(part.bytes, part.declared);
  if (container_reader_is(kind)) {
    if (c->depth < CONTAINER_DEPTH)
      open_container(c, part.bytes, kind, part.name);
    else
      container_fault(c, part.name, ERROR_INVALID_REQUEST, "containers are nested too deep");
    return;
  }
  part.number = ++c->number;
  if (c->events)
    c->events->part(c->events->arg, &part);
}

/* ---- archives ---- */

#define PATH_BYTES 4096

/* A longer path is truncated: it only labels the part. */
static void joined(char out[PATH_BYTES], const char *a, const char *b) {
  if (snprintf(out, PATH_BYTES, "%s%s%s", a, *a && *b ? "/" : "", b) >= PATH_BYTES)
    out[PATH_BYTES - 1] = '\0';
}

/* Metadata files of macOS folders and thumbnails of Windows. */
static int is_debris(const char *name) {
  const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
  return strncmp(name, "__MACOSX/", 9) == 0 || strcmp(file, ".DS_Store") == 0 ||
         strcasecmp(file, "Thumbs.db") == 0 || !*file;
}

static void read_archive(struct container *c, struct slice bytes, const char *name) {
  struct error_text why;
  const char *member;
  char path[PATH_BYTES];
  struct buf content;
  int more = -1;
  struct unpack *u = unpack_open_bytes(bytes, &why);
  buf_init(&content, CONTAINER_MEMBER < c->room ? CONTAINER_MEMBER : c->room);
  while (u && c->number < CONTAINER_PARTS && (more = unpack_next(u, &member, &why)) == 1) {
    joined(path, name, member);
    if (*member && is_debris(member))
      continue;
    buf_clear(&content);
    if (unpack_all(u, &content, &why) != 0) {
      container_fault(c, path, ERROR_INVALID_REQUEST, why.text);
      continue;
    }
    c->room -= content.len < c->room ? content.len : c->room;
    content.max = CONTAINER_MEMBER < c->room ? CONTAINER_MEMBER : c->room;
    give_part(c, (struct container_part){.name = path,
                                         .bytes = buf_slice(&content),
                                         .declared = container_extension(path),
                                         .title = "",
                                         .date = ""});
  }
  if (more < 0)
    container_fault(c, name, ERROR_INVALID_REQUEST, why.text);
  else if (c->number >= CONTAINER_PARTS)
    container_fault(c, name, ERROR_INVALID_REQUEST, "it holds more than 10000 documents");
  unpack_close(u);
  buf_release(&content);
}

/* ---- mail ---- */

struct mail {
  struct container *c;
  const char *name; /* name of the container, or "" */
  int message;      /* number of its first part */
  struct buf text;  /* what is displayed, UTF-8 */
  struct buf shown; /* struct mail_text, in order */
  int depth, too_deep;
  struct buf attachments; /* struct mime_entity, in order */
};

/* A part that is displayed, in the mail's text. */
struct mail_text {
  size_t from, len;
  int html;
};

static size_t mail_shown(const struct mail *m) {
  return m->shown.len / sizeof(struct mail_text);
}

static struct mail_text mail_text_at(const struct mail *m, size_t i) {
  struct mail_text t;
  memcpy(&t, m->shown.data + i * sizeof t, sizeof t);
  return t;
}

/* Whether one of the parts from `first` on is HTML. */
static int mail_has_html(const struct mail *m, size_t first) {
  for (size_t i = first; i < mail_shown(m); i++)
    if (mail_text_at(m, i).html)
      return 1;
  return 0;
}

static int mail_type_is(const struct buf *type, const char *what) {
  return slice_begins_nocase(buf_slice(type), what);
}

/* Joins the lines of a flowed text whose blanks at line ends are not part of it (RFC 3676, 4.2: DelSp), in place. */
static void join_flowed(struct buf *text, struct slice type) {
  struct buf delsp;
  size_t to = 0;
  buf_init(&delsp, 64);
  if (mime_parameter(type, "delsp", &delsp) && slice_is_nocase(buf_slice(&delsp), "yes")) {
    for (size_t i = 0, start = 0; i < text->len; i++) {
      size_t end = i + 1 < text->len && text->data[i + 1] == '\r' ? i + 2 : i + 1;
      int signature = i - start == 2 && memcmp(text->data + start, "-- ", 3) == 0;
      if (text->data[i] == ' ' && end < text->len && text->data[end] == '\n' && !signature &&
          text->data[start] != '>')
        i = end;
      else
        text->data[to++] = text->data[i];
      start = text->data[i] == '\n' ? i + 1 : start;
    }
    text->len = to;
  }
  buf_release(&delsp);
}

static void mail_body(struct mail *m, struct mime_entity e, const struct buf *type, int html) {
  struct buf decoded, charset, encoding, text;
  buf_init(&decoded, CONTAINER_MEMBER);
  buf_init(&text, 3 * CONTAINER_MEMBER);
  buf_init(&charset, 256);
  buf_init(&encoding, 4096);
  mime_field(e.header, "Content-Transfer-Encoding", &encoding);
  mime_parameter(buf_slice(type), "charset", &charset);
  mime_decode(e.body, buf_slice(&encoding), &decoded);
  join_flowed(&decoded, buf_slice(type));
  struct mail_text t = {.from = m->text.len, .html = html};
  buf_add_slice(&m->text, charset_read(buf_slice(&decoded), charset.len ? charset.data : NULL, html, &text));
  t.len = m->text.len - t.from;
  if (t.len)
    buf_add(&m->shown, &t, sizeof t);
  buf_release(&decoded);
  buf_release(&text);
  buf_release(&charset);
  buf_release(&encoding);
}

static void mail_entity(struct mail *m, struct mime_entity e);

/* Of the alternatives that begin at `first` and `second`, the one with HTML stays, else the first. */
static void mail_choose(struct mail *m, size_t first, size_t second) {
  size_t size = sizeof(struct mail_text), end = mail_shown(m);
  if (first == second || second == end)
    return;
  if (mail_has_html(m, second))
    memmove(m->shown.data + first * size, m->shown.data + second * size, (end - second) * size);
  m->shown.len = (mail_has_html(m, second) ? first + end - second : second) * size;
}

static void mail_parts(struct mail *m, struct mime_entity e, const struct buf *type) {
  struct buf boundary;
  struct slice part;
  size_t at = 0, first = mail_shown(m);
  int alternative = mail_type_is(type, "multipart/alternative");
  buf_init(&boundary, 4096);
  mime_parameter(buf_slice(type), "boundary", &boundary);
  int deep = ++m->depth > CONTAINER_DEPTH * 2;
  m->too_deep |= deep;
  while (!deep && mime_next_part(e.body, buf_slice(&boundary), &at, &part)) {
    size_t second = mail_shown(m);
    mail_entity(m, mime_split(part));
    if (alternative)
      mail_choose(m, first, second);
  }
  m->depth--;
  if (at == 0 && !deep) /* no part begins anywhere */
    mail_body(m, e, type, 0);
  buf_release(&boundary);
}

/* Takes all texts that are displayed, of alternatives one; collects the rest as attachments. */
static void mail_entity(struct mail *m, struct mime_entity e) {
  struct buf type, disposition;
  buf_init(&type, 1 << 20);
  buf_init(&disposition, 1 << 20);
  if (!mime_field(e.header, "Content-Type", &type))
    buf_add_str(&type, "text/plain");
  int attached =
      mime_field(e.header, "Content-Disposition", &disposition) && mail_type_is(&disposition, "attachment");
  if (mail_type_is(&type, "multipart/"))
    mail_parts(m, e, &type);
  else if (!attached && mail_type_is(&type, "text/html"))
    mail_body(m, e, &type, 1);
  else if (!attached && mail_type_is(&type, "text/plain"))
    mail_body(m, e, &type, 0);
  else if (!mail_type_is(&type, "image/"))
    buf_add(&m->attachments, &e, sizeof e);
  buf_release(&type);
  buf_release(&disposition);
}

/* Converts "Tue, 3 Mar 2026 10:00:00 +0100" to 2026-03-03; "" where it is not a date. */
static void mail_day(struct slice field, char out[32]) {
  char name[8], text[64];
  int day, year;
  snprintf(text, sizeof text, "%.*s", (int)(field.len < 60 ? field.len : 60), field.data);
  const char *comma = strchr(text, ',');
  *out = '\0';
  if (sscanf(comma ? comma + 1 : text, "%2d %3[A-Za-z] %4d", &day, name, &year) != 3)
    return;
  int month = day_month_named(name, 3);
  if (month && day >= 1 && day <= 31 && year >= 1970 && year <= 2999)
    snprintf(out, 32, "%04d-%02d-%02d", year % 10000, month, day);
}

static void add_escaped(struct buf *out, struct slice text) {
  for (size_t i = 0; i < text.len; i++)
    if (text.data[i] == '<' || text.data[i] == '&')
      buf_add_str(out, text.data[i] == '<' ? "&lt;" : "&amp;");
    else
      buf_add_char(out, text.data[i]);
}

/* Appends a displayed part; a plain text among HTML keeps its lines. */
static void mail_add_text(const struct mail *m, size_t i, int html, struct buf *out) {
  struct mail_text t = mail_text_at(m, i);
  struct slice text = slice_of(m->text.data + t.from, t.len);
  buf_add_str(out, i == 0 ? "" : html ? "\n" : "\n\n");
  if (html == t.html) {
    buf_add_slice(out, text);
    return;
  }
  buf_add_str(out, "<pre>");
  add_escaped(out, text);
  buf_add_str(out, "</pre>");
}

/* Composes the message as HTML or text: sender, recipients, date and subject, then the body. */
static void mail_compose(const struct mail *m, struct slice header, struct buf *out) {
  static const char *const shown[] = {"From", "To", "Cc", "Date", "Subject", NULL};
  int html = mail_has_html(m, 0);
  struct buf field;
  buf_init(&field, 1 << 20);
  for (int i = 0; shown[i]; i++) {
    buf_clear(&field);
    if (!mime_field(header, shown[i], &field))
      continue;
    buf_printf(out, html ? "<p>%s: " : "%s: ", shown[i]);
    if (html)
      add_escaped(out, buf_slice(&field));
    else
      buf_add_slice(out, buf_slice(&field));
    buf_add_str(out, html ? "</p>\n" : "\n\n");
  }
  for (size_t i = 0; i < mail_shown(m); i++)
    mail_add_text(m, i, html, out);
  buf_release(&field);
}

static void mail_attachment(struct mail *m, struct mime_entity e) {
  struct buf type, name, encoding, bytes, disposition;
  char path[PATH_BYTES], numbered[600];
  buf_init(&type, 1 << 20);
  buf_init(&disposition, 1 << 20);
  buf_init(&name, 4096);
  buf_init(&encoding, 4096);
  buf_init(&bytes, m->c->room < CONTAINER_MEMBER ? m->c->room : CONTAINER_MEMBER);
  mime_field(e.header, "Content-Type", &type);
  mime_field(e.header, "Content-Disposition", &disposition);
  mime_field(e.header, "Content-Transfer-Encoding", &encoding);
  if (!mime_parameter(buf_slice(&disposition), "filename", &name) &&
      !mime_parameter(buf_slice(&type), "name", &name))
    buf_add_str(&name, "part");
  snprintf(numbered, sizeof numbered, "%d/%.500s", m->c->number + 1, name.data);
  joined(path, m->name, numbered);
  mime_decode(e.body, buf_slice(&encoding), &bytes);
  if (bytes.overflow) {
    container_fault(m->c, path, ERROR_INVALID_REQUEST, "the attachment is too large");
  } else {
    m->c->room -= bytes.len;
    struct slice declared = container_extension(path);
    give_part(m->c, (struct container_part){.name = path,
                                            .bytes = slice_of(bytes.data ? bytes.data : "", bytes.len),
                                            .declared = declared.len ? declared : buf_slice(&type),
                                            .title = "",
                                            .date = ""});
  }
  buf_release(&type);
  buf_release(&disposition);
  buf_release(&name);
  buf_release(&encoding);
  buf_release(&bytes);
}

static void read_mail(struct container *c, struct slice bytes, const char *name) {
  struct mail m = {.c = c, .name = name};
  struct mime_entity whole = mime_split(bytes);
  struct buf subject, date, composed;
  char day[32];
  buf_init(&m.text, 3 * CONTAINER_MEMBER);
  buf_init(&m.attachments, 1 << 20);
  buf_init(&m.shown, 1 << 20);
  buf_init(&subject, 1 << 20);
  buf_init(&date, 1 << 20);
  buf_init(&composed, 4 * CONTAINER_MEMBER);
  mime_field(whole.header, "Subject", &subject);
  mime_field(whole.header, "Date", &date);
  mail_day(buf_slice(&date), day);
  mail_entity(&m, whole);
  mail_compose(&m, whole.header, &composed);
  struct container_part part = {
      .number = ++c->number,
      .name = name,
      .bytes = buf_slice(&composed),
      .declared = slice_str(mail_has_html(&m, 0) ? "text/html; charset=utf-8" : "text/plain; charset=utf-8"),
      .title = subject.len ? subject.data : "",
      .date = day};
  if (c->events)
    c->events->part(c->events->arg, &part);
  if (m.too_deep || m.text.overflow || m.shown.overflow || m.attachments.overflow)
    container_fault(c, name, ERROR_INVALID_REQUEST,
                    m.too_deep ? "its parts are nested too deep" : "it has too many parts");
  for (size_t i = 0; i + sizeof(struct mime_entity) <= m.attachments.len; i += sizeof(struct mime_entity)) {
    struct mime_entity e;
    memcpy(&e, m.attachments.data + i, sizeof e);
    mail_attachment(&m, e);
  }
  buf_release(&m.text);
  buf_release(&m.attachments);
  buf_release(&m.shown);
  buf_release(&subject);
  buf_release(&date);
  buf_release(&composed);
}

static void read_mailbox(struct container *c, struct slice bytes, const char *name) {
  struct slice message;
  size_t at = 0;
  while (c->number < CONTAINER_PARTS && mime_next_message(bytes, &at, &message)) {
    char number[16], own[PATH_BYTES];
    snprintf(number, sizeof number, "%d", c->number + 1);
    joined(own, name, *name ? number : "");
    read_mail(c, message, own);
  }
  if (at < bytes.len)
    container_fault(c, name, ERROR_INVALID_REQUEST, "it holds more than 10000 documents");
}

static void open_container(struct container *c, struct slice bytes, enum content_kind kind,
                           const char *name) {
  char own[PATH_BYTES];
  joined(own, name, ""); /* copied: its owner reuses the buffer */
  c->depth++;
  if (kind == CONTENT_ARCHIVE)
    read_archive(c, bytes, own);
  else if (kind == CONTENT_MAIL)
    read_mail(c, bytes, own);
  else
    read_mailbox(c, bytes, own);
  c->depth--;
}

int container_reader_read(struct slice bytes, enum content_kind kind, const struct container_events *events) {
  struct container c = {.events = events, .room = CONTAINER_BYTES};
  open_container(&c, bytes, kind, "");
  return c.number;
}
