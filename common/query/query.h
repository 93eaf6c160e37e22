/* query.h: the words of a question that are looked for: terms and phrases, what the thesaurus adds, years and quarters.
 * What it is about (companies, forms, periods) is plan.h's.
 *
 *     struct query q;
 *     query_init(&q);
 *     if (query_parse(&q, text, terms, thesaurus) == 0) {
 *       query_mark_name(&q, name);     // optional: words that name a company
 *       query_finish(&q);              // weights: q.terms is ready
 *     }
 *     query_release(&q);
 *
 * A query can be used again after query_parse() with another text.  Odd questions are fine: empty ones, only
 * function words, an unclosed quotation mark (which is then no mark), control characters (read as blanks).
 */
#ifndef BID_QUERY_H
#define BID_QUERY_H

#include "base/buf.h"
#include "text/terms.h"
#include "text/thesaurus.h"

#include <stdint.h>

#define QUERY_BYTES ((size_t)64 << 10) /* of a question */
#define QUERY_TOKENS 512               /* the first ones count; a question of 10 KB has more */
#define QUERY_TERMS 192                /* different terms, expansions included */
#define QUERY_PHRASES 64
#define QUERY_SPELLINGS 16
#define QUERY_ROUTES 8 /* forms, years of a question */

enum query_kind {
  QUERY_WORD,     /* a word or number of the question */
  QUERY_YEAR,     /* a year of the question */
  QUERY_LIGHT,    /* says little: "company", "amount", "year" */
  QUERY_FILLER,   /* says how to answer, not what about: "please", "respond", "decimal" */
  QUERY_ROUTED,   /* names a company or form that the search was narrowed to */
  QUERY_EVERYDAY, /* a word of a trigger that filings put otherwise: "top line" */
  QUERY_STOP,     /* a function word */
  QUERY_EXPANSION /* a word of a thesaurus phrase */
};

struct query_token {
  uint32_t stem, stem_len; /* in q->own */
  uint32_t start, end;     /* bytes of q->text */
  uint32_t position;
  uint8_t kind, upper; /* enum query_kind; upper: all of its letters are capitals */
};

struct query_term {
  struct slice text; /* in q->own */
  float weight;      /* 0 to 1 */
  uint8_t kind;
};

/* Terms that have to stand side by side (function words between them don't count in expansions). */
struct query_phrase {
  uint16_t first, count; /* of q->sequence */
  uint8_t quoted;        /* 1: passages without it are left out; 0: from the thesaurus, a hint */
};

/* An abbreviation, tokens [first, first + count), and what it stands for. */
struct query_spelling {
  uint16_t first, count;
  struct slice phrase; /* in the thesaurus's text */
};

struct query_company {
  const char *name, *ticker, *cik; /* as struct store_company */
};

/* What the store knows; entry 0 of a list is "unknown". */
struct query_known {
  const struct query_company *companies;
  size_t company_count;
  const char *const *forms;
  size_t form_count;
};

struct query {
  struct buf text; /* the question, control characters as blanks, trimmed */
  struct buf own;  /* stems and phrase words */
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
  unsigned named;  /* those that are named as such: "from the balance sheet" */
  int asks_cause;  /* "why", "what drove": an answer that gives reasons */
  int asks_date;   /* "when", "until": an answer that holds a day */
  int asks_amount; /* "how much", "what was", a ratio, a growth rate: an answer made of numbers */

  int16_t years
      [QUERY_ROUTES]; /* as said, ascending, even ones that are no period of a report: evidence, not a choice */
  size_t year_count;
  uint8_t quarters;                 /* bit 0: first quarter ... bit 3; 0: none named */
  int form_named;                   /* the plan's forms are named */
  uint16_t forms[QUERY_ROUTES * 4]; /* of query_known, as the plan has them */
  size_t form_count;
  struct buf notes; /* what was decided and why: JSON strings with commas between */
};

void query_init(struct query *q);
void query_release(struct query *q);

/* thesaurus may be NULL.  0, or -1 where the text is longer than QUERY_BYTES. */
int query_parse(struct query *q, struct slice text, struct terms *terms, const struct thesaurus *thesaurus);

/* Takes the words of a name for what they are, wherever the question has them one behind the other: they tell whom
 * the question is about, not what. */
void query_mark_name(struct query *q, struct slice name);

/* Turns the tokens into weighted terms.  Without any word of weight the light ones and fillers count. */
void query_finish(struct query *q);

/* What the question calls by name: a company, a person, a place, a product; tokens [first, first + count).
 * Words that query_mark_name() marked don't count.  Fills names[max]; returns how many. */
struct query_name {
  uint16_t first, count;
};
/* Whether texts use the word of this stem as an ordinary one, not as a name. */
int query_is_ordinary(struct slice stem);

size_t query_find_names(const struct query *q, struct query_name *names, size_t max);

/* Companies that TEXT (of an option) means: a ticker, a CIK with or without leading zeros, a name or its
 * beginning; letters' case doesn't count.  Fills numbers[max]; returns how many. */
size_t query_find_companies(const struct query_known *known, const char *text, uint32_t *numbers, size_t max);

/* Forms that NAME means: "10-K" is 10-K and its kin (10-K/A, 10-KT, 10-K405), "10-K/A" itself only. */
size_t query_find_forms(const struct query_known *known, const char *name, uint16_t *numbers, size_t max);

#endif
