/* office_options.h: output options of the office readers. */
#ifndef BID_OFFICE_OPTIONS_H
#define BID_OFFICE_OPTIONS_H

#include "document/doc.h"

struct office_reader_options {
  enum doc_tables tables;
  int plain;
  size_t max_text;
};

#endif
