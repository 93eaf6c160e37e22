/* planner.h: the planner's tables; private to plan.c and planner.c. */
#ifndef BID_PLANNER_H
#define BID_PLANNER_H

#include "query/plan.h"
#include "query/directory.h"
#include "query/plan_forms.h"
#include "query/plan_trades.h"
#include "query/plan_words.h"

#define PLANNER_FILES 7

struct planner {
  struct plan_words *words;
  struct directory *directory;
  struct plan_forms *forms;
  struct plan_trades *trades;
  struct slice senses;               /* plan_senses.h */
  struct slice files[PLANNER_FILES]; /* mapped files; or empty */
};

#endif
