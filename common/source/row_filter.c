/* row_filter.c: conditions on rows: compiled from JSON, bound to columns, applied to each row. */
#include "source/row_filter.h"

#include "record/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#define NEST_MAX 8 /* nesting limit of "any" */

/* An optional bound. */
struct bound {
  int given;
  double number;
  char *text;
};

struct condition {
  char *field;
  int column, fold, negated, present;
  char *is, *starts, *contains;
  char **in;
  size_t in_count;
  struct bound from, to, least, most;
  struct row_filter *any; /* alternatives, of which one must hold; or NULL */
};

struct row_filter {
  struct condition *items;
  size_t count;
};

/* The text of a string or the digits of a number; NULL for null or absent. */
static char *row_filter_text_of(struct slice value) {
  char kind = json_kind(value);
  if (kind == 0 || kind == 'n')
    return NULL;
  return kind == '"' ? json_text_copy(value) : xstrndup(value.data, value.len);
}

static void read_bound(struct slice object, const char *name, struct bound *b) {
  b->text = row_filter_text_of(json_get(object, name));
  b->given = b->text != NULL;
  b->number = b->given ? strtod(b->text, NULL) : 0;
}

static void row_filter_read_list(struct slice list, struct condition *c) {
  struct json_cursor at = {0};
  struct slice value;
  while (json_kind(list) == '[' && json_next_element(list, &at, &value)) {
    char *text = row_filter_text_of(value);
    if (!text)
      continue;
    c->in = xreallocarray(c->in, c->in_count + 1, sizeof *c->in);
    c->in[c->in_count++] = text;
  }
}

static struct row_filter *row_filter_compile(struct slice conditions, int depth, struct error_text *why);

static int read_condition(struct slice object, struct condition *c, int depth, struct error_text *why) {
  struct slice any = json_get(object, "any");
  memset(c, 0, sizeof *c);
  c->column = -1;
  if (json_kind(any) == '[')
    return (c->any = row_filter_compile(any, depth + 1, why)) ? 0 : -1;
  c->field = row_filter_text_of(json_get(object, "field"));
  if (!c->field) {
    error_set(why, "a condition has no field");
    return -1;
  }
  c->fold = json_is_true(object, "fold");
  c->negated = json_is_true(object, "not");
  c->present = json_is_true(object, "present");
  c->is = row_filter_text_of(json_get(object, "is"));
  c->starts = row_filter_text_of(json_get(object, "starts"));
  c->contains = row_filter_text_of(json_get(object, "contains"));
  row_filter_read_list(json_get(object, "in"), c);
  read_bound(object, "from", &c->from);
  read_bound(object, "to", &c->to);
  read_bound(object, "min", &c->least);
  read_bound(object, "max", &c->most);
  return 0;
}

static struct row_filter *row_filter_compile(struct slice conditions, int depth, struct error_text *why) {
  struct row_filter *w = xcalloc(1, sizeof *w);
  struct json_cursor at = {0};
  struct slice value;
  char kind = json_kind(conditions);
  int bad = (kind != '[' && kind != 'n' && kind != 0) || depth > NEST_MAX;
  if (bad)
    error_set(why, "where is not an array of conditions");
  while (!bad && kind == '[' && json_next_element(conditions, &at, &value)) {
    w->items = xreallocarray(w->items, w->count + 1, sizeof *w->items);
    if (json_kind(value) != '{')
      error_set(why, "a condition is not an object");
    bad = json_kind(value) != '{' || read_condition(value, &w->items[w->count], depth, why) != 0;
    w->count += !bad;
  }
  if (!bad)
    return w;
  row_filter_free(w);
  return NULL;
}

struct row_filter *row_filter_new(struct slice conditions, struct error_text *why) {
  return row_filter_compile(conditions, 0, why);
}

void row_filter_free(struct row_filter *w) {
  if (!w)
    return;
  for (size_t i = 0; i < w->count; i++) {
    struct condition *c = &w->items[i];
    for (size_t j = 0; j < c->in_count; j++)
      free(c->in[j]);
    free(c->in);
    free(c->field);
    free(c->is);
    free(c->starts);
    free(c->contains);
    free(c->from.text);
    free(c->to.text);
    free(c->least.text);
    free(c->most.text);
    row_filter_free(c->any);
  }
  free(w->items);
  free(w);
}

void row_filter_bind(struct row_filter *w, const char *const *columns, size_t count) {
  for (size_t i = 0; w && i < w->count; i++) {
    struct condition *c = &w->items[i];
    if (c->any)
      row_filter_bind(c->any, columns, count);
    c->column = -1;
    for (size_t j = 0; c->field && j < count; j++)
      if (strcmp(c->field, columns[j]) == 0)
        c->column = (int)j;
  }
}

const char *row_filter_unbound(const struct row_filter *w) {
  const char *found = NULL;
  for (size_t i = 0; w && i < w->count && !found; i++)
    if (w->items[i].any)
      found = row_filter_unbound(w->items[i].any);
    else if (w->items[i].column < 0)
      found = w->items[i].field;
  return found;
}

static int same(struct slice a, const char *b, int fold) {
  size_t len = strlen(b);
  if (a.len != len)
    return 0;
  return len == 0 || (fold ? strncasecmp(a.data, b, len) : memcmp(a.data, b, len)) == 0;
}

static int row_filter_begins(struct slice a, const char *b, int fold) {
  size_t len = strlen(b);
  return a.len >= len && same(slice_of(a.data, len), b, fold);
}

static int row_filter_holds(struct slice a, const char *b, int fold) {
  size_t len = strlen(b);
  if (len == 0)
    return 1;
  if (!fold)
    return a.len >= len && memmem(a.data, a.len, b, len) != NULL;
  for (size_t i = 0; i + len <= a.len; i++)
    if (strncasecmp(a.data + i, b, len) == 0)
      return 1;
  return 0;
}

static int row_filter_listed(struct slice a, const struct condition *c) {
  for (size_t i = 0; i < c->in_count; i++)
    if (same(a, c->in[i], c->fold))
      return 1;
  return c->in_count == 0;
}

static int row_filter_compare(struct slice a, const char *b) {
  size_t len = strlen(b), less = a.len < len ? a.len : len;
  int order = less ? memcmp(a.data, b, less) : 0;
  return order ? order : (a.len > len) - (a.len < len);
}

/* A text that is not a number is outside every numeric range. */
static int in_numbers(struct slice a, const struct condition *c) {
  char text[64], *end;
  if (!c->least.given && !c->most.given)
    return 1;
  if (a.len == 0 || a.len >= sizeof text)
    return 0;
  memcpy(text, a.data, a.len);
  text[a.len] = '\0';
  double value = strtod(text, &end);
  return end != text && (!c->least.given || value >= c->least.number) &&
         (!c->most.given || value <= c->most.number);
}

static int asks_nothing(const struct condition *c) {
  return !c->present && !c->is && !c->starts && !c->contains && !c->in_count && !c->from.given &&
         !c->to.given && !c->least.given && !c->most.given;
}

static int meets(const struct condition *c, row_filter_field *get, void *row) {
  struct slice text;
  if (asks_nothing(c))
    return 1;
  int ok = get(row, c->field, c->column, &text) && (!c->is || same(text, c->is, c->fold)) &&
           (!c->starts || row_filter_begins(text, c->starts, c->fold)) &&
           (!c->contains || row_filter_holds(text, c->contains, c->fold)) && row_filter_listed(text, c) &&
           (!c->from.given || row_filter_compare(text, c->from.text) >= 0) &&
           (!c->to.given || row_filter_compare(text, c->to.text) <= 0) && in_numbers(text, c);
  return ok != c->negated;
}

static int meets_any(const struct row_filter *w, row_filter_field *get, void *row) {
  for (size_t i = 0; i < w->count; i++) {
    const struct condition *c = &w->items[i];
    if (c->any ? meets_any(c->any, get, row) : meets(c, get, row))
      return 1;
  }
  return w->count == 0;
}

int row_filter_match(const struct row_filter *w, row_filter_field *get, void *row) {
  for (size_t i = 0; w && i < w->count; i++) {
    const struct condition *c = &w->items[i];
    if (!(c->any ? meets_any(c->any, get, row) : meets(c, get, row)))
      return 0;
  }
  return 1;
}
