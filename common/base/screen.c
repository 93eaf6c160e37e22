/* screen.c: the size of the terminal, and wrapping lines to fit it. */
#include "base/screen.h"

#include "base/mask.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static size_t screen_size(const char *variable, int rows) {
  struct winsize w;
  const char *set = getenv(variable);
  size_t n = set ? (size_t)strtoul(set, NULL, 10) : 0;
  if (n == 0 && (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 || ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0))
    n = rows ? w.ws_row : w.ws_col;
  return n;
}

size_t screen_columns(void) {
  return screen_size("COLUMNS", 0);
}

size_t screen_rows(void) {
  return screen_size("LINES", 1);
}

/* Length of an escape sequence for a color, "\033[31m", at the start of a text; 0 where there is none. */
static size_t screen_colour(struct slice text) {
  size_t n = 2;
  if (text.len < 3 || text.data[0] != '\033' || text.data[1] != '[')
    return 0;
  while (n < text.len && ((text.data[n] >= '0' && text.data[n] <= '9') || text.data[n] == ';'))
    n++;
  return n < text.len && text.data[n] == 'm' ? n + 1 : 0;
}

size_t screen_text_columns(struct slice text) {
  size_t columns = 0;
  for (size_t i = 0; i < text.len;) {
    uint32_t c;
    size_t colour = screen_colour(slice_of(text.data + i, text.len - i));
    if (colour) {
      i += colour;
      continue;
    }
    i += mask_decode(text.data + i, text.len - i, &c);
    columns += (size_t)mask_columns(c);
  }
  return columns;
}

/* Where the last column of an indented line begins: after its last two blanks.  0 where the line has none. */
static size_t fold_column(struct slice line, size_t indent) {
  size_t at = 0;
  for (size_t i = indent; indent && i + 2 < line.len; i++)
    if (line.data[i] == ' ' && line.data[i + 1] == ' ' && line.data[i + 2] != ' ')
      at = i + 2;
  return at;
}

/* Wraps words; the first one starts at column `row` of its line. */
static void fold_words(struct buf *out, struct slice text, size_t row, size_t columns, size_t hang) {
  for (size_t i = 0; i < text.len;) {
    size_t word = i, end;
    while (word < text.len && text.data[word] == ' ')
      word++;
    for (end = word; end < text.len && text.data[end] != ' ';)
      end++;
    if (i > 0 && row + screen_text_columns(slice_of(text.data + i, end - i)) > columns) {
      buf_printf(out, "\n%*s", (int)hang, "");
      row = hang;
      i = word;
    }
    buf_add(out, text.data + i, end - i);
    row += screen_text_columns(slice_of(text.data + i, end - i));
    i = end;
  }
}

static void fold_line(struct buf *out, struct slice line, size_t columns, size_t hang) {
  size_t indent = 0, from, column = 0;
  while (indent < line.len && line.data[indent] == ' ')
    indent++;
  if (hang == SCREEN_HANG_AUTO)
    column = fold_column(line, indent);
  from = column ? column : indent;
  if (column > columns / 2) {
    buf_add(out, line.data, column);
    while (out->len && out->data[out->len - 1] == ' ')
      out->len--;
    buf_printf(out, "\n%*s", (int)(hang = indent + 4), "");
    fold_words(out, slice_of(line.data + from, line.len - from), hang, columns, hang);
    return;
  }
  buf_add(out, line.data, from);
  fold_words(out, slice_of(line.data + from, line.len - from), screen_text_columns(slice_of(line.data, from)),
             columns, hang == SCREEN_HANG_AUTO ? from : hang);
}

void screen_fold(struct buf *out, struct slice text, size_t columns, size_t hang) {
  for (size_t i = 0; i < text.len;) {
    const char *stop = memchr(text.data + i, '\n', text.len - i);
    size_t end = stop ? (size_t)(stop - text.data) : text.len;
    struct slice line = slice_of(text.data + i, end - i);
    if (columns && screen_text_columns(line) > columns)
      fold_line(out, line, columns, hang);
    else
      buf_add_slice(out, line);
    if (stop)
      buf_add_char(out, '\n');
    i = end + 1;
  }
}
