/* items.c: the tables of the forms' items, and the start of a heading that names one. */
#include "filing/items.h"
#include "tables/items.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct item_form_entry form_10k[] = {ITEMS_FORM_10K};

static const struct item_form_entry form_10ksb[] = {ITEMS_FORM_10KSB};

static const struct item_form_entry form_10q[] = {ITEMS_FORM_10Q};

static const struct item_form_entry form_20f[] = {ITEMS_FORM_20F};

static const struct item_form_entry form_offering[] = {ITEMS_FORM_OFFERING};

#define LENGTH(list) (sizeof(list) / sizeof *(list))

/* The forms with items that have a letter. */
static const enum outline_form lettered[] = {OUTLINE_10K, OUTLINE_20F};

static const struct { const char *word, *digits; } numerals[] = {ITEMS_NUMERAL};

const struct item_form_entry *items_of(enum outline_form form, size_t *count) {
#define FORM(form, list) [form] = { list, LENGTH(list) }
  static const struct {
    const struct item_form_entry *list;
    size_t count;
  } forms[] = {FORM(OUTLINE_10K, form_10k), FORM(OUTLINE_10KSB, form_10ksb), FORM(OUTLINE_10Q, form_10q),
               FORM(OUTLINE_20F, form_20f), FORM(OUTLINE_OFFERING, form_offering)};
  *count = (size_t)form < LENGTH(forms) ? forms[form].count : 0;
  return *count ? forms[form].list : NULL;
}

/* Length of the start of text that has the n letters and digits of title; 0 where they differ. */
static size_t match_one(const char *text, const char *title, size_t n) {
  const char *start = text;
  for (size_t i = 0; i < n; i++) {
    if (title[i] == ' ')
      continue;
    while (*text && !isalnum((unsigned char)*text))
      text++;
    if (*text != title[i])
      return 0;
    text++;
  }
  return (size_t)(text - start);
}

size_t items_title_match(const char *text, const char *titles) {
  while (*titles) {
    size_t n = strcspn(titles, "|");
    size_t taken = match_one(text, titles, n);
    if (taken)
      return taken;
    titles += n + (titles[n] == '|');
  }
  return 0;
}

static const struct { const char *item, *title; } whole_titles[] = {ITEMS_WHOLE};

static int is_whole(const char *text, const char *title) {
  const char *rest = text + match_one(text, title, strlen(title));
  if (rest == text)
    return 0;
  while (*rest && !isalnum((unsigned char)*rest))
    rest++;
  return !*rest;
}

int items_is_title(const char *text, const char *titles) {
  for (size_t n; *titles; titles += n + (titles[n] == '|')) {
    n = strcspn(titles, "|");
    size_t taken = match_one(text, titles, n);
    int words = 1;
    for (size_t i = 0; i < n; i++)
      words += titles[i] == ' ';
    if (taken && (words > 1 || !text[taken + strcspn(text + taken, "abcdefghijklmnopqrstuvwxyz0123456789")]))
      return 1;
  }
  return 0;
}

const char *items_whole_title(const char *text, size_t *cursor) {
  while (*cursor < LENGTH(whole_titles)) {
    size_t i = (*cursor)++;
    if (is_whole(text, whole_titles[i].title))
      return whole_titles[i].item;
  }
  return NULL;
}

/* ---- headings ----
 *
 * The text is in lower case with single blanks.  Filers write numbers in many ways: "7A.", "7 A.", "7(a)", "Items 1, 1A
 * and 2", and drop capitals as "I tem". */

static size_t skip_marks(const char *s, size_t i) {
  while (s[i] && (unsigned char)s[i] < 0x80 && !isalnum((unsigned char)s[i]) && s[i] != '(' && s[i] != '"' &&
         s[i] != '[')
    i++;
  return i;
}

/* Reads "part iv": its number; moves *i after it. */
static int item_heading_read_part(const char *s, size_t *i) {
  static const char *const romans[] = {"iv", "iii", "ii", "i"};
  static const int values[] = {4, 3, 2, 1};
  size_t at = *i;
  if (strncmp(s + at, "part", 4) != 0)
    return 0;
  at += 4;
  while (s[at] == ' ')
    at++;
  for (int k = 0; k < 4; k++) {
    size_t n = strlen(romans[k]);
    if (strncmp(s + at, romans[k], n) == 0 && !isalnum((unsigned char)s[at + n])) {
      *i = at + n;
      return values[k];
    }
  }
  if (s[at] >= '1' && s[at] <= '4' && !isalnum((unsigned char)s[at + 1])) {
    *i = at + 1;
    return s[at] - '0';
  }
  return 0;
}

/* Skips marks, and "no." or "number", before a number: "item no. 1", "item (1)", "item #1". */
static size_t behind_number_word(const char *s, size_t at) {
  static const char *const words[] = {"number", "nos", "no"};
  at += strspn(s + at, " .:#-(");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i]),
           behind = at + n + strspn(s + at + n * (strncmp(s + at, words[i], n) == 0), " .:#-(");
    if (strncmp(s + at, words[i], n) == 0 && isdigit((unsigned char)s[behind]))
      return behind;
  }
  return at;
}

/* Whether the text begins with a title of the item with this number and letter: "1", 'a', "risk factors". */
static int begins_title_of(const char *number, size_t n, char letter, const char *text) {
  for (size_t form = 0, count; form < LENGTH(lettered); form++) {
    const struct item_form_entry *e = items_of(lettered[form], &count);
    for (const struct item_form_entry *end = e + count; e < end; e++)
      if (e->number && strncmp(e->number, number, n) == 0 && e->number[n] == toupper((unsigned char)letter) &&
          !e->number[n + 1] && items_title_match(text, e->titles))
        return 1;
  }
  return 0;
}

/* The bytes of a number in words or Roman digits at the start of s, "one" or "iv", and its digits; 0 for none. */
static size_t read_numeral(const char *s, const char **digits) {
  for (size_t i = 0; isalpha((unsigned char)*s) && i < LENGTH(numerals); i++) {
    size_t n = strlen(numerals[i].word);
    if (strncmp(s, numerals[i].word, n) == 0 &&
        !isalpha((unsigned char)s[n + (s[n] >= 'a' && s[n] <= 'c')])) {
      *digits = numerals[i].digits;
      return n;
    }
  }
  return 0;
}

/* Reads "item" or "items", allowing blanks between letters (drop capitals are separate spans). */
static int read_item_word(const char *s, size_t *i, int *plural) {
  const char *digits;
  size_t at = *i;
  for (const char *w = "item"; *w; w++) {
    if (s[at] == ' ' && *w != 'i')
      at++;
    if (s[at] != *w && !(*w == 'i' && s[at] == 'l')) /* "ltem": a scanned capital I */
      return 0;
    at++;
  }
  *plural = s[at] == 's';
  at += s[at] == 's';
  if (isalpha((unsigned char)s[at]))
    return 0;
  at = behind_number_word(s, at);
  *i = at;
  return isdigit((unsigned char)s[at]) || read_numeral(s + at, &digits);
}

/* Whether another number is joined to the one before: "1 & 2", "1 and item 2". */
static int joins_number(const char *s) {
  size_t at = strspn(s, " .");
  at += s[at] == '&' ? 1 : strncmp(s + at, "and ", 4) == 0 ? 4 : 0;
  at += strspn(s + at, " ");
  at += strncmp(s + at, "item ", 5) == 0 ? 5 : 0;
  return (s[strspn(s, " .")] == '&' || strncmp(s + strspn(s, " ."), "and ", 4) == 0) &&
         isdigit((unsigned char)s[at]);
}

/* The place of the letter that belongs to the n digits of a number before `at`: "7a", "7 a.", "7-a", "7(a)"; 0 for none. */
static size_t letter_behind(const char *s, size_t at, const char *number, size_t n) {
  size_t letter = at + (s[at] == ' ' || (s[at] == '-' && s[at + 1] >= 'a' && s[at + 1] <= 'c') ||
                        (s[at] == '.' && s[at + 1] >= 'a' && s[at + 1] <= 'k') ||
                        (s[at] == '(' && s[at + 1] && s[at + 2] == ')' && n == 1 && s[at + 1] != 't'));
  int apart = !isalnum((unsigned char)s[letter + 1]) &&
              (letter == at || s[at] == '-' || strchr(".:)-", s[letter + 1]));
  return s[letter] >= 'a' && s[letter] <= 'k' &&
                 (apart || begins_title_of(number, n, s[letter], s + letter + 1))
             ? letter
             : 0;
}

/* Reads "7a", "7 a.", "9a(t)", "5.02" or "5. 02" into out in upper case; returns the bytes consumed, or 0. */
static size_t read_digits(const char *s, char out[8]) {
  size_t zeros = s[0] == '0' && isdigit((unsigned char)s[1]), n = strspn(s + zeros, "0123456789"),
         at = n + zeros;
  if (n == 0 || n > 2)
    return 0;
  memcpy(out, s + zeros, n);
  size_t behind = at + 1 + (s[at] == '.' && s[at + 1] == ' ' && s[at + 2] == '0');
  if (s[at] == '.' && strspn(s + behind, "0123456789") == 2) {
    snprintf(out + n, 8 - n, ".%.2s", s + behind);
    return behind + 2;
  }
  size_t letter = letter_behind(s, at, out, n);
  if (letter) {
    out[n++] = (char)toupper((unsigned char)s[letter]);
    at = letter + 1 + (s[letter + 1] == ')' && letter > at);
    if (strncmp(s + at, "(t)", 3) == 0)
      at += 3;
  }
  out[n] = '\0';
  return at;
}

/* Reads a number as read_digits() does, or one in words or Roman digits: "one", "vii-a". */
static size_t item_heading_read_number(const char *s, char out[8]) {
  char text[64];
  const char *digits;
  size_t word = read_numeral(s, &digits), taken;
  if (!word)
    return read_digits(s, out);
  snprintf(text, sizeof text, "%s%s", digits, s + word);
  taken = read_digits(text, out);
  return taken ? taken + word - strlen(digits) : 0;
}

/* Adds "1 through 9": the whole numbers in between, as many as fit, then the last one. */
static void add_range(struct item_heading *l, int from, const char *last) {
  for (int n = from + 1; n < atoi(last) && l->number_count + 1 < ITEMLEAD_NUMBERS; n++)
    snprintf(l->numbers[l->number_count++], sizeof *l->numbers, "%u", (unsigned)n % 100);
}

/* Reads "1", "1 and 2", "1, 1a and 2", "1. & 2." or "1 through 9 and Item 11"; moves *i after it. */
static void read_numbers(const char *s, size_t *i, int plural, struct item_heading *l) {
  for (int range = 0;;) {
    char number[8];
    size_t n = item_heading_read_number(s + *i, number);
    if (!n)
      return;
    if (range)
      add_range(l, atoi(l->numbers[l->number_count - 1]), number);
    memcpy(l->numbers[l->number_count++], number, sizeof number);
    *i += n;
    if ((!plural && !joins_number(s + *i)) || l->number_count == ITEMLEAD_NUMBERS)
      return;
    size_t at = *i;
    while (s[at] && strchr(" .,;&-", s[at]))
      at++;
    if (strncmp(s + at, "and ", 4) == 0)
      at += 4;
    range = strncmp(s + at, "through ", 8) == 0 && l->number_count + 1 < ITEMLEAD_NUMBERS;
    at += range ? 8 : 0;
    while (s[at] == ' ')
      at++;
    if (strncmp(s + at, "item ", 5) == 0)
      at += 5;
    if (at == *i || !isdigit((unsigned char)s[at]))
      return;
    *i = at;
  }
}

size_t items_lead(const char *s) {
  size_t i = 0;
  while (s[i]) {
    if (strchr("\"'([-", s[i]))
      i++;
    else if ((unsigned char)s[i] == 0xE2 && s[i + 1] && s[i + 2])
      i += 3;
    else if (s[i] == ' ' && i)
      i++;
    else
      break;
  }
  return i < 16 ? i : 0;
}

/* Finds the item in an 8-K's "Section 5 - Corporate Governance and Management Item 5.02 ...". */
static size_t behind_section(const char *lower) {
  const char *item = strncmp(lower, "section ", 8) == 0 ? strstr(lower, " item ") : NULL;
  return item ? (size_t)(item + 1 - lower) : 0;
}

int item_heading_read(const char *lower, struct item_heading *l) {
  size_t section = behind_section(lower), lead = section ? 0 : items_lead(lower), i = section + lead;
  int plural;
  memset(l, 0, sizeof *l);
  l->part = item_heading_read_part(lower, &i);
  size_t at = l->part ? skip_marks(lower, i) : i;
  if (read_item_word(lower, &at, &plural)) {
    i = at;
    read_numbers(lower, &i, plural, l);
  }
  while (lead && l->number_count && lower[i] && strchr(".\"')]", lower[i]))
    i++;
  l->title = skip_marks(lower, i);
  return l->part || l->number_count;
}

int item_heading_asset_backed(const char *lower, char out[8]) {
  size_t i = 0;
  int plural;
  if (!read_item_word(lower, &i, &plural) || strncmp(lower + i, "11", 2) != 0 ||
      strspn(lower + i, "0123456789") != 4 || !strstr(lower, "regulation ab"))
    return 0;
  size_t n = lower[i + 4] == '(' && lower[i + 6] == ')' ? 7 : 4;
  memcpy(out, lower + i, n);
  out[n] = '\0';
  return 1;
}

size_t item_heading_numbers(const char *text, char numbers[][8], size_t max) {
  char lower[128];
  struct item_heading l;
  size_t n = 0;
  for (; text[n] && n + 1 < sizeof lower; n++)
    lower[n] = (char)tolower((unsigned char)text[n]);
  lower[n] = '\0';
  if (!item_heading_read(lower, &l))
    return 0;
  for (n = 0; n < l.number_count && n < max; n++)
    memcpy(numbers[n], l.numbers[n], 8);
  return n;
}
