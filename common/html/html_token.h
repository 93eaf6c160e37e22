/* html_token.h: the HTML tokenizer, by the WHATWG standard's tokenization states (section 13.2.5).
 *
 * Tokens are slices of the input, which is UTF-8 (charset.h) and must outlive them.  Names keep their case; text and
 * attribute values keep character references (entities.h) and NUL bytes.  Where the standard lets the tree builder
 * switch states (RCDATA, RAWTEXT, script data, PLAINTEXT), the tokenizer does so itself, by the name of the start tag
 * that it returned.
 */
#ifndef BID_HTML_TOKEN_H
#define BID_HTML_TOKEN_H

#include "base/buf.h"
#include "html/html_tag.h"

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
