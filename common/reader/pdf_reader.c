/* pdf_reader.c: the text and properties of a PDF, from poppler's tools, which helpers run (base/helper.h): without any
 * other descriptor, in a sandbox, and under limits. */
#include "reader/pdf_reader.h"
#include "base/clock.h"
#include "base/helper.h"
#include "base/sandbox.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const pdftotext[] = {"pdftotext", "-layout", "-enc", "UTF-8", "-", "-", NULL};
static char *const pdfinfo[] = {"pdfinfo", "-isodates", "-enc", "UTF-8", "-", NULL};

#define LIMIT(what, value) setrlimit(what, &(struct rlimit){value, value})

/* Apart from entering the sandbox it makes only async-signal-safe calls; no other thread runs in this process. */
static void run_tool(char *const *command, int in, int out, int err) {
  static char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL};
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  helper_take(in, out, err);
  sandbox_enter(SANDBOX_TOOL, NULL, 0);
  LIMIT(RLIMIT_AS, PDF_MEMORY);
  LIMIT(RLIMIT_CPU, PDF_SECONDS);
  LIMIT(RLIMIT_FSIZE, 0);
  LIMIT(RLIMIT_CORE, 0);
  LIMIT(RLIMIT_NOFILE, 64);
  if (chdir("/") == 0)
    execvpe(command[0], command, environment);
  _exit(127);
}

static void pdf_tool_text(int in, int out, int err) {
  run_tool(pdftotext, in, out, err);
}

static void pdf_tool_info(int in, int out, int err) {
  run_tool(pdfinfo, in, out, err);
}

/* ---- their results ---- */

#define PDF_INFO ((size_t)1 << 20) /* limit of pdfinfo's output in bytes */

int pdf_reader_prepare(void) {
  static helper_run *const tools[] = {pdf_tool_text, pdf_tool_info};
  return helper_start(tools, sizeof tools / sizeof *tools);
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

static enum pdf_reader_status pdf_reader_judge(const struct helper_task *t, int status, size_t from,
                                               struct error_text *e) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return error_set(e, "pdftotext (poppler-utils) is not installed"), PDF_NO_TOOL;
  if (t->errors->len && strcasestr(t->errors->data, "password"))
    return error_set(e, "the PDF is encrypted: a password is needed"), PDF_ENCRYPTED;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return error_set(e, "the PDF took more than %d seconds", PDF_SECONDS), PDF_LIMIT;
  if (!WIFEXITED(status))
    return error_set(e, "pdftotext was ended by signal %d", WTERMSIG(status)), PDF_BROKEN;
  if (WEXITSTATUS(status) == 3)
    return error_set(e, "the PDF is encrypted and forbids taking its text"), PDF_ENCRYPTED;
  if (WEXITSTATUS(status))
    return error_set(e, "the PDF is broken: %s", first_line(t->errors)), PDF_BROKEN;
  if (!pdf_reader_has_text(t->text, from))
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
  struct buf lines, errors;
  struct helper_task t = {.run = pdf_tool_info,
                          .left = pdf,
                          .text = &lines,
                          .errors = &errors,
                          .deadline = clock_monotonic() + PDF_SECONDS};
  *f = (struct pdf_reader_facts){"", ""};
  buf_init(&lines, PDF_INFO);
  buf_init(&errors, PDF_ERRORS);
  if (helper_task_start(&t) == 0) {
    helper_task_finish(&t, helper_task_pump(&t));
    struct slice title = pdf_reader_line(&lines, "Title"), day = pdf_reader_line(&lines, "ModDate");
    if (day.len < 10)
      day = pdf_reader_line(&lines, "CreationDate");
    if (day.len >= 10)
      snprintf(f->day, sizeof f->day, "%.10s", day.data);
    if (title.len > 2 && title.len < sizeof f->title && !memmem(title.data, title.len, "Microsoft ", 10) &&
        !(title.len > 4 && title.data[title.len - 4] == '.'))
      snprintf(f->title, sizeof f->title, "%.*s", (int)title.len, title.data);
  }
  buf_release(&errors);
  buf_release(&lines);
}

enum pdf_reader_status pdf_reader_text(struct slice pdf, struct buf *out, struct error_text *e) {
  struct buf errors;
  struct helper_task t = {.run = pdf_tool_text,
                          .left = pdf,
                          .text = out,
                          .errors = &errors,
                          .deadline = clock_monotonic() + PDF_SECONDS};
  size_t from = out->len;
  buf_init(&errors, PDF_ERRORS);
  if (helper_task_start(&t) < 0) {
    buf_release(&errors);
    error_set(e, "pdftotext could not be started: %s", strerror(errno));
    return PDF_NO_TOOL;
  }
  int cut = helper_task_pump(&t);
  int status = helper_task_finish(&t, cut);
  enum pdf_reader_status s = PDF_LIMIT;
  if (cut)
    error_set(e, "the PDF took more than %d seconds or gave more than %zu bytes of text", PDF_SECONDS,
              out->max);
  else
    s = pdf_reader_judge(&t, status, from, e);
  buf_release(&errors);
  return s;
}
