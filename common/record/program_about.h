/* program_about.h: what a program is made of, for --version and for reports of faults. */
#ifndef BID_PROGRAM_ABOUT_H
#define BID_PROGRAM_ABOUT_H

#include "record/output.h"

/* Appends "libraries: " and the files of the libraries that the program itself was linked with, by the names that
 * carry their versions (liblmdb.so.0.0.0). */
void program_about_libraries(struct output *out);

/* Appends "cpu: " and the widest vector instructions that the kernels can use here: avx512-vnni, avx512, avx2 or
 * plain. */
void program_about_cpu(struct output *out);
#endif
