#include "verify/claim_signs.h"
#include "tables/changes.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- poles: profit and loss, cash inflow and outflow ---- */

/* 1 for a word of profit at byte i of a text, -1 for one of loss, else 0. */
static int pole_at(struct slice t, size_t i) {
  static const char *const none[] = {"income tax", "operating activities", NULL};
  static const char *const up[] = {CHANGES_PROFIT, NULL};
  static const char *const down[] = {CHANGES_LOSS, NULL};
  struct slice rest = slice_of(t.data + i, t.len - i);
  if (i && isalpha((unsigned char)t.data[i - 1]))
    return 0;
  for (int k = 0; none[k]; k++)
    if (slice_begins_nocase(rest, none[k]))
      return 0;
  for (int k = 0; up[k]; k++)
    if (slice_begins_nocase(rest, up[k]))
      return 1;
  for (int k = 0; down[k]; k++)
    if (slice_begins_nocase(rest, down[k]))
      return -1;
  return 0;
}

/* The only pole in a text; 0 where it has none or both. *both is set in the latter case. */
static int pole_of(struct slice t, int *both) {
  int up = 0, down = 0;
  for (size_t i = 0; i < t.len; i++) {
    int pole = pole_at(t, i);
    up |= pole > 0;
    down |= pole < 0;
  }
  *both = up && down;
  return up - down;
}

/* The last pole in [from, at). */
static int pole_before(struct slice t, size_t from, size_t at) {
  for (size_t i = at; i-- > from;) {
    int pole = pole_at(t, i);
    if (pole)
      return pole;
  }
  return 0;
}

/* The pole stated for a number of a text: the last one between the previous number and it, or the only one. */
static int pole_told(struct slice t, const struct stated *s, size_t start) {
  size_t from = 0;
  int both;
  for (size_t i = 0; i < s->number_count && s->numbers[i].start < start; i++)
    from = s->numbers[i].end;
  int pole = pole_before(t, from < start ? from : start, start);
  return pole ? pole : pole_of(t, &both);
}

/* Whether the figure's sign is meaningful; "gains" in parentheses may be a deduction. */
static int claim_is_result(const struct evidence_item *found) {
  static const char *const results[] = {"Net income",
                                        "Operating income",
                                        "Income before taxes",
                                        "Gross profit",
                                        "Diluted earnings per share",
                                        "Basic earnings per share",
                                        NULL};
  for (int k = 0; found->whole && results[k]; k++)
    if (slice_is(found->concept->label, results[k]))
      return 1;
  return 0;
}

/* "Foreign exchange (gain)/loss": a figure in parentheses is the gain. */
static int pole_is_bracketed(struct slice name) {
  static const char *const gains[] = {"(gain", "(income)", "(profit", "(earnings)", NULL};
  for (int k = 0; gains[k]; k++)
    if (slice_holds_nocase(name, gains[k]))
      return 1;
  return 0;
}

/* 1 for a profit or inflow, -1 for a loss or outflow, by the name of the line or its heading and the printed value; 0
 * where unknown. */
static int pole_of_line(const struct evidence_item *found) {
  struct slice names[3] = {found->label, found->head, found->under};
  for (int k = 0; k < 3; k++) {
    int both, pole = pole_of(names[k], &both);
    if (pole_is_bracketed(names[k]))
      return found->value < 0 ? 1 : -1;
    if (pole < 0)
      return -1;
    if (both || (pole > 0 && (found->value > 0 || claim_is_result(found))))
      return found->value < 0 ? -1 : 1;
  }
  return 0;
}

static int pole_of_prose(const struct evidence_item *found) {
  struct stated s;
  int both, own = pole_before(found->front, 0, found->front.len);
  own = own ? own : pole_of(found->behind, &both);
  if (own)
    return own;
  numbers_read(&s, found->label, 1);
  int pole = pole_told(found->label, &s, (size_t)(found->printed.data - found->label.data));
  numbers_release(&s);
  return pole;
}

/* What the words next to a number tell: poles between the number before and it, else up to the next one, else of the
 * sentence. */
static void pole_near(const struct claim_view *v, const char *const *more, int *up, int *down) {
  const struct stated *s = &v->s->stated;
  struct slice t = v->s->text;
  size_t k = (size_t)(v->n - s->numbers), from = k ? s->numbers[k - 1].end : 0;
  size_t next = k + 1 < s->number_count ? s->numbers[k + 1].start : t.len, to = v->n->end;
  struct slice places[] = {slice_of(t.data + from, v->n->start > from ? v->n->start - from : 0),
                           slice_of(t.data + to, next > to ? next - to : 0), t};
  *up = *down = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places && !*up && !*down; i++) {
    int both, pole = pole_of(places[i], &both);
    *up = both || pole > 0;
    *down = both || pole < 0 || claim_has_word(places[i], more);
  }
}

/* A fact's sign against the sentence: a loss must be told as one. */
static int claim_other_fact_sign(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const negative[] = {CHANGES_NEGATIVE, "credit", NULL};
  static const char *const below[] = {"negative", "outflow", "burn", NULL};
  static const char *const spent[] = {"investing cash", "financing cash", NULL};
  static const char *const cash[] = {"net cash", NULL};
  int up, down, both;
  pole_near(v, negative, &up, &down);
  if (v->n->value < 0 || found->value == 0)
    return found->value > 0;
  if (found->value < 0)
    return !down && (up || !claim_has_word(found->label, spent)) && !claim_has_word(v->s->text, cash);
  if (pole_of(found->label, &both) > 0)
    return down && !up;
  return claim_has_word(found->label, (const char *const[]){"margin", "cash flow", NULL}) &&
         claim_has_word(v->s->text, below);
}

/* A profit that the line calls a loss, an inflow that the line calls an outflow, or the reverse. */
static int claim_other_pole(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const in[] = {"provided", "generated", "freed", "brought in", NULL};
  static const char *const out[] = {"used", "consumed", "tied up", "burned", NULL};
  static const char *const flows[] = {"provided", "generated", "used", "consumed", NULL};
  if (!found->mark)
    return claim_other_fact_sign(v, found);
  if (found->percent || !found->printed.len)
    return 0;
  if (found->in_table && found->flow &&
      !claim_has_word(found->label, flows)) { /* the sign only distinguishes inflow and outflow */
    int came = claim_has_word(v->s->text, in), went = claim_has_word(v->s->text, out);
    return came != went && came != (found->value > 0);
  }
  int is = found->in_table ? pole_of_line(found) : pole_of_prose(found);
  int told = v->n->value < 0 ? -1 : pole_told(v->s->text, &v->s->stated, v->n->start);
  return is && told && is != told;
}

/* "Other expense" for "Other income (expense)". */
static int claim_is_bare_expense(const struct claim_view *v) {
  static const char *const expense[] = {"expense", NULL}, *const income[] = {"income", "gain", NULL};
  return claim_has_word(v->s->text, expense) && !claim_has_word(v->s->text, income);
}

/* Whether both say "improved": then neither tells a way that the other could turn round. */
static int claim_same_better(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const better[] = {CHANGES_BETTER, NULL};
  for (int k = 0; !found->in_table && better[k]; k++)
    if (slice_holds_nocase(v->s->text, better[k]) && slice_holds_nocase(found->label, better[k]))
      return 1;
  return 0;
}

/* "Operating income (loss) was $5": the sentence has the line's name of either sign, and tells the sign by the number alone. */
static int claim_quotes_either(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const either[] = {CHANGES_EITHER_SIGN, NULL};
  for (int k = 0; found->in_table && either[k]; k++)
    if (slice_holds_nocase(found->label, either[k]) && slice_holds_nocase(v->s->text, either[k]))
      return 1;
  return 0;
}

/* For a line of either sign, "Operating (loss) profit" or "Income tax expense (benefit)": the sentence names the
 * other sign, or calls an increase a decrease. */
int claim_other_sign(const struct claim_view *v, const struct evidence_item *found) {
  static const char *const poles[] = {"(loss", "(benefit", "(deficit", "(used", "loss)", NULL};
  static const char *const negative[] = {CHANGES_NEGATIVE, NULL};
  static const char *const expense[] = {"(expense", NULL};
  static const char *const cost[] = {"net cost", "net expense", "negative", "minus",
                                     "cost ",    "loss",        "lost",     NULL};
  int up, down;
  if (claim_quotes_either(v, found))
    return (v->n->value < 0) != (found->value < 0);
  if (v->direction && (found->direction || (found->percent && found->value < 0)) &&
      !claim_same_better(v, found))
    return v->direction != (found->direction ? found->direction : -1);
  if (!found->in_table || found->percent)
    return claim_other_pole(v, found);
  if (claim_has_word(found->label, expense) && !claim_has_word(v->s->text, expense))
    return (v->n->value < 0 || claim_has_word(v->s->text, cost) || claim_is_bare_expense(v)) !=
           (found->value < 0);
  if (!claim_has_word(found->label, poles))
    return claim_other_pole(v, found);
  pole_near(v, negative, &up, &down);
  return (v->n->value < 0 || down) != (found->value < 0);
}
