/* rank_features.c: what is measured of a candidate (rank_features.h), the fitted weights, and the sum of both. */
#include "search/rank_features.h"

#include "base/day.h"
#include "filing/form.h"
#include "search/rank_internal.h"
#include "tables/rank_weights.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {{RANK_WEIGHTS_EARLY_HYBRID},
                                                                          {RANK_WEIGHTS_EARLY_TEXT}};
static const struct rank_features rank_weights[RANK_MODEL_COUNT] = {{RANK_WEIGHTS_ORDER_HYBRID},
                                                                    {RANK_WEIGHTS_ORDER_TEXT}};
static const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {
    {RANK_WEIGHTS_ANSWER_HYBRID}, {RANK_WEIGHTS_ANSWER_TEXT}};
static const float rank_answer_constant[RANK_MODEL_COUNT] = {RANK_WEIGHTS_ANSWER_CONSTANT_HYBRID,
                                                             RANK_WEIGHTS_ANSWER_CONSTANT_TEXT};
static const struct {
  float slope, constant;
} rank_chance[RANK_MODEL_COUNT] = {{RANK_WEIGHTS_CHANCE_HYBRID}, {RANK_WEIGHTS_CHANCE_TEXT}};

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
  return 1 / (1 + expf(-mean / RANK_CALIBRATION));
}

/* ---- both searches ---- */

/* BM25 is scaled by the question's best, cosines to the range of the candidates. */
static void describe_scores(struct rank_candidate *list, size_t count) {
  float best_text = 0, best = -1, worst = 1;
  for (size_t i = 0; i < count; i++) {
    best_text = fmaxf(best_text, list[i].hit.bm25);
    best = fmaxf(best, list[i].hit.cosine);
    worst = fminf(worst, list[i].hit.cosine);
  }
  for (size_t i = 0; i < count; i++) {
    struct rank_hit *h = &list[i].hit;
    h->f.text = best_text > 0 ? h->bm25 / best_text : 0;
    h->f.vector = best > worst ? (h->cosine - worst) / (best - worst) : 0;
  }
}

/* ---- period ---- */

/* The fiscal year that a document reports on; 0 where unknown. */
static int document_year(const struct store_doc *d) {
  if (d->fiscal_year != 0)
    return d->fiscal_year;
  if (d->reported != STORE_NO_DAY)
    return day_year(d->reported);
  return d->filed == STORE_NO_DAY ? 0 : day_year(d->filed - 90);
}

/* The filing date, or an estimate from the fiscal period. */
static int32_t document_day(const struct store_doc *d) {
  if (d->filed != STORE_NO_DAY || d->fiscal_year == 0)
    return d->filed != STORE_NO_DAY ? d->filed : d->reported;
  int quarters = d->fiscal_period >= 1 && d->fiscal_period <= 4 ? d->fiscal_period : 4;
  return (d->fiscal_year - 1970) * 1461 / 4 + quarters * 91;
}

static void describe_document(const struct rank_asking *a, const struct store_doc *d,
                              struct rank_features *f) {
  const struct query *q = a->q;
  int quarter = d->fiscal_period >= 1 && d->fiscal_period <= 4;
  int32_t day = document_day(d);
  if (!a->narrow)
    return;
  f->year_same = q->year_count > 0 && document_year(d) == q->years[q->year_count - 1];
  f->quarter_same = quarter && (q->quarters >> (d->fiscal_period - 1) & 1);
  f->recent = q->year_count == 0 && day != STORE_NO_DAY ? exp2f(-(float)(a->newest - day) / 365) : 0;
}

static int32_t newest_day(const struct rank_candidate *list, size_t count) {
  int32_t newest = STORE_NO_DAY;
  for (size_t i = 0; i < count; i++) {
    int32_t day = document_day(&list[i].hit.at.seg->doc[list[i].hit.at.doc]);
    newest = day > newest ? day : newest;
  }
  return newest;
}

/* ---- all features ---- */

void rank_describe(struct rank_asking *a, struct rank_candidate *list, size_t count) {
  a->newest = newest_day(list, count);
  describe_scores(list, count);
  for (size_t i = 0; i < count; i++) {
    struct rank_hit *h = &list[i].hit;
    describe_document(a, &h->at.seg->doc[h->at.doc], &h->f);
    h->sum = rank_features_score(&h->f, a->model, 1);
  }
}

/* The features of a passage's own text. */
static void describe_text(const struct rank_asking *a, struct rank_candidate *c) {
  const struct rank_reading *d = c->reading;
  struct rank_features *f = &c->hit.f;
  f->coverage = d->coverage;
  f->near = d->near;
  f->line = d->line;
  f->pair = d->pair;
  f->phrase = d->phrase;
  f->expansion = d->expansion;
  f->years = d->years;
  f->table_amount = a->q->asks_amount && !a->q->asks_cause ? d->numbers : 0;
  f->dates = d->dates;
}

void rank_describe_read(const struct rank_asking *a, struct rank_candidate *const *order, size_t read,
                        int sentences) {
  for (size_t i = 0; i < read; i++) {
    struct rank_hit *h = &order[i]->hit;
    describe_text(a, order[i]);
    h->f.sentence = sentences ? 0 : h->f.vector;
    h->sum = rank_features_score(&h->f, a->model, 0);
  }
}

void rank_describe_sentences(const struct rank_asking *a, struct rank_candidate *const *order, size_t count) {
  float best = -1, worst = 1;
  for (size_t i = 0; i < count && i < RANK_COMPARED; i++) {
    best = fmaxf(best, order[i]->reading->sentence);
    worst = fminf(worst, order[i]->reading->sentence);
  }
  for (size_t i = 0; i < count; i++) {
    struct rank_hit *h = &order[i]->hit;
    h->f.sentence = best > worst ? (order[i]->reading->sentence - worst) / (best - worst) : 0;
    h->sum = rank_features_score(&h->f, a->model, 0);
  }
}

/* ---- older reports ---- */

/* Where no period is asked for, the newest report of a company comes before the older ones.
 *
 * A 10-K repeats most of what the one before it says, with other figures.  The two passages score alike, and which is
 * first would be chance; a reader who names no period wants today's figure.
 */

static int ends_later(const struct store_doc *newer, const struct store_doc *older) {
  if (newer->reported != STORE_NO_DAY && older->reported != STORE_NO_DAY)
    return newer->reported > older->reported;
  if (newer->fiscal_year == 0 || older->fiscal_year == 0)
    return 0;
  return newer->fiscal_year > older->fiscal_year ||
         (newer->fiscal_year == older->fiscal_year && newer->fiscal_period > older->fiscal_period);
}

/* Whether `newer` is a later annual or quarterly report of the company, of the same kind. */
static int follows(const struct rank_asking *a, const struct store_doc *newer,
                   const struct store_doc *older) {
  if (newer->company != older->company || !ends_later(newer, older)) /* before the look at names of forms */
    return 0;
  enum form_kind kind = form_kind_of(slice_str(a->forms[newer->form]));
  return (kind == FORM_ANNUAL || kind == FORM_QUARTERLY) &&
         kind == form_kind_of(slice_str(a->forms[older->form]));
}

static const struct store_doc *document_of(const struct rank_candidate *c) {
  return &c->hit.at.seg->doc[c->hit.at.doc];
}

void rank_demote_older(const struct rank_asking *a, struct rank_candidate *const *order, size_t read,
                       size_t count, float penalty) {
  for (size_t i = 0; i < read; i++)
    for (size_t k = 0; k < count; k++)
      if (follows(a, document_of(order[k]), document_of(order[i]))) {
        order[i]->hit.sum -= penalty;
        break;
      }
}
