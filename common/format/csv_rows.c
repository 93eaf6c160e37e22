/* csv_rows.c: rows of CSV by libcsv, with limits, as slices of one buffer.
 *
 * libcsv passes each byte through a state machine.  To split lines without quotes here costs 130 lines, and reads 117 MB of a
 * table in .09 instead of .49 s of CPU (test/bench/fetch.sh): too little, since such a table comes from the network.
 */
#include "format/csv_rows.h"

#include <csv.h>
#include <stdlib.h>

struct csv_rows {
  struct csv_parser parser;
  csv_rows_function *function;
  void *arg;
  struct buf text; /* the fields of the row, concatenated */
  size_t ends[CSVROWS_COLUMNS];
  struct slice fields[CSVROWS_COLUMNS];
  size_t count;
  int stopped;
};

struct csv_rows *csv_rows_new(csv_rows_function *f, void *arg) {
  struct csv_rows *c = xcalloc(1, sizeof *c);
  csv_init(&c->parser, 0);
  csv_set_realloc_func(&c->parser, xrealloc);
  csv_set_blk_size(&c->parser, 4096);
  buf_init(&c->text, CSVROWS_ROW);
  c->function = f;
  c->arg = arg;
  return c;
}

void csv_rows_free(struct csv_rows *c) {
  if (!c)
    return;
  csv_free(&c->parser);
  buf_release(&c->text);
  free(c);
}

static void on_field(void *field, size_t len, void *arg) {
  struct csv_rows *c = arg;
  if (c->stopped || c->count == CSVROWS_COLUMNS)
    return;
  buf_add(&c->text, field, len);
  c->ends[c->count++] = c->text.len;
}

static void on_row(int terminator, void *arg) {
  struct csv_rows *c = arg;
  size_t from = 0;
  (void)terminator;
  if (c->stopped)
    return;
  for (size_t i = 0; i < c->count; i++) {
    c->fields[i] = slice_of(c->text.data + from, c->ends[i] - from);
    from = c->ends[i];
  }
  c->stopped = c->text.overflow || c->function(c->arg, c->fields, c->count) != 0;
  c->count = 0;
  buf_clear(&c->text);
}

int csv_rows_add(struct csv_rows *c, const void *data, size_t len) {
  if (c->stopped)
    return -1;
  size_t used = csv_parse(&c->parser, data, len, on_field, on_row, c);
  int endless = csv_get_buffer_size(&c->parser) > CSVROWS_ROW; /* an unclosed quote */
  return c->stopped || c->text.overflow || endless || used != len ? -1 : 0;
}

int csv_rows_end(struct csv_rows *c) {
  if (!c->stopped)
    csv_fini(&c->parser, on_field, on_row, c);
  return c->stopped ? -1 : 0;
}
