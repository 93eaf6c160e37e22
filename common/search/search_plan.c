/* search_plan.c: which companies, forms and terms a question is about, where the store has companies of its own. */
#include "base/day.h"
#include "facts/fact_plan.h"
#include "query/query.h"
#include "query/plan_json.h"
#include "record/error.h"
#include "record/record.h"
#include "search/search_internal.h"

#include <ctype.h>
#include <stdio.h>

void search_say_everyone(struct asked *a) {
  int year = a->plan.window_count ? a->plan.windows[0].year : 0;
  buf_printf(&a->missing,
             "the question is for all companies that meet a condition: no passage answers it, but a screen "
             "of what they "
             "reported: bid facts --screen '%s' -p %d\n",
             a->plan.screen, year ? year : fact_screen_newest_year(DAY_NONE));
}

/* Whether a question is for all companies that meet a condition. */
static int asks_everyone(const struct asked *a, const struct search_request *r) {
  return r->routing && r->companies.count == 0 && a->plan.screen[0];
}

/* ---- the plan ---- */

#define GIVEN 64         /* limit of companies, names or forms for a plan */
#define STORED_SURE 0.97 /* confidence in a company of the store that is the only one meant */

static size_t slices_of(const struct search_list *list, struct slice to[GIVEN]) {
  size_t n = 0;
  for (; n < list->count && n < GIVEN; n++)
    to[n] = slice_str(list->items[n]);
  return n;
}

/* "Acme" more likely means the Acme in the store than another one. */
static void prefer_stored(const struct search *s, struct plan *plan) {
  for (size_t i = 0; i < plan->company_count; i++) {
    struct plan_company *c = &plan->companies[i];
    size_t number = search_stored_rather(s, c);
    if (number == 0)
      continue;
    const struct query_company *stored = &s->known.companies[number];
    if (stored->cik[0])
      snprintf(c->cik, sizeof c->cik, "%s", stored->cik);
    else
      snprintf(c->cik, sizeof c->cik, "%zu", number + SCOPE_OWN_CIK);
    c->name = slice_str(stored->name);
    c->ticker = slice_str(stored->ticker);
  }
}

/* Where the store has no documents of the companies named in a question, passages of another company may still answer
 * it: what it paid them, sold them, owes them.  Or the words are ordinary ones: "Total income".  So the question is
 * searched unchanged, and passages without the name are dropped (searcher.c); only if nothing remains, the company
 * is reported missing.  Not if the company was given by an option, or is the possessor of what is asked for
 * ("Walmart's tariffs"). */
static int search_unsure(const struct search *s, const struct plan *plan) {
  for (size_t i = 0; i < plan->company_count; i++) {
    const struct plan_company *c = &plan->companies[i];
    int possessive = query_bare(c->matched).len < c->matched.len;
    if (c->how == PLAN_GIVEN || c->how == PLAN_CIK || possessive || search_is_stored(s, c))
      return 0;
  }
  return plan->company_count > 0;
}

/* ---- one company of two directories: the SEC's, and the store's names and documents ---- */

/* Puts a company of the store into the plan; words: what names it. */
static void take_stored(const struct search *s, struct plan *plan, size_t number, struct slice words) {
  const struct query_company *stored = &s->known.companies[number];
  struct plan_company *c = &plan->companies[0];
  *c = (struct plan_company){
      .ticker = slice_str(stored->ticker), .name = slice_str(stored->name), .sure = STORED_SURE};
  snprintf(c->cik, sizeof c->cik, "%zu", number + SCOPE_OWN_CIK);
  if (stored->cik[0] && !plan_company_of_cik(s->planner, stored->cik, c))
    snprintf(c->cik, sizeof c->cik, "%s", stored->cik);
  c->matched = words;
  c->how = PLAN_NAME;
  plan->company_count = 1;
  plan->candidate_count = 0;
}

/* Makes the plan's companies those of a list that the store has; whether it has them all. */
static int take_all_stored(const struct search *s, struct plan *plan, const struct plan_company *list,
                           size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!search_is_stored(s, &list[i]))
      return 0;
  memmove(plan->companies, list, count * sizeof *list);
  if (count > 0)
    plan->company_count = count;
  return count > 0;
}

/* The only candidate of a rejected plan that is in the store, or 0; similar tickers don't count. */
static size_t stored_candidate(const struct search *s, const struct plan *plan) {
  size_t found = 0;
  for (size_t c = 0; c < plan->candidate_count; c++)
    for (size_t i = 1; i < s->known.company_count; i++)
      if (i != found && plan->candidates[c].how != PLAN_TYPO &&
          search_company_is(&plan->candidates[c], &s->known, i)) {
        if (found)
          return 0;
        found = i;
      }
  return found;
}

/* The company of the store that is meant where the planner knows none.  In this order: the only stored one of its candidates; a name
 * in the question; a word of the name given; letters that one company's documents hold.  *words: what names it.  0: none. */
static size_t stored_instead(const struct searcher *s, const struct asked *a, const struct search_request *r,
                             struct slice *words) {
  const struct plan *plan = &a->plan;
  size_t number = stored_candidate(s->shared, plan);
  *words = plan->doubtful;
  number = number ? number : search_stored_doubtful(s->shared, plan);
  if (number || plan->company_count > 0)
    return plan->company_count > 0 ? 0 : number;
  if (r->companies.count == 0) {
    number = plan->candidate_count == 0 ? search_stored_in_question(s->shared, &a->query, words) : 0;
    return number;
  }
  if (r->companies.count != 1 || r->aliases.count > 0)
    return 0;
  *words = slice_str(r->companies.items[0]);
  number = search_stored_by_word(s->shared, *words);
  return number ? number : search_stored_by_text(s, *words);
}

/* Where the store has no document of the only company in the question, but one of another company speaks of it throughout (a part
 * that is spun off, a target), that one is searched, and said. */
static void take_subject(const struct searcher *s, struct asked *a) {
  const struct plan_company *c = &a->plan.companies[0];
  if (a->plan.company_count != 1 || c->how == PLAN_CIK || c->matched.len == 0 ||
      search_is_stored(s->shared, c))
    return;
  size_t number = search_subject_of(s, query_bare(c->matched));
  if (number == 0)
    return;
  struct buf text;
  buf_init(&text, RECORD_MAX);
  buf_add_str(&text, "no document of ");
  search_company_add(c, &text);
  snprintf(a->doubt.text, sizeof a->doubt.text,
           "%.*s is in the store; the passages are of others, which name it", (int)text.len, text.data);
  buf_release(&text);
  a->of_another = 1;
  take_stored(s->shared, &a->plan, number, slice_str(""));
}

/* A word with a capital or a dollar sign that the plan takes for a company's name, that no list has, and that stands nowhere in the
 * store: passages of other companies don't answer for it.  0, or -1 with *f. */
static int refuse_unknown_names(const struct searcher *s, const struct asked *a,
                                const struct planner *planner, const struct plan_request *ask,
                                struct search_fault *f) {
  for (size_t i = 0; i < a->plan.unknown_names && i < a->plan.unknown_count; i++) {
    struct slice name = a->plan.unknown[i];
    int marked =
        isupper((unsigned char)name.data[0]) || (name.data > ask->question.data && name.data[-1] == '$');
    if (!marked || !search_stored_lacks(s, query_bare(name)))
      continue;
    search_fault_set(f, ERROR_NO_CONTENT, error_exit_status(ERROR_NO_CONTENT),
                     "nothing in the store names '%.*s', and it is no company on the SEC's list of %s: give "
                     "a ticker, a CIK or another name",
                     (int)(name.len < 80 ? name.len : 80), name.data, planner_date(planner));
    return -1;
  }
  return 0;
}

/* Plans; where a company is on no list, again with the SEC's current one. */
static int plan_with_lists(struct search *s, const struct plan_request *ask, struct plan *plan,
                           struct error_text *why) {
  int made = plan_make(s->planner, ask, plan, why);
  if (!s->many && planner_lacks_company(plan, made != 0) && planner_renew(s->planner))
    made = plan_make(s->planner, ask, plan, why);
  return made;
}

static int make_plan(struct searcher *s, struct asked *a, const struct search_request *r,
                     struct search_fault *f) {
  struct slice entities[GIVEN], aliases[GIVEN], forms[GIVEN];
  struct error_text why;
  if (search_is_long(r) || (!r->routing && r->companies.count == 0))
    return 0;
  const struct planner *planner = search_planner(s->shared, f);
  if (planner == NULL)
    return -1;
  struct plan_request ask = {.question = r->routing ? r->query : slice_str(""),
                             .entities = entities,
                             .entity_count = slices_of(&r->companies, entities),
                             .aliases = aliases,
                             .alias_count = slices_of(&r->aliases, aliases),
                             .forms = forms,
                             .form_count = slices_of(&r->forms, forms),
                             .period = slice_str(r->period ? r->period : ""),
                             .since = slice_str(r->since ? r->since : ""),
                             .as_of = slice_str(r->as_of ? r->as_of : "")};
  int rejected = plan_with_lists(s->shared, &ask, &a->plan, &why) != 0, named = r->companies.count == 0;
  struct slice words;
  a->everyone = asks_everyone(a, r);
  size_t known =
      !a->everyone && !a->plan.refused && (rejected || named) ? stored_instead(s, a, r, &words) : 0;
  if (known) {
    take_stored(s->shared, &a->plan, known, words);
    rejected = 0;
  }
  if (!rejected) {
    if (a->plan.company_count == 0 && !a->everyone && refuse_unknown_names(s, a, planner, &ask, f) != 0)
      return -1;
    prefer_stored(s->shared, &a->plan);
    if (named && search_unsure(s->shared, &a->plan))
      take_all_stored(s->shared, &a->plan, a->plan.others, a->plan.other_count);
    if (named)
      take_subject(s, a);
    return 0;
  }
  if (!named || a->plan.candidate_count == 0) {
    search_fault_set(f, ERROR_INVALID_REQUEST, error_exit_status(ERROR_INVALID_REQUEST), "%s", why.text);
    return -1;
  }
  a->doubt = why; /* only words of the question are ambiguous: without them */
  if (!take_all_stored(s->shared, &a->plan, a->plan.companies, a->plan.sure_count)) {
    a->doubtful = a->plan.doubtful;
    plan_release(&a->plan);
    plan_init(&a->plan);
    a->unsure = 1;
  }
  a->plan.candidate_count = 0;
  return 0;
}

static int take_plan(struct searcher *s, struct asked *a, const struct search_request *r,
                     struct search_fault *f) {
  plan_release(&a->plan);
  plan_init(&a->plan);
  buf_clear(&a->plan_text);
  buf_clear(&a->missing);
  a->scope.plan = NULL;
  a->unsure = a->ownerless_only = a->ownerless_too = a->of_another = 0;
  a->doubt.text[0] = '\0';
  a->doubtful = slice_str("");
  if (r->plan.len == 0)
    return make_plan(s, a, r, f);
  if (plan_read_json(r->plan, &a->plan, &a->plan_text) != 0 || a->plan.candidate_count > 0) {
    search_fault_set(f, ERROR_INVALID_REQUEST, error_exit_status(ERROR_INVALID_REQUEST),
                     a->plan.candidate_count ? "it is not clear which company is meant"
                                             : "\"plan\" is no plan of bid-plan");
    return -1;
  }
  a->everyone = asks_everyone(a, r);
  if (a->plan.company_count == 0 && !a->everyone) { /* the store may know the company */
    plan_release(&a->plan);
    plan_init(&a->plan);
    return make_plan(s, a, r, f);
  }
  prefer_stored(s->shared, &a->plan);
  return 0;
}

#define SURE 0.95 /* confidence from which the question is certainly about a company */

int search_is_sure(const struct plan *plan) {
  for (size_t i = 0; i < plan->company_count; i++)
    if (plan->companies[i].sure >= SURE)
      return 1;
  return 0;
}

int search_plan_names_another(const struct plan *plan, struct error_text *why) {
  for (size_t i = 0; plan && plan->company_count > 0 && i < plan->other_count; i++)
    if (plan->others[i].asked) {
      struct slice given = plan->companies[0].name.len ? plan->companies[0].name : plan->companies[0].matched;
      error_set(why, "the question is about %.*s, but only %.*s is searched", (int)plan->others[i].name.len,
                plan->others[i].name.data, (int)given.len, given.data);
      return 1;
    }
  return 0;
}

/* Marks words that name a company, which are not search terms; takes over the plan's forms. */
static void obey_plan(const struct search *shared, const struct plan *plan, struct terms *terms,
                      struct query *q) {
  char name[64];
  for (size_t i = 0; i < plan->company_count; i++)
    if (search_is_stored(shared, &plan->companies[i]))
      query_mark_name(q, plan->companies[i].matched);
  for (size_t i = 0; i < plan->form_count; i++) {
    snprintf(name, sizeof name, "%.*s", (int)plan->forms[i].len, plan->forms[i].data);
    q->form_count += query_find_forms(&shared->known, name, q->forms + q->form_count,
                                      sizeof q->forms / sizeof *q->forms - q->form_count);
  }
  q->form_named = plan->forms_named;
  for (size_t i = 0; i < plan->window_count; i++)
    if (plan->windows[i].period >= PART_Q1 && plan->windows[i].period <= PART_Q4)
      query_take_quarter(q, terms, (int)(plan->windows[i].period - PART_Q1) + 1);
}

/* Parses the question again where typos were corrected. */
static void correct_typos(struct searcher *s, struct asked *a, const struct search_request *r) {
  struct query *q = &a->query;
  struct buf text, notes;
  if (s->shared->snap == NULL)
    return;
  buf_init(&text, 2 * QUERY_BYTES);
  buf_init(&notes, QUERY_BYTES);
  if (rank_correct_typos(q, s->shared->snap, s->terms, &text, &notes) > 0 && text.len <= QUERY_BYTES &&
      query_parse(q, buf_slice(&text), s->terms, s->shared->thesaurus) == 0) {
    if (r->routing)
      obey_plan(s->shared, &a->plan, s->terms, q);
    if (q->notes.len > 0)
      buf_add_char(&q->notes, ',');
    buf_add_slice(&q->notes, buf_slice(&notes));
  }
  buf_release(&text);
  buf_release(&notes);
}

int search_plan_question(struct searcher *s, struct asked *a, const struct search_request *r,
                         struct search_fault *f) {
  struct query *q = &a->query;
  if (query_parse(q, r->query, s->terms, s->shared->thesaurus) != 0) {
    search_fault_set(f, ERROR_INVALID_REQUEST, 64, "the question is longer than %zu bytes", QUERY_BYTES);
    return -1;
  }
  if (q->text.len == 0) {
    search_fault_set(f, ERROR_INVALID_REQUEST, 64, "the question is empty");
    return -1;
  }
  a->everyone = 0;
  if (take_plan(s, a, r, f) != 0)
    return -1;
  a->everyone &= a->plan.company_count == 0;
  a->plan.forms_given = r->forms.count > 0 && a->plan.forms_named;
  a->unsure |= r->companies.count == 0 && search_unsure(s->shared, &a->plan);
  if (r->routing)
    obey_plan(s->shared, &a->plan, s->terms, q);
  correct_typos(s, a, r);
  query_finish(q);
  return 0;
}
