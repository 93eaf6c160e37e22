/* vector_scan.h: walks over the allowed rows of a search space in runs, by one thread or several.  Private to vector.c. */
#ifndef BID_VECTOR_SCAN_H
#define BID_VECTOR_SCAN_H

#include "vector/vector.h"

enum { VECTOR_RUN = 1024, VECTOR_THREADS = 8 };

/* Takes rows [from, to) of part `index`, at most VECTOR_RUN; a bitmap has still to be asked for each row. */
typedef void vector_scan_function(void *state, const struct vector_part *part, uint32_t index, uint32_t from,
                                  uint32_t to);

/* Calls f for all runs, in order; where there is a bitmap only for words of it that have a bit set. */
void vector_scan(const struct vector_part *parts, size_t count, vector_scan_function *f, void *state);

/* The same with several threads, each with its own state. */
void vector_scan_shared(const struct vector_part *parts, size_t count, vector_scan_function *f,
                        void *const states[VECTOR_THREADS], size_t threads);

/* Number of rows, allowed or not. */
size_t vector_scan_rows(const struct vector_part *parts, size_t count);

/* The number of threads that pay off, at most VECTOR_THREADS; asked: the maximum, or 0 for all cores. */
size_t vector_scan_threads(int asked, size_t rows);

#endif
