/* stored_documents.h: lists the stored documents. */
#ifndef BID_STORED_DOCUMENTS_H
#define BID_STORED_DOCUMENTS_H

#include "record/program.h"
#include "store/store_commands.h"

/* "bid-store documents": the documents of all companies by name, or those of one, newest first: a line each for a
 * person, else a record of the fields that its passages share, with its collection and their number. */
enum store_status stored_documents(struct program *p, struct store *s, const struct store_call *call,
                                   struct error_text *e);

#endif
