#include "search/search_hold.h"

#include "base/paths.h"
#include "base/sandbox.h"
#include "model/embed_backend.h"
#include "model/model.h"
#include "page/pager.h"
#include "search/jq_filter.h"
#include "search/rerank_cache.h"

#include <stdlib.h>
#include <unistd.h>

static void hold_start_helper(const struct search_call *call) {
  static helper_run *const runs[] = {pager_run, jq_filter_judge, embed_child_run};
  const char *server = getenv("BID_EMBED_URL");
  if (call->where)
    jq_filter_use(call->where);
  if (call->where || (server && *server) || isatty(STDOUT_FILENO))
    helper_start(runs, sizeof runs / sizeof *runs);
}

/* Of a model that is named by its file; others are found among the shipped ones. */
static void hold_add_model(struct sandbox_scope *s, const char *name) {
  if (name && *name)
    sandbox_may_read(s, name);
}

static void hold_add_stores(struct sandbox_scope *s, const struct option_list *stores) {
  for (size_t i = 0; i < stores->count; i++)
    store_may_change(&(struct store_options){.path = stores->items[i]}, s);
  if (stores->count == 0)
    store_may_change(&(struct store_options){.path = NULL}, s);
}

void search_hold(const struct search_call *call, const struct option_list *local) {
  struct sandbox_scope s = {.allow = call->remote ? SANDBOX_NETWORK : SANDBOX_CHANGE_FILES};
  struct buf cache;
  hold_start_helper(call);
  paths_may_read(&s);
  hold_add_model(&s, call->model);
  hold_add_model(&s, call->rerank);
  hold_add_model(&s, getenv("BID_MODEL"));
  if (call->edgar)
    sandbox_may_read(&s, call->edgar);
  sandbox_may_read(&s, "/sys/devices/system/cpu");
  hold_add_stores(&s, &call->stores);
  if (local)
    hold_add_stores(&s, local);
  buf_init(&cache, 65536);
  if (call->rerank && rerank_cache_folder(&cache) == 0)
    sandbox_may_change(&s, cache.data);
  buf_release(&cache);
  sandbox_enter_scope(&s);
}
