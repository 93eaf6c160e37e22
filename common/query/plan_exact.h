/* plan_exact.h: finds the company of which a text is a whole name or a ticker, as listed or with an exchange. */
#ifndef BID_PLAN_EXACT_H
#define BID_PLAN_EXACT_H

#include "query/mentions.h"

/* The company that t names.  1 with *found; 0 where no name or ticker is this text; -1 where it may be another company's:
 * *found has them as rivals. */
int plan_exact_resolve(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                       struct mention *found);

/* The same for "WELLS FARGO & CO/MN", a name of the SEC's followed by a place; 0 for all other texts.  t is changed for the
 * duration of the call. */
int plan_exact_resolve_placed(const struct directory *d, const struct plan_words *w, struct plan_text *t,
                              struct mention *found);

/* The number of the first tokens without the legal forms that end them; at least 1. */
size_t plan_exact_without_legal(const struct plan_words *w, const struct plan_text *t);

/* Whether t is the company's name in the SEC's spelling. */
int plan_exact_is_name(const struct directory *d, const struct plan_text *t, uint32_t company);

/* Whether a word of tokens [from, to) is in the company's name. */
int plan_exact_shares_word(const struct directory *d, const struct plan_text *t, size_t from, size_t to,
                           uint32_t company);

/* Placeholders for no name: "n/a", "none". */
int plan_exact_is_nothing(const struct plan_text *t);

#endif
