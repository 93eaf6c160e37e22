#include "facts/chart_text.h"

#include "page/html_page.h"

void chart_text_write(struct buf *out, double x, double y, int size, const char *anchor, const char *weight,
                      struct slice text) {
  buf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\" font-weight=\"%s\">", x, y,
             size, anchor, weight);
  html_page_text(out, text);
  buf_add_str(out, "</text>\n");
}

size_t chart_text_fit(struct slice s, double width, int size) {
  size_t letters = (size_t)(width / (CHART_LETTER * size)), n = 0, at = 0;
  while (at < s.len && n < letters) {
    at++;
    while (at < s.len && ((unsigned char)s.data[at] & 0xC0) == 0x80)
      at++;
    n++;
  }
  if (at == s.len)
    return at;
  for (size_t i = at; i > at / 2; i--)
    if (s.data[i] == ' ')
      return i;
  return at;
}

double chart_text_wrapped(struct buf *out, double y, int size, const char *weight, struct slice text) {
  while (text.len) {
    size_t n = chart_text_fit(text, CHART_WIDTH - 2 * CHART_MARGIN, size);
    chart_text_write(out, CHART_MARGIN, y, size, "start", weight, slice_of(text.data, n));
    y += size * 1.4;
    n += n < text.len && text.data[n] == ' ';
    text = slice_of(text.data + n, text.len - n);
  }
  return y;
}
