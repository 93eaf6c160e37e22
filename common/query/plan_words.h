/* plan_words.h: properties of words: frequency as ordinary words, names, abbreviations, pairs (data/words.tsv), and
 * the vocabulary of companies and their reports (data/company_words.tsv). */
#ifndef BID_PLAN_WORDS_H
#define BID_PLAN_WORDS_H

#include "base/buf.h"
#include "base/diag.h"
#include "text/plan_text.h"

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

/* ---- trades (data/trades.tsv): "toro" near "mowers" is the company, "crocs" near "wild" is not ----
 *
 * A set of trades is a mask of 64 bits; 0: nothing is known. */

struct plan_trades;

/* The bytes of trades.tsv, whose rows ascend by their bytes, kept by reference; may be empty. */
struct plan_trades *plan_trades_new(struct slice tsv);
void plan_trades_free(struct plan_trades *t);

/* The trades of a folded word, in the singular or plural. */
uint64_t plan_trades_of_word(const struct plan_trades *t, const char *fold);

/* The trades of a company: by its CIK, else by the words of its name. */
uint64_t plan_trades_of_company(const struct plan_trades *t, uint32_t cik, struct slice name);

/* The trade of words about what no company does ("treaty", "essay"); it has no companies. */
uint64_t plan_trades_outside(const struct plan_trades *t);

/* How specific a word of these trades is: 1 for few trades, less for many, 0 for none. */
float plan_trades_weight(uint64_t trades);

/* ---- senses (data/senses.tsv): "gap" near "denim" is the company, near "insurance" it is not ---- */

/* The words that go with a company, or with the other meanings of a name, whose key is directory_key()'s, with or without
 * an s at its end; empty where the table has none.  table: the bytes of senses.tsv, whose lines ascend by their bytes. */
struct slice plan_senses_of_company(struct slice table, uint32_t cik);
struct slice plan_senses_of_name(struct slice table, const char *key);

/* Whether a token is one of these words, in the singular or plural. */
int plan_senses_have(struct slice words, const struct plan_token *token);

#endif
