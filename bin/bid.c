/* bid: front end of all commands: their list, their manual pages, bid doctor; bid X runs bid-X. */
#include "front/front.h"
#include "front/commands.h"
#include "model/model.h"

static int offline;

static const struct program_option options[] = {
    {OPTION_FLAG, 0, "offline", NULL, &offline, "doctor: skip checks that need the network"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid", "COMMAND [OPTION]... [OPERAND]...\nhelp [COMMAND]\ndoctor [--offline]",
    "Starts the commands of BID, lists them (bid), opens their pages and checks what they need.", options,
    "bid search is bid-search, and so on; bid alone lists them all.  bid doctor ends with 78 where something "
    "is wrong."};

static int bid_run(struct program *p) {
  const char *word = p->operand_count ? p->operands[0] : "";
  if (strcmp(word, "help") == 0)
    return p->operand_count > 2 ? program_usage(&spec, "help takes one command") : front_help(p);
  if (strcmp(word, "doctor") == 0)
    return p->operand_count > 1 ? program_usage(&spec, "doctor takes no operand") : front_doctor(p, offline);
  if (strcmp(word, "near") == 0)
    return front_near(p);
  if (strcmp(word, "mask") == 0)
    return front_mask(p);
  if (strcmp(word, "records") == 0)
    return front_records(p);
  if (strcmp(word, "complete") == 0)
    return front_complete(p);
  if (strcmp(word, "progress") == 0)
    return front_progress(p);
  if (strcmp(word, "fold") == 0)
    return front_fold(p);
  if (strcmp(word, "html-page") == 0)
    return front_html_page(p);
  return front_list(p);
}

int main(int argc, char **argv) {
  struct program p;
  if (argc > 2 && strcmp(argv[1], "guard") == 0)
    return command_guard(argv + 2);
  if (argc > 1 && argv[1][0] != '-' && !front_is_own(argv[1]))
    return front_become(argc, argv, &spec);
  program_on_version(model_about);
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  program_fail(&p, bid_run(&p));
  return program_finish(&p);
}
