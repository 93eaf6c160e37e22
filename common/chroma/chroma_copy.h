/* chroma_copy.h: "bid-store copy FROM TO": collections from a store or a Chroma server to another one, both ways. */
#ifndef BID_CHROMA_COPY_H
#define BID_CHROMA_COPY_H

#include "store/indexer.h"
#include "store/store_commands.h"

/* Two operands: paths of stores or addresses (chroma.h).  s is not used. */
enum store_status chroma_command_copy(struct program *p, struct store *s, const struct store_call *call,
                                      struct error_text *e);

/* bid-index --to: the program's input into Chroma. */
void chroma_index(struct program *p, const char *address, const struct indexer_options *o);

#endif
