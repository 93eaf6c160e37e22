/* commands.h: the commands of BID, and how `bid` finds and starts them. */
#ifndef BID_COMMANDS_H
#define BID_COMMANDS_H

#include "base/buf.h"

/* A row of data/commands.tsv. */
struct command_row {
  const char *name, *group, *summary; /* "search"; within struct commands */
};

struct commands {
  struct buf table;
  struct command_row *rows;
  size_t count;
};

/* Reads data/commands.tsv; no row where it is missing. */
void commands_load(struct commands *c);
void commands_release(struct commands *c);

/* Puts the file of a command ("search" for bid-search) into path: beside the running program, in the pipelines of a
 * checkout, or on PATH.  0, or -1 where there is none. */
int commands_find(struct buf *path, const char *name);

/* The list for people, by groups. */
void commands_list(const struct commands *c, struct buf *out);

/* Becomes the command; argv[0] is replaced.  Only returns where it can't, with errno. */
void commands_become(const char *path, char **argv);

/* Becomes man(1) on a command's page or, for "sources" and its kin, on that of a format; without man, the command's
 * own --help.  NULL: bid(1).  Only returns where there is no such page: -1. */
int commands_page(const char *name);

#endif
