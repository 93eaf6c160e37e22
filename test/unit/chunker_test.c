/* The chunker: sentences, and passages with what every one of them must hold. */
#include "test.h"

#include "chunk/chunk_context.h"
#include "chunk/chunker.h"
#include "text/sentence.h"
#include "vocabulary.h"

#include <ctype.h>

static struct wordpiece *tokenizer;
static struct wordpiece_memo *memo;

/* --- sentences ----------------------------------------------------------------------------------------- */

static void check_sentence(const char *text, const char *first) {
  struct slice s = slice_str(text);
  s.len = sentence_end(s);
  if (!slice_is(s, first)) {
    printf("# \"%s\" ends at \"%.*s\"\n", text, (int)s.len, s.data);
    test_current_failed = 1;
  }
}

TEST(sentences_end_at_their_marks) {
  check_sentence("One is here. Two is there.", "One is here.");
  check_sentence("Is it? It is.", "Is it?");
  check_sentence("He said \xe2\x80\x9cno.\xe2\x80\x9d Then he left.", "He said \xe2\x80\x9cno.\xe2\x80\x9d");
  check_sentence("It grew (by 3%.) We expect more.", "It grew (by 3%.)");
  check_sentence("It closed in 2024. The rest follows.", "It closed in 2024.");
  check_sentence("\xe5\xa5\xbd\xe3\x80\x82\xe5\x86\x8d", "\xe5\xa5\xbd\xe3\x80\x82");
  check_sentence("no end", "no end");
  check_sentence("", "");
}

TEST(abbreviations_and_numbers_end_none) {
  const char *const whole[] = {"Apple Inc. and others",
                               "Apple Inc. Cupertino office",
                               "the U.S. Treasury",
                               "Rule No. 5 applies",
                               "grew 3.5 times",
                               "Mr. Cook is here",
                               "J. P. Morgan lends",
                               "as of Jan. 5",
                               "see Item 1A. Risk Factors",
                               "in Note 12. Income Taxes",
                               "1. Introduction",
                               "a. First",
                               "i.e. Products",
                               "sold to Acme Corp. Products followed",
                               "v. Smith",
                               "about 5. 10 of"};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    check_sentence(whole[i], whole[i]);
}

TEST(an_abbreviation_ends_one_before_an_opening_word) {
  check_sentence("It was sold to Acme Inc. The price was low.", "It was sold to Acme Inc.");
  check_sentence("It is made in the U.S. We ship it.", "It is made in the U.S.");
}

/* --- passages ------------------------------------------------------------------------------------------ */

#define CHUNKS_MAX 4096
static struct chunker_chunk chunks[CHUNKS_MAX];
static size_t chunk_count;
static char paths[CHUNKS_MAX][256]; /* the passage's part of the context line */

static int keep(void *arg, const struct chunker_chunk *k) {
  struct buf b;
  (void)arg;
  if (chunk_count == CHUNKS_MAX)
    return 1;
  buf_init(&b, 4096);
  chunk_context_path(&b, k);
  chunk_context_table(&b, k);
  snprintf(paths[chunk_count], sizeof *paths, "%s", b.data ? b.data : "");
  buf_release(&b);
  chunks[chunk_count++] = *k;
  return 0;
}

static int inside_word(struct slice text, size_t at) {
  return at > 0 && at < text.len && isalnum((unsigned char)text.data[at - 1]) &&
         isalnum((unsigned char)text.data[at]);
}

static int all_blank(struct slice text, size_t from, size_t to) {
  for (; from < to; from++)
    if (!isspace((unsigned char)text.data[from]))
      return 0;
  return 1;
}

/* What holds for every passage of every text. */
static void check_invariants(struct slice text, const struct chunker_options *o) {
  size_t end = 0;
  for (size_t i = 0; i < chunk_count; i++) {
    const struct chunker_chunk *k = &chunks[i];
    struct slice s = slice_of(text.data + k->start, k->end - k->start);
    CHECK_INT(k->index, i);
    CHECK(k->start < k->end && k->end <= text.len);
    CHECK_INT(wordpiece_count(tokenizer, s), k->tokens);
    CHECK(k->tokens <= o->tokens && k->tokens > 0);
    CHECK(!isspace((unsigned char)s.data[0]) && !isspace((unsigned char)s.data[s.len - 1]));
    CHECK(!inside_word(text, k->start) && !inside_word(text, k->end));
    CHECK((s.data[0] & 0xC0) != 0x80);
    CHECK(k->start >= end ? all_blank(text, end, k->start) : o->overlap > 0);
    CHECK(k->end > end);
    end = k->end;
  }
  CHECK(all_blank(text, end, text.len));
}

static void cut(const struct chunker_document *d, size_t tokens, size_t overlap) {
  struct chunker_options o = {tokens, overlap};
  chunk_count = 0;
  CHECK_INT(chunker_run(memo, d, &o, keep, NULL), 0);
  check_invariants(d->text, &o);
}

static void cut_text(struct buf *text, size_t tokens, size_t overlap) {
  struct chunker_document d = {.text = buf_slice(text)};
  cut(&d, tokens, overlap);
}

static void repeat(struct buf *b, const char *text, int times) {
  while (times-- > 0)
    buf_add_str(b, text);
}

TEST(paragraphs_fill_passages) {
  struct buf b;
  buf_init(&b, 1 << 20);
  repeat(&b, "The company sells products to customers in many countries. Demand varies by season.\n\n", 100);
  cut_text(&b, 256, 0);
  CHECK(chunk_count >= 6 && chunk_count <= 7);
  for (size_t i = 0; i < chunk_count; i++) /* whole paragraphs */
    CHECK(memcmp(b.data + chunks[i].start, "The company", 11) == 0);
  cut_text(&b, 256, 40);
  CHECK(chunks[1].start < chunks[0].end);
  buf_release(&b);
}

TEST(oversized_sentences_are_cut_at_words) {
  struct buf b;
  buf_init(&b, 1 << 20);
  repeat(&b, "the price of corn, which fell and rose and fell again; ", 200);
  cut_text(&b, 100, 0);
  CHECK(chunk_count > 20);
  CHECK(b.data[chunks[0].end - 1] == ';');
  buf_clear(&b);
  repeat(&b, "antidisestablishmentarianism", 300); /* one word, one [UNK] */
  cut_text(&b, 100, 0);
  CHECK_INT(chunk_count, 1);
  buf_clear(&b);
  buf_add_str(&b, "(");
  repeat(&b, "v", 100); /* a word of as many tokens as a passage, behind one that it can't share one with */
  buf_add_str(&b, "?");
  cut_text(&b, 100, 0);
  CHECK_INT(chunk_count, 3);
  CHECK_INT(chunks[0].end, 1);
  buf_clear(&b);
  repeat(&b, "9f+/", 3000); /* no blank at all */
  cut_text(&b, 100, 0);
  CHECK(chunk_count > 50);
  buf_clear(&b);
  repeat(&b, "\xe4\xb8\xad\xe5\x9b\xbd", 30000); /* ideographs, more than a window of them */
  cut_text(&b, 100, 50);
  CHECK(chunk_count >= 600);
  buf_release(&b);
}

TEST(a_passage_is_under_the_heading_of_most_of_it) {
  struct buf b;
  buf_init(&b, 1 << 20);
  buf_add_str(&b, "### Members\n\nAnn and Bob.\n\n### Owners\n\n");
  repeat(&b, "Each of them owns more than five per cent of the stock. ", 6);
  cut_text(&b, 100, 0);
  CHECK_INT(chunk_count, 1);
  CHECK_STR(paths[0], " \xc2\xb7 Owners");
  buf_clear(&b);
  buf_add_str(&b, "### Members\n\n");
  repeat(&b, "Each of them owns more than five per cent of the stock. ", 1);
  buf_add_str(&b, "\n\n### Owners\n\n");
  repeat(&b, "Each of them owns more than five per cent of the stock. ", 2);
  cut_text(&b, 100, 0);
  CHECK_INT(chunk_count, 1);
  CHECK_STR(paths[0], " \xc2\xb7 Members");
  buf_release(&b);
}

TEST(items_part_passages_and_headings_stay_with_their_text) {
  struct slice text =
      slice_str("# PART I\n\n## Item 1. Business\n\nWe make things.\n\n### Products\n\nThings.\n\n"
                "## Item 1A. Risk Factors\n\nIt may rain.\n");
  struct chunker_heading headings[] = {{0, 1, {0}, slice_str("PART I"), 0},
                                       {10, 2, slice_str("1"), slice_str("Item 1. Business"), 3},
                                       {50, 3, {0}, slice_str("Products"), 3},
                                       {71, 2, slice_str("1A"), slice_str("Risk Factors"), 4}};
  struct chunker_break breaks[] = {{0, 3}, {71, 5}};
  struct chunker_document d = {text, headings, 4, breaks, 2};
  cut(&d, 256, 0);
  CHECK_INT(chunk_count, 2);
  CHECK_INT(chunks[1].start, 71);
  CHECK(slice_is(chunks[0].item, "1"));
  CHECK(slice_is(chunks[1].item, "1A"));
  CHECK_INT(chunks[0].page, 3);
  CHECK_INT(chunks[1].page, 5);
  CHECK_STR(paths[0], " \xc2\xb7 PART I \xc2\xb7 Item 1. Business");
  CHECK_STR(paths[1], " \xc2\xb7 PART I \xc2\xb7 Item 1A. Risk Factors");
}

TEST(a_passage_is_on_the_page_that_most_of_it_stands_on) {
  struct slice text =
      slice_str("We sold more in every quarter of the year than in the one before, and prices held.\n\n"
                "41\n\nBalance Sheets\n\nTotal assets were $12.5 million at the end of the year.\n");
  size_t second = (size_t)(strstr(text.data, "41") - text.data);
  size_t third = (size_t)(strstr(text.data, "Balance") - text.data);
  struct chunker_break breaks[] = {{0, 40}, {second, 41}, {third, 42}};
  struct chunker_document d = {text, NULL, 0, breaks, 3};
  cut(&d, 24, 0);
  CHECK_INT(chunk_count, 2);
  CHECK_INT(chunks[0].page, 40);
  CHECK_INT(chunks[1].start, second);
  CHECK_INT(chunks[1].page, 42);
}

TEST(marks_are_headings_where_there_is_no_outline) {
  struct buf b;
  buf_init(&b, 1 << 16);
  repeat(&b, "# Report\n\n## Outlook\n\nWe expect growth in all of our markets next year.\n\n", 1);
  cut_text(&b, 256, 0);
  CHECK_INT(chunk_count, 1);
  CHECK_STR(paths[0], " \xc2\xb7 Report \xc2\xb7 Outlook");
  buf_release(&b);
}

TEST(long_tables_are_cut_between_rows_with_their_header) {
  struct buf b;
  buf_init(&b, 1 << 20);
  buf_add_str(&b, "The following are net sales (in millions):\n\n| | 2025 | 2024 |\n| --- | ---: | ---: |\n");
  repeat(&b, "| Products of some kind | $1,234 | (567) |\n", 100);
  cut_text(&b, 256, 0);
  CHECK(chunk_count > 4);
  CHECK_INT(chunks[0].start, 0);
  CHECK_STR(paths[0], "");
  for (size_t i = 1; i < chunk_count; i++) {
    CHECK(b.data[chunks[i].start] == '|' && b.data[chunks[i].start - 1] == '\n');
    CHECK_STR(paths[i], " \xc2\xb7 The following are net sales (in millions): \xc2\xb7 2025 | 2024");
  }
  buf_release(&b);
}

TEST(a_table_goes_on_with_the_heading_of_its_group) {
  struct buf b;
  buf_init(&b, 1 << 20);
  buf_add_str(&b, "| | 2025 | 2024 |\n| --- | ---: | ---: |\n| Operating activities: | | |\n");
  repeat(&b, "| Sales of some kind | $1,234 | (567) |\n", 50);
  size_t financing = b.len;
  buf_add_str(&b, "| Financing activities: | | |\n|   Debt: | | |\n");
  repeat(&b, "|     Repayments of debt | $1,234 | (567) |\n", 50);
  cut_text(&b, 256, 0);
  CHECK(chunk_count > 4 && chunks[chunk_count - 1].start > financing);
  for (size_t i = 1; i < chunk_count; i++)
    if (chunks[i].start != financing)
      CHECK_STR(paths[i], chunks[i].start > financing
                              ? " \xc2\xb7 Financing activities: \xc2\xb7 Debt: \xc2\xb7 2025 | 2024"
                              : " \xc2\xb7 Operating activities: \xc2\xb7 2025 | 2024");
  buf_release(&b);
}

TEST(preformatted_lines_are_rows) {
  struct buf b;
  buf_init(&b, 1 << 20);
  buf_add_str(&b, "Before it stands this.\n\n```\n");
  repeat(&b, "# Sales. Of all kinds. | 1,234  5,678\n", 60);
  buf_add_str(&b, "```\n\n# Behind\n\nIt goes on.\n");
  cut_text(&b, 128, 0);
  CHECK(chunk_count > 5);
  for (size_t i = 1; i + 1 < chunk_count; i++) {
    CHECK(memcmp(b.data + chunks[i].start, "# Sales", 7) == 0);
    CHECK_STR(paths[i], "");
  }
  CHECK_STR(paths[chunk_count - 1], " \xc2\xb7 Behind");
  CHECK(memcmp(b.data + chunks[chunk_count - 2].end - 3, "```", 3) == 0);
  buf_release(&b);
}

TEST(rows_over_the_bound_are_cut_between_cells) {
  struct buf b;
  buf_init(&b, 1 << 20);
  repeat(&b, "| a cell with some words ", 100);
  buf_add_str(&b, "|\n");
  cut_text(&b, 100, 0);
  for (size_t i = 1; i < chunk_count; i++)
    CHECK(b.data[chunks[i].start] == '|');
  buf_release(&b);
}

TEST(text_without_tokens_gives_no_passage) {
  struct chunker_document d = {.text = slice_str("")};
  cut(&d, 256, 0);
  CHECK_INT(chunk_count, 0);
  d.text = slice_str(" \n\t\n");
  cut(&d, 256, 0);
  CHECK_INT(chunk_count, 0);
}

/* --- ids and contexts ---------------------------------------------------------------------------------- */

static void id_of(char out[33], const struct chunk_source *s, size_t start, size_t end) {
  struct digest d;
  chunk_id_start(&d, s);
  chunk_id(out, &d, start, end);
}

TEST(ids_change_with_what_they_stand_for_only) {
  struct chunk_source s = {.url = slice_str("https://example.org/a"), .sha256 = slice_str("00")};
  struct chunk_source other = s;
  char a[33], b[33];
  id_of(a, &s, 0, 10);
  CHECK_INT(strlen(a), 32);
  other.company = slice_str("Renamed");
  id_of(b, &other, 0, 10);
  CHECK_STR(b, a);
  id_of(b, &s, 0, 11);
  CHECK(strcmp(a, b) != 0);
  other.sha256 = slice_str("01");
  id_of(b, &other, 0, 10);
  CHECK(strcmp(a, b) != 0);
  other = s;
  other.part = slice_str("2");
  id_of(b, &other, 0, 10);
  CHECK(strcmp(a, b) != 0);
}

static void check_context(const char *metadata, const char *expected) {
  struct chunk_source s = {0};
  struct buf own, out;
  buf_init(&own, 1 << 16);
  buf_init(&out, 1 << 16);
  chunk_source_read(&s, slice_str(metadata), &own);
  chunk_context_document(&out, &s);
  CHECK_STR(out.data ? out.data : "", expected);
  buf_release(&own);
  buf_release(&out);
}

TEST(contexts_are_one_line_of_what_is_known) {
  check_context("{\"company\":\"Apple Inc.\",\"ticker\":\"AAPL\",\"form\":\"10-K\",\"fiscalYear\":\"2024\","
                "\"fiscalPeriod\":\"FY\",\"filingDate\":\"2024-11-01\",\"documentType\":\"10-K\"}",
                "Apple Inc. (AAPL) \xc2\xb7 10-K \xc2\xb7 FY 2024 \xc2\xb7 filed 2024-11-01");
  check_context(
      "{\"company\":\"A\\nB\",\"form\":\"8-K\",\"documentType\":\"EX-99.1\",\"reportDate\":\"2025-01-02\"}",
      "A B \xc2\xb7 8-K \xc2\xb7 EX-99.1 \xc2\xb7 period 2025-01-02");
  check_context("{\"title\":\"Annual report\",\"ticker\":7}", "7 \xc2\xb7 Annual report");
  check_context("{}", "");
}

/* Found by fuzzing: a line of control characters alone at a passage's end came again at the next one's
 * beginning. */
TEST(nothing_is_repeated_without_an_overlap) {
  struct buf b;
  buf_init(&b, 1 << 20);
  buf_add_str(&b, "\b\b\no\nmi\n\b\b\b\n");
  repeat(&b, ")", 108);
  buf_add_str(&b, "\nBe\n# omo\n");
  struct chunker_heading h[] = {{8, 8, slice_str("II-1"), slice_str("Title"), 1},
                                {16, 3, slice_of(NULL, 0), slice_str("Title"), 0}};
  struct chunker_break page = {8, 2};
  struct chunker_document d = {
      .text = buf_slice(&b), .headings = h, .heading_count = 2, .breaks = &page, .break_count = 1};
  for (size_t tokens = CHUNKER_TOKENS_MIN; tokens < 120; tokens++)
    cut(&d, tokens, 0);
  buf_release(&b);
}

int main(void) {
  RUN(sentences_end_at_their_marks);
  RUN(abbreviations_and_numbers_end_none);
  RUN(an_abbreviation_ends_one_before_an_opening_word);
  RUN(ids_change_with_what_they_stand_for_only);
  RUN(contexts_are_one_line_of_what_is_known);
  tokenizer = vocabulary_open();
  memo = tokenizer ? wordpiece_memo_new(tokenizer) : NULL;
  CHECK(tokenizer != NULL);
  if (tokenizer == NULL)
    return 1;
  RUN(paragraphs_fill_passages);
  RUN(oversized_sentences_are_cut_at_words);
  RUN(a_passage_is_under_the_heading_of_most_of_it);
  RUN(items_part_passages_and_headings_stay_with_their_text);
  RUN(a_passage_is_on_the_page_that_most_of_it_stands_on);
  RUN(marks_are_headings_where_there_is_no_outline);
  RUN(long_tables_are_cut_between_rows_with_their_header);
  RUN(a_table_goes_on_with_the_heading_of_its_group);
  RUN(preformatted_lines_are_rows);
  RUN(rows_over_the_bound_are_cut_between_cells);
  RUN(text_without_tokens_gives_no_passage);
  RUN(nothing_is_repeated_without_an_overlap);
  wordpiece_memo_free(memo);
  vocabulary_close(tokenizer);
  return test_done();
}
