/* office_options.h: output options of the office readers. */
#ifndef BID_OFFICE_OPTIONS_H
#define BID_OFFICE_OPTIONS_H

#include "base/diag.h"
#include "document/doc.h"

struct office_reader_options {
  enum doc_tables tables;
  int plain;
  size_t max_text;
  struct error_text
      *lost; /* gets the cause where a part can't be read and is left out, else stays as it is */
};

#endif
