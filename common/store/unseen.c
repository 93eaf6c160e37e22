#include "store/unseen.h"
#include "record/json.h"

struct unseen {
  struct store *store;
  const struct store_snapshot
      *snap; /* for this record only: the store may be written during a slow pipeline */
  struct buf url, sha, document;
  int names_company; /* the record does */
  uint64_t known;
};

static const char *const fields[] = {"sourceUrl", "sha256", "entity", NULL};
enum { URL, SHA256, ENTITY };

/* Whether a document says whose it is. */
static int has_company(struct slice document) {
  return json_kind(json_get(document, "entity")) == '{' ||
         json_kind(json_get(json_get(document, "metadata"), "company")) == '"';
}

/* Whether the document at this URL was made from the same bytes; one that nobody has said the company of, and that has one now, is
 * another one. */
static int same_bytes(struct unseen *u, const struct store_segment *seg, uint32_t doc, struct slice sha) {
  struct error_text e;
  struct buf scratch;
  buf_clear(&u->document);
  if (store_get_document(u->snap, seg->doc[doc].id, &u->document, &e) != STORE_OK)
    return 0;
  buf_init(&scratch, 4096);
  int same = slice_eq(json_text(json_get(buf_slice(&u->document), "sha256"), &scratch), sha);
  buf_release(&scratch);
  if (u->names_company && !has_company(buf_slice(&u->document)))
    return 0;
  return same;
}

static int is_known(struct unseen *u, struct slice url, struct slice sha) {
  const struct store_collection *list;
  const struct store_segment *seg;
  struct error_text e;
  uint32_t doc;
  size_t n = store_collections(u->snap, &list);
  for (size_t i = 0; i < n; i++)
    if (store_find_document(u->snap, list[i].id, url, &seg, &doc, &e) == STORE_OK &&
        same_bytes(u, seg, doc, sha))
      return 1;
  return 0;
}

static int unseen_ask(struct unseen *u, struct slice url, struct slice sha) {
  struct store_snapshot *snap;
  struct error_text e;
  if (!u->store || !url.len || !sha.len || store_snapshot_begin(u->store, &snap, &e))
    return 0;
  u->snap = snap;
  int known = is_known(u, url, sha);
  store_snapshot_end(snap);
  return known;
}

static int pass_unseen(struct program *p, const struct record *rec, void *arg) {
  struct unseen *u = arg;
  struct slice url = json_text(rec->field[URL], &u->url), sha = json_text(rec->field[SHA256], &u->sha);
  u->names_company = json_kind(rec->field[ENTITY]) == '{';
  if (unseen_ask(u, url, sha)) {
    u->known++;
    return 0;
  }
  buf_add_slice(&p->out.buf, rec->line);
  buf_add_char(&p->out.buf, '\n');
  return 0;
}

void unseen_run(struct program *p, struct store *s) {
  struct unseen u = {.store = s};
  buf_init(&u.url, RECORD_MAX);
  buf_init(&u.sha, RECORD_MAX);
  buf_init(&u.document, RECORD_MAX);
  program_each_record(p, fields, pass_unseen, &u);
  program_stat(p, "known", (double)u.known);
  buf_release(&u.url);
  buf_release(&u.sha);
  buf_release(&u.document);
}
