/* mention_subjects.h: decides which of the companies that a question names it is about. */
#ifndef BID_MENTION_SUBJECTS_H
#define BID_MENTION_SUBJECTS_H

#include "query/mentions.h"

/* Sets subject, group and aside of each mention. */
void mention_subjects_weigh(const struct mention_text *m, struct mentions *list);

/* Whether mention i is a subject of the question. */
int mention_is_subject(const struct mentions *list, size_t i);

#endif
