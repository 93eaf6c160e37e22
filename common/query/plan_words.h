/* plan_words.h: properties of words: frequency as ordinary words, names, abbreviations, pairs (data/words.tsv), and
 * the vocabulary of companies and their reports (data/company_words.tsv). */
#ifndef BID_PLAN_WORDS_H
#define BID_PLAN_WORDS_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

/* Legal forms that indicate a company after a name; all others also occur inside names.  Ended by NULL. */
extern const char *const plan_legal_forms[];

/* Kinds in data/company_words.tsv, and data/tables/legal_forms.tsv. */
enum plan_kind {
  KIND_LEGAL = 1,     /* ends a company's name: "inc" */
  KIND_GENERIC = 2,   /* not distinctive in a name: "group" */
  KIND_FIGURE = 4,    /* a figure in a report: "revenue" */
  KIND_TOPIC = 8,     /* a topic of reports: "impairment" */
  KIND_DOCUMENT = 16, /* "10-K", "filing" */
  KIND_TABLE = 32,    /* asks for a table: "breakdown" */
  KIND_TELL = 64,     /* asks for prose: "why", "describe" */
  KIND_COMPARE = 128, /* "versus" */
  KIND_LIST = 256,    /* asks for the filings themselves: "list" */
  KIND_ABBREVIATION = 512,
  KIND_FUNCTION = 1024, /* grammar: "the", "of" */
  KIND_HOLDING = 2048,  /* a holding in another company: "stake", "shares" */
  KIND_MARKET = 8192,   /* market prices: "index", "points" */
  KIND_COUNTER = 4096   /* precedes a counterparty: "from", "against" */
};

struct plan_word {
  uint8_t ordinary;             /* SCOWL size as an ordinary word, 10 the most common; 0: none */
  uint8_t name;                 /* the same for names of persons and places */
  uint8_t capital;              /* number of filers that print it in capitals */
  uint8_t given, family, place; /* 1: a given name, a family name, a city, region or country */
  uint8_t small;                /* number of texts that print it in lower case */
  uint8_t leaning; /* topic of its contexts: 9 companies, 1 other topics, 5 neutral; 0: unknown */
  uint16_t kinds;  /* enum plan_kind */
};

struct plan_words;

/* Tables are kept by reference; either may be empty.  NULL with *why. */
struct plan_words *plan_words_new(struct slice words, struct slice company_words, struct error_text *why);
void plan_words_free(struct plan_words *w);

/* Properties of a normalised word, or of several separated by blanks; all 0 where it is in no table. */
struct plan_word plan_words_of(const struct plan_words *w, const char *word);
unsigned plan_words_kinds(const struct plan_words *w, const char *word);

#endif
