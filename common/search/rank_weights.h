/* rank_weights.h: made by data/gen/ranker.py; not to be edited. */
#ifndef BID_RANK_WEIGHTS_H
#define BID_RANK_WEIGHTS_H

#include "search/rank_features.h"

static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {
    {.text = 3.475F,
     .ideal = 1.106F,
     .text_rank = 1.308F,
     .vector = 5.004F,
     .vector_rank = 0.2967F,
     .year_same = 0.507F,
     .year_next = -1.175F,
     .year_other = -1.195F,
     .quarter_same = 0.1677F,
     .quarter_other = -0.258F,
     .recent = 0.5146F},
    {.text = 3.94F,
     .ideal = 2.244F,
     .text_rank = 1.942F,
     .year_same = 0.456F,
     .year_next = -0.788F,
     .year_other = -1.12F,
     .quarter_same = 0.4255F,
     .quarter_other = -0.688F,
     .annual = 0.02117F},
};

static const struct rank_features rank_weights[RANK_MODEL_COUNT] = {
    {.text = 2.087F,
     .text_rank = 0.813F,
     .vector = 4.454F,
     .vector_rank = 0.4583F,
     .year_same = 0.4396F,
     .year_next = -1.115F,
     .year_other = -1.373F,
     .quarter_same = 0.1105F,
     .quarter_other = -0.1701F,
     .recent = 0.4802F,
     .coverage = 2.905F,
     .near = 0.2164F,
     .line = 2.204F,
     .pair = 1.654F,
     .phrase = 1.793F,
     .phrase_amount = 0.01813F,
     .expansion = 1.467F,
     .years = 1.406F,
     .table_amount = 2.964F,
     .table_other = 1.355F,
     .line_amount = 0.6349F},
    {.text = 2.808F,
     .text_rank = 1.775F,
     .year_same = 0.4223F,
     .year_next = -0.8418F,
     .year_other = -1.383F,
     .quarter_same = 0.2782F,
     .quarter_other = -0.4499F,
     .recent = 0.0285F,
     .coverage = 2.763F,
     .context = 0.1409F,
     .near = 0.3219F,
     .line = 2.262F,
     .pair = 1.919F,
     .phrase = 1.971F,
     .phrase_amount = 0.2895F,
     .expansion = 1.619F,
     .years = 1.542F,
     .table_amount = 2.216F,
     .table_other = 0.9143F,
     .line_amount = 1.75F},
};

static const struct {
  float slope, constant;
} rank_chance[RANK_MODEL_COUNT] = {{0.3894F, -6.883F}, {0.3911F, -5.972F}};

static const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {
    {.cosine = 15.79F,
     .coverage = 0.6587F,
     .whole = 2.5F,
     .best = 0.3648F,
     .narrowed = 1.731F,
     .year_missing = -5.914F,
     .year_beyond = -4.023F,
     .name_nowhere = -3.0F,
     .name_found = 0.5257F},
    {.coverage = 3.108F,
     .whole = 2.5F,
     .best = 0.5508F,
     .narrowed = 2.704F,
     .year_missing = -5.33F,
     .year_beyond = -5.522F,
     .name_nowhere = -3.0F,
     .name_found = 1.46F},
};

static const float rank_answer_constant[RANK_MODEL_COUNT] = {-10.14F, -6.21F};

#endif
