/* commands.h: the list of BID's commands, and how `bid` finds and starts them. */
#ifndef BID_COMMANDS_H
#define BID_COMMANDS_H

#include "base/buf.h"

/* A row of data/commands.tsv. */
struct command_row {
  const char *name, *group, *summary; /* "search"; valid as long as struct commands */
};

struct commands {
  struct buf table;
  struct command_row *rows;
  size_t count;
};

/* Reads data/commands.tsv; empty where it is missing. */
void commands_load(struct commands *c);
void commands_release(struct commands *c);

/* Finds the executable of a command ("search" for bid-search): in the running program's folder, in the pipelines of a
 * source tree, or in PATH.  Appends its path.  0, or -1 where there is none. */
int commands_find(struct buf *path, const char *name);

/* Appends the list for display, by groups. */
void commands_list(const struct commands *c, struct buf *out);

/* Executes the command; argv[0] is replaced.  Only returns on failure, with errno. */
void commands_become(const char *path, char **argv);

/* Executes man(1) for the page of a command or, for names such as "sources", of a format; without man, the command's
 * --help.  NULL: bid(1).  Only returns where there is no such page: -1. */
int commands_page(const char *name);

#endif
