/* nightly_page.h: the report of bid-nightly(1) as a page to hand on (page/html_page.h). */
#ifndef BID_NIGHTLY_PAGE_H
#define BID_NIGHTLY_PAGE_H

#include "record/program.h"

/* Reads a report (data/schema/nightly.json) from the operands or stdin, writes the page. */
void nightly_page_run(struct program *p);

#endif
