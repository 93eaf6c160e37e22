/* plan_directory.h: companies by everything that they are called: tickers, CIKs, names, parts of names, brands, former
 * names.
 *
 * A key is the folded letters and digits of the words that name a company, run together ("cocacola"), so that hyphens,
 * apostrophes, blanks and dots don't tell spellings apart; "&", "and" and a leading "the" are left out.  Keys of tickers
 * begin with '$'.  Texts are kept by reference but for those of directory_add_one().
 */
#ifndef BID_PLAN_DIRECTORY_H
#define BID_PLAN_DIRECTORY_H

#include "base/diag.h"
#include "query/plan_text.h"
#include "query/plan_words.h"

/* What a key is of a company. */
enum directory_way {
  WAY_FULL,   /* its name without legal forms */
  WAY_CORE,   /* and without words such as "group" */
  WAY_PREFIX, /* the first words of its name */
  WAY_ALIAS,  /* how people call it */
  WAY_BRAND,  /* a product or unit of it */
  WAY_FORMER,
  WAY_TICKER,
  WAY_ALONE /* where it is all that is typed: too ordinary to be looked for in a question */
};

struct directory_company {
  uint32_t cik, rank;   /* rank: place by size, from 0 */
  struct slice tickers; /* separated by commas; or empty */
  struct slice name;
  int own; /* of the caller's own list or store */
};

struct shelf;

struct directory_entry {
  const struct shelf *shelf; /* which holds it */
  uint32_t hash;
  uint32_t next; /* of the same chain, plus 1; 0: the last */
  uint32_t company;
  uint32_t text;  /* of the key, in the arena */
  uint8_t len;    /* of the key */
  uint8_t way;    /* enum directory_way */
  uint8_t words;  /* of the name that the key stands for; of a ticker its parts: 2 for "BRK-B" */
  uint8_t others; /* words of the name that it leaves out */
};

struct directory;

struct directory *directory_new(const struct plan_words *words);
void directory_free(struct directory *d);

/* data/companies.tsv, data/aliases.tsv (their heads say what the columns are).  0, or -1 with *why. */
int directory_add_companies(struct directory *d, struct slice tsv, struct error_text *why);
int directory_add_aliases(struct directory *d, struct slice tsv, struct error_text *why);

/* The SEC's company_tickers.json: its order and names win over what is there.  0, or -1. */
int directory_add_list(struct directory *d, struct slice json);
void directory_add_one(struct directory *d, uint32_t cik, struct slice ticker, struct slice name);

/* "# date: " in the head of companies.tsv, or "". */
const char *directory_date(const struct directory *d);

const struct directory_company *directory_company(const struct directory *d, uint32_t company);

/* The company of that CIK, its number in *company; or NULL. */
const struct directory_company *directory_by_cik(const struct directory *d, uint32_t cik, uint32_t *company);

/* The first entry of a key, the next one; NULL where there is none (any more). */
const struct directory_entry *directory_find(const struct directory *d, const char *key, size_t len);
const struct directory_entry *directory_next(const struct directory_entry *entry);

/* Names and tickers as they came, from 0 to directory_rows() - 1: the text, whose it is, and which way (WAY_FULL, WAY_ALIAS,
 * WAY_BRAND, WAY_FORMER, WAY_TICKER). */
size_t directory_rows(const struct directory *d);
struct slice directory_row(const struct directory *d, size_t row, uint32_t *company, enum directory_way *way);

/* Entries whose key is one slip (a letter more, less, other, or two exchanged) from this key, names and aliases only; the
 * first letter has to be right.
 * Fills found[max]; returns how many. */
size_t directory_find_slip(const struct directory *d, const char *key, size_t len,
                           const struct directory_entry **found, size_t max);

/* Appends the folded words of tokens [from, to) to key[room]; `bare`: the last one without its possessive.  Length, or
 * 0 where it doesn't fit or is empty. */
size_t directory_key(const struct plan_text *t, size_t from, size_t to, int bare, char *key, size_t room);

#endif
