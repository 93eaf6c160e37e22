/* html_page.c: the frame of an HTML page with its style, and passages, places and links in it. */
#include "page/html_page.h"

#include "base/mask.h"

#include <stdio.h>

/* A scrolling table has a shadow where more columns follow, and its first column stays visible. */
static const char style_scroll[] =
    ".scroll{overflow-x:auto;margin:.6em 0;background:linear-gradient(to left,var(--paper) "
    "40%,transparent) right/2.5rem 100% no-repeat local,linear-gradient(to left,var(--shade),transparent) "
    "right/.9rem 100% no-repeat scroll}"
    ".passage,.here{--paper:var(--here)}"
    "tbody th,thead th:first-child{position:sticky;left:0;background:var(--paper)}";

/* On paper: always the light colors, nothing that scrolls, addresses in full except in tables. */
static const char style_print[] =
    "@media "
    "print{body{max-width:none;padding:0;font-size:10pt}.skip{display:none}h1,h2,h3,h4,h5,h6{break-after:"
    "avoid}h2+p{break-after:avoid}tr,svg,h2,.change>p{break-inside:avoid}.charts{grid-template-columns:1fr "
    "1fr}.scroll{overflow:visible;"
    "background:none}tbody th,thead th:first-child{position:static}details:not([open]){display:none}"
    "a[href^=http]::after{content:\" (\" attr(href) \")\";font-size:.8em}"
    "a.bare::after,td a[href^=http]::after{content:none!important}}";

static const char style[] =
    ":root{color-scheme:light "
    "dark;--paper:#fff;--ink:#1b1d21;--soft:#5a616b;--line:#d5d9df;--shade:#bcc3cc;--field:#f4f6f8;"
    "--link:#0b57b0;--mark:#ffe58a;--mark-ink:#1b1d21;--here:#eef5ff;--here-line:#3b7dd8;--bar:#2f5d8a;--"
    "derived:#9db9d3;--curve:#b5482f;--gone:#fbe3e1;--come:#dcf1e0;"
    "--bad:#a3200d;--good:#1c6b33;--open:#7a5200}"
    "@media screen and "
    "(prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e6e8eb;--soft:#a0a7b1;--line:#363b43;--"
    "shade:#4a525d;--"
    "field:#1e2126;"
    "--link:#8ab8ff;--mark:#6d5a00;--mark-ink:#fff;--here:#18263a;--here-line:#6aa3f0;--bar:#7fb0e0;--"
    "derived:#44607d;--curve:#f08a6e;--gone:#4a211d;--come:#173d24;"
    "--bad:#ff9a8a;--good:#7fd79b;--open:#f0c060}}"
    "*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}"
    "body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 4rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto "
    "Sans\",sans-serif;overflow-wrap:anywhere}"
    "h1{font-size:1.6rem;line-height:1.25;margin:.2em 0}h2{font-size:1.1rem;line-height:1.35;margin:0 0 "
    ".25rem}.path{display:block;font-weight:400;font-size:1rem}"
    "h3,h4,h5,h6{font-size:1rem;margin:1.1em 0 .3em}p{margin:.5em 0}ul{margin:.4em 0;padding-left:1.3rem}"
    "a{color:var(--link)}a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid "
    "var(--here-line);outline-offset:2px}"
    ".skip{position:absolute;left:-9999px}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:."
    "4rem .8rem}"
    ".soft{color:var(--soft);font-size:.9rem}article{border-top:1px solid var(--line);padding:1.4rem 0}"
    ".passage,.here{border-left:.25rem solid var(--here-line);background:var(--here);padding:.2rem 1rem "
    ".6rem;border-radius:.25rem}"
    "mark{background:var(--mark);color:var(--mark-ink);padding:0 .1em;border-radius:.15em}"
    ".answer,.answer>*,tbody .answer>th{background:var(--come)}"
    "details{margin-top:.8rem}summary{cursor:pointer;color:var(--link)}.place{border-left:1px solid "
    "var(--line);padding-left:1rem;margin-top:.6rem}"
    "table{border-collapse:separate;border-spacing:0;font-size:.92rem;font-variant-numeric:tabular-nums;"
    "overflow-wrap:"
    "normal}"
    "caption{text-align:left;color:var(--soft);padding-bottom:.3em}th,td{padding:.25rem "
    ".6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}"
    "thead th{border-bottom:2px solid var(--soft);vertical-align:bottom}tbody "
    "th{font-weight:400;min-width:9rem}tbody "
    "th.short{min-width:0;white-space:nowrap}.n{text-align:right}td.n{white-space:nowrap}"
    "pre{overflow-x:auto;background:var(--field);padding:.6rem;font-size:.85rem}footer{margin-top:2rem;color:"
    "var(--soft);font-size:.85rem}"
    ".charts{margin:1rem "
    "0;display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}"
    ".charts "
    "figcaption{grid-column:1/-1}.wide,.narrow{grid-column:1/"
    "-1}.line-whole{white-space:nowrap}.chart{width:100%;height:auto;fill:currentColor;font-family:inherit}"
    ".grid{stroke:var(--line)}.zero{stroke:var(--soft)}.bar{fill:var(--bar)}.derived{fill:var(--derived)}"
    ".line{fill:none;stroke:var(--curve)}.dot{fill:var(--curve)}"
    ".hollow{fill:var(--paper);stroke:var(--curve);stroke-width:1.5}.narrow{display:none}sup{color:var(--"
    "soft)}"
    "ins{background:var(--come);text-decoration-thickness:.1em}del{background:var(--gone)}"
    ".found{color:var(--good)}.contradicted{color:var(--bad);font-weight:700}.unsupported,.unsure{color:var(-"
    "-open)}"
    ".found sup,.contradicted sup,.unsupported sup,.unsure sup{color:inherit}.prose{white-space:pre-line}"
    ":target{outline:2px solid var(--here-line);outline-offset:2px}"
    ".change{border-left:.25rem solid var(--shade);padding-left:1rem;margin:.8rem 0}.change>p{margin:.3em 0}"
    ".added{border-color:var(--good)}.dropped{border-color:var(--bad)}.added ins,.dropped "
    "del{text-decoration:"
    "none}.change+h2,details+h2,ul+h2{margin-top:1.6rem}"
    "@media(max-width:44rem){.wide{display:none}.narrow{display:block}}"
    "@media(max-width:34rem){table{font-size:.82rem}th,td{padding:.2rem .35rem}"
    "tbody th{min-width:6.5rem}.passage,.here{padding:.1rem .6rem .5rem}}";

static void html_page_escape(struct buf *out, struct slice text) {
  for (size_t i = 0; i < text.len;) {
    uint32_t c;
    size_t n = mask_decode(text.data + i, text.len - i, &c);
    if (text.data[i] == '\n' || text.data[i] == '\t')
      buf_add_char(out, text.data[i]);
    else if (c == '<')
      buf_add_str(out, "&lt;");
    else if (c == '>')
      buf_add_str(out, "&gt;");
    else if (c == '&')
      buf_add_str(out, "&amp;");
    else if (c == '"')
      buf_add_str(out, "&quot;");
    else if (c == '\'')
      buf_add_str(out, "&#39;");
    else if (c == '?')
      buf_add_char(out, '?');
    else
      buf_add(out, text.data + i, n);
    i += n;
  }
}

void html_page_text(struct buf *out, struct slice text) {
  html_page_escape(out, text);
}

void html_page_cstr(struct buf *out, const char *text) {
  html_page_escape(out, slice_str(text));
}

void html_page_open(struct buf *out, struct slice title, struct slice lead) {
  buf_add_str(
      out,
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
  html_page_escape(out, title);
  buf_add_str(out, "</title>\n<style>");
  buf_add_str(out, style);
  buf_add_str(out, style_scroll);
  buf_add_str(out, style_print);
  buf_add_str(
      out, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the answer</a>\n<header>\n<h1>");
  html_page_escape(out, title);
  buf_add_str(out, "</h1>\n");
  if (lead.len) {
    buf_add_str(out, "<p class=\"soft\">");
    html_page_escape(out, lead);
    buf_add_str(out, "</p>\n");
  }
  buf_add_str(out, "</header>\n<main id=\"main\">\n");
}

void html_page_close(struct buf *out) {
  buf_add_str(out, "</main>\n<footer>Made by BID " BID_VERSION
                   " from public sources; the links lead to them.</footer>\n</body>\n</html>\n");
}

void html_page_link(struct buf *out, struct slice url, struct slice text) {
  int link = page_may_link(url);
  if (link) {
    buf_printf(out, "<a%s rel=\"noopener noreferrer\" href=\"", slice_eq(url, text) ? " class=\"bare\"" : "");
    html_page_escape(out, url);
    buf_add_str(out, "\">");
  }
  html_page_escape(out, text);
  if (link)
    buf_add_str(out, "</a>");
}

void html_page_prose(struct buf *out, struct slice text) {
  for (size_t at; text.len; text = slice_of(text.data + at, text.len - at)) {
    const char *url = memmem(text.data, text.len, "https://", 8);
    at = url ? (size_t)(url - text.data) : text.len;
    html_page_escape(out, slice_of(text.data, at));
    size_t end = at;
    while (end < text.len && !strchr(" \n\t", text.data[end]))
      end++;
    while (end > at && strchr(",.;:)", text.data[end - 1]))
      end--;
    if (url)
      html_page_link(out, slice_of(url, end - at), slice_of(url, end - at));
    at = end;
  }
}

/* ---- passages ---- */

void html_page_place(struct buf *out, struct slice place) {
  size_t outline = page_place_outline(place);
  int cut = page_place_cut(&place);
  outline = outline < place.len ? outline : place.len;
  html_page_escape(out, slice_of(place.data, outline));
  if (outline < place.len) {
    static const char dot[] = " \xc2\xb7 ";
    outline += sizeof dot - 1;
    buf_add_str(out, " <span class=\"path\">");
    html_page_escape(out, slice_of(place.data + outline, place.len - outline));
    buf_add_str(out, cut ? " \xe2\x80\xa6</span>" : "</span>");
  }
}

void html_page_table_open(struct buf *out, const char *label) {
  buf_printf(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>\n", label);
}

void html_page_table_close(struct buf *out) {
  buf_add_str(out, "</table></div>\n");
}

/* Appends text with its highlighted words and the sentences that answer; in a table, whose rows answer, "\|" is a bar. */
static void html_page_marked(struct buf *out, struct slice text, const struct page_marks *m, int cell) {
  size_t next = 0, from = 0;
  int on = 0, answers = 0;
  for (size_t i = 0; i <= text.len; i++) {
    int is = m && i < text.len && page_is_marked(m, text.data + i, &next);
    int in = m && i < text.len && !cell && page_is_answer(m, text.data + i);
    int bar = cell && i + 1 < text.len && text.data[i] == '\\' && text.data[i + 1] == '|';
    if (is == on && in == answers && !bar && i < text.len)
      continue;
    html_page_escape(out, slice_of(text.data + from, i - from));
    from = i + (size_t)bar;
    if (on && (!is || in != answers))
      buf_add_str(out, "</mark>");
    if (in != answers)
      buf_add_str(out, in ? "<span class=\"answer\">" : "</span>");
    if (is && (!on || in != answers))
      buf_add_str(out, "<mark>");
    on = is;
    answers = in;
  }
}

/* Numbers stand to the right; of a table of figures, dates and short names of rows such as periods are never wrapped. */
static const char *html_page_class(const struct page_table *t, size_t c, struct slice cell) {
  enum { SHORT = 8 };
  if (t->right[c])
    return " class=\"n\"";
  return !t->links ? "" : c > 0 ? " class=\"line-whole\"" : cell.len <= SHORT ? " class=\"short\"" : "";
}

static void html_page_row(struct buf *out, const struct page_table *t, size_t i, const struct page_marks *m) {
  const struct slice *row = page_table_row(t, i);
  int answers = m && t->columns > 0 && page_is_answer(m, row[0].data);
  size_t blanks = 0;
  char level[48] = "";
  while (t->columns > 0 && blanks < row[0].len && row[0].data[blanks] == ' ')
    blanks++;
  if (blanks > 1)
    snprintf(level, sizeof level, " style=\"padding-left:%zu.6rem\"", blanks / 2);
  buf_add_str(out, answers ? "<tr class=\"answer\">" : "<tr>");
  for (size_t c = 0; c < t->columns; c++) {
    const char *name = i == 0 || c == 0 ? "th" : "td", *link = t->links ? t->links[i * t->columns + c] : NULL;
    buf_printf(out, "<%s%s%s%s>", name,
               i == 0   ? " scope=\"col\""
               : c == 0 ? " scope=\"row\""
                        : "",
               html_page_class(t, c, row[c]), c == 0 ? level : "");
    if (link)
      html_page_link(out, slice_str(link), slice_trimmed(row[c]));
    else
      html_page_marked(out, slice_trimmed(row[c]), m, 1);
    buf_printf(out, "</%s>", name);
  }
  buf_add_str(out, "</tr>");
}

void html_page_table(struct buf *out, const struct page_table *t, const char *label,
                     const struct page_marks *m, const struct page_marks *in_head) {
  html_page_table_open(out, label);
  if (t->above.len) {
    buf_add_str(out, "<caption>");
    html_page_escape(out, t->above);
    buf_add_str(out, "</caption>\n");
  }
  if (t->headed) {
    buf_add_str(out, "<thead>");
    html_page_row(out, t, 0, in_head);
    buf_add_str(out, "</thead>\n");
  }
  buf_add_str(out, "<tbody>\n");
  for (size_t i = 1; i <= t->rows; i++) {
    html_page_row(out, t, i, m);
    buf_add_char(out, '\n');
  }
  buf_add_str(out, "</tbody>");
  html_page_table_close(out);
}

static void html_page_block(struct buf *out, const struct page_block *b, const struct page_marks *m) {
  int level = b->level + 2 < 6 ? b->level + 2 : 6;
  struct page_table t;
  switch (b->kind) {
  case PAGE_TABLE:
    page_table_read(&t, b->text, b->head);
    html_page_table(out, &t, "Table", m, b->head.len ? NULL : m);
    page_table_release(&t);
    return;
  case PAGE_HEADING:
    buf_printf(out, "<h%d>", level);
    break;
  case PAGE_ITEM:
    buf_add_str(out, "<ul><li>");
    if (b->label.len && b->label.data[0] >= '0' && b->label.data[0] <= '9')
      html_page_escape(out, b->label);
    if (b->strong.len) {
      buf_add_str(out, "<strong>");
      html_page_escape(out, b->strong);
      buf_add_str(out, "</strong> ");
    }
    break;
  case PAGE_FIXED:
    buf_add_str(out, "<pre tabindex=\"0\">");
    break;
  default:
    buf_add_str(out, "<p>");
  }
  html_page_marked(out, b->text, m, 0);
  if (b->kind == PAGE_HEADING)
    buf_printf(out, "</h%d>\n", level);
  else
    buf_add_str(out, b->kind == PAGE_ITEM ? "</li></ul>\n" : b->kind == PAGE_FIXED ? "</pre>\n" : "</p>\n");
}

void html_page_passage(struct buf *out, struct page_passage passage, const struct page_marks *m) {
  struct page_block b;
  for (size_t at = 0; page_next_block(passage, &at, &b);)
    html_page_block(out, &b, m);
}
