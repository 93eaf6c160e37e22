/* program_options.h: one option language for all programs.
 *
 * Options stand before or after operands, up to "--"; --name=VALUE and --name VALUE are the same, and the beginning of
 * a long name will do where it is of one option.  A letter means the same in every program: -c collection, -e company,
 * -f form, -h help, -m model, -n limit, -p period, -q quiet.  What nobody knows is refused with the nearest name.
 *
 * Every program has --help, --version, --quiet, --progress=auto|always|never, --stats, --color=auto|always|never,
 * --json and --human.
 */
#ifndef BID_PROGRAM_OPTIONS_H
#define BID_PROGRAM_OPTIONS_H

#include "record/output.h"

#include <sysexits.h>

enum option_kind {
  OPTION_END,    /* the last entry of a list */
  OPTION_FLAG,   /* int *: set to 1 */
  OPTION_NOFLAG, /* int *: set to 0 */
  OPTION_TEXT,   /* const char **: the argument, by reference into argv */
  OPTION_SIZE,   /* size_t *: a whole number, with K, M or G as powers of 1024 */
  OPTION_REAL,   /* double * */
  OPTION_LIST,   /* struct option_list *: gathers every use */
  OPTION_HEADING /* help only: a line between groups of options */
};

struct option_list {
  const char **items;
  size_t count;
};

struct program_option {
  enum option_kind kind;
  char letter;          /* or 0 */
  const char *name;     /* long name without dashes, or NULL */
  const char *argument; /* its name in the help, in capitals; NULL for flags; "[WHEN]" is optional:
                           --name=WHEN only */
  void *value;
  const char *help; /* NULL: another name of an option, in no help */
};

struct program_spec {
  const char *name;     /* "bid-strip" */
  const char *synopsis; /* "[OPTION]... [FILE]...", several lines allowed */
  const char *summary;  /* one sentence */
  const struct program_option *options;
  const char *footer; /* examples, see also; or NULL */
};

/* Values of the options that every program has. */
struct program_manners {
  int help, version, quiet, stats, json, human;
  const char *progress, *color; /* NULL, or auto, always or never */
};

/* Takes the options out of argv, whose operands move behind them: the first is argv[*operands].  0, or 64 having
 * said what is wrong. */
int program_options_parse(const struct program_spec *spec, int argc, char **argv, struct program_manners *m,
                          int *operands);

void program_options_help(const struct program_spec *spec, struct output *out);

/* Says on stderr that the words of the call are off, with the hint at --help; returns 64. */
int program_usage(const struct program_spec *spec, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for a word that is none of `names` (a list that NULL ends): "unknown WHAT 'WORD'", and the name that it
 * is nearest to, or else all of them where they are few. */
int program_usage_unknown(const struct program_spec *spec, const char *what, const char *word,
                          const char *const *names);

#endif
