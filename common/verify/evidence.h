/* evidence.h: the numbers in passages and facts, each with its label, year and location. */
#ifndef BID_EVIDENCE_H
#define BID_EVIDENCE_H

#include "base/buf.h"
#include "query/concepts.h"
#include "text/terms.h"
#include "text/numbers.h"

#define EVIDENCE_WORDS 40 /* words of a label that are used */

struct evidence_words { /* hashes of stems */
  uint64_t hash[EVIDENCE_WORDS];
  size_t count;
};

/* What a number says of its line. */
enum evidence_kind {
  KIND_AMOUNT,  /* of money, or of anything where its text doesn't tell */
  KIND_COUNT,   /* of shares */
  KIND_EACH,    /* an amount per share, per pound and the like */
  KIND_CHANGE,  /* an amount by which something rose or fell */
  KIND_PERCENT, /* a level or a share */
  KIND_GROWTH,  /* a change in percent */
  KIND_POINTS   /* a change of a level in percent */
};

struct evidence_when {
  int year;     /* 0 where not stated */
  int row_year; /* another year in its row's label: "Notes due 2026"; else 0 */
  int months;   /* length of the period, 0 where not stated */
  int ends;     /* in a table: the month, 1 to 12, in the head of its column; else 0 */
  int day;      /* of the nearest date: 100 for each month and the day, 0 where there is none */
  int quarter;  /* of a fact; 0 for a year */
};

struct evidence_scale {
  double caption; /* factor from the table's caption, or 1 */
  double shares;  /* factor for share counts in that table */
  int captioned;  /* the caption's factor is sure to be its own */
  int any;        /* a table without caption: may be in thousands or millions */
};

struct evidence_cell { /* of a table; a fact has its core alone */
  size_t column;
  size_t core; /* how many of the words, the first ones, name the line: "Sales" of "Sales, net of returns" */
  struct slice head;  /* the header of its column */
  struct slice under; /* the heading above its row */
  struct slice of;    /* the label of the total below its row, "Total net sales" */
  int named;          /* the head has words other than those of a period */
  int flow;           /* from a statement of cash flows, whose rows are changes */
  int part;           /* its row is below a heading of the table, "Americas:", and may be a part */
  int titled;         /* its row has no words of its own; those of the table's title stand for them */
};

struct evidence_prose {        /* of a sentence */
  struct evidence_words local; /* the words before and after the number */
  struct evidence_words
      others; /* those of the other parts of a list, "Cardinal" of McKesson's figure in "McKesson and Cardinal had
                                   18.0% and 14.1%, respectively" */
  struct slice front, behind; /* its own words on both sides of the number */
  struct slice subject; /* the front that it shares with the number before: "$2 before tax and $3 after it" */
  size_t list;          /* how many numbers are in its list, "$1, $2 and $4" */
  size_t first,
      place; /* index of the list's first number in the sentence, and its own place in the list, from 0 */
};

struct evidence_item {
  enum evidence_kind kind;
  double value; /* as printed, with its own scale word */
  double last;  /* value of its last digit, without the caption's factor */
  struct evidence_scale scale;
  struct evidence_when when;
  struct evidence_cell cell;
  struct evidence_prose prose;
  int percent, points; /* as in numbers.h */
  int currency;        /* as in numbers.h; 0 where not stated */
  int money;           /* the currency of its passage, where that has only one; else 0 */
  int direction;       /* 1 where its sentence or column calls it an increase, -1 a decrease */
  int shares;          /* a number of shares */
  int in_table;
  int field;                   /* alone behind the label of a form's field, which does not say its unit */
  int mark;                    /* of its passage; 0 for a fact */
  size_t row;                  /* the same for all items of a table row or a sentence */
  struct evidence_words words; /* of its label or sentence */
  struct evidence_words
      place; /* in a table: words of the column and the heading above; else of the context */
  const struct concept_word *concept; /* entry of the label in data/concepts.tsv, or NULL */
  int whole;                          /* the label is exactly that entry, apart from "Total" and the like */
  struct slice printed;               /* the number in its passage; empty for a fact */
  struct slice label, accession, cik; /* valid as long as the input texts; accession and cik for a fact */
};

enum { EVIDENCE_OPERANDS = 8 };

/* How a number was computed: the figures that it took, and what of them it is: "change", "share", "difference", "sum",
 * "average", "quotient", "product", "rest" (100% without a part) or "ratio", by a formula of data/concepts.tsv. */
struct claim_computation {
  const struct evidence_item *operands[EVIDENCE_OPERANDS];
  size_t count;
  const char *relation;
};

/* How many lines of tables have a stem: an open table whose size is a power of two, at most half full. */
struct evidence_lines {
  struct evidence_line {
    uint64_t hash;
    size_t count;
  } * slots;
  size_t size, used;
  size_t lines;
};

/* A sentence of a passage, or the label of a row. */
struct evidence_text {
  struct slice text;
  int mark, has_words; /* read only once a statement needs them */
  struct evidence_words words;
};

struct evidence {
  const struct concept_table *table;
  struct evidence_lines lines, all; /* of tables; with the sentences that have numbers */
  struct terms *terms;
  struct evidence_item *items;
  struct evidence_text *texts;
  size_t count, rows, text_count;
};

void evidence_init(struct evidence *e, const struct concept_table *table);
void evidence_release(struct evidence *e);

/* Adds the numbers of a passage's text (Markdown); context may contain the caption. */
void evidence_add_passage(struct evidence *e, int mark, struct slice text, struct slice context);

/* A fact of a company: `months` of its span, 0 for a balance; `quarter` 1 to 4, 0 for a year. */
struct evidence_fact {
  struct slice label, accession, cik;
  double value;
  int percent, year, months, quarter;
  int currency; /* as in numbers.h; 0 where it is no amount of money */
};

/* Adds a fact.  Those of one label, company and length that are added one after the other are a row. */
void evidence_add_fact(struct evidence *e, const struct evidence_fact *fact);

/* ---- which kind of number a figure or a claim is, and which kinds can be held against each other ---- */

enum evidence_kind evidence_kind_of(const struct evidence_item *item);

/* Of a number of a sentence; direction: 1 or -1 where it is told as an increase or a decrease. */
enum evidence_kind evidence_kind_told(const struct stated_number *n, struct slice text, int direction);

/* Whether a figure could be meant by a claim of a kind, so that it may contradict it: growth is neither a level nor a
 * share, an amount per share no total. */
int evidence_kind_rivals(enum evidence_kind told, enum evidence_kind item);

#endif
