#include "record/json_validate.h"

#include "record/json_scan.h"

int json_validate(const char *text, size_t len, size_t *at, const char **why) {
  struct json_scan s;
  if (!text)
    text = "";
  json_scan_init(&s);
  json_scan_start(&s, text + len);
  const char *p = json_scan_value(&s, text, 0);
  if (p) {
    p = json_scan_space(&s, p);
    if (p < s.end)
      p = json_scan_fail(&s, p, "text behind the value");
  }
  if (!p) {
    *at = (size_t)(s.where - text);
    *why = s.why;
  }
  json_scan_release(&s);
  return p ? 0 : -1;
}
