/* html_token.h: HTML bytes to tokens, after the WHATWG standard's tokenization states (section 13.2.5).
 *
 * Tokens are slices of the input, which is UTF-8 (charset.h) and outlives them: names keep their case,
 * text and attribute values their character references (entities.h) and NUL bytes.  What the standard has
 * the tree builder switch (RCDATA, RAWTEXT, script data, PLAINTEXT) the tokenizer switches itself, by the
 * name of the start tag that it returns.
 */
#ifndef BID_HTML_TOKEN_H
#define BID_HTML_TOKEN_H

#include "base/buf.h"
#include "html/html_tag.h"

#define HTML_ATTRIBUTES 32 /* of a tag; further ones are skipped */

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
  struct slice text; /* of text, comment (without its marks), DOCTYPE (what stands behind the word); of a tag
                        its name */
  size_t attribute_count;
  struct html_attribute attributes[HTML_ATTRIBUTES];
};

struct html_tokenizer {
  const char *at, *end;
  enum html_content content;
  struct slice last_start; /* name of the last start tag */
  int cdata;               /* set by the caller inside svg and math: "<![CDATA[" is text there */
  int xml;                 /* set by the caller: "<title/>" has no content, as XHTML has it */
};

void html_tokenizer_init(struct html_tokenizer *t, struct slice input);

/* The next token into *token; returns its kind, HTML_END_OF_FILE at the end and ever after.  Text may come in
 * several tokens. */
enum html_token_kind html_token_next(struct html_tokenizer *t, struct html_token *token);

/* Where a start tag comes next: its bytes from the name up to the first '>' (which may stand in a value's
 * quotes and be no end); else, and where it is one of iXBRL, an empty slice. */
struct slice html_token_ahead(const struct html_tokenizer *t);

/* Passes over a tag that came ahead and ends with that '>'; its content is data. */
static inline void html_token_pass(struct html_tokenizer *t, struct slice ahead) {
  t->at = ahead.data + ahead.len + 1;
}

/* Where a tag may come next: the bytes of all tags in a row that come, as far as '>' and '<' tell them, up to
 * one of iXBRL; else an empty slice.  At most `most` bytes, which may cut a tag. */
struct slice html_token_run(const struct html_tokenizer *t, size_t most);

/* Passes over a run; what follows is data. */
static inline void html_token_pass_run(struct html_tokenizer *t, struct slice run) {
  t->at = run.data + run.len;
}

#endif
