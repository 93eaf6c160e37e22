#include "runner_ask.h"

#include "charset.h"
#include "content.h"
#include "html.h"

#define STRIP_MAX ((size_t)64 << 20)

void run_strip(struct slice bytes, const char *content_type, struct buf *out) {
  char name[64];
  struct slice declared = slice_str(content_type);
  const char *charset = content_charset(declared, name, sizeof name);
  if (content_kind_of(bytes, declared) != CONTENT_HTML) {
    struct buf scratch;
    buf_init(&scratch, STRIP_MAX);
    buf_add_slice(out, charset_read(bytes, charset, 0, &scratch));
    buf_release(&scratch);
    return;
  }
  struct doc d;
  struct html_options o = {HTML_TABLES_MARKDOWN, 0, charset, STRIP_MAX};
  doc_init(&d, STRIP_MAX);
  html_read(&d, bytes, &o, NULL);
  buf_add_slice(out, buf_slice(&d.text));
  doc_release(&d);
}

int run_stream(struct run *run, struct ask *a, struct buf *summary) {
  (void)run, (void)a, (void)summary;
  return -1;
}
