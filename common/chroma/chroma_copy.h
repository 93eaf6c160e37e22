/* chroma_copy.h: "bid-store copy FROM TO": copies collections between stores and Chroma servers, in either direction. */
#ifndef BID_CHROMA_COPY_H
#define BID_CHROMA_COPY_H

#include "store/indexer.h"
#include "store/store_commands.h"

/* Takes two operands: paths of stores or addresses (chroma.h). s is unused. */
enum store_status chroma_command_copy(struct program *p, struct store *s, const struct store_call *call,
                                      struct error_text *e);

/* bid-index --to: writes the program's input to Chroma. */
void chroma_index(struct program *p, const char *address, const struct indexer_options *o);

#endif
