#include "verify/evidence.h"

#include "page/block.h"
#include "text/sentence.h"
#include "verify/evidence_blocks.h"
#include "verify/evidence_groups.h"
#include "verify/evidence_kinds.h"
#include "verify/evidence_prose.h"
#include "verify/evidence_rolls.h"
#include "verify/evidence_rows.h"
#include "verify/evidence_scales.h"
#include "verify/evidence_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

void evidence_init(struct evidence *e, const struct concept_table *table) {
  *e = (struct evidence){.table = table, .terms = terms_new_small()};
}

void evidence_release(struct evidence *e) {
  free(e->items);
  free(e->lines.slots);
  free(e->all.slots);
  terms_free(e->terms);
  *e = (struct evidence){.table = e->table};
}

/* Splits a line into sentences, and these at semicolons before a capital. */
static void evidence_line(struct evidence *e, int mark, struct slice line) {
  while (line.len) {
    size_t end = sentence_end(line), from = 0;
    for (size_t i = 0; i + 2 < end; i++)
      if (line.data[i] == ';' && line.data[i + 1] == ' ' && isupper((unsigned char)line.data[i + 2])) {
        evidence_sentence(e, mark, slice_of(line.data + from, i + 1 - from));
        from = i + 2;
      }
    evidence_sentence(e, mark, slice_of(line.data + from, end - from));
    line = slice_of(line.data + end, line.len - end);
  }
}

/* Removes and returns the next line. */
static struct slice evidence_cut(struct slice *rest) {
  const char *end = memchr(rest->data, '\n', rest->len);
  size_t n = end ? (size_t)(end - rest->data) : rest->len;
  struct slice line = slice_of(rest->data, n);
  n += end != NULL;
  *rest = slice_of(rest->data + n, rest->len - n);
  return line;
}

/* Where a table was split into several passages, its header is in the context: "… · (in millions) | 2024 | 2023". */
static void evidence_context_head(const struct evidence *e, struct evidence_table *t, struct slice context) {
  const char *bar = context.len ? memchr(context.data, '|', context.len) : NULL;
  size_t from = bar ? (size_t)(bar - context.data) : context.len;
  while (bar && from > 1 && memcmp(context.data + from - 2, "\xC2\xB7", 2) != 0)
    from--;
  evidence_take_caption(t, slice_of(context.data, from));
  if (bar)
    evidence_table_head(e, t, slice_of(context.data + from, context.len - from));
}

static int evidence_is_table(struct slice line) {
  return line.len && line.data[0] == '|';
}

/* The line without its leading bar. */
static struct slice evidence_inside(struct slice line) {
  return slice_of(line.data + 1, line.len - 1);
}

/* Where all numbers of a passage with a currency have the same one, or its context mentions only dollars, it applies
 * to bare amounts too. */
static void evidence_take_money(struct evidence *e, size_t from, struct slice context) {
  static const char *const dollars[] = {"in $", "U.S. dollar", "US dollar", NULL};
  int money = evidence_has(context, dollars) ? 1 : 0; /* as in numbers.h */
  for (size_t i = from; i < e->count; i++) {
    int own = e->items[i].currency;
    if (own && money && own != money)
      return;
    money = own ? own : money;
  }
  for (size_t i = from; i < e->count; i++)
    e->items[i].money = e->items[i].percent || e->items[i].shares ? 0 : money;
}

/* The heading above a passage, the last part of its context. */
static struct slice evidence_place(struct slice context) {
  struct slice place = page_place(context);
  size_t from = place.len;
  while (from > 0 && (unsigned char)place.data[from - 1] != 0xb7) /* the end of the middle dot */
    from--;
  return slice_of(place.data + from, place.len - from);
}

/* Whether the heading above a passage is a statement of cash flows. */
static int evidence_is_flow(struct slice context) {
  struct slice place = evidence_place(context);
  return slice_holds_nocase(place, "cash flow") || slice_holds_nocase(place, "cash-flow");
}

/* What the rows of a table, whose items begin at `first`, are to each other. */
static void evidence_table_end(struct evidence *e, size_t first) {
  evidence_blocks_find(e, first);
  evidence_groups_find(e, first);
  evidence_rolls_find(e, first);
  evidence_scales_find(e, first);
}

/* A number alone in its paragraph, as in forms: "Percent of class", and "17.1%" below it; not the number of a page or an item. */
static int evidence_is_number_alone(struct slice above, struct slice line) {
  enum { ALONE_LABEL = 120, ALONE_DIGITS = 4 };
  size_t digits = 0, marks = 0;
  for (size_t i = 0; i < line.len; i++) {
    if (!isdigit((unsigned char)line.data[i]) && !strchr(",.$% \r", line.data[i]))
      return 0;
    digits += isdigit((unsigned char)line.data[i]) != 0;
    marks += strchr("$%", line.data[i]) != NULL;
  }
  return digits > 0 && (digits > ALONE_DIGITS || marks) && line.data[line.len - 1] != '.' && above.len > 1 &&
         above.len < ALONE_LABEL && above.data[above.len - 1] != '.';
}

/* Adds a paragraph that is a number alone, with the label above it. */
static void evidence_number_below(struct evidence *e, int mark, struct slice label, struct slice line) {
  size_t first = e->count;
  evidence_sentence(e, mark, slice_of(label.data, (size_t)(line.data + line.len - label.data)));
  for (; first < e->count; first++)
    e->items[first].field = 1;
}

void evidence_add_passage(struct evidence *e, int mark, struct slice text, struct slice context) {
  struct evidence_table table = {
      .caption = 1, .share_caption = 1, .first = e->count, .title = evidence_place(context)};
  struct slice rest = text, above = {NULL, 0};
  size_t first = e->count;
  evidence_context_head(e, &table, context);
  while (rest.len) {
    struct slice line = evidence_cut(&rest), after = rest, next = after.len ? evidence_cut(&after) : after;
    above.len = evidence_is_table(line) ? 0 : above.len;
    if (!evidence_is_table(line)) {
      evidence_take_caption(&table, line);
      int alone = evidence_is_number_alone(above, line);
      if (alone)
        evidence_number_below(e, mark, above, line);
      else
        evidence_line(e, mark, line);
      if (line.len > 1 && !alone)
        table.title = above = line;
    } else if (evidence_is_table(next) &&
               evidence_is_rule(evidence_inside(next))) { /* the row above a rule */
      evidence_table_end(e, table.first);
      evidence_table_head(e, &table, evidence_inside(line));
      table.headed = 1;
      table.labels = 0;
      table.first = e->count;
      table.heading = HEADING_NONE;
      table.under = slice_of(NULL, 0);
      table.section_year = 0;
    } else if (!evidence_is_rule(evidence_inside(line))) {
      evidence_table_row(e, &table, mark, evidence_inside(line));
    }
  }
  evidence_table_end(e, table.first);
  evidence_take_money(e, first, context);
  struct evidence_words place = {.count = 0};
  evidence_words_add(e, &place, context);
  int flow = evidence_is_flow(context);
  for (size_t i = first; i < e->count; i++) {
    e->items[i].flow = flow;
    e->items[i].kind = evidence_kind_of(&e->items[i]);
    if (!e->items[i].in_table)
      e->items[i].place = place;
  }
  evidence_scales_of_notes(e, first, context);
}

void evidence_add_fact(struct evidence *e, const struct evidence_fact *fact) {
  const struct evidence_item *last = e->count ? &e->items[e->count - 1] : NULL;
  int same = last && !last->mark && slice_eq(last->label, fact->label) && slice_eq(last->cik, fact->cik) &&
             last->months == fact->months;
  size_t row = same ? last->row : ++e->rows;
  struct evidence_item *item = evidence_push(e);
  item->value = fact->value;
  item->percent = fact->percent;
  item->currency = fact->currency;
  item->year = fact->year;
  item->months = fact->months;
  item->quarter = fact->quarter;
  item->label = fact->label;
  item->accession = fact->accession;
  item->cik = fact->cik;
  item->row = row;
  item->in_table = 1;
  evidence_words_of(e, &item->words, fact->label);
  item->core = item->words.count;
  item->concept = evidence_concept(e, fact->label);
  item->whole = item->concept && evidence_whole_label(e->table, fact->label) == item->concept;
  item->kind = evidence_kind_of(item);
  if (!same)
    evidence_count_line(&e->lines, &item->words);
  if (!same)
    evidence_count_line(&e->all, &item->words);
}
