/* stored_show.h: prints stored passages and documents, and lists the documents. */
#ifndef BID_STORED_SHOW_H
#define BID_STORED_SHOW_H

#include "record/program.h"
#include "store/store_commands.h"

/* "bid-store show": passages by id, or the newest document of a company and form, or an item of it. */
enum store_status stored_show(struct program *p, struct store *s, const struct store_call *call,
                              struct error_text *e);

/* "bid-store documents": the documents of all companies by name, or those of one, newest first: a line each for a
 * person, else a record of the fields that its passages share, with its collection and their number. */
enum store_status stored_documents(struct program *p, struct store *s, const struct store_call *call,
                                   struct error_text *e);

#endif
