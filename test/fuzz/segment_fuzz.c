/* A segment value of any bytes: attaching refuses it or everything that reads it stays inside. */
#include "store/store_format.h"

#include <stdlib.h>
#include <xxhash.h>

static void walk(const struct store_segment *seg) {
  uint32_t rows[STORE_BLOCK];
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  for (uint32_t i = 0; i < seg->terms->count && i < 64; i++) {
    struct store_postings p;
    for (int more = store_postings_open(&p, seg, seg->terms->hashes[i]); more;
         more = store_postings_next(&p)) {
      store_postings_decode(&p, rows, text, context);
      for (uint32_t k = 0; k < p.count; k++)
        if (rows[k] >= seg->rows)
          abort();
    }
    store_df(seg, seg->terms->hashes[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct store_segment seg;
  struct store_terms terms;
  struct store_selection sel;
  struct error_text e;
  uint16_t form = 1;
  if (size < sizeof(struct store_segment_head) + sizeof(struct store_segment_directory) || size > 1 << 16)
    return 0;
  char *value = aligned_alloc(64, (size + 127) / 64 * 64 + 64), *at = value + 16;
  memcpy(at, data, size);
  struct store_segment_head *h = (void *)at;
  memcpy(h->magic, SEGMENT_MAGIC, sizeof h->magic);
  const struct store_segment_directory *dir = (const void *)(at + sizeof *h);
  if (dir->part[PART_SUMS].offset <= size && dir->part[PART_SUMS].bytes <= size - dir->part[PART_SUMS].offset)
    h->sums_check = XXH3_64bits(at + dir->part[PART_SUMS].offset, dir->part[PART_SUMS].bytes);
  h->check = store_segment_head_check(h, dir); /* else nothing gets past it */
  if (store_segment_attach(&seg, &terms, at, size, &e) == 0 && seg.rows) {
    walk(&seg);
    store_select(&seg, &(struct store_filter){.forms = &form, .form_count = 1}, &sel);
    store_selection_release(&sel);
    store_doc_of_row(&seg, seg.rows - 1);
    store_segment_is_sound(&seg, at);
  }
  free(value);
  return 0;
}
