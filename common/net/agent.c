/* agent.c: the User-Agent line, from the environment, the user's file or the shipped one. */
#include "net/agent.h"

#include "base/paths.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define AGENT_SHIPPED "# This is the contact that BID ships." /* second line of the installed bid.conf */

/* Finds the e-mail address in a contact line; its start, or NULL. */
static const char *agent_address(const char *text, size_t *len) {
  const char *at = strchr(text, '@'), *from = at, *to = at;
  while (at && from > text && !isspace((unsigned char)from[-1]) && !strchr("<(,;", from[-1]))
    from--;
  while (at && *to && !isspace((unsigned char)*to) && !strchr(">),;", *to))
    to++;
  *len = at ? (size_t)(to - from) : 0;
  return at ? from : NULL;
}

static void agent_browser_form(struct buf *out, const char *line) {
  size_t len;
  const char *address = agent_address(line, &len);
  size_t name = address ? (size_t)(address - line) : strlen(line);
  while (name > 0 && strchr(" <(", line[name - 1]))
    name--;
  buf_add_str(out, "Mozilla/5.0 (compatible; ");
  buf_add(out, line, name);
  if (address)
    buf_printf(out, "; +mailto:%.*s", (int)len, address);
  buf_add_char(out, ')');
}

int agent_has_address(const char *line) {
  size_t len;
  const char *address = agent_address(line, &len), *at = address ? memchr(address, '@', len) : NULL;
  return at && at > address && memchr(at, '.', (size_t)(address + len - at)) != NULL;
}

/* Reads the user's file, or the installed one.  0, or -1 where neither has a line. */
static int agent_read(struct buf *text) {
  struct buf path;
  buf_init(&path, 4096);
  int found = paths_config(&path, "bid.conf") == 0 && buf_read_file(text, path.data) == 0 && text->len;
  buf_clear(&path);
  if (!found) {
    buf_clear(text);
    found = paths_data(&path, "bid.conf") == 0 && buf_read_file(text, path.data) == 0 && text->len;
  }
  buf_release(&path);
  return found ? 0 : -1;
}

int agent_is_shipped(void) {
  const char *line = getenv("BID_USER_AGENT");
  struct buf text;
  buf_init(&text, 4096);
  int shipped = !(line && *line) && agent_read(&text) == 0 && strstr(text.data, "\n" AGENT_SHIPPED) != NULL;
  buf_release(&text);
  return shipped;
}

int agent_keep(const char *line, struct error_text *why) {
  struct buf path;
  buf_init(&path, 4096);
  int result = paths_config(&path, "") == 0 ? paths_make(path.data) : -1;
  buf_clear(&path);
  int fd = result == 0 && paths_config(&path, "bid.conf") == 0
               ? open(path.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)
               : -1;
  result = fd >= 0 && dprintf(fd, "%s\n", line) > 0 ? 0 : -1;
  if (fd >= 0 && close(fd) != 0)
    result = -1;
  if (result != 0)
    error_set(why, "%s: %s", path.len ? path.data : "bid.conf", strerror(errno));
  buf_release(&path);
  return result;
}

int agent_line(struct buf *out, int browser) {
  const char *line = getenv("BID_USER_AGENT");
  struct buf text;
  buf_init(&text, 4096);
  if (!line || !*line) {
    line = "";
    if (agent_read(&text) == 0) {
      text.data[strcspn(text.data, "\r\n")] = '\0';
      line = text.data;
    }
  }
  int found = *line != '\0' && strcspn(line, "\r\n") == strlen(line);
  if (found && browser && strncmp(line, "Mozilla/", 8) != 0)
    agent_browser_form(out, line);
  else if (found)
    buf_add_str(out, line);
  buf_release(&text);
  return found ? 0 : -1;
}
