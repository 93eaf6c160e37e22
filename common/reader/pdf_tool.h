/* pdf_tool.h: poppler's tools, as what a helper's child runs (base/helper.h): without any other descriptor, held, and under
 * limits. */
#ifndef BID_PDF_TOOL_H
#define BID_PDF_TOOL_H

#include "base/helper_task.h"
#include "reader/pdf_reader.h"

helper_run pdf_tool_text; /* pdftotext */
helper_run pdf_tool_info; /* pdfinfo */

#endif
