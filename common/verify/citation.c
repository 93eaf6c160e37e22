/* citation.c: compares a cited passage with the stored document and with the bytes of its source. */
#include "verify/citation.h"

#include "base/helper.h"
#include "base/paths.h"
#include "facts/fact_load.h"
#include "record/json.h"
#include "record/record.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CITATION_MAX ((size_t)256 << 20)

const char *citation_word(enum citation_state s) {
  static const char *const words[] = {"unchecked", "proved", "changed", "absent"};
  return words[s];
}

static void citation_say(struct cited *c, const char *why) {
  snprintf(c->why, sizeof c->why, "%s", why);
}

static void citation_take_hash(struct cited *c, struct slice document) {
  struct slice sha = json_get(document, "sha256");
  if (json_kind(sha) == '"' && sha.len - 2 < sizeof c->sha256)
    snprintf(c->sha256, sizeof c->sha256, "%.*s", (int)sha.len - 2, sha.data + 1);
}

/* How a stored passage differs from the cited one; NULL where it doesn't. */
static const char *citation_difference(const struct store_text *t, struct slice document,
                                       const struct cited *c) {
  struct buf scratch;
  const char *why = NULL;
  buf_init(&scratch, 65536);
  if (!slice_eq(t->text, c->text))
    why = "the text is another one";
  else if (c->start >= 0 && (json_to_int(json_get(t->chunk, "start"), -1) != c->start ||
                             json_to_int(json_get(t->chunk, "end"), -1) != c->end))
    why = "it stands at another place of the document";
  else if (c->url.len && !slice_eq(json_text(json_get(document, "sourceUrl"), &scratch), c->url))
    why = "it is of another document";
  buf_release(&scratch);
  return why;
}

enum store_status citation_find(const struct store_snapshot *snap, struct slice id,
                                const struct store_segment **seg, uint32_t *row, struct store_text *t,
                                struct error_text *e) {
  char text[33];
  snprintf(text, sizeof text, "%.*s", (int)id.len, id.data ? id.data : "");
  enum store_status status = id.len == 32 ? store_find_passage(snap, text, 0, seg, row, e) : STORE_ABSENT;
  return status == STORE_OK ? store_get_text(snap, *seg, *row, t, e) : status;
}

void citation_prove(struct cited *c, const struct store_snapshot *snap) {
  const struct store_segment *seg;
  struct error_text e;
  struct store_text t;
  struct buf document;
  uint32_t row;
  store_text_init(&t);
  buf_init(&document, CITATION_MAX);
  c->stored = CITATION_ABSENT;
  enum store_status found = citation_find(snap, c->id, &seg, &row, &t, &e);
  if (found != STORE_OK) {
    citation_say(c, found == STORE_ABSENT ? "no passage of this id is in the store" : e.text);
  } else if (store_get_document(snap, seg->doc[store_doc_of_row(seg, row)].id, &document, &e) != STORE_OK) {
    citation_say(c, e.text);
  } else {
    const char *why = citation_difference(&t, buf_slice(&document), c);
    citation_take_hash(c, buf_slice(&document));
    c->stored = why ? CITATION_CHANGED : CITATION_PROVED;
    citation_say(c, why ? why : "");
  }
  buf_release(&document);
  store_text_release(&t);
}

/* ---- the source ---- */

static int citation_fetch(const struct cited *c, struct buf *records) {
  struct buf word;
  struct error_text e;
  const char *fragment = memchr(c->url.data, '#', c->url.len);
  size_t n = fragment ? (size_t)(fragment - c->url.data) : c->url.len;
  int is_file = paths_url_is(c->url), status = -1;
  buf_init(&word, 65536);
  buf_printf(&word, "%s%.*s", is_file ? "" : "url=", (int)n, c->url.data);
  const char *const file[] = {"file", word.data, NULL};
  const char *const url[] = {"sec-filing-document", "--content", "-P", word.data, NULL};
  status = fact_fetch(is_file ? file : url, 1, records, &e);
  buf_release(&word);
  return status;
}

enum { C_URL, C_SHA, C_TEXT };
static const char *const citation_fields[] = {"sourceUrl", "sha256", "text", NULL};

/* Compares a document that was converted again. */
static void citation_compare(struct cited *c, const struct record *doc) {
  struct buf text;
  buf_init(&text, CITATION_MAX);
  struct slice sha = doc->field[C_SHA];
  c->source = CITATION_CHANGED;
  if (c->sha256[0] && (sha.len != strlen(c->sha256) + 2 || memcmp(sha.data + 1, c->sha256, sha.len - 2) != 0))
    citation_say(c, "the source's bytes have another hash");
  else if (json_decode(doc->field[C_TEXT], &text) || c->start < 0 || c->end > (long long)text.len ||
           c->start > c->end)
    citation_say(c, "the source's text has no such place");
  else if (!slice_eq(slice_of(text.data + c->start, (size_t)(c->end - c->start)), c->text))
    citation_say(c, "the source has another text at that place");
  else
    c->source = CITATION_PROVED;
  buf_release(&text);
}

static void citation_find_document(struct cited *c, struct slice documents) {
  struct record *rec = xcalloc(1, sizeof *rec);
  struct buf scratch;
  const char *why;
  size_t at;
  buf_init(&scratch, 65536);
  while (documents.len && c->source == CITATION_ABSENT) {
    struct slice line = slice_cut(&documents, '\n');
    if (line.len && record_parse(line.data, line.len, citation_fields, rec, &why, &at) == RECORD_OK &&
        !rec->is_error && slice_eq(json_text(rec->field[C_URL], &scratch), c->url))
      citation_compare(c, rec);
  }
  buf_release(&scratch);
  free(rec);
}

void citation_run_strip(int in, int out, int err) {
  static char name[] = "bid-strip", quiet[] = "--quiet";
  char path[PATH_MAX], *argv[] = {name, quiet, NULL};
  helper_take(in, out, err);
  helper_path(name, path);
  execvp(path, argv);
  _exit(127);
}

/* Converts payloads; -1 where bid-strip fails. */
static int citation_strip(struct slice payloads, struct buf *documents) {
  struct helper_task t = {.run = citation_run_strip, .left = payloads, .text = documents};
  int status = helper_task_do(&t);
  return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

void citation_prove_source(struct cited *c) {
  struct buf payloads, documents;
  c->source = CITATION_ABSENT;
  if (!c->url.len) {
    citation_say(c, "it has no source");
    return;
  }
  buf_init(&payloads, CITATION_MAX);
  buf_init(&documents, CITATION_MAX);
  if (citation_fetch(c, &payloads) != 0)
    citation_say(c, "the source could not be fetched");
  else if (citation_strip(buf_slice(&payloads), &documents) != 0)
    citation_say(c, "the source could not be read");
  else
    citation_find_document(c, buf_slice(&documents));
  if (c->source == CITATION_ABSENT && !c->why[0])
    citation_say(c, "the source has no such document");
  buf_release(&payloads);
  buf_release(&documents);
}
