/* html_run.h: a cache of runs of tags.
 *
 * Between two texts of a filing there are usually several tags ("</span></td><td style=...><span style=...>"), and
 * nine in ten of these runs repeat an earlier one byte by byte.  The effect of a run is cached as a list of acts by
 * the hash of its bytes, so that its tags are not parsed again.
 */
#ifndef BID_HTML_RUN_H
#define BID_HTML_RUN_H

#include "html/html_style.h"

#define RUN_SLOTS 4096 /* one entry per hash value; a newer run replaces an older one */
#define RUN_ACTS 16384 /* limit of all acts; beyond it the cache is cleared */
#define RUN_LENGTH 64  /* limit of acts per run */
#define RUN_BYTES 4096

/* The effect of one tag: an end tag, or a start tag fully described by these members. */
struct html_run_act {
  struct html_style style;
  uint16_t columns, rows; /* spans of a cell; at most 65535 */
  uint8_t tag, level;     /* enum html_tag; level of a heading */
  uint8_t is_end;
};

struct html_known_run {
  uint64_t hash;
  uint32_t first;      /* index of its first act */
  uint16_t len, count; /* length in bytes; number of acts, 0: empty */
};

struct html_known_runs {
  struct html_known_run slots[RUN_SLOTS];
  struct html_run_act *acts;
  size_t used, cap;   /* number of acts */
  const char *behind; /* end of the run being read, or read last */
  uint64_t hash;      /* hash of the run being recorded */
  size_t len, count;
  int noting;
};

/* The acts of the run with these bytes and this hash, *count of them.  Where it is not cached, returns NULL and
 * starts recording it.  Runs of the same hash and length are assumed to be equal: a page crafted to collide only
 * affects how it is read itself. */
const struct html_run_act *html_run_find(struct html_known_runs *k, struct slice run, uint64_t hash,
                                         size_t *count);

/* html_run_note() adds an act to the run being recorded, NULL where there is none.  html_run_drop(): what was read up
 * to `at` can't be recorded; a new run may start there. */
struct html_run_act *html_run_note(struct html_known_runs *k);
void html_run_drop(struct html_known_runs *k, const char *at);

/* Releases the memory of the acts. */
void html_run_release(struct html_known_runs *k);

/* To be called when the reader has reached or passed the end of the run. */
void html_run_done(struct html_known_runs *k, const char *at);

#endif
