/* html_token.h: the elements that the reader knows, and the HTML tokenizer, by the WHATWG standard's tokenization states (section 13.2.5).
 *
 * Tokens are slices of the input, which is UTF-8 (charset.h) and must outlive them.  Names keep their case; text and
 * attribute values keep character references (entities.h) and NUL bytes.  Where the standard lets the tree builder
 * switch states (RCDATA, RAWTEXT, script data, PLAINTEXT), the tokenizer does so itself, by the name of the start tag
 * that it returned.
 */
#ifndef BID_HTML_TOKEN_H
#define BID_HTML_TOKEN_H

#include "base/buf.h"
#include "tables/html.h"

#include <stdint.h>

/* ---- the elements that the reader knows ---- */

enum {
  TAG_BLOCK = 1,      /* block element: starts and ends a paragraph */
  TAG_VOID = 2,       /* has no content */
  TAG_FORMATTING = 4, /* formatting element: stays open where an enclosing element is closed */
  TAG_SILENT = 8      /* its content is not displayed */
};

enum html_tag {
  TAG_OTHER = 0,
#define X(name, text, properties, style) TAG_##name,
  HTML_TAGS(X)
#undef X
      TAG_COUNT
};

/* The first eight bytes of a name in lower case, the first byte lowest, padded with zeros: names of up to eight bytes
 * are equal if their keys are.  `readable` bytes may be read at p. */
static inline uint64_t html_name_key(const char *p, size_t len, size_t readable) {
  uint64_t x = 0;
  if (readable >= 8)
    memcpy(&x, p, 8);
  else
    memcpy(&x, p, len < readable ? len : readable);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  x = __builtin_bswap64(x);
#endif
  if (len < 8)
    x &= ~(~(uint64_t)0 << 8 * len);
  const uint64_t ones = 0x0101010101010101u;
  uint64_t low = x & 0x7F * ones; /* the top bit of each byte is set where ... */
  uint64_t from_a = low + (0x80 - 'A') * ones, past_z = low + (0x80 - 'Z' - 1) * ones;
  return x | ((from_a ^ past_z) & ~x & 0x80 * ones) >> 2;
}

/* The key of a lower-case literal of up to eight bytes.  Not a constant expression in strict C, so compare with ==
 * instead of using case labels; the compiler folds it. */
#define HTML_BYTE(text, i) ((uint64_t)(uint8_t)(text)[(i) < sizeof(text) ? (i) : sizeof(text) - 1] << 8 * (i))
#define HTML_NAME(text)                                                                                      \
  (HTML_BYTE(text, 0) | HTML_BYTE(text, 1) | HTML_BYTE(text, 2) | HTML_BYTE(text, 3) | HTML_BYTE(text, 4) |  \
   HTML_BYTE(text, 5) | HTML_BYTE(text, 6) | HTML_BYTE(text, 7))

/* The tag of a name in any case; TAG_OTHER where it is unknown. `readable` as above. */
enum html_tag html_tag_find(struct slice name, size_t readable);

/* Properties (TAG_BLOCK ...) of a tag. */
extern const uint8_t html_tag_table[TAG_COUNT];
static inline unsigned html_tag_properties(enum html_tag tag) {
  return html_tag_table[tag];
}

/* ---- tokens ---- */

#define HTML_ATTRIBUTES 32 /* limit of attributes per tag; further ones are skipped */

enum html_token_kind {
  HTML_END_OF_FILE,
  HTML_TEXT,
  HTML_START_TAG,
  HTML_END_TAG,
  HTML_COMMENT,
  HTML_DOCTYPE
};

enum html_content { HTML_DATA, HTML_RCDATA, HTML_RAWTEXT, HTML_SCRIPT, HTML_PLAINTEXT };

struct html_attribute {
  struct slice name, value; /* value without quotes */
};

struct html_token {
  enum html_token_kind kind;
  enum html_tag tag;
  int references;    /* HTML_TEXT: '&' starts a character reference */
  int self_closing;  /* "/>" */
  struct slice text; /* content of text or a comment; DOCTYPE: what follows the word; name of a tag */
  size_t attribute_count;
  struct html_attribute attributes[HTML_ATTRIBUTES];
};

struct html_tokenizer {
  const char *at, *end;
  enum html_content content;
  struct slice last_start; /* name of the last start tag */
  int cdata;               /* set by the caller inside svg and math: "<![CDATA[" starts text there */
  int xml;                 /* set by the caller: "<title/>" is empty, as in XHTML */
};

void html_tokenizer_init(struct html_tokenizer *t, struct slice input);

/* Reads the next token into *token and returns its kind, HTML_END_OF_FILE at the end and ever after.  Text may be
 * split into several tokens. */
enum html_token_kind html_token_next(struct html_tokenizer *t, struct html_token *token);

#endif
