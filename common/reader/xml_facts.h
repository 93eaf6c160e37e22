/* xml_facts.h: what EDGAR's XML forms say of themselves: company, form, period, persons, the unit of holdings. */
#ifndef BID_XML_FACTS_H
#define BID_XML_FACTS_H

#include "format/xml.h"
#include "record/metadata.h"

/* Completes m from an ownership form (3, 4, 5) or a submission (13D, 13F, 13G, 144, N-PORT ...); nothing of other XML. */
void xml_facts_read(const struct xml *x, uint32_t root, struct metadata *m);

/* The unit of the values in a table of Form 13F (static), or NULL for other XML. */
const char *xml_facts_unit(const struct xml *x, uint32_t root, const struct metadata *m);

/* Appends ": Scarpelli Michael, Chief Financial Officer; ...", so that each table's context says whose holdings it has. */
void xml_facts_add_persons(struct buf *title, const struct xml *x, uint32_t root);

#endif
