/* html_token.c: the tokenizer, html_token.h.
 *
 * The standard's states are functions, named after them, rather than an enum and a loop over bytes, so that runs
 * of bytes that can't change the state are skipped by memchr().  Parse errors are not reported: readers don't see
 * them.
 */
#include "html/html_token.h"

#include <pthread.h>

enum { IS_SPACE = 1, ENDS_NAME = 2, ENDS_ATTRIBUTE = 4, ENDS_UNQUOTED = 8 };

#define SPACE_CLASS (IS_SPACE | ENDS_NAME | ENDS_ATTRIBUTE | ENDS_UNQUOTED)

static const unsigned char class_of[256] = {
    ['\t'] = SPACE_CLASS,
    ['\n'] = SPACE_CLASS,
    ['\f'] = SPACE_CLASS,
    ['\r'] = SPACE_CLASS,
    [' '] = SPACE_CLASS,
    ['/'] = ENDS_NAME | ENDS_ATTRIBUTE,
    ['>'] = ENDS_NAME | ENDS_ATTRIBUTE | ENDS_UNQUOTED,
    ['='] = ENDS_ATTRIBUTE,
};

static inline int is(char c, unsigned class) {
  return (class_of[(unsigned char)c] & class) != 0;
}

static inline int html_token_is_letter(char c) {
  return (unsigned char)((c | 0x20) - 'a') < 26;
}

static inline const char *html_token_skip_space(const char *p, const char *end) {
  while (p < end && is(*p, IS_SPACE))
    p++;
  return p;
}

static inline const char *find_char(const char *p, const char *end, char c) {
  return p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
}

/* The end of a name; class is ENDS_NAME or ENDS_ATTRIBUTE. */
static inline const char *name_end(const char *p, const char *end, unsigned class) {
  while (p < end && !is(*p, class))
    p++;
  return p;
}

static inline struct slice html_token_between(const char *from, const char *to) {
  return slice_of(from, (size_t)(to - from));
}

/* Whether the bytes at p begin with the lower-case word, in any case. */
static int starts_with(const char *p, const char *end, const char *word, size_t len) {
  if ((size_t)(end - p) < len)
    return 0;
  for (size_t i = 0; i < len; i++) {
    char c = p[i];
    if (c >= 'A' && c <= 'Z')
      c = (char)(c | 0x20);
    if (c != word[i])
      return 0;
  }
  return 1;
}

void html_tokenizer_init(struct html_tokenizer *t, struct slice input) {
  memset(t, 0, sizeof *t);
  t->at = input.data;
  t->end = input.data + input.len;
}

static enum html_token_kind emit_text(struct html_tokenizer *t, struct html_token *token, const char *to,
                                      int references) {
  token->kind = HTML_TEXT;
  token->text = html_token_between(t->at, to);
  token->references = references;
  t->at = to;
  return HTML_TEXT;
}

static enum html_token_kind emit_end(struct html_tokenizer *t, struct html_token *token) {
  t->at = t->end;
  token->kind = HTML_END_OF_FILE;
  return HTML_END_OF_FILE;
}

/* Returns a comment with text [from, to) and continues at `next`. */
static enum html_token_kind emit_comment(struct html_tokenizer *t, struct html_token *token, const char *from,
                                         const char *to, const char *next) {
  token->kind = HTML_COMMENT;
  token->text = html_token_between(from, to);
  t->at = next;
  return HTML_COMMENT;
}

/* Bogus comment state; `from` is the first byte of its text. */
static enum html_token_kind bogus_comment(struct html_tokenizer *t, struct html_token *token,
                                          const char *from) {
  const char *close = find_char(from, t->end, '>');
  return close ? emit_comment(t, token, from, close, close + 1)
               : emit_comment(t, token, from, t->end, t->end);
}

/* Comment start state and following; `from` is after "<!--".  The comment less-than sign states only detect nested
 * comments, an error without effect. */
static enum html_token_kind html_token_comment(struct html_tokenizer *t, struct html_token *token,
                                               const char *from) {
  const char *end = t->end;
  if (from < end && *from == '>')
    return emit_comment(t, token, from, from, from + 1);
  if (end - from >= 2 && from[0] == '-' && from[1] == '>')
    return emit_comment(t, token, from, from, from + 2);
  for (const char *p = from; (p = find_char(p, end, '>')) != NULL; p++) {
    if (p - from >= 2 && p[-1] == '-' && p[-2] == '-')
      return emit_comment(t, token, from, p - 2, p + 1);
    if (p - from >= 3 && p[-1] == '!' && p[-2] == '-' && p[-3] == '-')
      return emit_comment(t, token, from, p - 3, p + 1);
  }
  return emit_comment(t, token, from, end, end);
}

/* CDATA section state: the text up to "]]>". */
static enum html_token_kind cdata_section(struct html_tokenizer *t, struct html_token *token,
                                          const char *from) {
  const char *close = memmem(from, (size_t)(t->end - from), "]]>", 3);
  t->at = from;
  emit_text(t, token, close ? close : t->end, 0);
  if (close)
    t->at = close + 3;
  return HTML_TEXT;
}

/* DOCTYPE states: '>' ends it in each of them, even in quotes. */
static enum html_token_kind doctype(struct html_tokenizer *t, struct html_token *token, const char *from) {
  const char *close = find_char(from, t->end, '>');
  emit_comment(t, token, from, close ? close : t->end, close ? close + 1 : t->end);
  token->kind = HTML_DOCTYPE;
  return HTML_DOCTYPE;
}

/* Markup declaration open state; p is after "<!". */
static enum html_token_kind markup_declaration(struct html_tokenizer *t, struct html_token *token,
                                               const char *p) {
  if (t->end - p >= 2 && p[0] == '-' && p[1] == '-')
    return html_token_comment(t, token, p + 2);
  if (starts_with(p, t->end, "doctype", 7))
    return doctype(t, token, p + 7);
  if (t->cdata && t->end - p >= 7 && memcmp(p, "[CDATA[", 7) == 0)
    return cdata_section(t, token, p + 7);
  return bogus_comment(t, token, p);
}

/* Attribute value states; p is after '='.  Returns the position after the value, or NULL at the end of the input. */
static const char *attribute_value(const char *p, const char *end, struct slice *value) {
  p = html_token_skip_space(p, end);
  if (p < end && (*p == '"' || *p == '\'')) {
    const char *close = find_char(p + 1, end, *p);
    if (!close)
      return NULL;
    *value = html_token_between(p + 1, close);
    return close + 1;
  }
  const char *from = p;
  while (p < end && !is(*p, ENDS_UNQUOTED))
    p++;
  *value = html_token_between(from, p);
  return p;
}

/* Attribute name state and following, for one attribute that starts at p. */
static const char *html_token_attribute(struct html_token *token, const char *p, const char *end) {
  struct html_attribute spare, *a = &spare;
  if (token->attribute_count < HTML_ATTRIBUTES)
    a = &token->attributes[token->attribute_count++];
  const char *from = p; /* a leading '=' is part of the name */
  p = name_end(p + 1, end, ENDS_ATTRIBUTE);
  a->name = html_token_between(from, p);
  a->value = slice_of(p, 0);
  p = html_token_skip_space(p, end);
  return p < end && *p == '=' ? attribute_value(p + 1, end, &a->value) : p;
}

/* Before attribute name state and following; p is after the tag's name.  Returns the position after '>', or NULL
 * where the input ends inside the tag. */
static const char *attributes(struct html_token *token, const char *p, const char *end) {
  while (p && p < end) {
    if (*p == '>')
      return p + 1;
    if (*p == '/') {
      if (p + 1 < end && p[1] == '>') {
        token->self_closing = 1;
        return p + 2;
      }
      p++;
    } else if (is(*p, IS_SPACE))
      p++;
    else
      p = html_token_attribute(token, p, end);
  }
  return NULL;
}

static enum html_content content_of(enum html_tag tag) {
  switch (tag) {
  case TAG_TITLE:
  case TAG_TEXTAREA:
    return HTML_RCDATA;
  case TAG_STYLE:
  case TAG_XMP:
  case TAG_IFRAME:
  case TAG_NOEMBED:
  case TAG_NOFRAMES:
    return HTML_RAWTEXT;
  case TAG_SCRIPT:
    return HTML_SCRIPT;
  case TAG_PLAINTEXT:
    return HTML_PLAINTEXT;
  default:
    return HTML_DATA;
  }
}

/* Tag name state; name is its first letter.  A tag cut by the end of the input is dropped, as in the standard. */
static enum html_token_kind tag(struct html_tokenizer *t, struct html_token *token, const char *name,
                                enum html_token_kind kind) {
  const char *p = name_end(name + 1, t->end, ENDS_NAME);
  token->kind = kind;
  token->text = html_token_between(name, p);
  token->tag = html_tag_find(token->text, (size_t)(t->end - name));
  token->attribute_count = 0;
  token->self_closing = 0;
  p = p < t->end && *p == '>' ? p + 1 : attributes(token, p, t->end);
  if (!p)
    return emit_end(t, token);
  t->at = p;
  if (kind == HTML_START_TAG && !(t->xml && token->self_closing) && !t->cdata) {
    t->content = content_of(token->tag);
    t->last_start = token->text;
  }
  return kind;
}

/* Tag open state: p is a '<' that starts markup. */
static enum html_token_kind markup(struct html_tokenizer *t, struct html_token *token, const char *p) {
  char c = p[1];
  if (html_token_is_letter(c))
    return tag(t, token, p + 1, HTML_START_TAG);
  if (c == '!')
    return markup_declaration(t, token, p + 2);
  if (c == '?')
    return bogus_comment(t, token, p + 1);
  if (html_token_is_letter(p[2])) /* end tag open state: starts_markup() has checked that p[2] exists */
    return tag(t, token, p + 2, HTML_END_TAG);
  return bogus_comment(t, token, p + 2);
}

static inline int starts_markup(const char *p, const char *end) {
  if (end - p < 2)
    return 0;
  if (p[1] == '/')
    return end - p > 2;
  return html_token_is_letter(p[1]) || p[1] == '!' || p[1] == '?';
}

static enum html_token_kind data(struct html_tokenizer *t, struct html_token *token) {
  const char *p = t->at;
  if (*p == '<' && starts_markup(p, t->end))
    return markup(t, token, p);
  for (p++; (p = find_char(p, t->end, '<')) != NULL; p++)
    if (starts_markup(p, t->end))
      break;
  return emit_text(t, token, p ? p : t->end, 1);
}

/* "Appropriate end tag": p is a '<'. */
static int ends_content(const struct html_tokenizer *t, const char *p) {
  size_t len = t->last_start.len;
  if (t->end - p < (ptrdiff_t)len + 3 || p[1] != '/' || !is(p[2 + len], ENDS_NAME))
    return 0;
  for (size_t i = 0; i < len; i++)
    if ((p[2 + i] | 0x20) != (t->last_start.data[i] | 0x20))
      return 0;
  return 1;
}

/* RCDATA and RAWTEXT states: the start of the end tag, or the end of the input. */
static const char *find_content_end(const struct html_tokenizer *t) {
  for (const char *p = t->at; (p = find_char(p, t->end, '<')) != NULL; p++)
    if (ends_content(t, p))
      return p;
  return t->end;
}

/* Whether p starts with the complete name "script". */
static int names_script(const char *p, const char *end) {
  return end - p > 6 && starts_with(p, end, "script", 6) && is(p[6], ENDS_NAME);
}

/* Script data states.  escaped: 0 script data, 1 escaped (after "<!--"), 2 double escaped (after another "<script");
 * "-->" returns to 0 from both.  The dashes of "<!--" may be part of "-->". */
static const char *find_script_end(const struct html_tokenizer *t) {
  int escaped = 0;
  const char *end = t->end, *dashes = t->at;
  for (const char *p = t->at; p < end; p++) {
    if (*p == '>' && escaped && p - dashes >= 2 && p[-1] == '-' && p[-2] == '-')
      escaped = 0;
    if (*p != '<')
      continue;
    if (escaped == 0 && end - p >= 4 && memcmp(p, "<!--", 4) == 0) {
      escaped = 1;
      dashes = p + 2;
    } else if (escaped != 2 && ends_content(t, p))
      return p;
    else if (escaped == 1 && names_script(p + 1, end))
      escaped = 2;
    else if (escaped == 2 && p + 1 < end && p[1] == '/' && names_script(p + 2, end))
      escaped = 1;
  }
  return end;
}

/* Returns the content of a text-only element as one token; the tokenizer then returns to the data state for the end
 * tag. */
static enum html_token_kind text_content(struct html_tokenizer *t, struct html_token *token) {
  const char *to = t->end;
  int references = t->content == HTML_RCDATA;
  if (t->content == HTML_SCRIPT)
    to = find_script_end(t);
  else if (t->content != HTML_PLAINTEXT)
    to = find_content_end(t);
  t->content = HTML_DATA;
  return to == t->at ? html_token_next(t, token) : emit_text(t, token, to, references);
}

enum html_token_kind html_token_next(struct html_tokenizer *t, struct html_token *token) {
  if (t->content == HTML_DATA) /* "</>" is ignored */
    while (t->end - t->at >= 3 && t->at[0] == '<' && t->at[1] == '/' && t->at[2] == '>')
      t->at += 3;
  if (t->at >= t->end)
    return emit_end(t, token);
  return t->content == HTML_DATA ? data(t, token) : text_content(t, token);
}

/* ---- names of elements, in an open-addressing hash table over name keys, filled once ---- */

#define SLOTS 512

static const char *const names[TAG_COUNT] = {"",
#define X(name, text, properties, style) text,
                                             HTML_TAGS(X)
#undef X
};

static const uint8_t name_lengths[TAG_COUNT] = {0,
#define X(name, text, properties, style) sizeof text - 1,
                                                HTML_TAGS(X)
#undef X
};

const uint8_t html_tag_table[TAG_COUNT] = {0,
#define X(name, text, properties, style) properties,
                                           HTML_TAGS(X)
#undef X
};

static struct {
  uint64_t key;
  uint32_t len;
  uint32_t tag; /* 0 where empty */
} slots[SLOTS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int filled; /* avoids calling pthread_once() each time, which can't be inlined */

static unsigned html_tag_slot_of(uint64_t key) {
  return (unsigned)(key * 0x9E3779B97F4A7C15u >> 55);
}

static void html_tag_fill(void) {
  for (unsigned tag = 1; tag < TAG_COUNT; tag++) {
    uint64_t key = html_name_key(names[tag], name_lengths[tag], name_lengths[tag]);
    unsigned i = html_tag_slot_of(key);
    while (slots[i].tag)
      i = (i + 1) % SLOTS;
    slots[i].key = key;
    slots[i].len = name_lengths[tag];
    slots[i].tag = tag;
  }
  __atomic_store_n(&filled, 1, __ATOMIC_RELEASE);
}

/* Whether the bytes after the first eight, which the key covers, are equal. */
static int same_rest(const char *name, const char *lower, size_t len) {
  for (size_t i = 8; i < len; i++) {
    char c = name[i];
    if (c >= 'A' && c <= 'Z')
      c = (char)(c | 0x20);
    if (c != lower[i])
      return 0;
  }
  return 1;
}

enum html_tag html_tag_find(struct slice name, size_t readable) {
  if (!__atomic_load_n(&filled, __ATOMIC_ACQUIRE))
    pthread_once(&once, html_tag_fill);
  uint64_t key = html_name_key(name.data, name.len, readable);
  for (unsigned i = html_tag_slot_of(key); slots[i].tag; i = (i + 1) % SLOTS)
    if (slots[i].key == key && slots[i].len == name.len &&
        same_rest(name.data, names[slots[i].tag], name.len))
      return (enum html_tag)slots[i].tag;
  return TAG_OTHER;
}
