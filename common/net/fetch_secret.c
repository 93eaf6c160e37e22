#include "net/fetch_secret.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void fetch_secret_escape(struct buf *out, const char *text) {
  for (; *text; text++)
    if (isalnum((unsigned char)*text) || strchr("-._~", *text))
      buf_add_char(out, *text);
    else
      buf_printf(out, "%%%02X", (unsigned char)*text);
}

#define SECRET_LEAST 3

static void redact_form(struct buf *b, struct slice form) {
  struct buf clean;
  char *at;
  if (b->len < form.len || !memmem(b->data, b->len, form.data, form.len))
    return;
  buf_init(&clean, SIZE_MAX / 2); /* "REDACTED" may be longer than what it replaces */
  const char *from = b->data, *end = b->data + b->len;
  while ((at = memmem(from, (size_t)(end - from), form.data, form.len))) {
    buf_add(&clean, from, (size_t)(at - from));
    buf_add_str(&clean, "REDACTED");
    from = at + form.len;
  }
  buf_add(&clean, from, (size_t)(end - from));
  buf_release(b);
  *b = clean;
}

void fetch_redact(struct buf *b, const char *secret) {
  struct buf escaped;
  size_t len = secret ? strlen(secret) : 0;
  if (len < SECRET_LEAST)
    return;
  redact_form(b, slice_of(secret, len));
  buf_init(&escaped, 3 * len + 64);
  fetch_secret_escape(&escaped, secret);
  if (escaped.len != len)
    redact_form(b, buf_slice(&escaped));
  buf_release(&escaped);
}

void fetch_redact_text(char *text, size_t room, const char *secret) {
  struct buf b;
  buf_init(&b, 2 * room + 64);
  buf_add_str(&b, text);
  fetch_redact(&b, secret);
  snprintf(text, room, "%s", b.data ? b.data : "");
  buf_release(&b);
}
