/* xml.h: a parser for small XML documents such as ownership forms, to a tree of elements and text stored in one
 * array.  It does not validate: DTDs are skipped (and their entities not expanded), namespace prefixes removed, and
 * unclosed elements end with their parent. */
#ifndef BID_XML_H
#define BID_XML_H

#include "base/buf.h"

#include <stdint.h>

#define XML_DEPTH 200        /* elements nested deeper become children of the deepest */
#define XML_NODES (4u << 20) /* limit of nodes in a document */

/* Node 0 is the document.  A node without a name is a text node. */
struct xml_node {
  struct slice name;                  /* without prefix */
  struct slice attributes;            /* raw text between the name and '>' */
  struct slice text;                  /* of a text node: decoded and trimmed */
  uint32_t parent, next, first, last; /* indices; 0 for none */
};

struct xml {
  struct xml_node *nodes;
  uint32_t count;
  size_t cap;
  struct buf source; /* the input as UTF-8 */
  struct buf text;   /* decoded text */
};

/* Parses bytes (UTF-8, else windows-1252) into x.  0, or -1 with *why (static) where there is no element or a limit
 * is exceeded.  Release x in both cases; its slices are valid until then. */
int xml_read(struct xml *x, struct slice bytes, const char **why);
/* The same without trimming text, for word processing documents. */
int xml_read_spaced(struct xml *x, struct slice bytes, const char **why);
void xml_release(struct xml *x);

/* The first child element of that name, or of any name where it is NULL; the next one after `after` where that is not
 * 0.  0: none. */
uint32_t xml_child(const struct xml *x, uint32_t node, const char *name, uint32_t after);

/* The first text of the element at a path of names from node ("issuer/issuerName"; "" is node itself); empty where
 * absent. */
struct slice xml_text(const struct xml *x, uint32_t node, const char *path);

/* The element at a path, or 0. */
uint32_t xml_at(const struct xml *x, uint32_t node, const char *path);

/* The raw value of an attribute, or empty. */
struct slice xml_attribute(const struct xml *x, uint32_t node, const char *name);

/* Takes the next attribute from a node's `attributes`: its name with prefix, and its raw value.  0: there is none. */
int xml_next_attribute(struct slice *rest, struct slice *name, struct slice *value);

/* Appends a formula, the content of a MathML or OMML element (<math>, <oMath>), as one line: "1/2", "(a+b)/c", "10^6", "x_i",
 * "√(x+1)".  A fraction behind a digit is a mixed number, set apart by a blank. */
void xml_add_formula(struct buf *out, const struct xml *x, uint32_t node);

/* Appends raw text with its references decoded. */
void xml_decode(struct buf *out, struct slice raw);

/* Appends {"tag", "attributes", "text", "children"} for the root element; bid-connectors(5), "xml".  0, or -1 with *why (static). */
int xml_json_add(struct buf *out, struct slice bytes, const char **why);

#endif
