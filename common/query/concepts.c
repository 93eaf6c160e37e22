/* concepts.c: reads the tables of words and of successions, finds words in them, and compares names.  A word's spelling as tokens,
 * "r & d", is a key; keys are in order, so that a question's tokens find the longest one by searches. */
#include "query/concepts.h"

#include "base/near_name.h"
#include "base/paths.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define CONCEPT_FILE_MAX ((size_t)4 << 20)

int concept_list_next(struct slice *list, char mark, struct slice *part) {
  while (list->len) {
    *part = slice_trimmed(slice_cut(list, mark));
    if (part->len)
      return 1;
  }
  return 0;
}

/* Reads a table's lines into fields; calls add for each line that has three. */
static int concept_file_read(struct buf *text, const char *name,
                             void (*add)(struct concept_table *, const struct slice[3]),
                             struct concept_table *t, struct error_text *why) {
  struct buf path;
  buf_init(&path, 65536);
  buf_init(text, CONCEPT_FILE_MAX);
  int found = paths_data(&path, name) == 0 && buf_read_file(text, path.data) == 0;
  if (!found)
    error_set(why, "%s is not there", path.data ? path.data : name);
  buf_release(&path);
  struct slice rest = buf_slice(text), line;
  while (found && concept_list_next(&rest, '\n', &line)) {
    struct slice fields[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    size_t n = 0;
    while (n < 3 && concept_list_next(&line, '\t', &fields[n]))
      n++;
    if (n == 3 && fields[0].data[0] != '#')
      add(t, fields);
  }
  return found ? 0 : -1;
}

static void concept_word_add(struct concept_table *t, const struct slice fields[3]) {
  t->words = xgrow(t->words, t->word_count, sizeof *t->words);
  t->words[t->word_count++] = (struct concept_word){fields[0], fields[1], fields[2]};
}

static void concept_succession_add(struct concept_table *t, const struct slice fields[3]) {
  size_t n = t->succession_count;
  t->successions = xgrow(t->successions, n, sizeof *t->successions);
  t->successions[t->succession_count++] = (struct concept_succession){fields[0], fields[1], fields[2]};
}

/* Appends a blank and a token to a key of len bytes; whole: with its possessive ending.  The length with it. */
static size_t concept_key_add(char key[CONCEPT_KEY], size_t len, const struct plan_token *t, int whole) {
  size_t n = t->amp ? 1 : whole ? t->len : t->bare;
  if (len > 0 && len + 1 < CONCEPT_KEY)
    key[len++] = ' ';
  n = len + n < CONCEPT_KEY ? n : CONCEPT_KEY - 1 - len;
  memcpy(key + len, t->amp ? "&" : t->fold, n);
  key[len + n] = '\0';
  return len + n;
}

static int concept_key_order(const void *x, const void *y) {
  return strcmp(((const struct concept_key *)x)->text, ((const struct concept_key *)y)->text);
}

static void concept_table_index(struct concept_table *t) {
  struct plan_text *text = xmalloc(sizeof *text);
  for (size_t i = 0; i < t->word_count; i++) {
    struct slice list = t->words[i].words, one;
    while (concept_list_next(&list, ';', &one)) {
      t->keys = xgrow(t->keys, t->key_count, sizeof *t->keys);
      t->names = xgrow(t->names, t->key_count, sizeof *t->names);
      t->names[t->key_count] = (struct concept_name){one, i, 0};
      struct concept_key *key = &t->keys[t->key_count++];
      *key = (struct concept_key){.word = i};
      plan_text_read(text, one);
      for (size_t k = 0, len = 0; k < text->count; k++)
        len = concept_key_add(key->text, len, &text->token[k], 1);
    }
  }
  for (size_t k = t->key_count; k-- > 0;) {
    size_t *first = &t->initial[tolower((unsigned char)t->names[k].text.data[0])];
    t->names[k].next = *first;
    *first = k + 1;
  }
  if (t->key_count)
    qsort(t->keys, t->key_count, sizeof *t->keys, concept_key_order);
  free(text);
}

int concept_table_load(struct concept_table *t, struct error_text *why) {
  memset(t, 0, sizeof *t);
  buf_init(&t->successions_text, CONCEPT_FILE_MAX);
  if (concept_file_read(&t->words_text, "concepts.tsv", concept_word_add, t, why))
    return -1;
  concept_table_index(t);
  return concept_file_read(&t->successions_text, "concept_successions.tsv", concept_succession_add, t, why);
}

void concept_table_release(struct concept_table *t) {
  buf_release(&t->words_text);
  buf_release(&t->successions_text);
  free(t->words);
  free(t->successions);
  free(t->keys);
  free(t->names);
  memset(t, 0, sizeof *t);
}

static int concept_is_letter(char c) {
  return isalnum((unsigned char)c) || c == '&' || (unsigned char)c >= 0x80;
}

/* The next letter, digit or '&' of a text in lower case, and one blank for any other characters; 0 at the end. */
static int concept_letter(struct slice s, size_t *at) {
  size_t from = *at;
  while (*at < s.len && !concept_is_letter(s.data[*at]))
    (*at)++;
  if (*at == s.len)
    return 0;
  if (*at > from && from > 0)
    return ' ';
  return tolower((unsigned char)s.data[(*at)++]);
}

int concept_same_words(struct slice a, struct slice b) {
  size_t i = 0, k = 0;
  int x, y;
  do {
    x = concept_letter(a, &i);
    y = concept_letter(b, &k);
  } while (x && x == y);
  return x == y;
}

const struct concept_word *concept_word_find(const struct concept_table *t, struct slice word) {
  for (size_t i = 0; i < t->word_count; i++) {
    struct slice list = t->words[i].words, one;
    if (concept_same_words(t->words[i].label, word))
      return &t->words[i];
    while (concept_list_next(&list, ';', &one))
      if (concept_same_words(one, word))
        return &t->words[i];
  }
  return NULL;
}

const struct concept_succession *concept_succession_find(const struct concept_table *t,
                                                         struct slice concept) {
  for (size_t i = 0; i < t->succession_count; i++)
    if (slice_eq(t->successions[i].concept, concept))
      return &t->successions[i];
  return NULL;
}

const struct concept_word *concept_word_at_token(const struct concept_table *t, const struct plan_text *text,
                                                 size_t i, size_t *taken) {
  struct concept_key key = {.word = 0}, end;
  const struct concept_word *found = NULL;
  size_t len = 0, longer = 0;
  for (size_t k = i; t->key_count && k < text->count && k < i + CONCEPT_TOKENS; k++) {
    if (k > i && (text->token[k].gap & (GAP_SENTENCE | GAP_LABEL)))
      break;
    for (int whole = 0; whole < 2; whole++) {
      end = key;
      longer = concept_key_add(end.text, len, &text->token[k], whole);
      const struct concept_key *known =
          bsearch(&end, t->keys, t->key_count, sizeof *t->keys, concept_key_order);
      if (known) {
        found = &t->words[known->word];
        *taken = k + 1 - i;
      }
    }
    key = end;
    len = longer;
  }
  return found;
}

const struct concept_word *concept_word_at(const struct concept_table *t, struct slice text, size_t *taken) {
  const struct concept_word *found = NULL;
  const struct concept_name *name;
  *taken = 0;
  for (size_t k = text.len ? t->initial[tolower((unsigned char)text.data[0])] : 0; k; k = name->next) {
    name = &t->names[k - 1];
    size_t len = name->text.len;
    if (len > *taken && len <= text.len && (len == text.len || !isalnum((unsigned char)text.data[len])) &&
        concept_same_words(name->text, slice_of(text.data, len))) {
      found = &t->words[name->word];
      *taken = len;
    }
  }
  return found;
}

/* ---- formulas ---- */

char concept_formula_split(struct slice formula, struct slice *left, struct slice *right) {
  int depth = 0;
  for (size_t i = formula.len; i-- > 2;) {
    const char *p = formula.data + i;
    depth += (*p == ')') - (*p == '(');
    if (depth || i + 1 >= formula.len || p[-1] != ' ' || p[1] != ' ' || !strchr("+-*/", *p) || !*p)
      continue;
    *left = slice_of(formula.data, i - 1);
    *right = slice_of(p + 2, formula.len - i - 2);
    return *p;
  }
  return 0;
}

struct slice concept_formula_inside(struct slice text) {
  int depth = 0;
  for (size_t i = 0; i < text.len; i++) {
    depth += (text.data[i] == '(') - (text.data[i] == ')');
    if (depth == 0)
      return i > 1 && i + 1 == text.len ? slice_of(text.data + 1, text.len - 2) : slice_of(NULL, 0);
  }
  return slice_of(NULL, 0);
}

struct slice concept_formula_growth(struct slice asked) {
  static const char *const before[] = {"growth of ", "growth in "};
  static const char behind[] = " growth";
  size_t n = sizeof behind - 1;
  if (asked.len > n && strncasecmp(asked.data + asked.len - n, behind, n) == 0)
    return slice_of(asked.data, asked.len - n);
  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    if (asked.len > strlen(before[i]) && strncasecmp(asked.data, before[i], strlen(before[i])) == 0)
      return slice_of(asked.data + strlen(before[i]), asked.len - strlen(before[i]));
  return slice_of(NULL, 0);
}

/* ---- near names ---- */

/* Lower-case letters and digits only. */
static size_t concept_fold(struct slice s, char out[NEAR_NAME_MAX]) {
  size_t n = 0;
  for (size_t i = 0; i < s.len && n < NEAR_NAME_MAX; i++)
    if (isalnum((unsigned char)s.data[i]))
      out[n++] = (char)tolower((unsigned char)s.data[i]);
  return n;
}

double concept_distance(struct slice asked, struct slice name) {
  char a[NEAR_NAME_MAX], b[NEAR_NAME_MAX];
  size_t n = concept_fold(asked, a), m = concept_fold(name, b), longer = n > m ? n : m;
  if (n == 0 || m == 0)
    return 1;
  double distance = (double)near_name_edits(a, n, b, m) / (double)longer;
  double inside = 0.3 + 0.3 * (1 - (double)(n < m ? n : m) / (double)longer);
  if (n >= 5 && m >= 5 && (memmem(b, m, a, n) || memmem(a, n, b, m)) && inside < distance)
    return inside;
  return distance;
}
