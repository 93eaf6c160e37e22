#include "filing/items.h"
#include "tables/items.h"

#include <ctype.h>

static const struct item_form_entry form_10k[] = {ITEMS_FORM_10K};

static const struct item_form_entry form_10ksb[] = {ITEMS_FORM_10KSB};

static const struct item_form_entry form_10q[] = {ITEMS_FORM_10Q};

static const struct item_form_entry form_20f[] = {ITEMS_FORM_20F};

static const struct item_form_entry form_offering[] = {ITEMS_FORM_OFFERING};

#define LENGTH(list) (sizeof(list) / sizeof *(list))

const struct item_form_entry *items_of(enum outline_form form, size_t *count) {
  switch (form) {
  case OUTLINE_10K:
    *count = LENGTH(form_10k);
    return form_10k;
  case OUTLINE_10KSB:
    *count = LENGTH(form_10ksb);
    return form_10ksb;
  case OUTLINE_10Q:
    *count = LENGTH(form_10q);
    return form_10q;
  case OUTLINE_20F:
    *count = LENGTH(form_20f);
    return form_20f;
  case OUTLINE_OFFERING:
    *count = LENGTH(form_offering);
    return form_offering;
  default:
    *count = 0;
    return NULL;
  }
}

/* Length of the start of text that has the n letters and digits of title; 0 where they differ. */
static size_t match_one(const char *text, const char *title, size_t n) {
  const char *start = text;
  for (size_t i = 0; i < n; i++) {
    if (title[i] == ' ')
      continue;
    while (*text && !isalnum((unsigned char)*text))
      text++;
    if (*text != title[i])
      return 0;
    text++;
  }
  return (size_t)(text - start);
}

size_t items_title_match(const char *text, const char *titles) {
  while (*titles) {
    size_t n = strcspn(titles, "|");
    size_t taken = match_one(text, titles, n);
    if (taken)
      return taken;
    titles += n + (titles[n] == '|');
  }
  return 0;
}

static const struct { const char *item, *title; } whole_titles[] = {ITEMS_WHOLE};

static int is_whole(const char *text, const char *title) {
  const char *rest = text + match_one(text, title, strlen(title));
  if (rest == text)
    return 0;
  while (*rest && !isalnum((unsigned char)*rest))
    rest++;
  return !*rest;
}

int items_is_title(const char *text, const char *titles) {
  for (size_t n; *titles; titles += n + (titles[n] == '|')) {
    n = strcspn(titles, "|");
    size_t taken = match_one(text, titles, n);
    int words = 1;
    for (size_t i = 0; i < n; i++)
      words += titles[i] == ' ';
    if (taken && (words > 1 || !text[taken + strcspn(text + taken, "abcdefghijklmnopqrstuvwxyz0123456789")]))
      return 1;
  }
  return 0;
}

const char *items_whole_title(const char *text, size_t *cursor) {
  while (*cursor < LENGTH(whole_titles)) {
    size_t i = (*cursor)++;
    if (is_whole(text, whole_titles[i].title))
      return whole_titles[i].item;
  }
  return NULL;
}
