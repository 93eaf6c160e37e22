/* jq_program.c: compiles and runs jq programs by libjq. */
#include "record/jq_program.h"
#include "base/diag.h"

#include <jq.h>

enum { MESSAGES_MAX = 400 };

struct jq_program {
  jq_state *jq;
  struct buf *messages; /* set while compiling, else NULL */
};

static void jq_program_note(void *arg, jv message) {
  struct buf *text = ((struct jq_program *)arg)->messages;
  if (text && jv_get_kind(message) == JV_KIND_STRING && text->len < MESSAGES_MAX) {
    if (text->len)
      buf_add_str(text, "; ");
    buf_add_str(text, jv_string_value(message));
  }
  jv_free(message);
}

/* libjq 1.6 calls these two functions without checking that they are set.  `input` and `inputs`: a program has one input;
 * `debug` is silent. */
static jv jq_program_no_input(jq_state *jq, void *arg) {
  (void)jq, (void)arg;
  return jv_invalid();
}

static void jq_program_debug(void *arg, jv value) {
  (void)arg;
  jv_free(value);
}

struct jq_program *jq_program_new(void) {
  jq_state *jq = jq_init();
  if (!jq)
    diag_oom();
  struct jq_program *p = xcalloc(1, sizeof *p);
  p->jq = jq;
  jq_set_error_cb(jq, jq_program_note, p);
  jq_set_input_cb(jq, jq_program_no_input, NULL);
  jq_set_debug_cb(jq, jq_program_debug, NULL);
  return p;
}

void jq_program_set_folders(struct jq_program *p, const char *const *folders) {
  jv list = jv_array();
  jq_set_attr(p->jq, jv_string("PROGRAM_ORIGIN"), jv_string(folders[0]));
  for (; *folders; folders++)
    list = jv_array_append(list, jv_string(*folders));
  jq_set_attr(p->jq, jv_string("JQ_LIBRARY_PATH"), list);
}

int jq_program_compile(struct jq_program *p, const char *text, struct buf *why) {
  p->messages = why;
  int ok = jq_compile(p->jq, text);
  p->messages = NULL;
  return ok ? 0 : -1;
}

/* Appends the text of a string, or a value as JSON. */
static void jq_program_add(struct buf *out, jv value, int as_json) {
  if (as_json || jv_get_kind(value) != JV_KIND_STRING)
    value = jv_dump_string(value, 0);
  buf_add(out, jv_string_value(value), (size_t)jv_string_length_bytes(jv_copy(value)));
  jv_free(value);
}

static enum jq_result jq_program_no_value(jv value, struct buf *why) {
  if (!jv_invalid_has_msg(jv_copy(value))) {
    jv_free(value);
    return JQ_NONE;
  }
  jq_program_add(why, jv_invalid_get_msg(value), 0);
  return JQ_ERROR;
}

enum jq_result jq_program_run(struct jq_program *p, struct slice input, struct buf *out, struct buf *why) {
  jv value = jv_parse_sized(input.data, (int)input.len);
  buf_clear(why);
  if (out)
    buf_clear(out);
  if (jv_is_valid(value)) {
    jq_start(p->jq, value, 0);
    value = jq_next(p->jq);
  }
  jv_kind kind = jv_get_kind(value);
  if (kind == JV_KIND_INVALID)
    return jq_program_no_value(value, why);
  if (out)
    jq_program_add(out, value, 1);
  else
    jv_free(value);
  return kind == JV_KIND_FALSE || kind == JV_KIND_NULL ? JQ_FALSE : JQ_TRUE;
}
