#include "facts/inline_reader.h"

#include <stdlib.h>
#include <strings.h>

int inline_is_full(size_t count) {
  return (count & (count - 1)) == 0;
}

struct slice inline_keep(struct inline_document *d, struct slice s) {
  if (inline_is_full(d->kept_count))
    d->kept = xreallocarray(d->kept, d->kept_count ? 2 * d->kept_count : 1, sizeof *d->kept);
  d->kept[d->kept_count] = xstrndup(s.data ? s.data : "", s.len);
  return slice_of(d->kept[d->kept_count++], s.len);
}

struct slice inline_attribute(const struct html_token *t, const char *name) {
  for (size_t i = 0; i < t->attribute_count; i++)
    if (t->attributes[i].name.len == strlen(name) &&
        strncasecmp(t->attributes[i].name.data, name, t->attributes[i].name.len) == 0)
      return t->attributes[i].value;
  return slice_of(NULL, 0);
}

int inline_is(struct slice name, const char *local) {
  const char *colon = name.len ? memchr(name.data, ':', name.len) : NULL;
  if (colon)
    name = slice_of(colon + 1, name.len - (size_t)(colon + 1 - name.data));
  return name.len == strlen(local) && strncasecmp(name.data, local, name.len) == 0;
}

struct slice inline_trimmed(const struct buf *b) {
  struct slice s = buf_slice(b);
  while (s.len && (unsigned char)s.data[0] <= ' ')
    s = slice_of(s.data + 1, s.len - 1);
  while (s.len && (unsigned char)s.data[s.len - 1] <= ' ')
    s.len--;
  return s;
}
