/* filing_news.h: passages of the store that say what the filing before theirs did not.
 *
 *     n = filing_news_new(snap);
 *     filing_news_compare(n, &filter, &missing, &e);  // filter.rows is not set yet
 *     filing_news_rows(n, seg, doc)                   // as a store_filter's rows
 *
 * Of each company, form and type of exhibit among the documents that pass a filter, the newest is compared with the
 * document before it in the store, whatever the filter says of that one (passage_diff.h).  A passage is news where it
 * holds an added paragraph, or words or numbers that a changed one did not have; moved paragraphs are none, nor is
 * what was dropped.  Documents whose company or form is not known have no filing before.
 *
 * Comparisons are kept for the next filter.  Belongs to one thread and to one snapshot.
 */
#ifndef BID_FILING_NEWS_H
#define BID_FILING_NEWS_H

#include "store/store.h"

struct filing_news;

struct filing_news *filing_news_new(const struct store_snapshot *snap);
void filing_news_free(struct filing_news *n); /* NULL allowed */

/* Appends to missing a line for each filing that has none before it.  STORE_ABSENT where nothing that passes could be
 * compared. */
enum store_status filing_news_compare(struct filing_news *n, const struct store_filter *f,
                                      struct buf *missing, struct error_text *e);

/* By the last comparison: bitmap of the document's rows that are news, or NULL where it is not the newest or has none
 * before it. */
const uint64_t *filing_news_rows(const struct filing_news *n, const struct store_segment *seg, uint32_t doc);

/* The id (store_doc.id) of the document that it was compared with; 0: none. */
uint64_t filing_news_before(const struct filing_news *n, const struct store_segment *seg, uint32_t doc);

#endif
