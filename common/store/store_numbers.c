/* store_numbers.c: the numbers by which segments refer to strings and companies, given out within a transaction. */
#include "store/store_change.h"

#include <stdio.h>

int store_change_string_number(struct store_change *c, char kind, const char *text, uint32_t *number) {
  char key[512];
  MDB_val v;
  uint32_t limit = kind == 'm' ? UINT32_MAX : UINT16_MAX;
  *number = 0;
  if (!*text)
    return 0;
  int n = snprintf(key, 500, "%c%s", kind, text);
  size_t len = n < 500 ? (size_t)n : 499;
  int rc = store_change_get(c, T_STRINGS, key, len, &v);
  if (rc == 0 && v.mv_size == sizeof *number) {
    memcpy(number, v.mv_data, sizeof *number);
    return 0;
  }
  if (rc != MDB_NOTFOUND)
    return rc ? rc : MDB_CORRUPTED;
  char name[3] = {'#', kind, 0}; /* the counter of a kind: numbers start at 1 */
  uint32_t next = 1;
  struct slice m;
  if ((rc = store_meta(c->store, c->txn, name, &m)))
    return rc;
  if (m.len == sizeof next)
    memcpy(&next, m.data, sizeof next);
  if (next > limit)
    return 0;
  *number = next++;
  rc = store_change_put(c, T_STRINGS, key, len, number, sizeof *number);
  return rc ? rc : store_put_meta(c->store, c->txn, name, &next, sizeof next);
}

enum { COMPANY_PART = 431 };

/* parts: as in store_change_company_number(). */
static size_t company_key(char key[460], const char *const parts[3]) {
  int n = 0;
  if (*parts[2])
    n = snprintf(key, 460, "c%s", parts[2]);
  else if (*parts[1])
    n = snprintf(key, 460, "t%s", parts[1]);
  else if (*parts[0])
    n = snprintf(key, 460, "n%s", parts[0]);
  return n < 460 ? (size_t)n : 459;
}

int store_change_company_number(struct store_change *c, const char *const parts[3], uint32_t *number) {
  char key[460], value[sizeof *number + 3 * (COMPANY_PART + 1)];
  size_t len = company_key(key, parts);
  MDB_val v;
  *number = 0;
  if (len == 0)
    return 0;
  int rc = store_change_get(c, T_COMPANIES, key, len, &v), known = rc == 0;
  if (rc && rc != MDB_NOTFOUND)
    return rc;
  if (known && v.mv_size < sizeof *number)
    return MDB_CORRUPTED;
  if (known)
    memcpy(number, v.mv_data, sizeof *number);
  else
    *number = c->counters.next_company++;
  size_t at = sizeof *number;
  memcpy(value, number, at);
  for (int i = 0; i < 3; i++) { /* longer ones are only in forged stores that are merged */
    size_t n = strnlen(parts[i], COMPANY_PART);
    memcpy(value + at, parts[i], n);
    value[at + n] = '\0';
    at += n + 1;
  }
  if (known && at <= v.mv_size)
    return 0;
  return store_change_put(c, T_COMPANIES, key, len, value, at);
}
