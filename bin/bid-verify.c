/* bid-verify: citations proved again, and the numbers of an answer looked for in what it cites. */
#include "verify/verify.h"

static struct verify_options options;

static const struct program_option list[] = {
    {OPTION_TEXT, 0, "answer", "FILE", &options.answer, "the answer's text, with [1] marks for its passages"},
    {OPTION_LIST, 'e', "company", "COMPANY", &options.companies,
     "its XBRL facts count, too: ticker, CIK or name"},
    {OPTION_LIST, 0, "facts", "FILE", &options.facts, "rows of bid-facts that count, too"},
    {OPTION_FLAG, 0, "source", NULL, &options.from_source, "fetch the sources again: hash and offsets"},
    {OPTION_TEXT, 0, "store", "PATH", &options.store, "the store (default: BID_STORE)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-verify", "[OPTION]... [FILE]...",
    "Proves the citations of passages, bundles and answers again, and looks for every number of an answer\n"
    "in the passages that it cites and in XBRL facts.",
    list, "Example:\n  bid-verify --answer answer.txt bundle.json\n\nSee bid-verify(1)."};

int main(int argc, char **argv) {
  struct program p;
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  verify_run(&p, &options);
  return program_finish(&p);
}
