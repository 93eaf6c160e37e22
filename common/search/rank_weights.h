/* rank_weights.h: made by data/gen/ranker.py; not to be edited. */
#ifndef BID_RANK_WEIGHTS_H
#define BID_RANK_WEIGHTS_H

#include "search/rank_features.h"

static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {
    {.text = 2.345F,
     .ideal = 2.148F,
     .text_rank = 1.465F,
     .vector = 5.117F,
     .vector_rank = 0.4449F,
     .year_same = 0.3919F,
     .year_next = -1.401F,
     .year_other = -1.037F,
     .quarter_same = 0.2045F,
     .quarter_other = -0.2988F,
     .recent = 0.2792F},
    {.text = 4.082F,
     .ideal = 2.411F,
     .text_rank = 1.597F,
     .year_same = 0.4065F,
     .year_next = -0.8198F,
     .year_other = -1.069F,
     .quarter_same = 0.4247F,
     .quarter_other = -0.6653F,
     .recent = 0.3043F},
};

static const struct rank_features rank_weights[RANK_MODEL_COUNT] = {
    {.text = 1.04F,
     .text_rank = 1.268F,
     .vector = 5.268F,
     .vector_rank = 0.2905F,
     .year_same = 0.4113F,
     .year_next = -0.9867F,
     .year_other = -1.244F,
     .quarter_same = 0.1094F,
     .quarter_other = -0.1598F,
     .recent = 0.255F,
     .coverage = 3.139F,
     .context = 0.3719F,
     .near = 0.7163F,
     .line = 2.003F,
     .pair = 2.665F,
     .phrase = 1.854F,
     .phrase_amount = 0.05779F,
     .expansion = 1.749F,
     .years = 1.682F,
     .table_amount = 2.223F,
     .table_other = 1.257F,
     .line_amount = 1.983F,
     .causes = 2.283F,
     .dates = 1.921F},
    {.text = 2.899F,
     .text_rank = 1.232F,
     .year_same = 0.3786F,
     .year_next = -0.1554F,
     .year_other = -1.27F,
     .quarter_same = 0.2458F,
     .quarter_other = -0.3851F,
     .recent = 0.5012F,
     .coverage = 3.293F,
     .context = 0.3577F,
     .near = 1.017F,
     .line = 2.032F,
     .pair = 2.626F,
     .phrase = 2.404F,
     .expansion = 1.531F,
     .years = 1.779F,
     .table_amount = 2.409F,
     .table_other = 1.558F,
     .line_amount = 1.584F,
     .causes = 2.624F,
     .dates = 2.016F},
};

static const struct {
  float slope, constant;
} rank_chance[RANK_MODEL_COUNT] = {{0.3771F, -6.82F}, {0.3225F, -5.834F}};

static const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {
    {.cosine = 11.13F,
     .whole = 2.5F,
     .best = 0.3894F,
     .narrowed = 2.291F,
     .year_missing = -7.905F,
     .year_beyond = -2.975F,
     .name_nowhere = -3.0F,
     .name_found = 0.804F},
    {.coverage = 2.37F,
     .whole = 2.5F,
     .best = 0.5475F,
     .narrowed = 2.455F,
     .year_missing = -6.621F,
     .year_beyond = -4.364F,
     .name_nowhere = -3.0F,
     .name_found = 1.559F},
};

static const float rank_answer_constant[RANK_MODEL_COUNT] = {-8.247F, -5.737F};

#endif
