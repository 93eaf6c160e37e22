/* mentions.h: finds the companies that a text names. */
#ifndef BID_MENTIONS_H
#define BID_MENTIONS_H

#include "query/directory.h"
#include "query/plan.h"
#include "query/plan_words.h"

#define MENTIONS 24
#define MENTIONS_LEFT_OUT 4
#define MENTION_SURE 0.5      /* scores above it: a company is named; */
#define MENTION_SURE_WORD 1.2 /* above it, where its words are ordinary ones, */
#define MENTION_SURE_SMALL                                                                                   \
  1.25 /* and where all are in small letters: test/quality/COMPANIES.md has what each threshold costs */
#define MENTION_MAYBE 0.0  /* scores above it: ambiguous, the user is asked */
#define MENTION_LEAST -1.5 /* above it: a name beside a certain one in a list is one too */
#define MENTION_SAID -2.5  /* above it: the words are taken for ordinary ones, and that is said */

/* Why a company is not the subject, regardless of others. */
enum mention_aside {
  ASIDE_NOT,
  ASIDE_TAKEN_BACK, /* "Ollie's? no wait, Burlington" */
  ASIDE_OPEN        /* "which suppliers depend on Walmart": the subject isn't named */
};

/* A mention of a company; its score is the sum of weighted features (mentions.c). */
struct mention {
  size_t from, to;  /* range of tokens */
  uint32_t company; /* index in the directory */
  enum plan_how how;
  int way;        /* enum directory_way */
  double score;   /* log-odds that the words name a company here */
  double margin;  /* score difference to the next likely company of these words */
  double subject; /* grammatical evidence that it is the question's subject */
  int group;      /* equal for mentions in the same enumeration */
  int possessive; /* possessive without apostrophe: "Teslas" */
  int ordinary; /* its words are ordinary ones, with no mark of a name on them, and their other meanings aren't known */
  int printed;    /* one of several words, or filings print it in small letters, as no name */
  int rare;       /* a single word that is no ordinary one and no given name: "ichor", "lennox" */
  int own_ending; /* "McDonald's": the ending is a part of the name, which need not be possessive */
  int listed;     /* adjacent to a certain mention in an enumeration */
  enum mention_aside aside;
  uint32_t rivals[PLAN_CANDIDATES]; /* companies matching these words, most likely first, including itself */
  size_t rival_count;
};

struct mentions {
  struct mention list[MENTIONS];
  size_t count;
  struct mention left_out[MENTIONS_LEFT_OUT]; /* rejected as ordinary words, though not wholly unlikely */
  size_t left_out_count;
};

/* Input of the search for mentions. */
struct mention_text {
  const struct directory *directory;
  const struct plan_words *words;
  const struct plan_text *t;
  const uint8_t *taken;   /* enum plan_taken; forms and periods are evidence */
  struct plan_word *word; /* per token: [t->count] */
  const struct plan_trades *trades;
  const uint64_t *trade; /* per token: the trades that it is a word of */
  struct slice senses;   /* plan_words.h */
  size_t vocabulary;     /* number of tokens in the vocabulary of reports */
  int period;            /* names a period or a form, so asks for a report's contents */
  int compares;          /* the question compares */
  int capitals_tell;     /* capitals mark names here: some but not all words have them */
  int telegraphic;       /* keywords instead of a sentence */
  struct buf *signs;     /* a line per candidate considered, for fitting the weights; or NULL */
};

/* Finds companies named by the words, from left to right, including counterparties; of overlapping mentions the
 * longest. */
void mentions_find(const struct mention_text *m, struct mentions *out);

/* ---- lists ---- */

#define MENTION_PERSON 1.5 /* score of the name of who leads a company, where reports are asked for */
#define MENTION_GAP_LIST (GAP_COMMA | GAP_SLASH | GAP_PLUS)

/* Words that list companies side by side: those between mentions a and b.  A preposition may stand before each: "better at
 * Kemper or at Hanover".  A comma behind an "and" ends the list: "Teekay and Frontline, spot rates"; *closed, 0 before the
 * first pair of a list, remembers the "and". */
int mention_joins(const struct mention_text *m, const struct mention *a, const struct mention *b,
                  int *closed);

/* Changes the scores: names in an enumeration support each other, and so does a name next to a doubtful one, and one of the
 * same company elsewhere, especially by another name: "Krystal Vyjuvek". */
void mention_lists_support(const struct mention_text *m, struct mentions *list);

/* ---- subjects ---- */

/* Sets subject, group and aside of each mention. */
void mention_subjects_weigh(const struct mention_text *m, struct mentions *list);

/* Whether mention i is a subject of the question. */
int mention_is_subject(const struct mentions *list, size_t i);

#endif
