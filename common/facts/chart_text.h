/* chart_text.h: text in the SVG of a chart.  Sizes are in pixels.  A letter is assumed to be 0.62 of its height wide, slightly
 * more than in the fonts that the file names, so that no text overflows. */
#ifndef BID_CHART_TEXT_H
#define BID_CHART_TEXT_H

#include "base/buf.h"

#define CHART_LETTER 0.62

#define CHART_WIDTH 1000
#define CHART_MARGIN 24

void chart_text_write(struct buf *out, double x, double y, int size, const char *anchor, const char *weight,
                      struct slice text);

/* Number of bytes of a text that fit into a width, ending at a blank if possible. */
size_t chart_text_fit(struct slice s, double width, int size);

/* Writes a text in as many lines as needed; returns the position of the next line. */
double chart_text_wrapped(struct buf *out, double y, int size, const char *weight, struct slice text);

#endif
