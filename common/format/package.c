#include "format/package.h"

#include "format/unpack.h"
#include "format/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define MEMBERS_MAX 65536 /* of the zip, including images */

static int package_has_ending(const char *name, const char *ending) {
  size_t n = strlen(name), m = strlen(ending);
  return n > m && strcasecmp(name + n - m, ending) == 0;
}

static int take_part(struct package *p, struct unpack *u, const char *name, size_t *room,
                     struct error_text *why) {
  if (p->count == PACKAGE_PARTS) {
    error_set(why, "it has more than %d parts", PACKAGE_PARTS);
    return -1;
  }
  p->parts = xreallocarray(p->parts, p->count + 1, sizeof *p->parts);
  struct package_part *part = &p->parts[p->count++];
  part->name = xstrdup(*name == '/' ? name + 1 : name);
  buf_init(&part->bytes, *room);
  if (unpack_all(u, &part->bytes, why) != 0)
    return -1;
  *room -= part->bytes.len;
  return 0;
}

int package_read(struct package *p, struct slice bytes, struct error_text *why) {
  size_t room = PACKAGE_BYTES, members = 0;
  const char *name;
  int more = -1;
  *p = (struct package){0};
  struct unpack *u = unpack_open_bytes(bytes, why);
  while (u && (more = unpack_next(u, &name, why)) == 1) {
    if (++members > MEMBERS_MAX) {
      error_set(why, "it has more than %d members", MEMBERS_MAX);
      more = -1;
      break;
    }
    int wanted = package_has_ending(name, ".xml") || package_has_ending(name, ".rels");
    if (wanted && (more = take_part(p, u, name, &room, why)) < 0)
      break;
  }
  unpack_close(u);
  return more < 0 ? -1 : 0;
}

void package_release(struct package *p) {
  for (size_t i = 0; i < p->count; i++) {
    free(p->parts[i].name);
    buf_release(&p->parts[i].bytes);
  }
  free(p->parts);
  *p = (struct package){0};
}

struct slice package_part(const struct package *p, const char *name) {
  for (size_t i = 0; i < p->count; i++)
    if (strcasecmp(p->parts[i].name, name) == 0)
      return buf_slice(&p->parts[i].bytes);
  return slice_of(NULL, 0);
}

/* Resolves a relative target: "ppt/slides/slide1.xml" and "../notesSlides/n1.xml" give "ppt/notesSlides/n1.xml". */
static const char *resolved(const char *from, struct slice target, char *out, size_t size) {
  const char *slash = strrchr(from, '/');
  size_t folder = slash ? (size_t)(slash - from) : 0;
  if (target.len && target.data[0] == '/') {
    folder = 0;
    target = slice_of(target.data + 1, target.len - 1);
  }
  while (target.len > 3 && memcmp(target.data, "../", 3) == 0) {
    while (folder && from[--folder] != '/')
      ;
    target = slice_of(target.data + 3, target.len - 3);
  }
  int n =
      snprintf(out, size, "%.*s%s%.*s", (int)folder, from, folder ? "/" : "", (int)target.len, target.data);
  return n > 0 && (size_t)n < size ? out : NULL;
}

const char *package_target(const struct package *p, const char *from, struct slice id, char *out,
                           size_t size) {
  const char *slash = strrchr(from, '/'), *why;
  char rels[512];
  struct xml x;
  snprintf(rels, sizeof rels, "%.*s_rels/%s.rels", slash ? (int)(slash + 1 - from) : 0, from,
           slash ? slash + 1 : from);
  struct slice bytes = package_part(p, rels);
  const char *found = NULL;
  if (!bytes.len)
    return NULL;
  if (xml_read(&x, bytes, &why) == 0) {
    uint32_t root = xml_child(&x, 0, NULL, 0);
    for (uint32_t r = xml_child(&x, root, "Relationship", 0); r && !found;
         r = xml_child(&x, root, "Relationship", r))
      if (slice_eq(xml_attribute(&x, r, "Id"), id) &&
          !slice_is(xml_attribute(&x, r, "TargetMode"), "External"))
        found = resolved(from, xml_attribute(&x, r, "Target"), out, size);
  }
  xml_release(&x);
  return found;
}

int package_xml(const struct package *p, const char *name, struct xml *x, struct error_text *why) {
  struct slice bytes = package_part(p, name);
  const char *fault = "it is not there";
  *x = (struct xml){0};
  if (bytes.len && xml_read_spaced(x, bytes, &fault) == 0)
    return 0;
  error_set(why, "%s can't be read: %s", name, fault);
  return -1;
}
