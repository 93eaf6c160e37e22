/* mention_signs.h: decides whether words name a company, by a linear model over features: spelling, frequency as
 * ordinary words, size of the company, neighbouring words.  Weights are fitted by data/gen/mentions.py separately for
 * each kind of words (enum mention_sort); private to mentions.c. */
#ifndef BID_MENTION_SIGNS_H
#define BID_MENTION_SIGNS_H

#include "query/mentions.h"

/* The kind of the words themselves. */
enum mention_sort {
  SORT_RARE,   /* a single word on no list: "Netflix" */
  SORT_PROPER, /* a single name of a person or place: "Ford" */
  SORT_WORD,   /* a single ordinary word: "target" */
  SORT_WORDS,  /* several ordinary words: "best buy" */
  SORT_NAMES,  /* several, not all of them ordinary: "wells fargo" */
  SORT_TICKER, /* a ticker in capitals or after a dollar sign */
  SORT_SMALL,  /* a ticker in lower case */
  SORT_SLIP,   /* a word on no list, one typo from a name */
  SORT_COUNT
};

/* Each feature is 0 where it doesn't hold, 1 where it does, or a degree in between.  "Behind" and "before" refer to
 * the tokens adjacent to the words, unless a sentence end, a bracket or a comma is in between. */
#define MENTION_SIGNS(S)                                                                                     \
  S(always)                                                                                                  \
  S(large)        /* the company's size, by its place on the list: logarithm, 1 the largest */               \
  S(giant)        /* among the 100 largest */                                                                \
  S(tiny)         /* beyond the 3,000 largest */                                                             \
  S(core)         /* the name without words such as "group" */                                               \
  S(prefix)       /* the name's first words only */                                                          \
  S(everyday)     /* an everyday name */                                                                     \
  S(brand)        /* a brand or a unit */                                                                    \
  S(former)       /* a former name */                                                                        \
  S(common)       /* how common the least common of the words is */                                          \
  S(in_print)     /* texts that print the words in small letters: logarithm */                               \
  S(given_name)   /* the first word is a given name */                                                       \
  S(listed_name)  /* the first word is a name of a person, place or anything else in a dictionary */         \
  S(abbreviation) /* capitals that are no ticker */                                                          \
  S(brief)        /* fewer than four letters */                                                              \
  S(one_letter)                                                                                              \
  S(parted_otherwise)  /* "best buy" for BESTBUY */                                                          \
  S(capital)           /* capitals mark it as a name */                                                      \
  S(first_capital)     /* a capital where capitals tell nothing */                                           \
  S(shouted)           /* all capitals */                                                                    \
  S(possessive)        /* "Apple's" */                                                                       \
  S(dollar)            /* "$AAPL" */                                                                         \
  S(joined)            /* to a neighbour by a hyphen, or by "&" without blanks */                            \
  S(is_vocabulary)     /* itself a word of reports: "match", "block" */                                      \
  S(is_function)       /* itself a word of grammar */                                                        \
  S(behind_figure)     /* behind it: a figure or topic of reports */                                         \
  S(behind_period)     /* a period or form */                                                                \
  S(behind_second)     /* any word, and then a figure, topic, period or form */                              \
  S(behind_capital)    /* a word with a capital that is none of reports */                                   \
  S(behind_versus)     /* "vs" */                                                                            \
  S(behind_unlisted)   /* a word of no list */                                                               \
  S(behind_pair)       /* texts that print the two side by side in small letters: logarithm */               \
  S(behind_filing)     /* a word of talk about companies (data/words.tsv, leaning) */                        \
  S(percent)           /* a percent sign behind it */                                                        \
  S(begins)            /* before it: nothing */                                                              \
  S(begins_line)       /* it begins a line of search words */                                                \
  S(before_determiner) /* "the", "our" */                                                                    \
  S(before_auxiliary)  /* "does", "is" */                                                                    \
  S(before_holder)     /* "of", "at", "for", "by" */                                                         \
  S(before_where)      /* "in", "from", "to" */                                                              \
  S(before_question)   /* "what", "which" */                                                                 \
  S(before_pronoun)    /* "you", "to": a verb follows */                                                     \
  S(before_function)   /* another word of grammar */                                                         \
  S(before_opening)    /* a word that opens the sentence and is none of grammar or reports */                \
  S(before_capital)    /* a word with a capital that is none of reports */                                   \
  S(before_given)      /* a given name, or an initial */                                                     \
  S(before_title)      /* "Mr.", "director" */                                                               \
  S(filing)            /* how far the question's other words are of such talk, on average */                 \
  S(general)           /* and of other talk */                                                               \
  S(heads_line)        /* it begins a line of search words with a word of reports in it */                   \
  S(general_alone)     /* the latter, where there is no word of reports */                                   \
  S(market)            /* the question speaks of prices as a whole: "composite", "points" */                 \
  S(vocabulary)        /* words of reports in the question, of 3 */                                          \
  S(no_report)         /* no word of reports, no period or form in the question */                           \
  S(period)            /* it names a period or form */                                                       \
  S(coined) /* a single word of six letters or more that is in no dictionary and in no text in lower case */ \
  S(trade)  /* words of the company's trade in the question */                                               \
  S(no_trade)     /* no words of any trade, though the company's trades are known */                         \
  S(outside)      /* words of what no company does, of 2: "treaty", "essay" */                               \
  S(subject)      /* words that go with the company in the question, of 2 */                                 \
  S(no_subject)   /* none of these, though such words are known */                                           \
  S(other_sense)  /* words that go with the name's other meanings, of 2 */                                   \
  S(no_sense)     /* none of these, though such words are known */                                           \
  S(personal)     /* the asker speaks of himself: "my", "near me", but not "tell me" */                      \
  S(least_small)  /* texts that print the least common of several words in small letters: logarithm */       \
  S(few_words)    /* a line of five or fewer search words besides periods */                                 \
  S(behind_of)    /* "of" behind it */                                                                       \
  S(behind_where) /* "in", "after", "for" */                                                                 \
  S(then_where)   /* one of all these a word or two later: "Amazon river freight in the dry season" */       \
  S(inside)       /* a part of a longer name of a company that is none here */

struct mention_signs {
#define S(name) float name;
  MENTION_SIGNS(S)
#undef S
};

/* Computes the features of a mention whose from, to, company and way are set.  e: the matching name or ticker; NULL
 * for a typo.  inside: a longer name started at the same word and was rejected. */
enum mention_sort mention_read_signs(const struct mention_text *m, const struct mention *found,
                                     const struct directory_entry *e, int inside,
                                     struct mention_signs *signs);

/* The weight of the words outside tokens [from, to) that belong to the company's trades, and of those that
 * belong only to other trades; 0 if its trades aren't known. */
int mention_trades(const struct mention_text *m, uint32_t company, size_t from, size_t to, float *own,
                   float *other);

/* The log-odds from the features. */
double mention_weigh(enum mention_sort sort, const struct mention_signs *signs);

/* Appends the sort and the nonzero features: "word large=0.61 capital=1". */
void mention_print_signs(enum mention_sort sort, const struct mention_signs *signs, struct buf *out);

#endif
