/* doctor.h: bid doctor: whether all that the commands need is there, and what to do where it is not. */
#ifndef BID_DOCTOR_H
#define BID_DOCTOR_H

#include "front/commands.h"

#include <stddef.h>

enum doctor_state {
  DOCTOR_FINE,
  DOCTOR_NOTE, /* works, but somebody may want to know */
  DOCTOR_WRONG /* something will fail */
};

struct doctor_finding {
  const char *check; /* "store" */
  enum doctor_state state;
  char found[512]; /* what there is */
  char mend[512];  /* what to do; empty where it is fine */
};

/* Runs all checks in their order and hands each finding over.  offline: without the network. */
void doctor_run(const struct commands *c, int offline, void (*f)(void *arg, const struct doctor_finding *d),
                void *arg);

#endif
