/* xml_reader.c: EDGAR's XML forms (3, 4, 5, 13F, N-PORT ...) and any other XML as headings, lists and tables. */
#include "reader/xml_reader.h"
#include "document/doc_builder.h"
#include "format/xml.h"
#include "record/metadata.h"
#include "tables/xml_labels.h"

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

/* Completes m from an ownership form (3, 4, 5) or a submission (13D, 13F, 13G, 144, N-PORT ...); nothing of other XML. */
static void xml_facts_read(const struct xml *x, uint32_t root, struct metadata *m) {
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
/* The unit of the values in a table of Form 13F (static), or NULL for other XML. */
static const char *xml_facts_unit(const struct xml *x, uint32_t root, const struct metadata *m) {
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

/* Appends ": Scarpelli Michael, Chief Financial Officer; ...", so that each table's context says whose holdings it has. */
static void xml_facts_add_persons(struct buf *title, const struct xml *x, uint32_t root) {
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

/* ---- the document ---- */

#define COLUMNS_MAX 40 /* limit of a table's columns; more leaves become sections instead */
#define LEVEL_MAX 6    /* deepest heading level */
#define LONG_VALUE 200 /* bytes above which a value becomes a paragraph under a heading */
#define LABEL_MAX 256

struct xml_reader_view {
  const struct xml *x;
  struct doc *d;
  const struct doc_options *o;
  struct buf label, value; /* scratch */
  const char *value_unit;  /* unit for the element "value", or NULL */
  int names_only;          /* attributes are not content */
  int json;                /* names are a program's, not EDGAR's */
};

/* Labels for names and values of EDGAR's XML that can't be derived from camel case.  Transaction codes: general
 * instruction 8 of Form 4. */
struct xml_reader_word {
  const char *name, *says;
};

static const struct xml_reader_word labels[] = {XML_LABELS_LABEL, {NULL, NULL}};

static const struct xml_reader_word transaction_codes[] = {XML_LABELS_TRANSACTION, {NULL, NULL}};

static const char *xml_reader_look_up(const struct xml_reader_word *list, struct slice name) {
  for (; list->name; list++)
    if (slice_is(name, list->name))
      return list->says;
  return NULL;
}

/* A leaf contains no elements except <value> and footnote marks. */
static int is_leaf(const struct xml *x, uint32_t n) {
  for (uint32_t c = xml_child(x, n, NULL, 0); c; c = xml_child(x, n, NULL, c)) {
    struct slice name = x->nodes[c].name;
    if ((!slice_is(name, "value") && !slice_is(name, "footnoteId")) || xml_child(x, c, NULL, 0))
      return 0;
  }
  return 1;
}

/* isDirector and similar, and the flags of ownership forms with other names. */
static int is_flag(struct slice name) {
  return (name.len > 2 && memcmp(name.data, "is", 2) == 0 && isupper((unsigned char)name.data[2])) ||
         slice_is(name, "aff10b5One") || slice_is(name, "equitySwapInvolved") ||
         slice_is(name, "notSubjectToSection16");
}

static const char *yes_or_no(struct slice value) {
  if (slice_is(value, "1") || slice_is(value, "true"))
    return "yes";
  return slice_is(value, "0") || slice_is(value, "false") ? "no" : NULL;
}

static void add_run(struct buf *out, struct slice text) {
  if (out->len && text.len)
    buf_add_char(out, ' ');
  doc_builder_squeeze(out, text);
}

/* A name without the mark of its control on the web form, as in Form ATS-N: "txPart1Item2ATSName" (text), "rb" (radio
 * button), "cb" (check box), "ta" (text area), "da" (date). */
static struct slice without_control(struct slice name) {
  static const char *const marks[] = {"txt", "tx", "rb", "cb", "ta", "da"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    size_t n = strlen(marks[i]);
    if (name.len > n + 1 && memcmp(name.data, marks[i], n) == 0 && isupper((unsigned char)name.data[n]))
      return slice_of(name.data + n, name.len - n);
  }
  return name;
}

/* The next attribute that holds a value: names of namespaces and schemas, versions and ids are none. */
static int next_value(const struct xml_reader_view *v, struct slice *rest, struct slice *name,
                      struct slice *value) {
  while (!v->names_only && xml_next_attribute(rest, name, value))
    if (value->len && !memchr(name->data, ':', name->len) && !slice_is(*name, "xmlns") &&
        !slice_is(*name, "id") && !slice_is(*name, "version") && !slice_is(*name, "schemaVersion"))
      return 1;
  return 0;
}

static int has_attribute_values(const struct xml_reader_view *v, uint32_t n) {
  struct slice rest = v->x->nodes[n].attributes, name, value;
  return next_value(v, &rest, &name, &value);
}

/* "entityName" becomes "Entity name"; in JSON a name that starts with a capital ("AssetsCurrent", "USD") is kept. */
static void add_element_name(const struct xml_reader_view *v, struct buf *out, struct slice name) {
  const char *known = v->json ? NULL : xml_reader_look_up(labels, name);
  if (known)
    buf_add_str(out, known);
  else if (v->json && name.len && (!islower((unsigned char)name.data[0]) || memchr(name.data, '-', name.len)))
    buf_add_slice(out, name);
  else
    doc_builder_words(out, v->json ? name : without_control(name));
}

/* Values in attributes: <isin value="US0378331005"/>, <currencyConditional curCd="EUR" exchangeRt="0.91"/> of Form N-PORT. */
static void add_attribute_values(struct xml_reader_view *v, uint32_t n) {
  struct slice rest = v->x->nodes[n].attributes, name, value;
  while (next_value(v, &rest, &name, &value)) {
    if (v->value.len)
      buf_add_str(&v->value, "; ");
    if (!slice_is(name, "value") && !slice_is(name, "curCd")) {
      add_element_name(v, &v->value, name);
      buf_add_char(&v->value, ':');
    }
    if (v->value.len && v->value.data[v->value.len - 1] == ':')
      buf_add_char(&v->value, ' ');
    doc_builder_squeeze(&v->value, value);
  }
}

/* A leaf's value for display: its text, footnotes as [F1], codes and yes/no flags spelled out; where it has no text, what
 * its attributes say, as of an element that contains others. */
static struct slice leaf_value(struct xml_reader_view *v, uint32_t n) {
  const struct xml *x = v->x;
  int leaf = is_leaf(x, n);
  buf_clear(&v->value);
  for (uint32_t c = leaf ? x->nodes[n].first : 0; c; c = x->nodes[c].next) {
    struct slice name = x->nodes[c].name, id = xml_attribute(x, c, "id");
    if (!name.len)
      add_run(&v->value, x->nodes[c].text);
    else if (slice_is(name, "value") || !id.len)
      add_run(&v->value, xml_text(x, c, ""));
    else
      buf_printf(&v->value, "%s[%.*s]", v->value.len ? " " : "", (int)id.len, id.data);
  }
  if (!v->value.len)
    add_attribute_values(v, n);
  if (!leaf || v->json)
    return buf_slice(&v->value);
  const char *code = slice_is(x->nodes[n].name, "transactionCode")
                         ? xml_reader_look_up(transaction_codes, buf_slice(&v->value))
                         : NULL;
  if (code)
    buf_printf(&v->value, " (%s)", code);
  /* Footnotes on a transaction's code stand behind it, beside the code. */
  for (uint32_t c = slice_is(x->nodes[n].name, "transactionCode") ? x->nodes[n].next : 0; c;
       c = x->nodes[c].next)
    if (slice_is(x->nodes[c].name, "footnoteId"))
      buf_printf(&v->value, " [%.*s]", (int)xml_attribute(x, c, "id").len, xml_attribute(x, c, "id").data);
  const char *say = is_flag(x->nodes[n].name) ? yes_or_no(buf_slice(&v->value)) : NULL;
  if (say) {
    buf_clear(&v->value);
    buf_add_str(&v->value, say);
  }
  return buf_slice(&v->value);
}

static struct slice xml_reader_label_of(struct xml_reader_view *v, uint32_t n) {
  buf_clear(&v->label);
  add_element_name(v, &v->label, v->x->nodes[n].name);
  if (v->value_unit && slice_is(v->x->nodes[n].name, "value"))
    buf_printf(&v->label, " (%s)", v->value_unit);
  return buf_slice(&v->label);
}

static int xml_reader_has_text(const struct xml *x, uint32_t n) {
  for (uint32_t c = x->nodes[n].first; c; c = x->nodes[c].next)
    if (!x->nodes[c].name.len)
      return 1;
  return 0;
}

/* Collects all leaves under n, in order, and what contains them where it has attributes; -1 where there are more than
 * COLUMNS_MAX, or text between them. */
static int leaves_of(const struct xml_reader_view *v, uint32_t n, uint32_t *out, int count) {
  const struct xml *x = v->x;
  int leaf = is_leaf(x, n);
  if (leaf || has_attribute_values(v, n)) {
    if (count == COLUMNS_MAX)
      return -1;
    out[count++] = n;
  }
  if (!leaf && xml_reader_has_text(x, n))
    return -1;
  for (uint32_t c = leaf ? 0 : xml_child(x, n, NULL, 0); c && count >= 0; c = xml_child(x, n, NULL, c))
    count = leaves_of(v, c, out, count);
  return count;
}

/* An element of an array of JSON, which has no name. */
static int is_unnamed(const struct xml *x, uint32_t n) {
  return slice_is(x->nodes[n].name, XML_READER_ITEM);
}

struct columns {
  struct slice names[COLUMNS_MAX];
  uint32_t first[COLUMNS_MAX]; /* a leaf of that name, for its label */
  int count;
};

static int xml_reader_column_of(const struct columns *k, struct slice name) {
  for (int i = 0; i < k->count; i++)
    if (slice_eq(k->names[i], name))
      return i;
  return -1;
}

/* Determines the columns of a run of adjacent equal elements; 0, or -1 where they are not a table (duplicate names in
 * a row, too many columns, long texts). */
static int xml_reader_find_columns(struct xml_reader_view *v, uint32_t row, struct columns *k) {
  const struct xml *x = v->x;
  struct slice name = x->nodes[row].name;
  k->count = 0;
  for (; row && slice_eq(x->nodes[row].name, name); row = xml_child(x, x->nodes[row].parent, NULL, row)) {
    uint32_t leaves[COLUMNS_MAX];
    int n = leaves_of(v, row, leaves, 0);
    if (n < 1)
      return -1;
    for (int i = 0; i < n; i++) {
      struct slice leaf = x->nodes[leaves[i]].name;
      if (v->json && is_unnamed(x, leaves[i])) /* it has no name for a column */
        return -1;
      for (int j = 0; j < i; j++)
        if (slice_eq(x->nodes[leaves[j]].name, leaf))
          return -1;
      if (leaf_value(v, leaves[i]).len > LONG_VALUE && !v->json)
        return -1;
      if (!v->value.len || xml_reader_column_of(k, leaf) >= 0)
        continue;
      if (k->count == COLUMNS_MAX)
        return -1;
      k->first[k->count] = leaves[i];
      k->names[k->count++] = leaf;
    }
  }
  return k->count ? 0 : -1;
}

static void xml_reader_add_row(struct xml_reader_view *v, struct doc_builder_table *t,
                               const struct columns *k, uint32_t row) {
  uint32_t leaves[COLUMNS_MAX];
  int n = leaves_of(v, row, leaves, 0);
  for (int c = 0; c < k->count; c++) {
    int i = 0;
    while (i < n && !slice_eq(v->x->nodes[leaves[i]].name, k->names[c]))
      i++;
    doc_builder_table_cell(t, i < n ? leaf_value(v, leaves[i]) : slice_of(NULL, 0));
  }
  doc_builder_table_row(t);
}

/* Writes the run that starts at row; returns its last node. */
static uint32_t xml_reader_add_table(struct xml_reader_view *v, uint32_t row, const struct columns *k) {
  const struct xml *x = v->x;
  struct slice name = x->nodes[row].name;
  struct doc_builder_table t;
  uint32_t last = row;
  doc_builder_table_begin(&t, v->d, v->o->tables, v->o->plain);
  for (int c = 0; c < k->count; c++)
    doc_builder_table_cell(&t, xml_reader_label_of(v, k->first[c]));
  doc_builder_table_row(&t);
  for (; row && slice_eq(x->nodes[row].name, name); row = xml_child(x, x->nodes[row].parent, NULL, row)) {
    xml_reader_add_row(v, &t, k, row);
    last = row;
  }
  doc_builder_table_end(&t);
  return last;
}

static int xml_reader_ends_with(struct slice s, const char *tail) {
  size_t n = strlen(tail);
  return s.len >= n && memcmp(s.data + s.len - n, tail, n) == 0;
}

/* A row has a sibling of the same name, or a name known for rows that may occur once. */
static int xml_reader_is_row(const struct xml_reader_view *v, uint32_t n) {
  const struct xml *x = v->x;
  struct slice name = x->nodes[n].name;
  uint32_t next = xml_child(x, x->nodes[n].parent, NULL, n);
  if (is_leaf(x, n) || v->json)
    return v->json && is_unnamed(x, n);
  return (next && slice_eq(x->nodes[next].name, name)) || xml_reader_ends_with(name, "Transaction") ||
         xml_reader_ends_with(name, "Holding") || slice_is(name, "infoTable");
}

static void add_leaf(struct xml_reader_view *v, uint32_t n, int level) {
  struct slice value = leaf_value(v, n);
  struct slice id = xml_attribute(v->x, n, "id");
  if (!value.len)
    return;
  if (is_unnamed(v->x, n))
    doc_builder_add(v->d, DOC_LIST_ITEM, 0, value);
  else if (slice_is(v->x->nodes[n].name, "footnote") && id.len)
    doc_builder_labelled(v->d, v->o->plain, id, value);
  else if (value.len <= LONG_VALUE)
    doc_builder_labelled(v->d, v->o->plain, xml_reader_label_of(v, n), value);
  else {
    doc_builder_heading(v->d, level > LEVEL_MAX ? LEVEL_MAX : level, v->o->plain, xml_reader_label_of(v, n));
    doc_builder_add(v->d, DOC_PARAGRAPH, 0, value);
  }
}

static int has_leaf_text(struct xml_reader_view *v, uint32_t n) {
  if (is_leaf(v->x, n) || has_attribute_values(v, n))
    return leaf_value(v, n).len > 0;
  for (uint32_t c = v->x->nodes[n].first; c; c = v->x->nodes[c].next)
    if (v->x->nodes[c].name.len ? has_leaf_text(v, c) : 1)
      return 1;
  return 0;
}

static void add_children(struct xml_reader_view *v, uint32_t n, int level);

/* What the attributes of an element that contains others say. */
static void add_own_values(struct xml_reader_view *v, uint32_t n) {
  if (has_attribute_values(v, n))
    doc_builder_add(v->d, DOC_PARAGRAPH, 0, leaf_value(v, n));
}

static void add_section(struct xml_reader_view *v, uint32_t n, int level) {
  if (!has_leaf_text(v, n))
    return;
  if (is_unnamed(v->x, n)) {
    add_children(v, n, level);
    return;
  }
  doc_builder_heading(v->d, level > LEVEL_MAX ? LEVEL_MAX : level, v->o->plain, xml_reader_label_of(v, n));
  add_own_values(v, n);
  add_children(v, n, level + 1);
}

/* Adds child c or, where it starts a table, its run of equal siblings; returns the last node consumed. */
static uint32_t add_child(struct xml_reader_view *v, uint32_t c, int level, struct columns *k,
                          struct slice *no_table) {
  const struct xml *x = v->x;
  if (xml_reader_is_row(v, c) && !slice_eq(x->nodes[c].name, *no_table) &&
      xml_reader_find_columns(v, c, k) == 0)
    return xml_reader_add_table(v, c, k);
  *no_table = x->nodes[c].name;
  add_section(v, c, level);
  return c;
}

/* The header of a submission: the filer's credentials and what the filing system needs, which nobody asks for. */
static int is_submission_header(const struct xml *x, uint32_t n) {
  return slice_is(x->nodes[n].name, "headerData") && !is_leaf(x, n) &&
         slice_is(x->nodes[x->nodes[n].parent].name, "edgarSubmission");
}

/* Leaves first: after a section they would appear to belong to it.  In mixed content the order is kept.  A submission's header
 * comes last. */
static void add_children(struct xml_reader_view *v, uint32_t n, int level) {
  const struct xml *x = v->x;
  struct columns *k = xmalloc(sizeof *k);
  struct slice no_table = {NULL, 0}; /* name of a run already rejected as a table, so that it is checked
                                        once */
  int mixed = xml_reader_has_text(x, n);
  for (uint32_t c = x->nodes[n].first; c; c = x->nodes[c].next) {
    if (!x->nodes[c].name.len)
      doc_builder_add(v->d, DOC_PARAGRAPH, 0, x->nodes[c].text);
    else if (is_leaf(x, c) &&
             (v->json || !(slice_is(x->nodes[c].name, "schemaVersion") || slice_is(x->nodes[c].name, "ccc"))))
      add_leaf(v, c, level);
    else if (mixed && !is_leaf(x, c))
      c = add_child(v, c, level, k, &no_table);
  }
  for (uint32_t c = x->nodes[n].first; c && !mixed && !v->d->text.overflow; c = x->nodes[c].next)
    if (x->nodes[c].name.len && !is_leaf(x, c) && !is_submission_header(x, c))
      c = add_child(v, c, level, k, &no_table);
  for (uint32_t c = x->nodes[n].first; c && !mixed && !v->d->text.overflow; c = x->nodes[c].next)
    if (is_submission_header(x, c))
      add_section(v, c, level);
  free(k);
}

static void add_title(struct xml_reader_view *v, uint32_t root, const struct metadata *m) {
  const char *form = metadata_get(m, METADATA_FORM);
  struct buf title;
  buf_init(&title, LABEL_MAX);
  if (*form && !slice_is(v->x->nodes[root].name, "informationTable"))
    buf_printf(&title, "Form %s: ", form);
  buf_add_slice(&title, xml_reader_label_of(v, root));
  xml_facts_add_persons(&title, v->x, root);
  doc_builder_heading(v->d, 1, v->o->plain, buf_slice(&title));
  buf_release(&title);
}

/* Attributes of schemas, XBRL and drawings refer, or draw. */
static int has_only_names(struct slice root) {
  return slice_is(root, "schema") || slice_is(root, "linkbase") || slice_is(root, "xbrl") ||
         slice_is(root, "svg");
}

/* The root's content under its title, and what stands beside the root, as in several documents in one. */
static void add_top(struct xml_reader_view *v, uint32_t root) {
  const struct xml *x = v->x;
  for (uint32_t c = x->nodes[0].first; c; c = x->nodes[c].next) {
    if (!x->nodes[c].name.len)
      doc_builder_add(v->d, DOC_PARAGRAPH, 0, x->nodes[c].text);
    else if (is_leaf(x, c))
      add_leaf(v, c, 2);
    else if (c != root)
      add_section(v, c, 1);
    else {
      add_own_values(v, c);
      add_children(v, c, 2);
    }
  }
}

void xml_reader_show_items(struct doc *d, const struct xml *x, const struct doc_options *o) {
  struct xml_reader_view v = {.x = x, .d = d, .o = o, .json = 1};
  buf_init(&v.label, 1 << 20);
  buf_init(&v.value, x->text.len + 4096);
  uint32_t root = xml_child(x, 0, NULL, 0);
  if (root && is_leaf(x, root))
    doc_builder_add(d, DOC_PARAGRAPH, 0, leaf_value(&v, root));
  else if (root)
    add_children(&v, root, 2);
  buf_release(&v.label);
  buf_release(&v.value);
}

int xml_reader_read(struct doc *d, struct slice bytes, const struct doc_options *o, struct metadata *m) {
  struct xml x;
  struct error_text why;
  doc_clear(d);
  d->text.max = o->max_text;
  if (xml_read(&x, bytes, &why) < 0) {
    xml_release(&x);
    return -1;
  }
  struct xml_reader_view v = {.x = &x, .d = d, .o = o};
  buf_init(&v.label, 4096);
  buf_init(&v.value, x.text.len + 4096);
  uint32_t root = xml_child(&x, 0, NULL, 0);
  xml_facts_read(&x, root, m);
  v.value_unit = xml_facts_unit(&x, root, m);
  v.names_only = has_only_names(x.nodes[root].name);
  add_title(&v, root, m);
  add_top(&v, root);
  int cut = d->text.overflow;
  buf_release(&v.label);
  buf_release(&v.value);
  xml_release(&x);
  return cut;
}
