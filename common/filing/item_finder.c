/* item_finder.c: selects the items of a document among the candidates (item_candidates.h).
 *
 * The chain of candidates in increasing order of places with the highest total score is selected.  Text between a
 * heading and the next one adds to the score, up to a limit, so that headings with a body win over lines of a table of
 * contents.  This is a weighted longest increasing subsequence, computed in O(n^2) for at most ITEM_CANDIDATES
 * candidates.
 *
 * An outline is doubtful where it lacks an item that the form requires, even for items that don't apply, or that the
 * report's table of contents lists.  An amendment contains only what it amends, so the form counts only for reports
 * above a minimum length that have one of its first items.
 */
#include "filing/item_finder.h"
#include "document/doc.h"
#include "filing/item_candidates.h"
#include "filing/items.h"
#include "tables/items.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
