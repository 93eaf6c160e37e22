/* bid-facts: XBRL facts of companies, or FRED series, as a table, records or a chart. */
#include "facts/facts.h"

static struct facts_options options = {.limit = FACTS_LIMIT_DEFAULT};

static struct option_choice statement = {.words = {"income", "balance", "cash"}},
                            format = {.words = {"auto", "table", "json", "csv", "markdown", "html"}};

static const struct program_option list[] = {
    {OPTION_LIST, 0, "entity", "COMPANY", &options.entities, NULL},
    {OPTION_LIST, 'e', "company", "COMPANY", &options.entities,
     "ticker, name or CIK; several are shown side by side"},
    {OPTION_LIST, 0, "from", "FILE", &options.files,
     "read company facts, payloads or inline XBRL from a file; - for stdin"},
    {OPTION_FLAG, 0, "fred", NULL, &options.fred, "the words are FRED series (needs FRED_API_KEY)"},
    {OPTION_CHOICE, 0, "statement", "WHICH", &statement, ": the statement's lines"},
    {OPTION_FLAG, 0, "segments", NULL, &options.segments, "breakdown by product, segment, region"},
    {OPTION_FLAG, 0, "list", NULL, &options.words, "the words, their labels and what they stand for"},
    {OPTION_TEXT, 0, "screen", "RULE", &options.screen, "all companies that meet RULE, 'revenue > 1e9'"},
    {OPTION_FLAG, 0, "for-plan", NULL, &options.for_plan, "the figures for jobs with a plan on stdin"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "Which facts:"},
    {OPTION_FLAG, 0, "annual", NULL, &options.annual, "fiscal years (default)"},
    {OPTION_FLAG, 0, "quarterly", NULL, &options.quarterly, "three months; the fourth quarter is derived"},
    {OPTION_FLAG, 0, "ttm", NULL, &options.trailing, "trailing twelve months at each quarter's end"},
    {OPTION_TEXT, 'p', "period", "PERIOD", &options.period,
     "FY-2024, Q3-2024, H1-2024, CY2024Q1, 2024, 2019..2021"},
    {OPTION_TEXT, 0, "since", "WHEN", &options.since, "only what ends on that day or later"},
    {OPTION_TEXT, 0, "unit", "UNIT", &options.unit, "USD, shares, USD/shares"},
    {OPTION_FLAG, 0, "as-first-reported", NULL, &options.first_reported, "the first of restated values"},
    {OPTION_TEXT, 0, "as-of", "DAY", &options.as_of, "only facts filed by that day"},
    {OPTION_SIZE, 'n', "limit", "N", &options.limit,
     "the newest N periods (default 12; charts 40; statements 3)"},
    {OPTION_HEADING, 0, NULL, NULL, NULL, "Output (a table on a terminal, else NDJSON):"},
    {OPTION_FLAG, 0, "csv", NULL, &options.csv, "CSV, one fact per line"},
    {OPTION_FLAG, 0, "markdown", NULL, &options.markdown, "a Markdown table"},
    {OPTION_CHOICE, 0, "format", "FORMAT", &format, ": a self-contained page"},
    {OPTION_TEXT, 0, "plot", "FILE", &options.plot, "a chart: .svg, .png or .pdf, or - for the terminal"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-facts",
    "-e COMPANY [OPTION]... [WORD]...\n[OPTION]... QUESTION\n-e COMPANY --statement income|balance|cash "
    "[OPTION]...\n"
    "--fred [OPTION]... SERIES...",
    "Shows figures that companies reported in XBRL, each with its filing.", list,
    "A WORD is a plain word (revenue, capex, 'free cash flow'), an XBRL concept or a formula ('net income / "
    "revenue').\nWithout -e the words are a question: bid-facts apple revenue since 2020.\nSee "
    "bid-facts(1)."};

int main(int argc, char **argv) {
  struct program p;
  struct buf why;
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  options.statement = program_choice_given(&statement);
  options.format = program_choice_given(&format);
  for (int i = 0; i < p.operand_count; i++) {
    options.operands.items = xreallocarray(options.operands.items, (size_t)i + 1, sizeof(char *));
    options.operands.items[options.operands.count++] = p.operands[i];
  }
  buf_init(&why, 4096);
  facts_question(&options, &why);
  if (why.len == 0)
    facts_check(&options, &why);
  if (why.len)
    status = program_usage(&spec, "%s", why.data);
  buf_release(&why);
  if (status >= 0)
    return status;
  facts_run(&p, &options);
  return program_finish(&p);
}
