/* rank_weights.h: made by data/gen/ranker.py; not to be edited. */
#ifndef BID_RANK_WEIGHTS_H
#define BID_RANK_WEIGHTS_H

#include "search/rank_features.h"

static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {
    {.text = 2.532F,
     .ideal = 1.384F,
     .text_rank = 1.638F,
     .vector = 3.794F,
     .vector_rank = 0.8829F,
     .year_same = 0.3681F,
     .year_next = -0.9142F,
     .year_other = -0.5461F,
     .quarter_same = 0.3051F,
     .quarter_other = -0.5095F,
     .recent = 0.08812F,
     .cover = -0.1693F,
     .list = -1.026F},
    {.text = 3.331F,
     .ideal = 2.599F,
     .text_rank = 2.073F,
     .year_same = 0.4371F,
     .year_next = -0.7052F,
     .year_other = -0.8076F,
     .quarter_same = 0.5367F,
     .quarter_other = -0.9147F,
     .recent = 0.07065F,
     .cover = -0.9498F,
     .list = -1.248F},
};

static const struct rank_features rank_weights[RANK_MODEL_COUNT] = {
    {.text = 1.028F,
     .text_rank = 1.242F,
     .vector = 3.577F,
     .vector_rank = 0.8713F,
     .year_same = 0.2583F,
     .year_next = -0.8108F,
     .year_other = -0.3767F,
     .quarter_same = 0.1736F,
     .quarter_other = -0.2899F,
     .list = -0.984F,
     .coverage = 2.916F,
     .near = 0.7075F,
     .line = 2.26F,
     .pair = 3.433F,
     .phrase = 1.61F,
     .expansion = 1.013F,
     .years = 2.129F,
     .table_amount = 1.959F,
     .table_other = 1.08F,
     .line_amount = 1.747F,
     .causes = 1.298F,
     .dates = 1.415F},
    {.text = 1.956F,
     .ideal = 0.304F,
     .text_rank = 1.903F,
     .year_same = 0.2998F,
     .year_next = -0.5203F,
     .year_other = -0.6731F,
     .quarter_same = 0.3615F,
     .quarter_other = -0.6162F,
     .recent = 0.08154F,
     .cover = -0.9566F,
     .list = -1.347F,
     .coverage = 1.505F,
     .context = 1.175F,
     .near = 1.745F,
     .line = 3.061F,
     .pair = 2.728F,
     .phrase = 2.153F,
     .expansion = 0.8566F,
     .years = 2.056F,
     .table_amount = 2.562F,
     .table_other = 0.6248F,
     .line_amount = 1.536F,
     .causes = 1.461F,
     .dates = 2.045F},
};

static const struct {
  float slope, constant;
} rank_chance[RANK_MODEL_COUNT] = {{0.3687F, -6.271F}, {0.332F, -5.617F}};

static const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {
    {.cosine = 9.912F,
     .whole = 2.5F,
     .best = 0.3284F,
     .narrowed = 2.741F,
     .year_missing = -8.225F,
     .year_beyond = -3.447F,
     .name_nowhere = -3.0F,
     .name_found = 0.8983F,
     .outside = -7.019F},
    {.coverage = 1.44F,
     .whole = 2.5F,
     .best = 0.55F,
     .narrowed = 2.846F,
     .year_missing = -8.283F,
     .year_beyond = -2.555F,
     .name_nowhere = -3.0F,
     .name_found = 1.358F,
     .outside = -7.704F},
};

static const float rank_answer_constant[RANK_MODEL_COUNT] = {-6.787F, -5.275F};

#endif
