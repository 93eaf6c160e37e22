/* plan_filter.c: the loop of bid-plan: questions and jobs in, jobs with a plan out. */
#include "query/plan_filter.h"

#include "query/plan_json.h"
#include "record/error.h"
#include "record/json.h"

#include <errno.h>
#include <stdlib.h>

#define GIVEN 16 /* limit of companies, forms and other names in a job; more are ignored */
#define TEXT_ROOM ((size_t)1 << 20)
#define TABLE_ROOM ((size_t)64 << 20)

enum plan_field {
  FIELD_QUERY,
  FIELD_QUESTION,
  FIELD_ENTITY,
  FIELD_ENTITIES,
  FIELD_COMPANY,
  FIELD_FORMS,
  FIELD_FORM,
  FIELD_PERIOD,
  FIELD_SINCE,
  FIELD_AS_OF
};
const char *const plan_filter_fields[] = {"query", "question", "entity", "entities", "company", "filingTypes",
                                          "form",  "period",   "since",  "asOf",     NULL};

/* A request with storage for its lists; texts with escapes are in `own`. */
struct filled {
  struct plan_request ask;
  struct slice entities[GIVEN], aliases[GIVEN], forms[GIVEN];
  char *own[4 * GIVEN];
  size_t own_count;
};

static void filled_release(struct filled *r) {
  for (size_t i = 0; i < r->own_count; i++)
    free(r->own[i]);
}

/* The text of a string or number in a job. */
static struct slice job_text(struct filled *r, struct slice value) {
  struct buf scratch;
  if (json_kind(value) == '0')
    return value;
  if (json_kind(value) != '"' || value.len == 2)
    return slice_of(NULL, 0);
  if (memchr(value.data, '\\', value.len) == NULL)
    return slice_of(value.data + 1, value.len - 2);
  if (r->own_count == sizeof r->own / sizeof *r->own)
    return slice_of(NULL, 0);
  buf_init(&scratch, TEXT_ROOM);
  struct slice text = json_text(value, &scratch);
  char *kept = r->own[r->own_count++] = xstrndup(text.data ? text.data : "", text.len);
  buf_release(&scratch);
  return slice_of(kept, text.len);
}

static void add_slice(struct slice *list, size_t *count, struct slice text) {
  if (text.len > 0 && *count < GIVEN)
    list[(*count)++] = text;
}

/* Reads a string, or an array of strings and of objects with an id. */
static void read_list(struct filled *r, struct slice value, struct slice *list, size_t *count) {
  struct json_cursor at = {0};
  struct slice item;
  if (json_kind(value) != '[') {
    add_slice(list, count, job_text(r, json_kind(value) == '{' ? json_get(value, "id") : value));
    return;
  }
  while (json_next_element(value, &at, &item))
    add_slice(list, count, job_text(r, json_kind(item) == '{' ? json_get(item, "id") : item));
}

static struct slice or_option(struct slice text, const char *option) {
  return text.len ? text : slice_str(option);
}

static void add_options(struct slice *list, size_t *count, const struct option_list *options) {
  for (size_t i = 0; options && *count == 0 && i < options->count && i < GIVEN; i++)
    list[i] = slice_str(options->items[i]);
  if (options && *count == 0)
    *count = options->count < GIVEN ? options->count : GIVEN;
}

/* Fills the request from the job, and from the options where the job has no value. */
static void fill_request(const struct plan_filter *f, const struct record *rec, struct filled *r) {
  static const struct record none;
  memset(r, 0, sizeof *r);
  const struct slice *field = (rec ? rec : &none)->field;
  struct plan_request *ask = &r->ask;
  ask->question = job_text(r, field[FIELD_QUERY].data ? field[FIELD_QUERY] : field[FIELD_QUESTION]);
  read_list(r, field[FIELD_ENTITY], r->entities, &ask->entity_count);
  read_list(r, field[FIELD_ENTITIES], r->entities, &ask->entity_count);
  read_list(r, field[FIELD_COMPANY], r->entities, &ask->entity_count); /* as bid-search and bid-mcp call it */
  if (json_kind(field[FIELD_ENTITY]) == '{')
    read_list(r, json_get(field[FIELD_ENTITY], "aliases"), r->aliases, &ask->alias_count);
  if (ask->entity_count == 0 && ask->alias_count > 0) { /* other names without a first one */
    r->entities[0] = r->aliases[0];
    ask->entity_count = 1;
  }
  read_list(r, field[FIELD_FORMS], r->forms, &ask->form_count);
  read_list(r, field[FIELD_FORM], r->forms, &ask->form_count);
  add_options(r->entities, &ask->entity_count, f->entities);
  add_options(r->forms, &ask->form_count, f->forms);
  ask->entities = r->entities;
  ask->aliases = r->aliases;
  ask->forms = r->forms;
  ask->period = or_option(job_text(r, field[FIELD_PERIOD]), f->period);
  ask->since = or_option(job_text(r, field[FIELD_SINCE]), f->since);
  ask->as_of = or_option(job_text(r, field[FIELD_AS_OF]), f->as_of);
}

static void plan_filter_add_error(struct program *p, const struct error_text *why) {
  struct buf *out = &p->out.buf;
  json_key(out, "error");
  buf_add_char(out, '{');
  json_cstr(out, "category", ERROR_INVALID_REQUEST);
  json_cstr(out, "message", why->text);
  json_cstr(out, "stage", "plan");
  buf_add_char(out, '}');
}

/* Reports a rejection on stderr and in the exit status. */
static void tell_refusal(struct program *p, const struct record *rec, const struct error_text *why) {
  p->errors++;
  if (rec)
    diag_at(p->input_name, rec->number, "%s", why->text);
  else
    diag_warn("%s", why->text);
  program_fail(p, rec ? EXIT_NOTHING : error_exit_status(ERROR_INVALID_REQUEST));
}

static int plan_asks_nothing(const struct plan_request *ask) {
  size_t i = 0;
  while (i < ask->question.len && (unsigned char)ask->question.data[i] <= ' ')
    i++;
  return i == ask->question.len && ask->entity_count + ask->form_count + ask->period.len == 0;
}

/* Whether a job's question is present but not a string; fills why. */
static int plan_no_text(const struct record *rec, struct error_text *why) {
  if (rec == NULL)
    return 0;
  int query = rec->field[FIELD_QUERY].data != NULL;
  char kind = json_kind(rec->field[query ? FIELD_QUERY : FIELD_QUESTION]);
  if (kind == 0 || kind == '"' || kind == 'n')
    return 0;
  error_set(why, "\"%s\" is no text: a question is expected, for example \"Apple's gross margin in Q2 2025\"",
            plan_filter_fields[query ? FIELD_QUERY : FIELD_QUESTION]);
  return 1;
}

static int job_is_faulty(const struct record *rec, struct error_text *why) {
  const char *fault = rec ? plan_job_fault(rec->line) : NULL;
  if (fault)
    error_set(why, "%s", fault);
  return fault != NULL;
}

/* Makes the plan and appends it to an open record, or explains it; closes the record. */
static void plan_and_close(struct program *p, struct plan_filter *f, const struct record *rec,
                           struct filled *r) {
  struct error_text why;
  struct buf *out = &p->out.buf;
  int refused = plan_make(f->planner, &r->ask, &f->plan, &why) != 0;
  if (!f->shipped && planner_lacks_company(&f->plan, refused) && planner_renew(f->planner))
    refused = plan_make(f->planner, &r->ask, &f->plan, &why) != 0;
  if (!refused)
    refused = plan_no_text(rec, &why) || job_is_faulty(rec, &why);
  if (rec == NULL && !refused && plan_asks_nothing(&r->ask)) {
    error_set(&why,
              "no question: say what you want to know, for example \"Apple's gross margin in Q2 2025\"");
    refused = 1;
  }
  if (f->explain) {
    buf_add_masked(out, r->ask.question);
    buf_add_char(out, '\n');
    plan_explain(&f->plan, out);
    buf_add_char(out, '\n');
  } else {
    json_key(out, "plan");
    plan_add_json(&f->plan, out);
    if (refused)
      plan_filter_add_error(p, &why);
    record_close(out);
  }
  if (refused)
    tell_refusal(p, rec, &why);
}

int plan_filter_record(struct program *p, const struct record *rec, void *arg) {
  struct plan_filter *f = arg;
  struct filled r;
  fill_request(f, rec, &r);
  if (!f->explain)
    record_open(&p->out.buf, rec, "plan", (char *)NULL);
  plan_and_close(p, f, rec, &r);
  filled_release(&r);
  return 0;
}

static void add_options_list(struct buf *out, const char *name, const struct option_list *list) {
  if (list == NULL || list->count == 0)
    return;
  json_cstr_list(out, name, (const char *const *)list->items, list->count);
}

static void plan_filter_add_option(struct buf *out, const char *name, const char *value) {
  if (value)
    json_cstr(out, name, value);
}

/* Appends a job made of the command line's words. */
static void add_job(const struct plan_filter *f, struct slice question, struct buf *out) {
  buf_add_char(out, '{');
  json_str(out, "query", question);
  if (f->entities && f->entities->count == 1) {
    json_key(out, "entity");
    buf_add_char(out, '{');
    json_cstr(out, "id", f->entities->items[0]);
    buf_add_char(out, '}');
  } else {
    add_options_list(out, "entities", f->entities);
  }
  add_options_list(out, "filingTypes", f->forms);
  plan_filter_add_option(out, "period", f->period);
  plan_filter_add_option(out, "since", f->since);
  plan_filter_add_option(out, "asOf", f->as_of);
}

void plan_filter_question(struct program *p, struct plan_filter *f) {
  struct buf question;
  struct filled r;
  buf_init(&question, TEXT_ROOM);
  for (int i = 0; i < p->operand_count; i++) {
    buf_add_str(&question, i ? " " : "");
    buf_add_str(&question, p->operands[i]);
  }
  fill_request(f, NULL, &r);
  r.ask.question = buf_slice(&question);
  if (!f->explain)
    add_job(f, r.ask.question, &p->out.buf);
  plan_and_close(p, f, NULL, &r);
  filled_release(&r);
  buf_release(&question);
}

int plan_filter_add_file(struct program *p, struct planner *planner, const char *path) {
  struct buf table;
  buf_init(&table, TABLE_ROOM);
  if (buf_read_file(&table, path) != 0) {
    diag_errno("%s", path);
    program_fail(p, EX_NOINPUT);
    buf_release(&table);
    return -1;
  }
  struct slice rest = buf_slice(&table);
  while (rest.len > 0) {
    struct slice line = slice_cut(&rest, '\n'), cik = slice_cut(&line, '\t'), ticker = slice_cut(&line, '\t');
    if (cik.len && cik.data[0] != '#')
      planner_add(planner, cik, ticker, slice_cut(&line, '\t'));
  }
  buf_release(&table);
  return 0;
}
