/* doctor.h: bid doctor: checks everything that the commands need and suggests remedies. */
#ifndef BID_DOCTOR_H
#define BID_DOCTOR_H

#include "front/commands.h"

#include <stddef.h>

enum doctor_state {
  DOCTOR_FINE,
  DOCTOR_NOTE, /* works, but worth knowing */
  DOCTOR_WRONG /* something will fail */
};

struct doctor_finding {
  const char *check; /* "store" */
  enum doctor_state state;
  char found[512]; /* the finding */
  char mend[512];  /* the remedy; empty where everything is fine */
};

/* Runs all checks in order and passes each finding to f. offline: without network access. */
void doctor_run(const struct commands *c, int offline, void (*f)(void *arg, const struct doctor_finding *d),
                void *arg);

#endif
