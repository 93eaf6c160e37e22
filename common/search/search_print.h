/* search_print.h: prints the answer to a question of the command line on stdout, or why there is none on stderr. */
#ifndef BID_SEARCH_PRINT_H
#define BID_SEARCH_PRINT_H

#include "record/program.h"
#include "search/search.h"

enum search_form {
  SEARCH_JSON, /* one line per hit */
  SEARCH_TEXT, /* for a terminal */
  SEARCH_HTML  /* one HTML page */
};

struct search_printer {
  struct program *p;
  struct searcher *s; /* NULL: the store could not be opened */
  const struct search_request *r;
  const struct search_output *o;
  enum search_form form;
  int analyse; /* analysis only: an answer without hits is not an error */
  int where;   /* --where was given */
};

/* Prints the hits; where there are none, explains why. */
void search_print_answer(const struct search_printer *out, const struct search_answer *a);

/* Prints {query, rag, edgar, errors}; a or f may be NULL. */
void search_print_bundle(const struct search_printer *out, const struct search_answer *a,
                         const struct search_fault *f);

/* Reports an error, in a pipe also as an error record, and raises the exit status. */
void search_print_fault(struct program *p, const struct search_fault *f, enum search_form form);

#endif
