/* html_tag.c: names of elements to numbers, html_tag.h: an open hash table, filled once. */
#include "html_tag.h"

#include <pthread.h>

#define SLOTS 512

static const char *const names[TAG_COUNT] = {"",
#define X(name, text, properties) text,
                                             HTML_TAGS(X)
#undef X
};

static const uint8_t name_lengths[TAG_COUNT] = {0,
#define X(name, text, properties) sizeof text - 1,
                                                HTML_TAGS(X)
#undef X
};

static const uint8_t tag_properties[TAG_COUNT] = {0,
#define X(name, text, properties) properties,
                                                  HTML_TAGS(X)
#undef X
};

static uint8_t slots[SLOTS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Letters that differ in case only fall together; so do a few other bytes, which same_name() tells apart. */
static unsigned hash_name(const char *name, size_t len) {
  uint32_t h = (uint32_t)len;
  for (size_t i = 0; i < len; i++)
    h = h * 37 + ((uint8_t)name[i] | 0x20u);
  return (h ^ (h >> 9)) % SLOTS;
}

static void fill(void) {
  for (unsigned tag = 1; tag < TAG_COUNT; tag++) {
    unsigned h = hash_name(names[tag], name_lengths[tag]);
    while (slots[h])
      h = (h + 1) % SLOTS;
    slots[h] = (uint8_t)tag;
  }
}

static int same_name(const char *name, const char *lower, size_t len) {
  for (size_t i = 0; i < len; i++) {
    char c = name[i];
    if (c >= 'A' && c <= 'Z')
      c = (char)(c | 0x20);
    if (c != lower[i])
      return 0;
  }
  return 1;
}

enum html_tag html_tag_find(struct slice name) {
  pthread_once(&once, fill);
  if (name.len > 16)
    return TAG_OTHER;
  for (unsigned h = hash_name(name.data, name.len); slots[h]; h = (h + 1) % SLOTS) {
    unsigned tag = slots[h];
    if (name_lengths[tag] == name.len && same_name(name.data, names[tag], name.len))
      return (enum html_tag)tag;
  }
  return TAG_OTHER;
}

unsigned html_tag_properties(enum html_tag tag) {
  return tag_properties[tag];
}
