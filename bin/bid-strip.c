/* bid-strip: converts payloads to documents: readable text with its outline. */
#include "base/diag.h"
#include "format/charset.h"
#include "format/unpack.h"
#include "base/xalloc.h"
#include "query/document_company.h"
#include "reader/own_document.h"
#include "reader/pdf_reader.h"
#include "reader/strip_filter.h"

#include <string.h>

static struct {
  int raw, plain, keep_furniture, companies;
  const char *items, *type;
  struct option_choice tables; /* enum doc_tables */
  size_t max_bytes;
} options = {
    .tables =
        {.words =
             {[DOC_TABLES_MARKDOWN] = "markdown", [DOC_TABLES_TEXT] = "text", [DOC_TABLES_DROP] = "drop"}},
    .max_bytes = STRIP_MAX_TEXT};

static const struct program_option option_list[] = {
    {OPTION_FLAG, 'r', "raw", NULL, &options.raw, "operands are files to strip, not payload records"},
    {OPTION_TEXT, 0, "type", "TYPE", &options.type,
     "with --raw: declared type of the files (text/csv, html)"},
    {OPTION_FLAG, 0, "plain", NULL, &options.plain, "plain text, without Markdown"},
    {OPTION_CHOICE, 0, "tables", "HOW", &options.tables, " (default: markdown)"},
    {OPTION_TEXT, 'i', "items", "LIST", &options.items, "only these items, e.g. 1A,7 or I-2 or 5.02"},
    {OPTION_SIZE, 0, "max-bytes", "N", &options.max_bytes, "truncate a document's text after N bytes (32M)"},
    {OPTION_FLAG, 0, "keep-furniture", NULL, &options.keep_furniture,
     "keep running headers, footers and page numbers"},
    {OPTION_FLAG, 0, "companies", NULL, &options.companies,
     "name the company of local files from the list of companies, too"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-strip", "[OPTION]... [FILE]...",
    "Turns payloads (HTML, plain text, full submissions, PDF, XML, JSON, CSV) into documents: Markdown with "
    "its\n"
    "outline, one JSON record per line.",
    option_list,
    "Example:\n  bid-fetch sec-filings -e AAPL -f 10-K -n 1 --content | bid-strip --items 1A\n\nSee "
    "bid-strip(1)."};

static int bid_strip_check_options(struct strip_options *o) {
  if (!options.max_bytes || options.max_bytes > RECORD_MAX)
    return program_usage(&spec, "--max-bytes: 1 to %zuM", RECORD_MAX >> 20);
  o->out.tables = (enum doc_tables)options.tables.chosen;
  o->out.plain = options.plain;
  o->keep_furniture = options.keep_furniture;
  o->out.max_text = options.max_bytes;
  return -1;
}

/* The company of the list with the ticker or CIK that was given for a local document. */
static void bid_strip_given(const struct planner *planner, const char *given, struct metadata *m) {
  struct plan_company listed;
  if (!plan_company_is_listed(planner, slice_str(given), &listed))
    return;
  metadata_set(m, METADATA_COMPANY, listed.name);
  metadata_set(m, METADATA_TICKER, listed.ticker);
  metadata_set_cik(m, slice_str(listed.cik));
}

/* Names the company of a local document, or takes back one that only the file's properties name. */
static void bid_strip_company(void *arg, const struct doc *d, struct metadata *m) {
  const char *ticker = metadata_get(m, METADATA_TICKER), *cik = metadata_get(m, METADATA_CIK);
  if (*ticker || *cik) {
    bid_strip_given(arg, *ticker ? ticker : cik, m);
    return;
  }
  struct document_company_ask ask = {buf_slice(&d->text), slice_str(metadata_get(m, METADATA_TITLE)),
                                     slice_str(own_document_name(m))};
  if (!document_company_find(arg, &ask, m) && m->maker &&
      document_company_is_doubtful(arg, ask.text, m->maker))
    m->maker[0] = '\0';
}

/* Before the sandbox, in which no file can be opened. */
static int bid_strip_open_companies(struct strip_options *o, struct planner **planner) {
  struct error_text why;
  if (!options.companies)
    return -1;
  *planner = planner_open(&why);
  if (!*planner) {
    diag_warn("%s", why.text);
    return EX_CONFIG;
  }
  o->company = bid_strip_company;
  o->company_arg = *planner;
  return -1;
}

static void bid_strip_run(struct strip_filter *r) {
  if (pdf_reader_prepare() != 0)
    diag_errno("no helper for PDFs");
  charset_prepare();
  unpack_prepare();
  program_sandbox(r->p);
  r->type = options.type;
  (options.raw ? strip_filter_files : strip_filter_records)(r);
}

int main(int argc, char **argv) {
  struct program p;
  struct strip_filter r;
  struct strip_options o = {0};
  struct planner *planner = NULL;
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0 || (status = bid_strip_check_options(&o)) >= 0 ||
      (status = bid_strip_open_companies(&o, &planner)) >= 0)
    return status;
  xalloc_keep((size_t)8 << 20, (size_t)32 << 20); /* documents need similar amounts of memory */
  strip_filter_init(&r, &p, &o);
  if (options.items && strip_filter_items(&r, options.items) < 0)
    status = program_usage(&spec, "--items: '%s' is no list of items, such as 1A,7 or II-1A", options.items);
  else
    bid_strip_run(&r);
  strip_filter_release(&r);
  planner_free(planner);
  return status >= 0 ? status : program_finish(&p);
}
