/* bid-embed-http: bid-embed with libcurl, executed by bid-embed when the model is a server (embed_main.h). */
#include "model/embed_backend.h"
#include "model/embed_main.h"

int main(int argc, char **argv) {
  return embed_main(argc, argv, embed_http_open);
}
