#include "csvrows.h"

#include <csv.h>
#include <stdlib.h>

struct csvrows {
  struct csv_parser parser;
  csvrows_function *function;
  void *arg;
  struct buf text; /* the fields of the row one behind the other */
  size_t ends[CSVROWS_COLUMNS];
  struct slice fields[CSVROWS_COLUMNS];
  size_t count;
  int stopped;
};

struct csvrows *csvrows_new(csvrows_function *f, void *arg) {
  struct csvrows *c = xcalloc(1, sizeof *c);
  csv_init(&c->parser, 0);
  csv_set_realloc_func(&c->parser, xrealloc);
  csv_set_blk_size(&c->parser, 4096);
  buf_init(&c->text, CSVROWS_ROW);
  c->function = f;
  c->arg = arg;
  return c;
}

void csvrows_free(struct csvrows *c) {
  if (!c)
    return;
  csv_free(&c->parser);
  buf_release(&c->text);
  free(c);
}

static void on_field(void *field, size_t len, void *arg) {
  struct csvrows *c = arg;
  if (c->stopped || c->count == CSVROWS_COLUMNS)
    return;
  if (c->text.cap - c->text.len > len && c->text.data) { /* most of the time: no call */
    memcpy(c->text.data + c->text.len, field, len);
    c->text.len += len;
  } else {
    buf_add(&c->text, field, len);
  }
  c->ends[c->count++] = c->text.len;
}

static void on_row(int terminator, void *arg) {
  struct csvrows *c = arg;
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

int csvrows_add(struct csvrows *c, const void *data, size_t len) {
  if (c->stopped)
    return -1;
  size_t used = csv_parse(&c->parser, data, len, on_field, on_row, c);
  int endless = csv_get_buffer_size(&c->parser) > CSVROWS_ROW; /* a quote that nobody closes */
  return c->stopped || c->text.overflow || endless || used != len ? -1 : 0;
}

int csvrows_end(struct csvrows *c) {
  if (!c->stopped)
    csv_fini(&c->parser, on_field, on_row, c);
  return c->stopped ? -1 : 0;
}
