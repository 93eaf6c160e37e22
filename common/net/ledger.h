/* ledger.h: the politeness ledger: rate limits per domain, shared by all processes of this host that use the same
 * state folder; and for one domain the turn of the machine, shared by all of its users.
 *
 * There is one small file per domain, FOLDER/DOMAIN, locked by flock(2).  The lock of a serial domain is held during
 * its request, so two requests are never in flight, and a process that dies releases it.  For other domains a process
 * reserves its slot under the lock and waits without it (generic cell rate algorithm, ITU-T I.371).  The file is
 * written by one pwrite(2) of less than a page; a torn or invalid file counts as "just used".  Times are those of the
 * system clock; if it jumps, at most one interval is lost.
 */
#ifndef BID_LEDGER_H
#define BID_LEDGER_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

struct ledger_rule {
  const char *domain; /* [a-z0-9.-]+ */
  double per_second;  /* requests per second, above 0 */
  unsigned burst;     /* requests that may be sent without a pause, at least 1 */
  int serial;
};

enum ledger_status {
  LEDGER_GO,      /* the slot is open: send the request, then call ledger_leave() */
  LEDGER_BLOCKED, /* the domain has blocked us: send nothing for `wait` seconds */
  LEDGER_FAILED   /* the file can't be used, see why: send nothing */
};

/* One turn, filled by ledger_enter(). */
struct ledger_turn {
  int fd; /* the lock, where `held` */
  int held;
  double wait;   /* LEDGER_BLOCKED: seconds left; LEDGER_GO: seconds waited */
  char why[160]; /* LEDGER_BLOCKED: the reason recorded with the block */
};

/* Registers a callback for this process: called before a wait of 0.3 seconds or more, and with negative seconds
 * before waiting for another process's request to end. */
void ledger_on_wait(void (*f)(void *arg, const char *domain, double seconds), void *arg);

/* Takes part in the machine's turns for a serial domain, with the file FOLDER/bid.DOMAIN, which all users may lock.  Its lock
 * is held during a request, its modification time is when the last one began; it has no contents.  Whoever may write it
 * can at most make others wait: an interval for a time, a minute for a lock, after which this process goes on without
 * it and says so.  0, also where the folder isn't there or not writable; -1 with why where the file can't be shared. */
int ledger_share(const char *folder, const char *domain, struct error_text *why);

/* Waits for a turn. user: the name under which the request is counted (a connector's). */
enum ledger_status ledger_enter(struct ledger_turn *turn, const char *folder, const struct ledger_rule *rule,
                                const char *user, struct error_text *why);

/* Ends the turn and records the bytes received.  block_seconds > 0 blocks the domain for all processes for that time,
 * with the given reason. */
void ledger_leave(struct ledger_turn *turn, const char *folder, const struct ledger_rule *rule,
                  const char *user, uint64_t bytes, double block_seconds, const char *reason);

/* One entry of the accounts: a domain's use by one user since the day (UTC) began. */
struct ledger_account {
  const char *domain, *user, *day;
  uint64_t requests, bytes;
  double last;          /* Unix time of the last request */
  double blocked_until; /* end of the domain's block; 0 where it is not blocked */
  const char *reason;
};

/* Calls f for each account of each domain in order of names.  0, or -1 with errno where the folder can't be read; a
 * missing folder has no accounts. */
int ledger_accounts(const char *folder, void (*f)(void *arg, const struct ledger_account *a), void *arg);

/* Lifts a block.  1; 0 where the domain is not blocked; -1 with errno where it has no file or it can't be written. */
int ledger_unblock(const char *folder, const char *domain);

#endif
