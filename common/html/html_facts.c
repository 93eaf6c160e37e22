/* html_facts.c: facts about the filing itself in inline XBRL (dei:*), and its title. */
#include "html/html_state.h"

#include "base/day.h"
#include "html/entities.h"

#include <stdio.h>
#include <strings.h>

#define FACT_MAX 4096 /* limit of a fact in bytes */

static const struct {
  const char *name;
  size_t slot;
} known[] = {
    {"dei:EntityRegistrantName", offsetof(struct html_facts, registrant)},
    {"dei:TradingSymbol", offsetof(struct html_facts, ticker)},
    {"dei:EntityCentralIndexKey", offsetof(struct html_facts, cik)},
    {"dei:DocumentType", offsetof(struct html_facts, document_type)},
    {"dei:DocumentPeriodEndDate", offsetof(struct html_facts, period_end)},
    {"dei:DocumentFiscalYearFocus", offsetof(struct html_facts, fiscal_year)},
    {"dei:DocumentFiscalPeriodFocus", offsetof(struct html_facts, fiscal_period)},
};

static struct slice *html_facts_slot_of(struct html_facts *f, struct slice name) {
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (slice_is(name, known[i].name))
      return (struct slice *)(void *)((char *)f + known[i].slot);
  return NULL;
}

void html_facts_start(struct html *h, const struct html_token *tag) {
  if (!h->facts || h->fact_slot || tag->self_closing)
    return;
  for (size_t i = 0; i < tag->attribute_count; i++)
    if (tag->attributes[i].name.len == 4 && strncasecmp(tag->attributes[i].name.data, "name", 4) == 0) {
      struct slice *slot = html_facts_slot_of(h->facts, tag->attributes[i].value);
      if (!slot || slot->len) /* keep the first one: each class of stock has its own symbol */
        return;
      h->fact_slot = slot;
      h->fact_depth = h->depth - 1;
      buf_clear(&h->fact);
    }
}

/* Appends text with references decoded and white space collapsed. */
static void add_squeezed(struct buf *out, struct slice text, int references) {
  for (size_t i = 0; i < text.len;) {
    char c[ENTITY_MAX] = {text.data[i], i + 1 < text.len ? text.data[i + 1] : '\0'};
    size_t n = 1, taken = 0;
    if (memcmp(c, "\xC2\xA0", 2) == 0)
      taken = n = 2;
    else if (text.data[i] == '&' && references)
      taken = entity_decode(text.data + i, text.len - i, 0, c, &n);
    i += taken ? taken : 1;
    if ((n == 2 && memcmp(c, "\xC2\xA0", 2) == 0) || (n == 1 && (unsigned char)c[0] <= ' ')) {
      c[0] = ' ';
      n = out->len && out->data[out->len - 1] != ' ';
    }
    buf_add(out, c, n);
  }
}

void html_facts_text(struct html *h, struct slice text, int references) {
  if (h->fact_slot)
    add_squeezed(&h->fact, text, references);
}

/* Converts "September 27, 2025" to "2025-09-27"; leaves anything else unchanged. */
static void to_iso_date(struct buf *b) {
  char name[16];
  unsigned day, year;
  if (!b->data || sscanf(b->data, "%15[A-Za-z] %2u , %4u", name, &day, &year) != 3 || strlen(name) < 3)
    return;
  int month = day_month_named(name, 3);
  if (month && day >= 1 && day <= 31 && year >= 1900) {
    buf_clear(b);
    buf_printf(b, "%04u-%02d-%02u", year, month, day);
  }
}

/* Texts are concatenated in `own`, which may move, so slots hold offsets until html_read() ends. */
static void html_facts_keep(struct html *h, struct slice *slot, struct buf *text) {
  struct buf *own = &h->facts->own;
  while (text->len && text->data[text->len - 1] == ' ')
    text->len--;
  if (text->len == 0)
    return;
  slot->data = (const char *)(uintptr_t)own->len;
  slot->len = buf_add(own, text->data, text->len) ? 0 : text->len;
  buf_add_char(own, '\0');
}

void html_facts_end(struct html *h) {
  if (h->fact_slot == &h->facts->period_end)
    to_iso_date(&h->fact);
  html_facts_keep(h, h->fact_slot, &h->fact);
  h->fact_slot = NULL;
}

void html_facts_title(struct html *h, struct slice text) {
  if (!h->facts || h->facts->title.len || h->fact_slot)
    return;
  buf_clear(&h->fact);
  add_squeezed(&h->fact, slice_of(text.data, text.len < FACT_MAX ? text.len : FACT_MAX), 1);
  html_facts_keep(h, &h->facts->title, &h->fact);
}

void html_facts_fix(struct html_facts *f) {
  struct slice *all[] = {&f->registrant, &f->ticker,      &f->cik,           &f->document_type,
                         &f->period_end, &f->fiscal_year, &f->fiscal_period, &f->title};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i]->len)
      all[i]->data = f->own.data + (uintptr_t)all[i]->data;
}

void html_facts_release(struct html_facts *f) {
  buf_release(&f->own);
  memset(f, 0, sizeof *f);
}
