/* bid-verify: verifies citations, and the numbers of an answer against what it cites. */
#include "verify/verify.h"

#define HEX "0123456789abcdef"

static struct verify_options options;
static struct option_choice format = PROGRAM_FORMS;

static const struct program_option list[] = {
    {OPTION_TEXT, 0, "answer", "FILE", &options.answer, "the answer's text, with [1] marks for its passages"},
    {OPTION_TEXT, 0, "answer-text", "TEXT", &options.answer_text, "the answer itself"},
    {OPTION_LIST, 0, "cite", "ID", &options.cited, "a stored passage that it cites, in order of the marks"},
    {OPTION_LIST, 'e', "company", "COMPANY", &options.companies,
     "also use its XBRL facts: ticker, CIK or name"},
    {OPTION_LIST, 0, "facts", "FILE", &options.facts, "also use rows of bid-facts"},
    {OPTION_FLAG, 0, "source", NULL, &options.from_source, "also check the sources' bytes: hash and offsets"},
    {OPTION_CHOICE, 0, "format", "FORMAT", &format, ": a self-contained page"},
    {OPTION_TEXT, 0, "store", "PATH", &options.store, "the store (default: BID_STORE)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-verify", "[OPTION]... [FILE]...",
    "Verifies the citations of passages, bundles and answers, and checks every number of an answer\n"
    "against the passages that it cites and XBRL facts.",
    list, "Example:\n  bid-verify --answer answer.txt bundle.json\n\nSee bid-verify(1)."};

int main(int argc, char **argv) {
  struct program p;
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  options.form = program_form(&p, &format);
  if (options.answer && options.answer_text)
    return program_usage(&spec, "of --answer and --answer-text only one goes");
  for (size_t i = 0; i < options.cited.count; i++)
    if (strlen(options.cited.items[i]) != 32 || options.cited.items[i][strspn(options.cited.items[i], HEX)])
      return program_usage(&spec, "--cite: '%s' is no id of 32 digits, as bid-search --json gives it",
                           options.cited.items[i]);
  p.reads = "bundles of bid-retrieve and passages of bid-search, as --json gives them";
  verify_run(&p, &options);
  return program_finish(&p);
}
