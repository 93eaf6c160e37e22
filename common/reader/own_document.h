/* own_document.h: what a person's own document (m->own) tells of itself where no source has described it: its day, the
 * end of its period, its title, its company. */
#ifndef BID_OWN_DOCUMENT_H
#define BID_OWN_DOCUMENT_H

#include "format/content_type.h"
#include "reader/strip.h"

/* Completes m after its text, outline and properties have been read.  Day: of the first lines, else of the file's name, else
 * of its last change.  Title: of its properties, else its first heading.  Company: o->company, else of its properties. */
void own_document_describe(const struct doc *d, enum content_kind kind, const struct strip_options *o,
                           struct metadata *m);

/* Keeps the day of the file's properties as fileDate, and as the document's where it has no day and this one isn't to come. */
void own_document_file_day(struct metadata *m);

/* Whether a title is what a program writes where nobody gave one: "untitled", "(anonymous)". */
int own_document_is_placeholder(struct slice title);

/* The file's name without the archive or mail that holds it. */
const char *own_document_name(const struct metadata *m);

#endif
