/* rank_weights.h: made by data/gen/ranker.py; not to be edited. */
#ifndef BID_RANK_WEIGHTS_H
#define BID_RANK_WEIGHTS_H

#include "search/rank_features.h"

static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {
    {.text = 2.474F,
     .ideal = 1.607F,
     .text_rank = 1.516F,
     .vector = 4.504F,
     .vector_rank = 0.8043F,
     .year_same = 0.4464F,
     .year_next = -1.154F,
     .year_other = -0.8307F,
     .quarter_same = 0.1593F,
     .quarter_other = -0.2596F,
     .recent = 0.5698F},
    {.text = 3.894F,
     .ideal = 2.484F,
     .text_rank = 1.809F,
     .year_same = 0.4638F,
     .year_next = -0.5822F,
     .year_other = -0.978F,
     .quarter_same = 0.3901F,
     .quarter_other = -0.6628F,
     .recent = 0.2829F},
};

static const struct rank_features rank_weights[RANK_MODEL_COUNT] = {
    {.text = 1.173F,
     .text_rank = 1.244F,
     .vector = 4.452F,
     .vector_rank = 0.7424F,
     .year_same = 0.4245F,
     .year_next = -1.141F,
     .year_other = -0.9832F,
     .quarter_same = 0.08969F,
     .quarter_other = -0.1462F,
     .recent = 0.6211F,
     .coverage = 2.71F,
     .near = 1.023F,
     .line = 1.486F,
     .pair = 2.683F,
     .phrase = 1.886F,
     .phrase_amount = 0.1821F,
     .expansion = 1.658F,
     .years = 1.757F,
     .table_amount = 2.565F,
     .table_other = 1.278F,
     .line_amount = 1.266F,
     .causes = 2.258F,
     .dates = 1.721F},
    {.text = 2.424F,
     .text_rank = 1.649F,
     .year_same = 0.4189F,
     .year_next = -0.515F,
     .year_other = -1.131F,
     .quarter_same = 0.2183F,
     .quarter_other = -0.3709F,
     .recent = 0.3436F,
     .coverage = 3.471F,
     .context = 0.4906F,
     .near = 0.8545F,
     .line = 2.257F,
     .pair = 2.832F,
     .phrase = 2.565F,
     .expansion = 1.27F,
     .years = 1.799F,
     .table_amount = 2.643F,
     .table_other = 1.298F,
     .line_amount = 1.188F,
     .causes = 2.664F,
     .dates = 1.956F},
};

static const struct {
  float slope, constant;
} rank_chance[RANK_MODEL_COUNT] = {{0.4042F, -6.88F}, {0.3441F, -5.905F}};

static const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {
    {.cosine = 11.04F,
     .coverage = 0.03286F,
     .whole = 2.5F,
     .best = 0.3572F,
     .narrowed = 2.306F,
     .year_missing = -7.825F,
     .year_beyond = -2.815F,
     .name_nowhere = -3.0F,
     .name_found = 0.745F},
    {.coverage = 2.811F,
     .whole = 2.5F,
     .best = 0.4585F,
     .narrowed = 2.546F,
     .year_missing = -6.629F,
     .year_beyond = -4.417F,
     .name_nowhere = -3.0F,
     .name_found = 1.396F},
};

static const float rank_answer_constant[RANK_MODEL_COUNT] = {-7.828F, -5.225F};

#endif
