/* runner_members.c: streams of documents: the members of an archive, the parts of a submission. */
#include "source/runner_stream.h"

#include "base/paths.h"
#include "base/hash.h"
#include "format/charset.h"
#include "record/error.h"
#include "record/json.h"
#include "record/json_validate.h"
#include "record/metadata.h"
#include "source/json_numbers.h"
#include "source/json_projection.h"
#include "format/submission.h"
#include "format/unpack.h"
#include "source/sidecar.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#define NAMES_SHOWN 50

int runner_members_wants(const struct runner_stream *s, const char *name) {
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
  size_t at;
  const char *fault;
  int result = 0;
  runner_part_open_input(s, &input, name);
  buf_init(&scratch, 4 * bytes.len + 64);
  if (bytes.len && (bytes.data[0] == '{' || bytes.data[0] == '[') &&
      json_validate(bytes.data, bytes.len, &at, &fault) == 0) {
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

int runner_members_write(struct runner_stream *s, const char *member, const char *file, struct slice bytes) {
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

void runner_members_note(struct runner_stream *s, const char *name) {
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

int runner_members_read(struct runner_stream *s, struct unpack *u, const char *file) {
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
