/* paths.h: locations of shipped data and of the user's folders. */
#ifndef BID_PATHS_H
#define BID_PATHS_H

#include "base/buf.h"
#include "base/diag.h"

/* Finds a shipped file or folder ("connectors", "models/bid-static.bidm", "bid.conf").  Searched in order: $BID_DATA;
 * the source tree of the running program ("connectors" at its top, everything else in its data/); ../share/bid beside
 * the program's folder.  The path is put into out.  0, or -1 where it is nowhere; out is then the installed path. */
int paths_data(struct buf *out, const char *name);

/* Finds one of this project's programs ("bid-search"): in the running program's folder, in the pipelines of a source tree,
 * or in PATH.  The path is put into out.  0, or -1 where it is nowhere. */
int paths_program(struct buf *out, const char *name);

struct sandbox_scope;
/* Adds all folders in which shipped files and models ($BID_MODELS) are found, and what links in them lead to. */
void paths_may_read(struct sandbox_scope *scope);

/* BID_STORE, BID_CACHE and BID_STATE, or their defaults in XDG folders or HOME, bid(7).  Creates nothing.  0, or -1
 * where neither the variable nor HOME is set, or the path is longer than out may be (out->overflow). */
int paths_store(struct buf *out);
int paths_cache(struct buf *out);
int paths_state(struct buf *out);

/* After one of these failed with `out`: why, and what to do.  `what` is "the cache" or the like, `variable` what names
 * it. */
void paths_unusable(const struct buf *out, const char *what, const char *variable, struct error_text *why);

/* The path of a file in the user's configuration folder: $XDG_CONFIG_HOME/bid/NAME, else ~/.config/bid/NAME.  0, or -1
 * where neither variable is set. */
int paths_config(struct buf *out, const char *name);

/* mkdir -p with mode 0700; new folders are synced to the disk.  0, or -1 with errno. */
int paths_make(const char *folder);

/* Syncs the folder that contains path, so that its directory entry survives a power failure.  0, or -1 with errno. */
int paths_sync_folder_of(const char *path);

/* ---- a local file as the URL by which its document is known. ---- */

/* Appends the URL of the file at path. */
void paths_url_add(struct buf *out, const char *path);

/* Appends text with the bytes percent-encoded that are not UTF-8, or that are in `also`. */
void paths_url_escape(struct buf *out, const char *text, const char *also);

/* Whether this is the URL of a local file. */
int paths_url_is(struct slice url);

/* The path of the file that a URL of paths_url_add() names, also with a part behind '#'; any other text as it is.
 * Allocated. */
char *paths_url_path(struct slice url);

#endif
