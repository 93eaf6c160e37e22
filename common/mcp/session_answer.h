/* session_answer.h: the messages that a session sends, in the revision of the protocol that a request is in; private to
 * session*.c. */
#ifndef BID_MCP_SESSION_ANSWER_H
#define BID_MCP_SESSION_ANSWER_H

#include "mcp/rpc.h"
#include "mcp/session.h"

#define SESSION_MESSAGE_BYTES ((size_t)192 << 20)

/* Revisions of the protocol, oldest first, and the features that each introduced. */
enum session_era { ERA_2024_11, ERA_2025_03, ERA_2025_06, ERA_2025_11, ERA_2026_07, ERA_COUNT };

/* The revision of a JSON string, or -1; the name of one; the list of all as a member of an object. */
int session_era_of(struct slice version);
const char *session_era_name(int era);
void session_add_eras(struct buf *out, const char *name);

/* Answers to a batch (2025-03-26): one list, sent when complete. */
struct session_batch {
  struct buf answers;
  size_t waiting;
};
struct session_batch *session_batch_new(void);

/* Sends and frees the batch unless an answer is still waited for. */
void session_settle_batch(const struct session *s, struct session_batch *b);

/* A request being dispatched. */
struct session_request {
  struct session *session;
  const struct rpc_message *m;
  struct session_batch *batch; /* or NULL */
  int era;
};

/* Sends an error; b: the batch that it is a part of, or NULL. */
void session_fail(const struct session *s, struct session_batch *b, struct slice id, enum rpc_code code,
                  const char *why, struct slice data);
void session_refuse(const struct session_request *r, enum rpc_code code, const char *why);

/* Sends a result, a JSON object, with the members that 2026-07-28 adds.  lasting: the client may cache it. */
void session_reply(const struct session *s, struct session_batch *b, struct slice id, int era,
                   struct slice result, int lasting);
void session_answer(const struct session_request *r, const struct buf *result, int lasting);

/* Appends the object that names this server. */
void session_add_self(struct buf *out);

#endif
