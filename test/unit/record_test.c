/* The record stream: what it accepts and refuses, in the spirit of the JSON Parsing Test Suite, and that what
 * is not touched comes out byte for byte. */
#include "record/json.h"
#include "record/record.h"
#include "test.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

struct sample {
  const char *text;
  size_t len; /* 0: strlen */
};
#define S(literal)                                                                                           \
  { literal, sizeof(literal) - 1 }

/* Each is a value; it is tried inside {"a":…}. */
static const struct sample accepted[] = {
    S("0"),
    S("-0"),
    S("-1"),
    S("1.5"),
    S("123e65"),
    S("0e+1"),
    S("0e1"),
    S("1E-2"),
    S("1E22"),
    S("-123.456e-7"),
    S("20e1"),
    S("1E400"),
    S("100000000000000000000000000000"),
    S("[]"),
    S("{}"),
    S("[[]]"),
    S("[\"\"]"),
    S("[null,1,\"1\",{}]"),
    S("true"),
    S("false"),
    S("null"),
    S("\"\""),
    S("\" \""),
    S("\"asd\""),
    S("[ 1 , 2 ]"),
    S("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""),
    S("\"\\u0060\\u012a\\u12AB\""),
    S("\"\\uD801\\udc37\""),
    S("\"\\u0000\""),
    S("\"\\uFFFF\""),
    S("\"\\uDBFF\\uDFFF\""),
    S("\"\\ud83d\\ude39\\ud83d\\udc8d\""),
    S("\"\xcf\x80\""),
    S("\"\xe2\x82\xac\xf0\x9f\x98\x80\""),
    S("\"\xef\xbf\xbe\""),
    S("\"\xf4\x8f\xbf\xbf\""),
    S("\"\x7f\""),
    S("\"\\u0012\""),
    S("\"\\\\u0000\""),
    S("{\"a\":{\"a\":1}}"),
    S("[{\"x\":1},{\"x\":2}]"),
    S("{\"\":0}"),
    S("{\"title\":\"\\u041f\\u043e\"}"),
    S("\"/*comment*/\""),
    S("[\t1\r]"),
    S("\"0123456789012345678901234567890123456789\\n0123456789012345\"")};

static const struct sample refused[] = {S("01"),
                                        S("-01"),
                                        S("+1"),
                                        S("1."),
                                        S(".5"),
                                        S("-"),
                                        S("- 1"),
                                        S("1e"),
                                        S("1e+"),
                                        S("0x1"),
                                        S("1_000"),
                                        S("1,000"),
                                        S("NaN"),
                                        S("Infinity"),
                                        S("-Infinity"),
                                        S("1.e5"),
                                        S("0.e1"),
                                        S("2.e+3"),
                                        S("1eE2"),
                                        S("1.2a"),
                                        S("1ea"),
                                        S("\xef\xbc\x91"),
                                        S("[1,]"),
                                        S("[,1]"),
                                        S("[1,,2]"),
                                        S("[1 2]"),
                                        S("[1;2]"),
                                        S("[1}"),
                                        S("["),
                                        S("[1"),
                                        S("]"),
                                        S("{"),
                                        S("{\"x\"}"),
                                        S("{\"x\":}"),
                                        S("{\"x\" 1}"),
                                        S("{x:1}"),
                                        S("{'x':1}"),
                                        S("{1:1}"),
                                        S("{\"x\":1,}"),
                                        S("{\"x\":1,,\"y\":2}"),
                                        S("{,}"),
                                        S("{\"x\":1 \"y\":2}"),
                                        S("{\"x\":1}}"),
                                        S("'a'"),
                                        S("\"a"),
                                        S("\""),
                                        S("\"\\"),
                                        S("\"\\x00\""),
                                        S("\"\\a\""),
                                        S("\"\\u00\""),
                                        S("\"\\u00G0\""),
                                        S("\"\\U0041\""),
                                        S("\"\\ \""),
                                        S("\"\\uD800\""),
                                        S("\"\\uDFAA\""),
                                        S("\"\\uD888\\u1234\""),
                                        S("\"\\ud800abc\""),
                                        S("\"\\uD834\\uD834\""),
                                        S("\"\\uDd1e\\uD834\""),
                                        S("\"\t\""),
                                        S("\"\x01\""),
                                        S("\"\x1f\""),
                                        S("\"\0\""),
                                        S("\"\xff\""),
                                        S("\"\x80\""),
                                        S("\"\xc0\xaf\""),
                                        S("\"\xe0\x80\x80\""),
                                        S("\"\xed\xa0\x80\""),
                                        S("\"\xf4\x90\x80\x80\""),
                                        S("\"\xf8\x88\x80\x80\x80\""),
                                        S("\"\xe2\x82\""),
                                        S("\"\xc3\""),
                                        S("tru"),
                                        S("True"),
                                        S("nul"),
                                        S("nullx"),
                                        S("true1"),
                                        S("/**/1"),
                                        S("//1"),
                                        S("\xef\xbb\xbf"
                                          "1"),
                                        S("1\f"),
                                        S("\v1"),
                                        S("{\"k\":1,\"k\":2}"),
                                        S("{\"k\":1,\"\\u006b\":2}"),
                                        S("[{\"a\":{\"q\":1,\"q\":1}}]"),
                                        S("1 2"),
                                        S("\"a\"\"b\""),
                                        S("<a>"),
                                        S("#"),
                                        S("*"),
                                        S("\\u000A\"\""),
                                        S("")};

static enum record_status parse(const char *line, size_t len, struct record *rec, const char **why,
                                size_t *at) {
  static const char *const fields[] = {"a", "b", NULL};
  char *exact = malloc(len ? len : 1); /* so that the sanitizer sees a read past the end */
  memcpy(exact, line, len);
  enum record_status status = record_parse(exact, len, fields, rec, why, at);
  free(exact);
  return status;
}

static enum record_status parse_value(const struct sample *s, const char **why, size_t *at) {
  char line[512];
  struct record rec;
  memcpy(line, "{\"a\":", 5);
  memcpy(line + 5, s->text, s->len);
  line[5 + s->len] = '}';
  return parse(line, s->len + 6, &rec, why, at);
}

TEST(values_of_the_standard_are_accepted) {
  for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
    const char *why = NULL;
    size_t at = 0;
    int taken = parse_value(&accepted[i], &why, &at) == RECORD_OK;
    CHECK(taken);
    if (!taken)
      printf("# %s: %s at %zu\n", accepted[i].text, why, at);
  }
}

TEST(everything_else_is_refused) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    const char *why = NULL;
    size_t at = 0;
    int bad = parse_value(&refused[i], &why, &at) == RECORD_BAD && why && at >= 1 && at <= refused[i].len + 7;
    CHECK(bad);
    if (!bad)
      printf("# %s\n", refused[i].text);
  }
}

TEST(a_record_is_one_object) {
  static const struct sample others[] = {S("1"),      S("[]"),   S("\"a\""),         S("null"),
                                         S("{}{}"),   S("{} x"), S("x{}"),           S("{\"a\":1"),
                                         S("{\"a\""), S("{"),    S("\xef\xbb\xbf{}")};
  struct record rec;
  const char *why;
  size_t at;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    CHECK(parse(others[i].text, others[i].len, &rec, &why, &at) == RECORD_BAD);
  CHECK(parse(" {} \r", 5, &rec, &why, &at) == RECORD_OK);
  CHECK_INT(rec.line.len, 2);
}

static enum record_status parse_nested(int depth) {
  char line[3000];
  struct record rec;
  const char *why;
  size_t at, n = 0;
  n += (size_t)sprintf(line, "{\"a\":");
  memset(line + n, '[', (size_t)depth);
  n += (size_t)depth;
  memset(line + n, ']', (size_t)depth);
  n += (size_t)depth;
  line[n++] = '}';
  return parse(line, n, &rec, &why, &at);
}

TEST(nesting_ends_at_512) {
  CHECK(parse_nested(511) == RECORD_OK);
  CHECK(parse_nested(512) == RECORD_BAD);
}

TEST(duplicate_keys_of_large_objects_are_found) {
  for (int twice = 0; twice < 2; twice++) {
    struct buf line;
    struct record rec;
    const char *why = "";
    size_t at;
    buf_init(&line, 1 << 20);
    buf_add_str(&line, "{\"a\":{");
    for (int i = 0; i < 500; i++)
      buf_printf(&line, "%s\"key%d\":%d", i ? "," : "", i, i);
    buf_add_str(&line, twice ? ",\"key\\u0037\":0}}" : "}}");
    CHECK(parse(line.data, line.len, &rec, &why, &at) == (twice ? RECORD_BAD : RECORD_OK));
    if (twice)
      CHECK_STR(why, "duplicate key");
    buf_release(&line);
  }
}

TEST(fields_are_raw_slices_and_the_rest_is_untouched) {
  static const char text[] =
      "{ \"x\" : 1.50 , \"a\":\"t\\u0065xt\", \"big\":123456789012345678901234567890 ,\"b\":[1, 2]}";
  static const char *const fields[] = {"a", "b", "missing", NULL};
  struct record rec;
  const char *why;
  size_t at;
  struct buf out, scratch;
  buf_init(&out, 1000);
  buf_init(&scratch, 1000);
  CHECK(record_parse(text, sizeof text - 1, fields, &rec, &why, &at) == RECORD_OK);
  CHECK(slice_is(rec.field[0], "\"t\\u0065xt\""));
  CHECK(slice_is(json_text(rec.field[0], &scratch), "text"));
  CHECK(slice_is(rec.field[1], "[1, 2]"));
  CHECK(rec.field[2].data == NULL);
  record_open(&out, &rec, "a", NULL);
  json_int(&out, "n", 7);
  record_close(&out);
  CHECK_STR(out.data, "{\"x\" : 1.50,\"big\":123456789012345678901234567890 ,\"b\":[1, 2],\"n\":7}\n");
  buf_clear(&out);
  record_open(&out, &rec, "x", "a", "big", "b", NULL);
  json_cstr(&out, "only", "this");
  record_close(&out);
  CHECK_STR(out.data, "{\"only\":\"this\"}\n");
  buf_release(&out);
  buf_release(&scratch);
}

/* The value's own keys move where decoded keys are kept. */
TEST(a_field_whose_name_has_an_escape_is_known_behind_a_value_of_many_keys) {
  static const char *const fields[] = {"a", "text", NULL};
  struct buf line;
  struct record rec;
  const char *why = "";
  size_t at;
  buf_init(&line, 1 << 20);
  buf_add_str(&line, "{\"\\u0074ext\":{");
  for (int i = 0; i < 300; i++)
    buf_printf(&line, "%s\"\\u006bey %d of the value\":{\"\\u0074ext\":1}", i ? "," : "", i);
  buf_add_str(&line, "},\"a\":1}");
  CHECK(record_parse(line.data, line.len, fields, &rec, &why, &at) == RECORD_OK);
  CHECK(rec.field[1].data && rec.field[1].data[0] == '{');
  CHECK(slice_is(rec.field[0], "1"));
  buf_release(&line);
}

TEST(errors_are_known_by_their_object) {
  struct record rec;
  const char *why;
  size_t at;
  CHECK(parse("{\"error\":{\"category\":\"x\"}}", 26, &rec, &why, &at) == RECORD_OK && rec.is_error);
  CHECK(parse("{\"error\":\"text\"}", 16, &rec, &why, &at) == RECORD_OK && !rec.is_error);
  CHECK(parse("{\"a\":{\"error\":{}}}", 18, &rec, &why, &at) == RECORD_OK && !rec.is_error);
}

/* A pipe's reading end that gives these bytes in pieces. */
static int feed(const char *text, size_t len, size_t step, pid_t *child) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  fflush(stdout);
  *child = fork();
  if (*child == 0) {
    close(ends[0]);
    for (size_t i = 0; i < len; i += step)
      if (write(ends[1], text + i, len - i < step ? len - i : step) < 0)
        _exit(1);
    _exit(0);
  }
  close(ends[1]);
  return ends[0];
}

TEST(lines_come_whole_whatever_the_reads) {
  static const char text[] = "{\"a\":1}\n\n  \n{\"a\":2}\r\nbad\n{\"a\":3}\n{\"a\":";
  static const enum record_status expected[] = {RECORD_OK, RECORD_OK,  RECORD_BAD,
                                                RECORD_OK, RECORD_BAD, RECORD_END};
  static const uint64_t lines[] = {1, 4, 5, 6, 7}, offsets[] = {0, 12, 21, 25, 33};
  static const char *const fields[] = {"a", NULL};
  for (size_t step = 1; step < sizeof text; step += 5) {
    pid_t child;
    int fd = feed(text, sizeof text - 1, step, &child);
    struct record_reader *r = record_reader_new(fd, fields, NULL, NULL);
    struct record rec;
    for (int i = 0; i < 6; i++) {
      enum record_status status = record_read(r, &rec);
      CHECK_INT(status, expected[i]);
      if (status == RECORD_END)
        break;
      CHECK_INT(rec.number, lines[i]);
      CHECK_INT(rec.offset, offsets[i]);
    }
    record_reader_free(r);
    close(fd);
  }
}

TEST(the_byte_of_a_fault_counts_a_byte_order_mark) {
  static const char text[] = "\xef\xbb\xbf{\"a\":01}\n{\"a\":01}\n";
  pid_t child;
  int fd = feed(text, sizeof text - 1, sizeof text, &child);
  struct record_reader *r = record_reader_new(fd, NULL, NULL, NULL);
  struct record rec;
  CHECK_INT(record_read(r, &rec), RECORD_BAD);
  size_t first = record_why_byte(r);
  CHECK_INT(record_read(r, &rec), RECORD_BAD);
  CHECK_INT(first, record_why_byte(r) + 3);
  record_reader_free(r);
  close(fd);
}

static char *long_line(size_t text, size_t *len) {
  char *line = malloc(text + 100);
  size_t n = (size_t)sprintf(line, "{\"a\":\"");
  memset(line + n, 'x', text);
  n += text;
  n += (size_t)sprintf(line + n, "\"}\n{\"a\":5}\n");
  *len = n;
  return line;
}

TEST(a_line_over_the_ceiling_is_skipped_and_the_next_one_read) {
  static const char *const fields[] = {"a", NULL};
  for (int over = 0; over < 2; over++) {
    size_t len;
    char *text = long_line(RECORD_MAX - 8 + (size_t)over, &len);
    pid_t child;
    int fd = feed(text, len, 1 << 20, &child);
    struct record_reader *r = record_reader_new(fd, fields, NULL, NULL);
    struct record rec = {.line = slice_str("of an earlier read")};
    CHECK_INT(record_read(r, &rec), over ? RECORD_BAD : RECORD_OK);
    CHECK_INT(rec.line.len, over ? 0 : RECORD_MAX);
    CHECK_INT(record_read(r, &rec), RECORD_OK);
    CHECK_INT(rec.number, 2);
    CHECK(slice_is(rec.field[0], "5"));
    CHECK_INT(record_read(r, &rec), RECORD_END);
    record_reader_free(r);
    close(fd);
    free(text);
  }
}

TEST(strings_are_written_as_json) {
  struct buf out;
  buf_init(&out, 1000);
  json_add_string(&out, "a\"\\\n\t\x01\x7f\xc3\xa9\xff\xe2\x82z", 13);
  CHECK_STR(out.data, "\"a\\\"\\\\\\n\\t\\u0001\x7f\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\"");
  buf_release(&out);
}

TEST(decoding_undoes_encoding) {
  struct buf out;
  buf_init(&out, 1000);
  json_decode(slice_str("\"\\u0041\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\\\"\\\\\\u00e9\""), &out);
  CHECK_STR(out.data, "A\xf0\x9f\x98\x80/\b\f\n\r\t\"\\\xc3\xa9");
  CHECK(json_decode(slice_str("12"), &out) == -1);
  buf_release(&out);
}

/* By the byte, as the standard has it: what the writer that takes blocks must give. */
static void write_plainly(struct buf *out, const char *text, size_t len) {
  buf_add_char(out, '"');
  for (size_t i = 0; i < len; i++)
    if (text[i] == '\n')
      buf_add_str(out, "\\n");
    else if (text[i] == '"' || text[i] == '\\')
      buf_printf(out, "\\%c", text[i]);
    else if ((unsigned char)text[i] < 0x20)
      buf_printf(out, "\\u%04x", (unsigned)text[i]);
    else if (text[i] == '\xff')
      buf_add_str(out, "\xef\xbf\xbd");
    else
      buf_add_char(out, text[i]);
  buf_add_char(out, '"');
}

TEST(what_needs_an_escape_is_found_wherever_it_stands) {
  static const char odd[] = "\n\"\\\x01\xff";
  char text[71];
  struct buf written, expected, decoded;
  buf_init(&written, 1 << 10);
  buf_init(&expected, 1 << 10);
  buf_init(&decoded, 1 << 10);
  for (size_t len = 1; len <= sizeof text; len++)
    for (size_t at = 0; at < 2 * len * (sizeof odd - 1); at++) {
      memset(text, 'a', sizeof text);
      text[at / 2 % len] = odd[at / 2 / len];
      text[(at / 2 + at % 2 * 17) % len] = odd[at / 2 / len]; /* alone, or two of them */
      buf_release(&written);                                  /* so that it has to grow */
      buf_clear(&expected);
      buf_clear(&decoded);
      json_add_string(&written, text, len);
      write_plainly(&expected, text, len);
      CHECK(slice_eq(buf_slice(&written), buf_slice(&expected)));
      CHECK_INT(json_decode(buf_slice(&written), &decoded), 0);
      CHECK(slice_eq(json_text_in_place(buf_slice(&written), written.data), buf_slice(&decoded)));
      CHECK(odd[at / 2 / len] == '\xff' || slice_eq(buf_slice(&decoded), slice_of(text, len)));
    }
  buf_release(&written);
  buf_release(&expected);
  buf_release(&decoded);
}

TEST(json_within_json_is_written) {
  static const char drawn[] = "ab \"\"\\\"\n";
  char text[300];
  uint64_t state = 1;
  struct buf written, expected;
  buf_init(&written, 1 << 11);
  buf_init(&expected, 1 << 11);
  for (size_t len = 0; len < sizeof text; len++)
    for (size_t kinds = 5; kinds < sizeof drawn; kinds++) {
      for (size_t i = 0; i < len; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        text[i] = drawn[(state >> 33) % kinds];
      }
      buf_release(&written); /* so that it has to grow */
      buf_clear(&expected);
      json_add_string(&written, text, len);
      write_plainly(&expected, text, len);
      CHECK(slice_eq(buf_slice(&written), buf_slice(&expected)));
    }
  buf_release(&written);
  buf_release(&expected);
}

static void compare_number(float value) {
  char expected[64];
  struct buf written;
  buf_init(&written, 1 << 10);
  buf_add_char(&written, '{');
  json_double(&written, "a", (double)value);
  snprintf(expected, sizeof expected, isfinite(value) ? "{\"a\":%.9g" : "{\"a\":null", (double)value);
  CHECK_STR(written.data, expected);
  buf_release(&written);
}

TEST(floats_are_written_as_printf_has_them) {
  static const float some[] = {0,     -0.0F,      1,          -1,    0.1F,       0.5F,   999999.9375F, 1e-4F,
                               9e-5F, 16777215.F, 16777216.F, 1e10F, 1.5000005F, 1e-30F, INFINITY,     NAN};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    compare_number(some[i]);
}

/* By the byte: whether the string is one, and the text that it stands for. */
static int read_plainly(struct buf *out, const char *p, const char *end) {
  static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  for (; p < end && *p != '"'; p++) {
    const char *letter = *p == '\\' && p + 1 < end ? memchr(letters, p[1], 8) : NULL;
    if ((unsigned char)*p < 0x20 || (*p == '\\' && !letter))
      return 0;
    buf_add_char(out, letter ? meant[letter - letters] : *p);
    p += letter != NULL;
  }
  return p + 1 == end;
}

TEST(escapes_of_all_kinds_are_read_wherever_they_stand) {
  static const char set[] = "gh\\\\\\\\n\"/tu\n";
  char text[402];
  size_t at;
  const char *why;
  uint64_t state = 7;
  struct buf decoded, expected;
  buf_init(&decoded, sizeof text);
  buf_init(&expected, sizeof text);
  for (int round = 0; round < 20000; round++) {
    size_t len = 1, most = (size_t)round % 400;
    unsigned far = 1 + (unsigned)round / 20 % 40; /* the bytes between two odd ones, about */
    text[0] = '"';
    while (len <= most) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      char c = (state >> 33) % far ? (char)('g' + len % 20) : set[(state >> 40) % (sizeof set - 1)];
      text[len++] = c;
      if (c == '\\' && state >> 60 && len <= most) /* mostly one of a letter */
        text[len++] = "\"\\/bfnrt"[(state >> 50) % 8];
    }
    text[len++] = '"';
    buf_clear(&expected);
    buf_clear(&decoded);
    int valid = read_plainly(&expected, text + 1, text + len);
    CHECK_INT(json_validate(text, len, &at, &why) == 0, valid);
    if (!valid)
      continue;
    CHECK_INT(json_decode(slice_of(text, len), &decoded), 0);
    CHECK(slice_eq(buf_slice(&decoded), buf_slice(&expected)));
    CHECK(slice_eq(json_text_in_place(slice_of(text, len), text), buf_slice(&expected)));
  }
  buf_release(&decoded);
  buf_release(&expected);
}

TEST(a_text_is_decoded_where_it_stands) {
  char value[] = "\"a\\u20acb\\ud83d\\ude00c\\/\\b\\f\\n\\r\\t\\\"\\\\\"";
  struct slice text = json_text_in_place(slice_str(value), value);
  CHECK(slice_is(text, "a\xe2\x82\xac"
                       "b\xf0\x9f\x98\x80"
                       "c/\b\f\n\r\t\"\\"));
  CHECK_INT(json_text_in_place(slice_str("12"), value).len, 0);
  CHECK_INT(json_text_in_place(slice_of(NULL, 0), NULL).len, 0);
}

TEST(a_string_past_the_ceiling_shows) {
  struct buf b;
  buf_init(&b, 40);
  json_add_string(&b, "0123456789012345678901234567890123456789", 38);
  CHECK_INT(b.overflow, 0);
  CHECK_INT(b.len, 40);
  buf_clear(&b);
  json_add_string(&b, "012345678901234567890123456789012345\n7", 38);
  CHECK_INT(b.overflow, 1);
  CHECK(b.len <= 40);
  buf_release(&b);
}

TEST(walkers_see_every_member_and_element) {
  struct slice object = slice_str("{ \"a\" : \"}\" , \"b\\u0063\":[1,[2,\"]\"],{\"x\":3}], \"d\":-1.5e3 }"),
               k, v;
  struct json_cursor c = {0};
  int n = 0;
  while (json_next_member(object, &c, &k, &v))
    n++;
  CHECK_INT(n, 3);
  CHECK(slice_is(json_get(object, "a"), "\"}\""));
  CHECK(slice_is(json_get(object, "bc"), "[1,[2,\"]\"],{\"x\":3}]"));
  CHECK(json_to_double(json_get(object, "d"), 0) == -1500);
  CHECK(json_get(object, "nothing").data == NULL);
  struct json_cursor e = {0};
  n = 0;
  while (json_next_element(json_get(object, "bc"), &e, &v))
    n++;
  CHECK_INT(n, 3);
  CHECK(slice_is(v, "{\"x\":3}"));
}

int main(void) {
  RUN(values_of_the_standard_are_accepted);
  RUN(everything_else_is_refused);
  RUN(a_record_is_one_object);
  RUN(nesting_ends_at_512);
  RUN(duplicate_keys_of_large_objects_are_found);
  RUN(fields_are_raw_slices_and_the_rest_is_untouched);
  RUN(a_field_whose_name_has_an_escape_is_known_behind_a_value_of_many_keys);
  RUN(errors_are_known_by_their_object);
  RUN(lines_come_whole_whatever_the_reads);
  RUN(the_byte_of_a_fault_counts_a_byte_order_mark);
  RUN(a_line_over_the_ceiling_is_skipped_and_the_next_one_read);
  RUN(strings_are_written_as_json);
  RUN(decoding_undoes_encoding);
  RUN(what_needs_an_escape_is_found_wherever_it_stands);
  RUN(json_within_json_is_written);
  RUN(floats_are_written_as_printf_has_them);
  RUN(escapes_of_all_kinds_are_read_wherever_they_stand);
  RUN(a_text_is_decoded_where_it_stands);
  RUN(a_string_past_the_ceiling_shows);
  RUN(walkers_see_every_member_and_element);
  return test_done();
}
