/* json.h: writing JSON, and walking over JSON that is already known to be valid.
 *
 * Writers append to a buffer; errors show in its `overflow`.  Walkers work on slices of a record
 * that record_read() has validated (record.h), never copy, and never fail on valid JSON.
 */
#ifndef BID_JSON_H
#define BID_JSON_H

#include "base/buf.h"

#include <stdint.h>

/* Appends `"text"` with what RFC 8259 needs escaped; bytes that are not UTF-8 become U+FFFD. */
void json_add_string(struct buf *out, const char *text, size_t len);
static inline void json_add_slice(struct buf *out, struct slice s) {
  json_add_string(out, s.data, s.len);
}
static inline void json_add_cstr(struct buf *out, const char *text) {
  json_add_string(out, text, text ? strlen(text) : 0);
}

/* Whether what these append is the text itself between quotes, and ASCII. */
int json_is_plain(const char *text, size_t len);

/* Append `"name":value`, with a comma before it unless the last byte is '{' or '['.
 * Names are the program's own and need no escaping. */
void json_key(struct buf *out, const char *name);
void json_str(struct buf *out, const char *name, struct slice value);
void json_cstr(struct buf *out, const char *name, const char *value);
void json_cstr_list(struct buf *out, const char *name, const char *const *items, size_t count);
void json_int(struct buf *out, const char *name, long long value);
void json_uint(struct buf *out, const char *name, unsigned long long value);
void json_hundredths(struct buf *out, const char *name, float value); /* 0 to 1000, as "%.2f" has it */
void json_double(struct buf *out, const char *name,
                 double value); /* shortest of %.9g; null where not finite */
void json_bool(struct buf *out, const char *name, int value);
void json_raw(struct buf *out, const char *name, struct slice json);

/* Decodes a JSON string value (with its quotes) into out.  0, or -1 where it is not a string. */
int json_decode(struct slice value, struct buf *out);

/* The text of a JSON string value: a slice of the value itself where it has no escape, else
 * decoded into scratch (cleared first).  A value that is no string, or absent, is empty. */
struct slice json_text(struct slice value, struct buf *scratch);

/* The same without other memory: `bytes`, which are those of the value and may be changed, hold the text
 * from then on, and no longer the value. */
struct slice json_text_in_place(struct slice value, char *bytes);

/* The text of a JSON string value as a string of its own, freed by the caller; NULL of anything else. */
char *json_text_copy(struct slice value);

/* Kind of a value by its first byte: '{' '[' '"' 't' 'f' 'n' '0' (number), or 0 where absent. */
char json_kind(struct slice value);

/* Number of a value, or `otherwise` where it is no number (or out of range). */
long long json_to_int(struct slice value, long long otherwise);
double json_to_double(struct slice value, double otherwise);

/* Whether a value is this string. */
int json_is_text(struct slice value, struct slice text);

/* Whether a key as it is written, between its quotation marks and maybe with escapes, is `name`. */
int json_key_is(struct slice key, struct slice name);

/* The value of `key` in an object, or an empty slice.  Keys written with escapes match too. */
struct slice json_get(struct slice object, const char *key);
struct slice json_member(struct slice object, struct slice key);

/* Walk: start with cursor = {0}, call until it returns 0. */
struct json_cursor {
  const char *at;
};
int json_next_member(struct slice object, struct json_cursor *c, struct slice *key, struct slice *value);
int json_next_element(struct slice array, struct json_cursor *c, struct slice *value);

#endif
