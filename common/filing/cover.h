/* cover.h: reads metadata from the cover page of a periodic report, where no machine-readable source has it. */
#ifndef BID_COVER_H
#define BID_COVER_H

#include "document/doc.h"
#include "record/metadata.h"

/* Sets the unknown fields of m: the company (the text before "(Exact name of registrant ...)"), the ticker and, for a
 * periodic report, the report date ("for the fiscal year ended December 31, 2015").  Only the start of the text is
 * searched. */
void cover_read(const struct doc *d, struct metadata *m, int periodic);

/* Sets the form where m has none and a line of the cover begins with "FORM 10-K" or similar (possibly run together
 * with what follows, as in a PDF's text) or with "SCHEDULE 14A". */
void cover_form(const struct doc *d, struct metadata *m);

/* Sets the filing date from the first day in the first lines ("March 5, 2026", "5 March 2026", "2026-03-05") that isn't the end
 * of a period, and comes after the one that the document reports on.  Of a document without a form it must be labelled
 * ("Published: 5 March 2026") or alone but for a sender or place ("Malmo, 5 March 2024"), and not later than now. */
void cover_date(const struct doc *d, struct metadata *m);

/* Sets the report date of a document without a form from its first lines: "for the year ended 31 March 2025", "six months
 * to June 30, 2025". */
void cover_period(const struct doc *d, struct metadata *m);

/* Sets the filing date from the date in a file's name ("minutes-2026-03-05.docx", "20260305"), or where it has only a month
 * ("book-2025-09.xlsx", "book 2025_09") the report date, that month's last day. */
void cover_name_date(const char *name, struct metadata *m);

/* Sets the report date of an 8-K: "Date of Report (Date of earliest event reported): March 23, 2016". */
void cover_event(const struct doc *d, struct metadata *m);

/* Sets the filing date of a filing without its header: the day in the file's name, else the last one behind "Date" among the
 * signatures; no day before the end of the period on which the filing
 * reports, whose day a name often has. */
void cover_signed(const struct doc *d, const char *name, struct metadata *m);

/* Whether a day, YYYY-MM-DD, is not later than now. */
int cover_is_past(const char day[11]);

#endif
