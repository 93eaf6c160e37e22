/* directory_load.c: fills a directory from lists of companies and aliases, and one by one. */
#include "query/directory_private.h"

#include "record/json.h"

#include <ctype.h>
#include <stdio.h>

#define UNSIZED 100000u /* rank of a company without one */

static struct slice directory_next_field(struct slice *line, char stop) {
  const char *at = line->len ? memchr(line->data, stop, line->len) : NULL;
  size_t n = at ? (size_t)(at - line->data) : line->len, skip = at ? n + 1 : n;
  struct slice field = slice_of(line->data, n);
  *line = slice_of(line->data + skip, line->len - skip);
  return field;
}

static void add_tickers(struct directory *d, uint32_t company, struct slice tickers) {
  while (tickers.len > 0)
    directory_add_row(d, directory_next_field(&tickers, ','), company, WAY_TICKER);
}

/* The value of a CIK's digits; 0 where it is malformed. */
static uint32_t cik_number(struct slice digits) {
  uint64_t value = 0;
  for (size_t i = 0; i < digits.len; i++) {
    if (!isdigit((unsigned char)digits.data[i]) || value > 999999999)
      return 0;
    value = value * 10 + (uint64_t)(digits.data[i] - '0');
  }
  return value <= 0xffffffffu ? (uint32_t)value : 0;
}

static void note_date(struct directory *d, struct slice line) {
  static const char head[] = "# date: ";
  size_t n = sizeof head - 1;
  if (line.len >= n + 10 && memcmp(line.data, head, n) == 0)
    snprintf(d->date, sizeof d->date, "%.10s", line.data + n);
}

int directory_add_companies(struct directory *d, struct slice tsv, struct error_text *why) {
  directory_clear_shelves(d);
  for (size_t number = 1; tsv.len > 0; number++) {
    struct slice line = directory_next_field(&tsv, '\n');
    if (line.len == 0 || line.data[0] == '#') {
      note_date(d, line);
      continue;
    }
    uint32_t cik = cik_number(directory_next_field(&line, '\t'));
    struct slice tickers = directory_next_field(&line, '\t'), name = directory_next_field(&line, '\t');
    if (cik == 0 || name.len == 0 || d->count >= DIRECTORY_COMPANIES) {
      error_set(why, "companies.tsv:%zu: no CIK, tickers and name", number);
      return -1;
    }
    uint32_t company = directory_company_of(d, cik, (uint32_t)d->count);
    d->companies[company].tickers = tickers;
    d->companies[company].name = name;
    add_tickers(d, company, tickers);
    directory_add_row(d, name, company, WAY_FULL);
  }
  return 0;
}

static enum directory_way way_of_kind(struct slice kind) {
  return slice_is(kind, "ticker")   ? WAY_TICKER
         : slice_is(kind, "name")   ? WAY_FULL
         : slice_is(kind, "former") ? WAY_FORMER
         : slice_is(kind, "brand")  ? WAY_BRAND
         : slice_is(kind, "alone")  ? WAY_ALONE
         : slice_is(kind, "person") ? WAY_PERSON
                                    : WAY_ALIAS;
}

int directory_add_aliases(struct directory *d, struct slice tsv, struct error_text *why) {
  directory_clear_shelves(d);
  for (size_t number = 1; tsv.len > 0; number++) {
    struct slice line = directory_next_field(&tsv, '\n');
    if (line.len == 0 || line.data[0] == '#')
      continue;
    struct slice alias = directory_next_field(&line, '\t');
    uint32_t cik = cik_number(directory_next_field(&line, '\t'));
    struct slice kind = directory_next_field(&line, '\t');
    if (cik == 0 || alias.len == 0 || kind.len == 0 || d->count >= DIRECTORY_COMPANIES) {
      error_set(why, "aliases.tsv:%zu: no name, CIK and kind", number);
      return -1;
    }
    uint32_t company = directory_company_of(d, cik, UNSIZED);
    if (slice_is(kind, "name") && d->companies[company].name.len == 0)
      d->companies[company].name = alias;
    directory_add_row(d, alias, company, way_of_kind(kind));
  }
  return 0;
}

static char *keep(struct directory *d, const char *text, size_t len) {
  d->owned = xreallocarray(d->owned, d->owned_count + 1, sizeof *d->owned);
  return d->owned[d->owned_count++] = xstrndup(text ? text : "", len);
}

/* The text of a JSON string, by reference or, where it had escapes, as a copy. */
static struct slice kept_text(struct directory *d, struct slice value, struct buf *scratch) {
  struct slice text = json_text(value, scratch);
  if (text.len > 0 && text.data == scratch->data)
    return slice_of(keep(d, text.data, text.len), text.len);
  return text;
}

/* Adds one row of the SEC's list, in which a company may have several.  Ranks from `base` on belong to the older
 * list. */
static void add_list_row(struct directory *d, uint32_t cik, struct slice ticker, struct slice name,
                         uint32_t rank, uint32_t base) {
  uint32_t company = directory_company_of(d, cik, base);
  struct directory_company *c = &d->companies[company];
  if (c->rank >= base) { /* its first row in this list */
    c->rank = rank;
    if (!slice_eq(c->name, name))
      directory_add_row(d, name, company, WAY_FULL);
    c->name = name;
    c->tickers = ticker;
  }
  directory_add_row(d, ticker, company, WAY_TICKER);
}

int directory_add_list(struct directory *d, struct slice json) {
  struct json_cursor at = {0};
  struct slice key, row;
  struct buf scratch;
  size_t where;
  const char *cause;
  uint32_t rank = 0, base = (uint32_t)DIRECTORY_COMPANIES;
  if (json_validate(json.data, json.len, &where, &cause) != 0 || json_kind(json) != '{' ||
      !json_next_member(json, &at, &key, &row) || !json_get(row, "cik_str").data)
    return -1;
  directory_clear_shelves(d);
  buf_init(&scratch, 1 << 16);
  for (size_t i = 0; i < d->count; i++)
    d->companies[i].rank += base;
  do {
    long long cik = json_to_int(json_get(row, "cik_str"), 0);
    struct slice name = kept_text(d, json_get(row, "title"), &scratch),
                 ticker = kept_text(d, json_get(row, "ticker"), &scratch);
    if (cik > 0 && cik <= 0xffffffff && name.len > 0 && d->count < DIRECTORY_COMPANIES)
      add_list_row(d, (uint32_t)cik, ticker, name, rank++, base);
  } while (json_next_member(json, &at, &key, &row));
  for (size_t i = 0; i < d->count; i++) /* companies that are only on the older list follow */
    if (d->companies[i].rank >= base)
      d->companies[i].rank = d->companies[i].rank - base + rank;
  buf_release(&scratch);
  return 0;
}

void directory_add_one(struct directory *d, uint32_t cik, struct slice ticker, struct slice name) {
  if (d->count >= DIRECTORY_COMPANIES)
    return;
  directory_clear_shelves(d);
  uint32_t company = directory_company_of(d, cik, UNSIZED);
  d->companies[company].own = 1;
  struct slice kept_name = slice_of(keep(d, name.data, name.len), name.len),
               kept_ticker = slice_of(keep(d, ticker.data, ticker.len), ticker.len);
  if (d->companies[company].name.len == 0)
    d->companies[company].name = kept_name;
  if (d->companies[company].tickers.len == 0)
    d->companies[company].tickers = kept_ticker;
  directory_add_row(d, kept_name, company, WAY_FULL);
  add_tickers(d, company, kept_ticker);
}
