/* evidence_words.h: the words of labels and sentences, as stems, and how many lines of the evidence have each. */
#ifndef BID_EVIDENCE_WORDS_H
#define BID_EVIDENCE_WORDS_H

#include "verify/evidence.h"

/* The stems of a text, at most EVIDENCE_WORDS, without words that don't identify a line; evidence_words_add() keeps
 * those that the list has. */
void evidence_words_of(const struct evidence *e, struct evidence_words *w, struct slice text);
void evidence_words_add(const struct evidence *e, struct evidence_words *w, struct slice text);

/* The words of a text that begin with the letters of an abbreviation, in a row: "gross margin" for "GM"; empty where it has none. */
struct slice evidence_initials(struct slice text, struct slice word);

int evidence_has_word(const struct evidence_words *w, uint64_t hash);

/* The words of a list that another one lacks. */
struct evidence_words evidence_words_without(const struct evidence_words *w,
                                             const struct evidence_words *other);

/* The share of the shorter list that the longer one contains. */
double evidence_overlap(const struct evidence_words *a, const struct evidence_words *b, size_t *common);

/* A label without its notes: "Agency revenues" of "Agency revenues (note 1)", "Services" of "Services (1)(b)". */
struct slice evidence_without_note(struct slice label);

/* What names a line, without what only qualifies it: "Sales" of "Sales, net of returns (note 2)". */
struct slice evidence_core(struct slice label);

/* A label's entry in the table, ignoring a leading "Total"; NULL where there is none. */
const struct concept_word *evidence_whole_label(const struct concept_table *t, struct slice label);

/* The longest word of the table in a label; NULL where it has none. */
const struct concept_word *evidence_concept(const struct evidence *e, struct slice label);

/* Counts a line with these words.  evidence_lines_with(): how many of the lines have a stem. */
void evidence_count_line(struct evidence_lines *l, const struct evidence_words *words);
size_t evidence_lines_with(const struct evidence_lines *l, uint64_t hash);

#endif
