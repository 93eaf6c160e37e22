/* planner.h: the planner's tables, and the state of planning one request; private to this room. */
#ifndef BID_PLANNER_H
#define BID_PLANNER_H

#include "query/concepts.h"
#include "query/directory.h"
#include "query/mentions.h"
#include "query/plan.h"
#include "query/plan_forms.h"
#include "query/plan_windows.h"
#include "query/plan_words.h"

#define PLANNER_FILES 8

struct planner {
  struct plan_words *words;
  struct directory *directory;
  struct plan_forms *forms;
  struct plan_trades *trades;
  struct slice senses;                  /* plan_words.h */
  const struct concept_table *concepts; /* or NULL: no figures are found */
  struct concept_table table;           /* its own, or empty */
  struct slice files[PLANNER_FILES];    /* mapped files; or empty */
  struct buf list;                      /* the SEC's current list, once planner_renew() has it */
  int renewed;                          /* it was tried */
};

/* ---- one request, and its companies ----
 *
 * In this order, after periods and forms have been read: plan_companies_read_signs(), plan_companies_give() for each given name,
 * plan_companies_ask(), plan_companies_find_unknown(), plan_companies_add_left_out(). */

/* State of planning one request. */
struct plan_work {
  const struct planner *planner;
  const struct plan_request *ask;
  struct plan *plan;
  struct plan_when when;
  struct mention_text m;
  struct mentions found;
  struct plan_text text;
  uint8_t taken[PLAN_TOKENS];
  struct plan_word word[PLAN_TOKENS];
  uint64_t trade[PLAN_TOKENS];
};

/* Looks up the words of the question, and what they as a whole say of names: w->word, trade, m. */
void plan_companies_read_signs(struct plan_work *w);

/* Adds a company that was given by itself; is_first: or by one of the aliases.  0, or -1 with why: it is ambiguous, or
 * unknown. */
int plan_companies_give(struct plan_work *w, struct slice name, int is_first, struct error_text *why);

/* Adds the companies that the question names; only counterparties where one was given.  0, or -1 with why: ambiguous. */
int plan_companies_ask(struct plan_work *w, struct error_text *why);

/* Where there is none: adds the words that look like names to plan->unknown. */
void plan_companies_find_unknown(struct plan_work *w);

/* The same for words taken for ordinary ones although a company has that name. */
void plan_companies_add_left_out(struct plan_work *w);

/* Finds the figures that a question asks for, plan->figures, and what its words say of their periods and currency.  Forms, periods
 * and companies are known and marked in taken[]; plan->asks and windows are set. */
void plan_find_figures(const struct concept_table *table, const struct plan_text *t, const uint8_t *taken,
                       struct plan *plan);

/* Finds the company for a name given by itself. */

/* Resolves a name.  1 with *found; 0 where no company has it; -1 where several do and none is much more likely:
 * *found has them as rivals. */
int plan_resolve_company(const struct planner *p, struct slice name, struct mention *found);

/* The same by names and tickers as they are listed: no typing error is mended, no missing word completed. */
int plan_resolve_listed(const struct planner *p, struct slice name, struct mention *found);

/* ---- suggestions ---- */

/* Suggestions for a name that matches nothing, most likely first, as rivals of *found: companies that match its first
 * words; for a single word, companies whose ticker differs by one typing error.  Returns how many. */
size_t plan_near_resolve(const struct directory *d, struct slice name, struct mention *found);

#endif
