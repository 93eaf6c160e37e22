/* content_type.c: detects a type of content from the first bytes, and uses the declared type only where they are ambiguous. */
#include "format/content_type.h"

#include "format/charset.h"
#include "format/mime.h"
#include "format/submission.h"
#include "record/json.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#define LOOK 65536 /* bytes inspected from the start */

static struct slice content_type_skip_space(struct slice s) {
  if (s.len >= 3 && memcmp(s.data, "\xEF\xBB\xBF", 3) == 0)
    s.data += 3, s.len -= 3;
  while (s.len && (isspace((unsigned char)s.data[0]) || s.data[0] == '\0'))
    s.data++, s.len--;
  return s;
}

static int is_pdf(struct slice s) {
  return memmem(s.data, s.len < 1024 ? s.len : 1024, "%PDF-", 5) != NULL;
}

static int is_binary(struct slice s) {
  size_t odd = 0, n = s.len < 4096 ? s.len : 4096;
  if (slice_begins_nocase(s, "GIF8") || slice_begins_nocase(s, "\xFF\xD8\xFF") ||
      slice_begins_nocase(s, "\x89PNG") || slice_begins_nocase(s, "\xD0\xCF\x11\xE0"))
    return 1;
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)s.data[i];
    odd += c < 0x20 && !isspace(c) && c != 0x1B && c != '\b';
  }
  return odd * 20 > n;
}

/* An archive of office files contains their parts' names too, but not as its own first member. */
static int begins_as_package(struct slice bytes) {
  static const char *const names[] = {
      "[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/", NULL};
  for (int i = 0; bytes.len > 64 && names[i]; i++)
    if (memcmp(bytes.data + 30, names[i], strlen(names[i])) == 0)
      return 1;
  return 0;
}

enum content_kind content_type_of_zip(struct slice bytes) {
  static const struct {
    const char *part;
    enum content_kind kind;
  } parts[] = {{"word/document.xml", CONTENT_DOCX},
               {"xl/workbook.xml", CONTENT_XLSX},
               {"ppt/presentation.xml", CONTENT_PPTX}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts && begins_as_package(bytes); i++)
    if (memmem(bytes.data, bytes.len, parts[i].part, strlen(parts[i].part)))
      return parts[i].kind;
  return CONTENT_ARCHIVE;
}

/* Detects formats that libarchive reads by their first bytes; a compressed file counts as an archive with one member. */
static int is_archive(struct slice s) {
  static const struct slice marks[] = {{"PK\003\004", 4},
                                       {"\x1F\x8B", 2},
                                       {"BZh", 3},
                                       {"\xFD"
                                        "7zXZ",
                                        6},
                                       {"\x28\xB5\x2F\xFD", 4},
                                       {"7z\xBC\xAF\x27\x1C", 6},
                                       {"\x04\x22\x4D\x18", 4}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (s.len >= marks[i].len && memcmp(s.data, marks[i].data, marks[i].len) == 0)
      return 1;
  return s.len > 262 && memcmp(s.data + 257, "ustar", 5) == 0;
}

/* Tags that occur in HTML but not in the SGML of plain-text filings. */
static int has_html_tag(struct slice s) {
  static const char *const tags[] = {"html", "body",   "head", "div", "p",  "br",    "td", "tr",
                                     "font", "span",   "b",    "i",   "a",  "h1",    "h2", "h3",
                                     "hr",   "center", "pre",  "ul",  "li", "title", NULL};
  const char *at = s.data, *end = s.data + s.len;
  while ((at = memchr(at, '<', (size_t)(end - at))) != NULL) {
    struct slice rest = slice_of(at + 1, (size_t)(end - at - 1));
    if (slice_begins_nocase(rest, "!doctype html"))
      return 1;
    for (int i = 0; tags[i]; i++) {
      size_t n = strlen(tags[i]);
      if (slice_begins_nocase(rest, tags[i]) && rest.len > n && strchr(" \t\r\n/>", rest.data[n]) != NULL &&
          rest.data[n])
        return 1;
    }
    at++;
  }
  return 0;
}

/* After an XML declaration only <html> counts: XML forms have elements called title, a or b too. */
static int is_xhtml(struct slice s) {
  static const char tag[] = "<html";
  if (memmem(s.data, s.len, "http://www.w3.org/1999/xhtml", 28))
    return 1;
  for (size_t i = 0; i + sizeof tag <= s.len; i++)
    if (s.data[i] == '<' && strncasecmp(s.data + i, tag, sizeof tag - 1) == 0)
      return 1;
  return slice_begins_nocase(s, "<!--") && has_html_tag(s);
}

/* What the declared type says of plain text; CONTENT_TEXT: nothing. */
static enum content_kind content_type_declared(struct slice declared) {
  if (slice_holds_nocase(declared, "csv") || slice_holds_nocase(declared, "tab-separated-values") ||
      slice_is(declared, "tsv"))
    return CONTENT_CSV;
  return slice_holds_nocase(declared, "markdown") || slice_is(declared, "md") ? CONTENT_MARKDOWN
                                                                              : CONTENT_TEXT;
}

/* ".htm" too */
static int is_called_html(struct slice declared) {
  return slice_holds_nocase(declared, "htm");
}

/* XML starts with an element, after declarations; tags of plain-text filings are excluded.  A comment begins pages, too,
 * and Markdown. */
static int is_xml(struct slice s, struct slice declared) {
  if (slice_begins_nocase(s, "<?xml"))
    return 1;
  if (slice_begins_nocase(s, "<!--"))
    return !is_called_html(declared) && content_type_declared(declared) == CONTENT_TEXT;
  return s.len > 2 && s.data[0] == '<' && isalpha((unsigned char)s.data[1]) &&
         slice_holds_nocase(declared, "xml");
}

static int is_json(struct slice s) {
  return s.len && (s.data[0] == '{' || s.data[0] == '[') && json_is_valid(s);
}

/* Text in UTF-16 is XML if it says so, and HTML if it begins like a page or contains a tag of one. */
static enum content_kind content_type_of_utf16(struct slice bytes, struct slice declared) {
  struct buf text;
  buf_init(&text, 4 * LOOK);
  struct slice look = charset_read(slice_of(bytes.data, bytes.len < LOOK ? bytes.len : LOOK), NULL, 0, &text);
  int page = has_html_tag(look) || (look.len && look.data[0] == '<');
  int xml = slice_begins_nocase(look, "<?xml") && !is_xhtml(look);
  buf_release(&text);
  enum content_kind said = content_type_declared(declared);
  return said != CONTENT_TEXT ? said : xml ? CONTENT_XML : page ? CONTENT_HTML : CONTENT_TEXT;
}

enum content_kind content_type_of(struct slice bytes, struct slice declared) {
  struct slice s = content_type_skip_space(bytes), look = slice_of(s.data, s.len < LOOK ? s.len : LOOK);
  if (charset_utf16(bytes) && !is_archive(bytes) && !is_pdf(look))
    return content_type_of_utf16(bytes, declared);
  if (!s.len)
    return CONTENT_EMPTY;
  if (is_pdf(look))
    return CONTENT_PDF;
  if (is_archive(bytes))
    return memcmp(bytes.data, "PK", 2) == 0 ? content_type_of_zip(bytes) : CONTENT_ARCHIVE;
  if (is_binary(look))
    return CONTENT_BINARY;
  if (submission_is(look))
    return CONTENT_SUBMISSION;
  if (mime_is_mailbox(look))
    return CONTENT_MAILBOX;
  if (mime_is_message(look, slice_holds_nocase(declared, "eml") || slice_holds_nocase(declared, "rfc822")))
    return CONTENT_MAIL;
  if (is_json(s))
    return CONTENT_JSON;
  if (is_xml(s, declared))
    return is_xhtml(look) ? CONTENT_HTML : CONTENT_XML;
  if (content_type_declared(declared) != CONTENT_TEXT)
    return content_type_declared(declared);
  if (has_html_tag(look))
    return CONTENT_HTML;
  return is_called_html(declared) && memchr(look.data, '<', look.len) ? CONTENT_HTML : CONTENT_TEXT;
}

const char *content_type_charset(struct slice declared, char *out, size_t size) {
  for (size_t i = 0; i + 8 < declared.len; i++) {
    if (strncasecmp(declared.data + i, "charset=", 8) != 0)
      continue;
    const char *p = declared.data + i + 8, *end = declared.data + declared.len;
    size_t n = 0;
    for (; p < end && n + 1 < size && *p != ';' && !isspace((unsigned char)*p); p++)
      if (*p != '"' && *p != '\'')
        out[n++] = *p;
    out[n] = '\0';
    return n ? out : NULL;
  }
  return NULL;
}
