/* metadata.c: the metadata of a document: its members, their forms, and completing a record's object. */
#include "record/metadata.h"

#include "record/json.h"

#include <ctype.h>
#include <stdlib.h>

static const char *const names[] = {
#define X(name, text) text,
    METADATA_FIELDS(X)
#undef X
};

#define VALUE_MAX 1024 /* bytes of one value; a longer one is not metadata */

void metadata_release(struct metadata *m) {
  for (int f = 0; f < METADATA_COUNT; f++)
    free(m->value[f]);
  free(m->omitted);
  free(m->bare_pages);
  free(m->doubt);
  free(m->maker);
  memset(m, 0, sizeof *m);
}

void metadata_set(struct metadata *m, enum metadata_field f, struct slice value) {
  value = slice_trimmed(value);
  if (m->value[f] || !value.len || value.len > VALUE_MAX)
    return;
  char *copy = xstrndup(value.data, value.len);
  for (char *p = copy; *p; p++)
    if (isspace((unsigned char)*p))
      *p = ' ';
  m->value[f] = copy;
}

void metadata_set_date(struct metadata *m, enum metadata_field f, struct slice value) {
  char digits[9];
  size_t n = 0;
  value = slice_trimmed(value);
  if (value.len > 10)
    return;
  for (size_t i = 0; i < value.len; i++) {
    if (isdigit((unsigned char)value.data[i]) && n < 8)
      digits[n++] = value.data[i];
    else if (value.data[i] != '-' || (i != 4 && i != 7))
      return;
  }
  if (n != 8)
    return;
  char text[11];
  memcpy(text, digits, 4);
  text[4] = text[7] = '-';
  memcpy(text + 5, digits + 4, 2);
  memcpy(text + 8, digits + 6, 2);
  metadata_set(m, f, slice_of(text, 10));
}

void metadata_set_cik(struct metadata *m, struct slice value) {
  char padded[11] = "0000000000";
  value = slice_trimmed(value);
  if (!value.len || value.len > 10)
    return;
  for (size_t i = 0; i < value.len; i++)
    if (!isdigit((unsigned char)value.data[i]))
      return;
  memcpy(padded + 10 - value.len, value.data, value.len);
  metadata_set(m, METADATA_CIK, slice_of(padded, 10));
}

const char *metadata_get(const struct metadata *m, enum metadata_field f) {
  return m->value[f] ? m->value[f] : "";
}

void metadata_load(struct metadata *m, struct slice object) {
  struct buf scratch;
  if (json_kind(object) != '{')
    return;
  buf_init(&scratch, VALUE_MAX);
  for (int f = 0; f < METADATA_COUNT; f++)
    metadata_set(m, (enum metadata_field)f, json_text(json_get(object, names[f]), &scratch));
  buf_release(&scratch);
}

void metadata_inherit(struct metadata *to, const struct metadata *from) {
  for (int f = 0; f < METADATA_COUNT; f++)
    if (!to->value[f] && from->value[f])
      to->value[f] = xstrdup(from->value[f]);
}

/* Members that each part of a submission has itself; in `given` they describe the whole submission. */
static int is_parts_own(struct slice key) {
  return slice_is(key, "documentType") || slice_is(key, "title") || slice_is(key, "fileName") ||
         slice_is(key, "part") || slice_is(key, "omitted") || slice_is(key, "exhibit");
}

static void add_given(struct buf *out, struct slice given, int of_part) {
  struct json_cursor c = {0};
  struct slice key, value;
  while (json_kind(given) == '{' && json_next_member(given, &c, &key, &value)) {
    if (!of_part || !is_parts_own(key))
      json_add_member(out, key, value);
  }
}

static int lacks(struct slice given, const char *name, int of_part) {
  return !json_get(given, name).data || (of_part && is_parts_own(slice_str(name)));
}

void metadata_write(struct buf *out, const struct metadata *m, struct slice given) {
  int part = m->part;
  if (json_kind(given) != '{')
    given = slice_str("{}");
  json_key(out, "metadata");
  buf_add_char(out, '{');
  add_given(out, given, part);
  for (int f = 0; f < METADATA_COUNT; f++)
    if (m->value[f] && lacks(given, names[f], part))
      json_cstr(out, names[f], m->value[f]);
  if (part)
    json_int(out, "part", part);
  if (m->pages && lacks(given, "pages", part))
    json_int(out, "pages", m->pages);
  if (m->truncated && lacks(given, "truncated", part))
    json_bool(out, "truncated", 1);
  if (m->omitted)
    json_raw(out, "omitted", slice_str(m->omitted));
  if (m->bare_pages)
    json_raw(out, "pagesWithoutText", slice_str(m->bare_pages));
  buf_add_char(out, '}');
}
