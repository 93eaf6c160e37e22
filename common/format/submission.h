/* submission.h: full submissions as EDGAR keeps them: <SEC-DOCUMENT> text files (with or without the PEM
 * envelope of the 1990s), the <SUBMISSION> files of the dissemination feed (.nc), and a lone <DOCUMENT>
 * wrapper.  Lines end with LF, CR or CRLF.
 *
 * Format: "EDGAR Public Dissemination Service Technical Specification" (PDS), the SGML of its headers.
 */
#ifndef BID_SUBMISSION_H
#define BID_SUBMISSION_H

#include "record/metadata.h"

/* One <DOCUMENT>; slices point into the submission's bytes. */
struct submission_part {
  int number; /* from 1, in order of appearance */
  struct slice type, file_name, description;
  struct slice body; /* inside <TEXT>, without the <XML>, <XBRL>, <PDF> or <JSON> line around */
  int encoded;       /* body is uuencoded */
  const char *omit;  /* NULL, or the kind under which it is left out: "graphic", "zip", "spreadsheet",
                        "xbrl", "rendered", "json" or "binary" */
};

struct submission {
  struct slice bytes;
  size_t at;    /* next byte to look at */
  int parts;    /* handed out so far */
  size_t close; /* the "</DOCUMENT>" at or behind `at`, once looked for: each byte is searched once */
};

/* Whether bytes begin like one of the above (white space and a BOM in front are allowed). */
int submission_is(struct slice bytes);

/* Reads the header into m (fields still unknown) and stands before the first part. */
void submission_open(struct submission *s, struct slice bytes, struct metadata *m);

/* 1 with *part filled, or 0 at the end.  A part whose end is missing runs to the end of the bytes. */
int submission_next(struct submission *s, struct submission_part *part);

/* Appends the bytes of a uuencoded body to out: what stands between its "begin" and "end" lines.  0, or -1
 * where there is no "begin" line or a line is malformed (out keeps what was decoded) or out's ceiling is
 * passed. */
int uudecode(struct slice text, struct buf *out);

#endif
