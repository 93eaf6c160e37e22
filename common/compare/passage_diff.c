/* passage_diff.c: the differences of two texts by paragraphs and words; tables without columns of other spans of time. */
#include "compare/passage_diff.h"
#include "base/day.h"
#include "page/page_table.h"
#include "verify/periods.h"

#include <ctype.h>
#include <stdlib.h>

#define COLUMNS_MAX 64 /* columns of a table that are looked at; further ones have no span */
#define MONTHS_MAX 12

struct span_table {
  int months[COLUMNS_MAX]; /* per cell of a row, from 0; 0: no span */
  unsigned spans;          /* all of them */
};

static struct slice span_rest(struct slice text, struct slice line) {
  size_t n = line.len + (line.len < text.len);
  return slice_of(text.data + n, text.len - n);
}

static int span_of(struct slice cell) {
  struct periods periods;
  periods_read(&periods, cell, NULL);
  int months = period_months_near(&periods, 0);
  return months <= MONTHS_MAX ? months : 0;
}

/* Reads a heading row.  A span in the first cell is that of all columns, if they have none. */
static void span_table_read(struct span_table *t, struct slice heading) {
  *t = (struct span_table){{0}, 0};
  size_t column = 0, end;
  for (size_t from = 1; from < heading.len && column < COLUMNS_MAX; from = end + 1, column++) {
    end = page_cell_end(heading, from);
    t->months[column] = span_of(slice_of(heading.data + from, end - from));
    if (column && t->months[column])
      t->spans |= 1U << t->months[column];
  }
  int all = t->spans ? 0 : t->months[0];
  t->months[0] = 0;
  for (size_t i = 1; all && i < column; i++)
    t->months[i] = all;
  t->spans |= all ? 1U << all : 0;
}

int passage_diff_months(struct slice heading) {
  struct span_table t;
  span_table_read(&t, heading);
  for (int m = 1; m <= MONTHS_MAX; m++)
    if (t.spans == 1U << m)
      return m;
  return 0;
}

/* Whether a table begins: a row above a rule. */
static int is_table_heading(struct slice line, struct slice rest) {
  return line.len && line.data[0] == '|' && page_is_rule(page_line(rest, 0));
}

unsigned passage_diff_all(struct slice text) {
  struct span_table t;
  unsigned all = 0;
  while (text.len) {
    struct slice line = page_line(text, 0);
    text = span_rest(text, line);
    if (!is_table_heading(line, text))
      continue;
    span_table_read(&t, line);
    all |= t.spans;
  }
  return all;
}

static void add_kept_cells(struct buf *out, const struct span_table *t, struct slice row, unsigned keep) {
  size_t column = 0, end;
  buf_add_char(out, '|');
  for (size_t from = 1; from < row.len; from = end + 1, column++) {
    int months = column < COLUMNS_MAX ? t->months[column] : 0;
    end = page_cell_end(row, from);
    if (!months || (keep >> months & 1))
      buf_add(out, row.data + from, end + (end < row.len) - from);
  }
}

unsigned passage_diff_keep(struct buf *out, struct slice text, unsigned keep) {
  struct span_table t = {{0}, 0};
  unsigned dropped = 0;
  while (text.len) {
    struct slice line = page_line(text, 0);
    int row = line.len && line.data[0] == '|', ended = line.len < text.len;
    text = span_rest(text, line);
    if (!row)
      t.spans = 0;
    else if (is_table_heading(line, text))
      span_table_read(&t, line);
    if (row && (t.spans & keep) && (t.spans & ~keep)) {
      add_kept_cells(out, &t, line, keep);
      dropped |= t.spans & ~keep;
    } else {
      buf_add_slice(out, line);
    }
    if (ended)
      buf_add_char(out, '\n');
  }
  return dropped;
}

/* ---- paragraphs and their words ---- */

/* The hashes of a paragraph's words, sorted. */
struct passage_diff_bag {
  uint64_t *words;
  size_t count;
};

static int is_letter(unsigned char c) {
  return isalpha(c) || c >= 0x80;
}

static uint64_t mixed(uint64_t h, unsigned char c) {
  return (h ^ c) * 1099511628211u; /* FNV-1a */
}

/* Length of a General Punctuation character (U+2000 to U+203F: quotes, dashes, ellipsis) at s[i], or 0. */
static size_t general_mark(struct slice s, size_t i) {
  return i + 2 < s.len && memcmp(s.data + i, "\xe2\x80", 2) == 0 ? 3 : 0;
}

/* Length of such a mark or a minus sign (U+2212) at s[i], or 0. */
static size_t mark_at(struct slice s, size_t i) {
  return i + 2 < s.len && memcmp(s.data + i, "\xe2\x88\x92", 3) == 0 ? 3 : general_mark(s, i);
}

/* A dash alone in its cell, or before a percent sign, means zero. */
static int is_nought(struct slice s, size_t i) {
  size_t n = general_mark(s, i), from = i, to = i + n;
  if (!n || ((unsigned char)s.data[i + 2] != 0x93 && (unsigned char)s.data[i + 2] != 0x94))
    return 0;
  while (from && (s.data[from - 1] == ' ' || s.data[from - 1] == '$'))
    from--;
  while (to < s.len && (s.data[to] == ' ' || s.data[to] == '%'))
    to++;
  return from && s.data[from - 1] == '|' && to < s.len && s.data[to] == '|';
}

/* Length of a month's name at s[i]; 0 for none. */
static size_t month_at(struct slice s, size_t i) {
  for (int m = 1; m <= 12; m++) {
    const char *name = day_month_name(m);
    size_t n = strlen(name);
    if (i + n <= s.len && memcmp(s.data + i, name, n) == 0 &&
        (i + n == s.len || !is_letter((unsigned char)s.data[i + n])))
      return n;
  }
  return 0;
}

struct paragraph_hashes {
  uint64_t key, shape, undated;
};

static void hash_letter(struct paragraph_hashes *h, int first, unsigned char c, int in_month) {
  if (first) {
    h->key = mixed(h->key, ' ');
    h->shape = mixed(h->shape, ' ');
    h->undated = mixed(h->undated, ' ');
  }
  h->key = mixed(h->key, (unsigned char)tolower(c));
  h->shape = mixed(h->shape, (unsigned char)tolower(c));
  if (!in_month)
    h->undated = mixed(h->undated, (unsigned char)tolower(c));
}

static void hash_number(struct paragraph_hashes *h, int first, unsigned char c) {
  h->key = mixed(h->key, c);
  if (first) {
    h->shape = mixed(h->shape, '#');
    h->undated = mixed(h->undated, '#');
  }
}

static int is_of_number(struct slice s, size_t i, int number) {
  unsigned char c = (unsigned char)s.data[i];
  return isdigit(c) ||
         ((c == ',' || c == '.') && number && i + 1 < s.len && isdigit((unsigned char)s.data[i + 1]));
}

struct slice passage_diff_next_number(struct slice s, size_t *at) {
  while (*at < s.len && !isdigit((unsigned char)s.data[*at]))
    ++*at;
  size_t from = *at;
  while (*at < s.len && is_of_number(s, *at, *at > from))
    ++*at;
  return slice_of(s.data + from, *at - from);
}

int passage_diff_is_negative(struct slice s, size_t i) {
  size_t from = i, to = i;
  while (from && s.data[from - 1] == '$')
    from--;
  size_t open = from;
  while (open && s.data[open - 1] == ' ')
    open--;
  if (open && s.data[open - 1] == '(') {
    while (to < s.len && is_of_number(s, to, 1))
      to++;
    while (to < s.len && (s.data[to] == ' ' || s.data[to] == '%'))
      to++;
    return to < s.len && s.data[to] == ')';
  }
  static const char *const minus[] = {"-", "\xe2\x88\x92", "\xe2\x80\x93"}; /* the last is an en dash */
  for (size_t k = 0; k < sizeof minus / sizeof *minus; k++) {
    size_t n = strlen(minus[k]);
    if (from >= n && memcmp(s.data + from - n, minus[k], n) == 0)
      return from == n || strchr(" |($", s.data[from - n - 1]) != NULL;
  }
  return 0;
}

/* Computes key, shapes and words of a paragraph, ignoring punctuation, white space, case and Markdown marks. */
static void diff_measure(struct diff_paragraph *p) {
  const uint64_t start = 14695981039346656037u;
  struct paragraph_hashes h = {start, start, start};
  struct slice s = p->text;
  int inside = 0, number = 0;
  size_t month_end = 0;
  for (size_t i = 0; i < s.len; i++) {
    unsigned char c = (unsigned char)s.data[i];
    int nought = is_nought(s, i), digit = nought || is_of_number(s, i, number);
    int letter = !digit && is_letter(c) && !mark_at(s, i);
    if (letter && !inside)
      month_end = i + month_at(s, i);
    if (digit && !number && !nought && passage_diff_is_negative(s, i))
      h.key = mixed(h.key, '-');
    if (digit)
      hash_number(&h, !number, nought ? '0' : c);
    else if (letter)
      hash_letter(&h, !inside, c, i < month_end);
    if (number && !digit)
      h.key = mixed(h.key, ' ');
    p->words += letter && !inside;
    inside = letter;
    number = digit;
    i += mark_at(s, i) ? 2 : 0;
  }
  p->key = h.key;
  p->shape = h.shape;
  p->undated = h.undated;
}

static int is_rule(struct slice s) {
  for (size_t i = 0; i < s.len; i++)
    if (!strchr("|-: ", s.data[i]))
      return 0;
  return 1;
}

/* A row belongs to the table of the row before it; a rule makes the row above it the heading of its table. */
static int row_months(const struct diff_text *t) {
  const struct diff_paragraph *before = t->count ? &t->list[t->count - 1] : NULL;
  return before && before->text.data[0] == '|' ? before->months : 0;
}

static void add_paragraph(struct diff_text *t, struct slice s) {
  s = slice_trimmed(s);
  if (s.len && t->count && page_is_rule(s))
    t->list[t->count - 1].months = passage_diff_months(t->list[t->count - 1].text);
  if (!s.len || is_rule(s))
    return;
  t->list = xgrow(t->list, t->count, sizeof *t->list);
  struct diff_paragraph *p = &t->list[t->count];
  *p = (struct diff_paragraph){.text = s, .pair = -1, .months = s.data[0] == '|' ? row_months(t) : 0};
  t->count++;
  diff_measure(p);
}

/* Splits at empty lines; rows of tables and list items are paragraphs too.  The caller frees t->list. */
static void passage_diff_split(struct diff_text *t, struct slice s) {
  size_t start = 0;
  *t = (struct diff_text){0};
  for (size_t i = 0; i < s.len && t->count < DIFF_PARAGRAPHS - 1; i++) {
    if (s.data[i] != '\n')
      continue;
    char next = i + 1 < s.len ? s.data[i + 1] : '\n';
    if (next == '\n' || next == '|' || next == '-' || next == '#' || s.data[start] == '|') {
      add_paragraph(t, slice_of(s.data + start, i - start));
      start = i + 1;
    }
  }
  if (start < s.len)
    add_paragraph(t, slice_of(s.data + start, s.len - start));
}

static int by_word(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* The caller frees its words. */
static struct passage_diff_bag passage_diff_bag(struct slice s) {
  struct passage_diff_bag bag = {xmalloc((s.len / 2 + 1) * sizeof *bag.words), 0};
  uint64_t h = 0;
  for (size_t i = 0; i <= s.len; i++) {
    unsigned char c = i < s.len ? (unsigned char)s.data[i] : ' ';
    if ((is_letter(c) && !(i < s.len && general_mark(s, i))) || isdigit(c)) {
      h = mixed(h ? h : 14695981039346656037u, (unsigned char)tolower(c));
    } else if (h) {
      bag.words[bag.count++] = h;
      h = 0;
    }
    i += i < s.len && general_mark(s, i) ? 2 : 0;
  }
  qsort(bag.words, bag.count, sizeof *bag.words, by_word);
  return bag;
}

/* Dice's coefficient of two bags. */
static float passage_diff_alike(const struct passage_diff_bag *a, const struct passage_diff_bag *b) {
  size_t i = 0, k = 0, common = 0;
  while (i < a->count && k < b->count) {
    common += a->words[i] == b->words[k];
    if (a->words[i] == b->words[k])
      i++, k++;
    else if (a->words[i] < b->words[k])
      i++;
    else
      k++;
  }
  return a->count + b->count ? 2.0F * (float)common / (float)(a->count + b->count) : 0;
}

/* A short paragraph can't be similar to a much longer one: cheap test before comparing words. */
static int passage_diff_may_match(const struct passage_diff_bag *a, const struct passage_diff_bag *b) {
  size_t least = a->count < b->count ? a->count : b->count;
  return 2.0 * (double)least >= DIFF_ALIKE * (double)(a->count + b->count) && least > 0;
}

/* ---- the words of a changed paragraph ---- */

#define WORDS_MAX 3000 /* words of a paragraph that are compared individually */

static size_t diff_word_list(struct slice s, struct slice *list) {
  size_t n = 0, start = 0;
  for (size_t i = 0; i < s.len && n + 1 < WORDS_MAX; i++)
    if (isspace((unsigned char)s.data[i]) && i > start && !isspace((unsigned char)s.data[i - 1])) {
      list[n++] = slice_of(s.data + start, i - start);
      start = i;
    }
  if (start < s.len)
    list[n++] = slice_of(s.data + start, s.len - start);
  return n;
}

static struct slice bare_word(struct slice s) {
  while (s.len && isspace((unsigned char)s.data[0]))
    s = slice_of(s.data + 1, s.len - 1);
  return s;
}

/* Adjacent words with the same mark form a run. */
struct word_run {
  diff_words_function *f;
  void *arg;
  char what;
  struct slice text;
};

static void give_run(struct word_run *r, char what, struct slice word) {
  if (r->text.len && r->what == what && r->text.data + r->text.len == word.data) {
    r->text.len += word.len;
    return;
  }
  if (r->text.len)
    r->f(r->arg, r->what, r->text);
  r->what = what;
  r->text = word;
}

/* Longest common subsequence by dynamic programming; its table has at most WORDS_MAX * WORDS_MAX * 2 bytes. */
void passage_diff_words(struct slice was, struct slice is, diff_words_function *f, void *arg) {
  struct slice *a = xcalloc(2 * WORDS_MAX, sizeof *a), *b = a + WORDS_MAX;
  size_t n = diff_word_list(was, a), m = diff_word_list(is, b), i = 0, k = 0;
  uint16_t *best = xcalloc((n + 1) * (m + 1), sizeof *best);
  struct word_run run = {f, arg, 0, {NULL, 0}};
  for (size_t x = n; x-- > 0;)
    for (size_t y = m; y-- > 0;) {
      uint16_t down = best[(x + 1) * (m + 1) + y], right = best[x * (m + 1) + y + 1];
      best[x * (m + 1) + y] = slice_eq(bare_word(a[x]), bare_word(b[y]))
                                  ? (uint16_t)(best[(x + 1) * (m + 1) + y + 1] + 1)
                                  : (down > right ? down : right);
    }
  while (i < n || k < m) {
    if (i < n && k < m && slice_eq(bare_word(a[i]), bare_word(b[k]))) {
      give_run(&run, '=', b[k]);
      i++, k++;
    } else if (i < n && (k == m || best[(i + 1) * (m + 1) + k] >= best[i * (m + 1) + k + 1])) {
      give_run(&run, '-', a[i++]);
    } else {
      give_run(&run, '+', b[k++]);
    }
  }
  give_run(&run, 0, slice_of(NULL, 0));
  free(best);
  free(a);
}

/* ---- years that moved on with the report ---- */

enum { YEAR_DIGITS = 4, PAGE_DIGITS = 3 };

static int diff_year_of(struct slice number) {
  int plain = number.len == YEAR_DIGITS && !memchr(number.data, ',', number.len) &&
              !memchr(number.data, '.', number.len) &&
              (memcmp(number.data, "19", 2) == 0 || memcmp(number.data, "20", 2) == 0);
  return plain ? atoi(number.data) : 0;
}

/* Whether all numbers that differ are years up to the reports' own that moved on with them. */
static int diff_is_years(struct slice was, struct slice is, int was_year, int is_year) {
  size_t i = 0, k = 0;
  struct slice a, b;
  do {
    a = passage_diff_next_number(was, &i);
    b = passage_diff_next_number(is, &k);
    int x = diff_year_of(a), y = diff_year_of(b);
    if (a.len && b.len && passage_diff_is_negative(was, i - a.len) != passage_diff_is_negative(is, k - b.len))
      return 0;
    if (!slice_eq(a, b) && (!x || !y || y - x != is_year - was_year || y > is_year))
      return 0;
  } while (a.len && b.len);
  return 1;
}

/* Whether a row is one of a table of contents, whose last cell is a page, and all other numbers are equal. */
static int diff_is_page(struct slice was, struct slice is) {
  static const char *const lines[] = {"item", "part", "signature", "signatures", NULL};
  size_t i = 0, k = 0, n = 0;
  while (n < is.len && !isalpha((unsigned char)is.data[n]))
    n++;
  size_t end = n;
  while (end < is.len && isalpha((unsigned char)is.data[end]))
    end++;
  if (!is.len || is.data[0] != '|' || !slice_among_nocase(slice_of(is.data + n, end - n), lines))
    return 0;
  for (;;) {
    struct slice a = passage_diff_next_number(was, &i), b = passage_diff_next_number(is, &k);
    if (slice_eq(a, b) && a.len)
      continue;
    size_t rest = k;
    while (rest < is.len && strchr(" |", is.data[rest]))
      rest++;
    return a.len && b.len && a.len <= PAGE_DIGITS && b.len <= PAGE_DIGITS && rest == is.len;
  }
}

void passage_diff_settle(struct passage_diff *d, int was_year, int is_year) {
  for (size_t i = 0; i < d->is.count; i++) {
    struct diff_paragraph *is = &d->is.list[i];
    struct diff_paragraph *was = is->pair >= 0 ? &d->was.list[is->pair] : NULL;
    if (!was || is->kind != DIFF_NUMBERS)
      continue;
    if (diff_is_page(was->text, is->text))
      is->kind = was->kind = DIFF_SAME;
    else if (was_year && was_year < is_year)
      is->years = diff_is_years(was->text, is->text, was_year, is_year);
  }
}

size_t passage_diff_years(const struct passage_diff *d) {
  size_t found = 0;
  for (size_t i = 0; i < d->is.count; i++)
    found += d->is.list[i].years != 0;
  return found;
}

/* ---- the comparison ---- */

#define DIFF_BEGIN 0.2  /* added to the similarity where the first words are equal, to choose between pairs */
#define DIFF_PLACE 0.15 /* added where both have the same position between the same paragraphs */

const char *passage_diff_name(enum diff_kind kind) {
  static const char *const names[] = {"same", "moved", "spans", "numbers", "changed", "added", "dropped"};
  return names[kind];
}

/* ---- pairs of equal keys ---- */

struct diff_order {
  uint64_t key;
  uint32_t at;
};

static int by_key_and_place(const void *a, const void *b) {
  const struct diff_order *x = a, *y = b;
  return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->at > y->at) - (x->at < y->at);
}

/* The hashes by which paragraphs are paired. */
enum diff_hash { HASH_KEY, HASH_SHAPE, HASH_UNDATED };

static uint64_t hash_of(const struct diff_paragraph *p, enum diff_hash by) {
  return by == HASH_KEY ? p->key : by == HASH_SHAPE ? p->shape : p->undated;
}

static struct diff_order *ordered(const struct diff_text *t, enum diff_hash by, size_t *count) {
  struct diff_order *list = xmalloc((t->count + 1) * sizeof *list);
  *count = 0;
  for (size_t i = 0; i < t->count; i++)
    if (t->list[i].pair < 0)
      list[(*count)++] = (struct diff_order){hash_of(&t->list[i], by), (uint32_t)i};
  qsort(list, *count, sizeof *list, by_key_and_place);
  return list;
}

static void diff_join(struct passage_diff *d, size_t was, size_t is, enum diff_kind kind) {
  d->was.list[was].pair = (int32_t)is;
  d->is.list[is].pair = (int32_t)was;
  d->was.list[was].kind = d->is.list[is].kind = kind;
}

/* Whether two paragraphs have enough in common without their numbers: rows have their label, and a paragraph between
 * the same neighbours in both texts has its position. */
static int tells_enough(const struct passage_diff *d, size_t was, size_t is, enum diff_hash by) {
  const struct diff_paragraph *p = &d->was.list[was];
  return by == HASH_KEY || p->words >= (p->text.data[0] == '|' ? 1U : 2U) || p->gap == d->is.list[is].gap;
}

/* Pairs the n-th paragraph with a hash with the n-th one with the same hash; with in_gap, only within the same gap. */
static void pair_equal(struct passage_diff *d, enum diff_hash by, int in_gap, enum diff_kind kind) {
  size_t n, m;
  struct diff_order *a = ordered(&d->was, by, &n), *b = ordered(&d->is, by, &m);
  for (size_t i = 0, k = 0; i < n && k < m;) {
    const struct diff_paragraph *p = &d->was.list[a[i].at], *q = &d->is.list[b[k].at];
    if (a[i].key < b[k].key || (a[i].key == b[k].key && in_gap && p->gap < q->gap))
      i++;
    else if (a[i].key > b[k].key || (in_gap && p->gap > q->gap))
      k++;
    else {
      if (tells_enough(d, a[i].at, b[k].at, by))
        diff_join(d, a[i].at, b[k].at, kind);
      i++, k++;
    }
  }
  free(a);
  free(b);
}

/* Numbers the gaps between the unchanged paragraphs, consistently in both texts, and sets positions in them. */
static void find_gaps(struct diff_text *t) {
  uint32_t gap = 0;
  size_t start = 0;
  for (size_t i = 0; i <= t->count; i++) {
    if (i < t->count && (t->list[i].pair < 0 || t->list[i].kind != DIFF_SAME))
      continue;
    for (size_t k = start; k < i; k++) {
      t->list[k].gap = gap;
      t->list[k].place = (float)(k - start) / (float)(i - start);
    }
    gap++;
    start = i + 1;
  }
}

/* The longest sequence of equal paragraphs in the same order stays in place; the others have moved. */
static void find_moved(struct passage_diff *d) {
  size_t n = d->is.count, length = 0;
  uint32_t *tail = xmalloc((n + 1) * sizeof *tail), *before = xmalloc((n + 1) * sizeof *before);
  for (size_t i = 0; i < n; i++) {
    if (d->is.list[i].pair < 0)
      continue;
    size_t low = 0, high = length;
    while (low < high) {
      size_t mid = (low + high) / 2;
      if (d->is.list[tail[mid]].pair < d->is.list[i].pair)
        low = mid + 1;
      else
        high = mid;
    }
    before[i] = low ? tail[low - 1] : UINT32_MAX;
    tail[low] = (uint32_t)i;
    length = low == length ? length + 1 : length;
  }
  for (size_t i = 0; i < n; i++)
    if (d->is.list[i].pair >= 0)
      d->is.list[i].kind = DIFF_MOVED;
  for (uint32_t i = length ? tail[length - 1] : UINT32_MAX; i != UINT32_MAX; i = before[i])
    d->is.list[i].kind = DIFF_SAME;
  for (size_t i = 0; i < n; i++)
    if (d->is.list[i].pair >= 0)
      d->was.list[d->is.list[i].pair].kind = d->is.list[i].kind;
  free(tail);
  free(before);
}

/* ---- pairs of similar words ---- */

struct alike_pair {
  uint32_t was, is;
  float score; /* similarity */
  float rank;  /* similarity and other evidence for the pair */
};

static struct slice first_word(struct slice s) {
  while (s.len && !isalnum((unsigned char)s.data[0]))
    s = slice_of(s.data + 1, s.len - 1);
  size_t n = 0;
  while (n < s.len && !isspace((unsigned char)s.data[n]))
    n++;
  return slice_of(s.data, n);
}

/* Among similar pairs, prefers equal first words and equal positions. */
static float rank_pair(const struct diff_paragraph *a, const struct diff_paragraph *b, float score) {
  float off = a->place > b->place ? a->place - b->place : b->place - a->place;
  return score + (slice_eq(first_word(a->text), first_word(b->text)) ? (float)DIFF_BEGIN : 0) +
         (a->gap == b->gap ? (float)DIFF_PLACE * (1 - off) : 0);
}

static int by_score(const void *a, const void *b) {
  const struct alike_pair *x = a, *y = b;
  if (x->rank < y->rank || x->rank > y->rank)
    return x->rank > y->rank ? -1 : 1;
  return x->is != y->is ? (x->is > y->is) - (x->is < y->is) : (x->was > y->was) - (x->was < y->was);
}

static uint32_t *unpaired(const struct diff_text *t, struct passage_diff_bag **bags, size_t *count) {
  uint32_t *list = xmalloc((t->count + 1) * sizeof *list);
  *bags = xmalloc((t->count + 1) * sizeof **bags);
  *count = 0;
  for (size_t i = 0; i < t->count; i++)
    if (t->list[i].pair < 0) {
      (*bags)[*count] = passage_diff_bag(t->list[i].text);
      list[(*count)++] = (uint32_t)i;
    }
  return list;
}

static void bags_free(struct passage_diff_bag *bags, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(bags[i].words);
  free(bags);
}

static void pair_alike(struct passage_diff *d) {
  struct passage_diff_bag *wb, *ib;
  size_t n, m, count = 0;
  uint32_t *was = unpaired(&d->was, &wb, &n), *is = unpaired(&d->is, &ib, &m);
  struct alike_pair *pairs = NULL;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < m && i * m + k < DIFF_PAIRS; k++) {
      float score = passage_diff_may_match(&wb[i], &ib[k]) ? passage_diff_alike(&wb[i], &ib[k]) : 0;
      if (score < (float)DIFF_ALIKE)
        continue;
      pairs = xgrow(pairs, count, sizeof *pairs);
      pairs[count++] = (struct alike_pair){was[i], is[k], score,
                                           rank_pair(&d->was.list[was[i]], &d->is.list[is[k]], score)};
    }
  if (count)
    qsort(pairs, count, sizeof *pairs, by_score);
  for (size_t i = 0; i < count; i++)
    if (d->was.list[pairs[i].was].pair < 0 && d->is.list[pairs[i].is].pair < 0) {
      diff_join(d, pairs[i].was, pairs[i].is, DIFF_CHANGED);
      d->is.list[pairs[i].is].alike = d->was.list[pairs[i].was].alike = pairs[i].score;
    }
  bags_free(wb, n);
  bags_free(ib, m);
  free(pairs);
  free(was);
  free(is);
}

/* Numbers of six months and of nine tell of no change. */
static void part_spans(struct passage_diff *d) {
  for (size_t i = 0; i < d->is.count; i++) {
    struct diff_paragraph *is = &d->is.list[i];
    struct diff_paragraph *was = is->pair >= 0 ? &d->was.list[is->pair] : NULL;
    if (was && is->kind == DIFF_NUMBERS && is->months && was->months && is->months != was->months)
      is->kind = was->kind = DIFF_SPANS;
  }
}

void passage_diff_make(struct passage_diff *d, struct slice was, struct slice is) {
  passage_diff_split(&d->was, was);
  passage_diff_split(&d->is, is);
  pair_equal(d, HASH_KEY, 0, DIFF_SAME);
  find_moved(d);
  find_gaps(&d->was);
  find_gaps(&d->is);
  pair_equal(d, HASH_SHAPE, 1, DIFF_NUMBERS);
  pair_equal(d, HASH_SHAPE, 0, DIFF_NUMBERS);
  pair_equal(d, HASH_UNDATED, 1, DIFF_CHANGED);
  pair_alike(d);
  part_spans(d);
  for (size_t i = 0; i < d->was.count; i++)
    if (d->was.list[i].pair < 0)
      d->was.list[i].kind = DIFF_DROPPED;
  for (size_t i = 0; i < d->is.count; i++)
    if (d->is.list[i].pair < 0)
      d->is.list[i].kind = DIFF_ADDED;
}

void passage_diff_release(struct passage_diff *d) {
  free(d->was.list);
  free(d->is.list);
  *d = (struct passage_diff){0};
}

void passage_diff_count(const struct passage_diff *d, size_t counts[DIFF_DROPPED + 1]) {
  memset(counts, 0, (DIFF_DROPPED + 1) * sizeof *counts);
  for (size_t i = 0; i < d->is.count; i++)
    counts[d->is.list[i].kind]++;
  for (size_t i = 0; i < d->was.count; i++)
    counts[DIFF_DROPPED] += d->was.list[i].kind == DIFF_DROPPED;
}
