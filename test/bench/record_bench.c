/* record_bench [PASSES] <FILE: reads NDJSON, adds one small field to each record and writes it to /dev/null;
 * prints MB/s and records/s.  With -DJSON_C or -DJANSSON, the same with that library, for
 * comparison. */
#include "base/clock.h"
#include "record/json.h"
#include "record/output.h"
#include "record/record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef JSON_C
#define json_bool json_c_bool /* a name of ours */
#include <json-c/json.h>
#undef json_bool
#elif defined JANSSON
#include <jansson.h>
#endif

static void pass(struct output *out, const struct record *rec) {
#ifdef JSON_C
  struct json_object *o = json_tokener_parse(rec->line.data);
  json_object_object_add(o, "n", json_object_new_int(7));
  const char *text = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);
  buf_add_str(&out->buf, text);
  buf_add_char(&out->buf, '\n');
  json_object_put(o);
#elif defined JANSSON
  json_t *o = json_loadb(rec->line.data, rec->line.len, 0, NULL);
  json_object_set_new(o, "n", json_integer(7));
  char *text = json_dumps(o, JSON_COMPACT);
  buf_add_str(&out->buf, text);
  buf_add_char(&out->buf, '\n');
  free(text);
  json_decref(o);
#else
  record_open(&out->buf, rec, "n", NULL);
  json_int(&out->buf, "n", 7);
  record_close(&out->buf);
#endif
  output_flush_if_full(out);
}

int main(int argc, char **argv) {
  int passes = argc > 1 ? atoi(argv[1]) : 20;
  static const char *const fields[] = {"text", "n", NULL};
  struct output out;
  output_init(&out, open("/dev/null", O_WRONLY | O_CLOEXEC));
  uint64_t bytes = 0, records = 0;
  double start = clock_monotonic();
  for (int i = 0; i < passes; i++) {
    lseek(0, 0, SEEK_SET);
    struct record_reader *r = record_reader_new(0, fields, NULL, NULL);
    struct record rec;
    while (record_read(r, &rec) == RECORD_OK) {
      pass(&out, &rec);
      records++;
    }
    bytes += record_bytes(r);
    record_reader_free(r);
  }
  double seconds = clock_monotonic() - start;
  output_close(&out);
  printf("%.0f MB/s, %.0f records/s\n", (double)bytes / seconds / 1e6, (double)records / seconds);
  return 0;
}
