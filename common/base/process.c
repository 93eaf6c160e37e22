#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

/* open(2) takes the lowest free number: in ascending order each gets its own. */
static void open_standard_descriptors(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
      continue;
    int got = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (got != fd)
      _exit(EX_OSERR);
  }
}

void process_init(void) {
  struct rlimit none = {0, 0};
  open_standard_descriptors();
  umask(077);
  (void)setrlimit(RLIMIT_CORE, &none);
}
