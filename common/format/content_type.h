/* content_type.h: detects the type of content from its bytes; the declared type only decides where they are
 * ambiguous. */
#ifndef BID_CONTENT_TYPE_H
#define BID_CONTENT_TYPE_H

#include "base/buf.h"

enum content_kind {
  CONTENT_EMPTY,  /* only white space */
  CONTENT_BINARY, /* images and old office files, from which no text is extracted */
  CONTENT_SUBMISSION,
  CONTENT_PDF,
  CONTENT_HTML,
  CONTENT_XML,
  CONTENT_JSON,
  CONTENT_CSV, /* or separated by tabs */
  CONTENT_MARKDOWN,
  CONTENT_TEXT,
  CONTENT_DOCX,
  CONTENT_XLSX,
  CONTENT_PPTX,
  CONTENT_MAIL,    /* one message */
  CONTENT_MAILBOX, /* messages separated by "From " lines */
  CONTENT_ARCHIVE  /* zip, tar, 7zip; or anything compressed by gzip, xz, zstd and others */
};

/* declared: a MIME type (with or without parameters), a file extension, or empty. */
enum content_kind content_type_of(struct slice bytes, struct slice declared);

/* CONTENT_DOCX, CONTENT_XLSX or CONTENT_PPTX where the zip (its first or last bytes suffice) contains the main part
 * of an office file; else CONTENT_ARCHIVE. */
enum content_kind content_type_of_zip(struct slice bytes);

/* The charset parameter of a MIME type, copied into out (size bytes); NULL where there is none. */
const char *content_type_charset(struct slice declared, char *out, size_t size);

#endif
