/* connector_fuzz.c: any bytes as what a connector returns and as the bodies of its requests: the job ends, and each line
 * that leaves is JSON.  Parts, ended by a zero byte, are taken in turn by the connector and the server. */
#include "record/json.h"
#include "source/connector.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct slice parts;

static struct slice next_part(void) {
  const char *end = parts.len ? memchr(parts.data, 0, parts.len) : NULL;
  size_t n = end ? (size_t)(end - parts.data) : parts.len;
  struct slice part = slice_of(parts.data, n);
  n += end != NULL;
  parts = slice_of(parts.data + n, parts.len - n);
  return part;
}

static int next_answer(struct connector *c, const char *called, struct slice input, struct buf *out,
                       struct error_text *why) {
  (void)c, (void)input, (void)why;
  buf_clear(out);
  if (strcmp(called, "row") == 0)
    return buf_add_str(out, "true");
  return parts.len ? buf_add_slice(out, next_part()) : buf_add_str(out, "{}");
}
#define connector_call next_answer
#include "source/runner.c"
#undef TEXT_MAX

static int next_body(struct fetcher *f, const struct fetch_request *q, struct fetch_result *r) {
  struct slice body = next_part();
  (void)f;
  fetch_result_release(r);
  r->status = 200;
  r->bytes = body.len;
  clock_stamp(r->captured);
  if (q->to_file) {
    r->fd = memfd_create("body", MFD_CLOEXEC);
    if (write(r->fd, body.data, body.len) != (ssize_t)body.len || lseek(r->fd, 0, SEEK_SET) != 0)
      abort();
  } else {
    buf_add_slice(&r->body, body);
  }
  digest_hex_of(body.data, body.len, r->sha256);
  return 0;
}
#define fetch_url next_body
#include "source/runner_request.c"
#undef TEXT_MAX
#include "source/runner_emit.c"

/* Every line of the output is a record. */
static void check_lines(struct slice text) {
  size_t at;
  const char *why, *end;
  for (; text.len; text = slice_of(end + 1, text.len - (size_t)(end + 1 - text.data))) {
    end = memchr(text.data, '\n', text.len);
    if (!end || json_validate(text.data, (size_t)(end - text.data), &at, &why) != 0)
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char host[] = "example.org", *hosts[] = {host, NULL}, name[] = "guest";
  struct program p = {.quiet = 1, .progress_fd = -1, .out = {.fd = -1}};
  struct source s = {.name = name, .hosts = hosts};
  struct runner r;
  struct job job;
  char *copy = malloc(size + 1);
  memcpy(copy, data, size);
  parts = slice_of(copy, size);
  buf_init(&p.out.buf, SIZE_MAX / 4);
  runner_init(&r, &p, NULL);
  job_init(&job);
  struct run run = {.runner = &r, .source = &s, .job = &job};
  buf_init(&run.job_json, 4096);
  buf_add_str(&run.job_json, "{}");
  converse(&run);
  check_lines(buf_slice(&p.out.buf));
  buf_release(&run.job_json);
  job_release(&job);
  runner_release(&r);
  buf_release(&p.out.buf);
  free(copy);
  return 0;
}
