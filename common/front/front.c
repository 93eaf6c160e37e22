/* front.c: the command bid: its own commands, others that it becomes; filters for pipelines. */
#include "front/front.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/mask.h"
#include "base/near_name.h"
#include "base/paths.h"
#include "front/commands.h"
#include "page/html_page.h"
#include "page/terminal.h"
#include "record/json.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the progress row ---- */

#define FIRST_AFTER 0.5 /* seconds: shorter runs need no row */
#define EVERY 0.2

/* The latest reports of the programs. */
struct progress_row {
  const char *title;
  double started, drawn;
  int width, shown;
  unsigned long long fetched, fetched_bytes, embedded, expected;
  int total_told; /* by the pipeline itself */
  char doing[320];
};

static void row_take(struct progress_row *r, char *line) {
  char *save = NULL, *program = strtok_r(line, "\t", &save), *records = strtok_r(NULL, "\t", &save);
  char *bytes = strtok_r(NULL, "\t", &save), *total = strtok_r(NULL, "\t", &save),
       *doing = strtok_r(NULL, "\t", &save);
  if (!total)
    return;
  unsigned long long n = strtoull(records, NULL, 10), size = strtoull(bytes, NULL, 10);
  if (strcmp(program, "bid-fetch") == 0) {
    r->fetched = n;
    r->fetched_bytes = size;
    if (!r->total_told)
      r->expected = strtoull(total, NULL, 10);
  } else if (strcmp(program, "total") == 0) {
    r->expected = strtoull(total, NULL, 10);
    r->total_told = 1;
  } else if (strcmp(program, "bid-embed") == 0) {
    r->embedded = n;
  }
  if (doing)
    snprintf(r->doing, sizeof r->doing, "%s", doing);
}

/* Formats the progress: "2 of 3 documents", with bytes, rate and time left.  The expected total is ignored once it is
 * exceeded (an archive). */
static void row_fetched(const struct progress_row *r, double seconds, struct buf *b) {
  int known = r->expected > 0 && r->fetched <= r->expected;
  if (!r->fetched && !known)
    return;
  buf_printf(b, "%s %llu", r->doing[0] ? " \xc2\xb7" : "", r->fetched);
  if (known)
    buf_printf(b, " of %llu", r->expected);
  buf_printf(b, " document%s, %.1f MB, %.1f MB/s", (known ? r->expected : r->fetched) == 1 ? "" : "s",
             (double)r->fetched_bytes / 1e6, (double)r->fetched_bytes / 1e6 / seconds);
  if (known && r->fetched && r->fetched < r->expected)
    buf_printf(b, ", %.0f s left", seconds * (double)(r->expected - r->fetched) / (double)r->fetched);
}

/* Draws "bid-ingest: 10-K of 2025-10-31 · 2 of 3 documents, 4.2 MB, 1.1 MB/s, 2 s left · 120 passages", truncated to
 * the width. */
static void row_draw(struct progress_row *r, double now) {
  struct buf b, out;
  double seconds = now - r->started;
  buf_init(&b, 2048);
  buf_init(&out, 2048);
  buf_printf(&b, "%s:", r->title);
  if (r->doing[0])
    buf_printf(&b, " %s", r->doing);
  row_fetched(r, seconds, &b);
  if (r->embedded)
    buf_printf(&b, " \xc2\xb7 %llu passage%s", r->embedded, r->embedded == 1 ? "" : "s");
  if (!r->doing[0] && !r->fetched && !r->embedded && !r->expected)
    buf_printf(&b, " %.0f s", seconds);
  buf_add_str(&out, "\r\033[K");
  int column = 0;
  for (size_t i = 0; i < b.len;) {
    uint32_t c;
    size_t n = mask_decode(b.data + i, b.len - i, &c);
    column += mask_columns(c);
    if (column >= r->width)
      break;
    if (c == '?')
      buf_add_char(&out, '?');
    else
      buf_add(&out, b.data + i, n);
    i += n;
  }
  fwrite(out.data, 1, out.len, stderr);
  fflush(stderr);
  r->shown = 1;
  r->drawn = now;
  buf_release(&b);
  buf_release(&out);
}

static void row_lines(struct progress_row *r, struct buf *b) {
  size_t from = 0;
  for (char *end; b->len > from && (end = memchr(b->data + from, '\n', b->len - from)) != NULL;) {
    *end = '\0';
    row_take(r, b->data + from);
    from = (size_t)(end - b->data) + 1;
  }
  if (from > 0)
    memmove(b->data, b->data + from, b->len - from);
  b->len -= from;
}

/* Reads the lines that program.c of record/ writes from fd until its end and draws the row at most five times a second, starting
 * after half a second; clears it at the end.  title: the pipeline's name; width: columns of the terminal. */
static void progress_row_run(int fd, const char *title, int width) {
  struct progress_row r = {.title = title, .started = clock_monotonic(), .width = width};
  struct pollfd p = {.fd = fd, .events = POLLIN};
  struct buf b;
  char bytes[4096];
  buf_init(&b, 65536);
  for (;;) {
    int ready = poll(&p, 1, (int)(EVERY * 1000));
    if (ready > 0) {
      ssize_t n = read(fd, bytes, sizeof bytes);
      if (n == 0 || (n < 0 && errno != EINTR))
        break;
      if (n > 0 && buf_add(&b, bytes, (size_t)n) == 0)
        row_lines(&r, &b);
    }
    double now = clock_monotonic();
    if (now - r.started >= FIRST_AFTER && now - r.drawn >= EVERY)
      row_draw(&r, now);
  }
  if (r.shown)
    fputs("\r\033[K", stderr);
  buf_release(&b);
}

/* ---- the commands ---- */

int front_is_own(const char *word) {
  static const char *const own[] = {"help",     "doctor",   "near", "mask",     "records",
                                    "progress", "complete", "fold", "html-page"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(word, own[i]) == 0)
      return 1;
  return 0;
}

int front_list(struct program *p) {
  struct commands c;
  commands_load(&c);
  if (p->people || c.count == 0) {
    commands_list(&c, &p->out.buf);
    program_fold(p, 0, SCREEN_HANG_AUTO);
  } else {
    for (size_t i = 0; i < c.count; i++) {
      buf_add_char(&p->out.buf, '{');
      json_cstr(&p->out.buf, "command", c.rows[i].name);
      json_cstr(&p->out.buf, "summary", c.rows[i].summary);
      buf_add_str(&p->out.buf, "}\n");
    }
  }
  commands_release(&c);
  return 0;
}

/* Reports an unknown command, with the closest known one. */
static int front_unknown(const struct program_spec *spec, const char *word) {
  struct commands c;
  commands_load(&c);
  const char **names = xreallocarray(NULL, c.count + 1, sizeof *names);
  for (size_t i = 0; i < c.count; i++)
    names[i] = c.rows[i].name;
  names[c.count] = NULL;
  int status = program_usage_unknown(spec, "command", word, names);
  free(names);
  commands_release(&c);
  return status;
}

/* Whether there is a page: for commands, and for the topics of sections 5 and 7. */
static int front_has_page(const char *name) {
  static const char *const others[] = {"connectors", "model",   "records", "sources",  "store",
                                       "conf",       "quality", "recipes", "security", "scale"};
  struct commands c;
  int found = 0;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    found |= strcmp(name, others[i]) == 0;
  commands_load(&c);
  for (size_t i = 0; i < c.count; i++)
    found |= strcmp(name, c.rows[i].name) == 0;
  commands_release(&c);
  return found;
}

int front_help(struct program *p) {
  const char *name = p->operand_count > 1 ? p->operands[1] : NULL;
  if (name && strncmp(name, "bid-", 4) == 0)
    name += 4;
  if (!name && !p->people)
    return front_list(p);
  if (name && !front_has_page(name))
    return front_unknown(p->spec, name);
  struct buf path;
  buf_init(&path, PATH_MAX);
  int status = 0;
  output_flush(&p->out);
  if (commands_page(name) != 0)
    status = name ? front_unknown(p->spec, name) : front_list(p);
  buf_release(&path);
  return status;
}

int front_become(int argc, char **argv, const struct program_spec *spec) {
  const char *name = strncmp(argv[1], "bid-", 4) == 0 ? argv[1] + 4 : argv[1];
  struct buf path;
  int status = EX_UNAVAILABLE;
  (void)argc;
  diag_set_program(spec->name);
  buf_init(&path, PATH_MAX);
  int show = strcmp(name, "show") == 0; /* "bid show ID" is "bid store show ID" */
  if (commands_find(&path, show ? "store" : name) != 0) {
    status = front_unknown(spec, argv[1]);
  } else {
    commands_become(path.data, show ? argv : argv + 1);
    diag_errno("%s", path.data);
  }
  buf_release(&path);
  return status;
}

/* ---- bid doctor ---- */

static void front_finding(void *arg, const struct doctor_finding *d) {
  static const char *const states[] = {"ok", "note", "wrong"};
  static const char *const colours[] = {"32", "33", "1;31"};
  struct program *p = arg;
  struct buf *out = &p->out.buf;
  if (d->state == DOCTOR_WRONG)
    program_fail(p, EX_CONFIG);
  if (!p->people) {
    buf_add_char(out, '{');
    json_cstr(out, "check", d->check);
    json_cstr(out, "state", states[d->state]);
    json_cstr(out, "found", d->found);
    if (*d->remedy)
      json_cstr(out, "remedy", d->remedy);
    buf_add_str(out, "}\n");
  } else {
    if (p->colour)
      buf_printf(out, "\033[%sm%-5s\033[0m  %-10s  ", colours[d->state], states[d->state], d->check);
    else
      buf_printf(out, "%-5s  %-10s  ", states[d->state], d->check);
    buf_add_masked(out, slice_str(d->found));
    if (*d->remedy) {
      buf_printf(out, "\n%19s", "");
      buf_add_masked(out, slice_str(d->remedy));
    }
    buf_add_char(out, '\n');
  }
  output_flush(&p->out);
}

int front_doctor(struct program *p, int offline) {
  struct commands c;
  commands_load(&c);
  doctor_run(&c, offline, front_finding, p);
  commands_release(&c);
  return p->status;
}

/* ---- filters ---- */

int front_near(struct program *p) {
  struct buf all;
  struct near_name near;
  if (p->operand_count != 2)
    return program_usage(p->spec, "near takes one word");
  buf_init(&all, 1 << 24);
  near_name_init(&near, p->operands[1]);
  if (buf_read_fd(&all, 0) == 0 && all.len) {
    char *save = NULL;
    for (char *line = strtok_r(all.data, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
      near_name_try(&near, line);
  }
  if (near.best)
    output_printf(&p->out, "%s\n", near.best);
  buf_release(&all);
  return near.best ? 0 : EXIT_NOTHING;
}

int front_complete(struct program *p) {
  struct buf script, self;
  buf_init(&script, PATH_MAX);
  buf_init(&self, PATH_MAX);
  if (paths_data(&script, "pipelines/complete.sh") != 0 || paths_program(&self, "bid") != 0)
    return EX_UNAVAILABLE;
  const char **argv = xcalloc((size_t)p->operand_count + 3, sizeof *argv);
  argv[0] = "sh";
  argv[1] = script.data;
  argv[2] = self.data;
  for (int i = 1; i < p->operand_count; i++)
    argv[2 + i] = p->operands[i];
  execv("/bin/sh", (char **)(uintptr_t)argv);
  diag_errno("/bin/sh");
  return EX_UNAVAILABLE;
}

int front_progress(struct program *p) {
  progress_row_run(STDIN_FILENO, p->operand_count > 1 ? p->operands[1] : "bid", (int)page_terminal_width());
  return 0;
}

/* Line by line, so that no character is split; on a terminal, each is written at once, over a pipeline's progress row. */
static int front_copy(struct program *p, int masked) {
  char *line = NULL;
  size_t room = 0;
  ssize_t n;
  int shown = isatty(STDOUT_FILENO), over_row = p->progress_fd >= 0 && shown;
  while (!p->out.error && (n = getline(&line, &room, stdin)) > 0) {
    if (over_row && masked)
      buf_add_str(&p->out.buf, "\r\033[K");
    if (masked)
      buf_add_masked_lines(&p->out.buf, slice_of(line, (size_t)n));
    else
      buf_add(&p->out.buf, line, (size_t)n);
    if (shown)
      output_flush(&p->out);
    else
      output_flush_if_full(&p->out);
  }
  free(line);
  return 0;
}

int front_mask(struct program *p) {
  return front_copy(p, 1);
}

int front_records(struct program *p) {
  return front_copy(p, 0);
}

int front_fold(struct program *p) {
  struct buf text;
  buf_init(&text, 1 << 24);
  if (buf_read_fd(&text, STDIN_FILENO) != 0)
    diag_errno("stdin");
  screen_fold(&p->out.buf, buf_slice(&text), p->columns, SCREEN_HANG_AUTO);
  buf_release(&text);
  return 0;
}

int front_html_page(struct program *p) {
  struct buf text;
  if (p->operand_count != 2)
    return program_usage(p->spec, "html-page takes one title");
  buf_init(&text, 1 << 26);
  if (buf_read_fd(&text, STDIN_FILENO) != 0)
    diag_errno("stdin");
  const char *end = text.len ? memchr(text.data, '\n', text.len) : NULL;
  size_t lead = end ? (size_t)(end - text.data) + 1 : text.len;
  html_page_open(&p->out.buf, slice_str(p->operands[1]), slice_trimmed(slice_of(text.data, lead)));
  buf_add_masked_lines(&p->out.buf, slice_of(text.data + lead, text.len - lead));
  html_page_close(&p->out.buf);
  buf_release(&text);
  return 0;
}
