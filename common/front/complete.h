/* complete.h: what may stand next on a command line, for the completions of bash, zsh and fish.
 *
 * Everything comes from what the commands say of themselves: options and their values from --help, sources from
 * bid-fetch --list, collections and companies from the store, commands from data/commands.tsv.
 */
#ifndef BID_COMPLETE_H
#define BID_COMPLETE_H

#include "base/buf.h"

/* Appends the candidates for words[at] (count words, the command first; a word of "=" parts an option from its value,
 * as bash has it), each on a line "CANDIDATE TAB WHAT IT IS"; a line "TAB files" means file names. */
void complete_words(struct buf *out, char *const *words, size_t count, size_t at);

#endif
