/* terms_test.c: what becomes one term, what equals what. */
#include "text/terms.h"

#include "test.h"

#include <stdlib.h>

static struct terms *terms;

struct gather {
  struct buf out;
  unsigned marks; /* show kinds */
};

static void add_term(void *arg, const struct term *t) {
  struct gather *g = arg;
  if (g->out.len > 0)
    buf_add_char(&g->out, ' ');
  buf_add_slice(&g->out, t->text);
  if (g->marks)
    buf_add_char(&g->out, "wns"[t->kind]);
}

/* The terms of text, with a space between; valid until the next call. */
static const char *scan_flags(const char *text, unsigned flags) {
  static struct gather g;
  buf_release(&g.out);
  if (text == NULL) /* only frees */
    return NULL;
  buf_init(&g.out, 1 << 20);
  g.marks = flags;
  terms_scan(terms, slice_str(text), flags, add_term, &g);
  return g.out.data ? g.out.data : "";
}

static const char *scan(const char *text) {
  return scan_flags(text, 0);
}

TEST(words_are_folded_and_stemmed) {
  CHECK_STR(scan("Risks RISK risk's risks\xe2\x80\x99 Revenue revenues"),
            "risk risk risk risk revenu revenu");
  CHECK_STR(scan("Nestl\xc3\xa9 NESTLE"), "nestl nestl");
  CHECK_STR(scan("year-over-year"), "year over year");
  CHECK_STR(scan("don't Apple's"), "dont appl");
  CHECK_STR(scan("**Bold** | cell_a | # Head"), "bold cell head");
}

TEST(numbers_lose_their_dress) {
  CHECK_STR(scan("$1,234.50 1234.5 (1,234) 1,234,567"), "1234.5 1234.5 1234 1234567");
  CHECK_STR(scan("2019,2018 1,23 12,3456"), "2019 2018 1 23 12 3456");
  CHECK_STR(scan("$1.2 billion"), "1.2 billion");
  CHECK_STR(scan("007 0000320193 .25 0.250 5.0"), "7 320193 0.25 0.25 5");
  CHECK_STR(scan("1.2.3"), "1.2 0.3");
}

TEST(percentages_are_terms) {
  CHECK_STR(scan("12.5% 12.5 % 12.5 | % 12.5 percent"), "12.5% 12.5% 12.5% 12.5%");
  CHECK_STR(scan("12.5 percentage 12.5\n%"), "12.5 percentag 12.5");
}

TEST(forms_are_terms) {
  CHECK_STR(scan("10-K 10K 10-k form 10-K/A 10-KSB"), "10-k 10-k 10-k form 10-k/a 10-ksb");
  CHECK_STR(scan("DEF 14A, S-1, F-3, 20F 8-K. S-curve"), "def14a s-1 f-3 20-f 8-k s curv");
}

TEST(names_of_finance_stay_whole) {
  CHECK_STR(scan("R&D SG&A AT&T S&P PP&E"), "r&d sg&a at&t s&p pp&e");
  CHECK_STR(scan("Research & Development"), "research develop");
  CHECK_STR(scan("U.S. US U.S.A. J.P. Morgan"), "usa usa usa jp morgan");
  CHECK_STR(scan("FY2018 FY18 fy18"), "2018 2018 2018");
  CHECK_STR(scan("AAPL 3M 401k Q3"), "aapl 3m 401k q3");
}

TEST(other_scripts) {
  CHECK_STR(scan("\xe4\xb8\xad\xe5\x9b\xbd"), "\xe4\xb8\xad \xe5\x9b\xbd");
  CHECK_STR(scan("\xd0\x9c\xd0\xb8\xd1\x80"), "\xd0\xbc\xd0\xb8\xd1\x80");
  CHECK_STR(scan("a\xff\xfe"
                 "cash\x80"
                 "flow"),
            "cash flow");
  CHECK_STR(scan("cash\xe2\x80\x94"
                 "flow \xe2\x82\xac"
                 "5"),
            "cash flow 5");
}

struct spans {
  size_t start[8], end[8];
  uint32_t position[8];
  size_t n;
};

static void add_span(void *arg, const struct term *t) {
  struct spans *s = arg;
  s->start[s->n] = t->start;
  s->end[s->n] = t->end;
  s->position[s->n++] = t->position;
}

TEST(stop_words_count_as_positions) {
  CHECK_STR(scan("the cost of sales"), "cost sale");
  CHECK_STR(scan_flags("the cost of 5 sales", TERMS_STOPS), "thes costw ofs 5n salew");
  struct spans s = {.n = 0};
  CHECK_INT(terms_scan(terms, slice_str("the cost of sales"), 0, add_span, &s), 4);
  CHECK(terms_is_stop(slice_str("would")));
  CHECK(!terms_is_stop(slice_str("woul")));
  CHECK(!terms_is_stop(slice_str("cost")));
}

TEST(spans_and_positions) {
  struct spans s = {.n = 0};
  terms_scan(terms, slice_str("The  Apple's cost is 5 %!"), 0, add_span, &s);
  CHECK_INT(s.n, 3);
  CHECK_INT(s.start[0], 5);
  CHECK_INT(s.end[0], 12);
  CHECK_INT(s.position[0], 1);
  CHECK_INT(s.position[2], 4);
  CHECK_INT(s.start[2], 21);
  CHECK_INT(s.end[2], 24);
}

TEST(long_tokens_are_cut) {
  char text[5000];
  memset(text, 'a', sizeof text);
  struct spans s = {.n = 0};
  terms_scan(terms, slice_of(text, sizeof text), 0, add_span, &s);
  CHECK_INT(s.n, 1);
  CHECK_INT(s.end[0], 5000);
  CHECK(strlen(scan("1234567890123456789012345678901234567890123456789 %")) <= TERMS_MAX);
}

static void add_hash(void *arg, const struct term *t) {
  uint64_t *sum = arg;
  CHECK(t->hash == (t->kind == TERM_STOP ? 0 : terms_hash(t->text)));
  *sum = (*sum * 0x9e3779b97f4a7c15u) ^ terms_hash(t->text) ^ t->position << 16 ^ t->start << 24 ^ t->end;
}

struct hashes {
  uint64_t all[400];
  size_t count, numbers;
};

static void note_hash(void *arg, const struct term *t) {
  struct hashes *h = arg;
  int number = t->kind == TERM_NUMBER;
  h->all[h->count++] = (t->hash & ~TERMS_NUMBER) | (number ? TERMS_NUMBER : 0);
  h->numbers += (size_t)number;
}

struct exact {
  uint64_t sum;
  size_t count;
};

static void add_exact(struct exact *x, uint64_t hash, int number) {
  x->sum = (x->sum * 0x9e3779b97f4a7c15u) ^ hash ^ (uint64_t)number << 40;
  x->count++;
}

static void add_scanned(void *arg, const struct term *t) {
  add_exact(arg, t->hash, t->kind == TERM_NUMBER);
}

static void add_batch(void *arg, const struct terms_batch *b) {
  CHECK(b->count > 0 && b->count <= TERMS_BATCH);
  for (size_t i = 0; i < b->count; i++)
    add_exact(arg, b->hash[i], b->number[i]);
}

/* A batch has the whole hashes, in which the store is keyed. */
static void compare_batches(struct slice text) {
  struct exact one = {0, 0}, other = {0, 0};
  terms_scan(terms, text, 0, add_scanned, &one);
  terms_each_batch(terms, text, add_batch, &other);
  CHECK_INT(other.count, one.count);
  CHECK(other.sum == one.sum);
}

static void compare_hashes(const char *given, size_t n) {
  struct hashes one = {.count = 0}, other;
  char *text = memcpy(xmalloc(n), given, n); /* reading behind its end is seen */
  terms_scan(terms, slice_of(text, n), TERMS_SIMPLE, note_hash, &one);
  other.count = terms_hashes(terms, slice_of(text, n), other.all, 399, &other.numbers);
  CHECK_INT(other.count, one.count);
  CHECK_INT(other.numbers, one.numbers);
  CHECK(memcmp(one.all, other.all, one.count * sizeof *one.all) == 0);
  compare_batches(slice_of(text, n));
  free(text);
}

TEST(hashes_stop_at_the_room_there_is) {
  uint64_t all[200], some[4] = {0, 0, 0, 7};
  size_t numbers;
  char text[400] = "";
  for (int i = 0; i < 60; i++)
    strcat(text, i % 2 ? "cash " : "12 ");
  CHECK_INT(terms_hashes(terms, slice_str(text), all, 199, &numbers), 60);
  CHECK_INT(numbers, 30);
  CHECK_INT(terms_hashes(terms, slice_str(text), some, 2, &numbers), 2);
  CHECK_INT(numbers, 1);
  CHECK(memcmp(all, some, 2 * sizeof *all) == 0 && some[3] == 7);
  CHECK_INT(terms_hashes(terms, slice_of(NULL, 0), some, 2, &numbers), 0);
}

static void compare_ways(const char *text, size_t n) {
  uint64_t sums[2] = {0, 0};
  terms_scan(terms, slice_of(text, n), TERMS_STOPS, add_hash, &sums[0]);
  terms_scan(terms, slice_of(text, n), TERMS_STOPS | TERMS_SIMPLE, add_hash, &sums[1]);
  if (sums[0] != sums[1])
    printf("# %.*s\n", (int)n, text);
  CHECK(sums[0] == sums[1]);
  compare_hashes(text, n);
}

/* Every byte between words, before and behind them. */
TEST(any_byte_between_words) {
  for (int c = 1; c < 256; c++) {
    char text[80];
    int n = snprintf(text, sizeof text, "%c%cnet%csales of %c%c%c the company 12%c5 and so on, and on", c, c,
                     c, c, c, c, c);
    compare_ways(text, (size_t)n);
  }
}

/* Words in one piece and byte by byte, whatever stands around them and how near the end is. */
TEST(both_ways_of_reading_agree) {
  static const char *const pieces[] = {"the",
                                       "US",
                                       "us",
                                       "U.S.",
                                       "def 14A",
                                       "DEF",
                                       "Company\xe2\x80\x99s",
                                       "R&D",
                                       "a",
                                       "s-1",
                                       "'s",
                                       "don't",
                                       "abcdefghijklmnopqrstuvwxyzabcde",
                                       "abcdefghijklmnopqrstuvwxyzabcdef",
                                       "net",
                                       " ",
                                       "| |",
                                       "   ",
                                       "1,234.5",
                                       ".5",
                                       "%",
                                       "10k",
                                       "x",
                                       "\xc3\xa9",
                                       "&",
                                       ".",
                                       "fy18",
                                       "Sales",
                                       "\n"};
  uint32_t state = 1;
  for (int round = 0; round < 20000; round++) {
    char text[400];
    size_t n = 0;
    for (int k = 0; k < 8; k++) {
      const char *piece =
          pieces[((state = state * 1664525u + 1013904223u) >> 16) % (sizeof pieces / sizeof *pieces)];
      memcpy(text + n, piece, strlen(piece));
      n += strlen(piece);
      if (state >> 30)
        text[n++] = ' ';
    }
    compare_ways(text, n);
  }
}

int main(void) {
  terms = terms_new();
  RUN(any_byte_between_words);
  RUN(both_ways_of_reading_agree);
  RUN(hashes_stop_at_the_room_there_is);
  RUN(words_are_folded_and_stemmed);
  RUN(numbers_lose_their_dress);
  RUN(percentages_are_terms);
  RUN(forms_are_terms);
  RUN(names_of_finance_stay_whole);
  RUN(other_scripts);
  RUN(stop_words_count_as_positions);
  RUN(spans_and_positions);
  RUN(long_tokens_are_cut);
  scan_flags(NULL, 0);
  terms_free(terms);
  return test_done();
}
