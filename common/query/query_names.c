/* query_names.c: names in a question and in a store: the distinctive words of a company, options, proper names. */
#include "base/near_name.h"
#include "base/ordinary_words.h"
#include "query/query.h"
#include "tables/abbreviations.h"
#include "tables/company_talk.h"
#include "tables/legal_forms.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

/* ---- the distinctive words of a company's name ---- */

const char *const query_suffixes[] = {LEGAL_FORMS_TAIL, NULL};

/* Whether it ends a name without being part of it; "N.V" is "NV". */
static int is_suffix(struct slice word) {
  char letters[16];
  size_t n = 0;
  for (size_t i = 0; i < word.len && n < sizeof letters; i++)
    if (word.data[i] != '.')
      letters[n++] = word.data[i];
  return slice_among_nocase(slice_of(letters, n), query_suffixes);
}

void query_core_of(const char *name, struct query_core *core) {
  core->count = 0;
  for (const char *p = name; *p != '\0' && core->count < NAME_WORDS;) {
    const char *start = p;
    while (isalnum((unsigned char)*p) || (unsigned char)*p >= 128 || (*p == '&' && p > start) ||
           (*p == '\'' && p > start) ||
           (*p == '.' && p > start && isalpha((unsigned char)p[1]) && p - start == 1))
      p++;
    if (p > start)
      core->word[core->count++] = slice_of(start, (size_t)(p - start));
    else
      p++;
  }
  if (core->count > 1 && slice_among_nocase(core->word[0], (const char *const[]){"the", NULL})) {
    core->count--;
    memmove(core->word, core->word + 1, core->count * sizeof *core->word);
  }
  while (core->count > 1 && is_suffix(core->word[core->count - 1]))
    core->count--;
}

struct slice query_raw(const struct query *q, size_t i) {
  return slice_of(q->text.data + q->tokens[i].start, q->tokens[i].end - q->tokens[i].start);
}

struct slice query_bare(struct slice raw) {
  if (raw.len > 2 && (raw.data[raw.len - 1] | 32) == 's' && raw.data[raw.len - 2] == '\'')
    raw.len -= 2;
  else if (raw.len > 4 && (raw.data[raw.len - 1] | 32) == 's' &&
           memcmp(raw.data + raw.len - 4, "\xe2\x80\x99", 3) == 0)
    raw.len -= 4;
  return raw;
}

size_t query_join_core(const struct query_core *core, size_t n, char out[NAME_JOINED]) {
  size_t len = 0;
  for (size_t k = 0; k < n; k++)
    for (size_t c = 0; c < core->word[k].len; c++)
      if (isalnum((unsigned char)core->word[k].data[c])) {
        if (len == NAME_JOINED)
          return 0;
        out[len++] = (char)tolower((unsigned char)core->word[k].data[c]);
      }
  return len;
}

/* ---- options ---- */

/* Normalises "10-K", "10k" and "Form 10-K": letters and digits in lower case, and the slash of amendments. */
static void squash_form(const char *form, char out[32]) {
  size_t n = 0;
  if (strncasecmp(form, "form ", 5) == 0)
    form += 5;
  for (; *form != '\0' && n < 31; form++)
    if (isalnum((unsigned char)*form) || *form == '/')
      out[n++] = (char)tolower((unsigned char)*form);
  out[n] = '\0';
}

/* Whether `form` is `name` or, where the name has no slash, an amendment or variant of it (10-KT, 10-K405). */
static int is_form(const char *form, const char *name) {
  char have[32], want[32];
  squash_form(form, have);
  squash_form(name, want);
  size_t n = strlen(want);
  if (n == 0 || strncmp(have, want, n) != 0)
    return 0;
  if (have[n] == '\0')
    return 1;
  return strchr(want, '/') == NULL && (have[n] == '/' || (n >= 2 && isdigit((unsigned char)want[0]) &&
                                                          isalpha((unsigned char)want[n - 1])));
}

size_t query_find_forms(const struct query_known *known, const char *name, uint16_t *numbers, size_t max) {
  size_t n = 0;
  for (size_t f = 1; f < known->form_count && n < max; f++)
    if (is_form(known->forms[f], name))
      numbers[n++] = (uint16_t)f;
  return n;
}

/* Compares CIKs ignoring leading zeros. */
static int same_cik(const char *a, const char *b) {
  if (strncasecmp(a, "CIK", 3) == 0)
    a += 3;
  while (*a == '0')
    a++;
  while (*b == '0')
    b++;
  return *a != '\0' && strcmp(a, b) == 0;
}

/* Whether the core of `name` begins with all words of `given`. */
static int begins_name(const char *given, const char *name) {
  struct query_core want, has;
  query_core_of(given, &want);
  query_core_of(name, &has);
  if (want.count == 0 || want.count > has.count)
    return 0;
  for (size_t i = 0; i < want.count; i++)
    if (want.word[i].len != has.word[i].len ||
        strncasecmp(want.word[i].data, has.word[i].data, want.word[i].len) != 0)
      return 0;
  return 1;
}

size_t query_find_companies(const struct query_known *known, const char *text, uint32_t *numbers,
                            size_t max) {
  size_t n = 0;
  for (int pass = 0; pass < 2 && n == 0; pass++) /* exact keys first, then names */
    for (size_t c = 1; c < known->company_count && n < max; c++) {
      const struct query_company *k = &known->companies[c];
      int exact = (k->ticker[0] && strcasecmp(k->ticker, text) == 0) ||
                  (k->cik[0] && same_cik(text, k->cik)) || (k->name[0] && strcasecmp(k->name, text) == 0);
      if (pass == 0 ? exact : begins_name(text, k->name))
        numbers[n++] = (uint32_t)c;
    }
  return n;
}

/* ---- proper names in a question ----
 *
 * Names are recognised by capitals, except for a sentence's first word.  Where the question's other words have none,
 * or all have them, a name is a word that texts don't use as an ordinary one: data/tables/ordinary_words.tsv lists ordinary words. */

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
      struct slice other = slice_of(plain, (size_t)(end - plain));
      if (plain[0] == stem.data[0] &&
          (slice_eq(stem, other) || near_name_is_typo(stem.data, stem.len, other.data, other.len)))
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
