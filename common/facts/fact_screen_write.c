#include "facts/fact_screen_rows.h"

#include "facts/fact_page.h"
#include "record/json.h"

#include <stdio.h>

static void screen_cik(const struct screen_row *row, char out[16]) {
  snprintf(out, 16, "%010lld", row->cik % 10000000000);
}

static void screen_json(struct buf *out, const char *frame, const struct screen_rule *rule,
                        const struct screen_rows *r, const struct screen_row *row) {
  char cik[16], day[DAY_TEXT];
  struct buf href;
  buf_init(&href, 4096);
  screen_cik(row, cik);
  buf_add_char(out, '{');
  json_str(out, "company", row->name);
  json_cstr(out, "cik", cik);
  json_str(out, "asked", rule->what);
  json_str(out, "label", rule->what);
  json_cstr(out, "frame", frame);
  if (row->parts[0].start != DAY_NONE)
    json_cstr(out, "start", day_write(row->parts[0].start, day));
  json_cstr(out, "end", day_write(row->parts[0].end, day));
  json_int(out, "months", day_months(row->parts[0].start, row->parts[0].end));
  json_cstr(out, "unit", r->unit);
  json_double(out, "value", row->value);
  json_cstr(out, "kind", row->part_count > 1 ? "derived" : "reported");
  json_key(out, "parts");
  buf_add_char(out, '[');
  for (size_t i = 0; i < row->part_count; i++) {
    const struct screen_part *p = &row->parts[i];
    buf_add_str(out, i ? ",{" : "{");
    json_str(out, "concept", p->concept);
    if (p->start != DAY_NONE)
      json_cstr(out, "start", day_write(p->start, day));
    json_cstr(out, "end", day_write(p->end, day));
    json_int(out, "months", day_months(p->start, p->end));
    json_raw(out, "value", p->value);
    json_str(out, "accessionNumber", p->accession);
    buf_clear(&href);
    fact_write_href(&href, slice_str(cik), p->accession);
    json_str(out, "href", buf_slice(&href));
    buf_add_char(out, '}');
  }
  buf_add_str(out, "]}\n");
  buf_release(&href);
}

static void screen_table(struct buf *out, const char *frame, const struct screen_rule *rule,
                         const struct screen_rows *r, size_t limit, enum fact_format format, size_t screen) {
  struct fact_grid g;
  struct buf notes;
  char cik[16], day[DAY_TEXT];
  int ratio = strcmp(r->unit, "pure") == 0;
  fact_grid_init(&g, 5, limit + 1, 4);
  g.spare = 1;
  g.spare_end = 4;
  fact_grid_set(&g, 0, 0, "company");
  fact_grid_set(&g, 0, 1, "CIK");
  fact_grid_set(&g, 0, 2, "ends");
  fact_grid_set(&g, 0, 3, "accession");
  fact_grid_set(&g, 0, 4, "%.*s, %s", (int)rule->what.len, rule->what.data, ratio ? "%" : r->unit);
  for (size_t i = 0; i < limit; i++) {
    const struct screen_row *row = &r->rows[i];
    screen_cik(row, cik);
    fact_grid_set(&g, i + 1, 0, "%.*s", (int)row->name.len, row->name.data);
    fact_grid_set(&g, i + 1, 1, "%s", cik);
    fact_grid_set(&g, i + 1, 2, "%s", day_write(row->parts[0].end, day));
    fact_grid_set(&g, i + 1, 3, "%.*s", (int)row->parts[0].accession.len, row->parts[0].accession.data);
    fact_grid_link(&g, i + 1, 3, slice_str(cik), row->parts[0].accession);
    fact_grid_set(&g, i + 1, 4, ratio ? "%.1f" : "%.15g", ratio ? 100 * row->value : row->value);
  }
  buf_init(&notes, 4096);
  buf_printf(&notes, "Source: XBRL frames of data.sec.gov, %s; %zu of %zu companies shown\n", frame, limit,
             r->count);
  if (format == FACT_HTML) {
    fact_page_grid(out, rule->what, &g, buf_slice(&notes));
  } else {
    fact_grid_write(out, &g, format, screen);
    buf_add_char(out, '\n');
    buf_add_slice(out, buf_slice(&notes));
  }
  buf_release(&notes);
  fact_grid_release(&g);
}

static void screen_csv(struct buf *out, const struct screen_rule *rule, const struct screen_rows *r,
                       size_t limit) {
  char cik[16], day[DAY_TEXT];
  buf_add_str(out, "company,cik,asked,unit,end,value,accessionNumber\r\n");
  for (size_t i = 0; i < limit; i++) {
    const struct screen_row *row = &r->rows[i];
    screen_cik(row, cik);
    buf_add_char(out, '"');
    for (size_t k = 0; k < row->name.len; k++) {
      if (row->name.data[k] == '"')
        buf_add_char(out, '"');
      buf_add_char(out, row->name.data[k]);
    }
    buf_printf(out, "\",%s,\"%.*s\",%s,%s,%.15g,%.*s\r\n", cik, (int)rule->what.len, rule->what.data, r->unit,
               day_write(row->parts[0].end, day), row->value, (int)row->parts[0].accession.len,
               row->parts[0].accession.data);
  }
}

void fact_screen_write(struct buf *out, const char *frame, const struct screen_rule *rule,
                       const struct screen_rows *rows, size_t limit, enum fact_format format, size_t screen) {
  if (format == FACT_CSV)
    screen_csv(out, rule, rows, limit);
  else if (format != FACT_JSON)
    screen_table(out, frame, rule, rows, limit, format, screen);
  for (size_t i = 0; format == FACT_JSON && i < limit; i++)
    screen_json(out, frame, rule, rows, &rows->rows[i]);
}
