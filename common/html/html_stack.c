/* html_stack.c: open elements and inherited style.
 *
 * Without a tree, the standard's adoption agency algorithm and list of active formatting elements reduce to one rule:
 * closing an element removes it and everything opened inside it except formatting elements, which stay as if they
 * were reopened after it.  Table cells close everything that was opened in them.
 */
#include "html/html_state.h"

/* Returns the look that it stores: reading it back after writing single fields would stall the processor. */
static struct html_look inherit(struct html_element *e, const struct html_look *from) {
  struct html_look l = *from;
  l.on = (uint16_t)((from->on & ~e->own_set) | e->own_on);
  l.on = (uint16_t)(l.on | (from->on & STYLE_HIDDEN)); /* everything inside a hidden element is hidden */
  if (e->level)
    l.level = e->level;
  if (e->own_size > 0)
    l.size = e->own_size;
  if (e->own_factor > 0)
    l.size *= e->own_factor;
  e->look = l;
  return l;
}

static const struct html_look no_look;

static void look_again(struct html *h, size_t from) {
  for (size_t i = from; i < h->depth; i++)
    inherit(&h->stack[i], i ? &h->stack[i - 1].look : &no_look);
  h->look = h->depth ? h->stack[h->depth - 1].look : no_look;
}

void html_stack_push(struct html *h, enum html_tag tag, const struct html_style *style, int level) {
  if (h->depth == DEPTH_MAX) {
    h->too_deep++;
    return;
  }
  struct html_element *e = &h->stack[h->depth++];
  e->tag = (uint8_t)tag;
  e->level = (uint8_t)level;
  e->break_after = style->break_after == BREAK_PAGE;
  e->display = style->display;
  e->own_set = style->set;
  e->own_on = style->on;
  e->own_size = style->size;
  e->own_factor = style->factor;
  h->paragraphs += tag == TAG_P;
  h->look = inherit(e, &h->look);
}

/* Effects of an element's end other than on style. */
static void leave(struct html *h, const struct html_element *e) {
  h->paragraphs -= e->tag == TAG_P;
  if ((e->tag == TAG_UL || e->tag == TAG_OL) && h->list_depth)
    h->list_depth--;
  if (e->display == DISPLAY_BLOCK)
    html_flow_flush(h);
  if (e->break_after && !(e->look.on & STYLE_HIDDEN))
    html_flow_page(h);
}

void html_stack_cut(struct html *h, size_t depth) {
  if (h->depth <= depth) {
    h->too_deep = 0;
    return;
  }
  while (h->depth > depth) {
    h->depth--;
    leave(h, &h->stack[h->depth]);
  }
  h->too_deep = 0;
  look_again(h, h->depth);
  if (h->fact_slot && h->depth <= h->fact_depth)
    html_facts_end(h);
}

size_t html_stack_limit(const struct html *h) {
  if (!h->frame_count)
    return 0;
  const struct html_frame *f = &h->frames[h->frame_count - 1];
  return f->cell_base ? f->cell_base : f->row_base ? f->row_base : f->base;
}

static int html_stack_find(const struct html *h, enum html_tag tag, size_t *at) {
  size_t limit = html_stack_limit(h);
  for (size_t i = h->depth; i-- > limit;)
    if (h->stack[i].tag == tag) {
      *at = i;
      return 1;
    }
  return 0;
}

int html_stack_holds(const struct html *h, enum html_tag tag) {
  size_t at;
  return html_stack_find(h, tag, &at);
}

int html_stack_is_inline(const struct html *h, enum html_tag tag) {
  size_t at;
  return html_stack_find(h, tag, &at) && h->stack[at].display == DISPLAY_INLINE;
}

/* Removes element `at` and all non-formatting elements above it. */
static void take_out(struct html *h, size_t at) {
  size_t to = at;
  for (size_t i = at; i < h->depth; i++)
    if (i > at && (html_tag_properties((enum html_tag)h->stack[i].tag) & TAG_FORMATTING))
      h->stack[to++] = h->stack[i];
    else
      leave(h, &h->stack[i]);
  h->depth = to;
  look_again(h, at);
  if (h->fact_slot && at <= h->fact_depth)
    html_facts_end(h);
}

int html_stack_close(struct html *h, enum html_tag tag) {
  size_t at;
  if (h->too_deep) {
    h->too_deep--;
    return 1;
  }
  if (!html_stack_find(h, tag, &at))
    return 0;
  if (at + 1 == h->depth)
    html_stack_cut(h, at);
  else
    take_out(h, at);
  return 1;
}
