#include "filing/items.h"

#include <ctype.h>

#define PART(n)                                                                                              \
  { "PART " n, NULL, "" }

static const struct item_form_entry form_10k[] = {
    PART("I"),
    {"1", "1", "business|description of business|description of the business|our business|general"},
    {"1A", "1A", "risk factors"},
    {"1B", "1B", "unresolved staff comments|unresolved sec staff comments"},
    {"1C", "1C", "cybersecurity"},
    {"2", "2", "properties|description of properties|description of property|property"},
    {"3", "3", "legal proceedings|litigation"},
    {"4", "4", "mine safety|submission of matters|removed and reserved|reserved|omitted"},
    {"4A", "4A", "executive officers|information about our executive officers"},
    PART("II"),
    {"5", "5", "market for|markets for|market price|price range of|market information"},
    {"6", "6", "selected|reserved|removed and reserved"},
    {"7", "7", "managements discussion|management discussion|managements narrative|managements analysis"},
    {"7A", "7A", "quantitative|qualitative|market risk|disclosures about market risk"},
    {"8", "8", "financial statements|consolidated financial statements"},
    {"9", "9",
     "changes in and disagreements|changes in and disagreement|changes and disagreements|disagreements"},
    {"9A", "9A", "controls and procedures|control and procedures|evaluation of disclosure controls"},
    {"9A", "9A(T)", "controls and procedures"},
    {"9B", "9B", "other information"},
    {"9C", "9C", "disclosure regarding foreign|disclosures regarding foreign"},
    PART("III"),
    {"10", "10", "directors|our directors|executive officers"},
    {"11", "11", "executive compensation|compensation of executive"},
    {"12", "12", "security ownership|securities ownership|beneficial ownership"},
    {"13", "13", "certain relationships|transactions with related"},
    {"14", "14", "principal account|principle account|controls and procedures|audit fees|independent"},
    PART("IV"),
    {"14", "14", "exhibits|exhibit"},
    {"15", "15", "exhibits|exhibit|principal account|financial statement schedules"},
    {"16", "16", "form 10k summary|summary|exhibits"},
};

static const struct item_form_entry form_10ksb[] = {
    PART("I"),
    {"1", "1", "business|description of business|description of the business"},
    {"1A", "1A", "risk factors"},
    {"1B", "1B", "unresolved staff comments"},
    {"2", "2", "properties|description of property|description of properties|property"},
    {"3", "3", "legal proceedings|litigation"},
    {"4", "4", "submission of matters"},
    PART("II"),
    {"5", "5", "market for|markets for|market price|market information"},
    {"6", "6", "managements discussion|management discussion|plan of operation"},
    {"7", "7", "financial statements|consolidated financial statements"},
    {"8", "8", "changes in and disagreements|changes in|disagreements"},
    {"8A", "8A", "controls and procedures"},
    {"8A", "8A(T)", "controls and procedures"},
    {"8B", "8B", "other information"},
    PART("III"),
    {"9", "9", "directors"},
    {"10", "10", "executive compensation"},
    {"11", "11", "security ownership"},
    {"12", "12", "certain relationships"},
    {"13", "13", "exhibits|exhibit"},
    {"14", "14", "principal account|controls and procedures"},
};

static const struct item_form_entry form_10q[] = {
    PART("I"),
    {"I-1", "1",
     "financial statements|consolidated financial statements|condensed consolidated|condensed financial|"
     "interim financial|unaudited|consolidated condensed|financial information"},
    {"I-2", "2", "managements discussion|management discussion|managements narrative"},
    {"I-3", "3", "quantitative|qualitative|disclosures about market risk|controls and procedures"},
    {"I-4", "4", "controls and procedures|control and procedures|disclosure controls"},
    PART("II"),
    {"II-1", "1", "legal proceedings|litigation"},
    {"II-1A", "1A", "risk factors"},
    {"II-2", "2",
     "unregistered|changes in securities|issuer purchases|purchases of equity|share repurchase|"
     "sales of unregistered|market for|repurchase|changes in the rights"},
    {"II-3", "3", "defaults|default upon"},
    {"II-4", "4", "mine safety|submission of matters|removed and reserved|reserved"},
    {"II-5", "5", "other information|other events"},
    {"II-6", "6", "exhibit|exhibits"},
};

static const struct item_form_entry form_20f[] = {
    PART("I"),
    {"1", "1", "identity of directors"},
    {"2", "2", "offer statistics"},
    {"3", "3", "key information"},
    {"4", "4", "information on the company|information about the company|information on"},
    {"4A", "4A", "unresolved staff comments"},
    {"5", "5", "operating and financial review"},
    {"6", "6", "directors senior management|directors"},
    {"7", "7", "major shareholders"},
    {"8", "8", "financial information"},
    {"9", "9", "the offer"},
    {"10", "10", "additional information"},
    {"11", "11", "quantitative and qualitative"},
    {"12", "12", "description of securities"},
    PART("II"),
    {"13", "13", "defaults"},
    {"14", "14", "material modifications"},
    {"15", "15", "controls and procedures|disclosure controls"},
    {"16", "16", "reserved"},
    {"16A", "16A", "audit committee financial expert"},
    {"16B", "16B", "code of ethics"},
    {"16C", "16C", "principal account"},
    {"16D", "16D", "exemptions from"},
    {"16E", "16E", "purchases of equity"},
    {"16F", "16F", "change in registrants|changes in registrants"},
    {"16G", "16G", "corporate governance"},
    {"16H", "16H", "mine safety"},
    {"16I", "16I", "disclosure regarding"},
    {"16J", "16J", "insider trading"},
    {"16K", "16K", "cybersecurity"},
    PART("III"),
    {"17", "17", "financial statements"},
    {"18", "18", "financial statements"},
    {"19", "19", "exhibits|exhibit"},
};

/* Part II of registration statements: S-1 items 13 to 17, S-3 14 to 17, F-1 6 to 9, F-3 8 to 10. */
#define OFFERING                                                                                             \
  "other expenses|indemnification|recent sales|exhibits|exhibit|undertakings|financial statement"
static const struct item_form_entry form_offering[] = {
    PART("I"),
    PART("II"),
    {"6", "6", OFFERING},
    {"7", "7", OFFERING},
    {"8", "8", OFFERING},
    {"9", "9", OFFERING},
    {"10", "10", OFFERING},
    {"13", "13", OFFERING},
    {"14", "14", OFFERING},
    {"15", "15", OFFERING},
    {"16", "16", OFFERING},
    {"17", "17", OFFERING},
    {"18", "18", OFFERING},
};

#define LENGTH(list) (sizeof(list) / sizeof *(list))

const struct item_form_entry *items_of(enum outline_form form, size_t *count) {
  switch (form) {
  case OUTLINE_10K:
    *count = LENGTH(form_10k);
    return form_10k;
  case OUTLINE_10KSB:
    *count = LENGTH(form_10ksb);
    return form_10ksb;
  case OUTLINE_10Q:
    *count = LENGTH(form_10q);
    return form_10q;
  case OUTLINE_20F:
    *count = LENGTH(form_20f);
    return form_20f;
  case OUTLINE_OFFERING:
    *count = LENGTH(form_offering);
    return form_offering;
  default:
    *count = 0;
    return NULL;
  }
}

/* Bytes of text up to and with the n letters and digits of title; 0 where they differ. */
static size_t match_one(const char *text, const char *title, size_t n) {
  const char *start = text;
  for (size_t i = 0; i < n; i++) {
    if (title[i] == ' ')
      continue;
    while (*text && !isalnum((unsigned char)*text))
      text++;
    if (*text != title[i])
      return 0;
    text++;
  }
  return (size_t)(text - start);
}

size_t items_title_match(const char *text, const char *titles) {
  while (*titles) {
    size_t n = strcspn(titles, "|");
    size_t taken = match_one(text, titles, n);
    if (taken)
      return taken;
    titles += n + (titles[n] == '|');
  }
  return 0;
}

static const struct {
  const char *item, *title;
} whole_titles[] = {
    {"1A", "risk factors"},
    {"1B", "unresolved staff comments"},
    {"1C", "cybersecurity"},
    {"2", "properties"},
    {"3", "legal proceedings"},
    {"4", "mine safety disclosures"},
    {"4", "submission of matters to a vote of security holders"},
    {"6", "selected financial data"},
    {"7", "managements discussion and analysis"},
    {"7", "managements discussion and analysis of financial condition and results of operations"},
    {"7A", "quantitative and qualitative disclosures about market risk"},
    {"8", "financial statements and supplementary data"},
    {"9A", "controls and procedures"},
    {"11", "executive compensation"},
    {"14", "principal accountant fees and services"},
    {"I-2", "managements discussion and analysis of financial condition and results of operations"},
    {"I-3", "quantitative and qualitative disclosures about market risk"},
    {"I-4", "controls and procedures"},
    {"II-1", "legal proceedings"},
    {"II-1A", "risk factors"},
    {"II-4", "mine safety disclosures"},
    {"II-4", "submission of matters to a vote of security holders"},
};

static int is_whole(const char *text, const char *title) {
  const char *rest = text + match_one(text, title, strlen(title));
  if (rest == text)
    return 0;
  while (*rest && !isalnum((unsigned char)*rest))
    rest++;
  return !*rest;
}

int items_is_title(const char *text, const char *titles) {
  for (size_t n; *titles; titles += n + (titles[n] == '|')) {
    n = strcspn(titles, "|");
    size_t taken = match_one(text, titles, n);
    int words = 1;
    for (size_t i = 0; i < n; i++)
      words += titles[i] == ' ';
    if (taken && (words > 1 || !text[taken + strcspn(text + taken, "abcdefghijklmnopqrstuvwxyz0123456789")]))
      return 1;
  }
  return 0;
}

const char *items_whole_title(const char *text, size_t *cursor) {
  while (*cursor < LENGTH(whole_titles)) {
    size_t i = (*cursor)++;
    if (is_whole(text, whole_titles[i].title))
      return whole_titles[i].item;
  }
  return NULL;
}
