/* store_commands.h: the commands of bid-store. */
#ifndef BID_STORE_COMMANDS_H
#define BID_STORE_COMMANDS_H

#include "record/program.h"
#include "store/store_dump.h"
#include "store/store_subset.h"

enum { STORE_ROWS_NDJSON, STORE_ROWS_CSV };

/* The options. */
struct store_call {
  struct store_subset subset;
  const char *model;           /* for reembed */
  const char *vectors;         /* for show, dump */
  struct option_choice format; /* for dump */
  const char *item, *exhibit;  /* for show */
  const char *listed;          /* unseen: file for the URLs of all payloads, as JSON strings */
  size_t back;                 /* show: counts back from the newest document */
  size_t near;                 /* show: passages before and after each one */
  size_t from, limit;          /* show: the part of a document's text, in bytes; limit 0: all */
  int plain;                   /* dump: as bid-chunk wrote it */
  int partial, older;          /* load, copy: as in indexer.h */
  double wait;                 /* seconds to wait for another writer */
  struct store_rows rows;      /* dump: set by store_call_check() */
};

enum {
  STORE_COMMAND_WRITES = 1,
  STORE_COMMAND_CREATES = 2,       /* creates a missing store */
  STORE_COMMAND_WITHOUT_STORE = 4, /* runs without a store, with NULL */
  STORE_COMMAND_NEEDS_SUBSET = 8,  /* rejected without a collection, URL or company */
  STORE_COMMAND_NEEDS_MODEL = 16,
  STORE_COMMAND_NAMES_STORE = 32, /* the first operand is the store, instead of BID_STORE */
  STORE_COMMAND_OPENS_ITSELF = 64 /* opens the stores named by its operands; called with NULL */
};

/* Number of operands that a command takes, if not fixed. */
enum {
  STORE_OPERANDS_TWO_AT_MOST = -4,
  STORE_OPERANDS_PAIR = -3,
  STORE_OPERANDS_ANY = -2,
  STORE_OPERANDS_SOME = -1
};

struct store_command {
  const char *name;
  int operands;
  const char *named; /* the operands as a message shows them, "FROM TO"; NULL for none */
  int flags;
  /* The program's operands are the command's, without its name. */
  enum store_status (*run)(struct program *p, struct store *s, const struct store_call *call,
                           struct error_text *e);
};

/* The commands of this module; the list ends with a NULL name. */
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

/* Runs the command named by the first operand, from a list ended by a NULL name.  Returns the exit status of a usage
 * error, or what program_finish() returns. */
int store_commands_run(struct program *p, const struct store_command *commands, struct store_call *call);

#endif
