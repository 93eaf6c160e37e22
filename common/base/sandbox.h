/* sandbox.h: dropping privileges of the running process for good, since filings, model inputs and connectors are
 * untrusted.
 *
 * To be entered once everything needed is open.  System calls are restricted by seccomp (through libseccomp): a call
 * that is not allowed fails with EPERM.  File access is also restricted by Landlock where the kernel has it (5.13):
 * without it, a process that may read the named files may read any.
 * Neither can be undone, and threads and children inherit both.  no_new_privs is set.
 */
#ifndef BID_SANDBOX_H
#define BID_SANDBOX_H

#include <stddef.h>

/* What stays allowed besides I/O on open descriptors, memory, time and threads. */
enum sandbox_allow {
  SANDBOX_READ_FILES = 1, /* opening the named files for reading, for operands that are opened one by one */
  SANDBOX_AGAIN = 2,      /* entering a stricter sandbox later */
  /* For a child that executes a third-party tool (pdftotext): everything but network, writing, ptrace and
   * administrative calls; reads and executes only what is installed with the system. */
  SANDBOX_TOOL = 4,
  /* For a process that fetches: network, reading, and changes in the named folders; runs what lies beside it, or is
   * installed with the system. */
  SANDBOX_FETCH = 8
};

/* The protection in force afterwards. */
enum sandbox_state {
  SANDBOX_NONE,    /* the kernel has no seccomp filters: the process goes on unrestricted */
  SANDBOX_SECCOMP, /* system calls only */
  SANDBOX_BOTH     /* system calls and files */
};

/* With SANDBOX_READ_FILES, names says which files may still be opened, and folders with everything in them; with
 * SANDBOX_FETCH, what may be changed.  They are looked up once, now: one that is missing, or is replaced later, can't
 * be opened then. */
enum sandbox_state sandbox_enter(unsigned allow, const char *const *names, size_t count);

/* What sandbox_enter() would achieve, for display: "seccomp and Landlock", "seccomp", "none (...)"; static. */
const char *sandbox_offered(void);

#endif
