/* bid-diff: what a filing says that the one before did not. */
#include "compare/diff_print.h"
#include "compare/record_text.h"
#include "compare/stored_text.h"
#include "record/program.h"

#include <stdlib.h>

static const char *opt_company, *opt_form, *opt_item, *opt_exhibit;
static size_t opt_back;
static const struct program_option options[] = {
    {OPTION_TEXT, 'e', "company", "NAME", &opt_company,
     "ticker, CIK or name; its newest filing and the one before"},
    {OPTION_TEXT, 0, "entity", "NAME", &opt_company, NULL},
    {OPTION_TEXT, 'f', "form", "FORM", &opt_form, "form of both (default: 10-K)"},
    {OPTION_TEXT, 0, "item", "ITEM", &opt_item, "only this item, e.g. 1A or II-1A"},
    {OPTION_TEXT, 0, "exhibit", "TYPE", &opt_exhibit, "their exhibits of this type, e.g. EX-99.1"},
    {OPTION_SIZE, 0, "back", "N", &opt_back, "start N filings before the newest"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};
static const struct program_spec spec = {
    "bid-diff", "[OPTION]... -e COMPANY\n[OPTION]... OLD NEW",
    "Compares a filing, or an item of it, with the one before it in the store: paragraphs that were added, "
    "dropped,\n"
    "changed or moved, and numbers that changed in otherwise equal ones.  OLD and NEW: files of a document "
    "record\n"
    "(as bid-strip writes it) or of text.",
    options, "Example: bid-diff -e AAPL -f 10-K --item 1A\nThe store is $BID_STORE. See bid-diff(1)."};

struct bid_diff_side {
  struct buf text, json;
};

static void sides_init(struct bid_diff_side s[2]) {
  for (int i = 0; i < 2; i++) {
    buf_init(&s[i].text, STORE_DOCUMENT_BYTES);
    buf_init(&s[i].json, STORE_DOCUMENT_BYTES);
  }
}

static void sides_release(struct bid_diff_side s[2]) {
  for (int i = 0; i < 2; i++) {
    buf_release(&s[i].text);
    buf_release(&s[i].json);
  }
}

static enum store_status read_sides(const struct store_snapshot *snap, struct bid_diff_side s[2],
                                    struct error_text *e) {
  struct stored_choice c = {opt_company, opt_form ? opt_form : "10-K", opt_exhibit};
  struct stored_place *list;
  size_t count;
  enum store_status status = stored_text_find(snap, &c, &list, &count, e);
  if (!status && count < opt_back + 2) {
    error_set(e, "the store has %zu filings on form %s of %s, too few to compare; bid-ingest reads more",
              count, c.form, opt_company);
    status = STORE_ABSENT;
  }
  for (size_t i = 0; i < 2 && !status; i++)
    status = stored_text_read(snap, &list[opt_back + 1 - i], opt_item, &s[i].text, &s[i].json, e);
  free(list);
  return status;
}

static void diff_store(struct program *p, struct bid_diff_side s[2]) {
  struct store *store = NULL;
  struct store_snapshot *snap = NULL;
  struct error_text e;
  struct store_options o = {0};
  enum store_status status = store_open(&store, &o, &e);
  if (!status)
    status = store_snapshot_begin(store, &snap, &e);
  if (!status)
    status = read_sides(snap, s, &e);
  if (status) {
    diag_warn("%s", e.text);
    program_fail(p, status == STORE_ABSENT ? EXIT_NOTHING : store_exit_status(status));
  }
  store_snapshot_end(snap);
  store_close(store);
}

static void diff_files(struct program *p, struct bid_diff_side s[2]) {
  struct error_text e;
  for (int i = 0; i < 2; i++) {
    int fd = program_open(p, p->operands[i]);
    int failed = fd < 0 || record_text_read(fd, opt_item, &s[i].text, &s[i].json, &e) != 0;
    if (failed && fd >= 0) {
      diag_warn("%s: %s", p->input_name, e.text);
      program_fail(p, EX_DATAERR);
    }
    if (fd >= 0)
      program_close(fd);
  }
}

static int check_call(const struct program *p) {
  if (opt_company ? p->operand_count != 0 : p->operand_count != 2)
    return program_usage(&spec, "name a company with -e, or two files");
  return 0;
}

int main(int argc, char **argv) {
  struct program p;
  struct bid_diff_side s[2];
  struct passage_diff d;
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0 || (status = check_call(&p)) != 0)
    return status;
  sides_init(s);
  if (opt_company)
    diff_store(&p, s);
  else
    diff_files(&p, s);
  struct diff_about about = {opt_item, buf_slice(&s[0].json), buf_slice(&s[1].json)};
  if (p.status == 0) {
    passage_diff_make(&d, buf_slice(&s[0].text), buf_slice(&s[1].text));
    if (p.people)
      diff_print_people(&p.out, &d, &about, p.colour);
    else
      diff_print_records(&p.out, &d, &about);
    passage_diff_release(&d);
  }
  sides_release(s);
  return program_finish(&p);
}
