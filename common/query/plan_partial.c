/* plan_partial.c: compares names word by word. */
#include "query/plan_partial.h"

#include "query/choices.h"
#include "tables/name_words.h"
#include "tables/spelling.h"

#include <ctype.h>
#include <stdlib.h>

#define PARTIAL_WORDS 8
#define PARTIAL_RANK 2500 /* smaller companies must be named completely */
#define ALONE_LETTERS 5   /* minimum letters of a single word */
#define NAME_RANK 1000    /* a single word that is some other name too means larger companies only */
#define COMMON_WORD 35    /* SCOWL size */
#define MISSING 2.0       /* what a name loses where a word of it is missing */
#define SLIP_WORD 5       /* letters of a word that may have one typo, or two */
#define SLIPS_WORD 9
#define CLEAR_MARGIN 2.0 /* stricter than for a complete name */
#define WORD_MAX 24      /* limit of words compared for typos, in letters */

/* The name being searched. */
struct partial {
  const struct directory *directory;
  const struct plan_words *words;
  const struct plan_token *token[PARTIAL_WORDS]; /* its distinctive words */
  struct plan_word word[PARTIAL_WORDS];
  size_t count;
  int telling; /* one of them is neither a usual part of names nor a common word */
  int rare;    /* one of them is in no dictionary */
  int slips;   /* words may have typos; then no distinctive word may be missing */
  struct choices choices;
  struct plan_text name; /* the name compared with */
};

/* Optimal string alignment distance of two words of less than WORD_MAX letters. */
static size_t slips_between(const struct plan_token *a, const struct plan_token *b) {
  uint8_t row[3][WORD_MAX + 1];
  for (size_t k = 0; k <= b->len; k++)
    row[0][k] = (uint8_t)k;
  for (size_t i = 1; i <= a->len; i++) {
    uint8_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
    now[0] = (uint8_t)i;
    for (size_t k = 1; k <= b->len; k++) {
      int differ = a->fold[i - 1] != b->fold[k - 1];
      uint8_t best = (uint8_t)(before[k - 1] + differ);
      best = before[k] + 1 < best ? (uint8_t)(before[k] + 1) : best;
      best = now[k - 1] + 1 < best ? (uint8_t)(now[k - 1] + 1) : best;
      if (i > 1 && k > 1 && a->fold[i - 1] == b->fold[k - 2] && a->fold[i - 2] == b->fold[k - 1])
        best = earlier[k - 2] + 1 < best ? (uint8_t)(earlier[k - 2] + 1) : best;
      now[k] = best;
    }
  }
  return row[a->len % 3][b->len];
}

/* "tech", "intl", "natl", "svcs": the first letters, possibly with the last one, or consonants in order. */
static int is_abbreviation(const struct plan_token *a, const struct plan_token *b) {
  size_t same = 0, i = 1, vowels = 0;
  if (a->len < 3 || a->len >= b->len || a->fold[0] != b->fold[0])
    return 0;
  while (same < a->len && a->fold[same] == b->fold[same])
    same++;
  if (same == a->len)
    return 1;
  if (same + 1 == a->len && same > 2 && a->fold[same] == b->fold[b->len - 1])
    return 1;
  for (size_t k = 1; k < b->len && i < a->len; k++)
    i += a->fold[i] == b->fold[k];
  for (size_t k = 1; k < a->len; k++)
    vowels += strchr("aeiou", a->fold[k]) != NULL;
  return i == a->len && vowels == 0;
}

/* "banco" and "bank" */
static int is_translated(const struct plan_token *a, const struct plan_token *b) {
  static const char *const words[][2] = {NAME_WORDS_TRANSLATED};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if ((strcmp(a->fold, words[i][0]) == 0 && strcmp(b->fold, words[i][1]) == 0) ||
        (strcmp(b->fold, words[i][0]) == 0 && strcmp(a->fold, words[i][1]) == 0))
      return 1;
  return 0;
}

/* "flavours" and "flavors": a is the British spelling of b. */
static int is_british(const struct plan_token *a, const struct plan_token *b) {
  static const char *const endings[][2] = {SPELLING_BRITISH};
  for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
    size_t from = strlen(endings[k][0]), to = strlen(endings[k][1]);
    for (size_t i = 2; i + from <= a->len && a->len + to == b->len + from; i++)
      if (memcmp(a->fold, b->fold, i) == 0 && memcmp(a->fold + i, endings[k][0], from) == 0 &&
          memcmp(b->fold + i, endings[k][1], to) == 0 && strcmp(a->fold + i + from, b->fold + i + to) == 0)
        return 1;
  }
  return 0;
}

static int words_match(const struct partial *p, size_t q, const struct plan_token *b) {
  const struct plan_token *a = p->token[q];
  if ((a->len == b->len || a->bare == b->len) && memcmp(a->fold, b->fold, b->len) == 0)
    return 1;
  if (is_translated(a, b) || is_british(a, b) || is_british(b, a))
    return 1;
  if (is_abbreviation(a, b) &&
      (a->len >= 4 || (plan_words_kinds(p->words, b->fold) & (KIND_GENERIC | KIND_LEGAL))))
    return 1;
  if (!p->slips || a->len < SLIP_WORD || a->digits || a->fold[0] != b->fold[0] || p->word[q].ordinary ||
      a->len >= WORD_MAX || b->len >= WORD_MAX)
    return 0;
  return slips_between(a, b) <= (a->len >= SLIPS_WORD ? 2 : 1);
}

/* Words that may be missing: grammar and legal forms; "group" and the like at a small penalty. */
static unsigned is_empty_word(const struct partial *p, const struct plan_token *token) {
  return token->amp ? KIND_FUNCTION
                    : plan_words_kinds(p->words, token->fold) & (KIND_FUNCTION | KIND_LEGAL | KIND_GENERIC);
}

/* Whether a word of the name has the same beginning as the first one searched: a cheap test that excludes most names. */
static int may_match(const struct partial *p, struct slice name) {
  const char *fold = p->token[0]->fold;
  for (size_t i = 0; i + 1 < name.len; i++)
    if ((i == 0 || !isalnum((unsigned char)name.data[i - 1])) &&
        tolower((unsigned char)name.data[i]) == fold[0] &&
        (p->slips || tolower((unsigned char)name.data[i + 1]) == fold[1]))
      return 1;
  return 0;
}

static void compare_name(struct partial *p, struct slice name, uint32_t company, enum directory_way way) {
  static const double base[] = {[WAY_FULL] = 2.2, [WAY_ALIAS] = 3, [WAY_BRAND] = 0.5, [WAY_FORMER] = 1.5};
  size_t q = 0, content = 0, generic = 0;
  if (way == WAY_TICKER || way == WAY_ALONE || way == WAY_PERSON || !may_match(p, name))
    return;
  plan_text_read(&p->name, name);
  for (size_t i = 0; i < p->name.count; i++) {
    const struct plan_token *token = &p->name.token[i];
    unsigned empty = is_empty_word(p, token);
    int place = i > 0 && (token->gap & GAP_SLASH) && token->len <= 3; /* "/DE/" */
    if (q < p->count && words_match(p, q, token))
      q++;
    else if (!empty && !place)
      content++;
    else if (empty == KIND_GENERIC)
      generic++;
  }
  if (q < p->count || (content > 0 && (!p->telling || way != WAY_FULL)) ||
      (p->count > 1 && content >= p->count) || (p->slips && content > (p->count > 2 ? 1u : 0u)))
    return;
  choices_add(&p->choices, p->directory,
              (struct choice){company, way, NULL,
                              base[way] - 0.3 * (double)generic -
                                  (content > 0 ? MISSING + 0.3 * (double)content : 0)});
}

/* A word that is a name only: "Grainger" in W.W.  Grainger, "Philips". */
static int is_rare(const struct plan_token *token, const struct plan_word *w) {
  return token->len >= ALONE_LETTERS && token->digits == 0 && !w->ordinary && !w->family && !w->given &&
         !w->place && !w->kinds && !w->capital;
}

/* Whether a word of the company's name begins with the only one searched: else some letters of it are missing, "Tidewr". */
static int partial_begins_word(struct partial *p, uint32_t company) {
  plan_text_read(&p->name, directory_company(p->directory, company)->name);
  for (size_t i = 0; i < p->name.count; i++)
    if (p->name.token[i].len >= p->token[0]->bare &&
        memcmp(p->name.token[i].fold, p->token[0]->fold, p->token[0]->bare) == 0)
      return 1;
  return 0;
}

static int partial_judge(struct partial *p, struct mention *found) {
  if (!choices_best(&p->choices, found))
    return 0;
  int alone = p->choices.count == 1, clear = alone || found->margin >= CLEAR_MARGIN;
  uint32_t rank = directory_company(p->directory, found->company)->rank;
  found->score = 4;
  if (p->slips || (p->count == 1 && found->way == WAY_FULL && !partial_begins_word(p, found->company)))
    found->how = PLAN_TYPO;
  if (p->count == 1)
    return alone && rank < (p->word[0].name ? NAME_RANK : PARTIAL_RANK);
  return clear && (rank < PARTIAL_RANK || (alone && p->rare)) ? 1 : -1;
}

static void read_words(struct partial *p, const struct plan_text *t) {
  size_t to = t->count;
  while (to > 1 && (plan_words_kinds(p->words, t->token[to - 1].fold) & KIND_LEGAL))
    to--;
  for (size_t i = 0; i < to; i++) {
    const struct plan_token *token = &t->token[i];
    struct plan_word word = plan_words_of(p->words, token->fold);
    if (plan_token_is_and(token) || (word.kinds & (i > 0 ? KIND_FUNCTION | KIND_LEGAL : KIND_FUNCTION)))
      continue; /* "Banco de Chile" */
    if (p->count == PARTIAL_WORDS) {
      p->count = 0;
      return;
    }
    p->rare |= is_rare(token, &word);
    p->telling |= !(word.kinds & KIND_GENERIC) && (word.ordinary == 0 || word.ordinary > COMMON_WORD);
    p->token[p->count] = token;
    p->word[p->count++] = word;
  }
}

int plan_partial_resolve(const struct directory *d, const struct plan_words *words, const struct plan_text *t,
                         int slips, struct mention *found) {
  struct partial *p = xcalloc(1, sizeof *p);
  int result = 0;
  p->directory = d;
  p->words = words;
  read_words(p, t);
  for (p->slips = 0; p->slips <= slips && result == 0 && p->count > 0; p->slips++) {
    if (p->count == 1 && (p->slips || !p->rare))
      break;
    p->choices.count = 0;
    for (size_t row = 0; row < directory_rows(d); row++) {
      uint32_t company;
      enum directory_way way;
      struct slice name = directory_row(d, row, &company, &way);
      compare_name(p, name, company, way);
    }
    result = partial_judge(p, found);
  }
  free(p);
  return result;
}
