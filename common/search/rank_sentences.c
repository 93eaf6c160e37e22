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
  float heading;       /* the heading's length, squared and weighted: 0 where there is none */
  struct slice *texts; /* [cap] a passage's heading, then its sentences */
  float *vectors;      /* [cap][dims] */
  size_t count, cap, room;
};

struct rank_sentences *rank_sentences_new(void) {
  return xcalloc(1, sizeof(struct rank_sentences));
}

void rank_sentences_free(struct rank_sentences *s) {
  if (s == NULL)
    return;
  free(s->texts);
  free(s->vectors);
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

static void sentences_add(struct rank_sentences *s, struct slice text) {
  if (s->count == s->cap) {
    s->cap = 2 * s->cap + 64;
    s->texts = xreallocarray(s->texts, s->cap, sizeof *s->texts);
  }
  s->texts[s->count++] = text;
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

/* The heading right above a passage: the last part of its context. */
static struct slice heading_of(struct slice context) {
  static const char mark[] = " \xc2\xb7 ";
  for (size_t i = context.len; i >= sizeof mark - 1; i--)
    if (memcmp(context.data + i - (sizeof mark - 1), mark, sizeof mark - 1) == 0)
      return slice_of(context.data + i, context.len - i);
  return context;
}

static void sentences_split(struct rank_sentences *s, const struct store_text *passage) {
  struct slice left = passage->text;
  s->count = 0;
  sentences_add(s, heading_of(passage->context));
  while (left.len > 0) {
    size_t n = clause_end(left);
    if (n >= SHORTEST)
      sentences_add(s, slice_of(left.data, n));
    n += n < left.len;
    left = slice_of(left.data + n, left.len - n);
  }
}

/* The cosine of the question with sentence i and its heading; above: that of the heading, weighted. */
static float sentences_cosine(const struct rank_sentences *s, size_t i, float above) {
  const float *v = s->vectors + i * s->dims;
  float length = 1 + s->heading + 2 * HEADING * vector_dot(s->vectors, v, s->dims);
  return (vector_dot(v, s->question, s->dims) + above) / sqrtf(length);
}

/* Inserts sentence i among the best so far; of: 0 where there is none, which is the heading's number. */
static void sentences_keep(float cosine, size_t i, float best[RANK_NEAREST], size_t of[RANK_NEAREST]) {
  size_t k = RANK_NEAREST;
  for (; k > 0 && (of[k - 1] == 0 || cosine > best[k - 1]); k--)
    if (k < RANK_NEAREST)
      best[k] = best[k - 1], of[k] = of[k - 1];
  if (k < RANK_NEAREST)
    best[k] = cosine, of[k] = i;
}

int rank_sentences_nearest(struct rank_sentences *s, const struct store_text *passage, float *nearest,
                           struct rank_span spans[RANK_NEAREST], struct error_text *e) {
  float best[RANK_NEAREST] = {-1};
  size_t of[RANK_NEAREST] = {0};
  sentences_split(s, passage);
  if (s->count * s->dims > s->room) {
    s->room = s->cap * s->dims;
    s->vectors = xreallocarray(s->vectors, s->room, sizeof *s->vectors);
  }
  if (embed_encode_first(s->model, s->dims, s->texts, s->count, s->vectors, e) != 0)
    return -1;
  float above = HEADING * vector_dot(s->vectors, s->question, s->dims);
  s->heading = HEADING * HEADING * vector_dot(s->vectors, s->vectors, s->dims);
  for (size_t i = 1; i < s->count; i++)
    sentences_keep(sentences_cosine(s, i, above), i, best, of);
  *nearest = best[0];
  for (size_t k = 0; k < RANK_NEAREST && of[k] > 0; k++) {
    uint32_t start = (uint32_t)(s->texts[of[k]].data - passage->text.data);
    spans[k] = (struct rank_span){start, start + (uint32_t)s->texts[of[k]].len};
  }
  return 0;
}
