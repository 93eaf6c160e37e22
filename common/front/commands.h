/* commands.h: the list of BID's commands, and how `bid` finds and starts them. */
#ifndef BID_COMMANDS_H
#define BID_COMMANDS_H

#include "base/buf.h"
#include "record/program.h"

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

/* Finds the executable of a command ("search" for bid-search), as paths_program() does. */
int commands_find(struct buf *path, const char *name);

/* Appends the list for display, by groups. */
void commands_list(const struct commands *c, struct buf *out);

/* Executes the command; argv[0] is replaced.  Only returns on failure, with errno. */
void commands_become(const char *path, char **argv);

/* Executes man(1) for the page of a command or, for names such as "sources", of a format; without man, the command's
 * --help.  NULL: bid(1).  Only returns where there is no such page: -1. */
int commands_page(const char *name);

/* What a command printed. */
struct command_output {
  int status;     /* exit status; 128 + the signal; 127 where it could not be started */
  struct buf out; /* stdout and stderr, at most 1 MiB each */
  struct buf error;
};

/* Runs argv (ended by NULL; argv[0] is a path or a name in PATH) with empty stdin for at most `seconds`, after which
 * it is killed, with status 137. */
void command_run(struct command_output *c, const char *const *argv, int seconds);
void command_output_release(struct command_output *c);

/* The first line of its stderr, else of its stdout, truncated to `room`. */
void command_output_line(const struct command_output *c, char *line, size_t room);

/* ---- doctor.c: bid doctor: checks everything that the commands need and suggests remedies. */

enum doctor_state {
  DOCTOR_FINE,
  DOCTOR_NOTE, /* works, but worth knowing */
  DOCTOR_WRONG /* something will fail */
};

struct doctor_finding {
  const char *check; /* "store" */
  enum doctor_state state;
  char found[512];  /* the finding */
  char remedy[512]; /* the remedy; empty where everything is fine */
};

/* Runs all checks in order and passes each finding to f. offline: without network access. */
void doctor_run(const struct commands *c, int offline, void (*f)(void *arg, const struct doctor_finding *d),
                void *arg);

/* ---- A program and all that it started end together, `bid guard`. */

/* Runs argv[0] with its arguments and waits for it.  A shell that is ended by a signal leaves the programs of its
 * pipelines at work; here SIGTERM, SIGINT and SIGHUP end every descendant, also those whose parent is gone, with SIGTERM
 * and after two seconds with SIGKILL, and then this process by the same signal.  The same happens where argv[0] itself is
 * ended by a signal.  A signal that is ignored at the start stays ignored, as nohup(1) wants it.
 *
 * The exit status of argv[0], or 127 where it can't be started.  What it leaves in the background when it exits by itself
 * goes on. */
int command_guard(char *const argv[]);

#endif
