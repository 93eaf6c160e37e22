/* search_passage.h: what a display shows of a passage beside its text. */
#ifndef BID_SEARCH_PASSAGE_H
#define BID_SEARCH_PASSAGE_H

#include "page/block.h"
#include "search/search.h"

/* Where the question's words stand. */
struct search_marks {
  struct page_marks marks; /* for page/ */
  const struct query *q;
  size_t (*span)[2]; /* private, as all below: of each term */
  uint8_t *marked;   /* of each term */
  size_t count, cap;
  uint16_t run[QUERY_PHRASES]; /* words of each phrase that stand just before */
};

/* Finds them in text, which must outlive m. */
void search_marks_find(struct search_marks *m, struct searcher *s, const struct query *q, struct slice text);
void search_marks_release(struct search_marks *m);

/* Whether a hit before hit i is of the same document. */
int search_is_again(const struct search_answer *a, size_t i);

/* The chance that hit i is the one that answers, if any does: the squares of the scores come close to it. */
float search_hit_chance(const struct search_answer *a, size_t i);

/* ---- excerpts: some units of a passage (rank.h), each with what it needs to be understood ---- */

/* Chooses unit i and what it needs. */
void search_unit_add(const struct rank_units *u, size_t i, uint8_t *chosen);

enum search_try { SEARCH_TAKE, SEARCH_SKIP, SEARCH_END };

/* Chooses units by their chance, each with the head, caption and labels that it needs; at least one.  judge: what becomes of the last
 * one, whose chance is given, when the set is what would be shown with it.  chosen: [u->count], cleared. */
typedef enum search_try search_judge(void *arg, const uint8_t *chosen, float chance);
void search_choose_units(const struct rank_units *u, search_judge *judge, void *arg, uint8_t *chosen);

/* Chooses the units that most likely hold the answer: to SEARCH_SPANS_CHANCE together, SEARCH_SPANS at most. */
#define SEARCH_SPANS_CHANCE 0.95F
#define SEARCH_SPANS 7
void search_choose_spans(const struct rank_units *u, uint8_t *chosen);

/* The same as ranges of bytes, in order; returns how many. */
size_t search_find_spans(const struct rank_units *u, size_t spans[SEARCH_SPANS][2]);

/* Appends the chosen units in order; "…" stands for what is left out, above, between and below.  A table that goes on from
 * the passage before gets its head from the context line. */
void search_add_excerpt(const struct rank_units *u, struct page_passage passage, const uint8_t *chosen,
                        struct buf *out);

/* The pages of a passage, as people cite them: appends before, "page 4" or, for a passage over several, "pages 4–5", and behind; nothing where its chunk has none. */
void search_pages_add(struct buf *out, const char *before, struct slice chunk, const char *behind);

#endif
