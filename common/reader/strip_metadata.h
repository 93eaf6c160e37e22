/* strip_metadata.h: what a document says of itself, beside what it is said to be. */
#ifndef BID_STRIP_METADATA_H
#define BID_STRIP_METADATA_H

#include "html/html.h"
#include "record/metadata.h"

/* Fills gaps of the metadata from a document's inline XBRL.  Where they name another company than a local file was given
 * as, m->doubt says so. */
void strip_metadata_add_facts(const struct html_facts *f, struct metadata *m);

/* The same doubt from a cover page, which has a name but often no ticker: a given ticker that can't be an abbreviation of
 * the name is doubtful.  had_company: the name was known before the cover page was read. */
void strip_metadata_doubt_cover(struct metadata *m, int had_company);

#endif
