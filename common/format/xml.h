/* xml.h: small XML documents such as ownership forms as a tree of elements and text stored in one array, parsed by
 * libexpat.  References to entities that a DTD declares stay as they are; namespace prefixes of elements are removed. */
#ifndef BID_XML_H
#define BID_XML_H

#include "base/buf.h"
#include "base/error_text.h"

#include <stdint.h>

#define XML_DEPTH 200        /* elements nested deeper become children of the deepest */
#define XML_NODES (4u << 20) /* limit of nodes in a document */

/* Node 0 is the document.  A node without a name is a text node. */
struct xml_node {
  struct slice name;                  /* without prefix */
  struct slice attributes;            /* names and values, each with a NUL behind it */
  struct slice text;                  /* of a text node: trimmed */
  uint32_t parent, next, first, last; /* indices; 0 for none */
};

struct xml {
  struct xml_node *nodes;
  uint32_t count;
  struct buf text; /* names, attributes and text */
};

/* Parses bytes (UTF-8, else windows-1252) into x: one document, or several with text between them.  0, or -1 with why
 * where it is not well-formed, has no element or exceeds a limit.  Release x in both cases; its slices are valid until
 * then. */
int xml_read(struct xml *x, struct slice bytes, struct error_text *why);
/* The same without trimming text, for word processing documents. */
int xml_read_spaced(struct xml *x, struct slice bytes, struct error_text *why);
void xml_release(struct xml *x);

/* Makes a tree by hand: an empty one with room for so many bytes of text, an element, a copy of text.  The name is the caller's. */
void xml_init(struct xml *x, size_t room);
uint32_t xml_add_node(struct xml *x, uint32_t parent, struct slice name);
void xml_add_text(struct xml *x, uint32_t parent, struct slice text);

/* The first child element of that name, or of any name where it is NULL; the next one after `after` where that is not
 * 0.  0: none. */
uint32_t xml_child(const struct xml *x, uint32_t node, const char *name, uint32_t after);

/* The first text of the element at a path of names from node ("issuer/issuerName"; "" is node itself); empty where
 * absent. */
struct slice xml_text(const struct xml *x, uint32_t node, const char *path);

/* The element at a path, or 0. */
uint32_t xml_at(const struct xml *x, uint32_t node, const char *path);

/* The value of an attribute, with a NUL behind it, or empty. */
struct slice xml_attribute(const struct xml *x, uint32_t node, const char *name);

/* Takes the next attribute from a node's `attributes`: its name with prefix, and its value.  0: there is none. */
int xml_next_attribute(struct slice *rest, struct slice *name, struct slice *value);

/* Appends a formula, the content of a MathML or OMML element (<math>, <oMath>), as one line: "1/2", "(a+b)/c", "10^6", "x_i",
 * "√(x+1)".  A fraction behind a digit is a mixed number, set apart by a blank. */
void xml_add_formula(struct buf *out, const struct xml *x, uint32_t node);

/* Appends {"tag", "attributes", "text", "children"} for the root element; bid-connectors(5), "xml".  0, or -1 with why. */
int xml_json_add(struct buf *out, struct slice bytes, struct error_text *why);

#endif
