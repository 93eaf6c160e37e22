/* rank.c: filter, candidates, fusion, priors, folding. */
#include "search/rank.h"

#include "search/rank_internal.h"
#include "text/passage_kind.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>

/* Measured with test/bench/quality. */
const struct rank_tuning rank_tuning_default = {
    .k1 = 0.9F,
    .b = 0.8F,
    .context = 0.6F,
    .vector = 0.5F,
    .expansion = 0.5F,
    .year = 0.8F,
    .year_near = 0.12F,
    .quarter = 0.2F,
    .form = 0.1F,
    .table = 0.15F,
    .statement = 0.25F,
    .phrase = 0.2F,
    .pair = 0.3F,
    .sign = 0.3F,
    .sign_named = 0.7F,
    .cause = 0.35F,
    .annual = 0.2F,
    .aside = 0.3F,
    .page = 0.2F,
    .recent = 0.15F,
    .boilerplate = 0.1F,
    .idf = 0.9F,
    .everywhere = 0.1F,
    .fold = 0.5F,
    .depth = 80,
    .reread = 30,
    .signed_depth = 20,
};

#define STATEMENTS (SIGN_INCOME | SIGN_BALANCE | SIGN_CASH)
#define LONG_DOCUMENT 20  /* passages */
#define QUOTED_DEPTH 4000 /* passages that are read to find a quoted phrase */
#define KEPT_READINGS 128 /* whose room is kept from question to question */

struct rank_candidate {
  uint32_t row; /* over all segments */
  struct rank_hit hit;
  struct rank_reading *reading; /* of the ranker; NULL: its text wasn't read */
  int has_vector;
  uint32_t page; /* 0: unknown */
};

struct ranker {
  const struct store_snapshot *snap;
  const char *model;
  struct terms *terms;
  struct rank_tuning tuning;
  struct rank_scope scope;
  struct rank_text text;
  struct rank_reader *reader;
  struct rank_opener *opener;
  struct rank_reading *readings;                   /* [reading_cap] */
  size_t reading_count, reading_made, reading_cap; /* made: that have been used before */
  struct rank_candidate *candidates;               /* [cap] as found */
  struct rank_candidate **order;                   /* the same, best first after sort() */
  size_t count, cap;
  uint32_t *slots; /* [slot_mask + 1] index + 1 into candidates by row, open addressing; 0: empty */
  size_t slot_mask;
  struct rank_item *items; /* [2 * cap] for sort() */
  struct rank_hit *hits;
  uint32_t *rows;
  struct vector_hit *nearest;
  struct vector_part *parts;
  uint32_t *part_of; /* segment of each vector part */
  size_t depth;
  int narrowed;            /* to a company that was named */
  float odds;              /* of relevance, by the question alone */
  struct rank_names names; /* of the question that was narrowed to no company */
};

struct ranker *ranker_new(const struct store_snapshot *snap, const char *model, struct terms *terms) {
  struct ranker *r = xcalloc(1, sizeof *r);
  r->snap = snap;
  r->model = model;
  r->terms = terms;
  r->tuning = rank_tuning_default;
  r->reader = rank_reader_new();
  r->opener = rank_opener_new(terms);
  r->scope.seg_count = store_segments(snap, &r->scope.segs);
  r->scope.sel = xcalloc(r->scope.seg_count + 1, sizeof *r->scope.sel);
  r->scope.base = xcalloc(r->scope.seg_count + 1, sizeof *r->scope.base);
  for (size_t s = 0; s < r->scope.seg_count; s++)
    r->scope.base[s + 1] = r->scope.base[s] + r->scope.segs[s].rows;
  r->parts = xcalloc(r->scope.seg_count + 1, sizeof *r->parts);
  r->part_of = xcalloc(r->scope.seg_count + 1, sizeof *r->part_of);
  return r;
}

static void release_selections(struct ranker *r) {
  for (size_t s = 0; s < r->scope.seg_count; s++)
    store_selection_release(&r->scope.sel[s]);
  memset(r->scope.sel, 0, (r->scope.seg_count + 1) * sizeof *r->scope.sel);
}

void ranker_free(struct ranker *r) {
  if (r == NULL)
    return;
  for (size_t i = 0; i < r->reading_made; i++)
    rank_reading_release(&r->readings[i]);
  release_selections(r);
  rank_text_release(&r->text);
  rank_reader_free(r->reader);
  rank_opener_free(r->opener);
  free(r->readings);
  free(r->scope.sel);
  free(r->scope.base);
  free(r->candidates);
  free(r->order);
  free(r->slots);
  free(r->items);
  free(r->hits);
  free(r->rows);
  free(r->nearest);
  free(r->parts);
  free(r->part_of);
  free(r);
}

void ranker_tune(struct ranker *r, const struct rank_tuning *t) {
  r->tuning = *t;
}

/* ---- the filter ---- */

static uint64_t select_rows(struct ranker *r, const struct store_filter *f) {
  uint64_t live, length;
  release_selections(r);
  r->scope.rows = 0;
  for (size_t s = 0; s < r->scope.seg_count; s++) {
    store_select(&r->scope.segs[s], f, &r->scope.sel[s]);
    r->scope.rows += r->scope.sel[s].count;
  }
  store_totals(r->snap, &live, &length);
  r->scope.filtered = r->scope.rows < live;
  return r->scope.rows;
}

/* The options' filter, narrowed by what the question names as long as that leaves something. */
static void narrow(struct ranker *r, const struct query *q, const struct rank_options *o,
                   struct rank_result *out) {
  struct store_filter f = o->filter;
  if (o->narrow && q->company_count > 0 && f.company_count == 0) {
    f.companies = q->companies;
    f.company_count = q->company_count;
    out->narrowed_company = select_rows(r, &f) > 0;
    if (!out->narrowed_company)
      f.companies = NULL, f.company_count = 0;
  }
  if (o->narrow && q->form_named && q->form_count > 0 && f.form_count == 0) {
    f.forms = q->forms;
    f.form_count = q->form_count;
    out->narrowed_form = select_rows(r, &f) > 0;
    if (!out->narrowed_form)
      f.forms = NULL, f.form_count = 0;
  }
  r->narrowed =
      f.company_count > 0; /* by the question's words or by an option: the company is named either way */
  out->searched = select_rows(r, &f);
}

/* ---- candidates ---- */

static void rank_reserve(struct ranker *r, size_t depth) {
  size_t most = 2 * depth + r->tuning.signed_depth, slots = 64;
  while (slots < 2 * most)
    slots *= 2;
  r->slot_mask = slots - 1;
  if (most <= r->cap)
    return;
  r->cap = most;
  r->slots = xreallocarray(r->slots, slots, sizeof *r->slots);
  r->candidates = xreallocarray(r->candidates, r->cap, sizeof *r->candidates);
  r->order = xreallocarray(r->order, r->cap, sizeof *r->order);
  r->items = xreallocarray(r->items, 2 * r->cap, sizeof *r->items);
  r->hits = xreallocarray(r->hits, r->cap, sizeof *r->hits);
  r->rows = xreallocarray(r->rows, r->cap, sizeof *r->rows);
  r->nearest = xreallocarray(r->nearest, depth, sizeof *r->nearest);
}

static size_t segment_of(const struct rank_scope *scope, uint32_t row) {
  size_t low = 0, high = scope->seg_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (scope->base[middle] <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void begin_candidates(struct ranker *r) {
  while (r->reading_made > KEPT_READINGS)
    rank_reading_release(&r->readings[--r->reading_made]);
  r->count = r->reading_count = 0;
  memset(r->slots, 0, (r->slot_mask + 1) * sizeof *r->slots);
}

/* Where the row's candidate is noted, or an empty slot. */
static uint32_t *rank_slot_of(const struct ranker *r, uint32_t row) {
  size_t i = row * 0x9e3779b1u >> 7 & r->slot_mask;
  while (r->slots[i] != 0 && r->candidates[r->slots[i] - 1].row != row)
    i = (i + 1) & r->slot_mask;
  return &r->slots[i];
}

static struct rank_candidate *find_candidate(const struct ranker *r, uint32_t row) {
  uint32_t at = *rank_slot_of(r, row);
  return at ? &r->candidates[at - 1] : NULL;
}

static struct rank_candidate *add_candidate(struct ranker *r, uint32_t row) {
  struct rank_candidate *c = r->order[r->count] = &r->candidates[r->count];
  *rank_slot_of(r, row) = (uint32_t)++r->count;
  size_t s = segment_of(&r->scope, row);
  memset(c, 0, sizeof *c);
  c->row = row;
  c->hit.at.seg = &r->scope.segs[s];
  c->hit.at.row = row - r->scope.base[s];
  c->hit.at.doc = store_doc_of_row(c->hit.at.seg, c->hit.at.row);
  return c;
}

static int has_model(const struct ranker *r, const struct store_segment *seg) {
  return r->model != NULL && seg->model != NULL && strcmp(seg->model, r->model) == 0 && seg->vectors.rows > 0;
}

/* What of the selected rows has vectors. */
static size_t collect_parts(struct ranker *r) {
  size_t parts = 0;
  for (size_t s = 0; s < r->scope.seg_count; s++) {
    const struct store_selection *sel = &r->scope.sel[s];
    if (sel->count == 0 || !has_model(r, &r->scope.segs[s]))
      continue;
    r->part_of[parts] = (uint32_t)s;
    r->parts[parts++] = (struct vector_part){&r->scope.segs[s].vectors, sel->from, sel->to, sel->bits};
  }
  return parts;
}

#define FEW_ROWS 8192 /* so many are compared one by one in less than a millisecond */

static size_t find_nearest(struct ranker *r, const float *vector, const struct rank_options *o,
                           struct rank_result *out) {
  size_t parts = collect_parts(r);
  if (parts == 0)
    return 0;
  out->candidates = o->exact || r->scope.rows <= FEW_ROWS ? 0 : store_sketch_candidates(r->snap, r->model);
  if (out->candidates > 0 && out->candidates < r->depth * 2)
    out->candidates = r->depth * 2;
  if (out->candidates >= r->scope.rows)
    out->candidates = 0;
  struct vector_query vq = {.query = vector,
                            .k = r->depth,
                            .candidates = out->candidates,
                            .rescore = r->depth,
                            .threads = o->threads};
  out->exact = o->exact || r->scope.rows <= FEW_ROWS;
  vq.how = out->exact ? VECTOR_EXACT : out->candidates ? VECTOR_SKETCH : VECTOR_PRUNED;
  return vector_search(r->parts, parts, &vq, r->nearest);
}

/* Kinds of passages that the question is about. */
static unsigned asked_signs(const struct query *q, unsigned places) {
  static const struct {
    unsigned place, sign;
  } kinds[] = {{PLACE_INCOME, SIGN_INCOME},
               {PLACE_BALANCE, SIGN_BALANCE},
               {PLACE_CASH, SIGN_CASH},
               {PLACE_COVER, SIGN_COVER}};
  unsigned signs = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (places & kinds[i].place)
      signs |= kinds[i].sign;
  return q->asks_amount || q->named ? signs : signs & SIGN_COVER;
}

/* The best of the asked kind, which a search by words alone may not reach: statements are made of numbers. */
static void gather_signed(struct ranker *r, const struct query *q) {
  unsigned signs = asked_signs(q, q->places);
  size_t n = signs ? rank_text_best(&r->text, &r->scope, signs, r->rows, r->tuning.signed_depth) : 0;
  for (size_t i = 0; i < n; i++)
    if (find_candidate(r, r->rows[i]) == NULL)
      add_candidate(r, r->rows[i]);
}

static void rank_gather(struct ranker *r, const struct query *q, const float *vector,
                        const struct rank_options *o, struct rank_result *out) {
  begin_candidates(r);
  rank_text_score(&r->text, &r->scope, r->snap, q, &r->tuning);
  if (o->mode != RANK_VECTOR || r->text.required != NULL) {
    size_t n = rank_text_best(&r->text, &r->scope, 0, r->rows, r->depth);
    for (size_t i = 0; i < n; i++)
      add_candidate(r, r->rows[i]);
    if (o->mode != RANK_VECTOR)
      gather_signed(r, q);
  }
  if (vector == NULL || o->mode == RANK_TEXT || r->text.required != NULL)
    return;
  size_t n = find_nearest(r, vector, o, out);
  for (size_t i = 0; i < n; i++) {
    const struct vector_hit *h = &r->nearest[i];
    uint32_t row = r->scope.base[r->part_of[h->part]] + h->row;
    struct rank_candidate *c = find_candidate(r, row);
    if (c == NULL)
      c = add_candidate(r, row);
    c->hit.cosine = h->score;
    c->has_vector = 1;
  }
}

/* ---- fusion ---- */

/* Whether the vector of a candidate is still to be compared. */
static int lacks_cosine(const struct ranker *r, const struct rank_candidate *c, const float *vector) {
  return !c->has_vector && vector != NULL && has_model(r, c->hit.at.seg);
}

static void complete_scores(struct ranker *r, const float *vector) {
  size_t ahead = 0; /* rows lie far apart: memory is asked for the next ones in time */
  for (size_t i = 0; i < r->count; i++) {
    for (; ahead < r->count && ahead < i + 8; ahead++)
      if (lacks_cosine(r, &r->candidates[ahead], vector))
        vector_fetch(&r->candidates[ahead].hit.at.seg->vectors, r->candidates[ahead].hit.at.row);
    struct rank_candidate *c = &r->candidates[i];
    c->hit.bm25 = r->text.score[c->row];
    if (lacks_cosine(r, c, vector))
      c->hit.cosine = vector_score(&c->hit.at.seg->vectors, c->hit.at.row, vector);
  }
}

/* Both parts to 0..1: BM25 by the question's best, cosines between the candidates' worst and best. */
static void normalise(struct ranker *r) {
  float best_text = 0, best = -1, worst = 1;
  for (size_t i = 0; i < r->count; i++) {
    const struct rank_hit *h = &r->candidates[i].hit;
    best_text = h->bm25 > best_text ? h->bm25 : best_text;
    best = h->cosine > best ? h->cosine : best;
    worst = h->cosine < worst ? h->cosine : worst;
  }
  for (size_t i = 0; i < r->count; i++) {
    struct rank_hit *h = &r->candidates[i].hit;
    h->text = best_text > 0 ? h->bm25 / best_text : 0;
    h->vector = best > worst ? (h->cosine - worst) / (best - worst) : best > 0;
  }
}

static float fuse(const struct ranker *r, const struct rank_hit *h, enum rank_mode mode, int has_vector) {
  float weight = mode == RANK_VECTOR ? 1 : mode == RANK_TEXT || !has_vector ? 0 : r->tuning.vector;
  return (1 - weight) * h->text + weight * h->vector;
}

/* ---- priors ---- */

static int year_of_day(int32_t day) {
  time_t seconds = (time_t)day * 86400;
  struct tm t;
  return gmtime_r(&seconds, &t) ? t.tm_year + 1900 : 0;
}

/* The fiscal year a document reports on; 0 where nothing says so. */
static int rank_fiscal_year(const struct store_doc *d) {
  if (d->fiscal_year != 0)
    return d->fiscal_year;
  if (d->reported != STORE_NO_DAY)
    return year_of_day(d->reported);
  return d->filed == STORE_NO_DAY ? 0 : year_of_day(d->filed - 90);
}

/* The asked year's own report; else one of the next two, which print that year beside theirs; with several
 * years the report of the last one holds them all.  What is expected of a year stands in the report of the
 * year before it, or of the first year that is named ("as of FY2021, how much ... in 2024"). */
static float period_prior(const struct ranker *r, const struct query *q, const struct store_doc *d) {
  float prior = 0;
  int year = rank_fiscal_year(d);
  if (q->year_count > 0 && year != 0) {
    int off = year - q->years[q->year_count - 1];
    for (size_t i = 0; i + 1 < q->year_count; i++)
      if (year == q->years[i])
        prior = r->tuning.year_near;
    if (off == 0)
      prior = r->tuning.year;
    else if (off == 1 || off == 2)
      prior = r->tuning.year_near / (float)off;
    else if (q->asks_ahead && (off == -1 || year == q->years[0]))
      prior = r->tuning.year;
  }
  if (q->quarters != 0 && d->fiscal_period >= 1 && d->fiscal_period <= 4 &&
      (q->quarters >> (d->fiscal_period - 1) & 1))
    prior += r->tuning.quarter;
  return prior;
}

static int is_annual(const char *form) {
  static const char *const annual[] = {"10-K", "10K", "20-F", "20F", "40-F", "40F"};
  for (size_t i = 0; i < sizeof annual / sizeof *annual; i++)
    if (strncasecmp(form, annual[i], strlen(annual[i])) == 0)
      return 1;
  return 0;
}

static float form_prior(const struct ranker *r, const struct query *q, const struct store_doc *d,
                        const char *const *forms) {
  for (size_t i = 0; i < q->form_count; i++)
    if (q->forms[i] == d->form)
      return r->tuning.form;
  if (q->form_count > 0 || q->quarters != 0 || !is_annual(forms[d->form]))
    return 0;
  return q->year_count > 0 && r->narrowed ? r->tuning.annual : r->tuning.form / 2;
}

/* The day of filing, or one like it of the fiscal period. */
static int32_t document_day(const struct store_doc *d) {
  if (d->filed != STORE_NO_DAY || d->fiscal_year == 0)
    return d->filed != STORE_NO_DAY ? d->filed : d->reported;
  int quarters = d->fiscal_period >= 1 && d->fiscal_period <= 4 ? d->fiscal_period : 4;
  return (d->fiscal_year - 1970) * 1461 / 4 + quarters * 91;
}

static int32_t newest_day(const struct ranker *r) {
  int32_t newest = STORE_NO_DAY;
  for (size_t i = 0; i < r->count; i++) {
    const struct rank_place *at = &r->candidates[i].hit.at;
    int32_t day = document_day(&at->seg->doc[at->doc]);
    newest = day > newest ? day : newest;
  }
  return newest;
}

static float recency_prior(const struct ranker *r, const struct store_doc *d, int32_t newest) {
  int32_t day = document_day(d);
  return day == STORE_NO_DAY ? 0 : r->tuning.recent * exp2f(-(float)(newest - day) / 365);
}

/* Which part of a long document; a page or a release has no other part to prefer. */
static float sign_prior(const struct ranker *r, const struct query *q, const struct store_doc *d,
                        unsigned flags) {
  unsigned named = asked_signs(q, q->named), asked = asked_signs(q, q->places);
  if (d->rows < LONG_DOCUMENT)
    return 0;
  if (flags & named)
    return r->tuning.sign_named;
  if (flags & asked)
    return r->tuning.sign;
  if (q->asks_cause && (flags & SIGN_CAUSES))
    return r->tuning.cause;
  return flags & (SIGN_LIST | SIGN_AUDIT | SIGN_COVER) ? -r->tuning.aside : 0;
}

static void add_priors(struct ranker *r, const struct query *q, const struct rank_options *o,
                       int has_vector) {
  const char *const *forms;
  int32_t newest = newest_day(r);
  store_forms(r->snap, &forms);
  for (size_t i = 0; i < r->count; i++) {
    struct rank_hit *h = &r->candidates[i].hit;
    const struct store_doc *d = &h->at.seg->doc[h->at.doc];
    h->score = fuse(r, h, o->mode, has_vector);
    if (o->narrow) {
      h->period = period_prior(r, q, d) + (q->year_count == 0 ? recency_prior(r, d, newest) : 0);
      h->form = form_prior(r, q, d, forms);
    }
    if (h->at.seg->flags[h->at.row] & STORE_BOILERPLATE)
      h->form -= r->tuning.boilerplate;
    if (o->mode != RANK_VECTOR)
      h->sign = sign_prior(r, q, d, h->at.seg->flags[h->at.row]);
    h->score += h->period + h->form + h->sign;
  }
}

static void sort(struct ranker *r) {
  for (size_t i = 0; i < r->count; i++)
    r->items[i] = (struct rank_item){rank_key(r->order[i]->hit.score, r->order[i]->row), r->order[i]};
  rank_sort(r->items, r->items + r->count, r->count);
  for (size_t i = 0; i < r->count; i++)
    r->order[i] = r->items[i].of;
}

/* ---- reading ---- */

/* Chance that a passage is relevant: a logistic function, fitted on answerable questions and on questions
 * about other things (test/quality/relevance.py).  Cosines of one model say nothing of another's: a model
 * that isn't in the list goes by the text alone. */
static const struct relevance {
  const char *model; /* the name's beginning */
  float constant, coverage, cosine, phrase;
} relevances[] = {{"bid-static@", -8.72F, 7.39F, 17.6F, 4.66F},
                  {"bge-small-en-v1.5@", -11.9F, 6.8F, 14.2F, 6.45F},
                  {"", -5.47F, 11.5F, 0, 13.2F}};

/* What the question itself says, as logarithms of odds: */
#define NARROWED 2.0F   /* it names a company of the store */
#define FAMILIAR 0.5F   /* it has a company, a period or words of the thesaurus */
#define UNFAMILIAR 1.0F /* it has none, and is more than a few words to look for */
#define FEW_WORDS 3
#define LEAST_ODDS -2.5F /* logarithm of what is of no interest already */

static float question_odds(const struct ranker *r, const struct query *q) {
  int hints = 0;
  for (size_t i = 0; i < q->phrase_count; i++)
    hints |= !q->phrases[i].quoted;
  if (r->narrowed)
    return NARROWED + FAMILIAR;
  return hints || q->year_count > 0 ? FAMILIAR : q->token_count > FEW_WORDS ? -UNFAMILIAR : 0;
}

static float estimate_relevance(const struct ranker *r, const struct rank_hit *h, int has_vector) {
  const struct relevance *m = relevances;
  while (m->model[0] != '\0' && !(has_vector && strncmp(m->model, r->model, strlen(m->model)) == 0))
    m++;
  float x = m->constant + m->coverage * h->coverage + m->cosine * h->cosine + m->phrase * h->phrase + r->odds;
  if (r->names.count > 0 && x > LEAST_ODDS)
    x -= rank_names_doubt(&r->names, &h->at);
  return 1 / (1 + expf(-x));
}

static int is_long(const struct rank_candidate *c) {
  return c->hit.at.seg->doc[c->hit.at.doc].rows >= LONG_DOCUMENT;
}

/* 1 where an amount is asked for, less where only a line of a statement is named. */
static float wants_table(const struct query *q) {
  if (q->asks_amount)
    return 1;
  return (q->places & (PLACE_INCOME | PLACE_BALANCE | PLACE_CASH)) && !q->asks_cause ? 0.5F : 0;
}

static int read_one(struct ranker *r, struct rank_candidate *c, const struct query *q,
                    const struct rank_options *o, int has_vector, struct error_text *e) {
  struct rank_hit *h = &c->hit;
  const struct rank_words *words = rank_words_get(r->opener, r->snap, &h->at, c->row, e);
  if (words == NULL)
    return -1;
  struct rank_reading *d = c->reading = &r->readings[r->reading_count++];
  if (r->reading_count > r->reading_made)
    memset(&r->readings[r->reading_made++], 0, sizeof *d);
  rank_read(r->reader, words, d);
  c->page = words->page;
  /* A long document's statements are known by their lines, too: prose and notes name statements as well. */
  int titled = is_long(c) && (h->at.seg->flags[h->at.row] & STATEMENTS);
  float tables = d->numbers > 0.4F ? 1 : d->numbers / 0.4F;
  h->table = r->tuning.table * wants_table(q) * tables + r->tuning.statement * (titled ? d->statement : 0);
  h->phrase = r->tuning.phrase * d->phrase + r->tuning.pair * d->pair;
  if (o->mode != RANK_VECTOR) /* which stays what it says */
    h->score += h->table + h->phrase;
  h->coverage = d->coverage;
  h->relevance = estimate_relevance(r, h, has_vector);
  return 0;
}

/* Up to `count` passages, and no more once `enough` hold what is quoted. */
static int read_best(struct ranker *r, const struct query *q, const struct rank_options *o, size_t count,
                     size_t enough, int has_vector, struct error_text *e) {
  rank_reader_begin(r->reader, q, r->text.idf);
  r->odds = question_odds(r, q);
  r->names.count = 0;
  if (!r->narrowed)
    rank_names_begin(&r->names, q, &r->scope);
  count = count < r->count ? count : r->count;
  if (count > r->reading_cap) {
    r->readings = xreallocarray(r->readings, count, sizeof *r->readings);
    r->reading_cap = count;
  }
  for (size_t i = 0, held = 0; i < count && held < enough; i++) {
    if (read_one(r, r->order[i], q, o, has_vector, e) != 0)
      return -1;
    held += (size_t)r->order[i]->reading->quoted;
  }
  return 0;
}

/* Takes candidates without the quoted phrases off the list; those that weren't read go too. */
static size_t keep_quoted(struct ranker *r) {
  size_t kept = 0;
  for (size_t i = 0; i < r->count; i++)
    if (r->order[i]->reading != NULL && r->order[i]->reading->quoted)
      r->order[kept++] = r->order[i];
  return kept;
}

/* ---- the list ---- */

static struct rank_candidate *same_as(struct ranker *r, struct rank_candidate *c,
                                      struct rank_candidate *const *taken, size_t n) {
  if (c->reading == NULL || c->reading->shingle_count == 0)
    return NULL;
  for (size_t i = 0; i < n; i++)
    if (taken[i]->reading != NULL && rank_similarity(taken[i]->reading, c->reading) >= r->tuning.fold)
      return taken[i];
  return NULL;
}

static void fold_into(struct rank_hit *h, const struct rank_hit *other) {
  if (h->folded_count < RANK_FOLDED)
    h->folded[h->folded_count] = other->at;
  h->folded_count++;
}

/* Where no candidate's relevance reaches this, nothing is shown; see estimate_relevance().  It decides on the
 * answer, not on each passage: beside a relevant one, the next best are wanted too, and cutting them one by
 * one lost right ones. */
#define RELEVANT 0.25F

static float best_relevance(const struct ranker *r, size_t count) {
  float best = 0;
  for (size_t i = 0; i < count; i++)
    if (r->order[i]->reading != NULL && r->order[i]->hit.relevance > best)
      best = r->order[i]->hit.relevance;
  return best;
}

static int same_page(const struct rank_candidate *a, const struct rank_candidate *b) {
  return a->page != 0 && a->page == b->page && a->hit.at.seg == b->hit.at.seg &&
         a->hit.at.doc == b->hit.at.doc;
}

/* Five passages of five pages show more than five of one: each further one of a page of a long document goes
 * down a little. */
static void rank_spread(struct ranker *r, size_t count) {
  if (r->tuning.page <= 0)
    return;
  for (size_t i = 1; i < count && r->order[i]->reading != NULL; i++) {
    size_t others = 0;
    for (size_t k = 0; k < i; k++)
      others += (size_t)same_page(r->order[k], r->order[i]);
    struct rank_hit *h = &r->order[i]->hit; /* what its document is worth stays */
    float own = h->score - h->period - h->form;
    if (own > 0)
      h->score -= r->tuning.page * (float)(others < 3 ? others : 3) * own;
  }
  sort(r);
}

/* Fills the list from the first `count` candidates. */
static void rank_take(struct ranker *r, const struct rank_options *o, size_t count, struct rank_result *out) {
  struct rank_candidate **taken = xcalloc(o->n + 1, sizeof *taken);
  size_t n = 0;
  out->best = best_relevance(r, count);
  if (o->threshold && out->best < RELEVANT)
    count = 0;
  for (size_t i = 0; i < count; i++) {
    struct rank_candidate *c = r->order[i], *same;
    same = o->fold ? same_as(r, c, taken, n) : NULL;
    if (same != NULL)
      fold_into(&same->hit, &c->hit);
    else if (n < o->n)
      taken[n++] = c;
  }
  for (size_t i = 0; i < n; i++)
    r->hits[i] = taken[i]->hit;
  free(taken);
  out->hits = r->hits;
  out->count = n;
}

int ranker_search(struct ranker *r, const struct query *q, const float *vector, const struct rank_options *o,
                  struct rank_result *out, struct error_text *e) {
  memset(out, 0, sizeof *out);
  narrow(r, q, o, out);
  size_t wanted = o->n < RANK_MAX ? o->n : RANK_MAX, reread = r->tuning.reread;
  r->depth = r->tuning.depth > 2 * wanted ? r->tuning.depth : 2 * wanted;
  reread = reread > 2 * wanted ? reread : 2 * wanted;
  int quoted = 0;
  for (size_t i = 0; i < q->phrase_count; i++)
    quoted |= q->phrases[i].quoted;
  size_t enough = reread;
  if (quoted)
    reread = r->depth = QUOTED_DEPTH;
  rank_reserve(r, r->depth);
  rank_gather(r, q, vector, o, out);
  int has_vector = vector != NULL && o->mode != RANK_TEXT;
  complete_scores(r, has_vector ? vector : NULL);
  normalise(r);
  add_priors(r, q, o, has_vector);
  sort(r);
  if (read_best(r, q, o, reread, enough, has_vector, e) != 0)
    return -1;
  sort(r);
  out->found = quoted ? keep_quoted(r) : r->count;
  if (!quoted)
    rank_spread(r, out->found);
  rank_take(r, o, out->found, out);
  return 0;
}
