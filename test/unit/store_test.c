/* The store as a library: what goes in comes out, replaced, removed, merged, filtered, looked up, checked. */
#include "store/store.h"
#include "store/store_format.h"
#include "text/terms.h"
#include "store/postings.h"
#include "base/cpu.h"
#include "base/hash.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/bid-store-XXXXXX", path[64];
static struct error_text e;
static struct store_receipt last;
static size_t receipts;

static void keep_receipt(void *arg, const struct store_receipt *r) {
  (void)arg;
  last = *r;
  receipts++;
}

static struct store *open_store(void) {
  struct store *s = NULL;
  struct store_options o = {.path = path, .write = 1, .create = 1, .wait = 1};
  CHECK_INT(store_open(&s, &o, &e), STORE_OK);
  return s;
}

static void remove_store(void) {
  char lock[80];
  snprintf(lock, sizeof lock, "%s-lock", path);
  unlink(path);
  unlink(lock);
}

/* A document of n passages whose words tell collection, document, passage and version. */
struct made {
  struct store_document d;
  struct store_passage p[300];
  char text[300][200], id[300][36], url[64], json[512], chunk[300][64];
  float vector[300][64];
};

static struct made *make(const char *collection, int doc, int version, size_t n) {
  static const char *const forms[] = {"10-K", "10-Q", "8-K"};
  struct made *m = xcalloc(1, sizeof *m);
  snprintf(m->url, sizeof m->url, "https://example.org/%d", doc);
  snprintf(m->json, sizeof m->json,
           "{\"sourceUrl\":\"%s\",\"capturedAt\":\"2026-01-01T00:00:0%dZ\",\"metadata\":{\"company\":"
           "\"Company %d\",\"cik\":"
           "\"%010d\",\"form\":\"%s\",\"filingDate\":\"2024-%02d-15\",\"fiscalYear\":\"2023\","
           "\"fiscalPeriod\":\"Q2\"}}",
           m->url, version % 10, doc % 7, doc % 7, forms[doc % 3], doc % 12 + 1);
  for (size_t i = 0; i < n; i++) {
    snprintf(m->text[i], sizeof m->text[i], "Shared words, document d%dx passage p%zux version v%dx of %s.",
             doc, i, version, collection);
    snprintf(m->id[i], sizeof m->id[i], "%04x%04x%04x%020x", (unsigned)doc & 0xffff,
             (unsigned)version & 0xffff, (unsigned)i & 0xffff, 7u);
    snprintf(m->chunk[i], sizeof m->chunk[i], "{\"index\":%zu,\"item\":\"%zuA\"}", i, i % 3);
    for (size_t k = 0; k < 64; k++)
      m->vector[i][k] = (float)((doc * 31 + (int)i * 7 + (int)k * (version + 3)) % 17) - 8;
    m->p[i] = (struct store_passage){.id = slice_str(m->id[i]),
                                     .text = slice_str(m->text[i]),
                                     .context = slice_str("Company line"),
                                     .chunk = slice_str(m->chunk[i]),
                                     .item = slice_of(m->chunk[i] + strlen(m->chunk[i]) - 4, 2),
                                     .vector = m->vector[i]};
  }
  m->d = (struct store_document){.collection = collection,
                                 .model = "test@1",
                                 .dims = 64,
                                 .url = slice_str(m->url),
                                 .json = slice_str(m->json),
                                 .passages = m->p,
                                 .count = n};
  return m;
}

static void put(struct store *s, const char *collection, int doc, int version, size_t n) {
  struct store_writer *w = store_writer_new(s, 0, keep_receipt, NULL);
  struct made *m = make(collection, doc, version, n);
  CHECK_INT(store_writer_add(w, &m->d, &e), STORE_OK);
  CHECK_INT(store_writer_commit(w, &e), STORE_OK);
  store_writer_free(w);
  free(m);
}

static void print_fault(void *arg, const char *fault) {
  (void)arg;
  printf("# %s\n", fault);
}

static struct store_snapshot *look(struct store *s) {
  struct store_snapshot *snap = NULL;
  CHECK_INT(store_verify(s, print_fault, NULL, &e), STORE_OK);
  CHECK_INT(store_snapshot_begin(s, &snap, &e), STORE_OK);
  return snap;
}

static uint64_t hash_of(const char *word) {
  return terms_hash(slice_str(word));
}

static uint32_t df_of(const struct store_snapshot *snap, const char *word) {
  const struct store_segment *seg;
  size_t n = store_segments(snap, &seg);
  uint32_t df = 0;
  for (size_t i = 0; i < n; i++)
    df += store_df(&seg[i], hash_of(word));
  return df;
}

static uint64_t rows_of(const struct store_snapshot *snap) {
  uint64_t rows, length;
  store_totals(snap, &rows, &length);
  return rows;
}

TEST(what_goes_in_comes_out) {
  struct store *s = open_store();
  struct made *m = make("a_b_c_d", 1, 0, 40);
  struct store_text t;
  struct buf json;
  const struct store_segment *seg;
  uint32_t row, doc;
  put(s, "a_b_c_d", 1, 0, 40);
  CHECK_INT(last.added, 40);
  CHECK_STR(last.status == STORE_OK ? "ok" : "not", "ok");
  struct store_snapshot *snap = look(s);
  store_text_init(&t);
  buf_init(&json, 4096);
  for (size_t i = 0; i < 40; i++) {
    CHECK_INT(store_find_passage(snap, m->id[i], 0, &seg, &row, &e), STORE_OK);
    CHECK_INT(row, i);
    CHECK_INT(store_get_text(snap, seg, row, &t, &e), STORE_OK);
    CHECK(slice_is(t.text, m->text[i]) && slice_is(t.context, "Company line") &&
          slice_is(t.chunk, m->chunk[i]));
  }
  const struct store_collection *c = store_collection(snap, "a_b_c_d");
  CHECK(c && c->documents == 1 && c->passages == 40 && c->dims == 64);
  CHECK_STR(c->model, "test@1");
  CHECK_INT(store_find_document(snap, c->id, m->d.url, &seg, &doc, &e), STORE_OK);
  CHECK_INT(store_get_document(snap, seg->doc[doc].id, &json, &e), STORE_OK);
  CHECK_STR(json.data, m->json);
  CHECK_INT(seg->doc[doc].fiscal_year, 2023);
  CHECK_INT(seg->doc[doc].fiscal_period, 2);
  CHECK_INT(seg->doc[doc].filed, 19768); /* 2024-02-15 */
  const struct store_company *company;
  CHECK_INT(store_companies(snap, &company), 2);
  CHECK_STR(company[seg->doc[doc].company].name, "Company 1");
  CHECK_INT(store_find_passage(snap, "0000000000000000000000000000ffff", 0, &seg, &row, &e), STORE_ABSENT);
  CHECK_INT(store_find_passage(snap, "no id", 0, &seg, &row, &e), STORE_ABSENT);
  buf_release(&json);
  store_text_release(&t);
  store_snapshot_end(snap);
  store_close(s);
  free(m);
  remove_store();
}

TEST(unchanged_costs_nothing) {
  struct store *s = open_store();
  struct stat before, after;
  put(s, "c", 1, 0, 20);
  stat(path, &before);
  struct store_writer *w = store_writer_new(s, 0, keep_receipt, NULL);
  struct made *m = make("c", 1, 0, 20);
  memcpy(strstr(m->json, "00:00:00Z"), "09:09:09Z", 9); /* only capturedAt differs */
  m->d.json = slice_str(m->json);
  receipts = 0;
  CHECK_INT(store_writer_add(w, &m->d, &e), STORE_OK);
  CHECK_INT(store_writer_commit(w, &e), STORE_OK);
  CHECK_INT(receipts, 1);
  CHECK_INT(last.unchanged, 20);
  CHECK_INT(last.added + last.replaced + last.removed, 0);
  stat(path, &after);
  CHECK(before.st_mtim.tv_sec == after.st_mtim.tv_sec && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
  store_writer_free(w);
  free(m);
  store_close(s);
  remove_store();
}

TEST(replaced_as_a_whole) {
  struct store *s = open_store();
  put(s, "c", 1, 0, 30);
  struct store_snapshot *old = look(s);
  put(s, "c", 1, 1, 20);
  CHECK_INT(last.replaced, 20);
  CHECK_INT(last.removed, 10);
  CHECK_INT(last.added, 0);
  struct store_snapshot *snap = look(s);
  CHECK_INT(rows_of(old), 30); /* a reader keeps what it saw */
  CHECK_INT(df_of(old, "v0x"), 30);
  CHECK_INT(rows_of(snap), 20);
  CHECK_INT(df_of(snap, "v0x"), 0);
  CHECK_INT(df_of(snap, "v1x"), 20);
  store_snapshot_end(old);
  store_snapshot_end(snap);
  store_close(s);
  remove_store();
}

TEST(the_same_document_twice_in_a_batch) {
  struct store *s = open_store();
  struct store_writer *w = store_writer_new(s, 0, keep_receipt, NULL);
  struct made *a = make("c", 1, 0, 5), *b = make("c", 2, 0, 6), *c = make("c", 1, 1, 7);
  CHECK_INT(store_writer_add(w, &a->d, &e), STORE_OK);
  CHECK_INT(store_writer_add(w, &b->d, &e), STORE_OK);
  CHECK_INT(store_writer_add(w, &c->d, &e), STORE_OK);
  CHECK_INT(store_writer_add(w, &a->d, &e), STORE_OK); /* captured before c */
  CHECK_INT(store_writer_commit(w, &e), STORE_OK);
  struct store_snapshot *snap = look(s);
  CHECK_INT(rows_of(snap), 13);
  store_snapshot_end(snap);
  CHECK_INT(store_writer_add(w, &c->d, &e), STORE_OK);
  a->d.older = 1;
  CHECK_INT(store_writer_add(w, &a->d, &e), STORE_OK);
  CHECK_INT(store_writer_commit(w, &e), STORE_OK);
  store_writer_free(w);
  snap = look(s);
  CHECK_INT(rows_of(snap), 11);
  CHECK_INT(df_of(snap, "v1x"), 0);
  store_snapshot_end(snap);
  store_close(s);
  free(a);
  free(b);
  free(c);
  remove_store();
}

TEST(another_model_is_refused) {
  struct store *s = open_store();
  put(s, "c", 1, 0, 5);
  struct made *m = make("c", 2, 0, 5);
  m->d.model = "other@2";
  struct store_writer *w = store_writer_new(s, 0, keep_receipt, NULL);
  CHECK_INT(store_writer_add(w, &m->d, &e), STORE_OK);
  CHECK_INT(store_writer_commit(w, &e), STORE_OK);
  CHECK_INT(last.status, STORE_MODEL);
  m->d.collection = "d";
  CHECK_INT(store_writer_add(w, &m->d, &e), STORE_OK);
  CHECK_INT(store_writer_commit(w, &e), STORE_OK);
  CHECK_INT(last.status, STORE_OK);
  store_writer_free(w);
  free(m);
  struct store_snapshot *snap = look(s);
  CHECK_INT(rows_of(snap), 10);
  store_snapshot_end(snap);
  store_close(s);
  remove_store();
}

/* 70 documents in 70 commits, some replaced, some removed: merging goes on all the time. */
static int is_third(void *arg, const struct store_segment *seg, uint32_t doc) {
  (void)arg;
  return seg->doc[doc].filed % 3 == 0;
}

struct seen {
  uint32_t rows[1 << 12];
  size_t count;
};

/* Rows (of the segment) of a term by its postings, through blocks. */
static void walk(const struct store_segment *seg, const char *word, struct seen *out) {
  struct store_postings p;
  uint32_t rows[STORE_BLOCK];
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  out->count = 0;
  for (int more = store_postings_open(&p, seg, hash_of(word)); more; more = store_postings_next(&p)) {
    store_postings_decode(&p, rows, text, context);
    for (uint32_t i = 0; i < p.count; i++) {
      CHECK(rows[i] <= p.last && (p.before == UINT32_MAX || rows[i] > p.before));
      CHECK(text[i] <= p.max_text && context[i] <= p.max_context && seg->length[rows[i]] >= p.min_length);
      out->rows[out->count++] = rows[i];
    }
  }
}

TEST(merging_changes_nothing_that_is_seen) {
  struct store *s = open_store();
  uint64_t documents, passages;
  size_t expected = 0;
  for (int i = 0; i < 70; i++)
    put(s, i % 2 ? "odd" : "even", i, 0, (size_t)(i % 40 + 1));
  for (int i = 0; i < 70; i += 5)
    put(s, i % 2 ? "odd" : "even", i, 1, 12);
  CHECK_INT(store_remove(s, &(struct store_removal){.takes = is_third}, &documents, &passages, &e), STORE_OK);
  struct store_snapshot *snap = look(s);
  const struct store_segment *seg;
  size_t n = store_segments(snap, &seg);
  CHECK(n < 20);
  for (size_t i = 0; i < n; i++)
    for (uint32_t d = 0; d < seg[i].docs; d++)
      if (!seg[i].dead_docs || !(seg[i].dead_docs[d / 64] >> (d % 64) & 1)) {
        CHECK(seg[i].doc[d].filed % 3 != 0);
        expected += seg[i].doc[d].rows;
      }
  CHECK_INT(rows_of(snap), expected);
  CHECK_INT(df_of(snap, "share"), expected); /* "shared", stemmed */
  uint32_t v1 = df_of(snap, "v1x");
  store_snapshot_end(snap);
  CHECK_INT(store_merge(s, 1, &e), STORE_OK);
  snap = look(s);
  CHECK_INT(store_segments(snap, &seg), 1);
  CHECK_INT(rows_of(snap), expected);
  CHECK_INT(df_of(snap, "v1x"), v1);
  CHECK(v1 > 0 && expected > 500);
  static struct seen all;
  walk(seg, "share", &all);
  CHECK_INT(all.count, expected);
  struct store_text t;
  store_text_init(&t);
  for (uint32_t r = 0; r < seg->rows; r++) { /* text and columns of a row still belong together */
    char word[32];
    CHECK_INT(store_get_text(snap, seg, r, &t, &e), STORE_OK);
    const char *at = memmem(t.text.data, t.text.len, "passage p", 9);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at + 9, "x"), at + 9);
    const struct store_doc *d = &seg->doc[store_doc_of_row(seg, r)];
    CHECK(r >= d->first && r < d->first + d->rows);
    CHECK_INT(atoi(word), (int)(r - d->first));
  }
  store_text_release(&t);
  store_snapshot_end(snap);
  store_close(s);
  remove_store();
}

/* Small batches, so that workers still analyse some of them; without the lock, ThreadSanitizer sees it. */
TEST(a_writer_is_freed_while_its_workers_are_at_work) {
  struct store *s = open_store();
  for (int round = 0; round < 5; round++) {
    struct store_writer *w = store_writer_new(s, 10, keep_receipt, NULL);
    for (int i = 0; i < 3; i++) {
      struct made *m = make("left", i, round, 300);
      CHECK_INT(store_writer_add(w, &m->d, &e), STORE_OK);
      free(m);
    }
    usleep(200U << round); /* from before they begin to when they are done */
    store_writer_free(w);
  }
  store_close(s);
  remove_store();
}

TEST(filters) {
  struct store *s = open_store();
  struct store_writer *w = store_writer_new(s, 0, keep_receipt, NULL);
  for (int i = 0; i < 60; i++) {
    struct made *m = make(i % 2 ? "odd" : "even", i, 0, 10);
    CHECK_INT(store_writer_add(w, &m->d, &e), STORE_OK);
    free(m);
  }
  CHECK_INT(store_writer_commit(w, &e), STORE_OK);
  store_writer_free(w);
  struct store_snapshot *snap = look(s);
  const struct store_segment *seg;
  struct store_selection sel;
  CHECK_INT(store_segments(snap, &seg), 1);
  store_select(seg, &(struct store_filter){0}, &sel);
  CHECK(sel.count == 600 && sel.from == 0 && sel.to == 600 && !sel.bits);
  uint32_t id = store_collection(snap, "odd")->id;
  store_select(seg, &(struct store_filter){.collections = &id, .collection_count = 1}, &sel);
  CHECK_INT(sel.count, 300);
  CHECK(!store_selected(&sel, 0) && store_selected(&sel, 10) && !store_selected(&sel, 20));
  store_selection_release(&sel);
  const char *const *items;
  size_t n = store_items(snap, &items);
  uint16_t item = 0;
  for (size_t i = 0; i < n; i++)
    if (strcmp(items[i], "1A") == 0)
      item = (uint16_t)i;
  store_select(seg, &(struct store_filter){.items = &item, .item_count = 1, .since = 19737, .until = 19767},
               &sel);
  CHECK_INT(sel.count, 5 * 3); /* January: 5 documents, 3 passages of "1A" each */
  for (uint32_t r = 0; r < seg->rows; r++)
    if (store_selected(&sel, r))
      CHECK(seg->item[r] == item && seg->doc[store_doc_of_row(seg, r)].filed < 19768);
  store_selection_release(&sel);
  store_select(seg, &(struct store_filter){.as_of = 1}, &sel);
  CHECK_INT(sel.count, 0);
  store_snapshot_end(snap);
  store_close(s);
  remove_store();
}

TEST(long_lists_and_seeking) {
  struct store *s = open_store();
  struct store_writer *w = store_writer_new(s, 0, keep_receipt, NULL);
  for (int i = 0; i < 12; i++) {
    struct made *m = make("c", i, i % 2, 300);
    CHECK_INT(store_writer_add(w, &m->d, &e), STORE_OK);
    free(m);
  }
  CHECK_INT(store_writer_commit(w, &e), STORE_OK);
  store_writer_free(w);
  struct store_snapshot *snap = look(s);
  const struct store_segment *seg;
  static struct seen all;
  store_segments(snap, &seg);
  walk(seg, "v1x", &all);
  CHECK_INT(all.count, 1800);
  CHECK(all.rows[0] == 300 && all.rows[1799] == 3599);
  struct store_postings p;
  uint32_t rows[STORE_BLOCK];
  uint8_t text[STORE_BLOCK], context[STORE_BLOCK];
  CHECK(store_postings_open(&p, seg, hash_of("v1x")));
  CHECK(store_postings_seek(&p, 3000));
  store_postings_decode(&p, rows, text, context);
  CHECK(p.before < 3000 && rows[p.count - 1] >= 2100);
  CHECK(!store_postings_open(&p, seg, hash_of("nosuchword")));
  walk(seg, "p7x", &all);
  CHECK_INT(all.count, 12);
  walk(seg, "d3x", &all);
  CHECK_INT(all.count, 300);
  store_snapshot_end(snap);
  store_close(s);
  remove_store();
}

TEST(renamed_in_one_step) {
  struct store *s = open_store();
  put(s, "a", 1, 0, 5);
  put(s, "~a", 1, 1, 6);
  CHECK_INT(store_rename(s, "~a", "a", NULL, &e), STORE_OK);
  struct store_snapshot *snap = look(s);
  const struct store_collection *list;
  CHECK_INT(store_collections(snap, &list), 1);
  CHECK_STR(list[0].name, "a");
  CHECK_INT(list[0].passages, 6);
  CHECK_INT(df_of(snap, "v0x"), 0);
  store_snapshot_end(snap);
  CHECK(store_rename(s, "none", "b", NULL, &e) != STORE_OK);
  store_close(s);
  remove_store();
}

TEST(limits) {
  struct store *s = open_store();
  struct store_writer *w = store_writer_new(s, 0, keep_receipt, NULL);
  struct made *m = make("c", 1, 0, 5);
  char name[STORE_NAME_MAX + 2];
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = '\0';
  m->d.collection = name;
  CHECK_INT(store_writer_add(w, &m->d, &e), STORE_LIMIT);
  m->d.collection = "c";
  m->d.count = 0;
  CHECK_INT(store_writer_add(w, &m->d, &e), STORE_LIMIT);
  store_writer_free(w);
  free(m);
  store_close(s);
  remove_store();
}

/* A byte anywhere: opening, reading or checking says so, and nothing crashes. */
static void count_faults(void *arg, const char *fault) {
  (void)fault;
  ++*(int *)arg;
}

static enum store_status open_and_verify(void) {
  struct store *s = NULL;
  int faults = 0;
  struct store_options o = {.path = path};
  enum store_status status = store_open(&s, &o, &e);
  if (!status)
    status = store_verify(s, count_faults, &faults, &e);
  store_close(s);
  return status;
}

/* Where the bytes of the segment begin in the file, or -1. */
static long find_segment(FILE *f) {
  char page[4096];
  for (long at = 0; fseek(f, at, SEEK_SET) == 0 && fread(page, sizeof page, 1, f) == 1; at += 4096)
    if (memcmp(page + 16, SEGMENT_MAGIC, 8) == 0)
      return at + 16;
  return -1;
}

TEST(a_sum_is_the_same_on_every_processor) {
  char bytes[6000];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (char)(i * i >> 3);
  for (size_t n = 0; n <= sizeof bytes; n += n < 300 ? 1 : 97) {
    CHECK(hash_block(bytes, n) == hash_bytes(bytes, n));
    CHECK(!cpu_has(CPU_AVX2) || hash_wide(bytes, n) == hash_bytes(bytes, n));
  }
}

TEST(a_flipped_byte_is_found) {
  struct store *s = open_store();
  put(s, "c", 1, 0, 200);
  store_close(s);
  FILE *f = fopen(path, "r+");
  long start = find_segment(f);
  int missed = 0;
  CHECK(start > 0);
  for (long at = start + 1; at < start + 20000; at += 419) {
    int c;
    fseek(f, at, SEEK_SET);
    c = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(c ^ 0x20, f);
    fflush(f);
    missed += open_and_verify() == STORE_OK;
    fseek(f, at, SEEK_SET);
    fputc(c, f);
    fflush(f);
  }
  fclose(f);
  CHECK(missed <= 2); /* those in the padding between two parts */
  CHECK_INT(open_and_verify(), STORE_OK);
  remove_store();
}

/* A checksum doesn't say that postings have rows. */
TEST(postings_without_rows_are_refused) {
  struct store_segment_builder b;
  struct store_segment seg;
  struct store_terms terms_of;
  store_segment_builder_init(&b, 64);
  postings_add(b.postings, (const uint64_t[]){77}, 1, 3, 0);
  uint16_t lengths[4] = {1, 1, 1, 1};
  b.length = xreallocarray(NULL, 4, sizeof *b.length);
  memcpy(b.length, lengths, sizeof lengths);
  size_t size = store_segment_seal(&b);
  char *value = aligned_alloc(64, (size + 127) / 64 * 64);
  store_segment_write(&b, 1, value + 16);
  CHECK_INT(store_segment_attach(&seg, &terms_of, value + 16, size, &e), -1);
  free(value);
  store_segment_builder_release(&b);
}

TEST(a_wrong_file_is_refused) {
  FILE *f = fopen(path, "w");
  for (int i = 0; i < 20000; i++)
    fputc(i * 7, f);
  fclose(f);
  struct store *s;
  struct store_options o = {.path = path, .write = 1, .create = 1};
  CHECK_INT(store_open(&s, &o, &e), STORE_NOT_STORE);
  CHECK(strstr(e.text, path) && strstr(e.text, "not a store"));
  CHECK_INT(truncate(path, 0), 0);
  o.create = o.write = 0;
  CHECK_INT(store_open(&s, &o, &e), STORE_MISSING); /* a store that another process is making */
  remove_store();
  CHECK_INT(store_open(&s, &o, &e), STORE_MISSING);
  s = open_store();
  put(s, "c", 1, 0, 200);
  store_close(s);
  CHECK_INT(truncate(path, 40960), 0);
  CHECK_INT(store_open(&s, &o, &e), STORE_CORRUPT);
  remove_store();
}

/* Numbers of every width, against reading them bit by bit. */
static void test_unpack(void) {
  uint8_t bytes[128 * 25 / 8 + 8];
  uint32_t out[128];
  uint64_t x = 7;
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t)((x = x * 6364136223846793005u + 1442695040888963407u) >> 56);
  for (unsigned bits = 0; bits <= 25; bits++) {
    int same = 1;
    postings_unpack(bytes, bits, out);
    for (unsigned i = 0; i < 128; i++) {
      uint32_t v = 0;
      for (unsigned k = 0; k < bits; k++)
        v |= (uint32_t)(bytes[(i * bits + k) / 8] >> (i * bits + k) % 8 & 1) << k;
      same &= v == out[i];
    }
    CHECK(same);
  }
}

/* Short and long documents, one of them much longer than all others. */
TEST(a_rows_document_is_found_however_long_others_are) {
  struct store_doc docs[300];
  uint32_t state = 1, rows = 0;
  for (uint32_t i = 0; i < 300; i++) {
    state = state * 1664525u + 1013904223u;
    docs[i] =
        (struct store_doc){.first = rows, .rows = i == 100 ? 5000 : 1 + (state >> 24) % (i < 200 ? 3 : 40)};
    rows += docs[i].rows;
  }
  for (uint32_t count = 1; count <= 300; count += 23) {
    struct store_segment seg = {
        .doc = docs, .docs = count, .rows = docs[count - 1].first + docs[count - 1].rows};
    uint32_t wrong = 0;
    for (uint32_t d = 0; d < count; d++)
      for (uint32_t row = docs[d].first; row < docs[d].first + docs[d].rows; row++)
        wrong += store_doc_of_row(&seg, row) != d;
    CHECK_INT(wrong, 0);
  }
}

int main(void) {
  RUN(test_unpack);
  if (!mkdtemp(folder))
    return 1;
  snprintf(path, sizeof path, "%s/store", folder);
  RUN(what_goes_in_comes_out);
  RUN(unchanged_costs_nothing);
  RUN(replaced_as_a_whole);
  RUN(the_same_document_twice_in_a_batch);
  RUN(another_model_is_refused);
  RUN(merging_changes_nothing_that_is_seen);
  RUN(a_writer_is_freed_while_its_workers_are_at_work);
  RUN(filters);
  RUN(long_lists_and_seeking);
  RUN(renamed_in_one_step);
  RUN(limits);
  RUN(a_sum_is_the_same_on_every_processor);
  RUN(a_flipped_byte_is_found);
  RUN(a_rows_document_is_found_however_long_others_are);
  RUN(postings_without_rows_are_refused);
  RUN(a_wrong_file_is_refused);
  remove_store();
  rmdir(folder);
  return test_done();
}
