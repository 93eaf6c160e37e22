/* number_format.h: numbers as spreadsheets show them.  Format: ECMA-376 part 1, 18.8.30 and 18.8.31. */
#ifndef BID_NUMBER_FORMAT_H
#define BID_NUMBER_FORMAT_H

#include "base/buf.h"

/* The code of a built-in format, "0.00%" for 10; "General" where there is none. */
const char *number_format_builtin(unsigned long id);

/* The kind of numbers of a list by its name in a text document or a slide, "lowerLetter": '1', 'a', 'A', 'i', 'I'; '-' for bullets. */
char number_format_list_kind(struct slice name);

/* Appends a number, as stored, in the format of that code; text that is no number stays as it is.  from_1904: days count from 1904. */
void number_format_add(struct buf *out, struct slice text, struct slice code, int from_1904);

#endif
