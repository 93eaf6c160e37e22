#include "reader/xml_facts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define PERSONS 3                       /* named in the title */
#define HOLDINGS_PRICED ((size_t)10000) /* holdings whose price is inspected */
#define HOLDINGS_LOW 1.0                /* dollars a share: a portfolio's median is normally higher */
#define HOLDINGS_HIGH 5.0               /* thousands of dollars a share: the median is normally lower */

/* MM-DD-YYYY and MM/DD/YYYY of 13F and 13D, besides ISO dates. */
static void set_report_date(struct metadata *m, struct slice s) {
  char iso[11];
  if (s.len == 10 && !isdigit((unsigned char)s.data[2])) {
    snprintf(iso, sizeof iso, "%.4s-%.2s-%.2s", s.data + 6, s.data, s.data + 3);
    s = slice_str(iso);
  }
  metadata_set_date(m, METADATA_REPORT_DATE, s);
}

/* Where a form's XML has a fact of the filing: a path below the root. */
struct xml_facts_place {
  enum metadata_field field;
  const char *path;
};

/* forms 3, 4 and 5 */
static const struct xml_facts_place ownership_places[] = {{METADATA_COMPANY, "issuer/issuerName"},
                                                          {METADATA_TICKER, "issuer/issuerTradingSymbol"},
                                                          {METADATA_CIK, "issuer/issuerCik"},
                                                          {METADATA_FORM, "documentType"},
                                                          {METADATA_REPORT_DATE, "periodOfReport"}};

/* 13F, 13D and 13G, 144, D, N-PORT and others: of one field's places the first that has text. */
static const struct xml_facts_place submission_places[] = {
    {METADATA_FORM, "headerData/submissionType"},
    {METADATA_FORM, "submissionType"},
    {METADATA_COMPANY, "formData/coverPageHeader/issuerInfo/issuerName"},
    {METADATA_CIK, "formData/coverPageHeader/issuerInfo/issuerCik"},
    {METADATA_CIK, "formData/coverPageHeader/issuerInfo/issuerCIK"},
    {METADATA_COMPANY, "formData/issuerInfo/issuerName"},
    {METADATA_CIK, "formData/issuerInfo/issuerCik"},
    {METADATA_COMPANY, "formData/coverPage/filingManager/name"},
    {METADATA_COMPANY, "formData/genInfo/regName"},
    {METADATA_CIK, "formData/genInfo/regCik"},
    {METADATA_REPORT_DATE, "formData/genInfo/repPdDate"},
    {METADATA_COMPANY, "primaryIssuer/entityName"},
    {METADATA_CIK, "primaryIssuer/cik"},
    {METADATA_CIK, "headerData/filerInfo/filer/credentials/cik"},
    {METADATA_REPORT_DATE, "headerData/filerInfo/periodOfReport"}};

static void set_places(const struct xml *x, uint32_t root, const struct xml_facts_place *places, size_t count,
                       struct metadata *m) {
  for (size_t i = 0; i < count; i++) {
    struct slice text = xml_text(x, root, places[i].path);
    if (places[i].field == METADATA_CIK)
      metadata_set_cik(m, text);
    else if (places[i].field == METADATA_REPORT_DATE)
      set_report_date(m, text);
    else
      metadata_set(m, places[i].field, text);
  }
}

void xml_facts_read(const struct xml *x, uint32_t root, struct metadata *m) {
  if (slice_is(x->nodes[root].name, "ownershipDocument"))
    set_places(x, root, ownership_places, sizeof ownership_places / sizeof *ownership_places, m);
  else if (slice_is(x->nodes[root].name, "edgarSubmission"))
    set_places(x, root, submission_places, sizeof submission_places / sizeof *submission_places, m);
}

static int by_price(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median price (value / number) of holdings of shares; 0 where there are none. */
static double holdings_price(const struct xml *x, uint32_t root) {
  double *prices = xcalloc(HOLDINGS_PRICED, sizeof *prices), median = 0;
  size_t count = 0;
  for (uint32_t c = xml_child(x, root, "infoTable", 0); c && count < HOLDINGS_PRICED;
       c = xml_child(x, root, "infoTable", c)) {
    char value[32], shares[32];
    struct slice v = xml_text(x, c, "value"), n = xml_text(x, c, "shrsOrPrnAmt/sshPrnamt");
    snprintf(value, sizeof value, "%.*s", (int)v.len, v.len ? v.data : "");
    snprintf(shares, sizeof shares, "%.*s", (int)n.len, n.len ? n.data : "");
    if (slice_is(xml_text(x, c, "shrsOrPrnAmt/sshPrnamtType"), "SH") && atof(value) > 0 && atof(shares) > 0)
      prices[count++] = atof(value) / atof(shares);
  }
  if (count) {
    qsort(prices, count, sizeof *prices, by_price);
    median = prices[count / 2];
  }
  free(prices);
  return median;
}

/* Reports on Form 13F filed from 3 January 2023 on, including those for earlier quarters, give values in whole
 * dollars, earlier ones in thousands (SEC release 34-95148, Electronic Submission of Applications ...  Amendments to
 * Form 13F, 23 June 2022, effective on that day).  Some managers kept the old unit.  The unit is reported as doubtful
 * where the median share would cost less than a dollar or, before the change, more than 5,000 dollars. */
const char *xml_facts_unit(const struct xml *x, uint32_t root, const struct metadata *m) {
  const char *filed = metadata_get(m, METADATA_FILING_DATE);
  if (!slice_is(x->nodes[root].name, "informationTable") || strlen(filed) < 10)
    return NULL;
  int whole = strncmp(filed, "2023-01-03", 10) >= 0;
  double price = holdings_price(x, root);
  if (price > 0 && whole && price < HOLDINGS_LOW)
    return "US dollars by the form's rule, thousands by the price a share";
  if (price > 0 && !whole && price > HOLDINGS_HIGH)
    return "thousands of US dollars by the form's rule, US dollars by the price a share";
  return whole ? "US dollars" : "thousands of US dollars";
}

/* Where a filing names whom it is about besides the company: the elements below `of`, the name in each, and a role. */
struct xml_facts_person {
  const char *of, *element, *name, *role;
};

void xml_facts_add_persons(struct buf *title, const struct xml *x, uint32_t root) {
  static const struct xml_facts_person persons[] = {
      {"", "reportingOwner", "reportingOwnerId/rptOwnerName", "reportingOwnerRelationship/officerTitle"},
      {"formData", "coverPageHeaderReportingPersonDetails", "reportingPersonName", ""},
      {"formData/reportingPersons", "reportingPersonInfo", "reportingPersonName", ""},
      {"formData", "issuerInfo", "nameOfPersonForWhoseAccountTheSecuritiesAreToBeSold", ""},
      {"formData", "genInfo", "seriesName", ""}};
  int count = 0;
  for (size_t i = 0; i < sizeof persons / sizeof *persons; i++) {
    uint32_t of = *persons[i].of ? xml_at(x, root, persons[i].of) : root;
    for (uint32_t c = of ? xml_child(x, of, persons[i].element, 0) : 0; c && count < PERSONS;
         c = xml_child(x, of, persons[i].element, c)) {
      struct slice name = xml_text(x, c, persons[i].name), role = slice_of(NULL, 0);
      if (!name.len)
        continue;
      if (*persons[i].role)
        role = xml_text(x, c, persons[i].role);
      buf_printf(title, "%s%.*s%s%.*s", count++ ? "; " : ": ", (int)name.len, name.data, role.len ? ", " : "",
                 (int)role.len, role.len ? role.data : "");
    }
  }
}
