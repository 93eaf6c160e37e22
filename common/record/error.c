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
} statuses[] = {{ERROR_UNAVAILABLE, EX_UNAVAILABLE}, {ERROR_NO_CONTENT, 1},
                {ERROR_AUTH_FAILED, EX_NOPERM},      {ERROR_RATE_LIMITED, EX_TEMPFAIL},
                {ERROR_INVALID_REQUEST, EX_USAGE},   {ERROR_INTERNAL, EX_SOFTWARE},
                {ERROR_NOT_REGISTERED, EX_CONFIG},   {ERROR_NO_COLLECTION, EX_NOINPUT},
                {ERROR_MODEL_MISMATCH, EX_CONFIG},   {ERROR_STALE, 1}};

const char *error_category(struct slice text) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (slice_is(text, statuses[i].category))
      return statuses[i].category;
  return ERROR_INTERNAL;
}

int error_exit_status(const char *category) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
    if (strcmp(category, statuses[i].category) == 0)
      return statuses[i].status;
  return EX_SOFTWARE;
}
