/* passage_kind.c: labels of statements, found in a passage's stream of terms.
 *
 * Each label is a sequence of term hashes; those that end with the same term are chained.  A term that ends
 * no label costs one look into a table.  Thresholds were chosen by reading what they let through in recorded
 * filings.
 */
#include "text/passage_kind.h"

#include "base/diag.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 1024 /* for some 250 labels */
#define WORDS 6    /* terms of a label */
#define LABELS 256

#define HEAD 40            /* terms: where a title stands */
#define TABLE_NUMBERS 0.3F /* share of numbers in a table's terms */
#define LINES 5            /* of a statement */
#define TITLE_LINES 2      /* that a title stands for */
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

static const char *const labels[GROUPS] = {
    [INCOME] = "net sales; total revenue; total net revenue; total net sales; revenues; cost of sales; cost "
               "of revenue; "
               "cost of goods sold; cost of products sold; total cost; gross profit; gross margin; research "
               "and development; "
               "selling, general and administrative; general and administrative; marketing; total operating "
               "expenses; "
               "operating income; income from operations; operating profit; total costs and expenses; "
               "interest expense; "
               "interest income; other income; income before; earnings before; loss before; provision for "
               "income taxes; "
               "income tax expense; net income; net earnings; net loss; basic; diluted; per share; weighted "
               "average; "
               "noninterest income; net interest income; provision for credit losses; premiums earned",
    [TRADING] =
        "net sales; total revenue; total net revenue; revenues; total revenues; cost of sales; cost of "
        "revenue; gross profit; gross margin; operating income; income from operations; operating "
        "profit; total operating expenses; total costs and expenses; income before; earnings before; "
        "loss before; interest expense; provision for income taxes; income tax expense; premiums "
        "earned; net interest income",
    [BALANCE] =
        "total current assets; total assets; total current liabilities; total liabilities; accounts payable; "
        "accounts receivable; receivables, net; trade receivables; inventories; prepaid expenses; other "
        "current assets; "
        "property, plant and equipment; property and equipment; goodwill; intangible assets; "
        "cash and cash equivalents; marketable securities; other assets; accrued liabilities; accrued "
        "expenses; "
        "deferred revenue; unearned revenue; long-term debt; current portion; short-term borrowings; "
        "other liabilities; retained earnings; accumulated deficit; additional paid-in capital; "
        "accumulated other comprehensive; treasury stock; common stock; preferred stock; commitments and "
        "contingencies; total equity; total stockholders' equity; total shareholders' equity; total "
        "shareowners' equity; noncontrolling interests; operating lease; deferred income taxes; deposits; "
        "loans",
    [SHEET] = "current assets; total assets; current liabilities; total liabilities; liabilities and equity",
    [CASH] = "depreciation and amortization; stock-based compensation; share-based compensation; deferred "
             "income taxes; "
             "net income; changes in operating assets; accounts receivable; inventories; accounts payable; "
             "operating activities; investing activities; financing activities; purchases of property; "
             "capital expenditures; additions to property; acquisition of property; acquisitions, net of "
             "cash; purchases of marketable securities; "
             "purchases of investments; maturities of; sales of marketable securities; proceeds from sale; "
             "proceeds from issuance; "
             "repayments of; issuance of debt; repurchases of common stock; purchases of treasury stock; "
             "dividends paid; "
             "payment of dividends; effect of exchange rate; net increase; net decrease; beginning of year; "
             "end of year; beginning of period; end of period; cash paid for; supplemental",
    [COVER] =
        "commission file number; jurisdiction of incorporation; employer identification; trading symbol; "
        "registered pursuant to section; well-known seasoned issuer; aggregate market value; shell company; "
        "exact name of registrant; principal executive offices; telephone number; check mark; "
        "large accelerated filer; documents incorporated by reference; outstanding as of; name of each "
        "exchange",
    [LIST] = "item; exhibit; exhibits; incorporated by reference; filed herewith; table of contents; page; "
             "index to; signatures; power of attorney; attorney-in-fact; duly authorized; thereunto; "
             "director; form; note; "
             "certification; consolidated statements; consolidated balance sheets; report of independent",
    [AUDIT] = "report of independent registered; opinion on the financial; critical audit matter; pcaob; "
              "public company "
              "accounting oversight; basis for opinion; reasonable basis; audit opinion; audit procedures; "
              "internal control over "
              "financial reporting based; material misstatement; examining on a test basis; fraud whether or "
              "not material",
    [CAUSES] = "primarily due; due primarily; driven primarily; primarily driven; driven by; primarily "
               "attributable; attributable to; "
               "attributed to; primarily reflects; primarily reflecting; reflecting; partially offset; "
               "partly offset; offset by; mainly due; as result; due to; "
               "resulted from; primarily from; primarily as result; compared to prior; compared with; "
               "increased; decreased; increase; decrease; higher; lower",
    [TITLE_INCOME] = "statements of income; statements of operations; statements of earnings; income "
                     "statement; income statements; "
                     "statement of income; statement of earnings; statement of operations",
    [TITLE_BALANCE] = "balance sheets; balance sheet; statements of financial position; statement of "
                      "financial position; statements of condition",
    [TITLE_CASH] = "statements of cash flows; statement of cash flows; statements of cash flow",
    [PARENT] = "parent company; parent only; condensed financial information; condensed consolidating; "
               "guarantor subsidiaries; "
               "pro forma; registrant only",
};

struct label {
  uint64_t word[WORDS];       /* the last one first */
  uint8_t count, group, next; /* next: index + 1 of the next label that ends with the same term */
};

struct passage_kinds {
  struct label label[LABELS];
  size_t count;
  uint8_t slot[SLOTS]; /* index + 1 */
  /* of the passage */
  uint64_t recent[8];
  uint32_t at, numbers;
  uint8_t seen[LABELS];                      /* times, at most 255 */
  uint32_t different[GROUPS], times[GROUPS]; /* labels seen */
  uint32_t titles[GROUPS];                   /* titles near the passage's beginning */
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
    for (const char *at = labels[g]; *at != '\0';) {
      size_t n = strcspn(at, ";");
      add_label(s, (enum passage_kind_group)g, slice_of(at, n), terms);
      at += n + (at[n] == ';');
    }
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

/* The statement of which it prints most labels, beyond what notes and summaries print. */
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
    if (kinds[i].group == BALANCE && s->different[SHEET] == 0) /* changes in equity have the same lines */
      continue;
    if (kinds[i].group == INCOME && s->different[TRADING] == 0) /* earnings per share have the last ones */
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
