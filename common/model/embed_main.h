/* embed_main.h: the main function of bid-embed. */
#ifndef BID_EMBED_MAIN_H
#define BID_EMBED_MAIN_H

int embed_main(int argc, char **argv);

#endif
