/* plan_forms.c: the forms that a question names, by the aliases of data/forms.tsv; else the form in which
 * the SEC's rules have its subject disclosed. */
#include "query/plan_forms.h"
#include "base/near_name.h"
#include "period/period_match.h"
#include "query/plan_windows.h"
#include "tables/question_words.h"
#include "tables/subject_words.h"

#include <stdio.h>
#include <stdlib.h>

#define FORM_ROWS 160
#define FORM_ALIASES 900
#define ALIAS_WORDS 6

struct form_row {
  struct slice form, items, kin;
  enum plan_periodicity periodicity;
};

struct form_alias {
  char initial;
  uint8_t row, words;
  uint8_t number; /* the form's own number */
  uint8_t bare; /* such a one that may be something else: "SD", "144"; only counts beside "filing", "form" */
  uint8_t beside;           /* only counts where the text also names the form: "+auditor change" */
  uint8_t other;            /* means no form, although it contains a shorter alias: "!proxy access" */
  uint16_t at[ALIAS_WORDS]; /* offsets in `folded` of its words */
};

struct plan_forms {
  struct form_row rows[FORM_ROWS];
  size_t row_count;
  struct form_alias aliases[FORM_ALIASES];
  size_t alias_count;
  struct buf folded; /* words, each ended by 0 */
  struct plan_text scratch;
};

/* ---- the table ---- */

/* The first field of a list that is divided by `stop`, which is taken off it; empty for "-". */
static struct slice plan_form_field(struct slice *rest, char stop) {
  struct slice field = slice_cut(rest, stop);
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
  a->initial = t->token[0].fold[0];
  a->row = (uint8_t)(f->row_count - 1);
  a->words = (uint8_t)t->count;
  a->number = number != 0;
  a->bare = telling == 2;
  a->beside = text.len > 0 && text.data[0] == '+';
  a->other = text.len > 0 && text.data[0] == '!';
  for (size_t i = 0; i < t->count; i++) {
    a->at[i] = (uint16_t)f->folded.len;
    buf_add(&f->folded, t->token[i].fold, t->token[i].len + 1u);
  }
  return f->folded.overflow ? -1 : 0;
}

static enum plan_periodicity periodicity_of(struct slice word) {
  static const char *const names[] = {"annual", "quarter",  "holdings", "event",
                                      "fiscal", "calendar", "meeting"};
  size_t i = 0;
  while (i < sizeof names / sizeof *names && !slice_is(word, names[i]))
    i++;
  return i < sizeof names / sizeof *names ? (enum plan_periodicity)i : FORM_EVENT;
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
    struct slice line = slice_cut(&tsv, '\n');
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
  if (word < 0 && next && i > 0 && token->letters && !(token->gap & (GAP_SENTENCE | GAP_COMMA)))
    return token->len == 3
               ? (next->digits == 4 && to + 1 == t->count) || plan_token_is(next, "for")
               : token->capitals == token->letters && plan_token_is(next, "for") && to + 1 < t->count &&
                     t->token[to + 1].digits == 4; /* "its ARS for 2024"; SD may be a state */
  if (word < 0)
    return 0;
  if (token->letters == 0)
    return word <= 2;
  return (word == 2 || word == 4 || (i > 0 && !(token->gap & GAP_SENTENCE))) &&
         (token->len <= 3 || token->capitals == token->letters);
}

/* The number of tokens that match the alias at i, joined or not ("10K", "10-K", "10 K"); 0 for none. */
static size_t plan_form_alias_at(const struct plan_forms *f, const struct form_alias *a,
                                 const struct plan_text *t, size_t i) {
  char joined[PLAN_FOLD] = "";
  size_t k = 0;
  if (i > 0 && i < t->count && (t->token[i].gap & GAP_HYPHEN) && strcmp(t->token[i - 1].fold, "semi") == 0)
    return 0; /* "semi-annual report" */
  while (k < a->words && i + k < t->count) {
    const struct plan_token *token = &t->token[i + k];
    if (!form_word_matches(token, f->folded.data + a->at[k], k + 1 == a->words) ||
        (k > 0 && (token->gap & (GAP_SENTENCE | GAP_STOP | GAP_COMMA))))
      break;
    k++;
  }
  if (k == a->words)
    return !a->bare || is_called_form(t, i, i + k) ? k : 0;
  if (!a->number || a->bare)
    return 0;
  for (k = 0; k < a->words && strlen(joined) + strlen(f->folded.data + a->at[k]) < sizeof joined; k++)
    strcat(joined, f->folded.data + a->at[k]);
  return form_word_matches(&t->token[i], joined, 1) ? 1 : 0;
}

/* ---- typing errors ---- */

#define TYPED_LETTERS 5 /* of a word that may have a typing error */

static void take_near(const char *word, const char *typed, const char **near, int *several) {
  size_t n = strlen(word);
  if (n <= TYPED_LETTERS || !near_name_is_typo(word, n, typed, strlen(typed)))
    return;
  *several |= *near != NULL && strcmp(*near, word) != 0;
  *near = word;
}

const char *plan_forms_near_word(const struct plan_forms *f, const char *typed) {
  const char *near = NULL;
  int several = 0;
  if (strlen(typed) < TYPED_LETTERS)
    return NULL;
  for (size_t at = 0; at < f->folded.len; at += strlen(f->folded.data + at) + 1)
    take_near(f->folded.data + at, typed, &near, &several);
  for (size_t i = 0; i < period_grammar.word_count; i++)
    take_near(period_grammar.words[i], typed, &near, &several);
  return several ? NULL : near;
}

/* ---- forms in a question ---- */

/* "/A" after a form. */
static size_t slash_a(const struct plan_text *t, size_t i) {
  return i < t->count && strcmp(t->token[i].fold, "a") == 0 && (t->token[i].gap & GAP_SLASH) ? 1 : 0;
}

/* "amended 10-K", "amendment no. 1 to its 10-K", "did it amend the 2011 10-K?", "10-K amendment", "10-K, as
 * amended": within a few words of it, unless one of them is another thing that is amended. */
static int amended_near(const struct plan_text *t, size_t from, size_t to) {
  static const char *const words[] = {"amended", "amendment", "amendments", "amend",
                                      "amends",  "amending",  "refiled",    NULL};
  static const char *const things[] = {QUESTION_WORDS_AMENDED, NULL};
  static const char *const behind[] = {"was", "as", "been", "for", "of", "fiscal", NULL};
  for (size_t i = from; i-- > 0 && from - i < 8 && !(t->token[i + 1].gap & GAP_SENTENCE);) {
    if (plan_word_in(t->token[i].fold, words) >= 0)
      return i == 0 || plan_word_in(t->token[i - 1].fold, things) < 0; /* "charter amendment 8-K" */
    if (plan_word_in(t->token[i].fold, things) >= 0)
      break;
  }
  while (to < t->count && (t->token[to].digits == 4 || plan_word_in(t->token[to].fold, behind) >= 0))
    to++;
  return to < t->count && !(t->token[to].gap & GAP_SENTENCE) && plan_word_in(t->token[to].fold, words) >= 0;
}

static int is_named(const struct plan *plan, struct slice form) {
  for (size_t i = 0; plan != NULL && i < plan->form_count; i++)
    if (slice_eq(plan->forms[i], form))
      return 1;
  return 0;
}

static void put_form(struct plan *plan, struct slice form) {
  if (!is_named(plan, form) && plan->form_count < PLAN_FORMS)
    plan->forms[plan->form_count++] = form;
}

/* Whether the plan already names a form of the row by number: "prospectus from the IPO, form 424B4" is that one. */
static int names_kin(const struct plan *plan, const struct form_row *row) {
  struct slice list = row->kin;
  int named = is_named(plan, row->form);
  while (!named && list.len > 0)
    named = is_named(plan, plan_form_field(&list, ','));
  return named;
}

static void form_put_row(const struct form_row *row, int kin, struct plan *plan) {
  put_form(plan, row->form);
  if (row->items.len)
    plan->items = row->items;
  struct slice list = row->kin;
  while (kin && list.len > 0)
    put_form(plan, plan_form_field(&list, ','));
}

/* A description beside a form's number, "automatic shelf on F-3": the variants of that form among the row's, F-3ASR. */
static void put_variants(const struct plan *numbers, const struct form_row *row, struct plan *plan) {
  struct slice list = row->kin;
  if (row->items.len)
    plan->items = row->items;
  while (list.len > 0) {
    struct slice form = plan_form_field(&list, ',');
    for (size_t i = 0; i < numbers->form_count; i++)
      if (form.len > numbers->forms[i].len &&
          memcmp(form.data, numbers->forms[i].data, numbers->forms[i].len) == 0)
        put_form(plan, form);
  }
}

/* The longest alias at token i; those that need their form's name only for forms in `named`. */
static const struct form_alias *form_longest_at(const struct plan_forms *f, const struct plan_text *t,
                                                size_t i, const struct plan *named, size_t *used) {
  const struct form_alias *best = NULL;
  *used = 0;
  int is_item =
      i > 0 && (plan_token_is(&t->token[i - 1], "item") || plan_token_is(&t->token[i - 1], "items"));
  for (size_t k = 0; k < f->alias_count && !is_item; k++) { /* "item 1A" is not form 1-A */
    const struct form_alias *a = &f->aliases[k];
    if (a->initial != t->token[i].fold[0] || (a->beside && !is_named(named, f->rows[a->row].form)))
      continue;
    size_t n = plan_form_alias_at(f, a, t, i);
    if (n > *used) {
      *used = n;
      best = a;
    }
  }
  return best;
}

static int is_late_notice(struct slice form) {
  return form.len > 3 && memcmp(form.data, "NT ", 3) == 0;
}

/* "late filing notice for the 10-K": the 10-K is only the subject of the notice and is not requested; nor are
 * notices for other reports. */
static void drop_subjects(struct plan *plan) {
  struct slice notice = slice_of(NULL, 0);
  size_t kept = 0;
  for (size_t i = 0; i < plan->form_count; i++)
    if (is_late_notice(plan->forms[i]) &&
        is_named(plan, slice_of(plan->forms[i].data + 3, plan->forms[i].len - 3)))
      notice = plan->forms[i];
  for (size_t i = 0; i < plan->form_count && notice.len > 0; i++)
    if (slice_eq(plan->forms[i], notice) ||
        (!is_late_notice(plan->forms[i]) &&
         !slice_eq(plan->forms[i], slice_of(notice.data + 3, notice.len - 3))))
      plan->forms[kept++] = plan->forms[i];
  plan->form_count = notice.len > 0 ? kept : plan->form_count;
}

/* An 8-K item at token i, "1.05", after the word "item" or the form's number; returns the number of tokens. */
static size_t item_at(const struct plan_text *t, const uint8_t *taken, size_t i, struct slice *item) {
  size_t at = i + (plan_token_is(&t->token[i], "item") || plan_token_is(&t->token[i], "items"));
  if (taken[i] || at + 1 >= t->count || (at == i && (i == 0 || taken[i - 1] != TAKEN_FORM)) ||
      t->token[at].len != 1 || t->token[at + 1].len != 2 || t->token[at + 1].gap != GAP_DOT)
    return 0;
  long section = plan_token_number(&t->token[at]), number = plan_token_number(&t->token[at + 1]);
  if (section < 1 || section > 9 || number < 1 || number > 8)
    return 0;
  *item = plan_text_span(t, at, at + 2);
  return at + 2 - i;
}

/* "8-K, item 2.05": exactly that item; an item without a form implies an 8-K. */
static size_t find_items(const struct plan_forms *f, const struct plan_text *t, uint8_t *taken,
                         struct plan *plan) {
  struct slice item;
  size_t used, found = 0;
  for (size_t i = 0; i < t->count; i++) {
    if ((used = item_at(t, taken, i, &item)) == 0)
      continue;
    if (plan->form_count == 0)
      plan_add_form(f, "8-K", 0, plan);
    if (found++ == 0)
      plan->items = item;
    memset(taken + i, TAKEN_FORM, used);
  }
  return found;
}

/* Keeps the words that tell what happened: of an alias that means an item of an 8-K.  plan.c adds the others. */
static void keep_subject(const struct plan_forms *f, const struct form_alias *a, struct slice words,
                         struct plan *plan) {
  if (f->rows[a->row].items.len && plan->term_count < PLAN_TERMS)
    plan->terms[plan->term_count++] = words;
}

/* The subject of an 8-K, if no item is known yet; of several, the one in the first row. */
static void find_told(const struct plan_forms *f, const struct plan_text *t, uint8_t *taken,
                      struct plan *plan) {
  const struct form_row *first = NULL;
  size_t used;
  for (size_t i = 0; i < t->count; i++) {
    const struct form_alias *a = taken[i] ? NULL : form_longest_at(f, t, i, plan, &used);
    if (a == NULL || !a->beside) {
      i += a && a->other ? used - 1 : 0;
      continue;
    }
    first = first == NULL || &f->rows[a->row] < first ? &f->rows[a->row] : first;
    keep_subject(f, a, plan_text_span(t, i, i + used), plan);
    memset(taken + i, TAKEN_FORM, used);
    i += used - 1;
  }
  if (first && plan->items.len == 0)
    plan->items = first->items;
}

/* Adds the forms named in the text.  A description adds no form where one is also named by number. */
static size_t find_named(const struct plan_forms *f, const struct plan_text *t, uint8_t *taken,
                         struct plan *plan) {
  struct plan *numbers = xmalloc(sizeof *numbers);
  size_t found = 0, used;
  numbers->form_count = 0;
  for (size_t i = 0; i < t->count; i++) {
    const struct form_alias *a = taken[i] ? NULL : form_longest_at(f, t, i, NULL, &used);
    if (a && a->number)
      put_form(numbers, f->rows[a->row].form);
    i += a ? used - 1 : 0;
  }
  for (size_t i = 0; i < t->count; i++) {
    const struct form_alias *a = taken[i] ? NULL : form_longest_at(f, t, i, NULL, &used);
    if (a == NULL)
      continue;
    const struct form_row *row = &f->rows[a->row];
    if (a->other) {
      i += used - 1;
      continue;
    }
    size_t amended = slash_a(t, i + used);
    if (a->number || !names_kin(numbers, row))
      form_put_row(row, !a->number, plan);
    else
      put_variants(numbers, row, plan);
    plan->amendments |= amended || amended_near(t, i, i + used);
    keep_subject(f, a, plan_text_span(t, i, i + used), plan);
    memset(taken + i, TAKEN_FORM, used + amended);
    i += used + amended - 1;
    found++;
  }
  free(numbers);
  return found;
}

size_t plan_find_forms(const struct plan_forms *f, const struct plan_text *t, uint8_t *taken,
                       struct plan *plan) {
  size_t found = find_named(f, t, taken, plan);
  if (found)
    find_told(f, t, taken, plan);
  drop_subjects(plan);
  return found + find_items(f, t, taken, plan);
}

void plan_give_form(const struct plan_forms *f, struct slice name, struct plan *plan) {
  struct plan_text *t = xmalloc(sizeof *t);
  size_t used = 0;
  plan_text_read(t, name);
  const struct form_alias *a = t->count ? form_longest_at(f, t, 0, NULL, &used) : NULL;
  size_t amended = a ? slash_a(t, used) : 0;
  const struct form_row *row = NULL;
  for (size_t i = 0; i < f->row_count && row == NULL; i++) /* "4", "SD" */
    if (slice_eq(f->rows[i].form, name))
      row = &f->rows[i];
  if (row)
    put_form(plan, row->form);
  else if (a && !a->other && used + amended == t->count && !amended)
    form_put_row(&f->rows[a->row], !a->number, plan);
  else if (name.len)
    put_form(plan, name);
  plan->amendments |= amended && used + amended == t->count;
  free(t);
}

void plan_add_form(const struct plan_forms *f, const char *number, int kin, struct plan *plan) {
  for (size_t i = 0; i < f->row_count; i++)
    if (slice_is(f->rows[i].form, number) && f->rows[i].items.len == 0) {
      form_put_row(&f->rows[i], kin, plan);
      return;
    }
}

enum plan_periodicity plan_form_periodicity(const struct plan_forms *f, struct slice form) {
  if (form.len > 2 && form.data[form.len - 2] == '/')
    form.len -= 2;
  for (size_t i = 0; i < f->row_count; i++)
    if (slice_eq(f->rows[i].form, form))
      return f->rows[i].periodicity;
  return FORM_EVENT;
}

/* ---- subjects that reports don't have: pay, boards, holders, votes, trades of insiders ---- */

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A question with a word of each of `with`, and none of `without`, is of that form. */
struct plan_sign {
  const char *form;
  int person; /* a leader by name stands for a word of the first */
  const char *const *with[3], *const *without;
};

static const struct plan_sign signs[] = {
    {"4", 1, {LIST(SUBJECT_WORDS_LEADER), LIST(SUBJECT_WORDS_TRADE), LIST(SUBJECT_WORDS_SECURITY)}, NULL},
    {"4", 0, {LIST(SUBJECT_WORDS_INSIDER), LIST(SUBJECT_WORDS_TRADE)}, LIST(SUBJECT_WORDS_INQUIRY)},
    {"DEF 14A", 1, {LIST(SUBJECT_WORDS_LEADER), LIST(SUBJECT_WORDS_PAY)}, NULL},
    {"DEF 14A", 0, {LIST(SUBJECT_WORDS_REWARD)}, NULL},
    {"DEF 14A", 0, {LIST(SUBJECT_WORDS_WAGE), LIST(SUBJECT_WORDS_RATIO)}, NULL},
    {"DEF 14A",
     0,
     {LIST(SUBJECT_WORDS_COUNCIL), LIST(SUBJECT_WORDS_SEAT)},
     LIST(SUBJECT_WORDS_TOLD_ELSEWHERE)},
    {"DEF 14A", 0, {LIST(SUBJECT_WORDS_OWNER), LIST(SUBJECT_WORDS_RANK)}, NULL},
    {"DEF 14A",
     1,
     {LIST(SUBJECT_WORDS_LEADER), LIST(SUBJECT_WORDS_GROUP), LIST(SUBJECT_WORDS_SECURITY)},
     NULL},
    {"DEF 14A",
     0,
     {LIST(SUBJECT_WORDS_RELATED), LIST(SUBJECT_WORDS_DEALING)},
     LIST(SUBJECT_WORDS_ACCOUNTING)},
    {"DEF 14A", 0, {LIST(SUBJECT_WORDS_AUDITOR), LIST(SUBJECT_WORDS_FEE)}, NULL},
    {"DEF 14A",
     0,
     {LIST(SUBJECT_WORDS_VOTER), LIST(SUBJECT_WORDS_BALLOT)},
     LIST(SUBJECT_WORDS_TOLD_ELSEWHERE)}};

static int has_word_of(const struct plan_text *t, const uint8_t *taken, const char *const *list) {
  for (size_t i = 0; i < t->count; i++)
    if (taken[i] != TAKEN_COMPANY && plan_word_in(t->token[i].fold, list) >= 0)
      return 1;
  return 0;
}

/* A name of a person, or a word of no list, which may be one. */
static int may_name(const struct plan_word *w) {
  return w->given || w->family || (!w->ordinary && !w->small && !w->place && !w->kinds);
}

/* "Tim Cook", "Jeff Bezos": two such words, of which one is known as a name. */
static int names_person(const struct plan_text *t, const struct plan_word *word) {
  for (size_t i = 0; i + 1 < t->count; i++)
    if (may_name(&word[i]) && (may_name(&word[i + 1]) || t->token[i + 1].possessive) &&
        (word[i].given || word[i].family || word[i + 1].family) && !t->token[i].digits &&
        !t->token[i + 1].digits && !(t->token[i + 1].gap & ~(unsigned)GAP_BLANK))
      return 1;
  return 0;
}

static int shows(const struct plan_sign *s, const struct plan_text *t, const uint8_t *taken, int person) {
  for (size_t i = 0; i < sizeof s->with / sizeof *s->with && s->with[i]; i++)
    if (!has_word_of(t, taken, s->with[i]) && !(i == 0 && s->person && person))
      return 0;
  return !s->without || !has_word_of(t, taken, s->without);
}

void plan_disclosed_in(const struct plan_text *t, const struct plan_word *word, const uint8_t *taken,
                       struct plan *plan) {
  int person = names_person(t, word);
  plan->disclosed_in = slice_of(NULL, 0);
  for (size_t i = 0; i < sizeof signs / sizeof *signs && !plan->disclosed_in.len; i++)
    if (shows(&signs[i], t, taken, person))
      plan->disclosed_in = slice_str(signs[i].form);
}
