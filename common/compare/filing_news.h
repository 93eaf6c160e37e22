/* filing_news.h: finds passages in the store that contain something new since the previous filing.
 *
 *     n = filing_news_new(snap);
 *     filing_news_compare(n, &filter, &missing, &e);  // filter.rows is not set yet
 *     filing_news_rows(n, seg, doc)                   // as a store_filter's rows
 *
 * For each company, form and exhibit type among the documents that pass a filter, the newest is compared with the
 * previous stored document, which need not pass the filter (passage_diff.h).  A passage is new where it has an added
 * paragraph, or a changed one with words or numbers that the old one lacks; moved or dropped paragraphs don't count.
 * Documents of an unknown company or form have no previous filing.
 *
 * Comparisons are cached for the next filter.  Not thread-safe; belongs to one snapshot.
 */
#ifndef BID_FILING_NEWS_H
#define BID_FILING_NEWS_H

#include "store/store.h"

struct filing_news;

struct filing_news *filing_news_new(const struct store_snapshot *snap);
void filing_news_free(struct filing_news *n); /* n may be NULL */

/* Compares, and appends to missing a line for each filing without a previous one.  STORE_ABSENT where no document
 * that passes could be compared. */
enum store_status filing_news_compare(struct filing_news *n, const struct store_filter *f,
                                      struct buf *missing, struct error_text *e);

/* From the last comparison: a bitmap of the document's new rows, or NULL where it is not the newest or has no
 * previous one. */
const uint64_t *filing_news_rows(const struct filing_news *n, const struct store_segment *seg, uint32_t doc);

/* The id (store_doc.id) of the document that it was compared with; 0: none. */
uint64_t filing_news_before(const struct filing_news *n, const struct store_segment *seg, uint32_t doc);

#endif
