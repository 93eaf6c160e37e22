/* embed_main.h: the main function shared by bid-embed and bid-embed-http.  Only the latter links libcurl, whose
 * loading takes as long as the rest of bid-embed's start; bid-embed executes it where the model is a server. */
#ifndef BID_EMBED_MAIN_H
#define BID_EMBED_MAIN_H

#include "model/embed.h"

/* server: as in embed_options. */
int embed_main(int argc, char **argv, embed_server_open *server);

#endif
