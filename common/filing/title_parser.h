/* title_parser.h: what a document's title or file name says where its metadata don't: "3M_2018_10K",
 * "PEPSICO_2023Q1_EARNINGS", "Best Buy 2019 10-K.pdf". */
#ifndef BID_TITLE_PARSER_H
#define BID_TITLE_PARSER_H

#include "base/buf.h"

struct title_hints {
  char company[64], form[16]; /* "" where nothing is said */
  int year, quarter;          /* 0: none */
};

/* 1 where the name ends with a year and a form, in this order and with at most a date behind them, and says
 * whose before; else 0 with everything in *g empty. */
int title_parser_read(struct slice name, struct title_hints *g);

#endif
