/* vocabulary_index.c: binary search.  Among the tokens that are prefixes of a text, the longest is last in the order,
 * and between it and the text there are only tokens that have it as a prefix too.  So one search finds either that
 * token or an upper limit of its length. */
#include "text/vocabulary_index.h"

#define MARK 2 /* length of "##" */

/* Compares the token after its first `skip` bytes, up to the end of its line or of the vocabulary, with text:
 * negative, 0 or positive; *same: length of their common prefix.  *whole: that is the entire token. */
static int vocabulary_index_compare(const struct vocabulary_index *o, size_t i, size_t skip, const char *text,
                                    size_t len, size_t *same, int *whole) {
  size_t start = o->entries[i].start + skip, n = 0;
  size_t left = start < o->vocab.len ? o->vocab.len - start : 0;
  const char *token = o->vocab.data + (o->vocab.len - left);
  while (n < len && n < left && token[n] != '\n' && token[n] == text[n])
    n++;
  *same = n;
  *whole = n >= left || token[n] == '\n';
  if (*whole)
    return n == len ? 0 : -1;
  return n == len || (unsigned char)token[n] > (unsigned char)text[n] ? 1 : -1;
}

/* The first of [from, until) that sorts after text. */
static size_t vocabulary_index_behind(const struct vocabulary_index *o, size_t from, size_t until,
                                      size_t skip, const char *text, size_t len) {
  while (from < until) {
    size_t middle = from + (until - from) / 2, same;
    int whole;
    if (vocabulary_index_compare(o, middle, skip, text, len, &same, &whole) <= 0)
      from = middle + 1;
    else
      until = middle;
  }
  return from;
}

int vocabulary_index_init(struct vocabulary_index *o, struct slice vocab, struct slice order) {
  o->vocab = vocab;
  o->entries = (const void *)order.data;
  o->count = order.len / sizeof *o->entries;
  if (o->count == 0 || order.len % sizeof *o->entries != 0 || o->count > vocab.len)
    return -1;
  o->rest = vocabulary_index_behind(o, 0, o->count, 0, "##", MARK);
  o->rest_end = vocabulary_index_behind(o, o->rest, o->count, 0, "##\xff", MARK + 1);
  return 0;
}

size_t vocabulary_index_longest(const struct vocabulary_index *o, int rest, const char *text, size_t len,
                                int32_t *id) {
  size_t from = rest ? o->rest : 0, until = rest ? o->rest_end : o->count, skip = rest ? MARK : 0;
  while (len > 0) {
    size_t same;
    int whole;
    until = vocabulary_index_behind(o, from, until, skip, text, len);
    if (until == from)
      return 0;
    vocabulary_index_compare(o, until - 1, skip, text, len, &same, &whole);
    if (whole && o->entries[until - 1].id < o->count) {
      *id = (int32_t)o->entries[until - 1].id;
      return same;
    }
    len = whole ? 0 : same;
  }
  return 0;
}
