/* complete.h: command line completion for bash, zsh and fish.
 *
 * Candidates come from the commands themselves: options and their values from --help, sources from bid-fetch --list,
 * collections and companies from the store, commands from data/commands.tsv.
 */
#ifndef BID_COMPLETE_H
#define BID_COMPLETE_H

#include "base/buf.h"

/* Appends the candidates for words[at] (of count words, the command first; "=" is a word of its own between an option
 * and its value, as in bash), one line "CANDIDATE TAB DESCRIPTION" each; a line "TAB files" means file names. */
void complete_words(struct buf *out, char *const *words, size_t count, size_t at);

#endif
