/* rank_weights.h: made by data/gen/ranker.py; not to be edited. */
#ifndef BID_RANK_WEIGHTS_H
#define BID_RANK_WEIGHTS_H

#include "search/rank_features.h"

static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {
    {.text = 3.05F,
     .ideal = 1.232F,
     .text_rank = 1.468F,
     .vector = 4.11F,
     .vector_rank = 0.4373F,
     .year_same = 0.4595F,
     .year_next = -0.3499F,
     .year_other = -1.7F,
     .recent = 0.3326F},
    {.text = 4.063F,
     .ideal = 2.213F,
     .text_rank = 1.753F,
     .year_same = 0.5092F,
     .year_next = -0.3911F,
     .year_other = -1.901F},
};

static const struct rank_features rank_weights[RANK_MODEL_COUNT] = {
    {.text = 1.26F,
     .text_rank = 1.018F,
     .vector = 3.738F,
     .vector_rank = 0.6382F,
     .year_same = 0.412F,
     .year_next = -0.6471F,
     .year_other = -1.558F,
     .recent = 0.3707F,
     .coverage = 3.9F,
     .near = 0.3962F,
     .line = 2.023F,
     .pair = 3.51F,
     .phrase = 1.787F,
     .expansion = 1.294F,
     .years = 1.041F,
     .table_amount = 2.218F,
     .table_other = 1.078F,
     .line_amount = 1.759F},
    {.text = 2.522F,
     .ideal = 0.02581F,
     .text_rank = 1.618F,
     .year_same = 0.4604F,
     .year_next = -0.7073F,
     .year_other = -1.721F,
     .coverage = 4.042F,
     .near = 0.1135F,
     .line = 1.314F,
     .rare = 0.2331F,
     .pair = 3.368F,
     .phrase = 1.777F,
     .expansion = 1.332F,
     .years = 1.162F,
     .table_amount = 1.846F,
     .table_other = 1.022F,
     .line_amount = 3.116F},
};

static const struct {
  float slope, constant;
} rank_chance[RANK_MODEL_COUNT] = {{0.3066F, -6.068F}, {0.3018F, -5.508F}};

static const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {
    {.cosine = 14.59F,
     .whole = 2.5F,
     .best = 0.2365F,
     .narrowed = 3.005F,
     .year_missing = -6.151F,
     .year_beyond = -4.729F,
     .name_nowhere = -3.0F,
     .name_found = 1.412F},
    {.coverage = 0.3339F,
     .whole = 2.5F,
     .best = 0.5472F,
     .narrowed = 3.927F,
     .year_missing = -5.666F,
     .year_beyond = -4.452F,
     .name_nowhere = -3.0F,
     .name_found = 2.559F},
};

static const float rank_answer_constant[RANK_MODEL_COUNT] = {-8.338F, -5.287F};

#endif
