/* page/: blocks, and passages drawn for a terminal and as HTML. */
#include "page/html_page.h"
#include "base/screen.h"
#include "page/terminal.h"
#include "test.h"

static const char table[] =
    "| Year | 2025 | 2024 |\n| --- | ---: | ---: |\n| Feeder Services | $612,480 | $571,905 |\n"
    "| A \\| B | 1 | 2 |\n";

static char *drawn(const char *text, size_t width, size_t lines) {
  static struct buf b;
  buf_release(&b);
  buf_init(&b, 1 << 16);
  struct page_terminal t = {.out = &b, .width = width, .indent = 1, .lines = lines};
  page_terminal_passage(&t, (struct page_passage){.text = slice_str(text)}, NULL);
  return b.data ? b.data : (char *)"";
}

static char *written(const char *text) {
  static struct buf b;
  buf_release(&b);
  buf_init(&b, 1 << 16);
  html_page_passage(&b, (struct page_passage){.text = slice_str(text)}, NULL);
  return b.data ? b.data : (char *)"";
}

static size_t count_lines(const char *s) {
  size_t n = 0;
  for (; *s; s++)
    n += *s == '\n';
  return n;
}

TEST(blocks_are_told_apart) {
  static const char text[] =
      "## Item 1A. Risks\n\nA paragraph.\n\\# no heading\n- one\n  - **Name:** value\n12. twelve\n"
      "```\nfixed  text\n```\n| a | b |\nlast";
  static const enum page_kind kinds[] = {PAGE_HEADING, PAGE_PARAGRAPH, PAGE_PARAGRAPH,
                                         PAGE_ITEM,    PAGE_ITEM,      PAGE_ITEM,
                                         PAGE_FIXED,   PAGE_TABLE,     PAGE_PARAGRAPH};
  struct page_block b;
  size_t at = 0, n = 0;
  while (page_next_block((struct page_passage){.text = slice_str(text)}, &at, &b)) {
    CHECK(n < 9 && b.kind == kinds[n]);
    if (n == 0)
      CHECK(b.level == 2 && slice_is(b.text, "Item 1A. Risks"));
    if (n == 2)
      CHECK(slice_is(b.text, "# no heading"));
    if (n == 4)
      CHECK(b.level == 1 && slice_is(b.strong, "Name:") && slice_is(b.text, "value"));
    if (n == 5)
      CHECK(slice_is(b.label, "12. ") && slice_is(b.text, "twelve"));
    if (n == 6)
      CHECK(slice_is(b.text, "fixed  text\n"));
    n++;
  }
  CHECK_INT(n, 9);
}

/* The head takes three lines, so that the label takes one too. */
TEST(tables_take_the_fewest_lines) {
  static const char text[] =
      "| | Shares Bought Back in Total | Price Paid for Each | Shares Bought Back Under a Plan |\n"
      "| --- | ---: | ---: | ---: |\n| Open market and private purchases | 1 | 2 | 3 |\n| b | 1 | 2 | 3 |\n| "
      "c | 1 | 2 | 3 |\n"
      "| d | 1 | 2 | 3 |\n";
  const char *out = drawn(text, 72, 40);
  CHECK(strstr(out, "Open market and private purchases ") != NULL);
  CHECK_INT(count_lines(out), 8);
}

TEST(tables_stand_in_columns) {
  CHECK_STR(drawn(table, 60, 20), " Year                 2025      2024\n"
                                  " \xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
                                  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
                                  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
                                  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
                                  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
                                  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
                                  "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\n"
                                  " Feeder Services  $612,480  $571,905\n"
                                  " A | B                   1         2\n");
}

/* Labels are given room where a row's last cell is empty, as those of a row that is no label alone. */
TEST(labels_have_room_beside_an_empty_last_column) {
  char *text = drawn(
      "| Periods | Total Number of Shares Purchased | Average Price Paid Per Share | Approximate Dollar "
      "Value of Shares That May Yet Be Purchased |\n| --- | ---: | ---: | ---: |\n"
      "| June 29, 2025 to August 2, 2025: | | | |\n"
      "| Open market and privately negotiated purchases | 33,265 | $210.43 | |\n",
      100, 20);
  CHECK(strstr(text, " Open market and privately negotiated purchases  ") != NULL);
}

/* Whatever the width, no line is wider, no figure is cut, and each block of columns has its head and label. */
TEST(tables_keep_to_the_width) {
  for (size_t width = 20; width < 60; width++) {
    char *text = drawn(table, width, 20), *save = NULL;
    CHECK(strncmp(text, " Year", 5) == 0);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
      CHECK(screen_text_columns(slice_str(line)) <= width);
  }
  for (size_t width = 20; width < 60; width++)
    CHECK(strstr(drawn(table, width, 20), "$612,480") && strstr(drawn(table, width, 20), "$571,905"));
  char *text = drawn(table, 24, 20), *second = strstr(text, "2024");
  CHECK(second && strstr(text, "Year  ") == text + 1 && strstr(text + 2, "Year  ") < second);
  CHECK(strstr(second, "Feeder") != NULL);
}

/* Long heads and labels give way to figures. */
TEST(figures_are_never_cut) {
  static const char wide[] = "| (in thousands, except membership and per share data) | As of/ Year Ended "
                             "December 31, 2024 | As of/ Year "
                             "Ended December 31, 2023 | 2024 vs. 2023, change in percent of the year before "
                             "|\n| --- | ---: | ---: | ---: |\n"
                             "| Total revenues of streaming memberships in all regions together | $ "
                             "39,000,966 | $ 33,723,297 | 16 % |\n";
  for (size_t width = 36; width <= 160; width++) {
    char *text = drawn(wide, width, 20), *save = NULL;
    CHECK(strstr(text, "$ 39,000,966") && strstr(text, "$ 33,723,297") && strstr(text, "16 %"));
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
      CHECK(screen_text_columns(slice_str(line)) <= width);
  }
  CHECK_STR(drawn("| Year |  |\n| --- | ---: |\n| A label of words |  |\n| b | 1,234 |\n", 20, 9),
            " Year\n \xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
            "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\n A label of words\n b     1,234\n");
  CHECK_STR(drawn("```\nRevenues of the segment   1,234,567   2,345,678\n```", 20, 9),
            " Revenues of the\n segment   1,234,567\n 2,345,678\n");
}

TEST(what_all_heads_share_is_said_once) {
  static const char text[] =
      "| Region | 2024 (in thousands of members) | Change, 2024 to 2023 (in thousands of members) |\n"
      "| --- | ---: | ---: |\n| Asia | 57,541 | 12,203 |\n";
  CHECK(strncmp(drawn(text, 60, 20), " (in thousands of members)\n Region    2024  Change, 2024 to 2023\n",
                60) == 0);
  CHECK(strstr(written(text), "<caption>(in thousands of members)</caption>") != NULL);
  CHECK(strstr(written(text), "<th scope=\"col\" class=\"n\">2024</th>") != NULL);
  CHECK_STR(
      drawn("| | Year ended June 30, 2025 | Year ended June 30, 2024 |\n|---|---|---|\n| Sales | 7 | 6 |\n",
            60, 9),
      " Year ended June 30,\n        2025  2024\n"
      " \xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2"
      "\x94\x80"
      "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\n"
      " Sales     7     6\n");
}

/* A table that goes on from the passage before has its head from the context; where nobody can tell which column a head
 * is of, they stand in a line above; a first row is never taken for a head. */
TEST(a_table_that_goes_on_has_its_head) {
  static const char rest[] = "| Other | (1,308) | (1,337) |\n| Net | 2,935 | 3,705 |\n";
  static const struct {
    const char *context, *first;
  } heads[] = {
      {"Acme \xc2\xb7 Cash flows \xc2\xb7 (In millions) | 2024 | 2023", " (In millions)     2024     2023\n"},
      {"Acme \xc2\xb7 Cash flows \xc2\xb7 2024 | 2023", "           2024     2023\n"},
      {"Acme \xc2\xb7 Cash flows \xc2\xb7 Loans of 2024 | 2023", "        Loans of 2024     2023\n"},
      {"Acme \xc2\xb7 Cash flows \xc2\xb7 a | b | c | d", " a | b | c | d\n Other  (1,308)  (1,337)\n"},
      {"Acme \xc2\xb7 Cash flows", " Other  (1,308)  (1,337)\n Net      2,935    3,705\n"},
  };
  for (size_t i = 0; i < 5; i++) {
    struct buf b;
    buf_init(&b, 1 << 16);
    struct page_terminal t = {.out = &b, .width = 60, .indent = 1, .lines = 20};
    struct page_passage p = {slice_str(rest), slice_str(heads[i].context)};
    page_terminal_passage(&t, p, NULL);
    CHECK(strncmp(b.data, heads[i].first, strlen(heads[i].first)) == 0);
    buf_clear(&b);
    html_page_passage(&b, p, NULL);
    CHECK((strstr(b.data, "<th scope=\"col\" class=\"n\">2024</th>") != NULL) == (i < 2));
    CHECK((strstr(b.data, "<caption>a | b | c | d</caption>") != NULL) == (i == 3));
    CHECK(strstr(b.data, "<th scope=\"row\">Other</th><td class=\"n\">(1,308)</td>") != NULL);
    buf_release(&b);
  }
}

TEST(words_are_wrapped_not_cut) {
  CHECK_STR(drawn("### Heading of several words\nshort", 16, 9), " Heading of\n several words\n short\n");
  CHECK_STR(drawn("abcdefghijklmnopqrstuvwxyz", 11, 9), " abcdefghij\n klmnopqrst\n uvwxyz\n");
  CHECK_STR(drawn("one\ntwo\nthree", 20, 2), " one\n two\n \xe2\x80\xa6\n");
  CHECK_STR(drawn("- a list item here", 11, 9), " - a list\n   item\n   here\n");
}

TEST(a_title_that_was_cut_loses_its_last_word) {
  char text[300] = "Acme \xc2\xb7 10-K \xc2\xb7 filed 2025-10-31 \xc2\xb7 ";
  size_t head = strlen(text);
  struct slice place = slice_str(text);
  CHECK(page_place_outline(place) == place.len);
  CHECK(!page_place_cut(&place) && place.len == head);
  for (size_t i = 0; i < 16; i++)
    strcat(text, i < 15 ? "ten bytes " : "disasters");
  text[head + PAGE_TITLE - 2] = '\0';
  place = slice_str(text);
  CHECK(page_place_outline(place) == head - strlen(" \xc2\xb7 "));
  CHECK(page_place_cut(&place) && place.len == head + 149);
  text[head + PAGE_TITLE - 5] = '\0';
  place = slice_str(text);
  CHECK(!page_place_cut(&place));
}

TEST(places_have_no_table_heads) {
  static const char cut[] = "Acme \xc2\xb7 Segments \xc2\xb7 Year | 2025";
  struct slice place = page_place(slice_str(cut));
  CHECK(place.len == strlen("Acme \xc2\xb7 Segments") && memcmp(place.data, cut, place.len) == 0);
  CHECK(page_place(slice_str("Acme | B")).len == 8);
  CHECK(page_place(slice_of(NULL, 0)).len == 0);
}

TEST(terminals_are_safe) {
  CHECK_STR(drawn("a\033]0;x\007 \xe2\x80\xae"
                  "b",
                  40, 9),
            " a?]0;x? ?b\n");
  CHECK(strchr(drawn("| a\033[31m | b |\n| --- | --- |\n| \xc2\x9b | x |\n", 40, 9), '\033') == NULL);
}

TEST(html_is_text) {
  CHECK_STR(written("<script>alert(1)</script> & \"x\" 'y'\033"),
            "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot; &#39;y&#39;?</p>\n");
  CHECK(strstr(written("| <b> | x |\n| --- | ---: |\n| </table><img src=x onerror=y> | 1 |\n"),
               "<th scope=\"row\">&lt;/table&gt;&lt;img src=x onerror=y&gt;</th><td class=\"n\">1</td>") !=
        NULL);
}

TEST(only_plain_addresses_are_links) {
  static const char *const bad[] = {
      "javascript:alert(1)", "data:text/html,x", "https://x/ y", "file://", "https://x/\"onload", NULL};
  struct buf b;
  buf_init(&b, 1 << 16);
  html_page_link(&b, slice_str("https://www.sec.gov/a?b&c"), slice_str("<there>"));
  CHECK_STR(b.data,
            "<a rel=\"noopener noreferrer\" href=\"https://www.sec.gov/a?b&amp;c\">&lt;there&gt;</a>");
  for (int i = 0; i < 4; i++) {
    buf_clear(&b);
    html_page_link(&b, slice_str(bad[i]), slice_str("x"));
    CHECK_STR(b.data, "x");
  }
  buf_clear(&b);
  html_page_link(&b, slice_str(bad[4]), slice_str("x"));
  CHECK_STR(b.data, "<a rel=\"noopener noreferrer\" href=\"https://x/&quot;onload\">x</a>");
  buf_release(&b);
}

TEST(marks_are_marked) {
  static const size_t span[][2] = {{4, 7}, {8, 11}};
  struct buf b;
  const char *text = "The net sales";
  struct page_marks m = {.base = text, .span = span, .count = 2};
  buf_init(&b, 1 << 16);
  html_page_passage(&b, (struct page_passage){.text = slice_str(text)}, &m);
  CHECK_STR(b.data, "<p>The <mark>net</mark> <mark>sal</mark>es</p>\n");
  buf_clear(&b);
  struct page_terminal t = {.out = &b, .width = 40, .indent = 0, .lines = 9, .colour = 1};
  page_terminal_passage(&t, (struct page_passage){.text = slice_str(text)}, &m);
  CHECK_STR(b.data, "The \033[0m\033[1;33mnet\033[0m \033[0m\033[1;33msal\033[0mes\n");
  buf_release(&b);
}

/* The headings above the last of the rows, by their numbers: "0 2". */
static const char *headings(const char *const *rows) {
  static char out[64];
  struct page_groups g = {.count = 0};
  size_t count = 0, n = 0;
  for (size_t i = 0; rows[i]; i++)
    count = page_groups_row(&g, slice_str(rows[i]), i);
  out[0] = 0;
  for (size_t i = 0; i < count; i++)
    n += (size_t)snprintf(out + n, sizeof out - n, i ? " %zu" : "%zu", g.open[i].at);
  return out;
}

TEST(rows_have_the_headings_of_their_levels) {
#define HEADINGS(want, ...) CHECK_STR(headings((const char *const[]){__VA_ARGS__, NULL}), want)
  HEADINGS("0", "| Assets | |", "| Cash | 1 |");
  HEADINGS("0 1", "| ASSETS | |", "| Current: | |", "| Cash | 1 |");
  HEADINGS("2", "| Assets | |", "| Cash | 1 |", "| Debt | |", "| Loans | 1 |");
  HEADINGS("0 3", "| Assets | |", "|   Current | |", "|     Cash | 1 |", "|   Other | |", "|     Land | 1 |");
  HEADINGS("0", "| Assets | |", "|   Current | |", "|     Cash | 1 |", "|   Land | 1 |");
  HEADINGS("", "| Assets | |", "|   Cash | 1 |", "| Number of employees | 9 |");
  HEADINGS("0", "| Assets | |", "|   Cash | 1 |", "| | 1 |");
  HEADINGS("0", "| Assets | |", "|   Current | |");
#undef HEADINGS
}

/* Labels stand below each other by their levels, on terminals and pages; each line of a long one does. */
TEST(labels_show_their_levels) {
  struct buf b;
  struct page_passage p = {.text = slice_str("| | 2025 |\n| --- | ---: |\n| Assets | |\n|   Current | |\n"
                                             "|     Cash and cash equivalents held | 1 |\n")};
  struct page_terminal t = {.out = &b, .width = 28, .lines = 20};
  buf_init(&b, 1 << 16);
  page_terminal_passage(&t, p, NULL);
  CHECK(strstr(b.data, "\nAssets\n  Current\n    Cash and cash          1\n    equivalents held\n"));
  buf_clear(&b);
  html_page_passage(&b, p, NULL);
  CHECK(strstr(b.data, "<th scope=\"row\">Assets</th>"));
  CHECK(strstr(b.data, "<th scope=\"row\" style=\"padding-left:2.6rem\">Cash and"));
  buf_release(&b);
}

TEST(long_places_lose_words_of_their_middle) {
  struct buf b;
  struct slice place =
      slice_str("Acme (AC) \xc2\xb7 10-Q \xc2\xb7 filed 2025-07-24 \xc2\xb7 ITEM 2. MANAGEMENT AND OTHERS "
                "\xc2\xb7 Results of Operations \xc2\xb7 Cost of Revenues and Gross Margin");
  buf_init(&b, 1 << 10);
  page_place_add(&b, place, 400);
  CHECK(slice_eq(buf_slice(&b), place));
  buf_clear(&b);
  page_place_add(&b, place, 60);
  CHECK_STR(b.data, "Acme (AC) \xc2\xb7 10-Q \xc2\xb7 filed 2025-07-24 \xc2\xb7 ITEM 2. \xe2\x80\xa6 "
                    "\xc2\xb7 Results \xe2\x80\xa6 \xc2\xb7 Cost of Revenues and Gross Margin");
  buf_release(&b);
}

TEST(links_of_terminals) {
  struct buf b;
  buf_init(&b, 1 << 16);
  struct page_terminal t = {.out = &b, .width = 20, .indent = 1, .colour = 1};
  page_terminal_link(&t, slice_str("https://x.org/a"));
  CHECK_STR(b.data, " \033[2m\033]8;;https://x.org/a\033\\https://x.org/a\033]8;;\033\\\033[0m\n");
  buf_clear(&b);
  page_terminal_link(&t, slice_str("https://x.org/a\033\\\007"));
  CHECK_STR(b.data, " \033[2mhttps://x.org/a?\\?\033[0m\n");
  buf_release(&b);
}

int main(void) {
  RUN(blocks_are_told_apart);
  RUN(tables_take_the_fewest_lines);
  RUN(tables_stand_in_columns);
  RUN(labels_have_room_beside_an_empty_last_column);
  RUN(tables_keep_to_the_width);
  RUN(figures_are_never_cut);
  RUN(what_all_heads_share_is_said_once);
  RUN(a_table_that_goes_on_has_its_head);
  RUN(words_are_wrapped_not_cut);
  RUN(places_have_no_table_heads);
  RUN(a_title_that_was_cut_loses_its_last_word);
  RUN(terminals_are_safe);
  RUN(html_is_text);
  RUN(only_plain_addresses_are_links);
  RUN(marks_are_marked);
  RUN(rows_have_the_headings_of_their_levels);
  RUN(labels_show_their_levels);
  RUN(long_places_lose_words_of_their_middle);
  RUN(links_of_terminals);
  return test_done();
}
