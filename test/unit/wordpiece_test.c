/* The tokenizer against the reference's ids (test/gen/wordpiece_expected.py writes them and says how). */
#include "test.h"

#include "record/json.h"
#include "base/utf8.h"
#include "text/wordpiece_vocab.h"
#include "vocabulary.h"
#include "text/wordpiece.h"

#include <errno.h>
#include <unistd.h>

#define IDS_MAX 65536

static struct wordpiece *tokenizer;
static struct wordpiece *ordered; /* the same vocabulary, without tables; may be NULL */
static struct wordpiece_memo *memo;
static uint8_t continues[1 << 18]; /* by id: the token is a "##..." */
static uint32_t places[IDS_MAX];
static int32_t ids[IDS_MAX];
static uint32_t starts[IDS_MAX];

/* test/data from where tests run: the checkout's top, or BID_TOP. */
static int read_data(struct buf *b, const char *name) {
  const char *top = getenv("BID_TOP");
  struct buf path;
  buf_init(&path, 4096);
  buf_printf(&path, "%s/test/data/%s", top ? top : ".", name);
  buf_init(b, 1 << 24);
  int status = buf_read_file(b, path.data);
  if (status != 0)
    printf("# %s: %s\n", path.data, strerror(errno));
  buf_release(&path);
  return status;
}

static void read_continues(void) {
  struct slice v = vocabulary_model ? model_section(vocabulary_model, "vocab") : buf_slice(&vocabulary_text);
  const char *end;
  for (size_t id = 0; v.len; id++, v.len -= (size_t)(end - v.data), v.data = end) {
    continues[id] = v.len > 2 && v.data[0] == '#' && v.data[1] == '#' && v.data[2] != '\n';
    end = memchr(v.data, '\n', v.len);
    end = end ? end + 1 : v.data + v.len;
  }
}

/* The places are those of the tokens, whether the memory has the words or not and however little room is
 * there.
 */
static void check_places(struct slice text, size_t n) {
  const size_t base = 7777;
  for (size_t max = IDS_MAX; max > 0; max = max == IDS_MAX && n > 1 ? n - 1 : 0) {
    size_t written = n < max ? n : max, wrong = wordpiece_places(memo, text, base, places, max) != n;
    for (size_t i = 0; i < written; i++)
      wrong += places[i] != ((base + starts[i]) << 1 | continues[ids[i]]);
    CHECK_INT(wrong, 0);
  }
}

/* Without tables the tokens are the same; that takes ten times as long, so of long texts some. */
static void check_ordered(struct slice text, size_t n) {
  static int32_t other_ids[IDS_MAX];
  static uint32_t other_starts[IDS_MAX];
  static size_t calls;
  if (ordered == NULL || (text.len > 1000 && calls++ % 8))
    return;
  CHECK_INT(wordpiece_encode(ordered, text, other_ids, other_starts, IDS_MAX), n);
  CHECK(memcmp(ids, other_ids, (n < IDS_MAX ? n : IDS_MAX) * sizeof *ids) == 0);
  CHECK(memcmp(starts, other_starts, (n < IDS_MAX ? n : IDS_MAX) * sizeof *starts) == 0);
}

static uint32_t hash_of(struct slice text) {
  size_t n = wordpiece_encode(tokenizer, text, ids, starts, IDS_MAX);
  check_ordered(text, n);
  check_places(text, n);
  uint32_t h = 0x811c9dc5;
  for (size_t i = 0; i < n && i < IDS_MAX; i++)
    for (int b = 0; b < 32; b += 8)
      h = (h ^ ((uint32_t)ids[i] >> b & 255)) * 0x01000193;
  return h;
}

/* --- strings written by hand --------------------------------------------------------------------------- */

static void check_words_line(char *line) {
  char *tab = strchr(line, '\t');
  struct buf text;
  size_t n, i = 0;
  buf_init(&text, 1 << 16);
  CHECK_INT(json_decode(slice_of(line, tab ? (size_t)(tab - line) : strlen(line)), &text), 0);
  n = wordpiece_encode(tokenizer, buf_slice(&text), ids, starts, IDS_MAX);
  for (char *at = tab; at; i++) {
    long id = strtol(at, &at, 10);
    if (i >= n || ids[i] != id)
      printf("# %s: token %zu is %d, expected %ld\n", line, i, i < n ? (int)ids[i] : -1, id);
    CHECK(i < n && ids[i] == id);
    at = *at == '\t' ? at : NULL;
  }
  CHECK_INT(n, i);
  buf_release(&text);
}

TEST(written_strings_have_the_reference_ids) {
  struct buf data;
  int lines = 0;
  CHECK_INT(read_data(&data, "wordpiece_words.txt"), 0);
  for (char *line = data.data, *end; line && (end = strchr(line, '\n')); line = end + 1, lines++) {
    *end = 0;
    check_words_line(line);
  }
  CHECK(lines > 40);
  buf_release(&data);
}

/* --- odd Unicode --------------------------------------------------------------------------------------- */

static const uint32_t ranges[][2] = {{97, 122},        {32, 126},        {0x80, 0xFF},       {0x100, 0x24F},
                                     {0x300, 0x36F},   {0x370, 0x52F},   {0x590, 0x6FF},     {0x900, 0xDFF},
                                     {0x1E00, 0x1FFF}, {0x2000, 0x206F}, {0x20A0, 0x22FF},   {0x3000, 0x30FF},
                                     {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0x1F300, 0x1FAFF}, {0xF900, 0xFFEF},
                                     {0, 0x10FFFF},    {0, 0x9F}};

static uint32_t below(uint64_t *state, uint32_t n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % n);
}

/* Every hundredth string is one word (or few) of about 10 KB. */
static void repeat_without_spaces(struct buf *text) {
  size_t n = 0;
  size_t times = 10240 / (text->len ? text->len : 1) + 1;
  for (size_t i = 0; i < text->len; i++)
    if (text->data[i] != ' ')
      text->data[n++] = text->data[i];
  text->len = n;
  for (size_t i = 1; i < times; i++) {
    buf_reserve(text, n);
    buf_add(text, text->data, n);
  }
}

static void draw(struct buf *text, size_t index) {
  uint64_t state = index * 2 + 1;
  buf_clear(text);
  for (uint32_t n = 1 + below(&state, 28); n; n--) {
    const uint32_t *range = ranges[below(&state, sizeof ranges / sizeof *ranges)];
    uint32_t c = range[0] + below(&state, range[1] - range[0] + 1);
    char bytes[4];
    if (c < 0xD800 || c > 0xDFFF)
      buf_add(text, bytes, utf8_encode(c, bytes));
  }
  if (index % 100 == 0)
    repeat_without_spaces(text);
}

static void check_starts(struct slice text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    CHECK(starts[i] < text.len && ((unsigned char)text.data[starts[i]] & 0xC0) != 0x80);
    CHECK(i == 0 || starts[i] >= starts[i - 1]);
  }
}

TEST(odd_unicode_has_the_reference_ids) {
  struct buf data, text;
  size_t count = 0, wrong = 0;
  CHECK_INT(read_data(&data, "wordpiece_unicode.txt"), 0);
  buf_init(&text, 1 << 20);
  for (char *at = data.data, *end; at; at = end, count++) {
    uint32_t expected = (uint32_t)strtoul(at, &end, 16);
    if (end == at)
      break;
    draw(&text, count);
    wrong += hash_of(buf_slice(&text)) != expected;
    check_starts(buf_slice(&text), wordpiece_count(tokenizer, buf_slice(&text)));
  }
  CHECK_INT(count, 2000);
  CHECK_INT(wrong, 0);
  buf_release(&text);
  buf_release(&data);
}

/* --- filings ------------------------------------------------------------------------------------------- */

static void add_with_references(struct buf *out, struct slice run) {
  for (size_t i = 0; i < run.len;) {
    size_t digits = 0;
    unsigned long c = 0;
    if (i + 2 < run.len && run.data[i] == '&' && run.data[i + 1] == '#')
      for (; digits < 7 && i + 2 + digits < run.len; digits++) {
        char d = run.data[i + 2 + digits];
        if (d < '0' || d > '9')
          break;
        c = c * 10 + (unsigned long)(d - '0');
      }
    if (digits && i + 2 + digits < run.len && run.data[i + 2 + digits] == ';' && c > 0 && c < 0x110000 &&
        (c < 0xD800 || c > 0xDFFF)) {
      char bytes[4];
      buf_add(out, bytes, utf8_encode((uint32_t)c, bytes));
      i += digits + 3;
    } else
      buf_add_char(out, run.data[i++]);
  }
}

/* The next text between tags at *at; 0 at the end. */
static int next_run(struct slice data, size_t *at, struct slice *run) {
  if (*at > data.len)
    return 0;
  const char *start = data.data + *at, *end = memchr(start, '<', data.len - *at);
  run->data = start;
  run->len = end ? (size_t)(end - start) : data.len - *at;
  const char *close = end ? memchr(end, '>', data.len - (size_t)(end - data.data)) : NULL;
  *at = close ? (size_t)(close - data.data) + 1 : end ? data.len : data.len + 1;
  return 1;
}

static size_t run_length(struct slice run) {
  size_t end = 2000;
  if (run.len <= end)
    return run.len;
  while ((run.data[end] & 0xC0) == 0x80)
    end--;
  return end;
}

/* Compares the strings of one file with its hashes at *at, which moves past them; returns how many differ. */
static size_t compare_file(struct slice data, size_t want, char **at) {
  struct slice run;
  struct buf text;
  size_t place = 0, done = 0, wrong = 0;
  buf_init(&text, 1 << 16);
  while (done < want && next_run(data, &place, &run)) {
    if (run.len < 24 || memmem(run.data, run.len, "e ", 2) == NULL)
      continue;
    run.len = run_length(run);
    if (utf8_valid_prefix(run.data, run.len) != run.len)
      continue;
    buf_clear(&text);
    add_with_references(&text, run);
    wrong += hash_of(buf_slice(&text)) != (uint32_t)strtoul(*at, at, 16);
    done++;
  }
  CHECK_INT(done, want);
  buf_release(&text);
  return wrong;
}

/* One "> path size count" line and its hashes. */
static size_t check_file(const char *shared, char **at) {
  char path[512];
  size_t size = 0, want = 0;
  int read = 0;
  struct buf full, data;
  CHECK_INT(sscanf(*at, "> %511s %zu %zu%n", path, &size, &want, &read), 3);
  *at += read;
  buf_init(&full, 4096);
  buf_init(&data, 1 << 26);
  buf_printf(&full, "%s/upstream/%s", shared, path);
  CHECK_INT(buf_read_file(&data, full.data), 0);
  CHECK_INT(data.len, size);
  size_t wrong = compare_file(buf_slice(&data), want, at);
  if (wrong)
    printf("# %s: %zu of %zu strings differ\n", path, wrong, want);
  CHECK_INT(wrong, 0);
  buf_release(&full);
  buf_release(&data);
  return want;
}

static const char *shared_folder(void) {
  const char *shared = getenv("BID_SHARED");
  if (shared == NULL)
    shared = "../shared";
  return *shared && access(shared, R_OK) == 0 ? shared : NULL;
}

TEST(filings_have_the_reference_ids) {
  const char *shared = shared_folder();
  struct buf data;
  size_t strings = 0;
  CHECK_INT(read_data(&data, "wordpiece_filings.txt"), 0);
  for (char *at = data.data; at && *at == '>'; at += strspn(at, "\n"))
    strings += check_file(shared, &at);
  CHECK_INT(strings, 15000);
  buf_release(&data);
}

/* --- the rest ------------------------------------------------------------------------------------------ */

TEST(at_most_max_ids_are_written) {
  int32_t few[3] = {-7, -7, -7};
  uint32_t where[3] = {99, 99, 99};
  size_t n = wordpiece_encode(tokenizer, slice_str("one two three four"), few, where, 2);
  CHECK_INT(n, 4);
  CHECK_INT(few[2], -7);
  CHECK_INT(where[1], 4);
  CHECK_INT(where[2], 99);
  CHECK_INT(wordpiece_count(tokenizer, slice_str("one two three four")), 4);
  CHECK_INT(wordpiece_encode(tokenizer, slice_of(NULL, 0), NULL, NULL, 0), 0);
}

TEST(words_are_the_tokens_without_punctuation) {
  struct slice text = slice_str("| Net sales (unaudited), $ | 1,234.5 | | --- | caf\xc3\xa9");
  static int32_t words[64];
  static uint32_t where[64];
  size_t n = wordpiece_encode(tokenizer, text, ids, starts, IDS_MAX), left = 0,
         count = wordpiece_words(tokenizer, text, words, where, 64);
  for (size_t i = 0; i < n; i++) {
    if (strchr("|(),$.-", text.data[starts[i]]))
      continue;
    CHECK_INT(words[left], ids[i]);
    CHECK_INT(where[left++], starts[i]);
  }
  CHECK_INT(count, left);
  CHECK(count > 6 && count < n);
}

TEST(starts_are_bytes_of_the_text) {
  struct slice text = slice_str("\xe2\x80\x9cUnaffable\xe2\x80\x9d caf\xc3\xa9");
  size_t n = wordpiece_encode(tokenizer, text, ids, starts, IDS_MAX);
  const uint32_t expected[] = {0, 3, 6, 9, 12, 16}; /* “ una ##ffa ##ble ” cafe */
  CHECK_INT(n, 6);
  for (size_t i = 0; i < 6 && i < n; i++)
    CHECK_INT(starts[i], expected[i]);
}

TEST(invalid_utf8_is_dropped) {
  CHECK(hash_of(slice_str("ab\xff\xfe"
                          "cd \xc3")) == hash_of(slice_str("abcd")));
}

TEST(ids_of_exact_tokens) {
  CHECK_INT(wordpiece_id(tokenizer, slice_str("[CLS]")), 101);
  CHECK_INT(wordpiece_id(tokenizer, slice_str("[SEP]")), 102);
  CHECK_INT(wordpiece_id(tokenizer, slice_str("the")), 1996);
  CHECK_INT(wordpiece_id(tokenizer, slice_str("##s")), 2015);
  CHECK_INT(wordpiece_id(tokenizer, slice_str("telecommunications")), 12108);
  CHECK_INT(wordpiece_id(tokenizer, slice_str("no such token")), -1);
  CHECK_INT(wordpiece_id(tokenizer, slice_str("")), -1);
  CHECK_INT(wordpiece_vocab_size(tokenizer), 30522);
}

/* Every token is found as itself, and cut off or gone on with it is what the tables say. */
TEST(without_tables_every_token_is_found) {
  struct slice v = ordered ? model_section(vocabulary_model, "vocab") : slice_of(NULL, 0);
  size_t wrong = 0, count = 0;
  CHECK_INT(wordpiece_vocab_size(ordered), wordpiece_vocab_size(tokenizer));
  for (const char *end; v.len && (end = memchr(v.data, '\n', v.len)); count++) {
    struct slice token = slice_of(v.data, (size_t)(end - v.data));
    char longer[128];
    wrong += wordpiece_id(ordered, token) != (int32_t)count;
    snprintf(longer, sizeof longer, "%.*sx", (int)token.len, token.data);
    wrong += wordpiece_id(ordered, slice_str(longer)) != wordpiece_id(tokenizer, slice_str(longer));
    token.len--;
    wrong += wordpiece_id(ordered, token) != wordpiece_id(tokenizer, token);
    v = slice_of(end + 1, v.len - token.len - 2);
  }
  CHECK_INT(count, 30522);
  CHECK_INT(wrong, 0);
}

static const char tiny[] = "[UNK]\nab\n##c\n##cdefghijklmnopqrstuvw\nc\n##\nab\n##cx";

/* An order that is none: wrong tokens, or the tables instead, and never a byte outside. */
TEST(any_order_is_survived) {
  struct error_text e = {""};
  struct wordpiece_index_entry order[8];
  uint64_t state = 1;
  for (int round = 0; round < 3000; round++) {
    for (size_t i = 0; i < 8; i++) {
      order[i].start = below(&state, round % 3 ? sizeof tiny + 3 : UINT32_MAX);
      order[i].id = below(&state, round % 5 ? 9 : UINT32_MAX);
    }
    struct slice bytes = slice_of((const char *)order, below(&state, sizeof order + 1));
    struct wordpiece *w = wordpiece_new_ordered(slice_of(tiny, sizeof tiny - 1), bytes, &e);
    size_t n =
        w ? wordpiece_encode(w, slice_str("abc abcdefghijklmnopqrstuvwx [UNK]#!"), ids, starts, 64) : 0;
    for (size_t i = 0; i < n && i < 64; i++)
      CHECK(ids[i] >= 0 && (size_t)ids[i] < wordpiece_vocab_size(w));
    wordpiece_free(w);
  }
}

/* Of equal tokens the last counts, and "##" alone is a token like others. */
TEST(a_tiny_order_works) {
  struct error_text e = {""};
  static const struct wordpiece_index_entry order[] = {{39, 5}, {9, 2}, {13, 3}, {45, 7},
                                                       {0, 0},  {6, 1}, {42, 6}, {37, 4}};
  struct slice vocab = slice_of(tiny, sizeof tiny - 1);
  struct wordpiece *w = wordpiece_new_ordered(vocab, slice_of((const char *)order, sizeof order), &e),
                   *tables = wordpiece_new(vocab, &e);
  static const char *const texts[] = {"abcdefghijklmnopqrstuvw abcc abx !",
                                      "ab c abcx abcxcdefghijklmnopqrstuvw", "## # ab##c"};
  CHECK(w != NULL && tables != NULL);
  for (size_t i = 0; w && tables && i < sizeof texts / sizeof *texts; i++) {
    int32_t other[64];
    size_t n = wordpiece_encode(w, slice_str(texts[i]), ids, starts, 64);
    CHECK_INT(wordpiece_encode(tables, slice_str(texts[i]), other, starts, 64), n);
    CHECK(memcmp(ids, other, n * sizeof *ids) == 0);
  }
  CHECK_INT(wordpiece_id(w, slice_str("ab")), 6);
  CHECK_INT(wordpiece_id(w, slice_str("##")), 5);
  CHECK_INT(wordpiece_id(w, slice_str("##cx")), 7);
  CHECK_INT(wordpiece_id(w, slice_str("##x")), -1);
  wordpiece_free(w);
  wordpiece_free(tables);
}

TEST(no_vocabulary_is_refused) {
  struct error_text e = {""};
  CHECK(wordpiece_new(slice_str(""), &e) == NULL);
  CHECK_STR(e.text, "vocabulary: no [UNK] among its 0 tokens");
  CHECK(wordpiece_new(slice_str("a\n\nb\n"), &e) == NULL);
  CHECK_STR(e.text, "vocabulary: token 1 is empty, too long or holds a zero byte");
  CHECK(wordpiece_new(slice_of("[UNK]\na\0b\n", 10), &e) == NULL);
}

TEST(a_tiny_vocabulary_works) {
  struct error_text e = {""};
  struct wordpiece *w = wordpiece_new(slice_str("[UNK]\nab\n##c\n##cdefghijklmnopqrstuvw\nc"), &e);
  CHECK(w != NULL);
  CHECK_INT(wordpiece_encode(w, slice_str("abcdefghijklmnopqrstuvw abcc abx !"), ids, starts, IDS_MAX), 7);
  const int32_t expected[] = {1, 3, 1, 2, 2, 0, 0};
  for (int i = 0; i < 7; i++)
    CHECK_INT(ids[i], expected[i]);
  wordpiece_free(w);
}

static void skip(const char *name, const char *why) {
  printf("ok %d - %s # SKIP %s\n", ++test_number, name, why);
}

int main(void) {
  RUN(no_vocabulary_is_refused);
  RUN(a_tiny_vocabulary_works);
  RUN(any_order_is_survived);
  RUN(a_tiny_order_works);
  tokenizer = vocabulary_open();
  if (tokenizer == NULL) {
    skip("the reference's ids", "no vocabulary: neither the model nor BID_VOCAB is there");
    return test_done();
  }
  memo = wordpiece_memo_new(tokenizer);
  ordered = vocabulary_open_ordered();
  read_continues();
  if (ordered)
    RUN(without_tables_every_token_is_found);
  else
    skip("without_tables_every_token_is_found", "BID_VOCAB has no order");
  RUN(ids_of_exact_tokens);
  RUN(at_most_max_ids_are_written);
  RUN(words_are_the_tokens_without_punctuation);
  RUN(starts_are_bytes_of_the_text);
  RUN(invalid_utf8_is_dropped);
  RUN(written_strings_have_the_reference_ids);
  RUN(odd_unicode_has_the_reference_ids);
  if (shared_folder())
    RUN(filings_have_the_reference_ids);
  else
    skip("filings_have_the_reference_ids", "no recorded upstreams (BID_SHARED)");
  wordpiece_memo_free(memo);
  wordpiece_free(ordered);
  vocabulary_close(tokenizer);
  return test_done();
}
