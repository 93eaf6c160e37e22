#include "source/strip_child.h"

#include "base/helper.h"
#include "record/json.h"
#include "record/record.h"

#include <limits.h>
#include <stdio.h>

int strip_child_text(struct slice bytes, const char *content_type, struct buf *out, struct error_text *e) {
  char path[PATH_MAX], type[256];
  struct buf record;
  helper_path("bid-strip", path);
  snprintf(type, sizeof type, "--type=%s", content_type ? content_type : "");
  buf_init(&record, RECORD_MAX);
  char *argv[] = {path, (char[]){"--raw"}, (char[]){"--quiet"}, type, (char[]){"-"}, NULL};
  int failed = helper_filter(argv, bytes, &record, e);
  struct slice text = failed ? slice_of(NULL, 0) : json_get(buf_slice(&record), "text");
  if (!failed && (json_kind(text) != '"' || json_decode(text, out) != 0)) {
    error_set(e, "bid-strip found no text");
    failed = -1;
  }
  buf_release(&record);
  return failed ? -1 : 0;
}
