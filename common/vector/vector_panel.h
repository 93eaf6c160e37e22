/* vector_panel.h: many queries against the same rows; private to vector*.c and their tests.
 *
 * A scan for one query waits for memory.  For dozens it is a product of matrices, the upper 8 bits of rows by
 * int8 queries, which processors with AMX (tiles of 16 by 64 bytes, 16,384 products an instruction) make
 * faster than memory gives the rows: a query costs less than its sketches would, and is compared with every
 * row.
 */
#ifndef BID_VECTOR_PANEL_H
#define BID_VECTOR_PANEL_H

#include "vector/vector.h"

#define PANEL_QUERIES 128
#define PANEL_ROWS 128 /* most at once */

/* Up to 128 queries of int8, in tiles of 16 queries and 64 components: byte 4c + i of line l of a tile is
 * component 4l + i of its query c. */
struct vector_panel {
  size_t width, count;
  int8_t *tiles; /* [PANEL_QUERIES / 32][width / 64][2][16][16][4], 64-byte aligned */
  uint8_t *room; /* [PANEL_ROWS][width], of products() */
  /* The bound of a row's score is unit * (scale * (product + slack + offset)), where `slack` is the row's; what is
   * below `least` isn't wanted, without the unit. */
  float unit[PANEL_QUERIES], offset[PANEL_QUERIES], least[PANEL_QUERIES];
};

/* All queries are empty: no row reaches them. */
struct vector_panel *vector_panel_new(size_t width);
void vector_panel_free(struct vector_panel *p);

/* Query i of the panel, as int8. */
void vector_panel_set(struct vector_panel *p, size_t i, const int8_t *query, float unit, float offset);

struct panel_kernels {
  const char *name;
  int (*runs_here)(void);
  /* out[r * PANEL_QUERIES + i] = the sum over a row's components (the upper 8 of 12 bits) times query i, of
   * rows [0, rows) of high[][width / 2] and low[][width], `rows` at most PANEL_ROWS, and of the panel's first
   * `count` queries, rounded up to 32; out has room for PANEL_ROWS rows.  More rows that lie behind these will
   * be next (`ahead`: how many).  squares[r] = the sum of the squares of the row's components, less 128. */
  void (*products)(const struct vector_panel *p, const uint8_t *high, const uint8_t *low, size_t rows,
                   size_t ahead, int32_t *out, int32_t *squares);
  /* Which of these products reach their query's `least`: bounds, and PANEL_QUERIES * row + query, ascending.
   * Returns how many. */
  size_t (*reach)(const struct vector_panel *p, const int32_t *products, const float *scale,
                  const float *slack, size_t rows, uint32_t *which, float *bounds);
};

/* Best first, ended by an entry without name; the last one, "scalar", runs anywhere and is the oracle. */
extern const struct panel_kernels panel_kernel_list[];

#endif
