/* plan_words.h: what words are: ordinary words, names, abbreviations, pairs (data/words.tsv), and the vocabulary of
 * companies and their reports (data/company_words.tsv). */
#ifndef BID_PLAN_WORDS_H
#define BID_PLAN_WORDS_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdint.h>

/* Legal forms that are a sign of a company where they stand behind a name; the rest of company_words.tsv's are words of
 * names as well.  Ends with NULL. */
extern const char *const plan_legal_forms[];

/* Kinds of data/company_words.tsv. */
enum plan_kind {
  KIND_LEGAL = 1,     /* ends a company's name: "inc" */
  KIND_GENERIC = 2,   /* tells little in a name: "group" */
  KIND_FIGURE = 4,    /* a number of a report: "revenue" */
  KIND_TOPIC = 8,     /* what reports speak of: "impairment" */
  KIND_DOCUMENT = 16, /* "10-K", "filing" */
  KIND_TABLE = 32,    /* asks for rows: "breakdown" */
  KIND_TELL = 64,     /* asks for words: "why", "describe" */
  KIND_COMPARE = 128, /* "versus" */
  KIND_LIST = 256,    /* asks for filings themselves: "list" */
  KIND_ABBREVIATION = 512,
  KIND_FUNCTION = 1024, /* grammar: "the", "of" */
  KIND_HOLDING = 2048,  /* what one company has of another: "stake", "shares" */
  KIND_MARKET = 8192,   /* prices as a whole: "index", "points" */
  KIND_COUNTER = 4096   /* prepositions before a counterparty: "from", "against" */
};

struct plan_word {
  uint8_t ordinary;             /* SCOWL size as an ordinary word, 10 the most common; 0: none */
  uint8_t name;                 /* the same as a name of a person or place */
  uint8_t capital;              /* filers that print it in capitals */
  uint8_t given, family, place; /* 1: a given name, a family name, a city, region or country */
  uint8_t small;                /* texts that print it in small letters */
  uint8_t
      leaning; /* 9: where it stands the talk is of companies, 1: of anything else, 5: that tells nothing; 0: unknown */
  uint16_t kinds; /* enum plan_kind */
};

struct plan_words;

/* Kept by reference; either may be empty.  NULL with *why. */
struct plan_words *plan_words_new(struct slice words, struct slice company_words, struct error_text *why);
void plan_words_free(struct plan_words *w);

/* What the folded word is, or a few of them with blanks between; all 0 where it is in no table. */
struct plan_word plan_words_of(const struct plan_words *w, const char *word);
unsigned plan_words_kinds(const struct plan_words *w, const char *word);

#endif
