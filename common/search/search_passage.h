/* search_passage.h: what a display shows of a passage beside its text. */
#ifndef BID_SEARCH_PASSAGE_H
#define BID_SEARCH_PASSAGE_H

#include "page/block.h"
#include "search/search.h"

/* Where the question's words stand. */
struct search_marks {
  struct page_marks marks; /* for page/ */
  const struct query *q;
  size_t (*span)[2];
  char *own; /* for each span */
  size_t count, cap;
};

/* Finds them in text, which must outlive m. */
void search_marks_find(struct search_marks *m, struct searcher *s, const struct query *q, struct slice text);
void search_marks_release(struct search_marks *m);

/* The pages of a passage, as people cite them: appends before, "page 4" or, for a passage over several, "pages 4–5", and behind; nothing where its chunk has none. */
void search_pages_add(struct buf *out, const char *before, struct slice chunk, const char *behind);

#endif
