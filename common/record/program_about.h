/* program_about.h: the libraries and CPU features in use, for --version and bug reports. */
#ifndef BID_PROGRAM_ABOUT_H
#define BID_PROGRAM_ABOUT_H

#include "record/output.h"

/* Appends "libraries: " and the files of the libraries that the program is directly linked with, under the names that
 * carry their versions (liblmdb.so.0.0.0). */
void program_about_libraries(struct output *out);

/* Appends "cpu: " and the widest vector instruction set that kernels can use here: avx512-vnni, avx512, avx2 or
 * plain. */
void program_about_cpu(struct output *out);

/* Appends "sandbox: " and what the kernel offers to hold parsers: seccomp and Landlock, seccomp alone, or none. */
void program_about_sandbox(struct output *out);
#endif
