/* rank_sentences.c: the sentence of a passage that is nearest to the question.
 *
 * A passage's own vector is the mean of up to 512 tokens, in which the one sentence or row that answers is lost.  So
 * the sentences of the candidates that are read are encoded as the question is, each with half of the heading above
 * the passage, without which a row or "it" says nothing.  Only models of static rows are fast enough: 80 passages have
 * some 1,000 sentences.
 */
#include "search/rank_internal.h"

#include "vector/vector.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#define HEADING 0.5F             /* weight of the heading beside a sentence */
#define SHORTEST 3               /* bytes of a sentence */
#define DIMENSIONS ((size_t)128) /* that are compared: all 256 of the shipped model find the same */

struct rank_sentences {
  struct embedder *model;
  const float *question; /* [dims] */
  size_t dims;
  float heading[DIMENSIONS]; /* of length HEADING, or 0 where there is none */
  float above, square;       /* the heading's product with the question, and with itself */
  struct embed_part *parts;  /* [cap] a passage's sentences */
  float *sums;               /* [cap][dims] */
  size_t count, cap;
};

struct rank_sentences *rank_sentences_new(void) {
  return xcalloc(1, sizeof(struct rank_sentences));
}

void rank_sentences_free(struct rank_sentences *s) {
  if (s == NULL)
    return;
  free(s->parts);
  free(s->sums);
  free(s);
}

void rank_sentences_begin(struct rank_sentences *s, struct embedder *model, const float *question,
                          size_t dims) {
  s->model = model && question && embed_is_static(model) ? model : NULL;
  s->question = question;
  s->dims = dims < DIMENSIONS ? dims : DIMENSIONS;
}

int rank_sentences_are_read(const struct rank_sentences *s) {
  return s->model != NULL;
}

static void sentences_add(struct rank_sentences *s, size_t start, size_t end) {
  if (s->count == s->cap) {
    s->cap = 2 * s->cap + 64;
    s->parts = xreallocarray(s->parts, s->cap, sizeof *s->parts);
    s->sums = xreallocarray(s->sums, s->cap * DIMENSIONS, sizeof *s->sums);
  }
  s->parts[s->count++] = (struct embed_part){(uint32_t)start, (uint32_t)end};
}

static int ends_clause(char c) {
  return c == '.' || c == ';' || c == ':' || c == '!' || c == '?';
}

/* The end of the sentence, clause or line at the start of text. */
static size_t clause_end(struct slice text) {
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    if ((unsigned char)c > ' ') /* almost all */
      continue;
    if (c == '\n' || (i > 0 && ends_clause(text.data[i - 1]) && isspace((unsigned char)c)))
      return i;
  }
  return text.len;
}

struct slice rank_heading(struct slice context) {
  static const char mark[] = " \xc2\xb7 ";
  for (size_t i = context.len; i >= sizeof mark - 1; i--)
    if (memcmp(context.data + i - (sizeof mark - 1), mark, sizeof mark - 1) == 0)
      return slice_of(context.data + i, context.len - i);
  return context;
}

static void sentences_split(struct rank_sentences *s, struct slice text) {
  s->count = 0;
  for (size_t at = 0, n; at < text.len; at += n + 1) {
    n = clause_end(slice_of(text.data + at, text.len - at));
    if (n >= SHORTEST)
      sentences_add(s, at, at + n);
  }
}

/* Encodes the heading above a passage. */
static int sentences_take_heading(struct rank_sentences *s, struct slice text, struct error_text *e) {
  struct embed_part all = {0, (uint32_t)text.len};
  if (embed_sum_parts(s->model, s->dims, text, &all, 1, s->heading, e) != 0)
    return -1;
  float length = sqrtf(vector_dot(s->heading, s->heading, s->dims));
  for (size_t i = 0; i < s->dims; i++)
    s->heading[i] *= length > 0 ? HEADING / length : 0;
  s->above = vector_dot(s->heading, s->question, s->dims);
  s->square = length > 0 ? HEADING * HEADING : 0;
  return 0;
}

/* The cosine of the question with sentence i and its heading; -1 where it has no words, as the rule below a table's head. */
static float sentences_cosine(const struct rank_sentences *s, size_t i) {
  const float *v = s->sums + i * s->dims;
  float square = vector_dot(v, v, s->dims), one = 1 / sqrtf(square);
  if (square <= 0)
    return -1;
  float whole = 1 + s->square + 2 * one * vector_dot(s->heading, v, s->dims);
  return (one * vector_dot(v, s->question, s->dims) + s->above) / sqrtf(whole);
}

int rank_sentences_nearest(struct rank_sentences *s, struct slice text, struct slice heading, float *nearest,
                           struct rank_span spans[RANK_NEAREST], struct error_text *e) {
  float best[RANK_NEAREST] = {-1};
  size_t kept = 0;
  sentences_split(s, text);
  if (sentences_take_heading(s, heading, e) != 0 ||
      embed_sum_parts(s->model, s->dims, text, s->parts, s->count, s->sums, e) != 0)
    return -1;
  for (size_t i = 0; i < s->count; i++) {
    float cosine = sentences_cosine(s, i);
    size_t k = kept < RANK_NEAREST ? kept++ : RANK_NEAREST;
    for (; k > 0 && cosine > best[k - 1]; k--)
      if (k < RANK_NEAREST)
        best[k] = best[k - 1], spans[k] = spans[k - 1];
    if (k < RANK_NEAREST)
      best[k] = cosine, spans[k] = (struct rank_span){s->parts[i].start, s->parts[i].end};
  }
  *nearest = best[0];
  return 0;
}
