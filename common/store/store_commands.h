/* store_commands.h: the commands of bid-store. */
#ifndef BID_STORE_COMMANDS_H
#define BID_STORE_COMMANDS_H

#include "record/program.h"
#include "store/store_rows.h"
#include "store/store_subset.h"

/* What the options say. */
struct store_call {
  struct store_subset subset;
  const char *model;            /* reembed */
  const char *vectors, *format; /* show, dump */
  const char *item, *exhibit;   /* show */
  size_t back;                  /* show: documents before the newest */
  int plain;                    /* dump: as bid-chunk made it */
  double wait;                  /* seconds, for another writer */
  struct store_rows rows;       /* dump: by store_call_check() */
};

enum {
  STORE_COMMAND_WRITES = 1,
  STORE_COMMAND_CREATES = 2,       /* the store, where there is none */
  STORE_COMMAND_WITHOUT_STORE = 4, /* runs, with NULL, where there is none */
  STORE_COMMAND_NEEDS_SUBSET = 8,  /* refused without a collection, address or company */
  STORE_COMMAND_NEEDS_MODEL = 16,
  STORE_COMMAND_NAMES_STORE = 32, /* by the first operand, instead of BID_STORE */
  STORE_COMMAND_OPENS_ITSELF = 64 /* what its operands name; runs with NULL */
};

/* How many operands a command takes, where it isn't a fixed number. */
enum { STORE_OPERANDS_PAIR = -3, STORE_OPERANDS_ANY = -2, STORE_OPERANDS_SOME = -1 };

struct store_command {
  const char *name;
  int operands;
  int flags;
  /* The program's operands are those of the command, without its name. */
  enum store_status (*run)(struct program *p, struct store *s, const struct store_call *call,
                           struct error_text *e);
};

/* The commands of this module; their list ends with a NULL name. */
enum store_status store_command_list(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e);
enum store_status store_command_stat(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e);
enum store_status store_command_remove(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e);
enum store_status store_command_dump(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e);
enum store_status store_command_load(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e);
enum store_status store_command_verify(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e);
enum store_status store_command_backup(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e);
enum store_status store_command_compact(struct program *p, struct store *s, const struct store_call *call,
                                        struct error_text *e);
enum store_status store_command_unseen(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e);
enum store_status store_command_reembed(struct program *p, struct store *s, const struct store_call *call,
                                        struct error_text *e);

enum store_status store_command_merge(struct program *p, struct store *s, const struct store_call *call,
                                      struct error_text *e);

/* Runs the command that the first operand names, out of a list that a NULL name ends.  Returns the exit status of a
 * usage error, or what program_finish() returns. */
int store_commands_run(struct program *p, const struct store_command *commands, struct store_call *call);

#endif
