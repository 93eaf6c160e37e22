/* stored_show.h: prints stored passages and documents. */
#ifndef BID_STORED_SHOW_H
#define BID_STORED_SHOW_H

#include "record/program.h"
#include "store/store_commands.h"

/* "bid-store show": passages by id, or the newest document of a company and form, or an item of it. */
enum store_status stored_show(struct program *p, struct store *s, const struct store_call *call,
                              struct error_text *e);

#endif
