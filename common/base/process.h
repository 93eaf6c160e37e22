/* process.h: what every program sets right about its own process before it opens anything. */
#ifndef BID_PROCESS_H
#define BID_PROCESS_H

/* Descriptors 0, 1 and 2 are open afterwards.  A closed one gets /dev/null, opened the wrong way round: the next file
 * that is opened can't take its number and be written to by mistake, and reading stdin or writing stdout fails with
 * EBADF as it did before.  Files are made for their owner alone (umask 077), and a crash leaves no core file, which
 * would hold keys.  Writing past a file size limit (ulimit -f) fails as on a full disk, with EFBIG, and kills nobody.  Ends the process with 71 (EX_OSERR) where /dev/null can't be opened. */
void process_init(void);

/* open(2) for reading, but of a FIFO that nobody opens for writing within 5 seconds: then errno is ETIMEDOUT. */
int process_open(const char *name);

#endif
