/* scratch_store.h: a temporary store that lives as long as this process: in memory (/dev/shm) where available, else
 * in $TMPDIR or /tmp.  Orphaned folders of killed processes are removed. */
#ifndef BID_SCRATCH_STORE_H
#define BID_SCRATCH_STORE_H

#include "base/diag.h"

/* Creates a folder and returns its path, to be freed; NULL with *e. */
char *scratch_store_make(struct error_text *e);
/* Removes the folder and its contents; NULL is allowed. */
void scratch_store_remove(char *folder);

#endif
