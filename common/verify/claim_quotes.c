#include "verify/claim_quotes.h"

#include <ctype.h>
#include <string.h>

enum {
  QUOTE_WORDS = 5, /* fewer may be a label */
  QUOTE_FRONT = 5, /* words before a number that tell what it is of */
  QUOTE_BEHIND = 2
};

static size_t quote_blanks(struct slice t, size_t i) {
  while (i < t.len && isspace((unsigned char)t.data[i]))
    i++;
  return i;
}

/* Whether a quote stands at byte i of a text, apart from case and the width of blanks. */
static int quote_is_at(struct slice t, size_t i, struct slice quote) {
  size_t k = 0;
  while (k < quote.len && i < t.len) {
    size_t behind = quote_blanks(quote, k), next = quote_blanks(t, i);
    if ((behind > k) != (next > i) ||
        tolower((unsigned char)quote.data[behind]) != tolower((unsigned char)t.data[next]))
      return 0;
    k = behind + 1;
    i = next + 1;
  }
  return k >= quote.len && (i >= t.len || !isalnum((unsigned char)t.data[i]));
}

static int quote_is_in(struct slice t, struct slice quote) {
  for (size_t i = 0; i + quote.len / 2 < t.len; i++)
    if ((!i || !isalnum((unsigned char)t.data[i - 1])) && quote_is_at(t, i, quote))
      return 1;
  return 0;
}

/* The sentence without its marks and its last punctuation. */
static struct slice quote_of(const struct claim_sentence *s) {
  struct slice t = s->text;
  t.len = s->stated.mark_count ? s->stated.marks[0].start : t.len;
  while (t.len && (isspace((unsigned char)t.data[t.len - 1]) || strchr(".;:!?\"", t.data[t.len - 1])))
    t.len--;
  size_t from = quote_blanks(t, 0);
  return slice_of(t.data + from, t.len - from);
}

int claim_quoted(const struct claim_sentence *s) {
  struct slice quote = quote_of(s);
  size_t words = 0;
  for (size_t i = 0; i < quote.len; i++)
    words += quote.data[i] == ' ';
  for (size_t i = 0; words >= QUOTE_WORDS && i < s->owners->count; i++) {
    int cited = !s->mark_count;
    for (size_t k = 0; k < s->mark_count; k++)
      cited |= s->marks[k] == s->owners->list[i].mark;
    if (cited && quote_is_in(s->owners->list[i].text, quote))
      return s->owners->list[i].mark;
  }
  return 0;
}

/* How many words two texts have in common from their beginnings, or, with step -1, from their ends; *all where either is used up. */
static size_t quote_common(struct slice a, struct slice b, int step, int *all) {
  size_t i = 0, words = 0;
  while (i < a.len && i < b.len) {
    char x = step > 0 ? a.data[i] : a.data[a.len - 1 - i], y = step > 0 ? b.data[i] : b.data[b.len - 1 - i];
    if (tolower((unsigned char)x) != tolower((unsigned char)y))
      break;
    words += x == ' ' && i;
    i++;
  }
  *all = i == a.len || i == b.len;
  return words + (size_t)*all;
}

int claim_is_verbatim(const struct claim_view *v, const struct evidence_item *found) {
  struct slice t = v->s->text, label = found->label;
  size_t k = (size_t)(v->n - v->s->stated.numbers), last = k ? v->n[-1].end : 0;
  if (found->in_table || !found->printed.len || last > v->n->start)
    return 0;
  size_t next = k + 1 < v->s->stated.number_count ? v->n[1].start : t.len;
  size_t start = (size_t)(found->printed.data - label.data), end = start + found->printed.len;
  int front_all, behind_all;
  size_t front = quote_common(slice_of(t.data, v->n->start), slice_of(label.data, start), -1, &front_all);
  size_t behind = quote_common(slice_of(t.data + v->n->end, t.len - v->n->end),
                               slice_of(label.data + end, label.len - end), 1, &behind_all);
  size_t to_last = 0, to_next = 0;
  for (size_t i = last; i < v->n->start; i++)
    to_last += t.data[i] == ' ';
  for (size_t i = v->n->end; i < next; i++)
    to_next += t.data[i] == ' ';
  int led = front >= QUOTE_FRONT || (k && front > to_last);
  return led && (behind >= QUOTE_BEHIND || behind_all || behind >= to_next);
}
