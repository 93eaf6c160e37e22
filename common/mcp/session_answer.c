#include "mcp/session_answer.h"

#include "record/json.h"

#include <stdlib.h>

static const char *const eras[ERA_COUNT] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                            "2026-07-28"};

int session_era_of(struct slice version) {
  for (int i = 0; i < ERA_COUNT; i++)
    if (json_is_text(version, slice_str(eras[i])))
      return i;
  return -1;
}

const char *session_era_name(int era) {
  return eras[era];
}

struct session_batch *session_batch_new(void) {
  struct session_batch *b = xcalloc(1, sizeof *b);
  buf_init(&b->answers, SESSION_MESSAGE_BYTES);
  return b;
}

void session_settle_batch(const struct session *s, struct session_batch *b) {
  if (b->waiting > 0)
    return;
  if (b->answers.len > 0) {
    buf_add_char(&b->answers, ']');
    s->send(s->arg, buf_slice(&b->answers));
  }
  buf_release(&b->answers);
  free(b);
}

static void session_send(const struct session *s, struct session_batch *b, const struct buf *message) {
  if (b == NULL) {
    s->send(s->arg, buf_slice(message));
    return;
  }
  buf_add_char(&b->answers, b->answers.len ? ',' : '[');
  buf_add_slice(&b->answers, buf_slice(message));
}

void session_fail(const struct session *s, struct session_batch *b, struct slice id, enum rpc_code code,
                  const char *why, struct slice data) {
  struct buf message;
  buf_init(&message, SESSION_MESSAGE_BYTES);
  rpc_add_error(&message, id, code, why, data);
  session_send(s, b, &message);
  buf_release(&message);
}

void session_refuse(const struct session_request *r, enum rpc_code code, const char *why) {
  session_fail(r->session, r->batch, r->m->id, code, why, slice_of(NULL, 0));
}

void session_add_self(struct buf *out) {
  buf_add_char(out, '{');
  json_cstr(out, "name", "bid-mcp");
  json_cstr(out, "title", "BID: passages and figures of financial filings");
  json_cstr(out, "version", BID_VERSION);
  buf_add_char(out, '}');
}

void session_reply(const struct session *s, struct session_batch *b, struct slice id, int era,
                   struct slice result, int lasting) {
  struct buf whole, message;
  buf_init(&whole, SESSION_MESSAGE_BYTES);
  buf_init(&message, SESSION_MESSAGE_BYTES);
  if (era >= ERA_2026_07) {
    buf_add_str(&whole, "{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
    session_add_self(&whole);
    buf_add_str(&whole, lasting ? "},\"ttlMs\":0,\"cacheScope\":\"private\"" : "}");
    buf_add_str(&whole, result.len > 2 ? "," : "");
    result = slice_of(result.data + 1, result.len - 1);
  }
  buf_add_slice(&whole, result);
  rpc_add_result(&message, id, buf_slice(&whole));
  if (message.overflow || whole.overflow) {
    buf_clear(&message);
    rpc_add_error(&message, id, RPC_INTERNAL_ERROR, "the result is too large", slice_of(NULL, 0));
  }
  session_send(s, b, &message);
  buf_release(&message);
  buf_release(&whole);
}

void session_answer(const struct session_request *r, const struct buf *result, int lasting) {
  session_reply(r->session, r->batch, r->m->id, r->era, buf_slice(result), lasting);
}

void session_add_eras(struct buf *out, const char *name) {
  json_key(out, name);
  for (int i = 0; i < ERA_COUNT; i++) {
    buf_add_str(out, i ? ",\"" : "[\"");
    buf_add_str(out, eras[i]);
    buf_add_char(out, '"');
  }
  buf_add_char(out, ']');
}
