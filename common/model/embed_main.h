/* embed_main.h: bid-embed, which exists twice: bid-embed, and bid-embed-http, which alone carries libcurl
 * (its loading takes as long as all of bid-embed's start) and which bid-embed becomes when the model is a
 * server. */
#ifndef BID_EMBED_MAIN_H
#define BID_EMBED_MAIN_H

#include "model/embed.h"

/* server: as in embed_options. */
int embed_main(int argc, char **argv, embed_server_open *server);

#endif
