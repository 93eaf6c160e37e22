/* agent.c: the User-Agent line, from the environment, the user's file or the shipped one. */
#include "net/agent.h"

#include "base/paths.h"

#include <ctype.h>
#include <stdlib.h>

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

int agent_is_shipped(void) {
  const char *line = getenv("BID_USER_AGENT");
  return !line || !*line;
}

int agent_line(struct buf *out, int browser) {
  const char *line = getenv("BID_USER_AGENT");
  struct buf path, text;
  buf_init(&path, 4096);
  buf_init(&text, 4096);
  if (!line || !*line) {
    line = "";
    if (paths_data(&path, "bid.conf") == 0 && buf_read_file(&text, path.data) == 0 && text.len) {
      text.data[strcspn(text.data, "\r\n")] = '\0';
      line = text.data;
    }
  }
  int found = *line != '\0' && strcspn(line, "\r\n") == strlen(line);
  if (found && browser && strncmp(line, "Mozilla/", 8) != 0)
    agent_browser_form(out, line);
  else if (found)
    buf_add_str(out, line);
  buf_release(&path);
  buf_release(&text);
  return found ? 0 : -1;
}
