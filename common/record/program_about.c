#include "record/program_about.h"

#include "base/cpu.h"
#include "base/sandbox.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h>

/* The file that is loaded for a library name. */
struct loaded {
  const char *name;
  char path[PATH_MAX];
};

static int about_find(struct dl_phdr_info *info, size_t size, void *arg) {
  struct loaded *l = arg;
  const char *slash = strrchr(info->dlpi_name, '/');
  (void)size;
  if (!slash || strcmp(slash + 1, l->name) != 0)
    return 0;
  return realpath(info->dlpi_name, l->path) != NULL;
}

static void about_library(struct output *out, const char *name, const char *lead) {
  struct loaded l = {.name = name};
  const char *shown = name;
  if (dl_iterate_phdr(about_find, &l) && strrchr(l.path, '/'))
    shown = strrchr(l.path, '/') + 1;
  output_printf(out, "%s%s", lead, shown);
}

/* The dynamic section lists the libraries that the program was linked with; the loader has relocated its addresses. */
void program_about_libraries(struct output *out) {
  const char *strings = NULL, *lead = "libraries: ";
  for (const ElfW(Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB)
      strings = (const char *)d->d_un.d_ptr;
  for (const ElfW(Dyn) *d = _DYNAMIC; strings && d->d_tag != DT_NULL; d++) {
    if (d->d_tag != DT_NEEDED)
      continue;
    about_library(out, strings + d->d_un.d_val, lead);
    lead = ", ";
  }
  output_printf(out, "\n");
}

void program_about_cpu(struct output *out) {
  output_printf(out, "cpu: %s\n", cpu_name());
}

void program_about_sandbox(struct output *out) {
  output_printf(out, "sandbox: %s\n", sandbox_offered());
}
