/* item_candidates.c: the places of a document that may begin an item.
 *
 * A candidate is a block that begins with "Item N", "Part N" or both, in any markup.  Where it fits several places in
 * the form's order, each is a candidate ("Item 1" of a 10-Q is I-1 or II-1).  A candidate is scored by itself:
 * whether the form's title follows, whether it looks like a heading, whether it ends with a page number, whether it
 * is a link.
 */
#include "filing/item_candidates.h"
#include "filing/items.h"
#include "tables/page_words.h"

#include <ctype.h>
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
