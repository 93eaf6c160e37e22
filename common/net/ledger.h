/* ledger.h: the politeness ledger: how often each rate domain may be asked, over all processes of this
 * host that share a state folder.
 *
 * One small file a domain, FOLDER/DOMAIN, locked by flock(2).  A serial domain's lock is held while its
 * request is under way, so two can never be in flight, and a process that dies lets go of it by dying.
 * Other domains reserve their slot under the lock and wait without it (generic cell rate algorithm, ITU-T
 * I.371).  What is written is one pwrite(2) of less than a page; a torn or foreign file counts as "just
 * used".  Times are of the system's clock; a jump of it costs at most one interval.
 */
#ifndef BID_LEDGER_H
#define BID_LEDGER_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

struct ledger_rule {
  const char *domain; /* [a-z0-9.-]+ */
  double per_second;  /* above 0 */
  unsigned burst;     /* at least 1: how many may go without a pause */
  int serial;
};

enum ledger_status {
  LEDGER_GO,      /* the slot is open: ask now, then call ledger_leave() */
  LEDGER_BLOCKED, /* the domain has sent us away: nothing may be asked for `wait` seconds */
  LEDGER_FAILED   /* the file cannot be used: why says so; nothing may be asked */
};

/* A turn.  Zero before the first ledger_enter(). */
struct ledger_turn {
  int fd; /* held lock, where `held` */
  int held;
  double wait;   /* LEDGER_BLOCKED: seconds left; LEDGER_GO: seconds waited */
  char why[160]; /* LEDGER_BLOCKED: what was said when the block was set */
};

/* Of this process: f is told before a wait of 0.3 seconds or more, and with seconds below 0 before it waits for another
 * process's request to end. */
void ledger_on_wait(void (*f)(void *arg, const char *domain, double seconds), void *arg);

/* Waits for a turn.  user: who asks, for the accounts (a connector's name). */
enum ledger_status ledger_enter(struct ledger_turn *turn, const char *folder, const struct ledger_rule *rule,
                                const char *user, struct error_text *why);

/* Ends the turn and books the bytes that were received.  block_seconds > 0 sends everyone of the domain
 * away for so long, for the given reason. */
void ledger_leave(struct ledger_turn *turn, const char *folder, const struct ledger_rule *rule,
                  const char *user, uint64_t bytes, double block_seconds, const char *reason);

/* One line of the accounts: a domain's user since the day (UTC) began. */
struct ledger_account {
  const char *domain, *user, *day;
  uint64_t requests, bytes;
  double last;          /* Unix time of the last request */
  double blocked_until; /* of the domain; 0 where it is open */
  const char *reason;
};

/* Calls f for each account of each domain in name order.  0, or -1 with errno where the folder
 * cannot be read (a missing one has no accounts). */
int ledger_accounts(const char *folder, void (*f)(void *arg, const struct ledger_account *a), void *arg);

/* Lifts a block: 1; 0 where the domain is not blocked; -1 with errno where it has no accounts, or they can't be
 * written. */
int ledger_unblock(const char *folder, const char *domain);

#endif
