/* runner_stream.c: large bodies, local files and folders, read part by part; metadata of a local file in a JSON file beside it. */
#include "source/runner_stream.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/paths.h"
#include "base/slice.h"
#include "format/charset.h"
#include "format/content_type.h"
#include "format/csv_rows.h"
#include "format/submission.h"
#include "format/unpack.h"
#include "record/error.h"
#include "record/json.h"
#include "record/metadata.h"
#include "source/json_projection.h"
#include "tables/file_types.h"
#include "tables/sidecar.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIDECAR_MAX ((size_t)1 << 20) /* limit in bytes; a larger file is data */

static const char *const members[][2] = {SIDECAR_MEMBERS};

#define MEMBERS (sizeof members / sizeof *members)

static int sidecar_exists(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Loads the object in a file into text; an empty slice where it is not an object with metadata. */
static struct slice sidecar_load(const char *path, struct buf *text) {
  if (buf_read_file(text, path) != 0 || !json_is_valid(buf_slice(text)))
    return slice_of(NULL, 0);
  struct slice object = buf_slice(text);
  while (object.len && strchr(" \t\r\n", object.data[0]))
    object = slice_of(object.data + 1, object.len - 1);
  for (size_t i = 0; json_kind(object) == '{' && i < MEMBERS; i++)
    if (json_get(object, members[i][0]).data)
      return object;
  return slice_of(NULL, 0);
}

/* Whether the .json file at path is a sidecar: an object with one of the members above, beside the file that it
 * describes. */
static int sidecar_is(const char *path) {
  static const char *const endings[] = {FILE_TYPES_DESCRIBED, NULL};
  size_t n = strlen(path);
  char beside[PATH_MAX];
  struct buf text;
  if (n < 6 || n >= sizeof beside - 8 || strcasecmp(path + n - 5, ".json") != 0)
    return 0;
  snprintf(beside, sizeof beside, "%.*s", (int)(n - 5), path);
  int found = sidecar_exists(beside);
  for (int i = 0; !found && endings[i]; i++) {
    snprintf(beside, sizeof beside, "%.*s%s", (int)(n - 5), path, endings[i]);
    found = sidecar_exists(beside);
  }
  buf_init(&text, SIDECAR_MAX);
  found = found && sidecar_load(path, &text).len > 0;
  buf_release(&text);
  return found;
}

/* Finds the sidecar's path; 0 where there is none. */
static int sidecar_path(const char *path, char out[PATH_MAX]) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  size_t n = strlen(path);
  if (n >= PATH_MAX - 8 || (n > 5 && strcasecmp(path + n - 5, ".json") == 0))
    return 0;
  snprintf(out, PATH_MAX, "%.*s.json", (int)n, path);
  if (sidecar_exists(out))
    return 1;
  if (!dot || (slash && dot < slash))
    return 0;
  snprintf(out, PATH_MAX, "%.*s.json", (int)(dot - path), path);
  return sidecar_exists(out);
}

static void sidecar_add(struct buf *out, const char *name, struct slice value) {
  if (json_kind(value) == '"')
    json_raw(out, name, value);
  else if (json_kind(value) == '0') /* a year as a number */
    json_str(out, name, value);
}

static void compare(struct slice given, struct slice said, const char *name, struct buf *says) {
  struct slice a = json_get(given, name), b = json_get(said, name);
  if (json_kind(a) == '"' && json_kind(b) == '"' &&
      (a.len != b.len || strncasecmp(a.data, b.data, a.len) != 0))
    buf_printf(says, "the file beside it says %.*s, not %.*s", (int)b.len, b.data, (int)a.len, a.data);
}

/* Appends the union of `given` (an object or empty) and the file's sidecar; given wins.  *says gets a message for
 * display where they name different companies.  1, or 0 (nothing appended) where there is no sidecar. */
static int sidecar_merge(const char *path, struct slice given, struct buf *out, struct buf *says) {
  char beside[PATH_MAX];
  struct buf text;
  int found = 0;
  buf_init(&text, SIDECAR_MAX);
  struct slice said = sidecar_path(path, beside) ? sidecar_load(beside, &text) : slice_of(NULL, 0);
  if (said.len) {
    found = 1;
    compare(given, said, "ticker", says);
    buf_add_char(out, '{');
    if (json_kind(given) == '{')
      buf_add(out, given.data + 1, given.len - 2);
    for (size_t i = 0; i < MEMBERS; i++) {
      struct slice value = json_get(said, members[i][0]);
      int twice =
          i > 0 && strcmp(members[i][1], members[i - 1][1]) == 0 && json_get(said, members[i - 1][0]).data;
      if (value.data && !twice && !json_get(given, members[i][1]).data)
        sidecar_add(out, members[i][1], value);
    }
    buf_add_char(out, '}');
  }
  buf_release(&text);
  return found;
}

/* ---- reading a large body incrementally and writing its payloads as it is read ----
 *
 * The body is first stored in the cache (or is a local file) and unpacked from there: politeness forbids keeping a
 * server's only connection open for as long as a filter takes, and a second run needs no download.  Held in memory is
 * one block of the file, plus one member (at most RUNNER_MEMBER_MAX) or one batch of rows. */

/* ---- members ---- */

#define NAMES_SHOWN 50

/* Whether a member is asked for by its name, with or without its folders; all are where the request names none. */
static int runner_members_wants(const struct runner_stream *s, const char *name) {
  struct slice list = json_get(s->spec, "members"), item;
  struct json_cursor at = {0};
  char pattern[1024];
  const char *slash = strrchr(name, '/');
  int any = 0;
  while (json_kind(list) == '[' && json_next_element(list, &at, &item)) {
    if (json_kind(item) != '"' || item.len - 2 >= sizeof pattern)
      continue;
    memcpy(pattern, item.data + 1, item.len - 2);
    pattern[item.len - 2] = '\0';
    any = 1;
    if (fnmatch(pattern, name, 0) == 0 || (slash && fnmatch(pattern, slash + 1, 0) == 0))
      return 1;
  }
  return !any;
}

/* Passes the member to row as {"name", "job", "json" or "text"}. */
static int filter_member(struct runner_stream *s, const char *name, struct slice bytes,
                         const struct payload *p) {
  struct buf input, scratch;
  int result = 0;
  runner_part_open_input(s, &input, name);
  buf_init(&scratch, 4 * bytes.len + 64);
  if (bytes.len && (bytes.data[0] == '{' || bytes.data[0] == '[') && json_is_valid(bytes)) {
    json_key(&input, "json");
    if (json_kind(s->ask->select) == '{') {
      if (json_projection_select(bytes, s->ask->select, &input, &s->why) != 0)
        result = runner_part_give_up(s, ERROR_INTERNAL, "broken connector: a select is malformed");
    } else {
      json_numbers_mark(bytes, &input);
    }
  } else {
    json_str(&input, "text", charset_read(bytes, NULL, 0, &scratch));
  }
  buf_add_char(&input, '}');
  if (result == 0)
    result = runner_part_filter(s, buf_slice(&input), p);
  buf_release(&scratch);
  buf_release(&input);
  return result;
}

/* Metadata of a part of a submission: the request's, then the header's. */
static void runner_stream_part_metadata(struct buf *out, const struct metadata *m, struct slice given) {
  buf_add_char(out, '{');
  metadata_write(out, m, given);
  buf_add_char(out, '}');
}

static void submission_part_payload(struct runner_stream *s, struct payload p, const struct metadata *whole,
                                    const struct submission_part *part, const char *url) {
  struct buf metadata, decoded, part_link;
  struct metadata m = {0};
  char mark[32], name[256];
  buf_init(&metadata, 1 << 20);
  buf_init(&decoded, RUNNER_MEMBER_MAX);
  buf_init(&part_link, 65536);
  m.part = part->number;
  metadata_set(&m, METADATA_TYPE, part->type);
  metadata_set(&m, METADATA_FILE_NAME, part->file_name);
  metadata_inherit(&m, whole);
  runner_stream_part_metadata(&metadata, &m, p.metadata);
  struct slice object = json_get(buf_slice(&metadata), "metadata");
  snprintf(mark, sizeof mark, "%cpart=%d", strchr(url, '#') ? '/' : '#', part->number);
  buf_printf(&part_link, "%s%s", url, mark);
  snprintf(name, sizeof name, "%.*s", (int)part->file_name.len,
           part->file_name.data ? part->file_name.data : "");
  p.metadata = object;
  p.source_url = part_link.data;
  p.bytes = part->body;
  if (part->encoded && submission_uudecode(part->body, &decoded) == 0)
    p.bytes = buf_slice(&decoded);
  p.content_type =
      runner_part_type_of_name(name) ? runner_part_type_of_name(name) : runner_part_type_of_bytes(p.bytes);
  runner_run_payload(s->run, &p);
  metadata_release(&m);
  buf_release(&metadata);
  buf_release(&decoded);
  buf_release(&part_link);
}

/* Splits a full submission into its documents; omits images, archives and XBRL files. */
static void split_submission(struct runner_stream *s, struct slice bytes, const struct payload *p,
                             const char *url) {
  struct submission sub;
  struct metadata m = {0};
  struct submission_part part;
  submission_open(&sub, bytes, &m);
  while (submission_next(&sub, &part))
    if (!part.omit)
      submission_part_payload(s, *p, &m, &part, url);
  metadata_release(&m);
}

/* An archive may hold several members of one name, and each is a document: the second is NAME(2), with the parentheses
 * encoded, as no name has them. */
static void member_url(const struct runner_stream *s, const char *member, struct buf *url) {
  runner_part_url(s, "", member, url);
  if (s->nth > 1)
    buf_printf(url, "%%28%u%%29", s->nth);
}

/* Adds the metadata of a local file's sidecar. */
static void add_sidecar(struct runner_stream *s, struct payload *p, struct buf *metadata) {
  struct buf says;
  buf_init(&says, 4096);
  char *path = s->ask->operand >= 0 ? paths_url_path(slice_str(s->ask->url)) : NULL;
  if (path && sidecar_merge(path, p->metadata, metadata, &says)) {
    p->metadata = buf_slice(metadata);
    if (says.len)
      diag_warn("%s: %s", path, says.data);
  }
  free(path);
  buf_release(&says);
}

/* Writes a complete member as payloads.  member: its name in an archive, "" outside of one; file: any name. */
static int runner_members_write(struct runner_stream *s, const char *member, const char *file,
                                struct slice bytes) {
  struct buf url;
  int result = 0;
  struct buf metadata;
  buf_init(&metadata, 1 << 22);
  buf_init(&url, 65536);
  member_url(s, member, &url);
  struct payload p = runner_part_payload(s, url.data);
  if (!*member)
    add_sidecar(s, &p, &metadata);
  p.bytes = slice_of(bytes.data ? bytes.data : "", bytes.len);
  p.member = *member ? member : s->in_folder ? file : NULL;
  p.content_type =
      runner_part_type_of_name(file) ? runner_part_type_of_name(file) : runner_part_type_of_bytes(bytes);
  if (s->filter) {
    result = filter_member(s, *member ? member : file, bytes, &p);
  } else if (s->split && submission_is(bytes)) {
    split_submission(s, bytes, &p, url.data);
    runner_part_count(s);
  } else {
    runner_run_payload(s->run, &p);
    runner_part_count(s);
  }
  buf_release(&metadata);
  buf_release(&url);
  return result;
}

/* Notes a name for the summary. */
static void runner_members_note(struct runner_stream *s, const char *name) {
  if (s->matched > NAMES_SHOWN)
    return;
  buf_add_str(&s->names, s->names.len ? "," : "");
  json_add_string(&s->names, name, strlen(name));
}

/* Writes an error record for a member that can't be read. */
static void member_fault(struct runner_stream *s, const char *name) {
  struct buf url;
  buf_init(&url, 65536);
  member_url(s, name, &url);
  runner_part_error(s, runner_part_damage(s), url.data, s->why.text);
  buf_release(&url);
}

/* Writes all members that are asked for; file: the name of the archive.  A damaged member is an error record. */
static int runner_members_read(struct runner_stream *s, struct unpack *u, const char *file) {
  struct buf bytes;
  struct hash_counts names = {0};
  const char *name;
  int more = 1, result = 0;
  buf_init(&bytes, RUNNER_MEMBER_MAX);
  while (result == 0 && !s->stopped && (more = unpack_next(u, &name, &s->why)) == 1) {
    const char *shown = *name ? name : file;
    s->total++;
    if (!runner_members_wants(s, shown))
      continue;
    s->matched++;
    if (s->summary) {
      runner_members_note(s, shown);
      continue;
    }
    buf_clear(&bytes);
    s->nth = hash_counts_add(&names, slice_str(name));
    if (unpack_all(u, &bytes, &s->why) != 0)
      member_fault(s, name);
    else
      result = runner_members_write(s, name, shown, buf_slice(&bytes));
  }
  buf_release(&bytes);
  hash_counts_release(&names);
  s->nth = 0;
  return more < 0 ? runner_part_damaged(s) : result;
}

#define FOLDER_DEPTH 32

/* Processes the rows of every requested member. */
static int runner_stream_read_rows(struct runner_stream *s, struct unpack *u, const char *file) {
  const char *name;
  int more = 1, result = 0;
  while (result == 0 && !s->stopped && (more = unpack_next(u, &name, &s->why)) == 1) {
    s->members++;
    if (!runner_members_wants(s, *name ? name : file))
      continue;
    result = s->format == FORMAT_CSV     ? runner_csv_read(s, u)
             : s->format == FORMAT_LINES ? runner_rows_read_lines(s, u)
                                         : runner_rows_read_xml(s, u);
  }
  if (more < 0)
    return runner_part_damaged(s);
  if (s->format == FORMAT_CSV && !s->members)
    return runner_part_give_up(s, ERROR_UNAVAILABLE, "the table is empty");
  return s->failed || (result == 0 && runner_rows_flush(s) != 0) ? -1 : 0;
}

/* ---- files and folders ---- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

#define OFFICE_LOOK 65536 /* bytes at either end of a zip that hold its names */

/* Office files are zip archives but count as documents. */
static int is_office(int fd) {
  char *look = xmalloc(2 * OFFICE_LOOK);
  struct stat st;
  ssize_t head = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? slice_read_at(fd, look, OFFICE_LOOK, 0) : 0,
          tail = 0;
  if (head > 4 && memcmp(look, "PK\003\004", 4) == 0)
    tail =
        st.st_size > OFFICE_LOOK ? slice_read_at(fd, look + head, OFFICE_LOOK, st.st_size - OFFICE_LOOK) : 0;
  int office =
      head > 4 && memcmp(look, "PK\003\004", 4) == 0 &&
      content_type_of_zip(slice_of(look, (size_t)head + (size_t)(tail > 0 ? tail : 0))) != CONTENT_ARCHIVE;
  free(look);
  return office;
}

/* Processes a file as one document, whatever its type. */
static int read_whole(struct runner_stream *s, int fd, const char *file) {
  struct buf bytes;
  buf_init(&bytes, RUNNER_MEMBER_MAX);
  int result = buf_read_fd(&bytes, fd);
  if (result != 0)
    runner_part_give_up(s, ERROR_INVALID_REQUEST, "%s",
                        errno == EFBIG ? "the file is too large" : strerror(errno));
  s->bytes += bytes.len;
  s->total++;
  s->matched += result == 0 && runner_members_wants(s, file);
  if (result == 0 && runner_members_wants(s, file) && s->summary)
    runner_members_note(s, file);
  else if (result == 0 && runner_members_wants(s, file))
    result = runner_members_write(s, "", file, buf_slice(&bytes));
  buf_release(&bytes);
  return result;
}

static int read_fd(struct runner_stream *s, int fd, const char *file) {
  if (s->format == FORMAT_ARCHIVE && is_office(fd))
    return read_whole(s, fd, file);
  struct unpack *u = unpack_open(fd, &s->why);
  if (!u)
    return runner_part_damaged(s);
  int result =
      s->format == FORMAT_ARCHIVE ? runner_members_read(s, u, file) : runner_stream_read_rows(s, u, file);
  s->bytes += unpack_bytes(u);
  unpack_close(u);
  return result;
}

static int visible(const struct dirent *e) {
  return e->d_name[0] != '.';
}

static void read_folder(struct runner_stream *s, int depth);

/* Writes an error record for an entry of a folder that can't be read. */
static void entry_fault(struct runner_stream *s, const char *path, const char *why) {
  struct buf url, text;
  buf_init(&url, 16384);
  buf_init(&text, 16384);
  paths_url_add(&url, path);
  buf_printf(&text, "%s: %s", path, why);
  runner_part_error(s, ERROR_UNAVAILABLE, url.data, text.data);
  buf_release(&url);
  buf_release(&text);
}

/* Processes one entry of a folder; its errors get error records of their own. */
static void runner_stream_read_entry(struct runner_stream *s, const char *path, int depth) {
  struct stat st;
  char *before = s->ask->url;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
  if (fd < 0 || fstat(fd, &st) != 0 || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))) {
    entry_fault(s, path,
                fd >= 0          ? "it is no file"
                : errno == ELOOP ? "it is a link, which is not followed; name it on the command line"
                                 : strerror(errno));
    if (fd >= 0)
      close(fd);
    return;
  }
  s->ask->url = xstrdup(path);
  if (S_ISREG(st.st_mode) && st.st_size == 0 && s->format == FORMAT_ARCHIVE) {
    entry_fault(s, path, "the file is empty");
  } else if (S_ISDIR(st.st_mode)) {
    read_folder(s, depth + 1);
  } else {
    struct buf url;
    buf_init(&url, 16384);
    paths_url_add(&url, path);
    free(s->ask->url);
    s->ask->url = xstrdup(url.data);
    buf_release(&url);
    if (read_fd(s, fd, base_name(path)) != 0 && s->failed) {
      runner_part_error(s, s->category, s->ask->url, s->why.text);
      s->failed = s->stopped = 0;
    }
  }
  close(fd);
  free(s->ask->url);
  s->ask->url = before;
}

/* s->ask->url is the path of the folder. */
static void read_folder(struct runner_stream *s, int depth) {
  struct dirent **names;
  struct buf path;
  char *folder = s->ask->url;
  int n = depth < FOLDER_DEPTH ? scandir(folder, &names, visible, alphasort) : -1;
  buf_init(&path, 16384);
  if (n < 0)
    entry_fault(s, folder, depth < FOLDER_DEPTH ? strerror(errno) : "folders are nested too deep");
  for (int i = 0; i < n; i++) {
    buf_clear(&path);
    buf_printf(&path, "%s/%s", folder, names[i]->d_name);
    if (!s->stopped && !path.overflow && !(s->format == FORMAT_ARCHIVE && sidecar_is(path.data)))
      runner_stream_read_entry(s, path.data, depth);
    free(names[i]);
  }
  if (n >= 0)
    free(names);
  buf_release(&path);
}

static int is_folder(int fd) {
  struct stat st;
  return fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
}

static int runner_stream_read_source(struct runner_stream *s) {
  struct runner_request *a = s->ask;
  if (a->operand >= 0 && is_folder(a->result.fd)) {
    char *shown = a->url;
    s->in_folder = 1;
    a->url = paths_url_path(slice_str(shown));
    read_folder(s, 0);
    free(a->url);
    a->url = shown;
    return s->failed ? -1 : 0;
  }
  char file[512], *path = a->operand >= 0 ? paths_url_path(slice_str(a->url)) : NULL;
  snprintf(file, sizeof file, "%s", base_name(path ? path : a->url));
  free(path);
  return read_fd(s, a->result.fd, file);
}

/* ---- the stream ---- */

static int read_format(struct runner_stream *s) {
  struct slice format = json_get(s->spec, "format"), element = json_get(s->spec, "element");
  if (slice_is(format, "\"archive\""))
    s->format = FORMAT_ARCHIVE;
  else if (slice_is(format, "\"csv\""))
    s->format = FORMAT_CSV;
  else if (slice_is(format, "\"lines\""))
    s->format = FORMAT_LINES;
  else if (slice_is(format, "\"xml\"") && json_kind(element) == '"' && element.len < 250)
    s->format = FORMAT_XML;
  else
    return runner_part_give_up(s, ERROR_INTERNAL,
                               "broken connector: a stream's format is none of archive, csv, lines, xml");
  if (s->format == FORMAT_XML)
    s->element = xstrndup(element.data + 1, element.len - 2);
  return 0;
}

static int stream_start(struct runner_stream *s) {
  s->spec = s->ask->stream;
  s->filter = json_is_true(s->spec, "filter");
  s->summary = json_is_true(s->spec, "summary");
  s->split = json_is_true(s->spec, "split");
  s->limit = json_to_int(json_get(s->spec, "limit"), -1);
  s->skip = json_to_int(json_get(s->spec, "skip"), 0);
  s->batch_size = json_to_int(json_get(s->spec, "batch"), 500);
  if (s->batch_size < 1)
    s->batch_size = 1;
  buf_init(&s->batch, 2 * RUNNER_MEMBER_MAX);
  buf_init(&s->names, 1 << 20);
  buf_init(&s->header, CSVROWS_ROW);
  buf_init(&s->key_text, 2 * CSVROWS_ROW);
  buf_add_char(&s->batch, '[');
  if (read_format(s) != 0)
    return -1;
  s->where = json_filter_new(json_get(s->spec, "where"), &s->why);
  return s->where ? 0
                  : runner_part_give_up(s, ERROR_INTERNAL, "broken connector: a stream's where is malformed");
}

static void add_summary(const struct runner_stream *s, struct buf *out) {
  buf_add_char(out, '{');
  json_uint(out, "total", s->total);
  json_uint(out, "matched", s->matched);
  json_uint(out, "bytes", s->format == FORMAT_ARCHIVE ? s->ask->result.bytes : s->bytes);
  if (s->format == FORMAT_ARCHIVE)
    buf_printf(out, ",\"names\":[%s]", s->names.data ? s->names.data : "");
  if (s->column_count) {
    buf_add_str(out, ",\"columns\":[");
    for (size_t i = 0; i < s->column_count; i++) {
      buf_add_str(out, i ? "," : "");
      json_add_cstr(out, s->columns[i]);
    }
    buf_add_char(out, ']');
    runner_csv_add_tallies(s, out);
  }
  buf_add_char(out, '}');
}

static void stream_end(struct runner_stream *s) {
  json_filter_free(s->where);
  buf_release(&s->batch);
  buf_release(&s->names);
  buf_release(&s->header);
  buf_release(&s->key_text);
  runner_csv_release(s);
  free(s->element);
}

int runner_run_stream(struct run *run, struct runner_request *a, struct buf *summary) {
  struct runner_stream *s = xcalloc(1, sizeof *s);
  s->run = run;
  s->ask = a;
  int result = stream_start(s);
  if (result == 0)
    result = runner_stream_read_source(s);
  if (s->failed)
    runner_part_error(s, s->category ? s->category : ERROR_INTERNAL, a->url, s->why.text);
  else if (summary)
    add_summary(s, summary);
  result = s->failed ? -1 : 0;
  stream_end(s);
  free(s);
  return result;
}
