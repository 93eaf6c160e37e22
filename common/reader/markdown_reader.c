#include "reader/markdown_reader.h"

#include <md4c.h>
#include <md4c-html.h>

static void markdown_reader_add(const MD_CHAR *text, MD_SIZE size, void *html) {
  buf_add(html, text, size);
}

int markdown_reader_html(struct slice text, struct buf *html) {
  static const char head[] = "<html><head><meta charset=\"utf-8\"></head><body>";
  buf_add(html, head, sizeof head - 1);
  if (md_html(text.data, (MD_SIZE)text.len, markdown_reader_add, html, MD_DIALECT_GITHUB, 0) != 0)
    return -1;
  buf_add_str(html, "</body></html>");
  return html->overflow;
}
