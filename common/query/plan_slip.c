/* plan_slip.c: names with one typing error. */
#include "query/plan_slip.h"

#include "query/choices.h"

#define SLIP_RANK 3000 /* smaller companies' names of several words with a typo must be longer: */
#define SLIP_WORDS 8   /* letters */
#define SLIP_SHORT 4   /* minimum letters of the word with the typo */
#define SLIP_LONG 9    /* letters of a single word with a typo that may mean a company of any size */
#define SLIP_RARE 5    /* letters of a word that tells a company although another one has a typo */
#define SLIP_BRAND 7   /* minimum letters of a product's name with a typo */

/* Whether the word with the typing error, which differs from the key's first at `at`, is a word of its own: "American Power" is
 * not American Tower. */
static int is_own_word(const struct plan_words *w, const struct plan_text *t, size_t count, size_t at) {
  size_t i = 0;
  for (; i + 1 < count && at >= t->token[i].len; i++)
    at -= t->token[i].len;
  struct plan_word word = plan_words_of(w, t->token[i].fold);
  return word.ordinary || (count == 1 && word.name) || word.kinds || t->token[i].len < SLIP_SHORT;
}

/* The size that a company has to have at least, as a rank, where its name is a single word of so many letters with a typing
 * error: the shorter the word, the likelier it is the name of a company of no list ("Canva" and Cava); less so where two letters are swapped or one is doubled. */
static uint32_t slip_rank(size_t letters, int swapped) {
  uint32_t rank = swapped ? 400 : 100;
  for (size_t i = CHOICE_SLIP_LETTERS; i < letters && i < SLIP_LONG; i++)
    rank *= 3;
  return letters >= SLIP_LONG ? UINT32_MAX : rank;
}

/* Whether another word of a name with a typing error at `at` is in no dictionary, so that it tells the company: "Elevance Heath". */
static int has_rare_word(const struct plan_words *w, const struct plan_text *t, size_t count, size_t at) {
  size_t from = 0;
  for (size_t i = 0; i < count; from += t->token[i++].len) {
    struct plan_word word = plan_words_of(w, t->token[i].fold);
    if (!(at >= from && at < from + t->token[i].len) && t->token[i].len >= SLIP_RARE &&
        t->token[i].digits == 0 && !word.ordinary && !word.name && !word.kinds && !word.place)
      return 1;
  }
  return 0;
}

/* Whether the keys, which differ from `at` on, do by an s at the end of a word of several ("United Parcel Services"), or by a letter
 * that is doubled where a word was parted ("mobile eye"). */
static int is_at_end_of_word(const struct plan_text *t, size_t count, const char *key, size_t len,
                             const char *meant, size_t n, size_t at) {
  size_t end = 0;
  if (count < 2 || len + 1 < n || n + 1 < len || n == len)
    return 0;
  const char *longer = n > len ? meant : key;
  for (size_t i = 0; i < count; i++) {
    end += t->token[i].len;
    if (n < len && i + 1 < count && at + 1 >= end && at <= end && key[end - 1] == key[end])
      return 1;
    if (longer[at] == 's' && at + (n < len) == end)
      return 1;
  }
  return 0;
}

/* Whether a name with a typing error is accepted for that entry. */
static int is_slip_of(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                      size_t count, const struct directory_entry *e, const char *key, size_t len) {
  char meant[CHOICE_KEY];
  size_t n = directory_entry_key(e, meant, sizeof meant), same = 0;
  while (same < n && same < len && meant[same] == key[same])
    same++;
  if (is_at_end_of_word(t, count, key, len, meant, n, same))
    return e->way != WAY_PREFIX;
  if (is_own_word(w, t, count, same) && !has_rare_word(w, t, count, same))
    return 0;
  if (count > 1)
    return (len >= SLIP_WORDS && e->way != WAY_PREFIX) || directory_company(d, e->company)->rank < SLIP_RANK;
  const char *longer = n > len ? meant : key;
  int swapped = n == len ? same + 1 < n && key[same] == meant[same + 1]
                         : longer[same] == longer[same > 0 ? same - 1 : same + 1];
  int ending = n == len && same + 1 == n; /* "Ferrara" and Ferrari */
  return directory_company(d, e->company)->rank < slip_rank(len > n ? len : n, swapped) &&
         !(ending && len < SLIP_LONG) && (e->way != WAY_BRAND || len >= SLIP_BRAND) && e->way != WAY_PREFIX;
}

int plan_slip_resolve(const struct directory *d, const struct plan_words *w, const struct plan_text *t,
                      size_t to, struct mention *found) {
  struct choices c = {.count = 0};
  char key[CHOICE_KEY];
  size_t len = directory_key(t, 0, to, 0, key, sizeof key);
  if (len >= CHOICE_SLIP_LETTERS)
    choices_add_slips(&c, d, key, len);
  if (!choices_best(&c, found))
    return 0;
  found->how = PLAN_TYPO;
  found->score = 5;
  return found->margin >= CHOICE_MARGIN && is_slip_of(d, w, t, to, c.list[0].entry, key, len) ? 1 : -1;
}
