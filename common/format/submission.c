/* submission.c: headers are read line by line, in both spellings: "COMPANY CONFORMED NAME:<tabs>X" and
 * "<CONFORMED-NAME>X".  Where a submission names several companies, its subject is, in order of preference, the
 * issuer, the subject company, the filer, or the first one. */
#include "format/submission.h"

#include "base/clock.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

/* Removes the next line from *rest, without its end; 0 where there is none. */
static int submission_next_line(struct slice *rest, struct slice *line) {
  if (!rest->len)
    return 0;
  size_t n = 0;
  while (n < rest->len && rest->data[n] != '\n' && rest->data[n] != '\r')
    n++;
  *line = slice_of(rest->data, n);
  if (n < rest->len)
    n += rest->data[n] == '\r' && n + 1 < rest->len && rest->data[n + 1] == '\n' ? 2 : 1;
  rest->data += n;
  rest->len -= n;
  return 1;
}

/* Offset of tag at the start of a line (after optional blanks) at or after `from`, or bytes.len. */
static size_t submission_find_tag(struct slice bytes, size_t from, const char *tag) {
  size_t n = strlen(tag);
  const char *p = bytes.data + from, *end = bytes.data + bytes.len;
  while (p && (size_t)(end - p) >= n) {
    p = memmem(p, (size_t)(end - p), tag, n);
    if (!p)
      break;
    const char *q = p;
    while (q > bytes.data && (q[-1] == ' ' || q[-1] == '\t'))
      q--;
    if (q == bytes.data || q[-1] == '\n' || q[-1] == '\r' || q[-1] == '>')
      return (size_t)(p - bytes.data);
    p += n;
  }
  return bytes.len;
}

static struct slice without_bom(struct slice s) {
  if (s.len >= 3 && memcmp(s.data, "\xEF\xBB\xBF", 3) == 0)
    s.data += 3, s.len -= 3;
  return slice_trimmed(s);
}

int submission_is(struct slice bytes) {
  bytes = without_bom(slice_of(bytes.data, bytes.len < 4096 ? bytes.len : 4096));
  if (slice_begins_nocase(bytes, "-----BEGIN PRIVACY-ENHANCED MESSAGE-----"))
    return 1;
  if (slice_begins_nocase(bytes, "<SEC-DOCUMENT>") || slice_begins_nocase(bytes, "<SUBMISSION>") ||
      slice_begins_nocase(bytes, "<SEC-HEADER>") || slice_begins_nocase(bytes, "<IMS-DOCUMENT>"))
    return 1;
  return slice_begins_nocase(bytes, "<DOCUMENT>") && submission_find_tag(bytes, 0, "<TYPE>") < bytes.len;
}

/* How likely the company of this header section is the filing's subject; 0: not a company section. */
static int section_rank(struct slice line) {
  if (slice_begins_nocase(line, "ISSUER:") || slice_begins_nocase(line, "<ISSUER>"))
    return 4;
  if (slice_begins_nocase(line, "SUBJECT COMPANY:") || slice_begins_nocase(line, "<SUBJECT-COMPANY>"))
    return 3;
  if (slice_begins_nocase(line, "FILER:") || slice_begins_nocase(line, "<FILER>"))
    return 2;
  if (slice_begins_nocase(line, "REPORTING-OWNER:") || slice_begins_nocase(line, "<REPORTING-OWNER>") ||
      slice_begins_nocase(line, "FILED BY:") || slice_begins_nocase(line, "<FILED-BY>") ||
      slice_begins_nocase(line, "FILED FOR:") || slice_begins_nocase(line, "<FILED-FOR>"))
    return 1;
  return 0;
}

static int value_of(struct slice line, const char *label, struct slice *value) {
  if (!slice_begins_nocase(line, label))
    return 0;
  size_t n = strlen(label);
  *value = slice_trimmed(slice_of(line.data + n, line.len - n));
  return 1;
}

/* EDGAR uses New York time; records use UTC.  Midnight to the second means that the hour is unknown (filings before
 * 2001); the filing date is more precise then. */
static void set_accepted(struct metadata *m, struct slice v) {
  char text[CLOCK_TEXT];
  int64_t t;
  if (v.len < 14 || memcmp(v.data + 8, "000000", 6) == 0 || clock_parse_eastern(v.data, &t))
    return;
  clock_format(t, text);
  metadata_set(m, METADATA_ACCEPTED, slice_str(text));
}

struct company {
  int rank;
  struct slice name, cik;
};

static int is_accession(struct slice v) {
  if (v.len != 20 || v.data[10] != '-' || v.data[13] != '-')
    return 0;
  for (size_t i = 0; i < v.len; i++)
    if (i != 10 && i != 13 && !isdigit((unsigned char)v.data[i]))
      return 0;
  return 1;
}

/* Reads fields of the whole submission. */
static void header_line(struct metadata *m, struct slice line, struct buf *items) {
  struct slice v;
  if (value_of(line, "ACCESSION NUMBER:", &v) || value_of(line, "<ACCESSION-NUMBER>", &v)) {
    if (is_accession(v))
      metadata_set(m, METADATA_ACCESSION, v);
  } else if (value_of(line, "CONFORMED SUBMISSION TYPE:", &v) || value_of(line, "<TYPE>", &v))
    metadata_set(m, METADATA_FORM, v);
  else if (value_of(line, "CONFORMED PERIOD OF REPORT:", &v) || value_of(line, "<PERIOD>", &v))
    metadata_set_date(m, METADATA_REPORT_DATE, v);
  else if (value_of(line, "FILED AS OF DATE:", &v) || value_of(line, "<FILING-DATE>", &v))
    metadata_set_date(m, METADATA_FILING_DATE, v);
  else if (value_of(line, "<ACCEPTANCE-DATETIME>", &v))
    set_accepted(m, v);
  else if (value_of(line, "<ITEMS>", &v) && v.len && items->len < 200) {
    if (items->len)
      buf_add_char(items, ',');
    buf_add_slice(items, v);
  }
}

static void company_line(struct company *now, struct slice line) {
  struct slice v;
  if ((value_of(line, "COMPANY CONFORMED NAME:", &v) || value_of(line, "<CONFORMED-NAME>", &v)) &&
      !now->name.len)
    now->name = v;
  else if ((value_of(line, "CENTRAL INDEX KEY:", &v) || value_of(line, "<CIK>", &v)) && !now->cik.len)
    now->cik = v;
}

static void read_header(struct slice header, struct metadata *m) {
  struct company best = {0}, now = {0};
  struct slice line;
  struct buf items;
  buf_init(&items, 256);
  while (submission_next_line(&header, &line)) {
    line = slice_trimmed(line);
    int rank = section_rank(line);
    if (rank) {
      best = now.name.len && now.rank > best.rank ? now : best;
      now = (struct company){.rank = rank};
    }
    header_line(m, line, &items);
    company_line(&now, line);
  }
  best = now.name.len && now.rank >= best.rank && !best.name.len ? now : now.rank > best.rank ? now : best;
  metadata_set(m, METADATA_COMPANY, best.name);
  metadata_set_cik(m, best.cik);
  metadata_set(m, METADATA_ITEMS, buf_slice(&items));
  buf_release(&items);
}

void submission_open(struct submission *s, struct slice bytes, struct metadata *m) {
  *s = (struct submission){.bytes = bytes};
  s->at = submission_find_tag(bytes, 0, "<DOCUMENT>");
  read_header(slice_of(bytes.data, s->at), m);
}

static int is_type(struct slice type, const char *const *list) {
  for (; *list; list++)
    if (slice_begins_nocase(type, *list))
      return 1;
  return 0;
}

static int submission_ends_with(struct slice s, const char *tail) {
  size_t n = strlen(tail);
  return s.len >= n && strncasecmp(s.data + s.len - n, tail, n) == 0;
}

/* The kind for which a part is omitted.  TYPE XML is EDGAR's own rendering of XBRL (R1.htm, Show.js, report.css,
 * FilingSummary.xml); ownership and other XML forms have the type of their form. */
static const char *omission(const struct submission_part *p) {
  static const char *const xbrl[] = {"EX-101", "EX-100", NULL};
  if (slice_is(p->type, "GRAPHIC") || slice_is(p->type, "COVER"))
    return "graphic";
  if (slice_is(p->type, "ZIP") || submission_ends_with(p->file_name, ".zip"))
    return "zip";
  if (slice_is(p->type, "EXCEL") || submission_ends_with(p->file_name, ".xlsx") ||
      submission_ends_with(p->file_name, ".xls"))
    return "spreadsheet";
  if (is_type(p->type, xbrl) || submission_ends_with(p->file_name, ".xsd"))
    return "xbrl";
  if (slice_is(p->type, "XML"))
    return "rendered";
  if (slice_is(p->type, "JSON"))
    return "json";
  return p->encoded && !submission_ends_with(p->file_name, ".pdf") &&
                 !submission_ends_with(p->file_name, ".txt") && !submission_ends_with(p->file_name, ".htm")
             ? "binary"
             : NULL;
}

/* Removes an enclosing tag such as <XML> ... </XML> from the body. */
static void unwrap(struct slice *body) {
  static const char *const tags[] = {"XBRL", "XML", "PDF", "JSON", NULL};
  *body = slice_trimmed(*body);
  for (int i = 0; tags[i]; i++) {
    char open[16], close[16];
    snprintf(open, sizeof open, "<%s>", tags[i]);
    snprintf(close, sizeof close, "</%s>", tags[i]);
    if (!slice_begins_nocase(*body, open))
      continue;
    size_t n = strlen(open);
    *body = slice_trimmed(slice_of(body->data + n, body->len - n));
    if (submission_ends_with(*body, close))
      body->len -= strlen(close);
    *body = slice_trimmed(*body);
  }
}

/* Keeps the leading blanks of the first line: a plain text may start with a centred line. */
static struct slice text_body(struct slice s) {
  while (s.len && (s.data[0] == '\n' || s.data[0] == '\r'))
    s.data++, s.len--;
  return s;
}

static void submission_read_part(struct slice doc, struct submission_part *part) {
  size_t text = submission_find_tag(doc, 0, "<TEXT>");
  struct slice head = slice_of(doc.data, text), line;
  while (submission_next_line(&head, &line)) {
    if (!value_of(line, "<TYPE>", &part->type) && !value_of(line, "<FILENAME>", &part->file_name))
      value_of(line, "<DESCRIPTION>", &part->description);
  }
  if (text + 6 > doc.len)
    return;
  part->body = slice_of(doc.data + text + 6, doc.len - text - 6);
  struct slice wrapped = part->body;
  unwrap(&wrapped);
  struct slice plain = slice_trimmed(part->body);
  part->body = wrapped.len == plain.len ? text_body(part->body) : wrapped;
  part->encoded =
      slice_begins_nocase(wrapped, "begin ") && wrapped.len > 9 && isdigit((unsigned char)wrapped.data[6]);
  part->omit = omission(part);
}

int submission_next(struct submission *s, struct submission_part *part) {
  size_t start = submission_find_tag(s->bytes, s->at, "<DOCUMENT>");
  memset(part, 0, sizeof *part);
  if (start >= s->bytes.len)
    return 0;
  start += strlen("<DOCUMENT>");
  if (s->close < start)
    s->close = submission_find_tag(s->bytes, start, "</DOCUMENT>");
  size_t end = s->close;
  size_t next = submission_find_tag(slice_of(s->bytes.data, end), start, "<DOCUMENT>");
  if (end == s->bytes.len)
    end = next; /* its end tag is missing */
  struct slice doc = slice_of(s->bytes.data + start, end - start);
  const char *close = doc.len ? memmem(doc.data + (doc.len > 64 ? doc.len - 64 : 0),
                                       doc.len > 64 ? 64 : doc.len, "</TEXT>", 7)
                              : NULL;
  if (close)
    doc.len = (size_t)(close - doc.data);
  submission_read_part(doc, part);
  part->number = ++s->parts;
  s->at = end;
  return 1;
}

static int uu_value(char c) {
  return c < ' ' || c > '`' ? -1 : (c - ' ') & 63;
}

/* Decodes one line: its length, then groups of four characters for three bytes; trailing blanks may be missing. */
static int uu_line(struct slice line, struct buf *out) {
  int left = line.len ? uu_value(line.data[0]) : 0;
  size_t at = 1;
  if (left < 0)
    return -1;
  while (left > 0) {
    int v[4];
    for (int i = 0; i < 4; i++, at++)
      v[i] = at < line.len ? uu_value(line.data[at]) : 0;
    if (v[0] < 0 || v[1] < 0 || v[2] < 0 || v[3] < 0)
      return -1;
    char bytes[3] = {(char)(v[0] << 2 | v[1] >> 4), (char)(v[1] << 4 | v[2] >> 2), (char)(v[2] << 6 | v[3])};
    if (buf_add(out, bytes, left < 3 ? (size_t)left : 3) < 0)
      return -1;
    left -= 3;
  }
  return 0;
}

int submission_uudecode(struct slice text, struct buf *out) {
  struct slice line;
  do {
    if (!submission_next_line(&text, &line))
      return -1;
  } while (!slice_begins_nocase(line, "begin "));
  while (submission_next_line(&text, &line)) {
    if (slice_is(line, "end"))
      return 0;
    if (uu_line(line, out) < 0)
      return -1;
  }
  return 0;
}
