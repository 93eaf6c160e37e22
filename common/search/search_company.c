/* search_company.c: the companies of the store beside those of a plan: by CIK, ticker, name. */
#include "search/search_company.h"

#include "query/query.h"

#include <ctype.h>
#include <stdio.h>
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

/* Of a name without its article; 0 where there is none. */
static int name_letter(struct slice name) {
  size_t i = name.len > 4 && strncasecmp(name.data, "the ", 4) == 0 ? 4 : 0;
  while (i < name.len && !isalnum((unsigned char)name.data[i]) && (unsigned char)name.data[i] < 128)
    i++;
  return i < name.len ? tolower((unsigned char)name.data[i]) : 0;
}

enum search_match search_company_match(struct slice words, const char *name, enum search_match least) {
  char text[256], a[NAME_JOINED], b[NAME_JOINED];
  struct query_core want, have;
  if (least == MATCH_WORD)
    return slice_find_word(slice_str(name), words, 0) < strlen(name) ? MATCH_WORD : MATCH_NONE;
  if (name_letter(words) != name_letter(slice_str(name)))
    return MATCH_NONE; /* excludes most names cheaply */
  size_t count = words_of_name(query_bare(words), text, &want);
  query_core_of(name, &have);
  if (count == 0 || count > have.count)
    return MATCH_NONE;
  size_t n = query_join_core(&want, count, a), m = query_join_core(&have, count, b);
  if (n == 0 || n != m || memcmp(a, b, n) != 0)
    return MATCH_NONE;
  return count == have.count ? MATCH_WHOLE : MATCH_BEGINNING;
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
  return search_company_match(c->name, stored->name, MATCH_WHOLE) == MATCH_WHOLE ||
         search_company_match(c->matched, stored->name, MATCH_WHOLE) == MATCH_WHOLE;
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
