/* html_test.c: the HTML reader: tokenizer states, references, encodings, white space, blocks, tables, iXBRL.
 *
 * With arguments it is a tool for tests and benchmarks instead:
 *   html_test --text FILE...     what html_read() makes of the files
 *   html_test --blocks FILE...   a line a block: kind, flags, level, size, its first 100 bytes
 *   html_test --time N FILE...   reads each file N times, prints MB/s of CPU time
 */
#include "format/charset.h"
#include "html/entities.h"
#include "html/html.h"
#include "html/html_token.h"

#include "test.h"

#include <stdlib.h>
#include <time.h>

/* ---- tokens ---- */

static void add_decoded(struct buf *out, struct slice s, int references, int in_attribute) {
  for (size_t i = 0; i < s.len;) {
    char bytes[ENTITY_MAX];
    size_t n = 0, taken = 0;
    if (references && s.data[i] == '&')
      taken = entity_decode(s.data + i, s.len - i, in_attribute, bytes, &n);
    if (taken)
      buf_add(out, bytes, n);
    else
      buf_add_char(out, s.data[i]);
    i += taken ? taken : 1;
  }
}

static void add_tag(struct buf *out, const struct html_token *t) {
  buf_add_str(out, t->kind == HTML_START_TAG ? "<" : "</");
  buf_add_slice(out, t->text);
  for (size_t i = 0; t->kind == HTML_START_TAG && i < t->attribute_count; i++) {
    buf_add_char(out, ' ');
    buf_add_slice(out, t->attributes[i].name);
    buf_add_char(out, '=');
    add_decoded(out, t->attributes[i].value, 1, 1);
  }
  buf_add_str(out, t->self_closing ? "/>" : ">");
}

/* The tokens on one line: text as 'text', tags without quotes, comments as !text!, DOCTYPE as %text%. */
static const char *tokens_of(const char *html, size_t len, int cdata) {
  static struct buf out;
  struct html_tokenizer t;
  struct html_token token;
  int in_text = 0;
  buf_release(&out);
  buf_init(&out, 1 << 20);
  html_tokenizer_init(&t, slice_of(html, len));
  t.cdata = cdata;
  for (enum html_token_kind kind; (kind = html_token_next(&t, &token)) != HTML_END_OF_FILE;) {
    if (in_text != (kind == HTML_TEXT))
      buf_add_char(&out, '\'');
    in_text = kind == HTML_TEXT;
    if (kind == HTML_TEXT)
      add_decoded(&out, token.text, token.references, 0);
    else if (kind == HTML_COMMENT || kind == HTML_DOCTYPE)
      buf_printf(&out, "%c%.*s%c", "!%"[kind == HTML_DOCTYPE], (int)token.text.len, token.text.data,
                 "!%"[kind == HTML_DOCTYPE]);
    else
      add_tag(&out, &token);
  }
  buf_add_str(&out, in_text ? "'" : "");
  return out.data;
}

struct state_case {
  const char *state, *html, *tokens;
};

/* One case or more for every state of section 13.2.5 of the standard, in its order. */
static const struct state_case states[] = {
    {"data", "a<b>c", "'a'<b>'c'"},
    {"data", "5 < 6 & 7", "'5 < 6 & 7'"},
    {"RCDATA", "<title>a<b>&amp;</title>c", "<title>'a<b>&'</title>'c'"},
    {"RAWTEXT", "<style>a<b>&amp;</style>c", "<style>'a<b>&amp;'</style>'c'"},
    {"script data", "<script>a<b>&amp;</script>c", "<script>'a<b>&amp;'</script>'c'"},
    {"PLAINTEXT", "<plaintext>a</plaintext>&amp;", "<plaintext>'a</plaintext>&amp;'"},
    {"tag open", "<", "'<'"},
    {"tag open", "<1>", "'<1>'"},
    {"tag open", "<?xml a?>b", "!?xml a?!'b'"},
    {"end tag open", "a</>b", "'ab'"},
    {"end tag open", "a</", "'a</'"},
    {"end tag open", "a</ b>c", "'a'! b!'c'"},
    {"tag name", "<A\nb>c</A >", "<A b=>'c'</A>"},
    {"tag name", "a<div", "'a'"},
    {"RCDATA less-than sign", "<textarea>a<</textarea>", "<textarea>'a<'</textarea>"},
    {"RCDATA end tag open", "<title></1></title>", "<title>'</1>'</title>"},
    {"RCDATA end tag name", "<title></titles></TITLE\t>a", "<title>'</titles>'</TITLE>'a'"},
    {"RAWTEXT less-than sign", "<xmp>a<b<</xmp>", "<xmp>'a<b<'</xmp>"},
    {"RAWTEXT end tag open", "<style></</style>", "<style>'</'</style>"},
    {"RAWTEXT end tag name", "<style></stylex></style/>a", "<style>'</stylex>'</style/>'a'"},
    {"script data less-than sign", "<script>a<b</script>", "<script>'a<b'</script>"},
    {"script data end tag open", "<script></1</script>", "<script>'</1'</script>"},
    {"script data end tag name", "<script></scripty></script>", "<script>'</scripty>'</script>"},
    {"script data escape start", "<script><!a</script>", "<script>'<!a'</script>"},
    {"script data escape start dash", "<script><!-a</script>", "<script>'<!-a'</script>"},
    {"script data escaped", "<script><!--a</script>b", "<script>'<!--a'</script>'b'"},
    {"script data escaped dash", "<script><!--a-b</script>", "<script>'<!--a-b'</script>"},
    {"script data escaped dash dash", "<script><!--a--><script></script>b",
     "<script>'<!--a--><script>'</script>'b'"},
    {"script data escaped dash dash", "<script><!--><script></script>b",
     "<script>'<!--><script>'</script>'b'"},
    {"script data escaped less-than sign", "<script><!--a<1</script>", "<script>'<!--a<1'</script>"},
    {"script data escaped end tag open", "<script><!--</1</script>", "<script>'<!--</1'</script>"},
    {"script data escaped end tag name", "<script><!--</scripts></script>a",
     "<script>'<!--</scripts>'</script>'a'"},
    {"script data double escape start", "<script><!--<script></script>a--></script>b",
     "<script>'<!--<script></script>a-->'</script>'b'"},
    {"script data double escape start", "<script><!--<scriptx></script>a",
     "<script>'<!--<scriptx>'</script>'a'"},
    {"script data double escaped", "<script><!--<script>a<b</script>--></script>",
     "<script>'<!--<script>a<b</script>-->'</script>"},
    {"script data double escaped dash", "<script><!--<script>a-b</script>--></script>",
     "<script>'<!--<script>a-b</script>-->'</script>"},
    {"script data double escaped dash dash", "<script><!--<script>a--></script>b",
     "<script>'<!--<script>a-->'</script>'b'"},
    {"script data double escaped less-than sign", "<script><!--<script><a</script></script>b",
     "<script>'<!--<script><a</script>'</script>'b'"},
    {"script data double escape end", "<script><!--<script></scripts></script></script>b",
     "<script>'<!--<script></scripts></script>'</script>'b'"},
    {"before attribute name", "<a  =b>", "<a =b=>"},
    {"attribute name", "<a B\"c'd<e>", "<a B\"c'd<e=>"},
    {"after attribute name", "<a b = c d/e>", "<a b=c d= e=>"},
    {"before attribute value", "<a b=>c", "<a b=>'c'"},
    {"attribute value (double-quoted)", "<a b=\"c>'&lt;&copy=&copy;\n\">", "<a b=c>'<&copy=\xC2\xA9\n>"},
    {"attribute value (double-quoted)", "a<b c=\"d>e", "'a'"},
    {"attribute value (single-quoted)", "<a b='c>\"&lt;'>", "<a b=c>\"<>"},
    {"attribute value (unquoted)", "<a b=c/d&lt;\"'<=` e>", "<a b=c/d<\"'<=` e=>"},
    {"after attribute value (quoted)", "<a b=\"c\"d='e'/f>", "<a b=c d=e f=>"},
    {"self-closing start tag", "<br/><a / b/c>", "<br/><a b= c=>"},
    {"bogus comment", "<!a-->b<?c>d</!e>f", "!a--!'b'!?c!'d'!!e!'f'"},
    {"markup declaration open", "<!-a><!d><!docType x>", "!-a!!d!% x%"},
    {"comment start", "<!-->a", "!!'a'"},
    {"comment start dash", "<!--->a<!---b-->", "!!'a'!-b!"},
    {"comment", "<!--a<b>c-->d", "!a<b>c!'d'"},
    {"comment less-than sign", "<!--<<a-->", "!<<a!"},
    {"comment less-than sign bang", "<!--a<!b-->", "!a<!b!"},
    {"comment less-than sign bang dash", "<!--a<!-b-->", "!a<!-b!"},
    {"comment less-than sign bang dash dash", "<!--a<!--b-->c<!--<!-->d", "!a<!--b!'c'!<!!'d'"},
    {"comment end dash", "<!--a-b-->", "!a-b!"},
    {"comment end", "<!--a--b--->c<!---->d", "!a--b-!'c'!!'d'"},
    {"comment end bang", "<!--a--!b--!>c", "!a--!b!'c'"},
    {"DOCTYPE", "<!DOCTYPE>a", "%%'a'"},
    {"before DOCTYPE name", "<!doctype  html>a", "%  html%'a'"},
    {"DOCTYPE name", "<!doctype htm", "% htm%"},
    {"after DOCTYPE name", "<!doctype a b>c", "% a b%'c'"},
    {"after DOCTYPE public keyword", "<!doctype a PUBLIC>c", "% a PUBLIC%'c'"},
    {"before DOCTYPE public identifier", "<!doctype a PUBLIC >c", "% a PUBLIC %'c'"},
    {"DOCTYPE public identifier (double-quoted)", "<!doctype a PUBLIC \"b>c", "% a PUBLIC \"b%'c'"},
    {"DOCTYPE public identifier (single-quoted)", "<!doctype a PUBLIC 'b'>c", "% a PUBLIC 'b'%'c'"},
    {"after DOCTYPE public identifier", "<!doctype a PUBLIC 'b'x>c", "% a PUBLIC 'b'x%'c'"},
    {"between DOCTYPE public and system identifiers", "<!doctype a PUBLIC 'b' 'd'>c",
     "% a PUBLIC 'b' 'd'%'c'"},
    {"after DOCTYPE system keyword", "<!doctype a SYSTEM>c", "% a SYSTEM%'c'"},
    {"before DOCTYPE system identifier", "<!doctype a SYSTEM >c", "% a SYSTEM %'c'"},
    {"DOCTYPE system identifier (double-quoted)", "<!doctype a SYSTEM \"b\">c", "% a SYSTEM \"b\"%'c'"},
    {"DOCTYPE system identifier (single-quoted)", "<!doctype a SYSTEM 'b>c", "% a SYSTEM 'b%'c'"},
    {"after DOCTYPE system identifier", "<!doctype a SYSTEM 'b' x>c", "% a SYSTEM 'b' x%'c'"},
    {"bogus DOCTYPE", "<!doctype a b c d>e", "% a b c d%'e'"},
    {"CDATA section", "<![CDATA[a<b>&amp;]]>c", "'a<b>&amp;c'"},
    {"CDATA section bracket", "<![CDATA[a]b]]>c", "'a]bc'"},
    {"CDATA section end", "<![CDATA[a]]]>c<![CDATA[d", "'a]cd'"},
    {"character reference", "a & b &", "'a & b &'"},
    {"named character reference", "&notit; &notin; &AMP &lt;&hellip;",
     "'\xC2\xACit; \xE2\x88\x89 & <\xE2\x80\xA6'"},
    {"ambiguous ampersand", "&nosuch; &x", "'&nosuch; &x'"},
    {"numeric character reference", "&#; &#x;", "'&#; &#x;'"},
    {"hexadecimal character reference start", "&#xg &#X41;", "'&#xg A'"},
    {"decimal character reference start", "&#a &#65;", "'&#a A'"},
    {"hexadecimal character reference", "&#x2019;&#xAe.", "'\xE2\x80\x99\xC2\xAE.'"},
    {"decimal character reference", "&#8217;&#65b",
     "'\xE2\x80\x99"
     "Ab'"},
    {"numeric character reference end", "&#150;&#0;&#xD800;&#x110000;&#99999999999;",
     "'\xE2\x80\x93\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD'"},
};

#define STATES 80 /* of the standard */

TEST(every_tokenizer_state) {
  int named = 0;
  for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
    const struct state_case *c = &states[i];
    const char *got = tokens_of(c->html, strlen(c->html), strncmp(c->state, "CDATA", 5) == 0);
    if (strcmp(got, c->tokens) != 0)
      printf("# in the %s state\n", c->state);
    CHECK_STR(got, c->tokens);
    named += i == 0 || strcmp(c->state, states[i - 1].state) != 0;
  }
  CHECK_INT(named, STATES);
}

TEST(tokens_of_odd_input) {
  CHECK_STR(tokens_of("", 0, 0), "");
  CHECK_STR(tokens_of("</></></>a", 10, 0), "'a'");
  CHECK_STR(tokens_of("<![CDATA[a]]>b", 14, 0), "![CDATA[a]]!'b'"); /* outside of svg and math */
  CHECK_STR(tokens_of("<script>", 8, 0), "<script>");
  CHECK_STR(tokens_of("<title>a", 8, 0), "<title>'a'");
  CHECK_STR(tokens_of("a\0b", 3, 0), "'a");
}

TEST(more_attributes_than_are_kept) {
  static struct buf b;
  buf_init(&b, 1 << 16);
  buf_add_str(&b, "<p");
  for (int i = 0; i < 200; i++)
    buf_printf(&b, " a%d=\"%d\"", i, i);
  buf_add_str(&b, ">x");
  const char *got = tokens_of(b.data, b.len, 0);
  CHECK(strstr(got, "a31=31>'x'") != NULL);
  buf_release(&b);
}

/* ---- reading ---- */

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct doc doc;
static struct html_facts facts;

static const char *read_with(const char *html, size_t len, const struct doc_options *o) {
  html_facts_release(&facts);
  doc_release(&doc);
  doc_init(&doc, 1 << 24);
  html_read(&doc, slice_of(html, len), o, &facts);
  for (size_t i = 0; i < doc.block_count; i++) { /* what doc.h promises */
    CHECK(doc.blocks[i].start < doc.blocks[i].end && doc.blocks[i].end <= doc.text.len);
    CHECK(i == 0 || doc.blocks[i - 1].end + 2 == doc.blocks[i].start);
  }
  return doc.text.data ? doc.text.data : "";
}

static const char *md(const char *html) {
  struct doc_options o = {.max_text = 1 << 24};
  return read_with(html, strlen(html), &o);
}

static const char *as_text(const char *html) {
  struct doc_options o = {.max_text = 1 << 24, .tables = DOC_TABLES_TEXT};
  return read_with(html, strlen(html), &o);
}

TEST(white_space) {
  CHECK_STR(md("<p>  a \n\t b&nbsp;&nbsp;c&#8239;d  </p>"), "a b c d\n");
  CHECK_STR(md("<p>a &#128512; b"), "a \xF0\x9F\x98\x80 b\n");
  CHECK_STR(md("<p>co&shy;op soft\xC2\xADhyphen zero\xE2\x80\x8Bwidth \xEF\xBB\xBF.</p>"),
            "coop softhyphen zerowidth .\n");
  CHECK_STR(md("<p>a<br>b<br/>c</p>"), "a\nb\nc\n");
  CHECK_STR(md("a<br><br>b"), "a\n\nb\n");
  CHECK_STR(md("<b>a</b> <i>b</i><span>c</span>"), "a bc\n");
  CHECK_STR(md("<p>a</p>b<div>c</div>d"), "a\n\nb\n\nc\n\nd\n");
  CHECK_STR(md(""), "");
  CHECK_STR(md("<p> &nbsp; </p>"), "");
}

TEST(words_stay_apart) {
  CHECK_STR(md("<div>a</div><div>b</div>"), "a\n\nb\n");
  CHECK_STR(md("<ul><li>a<li>b</ul>c"), "- a\n\n- b\n\nc\n");
  CHECK_STR(md("10<sup>2</sup> Apple<sup>1</sup> 1<sup>st</sup> 5<sup>(a)</sup>"), "10^2 Apple^1 1st 5(a)\n");
  CHECK_STR(md("<sup>1</sup>Represents"), "1 Represents\n");
  CHECK_STR(md("<span style=\"display:block\">a</span>b"), "a\n\nb\n");
  CHECK_STR(md("<ix:nonFraction name=\"x\">12</ix:nonFraction>million"), "12million\n");
  CHECK_STR(md("was <ix:nonFraction name=\"x\">12</ix:nonFraction> million"), "was 12 million\n");
}

TEST(hidden_parts) {
  CHECK_STR(md("a<div style=\"display:none\">b<p>c</p></div>d"), "a\n\nd\n");
  CHECK_STR(md("a<span style='DISPLAY : None'>b</span>c"), "ac\n");
  CHECK_STR(md("<ix:header><ix:hidden>x</ix:hidden></ix:header>a"), "a\n");
  CHECK_STR(md("<script>x</script><style>y</style><title>z</title>a"), "a\n");
  CHECK_STR(md("<table><tr style=\"display:none\"><td>x<td>y</tr><tr><td>a</td></tr></table>"), "a\n");
  CHECK_STR(md("<div style=\"display:none\"><table><tr><td>x</td></tr></table></div>a"), "a\n");
  CHECK_STR(md("<p style=\"visibility:hidden\">x<span style=\"visibility:visible\">a</span></p>"), "a\n");
  CHECK_STR(md("<p hidden>x</p>a"), "a\n");
}

TEST(malformed_nesting) {
  CHECK_STR(md("<b>a<p>b</b>c</p>d"), "a\n\nbc\n\nd\n");
  CHECK_STR(md("</p></div></td></table>a</b>"), "a\n");
  CHECK_STR(md("<p>a<p>b<div>c"), "a\n\nb\n\nc\n");
  CHECK_STR(md("<table><tr><td>a<td>b<tr><td>c<td>5</table>d"),
            "| a | b |\n| --- | ---: |\n| c | 5 |\n\nd\n");
  CHECK_STR(md("<font><table><tr><td>a</font></td></tr></table>b"), "a\n\nb\n");
  CHECK_STR(md("<td>a</td><tr>b</tr>"), "a\n\nb\n");
  CHECK_STR(md("<h2>a<h3>b</h2>c"), "## a\n\n### b\n\nc\n");
}

TEST(deep_nesting_is_bounded) {
  struct buf b;
  buf_init(&b, 1 << 24);
  for (int i = 0; i < 20000; i++)
    buf_add_str(&b, "<div><b>");
  buf_add_str(&b, "deep");
  for (int i = 0; i < 20000; i++)
    buf_add_str(&b, "</b></div>");
  buf_add_str(&b, "<p>after</p>");
  CHECK_STR(md(b.data), "deep\n\nafter\n");
  buf_clear(&b);
  for (int i = 0; i < 3000; i++)
    buf_add_str(&b, "<table><tr><td>");
  buf_add_str(&b, "deep");
  for (int i = 0; i < 3000; i++)
    buf_add_str(&b, "</td></tr></table>");
  buf_add_str(&b, "after");
  CHECK_STR(md(b.data), "deep\n\nafter\n");
  buf_release(&b);
}

static unsigned flags_of(size_t block) {
  return block < doc.block_count ? doc.blocks[block].flags : 0xFFFF;
}

TEST(how_blocks_look) {
  md("<p align=center><b>ITEM 1.</b></p><p><b>Item</b> 1</p><p style=\"font-weight:700;font-size:12pt\">x</p>"
     "<p><u><i>y</i></u></p><p><a href=\"#t\">link</a>.</p><p>t</p><center>"
     "z</center>"
     "<p><b>\xE2\x80\xA2</b> <b>bold</b>, <strong>all</strong></p>");
  CHECK_INT(flags_of(0), DOC_BOLD | DOC_CENTERED | DOC_UPPERCASE);
  CHECK_INT(flags_of(1), 0);
  CHECK_INT(flags_of(2), DOC_BOLD);
  CHECK(doc.block_count > 2 && doc.blocks[2].size > 11.9f && doc.blocks[2].size < 12.1f);
  CHECK_INT(flags_of(3), DOC_UNDERLINED | DOC_ITALIC);
  CHECK_INT(flags_of(4), DOC_LINKED);
  CHECK_INT(flags_of(5), 0);
  CHECK_INT(flags_of(6), DOC_CENTERED);
  CHECK_INT(flags_of(7), DOC_BOLD);
}

TEST(headings_and_marks) {
  CHECK_STR(md("<h1>a</h1><h6>b</h6># c<p>| d</p>"), "# a\n\n###### b\n\n\\# c\n\n\\| d\n");
  CHECK_INT(doc.blocks[1].level, 6);
  CHECK_STR(md("<ol start=3><li>a<ul><li>b</ul><li>c</ol>"), "3. a\n\n  - b\n\n4. c\n");
  struct doc_options plain = {.max_text = 1 << 20, .plain = 1};
  CHECK_STR(read_with("<h1>a</h1>#<ul><li>b</ul>", 25, &plain), "a\n\n#\n\n\xE2\x80\xA2 b\n");
}

TEST(preformatted) {
  CHECK_STR(md("<pre>a\n  b\n\nNet   1,234\nCost  5</pre>"), "a\nb\n\n```\nNet   1,234\nCost  5\n```\n");
  CHECK_STR(md("<PRE>one<PAGE>two</PRE>"), "one\n\ntwo\n");
  CHECK_INT(doc.break_count, 1);
}

TEST(page_breaks) {
  md("<p>a</p><hr style=\"page-break-after:always\"/><div style=\"page-break-before:always\"><p>b</p></div>"
     "<p style=\"break-after:page\">c</p><PAGE><p>d</p>");
  CHECK_INT(doc.break_count, 2);
  CHECK_INT(doc.break_count > 1 ? doc.breaks[1].page : 0, 3);
  CHECK_INT(doc_page_at(&doc, 0), 1);
  CHECK_INT(doc_page_at(&doc, doc.blocks[1].start), 2);
  CHECK_INT(doc_page_at(&doc, doc.blocks[3].start), 3);
  md("<p>a</p>");
  CHECK_INT(doc_page_at(&doc, 0), 0);
  md("<!-- PAGEBREAK --><p>a</p><!-- PAGEBREAK --><p>b</p>");
  CHECK_INT(doc.break_count, 1);
}

TEST(symbol_fonts) {
  CHECK_STR(md("Yes <font face=\"Wingdings\">x</font> No <span style='font-family:Wingdings'>&#168;</span>"),
            "Yes \xE2\x98\x92 No \xE2\x98\x90\n");
  CHECK_STR(md("<font face=wingdings>o &#9744;&nbsp;<font face=Arial>x</font></font>"),
            "\xE2\x98\x90 \xE2\x98\x90 x\n");
}

TEST(images) {
  CHECK_STR(md("<img alt=\"Item 1. Business\" src=x><img alt=\"g1.jpg\"><img>"), "[Item 1. Business]\n");
}

/* ---- tables ---- */

#define ROW3(a, b, c) "<tr><td>" a "</td><td>" b "</td><td>" c "</td></tr>"

TEST(table_of_numbers) {
  CHECK_STR(md("<table>" ROW3("", "2025", "2024") ROW3("Sales", "1,234", "(5)") "</table>"),
            "|  | 2025 | 2024 |\n| --- | ---: | ---: |\n| Sales | 1,234 | (5) |\n");
  CHECK_INT(doc.blocks[0].kind, DOC_TABLE);
}

TEST(table_signs_join_their_numbers) {
  CHECK_STR(
      md("<table><tr><td></td><td colspan=3>2025</td><td></td><td colspan=3>2024</td></tr>"
         "<tr><td>Sales</td><td>$</td><td>1,234</td><td></td><td></td><td>$</td><td>(56</td><td>)</td></tr>"
         "<tr><td>Margin</td><td colspan=2>12.5</td><td>%</td><td></td><td colspan=2>(3</td><td>)%</td></tr>"
         "<tr><td>Other</td><td>$</td><td>\xE2\x80\x94</td><td></td><td></td><td>$ "
         "(</td><td>7</td><td>)</td></tr>"
         "</table>"),
      "|  | 2025 | 2024 |\n| --- | ---: | ---: |\n| Sales | $1,234 | $(56) |\n| Margin | 12.5% | (3)% |\n"
      "| Other | $\xE2\x80\x94 | $(7) |\n");
}

TEST(table_header_spans_are_repeated) {
  CHECK_STR(md("<table><tr><td></td><th colspan=2>Three Months</th><th colspan=2>Six Months</th></tr>"
               "<tr><td>(in millions)</td><td>2025</td><td>2024</td><td>2025</td><td>2024</td></tr>"
               "<tr><td>Sales</td><td>1</td><td>2</td><td>3</td><td>4</td></tr></table>"),
            "| (in millions) | Three Months 2025 | Three Months 2024 | Six Months 2025 | Six Months 2024 |\n"
            "| --- | ---: | ---: | ---: | ---: |\n| Sales | 1 | 2 | 3 | 4 |\n");
}

TEST(table_caption_stays_beside) {
  CHECK_STR(
      md("<table><tr><td colspan=3>BALANCE SHEETS</td></tr><tr><td colspan=3>(In thousands)</td></tr>" ROW3(
          "", "2025", "2024") ROW3("Cash", "1", "2") "<tr><td colspan=3>See notes</td></tr></table>"),
      "BALANCE SHEETS\n\n(In thousands)\n\n| (In thousands) | 2025 | 2024 |\n| --- | ---: | ---: |\n| Cash | "
      "1 | 2 |\n\n"
      "See notes\n");
  CHECK_STR(md("<table><caption>Units</caption>" ROW3("", "2025", "2024") ROW3("Cash", "1", "2") "</table>"),
            "Units\n\n|  | 2025 | 2024 |\n| --- | ---: | ---: |\n| Cash | 1 | 2 |\n");
  CHECK_STR(md("<p>Sales were as follows (dollars in millions):</p><table>" ROW3("", "2025", "2024")
                   ROW3("Sales", "1", "2") "</table>"),
            "Sales were as follows (dollars in millions):\n\n| (dollars in millions) | 2025 | 2024 |\n"
            "| --- | ---: | ---: |\n| Sales | 1 | 2 |\n");
  CHECK_STR(
      md("<p>(in millions)</p><table>" ROW3("Assets", "2025", "2024") ROW3("Cash", "1", "2") "</table>"),
      "(in millions)\n\n| Assets (in millions) | 2025 | 2024 |\n| --- | ---: | ---: |\n| Cash | 1 | 2 |\n");
}

TEST(table_section_rows_and_spans) {
  CHECK_STR(md("<table>" ROW3("", "2025", "2024") "<tr><td colspan=3>Current assets:</td></tr>" ROW3(
                "Cash", "1",
                "2") "<tr><td rowspan=2>Debt</td><td>3</td><td>4</td></tr><tr><td>5</td><td>6</td></tr>"
                     "</table>"),
            "|  | 2025 | 2024 |\n| --- | ---: | ---: |\n| Current assets: |  |  |\n| Cash | 1 | 2 |\n"
            "| Debt | 3 | 4 |\n| Debt | 5 | 6 |\n");
}

/* A table whose labels have levels 0, 1, 2, 1, by what is written before them and in their cells. */
static const char *levels(const char *sheet, const char *one, const char *two) {
  static char page[4096];
  snprintf(page, sizeof page,
           "%s<table>" ROW3("", "2025", "2024") "<tr><td>Assets:</td></tr><tr><td%s</td></tr>"
                                                "<tr><td%sCash</td><td>1</td><td>2</td></tr><tr><td%s</"
                                                "td><td>3</td><td>4</td></tr></table>",
           sheet, one, two, one);
  return md(page);
}

TEST(table_labels_have_levels) {
  static const char want[] = "|  | 2025 | 2024 |\n| --- | ---: | ---: |\n| Assets: |  |  |\n"
                             "|   Current |  |  |\n|     Cash | 1 | 2 |\n|   Current | 3 | 4 |\n";
  CHECK_STR(levels("", " style='padding-left:6pt'>Current", " style='padding:2px 1pt 2px 13pt'>"), want);
  CHECK_STR(levels("", "><p style='margin:0 0 0 1em'>Current", "><div style='text-indent:24px'>"), want);
  CHECK_STR(levels("", ">&nbsp;Current", ">&#8195;&#8195;"), want);
  CHECK_STR(levels("<style>.a{margin-left:20px;text-indent:-10px}.b{margin-left:20px}</style>",
                   "><div class=a>Current", "><div class=b>"),
            want);
  CHECK_STR(md("<table><tr><td colspan=3></td><td>2025</td></tr><tr><td colspan=3>Assets:</td></tr>"
               "<tr><td></td><td "
               "colspan=2>Current</td></tr><tr><td></td><td></td><td>Cash</td><td>1</td></tr></table>"),
            "|  | 2025 |\n| --- | ---: |\n| Assets: |  |\n|   Current |  |\n|     Cash | 1 |\n");
}

/* Of headings with the same indentation the bold one, or the one of capitals, is the higher one. */
TEST(table_headings_in_bold_are_higher) {
  static const char want[] = "|  | 2025 | 2024 |\n| --- | ---: | ---: |\n| ASSETS |  |  |\n"
                             "|   Current |  |  |\n|   Cash | 1 | 2 |\n";
  CHECK_STR(md("<table>" ROW3("", "2025", "2024") ROW3("ASSETS", "", "") ROW3("Current", "", "")
                   ROW3("Cash", "1", "2") "</table>"),
            want);
}

/* Header rows of a table of texts are its first ones in bold or underlined, but not all of its rows. */
TEST(table_header_of_several_rows) {
  CHECK_STR(md("<table>" ROW3("", "<b>Filed</b>", "<b>Filed</b>")
                   ROW3("<b>No.</b>", "<b>Form</b>", "<b>Date</b>") ROW3("10.1", "10-K", "May 1, 2024")
                       ROW3("10.2", "8-K", "May 2, 2024") "</table>"),
            "| No. | Filed Form | Filed Date |\n| --- | --- | --- |\n| 10.1 | 10-K | May 1, 2024 |\n"
            "| 10.2 | 8-K | May 2, 2024 |\n");
  CHECK_STR(md("<table>" ROW3("<b>Title</b>", "<b>Symbol</b>", "<b>Exchange</b>")
                   ROW3("<b>Common Stock</b>", "<b>GNA</b>", "<b>Amex</b>") "</table>"),
            "| Title | Symbol | Exchange |\n| --- | --- | --- |\n| Common Stock | GNA | Amex |\n");
  CHECK_STR(md("<table>" ROW3("<p>Exhibit<p><u>No.</u>", "", "")
                   ROW3("", "<u>Description</u>", "<u>Location</u>")
                       ROW3("3", "<u><a href=x>By-laws</a></u>", "Herewith")
                           ROW3("4", "<u><a href=y>Indenture</a></u>", "Herewith") "</table>"),
            "| Exhibit No. | Description | Location |\n| --- | --- | --- |\n| 3 | By-laws | Herewith |\n"
            "| 4 | Indenture | Herewith |\n");
}

TEST(table_footnotes_and_bars) {
  CHECK_STR(md("<table>" ROW3("", "2025", "2024") ROW3("A|B<sup>(1)</sup>", "1", "2(a)") "</table>"),
            "|  | 2025 | 2024 |\n| --- | ---: | ---: |\n| A\\|B(1) | 1 | 2(a) |\n");
  CHECK_STR(md("<table><tr><td></td><td>2025</td><td></td><td>2024</td></tr>"
               "<tr><td>A</td><td>1</td><td>*</td><td>2</td></tr></table>"),
            "|  | 2025 | 2024 |\n| --- | ---: | ---: |\n| A | 1 * | 2 |\n");
}

TEST(tables_for_layout) {
  CHECK_STR(md("<table><tr><td>Item 1A.</td><td>Risk Factors</td></tr></table>"), "Item 1A. Risk Factors\n");
  CHECK_INT(flags_of(0), DOC_FROM_TABLE);
  CHECK_STR(md("<table><tr><td>\xE2\x80\xA2</td><td>first</td></tr><tr><td>\xE2\x80\xA2</td><td>second</td></"
               "tr></table>"),
            "- first\n\n- second\n");
  CHECK_STR(
      md("<table><tr><td>Delaware</td><td>52-1574808</td></tr><tr><td>(State)</td><td>(I.R.S. No.)</td></tr>"
         "<tr><td>Phoenix</td><td>85018-2700</td></tr><tr><td>(Address)</td><td>(Zip "
         "Code)</td></tr></table>"),
      "Delaware 52-1574808\n\n(State) (I.R.S. No.)\n\nPhoenix 85018-2700\n\n(Address) (Zip Code)\n");
  CHECK_STR(md("<table><tr><td>(a)</td><td><p>one</p><p>two</p></td></tr></table>"), "(a) one\n\ntwo\n");
  CHECK_STR(md("<table><tr><td><p>one</p><p>two</p></td></tr></table>"), "one\n\ntwo\n");
}

TEST(tables_inside_tables) {
  CHECK_STR(md("<table><tr><td>before<table>" ROW3("", "2025", "2024")
                   ROW3("Cash", "1", "2") "</table>after</td></tr>"
                                          "</table>"),
            "before\n\n|  | 2025 | 2024 |\n| --- | ---: | ---: |\n| Cash | 1 | 2 |\n\nafter\n");
  CHECK_STR(md("<table><tr><table><tr><td>a</td></tr></table>b"), "a\n\nb\n");
}

TEST(table_as_text_and_dropped) {
  CHECK_STR(as_text("<table>" ROW3("", "2025", "2024") ROW3("Sales", "1,234", "(5)") "</table>"),
            "        2025  2024\nSales  1,234   (5)\n");
  struct doc_options drop = {.max_text = 1 << 20, .tables = DOC_TABLES_DROP};
  const char *html = "a<table>" ROW3("", "2025", "2024")
      ROW3("Sales", "1,234", "(5)") "</table>"
                                    "<table><tr><td>kept</td></tr></table>";
  CHECK_STR(read_with(html, strlen(html), &drop), "a\n\nkept\n");
}

TEST(table_too_wide_is_text) {
  struct buf b;
  buf_init(&b, 1 << 20);
  buf_add_str(&b, "<table>");
  for (int r = 0; r < 3; r++) {
    buf_add_str(&b, "<tr>");
    for (int i = 0; i < 300; i++)
      buf_printf(&b, "<td>%d</td>", r * 1000 + i);
  }
  const char *text = md(b.data);
  CHECK(strstr(text, "0  1  2") == text);
  CHECK(strstr(text, "298  299\n1000  1001") != NULL);
  buf_release(&b);
}

TEST(huge_spans_are_bounded) {
  CHECK_STR(md("<table><tr><td colspan=99999999999 "
               "rowspan=99999999>a</td><td>b</td></tr><tr><td>c</td></tr></table>"),
            "a b\n\nc\n");
}

/* Input that is made to be slow: seconds of CPU time for `times` copies of a part between a head and a tail.
 */
static double seconds_for(const char *head, const char *part, int times, const char *tail) {
  struct buf b;
  struct doc_options o = {.max_text = 1 << 28};
  struct doc d;
  buf_init(&b, 1 << 28);
  buf_add_str(&b, head);
  for (int i = 0; i < times; i++)
    buf_add_str(&b, part);
  buf_add_str(&b, tail);
  doc_init(&d, o.max_text);
  double start = cpu_seconds();
  html_read(&d, buf_slice(&b), &o, NULL);
  double seconds = cpu_seconds() - start;
  doc_release(&d);
  buf_release(&b);
  return seconds;
}

#define LINEAR(...)                                                                                          \
  do {                                                                                                       \
    double seconds = seconds_for(__VA_ARGS__);                                                               \
    if (seconds > 8) /* a tenth of it in a plain build */                                                    \
      printf("# %.1f s: %s\n", seconds, #__VA_ARGS__);                                                       \
    CHECK(seconds <= 8);                                                                                     \
  } while (0)

TEST(hostile_input_takes_no_ages) {
  LINEAR("", "<div><b>", 200000, "");
  LINEAR("<div><div><div>", "</p></i>x", 200000, "");
  LINEAR("", "<ul><li>a", 100000, "");
  LINEAR("", "<table><tr><td>a", 100000, "");
  LINEAR("<table><tr>", "<td>a", 200000, "");
  LINEAR("<table>", "<tr><td>1<td rowspan=60000>2", 50000, "");
  LINEAR("<table>", "<tr><td>1<td>2<td>3<td>4<td>5<td>6<tr><td colspan=6>7", 20000, "");
  LINEAR("<table>", "<tr>", 500000, "<td>a<td>b");
  LINEAR("", "<!--", 200000, "");
  LINEAR("<script>", "<!--<script>", 100000, "");
  LINEAR("<title>", "</titl", 200000, "");
  LINEAR("", "&notanentity", 100000, "");
  LINEAR("<pre>", "a   b\n   ", 200000, "");
  LINEAR("", "<a id=x><a href=#x>y</a>", 100000, "");
  LINEAR("", "<p style=\"", 100000, "");
  LINEAR("<table><tr><td>", "<p>a", 200000, "</td><td>5</td></tr></table>");
}

/* ---- encodings, facts, ceilings ---- */

static const char *md_bytes(const char *html, size_t len, const char *charset) {
  struct doc_options o = {.max_text = 1 << 20, .charset = charset};
  return read_with(html, len, &o);
}

TEST(encodings) {
  CHECK_STR(md("caf\xC3\xA9"), "caf\xC3\xA9\n");
  CHECK_STR(md("caf\xE9 \x93q\x94"), "caf\xC3\xA9 \xE2\x80\x9Cq\xE2\x80\x9D\n");
  CHECK_STR(md_bytes("caf\xE9", 4, "ISO-8859-1"), "caf\xC3\xA9\n");
  CHECK_STR(md_bytes("\xEF\xBB\xBF"
                     "caf\xC3\xA9",
                     8, "windows-1252"),
            "caf\xC3\xA9\n");
  CHECK_STR(md("<meta charset=\"iso-8859-2\">\xB9"), "\xC5\xA1\n");
  CHECK_STR(md("<?xml version='1.0' encoding='koi8-r'?>\xC1"), "\xD0\xB0\n");
  CHECK_STR(md("<meta http-equiv=Content-Type content='text/html; charset=shift_jis'>\x82\xA0"),
            "\xE3\x81\x82\n");
  CHECK_STR(md_bytes("\xFF\xFE<\0p\0>\0a\0\xE9\0", 12, NULL), "a\xC3\xA9\n");
  CHECK_STR(md("<meta charset=no-such-thing>\xE9"), "\xC3\xA9\n");
  CHECK_STR(md("<meta charset=utf-8>\xC3\xA9 \x92"), "\xC3\xA9 \xE2\x80\x99\n");
}

static const char *fact(struct slice s) {
  static char text[100];
  snprintf(text, sizeof text, "%.*s", (int)s.len, s.data ? s.data : "");
  return text;
}

TEST(facts_of_the_filing) {
  md("<title>a &amp; b</title><ix:nonNumeric name=\"dei:EntityRegistrantName\"><b>Apple</b> "
     "Inc.</ix:nonNumeric>"
     "<ix:nonNumeric name=\"dei:DocumentPeriodEndDate\" format=\"x\">September\xC2\xA0"
     "27, 2025</ix:nonNumeric>"
     "<div style=\"display:none\"><ix:nonNumeric "
     "name=\"dei:EntityCentralIndexKey\">0000320193</ix:nonNumeric>"
     "<ix:nonNumeric name=\"dei:TradingSymbol\">A</ix:nonNumeric><ix:nonNumeric name=\"dei:TradingSymbol\">B"
     "</ix:nonNumeric></div>");
  CHECK_STR(fact(facts.title), "a & b");
  CHECK_STR(fact(facts.registrant), "Apple Inc.");
  CHECK_STR(fact(facts.period_end), "2025-09-27");
  CHECK_STR(fact(facts.cik), "0000320193");
  CHECK_STR(fact(facts.ticker), "A");
  CHECK_STR(doc.text.data, "Apple Inc.September 27, 2025\n");
}

/* ---- tags that were met before ---- */

static unsigned long drawn(unsigned long *seed, unsigned long below) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (*seed >> 33) % below;
}

/* A tag's piece with an attribute of its own, which an end tag may have too. */
static void add_apart(struct buf *out, const char *piece, int n) {
  size_t len = strlen(piece), slash = piece[len - 1] == '/';
  buf_add(out, piece, len - slash);
  if (strncmp(piece, "<style", 6) != 0)
    buf_printf(out, " data-n=\"%d\"", n);
  buf_add_str(out, slash ? "/" : "");
}

/* A page of pieces in no order, of few kinds, so that they and rows of them come again; each second page is
 * XML.  `apart`: every tag has an attribute of its own, so that none is the same as another. */
static void page_of_pieces(struct buf *out, unsigned long seed, int apart) {
  static const char *const pieces[] = {"<td style=\"font-weight:bold\"",
                                       "<td colspan=2 rowspan='2'",
                                       "<th align=center",
                                       "<tr",
                                       "<table width=\"9>0\"",
                                       "<p style=\"text-align:center\"",
                                       "<p style=\"page-break-before:always\"",
                                       "<div style=\"display:none\"",
                                       "<div",
                                       "<span style='font-size:14pt;font-weight:700'",
                                       "<font size=5 face=Wingdings",
                                       "<font size=+1",
                                       "<h2",
                                       "<b",
                                       "<li",
                                       "<ol start=3",
                                       "<a href=\"#x\"",
                                       "<p id=x",
                                       "<sup",
                                       "<pre",
                                       "<br",
                                       "<hr style=\"page-break-after:always\"",
                                       "<img alt=\"a word\"",
                                       "<title",
                                       "<ix:nonFraction name=\"us-gaap:Cash\"",
                                       "<p class=k",
                                       "<style>.k{display:none}</style",
                                       "<td style=\"width:1%\"/",
                                       "<td colspan=\"3\" style=\"font-style:italic\"/",
                                       "<tr/",
                                       "<span style=\"font-weight:bold\"/",
                                       "<div/",
                                       "<br/",
                                       "<td",
                                       "</p title=\"a>b\"",
                                       "</td",
                                       "</tr",
                                       "</table",
                                       "</p",
                                       "</div",
                                       "</span",
                                       "</font",
                                       "</b",
                                       "</li",
                                       "</ol",
                                       "</a",
                                       "</sup",
                                       "</pre",
                                       "</h2",
                                       "</title",
                                       "</ix:nonFraction"};
  unsigned long count = sizeof pieces / sizeof *pieces, kinds = 3 + drawn(&seed, count - 2);
  unsigned long first = drawn(&seed, count), wordy = 1 + drawn(&seed, 6);
  buf_add_str(out, drawn(&seed, 2) ? "<?xml version=\"1.0\"?>" : "");
  for (int i = 0; i < 300; i++) {
    const char *piece = pieces[(first + 11 * drawn(&seed, kinds)) % count];
    if (apart)
      add_apart(out, piece, i);
    else
      buf_add_str(out, piece);
    buf_add_char(out, '>');
    if (!drawn(&seed, wordy))
      buf_printf(out, "%d words ", i % 3 ? i : 1000 * i);
  }
}

static int same_blocks(const struct doc *a, const struct doc *b) {
  if (a->block_count != b->block_count || a->break_count != b->break_count)
    return 0;
  for (size_t i = 0; i < a->block_count; i++)
    if (a->blocks[i].kind != b->blocks[i].kind || a->blocks[i].flags != b->blocks[i].flags ||
        a->blocks[i].level != b->blocks[i].level || a->blocks[i].end != b->blocks[i].end ||
        a->blocks[i].size < b->blocks[i].size || a->blocks[i].size > b->blocks[i].size)
      return 0;
  return 1;
}

TEST(tags_met_before_do_what_they_did) {
  struct doc_options o = {.max_text = 1 << 20};
  struct buf page;
  struct doc same, apart;
  buf_init(&page, 1 << 20);
  doc_init(&same, 1 << 20);
  doc_init(&apart, 1 << 20);
  for (unsigned long seed = 1; seed <= 2000; seed++) {
    buf_clear(&page);
    page_of_pieces(&page, seed, 0);
    html_read(&same, buf_slice(&page), &o, NULL);
    buf_clear(&page);
    page_of_pieces(&page, seed, 1);
    html_read(&apart, buf_slice(&page), &o, NULL);
    CHECK(slice_eq(buf_slice(&same.text), buf_slice(&apart.text)));
    CHECK(same_blocks(&same, &apart));
  }
  buf_release(&page);
  doc_release(&same);
  doc_release(&apart);
}

/* Names and values of all lengths up to the end of the input, which lies in memory of its own. */
TEST(names_of_all_lengths_end_where_they_end) {
  for (size_t len = 1; len < 70; len++)
    for (int ending = 0; ending < 5; ending++) {
      static const char *const endings[] = {">", "/>", "\t>", "\v>", ""};
      size_t size = 4 + 2 * len + strlen(endings[ending]);
      char *page = xmalloc(size), name[80], wanted[400];
      memset(name, 'n', len);
      name[len] = '\0';
      snprintf(wanted, sizeof wanted, "<b %s=%s%s>", name, name, ending == 3 ? "\v" : ending == 1 ? "/" : "");
      memcpy(page, "<b ", 3);
      memcpy(page + 3, name, len);
      page[3 + len] = '=';
      memcpy(page + 4 + len, name, len);
      memcpy(page + 4 + 2 * len, endings[ending], strlen(endings[ending]));
      CHECK_STR(tokens_of(page, size, 0), ending == 4 ? "" : wanted);
      free(page);
    }
}

TEST(a_text_too_long_ends_at_a_block) {
  struct doc_options o = {.max_text = 100};
  struct doc d;
  doc_init(&d, 100);
  const char *html =
      "<p>first</p><p>0123456789012345678901234567890123456789012345678901234567890123456789</p><p>x</p>";
  CHECK_INT(html_read(&d, slice_str(html), &o, NULL), -1);
  CHECK_STR(d.text.data, "first\n");
  doc_release(&d);
}

/* ---- the tool ---- */

static void print_blocks(const struct doc *d) {
  for (size_t i = 0; i < d->block_count; i++) {
    const struct doc_block *b = &d->blocks[i];
    int len = (int)(b->end - b->start < 100 ? b->end - b->start : 100);
    printf("%d %#x %d %.1f %.*s\n", (int)b->kind, b->flags, b->level, (double)b->size, len,
           d->text.data + b->start);
  }
}

static int tool(int argc, char **argv) {
  struct doc_options o = {.max_text = (size_t)256 << 20};
  int timed = strcmp(argv[1], "--time") == 0, times = timed && argc > 2 ? atoi(argv[2]) : 1;
  double seconds = 0, bytes = 0;
  for (int i = timed ? 3 : 2; i < argc; i++) {
    struct buf in;
    struct doc d;
    buf_init(&in, (size_t)256 << 20);
    doc_init(&d, o.max_text);
    if (buf_read_file(&in, argv[i])) {
      perror(argv[i]);
      return 1;
    }
    double start = cpu_seconds();
    for (int n = 0; n < times; n++)
      html_read(&d, buf_slice(&in), &o, NULL);
    seconds += cpu_seconds() - start;
    bytes += (double)in.len * times;
    if (strcmp(argv[1], "--text") == 0)
      fwrite(d.text.data ? d.text.data : "", 1, d.text.len, stdout);
    else if (!timed)
      print_blocks(&d);
    doc_release(&d);
    buf_release(&in);
  }
  if (timed)
    printf("%.0f MB/s of CPU time\n", bytes / seconds / 1e6);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return tool(argc, argv);
  RUN(every_tokenizer_state);
  RUN(tokens_of_odd_input);
  RUN(more_attributes_than_are_kept);
  RUN(white_space);
  RUN(words_stay_apart);
  RUN(hidden_parts);
  RUN(malformed_nesting);
  RUN(deep_nesting_is_bounded);
  RUN(how_blocks_look);
  RUN(headings_and_marks);
  RUN(preformatted);
  RUN(page_breaks);
  RUN(symbol_fonts);
  RUN(images);
  RUN(table_of_numbers);
  RUN(table_signs_join_their_numbers);
  RUN(table_header_spans_are_repeated);
  RUN(table_caption_stays_beside);
  RUN(table_section_rows_and_spans);
  RUN(table_labels_have_levels);
  RUN(table_headings_in_bold_are_higher);
  RUN(table_header_of_several_rows);
  RUN(table_footnotes_and_bars);
  RUN(tables_for_layout);
  RUN(tables_inside_tables);
  RUN(table_as_text_and_dropped);
  RUN(table_too_wide_is_text);
  RUN(huge_spans_are_bounded);
  RUN(hostile_input_takes_no_ages);
  RUN(encodings);
  RUN(facts_of_the_filing);
  RUN(tags_met_before_do_what_they_did);
  RUN(names_of_all_lengths_end_where_they_end);
  RUN(a_text_too_long_ends_at_a_block);
  html_facts_release(&facts);
  doc_release(&doc);
  return test_done();
}
