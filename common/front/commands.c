/* commands.c: the table of commands: listed, found, started, and their pages; a program run with all its descendants. */
#include "front/commands.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/helper.h"
#include "base/paths.h"
#include "base/process.h"
#include "base/xalloc.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char *commands_cell(char **at, char end) {
  char *cell = *at, *stop = strchr(cell, end);
  if (!stop)
    return cell;
  *stop = '\0';
  *at = stop + 1;
  return cell;
}

void commands_load(struct commands *c) {
  struct buf path;
  buf_init(&path, PATH_MAX);
  buf_init(&c->table, 1 << 16);
  c->rows = NULL;
  c->count = 0;
  if (paths_data(&path, "commands.tsv") == 0 && buf_read_file(&c->table, path.data) == 0 && c->table.len) {
    char *at = c->table.data;
    while (strchr(at, '\n')) {
      char *line = commands_cell(&at, '\n');
      if (*line == '#' || !strchr(line, '\t'))
        continue;
      c->rows = xreallocarray(c->rows, c->count + 1, sizeof *c->rows);
      struct command_row *row = &c->rows[c->count++];
      row->name = commands_cell(&line, '\t');
      row->group = commands_cell(&line, '\t');
      row->summary = line;
    }
  }
  buf_release(&path);
}

void commands_release(struct commands *c) {
  free(c->rows);
  buf_release(&c->table);
}

int commands_find(struct buf *path, const char *name) {
  char program[NAME_MAX];
  snprintf(program, sizeof program, "bid-%s", name);
  return strchr(name, '/') ? -1 : paths_program(path, program);
}

void commands_list(const struct commands *c, struct buf *out) {
  static const struct {
    const char *group, *title;
  } groups[] = {
      {"ask", "To ask:"}, {"read", "To read filings and reports in:"}, {"keep", "To look after it:"}};
  buf_add_str(out, "Usage: bid COMMAND [OPTION]... [OPERAND]...\n       bid help COMMAND\n"
                   "Turns public financial filings into text that can be searched and cited.\n");
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    buf_printf(out, "\n%s\n", groups[g].title);
    for (size_t i = 0; i < c->count; i++)
      if (strcmp(c->rows[i].group, groups[g].group) == 0)
        buf_printf(out, "  %-12s %s\n", c->rows[i].name, c->rows[i].summary);
  }
  buf_add_str(
      out,
      "\nbid search is bid-search, and so on.  To begin: bid demo, or bid ingest -e AAPL -f 10-K -n 1\n");
}

void commands_become(const char *path, char **argv) {
  argv[0] = (char *)(uintptr_t)path;
  execv(path, argv);
}

/* The name of the manual page: "bid", "bid-search"; for the file bid.conf, the file's name. */
static void commands_title(const char *name, char title[100]) {
  const char *mark = !name ? "" : strcmp(name, "conf") == 0 ? "." : "-";
  snprintf(title, 100, "bid%s%.80s", mark, name ? name : "");
}

/* The page's file in a source tree, else its name for man(1). */
static int commands_page_file(struct buf *page, const char *name, int *section) {
  static const int sections[] = {1, 5, 7};
  char file[128], title[100];
  for (size_t i = 0; i < 3; i++) {
    commands_title(name, title);
    snprintf(file, sizeof file, "man/%s.%d", title, sections[i]);
    *section = sections[i];
    if (paths_data(page, file) == 0)
      return 0;
  }
  return -1;
}

int commands_page(const char *name) {
  struct buf page, command;
  int section;
  char title[100];
  buf_init(&page, PATH_MAX);
  buf_init(&command, PATH_MAX);
  int here = !(name && strchr(name, '/')) && commands_page_file(&page, name, &section) == 0;
  commands_title(name, title);
  setenv("MANROFFOPT", "-Wbreak", 0); /* no warnings about lines too long for a narrow terminal */
  if (here)
    execlp("man", "man", "-l", page.data, (char *)NULL);
  else
    execlp("man", "man", title, (char *)NULL);
  if (name && commands_find(&command, name) == 0)
    execl(command.data, command.data, "--help", (char *)NULL);
  buf_release(&page);
  buf_release(&command);
  return -1;
}

/* ---- commands that are run ---- */

enum { COMMAND_OUTPUT = 1 << 20 };

void command_run(struct command_output *c, const char *const *argv, int seconds) {
  struct helper_task t = {
      .argv = argv, .text = &c->out, .errors = &c->error, .deadline = clock_monotonic() + seconds};
  buf_init(&c->out, COMMAND_OUTPUT);
  buf_init(&c->error, COMMAND_OUTPUT);
  int status = helper_task_start(&t);
  if (status != 0) {
    buf_printf(&c->error, "%s: %s\n", argv[0], strerror(errno));
    c->status = 127;
    return;
  }
  status = helper_task_finish(&t, helper_task_pump(&t));
  c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void command_output_release(struct command_output *c) {
  buf_release(&c->out);
  buf_release(&c->error);
}

void command_output_line(const struct command_output *c, char *line, size_t room) {
  const struct buf *b = c->error.len ? &c->error : &c->out;
  snprintf(line, room, "%.*s", (int)strcspn(b->len ? b->data : "", "\n"), b->len ? b->data : "");
}

/* ---- runs a program and ends all its descendants with it ---- */

#define GRACE 2.0     /* seconds between SIGTERM and SIGKILL */
#define GIVE_UP 10.0  /* seconds until a process that can't be killed is left alone */
#define ASK_AGAIN 0.2 /* seconds; a process may have been started since */
#define LOOK 10000    /* microseconds */

struct guard_process {
  pid_t pid, parent;
  int ours;
};

/* The parent of a process as proc(5) has it; 0 where the process is gone. */
static pid_t guard_parent_of(const char *pid) {
  char path[64], line[512];
  long parent = 0;
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  FILE *f = fopen(path, "re");
  const char *name_end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
  if (name_end && sscanf(name_end + 1, " %*c %ld", &parent) != 1)
    parent = 0;
  if (f)
    fclose(f);
  return (pid_t)parent;
}

/* All processes that can be seen; the caller frees. */
static struct guard_process *guard_list(size_t *count) {
  struct guard_process *all = NULL;
  DIR *d = opendir("/proc");
  *count = 0;
  for (struct dirent *e; d && (e = readdir(d));) {
    pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
    if (pid <= 0)
      continue;
    all = xgrow(all, *count, sizeof *all);
    all[(*count)++] = (struct guard_process){pid, guard_parent_of(e->d_name), 0};
  }
  if (d)
    closedir(d);
  return all;
}

static int guard_is_ours(const struct guard_process *all, size_t count, pid_t pid) {
  for (size_t i = 0; i < count; i++)
    if (all[i].pid == pid)
      return all[i].ours;
  return 0;
}

/* Sends a signal to every descendant of this process. */
static void guard_signal_all(int number) {
  size_t count, found = 1;
  struct guard_process *all = guard_list(&count);
  for (size_t i = 0; i < count; i++)
    all[i].ours = all[i].parent == getpid();
  while (found > 0) {
    found = 0;
    for (size_t i = 0; i < count; i++)
      if (!all[i].ours && guard_is_ours(all, count, all[i].parent))
        all[i].ours = 1, found++;
  }
  for (size_t i = 0; i < count; i++)
    if (all[i].ours)
      kill(all[i].pid, number);
  free(all);
}

static void guard_end_all(void) {
  double begun = clock_monotonic(), asked = begun - ASK_AGAIN;
  for (;;) {
    double now = clock_monotonic();
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
      ;
    if ((pid < 0 && errno == ECHILD) || now > begun + GIVE_UP)
      return;
    if (now - asked >= ASK_AGAIN) {
      guard_signal_all(now - begun < GRACE ? SIGTERM : SIGKILL);
      asked = now;
    }
    usleep(LOOK);
  }
}

static int guard_die(int number, const sigset_t *before) {
  signal(number, SIG_DFL);
  raise(number);
  sigprocmask(SIG_SETMASK, before, NULL);
  return 128 + number; /* a signal that doesn't end a process */
}

static void guard_block(sigset_t *set, sigset_t *before) {
  static const int ending[] = {SIGTERM, SIGINT, SIGHUP};
  struct sigaction act;
  signal(SIGCHLD, SIG_DFL);
  sigemptyset(set);
  sigaddset(set, SIGCHLD);
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
    if (sigaction(ending[i], NULL, &act) == 0 && act.sa_handler != SIG_IGN)
      sigaddset(set, ending[i]);
  sigprocmask(SIG_BLOCK, set, before);
}

static _Noreturn void guard_become(char *const argv[], const sigset_t *before, pid_t parent) {
  sigprocmask(SIG_SETMASK, before, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() == parent)
    execvp(argv[0], argv);
  diag_errno("%s", argv[0]);
  _exit(127);
}

/* Reaps all that have ended.  Whether `pid` is among them. */
static int guard_reap(pid_t pid, int *status) {
  int ended = 0, s;
  for (pid_t p; (p = waitpid(-1, &s, WNOHANG)) > 0;)
    if (p == pid) {
      *status = s;
      ended = 1;
    }
  return ended;
}

int command_guard(char *const argv[]) {
  sigset_t set, before;
  int status = 0, number = 0;
  process_init();
  guard_block(&set, &before);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0)
    guard_become(argv, &before, parent);
  if (pid < 0) {
    diag_errno("fork");
    return 127;
  }
  do
    number = sigwaitinfo(&set, NULL);
  while (number < 0 || (number == SIGCHLD && !guard_reap(pid, &status)));
  if (number == SIGCHLD && WIFEXITED(status))
    return WEXITSTATUS(status);
  guard_end_all();
  return guard_die(number == SIGCHLD ? WTERMSIG(status) : number, &before);
}
