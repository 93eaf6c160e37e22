/* sandbox_calls.h: the part of the sandbox that filters system calls, for sandbox.c alone. */
#ifndef BID_SANDBOX_CALLS_H
#define BID_SANDBOX_CALLS_H

#include "base/sandbox.h"
#include "base/syscall_filter.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANDBOX_SANITIZED 1
#else
#define SANDBOX_SANITIZED 0
#endif

/* Makes the filter; *f needs no release. */
void sandbox_calls_make(struct syscall_filter *f, unsigned allow);

/* Restricts the calling thread, and those that it starts, to the system calls that allow (enum sandbox_allow) needs.
 * 0, or -1 with errno where the kernel has no filters, or no memory for this one. */
int sandbox_calls_hold(unsigned allow);

#endif
