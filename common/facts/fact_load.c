/* fact_load.c: a company's facts from bid-fetch or a file; the helper that runs bid-fetch, and what it may ask for. */
#include "facts/fact_load.h"
#include "base/base64.h"
#include "base/helper.h"
#include "facts/inline.h"
#include "record/json.h"
#include "record/record.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

enum { FETCH_ARGUMENTS = 32, FETCH_BYTES = 1 << 20, FETCH_FAILED = 70 };

static int reads_files;

void fact_fetch_files(void) {
  reads_files = 1;
}

/* ---- the child ---- */

/* Whether a process that may have been taken over asks for no more than this module does. */
static int fetch_is_known(char *const *arguments, size_t count) {
  static const char *const sources[] = {"sec-edgar",  "sec-filings", "sec-filing-document",
                                        "sec-frames", "fred",        NULL};
  static const char *const with_value[] = {"-e", "-f", "-n", "-p", "-P", "--since", NULL};
  int file = count == 2 && reads_files && strcmp(arguments[0], "file") == 0;
  if (count == 0 || file)
    return file;
  if (!slice_among(slice_str(arguments[0]), sources))
    return 0;
  for (size_t i = 1; i < count; i++)
    if (slice_among(slice_str(arguments[i]), with_value))
      i++;
    else if (strcmp(arguments[i], "--content") != 0)
      return 0;
  return 1;
}

/* Splits the arguments, each of which ends with a NUL; returns how many there are, 0 where that is none or too many. */
static size_t take_arguments(struct buf *bytes, char *list[FETCH_ARGUMENTS]) {
  size_t count = 0;
  if (bytes->len == 0 || bytes->data[bytes->len - 1] != '\0')
    return 0;
  for (size_t at = 0; at < bytes->len; at += strlen(bytes->data + at) + 1) {
    if (count == FETCH_ARGUMENTS)
      return 0;
    list[count++] = bytes->data + at;
  }
  return count;
}

void fact_fetch_run(int in, int out, int err) {
  static char name[] = "bid-fetch", quiet[] = "--quiet";
  char path[PATH_MAX], *argv[FETCH_ARGUMENTS + 3] = {name, quiet};
  struct buf bytes;
  helper_take(in, out, err);
  buf_init(&bytes, FETCH_BYTES);
  if (buf_read_fd(&bytes, STDIN_FILENO) != 0)
    _exit(FETCH_FAILED);
  size_t count = take_arguments(&bytes, argv + 2);
  if (!fetch_is_known(argv + 2, count))
    _exit(FETCH_FAILED);
  helper_path(name, path);
  execvp(path, argv);
  fprintf(stderr, "bid-fetch: %s\n", strerror(errno));
  _exit(127);
}

/* ---- the program that asks ---- */

int fact_fetch(const char *const *arguments, int silent, struct buf *out, struct error_text *why) {
  struct buf words, unheard;
  buf_init(&words, FETCH_BYTES);
  buf_init(&unheard, FETCH_BYTES);
  for (; *arguments; arguments++)
    buf_add(&words, *arguments, strlen(*arguments) + 1);
  struct helper_task t = {
      .run = fact_fetch_run, .left = buf_slice(&words), .text = out, .errors = silent ? &unheard : NULL};
  int status = helper_task_do(&t);
  if (status == -1)
    error_set(why, "cannot run bid-fetch: %s", strerror(errno));
  buf_release(&words);
  buf_release(&unheard);
  return status == -1 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : FETCH_FAILED;
}

/* ---- asks bid-fetch for facts, series and filings, or reads a file, whose format it finds out ---- */

#define LOAD_MAX ((size_t)256 << 20)

enum { L_CONTENT, L_ENCODING, L_METADATA, L_SOURCE, L_URL, L_CAPTURED };
static const char *const load_fields[] = {"rawContent", "rawEncoding", "metadata", "source",
                                          "sourceUrl",  "capturedAt",  NULL};

static struct slice load_keep(struct fact_company *c, struct slice value) {
  struct buf text;
  buf_init(&text, 65536);
  struct slice kept = slice_of(NULL, 0);
  if (json_kind(value) == '"' && json_decode(value, &text) == 0)
    kept = fact_company_keep(c, buf_slice(&text));
  buf_release(&text);
  return kept;
}

static int load_take_record(struct fact_company *c, const struct record *rec, struct buf *content) {
  struct buf text;
  buf_init(&text, LOAD_MAX);
  buf_clear(content);
  int failed = json_decode(rec->field[L_CONTENT], &text);
  if (!failed && rec->field[L_ENCODING].len)
    failed = base64_decode(buf_slice(&text), content);
  else if (!failed)
    buf_add_slice(content, buf_slice(&text));
  buf_release(&text);
  c->ticker = load_keep(c, json_get(rec->field[L_METADATA], "ticker"));
  c->name = load_keep(c, json_get(rec->field[L_METADATA], "company"));
  c->cik = load_keep(c, json_get(rec->field[L_METADATA], "cik"));
  c->source = load_keep(c, rec->field[L_SOURCE]);
  c->url = load_keep(c, rec->field[L_URL]);
  c->captured = load_keep(c, rec->field[L_CAPTURED]);
  return failed;
}

/* Takes the first line off the records.  0 where none is left. */
static int load_line(struct slice *records, struct slice *line) {
  int more = records->len > 0;
  *line = slice_cut(records, '\n');
  return more;
}

int fact_load_payload(struct fact_company *c, struct slice records, struct buf *content) {
  struct record *rec = xcalloc(1, sizeof *rec);
  struct slice line;
  const char *why;
  size_t at;
  int found = -1;
  while (found && load_line(&records, &line))
    if (line.len && record_parse(line.data, line.len, load_fields, rec, &why, &at) == RECORD_OK &&
        !rec->is_error && json_kind(rec->field[L_CONTENT]) == '"')
      found = load_take_record(c, rec, content);
  free(rec);
  return found;
}

void fact_load_why(struct slice records, struct error_text *why) {
  struct slice line, message = {NULL, 0};
  struct buf text;
  buf_init(&text, LOAD_MAX);
  while (!message.len && load_line(&records, &line))
    message = json_get(json_get(line, "error"), "message");
  if (message.len && json_decode(message, &text) == 0)
    error_set(why, "%.*s", (int)text.len, text.data);
  buf_release(&text);
}

static void load_copy_errors(struct slice records, struct buf *errors) {
  struct record *rec = xcalloc(1, sizeof *rec);
  struct slice line;
  const char *why;
  size_t at;
  while (load_line(&records, &line))
    if (line.len && record_parse(line.data, line.len, load_fields, rec, &why, &at) == RECORD_OK &&
        rec->is_error) {
      buf_add_slice(errors, line);
      buf_add_char(errors, '\n');
    }
  free(rec);
}

/* Loads facts from bytes whose format is detected; metadata from a record is kept. */
static int fact_load_bytes(struct fact_company *c, struct buf *bytes, struct error_text *why) {
  size_t at = 0;
  struct slice ticker = c->ticker, name = c->name;
  while (at < bytes->len && ((unsigned char)bytes->data[at] <= ' ' || (unsigned char)bytes->data[at] >= 0x80))
    at++;
  int failed = at < bytes->len && bytes->data[at] == '{' ? fact_company_read(c, bytes, why)
                                                         : inline_read_facts(c, bytes, why);
  if (ticker.len)
    c->ticker = ticker;
  if (!c->name.len)
    c->name = name;
  return failed ? EX_DATAERR : 0;
}

int fact_load_company(struct fact_company *c, const char *entity, struct buf *errors,
                      struct error_text *why) {
  const char *const arguments[] = {"sec-edgar", "-e", entity, "-P", "facts=all", NULL};
  struct buf records, content;
  buf_init(&records, LOAD_MAX);
  buf_init(&content, LOAD_MAX);
  why->text[0] = '\0';
  int status = fact_fetch(arguments, 0, &records, why);
  if (status < 0)
    status = EX_SOFTWARE;
  else if (fact_load_payload(c, buf_slice(&records), &content) == 0)
    status = fact_load_bytes(c, &content, why);
  else if (status == 0)
    status = EX_UNAVAILABLE;
  if (errors)
    load_copy_errors(buf_slice(&records), errors);
  buf_release(&records);
  buf_release(&content);
  return status;
}

int fact_load_file(struct fact_company *c, const char *path, struct error_text *why) {
  struct buf bytes, content;
  buf_init(&bytes, LOAD_MAX);
  buf_init(&content, LOAD_MAX);
  int failed = strcmp(path, "-") == 0 ? buf_read_fd(&bytes, STDIN_FILENO) : buf_read_file(&bytes, path);
  int status = EX_NOINPUT, empty = bytes.len == 0;
  if (failed)
    error_set(why, "%s: %s", path, strerror(errno));
  else if (fact_load_payload(c, buf_slice(&bytes), &content) == 0)
    status = fact_load_bytes(c, &content, why);
  else
    status = fact_load_bytes(c, &bytes, why);
  if (status == EX_DATAERR) {
    struct error_text what = *why;
    error_set(why, "%.200s: %.250s%s", path, empty ? "nothing is in it" : what.text,
              "; wanted is the SEC's JSON of company facts, a payload of bid-fetch, or inline XBRL");
  }
  c->file = path;
  if (!c->source.len) {
    c->source = fact_company_keep(c, slice_str("file"));
    c->url = fact_company_keep(c, slice_str(path));
  }
  buf_release(&bytes);
  buf_release(&content);
  return status;
}

/* ---- FRED ---- */

static void load_observation(struct fact_series *s, struct slice date, struct slice value,
                             struct fact_company *c) {
  struct buf scratch;
  struct fact f = {.start = DAY_NONE, .filed = DAY_NONE};
  buf_init(&scratch, 4096);
  f.end = day_parse(json_text(date, &scratch));
  struct slice digits = json_text(value, &scratch);
  if (f.end != DAY_NONE && decimal_parse(digits, &f.number) == 0) {
    f.exact = 1;
    f.value = fact_company_keep(c, digits);
    fact_series_add(s, &f);
  }
  buf_release(&scratch);
}

static int load_observations(struct fact_company *c, const char *id, struct slice metadata,
                             struct slice json) {
  struct slice list = json_get(json, "observations"), one;
  struct json_cursor at = {0};
  struct slice units = load_keep(c, json_get(metadata, "units"));
  struct fact_series *s = fact_company_add(c, slice_str("fred"), fact_company_keep(c, slice_str(id)),
                                           units.len ? units : slice_str("value"));
  struct slice title = load_keep(c, json_get(metadata, "title"));
  s->label = title.len ? title : s->concept;
  while (json_kind(list) == '[' && json_next_element(list, &at, &one))
    load_observation(s, json_get(one, "date"), json_get(one, "value"), c);
  return s->count ? 0 : -1;
}

static int load_fred_record(struct fact_company *c, const char *id, struct slice records) {
  struct record *rec = xcalloc(1, sizeof *rec);
  struct buf content;
  struct slice line;
  const char *why;
  size_t at;
  buf_init(&content, LOAD_MAX);
  int failed = !load_line(&records, &line) ||
               record_parse(line.data, line.len, load_fields, rec, &why, &at) != RECORD_OK || rec->is_error ||
               load_take_record(c, rec, &content);
  if (!failed)
    failed = json_validate(content.data, content.len, &at, &why) ||
             load_observations(c, id, rec->field[L_METADATA], buf_slice(&content));
  buf_release(&content);
  free(rec);
  return failed;
}

int fact_load_fred(struct fact_company *c, const char *series, const char *since, const char *period,
                   struct error_text *why) {
  struct buf parameter, records;
  buf_init(&parameter, 4096);
  buf_init(&records, LOAD_MAX);
  buf_printf(&parameter, "series=%s", series);
  const char *arguments[8] = {"fred", "-P", parameter.data};
  size_t n = 3;
  if (since) {
    arguments[n++] = "--since";
    arguments[n++] = since;
  }
  if (period) {
    arguments[n++] = "-p";
    arguments[n++] = period;
  }
  why->text[0] = '\0';
  int status = fact_fetch(arguments, 0, &records, why);
  if (status < 0)
    status = EX_SOFTWARE;
  else if (status == 0 && load_fred_record(c, series, buf_slice(&records)))
    status = EX_UNAVAILABLE;
  c->by_day = 1;
  c->name = slice_str("FRED");
  c->source =
      slice_str("FRED (this product uses the FRED API but is not endorsed or certified by the Federal "
                "Reserve Bank of St. Louis)");
  buf_release(&parameter);
  buf_release(&records);
  return status;
}

#define FILING_MAX ((size_t)128 << 20)

int fact_filing_find(struct fact_company *keep, struct slice cik, const char *forms, const char *period,
                     struct buf *href, struct fact *filing, struct error_text *why) {
  char entity[16];
  snprintf(entity, sizeof entity, "%.*s", (int)cik.len, cik.data);
  const char *const arguments[] = {"sec-filings",        "-e",   entity, "-f", forms, "-n", "1",
                                   period ? "-p" : NULL, period, NULL};
  struct buf records, content, scratch;
  struct slice filings, first = {NULL, 0};
  struct json_cursor at = {0};
  const char *fault;
  size_t where;
  buf_init(&records, FILING_MAX);
  buf_init(&content, FILING_MAX);
  buf_init(&scratch, 65536);
  error_set(why, "bid-fetch gave no list of its filings");
  int failed = fact_fetch(arguments, 1, &records, why) != 0 ||
               fact_load_payload(keep, buf_slice(&records), &content) ||
               json_validate(content.data, content.len, &where, &fault);
  fact_load_why(buf_slice(&records), why);
  filings = failed ? slice_of(NULL, 0) : json_get(buf_slice(&content), "filings");
  if (!failed && (json_kind(filings) != '[' || !json_next_element(filings, &at, &first))) {
    error_set(why, "none on form %s is on its list", forms);
    failed = 1;
  }
  if (!failed) {
    json_decode(json_get(first, "href"), href);
    filing->accession = fact_company_keep(keep, json_text(json_get(first, "accessionNumber"), &scratch));
    filing->form = fact_company_keep(keep, json_text(json_get(first, "form"), &scratch));
    filing->filed = day_parse(json_text(json_get(first, "filingDate"), &scratch));
  }
  buf_release(&records);
  buf_release(&content);
  buf_release(&scratch);
  return failed || !href->len ? -1 : 0;
}

int fact_filing_fetch(struct fact_company *keep, struct slice href, struct buf *html,
                      struct error_text *why) {
  struct buf parameter, records;
  buf_init(&parameter, 65536);
  buf_init(&records, FILING_MAX);
  buf_printf(&parameter, "url=%.*s", (int)href.len, href.data);
  const char *const arguments[] = {"sec-filing-document", "--content", "-P", parameter.data, NULL};
  error_set(why, "bid-fetch did not give %.*s", (int)href.len, href.data);
  int failed =
      fact_fetch(arguments, 1, &records, why) != 0 || fact_load_payload(keep, buf_slice(&records), html);
  fact_load_why(buf_slice(&records), why);
  buf_release(&parameter);
  buf_release(&records);
  return failed ? -1 : 0;
}

void fact_filing_stamp(struct fact_company *c, const struct fact *filing) {
  for (size_t i = 0; i < c->series_count; i++)
    for (size_t k = 0; k < c->series[i].count; k++) {
      c->series[i].facts[k].accession = filing->accession;
      c->series[i].facts[k].form = filing->form;
      c->series[i].facts[k].filed = filing->filed;
    }
}

int fact_filing_load(struct fact_company *c, struct inline_document *d, struct fact *filing, struct slice cik,
                     const char *forms, const char *period, int32_t as_of, struct error_text *why) {
  struct buf href, html;
  buf_init(&href, 65536);
  buf_init(&html, FILING_MAX);
  *filing = (struct fact){.filed = DAY_NONE};
  int failed = fact_filing_find(c, cik, forms, period, &href, filing, why);
  if (!failed && as_of != DAY_NONE && filing->filed > as_of) {
    error_set(why, "the newest %s was filed later", forms);
    failed = 1;
  }
  failed = failed || fact_filing_fetch(c, buf_slice(&href), &html, why);
  if (!failed) {
    inline_read(d, buf_slice(&html));
    failed = inline_add_facts(c, d, why);
    fact_filing_stamp(c, filing);
  }
  buf_release(&href);
  buf_release(&html);
  return failed ? -1 : 0;
}
