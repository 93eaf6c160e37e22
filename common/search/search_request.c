/* search_request.c: the request that a record makes. */
#include "search/search_request.h"

#include "query/plan_job.h"
#include "record/json.h"

#include <stdlib.h>

const char *const search_request_fields[] = {
    "query",  "question", "collection", "company", "entity", "form", "filingTypes", "item",
    "since",  "until",    "asOf",       "n",       "new",    "mode", "embedding",   "model",
    "period", "plan",     "job",        "error",   "id",     NULL};

int search_mode(const char *name, enum rank_mode *mode) {
  static const char *const names[] = {"hybrid", "vector", "text"};
  for (int i = 0; i < 3; i++)
    if (strcmp(name, names[i]) == 0) {
      *mode = (enum rank_mode)i;
      return 0;
    }
  return -1;
}

static const char *keep_text_of(struct search_request_strings *s, struct slice value) {
  struct buf scratch;
  if (s->count == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 16;
    s->kept = xreallocarray(s->kept, s->cap, sizeof *s->kept);
  }
  buf_init(&scratch, RECORD_MAX);
  struct slice text = json_text(value, &scratch);
  if (text.len && memchr(text.data, '\0', text.len))
    s->why = "a text of the record has a NUL";
  char *copy = xstrndup(text.len ? text.data : "", text.len);
  buf_release(&scratch);
  s->kept[s->count++] = copy;
  return copy;
}

void search_request_release(struct search_request_strings *s) {
  while (s->count)
    free(s->kept[--s->count]);
  while (s->list_count)
    free((void *)s->lists[--s->list_count]);
  s->why = NULL;
}

static size_t add_to_list(const char **items, size_t count, struct search_request_strings *s,
                          struct slice value, int numbers) {
  int number = numbers && json_kind(value) == '0';
  const char *text = json_kind(value) == '"' || number ? keep_text_of(s, value) : "";
  if (json_kind(value) != '"' && json_kind(value) != 'n' && !number)
    s->why = "a list of the record has something other than strings";
  if (*text != '\0')
    items[count++] = text;
  return count;
}

/* A string or an array of strings replaces the option's list. */
static void read_list_or_numbers(struct search_list *list, struct search_request_strings *s,
                                 struct slice value, int numbers) {
  struct json_cursor c = {0}, again = {0};
  struct slice element;
  size_t room = 1, count = 0;
  if (json_kind(value) != '"' && json_kind(value) != '[' && !(numbers && json_kind(value) == '0'))
    return;
  while (json_kind(value) == '[' && json_next_element(value, &c, &element))
    room++;
  const char **items = s->lists[s->list_count++] = xcalloc(room, sizeof *items);
  if (json_kind(value) != '[')
    count = add_to_list(items, count, s, value, numbers);
  while (json_kind(value) == '[' && json_next_element(value, &again, &element))
    count = add_to_list(items, count, s, element, numbers);
  *list = (struct search_list){items, count};
}

static void read_list_of(struct search_list *list, struct search_request_strings *s, struct slice value) {
  read_list_or_numbers(list, s, value, 0);
}

static void read_text_of(const char **to, struct search_request_strings *s, struct slice value) {
  if (json_kind(value) == '"')
    *to = keep_text_of(s, value);
}

static void read_entity_of(struct search_request *r, struct search_request_strings *s, struct slice value) {
  if (json_kind(value) == '{') {
    read_list_of(&r->aliases, s, json_get(value, "aliases"));
    value = json_get(value, "id");
    if (json_kind(value) && !strchr("\"[n", json_kind(value)))
      s->why = "\"id\" of \"entity\" is no string and no list of strings";
  }
  read_list_of(&r->companies, s, value);
}

/* A filter that is not understood must not be ignored.  NULL, or the fault. */
static const char *check_kinds(const struct record *rec) {
  static const struct {
    int field;
    const char *kinds, *why;
  } checks[] = {{F_COLLECTION, "\"[", "\"collection\" is no string and no list of strings"},
                {F_COMPANY, "\"[0", "\"company\" is no string and no list of strings"},
                {F_ENTITY, "\"[{", "\"entity\" is no string, no list and no object with an \"id\""},
                {F_FORM, "\"[", "\"form\" is no string and no list of strings"},
                {F_TYPES, "\"[", "\"filingTypes\" is no string and no list of strings"},
                {F_ITEM, "\"[", "\"item\" is no string and no list of strings"},
                {F_SINCE, "\"", "\"since\" is no string"},
                {F_UNTIL, "\"", "\"until\" is no string"},
                {F_AS_OF, "\"", "\"asOf\" is no string"},
                {F_PERIOD, "\"", "\"period\" is no string"},
                {F_PLAN, "{", "\"plan\" is no object"},
                {F_MODE, "\"", "\"mode\" is none of hybrid, vector, text"},
                {F_N, "0", "\"n\" is not 1 to 1000"},
                {F_NEW, "tf", "\"new\" is neither true nor false"}};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    char kind = json_kind(rec->field[checks[i].field]);
    if (kind && kind != 'n' && !strchr(checks[i].kinds, kind))
      return checks[i].why;
  }
  return NULL;
}

const char *search_request_read(const struct record *rec, struct search_request *r,
                                struct search_request_strings *s, struct buf *query) {
  struct slice q = rec->field[json_kind(rec->field[F_QUERY]) == '"' ? F_QUERY : F_QUESTION];
  const char *mode = NULL;
  if (json_kind(q) != '"')
    return "no \"query\" in the record";
  const char *why = check_kinds(rec);
  if (!why)
    why = plan_job_fault(rec->line);
  if (why)
    return why;
  r->query = json_text(q, query);
  if (r->query.len && memchr(r->query.data, '\0', r->query.len))
    return "the question has a NUL";
  read_list_of(&r->collections, s, rec->field[F_COLLECTION]);
  read_list_or_numbers(&r->companies, s, rec->field[F_COMPANY], 1); /* a CIK as jq makes one */
  read_entity_of(r, s, rec->field[F_ENTITY]);
  read_list_of(&r->forms, s, rec->field[F_FORM]);
  read_list_of(&r->forms, s, rec->field[F_TYPES]);
  read_list_of(&r->items, s, rec->field[F_ITEM]);
  read_text_of(&r->since, s, rec->field[F_SINCE]);
  read_text_of(&r->until, s, rec->field[F_UNTIL]);
  read_text_of(&r->as_of, s, rec->field[F_AS_OF]);
  read_text_of(&r->period, s, rec->field[F_PERIOD]);
  read_text_of(&mode, s, rec->field[F_MODE]);
  if (json_kind(rec->field[F_PLAN]) == '{')
    r->plan = rec->field[F_PLAN];
  r->embedding = json_kind(rec->field[F_EMBEDDING]) == '"' ? rec->field[F_EMBEDDING] : r->embedding;
  if (r->embedding.len >= 2 && r->embedding.data[0] == '"') /* base64 has no escapes */
    r->embedding = slice_of(r->embedding.data + 1, r->embedding.len - 2);
  if (json_kind(rec->field[F_MODEL]) == '"')
    r->embedding_model = slice_of(rec->field[F_MODEL].data + 1, rec->field[F_MODEL].len - 2);
  if (json_kind(rec->field[F_NEW]) == 't' || json_kind(rec->field[F_NEW]) == 'f')
    r->news = json_kind(rec->field[F_NEW]) == 't';
  long long n = json_kind(rec->field[F_N]) == '0' ? json_to_int(rec->field[F_N], 0) : (long long)r->n;
  if (n < 1 || n > (long long)RANK_MAX)
    return "\"n\" is not 1 to 1000";
  r->n = (size_t)n;
  if (s->why)
    return s->why;
  return mode != NULL && search_mode(mode, &r->mode) != 0 ? "\"mode\" is none of hybrid, vector, text" : NULL;
}
