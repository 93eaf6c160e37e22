/* html_line.c: the current paragraph, html_state.h. */
#include "html/html_state.h"

#include "html/entities.h"
#include "html/html_style.h"
#include "base/utf8.h"

#define HTML_MARKS (STYLE_SUPER | STYLE_STRUCK)
#define BLANK_POINTS 3 /* width of a no-break space */

enum byte_class { PLAIN, SPACE, REFERENCE, HIGH, DROPPED };

static const uint8_t byte_class[256] = {
    [0] = DROPPED,
    [1] = DROPPED,
    [2] = DROPPED,
    [3] = DROPPED,
    [4] = DROPPED,
    [5] = DROPPED,
    [6] = DROPPED,
    [7] = DROPPED,
    [8] = DROPPED,
    ['\t'] = SPACE,
    ['\n'] = SPACE,
    [11] = SPACE,
    ['\f'] = SPACE,
    ['\r'] = SPACE,
    [14] = DROPPED,
    [15] = DROPPED,
    [16] = DROPPED,
    [17] = DROPPED,
    [18] = DROPPED,
    [19] = DROPPED,
    [20] = DROPPED,
    [21] = DROPPED,
    [22] = DROPPED,
    [23] = DROPPED,
    [24] = DROPPED,
    [25] = DROPPED,
    [26] = DROPPED,
    [27] = DROPPED,
    [28] = DROPPED,
    [29] = DROPPED,
    [30] = DROPPED,
    [31] = DROPPED,
    [' '] = SPACE,
    ['&'] = REFERENCE,
    [127] = DROPPED,
    /* lead bytes of spaces and invisible characters */
    [0xC2] = HIGH,
    [0xE1] = HIGH,
    [0xE2] = HIGH,
    [0xE3] = HIGH,
    [0xEF] = HIGH,
};

void html_line_init(struct html_line *l, size_t max) {
  memset(l, 0, sizeof *l);
  buf_init(&l->text, max);
}

void html_line_release(struct html_line *l) {
  buf_release(&l->text);
}

void html_line_clear(struct html_line *l) {
  buf_clear(&l->text);
  l->space = l->blanks = l->newlines = l->pre = 0;
  l->missing = l->marks = 0;
}

static int html_line_is_alnum(char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c & 0x80);
}

static int html_line_has_words(const char *p, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (html_line_is_alnum(p[i]))
      return 1;
  return 0;
}

/* The marks of text that looks so (STYLE_SUPER, STYLE_STRUCK), for doc_change_marks(). */
static unsigned doc_marks(unsigned on) {
  return (on & STYLE_SUPER ? DOC_RAISED : 0) | (on & STYLE_STRUCK ? DOC_STRUCK : 0);
}

void html_line_end(struct html_line *l) {
  doc_change_marks(&l->text, doc_marks(l->marks), 0, "", 0);
  l->marks = 0;
}

static void html_line_begin(struct html_line *l, const struct html_look *look) {
  l->look = *look;
  l->look.indent += BLANK_POINTS * (float)l->blanks;
  l->space = l->newlines = 0;
}

/* Appends the separator between the previous word and bytes [p, p + len), before these are appended.  Struck-out text ends
 * before a blank and begins after it. */
static void separate(struct html_line *l, const char *p, size_t len, const struct html_look *look) {
  unsigned was = doc_marks(l->marks), now = doc_marks(look->on);
  char gap = l->newlines ? '\n' : l->space ? ' ' : '\0';
  if (l->text.len == 0) {
    html_line_begin(l, look);
    gap = '\0';
  }
  if (gap) {
    doc_change_marks(&l->text, was & DOC_STRUCK, was & now & DOC_STRUCK, p, 0);
    buf_add_char(&l->text, gap);
    was &= now & DOC_STRUCK;
    len = 0;
  }
  doc_change_marks(&l->text, was, now, p, len);
  l->space = l->newlines = 0;
  l->marks = look->on & HTML_MARKS;
}

/* Records which look the letters at p lack. */
static void note_look(struct html_line *l, const char *p, size_t len, const struct html_look *look) {
  unsigned lacks =
      ~(unsigned)look->on & ~l->missing & (STYLE_BOLD | STYLE_ITALIC | STYLE_UNDERLINE | LOOK_LINK);
  if (lacks && html_line_has_words(p, len))
    l->missing |= lacks;
}

static void add_bytes(struct html_line *l, const char *p, size_t len, const struct html_look *look) {
  if (l->space | l->newlines || l->text.len == 0 || l->marks != (look->on & HTML_MARKS))
    separate(l, p, len, look);
  note_look(l, p, len, look);
  buf_add(&l->text, p, len);
}

/* The length of a space or invisible character at p, or 0 where it is neither. *space tells them apart. */
static size_t special_length(const char *s, size_t len, int *space) {
  const unsigned char *p = (const unsigned char *)s;
  *space = 0;
  if (p[0] == 0xC2 && len >= 2) {
    *space = p[1] == 0xA0 || p[1] == 0x85;
    return *space || p[1] == 0xAD || p[1] < 0xA0 ? 2 : 0; /* no-break space, soft hyphen, C1 controls */
  }
  if (len < 3)
    return 0;
  if (p[0] == 0xE2 && p[1] == 0x80) { /* U+2000 to U+203F */
    *space = p[2] <= 0x8A || p[2] == 0xA8 || p[2] == 0xA9 || p[2] == 0xAF;
    return *space || (p[2] >= 0x8B && p[2] <= 0x8F) || (p[2] >= 0xAA && p[2] <= 0xAE) ? 3 : 0;
  }
  if (p[0] == 0xE2 && p[1] == 0x81) { /* U+205F; U+2060 word joiner and similar */
    *space = p[2] == 0x9F;
    return p[2] >= 0x9F && p[2] <= 0xAF ? 3 : 0;
  }
  if ((p[0] == 0xE3 && p[1] == 0x80 && p[2] == 0x80) || (p[0] == 0xE1 && p[1] == 0x9A && p[2] == 0x80)) {
    *space = 1;
    return 3;
  }
  return p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF ? 3 : 0;
}

static size_t add_high(struct html_line *l, const char *p, size_t len, const struct html_look *look) {
  int space;
  size_t n = special_length(p, len, &space);
  if (n) {
    l->space |= space;
    l->blanks += space;
    return n;
  }
  const char *letters = (unsigned char)*p == 0xEF ? doc_letters(p, len, &n) : NULL;
  if (letters) {
    add_bytes(l, letters, strlen(letters), look);
    return n;
  }
  n = (unsigned char)*p >= 0xF0 ? 4 : (unsigned char)*p >= 0xE0 ? 3 : 2;
  n = n < len ? n : len;
  add_bytes(l, p, n, look);
  return n;
}

/* Appends one character that may be special: a space, an invisible one, or a plain one of `len` bytes. */
static void add_character(struct html_line *l, const char *p, size_t len, const struct html_look *look) {
  int space;
  if (len == 1 && byte_class[(unsigned char)*p] == SPACE)
    l->space = 1;
  else if (special_length(p, len, &space)) {
    l->space |= space;
    l->blanks += space;
  } else if ((unsigned char)*p >= 0xC2)
    add_high(l, p, len, look);
  else if (len > 1 || byte_class[(unsigned char)*p] != DROPPED)
    add_bytes(l, p, len, look);
}

static size_t html_line_add_reference(struct html_line *l, const char *p, size_t len,
                                      const struct html_look *look) {
  char out[ENTITY_MAX];
  size_t n, taken = entity_decode(p, len, 0, out, &n);
  if (!taken) {
    add_bytes(l, p, 1, look);
    return 1;
  }
  add_character(l, out, n, look);
  return taken;
}

/* Copies words that are plain and separated by single blanks; the first one is plain.  Returns the bytes read. */
static size_t add_words(struct html_line *l, const char *p, size_t len, const struct html_look *look) {
  size_t n = 0;
  while (n < len && byte_class[(unsigned char)p[n]] == PLAIN)
    n++;
  while (n + 1 < len && p[n] == ' ' && byte_class[(unsigned char)p[n + 1]] == PLAIN) {
    n++;
    while (n < len && byte_class[(unsigned char)p[n]] == PLAIN)
      n++;
  }
  add_bytes(l, p, n, look);
  return n;
}

static void add_flowing(struct html_line *l, struct slice text, int references,
                        const struct html_look *look) {
  const char *p = text.data, *end = p + text.len;
  while (p < end) {
    switch (byte_class[(unsigned char)*p]) {
    case SPACE:
      l->space = 1;
      p++;
      break;
    case DROPPED:
      p++;
      break;
    case REFERENCE:
      p += references ? html_line_add_reference(l, p, (size_t)(end - p), look)
                      : (add_bytes(l, p, 1, look), (size_t)1);
      break;
    case HIGH:
      p += add_high(l, p, (size_t)(end - p), look);
      break;
    default:
      p += add_words(l, p, (size_t)(end - p), look);
    }
  }
}

/* Appends one character of preformatted text. */
static size_t add_pre_character(struct html_line *l, const char *p, size_t len, int references) {
  char out[ENTITY_MAX];
  size_t n = 1, taken = 0;
  int space;
  if (*p == '&' && references && (taken = entity_decode(p, len, 0, out, &n)) != 0)
    p = out;
  else
    n = (unsigned char)*p < 0xC0 ? 1 : (unsigned char)*p < 0xE0 ? 2 : (unsigned char)*p < 0xF0 ? 3 : 4;
  if (!taken)
    taken = n = n < len ? n : len;
  size_t special = special_length(p, n, &space);
  if (special && space)
    buf_add_char(&l->text, ' ');
  else if (!special && *p == '\t')
    buf_add_str(&l->text, &"        "[l->text.len % 8]);
  else if (!special && (*p == '\n' || byte_class[(unsigned char)*p] != DROPPED) && *p != '\r')
    buf_add(&l->text, p, n);
  return taken;
}

static void add_preformatted(struct html_line *l, struct slice text, int references,
                             const struct html_look *look) {
  if (l->text.len == 0)
    html_line_begin(l, look);
  else if (!l->pre && (l->space || l->newlines))
    buf_add_char(&l->text, l->newlines ? '\n' : ' ');
  l->space = l->newlines = 0;
  l->pre = 1;
  note_look(l, text.data, text.len, look);
  for (size_t i = 0; i < text.len;) {
    size_t n = i;
    while (n < text.len && byte_class[(unsigned char)text.data[n]] == PLAIN)
      n++;
    buf_add(&l->text, text.data + i, n - i);
    i = n < text.len ? n + add_pre_character(l, text.data + n, text.len - n, references) : n;
  }
}

static void add_symbols(struct html_line *l, struct slice text, int references,
                        const struct html_look *look) {
  for (size_t i = 0; i < text.len;) {
    char bytes[ENTITY_MAX];
    size_t n = 0, taken = 0;
    uint32_t c;
    if (text.data[i] == '&' && references)
      taken = entity_decode(text.data + i, text.len - i, 0, bytes, &n);
    size_t len = taken ? utf8_decode(bytes, n, &c) : utf8_decode(text.data + i, text.len - i, &c);
    if (!len) /* can't happen: the text is UTF-8 */
      return;
    i += taken ? taken : len;
    add_character(l, bytes, utf8_encode(doc_symbol(c), bytes), look);
  }
}

void html_line_add(struct html_line *l, struct slice text, int references, const struct html_look *look) {
  if (look->on & STYLE_SYMBOLS)
    add_symbols(l, text, references, look);
  else if (look->on & LOOK_PRE)
    add_preformatted(l, text, references, look);
  else
    add_flowing(l, text, references, look);
}

void html_line_add_word(struct html_line *l, struct slice text, const struct html_look *look) {
  if (text.len)
    add_bytes(l, text.data, text.len, look);
}

void html_line_break(struct html_line *l) {
  if (l->pre)
    buf_add_char(&l->text, '\n');
  else if (l->text.len)
    l->newlines++;
}
