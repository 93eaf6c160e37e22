/* source.c: a source: its connector's declaration, the hosts that may get its key, and what it requires of a job. */
#include "source/source.h"

#include "base/buf.h"
#include "base/near_name.h"
#include "base/paths.h"
#include "record/error.h"
#include "record/json.h"

#include <stdio.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- hosts of keys ---- */

#define TABLE_MAX ((size_t)1 << 20)

/* Removes and returns the field up to the byte `end`, which is removed too. */
static struct slice take_field(struct slice *s, char end) {
  const char *at = s->len ? memchr(s->data, end, s->len) : NULL;
  size_t n = at ? (size_t)(at - s->data) : s->len;
  struct slice field = slice_of(s->data, n);
  n += at != NULL;
  *s = slice_of(s->data + n, s->len - n);
  return field;
}

static int key_hosts_is_listed(struct slice table, const char *variable, const char *host) {
  while (table.len) {
    struct slice line = take_field(&table, '\n'), name = take_field(&line, '\t');
    if (!slice_is(name, variable))
      continue;
    if (!host)
      return 1;
    while (line.len)
      if (slice_is(take_field(&line, ','), host))
        return 1;
  }
  return 0;
}

int source_key_allowed(const char *variable, const char *host) {
  struct buf path, table;
  int found = 0;
  buf_init(&path, 8192);
  buf_init(&table, TABLE_MAX);
  if (paths_data(&path, "keys.tsv") == 0 && buf_read_file(&table, path.data) == 0)
    found = key_hosts_is_listed(buf_slice(&table), variable, host);
  buf_clear(&path);
  buf_clear(&table);
  if (!found && paths_config(&path, "keys.tsv") == 0 && buf_read_file(&table, path.data) == 0)
    found = key_hosts_is_listed(buf_slice(&table), variable, host);
  buf_release(&path);
  buf_release(&table);
  return found;
}

/* ---- declarations ---- */

#define DECLARED_MAX ((size_t)1 << 20)
#define HOSTS_MAX 64

struct source *source_open(const char *name, struct cache *kept) {
  struct buf path;
  struct source *s = NULL;
  buf_init(&path, 8192);
  if (connector_find(name, &path) == 0) {
    s = xcalloc(1, sizeof *s);
    s->name = xstrdup(name);
    s->connector = connector_open(name, path.data, kept);
    connector_start(s->connector);
    buf_init(&s->declared, DECLARED_MAX);
  }
  buf_release(&path);
  return s;
}

void source_close(struct source *s) {
  if (!s)
    return;
  connector_close(s->connector);
  buf_release(&s->declared);
  for (size_t i = 0; s->hosts && s->hosts[i]; i++)
    free(s->hosts[i]);
  if (s->key)
    explicit_bzero(s->key, strlen(s->key));
  for (size_t i = 0; i < s->parameter_count; i++)
    free(s->parameters[i].name);
  free(s->parameters);
  free(s->hosts);
  free(s->name);
  free(s->domain);
  free(s->key_variable);
  free(s->key);
  free(s->terms_text);
  free(s->terms_url);
  free(s);
}

/* Whether it is a host name, or "*." and a suffix; no IP address, no port. */
static int host_ok(const char *host) {
  const char *p = strncmp(host, "*.", 2) == 0 ? host + 2 : host;
  return *p && strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789.-") == strlen(p) && strchr(p, '.');
}

static int read_hosts(struct source *s, struct slice list) {
  struct json_cursor at = {0};
  struct slice item;
  size_t count = 0;
  if (json_kind(list) != '[') {
    error_set(&s->why, "broken connector: declare has no array of hosts");
    return -1;
  }
  s->hosts = xcalloc(HOSTS_MAX + 1, sizeof *s->hosts);
  while (count < HOSTS_MAX && json_next_element(list, &at, &item)) {
    s->hosts[count] = json_kind(item) == '"' ? xstrndup(item.data + 1, item.len - 2) : xstrdup("");
    if (!host_ok(s->hosts[count++])) {
      error_set(&s->why, "broken connector: declares a host that is no plain name: %.100s",
                s->hosts[count - 1]);
      return -1;
    }
  }
  return 0;
}

/* The domain becomes a file name, so an unsafe one is replaced. */
static void read_rate(struct source *s, struct slice rate) {
  s->domain = json_text_copy(json_get(rate, "domain"));
  if (!s->domain)
    s->domain = xstrdup(s->hosts[0] ? s->hosts[0] : "none");
  for (char *p = s->domain; *p; p++)
    if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789.-", *p))
      *p = '-';
  if (s->domain[0] == '.' || s->domain[0] == '\0')
    memmove(s->domain, "-", s->domain[0] ? 1 : 2);
  s->rule.domain = s->domain;
  s->rule.per_second = json_to_double(json_get(rate, "requestsPerSecond"), 1);
  if (!(s->rule.per_second > 0.001))
    s->rule.per_second = 1;
  long long burst = json_to_int(json_get(rate, "burstSize"), 1);
  s->rule.burst = burst < 1 ? 1 : burst > 100 ? 100 : (unsigned)burst;
  s->rule.serial = json_kind(json_get(rate, "serial")) == 't';
}

static void read_parameters(struct source *s, struct slice list) {
  struct json_cursor at = {0};
  struct slice item;
  while (json_kind(list) == '[' && json_next_element(list, &at, &item)) {
    char *name = json_text_copy(json_get(item, "name"));
    s->parameters = xgrow(s->parameters, s->parameter_count, sizeof *s->parameters);
    s->parameters[s->parameter_count++] = (struct source_parameter){name ? name : xstrdup(""), item};
  }
}

static int read_declared(struct source *s) {
  struct slice d = buf_slice(&s->declared), terms;
  if (!json_is_valid(d) || json_kind(d) != '{') {
    error_set(&s->why, "broken connector: declare returns no object");
    return -1;
  }
  if (json_kind(json_get(d, "description")) != '"') {
    error_set(&s->why, "broken connector: declare has no description");
    return -1;
  }
  if (read_hosts(s, json_get(d, "hosts")) != 0)
    return -1;
  read_rate(s, json_get(d, "rateLimit"));
  read_parameters(s, json_get(d, "parameters"));
  terms = json_get(d, "terms");
  s->terms_text = json_text_copy(json_get(terms, "text"));
  s->terms_url = json_text_copy(json_get(terms, "url"));
  s->auth_required = json_is_true(d, "authRequired");
  s->key_variable = json_text_copy(json_get(d, "keyVariable"));
  const char *key = s->key_variable ? getenv(s->key_variable) : NULL;
  s->key = key && *key ? xstrdup(key) : NULL;
  s->key_is_sent = s->key && source_key_allowed(s->key_variable, NULL);
  return 0;
}

int source_ready(struct source *s) {
  if (s->ready == 0) {
    int result = connector_call(s->connector, "declare", slice_str("null"), &s->declared, &s->why);
    s->ready = result == 0 && read_declared(s) == 0 ? 1 : -1;
  }
  return s->ready == 1 ? 0 : -1;
}

/* The members of a job that are no parameters of -P, with the options that give them. */
static const char *const job_words[][2] = {
    {"entity", "-e"},      {"aliases", "-a"},        {"period", "-p"},
    {"filingTypes", "-f"}, {"query", "--query"},     {"since", "--since"},
    {"limit", "-n"},       {"content", "--content"}, {"operands", "PATH"}};

/* The option for such a word, or NULL. */
static const char *source_option(const char *name) {
  for (size_t i = 0; i < sizeof job_words / sizeof *job_words; i++)
    if (strcmp(name, job_words[i][0]) == 0)
      return job_words[i][1];
  return NULL;
}

static void add_option(struct buf *out, const char *name) {
  if (source_option(name))
    buf_printf(out, "%s (%s)", name, source_option(name));
  else
    buf_printf(out, "%s (-P %s=...)", name, name);
}

/* Whether the job has one of the names, one or an array; else `missing` gets them. */
static int meets_need(struct slice need, const struct job *job, struct buf *missing) {
  struct json_cursor at = {0};
  struct slice name = need;
  buf_clear(missing);
  for (int first = 1; json_kind(need) == '[' ? json_next_element(need, &at, &name) : first; first = 0) {
    char *text = json_text_copy(name);
    int given = !text || job_has(job, text);
    buf_add_str(missing, missing->len ? " or " : "");
    add_option(missing, text ? text : "");
    free(text);
    if (given)
      return 1;
  }
  return missing->len == 0;
}

/* The declaration of a parameter, or an empty slice. */
static struct slice parameter(const struct source *s, const char *name) {
  for (size_t i = 0; i < s->parameter_count; i++)
    if (strcmp(s->parameters[i].name, name) == 0)
      return s->parameters[i].declared;
  return slice_of(NULL, 0);
}

/* Lists the parameters that -P takes, comma-separated. */
static void list_params(const struct source *s, struct buf *out) {
  for (size_t i = 0; i < s->parameter_count; i++)
    if (!source_option(s->parameters[i].name))
      buf_printf(out, "%s%s", out->len ? ", " : "", s->parameters[i].name);
  buf_add_str(out, out->len ? "" : "none");
}

static int value_allowed(struct slice values, const char *value, struct buf *allowed) {
  struct json_cursor at = {0};
  struct slice item;
  struct buf scratch;
  int found = json_kind(values) != '[';
  buf_init(&scratch, 4096);
  while (!found && json_next_element(values, &at, &item)) {
    struct slice text = json_kind(item) == '"' ? json_text(item, &scratch) : item;
    found = slice_is(text, value);
    buf_add_str(allowed, allowed->len ? ", " : "");
    buf_add_slice(allowed, text);
  }
  buf_release(&scratch);
  return found;
}

/* The parameter that is closest to a word or whose description contains it ("state" for "region"); NULL: none. */
static const char *meant_param(const struct source *s, const char *word) {
  struct near_name near;
  const char *said = NULL;
  near_name_init(&near, word);
  for (size_t i = 0; i < s->parameter_count; i++) {
    const struct source_parameter *p = &s->parameters[i];
    if (source_option(p->name))
      continue;
    near_name_try(&near, p->name);
    struct slice what = json_get(p->declared, "description");
    if (!said && strlen(word) > 3 && what.len && memmem(what.data, what.len, word, strlen(word)))
      said = p->name;
  }
  return near.best ? near.best : said;
}

/* What a member of a job that nobody reads is one typing error away from; NULL: none. */
static const char *misspelt(const struct source *s, const char *word) {
  size_t n = strlen(word);
  if (strcmp(word, "until") == 0) /* which bid-search reads */
    return NULL;
  if (strcmp(word, "sources") != 0 && near_name_is_typo(word, n, "sources", 7))
    return "sources";
  for (size_t i = 0; n > 3 && i < s->parameter_count; i++) {
    const char *name = s->parameters[i].name;
    if (strlen(name) > 3 && near_name_is_typo(word, n, name, strlen(name)))
      return name;
  }
  return NULL;
}

static int check_structured(struct source *s, const struct job *job, struct error_text *why) {
  for (size_t i = 0; i < job->structured.count; i++) {
    const char *name = job->structured.items[i], *near = misspelt(s, name);
    if (parameter(s, name).data) {
      error_set(why, "\"%.60s\" takes one value, not a list or an object", name);
      return -1;
    }
    if (near) {
      error_set(why, "a job has no member \"%.60s\"; the nearest is \"%s\"", name, near);
      return -1;
    }
  }
  return 0;
}

static int check_params(struct source *s, const struct job *job, int strict, struct buf *text,
                        struct error_text *why) {
  if (strict && job->sources.count == 1 && job->operands.count && !parameter(s, "operands").data &&
      parameter(s, "query").data) {
    error_set(why, "%s takes no operand '%.60s'; words to search for are given with --query '%.60s'", s->name,
              job->operands.items[0], job->operands.items[0]);
    return -1;
  }
  if (strict && job->sources.count == 1 && job->operands.count && !parameter(s, "operands").data) {
    error_set(why, "%s takes no operand '%.60s'; several sources are one word: %s,%.60s", s->name,
              job->operands.items[0], s->name, job->operands.items[0]);
    return -1;
  }
  if (check_structured(s, job, why) != 0)
    return -1;
  for (size_t i = 0; i < job->names.count; i++) {
    struct slice p = parameter(s, job->names.items[i]);
    buf_clear(text);
    const char *near = p.data   ? NULL
                       : strict ? meant_param(s, job->names.items[i])
                                : misspelt(s, job->names.items[i]);
    if (near && !strict) {
      error_set(why, "a job has no member \"%.60s\"; the nearest is \"%s\"", job->names.items[i], near);
      return -1;
    }
    if (!p.data && strict) {
      if (near) {
        error_set(why, "%s takes no parameter '%.60s'; you may mean '%s' (bid-fetch --describe=%s)", s->name,
                  job->names.items[i], near, s->name);
        return -1;
      }
      list_params(s, text);
      error_set(why, "%s takes no parameter '%.60s'; it takes: %s", s->name, job->names.items[i], text->data);
      return -1;
    }
    if (p.data && !value_allowed(json_get(p, "values"), job->values.items[i], text)) {
      error_set(why, "%s: %s cannot be '%.60s'; it can be: %s", s->name, job->names.items[i],
                job->values.items[i], text->data);
      return -1;
    }
  }
  return 0;
}

static int check_required(struct source *s, const struct job *job, struct buf *text, struct error_text *why) {
  for (size_t i = 0; i < s->parameter_count; i++) {
    struct slice p = s->parameters[i].declared;
    if (json_is_true(p, "required") && !meets_need(json_get(p, "name"), job, text)) {
      error_set(why, "%s needs %s", s->name, text->data);
      return -1;
    }
  }
  return 0;
}

static int check_needs(struct source *s, const struct job *job, struct buf *text, struct error_text *why) {
  struct json_cursor at = {0};
  struct slice need, list = json_get(buf_slice(&s->declared), "needs");
  while (json_kind(list) == '[' && json_next_element(list, &at, &need))
    if (!meets_need(need, job, text)) {
      error_set(why, "%s needs %s", s->name, text->data);
      return -1;
    }
  return 0;
}

int source_takes(const struct source *s, const char *name) {
  return parameter(s, name).data != NULL;
}

/* A source of days has no fiscal years: "FY-2024", "Q3-2024". */
static int takes_period(const struct source *s, const struct job *job) {
  struct slice p = parameter(s, "period");
  return p.data && (isdigit((unsigned char)*job->period) || !json_is_true(p, "days"));
}

void source_ignores(const struct source *s, const struct job *job, struct buf *out) {
  static const char *const words[] = {"entity", "filingTypes", "query", "since"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (job_has(job, words[i]) && !source_takes(s, words[i]))
      buf_printf(out, "%s%s", out->len ? "," : "", words[i]);
  if (job->period && !takes_period(s, job))
    buf_printf(out, "%speriod", out->len ? "," : "");
  for (size_t i = 0; i < job->names.count; i++)
    if (!source_takes(s, job->names.items[i]))
      buf_printf(out, "%s%s", out->len ? "," : "", job->names.items[i]);
}

int source_check(struct source *s, const struct job *job, int strict, const char **category,
                 struct error_text *why) {
  struct buf text;
  *category = ERROR_INVALID_REQUEST;
  buf_init(&text, 65536);
  int result = check_params(s, job, strict, &text, why);
  if (result == 0)
    result = check_required(s, job, &text, why);
  if (result == 0)
    result = check_needs(s, job, &text, why);
  if (result == 0 && s->auth_required && !s->key) {
    *category = ERROR_AUTH_FAILED;
    error_set(why, "%s needs a key: set %s", s->name, s->key_variable ? s->key_variable : "its variable");
    result = -1;
  }
  buf_release(&text);
  return result;
}
