/* bid-store: maintains the store. */
#include "chroma/chroma_copy.h"
#include "compare/stored_text.h"
#include "store/store_commands.h"

static struct store_call call = {
    .wait = 60, .format = {.words = {[STORE_ROWS_NDJSON] = "ndjson", [STORE_ROWS_CSV] = "csv"}}};
static const struct program_option options[] = {
    {OPTION_LIST, 'c', "collection", "GLOB", &call.subset.collections,
     "only these collections (ls, documents, rm, dump, copy, reembed)"},
    {OPTION_LIST, 'u', "url", "URL", &call.subset.urls, "rm: documents of this sourceUrl"},
    {OPTION_LIST, 'e', "company", "NAME", &call.subset.companies,
     "rm: documents of this ticker, CIK or company name"},
    {OPTION_LIST, 0, "entity", "NAME", &call.subset.companies, NULL},
    {OPTION_TEXT, 0, "vectors", "[FORM]", &call.vectors,
     "show: with the embedding; dump --format: as floats or base64"},
    {OPTION_CHOICE, 0, "format", "FORM", &call.format, ": dump as flat rows for other tools"},
    {OPTION_TEXT, 0, "item", "ITEM", &call.item, "show: only this item of the document, e.g. 7 or II-1A"},
    {OPTION_TEXT, 0, "exhibit", "TYPE", &call.exhibit,
     "documents, show: the exhibits of this type, e.g. EX-99.1"},
    {OPTION_SIZE, 0, "back", "N", &call.back, "show: the document N before the newest"},
    {OPTION_SIZE, 0, "near", "N", &call.near, "show: also the N passages before and after each one"},
    {OPTION_SIZE, 0, "from", "BYTE", &call.from, "show: the document's or item's text from there on"},
    {OPTION_SIZE, 'n', "limit", "BYTES", &call.limit,
     "show: at most so much of it; next says where it goes on"},
    {OPTION_FLAG, 0, "plain", NULL, &call.plain, "dump: as bid-chunk wrote it, without embedding"},
    {OPTION_TEXT, 0, "listed", "FILE", &call.listed, "unseen: write the sourceUrl of every payload there"},
    {OPTION_FLAG, 0, "partial", NULL, &call.partial, "load, copy: also documents that lack passages"},
    {OPTION_FLAG, 0, "older", NULL, &call.older, "load, copy: also over versions that were captured later"},
    {OPTION_TEXT, 'm', "model", "MODEL", &call.model, "reembed: with this model"},
    {OPTION_REAL, 0, "wait", "SECONDS", &call.wait, "how long to wait for another writer (default: 60)"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};
static const struct program_spec spec = {
    "bid-store",
    "[OPTION]... ls | stat | verify | compact\n[OPTION]... documents [COMPANY [FORM]]\n[OPTION]... show "
    "ID...\n[OPTION]... show COMPANY "
    "[FORM]\n[OPTION]... rm\n[OPTION]... dump\n"
    "[OPTION]... load [FILE]...\n[OPTION]... unseen [FILE]...\n[OPTION]... backup FILE\n[OPTION]... "
    "copy FROM TO\n[OPTION]... merge INTO FROM...\n[OPTION]... --model=MODEL reembed",
    "Maintains the store of bid-index and bid-search.", options,
    "Example: bid-store dump | BID_STORE=copy bid-store load\nThe store is $BID_STORE. See also "
    "bid-store(5)."};

static const struct store_command commands[] = {
    {"ls", 0, NULL, 0, store_command_list},
    {"documents", STORE_OPERANDS_TWO_AT_MOST, "[COMPANY [FORM]]", 0, stored_documents},
    {"stat", 0, NULL, 0, store_command_stat},
    {"show", STORE_OPERANDS_SOME, "ID..., or COMPANY [FORM]", 0, stored_show},
    {"rm", 0, NULL, STORE_COMMAND_WRITES | STORE_COMMAND_NEEDS_SUBSET, store_command_remove},
    {"dump", 0, NULL, 0, store_command_dump},
    {"load", STORE_OPERANDS_ANY, "[FILE]...", STORE_COMMAND_WRITES | STORE_COMMAND_CREATES,
     store_command_load},
    {"copy", 2, "FROM TO", STORE_COMMAND_OPENS_ITSELF, chroma_command_copy},
    {"verify", 0, NULL, 0, store_command_verify},
    {"compact", 0, NULL, STORE_COMMAND_WRITES, store_command_compact},
    {"backup", 1, "FILE", 0, store_command_backup},
    {"merge", STORE_OPERANDS_PAIR, "INTO FROM...",
     STORE_COMMAND_WRITES | STORE_COMMAND_CREATES | STORE_COMMAND_NAMES_STORE, store_command_merge},
    {"reembed", 0, NULL, STORE_COMMAND_WRITES | STORE_COMMAND_NEEDS_MODEL, store_command_reembed},
    {"unseen", STORE_OPERANDS_ANY, "[FILE]...", STORE_COMMAND_WITHOUT_STORE, store_command_unseen},
    {NULL, 0, NULL, 0, NULL}};

int main(int argc, char **argv) {
  struct program p;
  int status = program_start(&p, &spec, argc, argv);
  return status >= 0 ? status : store_commands_run(&p, commands, &call);
}
