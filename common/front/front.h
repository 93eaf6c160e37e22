/* front.h: what `bid` does itself: bid, bid help, bid doctor, and filters for pipelines and completions. */
#ifndef BID_FRONT_H
#define BID_FRONT_H

#include "record/program.h"

/* Each takes the program after program_start() and returns the exit status for program_finish(). */
int front_list(struct program *p);
int front_help(struct program *p);
int front_doctor(struct program *p, int offline);

/* Prints the line of stdin that the operand was most likely meant to be; status 1 where there is none. */
int front_near(struct program *p);

/* Draws a pipeline's progress row on stderr; the operand is its name, stdin has the lines that program.c of record/ writes. */
int front_progress(struct program *p);

/* Becomes pipelines/complete.sh, which prints completion candidates; operands: the index of the word, then all words. */
int front_complete(struct program *p);

/* Copies stdin to stdout, masked (mask.h). */
int front_mask(struct program *p);

/* Copies the records of stdin to stdout, escaped as output.h does where that is a terminal. */
int front_records(struct program *p);

/* Wraps the lines of stdin to the width of the screen. */
int front_fold(struct program *p);

/* Makes elements on stdin an HTML page, masked; the operand is its title, the first line the text below that. */
int front_html_page(struct program *p);

/* Executes the command argv[1]; where there is none, reports that and returns the status. */
int front_become(int argc, char **argv, const struct program_spec *spec);

/* Whether a word is one of the commands above. */
int front_is_own(const char *word);

#endif
