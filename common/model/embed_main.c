/* embed_main.c: bid-embed: options, and records embedded in batches. */
#include "model/embed_main.h"
#include "base/base64.h"
#include "model/embed.h"
#include "model/model.h"
#include "record/error.h"
#include "record/json.h"
#include "record/program.h"
#include "record/resume.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct embed_filter {
  struct embedder *model;
  enum embed_role role;
  int context;           /* prepend the record's "context" to its text */
  size_t batch;          /* records per batch; 0: as the model recommends */
  struct resume *resume; /* the results of an earlier run, or NULL */

  /* the rest is the filter's own */
  struct buf lines, texts; /* of the records collected */
  struct gathered *gathered;
  size_t count;
  float *vectors;
  struct buf scratch;
  size_t truncated, skipped;
  int failed; /* the model failed: no more input is read */
};

#define BATCH_BYTES ((size_t)1 << 20) /* bytes of lines at which a batch is embedded early */
#define BATCH_MAX 4096
#define GATHER_MAX (2 * RECORD_MAX + BATCH_BYTES)

enum { FIELD_TEXT, FIELD_CONTEXT, FIELD_QUERY, FIELD_SOURCE, FIELD_SOURCE_URL };
static const char *const fields[] = {"text", "context", "query", "source", "sourceUrl", NULL};
static const char *const added[] = {"embedding", "model", NULL};

/* A record waiting for its vector; its line is at `line` in lines, its text at `text` in texts. */
struct gathered {
  struct record rec;
  size_t line, text, text_len;
};

static void embed_filter_fail(struct program *p, struct embed_filter *f, const struct record *rec,
                              const char *category, const char *why) {
  struct slice source = json_text(rec->field[FIELD_SOURCE], &f->scratch);
  struct buf url;
  buf_init(&url, RECORD_MAX);
  program_error(p, rec, category, source, json_text(rec->field[FIELD_SOURCE_URL], &url), "%s", why);
  buf_release(&url);
}

static int is_zero(const float *v, int dimensions) {
  for (int i = 0; i < dimensions; i++)
    if (v[i] != 0)
      return 0;
  return 1;
}

static void write_one(struct program *p, struct embed_filter *f, const struct record *rec, const float *v) {
  int d = embed_dimensions(f->model);
  if (is_zero(v, d)) {
    embed_filter_fail(p, f, rec, ERROR_NO_CONTENT, "the text has no word to embed");
    return;
  }
  struct buf *out = &p->out.buf;
  record_open_without(out, rec, added);
  json_key(out, "embedding");
  buf_add_char(out, '"');
  base64_add(out, v, (size_t)d * sizeof *v);
  buf_add_char(out, '"');
  json_cstr(out, "model", embed_name(f->model));
  record_close(out);
  output_flush_if_full(&p->out);
}

/* Adjusts the pointers of a record whose line was copied. */
static void rebase(struct record *rec, const char *to) {
  const char *from = rec->line.data;
  rec->line.data = to;
  for (size_t i = 0; fields[i]; i++)
    if (rec->field[i].data)
      rec->field[i].data = to + (rec->field[i].data - from);
}

/* With --resume, no error record is written: the next run continues from there. */
static void embed_filter_give_up(struct program *p, struct embed_filter *f, const struct error_text *why) {
  const char *category = embed_category(f->model);
  if (f->resume)
    diag_warn("%s", why->text);
  else
    program_error(p, NULL, category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", why->text);
  program_fail(p, error_exit_status(category));
  f->failed = 1;
}

/* Embeds the collected records and writes them, in order. */
static void embed_filter_settle(struct program *p, void *arg) {
  struct embed_filter *f = arg;
  struct error_text why;
  size_t count = f->count, d = (size_t)embed_dimensions(f->model);
  f->count = 0;
  if (count == 0 || f->failed)
    return;
  struct slice *texts = xreallocarray(NULL, count, sizeof *texts);
  for (size_t i = 0; i < count; i++)
    texts[i] = slice_of(f->texts.data + f->gathered[i].text, f->gathered[i].text_len);
  f->vectors = xreallocarray(f->vectors, count * d, sizeof *f->vectors);
  if (embed_encode(f->model, texts, count, f->role, f->vectors, &f->truncated, &why) != 0)
    embed_filter_give_up(p, f, &why);
  for (size_t i = 0; i < count && !f->failed; i++) {
    rebase(&f->gathered[i].rec, f->lines.data + f->gathered[i].line);
    write_one(p, f, &f->gathered[i].rec, f->vectors + i * d);
  }
  free(texts);
  buf_clear(&f->lines);
  buf_clear(&f->texts);
  if (f->resume) /* preserve results that a server may have charged for */
    output_flush(&p->out);
}

/* Appends the text to embed for a record to `texts`; 0, or -1 where it has none. */
static int embed_filter_add_text(struct embed_filter *f, const struct record *rec) {
  struct slice text = rec->field[FIELD_TEXT];
  if (!text.data && f->role == EMBED_QUERY)
    text = rec->field[FIELD_QUERY];
  if (f->context && rec->field[FIELD_CONTEXT].data) {
    buf_add_slice(&f->texts, json_text(rec->field[FIELD_CONTEXT], &f->scratch));
    buf_add_char(&f->texts, '\n');
  }
  struct slice plain = json_text(text, &f->scratch);
  buf_add_slice(&f->texts, plain);
  return plain.len > 0 ? 0 : -1;
}

static void embed_filter_gather(struct embed_filter *f, const struct record *rec, size_t text) {
  f->gathered = xgrow(f->gathered, f->count, sizeof *f->gathered);
  struct gathered *g = &f->gathered[f->count++];
  *g = (struct gathered){*rec, f->lines.len, text, f->texts.len - text};
  buf_add_slice(&f->lines, rec->line);
}

static const char *missing(const struct embed_filter *f, const struct record *rec) {
  if (rec->field[FIELD_TEXT].data)
    return json_kind(rec->field[FIELD_TEXT]) == '"' ? "the text is empty" : "\"text\" is not a string";
  return f->role == EMBED_QUERY ? "no \"text\" and no \"query\" in the record" : "no \"text\" in the record";
}

static int embed_record(struct program *p, const struct record *rec, void *arg) {
  struct embed_filter *f = arg;
  size_t text = f->texts.len;
  if (f->resume && resume_done(f->resume, rec)) {
    f->skipped++;
    return 0;
  }
  if (embed_filter_add_text(f, rec) != 0) {
    f->texts.len = text;
    const char *why = missing(f, rec);
    embed_filter_settle(p, f);
    embed_filter_fail(
        p, f, rec, json_kind(rec->field[FIELD_TEXT]) == '"' ? ERROR_NO_CONTENT : ERROR_INVALID_REQUEST, why);
    return f->failed ? -1 : 0;
  }
  embed_filter_gather(f, rec, text);
  if (f->count >= f->batch || f->lines.len >= BATCH_BYTES)
    embed_filter_settle(p, f);
  return f->failed ? -1 : 0;
}

static int written_before(struct slice line, void *arg) {
  struct embed_filter *f = arg;
  return resume_error_done(f->resume, line);
}

static void release(struct embed_filter *f) {
  buf_release(&f->lines);
  buf_release(&f->texts);
  buf_release(&f->scratch);
  free(f->gathered);
  free(f->vectors);
}

/* Runs the filter over p's operands, including error reports and statistics. */
static void embed_filter_run(struct program *p, struct embed_filter *f) {
  if (f->batch == 0)
    f->batch = embed_batch(f->model);
  if (f->batch > BATCH_MAX)
    f->batch = BATCH_MAX;
  buf_init(&f->lines, GATHER_MAX);
  buf_init(&f->texts, GATHER_MAX);
  buf_init(&f->scratch, RECORD_MAX);
  p->settle = embed_filter_settle;
  p->written_before = f->resume ? written_before : NULL;
  p->reads = "chunk records, as bid-chunk writes them";
  program_each_record(p, fields, embed_record, f);
  program_stat(p, "truncated", (double)f->truncated);
  program_stat(p, "skipped", (double)f->skipped);
  release(f);
}

/* ---- embed_main ---- */

static struct embed_options model_options;
static const char *resume_path;
static size_t dimensions, threads, batch;
static int query, context = 1;

static const struct program_option options[] = {
    {OPTION_TEXT, 'm', "model", "MODEL", &model_options.model,
     "name or file of the model, or http[:NAME] (default $BID_MODEL, else bid-static)"},
    {OPTION_FLAG, 0, "query", NULL, &query, "embed questions rather than passages"},
    {OPTION_SIZE, 'd', "dimensions", "N", &dimensions, "length of the vectors (default the model's own)"},
    {OPTION_NOFLAG, 0, "no-context", NULL, &context, "embed only the text, without its context line"},
    {OPTION_SIZE, 0, "threads", "N", &threads, "threads to use (default all cores)"},
    {OPTION_SIZE, 'b', "batch", "N", &batch, "records embedded at once (default what suits the model)"},
    {OPTION_TEXT, 0, "resume", "FILE", &resume_path,
     "write to FILE, and continue where an earlier run stopped"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL},
};

static const struct program_spec spec = {
    "bid-embed", "[OPTION]... [FILE]...", "Adds a vector to each passage of text.", options,
    "bid-embed reads chunk records and writes them with \"embedding\" and \"model\".\n"
    "Example: bid-chunk filing.ndjson | bid-embed | bid-index\n"};

static const char *const written[] = {"model", "embedding", NULL};

static int open_resume(struct program *p, struct embed_filter *f) {
  struct error_text why;
  struct buf model;
  if (!resume_path)
    return 0;
  buf_init(&model, 4096);
  buf_printf(&model, "\"%s\"", embed_name(f->model));
  f->resume = resume_open(resume_path, written, buf_slice(&model), &why);
  buf_release(&model);
  if (f->resume) {
    p->out.fd = resume_fd(f->resume);
    return 0;
  }
  diag_warn("%s", why.text);
  program_fail(p, EX_CANTCREAT);
  return -1;
}

static void embed_main_run(struct program *p, struct embed_filter *f) {
  struct error_text why;
  if (embed_prepare(f->model, &why) != 0) {
    const char *category = embed_category(f->model);
    program_error(p, NULL, category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", why.text);
    program_fail(p, error_exit_status(category));
  } else if (open_resume(p, f) == 0) {
    if (!embed_is_http(model_options.model))
      program_sandbox(p);
    embed_filter_run(p, f);
  }
}

int embed_main(int argc, char **argv) {
  struct program p;
  struct error_text why;
  program_on_version(model_about);
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  if (dimensions > 65536)
    return program_usage(&spec, "--dimensions: at most 65536");
  if (threads > 1024)
    return program_usage(&spec, "--threads: at most 1024");
  if (batch > 4096)
    return program_usage(&spec, "--batch: at most 4096");
  model_options.dimensions = (int)dimensions;
  model_options.threads = (int)threads;
  struct embed_filter f = {
      .role = query ? EMBED_QUERY : EMBED_PASSAGE, .context = context && !query, .batch = batch};
  f.model = embed_open(&model_options, &why);
  if (f.model) {
    embed_main_run(&p, &f);
  } else {
    diag_warn("%s", why.text);
    program_fail(&p, EX_CONFIG);
  }
  status = program_finish(&p);
  resume_close(f.resume);
  embed_close(f.model);
  return status;
}
