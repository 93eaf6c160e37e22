/* member_match.h: the members that a question's words name.
 *
 * A name is read as words.  Every word of the question's phrase that narrows the figure has to be among them, and the name is
 * the better, the more of its own words the phrase has: "energy" is "Energy generation and storage" where nothing is called
 * "Energy".  The figure's own words and "segment" count little; a remainder ("Other", "Rest of Asia Pacific", "Non-US") is
 * meant only by a phrase that says so. */
#ifndef BID_MEMBER_MATCH_H
#define BID_MEMBER_MATCH_H

#include "facts/member.h"

#define MEMBER_MATCH_WORDS 24
#define MEMBER_MATCH_MOST 64

struct member_phrase {
  struct slice words[MEMBER_MATCH_WORDS]; /* of the phrase, without grammar */
  int needed[MEMBER_MATCH_WORDS];         /* one that narrows the figure */
  size_t count;
};

struct member_match {
  const struct member *member;
  size_t name;  /* the name that fits: 0 its identifier, else 1 and the index of a label */
  double score; /* at most 1 */
};

/* Adds a word of the question; at most MEMBER_MATCH_WORDS are kept. */
void member_phrase_add(struct member_phrase *p, struct slice word, int needed);

/* The members that the phrase names, best first, at most MEMBER_MATCH_MOST; returns how many. */
size_t member_match_find(const struct member_list *list, const struct member_phrase *p,
                         struct member_match found[MEMBER_MATCH_MOST]);

/* Whether a noun says what the members of a key's axis are, "region"; an empty one says nothing against it. */
int member_match_axis(struct slice key, struct slice noun);

/* What readers call it, by the name that fits: "Services", "Streaming, Latin America".  To be freed. */
char *member_match_title(const struct member_match *m);

#endif
