/* plan_figures.h: the figures that a question asks for, plan->figures, with the periods and the currency that its words add to the
 * windows.
 *
 * A figure of company facts answers only where the phrase around its words names nothing else.  What the question's frame
 * carries (company, period, grammar, verbs of reporting, units) is passed over; any other word either narrows the figure to
 * a part of the company ("China revenue") or makes another thing of it ("goodwill impairment").
 * data/tables/figure_grammar.tsv has the words. */
#ifndef BID_PLAN_FIGURES_H
#define BID_PLAN_FIGURES_H

#include "query/concepts.h"
#include "query/plan.h"

/* Reads a question whose forms, periods and companies are known and marked in taken[]; plan->asks and windows are set. */
void plan_find_figures(const struct concept_table *table, const struct plan_text *t, const uint8_t *taken,
                       struct plan *plan);

#endif
