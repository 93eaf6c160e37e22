#include "model/embed_main.h"

#include "model/embed_filter.h"
#include "model/model.h"
#include "record/error.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

static struct program_spec spec = {
    "bid-embed", "[OPTION]... [FILE]...", "Adds a vector to each passage of text.", options,
    "bid-embed reads chunk records and writes them with \"embedding\" and \"model\".\n"
    "Example: bid-chunk filing.ndjson | bid-embed | bid-index\n"};

static const char *const added[] = {"model", "embedding", NULL};

/* bid-embed-http reports errors under the name it was called by: its own, or bid-embed. */
static void embed_main_take_name(const char *called) {
  const char *slash = called ? strrchr(called, '/') : NULL;
  if (strcmp(slash ? slash + 1 : called ? called : "", "bid-embed-http") == 0)
    spec.name = "bid-embed-http";
}

/* Executes bid-embed-http, from the same folder, for a server.  Returns only on failure. */
static int become_http(char **argv) {
  char path[PATH_MAX + 16];
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
  if (n > 0) {
    snprintf(path + n, sizeof path - (size_t)n, "-http");
    execv(path, argv);
  }
  diag_errno("bid-embed-http, which talks to servers, cannot be run");
  return EX_CONFIG;
}

static int open_resume(struct program *p, struct embed_filter *f) {
  struct error_text why;
  struct buf model;
  if (!resume_path)
    return 0;
  buf_init(&model, 4096);
  buf_printf(&model, "\"%s\"", embed_name(f->model));
  f->resume = resume_open(resume_path, added, buf_slice(&model), &why);
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

int embed_main(int argc, char **argv, embed_server_open *server) {
  struct program p;
  struct error_text why;
  embed_main_take_name(argv[0]);
  program_on_version(model_about);
  int status = program_start(&p, &spec, argc, argv);
  if (status >= 0)
    return status;
  if (embed_is_http(model_options.model) && server == NULL)
    return become_http(argv);
  if (dimensions > 65536)
    return program_usage(&spec, "--dimensions: at most 65536");
  if (threads > 1024)
    return program_usage(&spec, "--threads: at most 1024");
  if (batch > 4096)
    return program_usage(&spec, "--batch: at most 4096");
  model_options.dimensions = (int)dimensions;
  model_options.threads = (int)threads;
  model_options.server = server;
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
