/* bid-embed: adds a vector to each passage. */
#include "model/embed_main.h"

int main(int argc, char **argv) {
  return embed_main(argc, argv);
}
