/* search_scope_forms.c: matches documents of the store with a plan's forms. */
#include "search/search_scope_parts.h"

#include "filing/form.h"

#include <ctype.h>
#include <stdio.h>

/* EDGAR's forms contain digits or are in capitals ("CORRESP"); other names are those of a user's own documents. */
static int is_edgars(const char *form) {
  for (const char *c = form; *c; c++)
    if (islower((unsigned char)*c))
      return strpbrk(form, "0123456789") != NULL;
  return *form != '\0';
}

enum scope_class search_scope_class_of(const char *form) {
  if (!is_edgars(form))
    return SCOPE_UNKNOWN;
  switch (form_kind_of(slice_str(form))) {
  case FORM_ANNUAL:
    return SCOPE_ANNUAL;
  case FORM_QUARTERLY:
    return SCOPE_QUARTERLY;
  case FORM_CURRENT:
    return SCOPE_CURRENT;
  default:
    return SCOPE_OTHER;
  }
}

static int is_amended(const char *form) {
  size_t n = strlen(form);
  return n > 2 && strcmp(form + n - 2, "/A") == 0;
}

void search_scope_find_forms(struct search_scope *s) {
  const struct query_known *known = s->known;
  char name[64];
  for (size_t i = 0; i < s->plan->form_count; i++) {
    struct slice form = s->plan->forms[i];
    if (!form.len || form.len >= sizeof name)
      continue;
    memcpy(name, form.data, form.len);
    name[form.len] = '\0';
    s->form_count += query_find_forms(known, name, s->forms + s->form_count, SCOPE_NUMBERS - s->form_count);
  }
  for (size_t f = 0; f < known->form_count && f < SCOPE_FORMS; f++)
    s->form_class[f] = (uint8_t)search_scope_class_of(known->forms[f]);
}

enum scope_class search_scope_class(const struct search_scope *s, const struct store_doc *d) {
  return d->form < sizeof s->form_class ? (enum scope_class)s->form_class[d->form] : SCOPE_UNKNOWN;
}

int search_scope_follows(const struct search_scope *s, const struct store_doc *d) {
  for (size_t i = 0; i < s->plan->form_count; i++)
    if (form_follows(slice_str(s->known->forms[d->form]), s->plan->forms[i]))
      return 1;
  return 0;
}

int search_scope_fits_form(const struct search_scope *s, const struct store_doc *d) {
  const struct plan *p = s->plan;
  if (p->amendments && !is_amended(s->known->forms[d->form]))
    return 0;
  if (p->form_count == 0 || (!p->forms_named && slice_is(p->disclosed_in, s->known->forms[d->form])))
    return 1;
  for (size_t i = 0; i < s->form_count; i++)
    if (s->forms[i] == d->form)
      return 1;
  if (p->forms_named)
    return !p->forms_given && search_scope_follows(s, d);
  enum scope_class is = search_scope_class(s, d);
  if (is == SCOPE_UNKNOWN)
    return 1;
  for (size_t i = 0; i < p->form_count; i++) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)p->forms[i].len, p->forms[i].data);
    if (is == search_scope_class_of(name) && is != SCOPE_OTHER)
      return 1;
  }
  return 0;
}
