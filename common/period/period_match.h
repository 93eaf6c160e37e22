/* period_match.h: matches the rules of a grammar, data/tables/period_grammar.tsv or another one in its notation.
 *
 *     period_text_read(&pt, &period_grammar, tokens, taken);
 *     int slot[SLOTS] = {0};
 *     size_t used = period_rule_at(&pt, PERIOD_RULE_YEAR, i, slot);   // tokens; slot[SLOT_YEAR] is the year
 */
#ifndef BID_PERIOD_MATCH_H
#define BID_PERIOD_MATCH_H

#include "tables/period_grammar.h"
#include "text/plan_text.h"

#define PERIOD_PIECES (2 * PLAN_TOKENS)

/* What a rule finds out; the table's settings use these names in small letters. */
enum period_slot {
  SLOT_NONE,
  SLOT_KIND, /* enum period_kind */
  SLOT_PART, /* enum period_part */
  SLOT_YEAR,
  SLOT_HOW, /* enum period_year_kind */
  SLOT_MONTH,
  SLOT_DAY,
  SLOT_COUNT,
  SLOT_MONTHS, /* length */
  SLOT_DAYS,   /* length */
  SLOT_HOURS,
  SLOT_NTH,
  SLOT_LEAD, /* enum period_lead, or enum period_span of ITEM_SPAN */
  SLOT_BEFORE,
  SLOT_BEGINS,  /* the day is the first one */
  SLOT_SAID,    /* the length is said in months */
  SLOT_OF_PART, /* the length is the part's */
  SLOT_COUNTED,
  SLOT_TO_DATE,
  SLOT_ALONE, /* "a year ago" without a unit */
  SLOT_AT_END,
  SLOT_AGO,
  SLOT_YOY,
  SLOT_WHY, /* enum period_bad */
  SLOTS
};

/* Words before a span of days or months, and why a period is none: values of settings. */
enum period_span { SPAN_DAY, SPAN_LAST, SPAN_PAST, SPAN_PREVIOUS, SPAN_THIS };
enum period_bad { BAD_NONE, BAD_QUARTER, BAD_QUARTER_AGO, BAD_OLDEST, BAD_DATE };

/* A run of letters or of digits of a token. */
struct period_piece {
  uint16_t of;                  /* the token */
  uint16_t word, bare;          /* numbers of the grammar's words, without a possessive s; 0: none of them */
  uint8_t glued;                /* touches the piece before */
  uint8_t digits;               /* how many; 0: letters */
  int number;                   /* their value; -1: too many digits */
  uint64_t asked[2], begins[2]; /* bits of the first 128 rules: whether a row of one can begin here */
};

/* An element of a pattern; data/gen/grammar.awk writes it. */
enum period_element_type {
  ELEMENT_WORD,
  ELEMENT_RULE,
  ELEMENT_NUMBER,
  ELEMENT_COUNT, /* digits or words */
  ELEMENT_YYYY,
  ELEMENT_YY, /* two or four digits */
  ELEMENT_Y2,
  ELEMENT_YYYYMMDD,
  ELEMENT_FORM, /* what a token was taken for, in the order of enum plan_taken */
  ELEMENT_PERIOD,
  ELEMENT_COMPANY,
  ELEMENT_FIGURE,
  ELEMENT_ANY,
  ELEMENT_DIGITS,
  ELEMENT_DIGITS_LATER,
  ELEMENT_FROM,
  ELEMENT_TO,
  ELEMENT_TO_KEPT
};
enum period_element_flag {
  FLAG_OPTIONAL = 1,
  FLAG_REPEATED = 2,
  FLAG_NOT = 4,
  FLAG_BEHIND = 8,
  FLAG_CAPITAL = 16
};
enum period_setting_op { OP_SET, OP_COPY, OP_TIMES, OP_WEEKS };

struct period_element {
  uint8_t type;
  char gap;
  uint8_t flags;
  uint16_t number; /* of the set or rule */
  int low, high;
  uint8_t slot;
};

struct period_setting {
  uint8_t slot, op;
  int value;
};

struct period_row {
  uint16_t element, elements, setting, settings;
  unsigned condition;
};

struct period_rule {
  uint16_t row, rows;
};

/* A table as data/gen/grammar.awk compiles it; words ascending, `groups` numbers of bits for each set. */
struct period_grammar {
  const char *const *words;
  size_t word_count, groups;
  const uint32_t *sets;
  const struct period_element *elements;
  const struct period_setting *settings;
  const struct period_row *rows;
  const struct period_rule *rules;
};
extern const struct period_grammar period_grammar;

struct period_text {
  const struct period_grammar *g;
  const struct plan_text *t;
  const uint8_t *taken; /* enum plan_taken of each token, or NULL */
  size_t count;
  struct period_piece piece[PERIOD_PIECES];
  uint16_t first[PLAN_TOKENS + 1]; /* the first piece of each token */
};

/* The range of tokens that a row takes. */
struct period_range {
  size_t from, to;
};

/* All are kept by reference. */
void period_text_read(struct period_text *pt, const struct period_grammar *g, const struct plan_text *t,
                      const uint8_t *taken);

/* Whether token i, which may be beyond the last one, is of a class of words (PERIOD_CLASS_...). */
int period_word_is(const struct period_text *pt, size_t i, unsigned set);

/* Matches a rule from token i on; the number of tokens, 0 for none. */
size_t period_rule_at(const struct period_text *pt, unsigned rule, size_t i, int slot[SLOTS]);

/* Matches row *row of the rule `items` or a later one at token i, and sets *row to it: 1, or 0.  given: bits of enum
 * period_given. */
int period_item_at(const struct period_text *pt, unsigned items, size_t i, unsigned given, unsigned *row,
                   struct period_range *range, int slot[SLOTS]);

#endif
