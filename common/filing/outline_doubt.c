/* outline_doubt.c: an item is expected because of the form, which requires a heading even for items that don't apply,
 * or because of the report's table of contents.  An amendment contains only what it amends, so the form counts only
 * for reports above a minimum length that have one of its first items. */
#include "filing/outline_doubt.h"

#include "document/block_view.h"
#include "filing/item_heading.h"
#include "filing/items.h"
#include "tables/items.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define REPORT_LEAST 15000 /* bytes of text: more than an amendment and one item */
#define CONTENTS_LEAST 4   /* minimum lines of a table that name items, for a table of contents */

/* Whether an item was found, by itself or in a heading for several: "Items 1 and 2". */
static int has_item(const struct found_items *f, const char *item, const char *number) {
  for (size_t i = 0; i < f->count; i++) {
    const struct found_item *x = &f->list[i];
    char numbers[ITEMLEAD_NUMBERS][8];
    if (x->is_part)
      continue;
    if (strcmp(x->item, item) == 0)
      return 1;
    for (size_t n = item_heading_numbers(x->title, numbers, ITEMLEAD_NUMBERS); n-- > 1;)
      if (strcmp(numbers[n], number) == 0)
        return 1;
  }
  return 0;
}

/* Whether the second of a pair of items was found without the first; an amendment may have neither. */
static int skips_first(enum outline_form form, const struct found_items *f) {
  static const struct {
    enum outline_form form;
    const char *first, *behind;
  } known[] = {ITEMS_PAIR};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].form == form && has_item(f, known[i].behind, known[i].behind) &&
        !has_item(f, known[i].first, known[i].first))
      return 1;
  return 0;
}

/* Whether items of the first parts, which every long report has, are missing. */
static int lacks_required(const struct doc *d, enum outline_form form, const struct found_items *f) {
  static const struct {
    enum outline_form form;
    const char *item;
  } required[] = {ITEMS_REQUIRED};
  size_t missing = 0, found = 0;
  if (d->text.len < REPORT_LEAST)
    return 0;
  for (size_t i = 0; i < sizeof required / sizeof *required; i++)
    missing += required[i].form == form &&
               !has_item(f, required[i].item, required[i].item + (form == OUTLINE_10Q ? 2 : 0));
  for (size_t k = 0; k < f->count; k++) /* an amendment of Part III has only its items */
    found += !f->list[k].is_part && (form == OUTLINE_10Q || atoi(f->list[k].item) < 10);
  return missing && found;
}

/* The number in "Item 1A.  Risk Factors 12" or "1A.  Risk Factors 12", where it is an item of the form with its
 * title. */
static const char *promised_number(const struct item_form_entry *entries, size_t count, const char *line,
                                   char number[8]) {
  char text[PEEK_MAX + 8];
  struct item_heading l;
  snprintf(text, sizeof text, "%s%s", isdigit((unsigned char)*line) ? "item " : "", line);
  if (!item_heading_read(text, &l) || l.number_count != 1)
    return NULL;
  for (size_t e = 0; e < count; e++)
    if (entries[e].number && strcmp(entries[e].number, l.numbers[0]) == 0 &&
        items_title_match(text + l.title, entries[e].titles))
      return memcpy(number, l.numbers[0], 8);
  return NULL;
}

/* Whether an item with that number was found, in any part. */
static int has_number_anywhere(const struct item_form_entry *entries, size_t count,
                               const struct found_items *f, const char *number) {
  for (size_t e = 0; e < count; e++)
    if (entries[e].number && strcmp(entries[e].number, number) == 0 && has_item(f, entries[e].item, number))
      return 1;
  return 0;
}

/* Returns the number of lines in a table that name items; sets *lacks where one of those was not found. */
static size_t read_contents(const struct doc *d, const struct doc_block *b, enum outline_form form,
                            const struct found_items *f, int *lacks) {
  size_t count, lines = 0;
  const struct item_form_entry *entries = items_of(form, &count);
  struct block_view *p = xmalloc(sizeof *p);
  char number[8];
  for (size_t at = b->start, end; at < b->end; at = end + 1) {
    const char *eol = memchr(d->text.data + at, '\n', b->end - at);
    end = eol ? (size_t)(eol - d->text.data) : b->end;
    block_view_at(p, d, at, end);
    if (!p->whole || !promised_number(entries, count, p->lower, number))
      continue;
    lines++;
    *lacks |= !has_number_anywhere(entries, count, f, number);
  }
  free(p);
  return lines;
}

static int lacks_promised(const struct doc *d, enum outline_form form, const struct found_items *f) {
  size_t count;
  if (!items_of(form, &count))
    return 0;
  for (size_t b = 0; b < d->block_count; b++) {
    int lacks = 0;
    if (d->blocks[b].kind == DOC_TABLE &&
        read_contents(d, &d->blocks[b], form, f, &lacks) >= CONTENTS_LEAST && lacks)
      return 1;
  }
  return 0;
}

int outline_doubt_lacks(const struct doc *d, enum outline_form form, const struct found_items *f) {
  return skips_first(form, f) || lacks_required(d, form, f) || lacks_promised(d, form, f);
}
