#include "facts/member_match.h"

#include "tables/figure_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

enum { MATCH_STEM = 4, MATCH_ENDING = 3 };

/* What a word that says nothing of the member takes off its score: the figure's own ("sales"), or "segment". */
static const double match_light = 0.01;
/* Of names that fit alike, the one with more words of the phrase is meant. */
static const double match_more = 1e-6;

/* ---- words ---- */

/* The next word of a name: letters and digits; "U.S." is one. */
static int match_word(struct slice *rest, struct slice *word) {
  size_t from = 0;
  while (from < rest->len && !isalnum((unsigned char)rest->data[from]) &&
         (unsigned char)rest->data[from] < 0x80)
    from++;
  size_t to = from;
  while (to < rest->len &&
         (isalnum((unsigned char)rest->data[to]) || (unsigned char)rest->data[to] >= 0x80 ||
          (rest->data[to] == '.' && to + 1 < rest->len && isalnum((unsigned char)rest->data[to + 1]))))
    to++;
  *word = slice_of(rest->data + from, to - from);
  *rest = slice_of(rest->data + to, rest->len - to);
  return word->len > 0;
}

/* The letters of a word in small: "U.S." is "us". */
static size_t match_fold(struct slice word, char *out, size_t cap) {
  size_t n = 0;
  if (word.len > 2 && word.data[word.len - 2] == '\'')
    word.len -= 2; /* 's */
  for (size_t i = 0; i < word.len && n + 1 < cap; i++)
    if (word.data[i] != '.' && word.data[i] != '\'')
      out[n++] = (char)tolower((unsigned char)word.data[i]);
  out[n] = '\0';
  return n;
}

/* "Services" and "service", "Europe" and "European": equal, or one is the other with a short ending. */
static int match_same(struct slice a, struct slice b) {
  char x[64], y[64];
  size_t n = match_fold(a, x, sizeof x), m = match_fold(b, y, sizeof y), less = n < m ? n : m;
  if (n == m)
    return n > 0 && memcmp(x, y, n) == 0;
  if (less < MATCH_STEM)
    return less > 1 && n + m == 2 * less + 1 && memcmp(x, y, less) == 0 && (n > m ? x : y)[less] == 's';
  return (n > m ? n - m : m - n) <= MATCH_ENDING && memcmp(x, y, less) == 0;
}

static int match_among(struct slice word, const char *const *list) {
  char text[64];
  match_fold(word, text, sizeof text);
  return slice_among_nocase(slice_str(text), list);
}

static int match_is_light(struct slice word) {
  static const char *const light[] = {FIGURE_WORDS_MEMBER_LIGHT, NULL};
  return match_among(word, light);
}

static int match_is_small(struct slice word) {
  static const char *const small[] = {FIGURE_WORDS_MEMBER_SMALL, NULL};
  return match_among(word, small);
}

/* ---- the phrase ---- */

/* "US" is "United States": the words that an abbreviation stands for. */
static int phrase_add_long(struct member_phrase *p, struct slice word, int needed) {
  static const struct { const char *name, *words; } shorts[] = {FIGURE_WORDS_PLACE_SHORT};
  for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
    char text[64];
    match_fold(word, text, sizeof text);
    if (strcmp(text, shorts[i].name) != 0)
      continue;
    struct slice rest = slice_str(shorts[i].words), one;
    while (match_word(&rest, &one))
      if (p->count < MEMBER_MATCH_WORDS) {
        p->needed[p->count] = needed;
        p->words[p->count++] = one;
      }
    return 1;
  }
  return 0;
}

void member_phrase_add(struct member_phrase *p, struct slice word, int needed) {
  if (phrase_add_long(p, word, needed) || p->count == MEMBER_MATCH_WORDS)
    return;
  p->needed[p->count] = needed;
  p->words[p->count++] = word;
}

static int phrase_has(const struct member_phrase *p, struct slice word, char *used) {
  int found = 0;
  for (size_t i = 0; i < p->count; i++)
    if (match_same(p->words[i], word)) {
      used[i] = 1;
      found = 1;
    }
  return found;
}

/* ---- names ---- */

/* "AWS" is "Amazon Web Services": whether a word in capitals has the first letters of all words of a name. */
static int match_initials(struct slice word, const struct member_phrase *name) {
  if (word.len < 2 || word.len != name->count)
    return 0;
  for (size_t i = 0; i < word.len; i++)
    if (!isupper((unsigned char)word.data[i]) ||
        toupper((unsigned char)name->words[i].data[0]) != word.data[i])
      return 0;
  return 1;
}

/* Whether word i is all that narrows. */
static int phrase_needs_only(const struct member_phrase *p, size_t i) {
  for (size_t k = 0; k < p->count; k++)
    if (k != i && p->needed[k])
      return 0;
  return 1;
}

/* How a name fits; 0: not at all. */
static double match_name(const struct member_phrase *p, struct slice name) {
  static const char *const rests[] = {FIGURE_WORDS_MEMBER_REST, NULL};
  struct member_phrase words = {.count = 0};
  char used[MEMBER_MATCH_WORDS] = {0};
  size_t weight = 0, had = 0;
  double light = 0;
  struct slice one;
  while (match_word(&name, &one))
    if (!match_is_small(one))
      member_phrase_add(&words, one, match_is_light(one));
  for (size_t i = 0; i < p->count; i++)
    if (match_initials(p->words[i], &words))
      return p->needed[i] && phrase_needs_only(p, i) ? 1 : 0;
  for (size_t i = 0; i < words.count; i++) {
    int has = phrase_has(p, words.words[i], used);
    if (!has && match_among(words.words[i], rests))
      return 0;
    if (words.needed[i]) {
      light += has ? 0 : match_light;
    } else {
      weight++;
      had += (size_t)has;
    }
  }
  for (size_t i = 0; i < p->count; i++)
    if (p->needed[i] && !used[i])
      return 0;
  return had ? (double)had / (double)weight - light + match_more * (double)had : 0;
}

static struct slice match_label(const struct member *m, size_t name) {
  return name ? m->labels[name - 1] : slice_str(m->name);
}

/* Whether a label has all words of a name. */
static int match_has_words(struct slice label, struct slice name) {
  struct slice one, rest, other;
  while (match_word(&name, &one)) {
    int found = 0;
    for (rest = label; !found && match_word(&rest, &other);)
      found = match_same(one, other);
    if (!found)
      return 0;
  }
  return 1;
}

char *member_match_title(const struct member_match *m) {
  struct slice label = match_label(m->member, m->name);
  struct buf text;
  buf_init(&text, 1 << 16);
  if (member_is_crossed(m->member->key)) {
    char *first = member_name(member_side(m->member->key, 0));
    if (!match_has_words(label, slice_str(first)))
      buf_printf(&text, "%s, ", first);
    free(first);
  }
  buf_add_slice(&text, label);
  char *title = xstrndup(text.data, text.len);
  buf_release(&text);
  return title;
}

/* The best of a member's names, a label rather than its identifier. */
static struct member_match match_member(const struct member_phrase *p, const struct member *m) {
  struct member_match best = {.member = m};
  for (size_t i = m->label_count + 1; i-- > 0;) {
    struct member_match one = {.member = m, .name = i ? m->label_count - i + 1 : 0};
    char *title = member_match_title(&one);
    one.score = match_name(p, slice_str(title));
    if (one.score > best.score)
      best = one;
    free(title);
  }
  return best;
}

static int match_order(const void *x, const void *y) {
  const struct member_match *a = x, *b = y;
  if (a->score != b->score)
    return a->score < b->score ? 1 : -1;
  return (a->member > b->member) - (a->member < b->member);
}

size_t member_match_find(const struct member_list *list, const struct member_phrase *p,
                         struct member_match found[MEMBER_MATCH_MOST]) {
  struct member_match *all = xcalloc(list->count + 1, sizeof *all);
  size_t n = 0;
  for (size_t i = 0; i < list->count; i++) {
    all[n] = match_member(p, &list->members[i]);
    n += all[n].score > 0;
  }
  qsort(all, n, sizeof *all, match_order);
  n = n < MEMBER_MATCH_MOST ? n : MEMBER_MATCH_MOST;
  memcpy(found, all, n * sizeof *all);
  free(all);
  return n;
}

int member_match_axis(struct slice key, struct slice noun) {
  static const struct { const char *name, *axis; } nouns[] = {FIGURE_WORDS_MEMBER_AXIS};
  const char *equal = memchr(key.data, '=', key.len);
  struct slice axis = slice_of(key.data, equal ? (size_t)(equal - key.data) : key.len), one;
  char *name = member_name(axis);
  struct slice words = slice_str(name);
  int found = !noun.len;
  while (!found && match_word(&words, &one))
    found = match_same(one, noun);
  for (size_t i = 0; i < sizeof nouns / sizeof *nouns && !found; i++)
    found = match_same(slice_str(nouns[i].name), noun) &&
            memmem(axis.data, axis.len, nouns[i].axis, strlen(nouns[i].axis));
  free(name);
  return found;
}
