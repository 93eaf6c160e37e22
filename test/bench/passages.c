/* passages.c: generates many chunks from a few: "passages SEEDS.ndjson COUNT [PER-DOCUMENT [FIRST]] > OUT".
 *
 * SEEDS are chunks of real filings (bid-strip | bid-chunk).  Varying a single seed per passage (other numbers, some
 * other words) was tried first: 1,000,000 passages from 3,000 seeds contain 300 near copies of each, whose scores
 * differ in the fourth digit, so a scan is measured on ties that no real store has.  Therefore a passage of 1.5 KB
 * is composed of runs of one to three sentences (for tables, two to six rows) from two to four seeds of the same
 * kind, half of them from nearby in the same filing.  A generated document has other names (capitalised words are
 * replaced consistently within the document), other years and other numbers than its seeds, and one in sixteen
 * plain words is replaced.  bid-embed adds the vectors.  The same arguments give the same bytes; FIRST, the number
 * of the first passage, makes a part of a larger collection.
 */
#include "record/json.h"
#include "record/output.h"
#include "record/record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEXT = 1500, NEAR = 40, PARTNERS = 4 };

static const char *const fields[] = {"text", "context", NULL};

/* A sentence or a row of a table, with the blank or newline after it. */
struct piece {
  const char *text;
  size_t len;
};

struct seed {
  struct piece *pieces;
  size_t count;
  char *context;
};

/* Seeds of one kind, in their order in the filings. */
struct kind {
  struct seed *seeds;
  size_t count;
};
static struct kind prose, tables;

struct words {
  struct piece *list;
  size_t count, cap;
};
static struct words names, plain;

static uint64_t state = 88172645463325252u;

/* xorshift64 (Marsaglia 2003). */
static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static int is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
static int is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
static int is_digit(char c) {
  return c >= '0' && c <= '9';
}
static int is_letter(char c) {
  return is_upper(c) || is_lower(c);
}

/* ---- seeds ---- */

static void add_word(struct words *w, const char *text, size_t len) {
  if (w->count == w->cap) {
    w->cap = w->cap ? 2 * w->cap : 1024;
    w->list = xreallocarray(w->list, w->cap, sizeof *w->list);
  }
  w->list[w->count++] = (struct piece){text, len};
}

/* Words in capitals that don't begin a sentence are names; long lower-case ones are plain. */
static void collect_words(const char *text) {
  for (const char *p = text; *p;) {
    size_t n = 0;
    while (is_letter(p[n]))
      n++;
    if (n > 4 && is_upper(p[0]) && is_lower(p[1]) && p > text + 1 && p[-1] == ' ' && is_letter(p[-2]))
      add_word(&names, p, n);
    if (n > 4 && is_lower(p[0]))
      add_word(&plain, p, n);
    p += n ? n : 1;
  }
}

static int ends_piece(const char *p, int table) {
  if (*p == '\n')
    return 1;
  return !table && (*p == '.' || *p == ';') && p[1] == ' ' && is_upper(p[2]);
}

static void cut_pieces(struct seed *s, const char *text, int table) {
  for (const char *from = text, *p = text;; p++) {
    if (*p && !ends_piece(p, table))
      continue;
    const char *end = p;
    while (*end == '\n' || *end == ' ' || *end == '.' || *end == ';')
      end++;
    if (p - from > 10) {
      s->pieces = xreallocarray(s->pieces, s->count + 1, sizeof *s->pieces);
      s->pieces[s->count++] = (struct piece){from, (size_t)(end - from)};
    }
    if (!*end)
      return;
    from = end;
    p = end - 1;
  }
}

static int is_table(const char *text) {
  size_t lines = 1, rows = text[0] == '|';
  for (const char *p = text; *p; p++)
    if (*p == '\n' && p[1] != '\n') {
      lines++;
      rows += p[1] == '|';
    }
  return rows * 2 > lines;
}

static void add_seed(const struct record *rec, struct buf *scratch) {
  struct slice text = json_text(rec->field[0], scratch);
  if (rec->is_error || text.len < 200)
    return;
  char *copy = xstrndup(text.data, text.len);
  int table = is_table(copy);
  struct kind *k = table ? &tables : &prose;
  struct seed s = {NULL, 0, NULL};
  cut_pieces(&s, copy, table);
  text = json_text(rec->field[1], scratch);
  s.context = xstrndup(text.data ? text.data : "", text.len);
  if (!table)
    collect_words(copy);
  if (s.count < 2)
    return;
  k->seeds = xreallocarray(k->seeds, k->count + 1, sizeof *k->seeds);
  k->seeds[k->count++] = s;
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

/* ---- a passage ---- */

/* The replacement for a name in this document. */
static struct piece other_name(const char *word, size_t len, uint64_t document) {
  uint64_t h = (document + 1) * 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < len; i++)
    h = (h ^ (uint8_t)word[i]) * 0x100000001b3u;
  h ^= h >> 31;
  return names.count ? names.list[h % names.count] : (struct piece){word, len};
}

static void put_word(struct buf *out, const char *word, size_t n, uint64_t document) {
  struct piece w = {word, n};
  if (n > 4 && is_upper(word[0]) && is_lower(word[1]))
    w = other_name(word, n, document);
  else if (n > 4 && is_lower(word[0]) && draw() % 16 == 0)
    w = plain.list[draw() % plain.count];
  buf_add(out, w.text, w.len);
}

/* Years are shifted by the same amount within a document; each digit of other numbers may change, the first stays above 0. */
static void put_number(struct buf *out, const char *p, size_t n, uint64_t document) {
  if (n == 4 && (memcmp(p, "20", 2) == 0 || memcmp(p, "199", 3) == 0)) {
    buf_printf(out, "%ld", 1995 + (strtol(p, NULL, 10) + (long)(document * 7)) % 31);
    return;
  }
  uint64_t r = draw();
  for (size_t i = 0; i < n; i++, r = r >> 4 | r << 60)
    buf_add_char(out, (char)(i == 0 ? (p[0] == '0' ? '0' : '1' + (char)(r % 9)) : '0' + (char)(r % 10)));
}

static void put_piece(struct buf *out, struct piece piece, uint64_t document) {
  const char *p = piece.text, *end = p + piece.len;
  while (p < end) {
    size_t n = 0;
    if (is_letter(*p)) {
      while (p + n < end && is_letter(p[n]))
        n++;
      put_word(out, p, n, document);
    } else if (is_digit(*p)) {
      while (p + n < end && is_digit(p[n]))
        n++;
      put_number(out, p, n, document);
    } else
      buf_add(out, p, n = 1);
    p += n;
  }
}

static size_t partner_of(const struct kind *k, size_t seed) {
  if (draw() % 2)
    return draw() % k->count;
  return (seed + k->count + draw() % (2 * NEAR) - NEAR) % k->count;
}

/* A seed whose pieces are used in runs, each piece once until all have been used. */
struct partner {
  const struct seed *seed;
  size_t next;
};

static void put_run(struct buf *out, struct partner *from, size_t most, uint64_t document) {
  for (size_t n = 1 + draw() % most; n > 0 && out->len < TEXT; n--, from->next++)
    put_piece(out, from->seed->pieces[from->next % from->seed->count], document);
  if (out->len && out->data[out->len - 1] != '\n' && out->data[out->len - 1] != ' ')
    buf_add_char(out, most > 3 ? '\n' : ' ');
}

/* Cut at TEXT bytes, before a broken character. */
static void cut_text(struct buf *out) {
  size_t end = out->len < TEXT ? out->len : TEXT;
  while (end < out->len && end > 0 && ((unsigned char)out->data[end] & 0xc0) == 0x80)
    end--;
  out->len = end;
}

/* The part of a seed's context after company, form and period: "Item 1A. Risk Factors · Competition". */
static const char *place_of(const char *context) {
  for (int i = 0; i < 3; i++) {
    const char *dot = strstr(context, " \xc2\xb7 ");
    if (!dot)
      return context;
    context = dot + 4;
  }
  return context;
}

/* Returns the seed's context. */
static const char *make_text(struct buf *out, uint64_t document) {
  const struct kind *k =
      draw() % (prose.count + tables.count) < prose.count && prose.count ? &prose : &tables;
  struct partner partner[PARTNERS];
  size_t seed = draw() % k->count, partners = 2 + draw() % (PARTNERS - 1);
  for (size_t i = 0; i < partners; i++) {
    const struct seed *s = &k->seeds[i ? partner_of(k, seed) : seed];
    partner[i] = (struct partner){s, draw() % s->count};
  }
  buf_clear(out);
  for (size_t i = 0; out->len < TEXT; i++)
    put_run(out, &partner[i % partners], k == &tables ? 6 : 3, document);
  cut_text(out);
  return k->seeds[seed].context;
}

static void put_record(struct output *out, size_t i, size_t per_document, struct buf *text) {
  static const char *const forms[] = {"10-K", "10-Q", "8-K", "20-F"};
  char context[600];
  size_t document = i / per_document, company = document % 500;
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
  snprintf(context, sizeof context, "Company %zu Inc. (C%zu) \xc2\xb7 %s \xc2\xb7 FY 20%02zu \xc2\xb7 %.400s",
           company, company, forms[document / 500 % 4], document / 2000 % 25,
           place_of(make_text(text, document)));
  json_str(b, "text", buf_slice(text));
  json_cstr(b, "context", context);
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
  size_t first = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
  state ^= (uint64_t)first * 0x9e3779b97f4a7c15u;
  read_seeds(argv[1]);
  if (!prose.count || !tables.count || !plain.count || !per_document)
    return 66;
  output_init(&out, STDOUT_FILENO);
  buf_init(&text, 1 << 20);
  for (size_t i = 0; i < count && !out.error; i++)
    put_record(&out, first + i, per_document, &text);
  return output_close(&out) ? 74 : 0;
}
