/* commands.c: the table of commands: listed, found, started, and their pages. */
#include "front/commands.h"

#include "base/clock.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static int commands_try(struct buf *path, struct slice folder, const char *below, const char *name) {
  buf_clear(path);
  buf_add_slice(path, folder);
  buf_printf(path, "%s/bid-%s", below, name);
  return access(path->data, X_OK);
}

static int commands_on_path(struct buf *path, const char *name) {
  const char *at = getenv("PATH");
  while (at && *at) {
    size_t n = strcspn(at, ":");
    if (n > 0 && commands_try(path, slice_of(at, n), "", name) == 0)
      return 0;
    at += n + (at[n] == ':');
  }
  return -1;
}

int commands_find(struct buf *path, const char *name) {
  char self[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (strchr(name, '/'))
    return -1;
  if (n > 0) {
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    struct slice own = slice_of(self, (size_t)(slash - self));
    if (commands_try(path, own, "", name) == 0 || commands_try(path, own, "/../pipelines", name) == 0 ||
        commands_try(path, own, "/../../../pipelines", name) == 0)
      return 0;
  }
  return commands_on_path(path, name);
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

static void command_exec(const char *const *argv, const int out[2], const int error[2]) {
  int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(out[1], STDOUT_FILENO);
  dup2(error[1], STDERR_FILENO);
  close(out[0]);
  close(error[0]);
  execvp(argv[0], (char *const *)(uintptr_t)argv);
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

/* Reads both pipes to their end.  -1 after the time limit. */
static int command_read(struct command_output *c, int out, int error, double until) {
  struct pollfd p[2] = {{.fd = out, .events = POLLIN}, {.fd = error, .events = POLLIN}};
  struct buf *to[2] = {&c->out, &c->error};
  char bytes[4096];
  while (p[0].fd >= 0 || p[1].fd >= 0) {
    double left = until - clock_monotonic();
    if (left <= 0 || poll(p, 2, (int)(left * 1000) + 1) == 0)
      return -1;
    for (int i = 0; i < 2; i++) {
      if (p[i].fd < 0 || !p[i].revents)
        continue;
      ssize_t n = read(p[i].fd, bytes, sizeof bytes);
      if (n > 0)
        buf_add(to[i], bytes, (size_t)n);
      else if (n == 0 || errno != EINTR)
        p[i].fd = -1;
    }
  }
  return 0;
}

void command_run(struct command_output *c, const char *const *argv, int seconds) {
  int out[2], error[2], status = 0;
  buf_init(&c->out, 65536);
  buf_init(&c->error, 65536);
  c->status = 127;
  if (pipe2(out, O_CLOEXEC) != 0)
    return;
  if (pipe2(error, O_CLOEXEC) != 0) {
    close(out[0]);
    close(out[1]);
    return;
  }
  pid_t pid = fork();
  if (pid == 0)
    command_exec(argv, out, error);
  close(out[1]);
  close(error[1]);
  if (pid > 0) {
    if (command_read(c, out[0], error[0], clock_monotonic() + seconds) != 0)
      kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
      ;
    c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(out[0]);
  close(error[0]);
}

void command_output_release(struct command_output *c) {
  buf_release(&c->out);
  buf_release(&c->error);
}

void command_output_line(const struct command_output *c, char *line, size_t room) {
  const struct buf *b = c->error.len ? &c->error : &c->out;
  snprintf(line, room, "%.*s", (int)strcspn(b->len ? b->data : "", "\n"), b->len ? b->data : "");
}
