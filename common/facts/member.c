/* member.c: the members of a document with their names, and how well a phrase names one. */
#include "facts/member.h"

#include "query/concepts.h"
#include "tables/country_codes.h"
#include "tables/figure_words.h"
#include "tables/statement_marks.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

enum { MEMBER_NAME_MAX = 4096, MEMBER_LABEL_MOST = 100 };

/* ---- keys ---- */

/* "Before consolidation", with its value: 1 where the amount is that of the part, -1 where it is one between parts. */
static int member_consolidates(struct slice one) {
  static const char axis[] = "ConsolidationItemsAxis=", own[] = "OperatingSegmentsMember";
  const char *at = memmem(one.data, one.len, axis, sizeof axis - 1);
  if (!at)
    return 0;
  return memmem(one.data, one.len, own, sizeof own - 1) ? 1 : -1;
}

struct slice member_key(struct slice members, size_t most) {
  static const char *const none[] = {STATEMENT_MARKS_NO_PART, NULL};
  struct slice rest = members, found = {NULL, 0}, one;
  size_t parts = 0;
  while (concept_list_next(&rest, ';', &one)) {
    const char *equal = memchr(one.data, '=', one.len);
    struct slice axis = slice_of(one.data, equal ? (size_t)(equal - one.data) : one.len);
    int consolidates = member_consolidates(one);
    if (consolidates > 0)
      continue;
    int apart = parts && one.data != found.data + found.len + 2;
    if (consolidates || slice_among_nocase(axis, none) || ++parts > most || apart)
      return slice_of(NULL, 0);
    found = parts == 1 ? one : slice_of(found.data, (size_t)(one.data + one.len - found.data));
  }
  return found;
}

struct slice member_elimination(struct slice members) {
  const char *equal = members.len ? memchr(members.data, '=', members.len) : NULL;
  int only = equal && !member_is_crossed(members) && member_consolidates(members) < 0;
  return only ? slice_of(equal + 1, members.len - (size_t)(equal + 1 - members.data)) : slice_of(NULL, 0);
}

int member_is_crossed(struct slice key) {
  return key.len && memchr(key.data, ';', key.len) != NULL;
}

struct slice member_side(struct slice key, int second) {
  const char *stop = memchr(key.data, ';', key.len);
  if (!stop)
    return second ? slice_of(NULL, 0) : key;
  return second ? slice_of(stop + 2, key.len - (size_t)(stop + 2 - key.data))
                : slice_of(key.data, (size_t)(stop - key.data));
}

/* ---- names ---- */

/* Whether a name goes on with a word that filings print in small letters: "RestOfAsiaPacific". */
static int member_joins(struct slice rest) {
  static const char *const words[] = {"Of", "And", "The", "In", "For", "To", "Or"};
  size_t n = 1;
  while (n < rest.len && islower((unsigned char)rest.data[n]))
    n++;
  for (size_t i = 0; n < rest.len && i < sizeof words / sizeof *words; i++)
    if (slice_is(slice_of(rest.data, n), words[i]))
      return 1;
  return 0;
}

/* "country:MX" is Mexico; NULL for what is no country. */
static const char *member_country(struct slice key) {
  static const struct { const char *code, *name; } countries[] = {COUNTRY_CODES_COUNTRY};
  static const char taxonomy[] = "country:";
  size_t n = sizeof taxonomy - 1;
  const char *equal = key.len ? memrchr(key.data, '=', key.len) : NULL;
  struct slice own = equal ? slice_of(equal + 1, key.len - (size_t)(equal + 1 - key.data)) : key;
  if (own.len <= n || memcmp(own.data, taxonomy, n) != 0)
    return NULL;
  for (size_t i = 0; i < sizeof countries / sizeof *countries; i++)
    if (slice_is(slice_of(own.data + n, own.len - n), countries[i].code))
      return countries[i].name;
  return NULL;
}

char *member_name(struct slice key) {
  struct buf name;
  const char *country = member_country(key);
  if (country)
    return xstrdup(country);
  buf_init(&name, MEMBER_NAME_MAX);
  for (const char *at; (at = memrchr(key.data, '=', key.len)) || (at = memrchr(key.data, ':', key.len));)
    key = slice_of(at + 1, key.len - (size_t)(at + 1 - key.data));
  static const char *const ends[] = {"Member", "Segment", "Axis"};
  for (size_t i = 0; i < 3; i++) {
    size_t n = strlen(ends[i]);
    int non = key.len > n + 3 &&
              memcmp(key.data + key.len - n - 3, "Non", 3) == 0; /* "CorporateNonSegmentMember" */
    if (key.len > n && !non && memcmp(key.data + key.len - n, ends[i], n) == 0)
      key.len -= n;
  }
  for (size_t i = 0; i < key.len; i++) {
    int begins = i && isupper((unsigned char)key.data[i]) && islower((unsigned char)key.data[i - 1]);
    if (begins)
      buf_add_char(&name, ' ');
    begins = begins && member_joins(slice_of(key.data + i, key.len - i));
    buf_add_char(&name, begins ? (char)tolower((unsigned char)key.data[i]) : key.data[i]);
  }
  buf_add_str(&name, "");
  return name.data ? name.data : xstrdup("");
}

/* ---- the members of a document ---- */

static struct member *member_take(struct member_list *list, struct slice key) {
  for (size_t i = list->count; i-- > 0;) /* facts of one member are near each other */
    if (slice_eq(list->members[i].key, key))
      return &list->members[i];
  list->members = xgrow(list->members, list->count, sizeof *list->members);
  struct member *m = &list->members[list->count++];
  *m = (struct member){.key = key, .name = member_name(key)};
  return m;
}

static int member_has_label(const struct member *m, struct slice label) {
  for (size_t i = 0; i < m->label_count; i++)
    if (slice_eq(m->labels[i], label))
      return 1;
  return 0;
}

/* A row of one figure of many members names the figure. */
static int member_is_figure(const struct inline_fact *f, struct slice label) {
  return concept_distance(label, f->name) <= 0.5;
}

static void member_add_label(struct member *m, const struct inline_fact *f, struct slice label) {
  if (!label.len || label.len > MEMBER_LABEL_MOST || member_has_label(m, label) || member_is_figure(f, label))
    return;
  m->labels = xgrow(m->labels, m->label_count, sizeof *m->labels);
  m->labels[m->label_count++] = label;
}

static int member_shares(const struct member_list *list, const struct member *m, struct slice label) {
  for (size_t i = 0; i < list->count; i++)
    if (&list->members[i] != m && member_has_label(&list->members[i], label))
      return 1;
  return 0;
}

/* A label that several members have names none of them. */
static void member_drop_shared(struct member_list *list) {
  char **shared = xcalloc(list->count + 1, sizeof *shared);
  for (size_t i = 0; i < list->count; i++) {
    struct member *m = &list->members[i];
    shared[i] = xcalloc(m->label_count + 1, 1);
    for (size_t k = 0; k < m->label_count; k++)
      shared[i][k] = (char)member_shares(list, m, m->labels[k]);
  }
  for (size_t i = 0; i < list->count; i++) {
    struct member *m = &list->members[i];
    size_t n = 0;
    for (size_t k = 0; k < m->label_count; k++)
      if (!shared[i][k])
        m->labels[n++] = m->labels[k];
    m->label_count = n;
    free(shared[i]);
  }
  free(shared);
}

void member_list_read(struct member_list *list, const struct inline_document *d) {
  memset(list, 0, sizeof *list);
  for (size_t i = 0; i < d->fact_count; i++) {
    const struct inline_fact *f = &d->facts[i];
    struct slice key = member_key(f->context->members, MEMBER_AXES);
    if (key.len)
      member_add_label(member_take(list, key), f,
                       f->row == INLINE_NO_ROW ? slice_of(NULL, 0) : d->rows[f->row].label);
  }
  member_drop_shared(list);
}

void member_list_release(struct member_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    free(list->members[i].name);
    free(list->members[i].labels);
  }
  free(list->members);
  memset(list, 0, sizeof *list);
}

int member_has_figure(const struct member *m, const struct inline_document *d, struct slice concepts) {
  struct slice one;
  while (concept_list_next(&concepts, ',', &one))
    for (size_t i = 0; i < d->fact_count; i++) {
      struct slice name = d->facts[i].name, local = fact_name_local(name, NULL);
      if ((slice_eq(one, local) || slice_eq(one, name)) &&
          slice_eq(member_key(d->facts[i].context->members, MEMBER_AXES), m->key))
        return 1;
    }
  return 0;
}

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

static int phrase_has_word(const struct member_phrase *p, struct slice word) {
  for (size_t i = 0; i < p->count; i++)
    if (match_same(p->words[i], word))
      return 1;
  return 0;
}

static void member_phrase_add(struct member_phrase *p, struct slice word, int needed) {
  if (phrase_add_long(p, word, needed) || p->count == MEMBER_MATCH_WORDS)
    return;
  p->needed[p->count] = needed;
  p->words[p->count++] = word;
}

size_t member_phrase_read(struct member_phrase *p, struct slice words, int needed, int light) {
  static const char *const kinds[] = {FIGURE_WORDS_MEMBER_KIND, NULL};
  struct slice one;
  size_t count = 0;
  while (match_word(&words, &one)) {
    int counts = needed && !(light && slice_among_nocase(one, kinds));
    count += (size_t)counts;
    if (needed || !phrase_has_word(p, one))
      member_phrase_add(p, one, counts);
  }
  return count;
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
  char *first = member_is_crossed(m->member->key) ? member_name(member_side(m->member->key, 0)) : NULL;
  int joined = first && !match_has_words(label, slice_str(first));
  char *title = xformat("%s%s%.*s", joined ? first : "", joined ? ", " : "", (int)label.len, label.data);
  free(first);
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
