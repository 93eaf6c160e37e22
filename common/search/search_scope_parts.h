/* search_scope_parts.h: whether a document of the store is of a plan's forms, and of one of its windows; private to
 * search_scope*.c. */
#ifndef BID_SEARCH_SCOPE_PARTS_H
#define BID_SEARCH_SCOPE_PARTS_H

#include "search/search_scope.h"

/* ---- search_scope_forms.c ---- */

enum scope_class { SCOPE_UNKNOWN, SCOPE_ANNUAL, SCOPE_QUARTERLY, SCOPE_CURRENT, SCOPE_OTHER };

enum scope_class search_scope_class(const struct search_scope *s, const struct store_doc *d);
enum scope_class search_scope_class_of(const char *form);

/* Sets the numbers of the plan's forms, and the classes of the store's. */
void search_scope_find_forms(struct search_scope *s);

/* Whether a document follows a named registration: its amendments and prospectuses are about it too. */
int search_scope_follows(const struct search_scope *s, const struct store_doc *d);

/* ---- search_scope_windows.c; owner: the company, as of search_scope_owner() ---- */

/* Whether a document is of a window, for windows of the latest filings as far as these are known (since_latest). */
int search_scope_fits_window(const struct search_scope *s, int owner, size_t window,
                             const struct store_doc *d);

/* "The latest second quarter" names no year, nor does "Q3 results, October 2024": whether a document is of the window's
 * quarter in any year.  A document without a quarter fits any. */
int search_scope_fits_quarter(const struct search_scope *s, int owner, const struct plan_window *w,
                              const struct store_doc *d);

/* The days of a window; 0 where it has none of its own ("latest"). */
int search_scope_days(const struct search_scope *s, int owner, const struct plan_window *w, int32_t *from,
                      int32_t *until);

/* The last day of a fiscal year of the company. */
int32_t search_scope_year_end(const struct search_scope *s, int owner, int year);

/* The day of filing, or the best substitute that a document has; STORE_NO_DAY where it has none. */
int32_t search_scope_newness(const struct store_doc *d);

#endif
