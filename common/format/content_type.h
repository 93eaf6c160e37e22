/* content_type.h: what bytes are, by their look; the declared type only decides where the look leaves it open. */
#ifndef BID_CONTENT_TYPE_H
#define BID_CONTENT_TYPE_H

#include "base/buf.h"

enum content_kind {
  CONTENT_EMPTY,  /* nothing but white space */
  CONTENT_BINARY, /* images, archives, office files: no text to be had */
  CONTENT_SUBMISSION,
  CONTENT_PDF,
  CONTENT_HTML,
  CONTENT_XML,
  CONTENT_JSON,
  CONTENT_CSV,
  CONTENT_TEXT
};

/* declared: a MIME type (parameters allowed) or a file name's extension, or empty. */
enum content_kind content_type_of(struct slice bytes, struct slice declared);

/* "html", "pdf", "text", ...; what the kind is called in messages and `--stats`. */
const char *content_type_name(enum content_kind kind);

/* The charset parameter of a MIME type, copied into out (size bytes); NULL where there is none. */
const char *content_type_charset(struct slice declared, char *out, size_t size);

#endif
