#include "store/store_report.h"

#include "base/clock.h"
#include "record/json.h"

#include <stdio.h>
#include <string.h>

static void report_collection(struct buf *out, const struct store_collection *c) {
  char updated[CLOCK_TEXT];
  clock_format(c->updated, updated);
  buf_add_char(out, '{');
  json_cstr(out, "collection", c->name);
  json_cstr(out, "model", c->model);
  json_uint(out, "dimensions", c->dims);
  json_uint(out, "documents", c->documents);
  json_uint(out, "passages", c->passages);
  json_cstr(out, "updated", updated);
  buf_add(out, "}\n", 2);
}

size_t store_report_collections(struct program *p, const struct store_snapshot *snap,
                                const struct store_subset *sel) {
  const struct store_collection *c;
  size_t n = store_collections(snap, &c), shown = 0;
  for (size_t i = 0; i < n; i++) {
    if (!store_subset_has(sel, c[i].name))
      continue;
    shown++;
    if (p->people)
      buf_printf(&p->out.buf, "%-40s %8llu document%-1s %10llu passages  %s\n", c[i].name,
                 (unsigned long long)c[i].documents, c[i].documents == 1 ? "" : "s",
                 (unsigned long long)c[i].passages, c[i].model);
    else
      report_collection(&p->out.buf, &c[i]);
    output_flush_if_full(&p->out);
  }
  return shown;
}

static void report_models(struct buf *out, const struct store_snapshot *snap) {
  const struct store_collection *c;
  size_t n = store_collections(snap, &c);
  json_key(out, "models");
  buf_add_char(out, '{');
  for (size_t i = 0; i < n; i++) {
    uint64_t passages = 0;
    int before = 0;
    for (size_t k = 0; k < n; k++)
      if (strcmp(c[k].model, c[i].model) == 0) {
        passages += c[k].passages;
        before |= k < i;
      }
    if (before)
      continue;
    if (out->data[out->len - 1] != '{')
      buf_add_char(out, ',');
    json_add_cstr(out, c[i].model);
    buf_printf(out, ":{\"passages\":%llu,\"dimensions\":%u,\"sketchCandidates\":%zu}",
               (unsigned long long)passages, c[i].dims, store_sketch_candidates(snap, c[i].model));
  }
  buf_add_char(out, '}');
}

/* Prints a size as "1,234,567" with its label and unit. */
static void report_size(struct buf *out, const char *what, uint64_t n, const char *unit) {
  char digits[32], grouped[48];
  int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), k = 0;
  for (int i = 0; i < len; i++) {
    if (i > 0 && (len - i) % 3 == 0)
      grouped[k++] = ',';
    grouped[k++] = digits[i];
  }
  grouped[k] = '\0';
  buf_printf(out, "  %-18s %16s%s\n", what, grouped, unit);
}

static void report_sizes_people(struct buf *out, const char *path, size_t collections,
                                const struct store_sizes *z) {
  buf_add_masked(out, slice_str(path));
  buf_add_char(out, '\n');
  report_size(out, "collections", collections, "");
  report_size(out, "documents", z->documents, "");
  report_size(out, "passages", z->passages, "");
  report_size(out, "removed passages", z->dead,
              z->dead > z->passages / 4 ? "  (bid-store compact gives their room back)" : "");
  report_size(out, "size", z->file, " bytes");
  report_size(out, "  texts", z->texts, "");
  report_size(out, "  vectors", z->vectors + z->sketches, "");
  report_size(out, "  postings", z->postings, "");
  report_size(out, "  free", z->free_bytes, "");
}

static void report_sizes_record(struct buf *out, const struct store *s, const struct store_snapshot *snap,
                                const struct store_sizes *z) {
  const struct store_collection *c;
  buf_add_char(out, '{');
  json_cstr(out, "path", store_path(s));
  json_uint(out, "collections", store_collections(snap, &c));
  json_uint(out, "documents", z->documents);
  json_uint(out, "passages", z->passages);
  json_uint(out, "removedPassages", z->dead);
  json_uint(out, "segments", z->segments);
  json_uint(out, "bytes", z->file);
  json_uint(out, "bytesFree", z->free_bytes);
  json_uint(out, "bytesTexts", z->texts);
  json_uint(out, "bytesVectors", z->vectors);
  json_uint(out, "bytesSketches", z->sketches);
  json_uint(out, "bytesPostings", z->postings);
  json_uint(out, "bytesColumns", z->columns);
  json_double(out, "bytesPerPassage", z->passages ? (double)z->file / (double)z->passages : 0);
  report_models(out, snap);
  buf_add(out, "}\n", 2);
}

enum store_status store_report_sizes(struct program *p, const struct store *s, struct store_snapshot *snap,
                                     struct error_text *e) {
  struct store_sizes z;
  const struct store_collection *c;
  enum store_status status = store_measure(snap, &z, e);
  if (status)
    return status;
  if (p->people)
    report_sizes_people(&p->out.buf, store_path(s), store_collections(snap, &c), &z);
  else
    report_sizes_record(&p->out.buf, s, snap, &z);
  return STORE_OK;
}
