/* scratch_store.h: the path of a store that lives as long as this process: in memory (/dev/shm) where there is such, else
 * in $TMPDIR or /tmp.  Folders that killed processes left there are removed. */
#ifndef BID_SCRATCH_STORE_H
#define BID_SCRATCH_STORE_H

#include "base/diag.h"

/* A new folder, its path to be freed; NULL with *e. */
char *scratch_store_make(struct error_text *e);
/* Removes it with what is in it; NULL allowed. */
void scratch_store_remove(char *folder);

#endif
