/* model.c: model files (.bidm): named sections in one memory-mapped file, each with its checksum. */
#include "model/model.h"

#include "base/hash.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER 128
#define CHECKED 32 /* the checksum covers the bytes from here on */
#define TABLE_ENTRY 40
#define SECTIONS_MAX 4096
#define ORDER_MARK 0x01020304u
#define ORDER_SWAPPED 0x04030201u

struct model {
  const unsigned char *map;
  size_t size;
  uint32_t sections;
  struct slice checks;    /* the "checks" section where blocks are verified on use; else empty */
  unsigned char *checked; /* bitmap of verified blocks */
  char *path;
  char label[MODEL_NAME_BYTES + 16];
  char name[MODEL_NAME_BYTES + 1];
};

static const unsigned char magic[8] = {0x89, 'B', 'I', 'D', 'M', '\r', '\n', 0x1a};

static uint32_t get32(const unsigned char *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const unsigned char *p) {
  return (uint64_t)get32(p) | (uint64_t)get32(p + 4) << 32;
}

static const unsigned char *model_entry_of(const struct model *m, uint32_t i) {
  return m->map + HEADER + (size_t)i * TABLE_ENTRY;
}

/* Checks the header, before the file's size and checksum. */
static int check_head(const struct model *m, const char *path, struct error_text *e) {
  if (m->size < HEADER || memcmp(m->map, magic, sizeof magic) != 0) {
    error_set(e, "%s: not a model file (.bidm); name one that bid-model(5) describes", path);
    return -1;
  }
  uint32_t order = get32(m->map + 8), version = get32(m->map + 12);
  if (order != ORDER_MARK) {
    error_set(e, "%s: %s; make it again for this machine", path,
              order == ORDER_SWAPPED ? "model file of the other byte order" : "damaged byte order mark");
    return -1;
  }
  if (version != MODEL_VERSION) {
    error_set(
        e, "%s: model file of version %u, and this program reads version %d; use the file that came with it",
        path, version, MODEL_VERSION);
    return -1;
  }
  return 0;
}

static int check_size(const struct model *m, const char *path, struct error_text *e) {
  uint64_t said = get64(m->map + 16);
  if (said == m->size)
    return 0;
  error_set(e, "%s: model file of %zu bytes, and it should have %llu: %s; copy it again", path, m->size,
            (unsigned long long)said, m->size < said ? "cut off" : "something was added");
  return -1;
}

static int check_sections(const struct model *m) {
  size_t table = HEADER + (size_t)m->sections * TABLE_ENTRY;
  if (m->sections > SECTIONS_MAX || table > m->size)
    return -1;
  for (uint32_t i = 0; i < m->sections; i++) {
    const unsigned char *entry = model_entry_of(m, i);
    uint64_t offset = get64(entry + 24), size = get64(entry + 32);
    if (offset % 64 != 0 || offset < table || offset > m->size || size > m->size - offset ||
        entry[MODEL_SECTION_NAME - 1] != 0)
      return -1;
  }
  uint32_t dimensions = get32(m->map + 36);
  return dimensions >= 1 && dimensions <= 65536 && m->map[80 + MODEL_NAME_BYTES - 1] == 0 ? 0 : -1;
}

static int model_damaged(const struct model *m, struct error_text *e) {
  error_set(e, "%s: model file is damaged (its checksum is wrong); copy it again", m->path);
  return -1;
}

/* ---- blocks ---- */

static size_t blocks_of(size_t bytes) {
  return (bytes + MODEL_BLOCK - 1) / MODEL_BLOCK;
}

/* Number of bytes covered by the block checksums: up to their own section. */
static size_t covered(const struct model *m) {
  return (size_t)((const unsigned char *)m->checks.data - m->map);
}

static int check_block(const struct model *m, size_t block) {
  size_t from = block ? block * MODEL_BLOCK : CHECKED, until = (block + 1) * MODEL_BLOCK;
  if (until > covered(m))
    until = covered(m);
  return hash_block(m->map + from, until - from) ==
                 get64((const unsigned char *)m->checks.data + block * sizeof(uint64_t))
             ? 0
             : -1;
}

int model_check(struct model *m, const void *at, size_t len, struct error_text *e) {
  size_t from = (size_t)((const unsigned char *)at - m->map);
  if (m->checked == NULL || len == 0)
    return 0;
  if (from + len > covered(m))
    return model_damaged(m, e);
  for (size_t i = from / MODEL_BLOCK; i <= (from + len - 1) / MODEL_BLOCK; i++) {
    if (m->checked[i / 8] >> (i % 8) & 1)
      continue;
    if (check_block(m, i) != 0)
      return model_damaged(m, e);
    m->checked[i / 8] = (unsigned char)(m->checked[i / 8] | 1 << (i % 8));
  }
  return 0;
}

int model_check_all(struct model *m, struct error_text *e) {
  if (m->checked == NULL)
    return 0;
  if (hash_block(m->map + CHECKED, m->size - CHECKED) != get64(m->map + 24))
    return model_damaged(m, e);
  free(m->checked);
  m->checked = NULL;
  return 0;
}

int model_is_unchecked(const struct model *m) {
  return m->checked != NULL;
}

/* Loads the block checksums where the file has them, and verifies everything before the sections.  A malformed
 * "checks" section is left to the checksum of the whole file. */
static int take_checks(struct model *m, struct error_text *e) {
  struct slice s = model_section(m, "checks");
  size_t from = s.data ? (size_t)((const unsigned char *)s.data - m->map) : 0;
  size_t table = HEADER + (size_t)m->sections * TABLE_ENTRY;
  if (from < table || from + s.len != m->size || s.len != blocks_of(from) * sizeof(uint64_t))
    return 0;
  m->checks = s;
  m->checked = xcalloc(blocks_of(from) / 8 + 1, 1);
  return model_check(m, m->map + CHECKED, table - CHECKED, e);
}

/* ---- opening ---- */

/* all: verify everything; else section contents only where they have no block checksums. */
static int model_check_(struct model *m, int all, struct error_text *e) {
  if (check_head(m, m->path, e) != 0 || check_size(m, m->path, e) != 0)
    return -1;
  if (check_sections(m) != 0)
    return model_damaged(m, e);
  if (!all && take_checks(m, e) != 0)
    return -1;
  if (m->checked == NULL && hash_block(m->map + CHECKED, m->size - CHECKED) != get64(m->map + 24))
    return model_damaged(m, e);
  return 0;
}

/* Maps the file; -1 with *e.  An empty file can't be mapped and is not a model either. */
static int map_file(struct model *m, int fd, int all, struct error_text *e) {
  const char *path = m->path;
  struct stat st;
  if (fstat(fd, &st) != 0) {
    error_set(e, "%s: %s", path, strerror(errno));
    return -1;
  }
  if (!S_ISREG(st.st_mode)) {
    error_set(e, "%s: %s, not a model file (.bidm)", path,
              S_ISDIR(st.st_mode) ? "a folder" : "not a plain file");
    return -1;
  }
  if (st.st_size < HEADER || (uint64_t)st.st_size > MODEL_MAX) {
    error_set(e, "%s: not a model file (.bidm), or cut off: it has %lld bytes", path, (long long)st.st_size);
    return -1;
  }
  void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED | (all ? MAP_POPULATE : 0), fd, 0);
  if (map == MAP_FAILED) {
    error_set(e, "%s: cannot be mapped: %s", path, strerror(errno));
    return -1;
  }
  m->map = map;
  m->size = (size_t)st.st_size;
  return 0;
}

static void set_label(struct model *m) {
  memcpy(m->name, m->map + 80, MODEL_NAME_BYTES);
  const unsigned char *f = m->map + 48;
  snprintf(m->label, sizeof m->label, "%s@%02x%02x%02x%02x%02x%02x", m->name, f[0], f[1], f[2], f[3], f[4],
           f[5]);
}

static struct model *model_open_model(const char *path, int all, struct error_text *e) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* don't block on a pipe, which is rejected */
  if (fd < 0) {
    error_set(e, "%s: %s; name another model with --model or BID_MODEL", path, strerror(errno));
    return NULL;
  }
  struct model *m = xcalloc(1, sizeof *m);
  m->path = xstrdup(path);
  int failed = map_file(m, fd, all, e);
  close(fd);
  if (failed == 0) {
    m->sections = get32(m->map + 44);
    failed = model_check_(m, all, e);
  }
  if (failed != 0) {
    model_close(m);
    return NULL;
  }
  set_label(m);
  return m;
}

struct model *model_open(const char *path, struct error_text *e) {
  return model_open_model(path, 1, e);
}

struct model *model_open_unchecked(const char *path, struct error_text *e) {
  return model_open_model(path, 0, e);
}

void model_close(struct model *m) {
  if (!m)
    return;
  if (m->map)
    munmap((void *)(uintptr_t)m->map, m->size);
  free(m->checked);
  free(m->path);
  free(m);
}

enum model_kind model_kind(const struct model *m) {
  return (enum model_kind)get32(m->map + 32);
}

int model_dimensions(const struct model *m) {
  return (int)get32(m->map + 36);
}

size_t model_max_tokens(const struct model *m) {
  return get32(m->map + 40);
}

const char *model_label(const struct model *m) {
  return m->label;
}

struct slice model_section(const struct model *m, const char *name) {
  for (uint32_t i = 0; i < m->sections; i++) {
    const unsigned char *entry = model_entry_of(m, i);
    if (strcmp((const char *)entry, name) == 0)
      return slice_of((const char *)m->map + get64(entry + 24), get64(entry + 32));
  }
  return slice_of(NULL, 0);
}

const void *model_array(const struct model *m, const char *name, size_t size, struct error_text *e) {
  struct slice s = model_section(m, name);
  if (s.data && s.len == size)
    return s.data;
  error_set(e, "model %s: its section \"%s\" has %zu bytes, and %zu are needed; use another file", m->label,
            name, s.len, size);
  return NULL;
}

/* Builds FOLDER/NAME.bidm; 0 where it exists. */
static int find_in(struct buf *out, const char *folder, const char *name) {
  size_t before = out->len;
  buf_printf(out, "%s/%s.bidm", folder, name);
  if (access(out->data, R_OK) == 0)
    return 0;
  out->len = before;
  return -1;
}

int model_find(struct buf *out, const char *name) {
  if (!name || !*name)
    name = getenv("BID_MODEL");
  if (!name || !*name)
    name = "bid-static";
  size_t len = strlen(name);
  if (strchr(name, '/') || (len > 5 && strcmp(name + len - 5, ".bidm") == 0)) {
    buf_add_str(out, name);
    return 0;
  }
  const char *folder = getenv("BID_MODELS");
  if (folder && *folder && find_in(out, folder, name) == 0)
    return 0;
  char file[300];
  snprintf(file, sizeof file, "models/%.200s.bidm", name);
  return paths_data(out, file);
}

void model_about(struct output *out) {
  struct error_text why;
  struct buf path;
  const char *name = getenv("BID_MODEL");
  if (name && (strcmp(name, "http") == 0 || strncmp(name, "http:", 5) == 0)) {
    output_printf(out, "model: %s, a server (BID_EMBED_URL)\n", name);
    return;
  }
  buf_init(&path, 1 << 16);
  model_find(&path, NULL);
  struct model *m = model_open_unchecked(path.data, &why);
  if (m)
    output_printf(out, "model: %s (%s)\n", model_label(m), path.data);
  else
    output_printf(out, "model: %s\n", why.text);
  model_close(m);
  buf_release(&path);
}
