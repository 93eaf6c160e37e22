#include "store/indexer_name.h"
#include "store/indexer_fields.h"

#include "record/json.h"
#include "tables/file_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tickers of the most recent companies with a ticker; other documents of their filings have only the CIK. */
enum { INDEXER_TICKERS = 64 };
struct indexer_ticker {
  char cik[16], ticker[16];
};

struct indexer_names {
  struct indexer_ticker tickers[INDEXER_TICKERS]; /* a ring */
  size_t ticker_count;
  struct buf scratch;
};

struct indexer_names *indexer_names_new(void) {
  struct indexer_names *n = xcalloc(1, sizeof *n);
  buf_init(&n->scratch, RECORD_MAX);
  return n;
}

void indexer_names_free(struct indexer_names *n) {
  if (!n)
    return;
  buf_release(&n->scratch);
  free(n);
}

static int indexer_is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '-';
}

static void indexer_add_part(struct buf *out, struct slice part) {
  if (out->len)
    buf_add_char(out, '_');
  for (size_t i = 0; i < part.len; i++)
    buf_add_char(out, indexer_is_plain(part.data[i]) ? part.data[i] : '-');
}

/* The CIK without its leading zeros. */
static struct slice indexer_bare_cik(struct slice cik) {
  while (cik.len > 1 && cik.data[0] == '0')
    cik = slice_of(cik.data + 1, cik.len - 1);
  return cik;
}

static void indexer_note_ticker(struct indexer_names *names, struct slice ticker, struct slice cik) {
  struct indexer_ticker *t = &names->tickers[names->ticker_count % INDEXER_TICKERS];
  if (ticker.len == 0 || ticker.len >= sizeof t->ticker || cik.len == 0 || cik.len >= sizeof t->cik)
    return;
  snprintf(t->ticker, sizeof t->ticker, "%.*s", (int)ticker.len, ticker.data);
  snprintf(t->cik, sizeof t->cik, "%.*s", (int)cik.len, cik.data);
  names->ticker_count++;
}

/* The last ticker seen with this CIK, or NULL. */
static const char *indexer_ticker_of(const struct indexer_names *names, struct slice cik) {
  for (size_t i = names->ticker_count, n = 0; i-- > 0 && n < INDEXER_TICKERS; n++)
    if (slice_is(cik, names->tickers[i % INDEXER_TICKERS].cik))
      return names->tickers[i % INDEXER_TICKERS].ticker;
  return NULL;
}

static void indexer_add_company(struct indexer_names *names, struct buf *out, const struct record *rec,
                                struct slice meta) {
  struct buf own;
  char name[40];
  buf_init(&own, 4096);
  struct slice ticker = json_text(json_get(meta, "ticker"), &names->scratch);
  struct slice cik = indexer_bare_cik(json_text(json_get(meta, "cik"), &own)), s = ticker;
  if (s.len == 0 && cik.len > 0) {
    const char *known = indexer_ticker_of(names, cik);
    snprintf(name, sizeof name, "%s%.*s", known ? known : "CIK",
             known ? 0 : (int)(cik.len < 30 ? cik.len : 30), cik.data);
    s = slice_str(name);
  } else if (indexer_ticker_of(names, cik) == NULL) {
    indexer_note_ticker(names, ticker, cik);
  }
  if (s.len == 0 && json_kind(rec->field[F_ENTITY]) == '{')
    s = json_text(json_get(rec->field[F_ENTITY], "id"), &names->scratch);
  if (s.len == 0)
    s = json_text(json_get(meta, "company"), &names->scratch);
  indexer_add_part(out, s.len ? slice_of(s.data, s.len < 60 ? s.len : 60) : slice_str("unknown"));
  buf_release(&own);
}

static struct slice file_type(const struct record *rec, struct buf *scratch) {
  struct slice type = json_text(rec->field[F_TYPE], scratch);
  static const char *const known[][2] = {FILE_TYPES_CALLED};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (memmem(type.data ? type.data : "", type.len, known[i][0], strlen(known[i][0])))
      return slice_str(known[i][1]);
  return slice_str("document");
}

/* DOMAIN_CORPUS_COMPANY_FORM. */
static void compose_name(struct indexer_names *names, const struct indexer_options *o,
                         const struct record *rec, struct buf *out) {
  struct slice meta = json_kind(rec->field[F_METADATA]) == '{' ? rec->field[F_METADATA] : slice_str("{}");
  struct slice s = o->domain ? slice_str(o->domain) : json_text(json_get(meta, "domain"), &names->scratch);
  struct buf form;
  indexer_add_part(out, s.len ? s : slice_str("finance"));
  buf_init(&form, 256);
  buf_add_slice(&form, json_text(json_get(meta, "form"), &names->scratch));
  s = o->corpus ? slice_str(o->corpus) : json_text(json_get(meta, "corpus"), &names->scratch);
  indexer_add_part(out, s.len ? s : slice_str(form.len ? "edgar" : "reports"));
  indexer_add_company(names, out, rec, meta);
  indexer_add_part(out, form.len ? buf_slice(&form) : file_type(rec, &names->scratch));
  buf_release(&form);
}

int indexer_name_is_plain(struct slice name) {
  for (size_t i = 0; i < name.len; i++)
    if (name.data[i] != '_' && !indexer_is_plain(name.data[i]))
      return 0;
  return name.len > 0;
}

const char *indexer_name(struct indexer_names *n, const struct indexer_options *o, const struct record *rec,
                         char out[STORE_NAME_MAX + 1]) {
  const char *fault = NULL;
  struct buf name;
  buf_init(&name, STORE_NAME_MAX);
  if (o->collection)
    buf_add_str(&name, o->collection);
  else if (o->restore)
    buf_add_slice(&name, json_text(json_get(rec->field[F_STORE], "collection"), &n->scratch));
  else
    compose_name(n, o, rec, &name);
  if (o->restore && json_kind(rec->field[F_STORE]) != '{')
    fault = "it was not written by bid-store dump; bid-index reads what bid-embed wrote";
  else if (name.overflow)
    fault = "the collection's name would be longer than 256 bytes";
  else if (name.len == 0 || memchr(name.data, '\0', name.len) != NULL)
    fault = "the collection's name is empty or has a NUL";
  snprintf(out, STORE_NAME_MAX + 1, "%s", fault ? "" : name.data);
  buf_release(&name);
  return fault;
}
