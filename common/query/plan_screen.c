/* plan_screen.c: reads conditions by their signs: the figure before one, the amount behind it. */
#include "query/plan_screen.h"

#include "tables/figure_words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { RULE_TEXT_MAX = 65536, RULE_DEPTH = 8 };

/* ---- amounts ---- */

enum { NUMBER_DIGITS = 32 };

/* The factor that a word or letter behind a number stands for; 0 where it is another word. */
static double amount_factor(struct slice word) {
  static const struct {
    const char *name;
    double by;
  } known[] = {FIGURE_WORDS_SIZE};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (slice_is_nocase(word, known[i].name))
      return known[i].by;
  return 0;
}

/* The digits from byte i on, without their commas; returns the byte behind them. */
static size_t amount_digits(struct slice text, size_t i, char out[NUMBER_DIGITS]) {
  size_t n = 0;
  if (i < text.len && text.data[i] == '-')
    out[n++] = text.data[i++];
  for (; i < text.len && n + 1 < NUMBER_DIGITS; i++) {
    char c = text.data[i];
    int digit_follows = i + 1 < text.len && isdigit((unsigned char)text.data[i + 1]);
    int power = (c == 'e' || c == 'E') && n && isdigit((unsigned char)out[n - 1]) && digit_follows;
    if (!isdigit((unsigned char)c) && !power && !((c == '.' || c == ',') && digit_follows))
      break;
    if (c != ',')
      out[n++] = c;
  }
  out[n] = '\0';
  return i;
}

/* The unit behind a number that ends at byte i: a percent sign or word, or a word of size. */
static void amount_unit(struct slice text, size_t i, struct plan_amount *n) {
  static const char *const percents[] = {FIGURE_WORDS_PERCENT, NULL};
  while (i < text.len && text.data[i] == ' ')
    i++;
  size_t from = i;
  if (i < text.len && text.data[i] == '%')
    n->percent = 1, i++;
  while (!n->percent && i < text.len && isalpha((unsigned char)text.data[i]))
    i++;
  struct slice word = slice_of(text.data + from, i - from);
  double factor = amount_factor(word);
  n->percent |= slice_among_nocase(word, percents);
  if (n->percent)
    n->value /= 100;
  else if (factor > 0)
    n->value *= factor;
  if (n->percent || factor > 0)
    n->taken = i, n->bare_year = 0;
}

struct plan_amount plan_amount_read(struct slice text) {
  struct plan_amount n = {.value = NAN};
  char digits[NUMBER_DIGITS], *end;
  size_t i = 0;
  while (i < text.len && (text.data[i] == ' ' || text.data[i] == '$'))
    i++;
  size_t behind = amount_digits(text, i, digits);
  double value = strtod(digits, &end);
  if (end == digits || !isfinite(value))
    return n;
  n.value = value;
  n.taken = behind;
  n.bare_year = strlen(digits) == 4 && value >= 1900 && value < 2200;
  amount_unit(text, behind, &n);
  return n;
}

/* ---- words ---- */

/* The position of a word in a text, ignoring case; the text's length where it doesn't occur. */
static size_t rule_word_at(struct slice text, const char *word) {
  size_t n = strlen(word), i = 0;
  while (i + n <= text.len && ((i && isalnum((unsigned char)text.data[i - 1])) ||
                               (i + n < text.len && isalnum((unsigned char)text.data[i + n])) ||
                               strncasecmp(text.data + i, word, n) != 0))
    i++;
  return i + n <= text.len ? i : text.len;
}

/* A condition's sign: its bytes of the text. */
struct rule_sign {
  size_t from, to;
  char op[3]; /* "" for "between" */
};

static struct slice rule_behind(struct slice text, size_t at) {
  return slice_of(text.data + at, text.len - at);
}

static struct slice rule_trim(struct slice s) {
  while (s.len && strchr(" ,;:?.", s.data[0]))
    s = rule_behind(s, 1);
  while (s.len && strchr(" ,;:?.", s.data[s.len - 1]))
    s.len--;
  return s;
}

/* ---- figures ---- */

/* Whether a text is written like the name of a concept: "NetIncomeLoss", "ifrs-full:Revenue". */
static int rule_is_concept(struct slice s) {
  const char *colon = s.len ? memchr(s.data, ':', s.len) : NULL;
  size_t lower = 0;
  if (colon)
    s = rule_behind(s, (size_t)(colon + 1 - s.data));
  for (size_t i = 0; i < s.len; i++) {
    if (!isalnum((unsigned char)s.data[i]))
      return 0;
    lower += islower((unsigned char)s.data[i]) != 0;
  }
  return s.len > 1 && isupper((unsigned char)s.data[0]) && lower > 0;
}

static int rule_is_figure(const struct concept_table *t, struct slice s, int depth) {
  struct slice left, right, inside = concept_formula_inside(s), grown = concept_formula_growth(s);
  if (depth > RULE_DEPTH || !s.len)
    return 0;
  if (inside.len)
    return rule_is_figure(t, inside, depth + 1);
  if (concept_word_find(t, s))
    return 1;
  if (concept_formula_split(s, &left, &right))
    return rule_is_figure(t, left, depth + 1) &&
           (slice_is(right, "days") || rule_is_figure(t, right, depth + 1));
  return grown.len ? rule_is_figure(t, grown, depth + 1) : rule_is_concept(s);
}

/* Removes words from a list at a text's start, or at its end. */
static struct slice rule_strip(struct slice s, const char *const *words, int at_end) {
  for (size_t i = 0; words[i];) {
    size_t n = strlen(words[i]), at = at_end ? s.len - n : 0;
    size_t beside = at_end ? at - 1 : n;
    if (s.len > n && s.data[beside] == ' ' && strncasecmp(s.data + at, words[i], n) == 0) {
      s = rule_trim(at_end ? slice_of(s.data, at) : rule_behind(s, n));
      i = 0;
    } else {
      i++;
    }
  }
  return s;
}

/* Words that may stand between a figure and its sign, or before the total that it is a part of. */
static struct slice rule_figure_end(struct slice s) {
  static const char *const ends[] = {FIGURE_WORDS_LINK, NULL};
  return rule_strip(rule_trim(s), ends, 1);
}

static struct slice rule_total(struct slice s) {
  static const char *const fillers[] = {FIGURE_WORDS_FILLER, NULL};
  return rule_strip(rule_trim(s), fillers, 0);
}

/* "R&D as a share of revenue", "revenue grew", "R&D/revenue": as a formula, in out; else the text itself. */
static void rule_formula(struct slice s, struct buf *out) {
  static const char *const parts[] = {FIGURE_WORDS_PART, NULL}, *const grew[] = {FIGURE_WORDS_GREW, NULL};
  buf_clear(out);
  for (size_t i = 0; parts[i]; i++) {
    size_t at = rule_word_at(s, parts[i]);
    if (at == s.len || at == 0)
      continue;
    struct slice left = rule_figure_end(slice_of(s.data, at)),
                 right = rule_total(rule_behind(s, at + strlen(parts[i])));
    buf_printf(out, "%.*s / %.*s", (int)left.len, left.data, (int)right.len, right.data);
    return;
  }
  struct slice figure = rule_strip(s, grew, 1);
  if (figure.len < s.len) {
    buf_printf(out, "%.*s growth", (int)figure.len, figure.data);
    return;
  }
  for (size_t i = 0; i < s.len; i++) {
    int close = s.data[i] == '/' && i && s.data[i - 1] != ' ' && i + 1 < s.len && s.data[i + 1] != ' ';
    buf_add_str(out, close ? " / " : "");
    if (!close)
      buf_add_char(out, s.data[i]);
  }
}

/* The figure that a text is, or that its words make a formula of; owned, or NULL. */
static char *rule_as_figure(const struct concept_table *t, struct slice s) {
  struct buf formula;
  buf_init(&formula, RULE_TEXT_MAX);
  if (!rule_is_figure(t, s, 0)) {
    rule_formula(s, &formula);
    s = buf_slice(&formula);
  }
  char *found = rule_is_figure(t, s, 0) ? xstrndup(s.data, s.len) : NULL;
  buf_release(&formula);
  return found;
}

/* The figure that a text ends in, as long as possible; owned, or NULL. */
static char *rule_figure(const struct concept_table *t, struct slice text) {
  char *found = NULL;
  text = rule_figure_end(text);
  for (size_t i = 0; i < text.len && !found; i++)
    if (text.data[i] != ' ' && (i == 0 || text.data[i - 1] == ' '))
      found = rule_as_figure(t, rule_behind(text, i));
  return found;
}

/* The figure that a text begins with, as long as possible, and its length in *taken. */
static char *rule_figure_first(const struct concept_table *t, struct slice text, size_t *taken) {
  struct slice begin = rule_total(text);
  char *found = NULL;
  for (size_t n = begin.len; n > 0 && !found; n--) {
    int inside = n < begin.len && isalnum((unsigned char)begin.data[n]);
    if (!inside && !strchr(" ,;:?.", begin.data[n - 1]))
      found = rule_as_figure(t, slice_of(begin.data, n));
    *taken = (size_t)(begin.data - text.data) + n;
  }
  return found;
}

/* ---- signs ---- */

static void rule_take_sign(struct slice text, const char *const *phrases, const char *op,
                           struct rule_sign *best) {
  for (; *phrases; phrases++) {
    size_t n = strlen(*phrases), at = rule_word_at(text, *phrases);
    if (at == text.len || at > best->from || (at == best->from && at + n <= best->to))
      continue;
    *best = (struct rule_sign){at, at + n, ""};
    memcpy(best->op, op, strlen(op) + 1);
  }
}

static const struct {
  const char *const *phrases;
  const char *op;
} rule_signs[] = {{(const char *const[]){FIGURE_WORDS_OVER, NULL}, ">"},
                  {(const char *const[]){FIGURE_WORDS_UNDER, NULL}, "<"},
                  {(const char *const[]){FIGURE_WORDS_LEAST, NULL}, ">="},
                  {(const char *const[]){FIGURE_WORDS_MOST, NULL}, "<="},
                  {(const char *const[]){FIGURE_WORDS_BETWEEN, NULL}, ""}};

/* The first sign of a text; from is text.len where there is none. */
static struct rule_sign rule_find_sign(struct slice text) {
  struct rule_sign best = {text.len, text.len, ""};
  for (size_t i = 0; i < text.len && best.from == text.len; i++)
    if (text.data[i] == '<' || text.data[i] == '>') {
      int equal = i + 1 < text.len && text.data[i + 1] == '=';
      best = (struct rule_sign){i, i + 1 + (size_t)equal, {text.data[i], equal ? '=' : '\0', '\0'}};
    }
  for (size_t i = 0; i < sizeof rule_signs / sizeof *rule_signs; i++)
    rule_take_sign(text, rule_signs[i].phrases, rule_signs[i].op, &best);
  return best;
}

/* ---- conditions ---- */

static void rule_add(struct screen_rules *r, const char *op, const struct plan_amount *n, const char *what) {
  struct screen_rule *rule = &r->list[r->count++];
  *rule =
      (struct screen_rule){.what = xstrndup(what, strlen(what)), .bound = n->value, .percent = n->percent};
  memcpy(rule->op, op, strlen(op) + 1);
}

/* "20% of revenue": of which figure; and "… on R&D", what is a part of it, where *what is NULL.  Returns the bytes taken. */
static size_t rule_read_total(const struct concept_table *t, struct slice behind, char **what) {
  static const char *const into[] = {FIGURE_WORDS_SPENT, NULL};
  size_t taken = 0, more = 0;
  if (!slice_begins_nocase(behind, " of "))
    return 0;
  char *total = rule_figure_first(t, rule_behind(behind, 3), &taken), *part = *what;
  if (!total)
    return 0;
  taken += 3;
  struct slice rest = rule_behind(behind, taken), figure = rule_strip(rule_trim(rest), into, 0);
  if (!part && figure.len < rule_trim(rest).len && (part = rule_figure_first(t, figure, &more)) != NULL)
    taken = (size_t)(figure.data + more - behind.data);
  if (part) {
    struct buf formula;
    buf_init(&formula, RULE_TEXT_MAX);
    buf_printf(&formula, strpbrk(part, "+-*/") ? "( %s ) / %s" : "%s / %s", part, total);
    free(part);
    *what = formula.data;
  }
  free(total);
  return part ? taken : 0;
}

/* Takes the condition whose sign was found; returns the bytes taken, 0 where there is none. */
static size_t rule_read_one(struct screen_rules *r, const struct concept_table *t, struct slice text,
                            const struct rule_sign *sign) {
  struct slice behind = rule_behind(text, sign->to);
  struct plan_amount n = plan_amount_read(behind), to = {.taken = 0};
  char *what = rule_figure(t, slice_of(text.data, sign->from));
  size_t taken = n.taken;
  if (taken && !sign->op[0]) {
    size_t and = rule_word_at(rule_behind(behind, taken), "and");
    to = plan_amount_read(and < 2 ? rule_behind(behind, taken + and+3) : slice_of(NULL, 0));
    taken = to.taken ? taken + and+3 + to.taken : 0;
  }
  if (taken)
    taken += rule_read_total(t, rule_behind(behind, taken), &what);
  if (taken && what && r->count + 1 < SCREEN_RULES + (to.taken == 0)) {
    rule_add(r, sign->op[0] ? sign->op : ">=", &n, what);
    if (to.taken)
      rule_add(r, "<=", &to, what);
  } else {
    taken = 0;
  }
  free(what);
  return taken ? sign->to + taken : 0;
}

/* "Highest gross margin", "top 10 companies by revenue": the companies in order. */
static void rule_read_order(struct screen_rules *r, const struct concept_table *t, struct slice text,
                            struct slice *rest) {
  static const char *const most[] = {FIGURE_WORDS_GREATEST, NULL}, *const least[] = {FIGURE_WORDS_SMALLEST,
                                                                                     NULL};
  struct plan_amount none = {.value = 0};
  struct rule_sign sign = {text.len, text.len, ""};
  rule_take_sign(text, most, ">", &sign);
  rule_take_sign(text, least, "<", &sign);
  size_t taken = 0;
  for (size_t i = sign.to; i < text.len && !r->count; i++) {
    if (text.data[i] == ' ' || text.data[i - 1] != ' ')
      continue;
    char *what = rule_figure_first(t, rule_behind(text, i), &taken);
    if (what)
      rule_add(r, "", &none, what);
    *rest = rule_behind(text, i + taken);
    free(what);
  }
  r->lowest = sign.op[0] == '<';
}

int plan_screen_read(struct screen_rules *r, const struct concept_table *t, struct slice text,
                     struct slice *rest) {
  memset(r, 0, sizeof *r);
  *rest = text;
  for (size_t skipped = 0; r->count < SCREEN_RULES;) {
    struct rule_sign sign = rule_find_sign(rule_behind(*rest, skipped));
    if (sign.from + skipped == rest->len)
      break;
    sign.from += skipped;
    sign.to += skipped;
    size_t taken = rule_read_one(r, t, *rest, &sign);
    *rest = rule_behind(*rest, taken);
    skipped = taken ? 0 : sign.to;
  }
  if (!r->count)
    rule_read_order(r, t, text, rest);
  *rest = rule_trim(*rest);
  return r->count ? 0 : -1;
}

void plan_screen_release(struct screen_rules *r) {
  while (r->count)
    free(r->list[--r->count].what);
}

int plan_screen_holds(const struct screen_rule *rule, double value) {
  if (!rule->op[0])
    return 1;
  if (rule->op[0] == '>')
    return rule->op[1] ? value >= rule->bound : value > rule->bound;
  return rule->op[1] ? value <= rule->bound : value < rule->bound;
}

void plan_screen_write(const struct screen_rules *r, struct buf *out) {
  for (size_t i = 0; i < r->count; i++) {
    const struct screen_rule *rule = &r->list[i];
    buf_printf(out, "%s%s",
               i              ? " and "
               : !rule->op[0] ? (r->lowest ? "lowest " : "highest ")
                              : "",
               rule->what);
    if (rule->op[0])
      buf_printf(out, " %s %.15g%s", rule->op, rule->percent ? 100 * rule->bound : rule->bound,
                 rule->percent ? "%" : "");
  }
}

int plan_screen_of_question(const struct concept_table *t, struct slice question, char *out, size_t size) {
  static const char *const everyone[] = {FIGURE_WORDS_EVERYONE};
  struct screen_rules rules;
  struct slice rest;
  struct buf text;
  int all = 0;
  for (size_t i = 0; i < sizeof everyone / sizeof *everyone; i++)
    all |= rule_word_at(question, everyone[i]) < question.len;
  if (!all)
    return 0;
  buf_init(&text, RULE_TEXT_MAX);
  int read = plan_screen_read(&rules, t, question, &rest) == 0;
  plan_screen_write(&rules, &text);
  read = read && text.len < size;
  snprintf(out, size, "%s", read ? text.data : "");
  plan_screen_release(&rules);
  buf_release(&text);
  return read;
}
