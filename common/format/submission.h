/* submission.h: EDGAR's full submissions: <SEC-DOCUMENT> text files (with or without the PEM envelope of the 1990s),
 * the <SUBMISSION> files of the dissemination feed (.nc), and a single <DOCUMENT>.  Lines end with LF, CR or CRLF.
 *
 * Format: "EDGAR Public Dissemination Service Technical Specification" (PDS), the SGML of its headers.
 */
#ifndef BID_SUBMISSION_H
#define BID_SUBMISSION_H

#include "record/metadata.h"

/* One <DOCUMENT>; slices point into the submission's bytes. */
struct submission_part {
  int number; /* sequence number from 1, in order of appearance */
  struct slice type, file_name, description;
  struct slice body; /* content of <TEXT>, without an enclosing <XML>, <XBRL>, <PDF> or <JSON> */
  int encoded;       /* body is uuencoded */
  const char *omit;  /* NULL, or the kind for which it is omitted: "graphic", "zip", "spreadsheet", "xbrl",
                        "rendered", "json" or "binary" */
};

struct submission {
  struct slice bytes;
  size_t at;    /* next byte to parse */
  int parts;    /* parts returned so far */
  size_t close; /* the next "</DOCUMENT>" once searched for, so that no byte is searched twice */
};

/* Whether bytes begin like one of the above, after optional white space and a byte order mark. */
int submission_is(struct slice bytes);

/* Parses the header into the unknown fields of m and positions s before the first part. */
void submission_open(struct submission *s, struct slice bytes, struct metadata *m);

/* 1 with *part filled, or 0 at the end.  A part without an end tag extends to the end of the bytes. */
int submission_next(struct submission *s, struct submission_part *part);

/* Decodes a uuencoded body, the lines between "begin" and "end", and appends it to out.  0, or -1 where there is no
 * "begin" line, a line is malformed (out keeps what was decoded) or out's ceiling is exceeded. */
int submission_uudecode(struct slice text, struct buf *out);

#endif
