/* Stems against libstemmer's, which has to be there for the tests only. */
#include "test.h"

#include "stemmer.h"
#include "vocabulary.h"

#include <libstemmer.h>

static struct sb_stemmer *oracle;
static size_t compared, wrong;

static void compare(const char *word, size_t len) {
  char own[512];
  memcpy(own, word, len);
  size_t n = stemmer_english(own, len);
  const sb_symbol *want = sb_stemmer_stem(oracle, (const sb_symbol *)word, (int)len);
  size_t want_len = (size_t)sb_stemmer_length(oracle);
  compared++;
  if (n == want_len && memcmp(own, want, n) == 0)
    return;
  if (wrong++ < 20)
    printf("# %.*s: %.*s, not %.*s\n", (int)len, word, (int)n, own, (int)want_len, (const char *)want);
}

/* Each rule, and what is said of it in the algorithm's description. */
TEST(stems_of_words) {
  static const char *const words[][2] = {{"", ""},
                                         {"a", "a"},
                                         {"be", "be"},
                                         {"y", "y"},
                                         {"caresses", "caress"},
                                         {"ties", "tie"},
                                         {"cries", "cri"},
                                         {"gaps", "gap"},
                                         {"gas", "gas"},
                                         {"this", "this"},
                                         {"kiwis", "kiwi"},
                                         {"hoping", "hope"},
                                         {"hopped", "hop"},
                                         {"agreed", "agre"},
                                         {"feed", "feed"},
                                         {"luxuriating", "luxuri"},
                                         {"by", "by"},
                                         {"say", "say"},
                                         {"cry", "cri"},
                                         {"generously", "generous"},
                                         {"communism", "communism"},
                                         {"arsenic", "arsenic"},
                                         {"inning", "inning"},
                                         {"succeeded", "succeed"},
                                         {"dying", "die"},
                                         {"news", "news"},
                                         {"expenditures", "expenditur"},
                                         {"amortization", "amort"},
                                         {"liabilities", "liabil"},
                                         {"company's", "compani"},
                                         {"'tis", "tis"},
                                         {"youth", "youth"},
                                         {"enjoyed", "enjoy"},
                                         {"analogously", "analog"},
                                         {"caf\xc3\xa9s", "caf\xc3\xa9"},
                                         {"\xc3\xa9\xc3\xa9n", "\xc3\xa9\xc3\xa9n"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char word[64];
    snprintf(word, sizeof word, "%s", words[i][0]);
    size_t n = stemmer_english(word, strlen(word));
    word[n] = 0;
    CHECK_STR(word, words[i][1]);
    compare(words[i][0], strlen(words[i][0]));
  }
  CHECK_INT(wrong, 0);
}

TEST(stems_of_a_vocabulary) {
  struct slice v = vocabulary_tokens();
  for (const char *end; v.len && (end = memchr(v.data, '\n', v.len));) {
    compare(v.data, (size_t)(end - v.data));
    v = slice_of(end + 1, v.len - (size_t)(end + 1 - v.data));
  }
  CHECK_INT(wrong, 0);
  model_close(vocabulary_model);
  buf_release(&vocabulary_text);
}

static uint32_t below(uint64_t *state, uint32_t n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % n);
}

static size_t add(char *word, size_t len, const char *part) {
  size_t n = strlen(part);
  memcpy(word + len, part, n);
  return len + n;
}

/* Beginnings, letters and endings in any order: what each condition of a step is about comes up. */
TEST(stems_of_anything) {
  static const char *const parts[] = {
      "gener", "commun", "arsen", "univers", "past", "later", "\xc3\xa9", "\xc3\x9f", "\xe6\x9d\xb1",
      "a",     "e",      "i",     "o",       "u",    "y",     "b",        "c",        "d",
      "f",     "g",      "h",     "j",       "k",    "l",     "m",        "n",        "p",
      "q",     "r",      "s",     "t",       "v",    "w",     "x",        "z",        "th",
      "qu",    "ea",     "ski",   "sky",     "tie",  "die",   "inn",      "out",      "cann",
      "herr",  "earr",   "proc",  "exc",     "succ"};
  static const char *const endings[] = {
      "s",       "es",      "ed",     "ing",  "eed",    "eedly", "ingly", "edly",    "ly",    "ied",
      "ies",     "sses",    "us",     "ss",   "tional", "enci",  "anci",  "abli",    "entli", "izer",
      "ization", "ational", "ation",  "ator", "alism",  "aliti", "alli",  "fulness", "ousli", "ousness",
      "iveness", "iviti",   "biliti", "bli",  "ogi",    "logi",  "fulli", "lessli",  "li",    "icate",
      "iciti",   "ical",    "ful",    "ness", "ative",  "alize", "al",    "ance",    "ence",  "er",
      "ic",      "able",    "ible",   "ant",  "ement",  "ment",  "ent",   "ism",     "ate",   "iti",
      "ous",     "ive",     "ize",    "ion",  "sion",   "tion",  "e",     "l",       "ll",    "y",
      "'",       "'s",      "'s'",    "at",   "bl",     "iz",    "bb",    "tt",      "ying",  "yed"};
  uint64_t state = 1;
  char word[256];
  for (int round = 0; round < 300000; round++) {
    size_t len = 0;
    for (uint32_t n = 1 + below(&state, 4); n; n--)
      len = add(word, len, parts[below(&state, sizeof parts / sizeof *parts)]);
    for (uint32_t n = below(&state, 4); n; n--)
      len = add(word, len, endings[below(&state, sizeof endings / sizeof *endings)]);
    compare(word, len);
  }
  CHECK_INT(wrong, 0);
  CHECK(compared > 330000);
}

int main(void) {
  oracle = sb_stemmer_new("english", NULL);
  if (oracle == NULL) {
    printf("Bail out! libstemmer has no English\n");
    return 1;
  }
  RUN(stems_of_words);
  RUN(stems_of_a_vocabulary);
  RUN(stems_of_anything);
  sb_stemmer_delete(oracle);
  return test_done();
}
