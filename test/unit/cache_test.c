#include "net/cache.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/bid-cache-XXXXXX";
static struct cache cache;

static int put(const char *request, const char *body, size_t len, struct cache_entry *e) {
  struct cache_writer w;
  struct error_text why;
  char key[DIGEST_HEX];
  cache_key(slice_str(request), key);
  if (cache_write_start(&cache, &w, &why) != 0 || cache_write(&w, body, len) != 0)
    return -1;
  return cache_write_commit(&cache, &w, key, request, e, &why);
}

static int get(const char *request, struct cache_entry *e, struct buf *out) {
  char key[DIGEST_HEX];
  cache_key(slice_str(request), key);
  return cache_find(&cache, key, e) && cache_read(&cache, e, out) == 0;
}

TEST(what_is_put_is_found) {
  struct cache_entry e = {.content_type = "text/html", .etag = "\"a\\b\"", .fetched = 1.5, .checked = 2.25},
                     f;
  struct buf out;
  buf_init(&out, 100);
  CHECK(put("u1", "hello\0x", 7, &e) == 0);
  CHECK(get("u1", &f, &out));
  CHECK_INT(out.len, 7);
  CHECK(memcmp(out.data, "hello\0x", 7) == 0);
  CHECK_STR(f.content_type, "text/html");
  CHECK_STR(f.etag, "\"a\\b\"");
  CHECK(f.fetched == 1.5 && f.checked == 2.25);
  CHECK(!get("u2", &f, &out));
  buf_release(&out);
}

TEST(equal_bodies_are_kept_once) {
  struct cache_entry a = {.fetched = 1}, b = {.fetched = 2};
  CHECK(put("same1", "body", 4, &a) == 0 && put("same2", "body", 4, &b) == 0);
  CHECK_STR(a.sha256, b.sha256);
}

TEST(a_damaged_body_is_absent) {
  struct cache_entry e = {.fetched = 1}, f;
  struct buf path, out;
  buf_init(&path, 4096);
  buf_init(&out, 100);
  CHECK(put("damaged", "good", 4, &e) == 0);
  cache_body_path(&cache, &e, &path);
  int fd = open(path.data, O_WRONLY);
  int whole = cache_body_fd(&cache, &e);
  CHECK(whole >= 0 && lseek(whole, 0, SEEK_CUR) == 0);
  close(whole);
  CHECK(write(fd, "evil", 4) == 4);
  CHECK(!get("damaged", &f, &out));
  CHECK(cache_body_fd(&cache, &e) < 0);
  CHECK(ftruncate(fd, 2) == 0);
  close(fd);
  CHECK(!get("damaged", &f, &out));
  unlink(path.data);
  CHECK(!get("damaged", &f, &out));
  buf_release(&path);
  buf_release(&out);
}

TEST(a_damaged_answer_is_none) {
  static const char *const members[] = {"\"fetched\":1e300", "\"fetched\":-1", "\"fetched\":253402300800"};
  struct cache_entry e = {.fetched = 1}, f;
  char key[DIGEST_HEX];
  cache_key(slice_str("answer"), key);
  CHECK(put("answer", "good", 4, &e) == 0);
  CHECK(cache_find(&cache, key, &f));
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    char path[256], text[512];
    snprintf(path, sizeof path, "%s/answers/%.2s/%s", folder, key, key);
    int n = snprintf(text, sizeof text, "{%s,\"sha256\":\"%s\",\"size\":4}", members[i], e.sha256);
    int fd = open(path, O_WRONLY | O_TRUNC);
    CHECK(write(fd, text, (size_t)n) == n);
    CHECK(!cache_find(&cache, key, &f));
    n = snprintf(text, sizeof text, "{\"fetched\":1,\"sha256\":\"%s\",\"size\":4}", e.sha256);
    CHECK(pwrite(fd, text, (size_t)n, 0) == n && ftruncate(fd, n) == 0);
    CHECK(cache_find(&cache, key, &f));
    close(fd);
  }
}

TEST(an_answer_names_a_body_and_no_other_file) {
  struct cache_entry e = {.fetched = 1}, f;
  char key[DIGEST_HEX], path[256], text[512], name[DIGEST_HEX];
  cache_key(slice_str("elsewhere"), key);
  CHECK(put("elsewhere", "good", 4, &e) == 0);
  memset(name, '/', sizeof name); /* of the length of a digest: FOLDER/objects/.//./////other */
  name[0] = '.';
  memcpy(name + sizeof name - 6, "other", 6);
  snprintf(text, sizeof text, "%s/objects/other", folder);
  int fd = open(text, O_WRONLY | O_CREAT, 0600);
  CHECK(write(fd, "evil", 4) == 4);
  close(fd);
  snprintf(path, sizeof path, "%s/answers/%.2s/%s", folder, key, key);
  int n = snprintf(text, sizeof text, "{\"fetched\":1,\"sha256\":\"%s\",\"size\":4}", name);
  fd = open(path, O_WRONLY | O_TRUNC);
  CHECK(write(fd, text, (size_t)n) == n);
  close(fd);
  CHECK(!cache_find(&cache, key, &f));
}

TEST(a_body_past_the_ceiling_is_not_read) {
  struct cache_entry e = {.fetched = 1}, f;
  struct buf out;
  buf_init(&out, 3);
  CHECK(put("large", "four", 4, &e) == 0);
  CHECK(!get("large", &f, &out));
  buf_release(&out);
}

/* Files below a kind's folder. */
static int files(const char *kind) {
  char command[128];
  int count = -1;
  snprintf(command, sizeof command, "find %s/%s -type f | wc -l", folder, kind);
  FILE *f = popen(command, "r");
  if (!f || fscanf(f, "%d", &count) != 1)
    count = -1;
  if (f)
    pclose(f);
  return count;
}

TEST(the_limit_takes_out_the_longest_unused) {
  struct cache_entry e = {.fetched = 1}, f;
  struct buf out, path;
  static char body[100000];
  char name[32];
  buf_init(&out, sizeof body);
  buf_init(&path, 4096);
  cache.max_bytes = 500000;
  for (int i = 0; i < 12; i++) {
    snprintf(name, sizeof name, "limit%d", i);
    memset(body, 'a' + i, sizeof body);
    CHECK(put(name, body, sizeof body, &e) == 0);
    struct timespec old[2] = {{1000 + i, 0}, {1000 + i, 0}};
    buf_clear(&path);
    cache_body_path(&cache, &e, &path);
    utimensat(AT_FDCWD, path.data, old, 0);
  }
  CHECK(files("objects") <= 9);
  CHECK(files("answers") <= files("objects") + 2); /* those of bodies that are gone went with them */
  CHECK(get("limit11", &f, &out));
  buf_clear(&out);
  CHECK(!get("limit0", &f, &out));
  cache.max_bytes = 1 << 30;
  buf_release(&out);
  buf_release(&path);
}

/* A writer that dies anywhere leaves nothing that a reader would take. */
TEST(killed_writers_leave_whole_answers_or_none) {
  struct cache_entry e = {.fetched = 1};
  struct buf out;
  static char body[1 << 20];
  buf_init(&out, sizeof body);
  for (int i = 0; i < 30; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      for (;;) {
        memset(body, 'A' + rand() % 26, sizeof body);
        put("killed", body, sizeof body, &e);
      }
    }
    usleep(1000 * (unsigned)(1 + i % 7));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    buf_clear(&out);
    struct cache_entry f;
    if (!get("killed", &f, &out))
      continue;
    CHECK_INT(out.len, sizeof body);
    CHECK(out.data[0] == out.data[sizeof body - 1]);
  }
  buf_release(&out);
}

TEST(what_killed_writers_left_goes_with_the_next_and_nothing_else) {
  struct cache other;
  struct cache_writer w;
  struct cache_entry e = {.fetched = 1}, f;
  struct error_text why;
  struct buf out;
  char key[DIGEST_HEX];
  buf_init(&out, 100);
  int left = files("parts"); /* of the test before */
  CHECK(left > 0);
  CHECK(cache_write_start(&cache, &w, &why) == 0);
  CHECK(cache_write(&w, "whole", 5) == 0);
  CHECK(cache_open(&other, folder, 1 << 30, &why) == 0);
  CHECK_INT(files("parts"), 1);
  cache_key(slice_str("going on"), key);
  CHECK(cache_write_commit(&cache, &w, key, "going on", &e, &why) == 0);
  CHECK(get("going on", &f, &out));
  CHECK_INT(files("parts"), 0);
  cache_close(&other);
  buf_release(&out);
}

static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0)
    printf("# %s stays\n", folder);
}

int main(void) {
  struct error_text why;
  if (!mkdtemp(folder) || cache_open(&cache, folder, 1 << 30, &why) != 0)
    return 1;
  RUN(what_is_put_is_found);
  RUN(equal_bodies_are_kept_once);
  RUN(a_damaged_body_is_absent);
  RUN(a_damaged_answer_is_none);
  RUN(an_answer_names_a_body_and_no_other_file);
  RUN(a_body_past_the_ceiling_is_not_read);
  RUN(the_limit_takes_out_the_longest_unused);
  RUN(killed_writers_leave_whole_answers_or_none);
  RUN(what_killed_writers_left_goes_with_the_next_and_nothing_else);
  cache_close(&cache);
  remove_folder();
  return test_done();
}
