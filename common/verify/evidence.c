/* evidence.c: the figures of a passage as items: value, scale, unit, line, period and column.
 *
 * Tables are read row by row (evidence_rows.c), sentences by evidence_prose.c.  Afterwards the columns and the scale
 * of a table are told by all of its figures. */
#include "verify/evidence.h"
#include "tables/changes.h"
#include "text/sentence.h"
#include "verify/evidence_prose.h"
#include "verify/evidence_rows.h"
#include "verify/evidence_words.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

static int kind_is_each(struct slice behind) {
  static const char *const words[] = {CHANGES_EACH, NULL};
  for (int k = 0; words[k]; k++)
    if (slice_begins_nocase(behind, words[k]))
      return 1;
  return 0;
}

enum evidence_kind evidence_kind_of(const struct evidence_item *item) {
  static const char *const growth[] = {"growth", "change", "increase", "decrease", NULL};
  int changes = item->direction != 0;
  for (int k = 0; item->in_table && growth[k]; k++)
    changes |=
        slice_holds_nocase(item->cell.head, growth[k]) || slice_holds_nocase(item->cell.under, growth[k]);
  if (item->points)
    return KIND_POINTS;
  if (item->percent)
    return changes ? KIND_GROWTH : KIND_PERCENT;
  if (item->shares)
    return KIND_COUNT;
  if (item->in_table ? evidence_of_each(item->label) || evidence_of_each(item->cell.head)
                     : item->currency && kind_is_each(item->prose.behind))
    return KIND_EACH;
  return item->direction ? KIND_CHANGE : KIND_AMOUNT;
}

enum evidence_kind evidence_kind_told(const struct stated_number *n, struct slice text, int direction) {
  struct slice behind = slice_of(text.data + n->end, text.len - n->end);
  if (n->points)
    return KIND_POINTS;
  if (n->percent)
    return direction && !slice_begins_nocase(behind, " of ") ? KIND_GROWTH : KIND_PERCENT;
  if (n->shares)
    return KIND_COUNT;
  return n->currency && kind_is_each(behind) ? KIND_EACH : direction ? KIND_CHANGE : KIND_AMOUNT;
}

int evidence_kind_rivals(enum evidence_kind told, enum evidence_kind item) {
  /* A bare number may count shares, or be an amount per share, "EPS was $2.35"; a change may be a line, "added $5". */
  int wide = told == KIND_AMOUNT || told == KIND_COUNT || told == KIND_CHANGE;
  return told == item || (wide && item <= KIND_CHANGE);
}

/* ---- items ---- */

void evidence_init(struct evidence *e, const struct concept_table *table) {
  *e = (struct evidence){.table = table, .terms = terms_new_small()};
}

void evidence_release(struct evidence *e) {
  free(e->items);
  free(e->lines.slots);
  free(e->all.slots);
  free(e->texts);
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

static int evidence_is_table(struct slice line) {
  return line.len && line.data[0] == '|';
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

/* Adds the lines from a label to the end of a line with its numbers, which need not say their unit. */
static void evidence_number_below(struct evidence *e, int mark, struct slice label, struct slice line) {
  size_t first = e->count;
  evidence_sentence(e, mark, slice_of(label.data, (size_t)(line.data + line.len - label.data)));
  for (; first < e->count; first++)
    e->items[first].field = 1;
}

/* Whether a line of text in columns ends with a number, behind a gap, a currency sign or dots. */
static int evidence_ends_row(struct slice line) {
  struct slice t = slice_trimmed(line);
  size_t from = t.len;
  int digits = 0;
  while (from > 0 && (isdigit((unsigned char)t.data[from - 1]) || strchr(",.%()-$", t.data[from - 1])))
    digits |= isdigit((unsigned char)t.data[--from]);
  return digits && (from < 2 || (t.data[from - 1] == ' ' && strchr(" .$-", t.data[from - 2])));
}

/* Adds the rows of a text in columns, between "```" and "```": a label may take several lines. Returns what is behind it. */
static struct slice evidence_columns_add(struct evidence *e, int mark, struct slice rest) {
  struct slice label = {NULL, 0};
  while (rest.len) {
    struct slice line = slice_cut(&rest, '\n');
    int ends = evidence_ends_row(line), text = 0;
    if (slice_begins_nocase(line, "```"))
      break;
    for (size_t i = 0; i < line.len && !text; i++)
      text = isalnum((unsigned char)line.data[i]);
    label = text && !label.len ? line : text ? label : slice_of(NULL, 0);
    if (text && ends)
      evidence_number_below(e, mark, label, line);
    else if (text)
      evidence_line(e, mark, line);
    label = ends ? slice_of(NULL, 0) : label;
  }
  return rest;
}

void evidence_add_passage(struct evidence *e, int mark, struct slice text, struct slice context) {
  struct evidence_table table = {
      .caption = 1, .share_caption = 1, .first = e->count, .title = page_place_end(context)};
  struct slice rest = text, above = {NULL, 0};
  size_t first = e->count;
  evidence_take_caption(e, &table, page_place(context));
  if (page_head(context).len) /* of a table that goes on from the passage before */
    evidence_table_head(e, &table, page_head(context));
  while (rest.len) {
    struct slice line = slice_cut(&rest, '\n'), after = rest,
                 next = after.len ? slice_cut(&after, '\n') : after;
    above.len = evidence_is_table(line) ? 0 : above.len;
    if (slice_begins_nocase(line, "```"))
      rest = evidence_columns_add(e, mark, rest);
    else if (!evidence_is_table(line)) {
      evidence_take_caption(e, &table, line);
      int alone = evidence_is_number_alone(above, line);
      if (alone)
        evidence_number_below(e, mark, above, line);
      else
        evidence_line(e, mark, line);
      if (line.len > 1 && !alone)
        table.title = above = line;
    } else if (evidence_is_table(next) && page_is_rule(next)) { /* the row above a rule */
      evidence_scales_find(e, table.first);
      evidence_table_head(e, &table, line);
      table.headed = 1;
      table.labels = 0;
      table.first = e->count;
      table.groups.count = 0;
    } else if (!page_is_rule(line)) {
      evidence_table_row(e, &table, mark, line);
    }
  }
  evidence_scales_find(e, table.first);
  evidence_take_money(e, first, context);
  struct evidence_words place = {.count = 0};
  evidence_words_add(e, &place, context);
  int flow = slice_holds_nocase(page_place(context), "cash flow");
  for (size_t i = first; i < e->count; i++) {
    e->items[i].cell.flow = flow;
    e->items[i].kind = evidence_kind_of(&e->items[i]);
    if (!e->items[i].in_table)
      e->items[i].place = place;
  }
}

void evidence_add_fact(struct evidence *e, const struct evidence_fact *fact) {
  const struct evidence_item *last = e->count ? &e->items[e->count - 1] : NULL;
  int same = last && !last->mark && slice_eq(last->label, fact->label) && slice_eq(last->cik, fact->cik) &&
             last->when.months == fact->months;
  size_t row = same ? last->row : ++e->rows;
  struct evidence_item *item = evidence_push(e);
  item->value = fact->value;
  item->percent = fact->percent;
  item->currency = fact->currency;
  item->when.year = fact->year;
  item->when.months = fact->months;
  item->when.quarter = fact->quarter;
  item->label = fact->label;
  item->accession = fact->accession;
  item->cik = fact->cik;
  item->row = row;
  item->in_table = 1;
  evidence_words_of(e, &item->words, fact->label);
  item->cell.core = item->words.count;
  item->concept = evidence_concept(e, fact->label);
  item->whole = item->concept && evidence_whole_label(e->table, fact->label) == item->concept;
  item->kind = evidence_kind_of(item);
  if (!same)
    evidence_count_line(&e->lines, &item->words);
  if (!same)
    evidence_count_line(&e->all, &item->words);
}
