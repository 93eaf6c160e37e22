/* query_names.c: names in a store: the distinctive words of a company, options, ordinary words. */
#include "base/ordinary_words.h"
#include "query/query.h"
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

int query_is_ordinary(struct slice stem) {
  return stem.len <= TERMS_MAX && ordinary_words_has(stem);
}
