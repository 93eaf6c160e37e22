#include "facts/fact_screen_rows.h"

#include "base/diag.h"
#include "facts/fact_fetch.h"
#include "facts/fact_load.h"
#include "facts/measure_formula.h"
#include "record/error.h"
#include "record/json.h"
#include "record/json_validate.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SCREEN_MAX ((size_t)128 << 20)
enum { SCREEN_DEPTH = 6, SCREEN_ALTERNATIVES = 9 };

struct screen {
  const struct concept_table *table;
  const char *period;
  struct fact_company keep;  /* memory of texts */
  struct buf absent;         /* "NAME, ...": concepts without a frame, for a message */
  struct error_text failure; /* why the first frame that may exist could not be fetched; empty: none failed */
};

/* ---- frames ---- */

static int screen_order(const void *x, const void *y) {
  const struct screen_row *a = x, *b = y;
  return (a->cik > b->cik) - (a->cik < b->cik);
}

static void screen_add(struct screen_rows *r, const struct screen_row *row) {
  if ((r->count & (r->count - 1)) == 0)
    r->rows = xreallocarray(r->rows, r->count ? 2 * r->count : 1, sizeof *r->rows);
  r->rows[r->count++] = *row;
}

static void screen_read_row(struct screen *s, struct screen_rows *r, struct slice concept,
                            struct slice json) {
  struct buf scratch;
  struct screen_row row = {.cik = json_to_int(json_get(json, "cik"), 0), .part_count = 1};
  buf_init(&scratch, 65536);
  row.name = fact_company_keep(&s->keep, json_text(json_get(json, "entityName"), &scratch));
  row.value = json_to_double(json_get(json, "val"), NAN);
  row.parts[0].concept = concept;
  row.parts[0].value = fact_company_keep(&s->keep, json_get(json, "val"));
  row.parts[0].accession = fact_company_keep(&s->keep, json_text(json_get(json, "accn"), &scratch));
  row.parts[0].start = day_parse(json_text(json_get(json, "start"), &scratch));
  row.parts[0].end = day_parse(json_text(json_get(json, "end"), &scratch));
  if (row.cik && isfinite(row.value))
    screen_add(r, &row);
  buf_release(&scratch);
}

static int screen_read(struct screen *s, struct screen_rows *r, struct slice concept, struct slice content) {
  struct slice rows = json_get(content, "rows"), row, unit = json_get(content, "unit");
  struct json_cursor at = {0};
  const char *why;
  size_t where;
  if (json_validate(content.data, content.len, &where, &why) || json_kind(rows) != '[')
    return -1;
  if (json_kind(unit) == '"')
    snprintf(r->unit, sizeof r->unit, "%.*s", (int)unit.len - 2, unit.data + 1);
  while (json_next_element(rows, &at, &row))
    screen_read_row(s, r, concept, row);
  if (r->count)
    qsort(r->rows, r->count, sizeof *r->rows, screen_order);
  return r->count ? 0 : -1;
}

/* Keeps the reason why a frame could not be fetched, unless the SEC answered that it does not exist. */
static void screen_failed(struct screen *s, struct slice records) {
  struct slice error = json_get(records, "error");
  struct buf scratch;
  if (error.len == 0 || s->failure.text[0] ||
      json_is_text(json_get(error, "category"), slice_str(ERROR_NO_CONTENT)))
    return;
  buf_init(&scratch, SCREEN_MAX);
  struct slice message = json_text(json_get(error, "message"), &scratch);
  error_set(&s->failure, "%.*s", (int)(message.len < 200 ? message.len : 200), message.data);
  buf_release(&scratch);
}

static int screen_ask(struct screen *s, struct screen_rows *r, struct slice concept, const char *frame,
                      int per_share) {
  struct buf parameter, records, content;
  struct error_text why;
  buf_init(&parameter, 65536);
  buf_init(&records, SCREEN_MAX);
  buf_init(&content, SCREEN_MAX);
  buf_printf(&parameter, "concept=%.*s", (int)concept.len, concept.data);
  const char *const arguments[] = {"sec-frames", "-P",  parameter.data,
                                   "-p",         frame, "-n",
                                   "1000000",    "-P",  per_share ? "unit=USD/shares" : "unit=USD",
                                   NULL};
  int failed = fact_fetch(arguments, 1, &records, &why) != 0 ||
               fact_load_payload(&s->keep, buf_slice(&records), &content) ||
               screen_read(s, r, concept, buf_slice(&content));
  if (failed)
    screen_failed(s, buf_slice(&records));
  buf_release(&parameter);
  buf_release(&records);
  buf_release(&content);
  return failed ? -1 : 0;
}

/* Fetches the frame of a flow, or of the period's last day. */
static int screen_concept(struct screen *s, struct screen_rows *r, struct slice concept) {
  char frame[32];
  int quarter = strchr(s->period, 'Q') != NULL;
  int per_share = concept.len && memmem(concept.data, concept.len, "PerShare", 8) != NULL;
  memset(r, 0, sizeof *r);
  if (screen_ask(s, r, concept, s->period, per_share) == 0)
    return 0;
  snprintf(frame, sizeof frame, "%.20s%s", s->period, quarter ? "I" : "Q4I");
  if (screen_ask(s, r, concept, frame, per_share) == 0)
    return 0;
  if (!s->failure.text[0])
    buf_printf(&s->absent, "%s%.*s", s->absent.len ? ", " : "", (int)concept.len, concept.data);
  return -1;
}

/* ---- rules ---- */

static int screen_any(struct screen *s, struct screen_rows *r, struct slice what, int depth);

static const struct screen_row *screen_find(const struct screen_rows *r, long long cik) {
  struct screen_row key = {.cik = cik};
  return r->count ? bsearch(&key, r->rows, r->count, sizeof key, screen_order) : NULL;
}

static void screen_merge(struct screen_rows *into, struct screen_rows *from) {
  size_t had = into->count;
  for (size_t i = 0; i < from->count; i++) {
    struct screen_rows before = {into->rows, had, ""};
    if (!screen_find(&before, from->rows[i].cik))
      screen_add(into, &from->rows[i]);
  }
  if (into->count)
    qsort(into->rows, into->count, sizeof *into->rows, screen_order);
  if (!into->unit[0])
    memcpy(into->unit, from->unit, sizeof into->unit);
  free(from->rows);
}

static int screen_word(struct screen *s, struct screen_rows *r, const struct concept_word *word, int depth) {
  struct slice list = word->alternatives, one;
  size_t tried = 0;
  while (tried < SCREEN_ALTERNATIVES && concept_list_next(&list, ',', &one)) {
    struct screen_rows part = {NULL, 0, ""};
    if (one.len > 9 && memcmp(one.data, "ifrs-full", 9) == 0)
      continue;
    if (one.data[0] == '=' && r->count && !list.len)
      continue; /* what remains without the reported figure is not worth two frames */
    tried++;
    int failed = one.data[0] == '=' ? screen_any(s, &part, slice_of(one.data + 2, one.len - 2), depth + 1)
                                    : screen_concept(s, &part, one);
    if (!failed)
      screen_merge(r, &part);
    else
      free(part.rows);
  }
  return r->count ? 0 : -1;
}

static double screen_apply(double a, double b, char sign) {
  return sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : b != 0 ? a / b : NAN;
}

static void screen_combine(struct screen_rows *r, const struct screen_rows *a, const struct screen_rows *b,
                           char sign) {
  for (size_t i = 0; i < a->count; i++) {
    const struct screen_row *with = screen_find(b, a->rows[i].cik);
    struct screen_row row = a->rows[i];
    if (!with || !isfinite(row.value = screen_apply(row.value, with->value, sign)))
      continue;
    for (size_t k = 0; k < with->part_count && row.part_count < SCREEN_PARTS; k++)
      row.parts[row.part_count++] = with->parts[k];
    screen_add(r, &row);
  }
  snprintf(r->unit, sizeof r->unit, "%s", sign == '/' && strcmp(a->unit, b->unit) == 0 ? "pure" : a->unit);
}

static int screen_any(struct screen *s, struct screen_rows *r, struct slice what, int depth) {
  struct slice left, right, inside = measure_formula_inside(what);
  const struct concept_word *word = concept_word_find(s->table, what);
  memset(r, 0, sizeof *r);
  if (depth > SCREEN_DEPTH)
    return -1;
  if (inside.len)
    return screen_any(s, r, inside, depth + 1);
  if (word && islower((unsigned char)what.data[0]))
    return screen_word(s, r, word, depth);
  char sign = measure_split(what, &left, &right);
  if (!sign)
    return screen_concept(s, r, what);
  struct screen_rows a, b = {NULL, 0, ""};
  int failed = screen_any(s, &a, left, depth + 1) || screen_any(s, &b, right, depth + 1);
  if (!failed)
    screen_combine(r, &a, &b, sign);
  free(a.rows);
  free(b.rows);
  return r->count ? 0 : -1;
}

static int screen_parse(struct screen_rule *rule, const char *text) {
  static const char units[] = "%kMBT";
  static const double factors[] = {0.01, 1e3, 1e6, 1e9, 1e12};
  const char *at = strpbrk(text, "<>");
  char *end;
  memset(rule, 0, sizeof *rule);
  if (!at || at == text)
    return -1;
  rule->op[0] = *at;
  rule->op[1] = at[1] == '=' ? '=' : '\0';
  rule->bound = strtod(at + 1 + (at[1] == '='), &end);
  const char *unit = *end ? strchr(units, *end) : NULL;
  if (end == at + 1 || (*end && (!unit || end[1])) || !isfinite(rule->bound))
    return -1;
  rule->bound *= unit ? factors[unit - units] : 1;
  rule->what = slice_of(text, (size_t)(at - text));
  while (rule->what.len && rule->what.data[rule->what.len - 1] == ' ')
    rule->what.len--;
  return rule->what.len ? 0 : -1;
}

static int screen_holds(const struct screen_rule *rule, double value) {
  if (rule->op[0] == '>')
    return rule->op[1] ? value >= rule->bound : value > rule->bound;
  return rule->op[1] ? value <= rule->bound : value < rule->bound;
}

static int screen_larger(const void *x, const void *y) {
  const struct screen_row *a = x, *b = y;
  return a->value != b->value ? (a->value < b->value) - (a->value > b->value)
                              : (a->cik > b->cik) - (a->cik < b->cik);
}

/* Reports that a screen has no result, why, and which data could not be checked. */
static void screen_none(struct program *p, struct screen *s, const char *why) {
  diag_warn("%s%s%s%s%s", why, s->absent.len ? "; there is no frame of " : "",
            s->absent.len ? s->absent.data : "", s->failure.text[0] ? "; one could not be had: " : "",
            s->failure.text);
  program_fail(p, EXIT_NOTHING);
}

static void screen_write(struct program *p, struct screen *s, const struct screen_rule *rule,
                         const char *rule_text, struct screen_rows *r, size_t limit,
                         enum fact_format format) {
  size_t kept = 0, read = r->count;
  for (size_t i = 0; i < r->count; i++)
    if (screen_holds(rule, r->rows[i].value))
      r->rows[kept++] = r->rows[i];
  r->count = kept;
  if (!kept) {
    struct error_text why;
    error_set(&why, "none of the %zu compan%s with such a figure in %s meets '%s'", read,
              read == 1 ? "y" : "ies", s->period, rule_text);
    screen_none(p, s, why.text);
    return;
  }
  qsort(r->rows, kept, sizeof *r->rows, screen_larger);
  limit = limit < kept ? limit : kept;
  fact_screen_write(&p->out.buf, s->period, rule, r, limit, format, p->columns);
}

void fact_screen_run(struct program *p, const struct concept_table *table, const char *rule_text,
                     const char *period, size_t limit, enum fact_format format) {
  struct screen s = {.table = table};
  struct screen_rule rule;
  struct screen_rows rows = {NULL, 0, ""};
  char frame[32];
  snprintf(frame, sizeof frame, "%s%.20s", isdigit((unsigned char)period[0]) ? "CY" : "",
           strncmp(period, "FY-", 3) == 0 ? period + 1 : period);
  if (strncmp(period, "FY-", 3) == 0)
    snprintf(frame, sizeof frame, "CY%.20s", period + 3);
  s.period = frame;
  fact_company_init(&s.keep);
  buf_init(&s.absent, 4096);
  if (screen_parse(&rule, rule_text)) {
    diag_warn("--screen: '%s' is no rule such as 'research and development / revenue > 20%%'", rule_text);
    program_fail(p, EX_USAGE);
  } else if (screen_any(&s, &rows, rule.what, 0)) {
    struct error_text why;
    error_set(&why, "no frame of '%.*s' for %s", (int)rule.what.len, rule.what.data, frame);
    screen_none(p, &s, why.text);
  } else {
    screen_write(p, &s, &rule, rule_text, &rows, limit, format);
  }
  free(rows.rows);
  buf_release(&s.absent);
  fact_company_release(&s.keep);
}
