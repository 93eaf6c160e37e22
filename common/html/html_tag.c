/* html_tag.c: looks up element names, html_tag.h, in an open-addressing hash table over name keys, filled once. */
#include "html/html_tag.h"

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

const uint8_t html_tag_table[TAG_COUNT] = {0,
#define X(name, text, properties) properties,
                                           HTML_TAGS(X)
#undef X
};

static struct {
  uint64_t key;
  uint32_t len;
  uint32_t tag; /* 0 where empty */
} slots[SLOTS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int filled; /* avoids calling pthread_once() each time, which can't be inlined */

static unsigned html_tag_slot_of(uint64_t key) {
  return (unsigned)(key * 0x9E3779B97F4A7C15u >> 55);
}

static void html_tag_fill(void) {
  for (unsigned tag = 1; tag < TAG_COUNT; tag++) {
    uint64_t key = html_name_key(names[tag], name_lengths[tag], name_lengths[tag]);
    unsigned i = html_tag_slot_of(key);
    while (slots[i].tag)
      i = (i + 1) % SLOTS;
    slots[i].key = key;
    slots[i].len = name_lengths[tag];
    slots[i].tag = tag;
  }
  __atomic_store_n(&filled, 1, __ATOMIC_RELEASE);
}

/* Whether the bytes after the first eight, which the key covers, are equal. */
static int same_rest(const char *name, const char *lower, size_t len) {
  for (size_t i = 8; i < len; i++) {
    char c = name[i];
    if (c >= 'A' && c <= 'Z')
      c = (char)(c | 0x20);
    if (c != lower[i])
      return 0;
  }
  return 1;
}

enum html_tag html_tag_find(struct slice name, size_t readable) {
  if (!__atomic_load_n(&filled, __ATOMIC_ACQUIRE))
    pthread_once(&once, html_tag_fill);
  uint64_t key = html_name_key(name.data, name.len, readable);
  for (unsigned i = html_tag_slot_of(key); slots[i].tag; i = (i + 1) % SLOTS)
    if (slots[i].key == key && slots[i].len == name.len &&
        same_rest(name.data, names[slots[i].tag], name.len))
      return (enum html_tag)slots[i].tag;
  return TAG_OTHER;
}
