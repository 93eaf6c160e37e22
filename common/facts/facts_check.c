#include "facts/facts.h"

#include "facts/chart.h"
#include "facts/fact_period.h"
#include "period/period_when.h"

const char *const facts_formats[] = {"table", "json", "csv", "markdown", "html", "auto", NULL};

/* Operators stand between words, with blanks around them. */
static int facts_is_formula(const char *text) {
  int lacks = 1, open = 0; /* a word is expected; brackets */
  for (const char *p = text; *p && open >= 0; p++)
    open += (*p == '(') - (*p == ')');
  if (open)
    return 0;
  for (size_t n; *(text += strspn(text, " ")); text += n) {
    n = strcspn(text, " ");
    int operator= n == 1 && strchr("+-*/", *text);
    if (operator&& lacks)
      return 0;
    lacks = operator;
  }
  return !lacks;
}

/* The first operand that can't be a figure, or NULL. */
static const char *facts_bad_operand(const struct facts_options *o) {
  for (size_t i = 0; i < o->operands.count; i++)
    if (!facts_is_formula(o->operands.items[i]))
      return o->operands.items[i];
  return NULL;
}

/* No option names a company: the first of several words may be its name. */
static void facts_say_company(const struct facts_options *o, struct buf *why) {
  buf_add_str(why, "name a company with -e, or use --fred, --from or --screen");
  if (o->operands.count > 1)
    buf_printf(why, "; if '%s' is one: -e '%s' '%s'", o->operands.items[0], o->operands.items[0],
               o->operands.items[1]);
  else if (o->operands.count && o->statement)
    buf_printf(why, "; if '%s' is one: -e '%s' --statement %s", o->operands.items[0], o->operands.items[0],
               o->statement);
}

void facts_check(const struct facts_options *o, struct buf *why) {
  struct fact_period period;
  char day[PERIOD_WHEN];
  if (o->annual + o->quarterly + o->trailing > 1)
    buf_add_str(why, "of --annual, --quarterly and --ttm only one goes");
  else if (o->csv + o->markdown + (o->format != NULL) + (o->plot != NULL) > 1)
    buf_add_str(why, "of --csv, --markdown, --format and --plot only one goes");
  else if (!o->operands.count && !o->statement && !o->screen && !o->for_plan)
    buf_add_str(why, o->fred ? "name a FRED series, such as GDP" : "name a concept, such as revenue");
  else if (facts_bad_operand(o))
    buf_printf(why, "'%s' is neither a concept nor a formula such as 'net income / revenue'",
               facts_bad_operand(o));
  else if (!o->fred && !o->entities.count && !o->files.count && !o->screen && !o->for_plan)
    facts_say_company(o, why);
  else if (o->period && !o->fred && fact_period_parse(&period, o->period))
    buf_printf(
        why,
        "--period: '%s' is none of FY-2024, Q3-2024, H1-2024, CY2024, CY2024Q1, 2024, 2019..2021, DAY..DAY",
        o->period);
  else if (o->as_of && period_when(o->as_of, PERIOD_LAST, day))
    buf_printf(why, "--as-of: '%s' is no day, month or year such as 2024-06-30", o->as_of);
  else if (o->since && period_when(o->since, PERIOD_FIRST, day))
    buf_printf(why, "--since: '%s' is neither a day, a month or year, nor a span such as 3years", o->since);
  else if (o->screen && !o->period)
    buf_add_str(why, "--screen wants a period: -p 2024 or -p CY2024Q1");
  else if (o->limit == 0)
    buf_add_str(why, "--limit: 0 is less than 1");
  else if (o->plot && (o->statement || o->segments || o->screen))
    buf_add_str(why, "--plot draws figures, such as revenue, not --statement, --segments or --screen");
  else if (o->plot)
    chart_check(o->plot, why);
}
