/* directory.h: a directory of companies by all their designations: tickers, CIKs, names, parts of names, brands,
 * former names.
 *
 * A key is the normalised letters and digits of the words that name a company, without separators ("cocacola"), so
 * that hyphens, apostrophes, blanks and dots don't matter; "&", "and" and a leading "the" are omitted.  Keys of
 * tickers begin with '$'.  Texts are kept by reference except those of directory_add_one().
 */
#ifndef BID_DIRECTORY_H
#define BID_DIRECTORY_H

#include "base/diag.h"
#include "text/plan_text.h"
#include "query/plan_words.h"

/* The relation between a key and its company. */
enum directory_way {
  WAY_FULL,   /* its name without legal forms */
  WAY_CORE,   /* and without words such as "group" */
  WAY_PREFIX, /* the first words of its name */
  WAY_ALIAS,  /* an everyday name */
  WAY_BRAND,  /* a product or unit */
  WAY_FORMER,
  WAY_TICKER,
  WAY_ALONE, /* only as the whole input: too ordinary to be searched in a question */
  WAY_PERSON /* who leads or founded it: only in a question, where no company is named */
};

struct directory_company {
  uint32_t cik, rank;   /* rank: position by size, from 0 */
  struct slice tickers; /* comma-separated, or empty */
  struct slice name;
  int own; /* from the caller's own list or store */
};

struct shelf;

struct directory_entry {
  const struct shelf *shelf; /* the shelf that contains it */
  uint32_t hash;
  uint32_t next;    /* next of the same chain, plus 1; 0: the last */
  uint32_t company; /* CIK */
  uint32_t text;    /* offset of the key in the arena */
  uint8_t len;      /* length of the key */
  uint8_t way;      /* enum directory_way */
  uint8_t words;    /* in the name that the key stands for; of a ticker its parts: 2 for "BRK-B" */
  uint8_t others;   /* words of the name that it omits */
};

struct directory;

/* The bytes of data/companies.tsv, company_names.tsv and aliases.tsv, kept by reference; their headers explain the columns. */
struct directory *directory_new(const struct plan_words *words, struct slice companies, struct slice names,
                                struct slice aliases);
void directory_free(struct directory *d);

/* Loads the SEC's company_tickers.json, whose order and names take precedence.  0, or -1. */
int directory_add_list(struct directory *d, struct slice json);
void directory_add_one(struct directory *d, uint32_t cik, struct slice ticker, struct slice name);

/* The date in the header of companies.tsv, "# date: ", or "". */
const char *directory_date(const struct directory *d);

/* The company with a CIK, by which entries and rows name it.  One that no table has is without a name. */
struct directory_company directory_company(const struct directory *d, uint32_t cik);
int directory_has(const struct directory *d, uint32_t cik);

/* The first entry of a key, and the next one; NULL where there is none (left). */
const struct directory_entry *directory_find(const struct directory *d, const char *key, size_t len);
const struct directory_entry *directory_next(const struct directory_entry *entry);

/* Copies an entry's key to key[room], cut to fit; returns its length. */
size_t directory_entry_key(const struct directory_entry *entry, char *key, size_t room);

/* A name or ticker: WAY_FULL: a name, from which other keys are derived; WAY_TICKER; WAY_ALIAS and what follows. */
struct directory_row {
  struct slice text;
  uint32_t company;
  uint16_t shelf; /* of one that was added */
  enum directory_way way;
};

/* The next name or ticker of all, from {0} on; 0 where there is none (left). */
struct directory_cursor {
  size_t list, at;
};
int directory_next_row(const struct directory *d, struct directory_cursor *c, struct directory_row *row);

/* Entries, names and aliases only, whose key differs from this one by one typing error (an insertion, deletion,
 * substitution or swap) but has the same first letter, a long one the same two.  Fills found[max]; returns how many. */
size_t directory_find_slip(const struct directory *d, const char *key, size_t len,
                           const struct directory_entry **found, size_t max);

/* Appends the normalised words of tokens [from, to) to key[room]; `bare`: the last one without its possessive ending.
 * Returns the length, or 0 where it doesn't fit or is empty. */
size_t directory_key(const struct plan_text *t, size_t from, size_t to, int bare, char *key, size_t room);

#endif
