/* plan_test.c: the parts of understanding: tokens, forms, the directory, and plans of small tables. */
#include "query/directory.h"
#include "query/plan.h"
#include "query/plan_json.h"
#include "query/plan_windows.h"
#include "query/planner.h"

#include "test.h"

#include <stdlib.h>

static const char companies[] = "# date: 2024-06-01\n"
                                "1\tAAA\tAlpha Corp\t\t0\n"
                                "2\tBB-A,BB-B\tBeta & Gamma Holdings, Inc.\t\t1\n"
                                "3\tTGT\tTARGET CORP\t\t2\n"
                                "4\tDLTA\tDelta One Ltd\t\t3\n"
                                "5\tDLTB\tDelta Two Ltd\t\t4\n"
                                "6\tMCX\tMcExample's Kitchens Inc /DE/\t\t5\n";
static const char names[] =
    "# name\tcik\tkind\nAAA\t1\tticker\nAlpha Corp\t1\tname\nBB-A\t2\tticker\nBB-B\t2\tticker\n"
    "Beta & Gamma Holdings, Inc.\t2\tname\nDelta One Ltd\t4\tname\nDelta Two Ltd\t5\tname\n"
    "DLTA\t4\tticker\nDLTB\t5\tticker\nMcExample's Kitchens Inc /DE/\t6\tname\n"
    "MCX\t6\tticker\nTARGET CORP\t3\tname\nTGT\t3\tticker\n";
static const char aliases[] =
    "Alfa Brand\t1\tbrand\town 10-K\nOldname Systems Inc\t3\tformer\tSEC formerNames\nTide\t1\talone\tx\n";
static const char forms[] =
    "10-K\tannual report\tannual\t-\t20-F\tx\n10-Q\tquarterly report\tquarter\t-\t6-K\tx\n"
    "8-K\t-\tevent\t-\t-\tx\n8-K\tearnings release\tevent\t2.02\t-\tx\n4\tinsider sales\tevent\t-\t-\tx\n";
static const char words[] = "delta\t20\t0\t0\nsales\t10\t0\t0\ntarget\t10\t0\t0\n";
static const char kinds[] = "generic\tholdings systems\nfigure\tsales revenue margin\n"
                            "function\tthe of and our what is in\ncompare\tvs compare\ncounter\ton from\n";

static struct planner *small(void) {
  struct error_text why;
  struct planner_tables t = {slice_str(companies), slice_str(names), slice_str(aliases), slice_str(forms),
                             slice_str(words),     slice_str(kinds), slice_str(""),      slice_str("")};
  return planner_new(&t, &why);
}

/* The CIKs of the companies of a question, parted by blanks; "refused" where it is. */
static const char *ciks_of(const char *question, const char *entity) {
  static char text[200];
  static struct plan plan;
  struct planner *p = small();
  struct slice given = slice_str(entity);
  struct plan_request ask = {
      .question = slice_str(question), .entities = &given, .entity_count = entity != NULL, .now = 1770000000};
  struct error_text why;
  size_t n = 0;
  plan_init(&plan);
  text[0] = '\0';
  if (plan_make(p, &ask, &plan, &why) != 0)
    snprintf(text, sizeof text, "refused");
  else
    for (size_t i = 0; i < plan.company_count; i++)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%d", i ? " " : "", atoi(plan.companies[i].cik));
  plan_release(&plan);
  planner_free(p);
  return text;
}

TEST(tokens_are_folded) {
  static struct plan_text t;
  plan_text_read(&t, slice_str("Estée's  AT&T, Q2'25 (10-K/A) Starbucks' x"));
  CHECK_INT(t.count, 11);
  CHECK_STR(t.token[0].fold, "estees");
  CHECK_INT(t.token[0].bare, 5);
  CHECK_INT(t.token[0].possessive, 1);
  CHECK_INT(t.token[2].amp, 1);
  CHECK_STR(t.token[4].fold, "q2");
  CHECK_STR(t.token[5].fold, "25");
  CHECK(t.token[5].gap & GAP_APOSTROPHE);
  CHECK(t.token[6].gap & GAP_OPEN);
  CHECK(t.token[8].gap & GAP_SLASH);
  CHECK_STR(t.token[9].fold, "starbucks");
  CHECK_INT(t.token[9].possessive, 1);
  plan_text_read(&t, slice_of("a\xff\xc3(", 4));
  CHECK_INT(t.count, 1);
}

TEST(companies_by_every_name) {
  CHECK_STR(ciks_of("sales", "alpha"), "1");
  CHECK_STR(ciks_of("sales", "Alpha Corporation"), "1");
  CHECK_STR(ciks_of("sales", "Alpha Division"), "refused"); /* no legal form */
  CHECK_STR(ciks_of("sales", "beta and gamma"), "2");
  CHECK_STR(ciks_of("sales", "Beta-Gamma"), "2");
  CHECK_STR(ciks_of("sales", "bb.b"), "2");
  CHECK_STR(ciks_of("sales", "BB"), "2");
  CHECK_STR(ciks_of("sales", "mcexamples kitchens"), "6");
  CHECK_STR(ciks_of("sales", "alfa brand"), "1");
  CHECK_STR(ciks_of("sales", "Oldname"), "3");
  CHECK_STR(ciks_of("sales", "Alpja"), "1");
  CHECK_STR(ciks_of("sales", "delta"), "refused");
  CHECK_STR(ciks_of("sales", "CIK 0000000004"), "4");
  CHECK_STR(ciks_of("sales", "77"), "77");
}

TEST(a_listed_name_is_one_without_a_typing_error) {
  struct planner *p = small();
  struct plan_company c;
  CHECK(plan_company_is_listed(p, slice_str("alpha corporation"), &c) && atoi(c.cik) == 1);
  CHECK(plan_company_is_listed(p, slice_str("BB-B"), &c) && atoi(c.cik) == 2);
  CHECK(!plan_company_is_listed(p, slice_str("Alpja"), &c));
  CHECK(!plan_company_is_listed(p, slice_str("delta"), &c)); /* two */
  CHECK(!plan_company_is_listed(p, slice_str(""), &c));
  planner_free(p);
}

TEST(numbers_of_securities_are_told_by_their_shape) {
  static const struct {
    const char *text, *kind;
  } cases[] = {{"US0378331005", "an ISIN"},
               {"isin: us5949181045", "an ISIN"},
               {"US03783310055", NULL},
               {"037833100", "a CUSIP"},
               {"CUSIP 38259P508", "a CUSIP"},
               {"000320193", NULL}, /* a CIK with zeros */
               {"MICROSOFT", NULL},
               {"HWUPKR0MPOU8FGXBT394", "an LEI"},
               {"HWUPKR0MPOU8FGXBT3", NULL},
               {"ACTIVISION12", NULL},
               {"0000320193-24-000123", "an accession number"},
               {"000032019324000123", "an accession number"},
               {"BBG000B9XRY4", "a FIGI"},
               {"Apple Inc", NULL},
               {"", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *kind = plan_identifier_kind(slice_str(cases[i].text));
    CHECK_STR(kind ? kind : "", cases[i].kind ? cases[i].kind : "");
  }
}

TEST(names_are_known_by_some_of_their_words) {
  CHECK_STR(ciks_of("sales", "Gamma"), "2"); /* no other name has the word */
  CHECK_STR(ciks_of("sales", "Beta & Gamma Holdings (BB.A)"), "2");
  CHECK_STR(ciks_of("sales", "Target, formerly Oldname"), "3");
  CHECK_STR(ciks_of("sales", "Alpha (TGT)"), "refused");
  CHECK_STR(ciks_of("sales", "McExmaple's Kitchnes"), "6");
  CHECK_STR(ciks_of("sales", "A.AA"), "refused");
  CHECK_STR(ciks_of("sales", "Tide"), "1"); /* of the kind "alone" */
  CHECK_STR(ciks_of("Tide's sales", NULL), "");
  CHECK_STR(ciks_of("sales", "n/a"), "refused");
}

TEST(words_that_are_names_need_a_sign) {
  CHECK_STR(ciks_of("what is our target", NULL), "");
  CHECK_STR(ciks_of("Target's sales margin", NULL), "3");
  CHECK_STR(ciks_of("Alpha vs Target sales", NULL), "1 3");
  CHECK_STR(ciks_of("Alpha's revenue from Beta & Gamma", NULL), "1");
}

TEST(a_plan_reads_back_as_it_was_written) {
  static struct plan plan, again;
  struct planner *p = small();
  struct plan_request ask = {.question = slice_str("Alpha's \"sales\" vs Target's in Q2 2024, 10-Q/A"),
                             .as_of = slice_str("2025-01-31"),
                             .now = 1};
  struct error_text why;
  struct buf one, other, scratch;
  plan_init(&plan);
  plan_init(&again);
  buf_init(&one, 1 << 16);
  buf_init(&other, 1 << 16);
  buf_init(&scratch, 1 << 16);
  CHECK_INT(plan_make(p, &ask, &plan, &why), 0);
  plan_add_json(&plan, &one);
  CHECK_INT(plan_read_json(buf_slice(&one), &again, &scratch), 0);
  plan_add_json(&again, &other);
  CHECK_STR(other.data, one.data);
  CHECK_INT(again.window_count, 1);
  CHECK_INT(again.windows[0].period, PART_Q2);
  CHECK_INT(plan_read_json(slice_str("{}"), &again, &scratch), -1);
  plan_release(&plan);
  plan_init(&plan);
  const struct slice form = slice_str("8-K \"x\"\x18");
  ask.forms = &form;
  ask.form_count = 1;
  buf_clear(&one);
  buf_clear(&other);
  CHECK_INT(plan_make(p, &ask, &plan, &why), 0);
  CHECK_STR(plan.remark, "the question names form 10-Q, but only 8-K \"x\"? is searched");
  plan_add_json(&plan, &one);
  CHECK_INT(plan_read_json(buf_slice(&one), &again, &scratch), 0);
  plan_add_json(&again, &other);
  CHECK_STR(other.data, one.data);
  buf_release(&one);
  buf_release(&other);
  buf_release(&scratch);
  plan_release(&plan);
  planner_free(p);
}

static void quarters_end_by_the_company_s_year(void) {
  struct plan_window year = {.ends = "2025-12-31", .from = "2025-01-01"},
                     half = {.ends = "2025-12-31", .from = "2025-07-01"};
  CHECK_INT(plan_quarter_ending(12, 927), PART_Q1); /* Apple */
  CHECK_INT(plan_quarter_ending(12, 1231), PART_Q4);
  CHECK_INT(plan_quarter_ending(10, 126), PART_Q3); /* Nvidia */
  CHECK_INT(plan_quarter_ending(12, 131), PART_Q4); /* a retailer's holiday quarter */
  CHECK_INT(plan_quarter_ending(12, 103), PART_Q4); /* 53 weeks */
  CHECK_INT(plan_quarter_ending(9, 630), PART_Q1);
  CHECK_INT(plan_quarter_ending(3, 630), PART_Q3);
  CHECK_INT(plan_window_days_apart(&year), PLAN_YEAR_DAYS);
  CHECK_INT(plan_window_days_apart(&half), PLAN_ENDS_DAYS);
}

/* Whether the first candidate of a question has a sign, printed as "name=value". */
static int has_sign(const char *question, const char *sign) {
  static struct plan plan;
  struct error_text why;
  struct planner_tables t = {
      slice_str(companies),
      slice_str(names),
      slice_str(aliases),
      slice_str(forms),
      slice_str(words),
      slice_str(kinds),
      slice_str(
          "# trades: kitchen farm outside\n3\t\t\tkitchen\ncow\tfarm\noven\tkitchen\ntreaty\toutside\n"),
      slice_str("# key\twords\n3\tredcard shelf policy\ntarget\tarcher heart\nx\ty\n")};
  struct planner *p = planner_new(&t, &why);
  struct buf signs;
  buf_init(&signs, 10000);
  struct plan_request ask = {.question = slice_str(question), .signs = &signs, .now = 1770000000};
  plan_init(&plan);
  plan_make(p, &ask, &plan, &why);
  const char *found = signs.len ? strstr(signs.data, sign) : NULL;
  int has = found && found < strchr(signs.data, '\n');
  plan_release(&plan);
  planner_free(p);
  buf_release(&signs);
  return has;
}

TEST(words_of_a_trade_count_wherever_they_stand) {
  CHECK(has_sign("Target ovens", " trade=0.5"));
  CHECK(has_sign("ovens Target", " trade=0.5"));
  CHECK(!has_sign("cow Target", " no_trade="));
  CHECK(has_sign("Target Target", " no_trade=1"));
  CHECK(has_sign("Target treaty", " outside=0.5"));
  CHECK(!has_sign("Target cows", " outside="));
}

TEST(words_beside_a_name_tell_which_of_its_meanings_is_meant) {
  CHECK(has_sign("Target redcard", " subject=0.5"));
  CHECK(has_sign("policies of Target on shelves and the redcard", " subject=1"));
  CHECK(has_sign("Target bakery", " no_subject=1"));
  CHECK(has_sign("Target archers", " other_sense=0.5"));
  CHECK(has_sign("Targets for the heart", " other_sense=0.5"));
  CHECK(has_sign("Target redcard", " no_sense=1"));
  CHECK(!has_sign("Target redcard", " no_subject="));
  CHECK(!has_sign("Target heart", " no_sense="));
}

TEST(prepositions_behind_words_tell_how_they_are_used) {
  CHECK(has_sign("Target of ovens", " behind_of=1"));
  CHECK(has_sign("Target in ovens", " behind_where=1"));
  CHECK(has_sign("Target sales of ovens", " then_where=1"));
  CHECK(has_sign("Target sales margin in ovens", " then_where=1"));
  CHECK(!has_sign("Target sales margin ovens of", " then_where="));
  CHECK(!has_sign("Target sales in 2024", " then_where="));
  CHECK(!has_sign("Target in 2024", " behind_where="));
}

/* Whether a row's company is found by the row's text. */
static int is_found(const struct directory *d, const struct directory_row *row) {
  static struct plan_text t;
  char key[100] = "$";
  plan_text_read(&t, row->text);
  size_t ticker = row->way == WAY_TICKER,
         len = ticker + directory_key(&t, 0, t.count, 0, key + ticker, sizeof key - ticker);
  const struct directory_entry *e = directory_find(d, key, len);
  while (e && e->company != row->company)
    e = directory_next(e);
  return e != NULL;
}

TEST(every_shipped_name_is_found_since_the_tables_are_in_order) {
  struct error_text why;
  struct planner *p = planner_open(&why);
  struct directory_cursor at = {0, 0};
  struct directory_row row;
  size_t count = 0, lost = 0;
  CHECK(p != NULL);
  for (; p && directory_next_row(p->directory, &at, &row); count++) {
    int cut = slice_begins_nocase(row.text, "the ");
    for (const char *c = row.text.data; c < row.text.data + row.text.len; c++)
      cut |= strchr("/\\(:", *c) != NULL; /* what stands behind it may be no part of the name */
    if (!cut && !is_found(p->directory, &row) && lost++ < 20)
      printf("# lost: %.*s\n", (int)row.text.len, row.text.data);
  }
  CHECK(count > 30000);
  CHECK_INT(lost, 0);
  CHECK_STR(directory_company(p->directory, 320193).name.data ? "there" : "", "there");
  CHECK(directory_has(p->directory, 320193) && !directory_has(p->directory, 320194));
  planner_free(p);
}

TEST(bad_tables_are_refused_with_their_line) {
  struct error_text why;
  struct planner_tables t = {.companies = slice_str("1\tA\tAlpha\t\t0\n"), .forms = slice_str("10-K\n")};
  CHECK(planner_new(&t, &why) == NULL);
  CHECK_STR(why.text, "forms.tsv:1: not six columns, or too many forms");
}

int main(void) {
  setenv("BID_DATA", "data", 0); /* tests run at the top of the sources */
  RUN(tokens_are_folded);
  RUN(quarters_end_by_the_company_s_year);
  RUN(companies_by_every_name);
  RUN(a_listed_name_is_one_without_a_typing_error);
  RUN(numbers_of_securities_are_told_by_their_shape);
  RUN(names_are_known_by_some_of_their_words);
  RUN(words_that_are_names_need_a_sign);
  RUN(words_of_a_trade_count_wherever_they_stand);
  RUN(words_beside_a_name_tell_which_of_its_meanings_is_meant);
  RUN(prepositions_behind_words_tell_how_they_are_used);
  RUN(a_plan_reads_back_as_it_was_written);
  RUN(every_shipped_name_is_found_since_the_tables_are_in_order);
  RUN(bad_tables_are_refused_with_their_line);
  return test_done();
}
