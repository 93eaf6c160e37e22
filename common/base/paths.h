/* paths.h: where things are: shipped data, and the user's folders. */
#ifndef BID_PATHS_H
#define BID_PATHS_H

#include "base/buf.h"

/* Finds a shipped file or folder ("connectors", "models/bid-static.bidm", "bid.conf"): in $BID_DATA, then
 * beside the running program (a checkout: "connectors" stands at its top, all else in its data/), in
 * ../share/bid of it, then in PREFIX/share/bid.  The path is put into out.  0, or -1 where it is nowhere
 * (out: the installed place). */
int paths_data(struct buf *out, const char *name);

/* BID_STORE, BID_CACHE, BID_STATE or their default under XDG folders or HOME (DESIGN: "Environment").
 * Nothing is created.  0, or -1 where neither the variable nor HOME is set. */
int paths_store(struct buf *out);
int paths_cache(struct buf *out);
int paths_state(struct buf *out);

/* ~/.config/bid/NAME after XDG_CONFIG_HOME. */
int paths_config(struct buf *out, const char *name);

/* mkdir -p with mode 0700 for what is made, which a power cut then leaves there.  0, or -1 with errno. */
int paths_make(const char *folder);

/* Waits until the name of the file (or folder) at path, as it is now, is on the disk.  0, or -1 with errno. */
int paths_sync_folder_of(const char *path);

#endif
