#include "record/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int progress_descriptor(void) {
  const char *set = getenv("BID_PROGRESS");
  struct stat st;
  if (!set || !*set || strspn(set, "0123456789") != strlen(set) || strlen(set) > 4)
    return -1;
  int fd = atoi(set);
  return fd > 2 && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY
             ? fd
             : -1;
}

/* Must not block on a full pipe, nor die of SIGPIPE on one without a reader: poll(2) tells both. */
void progress_tell(int fd, const struct progress *told) {
  char line[400];
  struct pollfd p = {.fd = fd, .events = POLLOUT};
  int n = snprintf(line, sizeof line, "%s\t%llu\t%llu\t%llu\t%.300s\n", told->program,
                   (unsigned long long)told->records, (unsigned long long)told->bytes,
                   (unsigned long long)told->expected, told->doing);
  if (n > 0 && (size_t)n < sizeof line && poll(&p, 1, 0) == 1 && !(p.revents & (POLLERR | POLLNVAL))) {
    ssize_t ignored = write(fd, line, (size_t)n);
    (void)ignored;
  }
}
