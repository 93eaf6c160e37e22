#include "chroma/scratch_store.h"

#include "base/buf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PREFIX "bid-scratch-"

static void remove_folder(const char *folder) {
  DIR *d = opendir(folder);
  for (struct dirent *x; d && (x = readdir(d)) != NULL;)
    if (x->d_name[0] != '.')
      unlinkat(dirfd(d), x->d_name, 0);
  if (d)
    closedir(d);
  rmdir(folder);
}

/* Removes folders of dead processes; those of other users can't be removed anyway. */
static void remove_left(const char *parent) {
  char path[4096];
  DIR *d = opendir(parent);
  for (struct dirent *x; d && (x = readdir(d)) != NULL;) {
    if (strncmp(x->d_name, PREFIX, strlen(PREFIX)) != 0)
      continue;
    long pid = strtol(x->d_name + strlen(PREFIX), NULL, 10);
    if (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
        snprintf(path, sizeof path, "%s/%s", parent, x->d_name) < (int)sizeof path)
      remove_folder(path);
  }
  if (d)
    closedir(d);
}

char *scratch_store_make(struct error_text *e) {
  const char *set = getenv("TMPDIR"), *parents[] = {"/dev/shm", set && *set ? set : "/tmp"};
  char path[4096];
  for (int i = 0; i < 2; i++) {
    remove_left(parents[i]);
    snprintf(path, sizeof path, "%s/" PREFIX "%ld-XXXXXX", parents[i], (long)getpid());
    if (mkdtemp(path))
      return xstrdup(path);
  }
  error_set(e, "%s: no temporary folder can be made there: %s", parents[1], strerror(errno));
  return NULL;
}

void scratch_store_remove(char *folder) {
  if (folder)
    remove_folder(folder);
  free(folder);
}
