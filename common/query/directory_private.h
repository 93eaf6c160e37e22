/* directory_private.h: the inside of a directory; private to directory.c and directory_load.c. */
#ifndef BID_DIRECTORY_PRIVATE_H
#define BID_DIRECTORY_PRIVATE_H

#include "query/directory.h"

#include <pthread.h>
#include <stdatomic.h>

#define DIRECTORY_COMPANIES ((size_t)1 << 18) /* limit of companies; further ones are dropped */
#define DIRECTORY_SIGNS 37                    /* letters, digits, none */
#define DIRECTORY_SHELVES (DIRECTORY_SIGNS * DIRECTORY_SIGNS)
#define NO_ROW UINT32_MAX

/* A company's name or ticker, from the input. */
struct directory_row {
  const char *text;
  uint32_t company, next; /* the next one in the shelf, or NO_ROW */
  uint16_t len;
  uint8_t way; /* WAY_FULL: a name, from which other keys are derived; WAY_TICKER, WAY_ALIAS, WAY_FORMER */
};

struct directory {
  const struct plan_words *words;
  struct directory_company *companies;
  size_t count, cap;
  struct directory_row *rows;
  size_t row_count, row_cap;
  uint32_t first[DIRECTORY_SHELVES], last[DIRECTORY_SHELVES]; /* rows of a shelf, in order */
  _Atomic(struct shelf *) shelves[DIRECTORY_SHELVES];
  pthread_mutex_t lock; /* for building a shelf */
  int shelved;          /* a shelf was built: adding one of a store's companies after the other clears none */
  uint32_t *by_cik;     /* company plus 1, open addressing */
  size_t cik_slots;
  char **owned; /* texts of directory_add_one() and directory_add_list() */
  size_t owned_count;
  char date[16];
};

/* Discards the shelves built so far: after rows were added. */
void directory_clear_shelves(struct directory *d);

/* Adds a name or ticker of a company; the text is kept by reference. */
void directory_add_row(struct directory *d, struct slice text, uint32_t company, enum directory_way way);

/* The number of the company with that CIK, created if new. */
uint32_t directory_company_of(struct directory *d, uint32_t cik, uint32_t rank);

#endif
