/* fetch.h: fetching one URL under all rules: https only and declared hosts only, rate limits (ledger.h), the cache
 * with revalidation, redirects followed here, retries, recognition of block pages, and an API key that is added last
 * and redacted from every answer. */
#ifndef BID_FETCH_H
#define BID_FETCH_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/error_text.h"
#include "net/cache.h"
#include "net/http.h"
#include "net/ledger.h"

#include <stddef.h>
#include <stdint.h>

#define FETCH_URL_MAX 8192
#define FETCH_BODY_MAX ((uint64_t)64 << 20) /* default ceiling of a body in memory */
#define FETCH_FILE_MAX ((uint64_t)8 << 30)  /* default ceiling of a body on disk */
#define FETCH_RETRIES 3                     /* retries after the first attempt */
#define FETCH_RETRY_MOST 60.0     /* seconds; a longer Retry-After is reported instead of waited for */
#define FETCH_BLOCK_SECONDS 600.0 /* block time that the SEC states on its page */

struct fetch_options {
  int offline;                      /* answer from the cache only */
  int refresh;                      /* revalidate even where the cached answer is fresh */
  double timeout;                   /* seconds per transfer; 0: the defaults of http.h */
  uint64_t cache_bytes;             /* limit of the cache; 0: 4 GiB */
  void (*notice)(const char *text); /* explains how to set the user agent; or NULL */
};

struct fetcher;

/* A fetcher for this process.  NULL with why where the folder of the ledger or the cache can't be determined or made. */
struct fetcher *fetch_new(const struct fetch_options *o, struct error_text *why);
void fetch_free(struct fetcher *f);

/* Its cache, owned by it, and one of what follows from cached answers alone: FOLDER/computed. */
struct cache *fetch_cache(struct fetcher *f);
struct cache *fetch_computed(struct fetcher *f);

/* Appends the path of the ledger's folder (BID_STATE/ledger).  0, or -1 where neither BID_STATE nor HOME is set. */
int fetch_ledger_folder(struct buf *out);

struct fetch_key {
  const char *value; /* the API key, or NULL */
  const char *query; /* query parameter that carries it, or NULL */
  const char *header, *prefix;
};

struct fetch_request {
  const char *url;
  const char *accept;         /* or NULL */
  const char *const *headers; /* "Name: value", ended by NULL; or NULL */
  int browser;                /* the Mozilla/5.0 form of the user agent */
  struct fetch_key key;
  const char *const *hosts; /* hosts that may be asked, ended by NULL */
  struct ledger_rule rule;  /* overridden by a stricter rule for *.sec.gov */
  const char *user;         /* name of the connector, for the ledger's accounts */
  int immutable;            /* a cached answer is never revalidated */
  double max_age;           /* seconds for which a cached answer is not revalidated */
  uint64_t max_body; /* limit of the body in bytes; 0: FETCH_BODY_MAX, or FETCH_FILE_MAX with to_file */
  int truncate;      /* truncate at max_body instead of failing */
  int to_file;       /* keep the body on disk: result->fd instead of ->body */
};

struct fetch_result {
  const char *category; /* NULL: success, with a body; else a category of error.h */
  struct error_text message;
  double retry_after; /* seconds, or negative */
  int exit_status;    /* where it isn't that of the category: 78 for a setting, 74 for the disk; else 0 */
  long status;        /* HTTP status, 0 without an answer; for objects that the SEC reports missing, 404 */
  struct buf body;    /* also of other statuses, then at most 64 KiB */
  int fd;             /* with to_file: open for reading from the start; else -1 */
  uint64_t bytes;
  int truncated, cached;
  char content_type[256];
  char captured[CLOCK_TEXT];
  char sha256[DIGEST_HEX];
};

void fetch_result_init(struct fetch_result *r);
void fetch_result_release(struct fetch_result *r);

/* Fetches into r, which is initialised; earlier contents are released.  0 where r->category is NULL, else -1. */
int fetch_url(struct fetcher *f, const struct fetch_request *q, struct fetch_result *r);

/* ---- hosts ---- */

/* The host of an https URL in lower case.  0, or -1 where the URL may not be fetched (another scheme, user
 * information, a port other than 443, blanks or control bytes). */
int fetch_host(const char *url, char *host, size_t room);

/* Whether a host is in the list (ended by NULL); "*.example.org" stands for all hosts below example.org. */
int fetch_host_declared(const char *host, const char *const *hosts);

/* ---- the User-Agent line, which tells sources who is asking and how to reach them ---- */

/* Appends the line: BID_USER_AGENT, or the first line of the user's bid.conf or of the installed one; with `browser` in the form that browsers use.  0,
 * or -1 where there is none or it is not a valid header value. */
int fetch_agent_line(struct buf *out, int browser);

/* Whether a line contains an e-mail address, which the SEC asks for. */
int fetch_agent_has_address(const char *line);

/* Whether requests are sent with the line that BID ships, since no other one was set. */
int fetch_agent_is_shipped(void);

/* Keeps a line as the user's own, in ~/.config/bid/bid.conf.  0, or -1 with why. */
int fetch_agent_keep(const char *line, struct error_text *why);

#endif
