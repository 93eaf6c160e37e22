/* document_company.c: whose a person's own document is: the company that its head names, if the text bears it out. */
#include "query/document_company.h"
#include "query/directory.h"
#include "query/planner.h"
#include "record/json.h"
#include "source/company_list.h"
#include "tables/document_words.h"
#include "tables/legal_forms.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define DOCUMENT_CENSUS 64 /* limit of companies; further ones are not counted */

struct document_census {
  uint32_t company[DOCUMENT_CENSUS]; /* index in the directory */
  unsigned count[DOCUMENT_CENSUS];
  size_t companies;
};

/* ---- how often a text names each company of the list ---- */

#define CENSUS_PIECE 1500 /* bytes that are split into words at once: fewer than PLAN_TOKENS words */
#define CENSUS_WORDS 4    /* longest name looked up; longer ones begin with words of their own */
#define CENSUS_KEY 96
#define RARE 50 /* SCOWL size */

static void census_count(struct document_census *c, uint32_t company) {
  size_t i = 0;
  while (i < c->companies && c->company[i] != company)
    i++;
  if (i == DOCUMENT_CENSUS)
    return;
  if (i == c->companies) {
    c->company[c->companies++] = company;
    c->count[i] = 0;
  }
  c->count[i]++;
}

unsigned document_census_of(const struct document_census *c, uint32_t company) {
  for (size_t i = 0; i < c->companies; i++)
    if (c->company[i] == company)
      return c->count[i];
  return 0;
}

/* Whether a word is an ordinary one, or a name of people or places, so that it need not mean a company. */
static int document_census_is_ordinary(const struct plan_words *words, const char *fold) {
  struct plan_word w = plan_words_of(words, fold);
  int in_use =
      w.ordinary && (w.ordinary < RARE || w.small); /* "intel" and "tesla" are rare words in no text */
  return in_use || w.given || w.family || w.place || w.kinds;
}

/* Behind a word in small letters of the same sentence. */
static int is_within_sentence(const struct plan_text *t, size_t i) {
  return i > 0 && i < t->count && !(t->token[i].gap & (GAP_SENTENCE | GAP_STOP | GAP_OPEN)) &&
         t->token[i - 1].letters > 0 && t->token[i - 1].capitals == 0;
}

/* Whether n tokens from i may be one name: capitalised words that nothing separates. */
static int may_be_name(const struct plan_text *t, size_t i, size_t n) {
  if (i + n > t->count || !t->token[i].first_capital)
    return 0;
  for (size_t k = i + 1; k < i + n; k++) {
    const struct plan_token *token = &t->token[k];
    if (token->gap & ~(GAP_BLANK | GAP_HYPHEN | GAP_DOT))
      return 0;
    if (!token->first_capital && !plan_token_is_and(token) && !plan_token_is(token, "of"))
      return 0;
  }
  return 1;
}

/* The company that n words are a name of, by an entry that needs no more words; 0 where there is none. */
static int company_of(const struct directory *d, const struct plan_words *words, const struct plan_text *t,
                      size_t i, size_t n, uint32_t *company) {
  char key[CENSUS_KEY];
  size_t len = directory_key(t, i, i + n, 1, key, sizeof key);
  int whole =
      i + n < t->count && plan_word_in(t->token[i + n].fold, plan_legal_forms) >= 0; /* "Buckle, Inc." */
  if (n == 1 && !whole && document_census_is_ordinary(words, t->token[i].fold) && !is_within_sentence(t, i))
    return 0;
  for (const struct directory_entry *e = len ? directory_find(d, key, len) : NULL; e; e = directory_next(e)) {
    if (e->way != WAY_FULL && e->way != WAY_CORE && e->way != WAY_ALIAS && !(e->way == WAY_PREFIX && n > 1))
      continue;
    *company = e->company;
    return 1;
  }
  return 0;
}

/* "(NASDAQ: MRVL)", "(MRVL)" */
static int ticker_of(const struct directory *d, const struct plan_text *t, size_t i, uint32_t *company) {
  const struct plan_token *token = &t->token[i];
  char key[CENSUS_KEY] = "$";
  if (!(token->gap & (GAP_OPEN | GAP_LABEL | GAP_DOLLAR)) || token->capitals != token->letters ||
      !token->letters)
    return 0;
  size_t len = directory_key(t, i, i + 1, 0, key + 1, sizeof key - 1);
  const struct directory_entry *e = len ? directory_find(d, key, len + 1) : NULL;
  if (e)
    *company = e->company;
  return e != NULL;
}

static void census_piece(struct document_census *c, const struct directory *d, const struct plan_words *words,
                         const struct plan_text *t) {
  uint32_t company;
  for (size_t i = 0, n; i < t->count; i += n) {
    for (n = CENSUS_WORDS; n > 0; n--)
      if (may_be_name(t, i, n) && company_of(d, words, t, i, n, &company))
        break;
    if (n || ticker_of(d, t, i, &company))
      census_count(c, company);
    n += n == 0;
  }
}

/* The next piece of a text, cut at the end of a line or a word. */
static struct slice next_piece(struct slice *rest) {
  size_t n = rest->len;
  const char *line = memchr(rest->data, '\n', n);
  if (line)
    n = (size_t)(line - rest->data) + 1;
  if (n > CENSUS_PIECE)
    for (n = CENSUS_PIECE; n > CENSUS_PIECE / 2 && rest->data[n - 1] != ' ';)
      n--;
  struct slice piece = slice_of(rest->data, n);
  *rest = slice_of(rest->data + n, rest->len - n);
  return piece;
}

/* Adds the names in a text.  A name consists of capitalised words; one that is a single ordinary word ("Visa", "Target",
 * "Morgan") counts only within a sentence, behind a word in small letters; a ticker only in brackets or behind a colon. */
static void document_census_add(struct document_census *c, const struct directory *d,
                                const struct plan_words *words, struct slice text) {
  struct plan_text *t = xmalloc(sizeof *t);
  while (text.len) {
    plan_text_read(t, next_piece(&text));
    census_piece(c, d, words, t);
  }
  free(t);
}

/* How often a text has a word (normalised, plan_text.h) with a capital, and in small letters. */
static void document_census_word(struct slice text, const char *fold, unsigned *capital, unsigned *small) {
  struct plan_text *t = xmalloc(sizeof *t);
  *capital = *small = 0;
  while (text.len) {
    plan_text_read(t, next_piece(&text));
    for (size_t i = 0; i < t->count; i++) {
      if (!plan_token_is(&t->token[i], fold))
        continue;
      *capital += t->token[i].first_capital != 0;
      *small += t->token[i].capitals == 0;
    }
  }
  free(t);
}

/* ---- candidates ---- */

#define HEAD_LINES 5               /* first lines that may name the company */
#define HEAD_LINE 120              /* longest line, in bytes, that is no prose */
#define HEAD_PROSE 200             /* of prose at the beginning, only these bytes, and its first sentence */
#define CENSUS ((size_t)256 << 10) /* bytes of text in which companies are counted */
#define SURE 0.85        /* least confidence in a name: titles below it were wrong as often as right */
#define UNLISTED_WORDS 6 /* longest name of a company that isn't on the list */
#define CANDIDATES 8

struct candidate {
  uint32_t company;     /* index in the directory */
  char word[PLAN_FOLD]; /* its name, where this is a single ordinary word; else "" */
  int wrote;            /* it rather wrote the document: "Deutsche Bank note on BASF" */
};

struct judged {
  const struct planner *p;
  const struct document_company_ask *ask;
  struct candidate candidate[CANDIDATES];
  size_t candidates;
  char unlisted[256];    /* a company that isn't on the list, or "" */
  char first[PLAN_FOLD]; /* its first word */
  int several;           /* there are two of these */
  int prose;             /* the line is prose, in which only a name with its legal form counts */
  struct document_census census;
};

/* A candidate is as certain as its best name. */
static void judge_candidate(struct judged *j, uint32_t company, const char *word, int wrote) {
  for (size_t i = 0; i < j->candidates; i++)
    if (j->candidate[i].company == company) {
      if (!*word)
        j->candidate[i].word[0] = '\0';
      j->candidate[i].wrote &= wrote;
      return;
    }
  if (j->candidates == CANDIDATES)
    return;
  struct candidate *c = &j->candidate[j->candidates++];
  c->company = company;
  c->wrote = wrote;
  snprintf(c->word, sizeof c->word, "%s", word);
}

static int is_legal_form(const struct plan_text *t, size_t i) {
  static const char *const forms[] = {LEGAL_FORMS_OWN, NULL};
  return i < t->count && t->token[i].first_capital + (t->token[i].len > 2) > 0 &&
         plan_word_in(t->token[i].fold, forms) >= 0;
}

/* The tokens [from, to) of a name in a line; 0 where it isn't in the line. */
static int name_tokens(const struct plan_text *t, struct slice matched, size_t *from, size_t *to) {
  size_t i = 0, end = (size_t)(matched.data + matched.len - t->text.data);
  while (i < t->count && t->text.data + t->token[i].start != matched.data)
    i++;
  for (*from = *to = i; *to < t->count && t->token[*to].start < end;)
    ++*to;
  return *to > *from;
}

static int is_word_of(const struct plan_text *t, size_t i, const char *const *words) {
  return i < t->count && plan_word_in(t->token[i].fold, words) >= 0;
}

/* Adds a company that the planner takes for the subject of a line.  "engineer at NVIDIA" only mentions it. */
static void add_subject(struct judged *j, const struct plan_text *t, const struct plan_company *c) {
  static const char *const mention[] = {DOCUMENT_WORDS_MENTION, NULL}, *const opinion[] = {
                                                                           DOCUMENT_WORDS_OPINION, NULL};
  struct document_census named = {.companies = 0};
  size_t from, to;
  int named_so = c->how == PLAN_NAME || c->how == PLAN_ALIAS || c->how == PLAN_TICKER;
  if (!named_so || c->sure < SURE || !name_tokens(t, c->matched, &from, &to))
    return;
  if (from > 0 && is_word_of(t, from - 1, mention))
    return;
  int whole = is_legal_form(t, to - 1) || is_legal_form(t, to);
  if (j->prose && !whole)
    return;
  const char *word = t->token[from].fold;
  int ordinary = to - from == 1 && !whole && document_census_is_ordinary(j->p->words, word);
  document_census_add(&named, j->p->directory, j->p->words, c->matched);
  if (c->how == PLAN_ALIAS && !ordinary && !named.companies)
    return; /* a product or unit: "LinkedIn" */
  judge_candidate(j, (uint32_t)strtoul(c->cik, NULL, 10), ordinary ? word : "",
                  is_word_of(t, to, opinion) || is_word_of(t, to + 1, opinion));
}

/* The companies that the planner takes for the subject of a line, and all others that it names. */
static int listed_in_line(struct judged *j, const struct plan_text *t) {
  struct plan_request ask = {.question = t->text};
  struct document_census named = {.companies = 0};
  struct error_text why;
  struct plan plan;
  size_t before = j->candidates;
  plan_init(&plan);
  if (plan_make(j->p, &ask, &plan, &why) == 0)
    for (size_t i = 0; i < plan.company_count; i++)
      add_subject(j, t, &plan.companies[i]);
  plan_release(&plan);
  document_census_add(&named, j->p->directory, j->p->words, t->text);
  for (size_t i = 0; j->candidates > before && i < named.companies; i++)
    judge_candidate(j, named.company[i], "", 1);
  return j->candidates > before;
}

/* The start of the name whose legal form is token `end`; `end` where there is none. */
static size_t unlisted_start(const struct plan_text *t, size_t end) {
  static const char *const documents[] = {DOCUMENT_WORDS_KIND, NULL};
  size_t i = end;
  while (i > 0 && end - i < UNLISTED_WORDS) {
    const struct plan_token *token = &t->token[i - 1];
    if ((t->token[i].gap & ~(GAP_BLANK | GAP_HYPHEN | GAP_DOT)) &&
        !(i == end && t->token[i].gap == (GAP_BLANK | GAP_COMMA)))
      break;
    if (!token->first_capital && !plan_token_is_and(token) && !token->digits)
      break;
    if (plan_word_in(token->fold, documents) >= 0)
      break;
    i--;
  }
  while (i < end && (plan_token_is_and(&t->token[i]) || !t->token[i].first_capital))
    i++;
  return i;
}

/* Whether a name with its legal form is one on the list, which then is a candidate. */
static int is_listed_name(struct judged *j, struct slice name) {
  struct plan_company listed;
  if (!plan_company_is_listed(j->p, name, &listed))
    return 0;
  judge_candidate(j, (uint32_t)strtoul(listed.cik, NULL, 10), "", 0);
  return 1;
}

/* Words of a line that end with a legal form: "Acme Robotics plc". */
static void unlisted_in_line(struct judged *j, const struct plan_text *t) {
  static const char *const mention[] = {DOCUMENT_WORDS_MENTION, NULL};
  for (size_t end = 1; end < t->count; end++) {
    size_t from = is_legal_form(t, end) ? unlisted_start(t, end) : end;
    if (from == end || (from > 0 && is_word_of(t, from - 1, mention)))
      continue;
    struct slice name = plan_text_span(t, from, end + 1);
    if (is_listed_name(j, name))
      continue;
    char text[sizeof j->unlisted];
    snprintf(text, sizeof text, "%.*s", (int)name.len, name.data);
    j->several |= *j->unlisted && strcasecmp(j->unlisted, text) != 0;
    if (!*j->unlisted) {
      memcpy(j->unlisted, text, sizeof text);
      memcpy(j->first, t->token[from].fold, sizeof j->first);
    }
  }
}

static void judge_line(struct judged *j, struct slice line) {
  struct plan_text *t = xmalloc(sizeof *t);
  plan_text_read(t, line);
  if (t->count && !listed_in_line(j, t))
    unlisted_in_line(j, t);
  free(t);
}

/* ---- the lines ---- */

static struct slice bare_line(const char *s, size_t n) {
  while (n && strchr(" \t\r#*_>-", *s))
    s++, n--;
  while (n && strchr(" \t\r#*_", s[n - 1]))
    n--;
  return slice_of(s, n);
}

/* Rows of tables, and sender and recipients of a mail, who needn't be its subject. */
static int is_no_head(struct slice line) {
  static const char *const lines[] = {DOCUMENT_WORDS_ADDRESS, NULL};
  if (!line.len || line.data[0] == '|')
    return 1;
  for (int i = 0; lines[i]; i++)
    if (slice_begins_nocase(line, lines[i]) && line.len > strlen(lines[i]) &&
        line.data[strlen(lines[i])] == ':')
      return 1;
  return 0;
}

/* The first sentence of prose. */
static struct slice first_sentence(struct slice line) {
  size_t n = line.len < HEAD_PROSE ? line.len : HEAD_PROSE;
  for (size_t i = 24; i + 2 < n; i++)
    if (line.data[i] == '.' && line.data[i + 1] == ' ' && isupper((unsigned char)line.data[i + 2]) &&
        islower((unsigned char)line.data[i - 1]) && islower((unsigned char)line.data[i - 2]))
      n = i;
  return slice_of(line.data, n);
}

/* A long line, or a sentence: its full stop isn't that of a legal form, "The Buckle, Inc." */
static int is_prose_line(struct slice line) {
  static const char *const forms[] = {LEGAL_FORMS_OWN, NULL};
  size_t end = line.len - 1, start = end;
  if (line.len > HEAD_LINE || line.data[end] != '.')
    return line.len > HEAD_LINE;
  while (start && isalpha((unsigned char)line.data[start - 1]))
    start--;
  return !slice_among_nocase(slice_of(line.data + start, end - start), forms);
}

static void judge_head(struct judged *j) {
  struct slice text = j->ask->text;
  size_t lines = 0;
  while (text.len && lines < HEAD_LINES) {
    struct slice whole = slice_cut(&text, '\n'), line = bare_line(whole.data, whole.len);
    if (is_no_head(line))
      continue;
    int prose = is_prose_line(line);
    if (prose && lines)
      return;
    j->prose = prose;
    judge_line(j, prose ? first_sentence(line) : line);
    j->prose = 0;
    lines++;
    if (prose)
      return;
  }
}

/* "Marvell_investor-day.pptx" as "Marvell investor day" */
static void judge_name(struct judged *j) {
  char name[256];
  struct slice from = j->ask->name;
  const char *dot = from.len ? memrchr(from.data, '.', from.len) : NULL;
  size_t n = dot ? (size_t)(dot - from.data) : from.len;
  n = n < sizeof name ? n : sizeof name - 1;
  for (size_t i = 0; i < n; i++)
    name[i] = strchr("_-+.", from.data[i]) ? ' ' : from.data[i];
  if (n)
    judge_line(j, slice_of(name, n));
}

/* ---- the decision ---- */

/* Whether the text uses an ordinary word as a name, not in its own meaning. */
static int is_used_as_name(const struct judged *j, const struct candidate *c) {
  unsigned capital, small;
  if (!*c->word)
    return 1;
  document_census_word(j->ask->text, c->word, &capital, &small);
  return small == 0 && document_census_of(&j->census, c->company) > 0;
}

/* The most frequent company besides `own`. */
static unsigned most_of_others(const struct document_census *c, uint32_t own) {
  unsigned most = 0;
  for (size_t i = 0; i < c->companies; i++)
    if (c->company[i] != own && c->count[i] > most)
      most = c->count[i];
  return most;
}

/* The candidate that the document is about, or NULL. */
static const struct candidate *chosen(const struct judged *j) {
  const struct candidate *best = NULL;
  unsigned count = 0;
  for (size_t i = 0; i < j->candidates; i++) {
    unsigned n = document_census_of(&j->census, j->candidate[i].company);
    if (!best || n > count)
      best = &j->candidate[i], count = n;
  }
  if (!best || !is_used_as_name(j, best))
    return NULL;
  unsigned others = most_of_others(&j->census, best->company);
  if (j->candidates > 1 || best->wrote)
    return count >= (best->wrote ? 2u : 3u) && count >= 2 * others ? best : NULL;
  return others < 2 || others <= count ? best : NULL;
}

/* A company that isn't on the list: others together must not be named more often. */
static int is_about_unlisted(const struct judged *j) {
  unsigned capital, small, others = 0;
  if (!*j->unlisted || j->several)
    return 0;
  document_census_word(j->ask->text, j->first, &capital, &small);
  for (size_t i = 0; i < j->census.companies; i++)
    others += j->census.count[i];
  return others < 2 || others <= capital;
}

static void take_listed(const struct judged *j, const struct candidate *c, struct metadata *m) {
  struct directory_company company = directory_company(j->p->directory, c->company);
  const char *comma = company.tickers.len ? memchr(company.tickers.data, ',', company.tickers.len) : NULL;
  char cik[16];
  snprintf(cik, sizeof cik, "%u", (unsigned)company.cik);
  metadata_set(m, METADATA_COMPANY, company.name);
  metadata_set(
      m, METADATA_TICKER,
      slice_of(company.tickers.data, comma ? (size_t)(comma - company.tickers.data) : company.tickers.len));
  metadata_set_cik(m, slice_str(cik));
}

static struct slice counted_text(struct slice text) {
  return slice_of(text.data, text.len < CENSUS ? text.len : CENSUS);
}

int document_company_find(const struct planner *p, const struct document_company_ask *ask,
                          struct metadata *m) {
  struct document_company_ask own = {counted_text(ask->text), ask->title, ask->name};
  struct judged j = {.p = p, .ask = &own};
  judge_head(&j);
  if (ask->title.len)
    judge_line(&j, ask->title);
  judge_name(&j);
  if (!j.candidates && !*j.unlisted)
    return 0;
  document_census_add(&j.census, p->directory, p->words, own.text);
  const struct candidate *c = chosen(&j);
  if (c)
    take_listed(&j, c, m);
  else if (!j.candidates && is_about_unlisted(&j))
    metadata_set(m, METADATA_COMPANY, slice_str(j.unlisted));
  return *metadata_get(m, METADATA_COMPANY) != '\0';
}

int document_company_is_doubtful(const struct planner *p, struct slice text, const char *company) {
  struct document_census census = {.companies = 0};
  struct plan_company listed;
  unsigned others, own, small;
  uint32_t number = UINT32_MAX;
  struct plan_text *t = xmalloc(sizeof *t);
  text = counted_text(text);
  plan_text_read(t, slice_str(company));
  document_census_word(text, t->count ? t->token[0].fold : "", &own, &small);
  free(t);
  document_census_add(&census, p->directory, p->words, text);
  if (plan_company_is_listed(p, slice_str(company), &listed))
    number = (uint32_t)strtoul(listed.cik, NULL, 10);
  others = most_of_others(&census, number);
  return others >= 2 && others > own;
}

/* ---- resolves the company of a job that reaches bid-fetch without a plan ---- */

#define LIST_BYTES ((size_t)64 << 20)

/* The tables of bid-plan: those shipped, and the SEC's list where the cache has a newer one. */
static void typed_open(struct query_typed *t) {
  struct error_text why;
  t->opened = 1;
  buf_init(&t->list, LIST_BYTES);
  plan_init(&t->plan);
  t->planner = planner_open(&why);
  if (t->planner && company_list_cached(planner_date(t->planner), &t->list) == 0)
    planner_add_list(t->planner, buf_slice(&t->list));
}

/* NULL where the name is to be looked up. */
static const struct plan_company *typed_company(struct query_typed *t, const char *name) {
  struct slice entity = slice_str(name);
  struct plan_request ask = {.entities = &entity, .entity_count = 1};
  struct error_text why;
  if (!t->opened)
    typed_open(t);
  if (!t->planner || plan_make(t->planner, &ask, &t->plan, &why) != 0 || t->plan.company_count != 1)
    return NULL;
  const struct plan_company *company = &t->plan.companies[0];
  int named = company->how == PLAN_NAME || company->how == PLAN_ALIAS || company->how == PLAN_FORMER;
  return named ? company : NULL;
}

void query_typed_company(struct query_typed *t, const char *name, struct buf *out) {
  const struct plan_company *company = typed_company(t, name);
  if (!company)
    return;
  buf_add_char(out, '{');
  json_cstr(out, "cik", company->cik);
  if (company->ticker.len)
    json_str(out, "ticker", company->ticker);
  else
    json_raw(out, "ticker", slice_str("null"));
  json_str(out, "name", company->name);
  buf_add_char(out, '}');
}

void query_typed_release(struct query_typed *t) {
  if (!t->opened)
    return;
  plan_release(&t->plan);
  planner_free(t->planner);
  buf_release(&t->list);
}
