#include "compare/passage_diff_text.h"

#include "base/clock.h"
#include "compare/span_columns.h"

#include <ctype.h>
#include <stdlib.h>

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
    const char *name = clock_month_name(m);
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

static void add_paragraph(struct diff_text *t, size_t *cap, struct slice s) {
  while (s.len && isspace((unsigned char)s.data[s.len - 1]))
    s.len--;
  while (s.len && isspace((unsigned char)s.data[0]))
    s = slice_of(s.data + 1, s.len - 1);
  if (s.len && t->count && span_columns_is_rule(s))
    t->list[t->count - 1].months = span_columns_months(t->list[t->count - 1].text);
  if (!s.len || is_rule(s))
    return;
  if (t->count == *cap) {
    *cap = *cap ? 2 * *cap : 256;
    t->list = xreallocarray(t->list, *cap, sizeof *t->list);
  }
  struct diff_paragraph *p = &t->list[t->count];
  *p = (struct diff_paragraph){.text = s, .pair = -1, .months = s.data[0] == '|' ? row_months(t) : 0};
  t->count++;
  diff_measure(p);
}

void passage_diff_split(struct diff_text *t, struct slice s) {
  size_t cap = 0, start = 0;
  *t = (struct diff_text){0};
  for (size_t i = 0; i < s.len && t->count < DIFF_PARAGRAPHS - 1; i++) {
    if (s.data[i] != '\n')
      continue;
    char next = i + 1 < s.len ? s.data[i + 1] : '\n';
    if (next == '\n' || next == '|' || next == '-' || next == '#' || s.data[start] == '|') {
      add_paragraph(t, &cap, slice_of(s.data + start, i - start));
      start = i + 1;
    }
  }
  if (start < s.len)
    add_paragraph(t, &cap, slice_of(s.data + start, s.len - start));
}

static int by_word(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

struct passage_diff_bag passage_diff_bag(struct slice s) {
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

float passage_diff_alike(const struct passage_diff_bag *a, const struct passage_diff_bag *b) {
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

int passage_diff_may_match(const struct passage_diff_bag *a, const struct passage_diff_bag *b) {
  size_t least = a->count < b->count ? a->count : b->count;
  return 2.0 * (double)least >= DIFF_ALIKE * (double)(a->count + b->count) && least > 0;
}
