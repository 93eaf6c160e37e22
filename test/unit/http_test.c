#include "net/fetch.h"
#include "net/fetch_secret.h"
#include "net/http.h"
#include "test.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(retries) {
  struct http_response r;
  http_response_init(&r);
  const long yes[] = {408, 429, 500, 502, 503, 504}, no[] = {200, 301, 400, 403, 404, 501, 505};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    r.status = yes[i];
    CHECK(http_worth_retry(&r));
  }
  for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
    r.status = no[i];
    CHECK(!http_worth_retry(&r));
  }
  r.error = HTTP_TIMED_OUT;
  CHECK(http_worth_retry(&r));
  r.error = HTTP_BAD_TLS;
  CHECK(!http_worth_retry(&r));
  r.error = HTTP_TOO_LARGE;
  CHECK(!http_worth_retry(&r));
}

TEST(backoff_grows_within_bounds_and_honours_retry_after) {
  struct http_response r;
  http_response_init(&r);
  double ceiling = 0.5;
  for (unsigned attempt = 1; attempt < 12; attempt++, ceiling = ceiling * 2 < 60 ? ceiling * 2 : 60) {
    double wait = http_backoff(&r, attempt, 60);
    CHECK(wait >= ceiling / 2 && wait <= ceiling);
  }
  CHECK(http_backoff(&r, 3, 60) != http_backoff(&r, 3, 60)); /* jitter */
  r.retry_after = 7;
  CHECK(http_backoff(&r, 1, 60) == 7);
  r.retry_after = 7000;
  CHECK(http_backoff(&r, 1, 60) == 60);
}

TEST(waits_are_divided_only_where_all_requests_stay_on_this_machine) {
  struct http_response r;
  http_response_init(&r);
  setenv("BID_HASTE", "100", 1);
  CHECK(http_haste() == 1);
  setenv("BID_CONNECT_TO", "198.51.100.1:443", 1);
  CHECK(http_haste() == 1 && http_backoff(&r, 1, 60) >= 0.25);
  setenv("BID_CONNECT_TO", "127.0.0.1:443", 1);
  CHECK(http_haste() == 100 && http_backoff(&r, 1, 60) <= 0.005);
  r.retry_after = 7;
  CHECK(http_backoff(&r, 1, 60) == 7);
  static const char *const bad[] = {"", "0", "-5", "nan", "1001", "x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    setenv("BID_HASTE", bad[i], 1);
    CHECK(http_haste() == 1);
  }
  unsetenv("BID_HASTE");
  unsetenv("BID_CONNECT_TO");
}

TEST(hosts_of_urls) {
  char host[64];
  CHECK(fetch_host("https://Data.SEC.gov/x", host, sizeof host) == 0);
  CHECK_STR(host, "data.sec.gov");
  CHECK(fetch_host("https://a.b?x=1", host, sizeof host) == 0);
  CHECK(fetch_host("https://a.b:443/", host, sizeof host) == 0);
  static const char *const bad[] = {"http://a.b/",     "https://",        "https:///x",
                                    "https://u@a.b/",  "https://a.b:80/", "https://a.b:4430",
                                    "https://a.b\\@c", "https://a b/",    "https://a.b/\r\nx",
                                    "https://[::1]/",  "file:///x",       "https://a.b:443x/"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(fetch_host(bad[i], host, sizeof host) != 0);
  char small[4];
  CHECK(fetch_host("https://long.example/", small, sizeof small) != 0);
}

TEST(declared_hosts) {
  static const char *const hosts[] = {"a.example", "*.b.example", NULL};
  CHECK(fetch_host_declared("a.example", hosts));
  CHECK(fetch_host_declared("x.b.example", hosts));
  CHECK(!fetch_host_declared("b.example", hosts));
  CHECK(!fetch_host_declared("xb.example", hosts));
  CHECK(!fetch_host_declared("x.a.example", hosts));
  CHECK(!fetch_host_declared("a.example.evil", hosts));
}

TEST(redaction) {
  struct buf b;
  buf_init(&b, 1000);
  buf_add_str(&b, "k=secret1,secret1secret1");
  fetch_redact(&b, "secret1");
  CHECK_STR(b.data, "k=REDACTED,REDACTEDREDACTED");
  fetch_redact(&b, NULL);
  fetch_redact(&b, "k"); /* too short to be a key */
  CHECK_STR(b.data, "k=REDACTED,REDACTEDREDACTED");
  buf_release(&b);
}

TEST(redaction_of_what_a_server_makes_of_a_key) {
  static const char *const forms[] = {
      "a+b/c=d&",         "A+B/C=D&",     "a%2Bb%2Fc%3Dd%26",       "a%2bb%2fc%3dd%26",
      "a+b\\/c=d\\u0026", "a+b/c=d&amp;", "a+b&#x2F;c&#x3d;d&amp;", "%61%2B%62%2F%63%3D%64%26"};
  struct buf b;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    buf_init(&b, 1000);
    buf_printf(&b, "a+b <%s>, a", forms[i]);
    fetch_redact_cut(&b, "a+b/c=d&");
    CHECK_STR(b.data, "a+b <REDACTED>, a");
    CHECK(fetch_secret_is_in(forms[i], "a+b/c=d&"));
    buf_release(&b);
  }
  CHECK(!fetch_secret_is_in("a+b/c=e&", "a+b/c=d&"));
  CHECK(!fetch_secret_is_in("k", "k"));
  CHECK(!fetch_secret_is_in("k", NULL));
  CHECK(fetch_secret_is_in("x%25y", "%25")); /* as it is, not as an address escapes it */
}

TEST(redaction_of_the_beginning_of_a_key_where_a_body_was_truncated) {
  static const char *const cut[] = {"k=abc/def/gh", "k=abc/", "k=abc", "k=abc%2Fdef%", "k=ABC\\"};
  struct buf b;
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
    buf_init(&b, 1000);
    buf_add_str(&b, cut[i]);
    fetch_redact(&b, "abc/def/ghi");
    CHECK_STR(b.data, cut[i]);
    fetch_redact_cut(&b, "abc/def/ghi");
    CHECK_STR(b.data, "k=REDACTED");
    buf_release(&b);
  }
}

TEST(redaction_behind_a_backslash_leaves_json) {
  static const char *const key[] = {"nabcdef", "nabcdef", "/bcdef", "u0041bc"};
  static const char *const json[] = {"[\"x\\nabcdef\"]", "[\"x\\\\nabcdef\"]", "[\"\\\\/bcdef\"]",
                                     "[\"\\u0041bc\"]"};
  static const char *const left[] = {"[\"x\\\\REDACTED\"]", "[\"x\\\\REDACTED\"]", "[\"\\\\REDACTED\"]",
                                     "[\"\\\\REDACTED\"]"};
  struct buf b;
  for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
    buf_init(&b, 1000);
    buf_add_str(&b, json[i]);
    fetch_redact(&b, key[i]);
    CHECK_STR(b.data, left[i]);
    buf_release(&b);
  }
}

TEST(redaction_loses_nothing_at_the_ceiling) {
  struct buf b;
  buf_init(&b, 12);
  buf_add_str(&b, "abc,abc, end");
  fetch_redact(&b, "abc");
  CHECK_STR(b.data, "REDACTED,REDACTED, end");
  buf_release(&b);
}

TEST(agents) {
  struct buf b;
  buf_init(&b, 1000);
  setenv("BID_USER_AGENT", "Jane Doe <jane@example.org>", 1);
  CHECK(fetch_agent_line(&b, 0) == 0);
  CHECK_STR(b.data, "Jane Doe <jane@example.org>");
  buf_clear(&b);
  CHECK(fetch_agent_line(&b, 1) == 0);
  CHECK_STR(b.data, "Mozilla/5.0 (compatible; Jane Doe; +mailto:jane@example.org)");
  buf_clear(&b);
  setenv("BID_USER_AGENT", "evil\r\nHeader: x", 1);
  CHECK(fetch_agent_line(&b, 0) != 0);
  buf_release(&b);
}

TEST(unreachable_is_an_error_not_a_crash) {
  setenv("BID_CONNECT_TO", "127.0.0.1:1", 1);
  struct http *h = http_new();
  struct http_response r[2];
  struct http_request q[2] = {{.url = "https://a.example/"}, {.url = "gopher://a.example/"}};
  http_response_init(&r[0]);
  http_response_init(&r[1]);
  http_perform_all(h, q, r, 2, 4);
  CHECK_INT(r[0].error, HTTP_NO_CONNECT);
  CHECK(r[0].why.text[0] != '\0');
  CHECK_INT(r[1].error, HTTP_BAD_URL);
  http_response_release(&r[0]);
  http_response_release(&r[1]);
  http_free(h);
}

/* Every writing of an address that is no public one, IPv4 inside of IPv6 too; nothing is sent. */
TEST(private_addresses_are_not_asked) {
  static const char *const urls[] = {"https://[::1]/",
                                     "https://[fd00::1]/",
                                     "https://[fe80::1]/",
                                     "https://[::ffff:10.0.0.1]/",
                                     "https://[64:ff9b::7f00:1]/",
                                     "https://[64:ff9b:1::808:808]/",
                                     "https://[2002:7f00:1::1]/",
                                     "https://[::ffff:0:10.0.0.1]/",
                                     "https://[::]/",
                                     "https://0.0.0.0/",
                                     "https://2130706433/",
                                     "https://0x7f.1/",
                                     "https://100.64.0.1/",
                                     "https://172.16.0.1/",
                                     "https://198.18.0.1/"};
  unsetenv("BID_CONNECT_TO");
  struct http *h = http_new();
  struct http_response r;
  http_response_init(&r);
  for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
    struct http_request q = {.url = urls[i], .timeout = 2};
    CHECK(http_perform(h, &q, &r) != HTTP_FINE);
    CHECK(strstr(r.why.text, "private network") != NULL);
  }
  http_response_release(&r);
  http_free(h);
}

/* What no_proxy excludes is asked directly, and then held to public addresses; all else goes to the proxy. */
TEST(around_a_proxy_lie_public_addresses_alone) {
  static const struct {
    const char *no_proxy, *url;
    int by_proxy;
  } ways[] = {{"", "https://data.sec.gov/x", 1},
              {"*", "https://data.sec.gov/x", 0},
              {"localhost,127.0.0.1", "https://127.0.0.1/x", 0},
              {"localhost, .corp.example", "https://wiki.Corp.Example:443/x", 0},
              {"corp.example", "https://corp.example./", 0},
              {"corp.example", "https://notcorp.example/", 1},
              {"10.0.0.0/8,,", "https://10.0.0.1/", 1},
              {"[::1]", "https://[::1]/", 0}};
  struct http_response r;
  http_response_init(&r);
  setenv("https_proxy", "http://127.0.0.1:1", 1);
  struct http *h = http_new();
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    struct http_request q = {.url = ways[i].url, .timeout = 2};
    setenv("no_proxy", ways[i].no_proxy, 1);
    CHECK_INT(http_goes_by_proxy(ways[i].url), ways[i].by_proxy);
    if (strncmp(ways[i].url, "https://1", 9) != 0 && strncmp(ways[i].url, "https://[", 9) != 0)
      continue; /* a name, which would be looked up */
    CHECK(http_perform(h, &q, &r) != HTTP_FINE);
    CHECK_INT(strstr(r.why.text, "private network") == NULL, ways[i].by_proxy);
  }
  unsetenv("https_proxy");
  unsetenv("no_proxy");
  CHECK(!http_goes_by_proxy("https://data.sec.gov/x"));
  http_response_release(&r);
  http_free(h);
}

static int take_all(void *arg, const char *data, size_t len) {
  (void)data;
  *(size_t *)arg += len;
  return 0;
}

/* Sends `piece` bytes every half second, for ten seconds, to one client. */
static pid_t serve_slowly(unsigned piece, unsigned *port) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t len = sizeof at;
  static char bytes[4096];
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (const void *)&at, sizeof at) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, (void *)&at, &len) != 0)
    return -1;
  *port = ntohs(at.sin_port);
  pid_t pid = fork();
  if (pid == 0) {
    char head[100];
    int fd = accept(listener, NULL, NULL);
    int n = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %u\r\n\r\n", 20 * piece);
    send(fd, head, (size_t)n, MSG_NOSIGNAL);
    for (int i = 0; i < 20; i++, usleep(500000))
      send(fd, bytes, piece, MSG_NOSIGNAL);
    _exit(0);
  }
  close(listener);
  return pid;
}

TEST(a_file_that_trickles_is_given_up) {
  static const struct {
    unsigned piece;
    enum http_error ends;
  } servers[] = {{2, HTTP_TIMED_OUT}, {2000, HTTP_FINE}};
  struct http *h = http_new();
  struct http_response r;
  http_response_init(&r);
  for (size_t i = 0; i < sizeof servers / sizeof *servers; i++) {
    unsigned port = 0;
    size_t taken = 0;
    char url[64];
    pid_t server = serve_slowly(servers[i].piece, &port);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/", port);
    struct http_request q = {.url = url,
                             .allow_plain = 1,
                             .allow_private = 1,
                             .stall_timeout = 2,
                             .timeout = 60,
                             .sink = take_all,
                             .sink_arg = &taken};
    CHECK_INT(http_perform(h, &q, &r), servers[i].ends);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
  }
  http_response_release(&r);
  http_free(h);
}

int main(void) {
  RUN(retries);
  RUN(backoff_grows_within_bounds_and_honours_retry_after);
  RUN(waits_are_divided_only_where_all_requests_stay_on_this_machine);
  RUN(hosts_of_urls);
  RUN(declared_hosts);
  RUN(redaction);
  RUN(redaction_of_what_a_server_makes_of_a_key);
  RUN(redaction_of_the_beginning_of_a_key_where_a_body_was_truncated);
  RUN(redaction_behind_a_backslash_leaves_json);
  RUN(redaction_loses_nothing_at_the_ceiling);
  RUN(agents);
  RUN(unreachable_is_an_error_not_a_crash);
  RUN(private_addresses_are_not_asked);
  RUN(around_a_proxy_lie_public_addresses_alone);
  RUN(a_file_that_trickles_is_given_up);
  return test_done();
}
