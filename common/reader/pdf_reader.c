/* pdf_reader.c: the text and properties of a PDF, from poppler's tools, which helpers run (base/helper.h): without any
 * other descriptor, in a sandbox, and under limits. */
#include "reader/pdf_reader.h"
#include "base/clock.h"
#include "base/helper.h"
#include "base/sandbox.h"
#include "document/doc_builder.h"
#include "format/xml.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const pdftotext[] = {"pdftotext", "-layout", "-enc", "UTF-8", "-", "-", NULL};
static char *const pdfboxes[] = {"pdftotext", "-bbox-layout", "-enc", "UTF-8", "-", "-", NULL};
static char *const pdfinfo[] = {"pdfinfo", "-isodates", "-enc", "UTF-8", "-", NULL};

#define LIMIT(what, value) setrlimit(what, &(struct rlimit){value, value})

/* Apart from entering the sandbox it makes only async-signal-safe calls; no other thread runs in this process. */
static void run_tool(char *const *command, int in, int out, int err) {
  static char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL};
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  helper_take(in, out, err);
  sandbox_enter(SANDBOX_TOOL, NULL, 0);
  LIMIT(RLIMIT_AS, PDF_MEMORY);
  LIMIT(RLIMIT_CPU, PDF_SECONDS);
  LIMIT(RLIMIT_FSIZE, 0);
  LIMIT(RLIMIT_CORE, 0);
  LIMIT(RLIMIT_NOFILE, 64);
  if (chdir("/") == 0)
    execvpe(command[0], command, environment);
  _exit(127);
}

static void pdf_tool_text(int in, int out, int err) {
  run_tool(pdftotext, in, out, err);
}

static void pdf_tool_boxes(int in, int out, int err) {
  run_tool(pdfboxes, in, out, err);
}

static void pdf_tool_info(int in, int out, int err) {
  run_tool(pdfinfo, in, out, err);
}

/* ---- their results ---- */

#define PDF_BOXES ((size_t)128 << 20) /* limit of the places of words in bytes */
#define PDF_INFO ((size_t)1 << 20)    /* limit of pdfinfo's output in bytes */

int pdf_reader_prepare(void) {
  static helper_run *const tools[] = {pdf_tool_text, pdf_tool_boxes, pdf_tool_info};
  return helper_start(tools, sizeof tools / sizeof *tools);
}

static int pdf_reader_has_text(const struct buf *b, size_t from) {
  for (size_t i = from; i < b->len; i++)
    if (!isspace((unsigned char)b->data[i]))
      return 1;
  return 0;
}

static const char *first_line(struct buf *errors) {
  if (!errors->len)
    return "no reason given";
  errors->data[strcspn(errors->data, "\n")] = '\0';
  return errors->data;
}

static enum pdf_reader_status pdf_reader_judge(const struct helper_task *t, int status, size_t from,
                                               struct error_text *e) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return error_set(e, "pdftotext (poppler-utils) is not installed"), PDF_NO_TOOL;
  if (t->errors->len && strcasestr(t->errors->data, "password"))
    return error_set(e, "the PDF is encrypted: a password is needed"), PDF_ENCRYPTED;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return error_set(e, "the PDF took more than %d seconds", PDF_SECONDS), PDF_LIMIT;
  if (!WIFEXITED(status))
    return error_set(e, "pdftotext was ended by signal %d", WTERMSIG(status)), PDF_BROKEN;
  if (WEXITSTATUS(status) == 3)
    return error_set(e, "the PDF is encrypted and forbids taking its text"), PDF_ENCRYPTED;
  if (WEXITSTATUS(status))
    return error_set(e, "the PDF is broken: %s", first_line(t->errors)), PDF_BROKEN;
  if (!pdf_reader_has_text(t->text, from))
    return error_set(e, "the PDF has no text: its pages are most likely scanned images"), PDF_EMPTY;
  return PDF_OK;
}

/* The value after "NAME:" in pdfinfo's output; empty where there is none. */
static struct slice pdf_reader_line(const struct buf *lines, const char *name) {
  size_t n = strlen(name);
  for (const char *at = lines->data; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
    if (strncmp(at, name, n) != 0 || at[n] != ':')
      continue;
    at += n + 1 + strspn(at + n + 1, " ");
    return slice_of(at, strcspn(at, "\n"));
  }
  return slice_of(NULL, 0);
}

void pdf_reader_facts_of(struct slice pdf, struct pdf_reader_facts *f) {
  struct buf lines, errors;
  struct helper_task t = {.run = pdf_tool_info,
                          .left = pdf,
                          .text = &lines,
                          .errors = &errors,
                          .deadline = clock_monotonic() + PDF_SECONDS};
  *f = (struct pdf_reader_facts){"", ""};
  buf_init(&lines, PDF_INFO);
  buf_init(&errors, PDF_ERRORS);
  if (helper_task_start(&t) == 0) {
    helper_task_finish(&t, helper_task_pump(&t));
    struct slice title = pdf_reader_line(&lines, "Title"), day = pdf_reader_line(&lines, "ModDate");
    if (day.len < 10)
      day = pdf_reader_line(&lines, "CreationDate");
    if (day.len >= 10)
      snprintf(f->day, sizeof f->day, "%.10s", day.data);
    if (title.len > 2 && title.len < sizeof f->title && !memmem(title.data, title.len, "Microsoft ", 10) &&
        !(title.len > 4 && title.data[title.len - 4] == '.'))
      snprintf(f->title, sizeof f->title, "%.*s", (int)title.len, title.data);
  }
  buf_release(&errors);
  buf_release(&lines);
}

/* ---- pages by their words' places ----
 *
 * pdftotext -layout keeps tables, but joins a raised digit to its number and mixes the lines of two columns.  Its
 * -bbox-layout says where each word stands.  By that, raised words get their mark in the laid-out text, and a page of two
 * columns of prose is written anew, one column after the other. */

#define WORDS_MAX 20000 /* of a page; one with more stays as it is */
#define BINS 256        /* of a page's width, in which its gutter is looked for */
#define COLUMN_LEAST 4  /* lines of a column */

/* Two digits on so little width that one stands above the other: a fraction. */
enum { STACKED = 1 << 8 };

struct word {
  struct slice text;
  double left, top, right, bottom;
  size_t line;    /* of the page */
  int joined;     /* no blank before it */
  unsigned marks; /* DOC_RAISED, STACKED */
};

struct page_words {
  struct word *list;
  size_t count, lines;
};

static double place(const struct xml *x, uint32_t node, const char *name) {
  struct slice value = xml_attribute(x, node, name);
  return value.len ? strtod(value.data, NULL) : 0;
}

/* Whether a word touches the one before it in its line, and whether it is raised: smaller, with a higher foot. */
static void compare_words(const struct word *before, struct word *w) {
  double height = before->bottom - before->top;
  w->joined = fabs(w->left - before->right) < height * 0.12;
  int smaller = w->bottom - w->top < height * 0.85;
  w->marks = w->joined && ((before->marks && fabs(w->bottom - before->bottom) < height * 0.1) ||
                           (!before->marks && smaller && w->bottom < before->bottom - height * 0.15))
                 ? DOC_RAISED
                 : 0;
}

static int is_stacked(const struct word *w) {
  const char *s = w->text.data;
  return w->text.len == 2 && isdigit((unsigned char)s[0]) && isdigit((unsigned char)s[1]) &&
         w->right - w->left < (w->bottom - w->top) * 0.4;
}

static void collect_words(const struct xml *x, uint32_t node, struct page_words *p) {
  for (uint32_t n = xml_child(x, node, NULL, 0); n && p->count < WORDS_MAX; n = xml_child(x, node, NULL, n)) {
    if (!slice_is(x->nodes[n].name, "word")) {
      collect_words(x, n, p);
      if (slice_is(x->nodes[n].name, "line"))
        p->lines++;
      continue;
    }
    struct word *w = &p->list[p->count];
    *w = (struct word){xml_text(x, n, ""),
                       place(x, n, "xMin"),
                       place(x, n, "yMin"),
                       place(x, n, "xMax"),
                       place(x, n, "yMax"),
                       p->lines,
                       0,
                       0};
    if (p->count && w[-1].line == w->line)
      compare_words(w - 1, w);
    w->marks = is_stacked(w) ? STACKED : w->marks;
    p->count += w->text.len > 0;
  }
}

/* Appends the words [from, to) of a line with their marks. */
static void write_words(struct buf *out, const struct page_words *p, size_t from, size_t to, int marked) {
  unsigned last = 0;
  for (size_t i = from; i < to; i++) {
    const struct word *w = &p->list[i];
    if (i > from && !w->joined) {
      doc_builder_run(out, &last, 0, slice_of("", 0));
      buf_add_char(out, ' ');
    }
    if (marked && w->marks & STACKED)
      buf_printf(out, "%s%c/%c", i > from && w->joined ? " " : "", w->text.data[0], w->text.data[1]);
    else
      doc_builder_run(out, &last, marked ? w->marks : 0, w->text);
  }
}

/* ---- raised words in laid-out text ---- */

/* The end of the words from `from` on that touch each other. */
static size_t chain_end(const struct page_words *p, size_t from, unsigned *marks) {
  size_t i = from + 1;
  *marks = p->list[from].marks;
  for (; i < p->count && p->list[i].line == p->list[from].line && p->list[i].joined; i++)
    *marks |= p->list[i].marks;
  return i;
}

/* The (skip + 1)th place of a word between blanks in a text, or NULL. */
static const char *find_word(struct slice text, struct slice word, size_t skip) {
  for (const char *at = text.data, *end = text.data + text.len; at < end; at++) {
    at = memmem(at, (size_t)(end - at), word.data, word.len);
    if (!at)
      return NULL;
    const char *behind = at + word.len;
    if ((at == text.data || isspace((unsigned char)at[-1])) &&
        (behind == end || isspace((unsigned char)*behind)) && skip-- == 0)
      return at;
  }
  return NULL;
}

/* How many chains of the page without marks read so and stand before the one at `chain`. */
static size_t equals_before(const struct page_words *p, size_t chain, struct slice text) {
  struct buf other;
  size_t count = 0, end;
  unsigned marks;
  const struct word *c = &p->list[chain];
  buf_init(&other, 1 << 20);
  for (size_t i = 0; i < p->count; i = end) {
    end = chain_end(p, i, &marks);
    const struct word *w = &p->list[i];
    if (marks || !(w->bottom < c->bottom - 2 || (w->bottom < c->bottom + 2 && w->left < c->left)))
      continue;
    buf_clear(&other);
    write_words(&other, p, i, end, 0);
    if (slice_eq(buf_slice(&other), text))
      count++;
  }
  buf_release(&other);
  return count;
}

/* Appends a laid-out page, in which raised words get their mark. */
static void add_marked_page(struct buf *out, const struct page_words *p, struct slice page) {
  struct buf plain, marked;
  unsigned marks;
  size_t start = out->len;
  buf_init(&plain, 1 << 20);
  buf_init(&marked, 1 << 20);
  buf_add_slice(out, page);
  for (size_t i = 0, end; i < p->count; i = end) {
    end = chain_end(p, i, &marks);
    if (!marks || out->overflow)
      continue;
    buf_clear(&plain);
    buf_clear(&marked);
    write_words(&plain, p, i, end, 0);
    write_words(&marked, p, i, end, 1);
    const char *at = find_word(slice_of(out->data + start, out->len - start), buf_slice(&plain),
                               equals_before(p, i, buf_slice(&plain)));
    if (!at || marked.len <= plain.len)
      continue;
    size_t offset = (size_t)(at - out->data), more = marked.len - plain.len,
           rest = out->len - offset - plain.len;
    for (size_t k = 0; k < more; k++)
      buf_add_char(out, ' ');
    if (out->overflow)
      break;
    memmove(out->data + offset + marked.len, out->data + offset + plain.len, rest);
    memcpy(out->data + offset, marked.data, marked.len);
  }
  buf_release(&plain);
  buf_release(&marked);
}

/* ---- two columns ---- */

struct text_line {
  size_t from, to; /* words */
  double left, top, right, bottom;
};

/* The lines of a page; free() them. */
static struct text_line *lines_of(const struct page_words *p, size_t *count) {
  struct text_line *lines = xcalloc(p->count + 1, sizeof *lines);
  *count = 0;
  for (size_t i = 0; i < p->count; i++) {
    const struct word *w = &p->list[i];
    if (i == 0 || p->list[i - 1].line != w->line)
      lines[(*count)++] = (struct text_line){i, i, w->left, w->top, w->right, w->bottom};
    struct text_line *l = &lines[*count - 1];
    l->to = i + 1;
    l->right = w->right > l->right ? w->right : l->right;
    l->bottom = w->bottom > l->bottom ? w->bottom : l->bottom;
  }
  return lines;
}

/* Whether the lines between two places of the width are a column of prose: most are full, of words rather than numbers. */
static int is_column(const struct page_words *p, const struct text_line *lines, size_t count, double left,
                     double right) {
  size_t own = 0, full = 0, words = 0, numbers = 0;
  double widest = 0;
  for (size_t i = 0; i < count; i++)
    if (lines[i].left >= left && lines[i].right <= right && lines[i].right - lines[i].left > widest)
      widest = lines[i].right - lines[i].left;
  for (size_t i = 0; i < count; i++) {
    if (lines[i].left < left || lines[i].right > right)
      continue;
    own++;
    full += lines[i].right - lines[i].left > widest * 0.7;
    for (size_t w = lines[i].from; w < lines[i].to; w++, words++)
      numbers += isdigit((unsigned char)*p->list[w].text.data) != 0;
  }
  return own >= COLUMN_LEAST && full * 10 >= own * 6 && words >= own * 4 && numbers * 5 <= words;
}

/* The middle of the widest strip near the page's middle that at most a tenth of the lines cross; 0 where the page has not two
 * columns of prose beside it. */
static double find_gutter(const struct page_words *p, const struct text_line *lines, size_t count) {
  size_t crossed[BINS] = {0}, best = 0, best_from = 0;
  double left = 1e9, right = 0;
  for (size_t i = 0; i < count; i++) {
    left = lines[i].left < left ? lines[i].left : left;
    right = lines[i].right > right ? lines[i].right : right;
  }
  double bin = (right - left) / BINS;
  if (bin <= 0)
    return 0;
  for (size_t i = 0; i < count; i++)
    for (double x = floor((lines[i].left - left) / bin); x < BINS && left + x * bin < lines[i].right; x++)
      crossed[(size_t)x]++;
  for (size_t from = BINS / 4, i = from; i < BINS * 3 / 4; i++) {
    if (crossed[i] * 10 > count)
      from = i + 1;
    else if (i + 1 - from > best)
      best = i + 1 - from, best_from = from;
  }
  double gutter = left + ((double)best_from + (double)best / 2) * bin;
  return best && (double)best * bin > 5 && is_column(p, lines, count, left, gutter) &&
                 is_column(p, lines, count, gutter, right + 1)
             ? gutter
             : 0;
}

static int by_top(const void *a, const void *b) {
  const struct text_line *x = a, *y = b;
  return x->top < y->top ? -1 : x->top > y->top;
}

/* Appends a line after the one before it in its column; a gap between them is an empty line. */
static void add_line(struct buf *out, const struct page_words *p, const struct text_line *l,
                     const struct text_line *before) {
  double height = l->bottom - l->top;
  char last = out->len > 1 ? out->data[out->len - 2] : '.';
  int new_column = before && l->top < before->top; /* prose goes on in the next column */
  int gap = !before || (new_column ? strchr(".!?:", last) != NULL : l->top - before->bottom > height * 0.4);
  if (gap && out->len)
    buf_add_char(out, '\n');
  write_words(out, p, l->from, l->to, 1);
  buf_add_char(out, '\n');
}

/* Appends a page of two columns: between lines that cross the gutter, the left column, then the right one. */
static void add_columns(struct buf *out, const struct page_words *p, struct text_line *lines, size_t count,
                        double gutter) {
  const struct text_line *before = NULL;
  qsort(lines, count, sizeof *lines, by_top);
  for (size_t from = 0, to; from < count; from = to + (to < count)) {
    to = from;
    while (to < count && !(lines[to].left < gutter && lines[to].right > gutter))
      to++;
    for (int side = 0; side < 2; side++)
      for (size_t i = from; i < to; i++)
        if ((lines[i].left >= gutter) == side) {
          add_line(out, p, &lines[i], before);
          before = &lines[i];
        }
    if (to < count) {
      before = NULL;
      add_line(out, p, &lines[to], before);
    }
  }
}

static void add_page(struct buf *out, const struct xml *x, uint32_t node, struct slice page,
                     struct word *list) {
  struct page_words p = {.list = list};
  collect_words(x, node, &p);
  if (p.count == WORDS_MAX || p.count == 0) {
    buf_add_slice(out, page);
    return;
  }
  size_t count;
  struct text_line *lines = lines_of(&p, &count);
  double gutter = find_gutter(&p, lines, count);
  if (gutter > 0)
    add_columns(out, &p, lines, count, gutter);
  else
    add_marked_page(out, &p, page);
  free(lines);
}

/* The next <page> of the places, from *at on; empty where there is none. */
static struct slice next_page(struct slice boxes, size_t *at) {
  static const char open[] = "<page ", close[] = "</page>";
  const char *rest = boxes.data + *at,
             *from = *at < boxes.len ? memmem(rest, boxes.len - *at, open, sizeof open - 1) : NULL;
  const char *end =
      from ? memmem(from, (size_t)(boxes.data + boxes.len - from), close, sizeof close - 1) : NULL;
  if (!end)
    return slice_of(NULL, 0);
  end += sizeof close - 1;
  *at = (size_t)(end - boxes.data);
  return slice_of(from, (size_t)(end - from));
}

/* Appends the pages of a laid-out text, corrected by the places of their words; as they are where these are of other pages. */
static void add_pages(struct buf *out, struct slice text, struct slice boxes) {
  size_t pages = 0, found = 0, at = 0;
  for (size_t i = 0; i < text.len; i++)
    if (text.data[i] == '\f')
      pages++;
  while (next_page(boxes, &at).len)
    found++;
  if (found != pages || !pages) {
    buf_add_slice(out, text);
    return;
  }
  struct word *words = xcalloc(WORDS_MAX, sizeof *words);
  at = 0;
  for (struct slice page = next_page(boxes, &at); page.len; page = next_page(boxes, &at)) {
    struct xml x;
    struct error_text why;
    size_t len = strcspn(text.data, "\f");
    uint32_t root = xml_read(&x, page, &why) == 0 ? xml_child(&x, 0, "page", 0) : 0;
    if (root)
      add_page(out, &x, root, slice_of(text.data, len), words);
    else
      buf_add_slice(out, slice_of(text.data, len));
    buf_add_char(out, '\f');
    text = slice_of(text.data + len + 1, text.len - len - 1);
    xml_release(&x);
  }
  free(words);
}

/* Runs a tool over a PDF; its output is appended to out. */
static enum pdf_reader_status run_on(helper_run *run, struct slice pdf, struct buf *out,
                                     struct error_text *e) {
  struct buf errors;
  struct helper_task t = {
      .run = run, .left = pdf, .text = out, .errors = &errors, .deadline = clock_monotonic() + PDF_SECONDS};
  size_t from = out->len;
  buf_init(&errors, PDF_ERRORS);
  if (helper_task_start(&t) < 0) {
    buf_release(&errors);
    error_set(e, "pdftotext could not be started: %s", strerror(errno));
    return PDF_NO_TOOL;
  }
  int cut = helper_task_pump(&t);
  int status = helper_task_finish(&t, cut);
  enum pdf_reader_status s = PDF_LIMIT;
  if (cut)
    error_set(e, "the PDF took more than %d seconds or gave more than %zu bytes of text", PDF_SECONDS,
              out->max);
  else
    s = pdf_reader_judge(&t, status, from, e);
  buf_release(&errors);
  return s;
}

enum pdf_reader_status pdf_reader_text(struct slice pdf, struct buf *out, struct error_text *e) {
  struct buf text, boxes;
  struct error_text none;
  buf_init(&text, out->max - out->len);
  buf_init(&boxes, PDF_BOXES);
  enum pdf_reader_status status = run_on(pdf_tool_text, pdf, &text, e);
  if (status == PDF_OK && run_on(pdf_tool_boxes, pdf, &boxes, &none) == PDF_OK)
    add_pages(out, buf_slice(&text), buf_slice(&boxes));
  else if (status == PDF_OK)
    buf_add_slice(out, buf_slice(&text));
  buf_release(&text);
  buf_release(&boxes);
  return status;
}
