/* csv_rows.c: uses libcsv for lines with quotes, and splits other lines at commas.
 *
 * libcsv passes each byte through a state machine (about 200 MB/s), which dominated the time for the table of exempt
 * organizations, although all it does to a line without quotes is trim its fields.  So lines are found first, and
 * libcsv gets only those with a quote, up to the end of their row.  With libcsv alone bid-fetch irs-bmf takes 4.9 times the
 * CPU time where no row fits, and 1.28 times where all do (test/bench/fetch.sh).
 */
#include "format/csv_rows.h"

#include <csv.h>
#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

struct csv_rows {
  struct csv_parser parser;
  csv_rows_function *function;
  void *arg;
  struct buf part; /* an incomplete line */
  struct buf text; /* fields from libcsv, concatenated */
  size_t ends[CSVROWS_COLUMNS];
  struct slice fields[CSVROWS_COLUMNS];
  size_t count;
  int within; /* libcsv may be within a row: inside quotes across lines, or before the line's end */
  int rows;   /* rows delivered by libcsv */
  int stopped;
};

struct csv_rows *csv_rows_new(csv_rows_function *f, void *arg) {
  struct csv_rows *c = xcalloc(1, sizeof *c);
  csv_init(&c->parser, 0);
  csv_set_realloc_func(&c->parser, xrealloc);
  csv_set_blk_size(&c->parser, 4096);
  buf_init(&c->part, CSVROWS_ROW);
  buf_init(&c->text, CSVROWS_ROW);
  c->function = f;
  c->arg = arg;
  return c;
}

void csv_rows_free(struct csv_rows *c) {
  if (!c)
    return;
  csv_free(&c->parser);
  buf_release(&c->part);
  buf_release(&c->text);
  free(c);
}

static void csv_rows_give(struct csv_rows *c) {
  c->stopped |= c->text.overflow || c->function(c->arg, c->fields, c->count) != 0;
  c->count = 0;
  buf_clear(&c->text);
}

/* --- lines with quotes --- */

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
  c->rows++;
  if (c->stopped)
    return;
  for (size_t i = 0; i < c->count; i++) {
    c->fields[i] = slice_of(c->text.data + from, c->ends[i] - from);
    from = c->ends[i];
  }
  csv_rows_give(c);
}

static int parse(struct csv_rows *c, const char *data, size_t len) {
  size_t used = csv_parse(&c->parser, data, len, on_field, on_row, c);
  int endless = csv_get_buffer_size(&c->parser) > CSVROWS_ROW; /* an unclosed quote */
  return c->stopped || c->text.overflow || endless || used != len ? -1 : 0;
}

/* Passes on a line with its newline, which ends the row or is part of a quoted field. */
static int quoted_line(struct csv_rows *c, struct slice line) {
  size_t body = line.len - 1;
  if (body && line.data[body - 1] == '\r')
    body--;
  if (parse(c, line.data, body) != 0)
    return -1;
  int before = c->rows;
  if (parse(c, line.data + body, line.len - body) != 0)
    return -1;
  c->within = c->rows == before;
  return 0;
}

/* --- lines without quotes --- */

static inline int is_blank(char c) {
  return c == ' ' || c == '\t';
}

static inline void csv_rows_add_field(struct csv_rows *c, const char *from, const char *to) {
  while (from < to && is_blank(*from))
    from++;
  while (to > from && is_blank(to[-1]))
    to--;
  if (c->count < CSVROWS_COLUMNS)
    c->fields[c->count++] = slice_of(from, (size_t)(to - from));
}

/* Bit i is set where byte i of sixteen is a comma, a quote or a line end. */
static inline unsigned marks_of(const char *at) {
#ifdef __SSE2__
  __m128i v = _mm_loadu_si128((const __m128i *)(const void *)at);
  __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\r')));
  __m128i others = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(',')), _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
  return (unsigned)_mm_movemask_epi8(_mm_or_si128(ends, others));
#else
  unsigned marks = 0;
  for (unsigned i = 0; i < 16; i++)
    marks |= (unsigned)(at[i] == ',' || at[i] == '"' || at[i] == '\n' || at[i] == '\r') << i;
  return marks;
#endif
}

static inline unsigned marks_at(const char *at, const char *end) {
  char copy[16] = {0};
  if (end - at >= 16)
    return marks_of(at);
  memcpy(copy, at, (size_t)(end - at));
  return marks_of(copy);
}

enum csv_rows_line { PLAIN, QUOTED, UNENDED };

/* Splits the line at p into fields and returns the position after it, or why it is not a plain line. */
static enum csv_rows_line csv_rows_split(struct csv_rows *c, const char *p, const char *end,
                                         const char **behind) {
  const char *from = p;
  c->count = 0;
  for (const char *at = p; at < end; at += 16)
    for (unsigned marks = marks_at(at, end); marks; marks &= marks - 1) {
      const char *mark = at + __builtin_ctz(marks);
      if (*mark == ',') {
        csv_rows_add_field(c, from, mark);
        from = mark + 1;
        continue;
      }
      if (*mark == '"' || (*mark == '\r' && mark + 1 < end && mark[1] != '\n'))
        return QUOTED; /* a lone carriage return ends a row too */
      if (*mark == '\r' && mark + 1 == end)
        return UNENDED;
      csv_rows_add_field(c, from, mark);
      *behind = mark + (*mark == '\r' ? 2 : 1);
      return PLAIN;
    }
  return UNENDED;
}

/* Delivers the line at p and returns the position after it; p where it is incomplete; NULL to stop. */
static const char *csv_rows_take_line(struct csv_rows *c, const char *p, const char *end) {
  const char *behind = p, *stop;
  switch (c->within ? QUOTED : csv_rows_split(c, p, end, &behind)) {
  case PLAIN:
    if (c->count > 1 || c->fields[0].len) /* an empty line is not a row */
      csv_rows_give(c);
    c->count = 0;
    return c->stopped ? NULL : behind;
  case QUOTED:
    c->count = c->within ? c->count : 0;
    stop = memchr(p, '\n', (size_t)(end - p));
    if (stop == NULL) {
      c->within = 1;
      return parse(c, p, (size_t)(end - p)) == 0 ? end : NULL;
    }
    return quoted_line(c, slice_of(p, (size_t)(stop + 1 - p))) == 0 ? stop + 1 : NULL;
  default:
    c->count = 0;
    return p;
  }
}

/* --- input in parts --- */

/* Processes the complete lines of [p, end) and moves *p after them. */
static int take_lines(struct csv_rows *c, const char **p, const char *end) {
  while (*p < end) {
    const char *behind = csv_rows_take_line(c, *p, end);
    if (behind == NULL)
      return -1;
    if (behind == *p)
      break;
    *p = behind;
  }
  return 0;
}

/* Completes the pending line with its rest and moves *p after it. */
static int end_part(struct csv_rows *c, const char **p, const char *end) {
  const char *stop = memchr(*p, '\n', (size_t)(end - *p)), *from;
  size_t len = (size_t)((stop ? stop + 1 : end) - *p);
  if (buf_add(&c->part, *p, len) != 0)
    return -1;
  *p += len;
  from = c->part.data;
  if (stop && take_lines(c, &from, c->part.data + c->part.len) != 0)
    return -1;
  if (stop)
    buf_clear(&c->part);
  return 0;
}

int csv_rows_add(struct csv_rows *c, const void *data, size_t len) {
  const char *p = data, *end = p + len;
  if (c->stopped)
    return -1;
  if (c->part.len && end_part(c, &p, end) != 0)
    return -1;
  if (take_lines(c, &p, end) != 0)
    return -1;
  return p < end ? buf_add(&c->part, p, (size_t)(end - p)) : 0;
}

int csv_rows_end(struct csv_rows *c) {
  if (!c->stopped && c->part.len && (parse(c, c->part.data, c->part.len) != 0))
    return -1;
  if (!c->stopped)
    csv_fini(&c->parser, on_field, on_row, c);
  return c->stopped ? -1 : 0;
}
