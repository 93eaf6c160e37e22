/* rank_weights.h: made by data/gen/ranker.py; not to be edited. */
#ifndef BID_RANK_WEIGHTS_H
#define BID_RANK_WEIGHTS_H

#include "search/rank_features.h"

static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {
    {.text = 2.194F,
     .ideal = 1.742F,
     .text_rank = 1.868F,
     .vector = 4.153F,
     .vector_rank = 0.9199F,
     .year_same = 0.3894F,
     .year_next = -0.9838F,
     .year_other = -0.6203F,
     .quarter_same = 0.2436F,
     .quarter_other = -0.4057F,
     .recent = 0.3183F,
     .cover = -2.396F,
     .list = -1.4F},
    {.text = 3.373F,
     .ideal = 2.547F,
     .text_rank = 2.252F,
     .year_same = 0.4544F,
     .year_next = -0.8753F,
     .year_other = -0.8422F,
     .quarter_same = 0.4951F,
     .quarter_other = -0.8454F,
     .recent = 0.3446F,
     .cover = -0.612F,
     .list = -0.5601F},
};

static const struct rank_features rank_weights[RANK_MODEL_COUNT] = {
    {.text = 1.02F,
     .text_rank = 1.485F,
     .vector = 4.12F,
     .vector_rank = 0.7442F,
     .year_same = 0.3239F,
     .year_next = -1.012F,
     .year_other = -0.5214F,
     .quarter_same = 0.1484F,
     .quarter_other = -0.2471F,
     .recent = 0.3958F,
     .cover = -2.692F,
     .list = -1.738F,
     .coverage = 2.097F,
     .near = 1.265F,
     .line = 2.29F,
     .pair = 3.305F,
     .phrase = 1.862F,
     .expansion = 0.9811F,
     .years = 2.08F,
     .table_amount = 2.106F,
     .table_other = 0.9089F,
     .line_amount = 1.967F,
     .causes = 1.343F,
     .dates = 1.548F},
    {.text = 2.227F,
     .text_rank = 1.916F,
     .year_same = 0.3428F,
     .year_next = -0.7156F,
     .year_other = -0.7642F,
     .quarter_same = 0.3205F,
     .quarter_other = -0.5471F,
     .recent = 0.3695F,
     .cover = -0.5953F,
     .list = -0.5575F,
     .coverage = 2.146F,
     .context = 0.8185F,
     .near = 1.459F,
     .line = 2.841F,
     .pair = 2.988F,
     .phrase = 2.221F,
     .expansion = 0.9288F,
     .years = 2.041F,
     .table_amount = 2.35F,
     .table_other = 0.5807F,
     .line_amount = 1.963F,
     .causes = 1.638F,
     .dates = 2.218F},
};

static const struct {
  float slope, constant;
} rank_chance[RANK_MODEL_COUNT] = {{0.3829F, -6.542F}, {0.3491F, -5.793F}};

static const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {
    {.cosine = 10.72F,
     .whole = 2.5F,
     .best = 0.3589F,
     .narrowed = 3.168F,
     .year_missing = -9.038F,
     .year_beyond = -3.729F,
     .name_nowhere = -3.0F,
     .name_found = 1.542F,
     .outside = -7.355F},
    {.coverage = 2.224F,
     .whole = 2.5F,
     .best = 0.5285F,
     .narrowed = 3.279F,
     .year_missing = -8.753F,
     .year_beyond = -2.365F,
     .name_nowhere = -3.0F,
     .name_found = 2.19F,
     .outside = -8.224F},
};

static const float rank_answer_constant[RANK_MODEL_COUNT] = {-7.76F, -5.81F};

#endif
