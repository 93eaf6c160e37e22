/* html_style.h: CSS properties that affect how a filing reads: style attributes, parsed once and cached by their
 * text. */
#ifndef BID_HTML_STYLE_H
#define BID_HTML_STYLE_H

#include "base/buf.h"
#include "html/html_token.h"

#include <stdint.h>

/* Bits of `set` (property is specified) and `on` (its value). */
enum {
  STYLE_BOLD = 1,
  STYLE_ITALIC = 2,
  STYLE_UNDERLINE = 4,
  STYLE_CENTER = 8,
  STYLE_SYMBOLS = 16,    /* font-family: Wingdings: letters are symbols */
  STYLE_SUPER = 32,      /* superscript: vertical-align: super, or position: relative with top below 0 */
  STYLE_HIDDEN = 64,     /* display: none */
  STYLE_VEILED = 128,    /* visibility: hidden; descendants may be visible again */
  STYLE_STRUCK = 1 << 10 /* text-decoration: line-through */
};

/* html_style.break_before and break_after */
enum { BREAK_UNSET, BREAK_PAGE, BREAK_NONE };

enum style_display { DISPLAY_UNSET, DISPLAY_INLINE, DISPLAY_BLOCK };

struct html_style {
  uint16_t set, on;
  uint8_t display;                   /* enum style_display */
  uint8_t break_before, break_after; /* BREAK_* */
  float size;                        /* font-size in points, or 0 */
  float factor;                      /* font-size relative to the parent's (em, %), or 0 */
  float indent;                      /* blank space at the left: padding, margin and text-indent, in points */
};

/* Merges `from`, which takes precedence, into s. */
static inline void html_style_merge(struct html_style *s, const struct html_style *from) {
  s->on = (uint16_t)((s->on & ~from->set) | (from->on & from->set));
  s->set = (uint16_t)(s->set | from->set);
  s->display = from->display ? from->display : s->display;
  s->break_before = from->break_before ? from->break_before : s->break_before;
  s->break_after = from->break_after ? from->break_after : s->break_after;
  if (from->size > 0 || from->factor > 0) {
    s->size = from->size;
    s->factor = from->factor;
  }
  s->indent += from->indent;
}

#define STYLE_SLOTS 1024

/* One entry per hash value; a newer text replaces an older one. */
struct html_style_cache {
  struct {
    uint64_t hash;
    size_t len;
    struct html_style style;
  } slots[STYLE_SLOTS];
};

/* The style of an attribute's text, valid until the next call.  A zero-initialised cache is empty. */
const struct html_style *html_style_cache_get(struct html_style_cache *c, struct slice text);

/* ---- <style> sheets ----
 *
 * Only rules with simple selectors count.  Supported selectors are tag, .class, #id, and a tag with classes or an id,
 * in comma-separated lists.  Rules with other selectors (descendants, attributes, pseudo-classes) are ignored, which
 * shows more rather than less.  Of @media, rules for screens apply, as in a browser; of rules for print only page
 * breaks do; conditions on width and the like count as false.  Other at-rules are skipped. */

#define SHEET_MAX ((size_t)1 << 20) /* limit of one <style> in bytes; the rest is ignored */
#define SHEET_RULES 8192            /* limit of selectors in a page */

struct html_sheet;

/* Adds a <style> element's text with its media attribute (empty: all) to *sheet, which is allocated when needed; it
 * stays NULL for a page without rules. */
void html_sheet_read(struct html_sheet **sheet, struct slice text, struct slice media);
void html_sheet_free(struct html_sheet *sheet);

/* Merges into *style the rules that match a start tag, the weakest first: ids beat classes, classes beat tags, and
 * later rules beat earlier ones. */
void html_sheet_apply(const struct html_sheet *sheet, const struct html_token *tag, struct html_style *style);

#endif
