/* packer.c: fills passages greedily, with a choice among the last boundaries, from the tokens of a text one window at a time. */
#include "chunk/packer.h"
#include "base/buf.h"

#include <ctype.h>
#include <stdlib.h>

#define WINDOW ((size_t)16 << 10) /* bytes of text; its tokens fit into the L1 cache */
#define STRIDE 8                  /* tokens skipped at a time */

void packer_stream_release(struct packer_stream *t) {
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

static void packer_stream_grow(struct packer_stream *t, size_t cap) {
  if (cap <= t->cap)
    return;
  t->cap = cap;
  t->places = xreallocarray(t->places, cap, sizeof *t->places);
}

void packer_stream_init(struct packer_stream *t, struct wordpiece_memo *w, struct slice text, size_t keep) {
  memset(t, 0, sizeof *t);
  t->w = w;
  t->text = text;
  t->keep = keep;
  packer_stream_grow(t, 1); /* avoids NULL places */
}

/* Moves the last tokens to the front and tokenizes the next window after them. */
static void packer_stream_fill(struct packer_stream *t) {
  size_t kept = t->at < t->keep ? t->at : t->keep, from = t->end;
  packer_stream_grow(t, kept + WINDOW);
  memmove(t->places, t->places + t->at - kept, kept * sizeof *t->places);
  t->end = window_end(t->text, from);
  struct slice part = slice_of(t->text.data + from, t->end - from);
  size_t n = wordpiece_places(t->w, part, from, t->places + kept, t->cap - kept);
  if (n > t->cap - kept) {
    packer_stream_grow(t, kept + n);
    n = wordpiece_places(t->w, part, from, t->places + kept, t->cap - kept);
  }
  t->at = kept;
  t->count = kept + n;
}

size_t packer_stream_take(struct packer_stream *t, size_t end, size_t max) {
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
    packer_stream_fill(t);
  }
}

int packer_stream_more(struct packer_stream *t, size_t end) {
  while (t->at == t->count && t->end < end && t->end < t->text.len)
    packer_stream_fill(t);
  return t->at < t->count && packer_stream_start(t, t->at) < end;
}

/* ---- greedy filling with a choice among the last boundaries ----
 *
 * An optimal segmentation by dynamic programming over all boundaries was rejected: on lists of short lines every
 * piece has about a hundred candidates, and it only differs in where the slack of a section goes. */

/* The value of a boundary in units of fill: the end of a paragraph at 70 % beats the end of a sentence at 99 %. */
static const float worth[BOUNDARIES] = {
    [BOUNDARY_KEEP] = -2.0F,   [BOUNDARY_WORD] = -0.2F, [BOUNDARY_SENTENCE] = 0.0F,
    [BOUNDARY_ROW] = 0.05F,    [BOUNDARY_LINE] = 0.15F, [BOUNDARY_PARAGRAPH] = 0.3F,
    [BOUNDARY_HEADING] = 0.6F, [BOUNDARY_PAGE] = 0.6F,  [BOUNDARY_SECTION] = 1.0F};

#define FILL_MIN 0.3F /* minimum fill of a passage, where possible */

void packer_init(struct packer *p, size_t bound, size_t overlap, packer_function *f, void *arg) {
  *p = (struct packer){.bound = bound, .overlap = overlap, .f = f, .arg = arg};
}

void packer_release(struct packer *p) {
  free(p->pieces);
  p->pieces = NULL;
}

struct packer_piece *packer_last(struct packer *p) {
  return p->count ? &p->pieces[p->count - 1] : NULL;
}

static size_t tokens_of(const struct packer *p, size_t from, size_t to) {
  size_t n = 0;
  for (size_t i = from; i < to; i++)
    n += p->pieces[i].tokens;
  return n;
}

/* A passage without tokens (only zero-width characters), or with nothing new, is dropped. */
static void packer_give(struct packer *p, size_t to) {
  if (p->status == 0 && to > p->repeated && tokens_of(p, p->repeated, to) > 0)
    p->status = p->f(p->arg, p->pieces, to);
}

static void drop_before(struct packer *p, size_t first) {
  memmove(p->pieces, p->pieces + first, (p->count - first) * sizeof *p->pieces);
  p->count -= first;
  p->repeated = p->repeated > first ? p->repeated - first : 0;
  p->tokens = tokens_of(p, 0, p->count);
}

/* The start of the passage after pieces[0..to): as many whole pieces back as the overlap allows; without overlap not even pieces
 * without tokens. */
static size_t overlap_start(const struct packer *p, size_t to) {
  size_t at = to, tokens = 0;
  while (p->overlap > 0 && at > 1 && tokens + p->pieces[at - 1].tokens <= p->overlap) {
    at--;
    tokens += p->pieces[at].tokens;
  }
  return at;
}

/* Closes the passage before piece `end`. */
static void close_at(struct packer *p, size_t end, int overlap) {
  packer_give(p, end);
  p->repeated = end;
  drop_before(p, overlap ? overlap_start(p, end) : end);
}

/* The best piece to close the passage before, when `next` doesn't fit. */
static size_t packer_best_end(const struct packer *p, const struct packer_piece *next) {
  size_t best = p->count, left = 0;
  float best_score = -1e9F;
  for (size_t k = 0; k < p->count; k++) {
    left += p->pieces[k].tokens;
    if (k + 1 <= p->repeated)
      continue;
    uint8_t boundary = k + 1 < p->count ? p->pieces[k + 1].boundary : next->boundary;
    float fill = (float)left / (float)p->bound;
    float score = fill + worth[boundary] - (p->tokens - left + next->tokens > p->bound ? 0.5F : 0.0F) -
                  (fill < FILL_MIN && k + 1 < p->count ? 1.0F : 0.0F);
    if (score >= best_score) {
      best_score = score;
      best = k + 1;
    }
  }
  return best;
}

static void packer_make_room(struct packer *p, const struct packer_piece *next) {
  while (p->count > 0 && p->tokens + next->tokens > p->bound) {
    if (p->count == p->repeated) /* repeat fewer */
      drop_before(p, 1);
    else
      close_at(p, packer_best_end(p, next), 1);
  }
}

/* Share of the limit that a passage needs to end at a heading or page; see test/bench/quality. */
static int packer_ends_here(const struct packer *p, enum packer_boundary boundary) {
  size_t share = boundary == BOUNDARY_HEADING ? 4 : boundary == BOUNDARY_PAGE ? 16 : 0;
  return share * tokens_of(p, p->repeated, p->count) >= p->bound;
}

void packer_add(struct packer *p, const struct packer_piece *piece) {
  if (piece->boundary == BOUNDARY_SECTION)
    packer_end_section(p);
  else if (packer_ends_here(p, piece->boundary))
    close_at(p, p->count, 0);
  packer_make_room(p, piece);
  p->pieces = xgrow(p->pieces, p->count, sizeof *p->pieces);
  p->pieces[p->count++] = *piece;
  p->tokens += piece->tokens;
}

void packer_end_section(struct packer *p) {
  packer_give(p, p->count);
  p->count = p->repeated = p->tokens = 0;
}
