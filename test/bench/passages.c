/* passages.c: makes many chunks out of few: "passages SEEDS.ndjson COUNT [PER-DOCUMENT] > OUT".
 *
 * SEEDS are chunks of real filings (bid-strip | bid-chunk).  Every passage made is 1.5 KB of them with
 * numbers changed and some words swapped with words of another: a store of many filings of the same kind.
 * bid-embed gives them their vectors.  The same arguments give the same bytes.
 */
#include "json.h"
#include "output.h"
#include "record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const fields[] = {"text", "context", NULL};

struct seed {
  char *text, *context;
};

static struct seed *seeds;
static size_t seed_count;
static uint64_t state = 88172645463325252u;

/* xorshift64 (Marsaglia 2003). */
static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void add_seed(const struct record *rec, struct buf *scratch) {
  struct slice text = json_text(rec->field[0], scratch);
  if (rec->is_error || text.len < 100)
    return;
  seeds = xreallocarray(seeds, seed_count + 1, sizeof *seeds);
  struct seed *s = &seeds[seed_count++];
  s->text = xstrndup(text.data, text.len);
  text = json_text(rec->field[1], scratch);
  s->context = xstrndup(text.data ? text.data : "", text.len);
}

static void read_seeds(const char *path) {
  struct buf scratch;
  struct record rec;
  int fd = open(path, O_RDONLY);
  struct record_reader *r = record_reader_new(fd, fields, NULL, NULL);
  buf_init(&scratch, RECORD_MAX);
  while (fd >= 0 && record_read(r, &rec) == RECORD_OK)
    add_seed(&rec, &scratch);
  record_reader_free(r);
  buf_release(&scratch);
  close(fd);
}

/* The seed's text up to 1.5 KB (joined with the next ones' where it is shorter), numbers changed, a word of
 * each twenty taken from another seed. */
static void vary(struct buf *out, size_t seed, size_t wanted) {
  const char *other = seeds[draw() % seed_count].text;
  for (size_t k = seed; out->len < wanted; k = (k + 1) % seed_count) {
    for (const char *p = seeds[k].text; *p && out->len < wanted; p++) {
      if (*p >= '0' && *p <= '9' && draw() % 3 == 0)
        buf_add_char(out, (char)('0' + draw() % 10));
      else if (*p == ' ' && draw() % 20 == 0 && *other) {
        const char *end = strchr(other + 1, ' ');
        size_t n = end && end - other < 24 ? (size_t)(end - other) : 1;
        buf_add(out, other, n);
        other = end ? end : "";
        buf_add_char(out, ' ');
      } else
        buf_add_char(out, *p);
    }
    buf_add_char(out, ' ');
  }
  size_t end = out->len;
  while (end > 0 && ((unsigned char)out->data[end - 1] & 0xc0) == 0x80)
    end--;
  if (end > 0 && (unsigned char)out->data[end - 1] >= 0xc0)
    end--;
  out->len = end < out->len ? end : out->len;
}

static void put_record(struct output *out, size_t i, size_t per_document, struct buf *text) {
  static const char *const forms[] = {"10-K", "10-Q", "8-K", "20-F"};
  size_t document = i / per_document, company = document % 500, seed = draw() % seed_count;
  struct buf *b = &out->buf;
  buf_printf(
      b,
      "{\"source\":\"sec-filings\",\"sourceUrl\":\"https://www.sec.gov/Archives/edgar/data/%zu/%zu.htm\","
      "\"capturedAt\":\"2026-01-02T03:04:05Z\",\"contentType\":\"text/"
      "html\",\"metadata\":{\"company\":\"Company "
      "%zu Inc.\",\"ticker\":\"C%zu\",\"cik\":\"%010zu\",\"form\":\"%s\",\"filingDate\":\"20%02zu-%02zu-15\","
      "\"fiscalYear\":\"20%02zu\",\"fiscalPeriod\":\"FY\"},\"id\":\"%016zx%016llx\"",
      company, document, company, company, company, forms[document / 500 % 4], document / 2000 % 25 + 1,
      document % 12 + 1, document / 2000 % 25, i, (unsigned long long)draw());
  buf_clear(text);
  vary(text, seed, 1500);
  json_str(b, "text", buf_slice(text));
  json_cstr(b, "context", seeds[seed].context);
  buf_printf(b,
             ",\"chunk\":{\"index\":%zu,\"start\":%zu,\"end\":%zu,\"page\":%zu,\"item\":\"%zu\",\"tokens\":"
             "300,\"last\":%s}",
             i % per_document, i % per_document * 1500, i % per_document * 1500 + 1500,
             i % per_document / 3 + 1, i % per_document % 15 + 1, (i + 1) % per_document ? "false" : "true");
  buf_add_str(b, "}\n");
  output_flush_if_full(out);
}

int main(int argc, char **argv) {
  struct output out;
  struct buf text;
  if (argc < 3)
    return 64;
  size_t count = strtoul(argv[2], NULL, 10), per_document = argc > 3 ? strtoul(argv[3], NULL, 10) : 200;
  read_seeds(argv[1]);
  if (!seed_count || !per_document)
    return 66;
  output_init(&out, STDOUT_FILENO);
  buf_init(&text, 1 << 16);
  for (size_t i = 0; i < count && !out.error; i++)
    put_record(&out, i, per_document, &text);
  return output_close(&out) ? 74 : 0;
}
