/* content_type.h: what bytes are, by their look; the declared type only decides where the look leaves it open. */
#ifndef BID_CONTENT_TYPE_H
#define BID_CONTENT_TYPE_H

#include "base/buf.h"

enum content_kind {
  CONTENT_EMPTY,  /* nothing but white space */
  CONTENT_BINARY, /* images and old office files: no text to be had */
  CONTENT_SUBMISSION,
  CONTENT_PDF,
  CONTENT_HTML,
  CONTENT_XML,
  CONTENT_JSON,
  CONTENT_CSV,
  CONTENT_TEXT,
  CONTENT_DOCX,
  CONTENT_XLSX,
  CONTENT_PPTX,
  CONTENT_MAIL,    /* one message */
  CONTENT_MAILBOX, /* messages behind "From " lines */
  CONTENT_ARCHIVE  /* zip, tar, 7zip; gzip, xz, zstd and others around anything */
};

/* declared: a MIME type (parameters allowed) or a file name's extension, or empty. */
enum content_kind content_type_of(struct slice bytes, struct slice declared);

/* CONTENT_DOCX, CONTENT_XLSX or CONTENT_PPTX where the bytes of a zip (some of its first or last will do) name an
 * office file's main part; else CONTENT_ARCHIVE. */
enum content_kind content_type_of_zip(struct slice bytes);

/* The charset parameter of a MIME type, copied into out (size bytes); NULL where there is none. */
const char *content_type_charset(struct slice declared, char *out, size_t size);

#endif
