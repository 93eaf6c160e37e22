/* bid-diff: compares a filing with the previous one. */
#include "compare/filing_diff.h"

static struct filing_diff_call call;
static struct option_list companies;
static struct option_choice format = PROGRAM_FORMS;
static const struct program_option options[] = {
    {OPTION_LIST, 'e', "company", "NAME", &companies,
     "ticker, CIK or name; its newest filing and the one before"},
    {OPTION_LIST, 0, "entity", "NAME", &companies, NULL},
    {OPTION_TEXT, 'f', "form", "FORM", &call.form, "form of both (default: 10-K)"},
    {OPTION_TEXT, 0, "item", "ITEM", &call.item, "only this item, e.g. 1A or II-1A"},
    {OPTION_TEXT, 0, "exhibit", "TYPE", &call.exhibit, "their exhibits of this type, e.g. EX-99.1"},
    {OPTION_SIZE, 0, "back", "N", &call.back, "start N filings before the newest"},
    {OPTION_FLAG, 0, "year-ago", NULL, &call.year_ago,
     "with the filing of a year before: the same quarter, for a 10-Q"},
    {OPTION_SIZE, 'n', "limit", "N", &call.limit, "print the first N changes"},
    {OPTION_CHOICE, 0, "format", "FORMAT", &format, ": a self-contained page"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};
static const struct program_spec spec = {
    "bid-diff", "[OPTION]... -e COMPANY\n[OPTION]... OLD NEW",
    "Compares a filing, or an item of it, with the previous one in the store: paragraphs that were added, "
    "dropped,\n"
    "changed or moved, and numbers that changed in otherwise equal ones.  OLD and NEW: files of a document "
    "record\n"
    "(as bid-strip writes it) or of text.",
    options, "Example: bid-diff -e AAPL -f 10-K --item 1A\nThe store is $BID_STORE. See bid-diff(1)."};

int main(int argc, char **argv) {
  struct program p;
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  if (companies.count > 1)
    return program_usage(
        &spec, "-e is given %zu times, but the filings compared are of one company; run it once for each",
        companies.count);
  call.company = companies.count ? companies.items[0] : NULL;
  if (call.company ? !*call.company || p.operand_count != 0 : p.operand_count != 2)
    return program_usage(&spec, "name a company with -e, or two files");
  if (call.year_ago && !call.company)
    return program_usage(&spec, "--year-ago chooses among the filings of a company; name it with -e");
  call.output = program_form(&p, &format);
  filing_diff_run(&p, &call);
  return program_finish(&p);
}
