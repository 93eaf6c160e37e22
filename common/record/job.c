/* job.c: a fetch job: built from options or read from a record, written for connectors. */
#include "record/job.h"

#include "period/period_option.h"
#include "record/json.h"

#include <stdlib.h>

#define CARRIED_MAX ((size_t)1 << 20)

void job_init(struct job *s) {
  memset(s, 0, sizeof *s);
  s->limit = -1;
  buf_init(&s->carried, CARRIED_MAX);
  buf_init(&s->metadata, CARRIED_MAX);
  buf_init(&s->plan, CARRIED_MAX);
  buf_init(&s->company, CARRIED_MAX);
  buf_init(&s->tag, 256);
}

void job_list_release(struct job_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->items[i]);
  free(list->items);
  memset(list, 0, sizeof *list);
}

void job_release(struct job *s) {
  free(s->entity);
  free(s->period);
  free(s->query);
  free(s->since);
  job_list_release(&s->aliases);
  job_list_release(&s->forms);
  job_list_release(&s->operands);
  job_list_release(&s->sources);
  job_list_release(&s->names);
  job_list_release(&s->values);
  job_list_release(&s->structured);
  buf_release(&s->carried);
  buf_release(&s->metadata);
  buf_release(&s->plan);
  buf_release(&s->company);
  buf_release(&s->tag);
  job_init(s);
}

void job_list_add(struct job_list *list, const char *text, size_t len) {
  list->items = xreallocarray(list->items, list->count + 1, sizeof *list->items);
  list->items[list->count++] = xstrndup(text ? text : "", len);
}

void job_list_split(struct job_list *list, const char *text) {
  while (*text) {
    size_t len = strcspn(text, ","), from = strspn(text, " "), to = len;
    while (to > from && text[to - 1] == ' ')
      to--;
    if (to > from && from < len)
      job_list_add(list, text + from, to - from);
    text += len + (text[len] == ',');
  }
}

int job_set_since(struct job *s, const char *text, struct error_text *why) {
  char day[PERIOD_WHEN];
  if (period_when(text, PERIOD_FIRST, day) != 0) {
    error_set(why, "since: '%.100s' is neither a date, a month or year, nor a span such as 6months", text);
    return -1;
  }
  free(s->since);
  s->since = xstrndup(day, strlen("2025-01-31"));
  return 0;
}

void job_set_param(struct job *s, const char *name, size_t name_len, const char *value, size_t value_len) {
  for (size_t i = 0; i < s->names.count; i++)
    if (strlen(s->names.items[i]) == name_len && memcmp(s->names.items[i], name, name_len) == 0) {
      free(s->values.items[i]);
      s->values.items[i] = xstrndup(value ? value : "", value_len);
      return;
    }
  job_list_add(&s->names, name, name_len);
  job_list_add(&s->values, value, value_len);
}

static const char *job_param(const struct job *s, const char *name) {
  for (size_t i = 0; i < s->names.count; i++)
    if (strcmp(s->names.items[i], name) == 0)
      return s->values.items[i];
  return NULL;
}

static void job_add_text(struct buf *out, const char *name, const char *text) {
  if (text)
    json_cstr(out, name, text);
  else
    json_raw(out, name, slice_str("null"));
}

static void add_entity(struct buf *out, const struct job *s) {
  json_key(out, "entity");
  buf_add_char(out, '{');
  job_add_text(out, "id", s->entity);
  json_cstr_list(out, "aliases", (const char *const *)s->aliases.items, s->aliases.count);
  buf_add_char(out, '}');
}

void job_carry(struct job *s) {
  struct buf *out = &s->carried;
  buf_clear(out);
  buf_add_char(out, '{');
  if (s->entity || s->aliases.count)
    add_entity(out, s);
  if (s->period)
    json_cstr(out, "period", s->period);
  if (s->forms.count)
    json_cstr_list(out, "filingTypes", (const char *const *)s->forms.items, s->forms.count);
  if (s->query)
    json_cstr(out, "query", s->query);
}

/* The text of a string, number or boolean, owned by the caller; NULL for any other type. */
static char *scalar(struct slice value) {
  char kind = json_kind(value);
  if (kind == '0' || kind == 't' || kind == 'f')
    return xstrndup(value.data, value.len);
  return json_text_copy(value);
}

/* Reads an array of strings, or one string.  -1 with why, which names what is no text. */
static int job_read_list(struct job_list *list, struct slice key, struct slice value,
                         struct error_text *why) {
  struct json_cursor at = {0};
  struct slice item;
  struct buf bad;
  int result = 0;
  buf_init(&bad, 4096);
  char *text = scalar(value);
  if (text)
    job_list_split(list, text);
  free(text);
  while (json_kind(value) == '[' && json_next_element(value, &at, &item)) {
    text = scalar(item);
    if (text && (json_kind(item) == '"' || slice_is(key, "aliases")))
      job_list_add(list, text, strlen(text));
    else
      buf_printf(&bad, "%s%.*s", bad.len ? ", " : "", (int)(item.len < 100 ? item.len : 100), item.data);
    free(text);
  }
  if (json_kind(value) == '{')
    buf_add_str(&bad, "an object");
  if (bad.len) {
    error_set(why, "\"%.*s\" is a list of texts; there is %s", (int)key.len, key.data, bad.data);
    result = -1;
  }
  buf_release(&bad);
  return result;
}

static int job_read_entity(struct job *s, struct slice value, struct error_text *why) {
  if (json_kind(value) != '{') {
    s->entity = scalar(value);
    return 0;
  }
  s->entity = scalar(json_get(value, "id"));
  return job_read_list(&s->aliases, slice_str("aliases"), json_get(value, "aliases"), why);
}

/* Whether it was one. */
static int read_param(struct job *s, struct slice key, struct slice value) {
  char *text = scalar(value);
  int found = text != NULL;
  if (found)
    job_set_param(s, key.data, key.len, text, strlen(text));
  free(text);
  return found;
}

static void read_params(struct job *s, struct slice object) {
  struct json_cursor at = {0};
  struct slice key, value;
  while (json_next_member(object, &at, &key, &value))
    read_param(s, key, value);
}

void job_add_subject(const struct job *s, struct buf *out) {
  if (s->tag.len)
    json_raw(out, "job", buf_slice(&s->tag));
  if (s->entity || s->aliases.count)
    add_entity(out, s);
  if (s->period)
    json_cstr(out, "period", s->period);
}

static int read_limit(struct job *s, struct slice value, struct error_text *why) {
  char *text = scalar(value), *end = text;
  if (!text)
    return 0;
  s->limit = strtoll(text, &end, 10);
  int bad = end == text || *end || s->limit < 1;
  if (bad)
    error_set(why, "limit: '%.40s' is not a whole number above 0", text);
  free(text);
  return bad ? -1 : 0;
}

static int read_since(struct job *s, struct slice value, struct error_text *why) {
  char *text = scalar(value);
  int result = text && *text ? job_set_since(s, text, why) : 0;
  free(text);
  return result;
}

/* Reads one member of a job record. */
static int read_member(struct job *s, struct slice key, struct slice value, struct error_text *why) {
  if (slice_is(key, "entity"))
    return job_read_entity(s, value, why);
  else if (slice_is(key, "period"))
    s->period = scalar(value);
  else if (slice_is(key, "query"))
    s->query = scalar(value);
  else if (slice_is(key, "filingTypes"))
    return job_read_list(&s->forms, key, value, why);
  else if (slice_is(key, "sources") || slice_is(key, "source")) {
    s->idle = slice_is(value, "[]");
    return job_read_list(&s->sources, key, value, why);
  }
  if (slice_is(key, "operands"))
    return job_read_list(&s->operands, key, value, why);
  else if (slice_is(key, "since"))
    return read_since(s, value, why);
  else if (slice_is(key, "limit"))
    return read_limit(s, value, why);
  else if (slice_is(key, "content"))
    s->content = json_kind(value) == 't';
  else if (slice_is(key, "params") || slice_is(key, "parameters"))
    read_params(s, value);
  else if (slice_is(key, "metadata") && json_kind(value) == '{')
    buf_add_slice(&s->metadata, value);
  else if (slice_is(key, "plan") && json_kind(value) == '{')
    buf_add_slice(&s->plan, value);
  else if (slice_is(key, "job") && (json_kind(value) == '0' || json_kind(value) == '"'))
    buf_add_slice(&s->tag, value);
  else if (!read_param(s, key, value) && (json_kind(value) == '[' || json_kind(value) == '{'))
    job_list_add(&s->structured, key.data, key.len);
  return 0;
}

/* Whether JSON has an escaped NUL, at which the text of a job would end: "AAPL\u0000x" is not AAPL. */
static int job_has_nul(struct slice json) {
  for (size_t i = 0; i + 6 <= json.len; i++) {
    if (json.data[i] != '\\')
      continue;
    if (memcmp(json.data + i, "\\u0000", 6) == 0)
      return 1;
    i++; /* what is escaped is no backslash that escapes */
  }
  return 0;
}

int job_read(struct job *s, struct slice record, struct error_text *why) {
  static const char *const kept[] = {"job", "entity", "period", "filingTypes", "query"};
  struct json_cursor at = {0};
  struct slice key, value;
  while (json_next_member(record, &at, &key, &value)) {
    if (!slice_is(key, "metadata") && job_has_nul(value)) {
      error_set(why, "\"%.*s\" has a NUL", (int)key.len, key.data);
      return -1;
    }
    if (read_member(s, key, value, why) != 0)
      return -1;
  }
  buf_add_char(&s->carried, '{');
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    value = json_get(record, kept[i]);
    if (json_kind(value) == '0' && i > 0) /* 2024, as payloads have it: a text */
      json_str(&s->carried, kept[i], value);
    else if (value.data)
      json_raw(&s->carried, kept[i], value);
  }
  return 0;
}

int job_has(const struct job *s, const char *name) {
  const char *param = job_param(s, name);
  return (param && *param) || (strcmp(name, "entity") == 0 && s->entity) ||
         (strcmp(name, "aliases") == 0 && s->aliases.count) || (strcmp(name, "period") == 0 && s->period) ||
         (strcmp(name, "query") == 0 && s->query) || (strcmp(name, "since") == 0 && s->since) ||
         (strcmp(name, "filingTypes") == 0 && s->forms.count) ||
         (strcmp(name, "limit") == 0 && s->limit >= 0) || (strcmp(name, "content") == 0 && s->content) ||
         (strcmp(name, "operands") == 0 && s->operands.count) || (strcmp(name, "plan") == 0 && s->plan.len);
}

void job_write(const struct job *s, struct buf *out) {
  buf_add_char(out, '{');
  add_entity(out, s);
  job_add_text(out, "period", s->period);
  job_add_text(out, "query", s->query);
  job_add_text(out, "since", s->since);
  json_cstr_list(out, "filingTypes", (const char *const *)s->forms.items, s->forms.count);
  json_cstr_list(out, "operands", (const char *const *)s->operands.items, s->operands.count);
  if (s->limit >= 0)
    json_int(out, "limit", s->limit);
  else
    json_raw(out, "limit", slice_str("null"));
  json_bool(out, "content", s->content);
  json_raw(out, "plan", s->plan.len ? buf_slice(&s->plan) : slice_str("null"));
  json_raw(out, "company", s->company.len ? buf_slice(&s->company) : slice_str("null"));
  json_key(out, "params");
  buf_add_char(out, '{');
  for (size_t i = 0; i < s->names.count; i++) {
    buf_add_str(out, i ? "," : "");
    json_add_cstr(out, s->names.items[i]);
    buf_add_char(out, ':');
    json_add_cstr(out, s->values.items[i]);
  }
  buf_add_str(out, "}}");
}
