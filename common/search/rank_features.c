#include "search/rank_features.h"

#include "search/rank_weights.h"

#include <math.h>
#include <string.h>

const char *const rank_feature_names[RANK_FEATURE_COUNT] = {
#define F(name, early, sign, what) #name,
    RANK_FEATURES(F)
#undef F
};

const char *const rank_answer_names[RANK_ANSWER_COUNT] = {
#define G(name, sign, what) #name,
    RANK_ANSWER_FEATURES(G)
#undef G
};

float rank_features_score(const struct rank_features *f, enum rank_model model, int early) {
  const struct rank_features *w = early ? &rank_weights_early[model] : &rank_weights[model];
  float value[RANK_FEATURE_COUNT], weight[RANK_FEATURE_COUNT], sum = 0;
  memcpy(value, f, sizeof value);
  memcpy(weight, w, sizeof weight);
  for (size_t i = 0; i < RANK_FEATURE_COUNT; i++)
    sum += weight[i] * value[i];
  return sum;
}

float rank_features_chance(float score, enum rank_model model) {
  return 1 / (1 + expf(-(rank_chance[model].slope * score + rank_chance[model].constant)));
}

static float answer_sum(const struct rank_answer_features *f, enum rank_model model) {
  float value[RANK_ANSWER_COUNT], weight[RANK_ANSWER_COUNT], sum = rank_answer_constant[model];
  memcpy(value, f, sizeof value);
  memcpy(weight, &rank_answer_weights[model], sizeof weight);
  for (size_t i = 0; i < RANK_ANSWER_COUNT; i++)
    sum += weight[i] * value[i];
  return sum;
}

float rank_answer_chance(const struct rank_answer_features *f, enum rank_model model) {
  float mean = (answer_sum(f, model) + answer_sum(f, RANK_MODEL_TEXT)) / 2;
  return 1 / (1 + expf(-mean / RANK_TEMPER));
}
