#include "reader/pdf_tool.h"

#include "base/sandbox.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static char *const pdftotext[] = {"pdftotext", "-layout", "-enc", "UTF-8", "-", "-", NULL};
static char *const pdfinfo[] = {"pdfinfo", "-isodates", "-enc", "UTF-8", "-", NULL};

#define LIMIT(what, value) setrlimit(what, &(struct rlimit){value, value})

/* Apart from entering the sandbox it makes only async-signal-safe calls; no other thread runs in this process. */
static void run_held(char *const *command, int in, int out, int err) {
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

void pdf_tool_text(int in, int out, int err) {
  run_held(pdftotext, in, out, err);
}

void pdf_tool_info(int in, int out, int err) {
  run_held(pdfinfo, in, out, err);
}
