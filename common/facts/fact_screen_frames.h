/* fact_screen_frames.h: the facts of all companies in a calendar period, from the SEC's frames, each company's as a
 * struct fact_company, so that measure.h computes figures for them as for one. */
#ifndef BID_FACT_SCREEN_FRAMES_H
#define BID_FACT_SCREEN_FRAMES_H

#include "facts/concepts.h"
#include "facts/fact_screen_rule.h"
#include "facts/fact.h"

enum { FRAMES_CONCEPTS = 128 };

struct screen_frames {
  struct concept_table words; /* those that the rules need, to be used in place of the whole table */
  struct slice concepts[FRAMES_CONCEPTS];
  size_t word_of
      [FRAMES_CONCEPTS]; /* the word, from 1, that each is an alternative of; 0: it stands in a formula */
  size_t concept_count;
  int growth;                /* a figure of the period before is needed, too */
  int year, quarter;         /* the calendar period; quarter 0: the year */
  struct fact_company *list; /* the companies, by their CIK */
  size_t count;
  struct fact_company keep;  /* memory of texts */
  struct buf absent;         /* "NAME, ...": concepts without a frame, for a message */
  size_t failed;             /* frames that may exist and could not be fetched, */
  struct error_text failure; /* and why the first could not */
};

/* Finds the words and concepts that the rules need.  period: "2024", "FY-2024", "CY2024", "CY2024Q1", "Q1-2024".  Release s. */
void fact_screen_frames_init(struct screen_frames *s, const struct concept_table *table,
                             const struct screen_rules *rules, const char *period);
void fact_screen_frames_release(struct screen_frames *s);

/* Fetches the frames; afterwards the companies are settled (fact_company_settle). */
void fact_screen_frames_load(struct screen_frames *s);

/* The frame's name: "CY2024", "CY2024Q1". */
void fact_screen_frames_name(const struct screen_frames *s, char out[16]);

#endif
