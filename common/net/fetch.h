/* fetch.h: one URL, with all manners: only https to declared hosts, the politeness ledger, the cache with
 * revalidation, redirects followed by hand, retries, block pages, and a key that is put in at the last moment
 * and taken out of whatever comes back.
 */
#ifndef BID_FETCH_H
#define BID_FETCH_H

#include "net/cache.h"
#include "base/clock.h"
#include "net/http.h"
#include "net/ledger.h"

#include <stdint.h>

#define FETCH_URL_MAX 8192
#define FETCH_BODY_MAX ((uint64_t)64 << 20) /* default ceiling of a body in memory */
#define FETCH_FILE_MAX ((uint64_t)8 << 30)  /* default ceiling of a body on disk */
#define FETCH_RETRIES 3                     /* tries after the first */
#define FETCH_RETRY_MOST 60.0               /* seconds; a longer Retry-After is reported, not waited for */
#define FETCH_BLOCK_SECONDS 600.0           /* the SEC's own figure on its page */

struct fetch_options {
  int offline;          /* the cache alone */
  int refresh;          /* ask even where the cache is fresh, and whole */
  double timeout;       /* seconds for a transfer, 0: http.h's defaults */
  uint64_t cache_bytes; /* limit of the cache, 0: 4 GiB */
  void (*notice)(
      const char *text); /* tells a person how to set the user agent, at most once for a state folder; or
                                       NULL: nobody is there */
};

struct fetcher;

/* A fetcher of this process.  NULL with why where there is no place for the ledger or the cache. */
struct fetcher *fetcher_new(const struct fetch_options *o, struct error_text *why);
void fetcher_free(struct fetcher *f);

/* Its cache. */
struct cache *fetcher_cache(struct fetcher *f);

/* Folder of the ledger (BID_STATE/ledger). */
int fetch_ledger_folder(struct buf *out);

struct fetch_key {
  const char *value; /* the secret, or NULL for none */
  const char *query; /* name of a query parameter, or NULL */
  const char *header, *prefix;
};

struct fetch_request {
  const char *url;
  const char *accept;         /* or NULL */
  const char *const *headers; /* "Name: value", NULL at the end; or NULL */
  int browser;                /* the Mozilla/5.0 form of the user agent */
  struct fetch_key key;
  const char *const *hosts; /* declared, NULL at the end */
  struct ledger_rule rule;  /* tightened here for *.sec.gov */
  const char *user;         /* connector, for the accounts */
  int immutable;
  double max_age;
  uint64_t max_body;
  int truncate;
  int to_file; /* the body stays on disk: result->fd instead of ->body */
};

struct fetch_result {
  const char *category; /* NULL where a body with status 200 is there; else error.h's */
  struct error_text message;
  double retry_after; /* seconds, or negative */
  int configuration;  /* exit status 78 is due */
  long status;        /* 0 where no answer came; SEC's missing objects are 404 */
  struct buf body;    /* also of other statuses, at most 64 KiB then */
  int fd;             /* with to_file: open for reading at 0; else -1 */
  uint64_t bytes;
  int truncated, cached;
  char content_type[256];
  char captured[CLOCK_TEXT];
  char sha256[DIGEST_HEX];
};

void fetch_result_init(struct fetch_result *r);
void fetch_result_release(struct fetch_result *r);

/* Fetches into r (initialised; what it held is dropped).  0 where r->category is NULL, else -1. */
int fetch_url(struct fetcher *f, const struct fetch_request *q, struct fetch_result *r);

/* Host of an https URL, lower-case: 0, or -1 where the URL is not one that may be asked (other scheme, user
 * information, a port but 443, blanks or control bytes). */
int fetch_host(const char *url, char *host, size_t room);
int fetch_host_declared(const char *host, const char *const *hosts);

/* Replaces every occurrence of the secret in b by "REDACTED". */
void fetch_redact(struct buf *b, const char *secret);

#endif
