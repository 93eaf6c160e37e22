/* plan_form_table.c: reads data/forms.tsv, and finds its aliases in a text. */
#include "query/plan_form_table.h"

#include "tables/question_words.h"

#include <stdio.h>
#include <stdlib.h>

struct slice plan_form_field(struct slice *rest, char stop) {
  const char *at = rest->len ? memchr(rest->data, stop, rest->len) : NULL;
  size_t n = at ? (size_t)(at - rest->data) : rest->len, skip = at ? n + 1 : n;
  struct slice field = slice_of(rest->data, n);
  *rest = slice_of(rest->data + skip, rest->len - skip);
  while (field.len && field.data[0] == ' ')
    field = slice_of(field.data + 1, field.len - 1);
  return slice_is(field, "-") ? slice_of(NULL, 0) : field;
}

/* Whether a number is recognisable by itself, "10-K", "13F-HR"; 2 where only beside a word such as "filing", "SD", "425"; 0
 * where not even there: "4" counts filings, "D" is a letter. */
static int form_is_telling(const struct plan_text *t) {
  int letters = 0, digits = 0;
  for (size_t i = 0; i < t->count; i++) {
    letters += t->token[i].letters;
    digits += t->token[i].digits;
  }
  return letters && digits ? 1 : letters >= 2 || digits >= 3 ? 2 : 0;
}

/* number: 1 for a form's number alone, 2 for it behind the word "form". */
static int add_alias(struct plan_forms *f, struct slice text, int number) {
  plan_text_read(&f->scratch, text);
  const struct plan_text *t = &f->scratch;
  int telling = number == 1 ? form_is_telling(t) : 1;
  if (t->count == 0 || !telling)
    return 0;
  if (f->alias_count == FORM_ALIASES || t->count > ALIAS_WORDS)
    return -1;
  struct form_alias *a = &f->aliases[f->alias_count++];
  a->row = (uint8_t)(f->row_count - 1);
  a->words = (uint8_t)t->count;
  a->number = number != 0;
  a->bare = telling == 2;
  a->beside = text.len > 0 && text.data[0] == '+';
  a->other = text.len > 0 && text.data[0] == '!';
  a->wordy = !number;
  for (size_t i = 0; i < t->count; i++) {
    a->wordy &= t->token[i].digits == 0;
    a->at[i] = (uint16_t)f->folded.len;
    buf_add(&f->folded, t->token[i].fold, t->token[i].len + 1u);
  }
  return f->folded.overflow ? -1 : 0;
}

static enum plan_periodicity periodicity_of(struct slice word) {
  return slice_is(word, "annual")     ? FORM_ANNUAL
         : slice_is(word, "quarter")  ? FORM_QUARTER
         : slice_is(word, "holdings") ? FORM_HOLDINGS
                                      : FORM_EVENT;
}

/* Adds "Form 10-K", so that no shorter name ("form 10") is found in it. */
static int add_form_number(struct plan_forms *f, struct slice number) {
  char text[40];
  snprintf(text, sizeof text, "form %.*s", (int)(number.len < 30 ? number.len : 30), number.data);
  return add_alias(f, number, 1) != 0 || add_alias(f, slice_str(text), 2) != 0 ? -1 : 0;
}

static int add_form_row(struct plan_forms *f, struct slice line) {
  if (f->row_count == FORM_ROWS)
    return -1;
  struct form_row *row = &f->rows[f->row_count++];
  row->form = plan_form_field(&line, '\t');
  struct slice aliases = plan_form_field(&line, '\t');
  row->periodicity = periodicity_of(plan_form_field(&line, '\t'));
  row->items = plan_form_field(&line, '\t');
  row->kin = plan_form_field(&line, '\t');
  if (row->form.len == 0 || line.len == 0 || (row->items.len == 0 && add_form_number(f, row->form) != 0))
    return -1;
  while (aliases.len > 0)
    if (add_alias(f, plan_form_field(&aliases, ';'), 0) != 0)
      return -1;
  return 0;
}

struct plan_forms *plan_forms_new(struct slice tsv, struct error_text *why) {
  struct plan_forms *f = xmalloc(sizeof *f);
  f->row_count = f->alias_count = 0;
  buf_init(&f->folded, 60000);
  for (size_t number = 1; tsv.len > 0; number++) {
    const char *end = memchr(tsv.data, '\n', tsv.len);
    size_t n = end ? (size_t)(end - tsv.data) : tsv.len, skip = end ? n + 1 : n;
    struct slice line = slice_of(tsv.data, n);
    tsv = slice_of(tsv.data + skip, tsv.len - skip);
    if (line.len == 0 || line.data[0] == '#')
      continue;
    if (add_form_row(f, line) != 0) {
      error_set(why, "forms.tsv:%zu: not six columns, or too many forms", number);
      plan_forms_free(f);
      return NULL;
    }
  }
  return f;
}

void plan_forms_free(struct plan_forms *f) {
  if (f == NULL)
    return;
  buf_release(&f->folded);
  free(f);
}

/* ---- matching ---- */

/* Letters of a token beside a word's: equal, or with a plural s at the end of the alias ("10-Ks", "annual reports"). */
static int form_word_matches(const struct plan_token *token, const char *word, int last) {
  size_t n = strlen(word);
  if (strncmp(token->fold, word, n) != 0)
    return 0;
  return token->fold[n] == '\0' || n == token->bare || (last && strcmp(token->fold + n, "s") == 0);
}

/* Whether a number that may be something else stands beside a word that says it is a form's: "its SD filed in May", "144 filing";
 * a ticker would begin the sentence. */
static int is_called_form(const struct plan_text *t, size_t i, size_t to) {
  static const char *const behind[] = {"filing", "filed", "form", "filings", "forms", NULL};
  const struct plan_token *token = &t->token[i], *next = to < t->count ? &t->token[to] : NULL;
  int word = next && next->gap == GAP_BLANK ? plan_word_in(next->fold, behind) : -1;
  if (word < 0)
    return 0;
  if (token->letters == 0)
    return word <= 2;
  return (word == 2 || word == 4 || (i > 0 && !(token->gap & GAP_SENTENCE))) &&
         (token->len <= 3 || token->capitals == token->letters);
}

/* Whether token i is a year within a description: "annual meeting 2024 vote". */
static int is_year_within(const struct plan_text *t, size_t i) {
  return t->token[i].digits == 4 && t->token[i].len == 4 && t->token[i].gap == GAP_BLANK;
}

size_t plan_form_alias_at(const struct plan_forms *f, const struct form_alias *a, const struct plan_text *t,
                          size_t i) {
  char joined[PLAN_FOLD] = "";
  size_t k = 0, year = 0;
  if (i > 0 && i < t->count && (t->token[i].gap & GAP_HYPHEN) && strcmp(t->token[i - 1].fold, "semi") == 0)
    return 0; /* "semi-annual report" */
  while (k < a->words && i + k + year < t->count) {
    size_t at = i + k + year;
    if (k > 0 && a->wordy && !year && is_year_within(t, at)) {
      year = 1;
      continue;
    }
    if (!form_word_matches(&t->token[at], f->folded.data + a->at[k], k + 1 == a->words) ||
        (k > 0 && (t->token[at].gap & (GAP_SENTENCE | GAP_STOP | GAP_COMMA))))
      break;
    k++;
  }
  if (k == a->words)
    return !a->bare || is_called_form(t, i, i + k) ? k + year : 0;
  if (!a->number || a->bare)
    return 0;
  for (k = 0; k < a->words && strlen(joined) + strlen(f->folded.data + a->at[k]) < sizeof joined; k++)
    strcat(joined, f->folded.data + a->at[k]);
  return form_word_matches(&t->token[i], joined, 1) ? 1 : 0;
}
