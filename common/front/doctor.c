/* doctor.c: the checks of "bid doctor", one function each. */
#include "front/commands.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "model/model.h"
#include "net/fetch.h"
#include "net/ledger.h"
#include "record/json.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DOCTOR_SECONDS = 20 }; /* time limit of a command */

static void doctor_set(struct doctor_finding *d, enum doctor_state state, const char *found,
                       const char *remedy) {
  d->state = state;
  snprintf(d->found, sizeof d->found, "%s", found);
  snprintf(d->remedy, sizeof d->remedy, "%s", remedy);
}

/* ---- commands and their libraries ---- */

/* Reports the first command that is missing or doesn't start. */
static int doctor_command_fails(struct doctor_finding *d, const char *name) {
  struct buf path;
  struct command_output c;
  char line[400];
  buf_init(&path, PATH_MAX);
  int missing = commands_find(&path, name) != 0;
  if (missing) {
    snprintf(d->found, sizeof d->found, "bid-%s is missing", name);
  } else {
    const char *argv[] = {path.data, "--version", NULL};
    command_run(&c, argv, DOCTOR_SECONDS);
    missing = c.status != 0;
    command_output_line(&c, line, sizeof line);
    if (missing)
      snprintf(d->found, sizeof d->found, "bid-%s does not start (status %d): %.380s", name, c.status, line);
    command_output_release(&c);
  }
  buf_release(&path);
  return missing;
}

static void doctor_commands(struct doctor_finding *d, const struct commands *c) {
  size_t tried = 0;
  if (c->count == 0) {
    doctor_set(d, DOCTOR_WRONG, "data/commands.tsv is missing", "install BID anew, or unset BID_DATA");
    return;
  }
  for (size_t i = 0; i < c->count; i++) {
    if (strcmp(c->rows[i].name, "doctor") == 0 || strcmp(c->rows[i].name, "help") == 0)
      continue;
    tried++;
    if (doctor_command_fails(d, c->rows[i].name)) {
      d->state = DOCTOR_WRONG;
      snprintf(d->remedy, sizeof d->remedy, "%s",
               "build anew (make clean all), or install the package and what it depends on");
      return;
    }
  }
  snprintf(d->found, sizeof d->found, "%zu commands start with the libraries that they need", tried);
}

static void doctor_tools(struct doctor_finding *d) {
  static const struct {
    const char *name, *package;
    int needed;
  } tools[] = {{"jq", "jq", 1},
               {"flock", "util-linux", 1},
               {"make", "make", 0},
               {"rsvg-convert", "librsvg2-bin", 0},
               {"man", "man-db", 0}};
  char missing[200] = "", packages[200] = "";
  int needed = 0;
  for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
    char command[200];
    struct command_output c;
    /* A wheel brings its jq. */
    snprintf(command, sizeof command,
             "command -v %s || test -x \"$(dirname \"$(readlink /proc/$PPID/exe)\")/../lib/bid/%s\"",
             tools[i].name, tools[i].name);
    const char *argv[] = {"/bin/sh", "-c", command, NULL};
    command_run(&c, argv, DOCTOR_SECONDS);
    if (c.status != 0) {
      snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s%s", *missing ? ", " : "",
               tools[i].name);
      snprintf(packages + strlen(packages), sizeof packages - strlen(packages), " %s", tools[i].package);
      needed |= tools[i].needed;
    }
    command_output_release(&c);
  }
  if (!*missing) {
    doctor_set(d, DOCTOR_FINE, "jq, flock, make, rsvg-convert and man are there", "");
    return;
  }
  d->state = needed ? DOCTOR_WRONG : DOCTOR_NOTE;
  snprintf(d->found, sizeof d->found,
           "missing: %s (the pipelines need jq and flock; bid-nightly make, PNG and PDF charts rsvg-convert)",
           missing);
  snprintf(d->remedy, sizeof d->remedy, "apt-get install%s", packages);
}

/* ---- files ---- */

static void doctor_model(struct doctor_finding *d) {
  const char *name = getenv("BID_MODEL"), *url = getenv("BID_EMBED_URL");
  struct error_text why;
  struct buf path;
  if (name && strncmp(name, "http", 4) == 0 && (!name[4] || name[4] == ':')) {
    if (url && *url)
      snprintf(d->found, sizeof d->found, "%s at %.300s", name, url);
    else
      doctor_set(d, DOCTOR_WRONG, "BID_MODEL is http, but BID_EMBED_URL is not set",
                 "set BID_EMBED_URL to the server, or unset BID_MODEL");
    return;
  }
  buf_init(&path, PATH_MAX);
  model_find(&path, NULL);
  struct model *m = model_open(path.data, &why);
  if (m)
    snprintf(d->found, sizeof d->found, "%s, %d dimensions, undamaged (%.300s)", model_label(m),
             model_dimensions(m), path.data);
  else
    doctor_set(d, DOCTOR_WRONG, why.text,
               name && *name ? "unset BID_MODEL to use bid-static, or see bid-model(5)"
                             : "install BID anew: its model is part of it");
  model_close(m);
  buf_release(&path);
}

static void doctor_store_found(struct doctor_finding *d, struct slice record) {
  snprintf(d->found, sizeof d->found, "passages: %llu, documents: %llu, collections: %llu, %.1f MB",
           (unsigned long long)json_to_int(json_get(record, "passages"), 0),
           (unsigned long long)json_to_int(json_get(record, "documents"), 0),
           (unsigned long long)json_to_int(json_get(record, "collections"), 0),
           json_to_double(json_get(record, "bytes"), 0) / 1e6);
}

static void doctor_unusable(struct doctor_finding *d, const struct buf *path, const char *what,
                            const char *variable, const char *remedy) {
  struct error_text why;
  paths_unusable(path, what, variable, &why);
  doctor_set(d, DOCTOR_WRONG, why.text, remedy);
}

static void doctor_store(struct doctor_finding *d) {
  struct buf path, command;
  struct command_output c;
  buf_init(&path, PATH_MAX);
  buf_init(&command, PATH_MAX);
  if (paths_store(&path) != 0) {
    doctor_unusable(d, &path, "the store", "BID_STORE", "set BID_STORE to the file that the store is to be");
  } else if (commands_find(&command, "store") == 0) {
    const char *argv[] = {command.data, "--json", "stat", NULL};
    command_run(&c, argv, DOCTOR_SECONDS);
    if (c.status == 0 && c.out.len && json_kind(buf_slice(&c.out)) == '{' && c.out.data[0] == '{') {
      c.out.len = strcspn(c.out.data, "\n");
      doctor_store_found(d, buf_slice(&c.out));
    } else if (access(path.data, F_OK) != 0 && errno == ENOENT) {
      d->state = DOCTOR_NOTE;
      snprintf(d->found, sizeof d->found, "none yet (%.400s)", path.data);
      snprintf(d->remedy, sizeof d->remedy, "%s", "bid ingest -e AAPL -f 10-K -n 1 makes one");
    } else {
      d->state = DOCTOR_WRONG;
      command_output_line(&c, d->found, sizeof d->found);
      snprintf(d->remedy, sizeof d->remedy, "%s",
               "bid store verify says more; a copy made by bid store backup can take its place");
    }
    command_output_release(&c);
  }
  buf_release(&path);
  buf_release(&command);
}

/* The folder, or its closest ancestor that exists. */
static void doctor_nearest(char *path) {
  while (access(path, F_OK) != 0) {
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
      break;
    *slash = '\0';
  }
}

/* Whether a folder is writable, and how much space is free. */
static void doctor_folder(struct doctor_finding *d, const struct buf *folder, const char *variable) {
  char at[PATH_MAX];
  struct statvfs v;
  struct stat st;
  snprintf(at, sizeof at, "%s", folder->data);
  doctor_nearest(at);
  if (stat(at, &st) == 0 && !S_ISDIR(st.st_mode)) {
    d->state = DOCTOR_WRONG;
    snprintf(d->found, sizeof d->found, "%.400s is no folder", at);
    snprintf(d->remedy, sizeof d->remedy, "set %s to a folder", variable);
  } else if (access(at, W_OK | X_OK) != 0) {
    d->state = DOCTOR_WRONG;
    snprintf(d->found, sizeof d->found, "%.400s: %s", at, strerror(errno));
    snprintf(d->remedy, sizeof d->remedy, "set %s to a folder that you can write to", variable);
  } else if (statvfs(at, &v) == 0) {
    double gb = (double)v.f_bavail * (double)v.f_frsize / 1e9;
    d->state = gb < 1 ? DOCTOR_NOTE : DOCTOR_FINE;
    snprintf(d->found, sizeof d->found, "%.400s, %.1f GB free", folder->data, gb);
    if (gb < 1)
      snprintf(d->remedy, sizeof d->remedy, "make room, or set %s to another disk", variable);
  }
}

static void doctor_cache(struct doctor_finding *d) {
  struct buf folder;
  buf_init(&folder, PATH_MAX);
  if (paths_cache(&folder) == 0)
    doctor_folder(d, &folder, "BID_CACHE");
  else
    doctor_unusable(d, &folder, "the cache", "BID_CACHE", "set BID_CACHE to a folder");
  buf_release(&folder);
}

static void doctor_account(void *arg, const struct ledger_account *a) {
  struct doctor_finding *d = arg;
  char until[CLOCK_TEXT];
  if (a->blocked_until <= 0 || d->state == DOCTOR_WRONG)
    return;
  clock_format((int64_t)a->blocked_until, until);
  d->state = DOCTOR_WRONG;
  snprintf(d->found, sizeof d->found, "%s is blocked until %s: %s", a->domain, until, a->reason);
  snprintf(d->remedy, sizeof d->remedy, "wait; if the block is known to be over, bid fetch --unblock=%s",
           a->domain);
}

static void doctor_ledger(struct doctor_finding *d) {
  struct buf folder;
  buf_init(&folder, PATH_MAX);
  if (paths_state(&folder) == 0) {
    buf_add_str(&folder, "/ledger");
    doctor_folder(d, &folder, "BID_STATE");
    if (d->state == DOCTOR_FINE)
      ledger_accounts(folder.data, doctor_account, d);
  } else {
    doctor_unusable(d, &folder, "the ledger", "BID_STATE", "set BID_STATE to a folder");
  }
  buf_release(&folder);
}

/* ---- user agent and keys ---- */

static void doctor_keys(struct doctor_finding *d) {
  const char *fred = getenv("FRED_API_KEY"), *embed = getenv("BID_EMBED_KEY");
  if (fred && *fred && strlen(fred) != 32)
    doctor_set(d, DOCTOR_WRONG, "FRED_API_KEY is not 32 letters and digits long, as FRED's keys are",
               "copy it again from https://fredaccount.stlouisfed.org/apikeys");
  else if (fred && *fred)
    doctor_set(d, DOCTOR_FINE,
               embed && *embed ? "FRED_API_KEY and BID_EMBED_KEY are set" : "FRED_API_KEY is set", "");
  else
    doctor_set(d, DOCTOR_NOTE, "FRED_API_KEY is not set: FRED can't be asked, all else can",
               "get one at https://fredaccount.stlouisfed.org/apikeys and set FRED_API_KEY");
}

static void doctor_agent(struct doctor_finding *d) {
  static const char set[] = "export BID_USER_AGENT='Your Name name@example.org'";
  struct buf line;
  buf_init(&line, 4096);
  if (fetch_agent_line(&line, 0) != 0)
    doctor_set(d, DOCTOR_WRONG, "there is none: no source of the SEC can be asked", set);
  else if (!fetch_agent_has_address(line.data))
    doctor_set(d, DOCTOR_WRONG, "it has no e-mail address, which the SEC asks for", set);
  else if (fetch_agent_is_shipped())
    doctor_set(d, DOCTOR_NOTE, "the one that BID ships: the SEC should be able to reach you", set);
  else
    snprintf(d->found, sizeof d->found, "%.400s", line.data);
  buf_release(&line);
}

static void doctor_network(struct doctor_finding *d, int offline) {
  struct buf command;
  struct command_output c;
  char line[400];
  if (offline) {
    doctor_set(d, DOCTOR_NOTE, "not asked (--offline)", "");
    return;
  }
  buf_init(&command, PATH_MAX);
  if (commands_find(&command, "fetch") == 0) {
    const char *argv[] = {command.data, "--json", "--timeout=5", "--check=sec-filings", NULL};
    command_run(&c, argv, DOCTOR_SECONDS);
    command_output_line(&c, line, sizeof line);
    if (c.status == 0)
      doctor_set(d, DOCTOR_FINE, "the SEC's server answers", "");
    else
      doctor_set(
          d, DOCTOR_WRONG, line,
          "what is in the cache can be used with bid fetch --offline; a proxy is named by https_proxy");
    command_output_release(&c);
  }
  buf_release(&command);
}

/* ---- the machine ---- */

static void doctor_clock(struct doctor_finding *d) {
  const char *set = getenv("BID_NOW");
  struct stat built;
  char now[CLOCK_TEXT];
  clock_stamp(now);
  if (set && *set) {
    snprintf(d->found, sizeof d->found, "BID_NOW is %.100s: \"recent\" is counted from there", set);
    snprintf(d->remedy, sizeof d->remedy, "%s", "unset BID_NOW outside tests");
    d->state = DOCTOR_NOTE; /* an invalid one was rejected at the start */
  } else if (stat("/proc/self/exe", &built) == 0 && time(NULL) < built.st_mtime - 86400) {
    snprintf(d->found, sizeof d->found, "%s, which is before this program was built", now);
    snprintf(d->remedy, sizeof d->remedy, "%s", "set the clock: \"recent\" filings are counted from it");
    d->state = DOCTOR_WRONG;
  } else {
    doctor_set(d, DOCTOR_FINE, now, "");
  }
}

static void doctor_cpu(struct doctor_finding *d) {
  const char *path = cpu_name();
  int plain = strcmp(path, "plain") == 0;
  snprintf(d->found, sizeof d->found, "%s, %ld cores", path, sysconf(_SC_NPROCESSORS_ONLN));
  d->state = plain ? DOCTOR_NOTE : DOCTOR_FINE;
  if (plain)
    snprintf(d->remedy, sizeof d->remedy, "%s", "nothing to do: answers are the same, slower");
}

/* The kernel's features for confining parsers: system call filters, and restricted file access. */
static void doctor_sandbox(struct doctor_finding *d) {
  const char *offered = sandbox_offered();
  int none = strncmp(offered, "none", 4) == 0;
  snprintf(d->found, sizeof d->found, "parsers are held by %s", offered);
  d->state = none ? DOCTOR_NOTE : DOCTOR_FINE;
  if (none)
    snprintf(d->remedy, sizeof d->remedy, "%s",
             "a kernel with CONFIG_SECCOMP_FILTER; until then read no files that you don't trust");
}

void doctor_run(const struct commands *c, int offline, void (*f)(void *arg, const struct doctor_finding *d),
                void *arg) {
  static const struct {
    const char *name;
    void (*check)(struct doctor_finding *d);
  } checks[] = {{"tools", doctor_tools},      {"model", doctor_model},   {"store", doctor_store},
                {"cache", doctor_cache},      {"ledger", doctor_ledger}, {"keys", doctor_keys},
                {"user agent", doctor_agent}, {"clock", doctor_clock},   {"cpu", doctor_cpu},
                {"sandbox", doctor_sandbox}};
  struct doctor_finding d = {.check = "libraries"};
  doctor_commands(&d, c);
  f(arg, &d);
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    d = (struct doctor_finding){.check = checks[i].name};
    checks[i].check(&d);
    f(arg, &d);
  }
  d = (struct doctor_finding){.check = "network"};
  doctor_network(&d, offline);
  f(arg, &d);
}
