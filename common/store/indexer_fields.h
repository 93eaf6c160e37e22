/* indexer_fields.h: the members of an embedded chunk that the indexer reads, as indexes of record.field. */
#ifndef BID_INDEXER_FIELDS_H
#define BID_INDEXER_FIELDS_H

#include "record/json.h"
#include "record/record.h"

enum indexer_field {
  F_ID,
  F_TEXT,
  F_CONTEXT,
  F_CHUNK,
  F_BOILERPLATE,
  F_EMBEDDING,
  F_MODEL,
  F_URL,
  F_METADATA,
  F_SOURCE,
  F_ENTITY,
  F_TYPE,
  F_STORE
};

/* The object that says where in its document the passage is, "{}" where it is missing. */
static inline struct slice indexer_fields_chunk(const struct record *rec) {
  return json_kind(rec->field[F_CHUNK]) == '{' ? rec->field[F_CHUNK] : slice_str("{}");
}

#endif
