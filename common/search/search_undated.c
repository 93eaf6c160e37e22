/* search_undated.c: a year in a question that is no filing's: "job cuts 2025" in a plan that was announced in 2023.
 *
 * Where no filing of the requested year is there and nothing of the others passed, the question is asked again without its year;
 * passages that name it answer it. */
#include "search/search_internal.h"

#include <ctype.h>
#include <stdio.h>

/* The question without the numbers that are its years. */
static void undated_text(struct slice question, const struct query *q, struct buf *out) {
  buf_clear(out);
  buf_add_slice(out, question);
  for (size_t i = 0; i + 4 <= out->len; i++) {
    int within = (i > 0 && isalnum((unsigned char)out->data[i - 1])) ||
                 (i + 4 < out->len && isalnum((unsigned char)out->data[i + 4]));
    for (size_t y = 0; y < q->year_count && !within; y++) {
      char year[8];
      snprintf(year, sizeof year, "%d", q->years[y]);
      if (memcmp(out->data + i, year, 4) == 0)
        memset(out->data + i, ' ', 4);
    }
  }
}

/* Keeps the passages that contain one of the years. */
static void keep_naming_years(struct searcher *s, const int16_t *years, size_t count) {
  struct rank_result *found = &s->answer.result;
  size_t kept = 0;
  for (size_t i = 0; i < found->count; i++) {
    int named = 0;
    for (size_t y = 0; y < count && !named; y++) {
      char year[8];
      snprintf(year, sizeof year, "%d", years[y]);
      named = search_holds(s, &found->hits[i].at, slice_str(year));
    }
    if (named)
      found->hits[kept++] = found->hits[i];
  }
  found->count = kept;
}

/* Whether all periods of the plan are whole years; a quarter is a report's. */
static int asks_years(const struct plan *plan) {
  for (size_t w = 0; w < plan->window_count; w++)
    if (!plan->windows[w].year || plan->windows[w].period != PLAN_FY)
      return 0;
  return plan->window_count > 0;
}

int search_undated_begin(struct searcher *s, const struct search_request *r, struct search_request *again) {
  struct asked *a = &s->asked;
  if (a->query.year_count == 0 || !asks_years(&a->plan) || a->plan.forms_named || r->period != NULL)
    return -1;
  s->undated_count = a->query.year_count;
  memcpy(s->undated_years, a->query.years, s->undated_count * sizeof *s->undated_years);
  undated_text(r->query, &a->query, &s->undated_query);
  buf_clear(&s->undated_missing);
  buf_add_slice(&s->undated_missing, buf_slice(&a->missing));
  *again = *r;
  again->query = buf_slice(&s->undated_query);
  again->plan = slice_of(NULL, 0);
  again->n = r->n > SEARCH_LOOKED_AT ? r->n : SEARCH_LOOKED_AT;
  return 0;
}

int search_undated_end(struct searcher *s, const struct search_request *r, int status) {
  struct asked *a = &s->asked;
  struct rank_result *found = &s->answer.result;
  if (status == 0)
    keep_naming_years(s, s->undated_years, s->undated_count);
  found->count = status != 0 ? 0 : found->count > r->n ? r->n : found->count;
  if (found->count > 0) {
    buf_printf(&s->undated_missing, "the passages are of other years and name %d\n", s->undated_years[0]);
    search_temper(found);
  }
  buf_clear(&a->missing);
  buf_add_slice(&a->missing, buf_slice(&s->undated_missing));
  return found->count > 0 ? 0 : -1;
}
