/* ledger.c: a file a domain with the next free time, a lock, and blocks; all processes read and write it. */
#include "net/ledger.h"

#include "base/clock.h"
#include "base/paths.h"
#include "base/slice.h"
#include "net/http.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILE_MAX 8000 /* bytes of a ledger file: USERS_MAX users with the longest names and numbers */
#define USERS_MAX 40
#define BLOCK_MAX 86400.0 /* a longer block can only result from a clock jump */

/* Requests of one user today. */
struct user {
  char name[48];
  uint64_t requests, bytes;
  double last;
};

/* The contents of a ledger file:
 *
 *   bid-ledger 1 / day DATE / written UNIX / next UNIX / last UNIX / blocked UNIX REASON / use NAME COUNT BYTES LAST / end
 */
struct ledger_page {
  char day[CLOCK_TEXT];
  double written; /* when the page was written */
  double next;    /* theoretical arrival time of the next request */
  double last;    /* when the last request was allowed */
  double blocked;
  char reason[160];
  struct user users[USERS_MAX];
  size_t user_count;
};

static void ledger_read_line(struct ledger_page *p, const char *line) {
  struct user u = {0};
  unsigned long long requests, bytes;
  if (sscanf(line, "day %31s", p->day) == 1 || sscanf(line, "written %lf", &p->written) == 1 ||
      sscanf(line, "next %lf", &p->next) == 1 || sscanf(line, "last %lf", &p->last) == 1 ||
      sscanf(line, "blocked %lf %159[^\n]", &p->blocked, p->reason) >= 1)
    return;
  if (p->user_count < USERS_MAX &&
      sscanf(line, "use %47s %llu %llu %lf", u.name, &requests, &bytes, &u.last) == 4) {
    u.requests = requests;
    u.bytes = bytes;
    p->users[p->user_count++] = u;
  }
}

static int is_time(double t) {
  return t >= 0 && t < 1e11; /* NaN is none */
}

/* Where the clock was set back after the page was written, its times are set back by as much: nobody waits for the
 * clock to get there again. */
static void ledger_set_back(struct ledger_page *p, double now) {
  double ahead = is_time(p->written) ? p->written - now : 0;
  if (ahead < 1)
    return;
  p->next -= ahead;
  p->last -= ahead;
  p->blocked -= ahead;
}

/* A torn file counts as just used, so that the next request keeps its distance.  One that can't be read is not taken
 * for a new one, whose block and accounts would be lost with the next write: -1 with errno. */
static int page_read(struct ledger_page *p, int fd) {
  char text[FILE_MAX + 1], *save = NULL;
  ssize_t n = slice_read_at(fd, text, FILE_MAX, 0);
  double now = clock_wall();
  int whole = 0;
  memset(p, 0, sizeof *p);
  if (n < 0)
    return -1;
  text[n] = '\0';
  for (char *line = strtok_r(text, "\n", &save); line && !whole; line = strtok_r(NULL, "\n", &save)) {
    whole = strcmp(line, "end") == 0;
    if (!whole)
      ledger_read_line(p, line);
  }
  if (!is_time(p->blocked))
    p->blocked = 0;
  for (size_t i = 0; i < p->user_count; i++)
    if (!is_time(p->users[i].last))
      p->users[i].last = 0;
  if ((n > 0 && !whole) || !is_time(p->next) || !is_time(p->last))
    p->last = p->next = p->written = now;
  ledger_set_back(p, now);
  return 0;
}

static int page_write(const struct ledger_page *p, int fd) {
  struct buf b;
  int result = -1;
  buf_init(&b, FILE_MAX);
  buf_printf(&b, "bid-ledger 1\nday %s\nwritten %.6f\nnext %.6f\nlast %.6f\nblocked %.3f %s\n", p->day,
             clock_wall(), p->next, p->last, p->blocked, p->reason);
  for (size_t i = 0; i < p->user_count; i++)
    buf_printf(&b, "use %s %llu %llu %.3f\n", p->users[i].name, (unsigned long long)p->users[i].requests,
               (unsigned long long)p->users[i].bytes, p->users[i].last);
  buf_add_str(&b, "end\n");
  if (!b.overflow && slice_write_at(fd, buf_slice(&b), 0) == 0)
    result = ftruncate(fd, (off_t)b.len);
  buf_release(&b);
  return result;
}

/* Resets the accounts each day. */
static void turn_day(struct ledger_page *p, double now) {
  char today[CLOCK_TEXT];
  clock_format_date((int64_t)now, today);
  if (strcmp(today, p->day) == 0)
    return;
  memcpy(p->day, today, sizeof today);
  p->user_count = 0;
}

static struct user *user_of(struct ledger_page *p, const char *name) {
  for (size_t i = 0; i < p->user_count; i++)
    if (strcmp(p->users[i].name, name) == 0)
      return &p->users[i];
  if (p->user_count == USERS_MAX)
    return &p->users[USERS_MAX - 1];
  struct user *u = &p->users[p->user_count++];
  memset(u, 0, sizeof *u);
  snprintf(u->name, sizeof u->name, "%s", *name ? name : "-");
  return u;
}

static int open_page(const char *folder, const char *domain, struct error_text *why) {
  struct buf path;
  buf_init(&path, 4096);
  buf_printf(&path, "%s/%s", folder, domain);
  int fd = paths_make(folder) == 0
               ? open(path.data, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600)
               : -1;
  if (fd < 0 && why)
    error_set(why, "%s: %s; set BID_STATE to a folder that can be written", path.data, strerror(errno));
  buf_release(&path);
  return fd;
}

static void (*ledger_told)(void *arg, const char *domain, double seconds);
static void *ledger_told_arg;

void ledger_on_wait(void (*f)(void *arg, const char *domain, double seconds), void *arg) {
  ledger_told = f;
  ledger_told_arg = arg;
}

/* Reports a wait that a person may notice. */
static void ledger_tell(const char *domain, double seconds) {
  if (ledger_told && (seconds < 0 || seconds >= 0.3))
    ledger_told(ledger_told_arg, domain, seconds);
}

static int lock_page(int fd) {
  int result;
  do
    result = flock(fd, LOCK_EX);
  while (result != 0 && errno == EINTR);
  return result;
}

/* ---- the machine's turn ---- */

#define MACHINE_PATIENCE 60.0 /* seconds that a lock is waited for */
#define MACHINE_LOOK 0.005    /* seconds between two tries; also the coarseness of a file's times */

static struct {
  int fd, held;
  char domain[64];
} machine = {.fd = -1};

int ledger_share(const char *folder, const char *domain, struct error_text *why) {
  const int flags =
      O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY; /* a lock and a time need no more */
  struct buf path;
  struct stat st;
  buf_init(&path, 4096);
  buf_printf(&path, "%s/bid.%s", folder, domain);
  int fd = open(path.data, flags), missing = fd < 0 && errno == ENOENT;
  if (missing) {            /* O_EXCL: a sticky folder's files of others may not be opened with O_CREAT */
    mode_t mask = umask(0); /* others may open it from its first moment on */
    fd = open(path.data, flags | O_CREAT | O_EXCL, 0666);
    umask(mask);
    if (fd < 0 && errno == EEXIST)
      fd = open(path.data, flags);
  }
  int result = fd >= 0 || missing ? 0 : -1;
  if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
                  !(st.st_mode & S_IWOTH || st.st_uid == geteuid() || geteuid() == 0))) {
    close(fd);
    fd = result = -1;
    errno = S_ISREG(st.st_mode) ? EACCES : EINVAL;
  }
  if (result != 0)
    error_set(why, "%s can't be shared with other users (%s): requests keep to this user's ledger alone",
              path.data, strerror(errno));
  buf_release(&path);
  machine.fd = fd;
  snprintf(machine.domain, sizeof machine.domain, "%s", domain);
  return result;
}

static void machine_enter(const struct ledger_rule *rule) {
  double began = clock_monotonic();
  struct stat st;
  if (machine.fd < 0 || strcmp(machine.domain, rule->domain) != 0)
    return;
  while (!(machine.held = flock(machine.fd, LOCK_EX | LOCK_NB) == 0)) {
    if ((errno != EWOULDBLOCK && errno != EINTR) ||
        clock_monotonic() > began + MACHINE_PATIENCE / http_haste()) {
      diag_warn("%s: another user has kept the turn for too long; requests keep to this user's ledger alone",
                rule->domain);
      close(machine.fd);
      machine.fd = -1;
      return;
    }
    ledger_tell(rule->domain, -1);
    clock_sleep(MACHINE_LOOK);
  }
  if (fstat(machine.fd, &st) == 0 && st.st_mtim.tv_sec > 0) {
    double interval = 1 / rule->per_second / http_haste() + MACHINE_LOOK, now = clock_wall(),
           left = (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec / 1e9 + interval - now;
    clock_sleep(left < interval ? left : interval); /* the time may lie ahead */
  }
  futimens(machine.fd, NULL);
}

static void machine_leave(void) {
  if (machine.held)
    flock(machine.fd, LOCK_UN);
  machine.held = 0;
}

/* ---- turns ---- */

/* Computes when the next request may be sent, and updates the page accordingly. */
static double take_slot(struct ledger_page *p, const struct ledger_rule *rule, double now) {
  double interval = 1 / rule->per_second / http_haste(),
         slack = interval * (rule->burst > 1 ? rule->burst - 1 : 0);
  double at;
  if (rule->serial) {
    double last = p->last > now ? now : p->last; /* the clock was set back */
    at = last + interval > now ? last + interval : now;
    p->next = at + interval;
  } else {
    double next = p->next > now + 600 ? now : p->next;
    if (next < now)
      next = now;
    at = next - slack > now ? next - slack : now;
    p->next = next + interval;
  }
  p->last = at;
  return at;
}

static int blocked(struct ledger_turn *turn, const struct ledger_page *p, double now) {
  double left = p->blocked - now;
  if (left <= 0 || left > BLOCK_MAX)
    return 0;
  turn->wait = left;
  snprintf(turn->why, sizeof turn->why, "%s", p->reason);
  return 1;
}

static void release_turn(struct ledger_turn *turn) {
  close(turn->fd);
  turn->fd = -1;
  turn->held = 0;
}

/* Called under the lock: decides, records and writes. */
static enum ledger_status decide(struct ledger_turn *turn, const struct ledger_rule *rule, const char *user,
                                 struct error_text *why) {
  struct ledger_page p;
  if (page_read(&p, turn->fd) != 0) {
    error_set(why, "ledger of %s: %s", rule->domain, strerror(errno));
    return LEDGER_FAILED;
  }
  double now = clock_wall();
  if (blocked(turn, &p, now))
    return LEDGER_BLOCKED;
  double at = take_slot(&p, rule, now);
  turn->wait = at - now;
  turn_day(&p, now);
  struct user *u = user_of(&p, user);
  u->requests++;
  u->last = at;
  if (page_write(&p, turn->fd) == 0)
    return LEDGER_GO;
  error_set(why, "ledger of %s: %s", rule->domain, strerror(errno));
  return LEDGER_FAILED;
}

enum ledger_status ledger_enter(struct ledger_turn *turn, const char *folder, const struct ledger_rule *rule,
                                const char *user, struct error_text *why) {
  memset(turn, 0, sizeof *turn);
  turn->fd = open_page(folder, rule->domain, why);
  if (turn->fd < 0)
    return LEDGER_FAILED;
  int waits = flock(turn->fd, LOCK_EX | LOCK_NB) != 0;
  if (waits)
    ledger_tell(rule->domain, -1);
  turn->held = !waits || lock_page(turn->fd) == 0;
  if (!turn->held) {
    error_set(why, "ledger of %s: %s", rule->domain, strerror(errno));
    release_turn(turn);
    return LEDGER_FAILED;
  }
  enum ledger_status status = decide(turn, rule, user, why);
  if (status != LEDGER_GO || !rule->serial)
    release_turn(turn);
  if (status == LEDGER_GO) {
    ledger_tell(rule->domain, turn->wait > 0 ? turn->wait : 0);
    clock_sleep(turn->wait);
    if (rule->serial)
      machine_enter(rule);
  }
  return status;
}

/* For a serial domain the interval counts from the start of the request (`last`), not from its end. */
void ledger_leave(struct ledger_turn *turn, const char *folder, const struct ledger_rule *rule,
                  const char *user, uint64_t bytes, double block_seconds, const char *reason) {
  struct ledger_page p;
  machine_leave();
  if (!turn->held && (turn->fd = open_page(folder, rule->domain, NULL)) < 0)
    return;
  if ((turn->held || lock_page(turn->fd) == 0) && page_read(&p, turn->fd) == 0) {
    turn_day(&p, clock_wall());
    user_of(&p, user)->bytes += bytes;
    if (block_seconds > 0) {
      double until = clock_wall() + (block_seconds < BLOCK_MAX ? block_seconds : BLOCK_MAX - 1);
      p.blocked = until > p.blocked || p.blocked > until + BLOCK_MAX ? until : p.blocked;
      snprintf(p.reason, sizeof p.reason, "%s", reason ? reason : "");
    }
    page_write(&p, turn->fd);
  }
  release_turn(turn);
}

static int plain_name(const struct dirent *e) {
  return isalnum((unsigned char)e->d_name[0]);
}

static void account_file(const char *folder, const char *domain,
                         void (*f)(void *arg, const struct ledger_account *a), void *arg) {
  struct ledger_page p;
  int fd = open_page(folder, domain, NULL);
  if (fd < 0)
    return;
  int failed = page_read(&p, fd);
  close(fd);
  if (failed)
    return;
  double now = clock_wall(), until = p.blocked > now && p.blocked < now + BLOCK_MAX ? p.blocked : 0;
  if (p.user_count == 0 && until > 0) { /* the block was set on an earlier day */
    struct ledger_account a = {domain, "-", p.day, 0, 0, p.last, until, p.reason};
    f(arg, &a);
  }
  for (size_t i = 0; i < p.user_count; i++) {
    struct ledger_account a = {domain,           p.users[i].name, p.day, p.users[i].requests,
                               p.users[i].bytes, p.users[i].last, until, p.reason};
    f(arg, &a);
  }
}

int ledger_unblock(const char *folder, const char *domain) {
  struct ledger_page p;
  struct buf path;
  buf_init(&path, 4096);
  buf_printf(&path, "%s/%s", folder, domain);
  int fd = *domain != '.' && !strchr(domain, '/') ? open(path.data, O_RDWR | O_CLOEXEC | O_NOFOLLOW) : -1,
      result = -1;
  buf_release(&path);
  if (fd < 0)
    return -1;
  if (lock_page(fd) == 0 && page_read(&p, fd) == 0) {
    result = p.blocked > clock_wall();
    p.blocked = 0;
    p.reason[0] = '\0';
    if (result && page_write(&p, fd) != 0)
      result = -1;
  }
  close(fd);
  return result;
}

int ledger_accounts(const char *folder, void (*f)(void *arg, const struct ledger_account *a), void *arg) {
  struct dirent **names;
  int n = scandir(folder, &names, plain_name, alphasort);
  if (n < 0)
    return errno == ENOENT ? 0 : -1;
  for (int i = 0; i < n; i++) {
    account_file(folder, names[i]->d_name, f, arg);
    free(names[i]);
  }
  free(names);
  return 0;
}
