#include "reader/pdf_reader.h"

#include "base/clock.h"
#include "base/sandbox.h"
#include "reader/pdf_helper.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define READ_SIZE 65536
#define PDF_INFO ((size_t)1 << 20) /* limit of pdfinfo's output in bytes */

struct pdf_reader_child {
  int tool;          /* index into tools */
  pid_t pid;         /* 0: a child of the helper */
  int in, out, err;  /* our ends; -1 once closed */
  struct slice left; /* rest of the PDF, still to be written */
  struct buf *text;
  struct buf errors;
  double deadline;
};

#define LIMIT(what, value) setrlimit(what, &(struct rlimit){value, value})

/* The tools, by number. */
enum { PDFTOTEXT, PDFINFO };
static char *const pdftotext[] = {"pdftotext", "-layout", "-enc", "UTF-8", "-", "-", NULL};
static char *const pdfinfo[] = {"pdfinfo", "-isodates", "-enc", "UTF-8", "-", NULL};
static char *const *const tools[] = {pdftotext, pdfinfo};

/* Runs in the child: connects the pipes to 0, 1, 2, closes everything else, and sets limits.  Apart from entering the
 * sandbox it makes only async-signal-safe calls; no other thread runs in this process. */
static void pdf_reader_run(int tool, int in, int out, int err) {
  static char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL};
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  int from = fcntl(in, F_DUPFD, 3), to = fcntl(out, F_DUPFD, 3), say = fcntl(err, F_DUPFD, 3);
  if (dup2(from, 0) < 0 || dup2(to, 1) < 0 || dup2(say, 2) < 0)
    _exit(126);
  close_range(3, ~0U, 0);
  sandbox_enter(SANDBOX_TOOL | SANDBOX_READ_FILES);
  LIMIT(RLIMIT_AS, PDF_MEMORY);
  LIMIT(RLIMIT_CPU, PDF_SECONDS);
  LIMIT(RLIMIT_FSIZE, 0);
  LIMIT(RLIMIT_CORE, 0);
  LIMIT(RLIMIT_NOFILE, 64);
  if (chdir("/") == 0)
    execvpe(tools[tool][0], tools[tool], environment);
  _exit(127);
}

int pdf_reader_prepare(void) {
  return pdf_helper_start(pdf_reader_run);
}

static void close_end(int *fd) {
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

static void close_pair(const int p[2]) {
  close(p[0]);
  close(p[1]);
}

static int three_pipes(int in[2], int out[2], int err[2]) {
  if (pipe2(in, O_CLOEXEC) < 0)
    return -1;
  if (pipe2(out, O_CLOEXEC) < 0) {
    close_pair(in);
    return -1;
  }
  if (pipe2(err, O_CLOEXEC) < 0) {
    close_pair(in);
    close_pair(out);
    return -1;
  }
  return 0;
}

static int pdf_reader_start(struct pdf_reader_child *c) {
  int in[2], out[2], err[2];
  if (three_pipes(in, out, err) < 0)
    return -1;
  int failed;
  if (pdf_helper_there()) {
    failed = pdf_helper_begin(c->tool, in[0], out[1], err[1]) != 0;
  } else {
    c->pid = fork();
    if (c->pid == 0)
      pdf_reader_run(c->tool, in[0], out[1], err[1]);
    failed = c->pid < 0;
  }
  close(in[0]), close(out[1]), close(err[1]);
  c->in = in[1], c->out = out[0], c->err = err[0];
  fcntl(c->in, F_SETFL, O_NONBLOCK);
  if (!failed)
    return 0;
  close(c->in), close(c->out), close(c->err);
  return -1;
}

/* Writes as much as the pipe accepts.  A child that stops reading is not an error. */
static void feed(struct pdf_reader_child *c) {
  ssize_t n = write(c->in, c->left.data, c->left.len < READ_SIZE ? c->left.len : READ_SIZE);
  if (n > 0) {
    c->left.data += n;
    c->left.len -= (size_t)n;
  }
  if (!c->left.len || (n < 0 && errno != EAGAIN && errno != EINTR))
    close_end(&c->in);
}

static void drain(int *fd, struct buf *to) {
  char block[READ_SIZE];
  ssize_t n = read(*fd, block, sizeof block);
  if (n > 0)
    buf_add(to, block, (size_t)n);
  else if (n == 0 || errno != EINTR)
    close_end(fd);
}

/* Reads until both outputs are closed; -1 where the limit of time or output is exceeded. */
static int pump(struct pdf_reader_child *c) {
  while (c->out >= 0 || c->err >= 0) {
    struct pollfd fds[3] = {{c->in, POLLOUT, 0}, {c->out, POLLIN, 0}, {c->err, POLLIN, 0}};
    double wait = c->deadline - clock_monotonic();
    if (wait <= 0 || c->text->overflow)
      return -1;
    if (poll(fds, 3, (int)(wait * 1000) + 1) < 0 && errno != EINTR)
      return -1;
    if (c->in >= 0 && fds[0].revents)
      feed(c);
    if (c->out >= 0 && fds[1].revents)
      drain(&c->out, c->text);
    if (c->err >= 0 && fds[2].revents)
      drain(&c->err, &c->errors);
  }
  return c->text->overflow ? -1 : 0;
}

/* Ignores SIGPIPE, which a child that died would cause. */
static int pump_without_sigpipe(struct pdf_reader_child *c) {
  sigset_t pipe_only, before;
  struct timespec now = {0, 0};
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
  int r = pump(c);
  while (sigtimedwait(&pipe_only, NULL, &now) > 0)
    ;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return r;
}

/* The child's status, as of waitpid(2); a child whose output was cut off is killed first. */
static int pdf_reader_finish(struct pdf_reader_child *c, int cut) {
  int status = 0;
  close_end(&c->in), close_end(&c->out), close_end(&c->err);
  if (c->pid <= 0)
    return pdf_helper_end(cut);
  if (cut)
    kill(c->pid, SIGKILL);
  while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

static int pdf_reader_has_text(const struct buf *b, size_t from) {
  for (size_t i = from; i < b->len; i++)
    if (!isspace((unsigned char)b->data[i]))
      return 1;
  return 0;
}

static const char *first_line(struct buf *errors) {
  if (!errors->len)
    return "no reason given";
  errors->data[strcspn(errors->data, "\n")] = '\0';
  return errors->data;
}

static enum pdf_reader_status pdf_reader_judge(struct pdf_reader_child *c, int status, size_t from,
                                               struct error_text *e) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return error_set(e, "pdftotext (poppler-utils) is not installed"), PDF_NO_TOOL;
  if (c->errors.len && strcasestr(c->errors.data, "password"))
    return error_set(e, "the PDF is encrypted: a password is needed"), PDF_ENCRYPTED;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return error_set(e, "the PDF took more than %d seconds", PDF_SECONDS), PDF_LIMIT;
  if (!WIFEXITED(status))
    return error_set(e, "pdftotext was ended by signal %d", WTERMSIG(status)), PDF_BROKEN;
  if (WEXITSTATUS(status) == 3)
    return error_set(e, "the PDF is encrypted and forbids taking its text"), PDF_ENCRYPTED;
  if (WEXITSTATUS(status))
    return error_set(e, "the PDF is broken: %s", first_line(&c->errors)), PDF_BROKEN;
  if (!pdf_reader_has_text(c->text, from))
    return error_set(e, "the PDF has no text: its pages are most likely scanned images"), PDF_EMPTY;
  return PDF_OK;
}

/* The value after "NAME:" in pdfinfo's output; empty where there is none. */
static struct slice pdf_reader_line(const struct buf *lines, const char *name) {
  size_t n = strlen(name);
  for (const char *at = lines->data; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
    if (strncmp(at, name, n) != 0 || at[n] != ':')
      continue;
    at += n + 1 + strspn(at + n + 1, " ");
    return slice_of(at, strcspn(at, "\n"));
  }
  return slice_of(NULL, 0);
}

void pdf_reader_facts_of(struct slice pdf, struct pdf_reader_facts *f) {
  struct buf lines;
  struct pdf_reader_child c = {
      .tool = PDFINFO, .left = pdf, .text = &lines, .deadline = clock_monotonic() + PDF_SECONDS};
  *f = (struct pdf_reader_facts){"", ""};
  buf_init(&lines, PDF_INFO);
  buf_init(&c.errors, PDF_ERRORS);
  if (pdf_reader_start(&c) == 0) {
    pdf_reader_finish(&c, pump_without_sigpipe(&c));
    struct slice title = pdf_reader_line(&lines, "Title"), day = pdf_reader_line(&lines, "ModDate");
    if (day.len < 10)
      day = pdf_reader_line(&lines, "CreationDate");
    if (day.len >= 10)
      snprintf(f->day, sizeof f->day, "%.10s", day.data);
    if (title.len > 2 && title.len < sizeof f->title && !memmem(title.data, title.len, "Microsoft ", 10) &&
        !(title.len > 4 && title.data[title.len - 4] == '.'))
      snprintf(f->title, sizeof f->title, "%.*s", (int)title.len, title.data);
  }
  buf_release(&c.errors);
  buf_release(&lines);
}

enum pdf_reader_status pdf_reader_text(struct slice pdf, struct buf *out, struct error_text *e) {
  struct pdf_reader_child c = {
      .tool = PDFTOTEXT, .left = pdf, .text = out, .deadline = clock_monotonic() + PDF_SECONDS};
  size_t from = out->len;
  buf_init(&c.errors, PDF_ERRORS);
  if (pdf_reader_start(&c) < 0) {
    error_set(e, "pdftotext could not be started: %s", strerror(errno));
    return PDF_NO_TOOL;
  }
  int cut = pump_without_sigpipe(&c);
  int status = pdf_reader_finish(&c, cut);
  enum pdf_reader_status s = PDF_LIMIT;
  if (cut)
    error_set(e, "the PDF took more than %d seconds or gave more than %zu bytes of text", PDF_SECONDS,
              out->max);
  else
    s = pdf_reader_judge(&c, status, from, e);
  buf_release(&c.errors);
  return s;
}
