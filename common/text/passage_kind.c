/* passage_kind.c: finds labels of statements in a passage's stream of terms.
 *
 * Each label is a sequence of term hashes; those that end with the same term are chained, so a term that ends no
 * label costs one table look-up.  Thresholds were chosen by inspecting which passages of recorded filings they
 * accept.
 */
#include "text/passage_kind.h"

#include "base/diag.h"
#include "text/terms.h"
#include "tables/passage_kinds.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 1024 /* for some 250 labels */
#define WORDS 6    /* limit of terms in a label */
#define LABELS 256

#define HEAD 40            /* terms from the start in which a title is searched */
#define TABLE_NUMBERS 0.3F /* minimum share of numbers among the terms of a table */
#define LINES 5            /* minimum labels of a statement */
#define TITLE_LINES 2      /* labels that a title counts for */
#define CAUSE_WORDS 3
#define COVER_WORDS 4
#define AUDIT_WORDS 2
#define LIST_WORDS 3

enum passage_kind_group {
  INCOME,
  TRADING,
  BALANCE,
  SHEET,
  CASH,
  COVER,
  LIST,
  AUDIT,
  CAUSES,
  TITLE_INCOME,
  TITLE_BALANCE,
  TITLE_CASH,
  PARENT,
  GROUPS
};

static const char *const *const labels[GROUPS] = {
    [INCOME] = (const char *const[]){PASSAGE_KINDS_INCOME, NULL},
    [TRADING] = (const char *const[]){PASSAGE_KINDS_TRADING, NULL},
    [BALANCE] = (const char *const[]){PASSAGE_KINDS_BALANCE, NULL},
    [SHEET] = (const char *const[]){PASSAGE_KINDS_SHEET, NULL},
    [CASH] = (const char *const[]){PASSAGE_KINDS_CASH, NULL},
    [COVER] = (const char *const[]){PASSAGE_KINDS_COVER, NULL},
    [LIST] = (const char *const[]){PASSAGE_KINDS_LIST, NULL},
    [AUDIT] = (const char *const[]){PASSAGE_KINDS_AUDIT, NULL},
    [CAUSES] = (const char *const[]){PASSAGE_KINDS_CAUSES, NULL},
    [TITLE_INCOME] = (const char *const[]){PASSAGE_KINDS_TITLE_INCOME, NULL},
    [TITLE_BALANCE] = (const char *const[]){PASSAGE_KINDS_TITLE_BALANCE, NULL},
    [TITLE_CASH] = (const char *const[]){PASSAGE_KINDS_TITLE_CASH, NULL},
    [PARENT] = (const char *const[]){PASSAGE_KINDS_PARENT, NULL},
};

struct label {
  uint64_t word[WORDS];       /* in reverse order */
  uint8_t count, group, next; /* next: index + 1 of the next label that ends with the same term */
};

struct passage_kinds {
  struct label label[LABELS];
  size_t count;
  uint8_t slot[SLOTS]; /* index + 1 */
  /* of the passage */
  uint64_t recent[8];
  uint32_t at, numbers;
  uint8_t seen[LABELS];                      /* occurrences, at most 255 */
  uint32_t different[GROUPS], times[GROUPS]; /* distinct labels seen */
  uint32_t titles[GROUPS];                   /* titles near the start of the passage */
};

static size_t passage_kind_slot_of(uint64_t hash) {
  return (size_t)(hash % SLOTS);
}

struct passage_kind_adding {
  uint64_t word[WORDS];
  size_t count;
};

static void add_word(void *arg, const struct term *t) {
  struct passage_kind_adding *a = arg;
  if (a->count < WORDS)
    a->word[a->count++] = t->hash;
}

static void add_label(struct passage_kinds *s, enum passage_kind_group group, struct slice text,
                      struct terms *terms) {
  struct passage_kind_adding a = {.count = 0};
  terms_scan(terms, text, 0, add_word, &a);
  if (a.count == 0 || s->count == LABELS - 1)
    return;
  struct label *l = &s->label[s->count];
  for (size_t i = 0; i < a.count; i++)
    l->word[i] = a.word[a.count - 1 - i];
  l->count = (uint8_t)a.count;
  l->group = (uint8_t)group;
  uint8_t *slot = &s->slot[passage_kind_slot_of(l->word[0])];
  l->next = *slot;
  *slot = (uint8_t)++s->count;
}

struct passage_kinds *passage_kind_new(struct terms *terms) {
  struct passage_kinds *s = xcalloc(1, sizeof *s);
  for (int g = 0; g < GROUPS; g++)
    for (const char *const *at = labels[g]; *at; at++)
      add_label(s, (enum passage_kind_group)g, slice_str(*at), terms);
  return s;
}

void passage_kind_free(struct passage_kinds *s) {
  free(s);
}

void passage_kind_begin(struct passage_kinds *s) {
  memset(s->seen, 0, sizeof s->seen);
  memset(s->different, 0, sizeof s->different);
  memset(s->times, 0, sizeof s->times);
  memset(s->titles, 0, sizeof s->titles);
  s->at = s->numbers = 0;
}

static int passage_kind_ends_here(const struct passage_kinds *s, const struct label *l) {
  for (uint32_t i = 1; i < l->count; i++)
    if (i > s->at || s->recent[(s->at - i) % 8] != l->word[i])
      return 0;
  return 1;
}

void passage_kind_add(struct passage_kinds *s, uint64_t hash, enum term_kind kind) {
  s->recent[s->at % 8] = hash;
  s->numbers += kind == TERM_NUMBER;
  for (size_t i = s->slot[passage_kind_slot_of(hash)]; i != 0; i = s->label[i - 1].next) {
    const struct label *l = &s->label[i - 1];
    if (l->word[0] != hash || !passage_kind_ends_here(s, l))
      continue;
    s->different[l->group] += s->seen[i - 1] == 0;
    s->seen[i - 1] = 1;
    s->times[l->group]++;
    s->titles[l->group] += s->at < HEAD;
  }
  s->at++;
}

/* The statement with most labels in the passage, above what notes and summaries contain. */
static unsigned statement(const struct passage_kinds *s) {
  static const struct {
    enum passage_kind_group group, title;
    unsigned flag;
  } kinds[] = {{INCOME, TITLE_INCOME, SIGN_INCOME},
               {BALANCE, TITLE_BALANCE, SIGN_BALANCE},
               {CASH, TITLE_CASH, SIGN_CASH}};
  uint32_t best = LINES - 1;
  unsigned flag = 0;
  if ((float)s->numbers < TABLE_NUMBERS * (float)s->at || s->different[PARENT] > 0)
    return 0;
  for (size_t i = 0; i < 3; i++) {
    uint32_t found = s->different[kinds[i].group] + (s->titles[kinds[i].title] ? TITLE_LINES : 0);
    if (kinds[i].group == BALANCE && s->different[SHEET] == 0) /* statements of changes in equity have the
                                                                  same lines */
      continue;
    if (kinds[i].group == INCOME && s->different[TRADING] == 0) /* notes on earnings per share have the
                                                                   last ones */
      continue;
    if (found > best)
      best = found, flag = kinds[i].flag;
  }
  return flag;
}

unsigned passage_kind_end(const struct passage_kinds *s) {
  unsigned flags = statement(s);
  if (flags == 0 && s->different[CAUSES] >= CAUSE_WORDS && s->times[CAUSES] * 25 >= s->at)
    flags |= SIGN_CAUSES;
  if (s->different[COVER] >= COVER_WORDS)
    flags |= SIGN_COVER;
  if (s->different[AUDIT] >= AUDIT_WORDS)
    flags |= SIGN_AUDIT;
  if (flags == 0 && s->different[LIST] >= LIST_WORDS && s->times[LIST] * 10 >= s->at)
    flags |= SIGN_LIST;
  return flags;
}
