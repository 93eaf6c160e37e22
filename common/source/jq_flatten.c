#include "source/jq_flatten.h"

#include <ctype.h>
#include <stdlib.h>

#define FILES_MAX 64
#define FILE_MAX ((size_t)1 << 20)
#define DEPTH_MAX 64

/* A top-level definition of a file. */
struct def {
  struct slice text, name;
  int arity, wanted;
};

struct flat {
  const char *const *folders;
  struct buf files[FILES_MAX]; /* texts of the files; defs point into them */
  char *included[FILES_MAX];   /* names of the libraries */
  size_t file_count, included_count;
  struct def *defs;
  size_t def_count;
};

static int word_byte(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blank(const char *p, const char *end) {
  for (;;) {
    while (p < end && isspace((unsigned char)*p))
      p++;
    if (p == end || *p != '#')
      return p;
    while (p < end && *p != '\n')
      p++;
  }
}

static const char *jq_flatten_skip_string(const char *p, const char *end, int depth);

/* The position after the ')' that closes an interpolation whose content begins at p; NULL where there is none. */
static const char *skip_inside(const char *p, const char *end, int depth) {
  int open = 1;
  while (p && p < end && open > 0) {
    if (*p == '"')
      p = jq_flatten_skip_string(p, end, depth + 1);
    else
      open += (*p == '(') - (*p == ')'), p++;
  }
  return open ? NULL : p;
}

/* The position after the string that begins at p; NULL where it is not closed. */
static const char *jq_flatten_skip_string(const char *p, const char *end, int depth) {
  if (depth > DEPTH_MAX)
    return NULL;
  for (p++; p && p < end && *p != '"';)
    if (*p != '\\')
      p++;
    else if (p + 1 < end && p[1] == '(')
      p = skip_inside(p + 2, end, depth);
    else
      p += 2;
  return p && p < end ? p + 1 : NULL;
}

/* The position after the ';' that ends the definition at p; nested definitions have their own. */
static const char *def_end(const char *p, const char *end) {
  int open = 0, defs = 0;
  while (p && p < end) {
    const char *next = skip_blank(p, end);
    if (next > p) {
      p = next;
      continue;
    }
    if (*p == '"') {
      p = jq_flatten_skip_string(p, end, 0);
      continue;
    }
    if (word_byte(*p) || *p == '.' || *p == '$' || *p == '@') {
      const char *word = p++;
      while (p < end && word_byte(*p))
        p++;
      defs += p - word == 3 && memcmp(word, "def", 3) == 0;
      continue;
    }
    open += (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
    if (*p++ == ';' && open == 0 && --defs == 0)
      return p;
  }
  return NULL;
}

/* Parses name and arity of "def NAME:" or "def NAME(a; $b):". */
static void jq_flatten_read_head(struct def *d) {
  const char *end = d->text.data + d->text.len, *p = skip_blank(d->text.data + 3, end), *from = p;
  while (p < end && (word_byte(*p) || *p == ':')) {
    if (*p == ':' && !(p + 1 < end && p[1] == ':'))
      break;
    p += *p == ':' ? 2 : 1;
  }
  d->name = slice_of(from, (size_t)(p - from));
  p = skip_blank(p, end);
  if (p < end && *p == '(')
    for (d->arity = 1; p < end && *p != ')'; p++)
      d->arity += *p == ';';
}

/* The file's own definition follows a library's of the same name and shadows it from there on, as in libjq.  Where
 * two libraries define a name, the choice is left to libjq. */
static int add_def(struct flat *f, struct slice text, int of_library) {
  struct def d = {.text = text};
  jq_flatten_read_head(&d);
  for (size_t i = 0; of_library && i < f->def_count; i++)
    if (slice_eq(f->defs[i].name, d.name) && f->defs[i].arity == d.arity)
      return -1;
  f->defs = xreallocarray(f->defs, f->def_count + 1, sizeof *f->defs);
  f->defs[f->def_count++] = d;
  return 0;
}

static int read_file(struct flat *f, const char *path, int depth);

static int is_library_name(struct slice name) {
  for (size_t i = 0; i < name.len; i++)
    if (!word_byte(name.data[i]) && name.data[i] != '-')
      return 0;
  return name.len > 0;
}

/* Adds a library by name, once. */
static int include(struct flat *f, struct slice name, int depth) {
  struct buf path;
  int result = -1;
  for (size_t i = 0; i < f->included_count; i++)
    if (slice_is(name, f->included[i]))
      return 0;
  if (f->included_count == FILES_MAX || !is_library_name(name))
    return -1;
  f->included[f->included_count++] = xstrndup(name.data, name.len);
  buf_init(&path, 8192);
  for (const char *const *folder = f->folders; *folder && result != 0; folder++) {
    buf_clear(&path);
    buf_printf(&path, "%s/%.*s.jq", *folder, (int)name.len, name.data);
    result = read_file(f, path.data, depth + 1);
  }
  buf_release(&path);
  return result;
}

/* The position after `include "NAME";` at p; NULL where it is anything else. */
static const char *read_include(struct flat *f, const char *p, const char *end, int depth) {
  const char *from = skip_blank(p + 7, end);
  const char *to = from < end && *from == '"' ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
  if (!to)
    return NULL;
  p = skip_blank(to + 1, end);
  if (p == end || *p != ';' || include(f, slice_of(from + 1, (size_t)(to - from) - 1), depth) != 0)
    return NULL;
  return p + 1;
}

static int jq_flatten_begins(const char *p, const char *end, const char *word) {
  size_t len = strlen(word);
  return (size_t)(end - p) > len && memcmp(p, word, len) == 0 && !word_byte(p[len]);
}

static int read_file(struct flat *f, const char *path, int depth) {
  if (f->file_count == FILES_MAX || depth > DEPTH_MAX)
    return -1;
  struct buf *text = &f->files[f->file_count];
  buf_init(text, FILE_MAX);
  if (buf_read_file(text, path) != 0) {
    buf_release(text);
    return -1;
  }
  f->file_count++;
  const char *p = text->data, *end = p + text->len;
  for (p = skip_blank(p, end); p && p < end; p = p ? skip_blank(p, end) : NULL) {
    const char *from = p;
    if (jq_flatten_begins(p, end, "include"))
      p = read_include(f, p, end, depth);
    else if (!jq_flatten_begins(p, end, "def") || !(p = def_end(p, end)) ||
             add_def(f, slice_of(from, (size_t)(p - from)), depth > 0) != 0)
      return -1;
  }
  return p ? 0 : -1;
}

/* Marks every definition of that name as needed; returns whether one was newly marked. */
static int want(struct flat *f, struct slice name) {
  int news = 0;
  for (size_t i = 0; i < f->def_count; i++)
    if (!f->defs[i].wanted && slice_eq(f->defs[i].name, name))
      news = f->defs[i].wanted = 1;
  return news;
}

/* Marks every word of a definition, including words in strings: one too many does no harm. */
static int want_words(struct flat *f, struct slice text) {
  const char *p = text.data, *end = p + text.len;
  int news = 0;
  while (p < end) {
    const char *from = p;
    while (p < end && (word_byte(*p) || (*p == ':' && p + 1 < end && p[1] == ':' && p++)))
      p++;
    if (p > from)
      news |= want(f, slice_of(from, (size_t)(p - from)));
    else
      p++;
  }
  return news;
}

static void jq_flatten_mark(struct flat *f, const char *const *roots) {
  int news = 1;
  for (; *roots; roots++)
    want(f, slice_str(*roots));
  while (news) {
    news = 0;
    for (size_t i = f->def_count; i-- > 0;)
      if (f->defs[i].wanted == 1) {
        f->defs[i].wanted = 2;
        news |= want_words(f, f->defs[i].text);
      }
  }
}

int jq_flatten(const char *path, const char *const *folders, const char *const *roots, struct buf *out) {
  struct flat *f = xcalloc(1, sizeof *f);
  f->folders = folders;
  int result = read_file(f, path, 0);
  if (result == 0)
    jq_flatten_mark(f, roots);
  for (size_t i = 0; i < f->def_count && result == 0; i++)
    if (f->defs[i].wanted) {
      result = buf_add_slice(out, f->defs[i].text);
      buf_add_char(out, '\n');
    }
  for (size_t i = 0; i < f->file_count; i++)
    buf_release(&f->files[i]);
  for (size_t i = 0; i < f->included_count; i++)
    free(f->included[i]);
  free(f->defs);
  free(f);
  return result;
}

/* The position after `"NAME";` at p; NULL where it is anything else. */
static const char *jq_flatten_plain_name(const char *p, const char *end) {
  const char *from = skip_blank(p, end);
  const char *to = from < end && *from == '"' ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
  if (!to || !is_library_name(slice_of(from + 1, (size_t)(to - from) - 1)))
    return NULL;
  p = skip_blank(to + 1, end);
  return p < end && *p == ';' ? p + 1 : NULL;
}

int jq_includes_plainly(struct slice text) {
  const char *p = text.data, *end = p + text.len;
  while (p && (p = skip_blank(p, end)) < end) {
    if (*p == '"') {
      p = jq_flatten_skip_string(p, end, 0);
      continue;
    }
    const char *word = p++;
    if (!word_byte(*word) && *word != '.' && *word != '$' && *word != '@')
      continue;
    while (p < end && word_byte(*p))
      p++;
    struct slice w = slice_of(word, (size_t)(p - word));
    if (slice_is(w, "import") || slice_is(w, "module")) /* which may say where to search */
      return 0;
    if (slice_is(w, "include"))
      p = jq_flatten_plain_name(p, end);
  }
  return p != NULL;
}
