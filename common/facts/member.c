#include "facts/member.h"

#include "facts/concepts.h"
#include "tables/country_codes.h"
#include "tables/statement_marks.h"

#include <ctype.h>
#include <stdlib.h>

enum { MEMBER_NAME_MAX = 4096, MEMBER_LABEL_MOST = 100 };

/* ---- keys ---- */

/* "Before consolidation", with its value: 1 where the amount is that of the part, -1 where it is one between parts. */
static int member_consolidates(struct slice one) {
  static const char axis[] = "ConsolidationItemsAxis=", own[] = "OperatingSegmentsMember";
  const char *at = memmem(one.data, one.len, axis, sizeof axis - 1);
  if (!at)
    return 0;
  return memmem(one.data, one.len, own, sizeof own - 1) ? 1 : -1;
}

struct slice member_key(struct slice members) {
  static const char *const none[] = {STATEMENT_MARKS_NO_PART, NULL};
  struct slice rest = members, found = {NULL, 0}, one;
  size_t parts = 0;
  while (concept_list_next(&rest, ';', &one)) {
    const char *equal = memchr(one.data, '=', one.len);
    struct slice axis = slice_of(one.data, equal ? (size_t)(equal - one.data) : one.len);
    int consolidates = member_consolidates(one);
    if (consolidates > 0)
      continue;
    int apart = parts == 1 && one.data != found.data + found.len + 2;
    if (consolidates || slice_among_nocase(axis, none) || ++parts > 2 || apart)
      return slice_of(NULL, 0);
    found = parts == 1 ? one : slice_of(found.data, (size_t)(one.data + one.len - found.data));
  }
  return found;
}

int member_is_crossed(struct slice key) {
  return key.len && memchr(key.data, ';', key.len) != NULL;
}

struct slice member_side(struct slice key, int second) {
  const char *stop = memchr(key.data, ';', key.len);
  if (!stop)
    return second ? slice_of(NULL, 0) : key;
  return second ? slice_of(stop + 2, key.len - (size_t)(stop + 2 - key.data))
                : slice_of(key.data, (size_t)(stop - key.data));
}

/* ---- names ---- */

/* Whether a name goes on with a word that filings print in small letters: "RestOfAsiaPacific". */
static int member_joins(struct slice rest) {
  static const char *const words[] = {"Of", "And", "The", "In", "For", "To", "Or"};
  size_t n = 1;
  while (n < rest.len && islower((unsigned char)rest.data[n]))
    n++;
  for (size_t i = 0; n < rest.len && i < sizeof words / sizeof *words; i++)
    if (slice_is(slice_of(rest.data, n), words[i]))
      return 1;
  return 0;
}

/* "country:MX" is Mexico; NULL for what is no country. */
static const char *member_country(struct slice key) {
  static const struct { const char *code, *name; } countries[] = {COUNTRY_CODES_COUNTRY};
  static const char taxonomy[] = "country:";
  size_t n = sizeof taxonomy - 1;
  const char *equal = key.len ? memrchr(key.data, '=', key.len) : NULL;
  struct slice own = equal ? slice_of(equal + 1, key.len - (size_t)(equal + 1 - key.data)) : key;
  if (own.len <= n || memcmp(own.data, taxonomy, n) != 0)
    return NULL;
  for (size_t i = 0; i < sizeof countries / sizeof *countries; i++)
    if (slice_is(slice_of(own.data + n, own.len - n), countries[i].code))
      return countries[i].name;
  return NULL;
}

char *member_name(struct slice key) {
  struct buf name;
  const char *country = member_country(key);
  if (country)
    return xstrdup(country);
  buf_init(&name, MEMBER_NAME_MAX);
  for (const char *at; (at = memrchr(key.data, '=', key.len)) || (at = memrchr(key.data, ':', key.len));)
    key = slice_of(at + 1, key.len - (size_t)(at + 1 - key.data));
  static const char *const ends[] = {"Member", "Segment", "Axis"};
  for (size_t i = 0; i < 3; i++) {
    size_t n = strlen(ends[i]);
    if (key.len > n && memcmp(key.data + key.len - n, ends[i], n) == 0)
      key.len -= n;
  }
  for (size_t i = 0; i < key.len; i++) {
    int begins = i && isupper((unsigned char)key.data[i]) && islower((unsigned char)key.data[i - 1]);
    if (begins)
      buf_add_char(&name, ' ');
    begins = begins && member_joins(slice_of(key.data + i, key.len - i));
    buf_add_char(&name, begins ? (char)tolower((unsigned char)key.data[i]) : key.data[i]);
  }
  buf_add_str(&name, "");
  return name.data ? name.data : xstrdup("");
}

/* ---- the members of a document ---- */

static int member_is_full(size_t count) {
  return (count & (count - 1)) == 0;
}

static struct member *member_take(struct member_list *list, struct slice key) {
  for (size_t i = list->count; i-- > 0;) /* facts of one member are near each other */
    if (slice_eq(list->members[i].key, key))
      return &list->members[i];
  if (member_is_full(list->count))
    list->members = xreallocarray(list->members, list->count ? 2 * list->count : 1, sizeof *list->members);
  struct member *m = &list->members[list->count++];
  *m = (struct member){.key = key, .name = member_name(key)};
  return m;
}

static int member_has_label(const struct member *m, struct slice label) {
  for (size_t i = 0; i < m->label_count; i++)
    if (slice_eq(m->labels[i], label))
      return 1;
  return 0;
}

/* A row of one figure of many members names the figure. */
static int member_is_figure(const struct inline_fact *f, struct slice label) {
  return concept_distance(label, f->name) <= 0.5;
}

static void member_add_label(struct member *m, const struct inline_fact *f, struct slice label) {
  if (!label.len || label.len > MEMBER_LABEL_MOST || member_has_label(m, label) || member_is_figure(f, label))
    return;
  if (member_is_full(m->label_count))
    m->labels = xreallocarray(m->labels, m->label_count ? 2 * m->label_count : 1, sizeof *m->labels);
  m->labels[m->label_count++] = label;
}

static int member_shares(const struct member_list *list, const struct member *m, struct slice label) {
  for (size_t i = 0; i < list->count; i++)
    if (&list->members[i] != m && member_has_label(&list->members[i], label))
      return 1;
  return 0;
}

/* A label that several members have names none of them. */
static void member_drop_shared(struct member_list *list) {
  char **shared = xcalloc(list->count + 1, sizeof *shared);
  for (size_t i = 0; i < list->count; i++) {
    struct member *m = &list->members[i];
    shared[i] = xcalloc(m->label_count + 1, 1);
    for (size_t k = 0; k < m->label_count; k++)
      shared[i][k] = (char)member_shares(list, m, m->labels[k]);
  }
  for (size_t i = 0; i < list->count; i++) {
    struct member *m = &list->members[i];
    size_t n = 0;
    for (size_t k = 0; k < m->label_count; k++)
      if (!shared[i][k])
        m->labels[n++] = m->labels[k];
    m->label_count = n;
    free(shared[i]);
  }
  free(shared);
}

void member_list_read(struct member_list *list, const struct inline_document *d) {
  memset(list, 0, sizeof *list);
  for (size_t i = 0; i < d->fact_count; i++) {
    const struct inline_fact *f = &d->facts[i];
    struct slice key = member_key(f->context->members);
    if (key.len)
      member_add_label(member_take(list, key), f,
                       f->row == INLINE_NO_ROW ? slice_of(NULL, 0) : d->rows[f->row].label);
  }
  member_drop_shared(list);
}

void member_list_release(struct member_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    free(list->members[i].name);
    free(list->members[i].labels);
  }
  free(list->members);
  memset(list, 0, sizeof *list);
}

int member_has_figure(const struct member *m, const struct inline_document *d, struct slice concepts) {
  struct slice one;
  while (concept_list_next(&concepts, ',', &one))
    for (size_t i = 0; i < d->fact_count; i++) {
      struct slice name = d->facts[i].name;
      const char *colon = memchr(name.data, ':', name.len);
      struct slice local = colon ? slice_of(colon + 1, name.len - (size_t)(colon + 1 - name.data)) : name;
      if ((slice_eq(one, local) || slice_eq(one, name)) &&
          slice_eq(member_key(d->facts[i].context->members), m->key))
        return 1;
    }
  return 0;
}
