#include "compare/stored_documents.h"

#include "compare/stored_text.h"
#include "record/json.h"
#include "store/store_format.h"

#include <stdlib.h>
#include <string.h>

/* The documents being listed. */
struct documents {
  struct program *program;
  const struct store_snapshot *snap;
  const struct store_company *companies;
  struct buf json; /* the shared fields of the current document */
};

static const char *documents_company(const struct documents *l, const struct stored_place *at) {
  const struct store_company *c = &l->companies[at->seg->doc[at->doc].company];
  return c->name[0] ? c->name : c->ticker;
}

/* For qsort_r(3): by company, then newest first. */
static int documents_order(const void *a, const void *b, void *arg) {
  int by_company = strcasecmp(documents_company(arg, a), documents_company(arg, b));
  return by_company ? by_company : stored_text_newest_first(a, b);
}

static unsigned long long documents_passages(const struct stored_place *at) {
  const struct store_doc *d = &at->seg->doc[at->doc];
  return store_segment_doc_end(at->seg, d) - d->first;
}

/* The fields that its passages share, with its collection and their number. */
static void documents_add_record(struct documents *l, const struct stored_place *at) {
  struct buf *out = &l->program->out.buf;
  buf_add(out, l->json.data, l->json.len ? l->json.len - 1 : 0);
  json_cstr(out, "collection", store_collection_name(l->snap, at->seg->doc[at->doc].collection));
  json_uint(out, "passages", documents_passages(at));
  buf_add_str(out, "}\n");
}

/* Appends a member of the metadata behind `lead`; returns whether there is one. */
static int documents_add_word(struct buf *out, const char *lead, struct slice metadata, const char *name) {
  struct slice value = metadata.len > 0 ? json_get(metadata, name) : metadata;
  struct buf scratch;
  if (json_kind(value) != '"' || value.len == 2)
    return 0;
  buf_init(&scratch, (size_t)64 << 20);
  buf_add_str(out, lead);
  buf_add_masked(out, json_text(value, &scratch));
  buf_release(&scratch);
  return 1;
}

/* "Apple Inc. (AAPL) · 10-K · FY 2025 · filed 2025-10-31 · 157 passages · URL" */
static void documents_add_line(struct documents *l, const struct stored_place *at) {
  struct buf *out = &l->program->out.buf;
  struct slice shared = buf_slice(&l->json), metadata = json_get(shared, "metadata");
  if (documents_add_word(out, "", metadata, "company") && documents_add_word(out, " (", metadata, "ticker"))
    buf_add_char(out, ')');
  if (!documents_add_word(out, " · ", metadata, "form"))
    documents_add_word(out, " · ", metadata, "title");
  documents_add_word(out, " ", metadata, "exhibit");
  if (documents_add_word(out, " · ", metadata, "fiscalPeriod"))
    documents_add_word(out, " ", metadata, "fiscalYear");
  else
    documents_add_word(out, " · period ", metadata, "reportDate");
  documents_add_word(out, " · filed ", metadata, "filingDate");
  buf_printf(out, " · %llu passage%s", documents_passages(at), documents_passages(at) == 1 ? "" : "s");
  documents_add_word(out, " · ", shared, "sourceUrl");
  buf_add_char(out, '\n');
}

static enum store_status documents_write(struct documents *l, const struct stored_place *list, size_t count,
                                         struct error_text *e) {
  enum store_status status = STORE_OK;
  for (size_t i = 0; i < count && !status && !l->program->out.error; i++) {
    buf_clear(&l->json);
    status = store_get_document(l->snap, list[i].seg->doc[list[i].doc].id, &l->json, e);
    if (!status)
      (l->program->people ? documents_add_line : documents_add_record)(l, &list[i]);
    output_flush_if_full(&l->program->out);
  }
  return status;
}

enum store_status stored_documents(struct program *p, struct store *s, const struct store_call *call,
                                   struct error_text *e) {
  struct stored_choice wanted = {p->operand_count > 0 ? p->operands[0] : NULL,
                                 p->operand_count > 1 ? p->operands[1] : NULL,
                                 call->exhibit ? call->exhibit : "", 0, &call->subset};
  struct store_snapshot *snap;
  struct stored_place *list = NULL;
  size_t count = 0;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  struct documents l = {.program = p, .snap = snap};
  buf_init(&l.json, STORE_DOCUMENT_BYTES);
  store_companies(snap, &l.companies);
  status = stored_text_find(snap, &wanted, &list, &count, e);
  if (!status && count > 0) {
    qsort_r(list, count, sizeof *list, documents_order, &l);
    status = documents_write(&l, list, count, e);
  } else if (!status) {
    program_nothing(p, wanted.company || call->subset.collections.count
                           ? "no such document; bid-store documents lists all"
                           : "the store is empty");
  }
  free(list);
  buf_release(&l.json);
  store_snapshot_end(snap);
  return status;
}
