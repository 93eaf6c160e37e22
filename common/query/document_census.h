/* document_census.h: how often a text names each company on the list. */
#ifndef BID_DOCUMENT_CENSUS_H
#define BID_DOCUMENT_CENSUS_H

#include "query/directory.h"

#define DOCUMENT_CENSUS 64 /* limit of companies; further ones are not counted */

struct document_census {
  uint32_t company[DOCUMENT_CENSUS]; /* index in the directory */
  unsigned count[DOCUMENT_CENSUS];
  size_t companies;
};

/* Adds the names in a text.  A name consists of capitalised words; one that is a single ordinary word ("Visa", "Target",
 * "Morgan") counts only within a sentence, behind a word in small letters; a ticker only in brackets or behind a colon. */
void document_census_add(struct document_census *c, const struct directory *d, const struct plan_words *words,
                         struct slice text);

unsigned document_census_of(const struct document_census *c, uint32_t company);

/* Whether a word is an ordinary one, or a name of people or places, so that it need not mean a company. */
int document_census_is_ordinary(const struct plan_words *words, const char *fold);

/* How often a text has a word (normalised, plan_text.h) with a capital, and in small letters. */
void document_census_word(struct slice text, const char *fold, unsigned *capital, unsigned *small);

#endif
