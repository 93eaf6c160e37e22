/* item_finder.c: the places of a document that may begin an item.
 *
 * A candidate is a block that begins with "Item N", "Part N" or both, in any markup.  Where it fits several places in
 * the form's order, each is a candidate ("Item 1" of a 10-Q is I-1 or II-1).  A candidate is scored by itself:
 * whether the form's title follows, whether it looks like a heading, whether it ends with a page number, whether it
 * is a link.
 */
#include "filing/item_finder.h"
#include "document/doc.h"
#include "filing/items.h"
#include "tables/items.h"
#include "tables/page_words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Limit of a heading in bytes; one that joins items ("Items 10 to 14") may fill a doc_view. */
#define HEADING_MAX 260

#define PARTIAL_SCORE 0.3
#define NUMBERED_SCORE 1.2

size_t item_first_line_end(const struct doc *d, const struct doc_block *b) {
  const char *p = memchr(d->text.data + b->start, '\n', b->end - b->start);
  return p ? (size_t)(p - d->text.data) : b->end;
}

/* Whether the block may contain a heading: of tables, only one-row tables, where the heading is laid out in cells. */
static int may_open(const struct doc *d, const struct doc_block *b) {
  const char *t = d->text.data + b->start, *end = d->text.data + b->end;
  int lines = 1;
  if (b->kind == DOC_PREFORMATTED)
    return 0;
  while (t < end && strchr("*_|#` \t>", *t) && *t)
    t++;
  if (t < end && strchr("\"'([-\xE2", *t))
    t += items_lead(t); /* the text ends with a newline and '\0' */
  if (t >= end || !strchr("iIlpPsS", *t))
    return 0;
  if (b->kind == DOC_TABLE)
    for (; t < end && lines < 5; t++)
      lines += *t == '\n';
  return lines < 4;
}

static void item_candidates_look_at(const struct item_search *s, struct doc_view *p, size_t block) {
  const struct doc_block *b = &s->d->blocks[block];
  size_t end = b->kind == DOC_TABLE ? item_first_line_end(s->d, b) : b->end;
  doc_view_at(p, s->d, b->start, end);
}

static int is_heading_look(const struct doc_block *b) {
  return b->kind == DOC_HEADING ||
         (b->flags & (DOC_BOLD | DOC_UPPERCASE | DOC_UNDERLINED | DOC_CENTERED | DOC_ITALIC));
}

/* Whether a line with a title ends with a page number: "....  12", "12", "F-3"; not a year. */
static int ends_with_page(const struct doc_view *p, size_t from) {
  size_t n = p->len;
  while (n > from && (p->lower[n - 1] == ' ' || p->lower[n - 1] == '.'))
    n--;
  size_t end = n;
  while (n > from && isdigit((unsigned char)p->lower[n - 1]))
    n--;
  if (end == n || end - n > 3 || n <= from)
    return 0;
  if (p->lower[n - 1] == '-') /* "F-3", but not "Schedule 13E-3" */
    return n < 3 || p->lower[n - 2] == ' ' || p->lower[n - 3] == ' ';
  return p->lower[n - 1] == ' ' || p->lower[n - 1] == '.';
}

static int place_of_number(const char *number) {
  int whole = atoi(number);
  const char *dot = strchr(number, '.');
  size_t digits = strspn(number, "0123456789");
  int letter = isalpha((unsigned char)number[digits]) ? number[digits] - 'A' + 1 : 0;
  return whole * 1000 + (dot ? 100 + atoi(dot + 1) : letter);
}

static struct item_candidate *item_candidates_add(struct item_search *s, size_t block) {
  if (s->count == ITEM_CANDIDATES)
    return NULL;
  struct item_candidate *c = memset(&s->list[s->count++], 0, sizeof *s->list);
  c->block = block;
  c->next_block = block + 1;
  c->start = s->d->blocks[block].start;
  c->entry = -1;
  return c;
}

/* The end of a run-in heading: after the first sentence from `from` on; 0 where it is too far. */
static size_t item_sentence_end(const struct doc_view *p, size_t from) {
  for (size_t i = from; i + 1 < p->len; i++) {
    if (i > HEADING_MAX)
      return 0;
    if ((p->text[i] == '.' || p->text[i] == ':') && p->text[i + 1] == ' ')
      return i + 1;
  }
  return 0;
}

/* Whether the words occur in the sentence that starts at `from`: later text doesn't belong to a run-in heading. */
static int item_candidates_has_words(const struct doc_view *p, size_t from, const char *words) {
  const char *found = strstr(p->lower + from, words);
  size_t end = item_sentence_end(p, from);
  return found && (!end || (size_t)(found - p->lower) < end);
}

/* A reference to an item starts like its heading but continues as a sentence. */
static int reads_as_reference(const struct doc_view *p, const struct item_heading *l,
                              const struct doc_block *b) {
  static const char *const words[] = {PAGE_WORDS_REFERENCE, NULL};
  if (islower((unsigned char)p->text[l->title]) && !(b->flags & (DOC_BOLD | DOC_UPPERCASE)))
    return 1;
  if (p->text[l->title] == '"' || is_heading_look(b))
    return !is_heading_look(b);
  for (int i = 0; words[i]; i++)
    if (item_candidates_has_words(p, l->title, words[i]) && p->len > 80)
      return 1;
  return 0;
}

/* Sets the heading's end, in the block itself or, where its title is in the next block, in that one. */
static int set_extent(struct item_search *s, struct item_candidate *c, const struct item_heading *l,
                      size_t title_len) {
  const struct doc *d = s->d;
  const struct doc_block *b = &d->blocks[c->block];
  const struct doc_view *p = &s->look;
  size_t run_in = item_sentence_end(p, l->title + title_len);
  int table = b->kind == DOC_TABLE;
  c->heading_end = b->end;
  if (!table && run_in && run_in + 1 < p->len && (title_len || run_in < 120) &&
      !(is_heading_look(b) && p->whole && p->len <= HEADING_MAX && !title_len))
    c->heading_end = p->at[run_in];
  else if (!p->whole || (p->len > HEADING_MAX && l->number_count < 2))
    return -1;
  return 0;
}

/* Extends a title that is split over two blocks: the next one starts with "of" or "and" and looks the same. */
static void add_continuation(struct item_search *s, struct item_candidate *c) {
  const struct doc *d = s->d;
  size_t b = c->next_block;
  const unsigned same = DOC_BOLD | DOC_UPPERCASE | DOC_CENTERED;
  if (b >= d->block_count || c->heading_end != d->blocks[b - 1].end || d->blocks[b].kind == DOC_TABLE ||
      !is_heading_look(&d->blocks[b]) || (d->blocks[b].flags & same) != (d->blocks[b - 1].flags & same))
    return;
  item_candidates_look_at(s, &s->next, b);
  if (!s->next.whole || s->next.len > HEADING_MAX / 2 ||
      (strncmp(s->next.lower, "of ", 3) != 0 && strncmp(s->next.lower, "and ", 4) != 0))
    return;
  c->next_block = b + 1;
  c->heading_end = d->blocks[b].end;
}

/* Matches the title in the block after a bare "Item 1A." with the form's titles. */
static size_t title_behind(struct item_search *s, struct item_candidate *c, const char *titles) {
  const struct doc *d = s->d;
  if (c->block + 1 >= d->block_count || d->blocks[c->block + 1].kind == DOC_PREFORMATTED)
    return 0;
  item_candidates_look_at(s, &s->next, c->block + 1);
  size_t n = titles ? items_title_match(s->next.lower, titles) : 0;
  int short_one = s->next.whole && s->next.len <= HEADING_MAX && s->next.len > 0;
  struct item_heading l;
  if (!short_one || item_heading_read(s->next.lower, &l))
    return 0;
  if (!n && !(is_heading_look(&d->blocks[c->block + 1]) && isalpha((unsigned char)s->next.text[0])))
    return 0;
  c->next_block = c->block + 2;
  c->heading_end = d->blocks[c->block + 1].end;
  return n ? n : 1;
}

static void score(struct item_search *s, struct item_candidate *c, const struct item_heading *l, int bare) {
  const struct doc_block *b = &s->d->blocks[c->block];
  const struct doc_view *p = &s->look;
  c->look = (b->kind == DOC_HEADING) + ((b->flags & DOC_BOLD) != 0) + ((b->flags & DOC_UPPERCASE) != 0) +
            ((b->flags & (DOC_CENTERED | DOC_UNDERLINED | DOC_ITALIC)) != 0);
  c->look = c->look > 2 ? 2 : c->look;
  c->score += (c->titled ? 3.0 : 0.5) + c->look;
  int linked = (b->flags & DOC_LINKED) != 0;
  int paged = ends_with_page(p, l->title + 3) && !bare;
  if (bare && c->next_block > c->block + 1) {
    linked |= (s->d->blocks[c->block + 1].flags & DOC_LINKED) != 0;
    paged |= ends_with_page(&s->next, 3);
  }
  c->toc = linked || paged;
  c->score -= (linked ? 2.5 : 0) + (paged ? 4 : 0);
  c->score -= strstr(p->lower, "continued") ? 1.5 : 0;
  if (p->len > 120 && !c->titled)
    c->score -= 2;
}

/* Adds candidates for a block whose item number matches entries of the form's table. */
static void add_entries(struct item_search *s, size_t block, const struct item_heading *l) {
  int bare = l->title >= s->look.len;
  for (size_t e = 0; e < s->entry_count; e++) {
    const struct item_form_entry *x = &s->entries[e];
    if (!x->number || strcmp(x->number, l->numbers[0]) != 0)
      continue;
    if (s->form == OUTLINE_10Q && l->part && (l->part == 1) != (x->item[1] == '-'))
      continue;
    struct item_candidate *c = item_candidates_add(s, block);
    if (!c)
      return;
    c->order = c->entry = (int)e;
    memcpy(c->number, l->numbers[0], 8);
    size_t n = bare ? 0 : items_title_match(s->look.lower + l->title, x->titles);
    if (set_extent(s, c, l, n) < 0) {
      s->count--;
      continue;
    }
    if (bare)
      c->titled = title_behind(s, c, x->titles) > 1;
    else
      c->titled = n > 0;
    score(s, c, l, bare);
    add_continuation(s, c);
  }
}

static void add_numbered(struct item_search *s, size_t block, const struct item_heading *l) {
  int dotted = strchr(l->numbers[0], '.') != NULL;
  if (s->form == OUTLINE_8K && !dotted && atoi(l->numbers[0]) > 12)
    return;
  struct item_candidate *c = item_candidates_add(s, block);
  if (!c)
    return;
  c->order = place_of_number(l->numbers[0]);
  memcpy(c->number, l->numbers[0], 8);
  int bare = l->title >= s->look.len;
  if (set_extent(s, c, l, 0) < 0) {
    s->count--;
    return;
  }
  c->titled = bare ? title_behind(s, c, NULL) > 0 : isupper((unsigned char)s->look.text[l->title]) != 0;
  score(s, c, l, bare);
}

/* Whether a "Part I" precedes a table whose lines name items: then it is a line of the table of contents itself. */
static int heads_contents(struct item_search *s, size_t block) {
  const struct doc *d = s->d;
  struct item_heading l;
  if (block + 1 >= d->block_count || d->blocks[block + 1].kind != DOC_TABLE)
    return 0;
  const struct doc_block *b = &d->blocks[block + 1];
  const char *t = d->text.data + b->start, *end = d->text.data + b->end;
  for (int line = 0; line < 6 && t < end; line++) {
    const char *eol = memchr(t, '\n', (size_t)(end - t));
    eol = eol ? eol : end;
    doc_view_at(&s->next, d, (size_t)(t - d->text.data), (size_t)(eol - d->text.data));
    if (item_heading_read(s->next.lower, &l) && l.number_count)
      return 1;
    t = eol + (eol < end);
  }
  return 0;
}

static void item_candidates_add_part(struct item_search *s, size_t block, const struct item_heading *l) {
  static const char *const names[] = {"PART I", "PART II", "PART III", "PART IV"};
  for (size_t e = 0; e < s->entry_count; e++) {
    if (s->entries[e].number || strcmp(s->entries[e].item, names[l->part - 1]) != 0)
      continue;
    struct item_candidate *c = item_candidates_add(s, block);
    if (!c)
      return;
    c->order = c->entry = (int)e;
    if (s->look.len > 100 || !s->look.whole || ends_with_page(&s->look, l->title)) {
      s->count--;
      return;
    }
    c->heading_end = s->d->blocks[block].end;
    score(s, c, l, 0);
    c->score -= 0.5 + (heads_contents(s, block) ? 4 : 0);
  }
}

static void add_asset_backed(struct item_search *s, size_t block, const char number[8]) {
  struct item_heading l = {0};
  struct item_candidate *c =
      s->look.whole && s->look.len <= HEADING_MAX ? item_candidates_add(s, block) : NULL;
  if (!c)
    return;
  c->loose = c->titled = 1;
  c->order = -1;
  c->heading_end = s->d->blocks[block].end;
  memcpy(c->number, number, 8);
  score(s, c, &l, 0);
}

/* Whether the block may be a title without the word "item"; in a wide search also one-line rows and layout tables. */
static int may_be_partial(const struct item_search *s, const struct doc_block *b) {
  const char *t = s->d->text.data;
  if (b->end - b->start > HEADING_MAX / 2 || b->kind == DOC_PREFORMATTED || (b->flags & DOC_LINKED))
    return 0;
  if (!s->wide)
    return is_heading_look(b) && b->kind != DOC_TABLE && !(b->flags & DOC_FROM_TABLE);
  if (b->kind != DOC_TABLE)
    return 1;
  int lines = 1;
  for (size_t i = b->start; i < b->end; i++)
    lines += t[i] == '\n';
  return lines < 4;
}

/* Length of "1a.  ", "7 " or "(7a) " before a title, and the number; 0 for none. */
static size_t number_lead(const char *lower, char number[8]) {
  size_t open = *lower == '(', n = strspn(lower + open, "0123456789");
  if (n < 1 || n > 2)
    return 0;
  n += isalpha((unsigned char)lower[open + n]) && !isalpha((unsigned char)lower[open + n + 1]);
  snprintf(number, 8, "%.*s", (int)n, lower + open);
  size_t gap = strspn(lower + open + n, ".:) |-");
  return gap ? open + n + gap : 0;
}

static int has_number(const char *number, const char *entry) {
  return number[0] && entry && strcasecmp(number, entry) == 0;
}

static void add_partial_entry(struct item_search *s, size_t block, size_t e, const char *number) {
  struct item_candidate *c = item_candidates_add(s, block);
  if (!c)
    return;
  c->order = c->entry = (int)e;
  c->heading_end = s->d->blocks[block].end;
  c->partial = c->titled = 1;
  c->numbered = has_number(number, s->entries[e].number);
  memcpy(c->number, s->entries[e].number, strlen(s->entries[e].number) + 1);
  c->score = c->numbered ? NUMBERED_SCORE : PARTIAL_SCORE;
}

/* Adds a heading that is the title of an item but lacks the number or the word "item" (which may be an image).  Its
 * score is low, so that complete headings are preferred. */
static void add_partial(struct item_search *s, size_t block) {
  if (!may_be_partial(s, &s->d->blocks[block]))
    return;
  item_candidates_look_at(s, &s->look, block);
  char number[8] = "";
  size_t cursor = 0, lead = number_lead(s->look.lower, number);
  const char *item, *title = s->look.lower + lead;
  if (!s->look.whole || (s->wide && ends_with_page(&s->look, lead)))
    return;
  if (s->wide)
    for (size_t e = 0; e < s->entry_count; e++)
      if (s->entries[e].number &&
          (lead ? has_number(number, s->entries[e].number) && items_title_match(title, s->entries[e].titles)
                : items_is_title(title, s->entries[e].titles) && is_heading_look(&s->d->blocks[block])))
        add_partial_entry(s, block, e, number);
  while (!s->wide && (item = items_whole_title(title, &cursor)) != NULL) {
    size_t e = 0;
    while (e < s->entry_count && strcmp(s->entries[e].item, item) != 0)
      e++;
    if (e < s->entry_count && (!lead || has_number(number, s->entries[e].number)))
      add_partial_entry(s, block, e, number);
  }
}

void item_candidates_find(struct item_search *s) {
  const struct doc *d = s->d;
  char loose[8];
  struct item_heading l;
  for (size_t b = 0; b < d->block_count; b++) {
    add_partial(s, b);
    if (!may_open(d, &d->blocks[b]))
      continue;
    item_candidates_look_at(s, &s->look, b);
    if (item_heading_asset_backed(s->look.lower, loose)) {
      add_asset_backed(s, b, loose);
      continue;
    }
    if (!item_heading_read(s->look.lower, &l) || reads_as_reference(&s->look, &l, &d->blocks[b]))
      continue;
    if (!l.number_count)
      item_candidates_add_part(s, b, &l);
    else if (s->entries)
      add_entries(s, b, &l);
    else
      add_numbered(s, b, &l);
  }
}

/* ---- selects the items of a document among the candidates ----
 *
 * The chain of candidates in increasing order of places with the highest total score is selected.  Text between a
 * heading and the next one adds to the score, up to a limit, so that headings with a body win over lines of a table of
 * contents.  This is a weighted longest increasing subsequence, computed in O(n^2) for at most ITEM_CANDIDATES
 * candidates.
 *
 * An outline is doubtful where it lacks an item that the form requires, even for items that don't apply, or that the
 * report's table of contents lists.  An amendment contains only what it amends, so the form counts only for reports
 * above a minimum length that have one of its first items. */

/* ---- missing items ---- */

#define REPORT_LEAST 15000 /* bytes of text: more than an amendment and one item */
#define HIDDEN_LONGEST 160 /* bytes of a heading that may hide an item */
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
  char text[DOC_VIEW_MAX + 8];
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
  struct doc_view *p = xmalloc(sizeof *p);
  char number[8];
  for (size_t at = b->start, end; at < b->end; at = end + 1) {
    const char *eol = memchr(d->text.data + at, '\n', b->end - at);
    end = eol ? (size_t)(eol - d->text.data) : b->end;
    char begins = d->text.data[at + strspn(d->text.data + at, "|# *_\\`\t")];
    if (!(begins & 0x80) && !isdigit((unsigned char)begins) && tolower((unsigned char)begins) != 'i')
      continue;
    doc_view_at(p, d, at, end);
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

/* Whether a line "Item …" ends with the title of an item that was not found: it lies inside another one. */
static int hides_item(const struct doc *d, enum outline_form form, const struct found_items *f) {
  size_t count, cursor = 0;
  const struct item_form_entry *entries = items_of(form, &count);
  struct doc_view *p = xmalloc(sizeof *p);
  int found = 0;
  for (size_t b = 0; b < d->block_count && !found; b++) {
    const struct doc_block *block = &d->blocks[b];
    if (block->kind == DOC_TABLE || block->end - block->start > HIDDEN_LONGEST || block->flags & DOC_LINKED)
      continue;
    doc_view_at(p, d, block->start, block->end);
    size_t lead = items_lead(p->lower);
    if (strncmp(p->lower + lead, "item", 4) != 0)
      continue;
    for (size_t at = lead + 4; at < p->len && !found; at++, cursor = 0)
      for (const char *item; !isalnum((unsigned char)p->lower[at - 1]) && !found &&
                             (item = items_whole_title(p->lower + at, &cursor)) != NULL;)
        for (size_t e = 0; e < count; e++)
          found |= entries[e].number && strcmp(entries[e].item, item) == 0 &&
                   !has_number_anywhere(entries, count, f, entries[e].number);
  }
  free(p);
  return found;
}

/* Whether the items f of d, a report of that form, lack one that every long report has, or one that d itself names. */
static int lacks_items(const struct doc *d, enum outline_form form, const struct found_items *f) {
  return skips_first(form, f) || lacks_required(d, form, f) || lacks_promised(d, form, f) ||
         hides_item(d, form, f);
}

/* ---- the best chain ---- */

#define TOC_GAP 90 /* bytes between two lines of a table of contents, including page number and part lines */
#define TOC_RUN 4  /* number of such lines in a row */
#define PARTIAL_CONFIDENCE 0.6
#define NUMBERED_CONFIDENCE 0.75
#define PARTIAL_LEAST 3 /* minimum number of headings without a number */
#define INDEX_BELOW 0.7 /* confidence above which no index is searched for */

/* Whether an entry of list[from, to) has the same place as list[at]. */
static int has_order(const struct item_search *s, size_t from, size_t to, size_t at) {
  for (size_t i = from; i < to; i++)
    if (s->list[i].order == s->list[at].order && !s->list[i].loose)
      return 1;
  return 0;
}

/* Whether the text is a filer's answer for an item that doesn't apply: it counts as a body, however short. */
static int says_nothing(const struct doc *d, size_t from, size_t to) {
  static const char *const answers[] = {"none",       "not applicable", "not required",
                                        "no matters", "omitted",        NULL};
  struct doc_view *p = xmalloc(sizeof *p);
  doc_view_at(p, d, from, to);
  int found = 0;
  for (int i = 0; answers[i] && !found; i++)
    found = strncmp(p->lower, answers[i], strlen(answers[i])) == 0;
  free(p);
  return found;
}

/* The end of the run of candidates from `from` on with almost no text between them and each item named once; *lines
 * gets their number of blocks. */
static size_t item_finder_run_end(const struct item_search *s, size_t from, size_t *lines) {
  size_t to = from + 1;
  *lines = 1;
  for (; to < s->count; to++) {
    const struct item_candidate *a = &s->list[to - 1], *b = &s->list[to];
    if (b->block == a->block)
      continue;
    if (b->start < a->heading_end || b->start - a->heading_end > TOC_GAP || has_order(s, from, to, to) ||
        says_nothing(s->d, a->heading_end, b->start))
      break;
    ++*lines;
  }
  return to;
}

/* Marks adjacent lines with almost no text between them as a table of contents, if the items they name occur again. */
static void mark_contents(struct item_search *s) {
  for (size_t from = 0, to, lines; from < s->count; from = to) {
    size_t again = 0, last = from;
    to = item_finder_run_end(s, from, &lines);
    for (size_t i = from; i < to; i++) {
      if (!has_order(s, to, s->count, i))
        continue;
      again++;
      last = i;
    }
    if (lines < TOC_RUN || again * 2 < to - from)
      continue;
    for (size_t i = from; i <= last; i++) {
      s->list[i].toc = 1;
      s->list[i].score -= 4;
    }
  }
}

/* Score for a body of `bytes` between two headings: 0 for none, 1.5 from 6 KB on. */
static double body_bonus(size_t bytes) {
  double v = log10(1 + (double)bytes / 200.0);
  return v > 1.5 ? 1.5 : v;
}

static void chain(struct item_search *s) {
  for (size_t i = 0; i < s->count; i++) {
    struct item_candidate *c = &s->list[i];
    c->best = c->loose ? -1e9 : c->score;
    c->before = -1;
    for (size_t k = 0; k < i; k++) {
      const struct item_candidate *p = &s->list[k];
      if (p->order >= c->order || p->next_block > c->block || p->loose)
        continue;
      double v = p->best + body_bonus(c->start - p->heading_end) + c->score;
      if (v > c->best + 1e-9) {
        c->best = v;
        c->before = (int)k;
      }
    }
  }
}

static int item_finder_best_end(const struct item_search *s) {
  int best = -1;
  double top = 0;
  for (size_t i = 0; i < s->count; i++) {
    double v = s->list[i].best + body_bonus(s->d->text.len - s->list[i].heading_end);
    if (v > top + 1e-9) {
      top = v;
      best = (int)i;
    }
  }
  return best;
}

static double confidence_of(const struct item_candidate *c) {
  if (c->partial)
    return c->numbered ? NUMBERED_CONFIDENCE : PARTIAL_CONFIDENCE;
  double v = c->titled ? 0.9 : 0.7;
  v += 0.04 * c->look;
  return c->toc ? v * 0.4 : v;
}

/* Restores the space in "Item 1.Business", which in print is a margin. */
static void add_spaced(struct buf *out, const struct doc_view *p) {
  struct item_heading l;
  size_t at = item_heading_read(p->lower, &l) && l.title < p->len ? l.title : 0;
  buf_add(out, p->text, at);
  if (at && p->text[at - 1] != ' ')
    buf_add_char(out, ' ');
  buf_add(out, p->text + at, p->len - at);
}

static char *title_of(const struct item_search *s, const struct item_candidate *c) {
  struct buf text;
  struct doc_view *p = xmalloc(sizeof *p);
  buf_init(&text, 4 * DOC_VIEW_MAX);
  for (size_t b = c->block; b < c->next_block; b++) {
    const struct doc_block *block = &s->d->blocks[b];
    size_t end = block->kind == DOC_TABLE ? item_first_line_end(s->d, block) : block->end;
    doc_view_at(p, s->d, block->start, b + 1 == c->next_block && c->heading_end < end ? c->heading_end : end);
    while (p->len && p->text[p->len - 1] == ' ')
      p->len--;
    if (text.len)
      buf_add_char(&text, ' ');
    add_spaced(&text, p);
  }
  free(p);
  char *title = xstrndup(text.data ? text.data : "", text.len);
  buf_release(&text);
  return title;
}

static void set_item(const struct item_search *s, const struct item_candidate *c, struct found_item *f) {
  if (c->entry >= 0 && !s->entries[c->entry].number)
    f->is_part = 1;
  else
    snprintf(f->item, sizeof f->item, "%s", c->entry >= 0 ? s->entries[c->entry].item : c->number);
}

static void item_finder_add_found(const struct item_search *s, const struct item_candidate *c,
                                  struct found_items *out) {
  struct found_item *f = &out->list[out->count++];
  f->block = c->block;
  f->next_block = c->next_block;
  f->heading_end = c->heading_end;
  f->title = title_of(s, c);
  f->confidence = confidence_of(c);
  set_item(s, c, f);
}

static int item_finder_by_block(const void *a, const void *b) {
  const struct found_item *x = a, *y = b;
  return x->block < y->block ? -1 : x->block > y->block;
}

/* Whether c is an item outside of the form's order: it must have its title and look like a heading, follow the first
 * item, and not occur elsewhere. */
static int stands_apart(const struct item_search *s, const struct item_candidate *c,
                        const struct found_items *f, size_t chained) {
  struct found_item probe = {0};
  set_item(s, c, &probe);
  if (!c->titled || !c->look || c->toc || probe.is_part || !chained || c->block < f->list[0].block)
    return 0;
  for (size_t i = 0; i < f->count; i++)
    if (strcmp(f->list[i].item, probe.item) == 0 ||
        (c->block < f->list[i].next_block && f->list[i].block < c->next_block))
      return 0;
  return 1;
}

/* Whether candidate k repeats the item of c.  A running header on later pages may look more like a heading than the
 * heading itself. */
static int is_repeat(const struct item_candidate *k, const struct item_candidate *c) {
  return k->order == c->order && !k->toc && !k->loose && k->titled >= c->titled && k->partial <= c->partial;
}

/* The first of the candidates before list[i] that name its item with no other item in between, not before block
 * `floor`. */
static size_t first_of_run(const struct item_search *s, size_t i, size_t floor) {
  const struct item_candidate *c = &s->list[i];
  size_t first = i;
  for (size_t k = i; k-- > 0 && s->list[k].block >= floor;) {
    const struct item_candidate *x = &s->list[k];
    if (is_repeat(x, c))
      first = k;
    else if (!x->toc && x->titled && x->partial <= c->partial && x->number[0] &&
             strcmp(x->number, c->number) != 0)
      break;
  }
  return first;
}

/* The selected chain in text order, each item at the first place that names it; returns their number. */
static size_t chosen_chain(const struct item_search *s, int end, size_t *chosen) {
  size_t n = 0, floor = 0;
  for (int i = end; i >= 0; i = s->list[i].before)
    n++;
  size_t at = n;
  for (int i = end; i >= 0; i = s->list[i].before)
    chosen[--at] = (size_t)i;
  for (size_t i = 0; i < n; i++) {
    if (!s->list[chosen[i]].number[0])
      continue;
    chosen[i] = first_of_run(s, chosen[i], floor);
    floor = s->list[chosen[i]].next_block;
  }
  return n;
}

/* Whether a part follows the next item of the chain: then it was a running header within that item. */
static int is_overtaken(const struct item_search *s, const size_t *chosen, size_t n, size_t i) {
  return !s->list[chosen[i]].number[0] && i + 1 < n &&
         s->list[chosen[i]].block >= s->list[chosen[i + 1]].block;
}

static void item_finder_collect(const struct item_search *s, int end, struct found_items *out) {
  size_t *chosen = xcalloc(s->count + 1, sizeof *chosen), n = chosen_chain(s, end, chosen);
  out->list = xcalloc(s->count + 1, sizeof *out->list);
  for (size_t i = 0; i < n; i++)
    if (!is_overtaken(s, chosen, n, i))
      item_finder_add_found(s, &s->list[chosen[i]], out);
  free(chosen);
  qsort(out->list, out->count, sizeof *out->list, item_finder_by_block);
  size_t chained = out->count;
  for (size_t i = 0; i < s->count; i++)
    if (stands_apart(s, &s->list[i], out, chained))
      item_finder_add_found(s, &s->list[i], out);
  qsort(out->list, out->count, sizeof *out->list, item_finder_by_block);
}

/* The mean confidence of the items, reduced where most text is outside of what they explain: one item that takes
 * nearly all of a long document has absorbed others. */
static double overall(const struct item_search *s, const struct found_items *f) {
  double sum = 0;
  size_t items = 0, largest = 0;
  for (size_t i = 0; i < f->count; i++) {
    if (f->list[i].is_part)
      continue;
    size_t end = i + 1 < f->count ? s->d->blocks[f->list[i + 1].block].start : s->d->text.len;
    size_t size = end - f->list[i].heading_end;
    largest = size > largest ? size : largest;
    sum += f->list[i].confidence;
    items++;
  }
  if (!items)
    return 0;
  double v = sum / (double)items;
  if (v <= PARTIAL_CONFIDENCE + 1e-9 && items < PARTIAL_LEAST)
    v *= 0.5;
  int long_form =
      s->form == OUTLINE_10K || s->form == OUTLINE_10KSB || s->form == OUTLINE_10Q || s->form == OUTLINE_20F;
  if (long_form && items > 3 && s->d->text.len > 50000 && (double)largest > 0.9 * (double)s->d->text.len)
    v *= 0.5;
  return v;
}

/* Searches for an index of items where no headings name them. */
static void ask_index(const struct doc *d, enum outline_form form, struct found_items *f) {
  struct found_items g;
  if (f->confidence >= INDEX_BELOW ||
      (form != OUTLINE_10K && form != OUTLINE_10KSB && form != OUTLINE_10Q && form != OUTLINE_20F))
    return;
  item_index_find(d, form, &g);
  g.by_index = 1;
  int better = g.confidence >= OUTLINE_MIN_CONFIDENCE &&
               (f->confidence < OUTLINE_MIN_CONFIDENCE || g.count > f->count);
  struct found_items worse = better ? *f : g;
  if (better)
    *f = g;
  item_finder_release(&worse);
}

static void item_finder_search_once(const struct doc *d, enum outline_form form, int wide,
                                    struct found_items *f) {
  struct item_search *s = xcalloc(1, sizeof *s);
  memset(f, 0, sizeof *f);
  s->d = d;
  s->form = form;
  s->wide = wide;
  s->entries = items_of(form, &s->entry_count);
  s->list = xcalloc(ITEM_CANDIDATES, sizeof *s->list);
  item_candidates_find(s);
  mark_contents(s);
  chain(s);
  item_finder_collect(s, item_finder_best_end(s), f);
  f->confidence = overall(s, f);
  free(s->list);
  free(s);
}

static size_t items_in(const struct found_items *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->count; i++)
    n += !f->list[i].is_part;
  return n;
}

/* Searches for headings without the word "item" where the others leave the outline in doubt. */
static void ask_titles(const struct doc *d, enum outline_form form, struct found_items *f) {
  struct found_items g;
  if (!items_of(form, &(size_t){0}) || form == OUTLINE_OFFERING)
    return;
  item_finder_search_once(d, form, 1, &g);
  g.confidence =
      g.confidence > OUTLINE_DOUBTED ? OUTLINE_DOUBTED : g.confidence; /* such a title may head anything */
  int better = g.confidence >= OUTLINE_MIN_CONFIDENCE && items_in(&g) > items_in(f) &&
               (f->confidence < OUTLINE_MIN_CONFIDENCE || !lacks_items(d, form, &g));
  struct found_items worse = better ? *f : g;
  if (better)
    *f = g;
  item_finder_release(&worse);
}

void item_finder_find(const struct doc *d, enum outline_form form, struct found_items *f) {
  item_finder_search_once(d, form, 0, f);
  const struct found_item *first = f->list;
  int lacks = f->confidence > OUTLINE_DOUBTED && lacks_items(d, form, f);
  if (f->confidence <= OUTLINE_DOUBTED || lacks)
    ask_titles(d, form, f);
  ask_index(d, form, f);
  if (f->confidence > OUTLINE_DOUBTED && (f->list == first ? lacks : lacks_items(d, form, f)))
    f->confidence = OUTLINE_DOUBTED;
}

void item_finder_release(struct found_items *f) {
  for (size_t i = 0; i < f->count; i++)
    free(f->list[i].title);
  free(f->list);
  memset(f, 0, sizeof *f);
}
