/* xml.h: small XML documents as a tree in one array: elements and their text, what ownership forms and their
 * kin need.  Not a validating parser: DTDs are skipped (no entity of theirs is expanded), namespaces are cut
 * off names, unclosed elements end with their parent.
 */
#ifndef BID_XML_H
#define BID_XML_H

#include "base/buf.h"

#include <stdint.h>

#define XML_DEPTH 200        /* deeper elements are read as children of the deepest */
#define XML_NODES (4u << 20) /* elements of a document */

/* Node 0 is the document.  A node without a name is a run of text. */
struct xml_node {
  struct slice name;                  /* without prefix */
  struct slice attributes;            /* raw, between the name and '>' */
  struct slice text;                  /* of a run of text: decoded, white space at its ends dropped */
  uint32_t parent, next, first, last; /* indices; 0 for none */
};

struct xml {
  struct xml_node *nodes;
  uint32_t count;
  size_t cap;
  struct buf source; /* the input as UTF-8 */
  struct buf text;   /* decoded text */
};

/* Reads bytes (UTF-8, or windows-1252 where they are not) into x.  0, or -1 with *why (static) where there is
 * no element or a ceiling is passed.  Release x in both cases; slices live until then. */
int xml_read(struct xml *x, struct slice bytes, const char **why);
/* The same, but text keeps the white space at its ends, as word processors want it. */
int xml_read_spaced(struct xml *x, struct slice bytes, const char **why);
void xml_release(struct xml *x);

/* First child element (or the next one after `after`, where not 0) of that name; any where it is NULL.  0:
 * none. */
uint32_t xml_child(const struct xml *x, uint32_t node, const char *name, uint32_t after);

/* First run of text of the element at a path of names from node ("issuer/issuerName"; "" is node itself);
 * empty where absent. */
struct slice xml_text(const struct xml *x, uint32_t node, const char *path);

/* The element at a path, or 0. */
uint32_t xml_at(const struct xml *x, uint32_t node, const char *path);

/* Raw value of an attribute, or empty. */
struct slice xml_attribute(const struct xml *x, uint32_t node, const char *name);

#endif
