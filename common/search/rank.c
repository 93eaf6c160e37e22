/* rank.c: the search: filter, candidates, fusion, reading, folding. */
#include "search/rank.h"

#include "search/rank_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the ranker ---- */

/* filter, candidates, fusion, priors, folding. */

const struct rank_tuning rank_tuning_default = {
    .k1 = 0.9F,
    .b = 0.8F,
    .context = 0.6F,
    .expansion = 0.5F,
    .idf = 0.9F,
    .everywhere = 0.1F,
    .older = 0.7F,
    .fold = 0.5F,
    .depth = 80,
};

#define QUOTED_DEPTH 4000         /* passages read to find a quoted phrase */
#define KNOWN_MODEL "bid-static@" /* model for whose cosines the answer's probability was fitted */
#define UNREAD 1000               /* subtracted from candidates that were not read, to rank them last */

struct ranker {
  const struct store_snapshot *snap;
  const char *model;
  const struct query *asked; /* by the last search */
  struct terms *terms;
  struct rank_tuning tuning;
  struct rank_scope scope;
  struct rank_text text;
  struct rank_reader *reader;
  struct store_text passage; /* that was read last */
  struct buf texts;          /* of all that were read, and the headings above them */
  struct rank_words *words;
  struct rank_sentences *sentences;
  struct rank_units *units; /* of the passage that was split last */
  struct error_text damage; /* why sentences are not read, where damaged */
  int damaged;
  struct rank_reading *readings; /* [reading_cap] */
  size_t reading_count, reading_cap;
  struct rank_candidate *candidates; /* [cap] in order of discovery */
  struct rank_candidate **order;     /* the same, best first after sort() */
  size_t count, cap;
  struct rank_hit *hits;
  uint32_t *rows;
  struct vector_hit *nearest;
  struct vector_part *parts;
  uint32_t *part_of; /* segment of each vector part */
  size_t depth, dims;
  int narrowed; /* the search is restricted to a company */
};

struct ranker *rank_new(const struct store_snapshot *snap, const char *model, struct terms *terms) {
  struct ranker *r = xcalloc(1, sizeof *r);
  r->snap = snap;
  r->model = model;
  r->terms = terms;
  r->tuning = rank_tuning_default;
  r->reader = rank_reader_new();
  r->words = rank_words_new();
  store_text_init(&r->passage);
  buf_init(&r->texts, SIZE_MAX / 4);
  r->sentences = rank_sentences_new();
  r->units = rank_units_new();
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

void rank_free(struct ranker *r) {
  if (r == NULL)
    return;
  release_selections(r);
  rank_text_release(&r->text);
  rank_reader_free(r->reader);
  store_text_release(&r->passage);
  buf_release(&r->texts);
  free(r->words);
  rank_sentences_free(r->sentences);
  rank_units_free(r->units);
  free(r->readings);
  free(r->scope.sel);
  free(r->scope.base);
  free(r->candidates);
  free(r->order);
  free(r->hits);
  free(r->rows);
  free(r->nearest);
  free(r->parts);
  free(r->part_of);
  free(r);
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

/* Applies the options' filter and the question's restrictions, as long as some rows remain. */
static void narrow(struct ranker *r, const struct query *q, const struct rank_options *o,
                   struct rank_result *out) {
  struct store_filter f = o->filter;
  if (o->narrow && q->form_named && q->form_count > 0 && f.form_count == 0) {
    f.forms = q->forms;
    f.form_count = q->form_count;
    out->narrowed_form = select_rows(r, &f) > 0;
    if (!out->narrowed_form)
      f.forms = NULL, f.form_count = 0;
  }
  r->narrowed = f.company_count > 0; /* named in the question or given by an option */
  out->searched = select_rows(r, &f);
}

/* ---- candidates ---- */

static void rank_reserve(struct ranker *r, size_t depth) {
  size_t most = 2 * depth;
  if (most <= r->cap)
    return;
  r->cap = most;
  r->candidates = xreallocarray(r->candidates, r->cap, sizeof *r->candidates);
  r->order = xreallocarray(r->order, r->cap, sizeof *r->order);
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
  r->count = r->reading_count = 0;
  buf_clear(&r->texts);
}

/* Among the first `count`. */
static struct rank_candidate *find_candidate(const struct ranker *r, uint32_t row, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (r->candidates[i].row == row)
      return &r->candidates[i];
  return NULL;
}

static struct rank_candidate *add_candidate(struct ranker *r, uint32_t row) {
  struct rank_candidate *c = r->order[r->count] = &r->candidates[r->count];
  r->count++;
  size_t s = segment_of(&r->scope, row);
  memset(c, 0, sizeof *c);
  c->row = row;
  c->hit.at.seg = &r->scope.segs[s];
  c->hit.at.row = row - r->scope.base[s];
  c->hit.at.doc = store_doc_of_row(c->hit.at.seg, c->hit.at.row);
  return c;
}

static int has_model(const struct ranker *r, const struct store_segment *seg) {
  return r->model != NULL && seg->model != NULL && strcmp(seg->model, r->model) == 0 &&
         seg->vectors.rows > 0 && seg->vectors.dims == r->dims;
}

/* Collects the selected rows that have vectors. */
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

#define FEW_ROWS 8192     /* rows that are compared without sketches, ties in the order of their ids */
#define NEAREST_MAX 10000 /* vector.h's maximum of hits */

static int by_nearest_id(const void *a, const void *b, void *ranker) {
  const struct ranker *r = ranker;
  const struct vector_hit *x = a, *y = b;
  const struct store_segment *p = &r->scope.segs[r->part_of[x->part]],
                             *q = &r->scope.segs[r->part_of[y->part]];
  return memcmp(store_row_id(p, x->row), store_row_id(q, y->row), STORE_ID_BYTES);
}

/* vector_search(), but of rows that tie for the last rank those with the lowest passage ids are taken: row numbers
 * depend on the order in which the store was filled.  Asks for more rows until the tie ends. */
static size_t nearest_by_id(struct ranker *r, size_t parts, struct vector_query vq) {
  size_t k = vq.k, n, first = k - 1, end;
  for (vq.k += k < NEAREST_MAX;; vq.k = 4 * vq.k < NEAREST_MAX ? 4 * vq.k : NEAREST_MAX) {
    r->nearest = xreallocarray(r->nearest, vq.k, sizeof *r->nearest);
    n = vector_search(r->parts, parts, &vq, r->nearest);
    if (n <= k || r->nearest[n - 1].score != r->nearest[k - 1].score || n < vq.k || vq.k == NEAREST_MAX)
      break;
  }
  if (n <= k)
    return n;
  while (first > 0 && r->nearest[first - 1].score == r->nearest[k - 1].score)
    first--;
  for (end = k; end < n && r->nearest[end].score == r->nearest[k - 1].score;)
    end++;
  if (end > k)
    qsort_r(r->nearest + first, end - first, sizeof *r->nearest, by_nearest_id, r);
  return k;
}

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
  vq.how = o->exact ? VECTOR_EXACT : out->candidates ? VECTOR_SKETCH : VECTOR_PRUNED;
  return out->exact ? nearest_by_id(r, parts, vq) : vector_search(r->parts, parts, &vq, r->nearest);
}

static void rank_gather(struct ranker *r, const struct query *q, const float *vector,
                        const struct rank_options *o, struct rank_result *out) {
  begin_candidates(r);
  rank_text_score(&r->text, &r->scope, r->snap, q, &r->tuning);
  if (o->mode != RANK_VECTOR || r->text.required != NULL) {
    size_t n = rank_text_best(&r->text, &r->scope, r->rows, r->depth);
    for (size_t i = 0; i < n; i++)
      add_candidate(r, r->rows[i]);
  }
  if (vector == NULL || o->mode == RANK_TEXT || r->text.required != NULL)
    return;
  size_t n = find_nearest(r, vector, o, out), by_text = r->count;
  for (size_t i = 0; i < n; i++) {
    const struct vector_hit *h = &r->nearest[i];
    uint32_t row = r->scope.base[r->part_of[h->part]] + h->row;
    struct rank_candidate *c = find_candidate(r, row, by_text);
    if (c == NULL)
      c = add_candidate(r, row);
    c->hit.cosine = h->score;
    c->has_vector = 1;
  }
}

/* ---- fusion ---- */

/* Whether a candidate's cosine still has to be computed. */
static int lacks_cosine(const struct ranker *r, const struct rank_candidate *c, const float *vector) {
  return !c->has_vector && vector != NULL && has_model(r, c->hit.at.seg);
}

static void complete_scores(struct ranker *r, const float *vector) {
  size_t ahead = 0; /* rows are scattered: prefetch the next ones */
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

/* Best first; ties by passage id, which doesn't depend on the order in which the store was filled. */
static int by_sum(const void *a, const void *b) {
  const struct rank_hit *x = &(*(struct rank_candidate *const *)a)->hit,
                        *y = &(*(struct rank_candidate *const *)b)->hit;
  if (x->sum != y->sum)
    return x->sum < y->sum ? 1 : -1;
  return memcmp(store_row_id(x->at.seg, x->at.row), store_row_id(y->at.seg, y->at.row), STORE_ID_BYTES);
}

/* Sorts the first `count` of r->order. */
static void sort(struct ranker *r, size_t count) {
  qsort(r->order, count, sizeof(struct rank_candidate *), by_sum);
}

/* ---- reading ---- */

/* The text of a passage that was read. */
static struct slice text_of(const struct ranker *r, const struct rank_candidate *c) {
  return slice_of(r->texts.data + c->reading->text_at, c->reading->text_len);
}

static int read_one(struct ranker *r, struct rank_candidate *c, struct error_text *e) {
  struct store_text *t = &r->passage;
  if (store_get_text(r->snap, c->hit.at.seg, c->hit.at.row, t, e) != STORE_OK)
    return -1;
  struct rank_reading *d = c->reading = &r->readings[r->reading_count++];
  rank_words_take(r->words, r->terms, t);
  rank_read(r->reader, r->words, d);
  rank_shingles_take(r->words, d);
  d->text_at = r->texts.len;
  d->text_len = t->text.len;
  buf_add_slice(&r->texts, t->text);
  d->heading_at = r->texts.len;
  buf_add_slice(&r->texts, rank_heading(t->context));
  d->heading_len = r->texts.len - d->heading_at;
  return 0;
}

/* Compares the sentences of the best passages by all else with the question, and those of the last one: near-duplicates alone differ
 * too little to tell how near is near. */
static void compare_sentences(struct ranker *r, const struct rank_asking *a, size_t read) {
  size_t count = read > RANK_READ ? read : read < RANK_COMPARED ? read : RANK_COMPARED;
  sort(r, read);
  if (count < read) {
    struct rank_candidate *last = r->order[read - 1];
    r->order[read - 1] = r->order[count - 1];
    r->order[count - 1] = last;
  }
  for (size_t i = 0; i < count && !r->damaged; i++) {
    struct rank_candidate *c = r->order[i];
    struct rank_reading *d = c->reading;
    r->damaged = rank_sentences_nearest(r->sentences, text_of(r, c),
                                        slice_of(r->texts.data + d->heading_at, d->heading_len), &d->sentence,
                                        c->hit.nearest, &r->damage) != 0;
  }
  if (r->damaged)
    rank_describe_read(a, r->order, read, 0);
  else
    rank_describe_sentences(a, r->order, count);
}

/* Reads up to `count` of the best passages, and the sentences of the best among them; stops once `enough` contain the quoted phrases. */
static int read_best(struct ranker *r, const struct rank_asking *a, size_t count, size_t enough,
                     struct error_text *e) {
  rank_reader_begin(r->reader, a->q, r->text.idf);
  count = count < r->count ? count : r->count;
  if (count > r->reading_cap) {
    r->readings = xreallocarray(r->readings, count, sizeof *r->readings);
    r->reading_cap = count;
  }
  for (size_t i = 0; i < r->count; i++)
    r->order[i]->hit.sum -= UNREAD; /* replaced when it is read */
  size_t read = 0;
  for (size_t held = 0; read < count && held < enough; read++) {
    if (read_one(r, r->order[read], e) != 0)
      return -1;
    held += (size_t)r->order[read]->reading->quoted;
  }
  rank_describe_read(a, r->order, read, rank_sentences_are_read(r->sentences));
  if (rank_sentences_are_read(r->sentences))
    compare_sentences(r, a, read);
  return 0;
}

static int has_quoted(const struct query *q) {
  int quoted = 0;
  for (size_t i = 0; i < q->phrase_count; i++)
    quoted |= q->phrases[i].quoted;
  return quoted;
}

/* Removes candidates without the quoted phrases, including those that weren't read. */
static size_t keep_quoted(struct ranker *r) {
  size_t kept = 0;
  for (size_t i = 0; i < r->count; i++)
    if (r->order[i]->reading != NULL && r->order[i]->reading->quoted)
      r->order[kept++] = r->order[i];
  return kept;
}

/* ---- the result list ---- */

void rank_find_units(struct ranker *r, struct rank_units *u, const struct rank_hit *hit, struct slice text) {
  struct rank_last last = {r->asked, r->terms, r->reader};
  rank_units_find(&last, u, hit, text);
}

/* Appends a unit without blanks and bars: its words, numbers and signs. */
static void add_unit_bare(struct buf *out, struct slice text, const struct rank_unit *u) {
  for (size_t i = u->at.start; i < u->at.end; i++)
    if (!strchr(" \t\n|*_", text.data[i]))
      buf_add_char(out, text.data[i]);
}

/* Whether each word of the question stands in both texts or in neither. */
static int have_same_words(const struct query *q, struct slice one, struct slice other) {
  for (size_t i = 0; i < q->token_count; i++) {
    struct slice word = slice_of(q->text.data + q->tokens[i].start, q->tokens[i].end - q->tokens[i].start);
    if ((slice_find_word(one, word, 0) < one.len) != (slice_find_word(other, word, 0) < other.len))
      return 0;
  }
  return 1;
}

/* Whether what a passage answers stands in another one to the letter, and both have the same words of the question.  Near-duplicates may differ in the number, name, sign or
 * "not" that is asked for. */
static int answers_alike(struct ranker *r, const struct rank_candidate *of, const struct rank_candidate *in) {
  struct slice first = text_of(r, of), second = text_of(r, in);
  struct buf answer, other;
  size_t best = 0;
  int same = 0;
  if (!have_same_words(r->asked, first, second))
    return 0;
  buf_init(&answer, SIZE_MAX / 4);
  buf_init(&other, SIZE_MAX / 4);
  rank_find_units(r, r->units, &of->hit, first);
  for (size_t i = 1; i < r->units->count; i++)
    if (r->units->list[i].chance > r->units->list[best].chance)
      best = i;
  if (r->units->count > 0)
    add_unit_bare(&answer, first, &r->units->list[best]);
  rank_units_split(r->units, second);
  for (size_t i = 0; !same && i < r->units->count; i++) {
    buf_clear(&other);
    add_unit_bare(&other, second, &r->units->list[i]);
    same = slice_eq(buf_slice(&answer), buf_slice(&other));
  }
  buf_release(&answer);
  buf_release(&other);
  return same;
}

static struct rank_candidate *same_as(struct ranker *r, struct rank_candidate *c,
                                      struct rank_candidate *const *taken, size_t n) {
  if (c->reading == NULL)
    return NULL;
  for (size_t i = 0; i < n; i++)
    if (taken[i]->reading != NULL && rank_similarity(taken[i]->reading, c->reading) >= r->tuning.fold &&
        answers_alike(r, c, taken[i]))
      return taken[i];
  return NULL;
}

/* Where no year is requested, the newest of several near-duplicates is shown, at the best one's rank. */
static void fold_into(const struct rank_asking *a, struct rank_hit *h, const struct rank_hit *other) {
  int newer = a->narrow && a->q->year_count == 0 && other->f.recent > h->f.recent;
  if (h->folded_count < RANK_FOLDED)
    h->folded[h->folded_count] = newer ? h->at : other->at;
  h->folded_count++;
  if (!newer)
    return;
  h->at = other->at;
  h->f = other->f;
  h->bm25 = other->bm25;
  h->cosine = other->cosine;
  memcpy(h->nearest, other->nearest, sizeof h->nearest);
}

/* Fills the result from the first `count` candidates. */
static void rank_take(struct ranker *r, const struct rank_asking *a, const struct rank_options *o,
                      size_t count, struct rank_result *out) {
  struct rank_candidate **taken = xcalloc(o->n + 1, sizeof *taken);
  size_t n = 0;
  if (o->threshold && out->confidence < RANK_ANSWERED && !has_quoted(a->q)) /* a quoted phrase was found */
    count = 0;
  for (size_t i = 0; i < count; i++) {
    struct rank_candidate *c = r->order[i], *same;
    same = o->fold ? same_as(r, c, taken, n) : NULL;
    if (same != NULL)
      fold_into(a, &same->hit, &c->hit);
    else if (n < o->n)
      taken[n++] = c;
  }
  for (size_t i = 0; i < n; i++) {
    r->hits[i] = taken[i]->hit;
    r->hits[i].score = rank_features_chance(r->hits[i].sum, a->model);
    r->hits[i].relevance = r->hits[i].score * out->confidence;
  }
  free(taken);
  out->hits = r->hits;
  out->count = n;
}

#define MEASURED 10 /* best candidates in which a measure is searched */

/* Sets a->unstated. */
static void look_for_measures(struct ranker *r, struct rank_asking *a, size_t read) {
  struct rank_measures m;
  rank_measures_find(&m, a->q);
  for (size_t i = 0; i < read && i < MEASURED; i++)
    rank_measures_look(&m, r->terms, text_of(r, r->order[i]));
  a->unstated = rank_measures_missing(&m);
}

/* Candidates must be sorted, those that were read first. */
static void judge(struct ranker *r, struct rank_asking *a, struct rank_result *out) {
  size_t read = 0;
  while (read < r->count && r->order[read]->reading != NULL)
    read++;
  look_for_measures(r, a, read);
  rank_answer_describe(a, r->order, read, &out->answer);
  int nothing =
      read == 0 || (out->answer.coverage <= 0 && out->answer.narrowed <= 0); /* none of its words occurs */
  out->confidence = nothing ? 0 : rank_answer_chance(&out->answer, a->answer_model);
}

static struct rank_asking make_asking(struct ranker *r, const struct query *q, const struct rank_options *o,
                                      const float *vector) {
  struct rank_asking a = {.q = q,
                          .narrow = o->narrow,
                          .narrowed = r->narrowed,
                          .has_vector = vector != NULL && o->mode != RANK_TEXT,
                          .frequency = r->text.frequency};
  a.model = a.has_vector ? RANK_MODEL_HYBRID : RANK_MODEL_TEXT;
  a.answer_model =
      a.has_vector && strncmp(r->model, KNOWN_MODEL, strlen(KNOWN_MODEL)) == 0 ? a.model : RANK_MODEL_TEXT;
  store_forms(r->snap, &a.forms);
  return a;
}

/* A vector search is ordered by cosine only. */
static void order_by_vector(struct ranker *r) {
  for (size_t i = 0; i < r->count; i++)
    r->candidates[i].hit.sum = r->candidates[i].hit.cosine;
}

int rank_search(struct ranker *r, const struct query *q, const float *vector, const struct rank_options *o,
                struct rank_result *out, struct error_text *e) {
  memset(out, 0, sizeof *out);
  r->dims = o->dims;
  r->asked = q;
  narrow(r, q, o, out);
  size_t wanted = o->n < RANK_MAX ? o->n : RANK_MAX, reread = RANK_READ;
  r->depth = r->tuning.depth > 2 * wanted ? r->tuning.depth : 2 * wanted;
  reread = reread > 2 * wanted ? reread : 2 * wanted;
  int quoted = has_quoted(q);
  size_t enough = reread;
  if (quoted)
    reread = r->depth = QUOTED_DEPTH;
  rank_reserve(r, r->depth);
  rank_gather(r, q, vector, o, out);
  struct rank_asking a = make_asking(r, q, o, vector);
  int reads = o->mode == RANK_HYBRID && !quoted && a.has_vector;
  rank_sentences_begin(r->sentences, reads ? o->embedder : NULL, vector, o->dims);
  r->damaged = 0;
  complete_scores(r, a.has_vector ? vector : NULL);
  rank_describe(&a, r->candidates, r->count);
  sort(r, r->count);
  if (read_best(r, &a, reread, enough, e) != 0)
    return -1;
  sort(r, r->reading_count);
  out->damage = r->damaged ? r->damage.text : NULL;
  judge(r, &a, out);
  if (o->mode == RANK_VECTOR) {
    order_by_vector(r);
    sort(r, r->count);
  }
  out->found = quoted ? keep_quoted(r) : r->count;
  if (o->newest && q->year_count == 0 && !quoted) {
    rank_demote_older(&a, r->order, r->reading_count, out->found, r->tuning.older);
    sort(r, r->reading_count);
  }
  rank_take(r, &a, o, out->found, out);
  return 0;
}
