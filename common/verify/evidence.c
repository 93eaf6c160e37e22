#include "verify/evidence.h"

#include "base/clock.h"
#include "page/block.h"
#include "text/sentence.h"
#include "verify/evidence_blocks.h"
#include "verify/numbers.h"
#include "verify/periods.h"
#include "tables/stop_words.h"
#include "tables/changes.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

enum { EVIDENCE_COLUMNS = 32, EVIDENCE_FEW = 1 };

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

/* ---- words ---- */

static int evidence_is_stop(const char *word, size_t n) {
  static const char *const words[] = {STOP_WORDS_EVIDENCE, NULL};
  return slice_among_nocase(slice_of(word, n), words);
}

/* The length of a rate that identifies a note, "4.625%", or 0. */
static size_t evidence_rate_at(struct slice t, size_t i, char word[TERMS_MAX]) {
  size_t n = 0;
  while (i + n < t.len && n + 1 < TERMS_MAX &&
         (isdigit((unsigned char)t.data[i + n]) || t.data[i + n] == '.')) {
    word[n] = t.data[i + n];
    n++;
  }
  return n > 3 && i + n < t.len && t.data[i + n] == '%' ? n : 0;
}

static void evidence_words_add(const struct evidence *e, struct evidence_words *w, struct slice text) {
  for (size_t i = 0; i < text.len && w->count < EVIDENCE_WORDS;) {
    char word[TERMS_MAX];
    size_t from = i, n = 0;
    for (; i < text.len && isalpha((unsigned char)text.data[i]); i++)
      if (n < sizeof word)
        word[n++] = (char)tolower((unsigned char)text.data[i]);
    if (n == 3 && memcmp(word, "non", 3) == 0 && i + 1 < text.len &&
        text.data[i] == '-') /* "Non-GAAP" is one word */
      for (i++; i < text.len && isalpha((unsigned char)text.data[i]); i++)
        if (n < sizeof word)
          word[n++] = (char)tolower((unsigned char)text.data[i]);
    for (; n && n < 4 && i < text.len && isdigit((unsigned char)text.data[i]); i++) /* "R6" */
      if (n < sizeof word)
        word[n++] = text.data[i];
    n = n ? n : evidence_rate_at(text, i, word);
    i = i == from ? i + (n ? n : 1) : i;
    if (n == 0 || evidence_is_stop(word, n))
      continue;
    uint64_t hash = terms_hash(terms_stem(e->terms, slice_of(word, n)));
    if (!evidence_has_word(w, hash))
      w->hash[w->count++] = hash;
  }
}

void evidence_words_of(const struct evidence *e, struct evidence_words *w, struct slice text) {
  w->count = 0;
  evidence_words_add(e, w, text);
}

int evidence_has_word(const struct evidence_words *w, uint64_t hash) {
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

/* Removes notes: "Agency revenues" from "Agency revenues (note 1)", "Services" from "Services (1)(b)" and "Services*". */
static struct slice evidence_without_note(struct slice label) {
  for (size_t i = 1; i + 5 <= label.len; i++)
    if (strncasecmp(label.data + i, "(note", 5) == 0)
      label.len = i;
  for (size_t len = label.len; len > 0; label.len = len) {
    size_t mark = len;
    while (mark > 0 && len - mark < 3 && label.data[mark - 1] != '(')
      mark--;
    if (label.data[len - 1] == ' ' || label.data[len - 1] == '*')
      len--;
    else if (label.data[len - 1] == ')' && len - mark >= 2 && mark > 1 && label.data[mark - 1] == '(')
      len = mark - 1;
    else
      break;
  }
  return label;
}

struct slice evidence_core(struct slice label) {
  static const char *const behind[] = {CHANGES_QUALIFIES, NULL};
  for (size_t i = 2; i + 2 < label.len; i++) {
    int bracket = label.data[i] == '(' && label.data[i - 1] == ' ';
    for (int k = 0; behind[k] && !bracket; k++)
      bracket = label.data[i] == ',' && slice_at_nocase(label, i + 2, behind[k]);
    if (bracket)
      return slice_of(label.data, i);
  }
  return label;
}

const struct concept_word *evidence_whole_label(const struct concept_table *t, struct slice label) {
  static const char total[] = "Total ";
  size_t n = sizeof total - 1;
  if (label.len > n && strncasecmp(label.data, total, n) == 0)
    label = slice_of(label.data + n, label.len - n);
  return t ? concept_word_find(t, evidence_without_note(label)) : NULL;
}

/* The longest word of the table in a label. */
static const struct concept_word *evidence_concept(const struct evidence *e, struct slice label) {
  const struct concept_word *best = NULL;
  size_t longest = 0;
  for (size_t i = 0; e->table && i < label.len; i++) {
    size_t taken = 0;
    if (i && isalnum((unsigned char)label.data[i - 1]))
      continue;
    if (i >= 7 && strncasecmp(label.data + i - 7, "before ", 7) == 0) /* "income before taxes" is not taxes */
      continue;
    const struct concept_word *w = concept_word_at(e->table, slice_of(label.data + i, label.len - i), &taken);
    if (w && taken > longest) {
      best = w;
      longest = taken;
    }
  }
  return best;
}

/* ---- lines of tables by their words ---- */

static struct evidence_line *evidence_line_slot(const struct evidence_lines *l, uint64_t hash) {
  size_t i = (size_t)hash & (l->size - 1);
  while (l->slots[i].count && l->slots[i].hash != hash)
    i = (i + 1) & (l->size - 1);
  return &l->slots[i];
}

static void evidence_lines_grow(struct evidence_lines *l) {
  struct evidence_lines more = {.size = l->size ? 2 * l->size : 256, .used = l->used};
  more.slots = xcalloc(more.size, sizeof *more.slots);
  for (size_t i = 0; i < l->size; i++)
    if (l->slots[i].count)
      *evidence_line_slot(&more, l->slots[i].hash) = l->slots[i];
  free(l->slots);
  *l = more;
}

static void evidence_count_line(struct evidence_lines *l, const struct evidence_words *words) {
  for (size_t i = 0; i < words->count; i++) {
    if (2 * (l->used + 1) > l->size)
      evidence_lines_grow(l);
    struct evidence_line *slot = evidence_line_slot(l, words->hash[i]);
    l->used += slot->count == 0;
    slot->hash = words->hash[i];
    slot->count++;
  }
  l->lines++;
}

size_t evidence_lines_with(const struct evidence_lines *l, uint64_t hash) {
  return l->size ? evidence_line_slot(l, hash)->count : 0;
}

/* ---- items ---- */

static struct evidence_item *evidence_push(struct evidence *e) {
  if ((e->count & (e->count - 1)) == 0)
    e->items = xreallocarray(e->items, e->count ? 2 * e->count : 1, sizeof *e->items);
  struct evidence_item *item = &e->items[e->count++];
  memset(item, 0, sizeof *item);
  item->caption = item->shares_caption = 1;
  return item;
}

/* `in` is the text that the number's offsets refer to. */
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

/* Whether only "," and "and" separate two positions in a list. */
static int evidence_is_listed(struct slice text, size_t from, size_t to) {
  static const char *const between[] = {" and ", ", ", ", and ", " or "};
  for (size_t k = 0; from < to && k < sizeof between / sizeof *between; k++)
    if (to - from == strlen(between[k]) && memcmp(text.data + from, between[k], to - from) == 0)
      return 1;
  return 0;
}

/* The number of years, or numbers, in the list that ends with the one at `last`. */
static size_t evidence_year_list(const struct stated *s, struct slice text, size_t last) {
  size_t first = last;
  while (first && evidence_is_listed(text, s->years[first - 1].start + 4, s->years[first].start))
    first--;
  return last - first + 1;
}

static size_t evidence_number_list(const struct stated *s, struct slice text, size_t last) {
  size_t first = last;
  while (first && evidence_is_listed(text, s->numbers[first - 1].end, s->numbers[first].start))
    first--;
  return last - first + 1;
}

/* "$5 and $4 as of December 31, 2009 and 2008": the k-th number of a list before an equally long list of years
 * belongs to the k-th year. */
static void evidence_listed_years(const struct stated *s, struct slice text, int *years) {
  for (size_t y = s->year_count; y-- > 1;) {
    size_t count = evidence_year_list(s, text, y), n = s->number_count;
    while (n && s->numbers[n - 1].start > s->years[y + 1 - count].start)
      n--;
    if (count > 1 && n && evidence_number_list(s, text, n - 1) == count)
      for (size_t k = 0; k < count; k++)
        years[n - count + k] = s->years[y + 1 - count + k].year;
    y -= count - 1;
  }
}

/* "In 2009 and 2008 A was $5 and $4 and B was $3 and $2": the only list of years comes first, and all numbers are in
 * lists of its length. */
static void evidence_repeated_years(const struct stated *s, struct slice text, int *years) {
  size_t count = s->year_count ? evidence_year_list(s, text, s->year_count - 1) : 0;
  if (count < 2 || count != s->year_count || !s->number_count ||
      s->numbers[0].start < s->years[count - 1].start)
    return;
  for (size_t n = s->number_count, list; n > 0; n -= list)
    if ((list = evidence_number_list(s, text, n - 1)) != count)
      return;
  for (size_t k = 0; k < s->number_count; k++)
    years[k] = s->years[k % count].year;
}

/* "$5 and $4 in 2009 and 2008, respectively": where a list of years and a list of numbers of the same length precede
 * the word, in either order, the k-th number belongs to the k-th year.  Fills years[number_count]; 0 where unknown. */
static void evidence_respective_years(const struct stated *s, struct slice text, int *years) {
  static const char word[] = "respectively";
  const char *at = text.len ? memmem(text.data, text.len, word, sizeof word - 1) : NULL;
  size_t end = at ? (size_t)(at - text.data) : 0, n = s->number_count, y = s->year_count;
  while (n && s->numbers[n - 1].start > end)
    n--;
  while (y && s->years[y - 1].start > end)
    y--;
  evidence_repeated_years(s, text, years);
  if (!at && s->number_count && !years[0])
    evidence_listed_years(s, text, years);
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

/* Length of a separator between two numbers' words at i: punctuation, except the comma of a date, or a word like
 * "and"; 0 for none. */
static size_t evidence_part_at(struct slice t, size_t i) {
  static const char *const words[] = {CHANGES_CLAUSE};
  if (strchr(":;", t.data[i]) ||
      (t.data[i] == ',' && !(i + 2 < t.len && isdigit((unsigned char)t.data[i + 2]))))
    return 1;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (i + strlen(words[k]) <= t.len && memcmp(t.data + i, words[k], strlen(words[k])) == 0)
      return strlen(words[k]);
  return 0;
}

/* Whether only "and", "or" or "to" joins two numbers: they have one subject and one predicate. */
static int evidence_is_joined(struct slice between) {
  static const char *const words[] = {"and", "or", "to", NULL};
  while (between.len && !isalpha((unsigned char)between.data[0]) && !strchr(";:)", between.data[0]))
    between = slice_of(between.data + 1, between.len - 1);
  while (between.len && strchr(" $(", between.data[between.len - 1]))
    between.len--;
  return between.len == 0 || slice_among_nocase(between, words);
}

/* Finds a number's own words: before it, those after the last separator since the previous number, which ends at
 * `from`; where it has none, those before the `first` one; after it, those up to the first separator before the next
 * number, or the end of the sentence, at `to`. */
static void evidence_take_local(const struct evidence *e, struct evidence_item *item, struct slice text,
                                size_t first, size_t from, const struct stated_number *n, size_t to) {
  enum { LOCAL = 100 };
  size_t start = n->start > from + LOCAL ? n->start - LOCAL : from, end = n->end;
  for (size_t i = start; i < n->start; i++)
    if (evidence_part_at(text, i)) {
      start = i + 1;
      item->parted = 1;
    }
  start = start < n->start ? start : n->start; /* a sign or a bracket may be the number's before, too */
  while (start > from && start < n->start && isalpha((unsigned char)text.data[start]) &&
         isalpha((unsigned char)text.data[start - 1]))
    start++;
  while (end < to && !evidence_part_at(text, end))
    end++;
  item->front = slice_of(text.data + start, n->start - start);
  item->behind = slice_of(text.data + n->end, end - n->end);
  evidence_words_add(e, &item->local, item->front);
  int joined = evidence_is_joined(item->front) || (n->start && text.data[n->start - 1] == '(');
  if (from && item[-1].row == item->row && joined) { /* "$2 before tax and $3 after it" */
    item->subject = item[-1].subject;
    evidence_words_add(e, &item->local, item->subject);
  } else {
    item->subject = item->front;
  }
  evidence_words_add(e, &item->local, item->behind);
  if (item->local.count < EVIDENCE_FEW) /* "decreased 3% to $5": the subject stands before the first number */
    evidence_words_add(e, &item->local, slice_of(text.data, first));
}

/* Where the words behind a number end: "82% to 93% of cases" share theirs. */
static size_t evidence_local_end(const struct stated *s, struct slice text, size_t i) {
  while (i + 1 < s->number_count) {
    size_t from = s->numbers[i].end, to = s->numbers[i + 1].start;
    if (to <= from || !evidence_is_joined(slice_of(text.data + from, to - from)))
      return to;
    i++;
  }
  return text.len;
}

static void evidence_sentence(struct evidence *e, int mark, struct slice text) {
  struct stated s;
  struct evidence_words words;
  numbers_read(&s, text, 1);
  evidence_words_of(e, &words, text);
  const struct concept_word *concept = s.number_count ? evidence_concept(e, text) : NULL;
  int *years = xcalloc(s.number_count + 1, sizeof *years);
  evidence_respective_years(&s, text, years);
  e->rows++;
  for (size_t i = 0, from = 0; i < s.number_count; i++) {
    const struct stated_number *n = &s.numbers[i];
    evidence_take(e, n, text, text, &words, concept, mark,
                  years[i] ? years[i] : numbers_year_of(&s, text, n));
    e->items[e->count - 1].months = period_months_near(text, n->start);
    e->items[e->count - 1].direction = n->change ? n->change : period_direction(text, n->start, n->end);
    e->items[e->count - 1].shares = n->shares;
    e->items[e->count - 1].day = period_day_near(text, n->start);
    evidence_take_local(e, &e->items[e->count - 1], text, s.numbers[0].start, from, n,
                        evidence_local_end(&s, text, i));
    from = n->end;
  }
  if (s.number_count)
    evidence_count_line(&e->all, &words);
  free(years);
  numbers_release(&s);
}

/* ---- tables ---- */

struct evidence_column {
  int year, percent;
  int months;                  /* where a column has none, the corner's */
  int change;                  /* of changes, "2024 vs. 2023" */
  int shares;                  /* "Number of shares" */
  int names;                   /* "CUSIP": its digits name things */
  double caption;              /* the column's own caption, "Value (in millions)", else 1 */
  struct evidence_words words; /* without those of a period */
  struct slice head;
  int ends; /* month */
  int day;  /* as in an item */
};

enum evidence_heading { HEADING_NONE, HEADING_PART, HEADING_SHARES, HEADING_EACH };

struct evidence_table {
  struct evidence_column columns[EVIDENCE_COLUMNS];
  double caption, share_caption; /* for amounts, for share counts */
  int some_captions;             /* columns have their own captions: one column's doesn't apply to others */
  size_t cells;                  /* of a header from the context, which omits an empty corner */
  enum evidence_heading
      heading; /* current heading of the rows: the name of a part, "Shares used in", "Earnings per share:" */
  int headed;  /* the header is in the passage, and so would be a caption */
  struct slice under; /* as in an item */
  struct slice label; /* of the last row */
  size_t first;       /* index of an item */
  int each;           /* the corner says that all figures are "per car" */
  int percent;        /* the caption says that all figures are */
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

static int evidence_has(struct slice text, const char *const *words) {
  for (; *words; words++)
    if (slice_holds_nocase(text, *words))
      return 1;
  return 0;
}

static int evidence_of_each(struct slice label) {
  static const char *const words[] = {" per ", "per-share", "price paid", NULL};
  return evidence_has(label, words);
}

/* "Shares used in computation of basic earnings per share": the shares, not what is earned per share. */
static int evidence_of_divisor(struct slice label) {
  static const char *const words[] = {"shares used in", "shares for", "shares in", NULL};
  for (int k = 0; words[k]; k++)
    if (slice_begins_nocase(label, words[k]))
      return 1;
  return 0;
}

/* Whether a line or column counts shares; amounts paid for shares don't count. */
static int evidence_of_shares(struct slice label) {
  static const char *const words[] = {
      "shares outstanding", "number of shares", "shares used in",  "weighted average",
      "weighted-average",   "# of shares",      "common shares -", NULL};
  static const char *const other[] = {"price", "exercise", "fair value", "value of",
                                      "rate",  "life",     "interest",   NULL};
  static const char *const counts[] = {"shares", "shares or principal amount", "shrs or prn amt",
                                       "number of securities", NULL};
  return evidence_of_divisor(label) || slice_among_nocase(label, counts) ||
         (evidence_has(label, words) && !evidence_has(label, other) && !evidence_of_each(label));
}

/* The scale of share counts under a caption: "in millions, except number of shares, which are in thousands". */
static double evidence_share_caption(struct slice text, double caption) {
  static const char *const except[] = {"except share", "except for share", "except number", "and share",
                                       NULL};
  static const char shares[] = "shares";
  const char *at = text.len ? memmem(text.data, text.len, shares, sizeof shares - 1) : NULL;
  double own = at ? numbers_caption(slice_of(at, text.len - (size_t)(at - text.data))) : 1;
  return own != 1 ? own : evidence_has(text, except) ? 1 : caption;
}

/* Records a line that may be the caption of the following tables. */
static void evidence_take_caption(struct evidence_table *t, struct slice line) {
  static const char *const percent[] = {"(%)", "(in percent)", NULL};
  double caption = numbers_caption(line);
  t->percent |= evidence_has(line, percent);
  if (caption == 1)
    return;
  t->caption = caption;
  t->share_caption = evidence_share_caption(line, caption);
}

/* The words of a header cell other than its date: "Fair value" in "December 31, 2023 Fair value". */
static void evidence_column_words(const struct evidence *e, struct evidence_column *c, struct slice cell) {
  static const char *const period[] = {CHANGES_PERIOD, NULL};
  for (size_t i = 0, from, skip = 0; i < cell.len; i++) {
    for (; c->caption != 1 && i < cell.len && (skip || cell.data[i] == '('); i++) /* "(in thousands)" */
      skip = cell.data[i] != ')';
    for (from = i; i < cell.len && isalpha((unsigned char)cell.data[i]); i++)
      ;
    for (size_t letters = i - from;
         letters && letters < 4 && i < cell.len && isdigit((unsigned char)cell.data[i]); i++)
      ; /* "R6" */
    struct slice word = slice_of(cell.data + from, i - from);
    int month = clock_month(word.data, word.len), of_period = month > 0;
    c->ends = month > 0 ? month : c->ends;
    for (int k = 0; period[k]; k++)
      of_period |= slice_is(word, period[k]);
    if (!of_period)
      evidence_words_add(e, &c->words, word);
  }
}

static void evidence_column_read(const struct evidence *e, struct evidence_column *c, struct slice cell) {
  static const char *const changes[] = {"change",   "vs.",    "increase", "decrease",
                                        "variance", "effect", "impact",   NULL};
  static const char *const percent[] = {"%", "percent", NULL};
  static const char *const names[] = {CHANGES_IDENTIFIER, NULL};
  struct stated s;
  numbers_read(&s, cell, 0);
  *c = (struct evidence_column){.months = period_months_near(cell, cell.len),
                                .caption = numbers_caption(cell)};
  c->change = evidence_has(cell, changes);
  for (size_t i = 0; i < s.year_count; i++) /* the later one in "2024 vs. 2023" */
    c->year = !c->change || s.years[i].year > c->year ? s.years[i].year : c->year;
  const char *except = cell.len ? memmem(cell.data, cell.len, "except", 6) : NULL;
  c->percent = evidence_has(slice_of(cell.data, except ? (size_t)(except - cell.data) : cell.len), percent);
  c->shares = evidence_of_shares(cell);
  c->names = slice_among_nocase(cell, names);
  evidence_column_words(e, c, cell);
  c->head = cell;
  c->day = period_day_near(cell, cell.len);
  numbers_release(&s);
}

static size_t evidence_cells(struct slice line) {
  struct slice cell;
  size_t count = 0;
  while (evidence_next_cell(&line, &cell))
    count++;
  return count;
}

/* A second table without a header inherits the previous one's if it has as many columns. */
static int evidence_is_headless(const struct evidence_table *t, struct slice line) {
  for (size_t i = 0; i < line.len; i++)
    if (line.data[i] != '|' && line.data[i] != ' ')
      return 0;
  return t->cells && evidence_cells(line) == t->cells;
}

/* A corner such as "Freight revenues Millions", or one that describes its figures: "Average revenue per car". */
static void evidence_take_corner(struct evidence_table *t, struct slice cell) {
  static const struct {
    const char *word;
    double scale;
  } known[] = {{"millions", 1e6}, {"thousands", 1e3}, {"billions", 1e9}};
  t->each = evidence_of_each(cell) && !evidence_has(cell, (const char *const[]){"except", NULL});
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    size_t n = strlen(known[k].word);
    if (cell.len >= n && strncasecmp(cell.data + cell.len - n, known[k].word, n) == 0)
      t->caption = t->share_caption = known[k].scale;
  }
}

static void evidence_table_head(const struct evidence *e, struct evidence_table *t, struct slice line) {
  struct slice cell;
  size_t captions = 0;
  if (evidence_is_headless(t, line))
    return;
  t->cells = 0;
  t->some_captions = 0;
  memset(t->columns, 0, sizeof t->columns);
  for (size_t c = 0; c < EVIDENCE_COLUMNS && evidence_next_cell(&line, &cell); c++) {
    struct evidence_column *column = &t->columns[c];
    t->cells++;
    evidence_column_read(e, column, cell);
    column->months = column->months ? column->months : t->columns[0].months;
    captions += c > 0 && column->caption != 1;
    if (c == 0 || captions == 1)
      evidence_take_caption(t, cell);
    if (c == 0)
      evidence_take_corner(t, cell);
  }
  t->some_captions = captions > 0 && captions + 1 < t->cells && t->columns[0].caption == 1;
}

/* Inserts a corner cell before the columns. */
static void evidence_shift(struct evidence_table *t) {
  memmove(t->columns + 1, t->columns, (EVIDENCE_COLUMNS - 1) * sizeof *t->columns);
  t->columns[0] = (struct evidence_column){0};
  t->cells++;
}

/* The scale of a number in a row. */
static double evidence_scale(const struct evidence_table *t, const struct evidence_column *c,
                             struct slice label, int shares) {
  if (t->each || (evidence_of_each(label) && !shares) ||
      (t->heading == HEADING_EACH && !shares)) /* "in millions, except per share data" */
    return 1;
  return t->some_captions ? c->caption : shares ? t->share_caption : t->caption;
}

/* For "net additions" or "increase (decrease) in cash": whether it is an increase. */
static int evidence_direction(struct slice label, double value) {
  static const char *const up[] = {"addition", "increase", NULL}, *const down[] = {"decrease", NULL};
  static const char *const turned[] = {"(increase", "decrease (", "decrease/(", NULL};
  int rose = evidence_has(label, up), fell = evidence_has(label, down);
  if (rose == fell)
    return !rose || evidence_has(label, turned) ? 0 : value < 0 ? -1 : 1;
  return rose ? 1 : -1;
}

static enum evidence_heading evidence_heading_of(const struct evidence *e, struct slice label) {
  static const char *const shares[] = {"shares used", "weighted-average shares", "weighted average shares",
                                       NULL};
  if (evidence_of_shares(label) || evidence_has(label, shares))
    return HEADING_SHARES;
  if (evidence_of_each(label))
    return HEADING_EACH;
  return e->table && concept_word_find(e->table, slice_of(label.data, label.len - 1)) ? HEADING_NONE
                                                                                      : HEADING_PART;
}

/* Where all figures of a row are negative, losses or payments, an increase of their size is a negative change. */
static void evidence_turn_changes(struct evidence *e, size_t first) {
  int negative = 0, positive = 0;
  for (size_t i = first; i < e->count; i++) {
    negative |= !e->items[i].direction && e->items[i].value < 0;
    positive |= !e->items[i].direction && e->items[i].value > 0;
  }
  for (size_t i = first; i < e->count && negative && !positive; i++)
    e->items[i].direction = e->items[i].percent ? e->items[i].direction : -e->items[i].direction;
}

/* "Operating ratio (%)", not the rate in "3.7% notes". */
static int evidence_is_percent_label(struct slice label) {
  for (size_t i = 0; i < label.len; i++)
    if (label.data[i] == '%' && (!i || !isdigit((unsigned char)label.data[i - 1])))
      return 1;
  return 0;
}

/* A column of changes with "4%" in one row has percentages in all rows. */
static void evidence_percent_column(struct evidence *e, struct evidence_table *t, size_t column) {
  for (size_t i = t->first; i < e->count; i++)
    if (e->items[i].in_table && e->items[i].column == column && !e->items[i].currency) {
      e->items[i].percent = 1;
      e->items[i].caption = 1;
    }
  t->columns[column].percent = 1;
}

/* The only year in a label. */
static int evidence_label_year(struct slice label) {
  struct stated s;
  numbers_read(&s, label, 0);
  int year = s.year_count == 1 ? s.years[0].year : 0;
  numbers_release(&s);
  return year;
}

/* Whether the first cell is a year alone. */
static int evidence_is_of_year(struct slice line) {
  struct slice cell;
  struct stated s;
  if (!evidence_next_cell(&line, &cell) || cell.len != 4)
    return 0;
  numbers_read(&s, cell, 0);
  int is = s.year_count == 1;
  numbers_release(&s);
  return is;
}

static void evidence_table_row(struct evidence *e, struct evidence_table *t, int mark, struct slice line) {
  struct slice label, cell;
  struct evidence_words words;
  for (size_t cells = evidence_cells(line);
       !t->headed && t->cells && cells > t->cells && cells <= EVIDENCE_COLUMNS;)
    evidence_shift(t); /* empty corners were omitted */
  if (!evidence_next_cell(&line, &label))
    return;
  if (label.len == 0 && evidence_is_of_year(line)) /* "| Ada Lind, President | 2025 |" and "| | 2024 |" */
    label = t->label;
  t->label = label;
  evidence_sentence(e, mark, label); /* "common stock, $0.01 par value" */
  evidence_words_of(e, &words, evidence_core(label));
  size_t core = words.count;
  evidence_words_add(e, &words, evidence_without_note(label));
  const struct concept_word *concept = evidence_concept(e, label);
  int whole = concept && evidence_whole_label(e->table, label) == concept;
  static const char *const percent[] = {"percent", NULL};
  int percent_row = evidence_is_percent_label(label) || evidence_is_percent_label(t->under) ||
                    evidence_has(t->under, percent);
  int year = evidence_label_year(label);
  year = year ? year : evidence_label_year(t->under);
  int share_row = evidence_of_shares(label) || t->heading == HEADING_SHARES;
  e->rows++;
  size_t before = e->count;
  for (size_t c = 1; c < EVIDENCE_COLUMNS && evidence_next_cell(&line, &cell); c++) {
    struct stated s;
    numbers_read(&s, cell, 0);
    for (size_t i = 0; i < s.number_count && !t->columns[c].names; i++) {
      const struct evidence_column *column = &t->columns[c];
      evidence_take(e, &s.numbers[i], cell, label, &words, concept, mark, column->year ? column->year : year);
      struct evidence_item *item = &e->items[e->count - 1];
      item->row_year = year;
      item->percent |= (percent_row || column->percent || t->percent) && !item->currency;
      item->in_table = 1;
      item->core = core;
      item->column = c;
      item->shares_caption = t->share_caption;
      item->under = t->under;
      item->head = column->head;
      item->ends = column->ends;
      item->day = column->day ? column->day : period_day_near(label, label.len);
      item->named = column->words.count > 0;
      item->place = column->words;
      evidence_words_add(e, &item->place, t->under);
      item->whole = whole;
      item->part = t->heading == HEADING_PART;
      item->months = column->months;
      item->shares = !item->currency && !item->percent && (share_row || column->shares);
      item->caption = item->percent ? 1 : evidence_scale(t, column, label, item->shares);
      item->any_scale = !t->each && !evidence_of_each(label) && !t->headed && t->caption == 1;
      item->direction = column->change ? (item->value < 0 ? -1 : 1) : evidence_direction(label, item->value);
    }
    if (s.year_count == 1 && cell.len == 4) /* "Maturities" */
      year = s.years[0].year;
    if (s.number_count && s.numbers[0].percent && t->columns[c].change && !t->columns[c].percent)
      evidence_percent_column(e, t, c);
    numbers_release(&s);
  }
  evidence_turn_changes(e, before);
  if (e->count > before)
    evidence_count_line(&e->lines, &words);
  if (e->count > before)
    evidence_count_line(&e->all, &words);
  if (e->count == before && label.len) {
    t->under = label;
    if (label.data[label.len - 1] == ':')
      t->heading = evidence_heading_of(e, label);
  } else if (label.len > 5 && strncasecmp(label.data, "total", 5) == 0) {
    t->heading = HEADING_NONE;
    t->under = slice_of(NULL, 0);
  }
}

static int evidence_is_rule(struct slice line) {
  for (size_t i = 0; i < line.len; i++)
    if (!strchr("|-: \r", line.data[i]) || !line.data[i])
      return 0;
  return 1;
}

/* ---- passages ---- */

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

/* Whether the heading above a passage, the last part of its context, is a statement of cash flows. */
static int evidence_is_flow(struct slice context) {
  static const char *const names[] = {"cash flow", "cash-flow"};
  struct slice place = page_place(context);
  size_t from = place.len;
  while (from > 0 && (unsigned char)place.data[from - 1] != 0xb7) /* the end of the middle dot */
    from--;
  for (size_t i = from; i + 9 <= place.len; i++)
    if (strncasecmp(place.data + i, names[0], 9) == 0 || strncasecmp(place.data + i, names[1], 9) == 0)
      return 1;
  return 0;
}

void evidence_add_passage(struct evidence *e, int mark, struct slice text, struct slice context) {
  struct evidence_table table = {.caption = 1, .share_caption = 1, .first = e->count};
  struct slice rest = text;
  size_t first = e->count;
  evidence_context_head(e, &table, context);
  while (rest.len) {
    struct slice line = evidence_cut(&rest), after = rest, next = after.len ? evidence_cut(&after) : after;
    if (!evidence_is_table(line)) {
      evidence_take_caption(&table, line);
      evidence_line(e, mark, line);
    } else if (evidence_is_table(next) &&
               evidence_is_rule(evidence_inside(next))) { /* the row above a rule */
      evidence_blocks_find(e, table.first);
      evidence_table_head(e, &table, evidence_inside(line));
      table.headed = 1;
      table.first = e->count;
      table.heading = HEADING_NONE;
      table.under = slice_of(NULL, 0);
    } else if (!evidence_is_rule(evidence_inside(line))) {
      evidence_table_row(e, &table, mark, evidence_inside(line));
    }
  }
  evidence_blocks_find(e, table.first);
  evidence_take_money(e, first, context);
  struct evidence_words place = {.count = 0};
  evidence_words_add(e, &place, context);
  for (int flow = evidence_is_flow(context); first < e->count; first++) {
    e->items[first].flow = flow;
    if (!e->items[first].in_table)
      e->items[first].place = place;
  }
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
  if (!same)
    evidence_count_line(&e->lines, &item->words);
  if (!same)
    evidence_count_line(&e->all, &item->words);
}
