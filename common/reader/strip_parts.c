#include "reader/strip_parts.h"

#include "format/submission.h"
#include "reader/container_reader.h"
#include "record/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

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

static void container_counted(void *arg, const struct container_part *part) {
  (void)arg, (void)part;
}

static void container_uncounted(void *arg, const struct container_part *part, const char *category,
                                const char *message) {
  (void)arg, (void)part, (void)category, (void)message;
}

void strip_parts_of_container(const struct strip_parts *p, struct slice bytes, enum content_kind kind,
                              const struct metadata *m) {
  struct strip_container c = {p, m, 0};
  struct container_events count = {container_counted, container_uncounted, NULL};
  struct container_events events = {strip_container_part, strip_container_fault, &c};
  c.alone = kind == CONTENT_MAIL && container_reader_read(bytes, kind, &count) == 1;
  if (!container_reader_read(bytes, kind, &events))
    p->ev->fault(p->ev->arg, ERROR_NO_CONTENT, "the archive holds no document");
}

void strip_parts_of_submission(const struct strip_parts *p, struct slice bytes, struct metadata *m) {
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
