/* json_projection.c: narrowing JSON to what a connector selects; conditions on rows, bound to columns, applied to each row. */
#include "source/json_projection.h"
#include "record/json.h"

#include <ctype.h>
#include <stdio.h>
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
  struct json_filter *any; /* alternatives, of which one must hold; or NULL */
};

struct json_filter {
  struct condition *items;
  size_t count;
};

/* The text of a string or the digits of a number; NULL for null or absent. */
static char *json_filter_text_of(struct slice value) {
  char kind = json_kind(value);
  if (kind == 0 || kind == 'n')
    return NULL;
  return kind == '"' ? json_text_copy(value) : xstrndup(value.data, value.len);
}

static void read_bound(struct slice object, const char *name, struct bound *b) {
  b->text = json_filter_text_of(json_get(object, name));
  b->given = b->text != NULL;
  b->number = b->given ? strtod(b->text, NULL) : 0;
}

static void json_filter_read_list(struct slice list, struct condition *c) {
  struct json_cursor at = {0};
  struct slice value;
  while (json_kind(list) == '[' && json_next_element(list, &at, &value)) {
    char *text = json_filter_text_of(value);
    if (!text)
      continue;
    c->in = xreallocarray(c->in, c->in_count + 1, sizeof *c->in);
    c->in[c->in_count++] = text;
  }
}

static struct json_filter *json_filter_compile(struct slice conditions, int depth, struct error_text *why);

static int read_condition(struct slice object, struct condition *c, int depth, struct error_text *why) {
  struct slice any = json_get(object, "any");
  memset(c, 0, sizeof *c);
  c->column = -1;
  if (json_kind(any) == '[')
    return (c->any = json_filter_compile(any, depth + 1, why)) ? 0 : -1;
  c->field = json_filter_text_of(json_get(object, "field"));
  if (!c->field) {
    error_set(why, "a condition has no field");
    return -1;
  }
  c->fold = json_is_true(object, "fold");
  c->negated = json_is_true(object, "not");
  c->present = json_is_true(object, "present");
  c->is = json_filter_text_of(json_get(object, "is"));
  c->starts = json_filter_text_of(json_get(object, "starts"));
  c->contains = json_filter_text_of(json_get(object, "contains"));
  json_filter_read_list(json_get(object, "in"), c);
  read_bound(object, "from", &c->from);
  read_bound(object, "to", &c->to);
  read_bound(object, "min", &c->least);
  read_bound(object, "max", &c->most);
  return 0;
}

static struct json_filter *json_filter_compile(struct slice conditions, int depth, struct error_text *why) {
  struct json_filter *w = xcalloc(1, sizeof *w);
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
  json_filter_free(w);
  return NULL;
}

struct json_filter *json_filter_new(struct slice conditions, struct error_text *why) {
  return json_filter_compile(conditions, 0, why);
}

void json_filter_free(struct json_filter *w) {
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
    json_filter_free(c->any);
  }
  free(w->items);
  free(w);
}

void json_filter_bind(struct json_filter *w, const char *const *columns, size_t count) {
  for (size_t i = 0; w && i < w->count; i++) {
    struct condition *c = &w->items[i];
    if (c->any)
      json_filter_bind(c->any, columns, count);
    c->column = -1;
    for (size_t j = 0; c->field && j < count; j++)
      if (strcmp(c->field, columns[j]) == 0)
        c->column = (int)j;
  }
}

const char *json_filter_unbound(const struct json_filter *w) {
  const char *found = NULL;
  for (size_t i = 0; w && i < w->count && !found; i++)
    if (w->items[i].any)
      found = json_filter_unbound(w->items[i].any);
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

static int json_filter_begins(struct slice a, const char *b, int fold) {
  size_t len = strlen(b);
  return a.len >= len && same(slice_of(a.data, len), b, fold);
}

static int json_filter_holds(struct slice a, const char *b, int fold) {
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

static int json_filter_listed(struct slice a, const struct condition *c) {
  for (size_t i = 0; i < c->in_count; i++)
    if (same(a, c->in[i], c->fold))
      return 1;
  return c->in_count == 0;
}

static int json_filter_compare(struct slice a, const char *b) {
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

static int meets(const struct condition *c, json_filter_field *get, void *row) {
  struct slice text;
  if (asks_nothing(c))
    return 1;
  int ok = get(row, c->field, c->column, &text) && (!c->is || same(text, c->is, c->fold)) &&
           (!c->starts || json_filter_begins(text, c->starts, c->fold)) &&
           (!c->contains || json_filter_holds(text, c->contains, c->fold)) && json_filter_listed(text, c) &&
           (!c->from.given || json_filter_compare(text, c->from.text) >= 0) &&
           (!c->to.given || json_filter_compare(text, c->to.text) <= 0) && in_numbers(text, c);
  return ok != c->negated;
}

static int meets_any(const struct json_filter *w, json_filter_field *get, void *row) {
  for (size_t i = 0; i < w->count; i++) {
    const struct condition *c = &w->items[i];
    if (c->any ? meets_any(c->any, get, row) : meets(c, get, row))
      return 1;
  }
  return w->count == 0;
}

int json_filter_match(const struct json_filter *w, json_filter_field *get, void *row) {
  for (size_t i = 0; w && i < w->count; i++) {
    const struct condition *c = &w->items[i];
    if (!(c->any ? meets_any(c->any, get, row) : meets(c, get, row)))
      return 0;
  }
  return 1;
}

/* ---- numbers ---- */

#define MARK "\xef\xb7\x90" /* U+FDD0 */
#define MARK_LEN 3

/* Whether libjq would print the number unchanged: at most 15 significant digits, no exponent, no trailing zero in the
 * fraction, and not so small that it would be printed with an exponent. */
static int survives(struct slice n) {
  size_t i = n.len > 0 && n.data[0] == '-', digits = 0, zeros = 0;
  int fraction = 0, started = 0;
  if (i && n.len == 2 && n.data[1] == '0')
    return 0;
  for (; i < n.len; i++) {
    char c = n.data[i];
    if (c == 'e' || c == 'E')
      return 0;
    if (c == '.') {
      fraction = 1;
      continue;
    }
    started |= c != '0';
    digits += (size_t)started;
    zeros += (size_t)(fraction && !started);
  }
  return digits <= 15 && zeros < 4 && (!fraction || n.data[n.len - 1] != '0');
}

static void add_marked(struct slice n, struct buf *out) {
  if (survives(n)) {
    buf_add_slice(out, n);
    return;
  }
  buf_add_str(out, "\"" MARK);
  buf_add_slice(out, n);
  buf_add_char(out, '"');
}

/* The position after the string that begins at p. */
static const char *string_end(const char *p, const char *end) {
  for (p++; p < end && *p != '"'; p++)
    p += *p == '\\';
  return p < end ? p + 1 : end;
}

static int number_byte(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

void json_numbers_mark(struct slice json, struct buf *out) {
  const char *p = json.data, *end = p + json.len, *from = p;
  while (p < end) {
    if (*p == '"') {
      p = string_end(p, end);
    } else if (*p == '-' || (*p >= '0' && *p <= '9')) {
      const char *start = p;
      while (p < end && number_byte(*p))
        p++;
      if (survives(slice_of(start, (size_t)(p - start))))
        continue;
      buf_add(out, from, (size_t)(start - from));
      add_marked(slice_of(start, (size_t)(p - start)), out);
      from = p;
    } else {
      p++;
    }
  }
  if (from < end)
    buf_add(out, from, (size_t)(end - from));
}

/* Length of the JSON number at p, or 0. */
static size_t number_length(const char *p, const char *end) {
  const char *q = p;
  while (q < end && number_byte(*q))
    q++;
  size_t len = (size_t)(q - p);
  return len && len < 4096 && json_is_valid(slice_of(p, len)) ? len : 0;
}

void json_numbers_restore(struct slice json, struct buf *out) {
  const char *p = json.data, *end = p + json.len;
  while (p < end) {
    const char *mark = memmem(p, (size_t)(end - p), MARK, MARK_LEN);
    if (!mark) {
      buf_add(out, p, (size_t)(end - p));
      return;
    }
    size_t len = number_length(mark + MARK_LEN, end);
    const char *behind = mark + MARK_LEN + len;
    int quoted = len && mark > p && mark[-1] == '"' && behind < end && *behind == '"' &&
                 !(mark - 1 > p && mark[-2] == '\\');
    buf_add(out, p, (size_t)(mark - p) - (size_t)quoted);
    buf_add(out, mark + (len ? MARK_LEN : 0), len ? len : MARK_LEN);
    p = behind + quoted;
  }
}

/* ---- narrowing ---- */

#define PATH_MAX_PARTS 16
#define COLUMNS_MAX 64
#define SCRATCH_MAX ((size_t)64 << 20)

enum rows_kind { ROWS_NONE, ROWS_ARRAY, ROWS_MEMBERS, ROWS_COLUMNS };

/* One part of a select, compiled. */
struct json_projection_part {
  struct slice path[PATH_MAX_PARTS]; /* raw JSON */
  size_t depth;
  int stars, members, last;
  enum rows_kind rows;
  struct json_filter *where;
  struct slice keep, pick, summary; /* raw JSON arrays, or empty */
  long long limit;                  /* or -1 */
};

/* A row: an object, or one index into parallel arrays. */
struct json_projection_row {
  struct slice object;
  struct slice *keys, *values;
  size_t count;
  struct buf scratch;
};

static struct slice row_get(const struct json_projection_row *r, const char *field) {
  if (r->object.data)
    return json_get(r->object, field);
  size_t len = strlen(field);
  for (size_t i = 0; i < r->count; i++)
    if (r->keys[i].len == len && memcmp(r->keys[i].data, field, len) == 0)
      return r->values[i];
  return slice_of(NULL, 0);
}

static int row_field(void *arg, const char *field, int column, struct slice *text) {
  struct json_projection_row *r = arg;
  (void)column;
  struct slice value = row_get(r, field);
  char kind = json_kind(value);
  if (kind == 0 || kind == 'n')
    return 0;
  *text = kind == '"' ? json_text(value, &r->scratch) : value;
  return 1;
}

/* Minimum and maximum of one field over the matching rows. */
struct range {
  char *name;
  struct slice least, greatest;
};

struct json_projection_tally {
  long long total, matched, shown;
  struct range ranges[COLUMNS_MAX];
  size_t range_count;
};

static int value_order(struct slice a, struct slice b) {
  if (json_kind(a) == '0' && json_kind(b) == '0') {
    double x = json_to_double(a, 0), y = json_to_double(b, 0);
    return (x > y) - (x < y);
  }
  size_t len = a.len < b.len ? a.len : b.len;
  int order = memcmp(a.data, b.data, len);
  return order ? order : (a.len > b.len) - (a.len < b.len);
}

static void note_ranges(struct json_projection_tally *t, const struct json_projection_row *r) {
  for (size_t i = 0; i < t->range_count; i++) {
    struct range *g = &t->ranges[i];
    struct slice value = row_get(r, g->name);
    char kind = json_kind(value);
    if (kind != '"' && kind != '0')
      continue;
    if (!g->least.data || value_order(value, g->least) < 0)
      g->least = value;
    if (!g->greatest.data || value_order(value, g->greatest) > 0)
      g->greatest = value;
  }
}

/* Appends a comma unless the object or array was just opened. */
static void comma(struct buf *out) {
  if (out->len && out->data[out->len - 1] != '[' && out->data[out->len - 1] != '{')
    buf_add_char(out, ',');
}

/* Appends a key as json_next_member() returns it, raw without its quotes. */
static void json_projection_add_quoted(struct buf *out, struct slice key) {
  buf_add_char(out, '"');
  buf_add_slice(out, key);
  buf_add_char(out, '"');
}

static void json_projection_add_member(struct buf *out, struct slice key, struct slice value) {
  comma(out);
  json_projection_add_quoted(out, key);
  buf_add_char(out, ':');
  json_numbers_mark(value, out);
}

/* Appends the members of a row or object that `names` lists, in the order of the row. */
static void add_kept(struct buf *out, const struct json_projection_row *r, struct slice names) {
  struct json_cursor at = {0};
  struct slice name;
  char text[256];
  buf_add_char(out, '{');
  while (json_next_element(names, &at, &name)) {
    if (name.len < 2 || name.len - 2 >= sizeof text)
      continue;
    memcpy(text, name.data + 1, name.len - 2);
    text[name.len - 2] = '\0';
    struct slice value = row_get(r, text);
    if (value.data)
      json_projection_add_member(out, slice_of(name.data + 1, name.len - 2), value);
  }
  buf_add_char(out, '}');
}

static void json_projection_add_row(struct buf *out, const struct json_projection_row *r,
                                    const struct json_projection_part *p) {
  comma(out);
  if (json_kind(p->keep) == '[') {
    add_kept(out, r, p->keep);
  } else if (r->object.data) {
    json_numbers_mark(r->object, out);
  } else {
    buf_add_char(out, '{');
    for (size_t i = 0; i < r->count; i++)
      json_projection_add_member(out, r->keys[i], r->values[i]);
    buf_add_char(out, '}');
  }
}

/* Iterates over the rows of a value. */
struct rows {
  enum rows_kind kind;
  struct slice value;
  struct json_cursor at;
  struct json_cursor columns[COLUMNS_MAX];
  struct slice arrays[COLUMNS_MAX], keys[COLUMNS_MAX], cells[COLUMNS_MAX];
  size_t count;
};

static void rows_start(struct rows *s, enum rows_kind kind, struct slice value) {
  struct json_cursor at = {0};
  struct slice key, column;
  memset(s, 0, sizeof *s);
  s->kind = kind;
  s->value = value;
  while (kind == ROWS_COLUMNS && json_kind(value) == '{' && s->count < COLUMNS_MAX &&
         json_next_member(value, &at, &key, &column))
    if (json_kind(column) == '[') {
      s->keys[s->count] = key;
      s->arrays[s->count++] = column;
    }
}

static int columns_next(struct rows *s, struct json_projection_row *r) {
  size_t got = 0;
  for (size_t i = 0; i < s->count; i++) {
    s->cells[i] = slice_of(NULL, 0);
    got += (size_t)json_next_element(s->arrays[i], &s->columns[i], &s->cells[i]);
    if (!s->cells[i].data)
      s->cells[i] = slice_of("null", 4);
  }
  r->object = slice_of(NULL, 0);
  r->keys = s->keys;
  r->values = s->cells;
  r->count = s->count;
  return got > 0;
}

static int rows_next(struct rows *s, struct json_projection_row *r) {
  struct slice key;
  if (s->kind == ROWS_COLUMNS)
    return columns_next(s, r);
  if (s->kind == ROWS_MEMBERS)
    return json_kind(s->value) == '{' && json_next_member(s->value, &s->at, &key, &r->object);
  return json_kind(s->value) == '[' && json_next_element(s->value, &s->at, &r->object);
}

/* Counts all matches; prints those after the first `skip`, at most `limit` (-1: all). */
static void walk_rows(struct slice value, const struct json_projection_part *p,
                      struct json_projection_tally *t, struct buf *out, long long skip, long long limit) {
  struct rows s;
  struct json_projection_row r = {0};
  buf_init(&r.scratch, SCRATCH_MAX);
  rows_start(&s, p->rows, value);
  while (rows_next(&s, &r)) {
    t->total++;
    if (!json_filter_match(p->where, row_field, &r))
      continue;
    t->matched++;
    note_ranges(t, &r);
    if (out && t->matched > skip && (limit < 0 || t->shown < limit)) {
      json_projection_add_row(out, &r, p);
      t->shown++;
    }
  }
  buf_release(&r.scratch);
}

static void set_ranges(struct json_projection_tally *t, struct slice names) {
  struct json_cursor at = {0};
  struct slice name;
  memset(t, 0, sizeof *t);
  while (json_kind(names) == '[' && t->range_count < COLUMNS_MAX && json_next_element(names, &at, &name))
    if (json_kind(name) == '"')
      t->ranges[t->range_count++].name = xstrndup(name.data + 1, name.len - 2);
}

static void add_ranges(struct buf *out, struct json_projection_tally *t) {
  buf_add_str(out, ",\"ranges\":{");
  for (size_t i = 0; i < t->range_count; i++) {
    struct range *g = &t->ranges[i];
    if (g->least.data) {
      json_key(out, g->name);
      buf_add_char(out, '[');
      json_numbers_mark(g->least, out);
      buf_add_char(out, ',');
      json_numbers_mark(g->greatest, out);
      buf_add_char(out, ']');
    }
    free(g->name);
  }
  buf_add_char(out, '}');
}

static void add_rows(struct buf *out, struct slice value, const struct json_projection_part *p) {
  struct json_projection_tally t;
  long long skip = 0;
  int summary = json_kind(p->summary) == '[';
  set_ranges(&t, p->summary);
  if (p->last && p->limit >= 0 && !summary) {
    walk_rows(value, p, &t, NULL, 0, -1);
    skip = t.matched > p->limit ? t.matched - p->limit : 0;
    t.total = t.matched = 0;
  }
  buf_add_str(out, "{\"rows\":[");
  walk_rows(value, p, &t, summary ? NULL : out, skip, p->limit);
  buf_add_char(out, ']');
  if (summary)
    add_ranges(out, &t);
  json_int(out, "total", t.total);
  json_int(out, "matched", t.matched);
  buf_add_char(out, '}');
}

static void json_projection_add_names(struct buf *out, struct slice value) {
  struct json_cursor at = {0};
  struct slice key, item;
  long long count = 0;
  if (json_kind(value) == '{') {
    buf_add_char(out, '[');
    while (json_next_member(value, &at, &key, &item)) {
      comma(out);
      json_projection_add_quoted(out, key);
    }
    buf_add_char(out, ']');
    return;
  }
  while (json_kind(value) == '[' && json_next_element(value, &at, &item))
    count++;
  buf_printf(out, "%lld", count);
}

static void json_projection_add_value(struct buf *out, struct slice value,
                                      const struct json_projection_part *p) {
  struct json_projection_row r = {0};
  r.object = value;
  int other = p->rows != ROWS_NONE && json_kind(value) != (p->rows == ROWS_ARRAY ? '[' : '{');
  if (!value.data || other) /* an answer of another shape has no rows, which isn't the same as none of them */
    buf_add_str(out, "null");
  else if (p->rows != ROWS_NONE)
    add_rows(out, value, p);
  else if (p->members)
    json_projection_add_names(out, value);
  else if (json_kind(p->pick) == '[' && json_kind(value) == '{')
    add_kept(out, &r, p->pick);
  else
    json_numbers_mark(value, out);
}

struct walk {
  const struct json_projection_part *part;
  struct buf *out;
  struct slice names[PATH_MAX_PARTS]; /* the values matched by wildcards */
  char numbers[PATH_MAX_PARTS][24];
  size_t star_count;
};

static void add_star_value(struct walk *w, struct slice value) {
  comma(w->out);
  buf_add_str(w->out, "{\"path\":[");
  for (size_t i = 0; i < w->star_count; i++) {
    comma(w->out);
    json_projection_add_quoted(w->out, w->names[i]);
  }
  buf_add_str(w->out, "],\"value\":");
  json_projection_add_value(w->out, value, w->part);
  buf_add_char(w->out, '}');
}

static struct slice element(struct slice array, long long number) {
  struct json_cursor at = {0};
  struct slice value;
  while (json_kind(array) == '[' && json_next_element(array, &at, &value))
    if (number-- == 0)
      return value;
  return slice_of(NULL, 0);
}

static struct slice descend(struct slice value, struct slice step) {
  char name[512];
  if (json_kind(step) == '0')
    return element(value, json_to_int(step, -1));
  if (json_kind(value) != '{' || step.len < 2 || step.len - 2 >= sizeof name)
    return slice_of(NULL, 0);
  struct buf scratch;
  buf_init(&scratch, sizeof name);
  struct slice text = json_text(step, &scratch);
  memcpy(name, text.data, text.len);
  name[text.len] = '\0';
  buf_release(&scratch);
  return json_get(value, name);
}

static int is_star(struct slice step) {
  return slice_is(step, "\"*\"");
}

static void walk_path(struct walk *w, struct slice value, size_t depth);

static void walk_star(struct walk *w, struct slice value, size_t depth) {
  struct json_cursor at = {0};
  struct slice item;
  size_t slot = w->star_count++;
  if (json_kind(value) == '{') {
    while (json_next_member(value, &at, &w->names[slot], &item))
      walk_path(w, item, depth + 1);
  } else if (json_kind(value) == '[') {
    for (size_t i = 0; json_next_element(value, &at, &item); i++) {
      int n = snprintf(w->numbers[slot], sizeof w->numbers[slot], "%zu", i);
      w->names[slot] = slice_of(w->numbers[slot], (size_t)n);
      walk_path(w, item, depth + 1);
    }
  }
  w->star_count--;
}

static void walk_path(struct walk *w, struct slice value, size_t depth) {
  for (; depth < w->part->depth && value.data; depth++) {
    if (is_star(w->part->path[depth])) {
      walk_star(w, value, depth);
      return;
    }
    value = descend(value, w->part->path[depth]);
  }
  if (!w->part->stars)
    json_projection_add_value(w->out, value, w->part);
  else if (value.data)
    add_star_value(w, value);
}

static enum rows_kind rows_kind(struct slice word) {
  if (slice_is(word, "\"array\""))
    return ROWS_ARRAY;
  if (slice_is(word, "\"members\""))
    return ROWS_MEMBERS;
  return slice_is(word, "\"columns\"") ? ROWS_COLUMNS : ROWS_NONE;
}

static int read_path(struct slice path, struct json_projection_part *p, struct error_text *why) {
  struct json_cursor at = {0};
  struct slice step;
  char kind = json_kind(path);
  while (kind == '[' && json_next_element(path, &at, &step)) {
    if (p->depth == PATH_MAX_PARTS) {
      error_set(why, "a path of select has more than %d parts", PATH_MAX_PARTS);
      return -1;
    }
    p->stars += is_star(step);
    p->path[p->depth++] = step;
  }
  if (kind == '[' || kind == 0 || kind == 'n')
    return 0;
  error_set(why, "a path of select is not an array");
  return -1;
}

static int json_projection_read_part(struct slice spec, struct json_projection_part *p,
                                     struct error_text *why) {
  memset(p, 0, sizeof *p);
  if (json_kind(spec) != '{') {
    error_set(why, "a part of select is not an object");
    return -1;
  }
  p->rows = rows_kind(json_get(spec, "rows"));
  p->members = json_kind(json_get(spec, "members")) == 't';
  p->last = json_kind(json_get(spec, "last")) == 't';
  p->keep = json_get(spec, "keep");
  p->pick = json_get(spec, "pick");
  p->summary = json_get(spec, "summary");
  p->limit = json_to_int(json_get(spec, "limit"), -1);
  if (read_path(json_get(spec, "path"), p, why) != 0)
    return -1;
  p->where = json_filter_new(json_get(spec, "where"), why);
  return p->where ? 0 : -1;
}

int json_projection_select(struct slice body, struct slice select, struct buf *out, struct error_text *why) {
  struct json_cursor at = {0};
  struct slice key, spec;
  struct json_projection_part p;
  if (json_kind(select) != '{') {
    error_set(why, "select is not an object");
    return -1;
  }
  buf_add_char(out, '{');
  while (json_next_member(select, &at, &key, &spec)) {
    struct walk w = {.part = &p, .out = out};
    if (json_projection_read_part(spec, &p, why) != 0)
      return -1;
    comma(out);
    json_projection_add_quoted(out, key);
    buf_add_char(out, ':');
    buf_add_str(out, p.stars ? "[" : "");
    walk_path(&w, body, 0);
    buf_add_str(out, p.stars ? "]" : "");
    json_filter_free(p.where);
  }
  buf_add_char(out, '}');
  return 0;
}
