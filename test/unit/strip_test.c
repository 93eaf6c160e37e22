/* Units of bid-strip: submissions, edits, numbers of items, XML, content types, plain text. */
#include "format/content_type.h"
#include "document/doc_edits.h"
#include "filing/items.h"
#include "reader/text_reader.h"
#include "reader/strip.h"
#include "format/submission.h"
#include "format/xml.h"

#include "test.h"

#include <stdlib.h>

static char *uu(const char *text) {
  static char got[256];
  struct buf out;
  buf_init(&out, 1000);
  int r = submission_uudecode(slice_str(text), &out);
  snprintf(got, sizeof got, "%d:%s", r, out.data ? out.data : "");
  buf_release(&out);
  return got;
}

TEST(uudecode_reads_and_refuses) {
  CHECK_STR(uu("begin 644 x\n#0V%T\n`\nend\n"), "0:Cat");
  CHECK_STR(uu("text before\r\nbegin 644 x\r\n#0V%T\r\nend\r\n"), "0:Cat");
  CHECK_STR(uu("begin 644 x\n%0V%T\nend\n"), "0:Cat"); /* blanks at a line's end may be lost: zeros */
  CHECK_STR(uu("no begin line"), "-1:");
  CHECK_STR(uu("begin 644 x\n#0V\x7FT\nend\n"), "-1:");
}

TEST(submissions_are_told_from_text) {
  CHECK(submission_is(slice_str("<SEC-DOCUMENT>x")));
  CHECK(submission_is(slice_str("-----BEGIN PRIVACY-ENHANCED MESSAGE-----")));
  CHECK(submission_is(slice_str("<DOCUMENT>\n<TYPE>10-K")));
  CHECK(!submission_is(slice_str("<DOCUMENT>no type")));
  CHECK(!submission_is(slice_str("<html><p>SEC-DOCUMENT")));
}

TEST(the_company_of_a_header_is_the_issuer) {
  struct submission s;
  struct metadata m = {0};
  submission_open(
      &s,
      slice_str("<SUBMISSION>\n<TYPE>4\n<REPORTING-OWNER>\n<CONFORMED-NAME>DOE JOHN\n<CIK>0000000007\n"
                "</REPORTING-OWNER>\n<ISSUER>\n<CONFORMED-NAME>ACME\n<CIK>42\n</ISSUER>\n"),
      &m);
  CHECK_STR(metadata_get(&m, METADATA_COMPANY), "ACME");
  CHECK_STR(metadata_get(&m, METADATA_CIK), "0000000042");
  CHECK_STR(metadata_get(&m, METADATA_FORM), "4");
  metadata_release(&m);
}

TEST(dates_and_ciks_that_are_none_stay_away) {
  struct metadata m = {0};
  metadata_set_date(&m, METADATA_FILING_DATE, slice_str("2020-1-2"));
  metadata_set_date(&m, METADATA_REPORT_DATE, slice_str(" 20200102 "));
  metadata_set_cik(&m, slice_str("12x"));
  CHECK_STR(metadata_get(&m, METADATA_FILING_DATE), "");
  CHECK_STR(metadata_get(&m, METADATA_REPORT_DATE), "2020-01-02");
  CHECK_STR(metadata_get(&m, METADATA_CIK), "");
  metadata_release(&m);
}

static const char *numbers_of(const char *text) {
  static char got[64];
  char list[4][8];
  size_t n = item_heading_numbers(text, list, 4);
  got[0] = '\0';
  for (size_t i = 0; i < n; i++)
    snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i ? " " : "", list[i]);
  return got;
}

TEST(numbers_of_items) {
  CHECK_STR(numbers_of("Item 1A. Risk Factors"), "1A");
  CHECK_STR(numbers_of("ITEM 7 A. QUANTITATIVE"), "7A");
  CHECK_STR(numbers_of("Item 9A(T). Controls"), "9A");
  CHECK_STR(numbers_of("Items 1 and 2. Business and Properties"), "1 2");
  CHECK_STR(numbers_of("Items 1, 1A and 2."), "1 1A 2");
  CHECK_STR(numbers_of("Item 5.02 Departure"), "5.02");
  CHECK_STR(numbers_of("Item 16.B. Code of Ethics"), "16B");
  CHECK_STR(numbers_of("I tem 3 Legal"), "3");
  CHECK_STR(numbers_of("PART II, Item 1. Legal"), "1");
  CHECK_STR(numbers_of("Item 1 a thing"), "1");
  CHECK_STR(numbers_of("Itemized deductions 1"), "");
  CHECK_STR(numbers_of("Section 5 - Governance Item 5.02 Departure"), "5.02");
}

TEST(titles_match_without_punctuation) {
  CHECK_INT(items_title_match("management\xE2\x80\x99s discussion and more", "managements discussion"), 25);
  CHECK_INT(items_title_match("legal proceedings", "business|legal proceedings"), 17);
  CHECK_INT(items_title_match("illegal proceedings", "business|legal proceedings"), 0);
}

static void block(struct doc *d, const char *text) {
  if (d->text.len)
    buf_add_char(&d->text, '\n');
  struct doc_block *b = doc_add_block(d);
  b->start = d->text.len;
  buf_add_str(&d->text, text);
  b->end = d->text.len;
  buf_add_char(&d->text, '\n');
}

TEST(edits_move_offsets_along) {
  struct doc d;
  struct doc_edits e;
  doc_init(&d, 1000);
  doc_edits_init(&e);
  block(&d, "one");
  block(&d, "12");
  block(&d, "**Item** 2. text");
  block(&d, "last");
  doc_add_break(&d)->offset = d.blocks[2].start;
  doc_add_outline(&d)->offset = d.blocks[2].start;
  doc_edits_remove(&e, &d, 1, 2);
  doc_edits_heading(&e, &d, 2, d.blocks[2].start + 11, slice_str("## Item 2."), 2);
  doc_edits_apply(&e, &d);
  CHECK_STR(d.text.data, "one\n\n## Item 2.\n\ntext\n\nlast\n");
  CHECK_INT(d.block_count, 4);
  CHECK_INT(d.blocks[1].kind, DOC_HEADING);
  CHECK_INT(d.blocks[2].start, 17);
  CHECK_INT(d.blocks[2].end, 21);
  CHECK_INT(d.breaks[0].offset, 5);
  CHECK_INT(d.outline[0].offset, 5);
  doc_edits_release(&e);
  doc_release(&d);
}

TEST(edits_may_remove_everything) {
  struct doc d;
  struct doc_edits e;
  doc_init(&d, 1000);
  doc_edits_init(&e);
  block(&d, "a");
  block(&d, "b");
  doc_add_break(&d)->offset = d.blocks[1].start;
  doc_edits_remove(&e, &d, 0, 2);
  doc_edits_apply(&e, &d);
  CHECK_INT(d.block_count, 0);
  CHECK_INT(d.text.len, 0);
  CHECK_INT(d.breaks[0].offset, 0);
  doc_edits_release(&e);
  doc_release(&d);
}

TEST(xml_paths_attributes_and_malformed_input) {
  struct xml x;
  struct error_text why;
  CHECK_INT(xml_read(&x,
                     slice_str("<a><!-- <no> --><n:b k='1 > 0'>x &lt; &#65;</n:b><c/>t<![CDATA[<d>]]></a>"),
                     &why),
            0);
  uint32_t a = xml_child(&x, 0, "a", 0);
  struct slice b = xml_text(&x, a, "b");
  CHECK(slice_is(b, "x < A"));
  CHECK(slice_is(xml_attribute(&x, xml_at(&x, a, "b"), "k"), "1 > 0"));
  CHECK(xml_at(&x, a, "c") && !xml_at(&x, a, "c/d"));
  xml_release(&x);
  CHECK_INT(xml_read(&x, slice_str("<?xml version='1.0'?>\n<a>\n<b>open</a>"), &why), -1);
  CHECK_STR(why.text, "mismatched tag in line 3");
  xml_release(&x);
  CHECK_INT(xml_read(&x, slice_str("no element"), &why), -1);
  CHECK_STR(why.text, "no element in it");
  xml_release(&x);
}

TEST(xml_grows_by_no_declaration) {
  struct xml x;
  struct error_text why;
  CHECK_INT(
      xml_read(
          &x,
          slice_str("<!DOCTYPE a [<!ENTITY b \"0123456789\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">]>"
                    "<a k='&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>&c; &nbsp;</a>"),
          &why),
      -1);
  CHECK_STR(why.text, "its declarations are larger than itself");
  xml_release(&x);
  CHECK_INT(xml_read(&x,
                     slice_str("<!DOCTYPE a [<!ENTITY c SYSTEM \"file:///etc/passwd\">]><a>&c; &nbsp;</a>"),
                     &why),
            0);
  CHECK(slice_is(xml_text(&x, 0, "a"), "&c; &nbsp;"));
  xml_release(&x);
}

TEST(deep_xml_is_bounded) {
  struct buf deep;
  struct xml x;
  struct error_text why;
  buf_init(&deep, 1 << 20);
  for (int i = 0; i < 5000; i++)
    buf_add_str(&deep, "<a>");
  buf_add_str(&deep, "x");
  for (int i = 0; i < 5000; i++)
    buf_add_str(&deep, "</a>");
  CHECK_INT(xml_read(&x, buf_slice(&deep), &why), 0);
  xml_release(&x);
  buf_release(&deep);
}

TEST(content_by_look) {
  CHECK_INT(content_type_of(slice_str("  <!DOCTYPE html><p>"), slice_str("")), CONTENT_HTML);
  CHECK_INT(content_type_of(slice_str("<?xml version='1.0'?><html>"), slice_str("")), CONTENT_HTML);
  CHECK_INT(content_type_of(slice_str("<?xml version='1.0'?><f><title>x</title></f>"), slice_str("")),
            CONTENT_XML);
  CHECK_INT(content_type_of(slice_str("{\"a\":1}"), slice_str("text/html")), CONTENT_JSON);
  CHECK_INT(content_type_of(slice_str("{not json}"), slice_str("application/json")), CONTENT_TEXT);
  CHECK_INT(content_type_of(slice_str("a,b\n1,2\n"), slice_str("text/csv")), CONTENT_CSV);
  CHECK_INT(content_type_of(slice_str("<TABLE>\n<S> <C>\nx 1\n</TABLE>"), slice_str("text/plain")),
            CONTENT_TEXT);
  CHECK_INT(content_type_of(slice_str("%PDF-1.4"), slice_str("text/html")), CONTENT_PDF);
  CHECK_INT(content_type_of(slice_str("PK\003\004x"), slice_str("text/html")), CONTENT_ARCHIVE);
  CHECK_INT(content_type_of(slice_str(" \n"), slice_str("text/html")), CONTENT_EMPTY);
}

static const char *plain(const char *text) {
  static char got[512];
  struct doc_options o = {.plain = 1, .max_text = 1000};
  struct doc d;
  doc_init(&d, 1000);
  text_reader_read(&d, slice_str(text), &o);
  snprintf(got, sizeof got, "%s", d.text.data ? d.text.data : "");
  doc_release(&d);
  return got;
}

TEST(plain_text_paragraphs) {
  CHECK_STR(plain("a\nb\n\nc"), "a b\n\nc\n");
  CHECK_STR(plain("First ends here.\n     Second begins\nand goes on."),
            "First ends here.\n\nSecond begins and goes on.\n");
  CHECK_STR(plain("x     1\ny     2"), "x     1\ny     2\n");
  CHECK_STR(plain("tab\there     5\nand\tthere    6"), "tab     here     5\nand     there    6\n");
  CHECK_STR(plain("caf\xE9 \x93q\x94"), "caf\xC3\xA9 \xE2\x80\x9Cq\xE2\x80\x9D\n");
  CHECK_STR(plain("\f\f"), "");
}

TEST(charset_parameters) {
  char out[16];
  CHECK_STR(content_type_charset(slice_str("text/html; charset=\"ISO-8859-1\"; x"), out, sizeof out),
            "ISO-8859-1");
  CHECK(content_type_charset(slice_str("text/html; charset="), out, sizeof out) == NULL);
  CHECK(content_type_charset(slice_str("text/html"), out, sizeof out) == NULL);
}

static void count_document(void *arg, struct doc *d, const struct metadata *m, double confidence) {
  (void)d, (void)m, (void)confidence;
  ++*(int *)arg;
}

static void count_fault(void *arg, const char *category, const char *message) {
  (void)category, (void)message;
  ++*(int *)arg;
}

/* Its title is the whole document, and doesn't fit: there is no text yet to take it back from. */
TEST(a_first_title_that_is_too_long) {
  int told = 0;
  struct strip_events events = {count_document, count_fault, &told};
  struct strip_options o = {.out = {.plain = 1, .max_text = 16}};
  struct metadata m = {0};
  struct stripper *s = strip_new(&o);
  strip_payload(s, slice_str("<averylongnameofarootelement>"), slice_str("text/xml"), &m, &events);
  CHECK_INT(told, 1);
  metadata_release(&m);
  strip_free(s);
}

int main(void) {
  RUN(uudecode_reads_and_refuses);
  RUN(submissions_are_told_from_text);
  RUN(the_company_of_a_header_is_the_issuer);
  RUN(dates_and_ciks_that_are_none_stay_away);
  RUN(numbers_of_items);
  RUN(titles_match_without_punctuation);
  RUN(edits_move_offsets_along);
  RUN(edits_may_remove_everything);
  RUN(xml_paths_attributes_and_malformed_input);
  RUN(xml_grows_by_no_declaration);
  RUN(deep_xml_is_bounded);
  RUN(a_first_title_that_is_too_long);
  RUN(content_by_look);
  RUN(plain_text_paragraphs);
  RUN(charset_parameters);
  return test_done();
}
