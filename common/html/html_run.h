/* html_run.h: runs of tags that were met before.
 *
 * Between two texts of a filing stand a few tags in a row ("</span></td><td style=...><span style=...>"), and
 * nine in ten of these runs repeat an earlier one byte by byte.  What a run does is kept by the hash of its
 * bytes as a list of acts, so that its tags are not read again one by one.
 */
#ifndef BID_HTML_RUN_H
#define BID_HTML_RUN_H

#include "html/html_style.h"

#define RUN_SLOTS 4096 /* one entry a hash value: a newer run takes the place of an older one */
#define RUN_ACTS 16384 /* of all runs; past it all are forgotten */
#define RUN_LENGTH 64  /* acts of one run */
#define RUN_BYTES 4096

/* What one tag does that is a start tag with no more to it than this, or an end tag. */
struct html_run_act {
  struct html_style style;
  uint16_t columns, rows; /* of a cell; at most 65535 */
  uint8_t tag, level;     /* enum html_tag; of a heading */
  uint8_t is_end;
};

struct known_run {
  uint64_t hash;
  uint32_t first;      /* of its acts */
  uint16_t len, count; /* bytes; acts, 0: empty */
};

struct known_runs {
  struct known_run slots[RUN_SLOTS];
  struct html_run_act *acts;
  size_t used, cap;   /* acts */
  const char *behind; /* the run that is being read, or was read last, ends here */
  uint64_t hash;      /* the run that is being noted */
  size_t len, count;
  int noting;
};

/* The acts of the run of these bytes, which hash to `hash`; *count of them.  Where it isn't known NULL: it is
 * noted from here on, act by act.  Runs of the same hash and length are taken for the same: a page that were
 * made to have two such runs would only change how it reads itself. */
const struct html_run_act *html_run_find(struct known_runs *k, struct slice run, uint64_t hash,
                                         size_t *count);

/* The next act of the run that is being noted, or NULL where none is; and: what was read up to `at` can't be
 * noted, a run may start anew there. */
struct html_run_act *html_run_note(struct known_runs *k);
void html_run_drop(struct known_runs *k, const char *at);

/* Gives the memory of the acts back. */
void html_run_release(struct known_runs *k);

/* To be called when the reader is at or behind the end of the run. */
void html_run_done(struct known_runs *k, const char *at);

#endif
