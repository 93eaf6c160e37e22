/* query.c: from a question's text to tokens, years, quarters, form names, thesaurus phrases and weights. */
#include "query/query.h"
#include "base/ordinary_words.h"
#include "base/utf8.h"
#include "record/json.h"
#include "tables/legal_forms.h"
#include "tables/stems.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#define OWN_BYTES ((size_t)64 << 10) /* stems: reserved in advance, so that slices stay valid */

void query_init(struct query *q) {
  memset(q, 0, sizeof *q);
  buf_init(&q->text, QUERY_BYTES);
  buf_init(&q->own, OWN_BYTES);
  buf_init(&q->notes, OWN_BYTES);
}

void query_release(struct query *q) {
  buf_release(&q->text);
  buf_release(&q->own);
  buf_release(&q->notes);
}

static void query_clear(struct query *q) {
  buf_clear(&q->text);
  buf_clear(&q->own);
  buf_clear(&q->notes);
  buf_reserve(&q->own, OWN_BYTES);
  q->token_count = q->term_count = q->sequence_count = q->phrase_count = q->spelling_count = 0;
  q->places = 0;
  q->asks_amount = q->asks_cause = q->asks_date = q->form_named = 0;
  q->year_count = q->form_count = 0;
  q->quarters = 0;
}

/* Copies the text, trimmed, with control characters and invalid UTF-8 as blanks. */
static void clean_text(struct query *q, struct slice text) {
  size_t i = 0;
  while (i < text.len) {
    size_t good = utf8_valid_prefix(text.data + i, text.len - i);
    buf_add(&q->text, text.data + i, good);
    i += good;
    if (i < text.len && ++i)
      buf_add_char(&q->text, ' ');
  }
  for (size_t k = 0; k < q->text.len; k++)
    if ((unsigned char)q->text.data[k] < 0x20 || q->text.data[k] == 0x7f)
      q->text.data[k] = ' ';
  size_t lead = 0;
  while (lead < q->text.len && q->text.data[lead] == ' ')
    lead++;
  while (q->text.len > lead && q->text.data[q->text.len - 1] == ' ')
    q->text.len--;
  q->text.len -= lead;
  if (lead > 0)
    memmove(q->text.data, q->text.data + lead, q->text.len);
  if (q->text.data != NULL)
    q->text.data[q->text.len] = '\0';
}

static struct slice query_stem_of(const struct query *q, const struct query_token *t) {
  return slice_of(q->own.data + t->stem, t->stem_len);
}

static struct slice raw_of(const struct query *q, const struct query_token *t) {
  return slice_of(q->text.data + t->start, t->end - t->start);
}

/* Stems.  Light words carry little information; fillers are about the form of the answer. */
static const char *const light[] = {STEMS_LIGHT, NULL};
static const char *const fillers[] = {STEMS_FILLER, NULL};

static int token_kind(const struct term *t) {
  if (t->kind == TERM_STOP)
    return QUERY_STOP;
  if (slice_among_nocase(t->text, light))
    return QUERY_LIGHT;
  return slice_among_nocase(t->text, fillers) ? QUERY_FILLER : QUERY_WORD;
}

static void query_add_token(void *arg, const struct term *t) {
  struct query *q = arg;
  if (q->token_count == QUERY_TOKENS)
    return;
  uint32_t at = (uint32_t)q->own.len;
  if (buf_add_slice(&q->own, t->text) != 0)
    return;
  q->tokens[q->token_count++] = (struct query_token){
      at, (uint32_t)t->text.len, (uint32_t)t->start, (uint32_t)t->end, t->position, (uint8_t)token_kind(t)};
}

/* ---- quotation marks ---- */

/* Length of a double quotation mark at p, or 0. */
static size_t quote_at(const struct buf *text, size_t i) {
  if (text->data[i] == '"')
    return 1;
  if (text->len - i >= 3 && memcmp(text->data + i, "\xe2\x80", 2) == 0 &&
      ((uint8_t)text->data[i + 2] == 0x9c || (uint8_t)text->data[i + 2] == 0x9d))
    return 3;
  return 0;
}

static int add_sequence(struct query *q, struct slice term) {
  if (q->sequence_count == sizeof q->sequence / sizeof *q->sequence)
    return -1;
  q->sequence[q->sequence_count++] = term;
  return 0;
}

static void close_phrase(struct query *q, size_t first, int quoted) {
  size_t count = q->sequence_count - first;
  if (count == 0 || q->phrase_count == QUERY_PHRASES)
    return;
  q->phrases[q->phrase_count++] = (struct query_phrase){(uint16_t)first, (uint16_t)count, (uint8_t)quoted, 0};
}

/* Makes the tokens between two quotation marks a required phrase. */
static void query_add_quoted(struct query *q, size_t from, size_t to) {
  size_t first = q->sequence_count;
  for (size_t i = 0; i < q->token_count; i++) {
    struct query_token *t = &q->tokens[i];
    if (t->start < from || t->end > to || t->kind == QUERY_STOP)
      continue;
    t->kind = QUERY_WORD;
    if (add_sequence(q, query_stem_of(q, t)) != 0)
      break;
  }
  close_phrase(q, first, 1);
}

static void find_quoted(struct query *q) {
  size_t open = 0;
  for (size_t i = 0; i < q->text.len; i++) {
    size_t n = quote_at(&q->text, i);
    if (n == 0)
      continue;
    if (open > 0)
      query_add_quoted(q, open, i);
    open = open > 0 ? 0 : i + n;
    i += n - 1;
  }
}

/* ---- years and quarters ---- */

static void add_year(struct query *q, int year) {
  size_t at = 0;
  while (at < q->year_count && q->years[at] < year)
    at++;
  if (q->year_count == QUERY_ROUTES || (at < q->year_count && q->years[at] == year))
    return;
  memmove(q->years + at + 1, q->years + at, (q->year_count - at) * sizeof *q->years);
  q->years[at] = (int16_t)year;
  q->year_count++;
}

static int query_digits(struct slice s, size_t from, size_t n) {
  int value = 0;
  for (size_t i = from; i < from + n; i++) {
    if (i >= s.len || s.data[i] < '0' || s.data[i] > '9')
      return -1;
    value = 10 * value + (s.data[i] - '0');
  }
  return value;
}

/* "2018", "FY2018", "FY18": a number of four digits that isn't an amount of money. */
static int year_token(const struct query *q, const struct query_token *t) {
  struct slice stem = query_stem_of(q, t), raw = raw_of(q, t);
  int year = stem.len == 4 ? query_digits(stem, 0, 4) : -1;
  if (year < 1980 || year > 2079 || memchr(raw.data, ',', raw.len) != NULL)
    return -1;
  return t->start > 0 && q->text.data[t->start - 1] == '$' ? -1 : year;
}

/* "Q3", "3Q" */
static int is_quarter(struct slice stem) {
  return stem.len == 2 && memchr(stem.data, 'q', 2) &&
         (query_digits(stem, 0, 1) > 0 || query_digits(stem, 1, 1) > 0);
}

static void find_years(struct query *q) {
  for (size_t i = 0; i < q->token_count; i++) {
    struct query_token *t = &q->tokens[i];
    int year = year_token(q, t);
    if (year > 0) {
      add_year(q, year);
      t->kind = QUERY_YEAR;
    } else if (is_quarter(query_stem_of(q, t)))
      t->kind = QUERY_LIGHT;
  }
}

/* ---- the thesaurus ---- */

struct hinting {
  struct query *q;
  struct terms *terms;
  const size_t *token_of; /* token index of each stem */
};

static void add_hint_term(void *arg, const struct term *t) {
  struct query *q = arg;
  size_t at = q->own.len;
  if (buf_add_slice(&q->own, t->text) == 0)
    add_sequence(q, slice_of(q->own.data + at, t->text.len));
}

static void add_hint(struct query *q, struct terms *terms, struct slice phrase) {
  size_t first = q->sequence_count;
  terms_scan(terms, phrase, 0, add_hint_term, q);
  close_phrase(q, first, 0);
}

void query_take_quarter(struct query *q, struct terms *terms, int quarter) {
  static const char *const spoken[] = {"first quarter", "second quarter", "third quarter", "fourth quarter"};
  q->quarters |= (uint8_t)(1 << (quarter - 1));
  add_hint(q, terms, slice_str(spoken[quarter - 1]));
}

static void query_note(struct query *q, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends one JSON string, without duplicates; arguments must be constants or sanitised. */
static void query_note(struct query *q, const char *format, ...) {
  struct buf text, note;
  va_list args;
  buf_init(&text, 4096);
  buf_init(&note, 32768);
  va_start(args, format);
  buf_vprintf(&text, format, args);
  va_end(args);
  json_add_slice(&note, buf_slice(&text));
  if (q->notes.len == 0 || !memmem(q->notes.data, q->notes.len, note.data, note.len)) {
    if (q->notes.len > 0)
      buf_add_char(&q->notes, ',');
    buf_add_slice(&q->notes, buf_slice(&note));
  }
  buf_release(&text);
  buf_release(&note);
}

static int in_sequence(const struct query *q, size_t first, struct slice stem) {
  for (size_t i = first; i < q->sequence_count; i++)
    if (slice_eq(q->sequence[i], stem))
      return 1;
  return 0;
}

static void spell_out(struct query *q, size_t first, size_t last, struct slice phrases) {
  struct slice phrase;
  if (q->spelling_count < QUERY_SPELLINGS && thesaurus_next(&phrases, &phrase))
    q->spellings[q->spelling_count++] =
        (struct query_spelling){(uint16_t)first, (uint16_t)(last - first + 1), phrase};
}

/* The trigger itself, as a phrase that a passage may contain. */
static void add_outside(struct hinting *h, size_t from, size_t to) {
  size_t first = h->q->sequence_count, count = h->q->phrase_count;
  for (size_t i = from; i < to; i++)
    add_sequence(h->q, query_stem_of(h->q, &h->q->tokens[h->token_of[i]]));
  close_phrase(h->q, first, 0);
  if (h->q->phrase_count > count)
    h->q->phrases[count].outside = 1;
}

static void query_add_entry(void *arg, size_t from, size_t to, const struct thesaurus_entry *entry) {
  struct hinting *h = arg;
  if (entry->places & PLACE_OUTSIDE) {
    add_outside(h, from, to);
    return;
  }
  struct slice rest = entry->phrases, phrase;
  const struct query_token *first = &h->q->tokens[h->token_of[from]],
                           *last = &h->q->tokens[h->token_of[to - 1]];
  size_t sequence = h->q->sequence_count;
  h->q->places |= entry->places;
  if (entry->places & PLACE_RATIO)
    h->q->asks_amount = 1;
  if (entry->places & PLACE_SHORT)
    spell_out(h->q, h->token_of[from], h->token_of[to - 1], entry->phrases);
  query_note(h->q, "thesaurus: \"%.*s\" is looked for as \"%.*s\" too", (int)(last->end - first->start),
             h->q->text.data + first->start, (int)entry->phrases.len, entry->phrases.data);
  while (thesaurus_next(&rest, &phrase))
    add_hint(h->q, h->terms, phrase);
  for (size_t i = from; i < to; i++) {
    struct query_token *t = &h->q->tokens[h->token_of[i]];
    int printed = in_sequence(h->q, sequence, query_stem_of(h->q, t));
    if (t->kind == QUERY_WORD || t->kind == QUERY_FILLER || t->kind == QUERY_LIGHT)
      t->kind = printed ? QUERY_WORD : QUERY_EVERYDAY;
  }
}

/* A statement's line is also searched by the statement's name, which is in the passage's context or header. */
static void add_statements(struct query *q, struct terms *terms) {
  static const struct {
    unsigned place;
    const char *name;
  } names[] = {{PLACE_INCOME, "consolidated statements of income operations earnings"},
               {PLACE_BALANCE, "consolidated balance sheets"},
               {PLACE_CASH, "consolidated statements of cash flows"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (q->places & names[i].place)
      add_hint(q, terms, slice_str(names[i].name));
}

static void expand(struct query *q, struct terms *terms, const struct thesaurus *thesaurus) {
  struct slice stems[QUERY_TOKENS];
  size_t token_of[QUERY_TOKENS], n = 0;
  for (size_t i = 0; i < q->token_count; i++)
    if (q->tokens[i].kind != QUERY_STOP) {
      stems[n] = query_stem_of(q, &q->tokens[i]);
      token_of[n++] = i;
    }
  struct hinting h = {q, terms, token_of};
  thesaurus_match(thesaurus, stems, n, query_add_entry, &h);
  if (q->asks_amount)
    add_statements(q, terms);
}

static void find_amount(struct query *q) {
  static const char *const words[] = {STEMS_AMOUNT, NULL};
  for (size_t i = 0; i < q->token_count; i++)
    q->asks_amount |= slice_among_nocase(query_stem_of(q, &q->tokens[i]), words);
}

#define BRIEF 8 /* tokens */

/* "Amazon fiscal 2024 revenue?" */
static int is_brief_line(const struct query *q) {
  return q->year_count > 0 && q->token_count <= BRIEF && !q->asks_cause &&
         (q->places & (PLACE_INCOME | PLACE_BALANCE | PLACE_CASH));
}

static void find_cause(struct query *q) {
  static const char *const words[] = {STEMS_CAUSE, NULL};
  for (size_t i = 0; i < q->token_count; i++)
    q->asks_cause |= slice_among_nocase(query_stem_of(q, &q->tokens[i]), words) ||
                     slice_is_nocase(raw_of(q, &q->tokens[i]), "why") ||
                     (i > 0 && slice_is_nocase(raw_of(q, &q->tokens[i]), "come") &&
                      slice_is_nocase(raw_of(q, &q->tokens[i - 1]), "how"));
}

static void find_date(struct query *q) {
  static const char *const words[] = {"when", "until", "till", "date", "dates", "deadline", NULL};
  for (size_t i = 0; i < q->token_count; i++)
    q->asks_date |= slice_among_nocase(raw_of(q, &q->tokens[i]), words);
}

int query_parse(struct query *q, struct slice text, struct terms *terms, const struct thesaurus *thesaurus) {
  if (text.len > QUERY_BYTES)
    return -1;
  query_clear(q);
  clean_text(q, text);
  terms_scan(terms, buf_slice(&q->text), TERMS_STOPS, query_add_token, q);
  find_quoted(q);
  find_years(q);
  find_amount(q);
  find_cause(q);
  find_date(q);
  if (thesaurus != NULL)
    expand(q, terms, thesaurus);
  q->asks_amount |= is_brief_line(q);
  return 0;
}

/* ---- weights ---- */

/* One setting for all data sets; measured with test/bench/quality. */
#define WEIGHT_YEAR 0.5F
#define WEIGHT_LIGHT 0.25F
#define WEIGHT_EVERYDAY 0.5F
#define WEIGHT_EXPANSION 0.3F

static void add_weighted(struct query *q, struct slice text, float weight, enum query_kind kind) {
  for (size_t i = 0; i < q->term_count; i++)
    if (slice_eq(q->terms[i].text, text)) {
      if (weight > q->terms[i].weight)
        q->terms[i].weight = weight, q->terms[i].kind = (uint8_t)kind;
      return;
    }
  if (q->term_count < QUERY_TERMS && text.len > 0)
    q->terms[q->term_count++] = (struct query_term){text, weight, (uint8_t)kind};
}

static int has_kind(const struct query *q, enum query_kind kind) {
  for (size_t i = 0; i < q->token_count; i++)
    if (q->tokens[i].kind == kind)
      return 1;
  return 0;
}

void query_mark_name(struct query *q, struct slice name) {
  for (size_t at = 0; name.len > 0 && at + name.len <= q->text.len; at++) {
    if (strncasecmp(q->text.data + at, name.data, name.len) != 0)
      continue;
    for (size_t i = 0; i < q->token_count; i++) {
      struct query_token *t = &q->tokens[i];
      if (t->start >= at && t->start < at + name.len && t->kind != QUERY_STOP && t->kind != QUERY_YEAR)
        t->kind = QUERY_ROUTED;
    }
  }
}

void query_finish(struct query *q) {
  int words = has_kind(q, QUERY_WORD) || has_kind(q, QUERY_EVERYDAY),
      light_words = has_kind(q, QUERY_LIGHT) || has_kind(q, QUERY_YEAR);
  q->term_count = 0;
  for (size_t i = 0; i < q->token_count; i++) {
    enum query_kind kind = q->tokens[i].kind;
    float weight = kind == QUERY_WORD                               ? 1
                   : kind == QUERY_YEAR                             ? WEIGHT_YEAR
                   : kind == QUERY_EVERYDAY                         ? WEIGHT_EVERYDAY
                   : kind == QUERY_LIGHT                            ? WEIGHT_LIGHT
                   : kind == QUERY_FILLER && !words && !light_words ? 1
                                                                    : 0;
    if (weight > 0)
      add_weighted(q, query_stem_of(q, &q->tokens[i]), weight, kind);
  }
  for (size_t p = 0; p < q->phrase_count; p++)
    for (size_t k = 0; k < q->phrases[p].count && !q->phrases[p].outside; k++)
      add_weighted(q, q->sequence[q->phrases[p].first + k], q->phrases[p].quoted ? 1 : WEIGHT_EXPANSION,
                   q->phrases[p].quoted ? QUERY_WORD : QUERY_EXPANSION);
}

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
