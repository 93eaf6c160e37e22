/* whole_io.h: reads and writes at an offset that go on where a call was interrupted or transferred less than asked. */
#ifndef BID_WHOLE_IO_H
#define BID_WHOLE_IO_H

#include "base/slice.h"

#include <sys/types.h>

/* Reads up to len bytes, fewer only at the end of the file.  Their number, or -1 with errno. */
ssize_t whole_read_at(int fd, void *data, size_t len, off_t at);

/* Writes all bytes.  0, or -1 with errno. */
int whole_write_at(int fd, struct slice s, off_t at);

#endif
