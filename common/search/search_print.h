/* search_print.h: the answer to a question of the command line, on stdout, and why there is none, on stderr. */
#ifndef BID_SEARCH_PRINT_H
#define BID_SEARCH_PRINT_H

#include "record/program.h"
#include "search/search.h"

enum search_form {
  SEARCH_JSON, /* a line a hit */
  SEARCH_TEXT, /* for a terminal */
  SEARCH_HTML  /* one page */
};

struct search_printer {
  struct program *p;
  struct searcher *s; /* NULL: the store could not be opened */
  const struct search_request *r;
  const struct search_output *o;
  enum search_form form;
  int analyse; /* the question was analysed only: no hits is no fault */
  int where;   /* --where was given */
};

/* Prints the hits; where there are none, says why. */
void search_print_answer(const struct search_printer *out, const struct search_answer *a);

/* Prints {query, rag, edgar, errors}; a or f may be NULL. */
void search_print_bundle(const struct search_printer *out, const struct search_answer *a,
                         const struct search_fault *f);

/* Says what failed, in a pipe as an error record too, and raises the exit status. */
void search_print_fault(struct program *p, const struct search_fault *f, enum search_form form);

#endif
