/* search_marks.h: finds the question's words in a passage. */
#ifndef BID_SEARCH_MARKS_H
#define BID_SEARCH_MARKS_H

#include "page/block.h"
#include "search/search.h"

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

#endif
