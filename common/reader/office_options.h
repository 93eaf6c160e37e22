/* office_options.h: output options of the office readers. */
#ifndef BID_OFFICE_OPTIONS_H
#define BID_OFFICE_OPTIONS_H

#include "base/diag.h"
#include "document/doc.h"

struct office_reader_options {
  enum doc_tables tables;
  int plain;
  size_t max_text;
  struct error_text *lost; /* the first part that could not be read and was left out; empty: none */
};

#endif
