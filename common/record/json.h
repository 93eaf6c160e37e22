/* json.h: writing JSON, and traversing JSON that has already been validated.
 *
 * Writers append to a buffer; failures show in its `overflow`.  Readers work on slices of a record that record_read()
 * has validated (record.h), copy nothing, and never fail on valid JSON.
 */
#ifndef BID_JSON_H
#define BID_JSON_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

#define RECORD_MAX ((size_t)64 << 20) /* bytes of a line without its newline */
#define RECORD_DEPTH 512              /* nesting of arrays and objects */

/* Appends `"text"` with the escapes that RFC 8259 requires; bytes that are not UTF-8 become U+FFFD. */
void json_add_string(struct buf *out, const char *text, size_t len);
static inline void json_add_slice(struct buf *out, struct slice s) {
  json_add_string(out, s.data, s.len);
}
static inline void json_add_cstr(struct buf *out, const char *text) {
  json_add_string(out, text, text ? strlen(text) : 0);
}

/* Appends a list of numbers. */
void json_add_floats(struct buf *out, const float *x, size_t count);

/* Whether json_add_string() would write the text unchanged between quotes, in ASCII. */
int json_is_plain(const char *text, size_t len);

/* Append `"name":value`, preceded by a comma unless the last byte is '{' or '['.  Names are constants of the program
 * and are not escaped. */
void json_key(struct buf *out, const char *name);
void json_str(struct buf *out, const char *name, struct slice value);
void json_cstr(struct buf *out, const char *name, const char *value);
void json_cstr_list(struct buf *out, const char *name, const char *const *items, size_t count);
void json_int(struct buf *out, const char *name, long long value);
void json_uint(struct buf *out, const char *name, unsigned long long value);
void json_hundredths(struct buf *out, const char *name, float value); /* 0 to 1000, formatted as by "%.2f" */
void json_double(struct buf *out, const char *name,
                 double value); /* shortest form of %.9g; null where not finite */
void json_bool(struct buf *out, const char *name, int value);
void json_raw(struct buf *out, const char *name, struct slice json);
/* The same with a key as json_next_member() returns it. */
void json_add_member(struct buf *out, struct slice key, struct slice json);

/* Decodes a JSON string value (with its quotes) into out.  0, or -1 where the value is not a string. */
int json_decode(struct slice value, struct buf *out);

/* The text of a JSON string value: a slice of the value itself where it has no escape, else decoded into scratch
 * (cleared first).  Empty for a value that is absent or not a string. */
struct slice json_text(struct slice value, struct buf *scratch);

/* The same without extra memory: decodes in place into `bytes`, which must be the value's own bytes; the value is
 * then no longer valid JSON. */
struct slice json_text_in_place(struct slice value, char *bytes);

/* The text of a JSON string value as a new string, freed by the caller; NULL where the value is not a string. */
char *json_text_copy(struct slice value);

/* The type of a value by its first byte: '{' '[' '"' 't' 'f' 'n' '0' (number), or 0 where absent. */
char json_kind(struct slice value);

/* The number, or `otherwise` where the value is not a number or out of range. */
long long json_to_int(struct slice value, long long otherwise);
double json_to_double(struct slice value, double otherwise);

/* Whether a value is a string that equals text. */
int json_is_text(struct slice value, struct slice text);

/* Whether a raw key, between its quotation marks and possibly with escapes, decodes to `name`. */
int json_key_is(struct slice key, struct slice name);

/* Whether the value of `key` in an object is true. */
int json_is_true(struct slice object, const char *key);

/* The value of `key` in an object, or an empty slice.  Keys written with escapes are found too. */
struct slice json_get(struct slice object, const char *key);
struct slice json_member(struct slice object, struct slice key);

/* Iteration: start with cursor = {0} and call until it returns 0. */
struct json_cursor {
  const char *at;
};
int json_next_member(struct slice object, struct json_cursor *c, struct slice *key, struct slice *value);
int json_next_element(struct slice array, struct json_cursor *c, struct slice *value);

/* ---- whole texts ---- */

/* Validates one JSON text (any value, surrounding white space allowed) by RFC 8259 and the extra rules of record.h
 * (UTF-8, no lone surrogate, no duplicate key, nesting).  0, or -1 with the byte offset of the fault in *at and a
 * static description in *why.  json_is_valid(): without them. */
int json_validate(const char *text, size_t len, size_t *at, const char **why);
int json_is_valid(struct slice text);

#endif
