/* query.h: a question's search terms: terms and phrases, thesaurus expansions, years and quarters.  What it is about
 * (companies, forms, periods) is determined by plan.h.
 *
 *     struct query q;
 *     query_init(&q);
 *     if (query_parse(&q, text, terms, thesaurus) == 0) {
 *       query_mark_name(&q, name);     // optional: words that name a company
 *       query_finish(&q);              // weights: q.terms is ready
 *     }
 *     query_release(&q);
 *
 * A query can be reused by another query_parse().  Unusual questions are accepted: empty, only function words, an
 * unclosed quotation mark (ignored), control characters (read as blanks).
 */
#ifndef BID_QUERY_H
#define BID_QUERY_H

#include "base/buf.h"
#include "text/terms.h"
#include "text/thesaurus.h"

#include <stdint.h>

#define QUERY_BYTES ((size_t)64 << 10) /* limit of a question */
#define QUERY_TOKENS 512               /* limit of tokens; further ones of a 10 KB question are ignored */
#define QUERY_TERMS 192                /* limit of distinct terms, including expansions */
#define QUERY_PHRASES 64
#define QUERY_SPELLINGS 16
#define QUERY_ROUTES 8 /* limit of forms and of years in a question */

enum query_kind {
  QUERY_WORD,     /* a word or number of the question */
  QUERY_YEAR,     /* a year of the question */
  QUERY_LIGHT,    /* carries little information: "company", "amount", "year" */
  QUERY_FILLER,   /* about the form of the answer: "please", "respond", "decimal" */
  QUERY_ROUTED,   /* names a company or form to which the search is restricted */
  QUERY_EVERYDAY, /* part of a thesaurus trigger that filings word differently: "top line" */
  QUERY_STOP,     /* a function word */
  QUERY_EXPANSION /* a word of a thesaurus phrase */
};

struct query_token {
  uint32_t stem, stem_len; /* in q->own */
  uint32_t start, end;     /* range in q->text */
  uint32_t position;
  uint8_t kind; /* enum query_kind */
};

struct query_term {
  struct slice text; /* in q->own */
  float weight;      /* 0 to 1 */
  uint8_t kind;
};

/* Terms that must be adjacent (in expansions, function words in between are ignored). */
struct query_phrase {
  uint16_t first, count; /* range in q->sequence */
  uint8_t quoted;        /* 1: passages without it are excluded; 0: from the thesaurus, optional */
  uint8_t outside;       /* what filings rarely mention (PLACE_OUTSIDE); adds no term */
};

/* An abbreviation, tokens [first, first + count), and its expansion. */
struct query_spelling {
  uint16_t first, count;
  struct slice phrase; /* in the thesaurus's text */
};

struct query_company {
  const char *name, *ticker, *cik; /* as in struct store_company */
};

/* The store's lists; entry 0 of each is "unknown". */
struct query_known {
  const struct query_company *companies;
  size_t company_count;
  const char *const *forms;
  size_t form_count;
};

struct query {
  struct buf text; /* the question, trimmed, with control characters as blanks */
  struct buf own;  /* memory of stems and phrase words */
  struct query_token tokens[QUERY_TOKENS];
  size_t token_count;
  struct query_term terms[QUERY_TERMS];
  size_t term_count;
  struct slice sequence[QUERY_TERMS * 2]; /* terms of the phrases */
  size_t sequence_count;
  struct query_phrase phrases[QUERY_PHRASES];
  size_t phrase_count;
  struct query_spelling spellings[QUERY_SPELLINGS];
  size_t spelling_count;
  unsigned places; /* enum thesaurus_place */
  int asks_cause;  /* "why", "what drove": asks for reasons */
  int asks_date;   /* "when", "until": asks for a date */
  int asks_amount; /* "how much", "what was", a ratio, a growth rate: asks for numbers */

  int16_t years[QUERY_ROUTES]; /* years mentioned, ascending, including those that are not a report's period:
                         evidence only */
  size_t year_count;
  uint8_t quarters;                 /* bit 0: first quarter ... bit 3; 0: none named */
  int form_named;                   /* the plan's forms were named */
  uint16_t forms[QUERY_ROUTES * 4]; /* numbers in query_known, from the plan */
  size_t form_count;
  struct buf notes; /* decisions and their reasons: comma-separated JSON strings */
};

void query_init(struct query *q);
void query_release(struct query *q);

/* thesaurus may be NULL.  0, or -1 where the text is longer than QUERY_BYTES. */
int query_parse(struct query *q, struct slice text, struct terms *terms, const struct thesaurus *thesaurus);

/* Marks the words of a name wherever they occur adjacently: they tell whom the question is about, not what it asks. */
void query_mark_name(struct query *q, struct slice name);

/* Takes over a quarter, 1 to 4, of the plan: passages may spell it out. */
void query_take_quarter(struct query *q, struct terms *terms, int quarter);

/* Converts the tokens to weighted terms.  If no word has full weight, light ones and fillers are used. */
void query_finish(struct query *q);

/* Whether texts use the word with this stem as an ordinary word, not only as a name. */
int query_is_ordinary(struct slice stem);

/* Finds the companies for an option's text: a ticker, a CIK with or without leading zeros, a name or its beginning,
 * in any case.  Fills numbers[max]; returns how many. */
size_t query_find_companies(const struct query_known *known, const char *text, uint32_t *numbers, size_t max);

/* Finds the forms for a name: "10-K" includes its variants (10-K/A, 10-KT, 10-K405), "10-K/A" only itself. */
size_t query_find_forms(const struct query_known *known, const char *name, uint16_t *numbers, size_t max);

/* ---- the distinctive part of a company's name ---- */

#define NAME_WORDS 8
#define NAME_JOINED 64 /* limit of letters of a name compared without blanks */

/* The distinctive words of a company's name. */
struct query_core {
  struct slice word[NAME_WORDS]; /* of the name, as written */
  size_t count;
};

void query_core_of(const char *name, struct query_core *core);

/* Words that end a name without being part of it; ended by NULL. */
extern const char *const query_suffixes[];

/* A word without its possessive ending, "Apple's". */
struct slice query_bare(struct slice raw);

/* Joins the letters and digits of the first n words of a core in lower case; returns the length, 0 where they don't
 * fit or there are none. */
size_t query_join_core(const struct query_core *core, size_t n, char out[NAME_JOINED]);

#endif
