/* rank_weights.h: made by data/gen/ranker.py; not to be edited. */
#ifndef BID_RANK_WEIGHTS_H
#define BID_RANK_WEIGHTS_H

#include "search/rank_features.h"

static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {
    {.text = 2.569F,
     .ideal = 1.872F,
     .text_rank = 1.3F,
     .vector = 4.603F,
     .vector_rank = 0.8498F,
     .year_same = 0.4424F,
     .year_next = -1.146F,
     .year_other = -0.8275F,
     .quarter_same = 0.1856F,
     .quarter_other = -0.2941F,
     .recent = 0.2027F},
    {.text = 3.711F,
     .ideal = 2.677F,
     .text_rank = 1.863F,
     .year_same = 0.4618F,
     .year_next = -0.5779F,
     .year_other = -0.986F,
     .quarter_same = 0.3961F,
     .quarter_other = -0.6556F,
     .recent = 0.4059F},
};

static const struct rank_features rank_weights[RANK_MODEL_COUNT] = {
    {.text = 1.476F,
     .text_rank = 1.157F,
     .vector = 4.554F,
     .vector_rank = 0.7361F,
     .year_same = 0.4388F,
     .year_next = -1.139F,
     .year_other = -1.039F,
     .quarter_same = 0.1118F,
     .quarter_other = -0.1772F,
     .recent = 0.3119F,
     .coverage = 2.169F,
     .body = 0.2487F,
     .near = 0.5636F,
     .line = 1.832F,
     .pair = 2.174F,
     .phrase = 1.771F,
     .phrase_amount = 0.2195F,
     .expansion = 1.446F,
     .years = 1.727F,
     .table_amount = 2.383F,
     .table_other = 1.427F,
     .line_amount = 1.644F,
     .causes = 2.16F,
     .dates = 1.594F},
    {.text = 2.656F,
     .text_rank = 1.784F,
     .year_same = 0.4341F,
     .year_next = -0.5554F,
     .year_other = -1.178F,
     .quarter_same = 0.2416F,
     .quarter_other = -0.3998F,
     .recent = 0.5204F,
     .coverage = 2.267F,
     .context = 0.8599F,
     .near = 1.271F,
     .line = 1.722F,
     .rare = 0.02206F,
     .pair = 2.551F,
     .phrase = 2.301F,
     .phrase_amount = 0.09844F,
     .expansion = 1.218F,
     .years = 1.82F,
     .table_amount = 2.46F,
     .table_other = 1.274F,
     .line_amount = 1.624F,
     .causes = 2.641F,
     .dates = 1.826F},
};

static const struct {
  float slope, constant;
} rank_chance[RANK_MODEL_COUNT] = {{0.4363F, -7.056F}, {0.3913F, -6.076F}};

static const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {
    {.cosine = 8.727F,
     .coverage = 1.546F,
     .whole = 2.5F,
     .best = 0.217F,
     .narrowed = 2.548F,
     .words = 2.693F,
     .year_missing = -7.045F,
     .year_beyond = -2.245F,
     .name_nowhere = -0.5334F,
     .name_found = 0.6216F},
    {.coverage = 3.205F,
     .whole = 2.5F,
     .best = 0.3525F,
     .narrowed = 2.666F,
     .words = 3.589F,
     .year_missing = -5.669F,
     .year_beyond = -3.314F,
     .name_nowhere = -0.475F,
     .name_found = 1.076F},
};

static const float rank_answer_constant[RANK_MODEL_COUNT] = {-11.58F, -11.53F};

#endif
