/* query_mentions.c: finds the proper names in a question, regardless of the store.
 *
 * Names are recognised by capitals, except for a sentence's first word.  Where the question's other words have none,
 * or all have them, a name is a word that texts don't use as an ordinary one: data/tables/ordinary_words.tsv lists ordinary words.
 */
#include "query/company_names.h"
#include "base/ordinary_words.h"
#include "tables/abbreviations.h"
#include "tables/legal_forms.h"
#include "tables/company_talk.h"

#include <ctype.h>

#define HEADLINE_WORDS 3  /* minimum words, all capitalised */
#define SHOUTED_WORDS 3   /* a question of more words, all in capitals */
#define ODD_LETTERS 3     /* minimum letters of an uncapitalised name */
#define DERIVED_LETTERS 4 /* minimum letters after a prefix */
#define SLIP_LETTERS 6    /* minimum letters of an ordinary word with a typo */
#define LIKE_LETTERS 6    /* minimum common letters of a misspelt ordinary word */
#define LIKE_REST 2       /* and maximum other letters */

/* Capitals that name nobody, */
static const char *const abbreviations[] = {ABBREVIATIONS_NO_NAME, NULL};

/* and capitals of places: filings may use another word for them. */
static const char *const places[] = {COMPANY_TALK_PLACE, NULL};

int query_is_ordinary(struct slice stem) {
  return stem.len <= TERMS_MAX && ordinary_words_has(stem);
}

/* Whether a word of the list has the same beginning, in at least `least` letters and all but a few: a related word or
 * a misspelling. */
static int is_like_plain(struct slice stem, size_t least) {
  char wanted[TERMS_MAX + 2] = " ";
  size_t n = stem.len > least + LIKE_REST ? stem.len - LIKE_REST : least;
  if (stem.len < least)
    return 0;
  memcpy(wanted + 1, stem.data, n);
  size_t line = ordinary_words_line_of(slice_of(stem.data, n));
  const char *next = ordinary_words_line(line + 1);
  return strstr(ordinary_words_line(line), wanted) != NULL || (next && strncmp(next, wanted, n + 1) == 0);
}

/* Whether they differ by one insertion, deletion, substitution or swap, not of the first letter. */
static int is_one_slip(struct slice a, struct slice b) {
  size_t i = 0;
  if (a.len < b.len) {
    struct slice longer = b;
    b = a;
    a = longer;
  }
  if (a.len > b.len + 1)
    return 0;
  while (i < b.len && a.data[i] == b.data[i])
    i++;
  if (i == 0)
    return 0;
  const char *x = a.data + i, *y = b.data + i;
  size_t m = a.len - i, n = b.len - i;
  if (m > n)
    return memcmp(x + 1, y, n) == 0;
  if (n == 0 || memcmp(x + 1, y + 1, n - 1) == 0)
    return 1;
  return n > 1 && x[0] == y[1] && x[1] == y[0] && memcmp(x + 2, y + 2, n - 2) == 0;
}

/* Whether the word is one typing error from a word of the list: lower-case questions are typed fast. */
static int is_slip(struct slice word) {
  char letters[TERMS_MAX];
  struct slice stem = slice_of(letters, word.len);
  if (word.len < SLIP_LETTERS || word.len > sizeof letters)
    return 0;
  memcpy(letters, word.data, word.len);
  if (letters[word.len - 1] == 'y') /* as in the stem of "company" */
    letters[word.len - 1] = 'i';
  const char *list;
  for (size_t line = ordinary_words_line_of(slice_of(stem.data, 1));
       (list = ordinary_words_line(line)) && list[1] <= stem.data[0]; line++)
    for (const char *plain = list + 1, *end; *plain != '\0'; plain = end + 1) {
      end = strchr(plain, ' ');
      if (is_one_slip(stem, slice_of(plain, (size_t)(end - plain))))
        return 1;
    }
  return 0;
}

static int starts_sentence(const struct query *q, size_t i) {
  size_t at = q->tokens[i].start;
  while (at > 0 && strchr(" \t\"'(", q->text.data[at - 1]) != NULL)
    at--;
  return at == 0 || strchr(".?!:;", q->text.data[at - 1]) != NULL;
}

static int has_capital(const struct query *q, size_t i) {
  return isupper((unsigned char)q->text.data[q->tokens[i].start]) != 0;
}

/* Periods and similar ("F19", "H1", "CET1") have digits; names with digits are recognised by their other words. */
static int query_mentions_has_digit(struct slice word) {
  for (size_t i = 0; i < word.len; i++)
    if (isdigit((unsigned char)word.data[i]))
      return 1;
  return 0;
}

/* Whether it may be part of a name. */
static int is_candidate(const struct query *q, size_t i) {
  struct slice bare = query_bare(query_raw(q, i));
  return q->tokens[i].kind == QUERY_WORD && q->tokens[i].stem_len > 0 && !query_mentions_has_digit(bare) &&
         !slice_among_nocase(bare, query_suffixes) && !slice_among_nocase(bare, abbreviations) &&
         !slice_among_nocase(bare, places);
}

enum lettering { SMALL, MIXED, HEADLINE }; /* capitals: only start sentences; mark names; start all words */

static enum lettering lettering_of(const struct query *q) {
  size_t with = 0, without = 0, names = 0;
  for (size_t i = 0; i < q->token_count; i++) {
    int capital = has_capital(q, i), counts = !starts_sentence(q, i) && q->tokens[i].kind != QUERY_STOP;
    with += (size_t)(counts && capital);
    without += (size_t)(counts && islower((unsigned char)q->text.data[q->tokens[i].start]) != 0);
    names += (size_t)(counts && capital && is_candidate(q, i));
  }
  if (with >= HEADLINE_WORDS && without == 0)
    return HEADLINE;
  return names > 0 ? MIXED : SMALL;
}

static int is_possessive(const struct query *q, size_t i) {
  struct slice raw = query_raw(q, i);
  return query_bare(raw).len < raw.len;
}

/* "unclosed", "reprice" */
static int is_derived(struct slice stem) {
  static const char *const prefixes[] = {"un", "re", "non", "pre", "mis", "over", "under"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t n = strlen(prefixes[i]);
    if (stem.len > n && memcmp(stem.data, prefixes[i], n) == 0 &&
        is_like_plain(slice_of(stem.data + n, stem.len - n), DERIVED_LETTERS))
      return 1;
  }
  return 0;
}

/* A word that no text uses as an ordinary one, and not similar to one; a word with an apostrophe is not a
 * misspelling. */
static int is_odd(const struct query *q, size_t i) {
  struct slice stem = slice_of(q->own.data + q->tokens[i].stem, q->tokens[i].stem_len);
  return stem.len >= ODD_LETTERS && !ordinary_words_has(stem) &&
         (is_possessive(q, i) ||
          !(is_like_plain(stem, LIKE_LETTERS) || is_derived(stem) || (!has_capital(q, i) && is_slip(stem))));
}

/* "BP", "GM's": all capitals. */
static int query_mentions_is_upper(const struct query *q, size_t i) {
  struct slice bare = query_bare(query_raw(q, i));
  size_t capitals = 0;
  for (size_t k = 0; k < bare.len; k++) {
    capitals += (size_t)(isupper((unsigned char)bare.data[k]) != 0);
    if (islower((unsigned char)bare.data[k]))
      return 0;
  }
  return capitals > 1;
}

/* Whether token i continues the previous one's name: separated only by a blank, "&" or a hyphen. */
static int goes_on(const struct query *q, size_t i) {
  if (i == 0 || is_possessive(q, i - 1))
    return 0;
  for (size_t at = q->tokens[i - 1].end; at < q->tokens[i].start; at++)
    if (strchr(" &-", q->text.data[at]) == NULL)
      return 0;
  return 1;
}

/* Followed by a legal form: "Deere & Company", "hp inc." */
static int is_legal(const struct query *q, size_t i) {
  static const char *const forms[] = {LEGAL_FORMS_SURE, NULL};
  static const char *const companies[] = {LEGAL_FORMS_CAPITAL, NULL};
  if (i + 1 >= q->token_count || !goes_on(q, i + 1))
    return 0;
  struct slice next = query_bare(query_raw(q, i + 1));
  return slice_among_nocase(next, forms) || (has_capital(q, i + 1) && slice_among_nocase(next, companies));
}

/* The first of several capitalised words, or not an ordinary one: may start a sentence as a name. */
static int query_mentions_begins_name(const struct query *q, size_t i) {
  if (is_possessive(q, i) || is_odd(q, i))
    return 1;
  return i + 1 < q->token_count && goes_on(q, i + 1) && has_capital(q, i + 1) && is_candidate(q, i + 1);
}

static int is_called(const struct query *q, size_t i, enum lettering lettering, int shouted) {
  if (q->tokens[i].kind != QUERY_WORD || (lettering == MIXED && !has_capital(q, i)))
    return 0;
  int sure = is_legal(q, i) || (!shouted && query_mentions_is_upper(q, i));
  if (!sure && lettering != MIXED && !is_odd(q, i))
    return 0;
  if (!is_candidate(q, i))
    return 0;
  return sure || lettering != MIXED || !starts_sentence(q, i) || query_mentions_begins_name(q, i);
}

static int is_shouted(const struct query *q) {
  for (size_t i = 0; i < q->text.len; i++)
    if (islower((unsigned char)q->text.data[i]))
      return 0;
  return q->token_count > SHOUTED_WORDS;
}

size_t query_find_names(const struct query *q, struct query_name *names, size_t max) {
  size_t n = 0;
  enum lettering lettering = lettering_of(q);
  int shouted = is_shouted(q), before = 0;
  for (size_t i = 0; i < q->token_count; i++) {
    int called = is_called(q, i, lettering, shouted);
    if (called && before && goes_on(q, i))
      names[n - 1].count++;
    else if (called && n == max)
      break;
    else if (called)
      names[n++] = (struct query_name){(uint16_t)i, 1};
    before = called;
  }
  return n;
}
