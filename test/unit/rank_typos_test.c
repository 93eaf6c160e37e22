/* rank_typos_test.c: slips of the keys are mended by the store's words, and nothing else is. */
#include "search/rank.h"

#include "small_store.h"

#include <stdlib.h>
#include <unistd.h>

static struct terms *terms;

/* Six passages hold "ibuprofen" and "bezafibrate", four "torasemide": fewer than a word needs; fifteen "licenses" and
 * "color". */
static void typos_store(const char *path) {
  const float vector[DIMS] = {1};
  small_store_begin(path);
  for (size_t i = 0; i < 21; i++)
    small_store_add(i, "finance_edgar_ACM_10-K", "toy@test", "{}", "",
                    i < 4   ? "Customers buy ibuprofen, bezafibrate and torasemide under licence."
                    : i < 6 ? "Customers buy ibuprofen and bezafibrate."
                            : "Licenses by color, set forth.",
                    vector);
  small_store_end();
}

/* What becomes of the question. */
static void mended(const char *question, const char *expected) {
  struct query q;
  struct buf text, notes;
  query_init(&q);
  buf_init(&text, 4096);
  buf_init(&notes, 4096);
  CHECK_INT(query_parse(&q, slice_str(question), terms, NULL), 0);
  size_t count = rank_correct_typos(&q, snap, terms, &text, &notes);
  CHECK_STR(text.data, expected);
  CHECK_INT(count > 0, strcmp(question, expected) != 0);
  CHECK_INT(notes.len > 0, count > 0);
  buf_release(&notes);
  buf_release(&text);
  query_release(&q);
}

TEST(each_kind_of_slip_is_mended) {
  mended("who buys ibuprofne", "who buys ibuprofen");
  mended("who buys ibprofen", "who buys ibuprofen");
  mended("who buys ibuproffen", "who buys ibuprofen");
  mended("who buys ibuprofan?", "who buys ibuprofen?");
  mended("ibuprofne and bezafibarte", "ibuprofen and bezafibrate");
}

TEST(an_ordinary_word_is_meant_first) {
  mended("which cusotmers buy", "which customers buy");
}

TEST(what_may_be_a_name_or_stands_there_is_left) {
  mended("who buys ibuprofen", "who buys ibuprofen");
  mended("who buys Ibuprofne", "who buys Ibuprofne");
  mended("who buys bpuprofne", "who buys bpuprofne"); /* two slips and another first letter */
  mended("ibup", "ibup");
  mended("torasemdie", "torasemdie"); /* too few passages hold it */
  mended("2024 10-K", "2024 10-K");
}

int main(void) {
  char folder[] = "/tmp/typos_test.XXXXXX", path[64], lock[80];
  if (mkdtemp(folder) == NULL)
    return 1;
  snprintf(path, sizeof path, "%s/store", folder);
  snprintf(lock, sizeof lock, "%s-lock", path);
  terms = terms_new();
  typos_store(path);
  RUN(each_kind_of_slip_is_mended);
  RUN(an_ordinary_word_is_meant_first);
  RUN(what_may_be_a_name_or_stands_there_is_left);
  store_snapshot_end(snap);
  store_close(store);
  terms_free(terms);
  unlink(path);
  unlink(lock);
  rmdir(folder);
  return test_done();
}
