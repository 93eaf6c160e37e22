/* edgar.c: what EDGAR had for the jobs of a run, read from the records of discovery, and written into their bundles. */
#include "search/search.h"
#include "record/error.h"
#include "record/json.h"
#include "record/record.h"

#include <errno.h>
#include <stdlib.h>

enum { TEXT_MAX = 64 * 1024 * 1024, ERRORS_MAX = 1024 * 1024 };

struct filing {
  size_t json, len; /* range in own of the filing's JSON */
  size_t company;   /* index of companies */
  char accession[24];
  struct buf url;
};

struct edgar {
  uint64_t job;
  struct buf own;
  struct slice_at {
    size_t at, len;
  } companies[EDGAR_COMPANIES]; /* in own */
  size_t company_count;
  struct filing filings[EDGAR_FILINGS];
  struct scope_filing scope[EDGAR_FILINGS];
  size_t count;
  struct buf errors, facts; /* comma-separated JSON objects */
  uint64_t ingested, unchanged, failed;
};

struct edgar_set {
  struct edgar **jobs;
  size_t count;
  struct buf loose; /* receipts and errors without a job number, one per line */
};

static const char *const fields[] = {"discovered", "added", "replaced", "sourceUrl",
                                     "error",      "job",   "asked",    NULL};
enum { LISTING, ADDED, REPLACED, URL, ERROR, JOB, ASKED };

/* ---- jobs ---- */

static struct edgar *edgar_find(const struct edgar_set *set, uint64_t job) {
  for (size_t i = set->count; i > 0; i--) /* records of a job are adjacent */
    if (set->jobs[i - 1]->job == job)
      return set->jobs[i - 1];
  return NULL;
}

static struct edgar *edgar_at(struct edgar_set *set, uint64_t job) {
  struct edgar *g = edgar_find(set, job);
  if (g != NULL)
    return g;
  g = xcalloc(1, sizeof *g);
  g->job = job;
  buf_init(&g->own, TEXT_MAX);
  buf_init(&g->errors, ERRORS_MAX);
  buf_init(&g->facts, TEXT_MAX);
  set->jobs = xreallocarray(set->jobs, set->count + 1, sizeof *set->jobs);
  set->jobs[set->count++] = g;
  return g;
}

const struct edgar *edgar_of(const struct edgar_set *set, uint64_t job) {
  return set ? edgar_find(set, job) : NULL;
}

/* ---- listings ---- */

static struct slice_at edgar_keep(struct edgar *g, struct slice s) {
  struct slice_at at = {g->own.len, s.len};
  buf_add_slice(&g->own, s);
  return at;
}

static struct slice kept(const struct edgar *g, struct slice_at at) {
  return slice_of(g->own.data + at.at, at.len);
}

static void edgar_copy_text(char *to, size_t size, struct slice object, const char *name) {
  struct buf scratch;
  buf_init(&scratch, 4096);
  struct slice text = json_text(json_get(object, name), &scratch);
  size_t n = text.len < size ? text.len : 0;
  memcpy(to, n ? text.data : "", n);
  to[n] = '\0';
  buf_release(&scratch);
}

static void add_filing(struct edgar *g, struct slice object, struct slice company) {
  struct buf scratch;
  char accession[24];
  edgar_copy_text(accession, sizeof accession, object, "accessionNumber");
  for (size_t i = 0; i < g->count; i++) /* reported twice: also from the cache */
    if (strcmp(g->filings[i].accession, accession) == 0)
      return;
  if (g->count == EDGAR_FILINGS)
    return;
  struct filing *f = &g->filings[g->count];
  struct scope_filing *to = &g->scope[g->count++];
  struct slice_at at = edgar_keep(g, object);
  buf_init(&scratch, TEXT_MAX);
  f->json = at.at;
  f->len = at.len;
  f->company = g->company_count ? g->company_count - 1 : 0;
  buf_init(&f->url, TEXT_MAX);
  buf_add_slice(&f->url, json_text(json_get(object, "href"), &scratch));
  memcpy(f->accession, accession, sizeof accession);
  edgar_copy_text(to->cik, sizeof to->cik, company, "cik");
  edgar_copy_text(to->form, sizeof to->form, object, "form");
  edgar_copy_text(to->filed, sizeof to->filed, object, "filingDate");
  edgar_copy_text(to->reported, sizeof to->reported, object, "reportDate");
  buf_release(&scratch);
}

/* Adds what sec-filings lists: {company, filings[]}. */
static void add_listing(struct edgar *g, struct slice list) {
  struct slice company = json_get(list, "company"), filing;
  struct json_cursor c = {0};
  if (json_kind(company) == '{' && g->company_count < EDGAR_COMPANIES)
    g->companies[g->company_count++] = edgar_keep(g, company);
  while (json_next_element(json_get(list, "filings"), &c, &filing))
    add_filing(g, filing, company);
}

/* ---- receipts and errors ---- */

/* Whether a document is in the filing's folder. */
static int of_filing(const struct filing *f, struct slice document) {
  const char *end = f->url.len ? memrchr(f->url.data, '/', f->url.len) : NULL;
  size_t n = end ? (size_t)(end - f->url.data) + 1 : 0;
  return n > 0 && document.len >= n && memcmp(document.data, f->url.data, n) == 0;
}

static struct filing *filing_of(struct edgar *g, struct slice document, size_t *number) {
  for (size_t i = 0; i < g->count; i++)
    if (of_filing(&g->filings[i], document)) {
      *number = i;
      return &g->filings[i];
    }
  return NULL;
}

static int has_error(const struct edgar *g, struct slice object) {
  return g->errors.len >= object.len &&
         memmem(g->errors.data, g->errors.len, object.data, object.len) != NULL;
}

static void add_error(struct edgar *g, struct slice object) {
  if (has_error(g, object))
    return;
  g->failed++;
  if (g->errors.len)
    buf_add_char(&g->errors, ',');
  buf_add_slice(&g->errors, object);
}

/* Adds a receipt or error to each job that lists the filing; *found: whether there was one. */
static void hand_out(struct edgar_set *set, const struct record *rec, struct slice url, int *found) {
  for (size_t i = 0; i < set->count; i++) {
    struct edgar *g = set->jobs[i];
    size_t number;
    if (filing_of(g, url, &number) == NULL)
      continue;
    *found = 1;
    if (rec->is_error) {
      add_error(g, rec->field[ERROR]);
      continue;
    }
    int fresh = json_to_int(rec->field[ADDED], 0) + json_to_int(rec->field[REPLACED], 0) > 0;
    g->ingested += (uint64_t)fresh;
    g->unchanged += (uint64_t)!fresh;
    g->scope[number].stored = 1;
  }
}

/* Reads the number in "job", a number or a string of digits. */
static int job_of(const struct record *rec, uint64_t *job) {
  struct slice v = rec->field[JOB];
  if (json_kind(v) == '"')
    v = slice_of(v.data + 1, v.len - 2);
  long long n = v.len ? json_to_int(v, -1) : -1;
  *job = n < 0 ? 0 : (uint64_t)n;
  return n >= 0;
}

/* Called when all filings are known. */
static void settle_loose(struct edgar_set *set) {
  struct record rec;
  const char *why;
  size_t at;
  struct slice rest = buf_slice(&set->loose);
  while (rest.len > 0) {
    const char *end = memchr(rest.data, '\n', rest.len);
    size_t n = end ? (size_t)(end - rest.data) : rest.len;
    struct buf scratch;
    int found = 0;
    buf_init(&scratch, TEXT_MAX);
    if (record_parse(rest.data, n, fields, &rec, &why, &at) == 0) {
      struct slice url = rec.is_error ? json_get(rec.field[ERROR], "sourceUrl") : rec.field[URL];
      hand_out(set, &rec, json_text(url, &scratch), &found);
      uint64_t job;
      int numbered = job_of(&rec, &job);
      for (size_t i = 0; !found && !numbered && rec.is_error && i < set->count; i++)
        add_error(set->jobs[i], rec.field[ERROR]);
    }
    buf_release(&scratch);
    rest = slice_of(rest.data + n + 1, rest.len > n ? rest.len - n - 1 : 0);
  }
}

static void keep_loose(struct edgar_set *set, struct slice line) {
  buf_add_slice(&set->loose, line);
  if (line.len && line.data[line.len - 1] != '\n')
    buf_add_char(&set->loose, '\n');
}

/* Adds a fact from bid-facts, without its job number. */
static void edgar_add_fact(struct edgar *g, struct slice object) {
  struct json_cursor c = {0};
  struct slice key, value;
  buf_add_str(&g->facts, g->facts.len ? ",{" : "{");
  for (int first = 1; json_next_member(object, &c, &key, &value);) {
    if (slice_is(key, "job"))
      continue;
    buf_add_str(&g->facts, first ? "\"" : ",\"");
    buf_add_slice(&g->facts, key);
    buf_add_str(&g->facts, "\":");
    buf_add_slice(&g->facts, value);
    first = 0;
  }
  buf_add_char(&g->facts, '}');
}

static void add_bad_line(struct edgar_set *set, const struct record_reader *r) {
  struct buf line;
  buf_init(&line, 4096);
  buf_add_str(&line, "{\"error\":{");
  json_cstr(&line, "category", ERROR_INTERNAL);
  json_cstr(&line, "message", record_why(r));
  json_cstr(&line, "stage", "retrieve");
  buf_add_str(&line, "}}");
  keep_loose(set, buf_slice(&line));
  buf_release(&line);
}

static void add_record(struct edgar_set *set, const struct record *rec) {
  uint64_t job;
  int numbered = job_of(rec, &job);
  if (rec->is_error && !numbered && slice_is(json_get(rec->field[ERROR], "stage"), "\"facts\""))
    return;
  if (rec->is_error && numbered)
    add_error(edgar_at(set, job), rec->field[ERROR]);
  if (rec->is_error || json_kind(rec->field[ADDED]) == '0')
    keep_loose(set, rec->line);
  else if (numbered && json_kind(rec->field[ASKED]) == '"')
    edgar_add_fact(edgar_at(set, job), rec->line);
  else if (numbered && rec->is_listing)
    add_listing(edgar_at(set, job), rec->field[LISTING]);
}

struct edgar_set *edgar_read(int fd, struct error_text *e) {
  struct edgar_set *set = xcalloc(1, sizeof *set);
  struct record_reader *r = record_reader_new(fd, fields, NULL, NULL);
  struct record rec;
  enum record_status status;
  buf_init(&set->loose, TEXT_MAX);
  while ((status = record_read(r, &rec)) == RECORD_OK || status == RECORD_BAD)
    if (status == RECORD_OK)
      add_record(set, &rec);
    else
      add_bad_line(set, r);
  if (status == RECORD_IO) {
    error_set(e, "cannot read the records of EDGAR: %s", strerror(errno));
    edgar_free(set);
    set = NULL;
  } else
    settle_loose(set);
  record_reader_free(r);
  return set;
}

static void edgar_free_job(struct edgar *g) {
  for (size_t i = 0; i < g->count; i++)
    buf_release(&g->filings[i].url);
  buf_release(&g->own);
  buf_release(&g->errors);
  buf_release(&g->facts);
  free(g);
}

void edgar_free(struct edgar_set *set) {
  if (!set)
    return;
  for (size_t i = 0; i < set->count; i++)
    edgar_free_job(set->jobs[i]);
  free(set->jobs);
  buf_release(&set->loose);
  free(set);
}

void edgar_mark(struct edgar_set *set, int (*stored)(void *arg, struct slice url), void *arg) {
  for (size_t k = 0; k < set->count; k++) {
    struct edgar *g = set->jobs[k];
    for (size_t i = 0; i < g->count; i++)
      if (!g->scope[i].stored && g->filings[i].url.len)
        g->scope[i].stored = stored(arg, buf_slice(&g->filings[i].url));
  }
}

/* ---- results ---- */

size_t edgar_filings(const struct edgar *g, const struct scope_filing **list) {
  *list = g ? g->scope : NULL;
  return g ? g->count : 0;
}

static void edgar_add_forms(const struct plan *plan, struct buf *out) {
  json_key(out, "forms");
  buf_add_char(out, '[');
  for (size_t i = 0; plan && i < plan->form_count; i++) {
    if (i)
      buf_add_char(out, ',');
    json_add_slice(out, plan->forms[i]);
  }
  buf_add_char(out, ']');
}

static void add_one(const struct edgar *g, size_t i, struct buf *out) {
  static const char *const members[] = {"form",         "filingDate",      "accessionNumber",
                                        "href",         "reportDate",      "fiscalYear",
                                        "fiscalPeriod", "primaryDocument", "recent"};
  const struct filing *f = &g->filings[i];
  struct slice object = slice_of(g->own.data + f->json, f->len);
  buf_add_char(out, '{');
  for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
    struct slice value = json_get(object, members[k]);
    if (value.data)
      json_raw(out, members[k], value);
  }
  if (g->company_count > 1)
    json_raw(out, "company", json_get(kept(g, g->companies[f->company]), "name"));
  json_bool(out, "ingested", g->scope[i].stored);
  buf_add_char(out, '}');
}

void edgar_add(const struct edgar *g, const struct plan *plan, struct slice disagreements, struct buf *out) {
  buf_add_char(out, '{');
  json_raw(out, "company", g->company_count ? kept(g, g->companies[0]) : slice_str("null"));
  edgar_add_forms(plan, out);
  json_key(out, "filings");
  buf_add_char(out, '[');
  for (size_t i = 0; i < g->count; i++) {
    if (i)
      buf_add_char(out, ',');
    add_one(g, i, out);
  }
  buf_add_char(out, ']');
  json_key(out, "attempt");
  buf_add_char(out, '{');
  json_uint(out, "discovered", g->count);
  json_uint(out, "ingested", g->ingested);
  json_uint(out, "unchanged", g->unchanged);
  json_uint(out, "failed", g->failed);
  buf_add_char(out, '}');
  if (g->facts.len) {
    json_key(out, "facts");
    buf_add_char(out, '[');
    buf_add_slice(out, buf_slice(&g->facts));
    buf_add_char(out, ']');
  }
  if (disagreements.len)
    json_raw(out, "disagreements", disagreements);
  buf_add_char(out, '}');
}

struct slice edgar_facts(const struct edgar *g) {
  return buf_slice(&g->facts);
}

void edgar_show(const struct edgar *g, struct buf *out) {
  if (g->count)
    buf_add_str(out, "On EDGAR:\n");
  for (size_t i = 0; i < g->count; i++)
    buf_printf(out, "  %s  %s%s  %s\n", g->scope[i].filed, g->scope[i].form,
               g->scope[i].stored ? " (in the store)" : "", g->filings[i].url.data);
}

void edgar_add_errors(const struct edgar *g, struct buf *out) {
  if (!g->errors.len)
    return;
  if (out->data[out->len - 1] != '[')
    buf_add_char(out, ',');
  buf_add_slice(out, buf_slice(&g->errors));
}

/* Whether the filing is newer than the store's latest document of the company and forms. */
static int is_newer(const struct search_scope *scope, const struct scope_filing *f) {
  for (size_t i = 0; i < scope->plan->company_count; i++)
    if (strcmp(scope->plan->companies[i].cik, f->cik) == 0)
      return scope->of[i].of_form > 0 && search_scope_day(f->filed) > scope->of[i].newest;
  return 0;
}

void edgar_add_stale(const struct edgar *g, const struct search_scope *scope, struct buf *out) {
  struct buf message;
  if (!scope || !search_scope_wants_newest(scope))
    return;
  for (size_t i = 0; i < g->count; i++) {
    if (g->scope[i].stored || !is_newer(scope, &g->scope[i]))
      continue;
    buf_init(&message, 4096);
    buf_printf(&message, "the store lacks the %s that was filed on %s, which is newer than what it has",
               g->scope[i].form, g->scope[i].filed);
    if (out->data[out->len - 1] != '[')
      buf_add_char(out, ',');
    buf_add_char(out, '{');
    json_cstr(out, "category", ERROR_STALE);
    json_str(out, "message", buf_slice(&message));
    json_cstr(out, "stage", "search");
    json_str(out, "sourceUrl", buf_slice(&g->filings[i].url));
    buf_add_char(out, '}');
    buf_release(&message);
    break; /* one error, for the newest, is enough */
  }
}
