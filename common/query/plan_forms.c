#include "query/plan_forms.h"
#include "query/plan_form_table.h"

#include "query/plan_windows.h"
#include "tables/question_words.h"

#include <stdio.h>
#include <stdlib.h>

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
      return 1;
    if (plan_word_in(t->token[i].fold, things) >= 0)
      break;
  }
  while (to < t->count && (t->token[to].digits == 4 || plan_word_in(t->token[to].fold, behind) >= 0))
    to++;
  return to < t->count && !(t->token[to].gap & GAP_SENTENCE) && plan_word_in(t->token[to].fold, words) >= 0;
}

/* Marks the words of a form, but for a year within them. */
static void mark_form(const struct plan_text *t, uint8_t *taken, size_t i, size_t used) {
  for (size_t k = i; k < i + used; k++)
    if (k == i || t->token[k].digits != 4 || t->token[k].letters)
      taken[k] = TAKEN_FORM;
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

/* The longest alias at token i; those that need their form's name only for forms in `named`. */
static const struct form_alias *form_longest_at(const struct plan_forms *f, const struct plan_text *t,
                                                size_t i, const struct plan *named, size_t *used) {
  const struct form_alias *best = NULL;
  *used = 0;
  int is_item =
      i > 0 && (plan_token_is(&t->token[i - 1], "item") || plan_token_is(&t->token[i - 1], "items"));
  for (size_t k = 0; k < f->alias_count && !is_item; k++) { /* "item 1A" is not form 1-A */
    if (f->aliases[k].beside && !is_named(named, f->rows[f->aliases[k].row].form))
      continue;
    size_t n = plan_form_alias_at(f, &f->aliases[k], t, i);
    if (n > *used) {
      *used = n;
      best = &f->aliases[k];
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

/* The subject of an 8-K, if no item is known yet; of several, the one in the first row. */
static void find_told(const struct plan_forms *f, const struct plan_text *t, uint8_t *taken,
                      struct plan *plan) {
  const struct form_row *first = NULL;
  size_t used;
  for (size_t i = 0; i < t->count; i++) {
    const struct form_alias *a = taken[i] ? NULL : form_longest_at(f, t, i, plan, &used);
    if (a == NULL || !a->beside)
      continue;
    first = first == NULL || &f->rows[a->row] < first ? &f->rows[a->row] : first;
    mark_form(t, taken, i, used);
    i += used - 1;
  }
  if (first && plan->items.len == 0)
    plan->items = first->items;
}

/* "delisting notice 8-K": a description right before the number of another form describes that form's content. */
static int is_adjective(const struct plan_forms *f, const struct plan_text *t, const struct form_alias *a,
                        size_t next) {
  size_t used;
  const struct form_alias *b = next < t->count ? form_longest_at(f, t, next, NULL, &used) : NULL;
  return !a->number && !is_late_notice(f->rows[a->row].form) && f->rows[a->row].items.len == 0 && b &&
         b->number && b->row != a->row;
}

/* The form whose noun follows only behind another one's: "annual and quarterly reports". */
static const struct form_alias *shared_noun_at(const struct plan_forms *f, const struct plan_text *t,
                                               size_t i) {
  char text[3 * PLAN_FOLD];
  struct plan_text *one;
  const struct form_alias *a = NULL;
  size_t used;
  if (i + 3 >= t->count || !plan_token_is_and(&t->token[i + 1]) || form_longest_at(f, t, i, NULL, &used) ||
      form_longest_at(f, t, i + 2, NULL, &used) == NULL || used < 2)
    return NULL;
  one = xmalloc(sizeof *one);
  snprintf(text, sizeof text, "%s %s", t->token[i].fold, t->token[i + 3].fold);
  plan_text_read(one, slice_str(text));
  a = form_longest_at(f, one, 0, NULL, &used);
  free(one);
  return a && used == 2 && !a->other ? a : NULL;
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
    if (a == NULL && !taken[i] && (a = shared_noun_at(f, t, i)) != NULL)
      used = 1;
    if (a == NULL)
      continue;
    const struct form_row *row = &f->rows[a->row];
    if (a->other || (is_adjective(f, t, a, i + used) && !names_kin(numbers, row))) {
      i += used - 1;
      continue;
    }
    size_t amended = slash_a(t, i + used);
    if (a->number || !names_kin(numbers, row))
      form_put_row(row, !a->number, plan);
    else if (row->items.len)
      plan->items = row->items;
    plan->amendments |= amended || amended_near(t, i, i + used);
    mark_form(t, taken, i, used + amended);
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
