/* Two things promise an item: the form, whose order a long report follows and that asks for a heading even where there
 * is nothing to say; and the report's table of contents.  Amendments hold what they amend, so that the form's promise
 * counts only for reports of some length that have an item of its first parts. */
#include "filing/outline_doubt.h"

#include "document/block_view.h"
#include "filing/item_heading.h"
#include "filing/items.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define REPORT_LEAST 15000 /* bytes of text of a report that is more than an amendment's cover and an item */
#define CONTENTS_LEAST 4   /* lines of a table that name items, to be a table of contents */

/* Whether an item is there, by itself or named in the heading of several: "Items 1 and 2". */
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

/* A report that has `behind` has `first` too; an amendment may have neither. */
static int skips_first(enum outline_form form, const struct found_items *f) {
  static const struct {
    enum outline_form form;
    const char *first, *behind;
  } known[] = {{OUTLINE_10K, "1", "1A"},    {OUTLINE_10K, "1", "2"}, {OUTLINE_10K, "1", "7"},
               {OUTLINE_10K, "1", "8"},     {OUTLINE_10K, "7", "8"}, {OUTLINE_10K, "8", "7"},
               {OUTLINE_10Q, "I-1", "I-2"}, {OUTLINE_20F, "4", "5"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].form == form && has_item(f, known[i].behind, known[i].behind) &&
        !has_item(f, known[i].first, known[i].first))
      return 1;
  return 0;
}

/* Items of the first parts, which a long report has. */
static int lacks_required(const struct doc *d, enum outline_form form, const struct found_items *f) {
  static const struct {
    enum outline_form form;
    const char *items[8];
  } required[] = {{OUTLINE_10K, {"1", "2", "3", "5", "7", "8"}},
                  {OUTLINE_10KSB, {"1", "2", "3", "5", "6", "7"}},
                  {OUTLINE_10Q, {"I-1", "I-2"}},
                  {OUTLINE_20F, {"3", "4", "5", "6", "7", "8"}}};
  size_t i = 0, missing = 0, found = 0;
  while (i < sizeof required / sizeof *required && required[i].form != form)
    i++;
  if (i == sizeof required / sizeof *required || d->text.len < REPORT_LEAST)
    return 0;
  for (size_t k = 0; required[i].items[k]; k++)
    missing += !has_item(f, required[i].items[k], required[i].items[k] + (form == OUTLINE_10Q ? 2 : 0));
  for (size_t k = 0; k < f->count; k++) /* an amendment of Part III has none of the others */
    found += !f->list[k].is_part && (form == OUTLINE_10Q || atoi(f->list[k].item) < 10);
  return missing && found;
}

/* "Item 1A. Risk Factors 12" or "1A. Risk Factors 12": the number of an item of the form with its title. */
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

/* Whether an item of that number, of any part, is there. */
static int has_number_anywhere(const struct item_form_entry *entries, size_t count,
                               const struct found_items *f, const char *number) {
  for (size_t e = 0; e < count; e++)
    if (entries[e].number && strcmp(entries[e].number, number) == 0 && has_item(f, entries[e].item, number))
      return 1;
  return 0;
}

/* Lines of a table that name items, and whether one of them isn't there. */
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
