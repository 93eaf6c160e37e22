#include "facts/fact_plan_read.h"

#include "filing/form.h"
#include "record/json.h"

#include <stdarg.h>
#include <stdio.h>

void fact_plan_say(struct program *p, struct slice job, const char *category, const char *format, ...) {
  struct buf *out = &p->out.buf;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  size_t start = out->len;
  program_error(p, NULL, category, slice_of(NULL, 0), slice_of(NULL, 0), "%s", text);
  if (!job.len || out->len < start + 2)
    return;
  out->len -= 2; /* the brace and the line's end */
  json_raw(out, "job", job);
  buf_add_str(out, "}\n");
}

int fact_plan_is_of_reports(struct slice plan) {
  struct slice list = json_get(plan, "forms"), one;
  struct json_cursor at = {0};
  size_t count = 0;
  for (; json_kind(list) == '[' && json_next_element(list, &at, &one); count++)
    if (one.len > 2 && form_kind_of(slice_of(one.data + 1, one.len - 2)) != FORM_OTHER)
      return 1;
  return count == 0;
}

/* Whether the question is about a company that is not among those given. */
static int plan_names_another(struct slice plan) {
  struct slice list = json_get(plan, "others"), one;
  struct json_cursor at = {0};
  while (json_kind(list) == '[' && json_next_element(list, &at, &one))
    if (json_kind(json_get(one, "asked")) == 't')
      return 1;
  return 0;
}

int fact_plan_wants_figures(struct slice plan) {
  if (plan_names_another(plan))
    return 0;
  struct slice asks = json_get(plan, "asks");
  return slice_is(asks, "\"figure\"") || slice_is(asks, "\"table\"") || slice_is(asks, "\"comparison\"");
}
