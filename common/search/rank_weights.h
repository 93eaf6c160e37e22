/* rank_weights.h: made by data/gen/ranker.py; not to be edited. */
#ifndef BID_RANK_WEIGHTS_H
#define BID_RANK_WEIGHTS_H

#include "search/rank_features.h"

static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {
    {.text = 3.37F,
     .ideal = 1.34F,
     .text_rank = 1.341F,
     .vector = 4.134F,
     .vector_rank = 0.6741F,
     .year_same = 0.486F,
     .year_next = -1.105F,
     .year_other = -1.204F,
     .quarter_same = 0.1661F,
     .quarter_other = -0.2619F,
     .recent = 0.1566F},
    {.text = 3.925F,
     .ideal = 2.173F,
     .text_rank = 2.002F,
     .year_same = 0.4574F,
     .year_next = -0.7636F,
     .year_other = -1.141F,
     .quarter_same = 0.3805F,
     .quarter_other = -0.6336F,
     .annual = 0.04254F},
};

static const struct rank_features rank_weights[RANK_MODEL_COUNT] = {
    {.text = 2.157F,
     .text_rank = 0.8743F,
     .vector = 3.647F,
     .vector_rank = 0.7938F,
     .year_same = 0.4345F,
     .year_next = -1.047F,
     .year_other = -1.411F,
     .quarter_same = 0.09541F,
     .quarter_other = -0.1504F,
     .recent = 0.156F,
     .coverage = 2.604F,
     .body = 0.1239F,
     .near = 0.00422F,
     .line = 2.177F,
     .pair = 2.52F,
     .phrase = 2.145F,
     .expansion = 1.243F,
     .years = 1.39F,
     .table_amount = 2.762F,
     .table_other = 1.508F,
     .line_amount = 1.144F},
    {.text = 2.935F,
     .text_rank = 1.6F,
     .year_same = 0.4267F,
     .year_next = -0.808F,
     .year_other = -1.418F,
     .quarter_same = 0.249F,
     .quarter_other = -0.4145F,
     .annual = 0.1192F,
     .coverage = 3.107F,
     .context = 0.3079F,
     .near = 0.1714F,
     .line = 2.066F,
     .pair = 2.214F,
     .phrase = 1.989F,
     .phrase_amount = 0.3046F,
     .expansion = 1.483F,
     .years = 1.519F,
     .table_amount = 2.67F,
     .table_other = 0.9992F,
     .line_amount = 1.611F},
};

static const struct {
  float slope, constant;
} rank_chance[RANK_MODEL_COUNT] = {{0.4162F, -6.765F}, {0.3807F, -5.985F}};

static const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {
    {.cosine = 16.47F,
     .coverage = 1.155F,
     .whole = 2.5F,
     .best = 0.3111F,
     .narrowed = 1.706F,
     .year_missing = -6.059F,
     .year_beyond = -4.072F,
     .name_nowhere = -3.0F,
     .name_found = 0.438F},
    {.coverage = 3.149F,
     .whole = 2.5F,
     .best = 0.5438F,
     .narrowed = 2.681F,
     .year_missing = -5.312F,
     .year_beyond = -5.443F,
     .name_nowhere = -3.0F,
     .name_found = 1.417F},
};

static const float rank_answer_constant[RANK_MODEL_COUNT] = {-9.803F, -6.166F};

#endif
