/* rank_answer.c: features of whether the question is answered here at all (rank_features.h). */
#include "search/rank_internal.h"

#include <math.h>
#include <time.h>

#define BEST 10  /* candidates among which a name is searched */
#define FIRST 5  /* candidates checked for a year: further down, a maturity date would match */
#define BEYOND 2 /* years */
#define WHOLE 0.99F
#define UNSTATED 2.0F /* measures: more say no more */

static float larger(float a, float b) {
  return a > b ? a : b;
}

static void answer_highest(struct rank_candidate *const *order, size_t read, struct rank_answer_features *out,
                           float *expansion) {
  for (size_t i = 0; i < read; i++) {
    const struct rank_features *f = &order[i]->hit.f;
    out->cosine = larger(out->cosine, order[i]->hit.cosine);
    out->coverage = larger(out->coverage, f->coverage);
    out->whole = larger(out->whole, f->near > WHOLE);
    *expansion = larger(*expansion, f->expansion);
  }
  out->best = order[0]->hit.sum;
}

static int newest_year(int32_t day) {
  time_t seconds = (time_t)day * 86400;
  struct tm t;
  return day != STORE_NO_DAY && gmtime_r(&seconds, &t) ? t.tm_year + 1900 : 0;
}

static void answer_question(const struct rank_asking *a, struct rank_candidate *const *order, size_t read,
                            struct rank_answer_features *out) {
  const struct query *q = a->q;
  float year = 0;
  int newest = newest_year(a->newest);
  for (size_t i = 0; i < read && i < FIRST; i++) {
    const struct rank_features *f = &order[i]->hit.f;
    const struct rank_place *at = &order[i]->hit.at;
    int quarter = at->seg->doc[at->doc].fiscal_period;
    if (q->quarters == 0 || quarter < 1 || quarter > 4 || f->quarter_same > 0) /* not for another quarter */
      year = larger(year, larger(larger(f->year_same, f->year_next), f->years));
  }
  out->year_missing = q->year_count > 0 ? 1 - year : 0;
  int beyond = q->year_count > 0 && newest > 0 && q->years[q->year_count - 1] >= newest + BEYOND;
  out->year_beyond = beyond || (q->quarters != 0 && out->year_missing >= 1);
}

/* The strongest standing of the names in any candidate. */
static enum rank_standing best_standing(const struct rank_names *names, struct rank_candidate *const *order,
                                        size_t read, int upper) {
  enum rank_standing best = RANK_NOWHERE;
  for (size_t i = 0; i < read && i < BEST; i++) {
    enum rank_standing s = rank_names_standing(names, &order[i]->hit.at, upper);
    best = s > best ? s : best;
  }
  return best;
}

static void answer_names(const struct rank_asking *a, const struct rank_names *names,
                         struct rank_candidate *const *order, size_t read, struct rank_answer_features *out) {
  if (names->count == 0)
    return;
  enum rank_standing best = best_standing(names, order, read, 0),
                     upper = best_standing(names, order, read, 1);
  out->name_found = best >= RANK_HERE && upper >= RANK_HERE;
  if (a->narrowed)
    return;
  int held = 0;
  for (size_t i = 0; i < read && i < BEST; i++)
    held |= rank_names_held(names, &order[i]->hit.at);
  out->name_nowhere = (float)!held;
}

/* Whether the question asks for something that filings rarely mention and the best few passages don't mention
 * either. */
static int is_outside(const struct query *q, struct rank_candidate *const *order, size_t read) {
  int outside = 0;
  for (size_t i = 0; i < q->phrase_count; i++)
    outside |= q->phrases[i].outside;
  for (size_t i = 0; outside && i < read && i < FIRST; i++)
    outside = !order[i]->reading->outside;
  return outside;
}

void rank_answer_describe(const struct rank_asking *a, const struct rank_names *names,
                          struct rank_candidate *const *order, size_t read,
                          struct rank_answer_features *out) {
  float expansion = 0;
  memset(out, 0, sizeof *out);
  if (read == 0)
    return;
  answer_highest(order, read, out, &expansion);
  out->narrowed = a->narrowed && (out->coverage > 0 || expansion > 0);
  answer_question(a, order, read, out);
  answer_names(a, names, order, read, out);
  out->unstated = fminf((float)a->unstated, UNSTATED);
  out->outside = (float)is_outside(a->q, order, read);
  out->place_nowhere = (float)rank_places_absent(a->q, a->frequency);
}
