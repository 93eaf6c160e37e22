/* outline.c: finds items first (item_finder.c), then headings between them by appearance.  An appearance has a rank:
 * within an item, the first one found is level 3, a weaker one inside it level 4, and so on.  The parts of financial
 * statements are siblings whatever they look like: each statement, the auditor's report and the notes are level 3, a
 * numbered note level 4. */
#include "filing/outline.h"

#include "filing/form.h"

#include "document/doc_edits.h"
#include "filing/item_finder.h"
#include "document/doc.h"
#include "tables/report_forms.h"
#include "tables/page_words.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define HEADING_LONGEST 160  /* limit of a heading in bytes */
#define SENTENCE_LONGEST 320 /* limit of a heading that is a sentence, as in risk factors */
#define COVER_RUN 4          /* number of adjacent heading-like lines that are not headings */
#define LEVEL_FIRST 3
#define LEVEL_LAST 6
#define HEADING_CONFIDENCE 0.6F
#define MARKUP_CONFIDENCE 0.9F
#define LAST_ITEM "16"
#define STATEMENTS_ITEM "8"
#define REFERENCE_LONGEST 2500 /* bytes of an Item 8 that only refers to the statements */
#define SNIFF 6000             /* bytes of the first page */
#define SNIFF_LINE 24          /* limit of the line with the form's name: "FORM 10-K/A (Mark One)" */

enum outline_form outline_form_of(const char *type) {
  static const struct {
    const char *begin;
    enum outline_form form;
  } forms[] = {REPORT_FORMS_OUTLINE};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strncasecmp(type, forms[i].begin, strlen(forms[i].begin)) == 0)
      return forms[i].form;
  return OUTLINE_PLAIN;
}

const char *outline_sniff(const struct doc *d) {
  struct doc_view *p = xmalloc(sizeof *p);
  const char *found = NULL;
  for (size_t b = 0; b < d->block_count && d->blocks[b].start < SNIFF && !found; b++) {
    doc_view_at(p, d, d->blocks[b].start, d->blocks[b].end);
    const char *form = strncmp(p->lower, "form ", 5) == 0 && p->len <= SNIFF_LINE ? p->text + 5 : NULL;
    const char *inside = strstr(p->text, "SECURITIES AND EXCHANGE COMMISSION"); /* lines of a text, joined */
    inside = inside ? strstr(inside, " FORM ") : NULL;
    form = inside ? inside + 6 : form;
    for (int i = 0; form && form_titles[i]; i++) {
      size_t n = strlen(form_titles[i]);
      if (strncasecmp(form, form_titles[i], n) == 0 && !isalnum((unsigned char)form[n]) && form[n] != '-')
        found = form_titles[i];
    }
  }
  free(p);
  return found;
}

struct styles {
  int rank[LEVEL_LAST - LEVEL_FIRST + 1]; /* ranks of the open headings, strongest first */
  int depth;
};

struct outliner {
  struct doc *d;
  int plain;
  struct doc_edits edits;
  struct styles styles;
  int covered;  /* the first page is over */
  int in_notes; /* after "Notes to Financial Statements", where a statement's name is the heading of a part
                   of a note */
  int behind;   /* after the last item of a 10-K, Form 10-K Summary, to which nothing more belongs */
  char item[8]; /* then the item of financial statements: "8" where it only refers to them, else "" */
  struct doc_view look;
};

/* A stronger appearance has a higher rank. */
static int rank_of(const struct doc_block *b) {
  int r = (int)(b->size + 0.5F) * 1000;
  r += b->kind == DOC_HEADING ? 90 - 10 * (b->level > 6 ? 6 : b->level) : 0;
  r += (b->flags & DOC_UPPERCASE) ? 16 : 0;
  r += (b->flags & DOC_BOLD) ? 8 : 0;
  r += (b->flags & DOC_CENTERED) ? 4 : 0;
  r += (b->flags & DOC_UNDERLINED) ? 2 : 0;
  return r +
         ((b->flags & DOC_ITALIC) ? ((b->flags & DOC_BOLD) ? -1 : 1) : 0); /* bold italics rank below bold */
}

static int outline_level_of(struct styles *s, int rank) {
  while (s->depth && s->rank[s->depth - 1] < rank)
    s->depth--;
  if ((!s->depth || s->rank[s->depth - 1] > rank) && s->depth < LEVEL_LAST - LEVEL_FIRST + 1)
    s->rank[s->depth++] = rank;
  return LEVEL_FIRST + s->depth - 1;
}

#define RANK_PART INT_MAX /* a part of financial statements */
#define RANK_NOTE (INT_MAX - 1)
#define STATEMENT_LONGEST 120 /* limit of its title in bytes */

static int begins_one_of(const char *text, const char *const *begins) {
  for (int i = 0; begins[i]; i++)
    if (strncmp(text, begins[i], strlen(begins[i])) == 0)
      return 1;
  return 0;
}

/* Whether it is a title such as "consolidated balance sheets (unaudited)" or "statements of cash flows"; not
 * "selected balance sheet data" or "balance sheet components". */
static int is_statement_title(const struct doc_view *p) {
  static const char *const of[] = {PAGE_WORDS_STATEMENT_OF, NULL};
  const char *sheet = strstr(p->lower, "balance sheet"), *statement = strstr(p->lower, "statement");
  if (p->len > STATEMENT_LONGEST || strstr(p->lower, " data"))
    return 0;
  if (sheet) {
    sheet += strlen("balance sheet");
    sheet += *sheet == 's';
    return *sheet == '\0' || *sheet == ',' || sheet[strspn(sheet, " -")] == '(';
  }
  if (!statement)
    return 0;
  statement += strlen("statement");
  statement += *statement == 's';
  return strncmp(statement, " of ", 4) == 0 && begins_one_of(statement + 4, of);
}

/* Whether it is "note 1 - revenue" or, after the notes' title, "1. revenue". */
static int is_note_title(const struct outliner *o, const struct doc_view *p) {
  const char *number = p->lower;
  if (strncmp(number, "note ", 5) == 0)
    number += 5;
  else if (!o->in_notes)
    return 0;
  size_t digits = strspn(number, "0123456789");
  if (digits == 0 || digits > 2)
    return 0;
  if (number != p->lower)
    return !isalnum((unsigned char)number[digits]);
  number += digits;
  return (*number == '.' || *number == ')') && (number[1] == ' ' || isalpha((unsigned char)number[1]));
}

/* The rank of a heading that is a part of financial statements by its words; 0 where it is none. */
static int rank_by_words(struct outliner *o, const struct doc_view *p) {
  if (strncmp(p->lower, "notes to ", 9) == 0 && strstr(p->lower, "statements")) {
    o->in_notes = 1;
    return RANK_PART;
  }
  if (strncmp(p->lower, "report of independent ", 22) == 0) {
    o->in_notes = 0;
    return RANK_PART;
  }
  if (!o->in_notes && is_statement_title(p))
    return RANK_PART;
  return is_note_title(o, p) ? RANK_NOTE : 0;
}

static int has_letters(const struct doc_view *p) {
  int n = 0;
  for (size_t i = 0; i < p->len; i++)
    n += isalpha((unsigned char)p->text[i]) != 0;
  return n >= 3;
}

/* Lines that look like headings but are none. */
static int outline_is_label(const struct doc_view *p) {
  static const char *const begins[] = {PAGE_WORDS_NO_HEADING, NULL};
  for (int i = 0; begins[i]; i++)
    if (strncmp(p->lower, begins[i], strlen(begins[i])) == 0)
      return 1;
  return 0;
}

static int is_heading(struct outliner *o, const struct doc_block *b) {
  unsigned apart = b->flags & (DOC_BOLD | DOC_UNDERLINED | DOC_ITALIC);
  int capitals = (b->flags & DOC_UPPERCASE) != 0;
  if (b->kind == DOC_TABLE || b->kind == DOC_PREFORMATTED || (b->flags & (DOC_LINKED | DOC_FROM_TABLE)))
    return 0;
  if (b->kind != DOC_HEADING && !apart && !capitals)
    return 0;
  if (b->end - b->start > 2 * SENTENCE_LONGEST)
    return 0;
  doc_view_at(&o->look, o->d, b->start, b->end);
  const struct doc_view *p = &o->look;
  if (!p->whole || !has_letters(p) || outline_is_label(p))
    return 0;
  char last = p->text[p->len - 1];
  size_t limit = (b->flags & (DOC_BOLD | DOC_ITALIC)) ? SENTENCE_LONGEST : HEADING_LONGEST;
  if (p->len > limit || (last == '.' && !apart) || last == ';' || last == ',')
    return 0;
  return b->kind != DOC_LIST_ITEM || (b->flags & DOC_BOLD);
}

static struct doc_outline *outline_note(struct outliner *o, size_t block, int level, const char *title,
                                        float confidence) {
  struct doc_outline *x = doc_add_outline(o->d);
  x->offset = o->d->blocks[block].start;
  x->level = level;
  x->title = xstrdup(title);
  x->confidence = confidence;
  return x;
}

/* Adds Markdown heading marks to blocks [from, to). */
static void outline_mark(struct outliner *o, size_t from, size_t end, const char *title, int level) {
  char text[1024];
  if (o->plain) {
    int n = snprintf(text, sizeof text, "%s", title);
    if (from + 1 < o->d->block_count && o->d->blocks[from].end < end)
      doc_edits_heading(&o->edits, o->d, from, end, slice_of(text, (size_t)n), level);
    return;
  }
  int n = snprintf(text, sizeof text, "%.*s %s", level > 6 ? 6 : level, "######", title);
  doc_edits_heading(&o->edits, o->d, from, end, slice_of(text, (size_t)n), level);
}

static size_t heading_run(struct outliner *o, size_t from, size_t to) {
  size_t b = from;
  while (b < to && is_heading(o, &o->d->blocks[b]))
    b++;
  return b - from;
}

/* The large letters of a first page don't outrank later headings. */
static void leave_cover(struct outliner *o, size_t block) {
  const struct doc *d = o->d;
  size_t first = d->break_count && d->breaks[0].offset == 0; /* a break before all text */
  if (o->covered || first >= d->break_count || d->blocks[block].start < d->breaks[first].offset)
    return;
  o->covered = 1;
  o->styles.depth = 0;
}

/* Adds a heading behind the last item that begins a section of its own: a part of financial statements, the index of exhibits.
 * 1, or 0 where it begins none. */
static int begin_section(struct outliner *o, size_t block, int by_words) {
  static const char *const begins[] = {PAGE_WORDS_BEHIND_ITEMS, NULL};
  int exhibits = begins_one_of(o->look.lower, begins);
  if (!o->behind || (by_words != RANK_PART && !exhibits))
    return 0;
  struct doc_outline *x = outline_note(o, block, 2, o->look.text, HEADING_CONFIDENCE);
  if (!exhibits)
    memcpy(x->item, o->item, sizeof o->item);
  outline_mark(o, block, o->d->blocks[block].end, o->look.text, 2);
  o->styles.depth = 0;
  return 1;
}

/* Whether a run of lines at block b is the notes' title with the first note behind it: "notes to financial statements", "1.
 * organization", "description of business". */
static int begins_notes(struct outliner *o, size_t b, size_t run) {
  int title = 0;
  for (size_t i = 0; i < run; i++) {
    if (!is_heading(o, &o->d->blocks[b + i]))
      continue;
    const char *line = o->look.lower;
    if (title && (strncmp(line, "1.", 2) == 0 || strncmp(line, "note 1", 6) == 0))
      return 1;
    title = strncmp(line, "notes to ", 9) == 0 && strstr(line, "statements") != NULL;
  }
  return 0;
}

/* Many adjacent heading-like lines are a cover page, an address or signatures: only the last may be a heading, or those where
 * the notes begin. */
static void add_headings(struct outliner *o, size_t from, size_t to) {
  for (size_t b = from; b < to; b++) {
    size_t run = heading_run(o, b, to);
    int notes = run >= COVER_RUN && begins_notes(o, b, run);
    leave_cover(o, b);
    for (size_t i = run >= COVER_RUN && !notes ? run - 1 : 0; i < run; i++) {
      const struct doc_block *block = &o->d->blocks[b + i];
      if (b + i + 1 == o->d->block_count || !is_heading(o, block))
        continue;
      int by_words = rank_by_words(o, &o->look);
      if (begin_section(o, b + i, by_words))
        continue;
      int level = outline_level_of(&o->styles, by_words ? by_words : rank_of(block));
      outline_note(o, b + i, level, o->look.text,
                   block->kind == DOC_HEADING ? MARKUP_CONFIDENCE : HEADING_CONFIDENCE);
      outline_mark(o, b + i, block->end, o->look.text, level);
    }
    b += run;
  }
}

static void add_item(struct outliner *o, const struct found_item *f) {
  int level = f->is_part ? 1 : 2;
  struct doc_outline *x = outline_note(o, f->block, level, f->title, (float)f->confidence);
  memcpy(x->item, f->item, sizeof x->item);
  outline_mark(o, f->block, f->heading_end, f->title, level);
  o->styles.depth = 0;
  o->in_notes = 0;
}

/* After Item 16 of a 10-K, which Item 15 precedes, the statements of Item 8 follow where that is only a few lines. */
static void leave_items(struct outliner *o, const struct found_items *items, size_t used) {
  const struct doc_block *blocks = o->d->blocks;
  o->behind = used && strcmp(items->list[used - 1].item, LAST_ITEM) == 0;
  for (size_t i = 0; o->behind && i + 1 < used; i++)
    if (strcmp(items->list[i].item, STATEMENTS_ITEM) == 0 &&
        blocks[items->list[i + 1].block].start - blocks[items->list[i].block].start < REFERENCE_LONGEST)
      snprintf(o->item, sizeof o->item, "%s", STATEMENTS_ITEM);
}

static void outline_set_pages(struct doc *d) {
  for (size_t i = 0; i < d->outline_count; i++)
    d->outline[i].page = doc_page_at(d, d->outline[i].offset);
}

double outline_find(struct doc *d, enum outline_form form, int plain) {
  struct outliner *o = xcalloc(1, sizeof *o);
  struct found_items items = {0};
  o->d = d;
  o->plain = plain;
  doc_edits_init(&o->edits);
  if (form != OUTLINE_PLAIN)
    item_finder_find(d, form, &items);
  double confidence = form == OUTLINE_PLAIN ? -1 : items.confidence;
  size_t used = confidence >= OUTLINE_MIN_CONFIDENCE ? items.count : 0, at = 0;
  for (size_t i = 0; i < used; i++) {
    if (i || items.by_index || form == OUTLINE_OFFERING || form == OUTLINE_SCHEDULE) /* else a cover page */
      add_headings(o, at, items.list[i].block);
    add_item(o, &items.list[i]);
    at = items.list[i].next_block;
  }
  leave_items(o, &items, form == OUTLINE_10K && !items.by_index ? used : 0);
  add_headings(o, at, d->block_count);
  doc_edits_apply(&o->edits, d);
  outline_set_pages(d);
  item_finder_release(&items);
  doc_edits_release(&o->edits);
  free(o);
  return confidence;
}
