/* plan_halves.h: texts that consist of two names, or of a name and a remark: "Apple Inc. (AAPL)", "Meta, formerly Facebook". */
#ifndef BID_PLAN_HALVES_H
#define BID_PLAN_HALVES_H

#include "query/mentions.h"

/* The two parts of a text: [0, head) and [tail, count). */
struct plan_halves {
  size_t head, tail;
  int marked;  /* "formerly" */
  int bracket; /* the second part is in brackets */
};

/* Where the text has two parts, only the second of which is never empty: 1 with *h, else 0. */
int plan_halves_find(const struct plan_text *t, struct plan_halves *h);

/* Combines two parts, of which the first was resolved as a and *head, the other as b and *tail: 1 with *found; 0; -1 where
 * they are two companies, which *found has as rivals. */
int plan_halves_join(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                     const struct plan_halves *h, int a, const struct mention *head, int b,
                     const struct mention *tail, struct mention *found);

#endif
