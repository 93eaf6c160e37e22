/* runner.c: the dialogue with a connector, step by step: what it asks for is fetched, what it returns is written. */
#include "source/runner.h"

#include "base/buf.h"
#include "base/helper.h"
#include "base/error_text.h"
#include "base/near_name.h"
#include "record/error.h"
#include "record/json.h"
#include "record/record.h"
#include "source/json_projection.h"
#include "source/runner_request.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- text by bid-strip ---- */

/* Appends the text of `bytes`, whose declared type (NULL: none) decides where the bytes don't.  0, or -1 with *e: the
 * program can't be run, the type can't be read, or holds no text. */
static int strip_child_text(struct slice bytes, const char *content_type, struct buf *out,
                            struct error_text *e) {
  char path[PATH_MAX], type[256];
  struct buf record;
  helper_path("bid-strip", path);
  snprintf(type, sizeof type, "--type=%s", content_type ? content_type : "");
  buf_init(&record, RECORD_MAX);
  const char *argv[] = {path, "--raw", "--quiet", type, "-", NULL};
  int failed = helper_filter(argv, bytes, &record, e);
  struct slice text = failed ? slice_of(NULL, 0) : json_get(buf_slice(&record), "text");
  if (!failed && (json_kind(text) != '"' || json_decode(text, out) != 0)) {
    error_set(e, "bid-strip found no text");
    failed = -1;
  }
  buf_release(&record);
  return failed ? -1 : 0;
}

/* ---- sources and faults ---- */

#define INPUT_MAX ((size_t)1 << 30)
#define RECORD_ROOM (SIZE_MAX / 4)
#define TEXT_MAX ((size_t)64 << 20)

void runner_init(struct runner *r, struct program *p, struct fetcher *f) {
  memset(r, 0, sizeof *r);
  r->program = p;
  r->fetcher = f;
}

void runner_release(struct runner *r) {
  for (size_t i = 0; i < r->source_count; i++)
    source_close(r->sources[i]);
  if (r->listing)
    connector_close(r->listing);
  job_list_release(&r->given);
  free(r->sources);
}

struct source *runner_source(struct runner *r, const char *name) {
  for (size_t i = 0; i < r->source_count; i++)
    if (strcmp(r->sources[i]->name, name) == 0)
      return r->sources[i];
  struct source *s = source_open(name, fetch_computed(r->fetcher));
  if (!s)
    return NULL;
  r->sources = xreallocarray(r->sources, r->source_count + 1, sizeof *r->sources);
  r->sources[r->source_count++] = s;
  return s;
}

static void fetch_error(struct run *run, const struct runner_request *a) {
  const struct fetch_result *f = &a->result;
  int first = run->runner->errors == 0;
  struct runner_fault fault = {f->category,    f->message.text, a->url,
                               (int)f->status, f->retry_after,  a->payload};
  runner_write_fault(run, &fault);
  if (f->exit_status && first)
    run->runner->first_status = f->exit_status;
}

/* ---- payloads of a step ---- */

/* The requests of the last step and their bodies, for the next step. */
struct asks {
  struct runner_request *items;
  size_t count;
};

static void asks_release(struct asks *all) {
  for (size_t i = 0; i < all->count; i++)
    runner_request_release(&all->items[i]);
  free(all->items);
  memset(all, 0, sizeof *all);
}

static const struct runner_request *ask_number(const struct asks *all, struct slice number,
                                               long long otherwise) {
  long long i = json_to_int(number, otherwise);
  return i >= 0 && (size_t)i < all->count ? &all->items[i] : NULL;
}

/* The request that an error is about: the one that the connector names, the only one, or the first that failed; else NULL.
 */
static const struct runner_request *ask_blamed(const struct asks *all, struct slice number) {
  const struct runner_request *named = ask_number(all, number, all->count == 1 ? 0 : -1);
  for (size_t i = 0; !named && i < all->count; i++)
    if (all->items[i].result.category || all->items[i].result.status >= 400)
      named = &all->items[i];
  return named;
}

/* Replaces the body by its readable text, stored in `text`; 0 after reporting a failure. */
static int runner_strip(struct run *run, struct payload *p, struct buf *text) {
  struct error_text e;
  if (strip_child_text(p->bytes, p->content_type, text, &e) != 0) {
    runner_run_error(run, ERROR_INTERNAL, p->source_url, e.text);
    return 0;
  }
  p->bytes = buf_slice(text);
  p->content_type = "text/markdown; charset=utf-8";
  return 1;
}

/* Writes a payload that a step returned: its own content, or the body of a response. */
static void step_payload(struct run *run, struct slice json, const struct asks *seen) {
  struct payload p = {.rows = -1, .content_type = ""};
  int stripped = 1;
  struct buf text;
  char now[CLOCK_TEXT];
  int object = json_kind(json) == '{';
  const struct runner_request *body = object ? ask_number(seen, json_get(json, "response"), -1) : NULL;
  const struct runner_request *from =
      body || !object ? body : ask_number(seen, json_get(json, "from"), (long long)seen->count - 1);
  clock_stamp(now);
  buf_init(&text, TEXT_MAX);
  p.source_url = from ? from->url : "";
  p.captured = from ? from->result.captured : now;
  p.cached = from ? from->result.cached : 0;
  if (body) {
    p.bytes = slice_of(body->result.body.data ? body->result.body.data : "", body->result.body.len);
    p.truncated = body->result.truncated;
    p.content_type = body->result.content_type;
  }
  if (body && json_kind(json_get(json, "strip")) == 't') {
    stripped = runner_strip(run, &p, &text);
  }
  if (stripped)
    runner_run_json_payload(run, json, &p);
  buf_release(&text);
}

/* ---- requests of a step ---- */

/* Truncates a payload's text to this many bytes; 0: not at all. */
static void payload_cut(struct payload *p, long long most) {
  if (most <= 0 || (size_t)most >= p->bytes.len)
    return;
  p->bytes.len = (size_t)most;
  p->truncated = 1;
}

/* Writes the body of a direct request as a payload, unchanged. */
static void direct_payload(struct run *run, struct runner_request *a) {
  struct payload p = {.rows = -1};
  struct buf text, metadata;
  int stripped = 1;
  buf_init(&text, TEXT_MAX);
  buf_init(&metadata, TEXT_MAX);
  json_numbers_restore(a->payload, &metadata);
  p.metadata = buf_slice(&metadata);
  p.bytes = buf_slice(&a->result.body);
  p.content_type = a->content_type ? a->content_type : a->result.content_type;
  p.source_url = a->url;
  p.captured = a->result.captured;
  p.cached = a->result.cached;
  p.truncated = a->result.truncated;
  if (a->strip) {
    stripped = runner_strip(run, &p, &text);
    payload_cut(&p, json_to_int(json_get(a->json, "textBytes"), 0));
  }
  if (stripped)
    runner_run_payload(run, &p);
  buf_release(&text);
  buf_release(&metadata);
}

/* State of a dialogue. */
struct talk {
  struct run *run;
  struct buf input, answer; /* to and from the connector */
  struct buf responses;     /* for the next step: an array without its brackets */
  struct buf state;
  char next[CONNECTOR_NAME]; /* the definition that gets the answers */
  struct asks asks;
  uint64_t held;
  int failed;
};

/* Whether the connector handles this failure: a status that it asked for, but never a block by the SEC or a missing
 * user agent, whatever their status. */
static int for_connector(const struct runner_request *a) {
  const struct fetch_result *f = &a->result;
  int blocked = f->category && strcmp(f->category, ERROR_RATE_LIMITED) == 0 && f->status != 429;
  return f->status && !f->exit_status && !blocked && runner_request_wants_status(a, f->status);
}

/* Whether an earlier job with a plan had this document.  Questions need a document once in a run. */
static int was_given(struct run *run, const char *url) {
  struct job_list *given = &run->runner->given;
  if (!run->job->plan.len)
    return 0;
  for (size_t i = 0; i < given->count; i++)
    if (strcmp(given->items[i], url) == 0)
      return 1;
  job_list_add(given, url, strlen(url));
  return 0;
}

/* Fetches one request and handles its answer.  -1 where the job must end. */
static int runner_serve(struct talk *t, struct runner_request *a) {
  struct error_text why;
  if (a->direct && was_given(t->run, a->url))
    return 0;
  if (a->payload.data)
    runner_tell_reading(t->run->runner->program, a->payload, a->url);
  int result = runner_request_fetch(a, t->run);
  if (result != 0 && for_connector(a)) {
    a->result.category = NULL;
    result = 0;
  }
  if (a->direct) {
    if (result != 0)
      fetch_error(t->run, a);
    else if (a->stream.data)
      runner_run_stream(t->run, a, NULL);
    else
      direct_payload(t->run, a);
    fetch_result_release(&a->result);
    return t->run->runner->program->out.error ? -1 : 0;
  }
  if (t->responses.len)
    buf_add_char(&t->responses, ',');
  size_t before = t->responses.len;
  struct buf summary;
  buf_init(&summary, INPUT_MAX / 4);
  if (result == 0 && a->stream.data && (result = runner_run_stream(t->run, a, &summary)) != 0) {
    buf_release(&summary);
    return -1;
  }
  a->given = buf_slice(&summary);
  result = runner_request_response(a, &t->responses, &why);
  a->given = slice_of(NULL, 0);
  buf_release(&summary);
  t->held += a->result.body.cap;
  if (result == 0 || a->optional)
    return 0;
  t->responses.len = before;
  fetch_error(t->run, a);
  return -1;
}

static int broken(struct talk *t, const char *text) {
  struct error_text why;
  error_set(&why, "broken connector: %s", text);
  runner_run_error(t->run, ERROR_INTERNAL, NULL, why.text);
  return -1;
}

/* Number of documents among a step's requests, for the progress row. */
static uint64_t documents_asked(struct slice list) {
  struct json_cursor at = {0};
  struct slice item;
  uint64_t count = 0;
  while (json_next_element(list, &at, &item))
    count += json_get(item, "payload").data && !json_get(item, "stream").data;
  return count;
}

/* Handles all requests of a step.  Returns the number that were not direct, or -1 where the job must end. */
static long serve_all(struct talk *t, struct slice list, struct slice one) {
  struct json_cursor at = {0};
  struct slice item = one;
  struct error_text why;
  long waiting = 0;
  size_t count = 0;
  t->held = 0;
  struct program *program = t->run->runner->program;
  if (!one.data && program->operand_count) /* jobs on stdin are counted by their sender */
    program->expected += documents_asked(list);
  while (one.data ? count == 0 : json_next_element(list, &at, &item)) {
    if (++count > RUNNER_REQUESTS)
      return broken(t, "a step made too many requests");
    t->asks.items = xreallocarray(t->asks.items, t->asks.count + 1, sizeof *t->asks.items);
    struct runner_request *a = &t->asks.items[t->asks.count++];
    if (runner_request_read(a, item, t->run, &why) != 0)
      return broken(t, why.text);
    if (runner_serve(t, a) != 0)
      return -1;
    waiting += !a->direct;
    if (a->direct) { /* direct requests have no response number */
      runner_request_release(a);
      t->asks.count--;
    }
    if (t->held > RUNNER_HELD)
      return broken(t, "the answers of one step are too large together");
  }
  return waiting;
}

/* ---- steps ---- */

static void write_input(struct talk *t) {
  char now[CLOCK_TEXT];
  /* Rounded up to the hour, so that a repeated step gets the same input and its cached answer. */
  int64_t time = clock_now();
  clock_format(getenv("BID_NOW") ? time : (time / 3600 + 1) * 3600, now);
  buf_clear(&t->input);
  buf_add_char(&t->input, '{');
  json_raw(&t->input, "job", buf_slice(&t->run->job_json));
  json_raw(&t->input, "state", t->state.len ? buf_slice(&t->state) : slice_str("null"));
  json_cstr(&t->input, "now", now);
  buf_add_str(&t->input, ",\"responses\":[");
  buf_add_slice(&t->input, buf_slice(&t->responses));
  buf_add_str(&t->input, "]}");
}

static void step_error(struct talk *t, struct slice error) {
  struct buf category, message;
  buf_init(&category, 4096);
  buf_init(&message, 65536);
  const char *given = runner_member_text(error, "category", &category, ""),
             *known = error_category(slice_str(given));
  const char *text = runner_member_text(error, "message", &message, NULL);
  const struct runner_request *about = ask_blamed(&t->asks, json_get(error, "response"));
  struct runner_fault f = {.category = known,
                           .text = text,
                           .url = about ? about->url : NULL,
                           .status = (int)json_to_int(json_get(error, "status"), 0),
                           .retry_after = json_to_double(json_get(error, "retryAfter"), -1)};
  if (strcmp(given, known) != 0 || !text)
    broken(t, "it returned an error without a known category and a message");
  else
    runner_write_fault(t->run, &f);
  buf_release(&category);
  buf_release(&message);
}

static void show_note(struct talk *t, struct slice answer) {
  struct buf text;
  buf_init(&text, 65536);
  const char *note = runner_member_text(answer, "note", &text, NULL);
  if (note && !t->run->runner->program->quiet)
    diag_warn("%s: %s", t->run->source->name, note);
  buf_release(&text);
}

/* Writes what the source lists as a record that later stages pass on. */
static void step_listing(struct run *run, struct slice listing) {
  struct buf record;
  buf_init(&record, RECORD_MAX);
  if (run->job->carried.len)
    buf_add_slice(&record, buf_slice(&run->job->carried));
  else
    buf_add_char(&record, '{');
  json_cstr(&record, "source", run->source->name);
  json_raw(&record, "discovered", listing);
  buf_add_str(&record, "}\n");
  runner_write_record(run->runner, &record);
  run->results++;
  buf_release(&record);
}

static int call_step(struct talk *t) {
  struct error_text why;
  write_input(t);
  if (connector_call(t->run->source->connector, t->next, buf_slice(&t->input), &t->answer, &why) != 0) {
    runner_run_error(t->run, ERROR_INTERNAL, NULL, why.text);
    return -1;
  }
  if (!json_is_valid(buf_slice(&t->answer)) || json_kind(buf_slice(&t->answer)) != '{' ||
      memchr(t->answer.data, '\n', t->answer.len))
    return broken(t, "step returned no object on one line"); /* parts of it are written as they are */
  return 0;
}

/* Checks that a step returned only known members of the right type. */
static int check_answer(struct talk *t, struct slice answer) {
  static const struct {
    const char *name;
    char kind; /* 0 for any */
  } members[] = {{"payloads", '['}, {"discovered", '['}, {"requests", '['}, {"request", '{'},
                 {"error", '{'},    {"note", '"'},       {"state", 0},      {"next", '"'}};
  struct json_cursor at = {0};
  struct slice key, value;
  char text[160];
  while (json_next_member(answer, &at, &key, &value)) {
    size_t i = 0, count = sizeof members / sizeof *members;
    while (i < count && !slice_is(key, members[i].name))
      i++;
    char kind = json_kind(value);
    if (i < count && (!members[i].kind || kind == 'n' || kind == members[i].kind))
      continue;
    snprintf(text, sizeof text,
             i == count ? "step returned \"%.*s\", which means nothing"
                        : "step returned %.*s of the wrong kind",
             (int)(key.len < 60 ? key.len : 60), key.data);
    return broken(t, text);
  }
  return 0;
}

/* Which definition the answers go to: the one that the step named, or "step". */
static int choose_next(struct talk *t, struct slice name) {
  struct buf text;
  buf_init(&text, sizeof t->next);
  struct slice given = json_kind(name) == '"' ? json_text(name, &text) : slice_str("step");
  int result = 0;
  snprintf(t->next, sizeof t->next, "%.*s", (int)given.len, given.data);
  if (given.len >= sizeof t->next || strspn(t->next, "abcdefghijklmnopqrstuvwxyz_") != given.len ||
      !given.len)
    result = broken(t, "step named as next what is no name: at most 59 lower case letters and _");
  buf_release(&text);
  return result;
}

/* Runs one step.  1 where another one follows. */
static int one_step(struct talk *t) {
  struct json_cursor at = {0};
  struct slice item, none = {NULL, 0};
  if (call_step(t) != 0 || check_answer(t, buf_slice(&t->answer)) != 0)
    return 0;
  struct slice answer = buf_slice(&t->answer), payloads = json_get(answer, "payloads");
  struct slice error = json_get(answer, "error"), list = json_get(answer, "requests");
  struct slice listings = json_get(answer, "discovered");
  struct slice one = json_get(answer, "request"), state = json_get(answer, "state");
  show_note(t, answer);
  while (json_kind(payloads) == '[' && json_next_element(payloads, &at, &item))
    step_payload(t->run, item, &t->asks);
  at = (struct json_cursor){0};
  while (json_kind(listings) == '[' && json_next_element(listings, &at, &item))
    step_listing(t->run, item);
  if (json_kind(error) == '{') {
    step_error(t, error);
    return 0;
  }
  asks_release(&t->asks);
  buf_clear(&t->responses);
  buf_clear(&t->state);
  buf_add_slice(&t->state, state);
  if (choose_next(t, json_get(answer, "next")) != 0)
    return 0;
  if (json_kind(one) != '{' && json_kind(list) != '[')
    return 0;
  long waiting = serve_all(t, list, json_kind(one) == '{' ? one : none);
  return waiting > 0 || (waiting == 0 && json_kind(state) != 0 && json_kind(state) != 'n');
}

static void converse(struct run *run) {
  struct talk t = {.run = run, .next = "step"};
  int steps = 0;
  buf_init(&t.input, INPUT_MAX);
  buf_init(&t.answer, CONNECTOR_ANSWER_MAX);
  buf_init(&t.responses, INPUT_MAX / 2);
  buf_init(&t.state, INPUT_MAX / 4);
  while (one_step(&t))
    if (++steps == RUNNER_STEPS) {
      broken(&t, "it asked for more than a thousand steps");
      break;
    }
  asks_release(&t.asks);
  buf_release(&t.input);
  buf_release(&t.answer);
  buf_release(&t.responses);
  buf_release(&t.state);
}

/* ---- jobs ---- */

static void show_terms(struct run *run) {
  struct source *s = run->source;
  if (!s->terms_text || s->terms_shown || run->runner->program->quiet)
    return;
  s->terms_shown = 1;
  diag_warn("%s: terms of use: %s%s%s%s", s->name, s->terms_text, s->terms_url ? " (" : "",
            s->terms_url ? s->terms_url : "", s->terms_url ? ")" : "");
}

/* Reports a source without results or errors, naming the files or folders searched. */
static void runner_nothing(struct run *run, const struct job *job) {
  struct error_text why;
  struct stat st;
  if (job->operands.count == 0)
    error_set(&why, "nothing was found");
  else if (stat(job->operands.items[0], &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0)
    error_set(&why, "%s: the file is empty", job->operands.items[0]);
  else
    error_set(&why, "nothing was found in %s%s", job->operands.items[0],
              job->operands.count > 1 ? " and the others" : "");
  runner_run_error(run, ERROR_NO_CONTENT, NULL, why.text);
}

/* Whether a source of the job takes each of its parameters, so that none is misspelt. */
static int all_are_taken(struct runner *r, const struct job *job) {
  for (size_t i = 0; i < job->names.count; i++) {
    int taken = 0;
    for (size_t k = 0; k < job->sources.count && !taken; k++) {
      struct source *s = runner_source(r, job->sources.items[k]);
      taken = s && source_ready(s) == 0 && source_takes(s, job->names.items[i]);
    }
    if (!taken)
      return 0;
  }
  return 1;
}

/* Of a job for several sources, each takes what it can use, and its payloads say what it ignored. */
static void take_own_part(struct run *run, struct job *own) {
  struct buf ignored;
  buf_init(&ignored, 65536);
  source_ignores(run->source, own, &ignored);
  buf_init(&own->carried, RECORD_MAX);
  buf_add_slice(&own->carried, buf_slice(&run->job->carried));
  if (ignored.len) {
    struct job_list names = {0};
    job_list_split(&names, ignored.data);
    if (own->carried.len == 0)
      buf_add_char(&own->carried, '{');
    json_cstr_list(&own->carried, "ignored", (const char *const *)names.items, names.count);
    for (size_t i = 0; i < names.count; i++)
      if (strcmp(names.items[i], "period") == 0)
        own->period = NULL;
    if (!run->runner->program->quiet)
      diag_warn("%s: ignored: %s", run->source->name, ignored.data);
    job_list_release(&names);
  }
  run->job = own;
  buf_release(&ignored);
}

static void run_source(struct runner *r, struct source *s, const struct job *job) {
  struct run run = {.runner = r, .source = s, .job = job};
  struct job own = *job; /* borrowed but for `carried` */
  int several = job->sources.count > 1;
  const char *category;
  struct error_text why;
  if (source_ready(s) != 0) {
    runner_run_error(&run, ERROR_INTERNAL, NULL, s->why.text);
    return;
  }
  if (source_check(s, job, r->strict && !(several && all_are_taken(r, job)), &category, &why) != 0) {
    runner_run_error(&run, category, NULL, why.text);
    return;
  }
  show_terms(&run);
  if (several)
    take_own_part(&run, &own);
  buf_init(&run.job_json, INPUT_MAX / 4);
  job_write(run.job, &run.job_json);
  converse(&run);
  if (run.results == 0 && run.errors == 0)
    runner_nothing(&run, job);
  if (several)
    buf_release(&own.carried);
  buf_release(&run.job_json);
}

static void not_registered(struct runner *r, const char *name) {
  struct buf known;
  size_t count;
  char **names = connector_names(&count, NULL);
  struct near_name near;
  near_name_init(&near, name);
  buf_init(&known, 65536);
  for (size_t i = 0; i < count; i++) {
    near_name_try(&near, names[i]);
    buf_printf(&known, "%s%s", i ? ", " : "", names[i]);
  }
  if (near.best)
    runner_error(r, ERROR_NOT_REGISTERED, name, NULL, -1,
                 "there is no such source; the nearest is %s (bid-fetch --list)", near.best);
  else
    runner_error(r, ERROR_NOT_REGISTERED, name, NULL, -1, "there is no such source; known are: %s",
                 count ? known.data : "none");
  buf_release(&known);
  connector_names_free(names, count);
}

int runner_job(struct runner *r, const struct job *job) {
  r->job = job;
  if (job->sources.count == 0 && !job->idle)
    runner_error(r, ERROR_INVALID_REQUEST, NULL, NULL, -1, "the job names no source");
  for (size_t i = 0; i < job->sources.count; i++) /* all compile in parallel */
    runner_source(r, job->sources.items[i]);
  for (size_t i = 0; i < job->sources.count && !r->program->out.error; i++) {
    struct source *s = runner_source(r, job->sources.items[i]);
    if (s)
      run_source(r, s, job);
    else
      not_registered(r, job->sources.items[i]);
  }
  r->job = NULL;
  return r->program->out.error ? -1 : 0;
}
