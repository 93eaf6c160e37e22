/* plan_companies.c: the companies of a plan: given, or named by the question; unknown names. */
#include "query/planner.h"

#include "query/mentions.h"
#include "query/plan.h"
#include "tables/acquisitions.h"
#include "tables/company_talk.h"

#include <stdio.h>
#include <stdlib.h>

#define ASKED_MOST 8 /* of the largest companies: with the eleventh, "Visa requirements" is Visa's */
#define SURELY_KNOWN                                                                                         \
  300 /* a word in small letters is one of the largest companies by the score of other words */
#define FIGURE_LETTERS 9 /* of an abbreviation: EV/EBITDA has eight */
#define DOUBT 1.6        /* as in mention_lists.c: a smaller ratio between two companies is ambiguous */

/* ---- companies ---- */

/* Since when the company of that name is part of this one; NULL where it is none of these. */
static const char *part_since(struct slice matched, uint32_t cik) {
  static const struct {
    const char *name;
    uint32_t cik;
    const char *day;
  } parts[] = {ACQUISITIONS_PART};
  struct plan_text *t = xmalloc(sizeof *t);
  char key[96];
  const char *day = NULL;
  plan_text_read(t, matched);
  directory_key(t, 0, t->count, 1, key, sizeof key);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && !day; i++)
    day = parts[i].cik == cik && strcmp(parts[i].name, key) == 0 ? parts[i].day : NULL;
  free(t);
  return day;
}

static void fill_company(const struct planner *p, const struct mention *found, struct slice matched,
                         struct plan_company *out) {
  memset(out, 0, sizeof *out);
  struct directory_company c = directory_company(p->directory, found->company);
  const char *comma = c.tickers.len ? memchr(c.tickers.data, ',', c.tickers.len) : NULL;
  snprintf(out->cik, sizeof out->cik, "%010u", c.cik);
  out->ticker = slice_of(c.tickers.data, comma ? (size_t)(comma - c.tickers.data) : c.tickers.len);
  out->name = c.name;
  out->matched = matched;
  out->how = found->how;
  out->asked = 0;
  if (found->how == PLAN_ALIAS || found->how == PLAN_FORMER)
    out->since = part_since(matched, c.cik);
  double odds = found->score > 6 ? 6 : found->score;
  out->sure = 1 - 0.5 / (1 + odds * odds / 2);
  if (found->how == PLAN_TYPO && out->sure > 0.8)
    out->sure = 0.8;
}

/* A number that is on no list: the given digits, padded to ten. */
static void fill_given(struct slice text, struct plan_company *out) {
  unsigned long long number = 0;
  memset(out, 0, sizeof *out);
  for (size_t i = 0; i < text.len; i++)
    if (text.data[i] >= '0' && text.data[i] <= '9')
      number = number * 10 + (unsigned long long)(text.data[i] - '0');
  snprintf(out->cik, sizeof out->cik, "%010llu", number % 10000000000ull);
  out->matched = text;
  out->how = PLAN_GIVEN;
  out->sure = 1;
}

static void put_company(const struct planner *p, const struct mention *found, struct slice matched,
                        struct plan_company *list, size_t *count, size_t max) {
  struct plan_company c;
  if (found->how == PLAN_GIVEN)
    fill_given(matched, &c);
  else
    fill_company(p, found, matched, &c);
  c.by_part = found->how == PLAN_ALIAS && (found->way == WAY_BRAND || found->way == WAY_PERSON);
  for (size_t i = 0; i < *count; i++)
    if (strcmp(list[i].cik, c.cik) == 0) {
      list[i].sure = c.sure > list[i].sure ? c.sure : list[i].sure;
      return;
    }
  if (*count < max)
    list[(*count)++] = c;
}

/* Rejects an ambiguous name: *why lists the candidates, most likely first. */
static int refuse_doubt(struct plan_work *w, const struct mention *found, struct slice text,
                        struct error_text *why) {
  struct plan *plan = w->plan;
  struct buf names;
  buf_init(&names, 400);
  plan->sure_count = plan->company_count;
  plan->company_count = plan->candidate_count = 0;
  plan->doubtful = text;
  for (size_t i = 0; i < found->rival_count; i++) {
    struct mention one = *found;
    one.company = found->rivals[i];
    one.score = 0.5 / (double)(i + 1);
    put_company(w->planner, &one, text, plan->candidates, &plan->candidate_count, PLAN_CANDIDATES);
  }
  for (size_t i = 0; i < plan->candidate_count && i < 4; i++) {
    const struct plan_company *c = &plan->candidates[i];
    buf_printf(&names, "%s%.*s (%.*s)", i ? ", " : "", (int)c->name.len, c->name.data,
               c->ticker.len ? (int)c->ticker.len : 10, c->ticker.len ? c->ticker.data : c->cik);
  }
  error_set(why, "'%.*s' may mean %s: give a ticker or a CIK", (int)(text.len < 80 ? text.len : 80),
            text.data, names.len ? names.data : "several companies");
  buf_release(&names);
  return -1;
}

/* Rejects an unknown name and suggests similar names and tickers. */
static int refuse_unknown(struct plan_work *w, struct slice name, struct error_text *why) {
  struct plan *plan = w->plan;
  const char *identifier = plan_identifier_kind(name);
  struct mention near;
  struct buf offer;
  const char *date = planner_date(w->planner);
  buf_init(&offer, 400);
  plan->doubtful = plan_near_resolve(w->planner->directory, name, &near) ? name : slice_of(NULL, 0);
  for (size_t i = 0; i < near.rival_count; i++) {
    struct mention one = near;
    one.company = near.rivals[i];
    one.how = PLAN_TYPO;
    one.score = 0.5 / (double)(i + 1);
    put_company(w->planner, &one, name, plan->candidates, &plan->candidate_count, PLAN_CANDIDATES);
  }
  for (size_t i = 0; i < plan->candidate_count && i < 3; i++)
    buf_printf(&offer, "%s%.*s (%.*s)", i ? ", " : "; nearly: ", (int)plan->candidates[i].ticker.len,
               plan->candidates[i].ticker.data, (int)plan->candidates[i].name.len,
               plan->candidates[i].name.data);
  if (name.len == 0) {
    error_set(why, "the company is empty: give a ticker, a CIK or a name");
    plan->refused = 1;
    return -1;
  }
  if (plan->unknown_count < PLAN_UNKNOWN)
    plan->unknown[plan->unknown_count++] = name;
  if (identifier)
    error_set(why, "'%.*s' is %s: give the company's ticker, CIK or name", (int)name.len, name.data,
              identifier);
  else
    error_set(why,
              "no company is called '%.*s' on the SEC's list of %s: give a ticker, a CIK or another name%s",
              (int)(name.len < 80 ? name.len : 80), name.data, date[0] ? date : "companies",
              offer.len ? offer.data : "");
  buf_release(&offer);
  return -1;
}

int plan_company_is_listed(const struct planner *p, struct slice name, struct plan_company *company) {
  struct mention found;
  size_t count = 0;
  if (plan_resolve_listed(p, name, &found) == 1)
    put_company(p, &found, name, company, &count, 1);
  return count == 1;
}

int plan_company_of_cik(const struct planner *p, const char *cik, struct plan_company *company) {
  struct mention found = {.how = PLAN_NAME, .score = 10, .company = (uint32_t)strtoul(cik, NULL, 10)};
  if (!directory_has(p->directory, found.company))
    return 0;
  fill_company(p, &found, slice_of(NULL, 0), company);
  return 1;
}

int plan_companies_give(struct plan_work *w, struct slice name, int is_first, struct error_text *why) {
  const struct planner *p = w->planner;
  struct mention found;
  struct slice text = name;
  int result = plan_resolve_company(p, name, &found);
  for (size_t i = 0; result == 0 && is_first && i < w->ask->alias_count; i++) {
    text = w->ask->aliases[i];
    result = plan_resolve_company(p, text, &found);
  }
  if (result < 0)
    return refuse_doubt(w, &found, text, why);
  if (result > 0) {
    put_company(p, &found, text, w->plan->companies, &w->plan->company_count, PLAN_COMPANIES);
    return 0;
  }
  return refuse_unknown(w, name, why);
}

static int is_content(const struct plan_work *w, size_t i) {
  const struct plan_token *token = &w->text.token[i];
  return token->letters >= 2 && !(w->word[i].kinds & KIND_FUNCTION) && !w->taken[i];
}

/* Whether capitals mark names in this text: some words inside sentences have them, and most don't. */
static int capitals_tell(const struct plan_work *w) {
  size_t capital = 0, small = 0, mixed = 0, grammar = 0;
  for (size_t i = 0; i < w->text.count; i++) {
    const struct plan_token *token = &w->text.token[i];
    grammar += (w->word[i].kinds & KIND_FUNCTION) && !token->first_capital;
    if (!is_content(w, i) || (token->gap & GAP_SENTENCE))
      continue;
    capital += token->first_capital;
    small += !token->first_capital;
    mixed += token->first_capital && token->capitals < token->letters &&
             !(token->letters > 2 && token->capitals + 1 == token->letters); /* "RSUs" */
  }
  if (small == 0) /* "Impact of Apple's ATT on Snap" */
    return mixed > 0 && grammar > 0 && capital <= 3;
  return mixed > 0 && capital <= 3 * small;
}

static int is_telegraphic(const struct plan_work *w) {
  size_t function = 0;
  for (size_t i = 0; i < w->text.count; i++)
    function += (w->word[i].kinds & KIND_FUNCTION) != 0;
  struct slice text = w->ask->question;
  return w->text.count > 1 && !(w->word[0].kinds & KIND_FUNCTION) && function * 3 <= w->text.count &&
         text.len && text.data[text.len - 1] != '?';
}

/* Letters on both sides of "&" or "/" are one word for a figure: "R&D", "P/E". */
static void read_abbreviation(struct plan_work *w, size_t i) {
  const struct plan_token *t = w->text.token;
  int amp = i > 1 && t[i - 1].amp && t[i - 1].gap == 0 && t[i].gap == 0;
  size_t first = i > 0 ? i - 1 - (size_t)amp : 0;
  char whole[2 * PLAN_FOLD];
  if (i == 0 || !(amp || t[i].gap == GAP_SLASH) || t[first].len + t[i].len > FIGURE_LETTERS)
    return;
  snprintf(whole, sizeof whole, "%s%s", t[first].fold, t[i].fold);
  unsigned kind = plan_words_kinds(w->planner->words, whole) & KIND_FIGURE;
  w->word[first].kinds |= (uint16_t)kind;
  w->word[i].kinds |= (uint16_t)kind;
}

void plan_companies_read_signs(struct plan_work *w) {
  struct mention_text *m = &w->m;
  *m = (struct mention_text){.directory = w->planner->directory,
                             .words = w->planner->words,
                             .t = &w->text,
                             .taken = w->taken,
                             .word = w->word,
                             .trades = w->planner->trades,
                             .trade = w->trade,
                             .senses = w->planner->senses,
                             .signs = w->ask->signs};
  for (size_t i = 0; i < w->text.count; i++) {
    w->word[i] = plan_words_of(w->planner->words, w->text.token[i].fold);
    w->trade[i] = plan_trades_of_word(w->planner->trades, w->text.token[i].fold);
    if (w->text.token[i].bare < w->text.token[i].len) {
      char bare[PLAN_FOLD];
      snprintf(bare, sizeof bare, "%.*s", w->text.token[i].bare, w->text.token[i].fold);
      struct plan_word other = plan_words_of(w->planner->words, bare);
      if (other.ordinary && !w->word[i].ordinary)
        w->word[i].ordinary = other.ordinary;
      w->word[i].name = w->word[i].name ? w->word[i].name : other.name;
    }
    read_abbreviation(w, i);
  }
  for (size_t i = 0; i < w->text.count; i++) {
    m->period |= w->taken[i] != 0;
    m->vocabulary += w->taken[i] == TAKEN_PERIOD || (w->word[i].kinds & (KIND_FIGURE | KIND_TOPIC)) ||
                     (w->taken[i] == TAKEN_FORM && (i == 0 || w->taken[i - 1] != TAKEN_FORM));
    m->compares |= (w->word[i].kinds & KIND_COMPARE) != 0 && (w->word[i].kinds & KIND_FUNCTION) == 0 &&
                   strcmp(w->text.token[i].fold, "against") != 0;
  }
  m->capitals_tell = capitals_tell(w);
  m->telegraphic = is_telegraphic(w);
}

static void note_mention(struct plan_work *w, const struct mention *a, const char *what) {
  struct slice text = plan_text_span(&w->text, a->from, a->to),
               name = directory_company(w->planner->directory, a->company).name;
  buf_printf(&w->plan->notes, "'%.*s' names %.*s (%s, %.1f; next one %.1f less; subject %.1f): %s\n",
             (int)text.len, text.data, (int)name.len, name.data, plan_how_name(a->how), a->score, a->margin,
             a->subject, what);
}

#define SUBJECT_CLEAR 1.4 /* it begins the question, or has what is asked for; "payments to Apple" has less */

/* Adds a company that is no subject: unless the caller gave others, a counterparty. */
static void put_other(struct plan_work *w, const struct mention *a, struct slice text, int given) {
  struct plan *plan = w->plan;
  size_t before = plan->other_count;
  put_company(w->planner, a, text, plan->others, &plan->other_count, PLAN_COMPANIES);
  if (!given || plan->other_count == before || a->subject < SUBJECT_CLEAR || w->m.compares ||
      w->when.form == FORM_HOLDINGS)
    return; /* a list of holdings is of other companies */
  struct plan_company *other = &plan->others[before];
  other->asked = 1;
  for (size_t i = 0; i < plan->company_count; i++)
    if (strcmp(plan->companies[i].cik, other->cik) == 0)
      other->asked = 0;
}

/* A lower score is enough for the largest companies, which are asked about most, and where a form is named,
 * since somebody must have filed it; a higher one where nothing but the score tells a name from ordinary words. */
static double sure_from(const struct plan_work *w, const struct mention *a) {
  int asked = directory_company(w->planner->directory, a->company).rank < ASKED_MOST;
  if (asked || w->plan->forms_named)
    return MENTION_MAYBE;
  int small = a->to == a->from + 1 && w->text.token[a->from].capitals == 0 && !w->m.period &&
              directory_company(w->planner->directory, a->company).rank >= SURELY_KNOWN;
  if (a->rare)
    return w->m.vocabulary ? MENTION_MAYBE : MENTION_SURE;
  return !a->printed   ? MENTION_SURE
         : small       ? MENTION_SURE_SMALL
         : a->ordinary ? MENTION_SURE_WORD
                       : MENTION_SURE;
}

int plan_companies_ask(struct plan_work *w, struct error_text *why) {
  struct plan *plan = w->plan;
  const struct mention *doubtful = NULL;
  int given = plan->company_count > 0;
  mentions_find(&w->m, &w->found);
  mention_subjects_weigh(&w->m, &w->found);
  for (size_t i = 0; i < w->found.count; i++) {
    const struct mention *a = &w->found.list[i];
    struct slice text = plan_text_span(&w->text, a->from, a->to);
    int is_subject = mention_is_subject(&w->found, i) && !(given && !w->m.compares),
        sure = a->margin >= DOUBT && a->score > sure_from(w, a);
    note_mention(w, a, !is_subject ? "not the subject" : sure ? "a subject" : "in doubt");
    if (is_subject && !sure && (doubtful == NULL || doubtful->score <= MENTION_SURE))
      doubtful = a;
    else if (is_subject && sure)
      put_company(w->planner, a, text, plan->companies, &plan->company_count, PLAN_COMPANIES);
    else if (sure)
      put_other(w, a, text, given);
    if (a->aside == ASIDE_OPEN &&
        plan->unknown_count < PLAN_UNKNOWN) /* the subject is whoever has that relation to it */
      plan->unknown[plan->unknown_count++] = plan_text_span(&w->text, 0, a->to);
    memset(w->taken + a->from, TAKEN_COMPANY, a->to - a->from);
  }
  if (doubtful && !given && (plan->company_count == 0 || doubtful->score > MENTION_SURE))
    return refuse_doubt(w, doubtful, plan_text_span(&w->text, doubtful->from, doubtful->to), why);
  return 0;
}

/* ---- unknown names ---- */

/* Whether token i looks like part of a name. */
static int looks_like_name(const struct plan_work *w, size_t i) {
  const struct plan_token *token = &w->text.token[i];
  const struct plan_word *word = &w->word[i];
  static const char *const exchanges[] = {COMPANY_TALK_EXCHANGE_BEFORE, NULL};
  if (plan_word_in(token->fold, exchanges) >= 0 && i + 1 < w->text.count &&
      (w->text.token[i + 1].gap & GAP_LABEL))
    return 0;
  if (w->taken[i] || token->letters < 2 || (word->kinds & ~(unsigned)(KIND_GENERIC | KIND_LEGAL)))
    return 0;
  if (word->ordinary == 0 && word->name == 0 && word->capital == 0 && token->letters >= 4 &&
      token->digits == 0)
    return 1;
  return token->first_capital && w->m.capitals_tell && (!(token->gap & GAP_SENTENCE) || word->ordinary == 0);
}

static void note_left_out(struct plan_work *w, const struct mention *a) {
  struct plan *plan = w->plan;
  struct slice text = plan_text_span(&w->text, a->from, a->to);
  note_mention(w, a, "taken for ordinary words");
  for (size_t i = 0; i < plan->unknown_count; i++)
    if (text.data < plan->unknown[i].data + plan->unknown[i].len &&
        plan->unknown[i].data < text.data + text.len)
      return;
  if (plan->unknown_count < PLAN_UNKNOWN)
    plan->unknown[plan->unknown_count++] = text;
}

void plan_companies_add_left_out(struct plan_work *w) {
  for (size_t i = 0; i < w->found.left_out_count && w->plan->company_count == 0; i++)
    note_left_out(w, &w->found.left_out[i]);
}

void plan_companies_find_unknown(struct plan_work *w) {
  struct plan *plan = w->plan;
  size_t open = plan->unknown_count;
  if (plan->company_count > 0)
    return;
  for (size_t i = 0; i < w->text.count; i++) {
    size_t from = i, to = i;
    while (to < w->text.count && looks_like_name(w, to) &&
           (to == from || !(w->text.token[to].gap & (GAP_COMMA | GAP_STOP | GAP_SENTENCE))))
      to++;
    if (to == from)
      continue;
    if (from > 0 && !(w->text.token[from].gap & GAP_STOP) && (w->text.token[from - 1].gap & GAP_SENTENCE) &&
        w->text.token[from - 1].first_capital && !w->taken[from - 1] && w->word[from - 1].kinds == 0 &&
        w->text.token[from].first_capital && !(w->text.token[from].gap & GAP_COMMA))
      from--; /* "Acme Widgets" */
    if (plan->unknown_count < PLAN_UNKNOWN)
      plan->unknown[plan->unknown_count++] = plan_text_span(&w->text, from, to);
    i = to - 1;
  }
  plan->unknown_names = plan->unknown_count > open ? plan->unknown_count : 0;
}
