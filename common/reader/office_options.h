/* office_options.h: how the readers of office files write. */
#ifndef BID_OFFICE_OPTIONS_H
#define BID_OFFICE_OPTIONS_H

#include "document/doc.h"

struct office_reader_options {
  enum doc_tables tables;
  int plain;
  size_t max_text;
};

#endif
