#include "format/csv_rows.h"
#include "record/json.h"
#include "source/json_projection.h"
#include "test.h"
#include "format/xml.h"

static struct buf out;

static const char *copied(const char *json) {
  buf_clear(&out);
  json_numbers_mark(slice_str(json), &out);
  return out.data ? out.data : "";
}

static const char *back(const char *json) {
  struct buf b;
  buf_init(&b, 4096);
  json_numbers_mark(slice_str(json), &b);
  buf_clear(&out);
  json_numbers_restore(buf_slice(&b), &out);
  buf_release(&b);
  return out.data ? out.data : "";
}

TEST(only_delicate_numbers_are_marked) {
  static const char *const plain[] = {"0",     "-1",     "123456789012345", "1.5",
                                      "-0.25", "0.0001", "[1,2.5,\"1.0\"]"};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    CHECK_STR(copied(plain[i]), plain[i]);
  CHECK_STR(copied("1.0"), "\"\xef\xb7\x90"
                           "1.0\"");
  static const char *const delicate[] = {
      "1.0", "-0", "1e5", "1E-5", "12345678901234567890", "1.50", "0.00001", "1234567890.123456"};
  for (size_t i = 0; i < sizeof delicate / sizeof *delicate; i++) {
    CHECK(copied(delicate[i])[0] == '"');
    CHECK_STR(back(delicate[i]), delicate[i]);
  }
  const char *mixed = "{\"a\\\"1.0\":[1.0,{\"b\":\"2.0\"},-0],\"c\":1e400}";
  CHECK_STR(back(mixed), mixed);
}

TEST(a_mark_of_a_source_cannot_break_the_json) {
  buf_clear(&out);
  json_numbers_restore(slice_str("[\"\xef\xb7\x90"
                                 "1,2\",\"\xef\xb7\x90\",\"\xef\xb7\x90"
                                 "x\"]"),
                       &out);
  size_t at;
  const char *why;
  CHECK(json_validate(out.data, out.len, &at, &why) == 0);
}

TEST(selects_that_are_malformed_are_errors) {
  static const char *const bad[] = {"[]",
                                    "{\"a\":1}",
                                    "{\"a\":{\"path\":1}}",
                                    "{\"a\":{\"where\":1}}",
                                    "{\"a\":{\"where\":[1]}}",
                                    "{\"a\":{\"where\":[{\"is\":\"x\"}]}}"};
  struct error_text why;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    buf_clear(&out);
    why.text[0] = '\0';
    CHECK(json_projection_select(slice_str("{}"), slice_str(bad[i]), &out, &why) != 0);
    CHECK(why.text[0] != '\0');
  }
}

TEST(paths_that_lead_nowhere) {
  struct error_text why;
  buf_clear(&out);
  CHECK(
      json_projection_select(slice_str("{\"a\":[1,{\"b\":null}]}"),
                             slice_str("{\"p\":{\"path\":[\"a\",7]},\"q\":{\"path\":[\"a\",\"*\",\"b\"]},"
                                       "\"r\":{\"path\":[\"a\",\"*\",\"c\"]},\"s\":{\"path\":[\"x\",\"*\"]},"
                                       "\"t\":{\"path\":[\"a\"],\"rows\":\"columns\"}}"),
                             &out, &why) == 0);
  CHECK_STR(out.data, "{\"p\":null,\"q\":[{\"path\":[\"1\"],\"value\":null}],\"r\":[],\"s\":[],"
                      "\"t\":null}");
}

static size_t rows_seen, fields_seen;
static char last_field[64];

static int on_row(void *arg, const struct slice *fields, size_t count) {
  (void)arg;
  rows_seen++;
  fields_seen += count;
  if (count)
    snprintf(last_field, sizeof last_field, "%.*s", (int)fields[count - 1].len, fields[count - 1].data);
  return rows_seen == 100 ? -1 : 0;
}

TEST(csv_rows_in_any_pieces) {
  const char *text = "EIN,NAME\r\n001234567,\"A \"\"B\"\", C\"\r\n,\n010000000,last";
  for (size_t piece = 1; piece <= strlen(text); piece++) {
    struct csv_rows *c = csv_rows_new(on_row, NULL);
    rows_seen = fields_seen = 0;
    for (size_t at = 0; at < strlen(text); at += piece)
      CHECK(csv_rows_add(c, text + at, strlen(text) - at < piece ? strlen(text) - at : piece) == 0);
    CHECK(csv_rows_end(c) == 0);
    CHECK_INT(rows_seen, 4);
    CHECK_INT(fields_seen, 8);
    CHECK_STR(last_field, "last");
    csv_rows_free(c);
  }
}

TEST(csv_stops_where_it_is_told_and_at_its_ceiling) {
  struct csv_rows *c = csv_rows_new(on_row, NULL);
  rows_seen = 0;
  int result = 0;
  for (int i = 0; i < 200 && result == 0; i++)
    result = csv_rows_add(c, "a,b\n", 4);
  CHECK(result != 0);
  CHECK_INT(rows_seen, 100);
  csv_rows_free(c);
  static char block[1 << 20];
  memset(block, 'x', sizeof block);
  c = csv_rows_new(on_row, NULL);
  result = csv_rows_add(c, "\"", 1);
  for (int i = 0; i < 20 && result == 0; i++)
    result = csv_rows_add(c, block, sizeof block);
  CHECK(result != 0);
  csv_rows_free(c);
}

TEST(xml_becomes_a_tree) {
  struct error_text why;
  buf_clear(&out);
  CHECK(
      xml_json_add(&out,
                   slice_str("<?xml version=\"1.0\"?><!-- c --><n:a xmlns:n=\"u\" n:id='1 &amp; &#50;'>x<b/>"
                             "<c>&lt;t&gt;</c>y</n:a>"),
                   &why) == 0);
  CHECK_STR(out.data,
            "{\"tag\":\"a\",\"attributes\":{\"id\":\"1 & 2\"},\"text\":\"x y\",\"children\":[{\"tag\":\"b\"},"
            "{\"tag\":\"c\",\"text\":\"<t>\"}]}");
  buf_clear(&out);
  CHECK(xml_json_add(&out, slice_str("no xml"), &why) != 0);
}

int main(void) {
  buf_init(&out, 1 << 20);
  RUN(only_delicate_numbers_are_marked);
  RUN(a_mark_of_a_source_cannot_break_the_json);
  RUN(selects_that_are_malformed_are_errors);
  RUN(paths_that_lead_nowhere);
  RUN(csv_rows_in_any_pieces);
  RUN(csv_stops_where_it_is_told_and_at_its_ceiling);
  RUN(xml_becomes_a_tree);
  buf_release(&out);
  return test_done();
}
