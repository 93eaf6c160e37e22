/* owners.c: finds the company of each figure, and whether a sentence is about another one. */
#include "verify/owners.h"

#include "base/buf.h"
#include "base/day.h"
#include "query/query.h"
#include "tables/changes.h"
#include "tables/places.h"
#include "verify/evidence_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define OWNER_FORM(name) " \xC2\xB7 " name " \xC2\xB7 " /* as a part of a passage's context line */
#define OWNER_SURE 0.6                                  /* confidence in a company named in a sentence */

/* The CIK in "https://www.sec.gov/Archives/edgar/data/320193/...", as ten digits; empty where a URL has none. */
static void owner_cik_of_url(struct slice url, char cik[PLAN_DATE]) {
  static const char path[] = "/edgar/data/";
  const char *at = url.len ? memmem(url.data, url.len, path, sizeof path - 1) : NULL;
  size_t n = 0, room = at ? url.len - (size_t)(at - url.data) - (sizeof path - 1) : 0;
  cik[0] = '\0';
  while (at && n < room && n < 10 && isdigit((unsigned char)at[sizeof path - 1 + n]))
    n++;
  if (n)
    snprintf(cik, PLAN_DATE, "%010llu", strtoull(at + sizeof path - 1, NULL, 10) % 10000000000ULL);
}

/* Whether a passage's context line starts with a company's name, "ACME INC. · 10-K". */
static int owner_is_in_context(struct slice context) {
  const char *end = context.len ? memmem(context.data, context.len, " \xC2\xB7 ", 4) : NULL;
  size_t to = end ? (size_t)(end - context.data) : 0;
  while (to && !isalpha((unsigned char)context.data[to - 1]))
    to--;
  size_t from = to;
  while (from && isalpha((unsigned char)context.data[from - 1]))
    from--;
  return to > from && slice_among_nocase(slice_of(context.data + from, to - from), query_suffixes);
}

static int owner_is_told(const struct owner *owner) {
  return owner->cik.len || owner_is_in_context(owner->context);
}

void owners_open(struct owners *o, struct planner **kept) {
  struct plan_company listed;
  struct error_text why;
  int told = o->of_facts;
  for (size_t i = 0; i < o->count; i++) {
    struct owner *one = &o->list[i];
    if (!one->cik.len) {
      owner_cik_of_url(one->url, one->of_url);
      one->cik = slice_str(one->of_url);
    }
    told |= owner_is_told(one);
  }
  if (told && !*kept)
    *kept = planner_open(&why);
  o->planner = told ? *kept : NULL;
  for (size_t i = 0; o->planner && i < o->count; i++)
    if (o->list[i].cik.len && o->list[i].company.len &&
        !plan_company_is_listed(o->planner, o->list[i].company, &listed))
      planner_add(o->planner, o->list[i].cik, o->list[i].ticker, o->list[i].company);
}

void owners_release(struct owners *o) {
  free(o->list);
  *o = (struct owners){.count = 0};
}

/* ---- names in a sentence ---- */

/* The first word of a text that begins with a name, or NULL. */
static const char *owner_text_at(struct slice text, struct slice name) {
  for (size_t i = 0; name.len && i + name.len <= text.len; i++)
    if ((!i || !isalnum((unsigned char)text.data[i - 1])) &&
        strncasecmp(text.data + i, name.data, name.len) == 0)
      return text.data + i;
  return NULL;
}

static int owner_text_has(struct slice text, struct slice name) {
  return owner_text_at(text, name) != NULL;
}

/* Without a possessive ending. */
static struct slice owner_bare(struct slice name) {
  for (size_t i = 1; i < name.len; i++)
    if (name.data[i] == '\'' ||
        memcmp(name.data + i, "\xE2\x80\x99", name.len - i < 3 ? name.len - i : 3) == 0)
      return slice_of(name.data, i);
  return name;
}

/* Whether the words occur in the passage or its context line. */
static int owner_is_mentioned(const struct owner *owner, struct slice name) {
  name = owner_bare(name);
  return owner_text_has(owner->context, name) || owner_text_has(owner->company, name) ||
         owner_text_has(owner->text, name);
}

/* "Samsung" in "Samsung's services": a capitalised name before its possessive. */
static struct slice owner_possessor(struct slice t) {
  for (size_t i = 0; i + 1 < t.len; i++) {
    size_t end = i, mark = t.data[i] == '\''                                             ? 1
                           : i + 3 < t.len && memcmp(t.data + i, "\xE2\x80\x99", 3) == 0 ? 3
                                                                                         : 0;
    if (!mark || i + mark >= t.len || t.data[i + mark] != 's')
      continue;
    while (end > 0 && isalnum((unsigned char)t.data[end - 1]))
      end--;
    if (i - end > 2 && isupper((unsigned char)t.data[end]) && islower((unsigned char)t.data[end + 1]))
      return slice_of(t.data + end, i - end); /* an abbreviation, "UCAN", may be of the filing's own */
  }
  return slice_of(NULL, 0);
}

/* "Sold", "earned": a name before it does something; before a noun, "Noncurrent assets", an unknown word is none. */
static int owner_is_verb(const char *word, size_t left) {
  static const char *const verbs[] = {CHANGES_SUBJECT_VERB, NULL};
  size_t n = 0;
  while (n < left && isalpha((unsigned char)word[n]))
    n++;
  return (n > 4 && memcmp(word + n - 2, "ed", 2) == 0) || slice_among_nocase(slice_of(word, n), verbs);
}

/* An unknown name at the start of a sentence before a verb: its subject. */
static struct slice owner_subject(const struct plan *plan, struct slice sentence) {
  for (size_t i = 0; i < plan->unknown_count; i++) {
    struct slice name = plan->unknown[i];
    size_t end = name.len + 1;
    if (name.len > 2 && name.data == sentence.data && end < sentence.len && sentence.data[end - 1] == ' ' &&
        owner_is_verb(sentence.data + end, sentence.len - end))
      return name;
  }
  return slice_of(NULL, 0);
}

void owner_names_read(struct owner_names *n, const struct owners *o, struct slice sentence) {
  struct error_text why;
  struct plan_request ask = {.question = sentence};
  plan_init(&n->plan);
  n->strange = slice_of(NULL, 0);
  if (!o->planner || plan_make(o->planner, &ask, &n->plan, &why))
    return;
  n->strange = owner_possessor(sentence);
  if (!n->strange.len)
    n->strange = owner_subject(&n->plan, sentence);
}

/* Whether a name of several words, "Kevin Rendino", has one that the owner's texts have. */
static int owner_is_partly_mentioned(const struct owner *owner, struct slice name) {
  for (size_t i = 0, from; i < name.len; i++) {
    for (from = i; i < name.len && name.data[i] != ' '; i++)
      ;
    if (i - from > 3 && owner_is_mentioned(owner, slice_of(name.data + from, i - from)))
      return 1;
  }
  return owner_is_mentioned(owner, name);
}

/* A capitalised word that isn't the sentence's first: part of a proper name. */
static struct slice owner_proper_word(struct slice t, size_t *at) {
  size_t i = *at;
  while (i < t.len && !isalpha((unsigned char)t.data[i]))
    i++;
  size_t from = i;
  int small = 1;
  for (; i < t.len && isalpha((unsigned char)t.data[i]); i++)
    small &= i == from || islower((unsigned char)t.data[i]);
  *at = i;
  int numbered =
      i + 1 < t.len && t.data[i] == ' ' && /* "Note 4", "Class A" */
      (isdigit((unsigned char)t.data[i + 1]) ||
       (isupper((unsigned char)t.data[i + 1]) && (i + 2 == t.len || !isalpha((unsigned char)t.data[i + 2]))));
  int proper = !numbered && from > 0 && i - from >= 4 && isupper((unsigned char)t.data[from]) && small &&
               t.data[from - 1] != '.';
  return proper ? slice_of(t.data + from, i - from) : slice_of(NULL, 0);
}

int owner_lacks_name(const struct owner *owner, struct slice sentence) {
  int unknown = 0, known = 0;
  const char *end = NULL;
  for (size_t at = 0; at < sentence.len;) {
    struct slice word = owner_proper_word(sentence, &at);
    if (end && (!word.len || word.data != end + 1)) { /* the name before it has ended */
      if (unknown && !known)
        return 1;
      unknown = known = 0;
    }
    end = word.len ? word.data + word.len : NULL;
    if (word.len && (day_month_named(word.data, word.len) ||
                     owner_is_mentioned(owner, slice_of(word.data, word.len - 1))))
      known = 1;
    else
      unknown |= word.len > 0;
  }
  return unknown && !known;
}

int owner_lacks_place(const struct owners *o, int mark, struct slice sentence) {
  static const char *const places[] = {PLACES_COUNTRY, PLACES_STATE, PLACES_REGION, NULL};
  for (size_t i = 0; i < o->count; i++)
    for (int k = 0; o->list[i].mark == mark && places[k]; k++) {
      const char *at = owner_text_at(sentence, slice_str(places[k]));
      if (at && isupper((unsigned char)at[0]) && islower((unsigned char)at[1]) &&
          !owner_is_mentioned(&o->list[i], slice_str(places[k])))
        return 1;
    }
  return 0;
}

int owner_is_numbered_name(const struct owners *o, struct slice t, size_t from, size_t to) {
  size_t end = to;
  if (end + 1 < t.len && t.data[end] == ' ' && isupper((unsigned char)t.data[end + 1]))
    for (end++; end < t.len && isalpha((unsigned char)t.data[end]); end++)
      ;
  else if (!isupper((unsigned char)t.data[to - 1]))
    return 0;
  struct slice name = slice_of(t.data + from, end - from);
  for (size_t i = 0; i < o->count; i++)
    if (owner_text_has(o->list[i].company, name) || owner_text_has(o->list[i].context, name))
      return 1;
  return 0;
}

void owner_names_release(struct owner_names *n) {
  plan_release(&n->plan);
}

/* ---- comparing companies ---- */

/* "111, Inc." is not what "11.1" names. */
static int owner_has_letter(struct slice name) {
  for (size_t i = 0; i < name.len; i++)
    if (isalpha((unsigned char)name.data[i]))
      return 1;
  return 0;
}

/* Whether one of the companies is the owner; *sure counts those named with certainty. */
static int owner_is_one_of(const struct plan_company *list, size_t count, const struct owner *owner,
                           size_t *sure) {
  for (size_t i = 0; i < count; i++) {
    if (slice_is(owner->cik, list[i].cik) || owner_is_mentioned(owner, list[i].matched) ||
        (list[i].matched.len > 1 && list[i].matched.len < 6 &&
         evidence_initials(owner->text, list[i].matched).len))
      return 1; /* "GM" of a passage with "Gross Margin" */
    *sure += list[i].sure >= OWNER_SURE && owner_has_letter(list[i].matched);
  }
  return 0;
}

/* Whether a passage's form tells of holders, whom its text may not name: 3, 4, 5, 144, 13D, 13F, 13G. */
static int owner_is_of_holders(const struct owner *owner) {
  static const char *const forms[] = {OWNER_FORM("3"), OWNER_FORM("4"), OWNER_FORM("5"), OWNER_FORM("144"),
                                      "13D",           "13F",           "13G",           NULL};
  for (int k = 0; forms[k]; k++)
    if (slice_holds_nocase(owner->context, forms[k]))
      return 1;
  return 0;
}

int owner_names_another(const struct owner_names *n, const struct owners *o, int mark, struct slice cik) {
  const struct owner of_fact = {.cik = cik}, *owner = &of_fact;
  size_t sure = 0;
  for (size_t i = 0; mark && i < o->count; i++)
    if (o->list[i].mark == mark)
      owner = &o->list[i];
  if (!o->planner || !owner_is_told(owner) || owner_is_of_holders(owner))
    return 0;
  if (owner_is_one_of(n->plan.companies, n->plan.company_count, owner, &sure) ||
      owner_is_one_of(n->plan.others, n->plan.other_count, owner, &sure))
    return 0;
  return sure > 0 || (mark && n->strange.len && !owner_is_partly_mentioned(owner, n->strange));
}
