/* bid-chunk: splits documents into passages. */
#include "chunk/chunk_filter.h"
#include "base/clock.h"
#include "base/diag.h"
#include "model/model.h"
#include "record/program.h"

#include <errno.h>

static size_t tokens = CHUNKER_TOKENS, overlap;
static const char *model_wanted, *vocab_path;

static const struct program_option options[] = {
    {OPTION_SIZE, 't', "tokens", "N", &tokens, "at most N tokens per passage (default 512; 100 to 8192)"},
    {OPTION_SIZE, 'o', "overlap", "N", &overlap,
     "at most N tokens repeated from the previous passage (default 0)"},
    {OPTION_TEXT, 'm', "model", "MODEL", &model_wanted,
     "count tokens as this model does (default $BID_MODEL, else bid-static)"},
    {OPTION_TEXT, 0, "vocab", "FILE", &vocab_path, "read the vocabulary from FILE, one token per line"},
    {OPTION_END, 0, NULL, NULL, NULL, NULL}};

static const struct program_spec spec = {
    "bid-chunk", "[OPTION]... [FILE]...", "Splits documents into passages for retrieval.", options,
    "Reads document records (bid-strip), writes chunk records.\n"
    "Example: bid-fetch sec-filings -e AAPL -f 10-K -n 1 --content | bid-strip | bid-chunk | bid-embed\n"};

/* The tokenizer's vocabulary. */
struct vocabulary {
  struct buf file;
  struct model *model;
};

static struct wordpiece *bid_chunk_open_file(struct vocabulary *v, struct error_text *e) {
  if (buf_read_file(&v->file, vocab_path) == 0)
    return wordpiece_new(buf_slice(&v->file), e);
  error_set(e, "%s: %s", vocab_path, strerror(errno));
  return NULL;
}

static struct wordpiece *bid_chunk_open_model(struct vocabulary *v, struct error_text *e) {
  struct buf path;
  buf_init(&path, 1 << 16);
  model_find(&path, model_wanted);
  v->model = model_open(path.data, e);
  buf_release(&path);
  return v->model ? wordpiece_new(model_section(v->model, "vocab"), e) : NULL;
}

static int bid_chunk_check(void) {
  if (tokens < CHUNKER_TOKENS_MIN || tokens > CHUNKER_TOKENS_MAX)
    return program_usage(&spec, "--tokens is %zu, but must be from %d to %d", tokens, CHUNKER_TOKENS_MIN,
                         CHUNKER_TOKENS_MAX);
  if (overlap > tokens / 2)
    return program_usage(&spec, "--overlap is %zu, but may be half of --tokens at most", overlap);
  return 0;
}

static void bid_chunk_run(struct program *p, struct vocabulary *v) {
  struct error_text e;
  struct chunk_filter f;
  struct chunker_options o = {tokens, overlap};
  struct wordpiece *w = vocab_path ? bid_chunk_open_file(v, &e) : bid_chunk_open_model(v, &e);
  if (w == NULL) {
    diag_warn("%s", e.text);
    program_fail(p, EX_CONFIG);
    return;
  }
  program_sandbox(p);
  chunk_filter_init(&f, w, &o);
  p->reads = "document records, as bid-strip writes them";
  program_each_record(p, chunk_fields, chunk_filter_record, &f);
  program_stat(p, "documents", (double)f.documents);
  program_stat(p, "chunks", (double)f.chunks);
  program_stat(p, "tokens", (double)f.tokens);
  program_stat(p, "textBytes", (double)f.bytes);
  chunk_filter_release(&f);
  wordpiece_free(w);
}

int main(int argc, char **argv) {
  struct program p;
  struct vocabulary v = {.model = NULL};
  program_on_version(model_about);
  int status = program_start(&p, &spec, argc, argv);
  if (status < 0 && (status = bid_chunk_check()) == 0) {
    buf_init(&v.file, (size_t)64 << 20);
    bid_chunk_run(&p, &v);
    model_close(v.model);
    buf_release(&v.file);
    status = program_finish(&p);
  }
  return status;
}
