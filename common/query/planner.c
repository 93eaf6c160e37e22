/* planner.c */
#include "query/planner.h"
#include "base/paths.h"
#include "source/company_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_BYTES ((size_t)64 << 20)

struct planner *planner_new(const struct planner_tables *t, struct error_text *why) {
  struct planner *p = xcalloc(1, sizeof *p);
  buf_init(&p->list, LIST_BYTES);
  p->words = plan_words_new(t->words, t->company_words, why);
  p->forms = p->words ? plan_forms_new(t->forms, why) : NULL;
  p->senses = t->senses;
  if (p->forms == NULL) {
    planner_free(p);
    return NULL;
  }
  p->trades = plan_trades_new(t->trades);
  p->directory = directory_new(p->words, t->companies, t->names, t->aliases);
  return p;
}

/* Maps a shipped table.  0, or -1 with *why. */
static int map_table(const char *name, struct slice *file, struct error_text *why) {
  struct buf path;
  struct stat st;
  buf_init(&path, 8192);
  paths_data(&path, name);
  int fd = open(path.data, O_RDONLY | O_CLOEXEC), result = 0;
  void *bytes = MAP_FAILED;
  if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
    bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes != MAP_FAILED && ((const char *)bytes)[st.st_size - 1] != '\n') {
    error_set(why, "%s: cut off: its last line has no end; install BID again", path.data);
    munmap(bytes, (size_t)st.st_size);
    result = -1;
  } else if (bytes != MAP_FAILED) {
    *file = slice_of(bytes, (size_t)st.st_size);
  } else {
    error_set(why, "%s: %s", path.data, fd < 0 ? strerror(errno) : "empty or not to be mapped");
    result = -1;
  }
  if (fd >= 0)
    close(fd);
  buf_release(&path);
  return result;
}

struct planner *planner_open(struct error_text *why) {
  static const char *const names[PLANNER_FILES] = {"companies.tsv", "company_names.tsv", "aliases.tsv",
                                                   "forms.tsv",     "words.tsv",         "company_words.tsv",
                                                   "trades.tsv",    "senses.tsv"};
  struct slice files[PLANNER_FILES] = {{NULL, 0}};
  struct planner *p = NULL;
  size_t n = 0;
  while (n < PLANNER_FILES && map_table(names[n], &files[n], why) == 0)
    n++;
  if (n == PLANNER_FILES) {
    struct planner_tables t = {files[0], files[1], files[2], files[3],
                               files[4], files[5], files[6], files[7]};
    p = planner_new(&t, why);
  }
  if (p != NULL && concept_table_load(&p->table, why) != 0) {
    planner_free(p);
    p = NULL;
  }
  if (p != NULL) {
    p->concepts = &p->table;
    memcpy(p->files, files, sizeof files);
  }
  for (size_t i = 0; p == NULL && i < n; i++)
    munmap((void *)(uintptr_t)files[i].data, files[i].len);
  return p;
}

void planner_free(struct planner *p) {
  if (p == NULL)
    return;
  directory_free(p->directory);
  plan_forms_free(p->forms);
  plan_trades_free(p->trades);
  plan_words_free(p->words);
  for (size_t i = 0; i < PLANNER_FILES; i++)
    if (p->files[i].data)
      munmap((void *)(uintptr_t)p->files[i].data, p->files[i].len);
  buf_release(&p->list);
  concept_table_release(&p->table);
  free(p);
}

const char *planner_date(const struct planner *p) {
  return directory_date(p->directory);
}

int planner_add_list(struct planner *p, struct slice json) {
  return directory_add_list(p->directory, json);
}

int planner_renew(struct planner *p) {
  if (p->renewed)
    return 0;
  p->renewed = 1;
  if (!company_list_is_fresh())
    company_list_fetch();
  return company_list_cached(planner_date(p), &p->list) == 0 && planner_add_list(p, buf_slice(&p->list)) == 0;
}

int planner_lacks_company(const struct plan *plan, int rejected) {
  return rejected ? plan->unknown_count > 0 && !plan->refused
                  : plan->company_count == 0 && plan->unknown_names > 0;
}

void planner_add(struct planner *p, struct slice cik, struct slice ticker, struct slice name) {
  uint64_t number = 0;
  for (size_t i = 0; i < cik.len && cik.data[i] >= '0' && cik.data[i] <= '9' && number < 1000000000; i++)
    number = number * 10 + (uint64_t)(cik.data[i] - '0');
  if (number > 0 && number <= 0xffffffffu)
    directory_add_one(p->directory, (uint32_t)number, ticker, name);
}
