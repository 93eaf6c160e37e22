/* chart.c: writes a chart into a file, through a helper that converts SVG, or on the terminal. */
#include "facts/chart.h"

#include "base/diag.h"
#include "base/process.h"
#include "base/screen.h"
#include "facts/chart_panel.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHART_MAX = 16 << 20, TERMINAL_WIDTH = 80, TERMINAL_LEAST = 40, TERMINAL_MOST = 160 };

extern char **environ;

static int chart_ends_with(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && strcmp(name + n - m, end) == 0;
}

void chart_check(const char *file, struct buf *why) {
  if (strcmp(file, "-") != 0 && !chart_ends_with(file, ".svg") && !chart_ends_with(file, ".png") &&
      !chart_ends_with(file, ".pdf"))
    buf_printf(why, "--plot: '%s' is neither - nor a .svg, .png or .pdf file", file);
}

static size_t chart_terminal_width(void) {
  size_t width = screen_columns();
  return !width                   ? TERMINAL_WIDTH
         : width < TERMINAL_LEAST ? TERMINAL_LEAST
         : width > TERMINAL_MOST  ? TERMINAL_MOST
                                  : width;
}

/* ---- files ---- */

/* Opens the picture's file; -1 where it can't be written, which is said. */
static int chart_open(const char *file) {
  int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    diag_errno("%s", file);
  else
    process_publish(fd);
  return fd;
}

/* rsvg-convert reads the SVG from an unnamed file and writes to the open one. */
static int chart_convert(struct slice svg, const char *file, int to) {
  FILE *spool = tmpfile();
  const char *argv[] = {"rsvg-convert", "-f", file + strlen(file) - 3, NULL};
  posix_spawn_file_actions_t actions;
  pid_t pid;
  int status = 0;
  if (!spool || slice_write(svg, fileno(spool)) || lseek(fileno(spool), 0, SEEK_SET)) {
    diag_errno("cannot write a temporary file");
    if (spool)
      fclose(spool);
    return EX_IOERR;
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(spool), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
  int failed = posix_spawnp(&pid, "rsvg-convert", &actions, NULL, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  fclose(spool);
  if (failed) {
    diag_warn("rsvg-convert: %s (apt-get install librsvg2-bin); --plot FILE.svg works without it",
              strerror(failed));
    return EX_UNAVAILABLE;
  }
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EX_CANTCREAT;
}

/* Writes the picture; a file without one is not left there. */
static int chart_save(struct slice svg, const char *file) {
  int fd = chart_open(file), status = EX_CANTCREAT;
  if (fd < 0)
    return status;
  if (!chart_ends_with(file, ".svg"))
    status = chart_convert(svg, file, fd);
  else if (slice_write(svg, fd) == 0)
    status = 0;
  else
    diag_errno("%s", file);
  if (close(fd) && !status) {
    diag_errno("%s", file);
    status = EX_CANTCREAT;
  }
  if (status)
    unlink(file);
  return status;
}

static const char *chart_file; /* set before a helper is started */

void chart_use(const char *file) {
  chart_file = file;
}

void chart_run(int in, int out, int err) {
  struct buf svg;
  helper_take(in, out, err);
  buf_init(&svg, CHART_MAX);
  if (buf_read_fd(&svg, STDIN_FILENO) != 0) {
    diag_errno("the picture");
    _exit(EX_IOERR);
  }
  _exit(chart_save(buf_slice(&svg), chart_file));
}

/* Has the helper write the picture: a held program makes no file and starts no rsvg-convert. */
static int chart_pass(struct slice svg, const char *file) {
  struct helper_task t = {.run = chart_run, .left = svg};
  chart_use(file);
  int status = helper_task_do(&t);
  if (status == -1)
    diag_errno("%s", file);
  return status == -1 || !WIFEXITED(status) ? EX_CANTCREAT : WEXITSTATUS(status);
}

void chart_draw(struct program *p, const struct fact_sheet *s, const char *file) {
  struct buf svg;
  if (strcmp(file, "-") == 0) {
    chart_blocks(&p->out.buf, s, chart_terminal_width());
    program_fold(p, 0, SCREEN_HANG_AUTO);
    return;
  }
  buf_init(&svg, CHART_MAX);
  chart_svg(&svg, s);
  int status = chart_pass(buf_slice(&svg), file);
  buf_release(&svg);
  program_fail(p, status);
  if (!status && !p->quiet)
    diag_warn("wrote %s", file);
}
