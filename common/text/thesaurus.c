/* thesaurus.c: triggers are in buckets by the hash of their first stem; a trigger is its stems, each followed by a
 * NUL, in one arena.  Phrases are stemmed only when used, since loading is part of every start. */
#include "text/thesaurus.h"

#include <stdlib.h>

#define BUCKETS 1024
#define TRIGGER_STEMS 8

struct trigger {
  uint32_t next; /* index + 1 of the next one in its bucket, or 0 */
  uint32_t at;   /* offset of its stems in the arena */
  uint32_t entry;
  uint32_t stems;
};

struct thesaurus {
  struct buf arena;
  struct trigger *triggers;
  size_t trigger_count, trigger_cap;
  struct thesaurus_entry *entries;
  size_t entry_count, entry_cap;
  uint32_t bucket[BUCKETS];
  uint8_t *begins; /* bitmap of the first two bytes of the question's words; NULL: no restriction */
};

#define LONG_WORD 6 /* letters; no function word is this long */

static int thesaurus_is_letter(char c) {
  return (unsigned)(c | 32) - 'a' < 26;
}

static unsigned beginning(const char *word) {
  return (unsigned)(word[0] | 32) << 8 | (unsigned)(word[1] | 32);
}

static void begins_add(uint8_t *begins, char first, char second) {
  unsigned key = beginning((const char[]){first, second});
  begins[key >> 3] = (uint8_t)(begins[key >> 3] | 1 << (key & 7));
}

/* Each pair of adjacent letters of the question, ignoring what is in between ("E.P.S." is one word).  A stem starts
 * with the same two letters as its word, except that "dying" becomes "die".  A question with non-ASCII letters, which
 * may be converted to others, is treated as containing anything. */
static uint8_t *words_beginnings(struct slice question) {
  uint8_t *begins = xcalloc(1 << 13, 1);
  char before = 0;
  for (size_t i = 0; i < question.len; i++) {
    char c = question.data[i];
    if (c & 0x80) {
      free(begins);
      return NULL;
    }
    if (!thesaurus_is_letter(c))
      continue;
    begins_add(begins, before, c);
    if ((c | 32) == 'y')
      begins_add(begins, before, 'i');
    before = c;
  }
  return begins;
}

static int is_function_word(const char *word, size_t n) {
  char lower[LONG_WORD];
  for (size_t i = 0; i < n && n < LONG_WORD; i++)
    lower[i] = (char)(word[i] | 32);
  return n < LONG_WORD && terms_is_stop(slice_of(lower, n));
}

/* Whether all words of the trigger, except function words, may occur in the question. */
static int may_stand(const struct thesaurus *t, struct slice trigger) {
  for (size_t i = 0, n; t->begins != NULL && i < trigger.len; i += n + 1) {
    n = 0;
    while (i + n < trigger.len && thesaurus_is_letter(trigger.data[i + n]))
      n++;
    unsigned key = n > 1 ? beginning(trigger.data + i) : 0;
    if (n > 1 && !(t->begins[key >> 3] >> (key & 7) & 1) && !is_function_word(trigger.data + i, n))
      return 0;
  }
  return 1;
}

static const struct {
  const char *name;
  unsigned place;
} places[] = {{"income", PLACE_INCOME},
              {"balance", PLACE_BALANCE},
              {"cash", PLACE_CASH},
              {"ratio", PLACE_RATIO},
              {"short", PLACE_SHORT},
              {"outside", PLACE_OUTSIDE},
              {"-", 0}};

static uint32_t bucket_of(struct slice stem) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < stem.len; i++)
    h = (h ^ (uint8_t)stem.data[i]) * 16777619u;
  return (h ^ h >> 15) % BUCKETS;
}

int thesaurus_next(struct slice *list, struct slice *phrase) {
  while (list->len > 0) {
    *phrase = slice_trimmed(slice_cut(list, ';'));
    if (phrase->len > 0)
      return 1;
  }
  return 0;
}

static int thesaurus_place_of(struct slice name, unsigned *place) {
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (name.data[0] == places[i].name[0] && slice_is(name, places[i].name)) {
      *place |= places[i].place;
      return 1;
    }
  return 0;
}

struct thesaurus_adding {
  struct thesaurus *t;
  uint32_t stems, bucket;
};

static void add_stem(void *arg, const struct term *term) {
  struct thesaurus_adding *a = arg;
  if (a->stems == 0)
    a->bucket = bucket_of(term->text);
  buf_add_slice(&a->t->arena, term->text);
  buf_add_char(&a->t->arena, '\0');
  a->stems++;
}

/* A trigger without stems (only function words) is dropped. */
static void add_trigger(struct thesaurus *t, struct slice text, struct terms *terms) {
  struct thesaurus_adding a = {t, 0, 0};
  uint32_t at = (uint32_t)t->arena.len;
  if (!may_stand(t, text))
    return;
  terms_scan(terms, text, 0, add_stem, &a);
  if (a.stems == 0 || a.stems > TRIGGER_STEMS)
    return;
  if (t->trigger_count == t->trigger_cap) {
    t->trigger_cap = t->trigger_cap ? 2 * t->trigger_cap : 512;
    t->triggers = xreallocarray(t->triggers, t->trigger_cap, sizeof *t->triggers);
  }
  t->triggers[t->trigger_count] =
      (struct trigger){t->bucket[a.bucket], at, (uint32_t)t->entry_count, a.stems};
  t->bucket[a.bucket] = (uint32_t)++t->trigger_count;
}

static const char *thesaurus_add_line(struct thesaurus *t, struct slice line, struct terms *terms) {
  struct slice triggers = slice_cut(&line, '\t'), phrases = slice_cut(&line, '\t'),
               where = slice_trimmed(line), one;
  unsigned place = 0;
  if (slice_trimmed(phrases).len == 0 || where.len == 0)
    return "not three columns with a tab between";
  while (where.len > 0)
    if (!thesaurus_place_of(slice_cut(&where, ' '), &place))
      return "unknown place in the third column";
  while (thesaurus_next(&triggers, &one))
    add_trigger(t, one, terms);
  if (t->entry_count == t->entry_cap) {
    t->entry_cap = t->entry_cap ? 2 * t->entry_cap : 256;
    t->entries = xreallocarray(t->entries, t->entry_cap, sizeof *t->entries);
  }
  t->entries[t->entry_count++] = (struct thesaurus_entry){phrases, place};
  return NULL;
}

struct thesaurus *thesaurus_new(struct slice text, struct terms *terms, struct slice question,
                                struct error_text *e) {
  struct thesaurus *t = xcalloc(1, sizeof *t);
  t->begins = question.len > 0 ? words_beginnings(question) : NULL;
  buf_init(&t->arena, 1 << 24);
  for (size_t number = 1; text.len > 0; number++) {
    struct slice line = slice_trimmed(slice_cut(&text, '\n'));
    if (line.len == 0 || line.data[0] == '#')
      continue;
    const char *why = thesaurus_add_line(t, line, terms);
    if (why != NULL) {
      error_set(e, "thesaurus, line %zu: %s", number, why);
      thesaurus_free(t);
      return NULL;
    }
  }
  return t;
}

void thesaurus_free(struct thesaurus *t) {
  if (t == NULL)
    return;
  buf_release(&t->arena);
  free(t->triggers);
  free(t->entries);
  free(t->begins);
  free(t);
}

static int stands_at(const struct thesaurus *t, const struct trigger *g, const struct slice *stems,
                     size_t count) {
  const char *at = t->arena.data + g->at;
  if (g->stems > count)
    return 0;
  for (uint32_t i = 0; i < g->stems; i++) {
    size_t n = strlen(at);
    if (stems[i].len != n || memcmp(stems[i].data, at, n) != 0)
      return 0;
    at += n + 1;
  }
  return 1;
}

/* The longest triggers that match at stems[0]; several entries may share one. */
static uint32_t longest_at(const struct thesaurus *t, const struct slice *stems, size_t count) {
  uint32_t best = 0;
  for (uint32_t i = t->bucket[bucket_of(stems[0])]; i != 0; i = t->triggers[i - 1].next) {
    const struct trigger *g = &t->triggers[i - 1];
    if (g->stems > best && stands_at(t, g, stems, count))
      best = g->stems;
  }
  return best;
}

void thesaurus_match(const struct thesaurus *t, const struct slice *stems, size_t count,
                     thesaurus_function *f, void *arg) {
  size_t covered = 0; /* stems before this one are part of an earlier match */
  for (size_t from = 0; from < count; from++) {
    uint32_t n = longest_at(t, stems + from, count - from);
    if (n == 0 || from + n <= covered)
      continue;
    covered = from + n;
    for (uint32_t i = t->bucket[bucket_of(stems[from])]; i != 0; i = t->triggers[i - 1].next) {
      const struct trigger *g = &t->triggers[i - 1];
      if (g->stems == n && stands_at(t, g, stems + from, count - from))
        f(arg, from, from + n, &t->entries[g->entry]);
    }
  }
}
