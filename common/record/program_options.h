/* program_options.h: one option syntax for all programs.
 *
 * Options may come before or after operands, up to "--".  --name=VALUE and --name VALUE are equivalent, and a long
 * name may be shortened to any unambiguous prefix.  A letter has the same meaning in every program: -c collection, -e
 * company, -f form, -h help, -m model, -n limit, -p period, -q quiet.  Unknown names are rejected, with the closest
 * known name.
 *
 * Every program has --help, --version, --quiet, --progress=auto|always|never, --stats, --color=auto|always|never,
 * --json and --human.
 */
#ifndef BID_PROGRAM_OPTIONS_H
#define BID_PROGRAM_OPTIONS_H

#include "record/output.h"

#include <sysexits.h>

enum option_kind {
  OPTION_END,    /* ends a list */
  OPTION_FLAG,   /* int *: set to 1 */
  OPTION_NOFLAG, /* int *: set to 0 */
  OPTION_TEXT,   /* const char **: the argument; points into argv */
  OPTION_SIZE,   /* size_t *: a whole number, optionally with K, M or G (powers of 1024) */
  OPTION_REAL,   /* double *: a finite number, not below 0 */
  OPTION_LIST,   /* struct option_list *: collects every occurrence */
  OPTION_HEADING /* help only: a heading above a group of options */
};

struct option_list {
  const char **items;
  size_t count;
};

struct program_option {
  enum option_kind kind;
  char letter;          /* short option, or 0 */
  const char *name;     /* long name without dashes, or NULL */
  const char *argument; /* its name in the help, in capitals; NULL: a flag; "[WHEN]": only as --name=WHEN */
  void *value;
  const char *help; /* NULL: an alias, not shown in the help */
};

struct program_spec {
  const char *name;     /* "bid-strip" */
  const char *synopsis; /* "[OPTION]... [FILE]..."; may have several lines */
  const char *summary;  /* one sentence */
  const struct program_option *options;
  const char *footer; /* examples, see also; or NULL */
};

/* Values of the options common to all programs. */
struct program_manners {
  int help, version, quiet, stats, json, human;
  const char *progress, *color; /* NULL, or auto, always or never */
};

/* Parses the options and moves the operands to the end of argv, from argv[*operands] on.  0, or 64 after an error
 * message. */
int program_options_parse(const struct program_spec *spec, int argc, char **argv, struct program_manners *m,
                          int *operands);

void program_options_help(const struct program_spec *spec, struct output *out);

/* Prints a usage error on stderr with a hint at --help; returns 64. */
int program_usage(const struct program_spec *spec, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for a word that is not among `names` (a list ended by NULL): "unknown WHAT 'WORD'" and the closest name,
 * or the whole list where it is short. */
int program_usage_unknown(const struct program_spec *spec, const char *what, const char *word,
                          const char *const *names);

#endif
