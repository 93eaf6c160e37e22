/* sandbox.h: giving up, for the rest of a process, what it doesn't need: filings, models' inputs and connectors are hostile.
 *
 * Entered once everything needed is open.  System calls are held by seccomp (through libseccomp): a call that is not on the
 * list fails with EPERM.  Files are held by Landlock, too, where the kernel has it (5.13).  Neither can be taken back, and both
 * pass on to threads and children.  no_new_privs is set.
 */
#ifndef BID_SANDBOX_H
#define BID_SANDBOX_H

/* What stays allowed besides reading and writing descriptors that are open, memory, time and threads. */
enum sandbox_allow {
  SANDBOX_READ_FILES = 1, /* opening files for reading: operands are opened one after the other */
  SANDBOX_AGAIN = 2,      /* entering a narrower one later */
  /* For a child that will execute a tool of others (pdftotext): whatever it calls but the network, writing, ptrace and
   * what only administrators need. */
  SANDBOX_TOOL = 4
};

/* What holds the process afterwards, by the lowest that is there. */
enum sandbox_state {
  SANDBOX_NONE,    /* the kernel has no seccomp filters: all goes on without */
  SANDBOX_SECCOMP, /* system calls */
  SANDBOX_BOTH     /* and files */
};
enum sandbox_state sandbox_enter(unsigned allow);

/* What sandbox_enter() would give, for people: "seccomp and Landlock", "seccomp", "none (...)"; static. */
const char *sandbox_offered(void);

#endif
