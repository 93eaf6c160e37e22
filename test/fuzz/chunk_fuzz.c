/* The tokenizer, the chunker and the whole way of a record through bid-chunk, on any bytes.
 *
 * Input that starts with '{' is record lines as they are.  Of any other the first four bytes choose sizes,
 * headings and breaks, and the rest is text: given to the chunker in memory of its very size, and written
 * into a record.  What comes out is read again and held against the document: every passage is the slice
 * that it says, within its bound, cuts no character and no word, and what no passage holds has no token.
 */
#include "chunk/chunk_context.h"
#include "chunk/chunk_filter.h"
#include "record/json.h"
#include "model/model.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct wordpiece *tokenizer;
static struct wordpiece_memo *memo;
static int in, out;

static void start(void) {
  struct error_text e;
  struct buf path;
  buf_init(&path, 4096);
  model_find(&path, "bid-static");
  static struct model *m; /* kept: the vocabulary is in its map */
  m = model_open(path.data, &e);
  if (m == NULL)
    m = model_open("data/models/bid-static.bidm", &e);
  if (m == NULL)
    abort();
  tokenizer = wordpiece_new(model_section(m, "vocab"), &e);
  memo = wordpiece_memo_new(tokenizer);
  in = memfd_create("in", 0);
  out = memfd_create("out", 0);
  buf_release(&path);
}

static void expect(int holds) {
  if (!holds)
    abort();
}

/* --- what every passage must hold --------------------------------------------------------------------------
 */

struct state {
  struct slice text;
  size_t bound, index, end;
  int overlap;
};

static int continues(struct slice s, size_t at) {
  return at < s.len && ((unsigned char)s.data[at] & 0xC0) == 0x80;
}

static int letter(struct slice s, size_t at) {
  unsigned char c = at < s.len ? (unsigned char)s.data[at] : ' ';
  return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static void check_passage(struct state *s, size_t index, size_t from, size_t to, size_t tokens) {
  expect(index == s->index++ && from < to && to <= s->text.len && to > s->end);
  expect(from >= s->end || s->overlap);
  expect(!continues(s->text, from) && !continues(s->text, to));
  expect(from == 0 || !letter(s->text, from - 1) || !letter(s->text, from));
  expect(!letter(s->text, to - 1) || !letter(s->text, to));
  if (from > s->end)
    expect(wordpiece_count(tokenizer, slice_of(s->text.data + s->end, from - s->end)) == 0);
  expect(tokens > 0 && tokens <= s->bound);
  expect(wordpiece_count(tokenizer, slice_of(s->text.data + from, to - from)) == tokens);
  s->end = to;
}

static void check_end(const struct state *s) {
  expect(wordpiece_count(tokenizer, slice_of(s->text.data + s->end, s->text.len - s->end)) == 0);
}

/* --- the chunker alone -------------------------------------------------------------------------------------
 */

static int check_chunk(void *arg, const struct chunker_chunk *k) {
  struct buf context;
  check_passage(arg, k->index, k->start, k->end, k->tokens);
  buf_init(&context, 1 << 16);
  chunk_context_path(&context, k);
  chunk_context_table(&context, k);
  expect(context.len == 0 || utf8_valid_prefix(context.data, context.len) == context.len);
  buf_release(&context);
  return 0;
}

static void try_chunker(const uint8_t *choice, struct slice text) {
  char *copy = malloc(text.len ? text.len : 1); /* so that a read past its end shows */
  memcpy(copy, text.data, text.len);
  struct state s = {.text = slice_of(copy, text.len), .bound = CHUNKER_TOKENS_MIN + choice[0] % 64};
  s.overlap = choice[1] & 1;
  struct chunker_options o = {s.bound, s.overlap ? choice[1] / 4 : 0};
  struct chunker_heading h[2] = {
      {choice[2], choice[3] % 10, slice_str("II-1"), slice_str("#* Odd **title"), 1},
      {(size_t)choice[2] + choice[3], 3, {0}, slice_str("Title"), 0}};
  struct chunker_break b[2] = {{choice[3], 2}, {choice[3] + 300u, 3}};
  struct chunker_document d = {.text = s.text,
                               .headings = h,
                               .heading_count = choice[3] % 3,
                               .breaks = b,
                               .break_count = choice[1] / 2 % 3};
  chunker_run(memo, &d, &o, check_chunk, &s);
  check_end(&s);
  free(copy);
}

/* --- a record's whole way ----------------------------------------------------------------------------------
 */

static const char *const document_fields[] = {"text", NULL};
static const char *const chunk_record_fields[] = {"text", "chunk", "id", "context", NULL};

/* One chunk record of the document in s; whether it is the last. */
static int check_record(struct state *s, const struct record *rec, struct buf *text) {
  struct slice place = rec->field[1];
  size_t from = (size_t)json_to_int(json_get(place, "start"), -1),
         to = (size_t)json_to_int(json_get(place, "end"), -1);
  check_passage(s, (size_t)json_to_int(json_get(place, "index"), -1), from, to,
                (size_t)json_to_int(json_get(place, "tokens"), -1));
  expect(slice_eq(json_text(rec->field[0], text), slice_of(s->text.data + from, to - from)));
  expect(rec->field[2].len == 34 && json_kind(rec->field[3]) == '"');
  return json_kind(json_get(place, "last")) == 't';
}

static enum record_status next(struct record_reader *r, struct record *rec) {
  enum record_status status = record_read(r, rec);
  expect(status != RECORD_IO);
  return status;
}

/* What came out for one record that went in. */
static void check_output(struct record_reader *given, struct record_reader *made, size_t bound, int overlap) {
  static struct record a, b;
  struct buf text, other;
  buf_init(&text, RECORD_MAX);
  buf_init(&other, RECORD_MAX);
  for (enum record_status status; (status = next(given, &a)) != RECORD_END;) {
    if (status == RECORD_BAD || a.is_error || json_kind(a.field[0]) != '"')
      continue; /* not given to the filter */
    struct state s = {.text = json_text(a.field[0], &text), .bound = bound, .overlap = overlap};
    expect(next(made, &b) == RECORD_OK);
    while (!b.is_error && !check_record(&s, &b, &other))
      expect(next(made, &b) == RECORD_OK);
    check_end(&s);
  }
  expect(next(made, &b) == RECORD_END);
  buf_release(&text);
  buf_release(&other);
}

static void filter(struct program *p, struct chunk_filter *f) {
  static struct record rec;
  struct record_reader *r = record_reader_new(in, chunk_fields, NULL, NULL);
  for (enum record_status status; (status = next(r, &rec)) != RECORD_END;)
    if (status == RECORD_OK && !rec.is_error && json_kind(rec.field[0]) == '"')
      chunk_filter_record(p, &rec, f);
  record_reader_free(r);
}

static void try_records(const void *lines, size_t len, const struct chunker_options *o) {
  static const struct program_spec spec = {.name = "bid-chunk"};
  struct program p = {.spec = &spec, .input_name = "fuzz"};
  struct chunk_filter f;
  expect(ftruncate(in, 0) == 0 && ftruncate(out, 0) == 0 && pwrite(in, lines, len, 0) == (ssize_t)len);
  lseek(in, 0, SEEK_SET);
  lseek(out, 0, SEEK_SET);
  output_init(&p.out, out);
  chunk_filter_init(&f, tokenizer, o);
  filter(&p, &f);
  chunk_filter_release(&f);
  expect(output_close(&p.out) == 0);
  lseek(in, 0, SEEK_SET);
  lseek(out, 0, SEEK_SET);
  struct record_reader *given = record_reader_new(in, document_fields, NULL, NULL),
                       *made = record_reader_new(out, chunk_record_fields, NULL, NULL);
  check_output(given, made, o->tokens, o->overlap != 0);
  record_reader_free(given);
  record_reader_free(made);
}

static void add_place(struct buf *b, const char *before, size_t offset, int page) {
  buf_printf(b, "%s{\"offset\":%zu,\"page\":%d", before, offset, page);
}

/* The text as a document record. */
static void try_document(const uint8_t *choice, struct slice text) {
  struct buf b;
  struct chunker_options o = {CHUNKER_TOKENS_MIN + choice[1] % 64, choice[0] & 1 ? choice[0] / 4 : 0};
  buf_init(&b, RECORD_MAX);
  buf_add_str(&b, "{\"sourceUrl\":\"u\",\"metadata\":{\"company\":\"C\",\"part\":2},\"text\":");
  json_add_slice(&b, text);
  add_place(&b, ",\"outline\":[", choice[2], 1);
  buf_printf(&b, ",\"level\":%d,\"item\":\"1A\",\"title\":\"** T\\u00e9\"}", choice[3] % 10);
  add_place(&b, ",", choice[2] * 16u + choice[3], 2);
  add_place(&b, "}],\"breaks\":[", choice[3], 2);
  add_place(&b, "},", choice[3] * 8u, 3);
  buf_add_str(&b, "}]}\n");
  try_records(b.data, b.len, &o);
  buf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (tokenizer == NULL)
    start();
  if (size < 4)
    return 0;
  if (data[0] == '{') {
    struct chunker_options o = {CHUNKER_TOKENS_MIN + size % 32, size % 3 ? 0 : size % 48};
    try_records(data, size, &o);
    return 0;
  }
  struct slice text = slice_of((const char *)data + 4, size - 4);
  wordpiece_count(tokenizer, text); /* any bytes at all */
  text.len = utf8_valid_prefix(text.data, text.len);
  try_chunker(data, text);
  try_document(data, text);
  return 0;
}
