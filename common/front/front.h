/* front.h: what `bid` does itself: bid, bid help, bid doctor, and two filters for the pipelines. */
#ifndef BID_FRONT_H
#define BID_FRONT_H

#include "record/program.h"

/* Each takes the program after program_start() and returns the exit status for program_finish(). */
int front_list(struct program *p);
int front_help(struct program *p);
int front_doctor(struct program *p, int offline);

/* The name of stdin's lines that the operand was most likely meant to be, if any: status 1 where there is none. */
int front_near(struct program *p);

/* The row of a pipeline, whose name is the operand, on stderr; lines of record/progress.h on stdin. */
int front_progress(struct program *p);

/* Candidates for the completions (complete.h); operands: the number of the word, then all words. */
int front_complete(struct program *p);

/* stdin to stdout, masked (mask.h). */
int front_mask(struct program *p);

/* Lines on stdin, broken at blanks to fit the screen. */
int front_fold(struct program *p);

/* A report of bid-nightly to a page (nightly_page.h). */
int front_nightly_page(struct program *p);

/* Becomes the command argv[1]; returns the status where it is none, having said so. */
int front_become(int argc, char **argv, const struct program_spec *spec);

/* Whether a word is one of the commands above. */
int front_is_own(const char *word);

#endif
