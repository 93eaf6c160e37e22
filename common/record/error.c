/* error.c: error records; the table of failures, their categories and exit statuses. */
#include "record/error.h"
#include "record/json.h"

#include <string.h>
#include <sysexits.h>

void error_add(struct buf *out, const struct error_record *e) {
  buf_add_str(out, "{\"error\":{");
  json_cstr(out, "category", e->category);
  json_cstr(out, "message", e->message);
  json_cstr(out, "stage", e->stage);
  if (e->source.len)
    json_str(out, "source", e->source);
  if (e->source_url.len)
    json_str(out, "sourceUrl", e->source_url);
  if (e->status)
    json_int(out, "status", e->status);
  if (e->retry_after >= 0)
    json_double(out, "retryAfter", e->retry_after);
  buf_add_char(out, '}');
  if (json_kind(e->metadata) == '{')
    json_raw(out, "metadata", e->metadata);
  buf_add_str(out, "}\n");
}

static const struct {
  const char *category;
  int status;
} table[FAULT_COUNT] = {
    [FAULT_NONE] = {ERROR_INTERNAL, 0},
    [FAULT_UNAVAILABLE] = {ERROR_UNAVAILABLE, EX_UNAVAILABLE},
    [FAULT_NO_CONTENT] = {ERROR_NO_CONTENT, 1},
    [FAULT_AUTH] = {ERROR_AUTH_FAILED, EX_NOPERM},
    [FAULT_RATE] = {ERROR_RATE_LIMITED, EX_TEMPFAIL},
    [FAULT_REQUEST] = {ERROR_INVALID_REQUEST, EX_USAGE},
    [FAULT_INTERNAL] = {ERROR_INTERNAL, EX_SOFTWARE},
    [FAULT_NOT_REGISTERED] = {ERROR_NOT_REGISTERED, EX_CONFIG},
    [FAULT_NO_STORE] = {ERROR_NO_COLLECTION, EX_NOINPUT},
    [FAULT_MODEL] = {ERROR_MODEL_MISMATCH, EX_CONFIG},
    [FAULT_STALE] = {ERROR_STALE, 1},
    /* The kinds below share a category with an earlier one but have another exit status; the first kind's status is
     * the category's own. */
    [FAULT_BUSY] = {ERROR_UNAVAILABLE, EX_TEMPFAIL},
    [FAULT_DATA] = {ERROR_INTERNAL, EX_DATAERR},
    [FAULT_DISK] = {ERROR_UNAVAILABLE, EX_IOERR},
    [FAULT_SETTING] = {ERROR_INTERNAL, EX_CONFIG}};

const char *error_kind_category(enum error_kind kind) {
  return table[kind].category;
}

int error_kind_status(enum error_kind kind) {
  return table[kind].status;
}

const char *error_category(struct slice text) {
  for (size_t i = FAULT_NONE + 1; i < FAULT_COUNT; i++)
    if (slice_is(text, table[i].category))
      return table[i].category;
  return ERROR_INTERNAL;
}

int error_exit_status(const char *category) {
  for (size_t i = FAULT_NONE + 1; i < FAULT_COUNT; i++)
    if (slice_is(slice_str(category), table[i].category))
      return table[i].status;
  return EX_SOFTWARE;
}
