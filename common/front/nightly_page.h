/* nightly_page.h: formats the report of bid-nightly(1) as an HTML page (page/html_page.h). */
#ifndef BID_NIGHTLY_PAGE_H
#define BID_NIGHTLY_PAGE_H

#include "record/program.h"

/* Reads a report (data/schema/nightly.json) from the operands or stdin and writes the page. */
void nightly_page_run(struct program *p);

#endif
