#include "compare/record_text.h"

#include "base/utf8.h"
#include "record/json.h"
#include "record/json_validate.h"

#include <errno.h>
#include <strings.h>

static int entry_is(struct slice entry, const char *item) {
  struct slice own = json_get(entry, "item");
  return json_kind(own) == '"' && own.len == strlen(item) + 2 &&
         strncasecmp(own.data + 1, item, strlen(item)) == 0;
}

/* From the item's entry in the outline to the next one of level 2 or less. */
static int cut_item(struct slice record, const char *item, struct buf *text) {
  struct slice outline = json_get(record, "outline"), entry;
  struct json_cursor at = {0};
  long long from = -1, to = (long long)text->len;
  while (json_kind(outline) == '[' && json_next_element(outline, &at, &entry)) {
    long long offset = json_to_int(json_get(entry, "offset"), 0);
    if (from >= 0 && json_to_int(json_get(entry, "level"), 9) <= 2) {
      to = offset;
      break;
    }
    if (from < 0 && entry_is(entry, item))
      from = offset;
  }
  if (from < 0 || to < from || to > (long long)text->len)
    return -1;
  memmove(text->data, text->data + from, (size_t)(to - from));
  text->len = (size_t)(to - from);
  text->data[text->len] = '\0';
  return 0;
}

int record_text_read(int fd, const char *item, struct buf *text, struct buf *json, struct error_text *why) {
  size_t at;
  const char *fault = "";
  if (buf_read_fd(text, fd) != 0) {
    error_set(why, "%s", strerror(errno));
    return -1;
  }
  if (!text->len || text->data[0] == '<' || memchr(text->data, '\0', text->len) ||
      utf8_valid_prefix(text->data, text->len) < text->len) {
    error_set(why, text->len
                       ? "neither a document record nor plain text; bid-strip --raw makes a record of it"
                       : "nothing is in it");
    return -1;
  }
  if (text->data[0] != '{') {
    if (item)
      error_set(why, "a text has no items; bid-strip makes a record of it");
    return item ? -1 : 0;
  }
  const char *end = memchr(text->data, '\n', text->len);
  struct slice line = slice_of(text->data, end ? (size_t)(end - text->data) : text->len);
  if (json_validate(line.data, line.len, &at, &fault) != 0 || json_kind(json_get(line, "text")) != '"') {
    error_set(why, "its first line is no document record%s%s", *fault ? ": " : "", fault);
    return -1;
  }
  buf_add_slice(json, line);
  buf_clear(text);
  json_decode(json_get(buf_slice(json), "text"), text);
  if (item && cut_item(buf_slice(json), item, text) != 0) {
    error_set(why, "the document has no item %s", item);
    return -1;
  }
  return 0;
}
