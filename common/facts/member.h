/* member.h: the members by which inline XBRL breaks figures down: products, segments, regions, customers.
 *
 * A member has no label of its own in a filing: the taxonomy's labels are another file.  Its names here are the words of
 * its identifier ("aapl:GreaterChinaSegmentMember": "Greater China") and the labels of the table rows that hold its facts
 * and no other member's ("Greater China (1)", without the mark). */
#ifndef BID_MEMBER_H
#define BID_MEMBER_H

#include "facts/inline.h"

struct member {
  struct slice key;     /* "axis=member", or "axis=member; axis=member" for a product in a region */
  char *name;           /* words of the identifier */
  struct slice *labels; /* of rows, the first as the filing orders them */
  size_t label_count;
};

struct member_list {
  struct member *members; /* in the document's order */
  size_t count;
};

#define MEMBER_AXES 2 /* of a part that a phrase can name */

/* The part that a context's members make: its axis and member, or several of them, inside `members`.  Empty for the whole company,
 * for more than `most`, for an axis that has no parts and for amounts between segments.  "Before consolidation" is not a part. */
struct slice member_key(struct slice members, size_t most);

/* The member of amounts between segments, where a context's members say nothing else; or empty. */
struct slice member_elimination(struct slice members);

/* The words of a member's or axis' identifier, of the last one of a key.  To be freed. */
char *member_name(struct slice key);

/* The members of a document, which must outlive the list. */
void member_list_read(struct member_list *list, const struct inline_document *d);
void member_list_release(struct member_list *list);

/* Whether the document has a value of one of the concepts, "Revenues, SalesRevenueNet", for a member. */
int member_has_figure(const struct member *m, const struct inline_document *d, struct slice concepts);

/* Whether a key has several axes, its first, and those behind it. */
int member_is_crossed(struct slice key);
struct slice member_side(struct slice key, int second);

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

/* Adds words of the question; at most MEMBER_MATCH_WORDS are kept.  needed: they narrow the figure; light: but for nouns for members,
 * "segment".  Those that don't are added where they aren't there yet.  Returns how many narrow it. */
size_t member_phrase_read(struct member_phrase *p, struct slice words, int needed, int light);

/* The members that the phrase names, best first, at most MEMBER_MATCH_MOST; returns how many. */
size_t member_match_find(const struct member_list *list, const struct member_phrase *p,
                         struct member_match found[MEMBER_MATCH_MOST]);

/* Whether a noun says what the members of a key's axis are, "region"; an empty one says nothing against it. */
int member_match_axis(struct slice key, struct slice noun);

/* What readers call it, by the name that fits: "Services", "Streaming, Latin America".  To be freed. */
char *member_match_title(const struct member_match *m);

#endif
