/* search_company.c: the companies of the store beside those of a plan: by CIK, ticker, name. */
#include "search/search_company.h"

#include "query/query.h"
#include "tables/vehicles.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

/* ---- companies ---- */

/* The words of a name without its legal form; 0 where there are none. */
static size_t words_of_name(struct slice name, char text[256], struct query_core *core) {
  if (!name.len || name.len >= 256)
    return 0;
  memcpy(text, name.data, name.len);
  text[name.len] = '\0';
  query_core_of(text, core);
  return core->count;
}

int search_company_begins_name(struct slice words, const char *stored) {
  char text[256], a[NAME_JOINED], b[NAME_JOINED];
  struct query_core want, have;
  size_t count = words_of_name(query_bare(words), text, &want);
  query_core_of(stored, &have);
  if (count == 0 || count > have.count)
    return 0;
  size_t n = query_join_core(&want, count, a), m = query_join_core(&have, count, b);
  return n > 0 && n == m && memcmp(a, b, n) == 0;
}

int search_company_may_begin(struct slice words, const char *name) {
  name += strncasecmp(name, "the ", 4) == 0 ? 4 : 0;
  return words.len > 0 && tolower((unsigned char)words.data[0]) == tolower((unsigned char)name[0]);
}

int search_company_is_name(struct slice words, const char *name) {
  char text[256];
  struct query_core want, have;
  size_t count = words_of_name(query_bare(words), text, &want);
  query_core_of(name, &have);
  return count == have.count && search_company_begins_name(words, name);
}

int search_company_is_vehicle(struct slice words, const char *name) {
  static const char *const behind[] = {VEHICLES_BEHIND, NULL};
  size_t series = 0, others = 0;
  words = query_bare(words);
  if (!search_company_begins_name(words, name))
    return 0;
  for (const char *at = name + strcspn(name, " "); *(at += strspn(at, " ,.")); at += strcspn(at, " ,.")) {
    struct slice word = slice_of(at, strcspn(at, " ,."));
    if ((size_t)(at - name) < words.len)
      continue;
    int known = slice_among_nocase(word, behind),
        numbered = memchr(word.data, '-', word.len) || isdigit((unsigned char)*at);
    series += (size_t)(known || numbered);
    others += (size_t)(!known && !numbered);
  }
  return series > 0 && others == 0;
}

int search_company_has_word(struct slice word, const char *name) {
  const char *end = name + strlen(name);
  int first = word.len > 0 ? tolower((unsigned char)word.data[0]) : 0;
  for (const char *at = name; at + word.len <= end; at++)
    if (tolower((unsigned char)*at) == first && (at == name || !isalnum((unsigned char)at[-1])) &&
        !isalnum((unsigned char)at[word.len]) && strncasecmp(at, word.data, word.len) == 0)
      return 1;
  return 0;
}

int search_company_is_own(const struct plan_company *c) {
  return strtoull(c->cik, NULL, 10) >= SCOPE_OWN_CIK;
}

int search_company_is(const struct plan_company *c, const struct query_known *known, size_t number) {
  const struct query_company *stored = &known->companies[number];
  if (search_company_is_own(c))
    return strtoull(c->cik, NULL, 10) - SCOPE_OWN_CIK == number;
  if (stored->cik[0] && c->cik[0])
    return strcmp(stored->cik, c->cik) == 0;
  if (stored->ticker[0] && c->ticker.len)
    return slice_is(c->ticker, stored->ticker);
  return search_company_is_name(c->name, stored->name) || search_company_is_name(c->matched, stored->name);
}

/* ---- what the store lacks ---- */

void search_company_add(const struct plan_company *c, struct buf *out) {
  struct slice name = c->name.len ? c->name : c->ticker.len ? c->ticker : c->matched;
  if (name.len)
    buf_add_slice(out, name);
  else
    buf_printf(out, "CIK %s", c->cik);
  if (c->name.len && c->ticker.len)
    buf_printf(out, " (%.*s)", (int)c->ticker.len, c->ticker.data);
}
