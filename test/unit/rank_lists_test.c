/* rank_lists_test.c: scores with remembered lists are those without, bit by bit: with several segments,
 * removed documents, filters, threads, little room, another model, after the store has changed. */
#include "rank_parts.h"
#include "signs.h"
#include "terms.h"

#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define DIMS 64
#define DOCUMENTS 9
#define PASSAGES 700 /* a document: more than a chunk of rows in all, and none of it a multiple of 16 */
#define WORDS 40     /* word i stands in about one passage of 1.3^i */
#define QUESTIONS 24

static struct terms *terms;
static struct store *store;
static struct store_snapshot *snap;
static struct rank_scope scope;
static struct query questions[QUESTIONS];
static uint32_t state = 1;

static uint32_t number(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

/* ---- a store ---- */

static const char *word(size_t i) {
  static char text[16];
  snprintf(text, sizeof text, "q%c%cx", (int)('b' + i / 20), (int)('b' + i % 20));
  return text;
}

static void write_text(struct buf *text) {
  double one_in = 1;
  buf_clear(text);
  for (size_t i = 0; i < WORDS; i++, one_in *= 1.3)
    for (int times = 0; times < 3 && number((uint32_t)one_in + 1) == 0; times++)
      buf_printf(text, "%s ", word(i));
  if (number(5) == 0)
    buf_add_str(text, "Total current assets. Accounts payable. Retained earnings. Total liabilities.");
}

static void put_document(struct store_writer *w, unsigned which) {
  static char url[64], ids[PASSAGES][40];
  static float vector[DIMS] = {1};
  struct store_passage *p = calloc(PASSAGES, sizeof *p);
  struct buf text[PASSAGES];
  struct error_text e;
  snprintf(url, sizeof url, "https://example.org/%u", which);
  for (size_t i = 0; i < PASSAGES; i++) {
    buf_init(&text[i], 65536);
    write_text(&text[i]);
    snprintf(ids[i], sizeof ids[i], "%016x%016zx", which, i);
    p[i] = (struct store_passage){.id = slice_str(ids[i]),
                                  .text = buf_slice(&text[i]),
                                  .context = slice_str(i % 7 ? "" : word(i % WORDS)),
                                  .chunk = slice_str("{\"index\":0}"),
                                  .vector = vector};
  }
  struct store_document d = {.collection = which % 2 ? "finance_edgar_A_10-K" : "finance_edgar_B_10-K",
                             .model = "bid-static@test",
                             .dims = DIMS,
                             .url = slice_str(url),
                             .json = slice_str("{}"),
                             .passages = p,
                             .count = PASSAGES};
  CHECK_INT(store_writer_add(w, &d, &e), STORE_OK);
  for (size_t i = 0; i < PASSAGES; i++)
    buf_release(&text[i]);
  free(p);
}

static void ignore_receipt(void *arg, const struct store_receipt *r) {
  (void)arg;
  CHECK_INT(r->status, STORE_OK);
}

static void put_documents(unsigned from, unsigned to) {
  struct error_text e;
  struct store_writer *w = store_writer_new(store, 0, ignore_receipt, NULL);
  for (unsigned i = from; i < to; i++)
    put_document(w, i);
  CHECK_INT(store_writer_commit(w, &e), STORE_OK);
  store_writer_free(w);
}

static void end_scope(void) {
  for (size_t s = 0; s < scope.seg_count; s++)
    store_selection_release(&scope.sel[s]);
  free(scope.sel);
  free(scope.base);
  store_snapshot_end(snap);
}

static void select_rows(const struct store_filter *f) {
  uint64_t live, length;
  store_totals(snap, &live, &length);
  scope.rows = 0;
  for (size_t s = 0; s < scope.seg_count; s++) {
    store_selection_release(&scope.sel[s]);
    store_select(&scope.segs[s], f, &scope.sel[s]);
    scope.rows += scope.sel[s].count;
  }
  scope.filtered = scope.rows < live;
}

static void begin_scope(void) {
  struct error_text e;
  struct store_filter all = {0};
  CHECK_INT(store_snapshot_begin(store, &snap, &e), STORE_OK);
  scope.seg_count = store_segments(snap, &scope.segs);
  scope.sel = calloc(scope.seg_count + 1, sizeof *scope.sel);
  scope.base = calloc(scope.seg_count + 1, sizeof *scope.base);
  for (size_t s = 0; s < scope.seg_count; s++)
    scope.base[s + 1] = scope.base[s] + scope.segs[s].rows;
  select_rows(&all);
}

static void make_questions(void) {
  for (size_t i = 0; i < QUESTIONS; i++) {
    char text[200] = "";
    for (uint32_t k = 0, n = 1 + number(9); k < n; k++) {
      strcat(text, word(number(WORDS)));
      strcat(text, " ");
    }
    query_init(&questions[i]);
    CHECK_INT(query_parse(&questions[i], slice_str(text), terms, NULL), 0);
    query_finish(&questions[i]);
    for (size_t k = 0; k < questions[i].term_count; k++) /* as the thesaurus adds them */
      if (number(4) == 0)
        questions[i].terms[k].kind = QUERY_EXPANSION;
  }
}

/* ---- comparing ---- */

static int same_best(struct rank_text *a, struct rank_text *b, unsigned signs, size_t max) {
  uint32_t rows_a[400], rows_b[400];
  size_t n = rank_text_best(a, &scope, signs, rows_a, max);
  return rank_text_best(b, &scope, signs, rows_b, max) == n &&
         memcmp(rows_a, rows_b, n * sizeof *rows_a) == 0;
}

static int same_scores(const struct rank_text *a, const struct rank_text *b) {
  return memcmp(a->score, b->score, scope.base[scope.seg_count] * sizeof *a->score) == 0 &&
         memcmp(a->idf, b->idf, sizeof a->idf) == 0 && a->ideal == b->ideal;
}

/* How many of the questions, asked `rounds` times, differ from what they are without a memory. */
static int differing(struct rank_lists *lists, const struct rank_tuning *tuning, int rounds) {
  struct rank_text with = {.lists = lists}, without = {.lists = NULL};
  int differ = 0;
  for (int i = 0; i < rounds * QUESTIONS; i++) {
    const struct query *q = &questions[i % QUESTIONS];
    rank_text_score(&with, &scope, snap, q, tuning);
    rank_text_score(&without, &scope, snap, q, tuning);
    differ += !same_scores(&with, &without) || !same_best(&with, &without, 0, 80) ||
              !same_best(&with, &without, 0, 400) || !same_best(&with, &without, SIGN_BALANCE, 20);
  }
  rank_text_release(&with);
  rank_text_release(&without);
  return differ;
}

static int differing_anew(size_t bytes, int rounds) {
  struct rank_lists *lists = rank_lists_new(bytes);
  int differ = differing(lists, &rank_tuning_default, rounds);
  rank_lists_tidy(lists);
  differ += differing(lists, &rank_tuning_default, 1);
  rank_lists_free(lists);
  return differ;
}

#define ROOM ((size_t)16 << 20)

/* How many terms of the questions have a list that holds as many rows as live ones have the term. */
static size_t complete_lists(void) {
  struct store_bm25 model = {1, 0.6F, 1.9F, 0.18F, 0.01F};
  struct rank_lists *lists = rank_lists_new(ROOM);
  size_t complete = 0;
  for (size_t i = 0; i < 2 * QUESTIONS; i++)
    for (size_t k = 0; k < questions[i / 2].term_count; k++) {
      uint64_t hash = terms_hash(questions[i / 2].terms[k].text);
      const struct rank_term *t = rank_lists_term(lists, &scope, hash, scope.rows, &model, 1);
      const struct rank_list *l = rank_lists_list(lists, t, &scope);
      complete += l != NULL && l->count == t->frequency;
    }
  rank_lists_free(lists);
  return complete;
}

TEST(a_list_is_made_the_second_time) {
  struct store_bm25 model = {1, 0.6F, 1.9F, 0.18F, 0.01F}, other = model;
  struct rank_lists *lists = rank_lists_new(ROOM);
  uint64_t hash = questions[0].term_count ? terms_hash(questions[0].terms[0].text) : 0;
  const struct rank_term *t = rank_lists_term(lists, &scope, hash, 1000, &model, 1);
  CHECK(t != NULL && t->total == rank_total(&scope, hash) && t->frequency == rank_frequency(&scope, hash));
  CHECK(rank_lists_term(lists, &scope, hash, 1000, &model, 1) == t);
  CHECK(rank_lists_list(lists, t, &scope) == NULL);
  const struct rank_list *l = rank_lists_list(lists, t, &scope);
  CHECK(l != NULL && l->count == t->frequency);
  CHECK(rank_lists_list(lists, t, &scope) == l);
  other.slope *= 2;
  CHECK(rank_lists_term(lists, &scope, hash, 1000, &other, 1) == NULL);
  CHECK(rank_lists_term(lists, &scope, hash, 1000, &model, 0.5F) == NULL);
  rank_lists_free(lists);
}

/* The best rows, by looking at all of them. */
static size_t best_simply(const struct rank_text *t, unsigned signs, uint32_t *rows, size_t max) {
  size_t n = 0;
  for (size_t s = 0; s < scope.seg_count; s++)
    for (uint32_t i = 0; i < scope.segs[s].rows; i++) {
      uint32_t row = scope.base[s] + i;
      size_t at = n;
      if (!(t->score[row] > 0) || (signs && !(scope.segs[s].flags[i] & signs)))
        continue;
      for (; at > 0 && t->score[row] > t->score[rows[at - 1]]; at--)
        if (at < max)
          rows[at] = rows[at - 1];
      if (at < max)
        rows[at] = row, n += n < max;
    }
  return n;
}

TEST(the_best_rows_are_the_best) {
  struct rank_text t = {.lists = NULL};
  uint32_t rows[400], expected[400];
  for (size_t i = 0; i < QUESTIONS; i++) {
    rank_text_score(&t, &scope, snap, &questions[i], &rank_tuning_default);
    for (size_t max = 1; max <= 400; max = 3 * max + 1) {
      size_t n = best_simply(&t, 0, expected, max);
      CHECK_INT(rank_text_best(&t, &scope, 0, rows, max), n);
      CHECK(memcmp(rows, expected, n * sizeof *rows) == 0);
      n = best_simply(&t, SIGN_BALANCE, expected, max);
      CHECK_INT(rank_text_best(&t, &scope, SIGN_BALANCE, rows, max), n);
      CHECK(memcmp(rows, expected, n * sizeof *rows) == 0);
    }
  }
  rank_text_release(&t);
}

TEST(scores_of_lists_are_those_of_postings) {
  CHECK(scope.seg_count > 1);
  CHECK(scope.base[scope.seg_count] > RANK_CHUNK);
  CHECK_INT(differing_anew(ROOM, 4), 0);
}

TEST(little_room_is_enough) {
  CHECK_INT(differing_anew(0, 3), 0);
  CHECK_INT(differing_anew(1, 3), 0);
  CHECK_INT(differing_anew(30000, 4), 0);
}

TEST(another_tuning_is_not_mixed_up) {
  struct rank_lists *lists = rank_lists_new(ROOM);
  struct rank_tuning other = rank_tuning_default;
  other.k1 = 1.2F;
  CHECK_INT(differing(lists, &rank_tuning_default, 2), 0);
  CHECK_INT(differing(lists, &other, 2), 0);
  other = rank_tuning_default;
  other.idf = 1;
  other.everywhere = 0.5F;
  CHECK_INT(differing(lists, &other, 2), 0);
  CHECK_INT(differing(lists, &rank_tuning_default, 2), 0);
  rank_lists_free(lists);
}

static void *differing_in_a_thread(void *lists) {
  static int none;
  return differing(lists, &rank_tuning_default, 3) ? NULL : &none;
}

TEST(threads_share_it) {
  pthread_t threads[4];
  struct rank_lists *lists = rank_lists_new(ROOM);
  for (size_t i = 0; i < 4; i++)
    CHECK_INT(pthread_create(&threads[i], NULL, differing_in_a_thread, lists), 0);
  for (size_t i = 0; i < 4; i++) {
    void *fine = NULL;
    pthread_join(threads[i], &fine);
    CHECK(fine != NULL);
  }
  rank_lists_free(lists);
}

TEST(filters_come_and_go) {
  struct rank_lists *lists = rank_lists_new(ROOM);
  const struct store_collection *list;
  CHECK_INT(store_collections(snap, &list), 2);
  struct store_filter none = {0}, one = {.collections = &list[0].id, .collection_count = 1};
  for (int i = 0; i < 3; i++) {
    select_rows(&one);
    CHECK(scope.filtered && scope.rows > 0);
    CHECK_INT(differing(lists, &rank_tuning_default, 1), 0);
    select_rows(&none);
    CHECK(!scope.filtered);
    CHECK_INT(differing(lists, &rank_tuning_default, 1), 0);
  }
  rank_lists_free(lists);
}

static int is_fourth(void *arg, const struct store_segment *seg, uint32_t doc) {
  (void)arg;
  return seg->doc[doc].id % 4 == 1;
}

TEST(removed_documents_score_nothing) {
  uint64_t documents, passages;
  struct error_text e;
  end_scope();
  CHECK_INT(store_remove(store, is_fourth, NULL, &documents, &passages, &e), STORE_OK);
  CHECK(documents > 0 && passages == documents * PASSAGES);
  begin_scope();
  uint64_t dead = 0;
  for (size_t s = 0; s < scope.seg_count; s++)
    dead += scope.segs[s].rows - scope.segs[s].live_rows;
  CHECK(dead > 0);
  CHECK(complete_lists() > QUESTIONS);
  CHECK_INT(differing_anew(ROOM, 4), 0);
}

TEST(a_changed_store_has_a_memory_of_its_own) {
  end_scope();
  put_documents(DOCUMENTS, DOCUMENTS + 2);
  begin_scope();
  CHECK_INT(differing_anew(ROOM, 4), 0);
}

int main(void) {
  char folder[] = "/tmp/bid-lists-XXXXXX", path[64], lock[80];
  struct error_text e;
  if (mkdtemp(folder) == NULL)
    return 1;
  snprintf(path, sizeof path, "%s/store", folder);
  snprintf(lock, sizeof lock, "%s-lock", path);
  struct store_options o = {.path = path, .write = 1, .create = 1, .wait = 1};
  terms = terms_new();
  CHECK_INT(store_open(&store, &o, &e), STORE_OK);
  put_documents(0, DOCUMENTS - 2);
  put_documents(DOCUMENTS - 2, DOCUMENTS);
  begin_scope();
  make_questions();
  RUN(a_list_is_made_the_second_time);
  RUN(the_best_rows_are_the_best);
  RUN(scores_of_lists_are_those_of_postings);
  RUN(little_room_is_enough);
  RUN(another_tuning_is_not_mixed_up);
  RUN(threads_share_it);
  RUN(filters_come_and_go);
  RUN(removed_documents_score_nothing);
  RUN(a_changed_store_has_a_memory_of_its_own);
  end_scope();
  store_close(store);
  for (size_t i = 0; i < QUESTIONS; i++)
    query_release(&questions[i]);
  terms_free(terms);
  unlink(path);
  unlink(lock);
  rmdir(folder);
  return test_done();
}
