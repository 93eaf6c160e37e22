#include "chunk/token_stream.h"

#include <ctype.h>
#include <stdlib.h>

#define WINDOW ((size_t)16 << 10) /* bytes of text; its tokens fit into the L1 cache */
#define STRIDE 8                  /* tokens skipped at a time */

void token_stream_release(struct token_stream *t) {
  free(t->places);
  t->places = NULL;
}

static int parts_tokens(char c) {
  return isspace((unsigned char)c) || ispunct((unsigned char)c);
}

/* The end of a window that starts at `from`. */
static size_t window_end(struct slice text, size_t from) {
  if (text.len - from <= WINDOW)
    return text.len;
  for (size_t i = from + WINDOW; i > from + WINDOW / 2; i--)
    if (parts_tokens(text.data[i]))
      return i;
  for (size_t i = from + WINDOW; i < text.len; i++)
    if (parts_tokens(text.data[i]))
      return i;
  return text.len;
}

static void token_stream_grow(struct token_stream *t, size_t cap) {
  if (cap <= t->cap)
    return;
  t->cap = cap;
  t->places = xreallocarray(t->places, cap, sizeof *t->places);
}

void token_stream_init(struct token_stream *t, struct wordpiece_memo *w, struct slice text, size_t keep) {
  memset(t, 0, sizeof *t);
  t->w = w;
  t->text = text;
  t->keep = keep;
  token_stream_grow(t, 1); /* avoids NULL places */
}

/* Moves the last tokens to the front and tokenizes the next window after them. */
static void token_stream_fill(struct token_stream *t) {
  size_t kept = t->at < t->keep ? t->at : t->keep, from = t->end;
  token_stream_grow(t, kept + WINDOW);
  memmove(t->places, t->places + t->at - kept, kept * sizeof *t->places);
  t->end = window_end(t->text, from);
  struct slice part = slice_of(t->text.data + from, t->end - from);
  size_t n = wordpiece_places(t->w, part, from, t->places + kept, t->cap - kept);
  if (n > t->cap - kept) {
    token_stream_grow(t, kept + n);
    n = wordpiece_places(t->w, part, from, t->places + kept, t->cap - kept);
  }
  t->at = kept;
  t->count = kept + n;
}

size_t token_stream_take(struct token_stream *t, size_t end, size_t max) {
  size_t taken = 0;
  for (;;) {
    size_t room = max - taken < t->count - t->at ? max - taken : t->count - t->at, n = 0;
    const uint32_t *places = t->places + t->at;
    while (n + STRIDE <= room && places[n + STRIDE - 1] >> 1 < end)
      n += STRIDE;
    while (n < room && places[n] >> 1 < end)
      n++;
    t->at += n;
    taken += n;
    if (taken == max || t->at < t->count || t->end >= end)
      return taken;
    token_stream_fill(t);
  }
}

int token_stream_more(struct token_stream *t, size_t end) {
  while (t->at == t->count && t->end < end && t->end < t->text.len)
    token_stream_fill(t);
  return t->at < t->count && token_stream_start(t, t->at) < end;
}
