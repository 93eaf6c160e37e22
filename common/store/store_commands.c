#include "store/store_commands.h"
#include "base/diag.h"
#include "record/error.h"
#include "record/json.h"
#include "store/indexer.h"
#include "store/reembed.h"
#include "store/store_dump.h"
#include "store/store_report.h"
#include "store/unseen.h"

#include <stdlib.h>
#include <string.h>

enum store_status store_command_list(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e) {
  struct store_snapshot *snap;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  if (store_report_collections(p, snap, &call->subset) == 0)
    program_nothing(p, call->subset.collections.count
                           ? "no collection matches; bid-store ls without -c lists all"
                           : "the store is empty");
  store_snapshot_end(snap);
  return STORE_OK;
}

enum store_status store_command_stat(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e) {
  struct store_snapshot *snap;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  (void)call;
  if (status)
    return status;
  status = store_report_sizes(p, s, snap, e);
  store_snapshot_end(snap);
  return status;
}

enum store_status store_command_remove(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e) {
  uint64_t documents = 0, passages = 0;
  enum store_status status = store_subset_remove(s, &call->subset, &documents, &passages, e);
  if (!status && p->people)
    buf_printf(&p->out.buf, "removed %llu documents with %llu passages\n", (unsigned long long)documents,
               (unsigned long long)passages);
  if (!status && documents == 0)
    program_nothing(p, "nothing matches: no document was removed");
  if (!status && !p->people) {
    buf_add_char(&p->out.buf, '{');
    json_uint(&p->out.buf, "documents", documents);
    json_uint(&p->out.buf, "removed", passages);
    buf_add(&p->out.buf, "}\n", 2);
  }
  return status;
}

enum store_status store_command_dump(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e) {
  struct store_snapshot *snap;
  uint32_t *ids;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t count = store_subset_ids(&call->subset, snap, &ids);
  unsigned flags = call->plain ? 0 : DUMP_VECTORS | DUMP_STORE;
  status = call->format ? store_dump_rows(snap, ids, count, &call->rows, &p->out, e)
                        : store_dump(snap, ids, count, flags, &p->out, e);
  if (!count)
    program_nothing(p, "no collection matches; bid-store ls without -c lists all");
  free(ids);
  store_snapshot_end(snap);
  return status;
}

enum store_status store_command_load(struct program *p, struct store *s, const struct store_call *call,
                                     struct error_text *e) {
  struct indexer_options loading = {.restore = 1};
  (void)call;
  (void)e;
  struct indexer *x = indexer_new(p, s, &loading);
  indexer_run(x);
  indexer_free(x);
  return STORE_OK;
}

static void store_command_fault(void *arg, const char *fault) {
  struct program *p = arg;
  diag_warn("%s", fault);
  p->errors++;
}

enum store_status store_command_verify(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e) {
  enum store_status status = store_verify(s, store_command_fault, p, e);
  (void)call;
  if (!status && p->people && !p->quiet)
    buf_add_str(&p->out.buf, "every block, passage and posting is as it was written\n");
  return status;
}

enum store_status store_command_backup(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e) {
  enum store_status status = store_backup(s, p->operands[0], e);
  (void)call;
  if (!status && p->people && !p->quiet) {
    buf_add_str(&p->out.buf, "copied to ");
    buf_add_masked(&p->out.buf, slice_str(p->operands[0]));
    buf_add_char(&p->out.buf, '\n');
  }
  return status;
}

enum store_status store_command_compact(struct program *p, struct store *s, const struct store_call *call,
                                        struct error_text *e) {
  uint64_t before = 0, after = 0;
  enum store_status status = store_compact(s, &before, &after, e);
  (void)call;
  if (status)
    return status;
  if (p->people) {
    buf_printf(&p->out.buf, "%.1f MB before, %.1f MB now\n", (double)before / 1e6, (double)after / 1e6);
    return STORE_OK;
  }
  buf_add_char(&p->out.buf, '{');
  json_uint(&p->out.buf, "before", before);
  json_uint(&p->out.buf, "after", after);
  buf_add(&p->out.buf, "}\n", 2);
  return STORE_OK;
}

/* Without a store, everything is unseen. */
enum store_status store_command_unseen(struct program *p, struct store *s, const struct store_call *call,
                                       struct error_text *e) {
  (void)call;
  (void)e;
  unseen_run(p, s);
  return STORE_OK;
}

enum store_status store_command_reembed(struct program *p, struct store *s, const struct store_call *call,
                                        struct error_text *e) {
  struct store_snapshot *snap;
  const struct store_collection *c;
  enum store_status status = store_snapshot_begin(s, &snap, e);
  if (status)
    return status;
  size_t n = store_collections(snap, &c), count = 0;
  char **names = xcalloc(n + 1, sizeof *names);
  for (size_t i = 0; i < n; i++)
    if (store_subset_has(&call->subset, c[i].name))
      names[count++] = xstrdup(c[i].name);
  store_snapshot_end(snap);
  if (!count)
    program_nothing(p, "no collection matches; bid-store ls without -c lists all");
  for (size_t i = 0; i < count; i++) {
    if (!status)
      status = reembed_collection(p, s, names[i], call->model, e);
    free(names[i]);
  }
  free(names);
  return status;
}

/* ---- merge ---- */

static void show_absorbed(struct program *p, const char *path, const struct store_absorbed *a) {
  struct buf *out = &p->out.buf;
  if (p->people) {
    buf_add_masked(out, slice_str(path));
    buf_printf(
        out,
        ": %llu documents with %llu passages; %llu replaced another version, %llu were there, %llu older\n",
        (unsigned long long)a->documents, (unsigned long long)a->passages, (unsigned long long)a->replaced,
        (unsigned long long)a->unchanged, (unsigned long long)a->older);
    return;
  }
  buf_add_char(out, '{');
  json_cstr(out, "from", path);
  json_uint(out, "documents", a->documents);
  json_uint(out, "passages", a->passages);
  json_uint(out, "replaced", a->replaced);
  json_uint(out, "unchanged", a->unchanged);
  json_uint(out, "older", a->older);
  buf_add_str(out, "}\n");
}

static enum store_status merge_from(struct program *p, struct store *s, const char *path, double wait,
                                    struct error_text *e) {
  struct store_options o = {.path = path, .wait = wait};
  struct store_absorbed sum;
  struct store *from;
  if (store_is_at(s, path)) {
    error_set(e, "%s: is the store that is merged into", path);
    return STORE_IO;
  }
  enum store_status status = store_open(&from, &o, e);
  if (status)
    return status;
  status = store_absorb(s, from, &sum, e);
  store_close(from);
  if (!status)
    show_absorbed(p, path, &sum);
  return status;
}

enum store_status store_command_merge(struct program *p, struct store *s, const struct store_call *call,
                                      struct error_text *e) {
  enum store_status status = STORE_OK;
  for (int i = 1; i < p->operand_count && !status; i++)
    status = merge_from(p, s, p->operands[i], call->wait, e);
  struct error_text later;
  enum store_status end = store_absorb_end(s, status ? &later : e);
  return status ? status : end;
}

/* ---- selecting a command ---- */

static const struct store_command *store_command_find(const struct store_command *list, const char *name) {
  for (; list->name; list++)
    if (strcmp(list->name, name) == 0)
      return list;
  return NULL;
}

static int store_command_unknown(const struct program *p, const struct store_command *commands) {
  size_t n = 0;
  if (p->operand_count == 0)
    return program_usage(p->spec, "a command is missing");
  while (commands[n].name)
    n++;
  const char **names = xcalloc(n + 1, sizeof *names);
  for (size_t i = 0; i < n; i++)
    names[i] = commands[i].name;
  int status = program_usage_unknown(p->spec, "command", p->operands[0], names);
  free(names);
  return status;
}

/* Sets the format of rows; 0, or the status of a usage error. */
static int store_call_check_rows(const struct program *p, struct store_call *call) {
  static const char *const forms[] = {"", "base64", "floats"};
  size_t i = 0;
  while (call->vectors && i < 3 && strcmp(call->vectors, forms[i]) != 0)
    i++;
  if (i == 3)
    return program_usage(p->spec, "--vectors: '%s' is neither base64 nor floats", call->vectors);
  call->rows.vectors = call->vectors == NULL ? ROWS_NO_VECTORS : i == 2 ? ROWS_FLOATS : ROWS_BASE64;
  call->rows.csv = call->format && strcmp(call->format, "csv") == 0;
  if (call->format && !call->rows.csv && strcmp(call->format, "ndjson") != 0)
    return program_usage(p->spec, "--format: '%s' is neither ndjson nor csv", call->format);
  if (call->rows.vectors == ROWS_FLOATS && !call->format)
    return program_usage(p->spec, "--vectors=floats needs --format=ndjson or --format=csv");
  return 0;
}

/* Whether a command takes this number of operands. */
static int store_command_takes(const struct store_command *c, int given) {
  if (c->operands >= 0)
    return given == c->operands;
  if (c->operands == STORE_OPERANDS_TWO_AT_MOST)
    return given <= 2;
  return c->operands == STORE_OPERANDS_ANY || given >= (c->operands == STORE_OPERANDS_PAIR ? 2 : 1);
}

static int store_command_operands(const struct program *p, const struct store_command *c) {
  int given = p->operand_count - 1;
  if (c->named && given == 0)
    return program_usage(p->spec, "%s needs %s", c->name, c->named);
  if (c->named)
    return program_usage(p->spec, "%s takes %s, not %d operand%s", c->name, c->named, given,
                         given == 1 ? "" : "s");
  return program_usage(p->spec, "%s takes no operand '%s'%s", c->name, p->operands[1],
                       c->flags & STORE_COMMAND_NEEDS_SUBSET ? ": --collection, --url or --company say which"
                                                             : "");
}

static int store_call_check(const struct program *p, const struct store_command *c, struct store_call *call) {
  const struct store_subset *sel = &call->subset;
  if (!store_command_takes(c, p->operand_count - 1))
    return store_command_operands(p, c);
  if (c->flags & STORE_COMMAND_NEEDS_SUBSET && !sel->collections.count && !sel->urls.count &&
      !sel->companies.count)
    return program_usage(p->spec, "%s needs --collection, --url or --company", c->name);
  if (!(c->flags & STORE_COMMAND_NEEDS_SUBSET) && (sel->urls.count || sel->companies.count))
    return program_usage(p->spec, "%s takes no %s: only rm does; -c names collections%s%s", c->name,
                         sel->urls.count ? "--url" : "--company", c->named ? ", operands are " : "",
                         c->named ? c->named : "");
  if (c->flags & STORE_COMMAND_NEEDS_MODEL && !call->model)
    return program_usage(p->spec, "%s needs --model", c->name);
  return store_call_check_rows(p, call);
}

int store_commands_run(struct program *p, const struct store_command *commands, struct store_call *call) {
  struct store *s = NULL;
  struct error_text e;
  const struct store_command *c = p->operand_count ? store_command_find(commands, p->operands[0]) : NULL;
  int usage = c ? store_call_check(p, c, call) : store_command_unknown(p, commands);
  if (usage != 0)
    return usage;
  p->operands++;
  p->operand_count--;
  struct store_options o = {.path = c->flags & STORE_COMMAND_NAMES_STORE ? p->operands[0] : NULL,
                            .write = (c->flags & STORE_COMMAND_WRITES) != 0,
                            .create = (c->flags & STORE_COMMAND_CREATES) != 0,
                            .wait = call->wait};
  enum store_status status = c->flags & STORE_COMMAND_OPENS_ITSELF ? STORE_OK : store_open(&s, &o, &e);
  if (status == STORE_MISSING && c->flags & STORE_COMMAND_WITHOUT_STORE)
    status = STORE_OK;
  if (!status)
    status = c->run(p, s, call, &e);
  if (status)
    indexer_fault(p, status, &e);
  store_close(s);
  return program_finish(p);
}
