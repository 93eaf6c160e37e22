/* guard.c: runs a program and ends all its descendants with it. */
#include "front/commands.h"

#include "base/clock.h"
#include "base/diag.h"
#include "base/process.h"
#include "base/xalloc.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

int guard_run(char *const argv[]) {
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
