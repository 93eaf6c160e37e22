#include "verify/evidence.h"

#include "verify/numbers.h"
#include "verify/periods.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

enum { EVIDENCE_COLUMNS = 32 };

void evidence_init(struct evidence *e, const struct concept_table *table) {
  *e = (struct evidence){.table = table};
}

void evidence_release(struct evidence *e) {
  free(e->items);
  evidence_init(e, e->table);
}

/* ---- words ---- */

static int evidence_is_stop(const char *word, size_t n) {
  static const char *const words[] = {
      "the",     "and",     "for",      "was",     "were",     "with",  "from", "that", "this",   "its",
      "our",     "are",     "year",     "in",      "of",       "to",    "a",    "an",   "by",     "on",
      "at",      "as",      "is",       "it",      "we",       "had",   "has",  "have", "fiscal", "total",
      "million", "billion", "thousand", "percent", "compared", "ended", "s",    "inc"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == n && strncasecmp(words[i], word, n) == 0)
      return 1;
  return 0;
}

void evidence_words_of(struct evidence_words *w, struct slice text) {
  w->count = 0;
  for (size_t i = 0; i < text.len && w->count < EVIDENCE_WORDS;) {
    size_t from = i;
    while (i < text.len && isalpha((unsigned char)text.data[i]))
      i++;
    size_t n = i - from;
    i += n == 0;
    if (n == 0 || evidence_is_stop(text.data + from, n))
      continue;
    if (n > 3 && (text.data[i - 1] == 's' || text.data[i - 1] == 'S'))
      n--;
    unsigned hash = 2166136261u; /* FNV-1a */
    for (size_t k = 0; k < n; k++)
      hash = (hash ^ (unsigned)tolower((unsigned char)text.data[from + k])) * 16777619u;
    if (!evidence_has_word(w, hash))
      w->hash[w->count++] = hash;
  }
}

int evidence_has_word(const struct evidence_words *w, unsigned hash) {
  for (size_t i = 0; i < w->count; i++)
    if (w->hash[i] == hash)
      return 1;
  return 0;
}

double evidence_overlap(const struct evidence_words *a, const struct evidence_words *b, size_t *common) {
  size_t shorter = a->count < b->count ? a->count : b->count;
  *common = 0;
  for (size_t i = 0; i < a->count; i++)
    *common += (size_t)evidence_has_word(b, a->hash[i]);
  return shorter ? (double)*common / (double)shorter : 0;
}

/* The longest word of the table that a label has. */
static const struct concept_word *evidence_concept(const struct evidence *e, struct slice label) {
  const struct concept_word *best = NULL;
  size_t longest = 0;
  for (size_t i = 0; e->table && i < label.len; i++) {
    size_t taken = 0;
    if (i && isalnum((unsigned char)label.data[i - 1]))
      continue;
    const struct concept_word *w = concept_word_at(e->table, slice_of(label.data + i, label.len - i), &taken);
    if (w && taken > longest) {
      best = w;
      longest = taken;
    }
  }
  return best;
}

/* ---- items ---- */

static struct evidence_item *evidence_push(struct evidence *e) {
  if ((e->count & (e->count - 1)) == 0)
    e->items = xreallocarray(e->items, e->count ? 2 * e->count : 1, sizeof *e->items);
  struct evidence_item *item = &e->items[e->count++];
  memset(item, 0, sizeof *item);
  item->caption = 1;
  return item;
}

/* `in` is the text that the number's places count in. */
static void evidence_take(struct evidence *e, const struct stated_number *n, struct slice in,
                          struct slice label, const struct evidence_words *words,
                          const struct concept_word *concept, int mark, int year) {
  struct evidence_item *item = evidence_push(e);
  item->printed = slice_of(in.data + n->start, n->end - n->start);
  item->value = n->value;
  item->last = n->last;
  item->percent = n->percent;
  item->currency = n->currency;
  item->label = label;
  item->words = *words;
  item->concept = concept;
  item->mark = mark;
  item->row = e->rows;
  item->year = year;
}

/* "$5 and $4 in 2009 and 2008, respectively": where a list of years and one of numbers of the same length stand in front
 * of the word, in either order, the k-th goes with the k-th.  Fills years[number_count]; 0 where it says nothing. */
static void evidence_respective_years(const struct stated *s, struct slice text, int *years) {
  static const char word[] = "respectively";
  const char *at = text.len ? memmem(text.data, text.len, word, sizeof word - 1) : NULL;
  size_t end = at ? (size_t)(at - text.data) : 0, n = s->number_count, y = s->year_count;
  while (n && s->numbers[n - 1].start > end)
    n--;
  while (y && s->years[y - 1].start > end)
    y--;
  if (!at || !n || !y)
    return;
  size_t count = 0;
  if (s->years[y - 1].start > s->numbers[n - 1].start)
    while (count < y && s->years[y - 1 - count].start > s->numbers[n - 1].start)
      count++;
  else
    while (count < n && s->numbers[n - 1 - count].start > s->years[y - 1].start)
      count++;
  for (size_t k = 0; count > 1 && count <= n && count <= y && k < count; k++)
    years[n - count + k] = s->years[y - count + k].year;
}

static void evidence_sentence(struct evidence *e, int mark, struct slice text) {
  struct stated s;
  struct evidence_words words;
  stated_read(&s, text, 1);
  evidence_words_of(&words, text);
  const struct concept_word *concept = s.number_count ? evidence_concept(e, text) : NULL;
  int *years = xcalloc(s.number_count + 1, sizeof *years);
  evidence_respective_years(&s, text, years);
  e->rows++;
  for (size_t i = 0; i < s.number_count; i++) {
    const struct stated_number *n = &s.numbers[i];
    evidence_take(e, n, text, text, &words, concept, mark, years[i] ? years[i] : stated_year_of(&s, text, n));
    e->items[e->count - 1].months = period_months_near(text, n->start);
    e->items[e->count - 1].direction = period_direction(text, n->start, n->end);
  }
  free(years);
  stated_release(&s);
}

/* ---- tables ---- */

struct evidence_table {
  int years[EVIDENCE_COLUMNS];
  int percents[EVIDENCE_COLUMNS];
  int months[EVIDENCE_COLUMNS]; /* of a column that tells none, those of the corner */
  double caption;
  size_t cells; /* of the head, where it stands in the context, without an empty corner */
  int heading;  /* the rows stand under one that has no numbers and is no name of a figure */
  int headed;   /* the head stands in the passage, and so would a caption */
};

static int evidence_next_cell(struct slice *line, struct slice *cell) {
  if (!line->len)
    return 0;
  size_t n = 0;
  while (n < line->len && (line->data[n] != '|' || (n && line->data[n - 1] == '\\')))
    n++;
  *cell = slice_of(line->data, n);
  n += n < line->len;
  *line = slice_of(line->data + n, line->len - n);
  while (cell->len && cell->data[0] == ' ')
    *cell = slice_of(cell->data + 1, cell->len - 1);
  while (cell->len && (cell->data[cell->len - 1] == ' ' || cell->data[cell->len - 1] == '\r'))
    cell->len--;
  return 1;
}

static void evidence_table_head(struct evidence_table *t, struct slice line) {
  struct slice cell;
  t->cells = 0;
  for (size_t c = 0; c < EVIDENCE_COLUMNS && evidence_next_cell(&line, &cell); c++) {
    struct stated s;
    t->cells++;
    stated_read(&s, cell, 0);
    t->years[c] = s.year_count ? s.years[s.year_count - 1].year : 0;
    t->months[c] = period_months_near(cell, cell.len);
    t->months[c] = t->months[c] ? t->months[c] : t->months[0];
    t->percents[c] =
        cell.len && (memchr(cell.data, '%', cell.len) || memmem(cell.data, cell.len, "ercent", 6));
    stated_release(&s);
  }
}

/* Makes room for a corner in front of the columns. */
static void evidence_shift(struct evidence_table *t) {
  const size_t columns = EVIDENCE_COLUMNS - 1;
  memmove(t->years + 1, t->years, columns * sizeof *t->years);
  memmove(t->percents + 1, t->percents, columns * sizeof *t->percents);
  memmove(t->months + 1, t->months, columns * sizeof *t->months);
  t->years[0] = t->percents[0] = t->months[0] = 0;
  t->cells++;
}

static size_t evidence_cells(struct slice line) {
  struct slice cell;
  size_t count = 0;
  while (evidence_next_cell(&line, &cell))
    count++;
  return count;
}

static void evidence_table_row(struct evidence *e, struct evidence_table *t, int mark, struct slice line) {
  struct slice label, cell;
  struct evidence_words words;
  if (!t->headed && t->cells && evidence_cells(line) == t->cells + 1)
    evidence_shift(t); /* the corner was empty, and is left out */
  if (!evidence_next_cell(&line, &label))
    return;
  evidence_sentence(e, mark, label); /* "common stock, $0.01 par value" */
  evidence_words_of(&words, label);
  const struct concept_word *concept = evidence_concept(e, label);
  int percent_row = label.len && memchr(label.data, '%', label.len) != NULL;
  int each = label.len &&
             (memmem(label.data, label.len, "per share", 9) || memmem(label.data, label.len, "per unit", 8));
  e->rows++;
  size_t before = e->count;
  for (size_t c = 1; c < EVIDENCE_COLUMNS && evidence_next_cell(&line, &cell); c++) {
    struct stated s;
    stated_read(&s, cell, 0);
    for (size_t i = 0; i < s.number_count; i++) {
      evidence_take(e, &s.numbers[i], cell, label, &words, concept, mark, t->years[c]);
      struct evidence_item *item = &e->items[e->count - 1];
      item->percent |= percent_row || t->percents[c];
      item->in_table = 1;
      item->part = t->heading;
      item->months = t->months[c];
      item->caption = each ? 1 : t->caption; /* "in millions, except per share data" */
      item->any_scale = !each && !t->headed && t->caption == 1;
    }
    stated_release(&s);
  }
  if (e->count == before && label.len && label.data[label.len - 1] == ':')
    t->heading = !concept_word_find(e->table, slice_of(label.data, label.len - 1));
  else if (label.len > 5 && strncasecmp(label.data, "total", 5) == 0)
    t->heading = 0;
}

static int evidence_is_rule(struct slice line) {
  for (size_t i = 0; i < line.len; i++)
    if (!strchr("|-: \r", line.data[i]) || !line.data[i])
      return 0;
  return 1;
}

/* ---- passages ---- */

/* Sentences of a line: parts between ". " and the like. */
static void evidence_line(struct evidence *e, int mark, struct slice line) {
  size_t from = 0;
  for (size_t i = 0; i < line.len; i++)
    if ((line.data[i] == '.' || line.data[i] == ';' || line.data[i] == '!') && i + 2 < line.len &&
        line.data[i + 1] == ' ' && isupper((unsigned char)line.data[i + 2])) {
      evidence_sentence(e, mark, slice_of(line.data + from, i + 1 - from));
      from = i + 2;
    }
  evidence_sentence(e, mark, slice_of(line.data + from, line.len - from));
}

/* A line of a text, and what is behind it. */
static struct slice evidence_cut(struct slice *rest) {
  const char *end = memchr(rest->data, '\n', rest->len);
  size_t n = end ? (size_t)(end - rest->data) : rest->len;
  struct slice line = slice_of(rest->data, n);
  n += end != NULL;
  *rest = slice_of(rest->data + n, rest->len - n);
  return line;
}

/* Of a table that was cut into several passages the head stands in the context: "… · (in millions) | 2024 | 2023". */
static void evidence_context_head(struct evidence_table *t, struct slice context) {
  const char *bar = context.len ? memchr(context.data, '|', context.len) : NULL;
  if (!bar)
    return;
  size_t from = (size_t)(bar - context.data);
  while (from > 1 && memcmp(context.data + from - 2, "\xC2\xB7", 2) != 0)
    from--;
  evidence_table_head(t, slice_of(context.data + from, context.len - from));
}

static int evidence_is_table(struct slice line) {
  return line.len && line.data[0] == '|';
}

/* A line that begins with a bar, without it. */
static struct slice evidence_inside(struct slice line) {
  return slice_of(line.data + 1, line.len - 1);
}

void evidence_add_passage(struct evidence *e, int mark, struct slice text, struct slice context) {
  struct evidence_table table = {.caption = stated_caption(text)};
  struct slice rest = text;
  if (table.caption == 1)
    table.caption = stated_caption(context);
  evidence_context_head(&table, context);
  while (rest.len) {
    struct slice line = evidence_cut(&rest), after = rest, next = after.len ? evidence_cut(&after) : after;
    if (!evidence_is_table(line))
      evidence_line(e, mark, line);
    else if (evidence_is_table(next) && evidence_is_rule(evidence_inside(next)))
      evidence_table_head(&table, evidence_inside(line)), table.headed = 1,
                                                          table.heading = 0; /* the row above a rule */
    else if (!evidence_is_rule(evidence_inside(line)))
      evidence_table_row(e, &table, mark, evidence_inside(line));
  }
}

void evidence_add_fact(struct evidence *e, struct slice label, double value, int percent, int year,
                       struct slice accession, struct slice cik) {
  struct evidence_item *item = evidence_push(e);
  item->value = value;
  item->percent = percent;
  item->year = year;
  item->label = label;
  item->accession = accession;
  item->cik = cik;
  item->row = ++e->rows;
  item->in_table = 1;
  evidence_words_of(&item->words, label);
  item->concept = evidence_concept(e, label);
}
