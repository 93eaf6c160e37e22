/* Rows of CSV: whatever the bytes and however they come in parts, they are those that libcsv alone would
 * give.
 */
#include "format/csv_rows.h"
#include "test.h"

#include <csv.h>
#include <stdint.h>
#include <stdlib.h>

#define TEXT_MAX 65536

/* Rows as text: each field with its length before it, each row with "\n". */
static struct buf got, expected;
static int rows_wanted;

static int on_row(void *arg, const struct slice *fields, size_t count) {
  (void)arg;
  for (size_t i = 0; i < count; i++) {
    buf_printf(&got, "%zu:", fields[i].len);
    buf_add_slice(&got, fields[i]);
  }
  buf_add_char(&got, '\n');
  return rows_wanted > 0 && --rows_wanted == 0 ? -1 : 0;
}

static void oracle_field(void *field, size_t len, void *arg) {
  (void)arg;
  buf_printf(&expected, "%zu:", len);
  buf_add(&expected, field, len);
}

static void oracle_row(int end, void *arg) {
  (void)end, (void)arg;
  buf_add_char(&expected, '\n');
}

static void read_by_libcsv(const char *text, size_t len) {
  struct csv_parser p;
  csv_init(&p, 0);
  buf_clear(&expected);
  csv_parse(&p, text, len, oracle_field, oracle_row, NULL);
  csv_fini(&p, oracle_field, oracle_row, NULL);
  csv_free(&p);
}

/* In parts of at most `most` bytes, each in memory of its very size. */
static void read_in_parts(const char *text, size_t len, size_t most, uint64_t *state) {
  struct csv_rows *c = csv_rows_new(on_row, NULL);
  buf_clear(&got);
  for (size_t at = 0, n; at < len; at += n) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    n = 1 + (*state >> 33) % most;
    n = n < len - at ? n : len - at;
    char *part = xstrndup(text + at, n);
    CHECK_INT(csv_rows_add(c, part, n), 0);
    memset(part, '#', n);
    free(part);
  }
  CHECK_INT(csv_rows_end(c), 0);
  csv_rows_free(c);
}

static void check(const char *text, size_t len) {
  static const size_t parts[] = {1, 3, 20, 100000};
  uint64_t state = len;
  read_by_libcsv(text, len);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    read_in_parts(text, len, parts[i], &state);
    if (!slice_eq(buf_slice(&got), buf_slice(&expected)))
      printf("# %zu: '%.*s' gives %s, not %s\n", parts[i], (int)(len < 200 ? len : 200), text,
             got.data ? got.data : "", expected.data ? expected.data : "");
    CHECK(slice_eq(buf_slice(&got), buf_slice(&expected)));
  }
}

TEST(written_lines_are_read_as_libcsv_reads_them) {
  static const char *const texts[] = {"a,b\nc,d\n",
                                      "a,b\r\nc,d",
                                      "a,b\rc,d\r",
                                      "a,b\r\r\nc\n\n\r\nd",
                                      " a , b\t,\t c d \n",
                                      "\"a\",\"b,c\",\"d\"\"e\"\nf,g\n",
                                      "\"a\nb\",c\nd,e\n",
                                      "\"a\r\nb\",c\r\nd,e\r\n",
                                      "a,\"never closed\nb,c\nd",
                                      "a\"b,c\nd,\"e\"f\n",
                                      ",\n,,\n  \n \t\n\"\"\n",
                                      "a,b,\n,c,\r\n,",
                                      "\xef\xbb\xbf\"a\",b\n1,2\n",
                                      "",
                                      "\n",
                                      "\"",
                                      "12345678901234567890,123456789012345,1234567890123456,\n1"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    check(texts[i], strlen(texts[i]));
}

TEST(drawn_bytes_are_read_as_libcsv_reads_them) {
  static const char drawn[] = "a,b,cdefgh \t\n\n,\0x\r\"\n\r\"\"";
  static char text[600];
  uint64_t state = 7;
  for (size_t i = 0; i < 1500; i++) {
    size_t kinds = 11 + i % (sizeof drawn - 11), len = i % sizeof text;
    for (size_t k = 0; k < len; k++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      text[k] = drawn[(state >> 33) % kinds];
    }
    check(text, len);
  }
}

TEST(a_row_has_its_ceilings) {
  static char text[2 * CSVROWS_COLUMNS + 2];
  struct csv_rows *c = csv_rows_new(on_row, NULL);
  memset(text, ',', sizeof text);
  text[sizeof text - 1] = '\n';
  buf_clear(&got);
  CHECK_INT(csv_rows_add(c, text, sizeof text), 0);
  CHECK_INT(got.len, 2 * CSVROWS_COLUMNS + 1); /* "0:" each */
  int status = 0;
  memset(text, 'a', sizeof text);
  for (size_t i = 0; i < CSVROWS_ROW / sizeof text + 2; i++)
    status |= csv_rows_add(c, text, sizeof text);
  CHECK_INT(status, -1);
  csv_rows_free(c);
}

TEST(who_takes_the_rows_can_stop_them) {
  struct csv_rows *c = csv_rows_new(on_row, NULL);
  buf_clear(&got);
  rows_wanted = 2;
  CHECK_INT(csv_rows_add(c, "a\nb\nc\n", 6), -1);
  CHECK_INT(csv_rows_add(c, "d\n", 2), -1);
  CHECK_INT(csv_rows_end(c), -1);
  CHECK_STR(got.data, "1:a\n1:b\n");
  csv_rows_free(c);
  rows_wanted = 0;
}

int main(void) {
  buf_init(&got, TEXT_MAX);
  buf_init(&expected, TEXT_MAX);
  RUN(written_lines_are_read_as_libcsv_reads_them);
  RUN(drawn_bytes_are_read_as_libcsv_reads_them);
  RUN(a_row_has_its_ceilings);
  RUN(who_takes_the_rows_can_stop_them);
  buf_release(&got);
  buf_release(&expected);
  return test_done();
}
