#include "net/ledger.h"
#include "base/clock.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/bid-ledger-XXXXXX";

static double turn(const struct ledger_rule *rule, const char *user, uint64_t bytes) {
  struct ledger_turn t;
  struct error_text why;
  double before = clock_monotonic();
  CHECK_INT(ledger_enter(&t, folder, rule, user, &why), LEDGER_GO);
  double waited = clock_monotonic() - before;
  ledger_leave(&t, folder, rule, user, bytes, 0, NULL);
  return waited;
}

TEST(serial_turns_are_evenly_spaced) {
  struct ledger_rule rule = {"serial", 50, 1, 1};
  turn(&rule, "a", 0);
  double before = clock_monotonic();
  for (int i = 0; i < 10; i++)
    turn(&rule, "a", 0);
  CHECK(clock_monotonic() - before >= 10 * 0.02 - 0.002);
}

TEST(a_burst_goes_at_once_then_the_rate_holds) {
  struct ledger_rule rule = {"burst", 20, 4, 0};
  double before = clock_monotonic();
  for (int i = 0; i < 4; i++)
    turn(&rule, "a", 0);
  CHECK(clock_monotonic() - before < 0.05);
  for (int i = 0; i < 4; i++)
    turn(&rule, "a", 0);
  CHECK(clock_monotonic() - before >= 4 * 0.05 - 0.01);
}

/* Children that each take turns and note when they are in one. */
TEST(processes_share_a_serial_domain) {
  struct ledger_rule rule = {"shared", 200, 1, 1};
  char path[128];
  int overlaps = 0;
  snprintf(path, sizeof path, "%s/inside", folder);
  for (int i = 0; i < 8; i++)
    if (fork() == 0) {
      int bad = 0;
      for (int j = 0; j < 5; j++) {
        struct ledger_turn t;
        struct error_text why;
        bad |= ledger_enter(&t, folder, &rule, "child", &why) != LEDGER_GO;
        int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
        bad |= fd < 0;
        close(fd);
        unlink(path);
        ledger_leave(&t, folder, &rule, "child", 1, 0, NULL);
      }
      _exit(bad);
    }
  for (int i = 0; i < 8; i++) {
    int status;
    wait(&status);
    overlaps += status != 0;
  }
  CHECK_INT(overlaps, 0);
}

TEST(a_dead_process_holds_nobody_up) {
  struct ledger_rule rule = {"dead", 100, 1, 1};
  int ready[2];
  CHECK(pipe(ready) == 0);
  pid_t pid = fork();
  if (pid == 0) {
    struct ledger_turn t;
    struct error_text why;
    ledger_enter(&t, folder, &rule, "dead", &why);
    if (write(ready[1], "x", 1) == 1)
      pause();
    _exit(0);
  }
  char c;
  CHECK(read(ready[0], &c, 1) == 1);
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  CHECK(turn(&rule, "alive", 0) < 1);
}

/* One who was sent away for so many seconds, and how long the next has to wait. */
static double wait_after_block(const char *domain, double seconds) {
  struct ledger_rule rule = {domain, 100, 1, 1};
  struct ledger_turn t;
  struct error_text why;
  CHECK_INT(ledger_enter(&t, folder, &rule, "a", &why), LEDGER_GO);
  ledger_leave(&t, folder, &rule, "a", 0, seconds, "was too fast");
  CHECK_INT(ledger_enter(&t, folder, &rule, "b", &why), LEDGER_BLOCKED);
  CHECK_STR(t.why, "was too fast");
  return t.wait;
}

TEST(a_block_turns_everyone_away_and_says_why) {
  double wait = wait_after_block("blocked", 600);
  CHECK(wait > 590 && wait <= 601);
  wait = wait_after_block("patient", 1e9); /* no block is longer than a day */
  CHECK(wait > 86000 && wait <= 86400);
}

static uint64_t seen_requests, seen_bytes;

/* A file that somebody else wrote: no number in it keeps anybody waiting for ever, or lets everybody go at once. */
TEST(numbers_that_are_none_block_nobody) {
  static const char *const pages[] = {
      "bid-ledger 1\nday 2026-01-01\nnext 0\nlast 0\nblocked nan x\nend\n",
      "bid-ledger 1\nday 2026-01-01\nnext 0\nlast 0\nblocked inf x\nend\n",
      "bid-ledger 1\nday 2026-01-01\nnext nan\nlast nan\nblocked 0\nend\n",
      "bid-ledger 1\nday 2026-01-01\nnext 1e308\nlast 1e308\nblocked 1e308 x\nuse a 1 1 1e308\nend\n",
      "bid-ledger 1\nday 2026-01-01\nnext -inf\nlast inf\nblocked -nan\nend\n"};
  char path[128];
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    struct ledger_rule rule = {"numbers", 50, 1, (int)i % 2};
    snprintf(path, sizeof path, "%s/numbers", folder);
    FILE *f = fopen(path, "w");
    fputs(pages[i], f);
    fclose(f);
    CHECK(turn(&rule, "a", 0) < 0.5);
    double before = clock_monotonic();
    for (int k = 0; k < 4; k++)
      CHECK(turn(&rule, "a", 0) < 0.5);
    CHECK(clock_monotonic() - before >= 0.055);
  }
}

/* Written 500 seconds from now, by a clock that was set back since: slots and blocks last as long as they would have. */
TEST(a_clock_that_was_set_back_holds_nobody_up) {
  char path[128];
  double ahead = (double)time(NULL) + 500;
  struct ledger_turn t;
  struct error_text why;
  for (int serial = 0; serial < 2; serial++) {
    struct ledger_rule rule = {"setback", 50, 1, serial};
    snprintf(path, sizeof path, "%s/setback", folder);
    for (int block = 0; block < 2; block++) {
      FILE *f = fopen(path, "w");
      fprintf(f, "bid-ledger 1\nday 2026-01-01\nwritten %f\nnext %f\nlast %f\nblocked %f x\nend\n", ahead,
              ahead + 0.2, ahead, block ? ahead + 90 : 0);
      fclose(f);
      if (!block)
        CHECK(turn(&rule, "a", 0) < 0.9);
      else {
        CHECK_INT(ledger_enter(&t, folder, &rule, "a", &why), LEDGER_BLOCKED);
        CHECK(t.wait > 80 && t.wait <= 91);
      }
    }
  }
}

static void on_account(void *arg, const struct ledger_account *a) {
  if (strcmp(a->domain, arg) != 0 || strcmp(a->user, "me") != 0)
    return;
  seen_requests = a->requests;
  seen_bytes = a->bytes;
}

TEST(accounts_count_requests_and_bytes) {
  struct ledger_rule rule = {"accounts", 1000, 1, 0};
  char name[] = "accounts";
  turn(&rule, "me", 10);
  turn(&rule, "you", 5);
  turn(&rule, "me", 7);
  CHECK(ledger_accounts(folder, on_account, name) == 0);
  CHECK_INT(seen_requests, 2);
  CHECK_INT(seen_bytes, 17);
  CHECK(ledger_accounts("/nonexistent", on_account, name) == 0);
}

/* As many users as a page has room for, with the longest names, and some more. */
TEST(many_users_with_long_names_stop_nobody) {
  struct ledger_rule rule = {"crowd", 100000, 1000, 0};
  char name[64];
  for (int i = 0; i < 45; i++) {
    snprintf(name, sizeof name, "%040d-crowd", i);
    turn(&rule, name, UINT64_MAX / 2);
  }
  for (int i = 0; i < 45; i++) {
    snprintf(name, sizeof name, "%040d-crowd", i);
    turn(&rule, name, 1);
  }
}

TEST(a_place_that_cannot_be_is_an_error) {
  struct ledger_rule rule = {"x", 10, 1, 1};
  struct ledger_turn t;
  struct error_text why = {""};
  CHECK_INT(ledger_enter(&t, "/proc/nowhere", &rule, "a", &why), LEDGER_FAILED);
  CHECK(why.text[0] != '\0');
}

static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0)
    printf("# %s stays\n", folder);
}

int main(void) {
  if (!mkdtemp(folder))
    return 1;
  RUN(serial_turns_are_evenly_spaced);
  RUN(a_burst_goes_at_once_then_the_rate_holds);
  RUN(processes_share_a_serial_domain);
  RUN(a_dead_process_holds_nobody_up);
  RUN(a_block_turns_everyone_away_and_says_why);
  RUN(numbers_that_are_none_block_nobody);
  RUN(a_clock_that_was_set_back_holds_nobody_up);
  RUN(accounts_count_requests_and_bytes);
  RUN(many_users_with_long_names_stop_nobody);
  RUN(a_place_that_cannot_be_is_an_error);
  remove_folder();
  return test_done();
}
