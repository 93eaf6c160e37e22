/* filing_diff.c: which two texts bid-diff compares: two files, or a stored filing and the one before it. */
#include "compare/filing_diff.h"

#include "base/clock.h"
#include "base/day.h"
#include "base/diag.h"
#include "base/sandbox.h"
#include "base/utf8.h"
#include "compare/diff_print.h"
#include "compare/span_columns.h"
#include "compare/stored_text.h"
#include "page/pager.h"
#include "record/error.h"
#include "record/json.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

/* ---- a file ---- */

static int entry_is(struct slice entry, const char *item) {
  struct slice own = json_get(entry, "item");
  return json_kind(own) == '"' && own.len == strlen(item) + 2 &&
         strncasecmp(own.data + 1, item, strlen(item)) == 0;
}

/* From the item's entry in the outline to the next one of level 2 or less. */
static int cut_item(struct slice record, const char *item, struct buf *text) {
  struct slice outline = json_get(record, "outline"), entry;
  struct json_cursor at = {0};
  long long from = -1, to = (long long)text->len;
  while (json_kind(outline) == '[' && json_next_element(outline, &at, &entry)) {
    long long offset = json_to_int(json_get(entry, "offset"), 0);
    if (from >= 0 && json_to_int(json_get(entry, "level"), 9) <= 2) {
      to = offset;
      break;
    }
    if (from < 0 && entry_is(entry, item))
      from = offset;
  }
  if (from < 0 || to < from || to > (long long)text->len)
    return -1;
  memmove(text->data, text->data + from, (size_t)(to - from));
  text->len = (size_t)(to - from);
  text->data[text->len] = '\0';
  return 0;
}

/* Reads a file that holds text, or a document record on its first line.  item: as in bid-strip's --items, only for
 * records; NULL for all.  text gets the text, json the record's line without its text.  0, or -1 with why. */
static int record_text_read(int fd, const char *item, struct buf *text, struct buf *json,
                            struct error_text *why) {
  size_t at;
  const char *fault = "";
  if (buf_read_fd(text, fd) != 0) {
    error_set(why, "%s", strerror(errno));
    return -1;
  }
  if (!text->len || text->data[0] == '<' || memchr(text->data, '\0', text->len) ||
      utf8_valid_prefix(text->data, text->len) < text->len) {
    error_set(why, text->len
                       ? "neither a document record nor plain text; bid-strip --raw makes a record of it"
                       : "nothing is in it");
    return -1;
  }
  if (text->data[0] != '{') {
    if (item)
      error_set(why, "a text has no items; bid-strip makes a record of it");
    return item ? -1 : 0;
  }
  const char *end = memchr(text->data, '\n', text->len);
  struct slice line = slice_of(text->data, end ? (size_t)(end - text->data) : text->len);
  if (json_validate(line.data, line.len, &at, &fault) != 0 || json_kind(json_get(line, "text")) != '"') {
    error_set(why, "its first line is no document record%s%s", *fault ? ": " : "", fault);
    return -1;
  }
  buf_add_slice(json, line);
  buf_clear(text);
  json_decode(json_get(buf_slice(json), "text"), text);
  if (item && cut_item(buf_slice(json), item, text) != 0) {
    error_set(why, "the document has no item %s", item);
    return -1;
  }
  return 0;
}

/* ---- stored filings ---- */

enum { YEAR_LEAST = 350, YEAR_MOST = 380 }; /* fiscal years end up to two weeks apart */

struct diff_side {
  struct buf text, json;
};

/* Days from the end of a filing's period to that of the next one on the form, and to the last day for filing it
 * (Forms 10-K, 10-Q, 20-F and 40-F, general instructions); after a third quarter the next 10-Q is two quarters away. */
static const struct {
  const char *form;
  int period, filing;
} diff_intervals[] = {{"10-K", 371, 90}, {"10-Q", 196, 45}, {"20-F", 371, 120}, {"40-F", 371, 120}};

static void diff_sides_init(struct diff_side s[2]) {
  for (int i = 0; i < 2; i++) {
    buf_init(&s[i].text, STORE_DOCUMENT_BYTES);
    buf_init(&s[i].json, STORE_DOCUMENT_BYTES);
  }
}

static void diff_sides_release(struct diff_side s[2]) {
  for (int i = 0; i < 2; i++) {
    buf_release(&s[i].text);
    buf_release(&s[i].json);
  }
}

static int32_t reported_on(const struct stored_place *at) {
  return at->seg->doc[at->doc].reported;
}

/* The filing to compare list[call->back] with: the previous one, or that of a year before; count where there is none. */
static size_t older_of(const struct stored_place *list, size_t count, const struct filing_diff_call *call) {
  size_t i = call->back + 1;
  if (!call->year_ago || i >= count)
    return i < count ? i : count;
  int32_t newest = reported_on(&list[call->back]);
  while (i < count && (newest == STORE_NO_DAY || reported_on(&list[i]) == STORE_NO_DAY ||
                       newest - reported_on(&list[i]) < YEAR_LEAST))
    i++;
  return i < count && newest - reported_on(&list[i]) <= YEAR_MOST ? i : count;
}

static void say_too_few(const struct filing_diff_call *call, const char *form,
                        const struct stored_place *list, size_t count, struct error_text *e) {
  char day[DAY_TEXT] = "the newest one";
  if (call->year_ago && call->back < count) {
    int32_t newest = reported_on(&list[call->back]);
    if (newest != STORE_NO_DAY)
      day_write(newest, day);
    error_set(e,
              "too few to compare: the store has no %s of %s of a year before %s; 'bid ingest -e %s -f %s "
              "--since 2years -n 9' reads those of two years",
              form, call->company, day, call->company, form);
  } else {
    error_set(e,
              "too few to compare: the store has %zu of the %zu newest filings of %s on form %s; 'bid ingest "
              "-e %s -f %s -n %zu' reads them",
              count, call->back + 2, call->company, form, call->company, form, call->back + 2);
  }
}

/* Warns where a newer filing than the store's newest must be out by now. */
static void warn_if_old(const struct filing_diff_call *call, const char *form,
                        const struct stored_place *newest) {
  char day[DAY_TEXT];
  for (size_t i = 0;
       i < sizeof diff_intervals / sizeof *diff_intervals && reported_on(newest) != STORE_NO_DAY; i++) {
    int32_t due = reported_on(newest) + diff_intervals[i].period + diff_intervals[i].filing;
    if (strcasecmp(diff_intervals[i].form, form) != 0 || day_of_time(clock_now()) <= due)
      continue;
    day_write(reported_on(newest), day);
    diag_warn(
        "the newest %s in the store is for the period to %s; a newer one is due since: 'bid ingest -e %s "
        "-f %s -n 1' reads it",
        form, day, call->company, form);
  }
}

static enum store_status diff_sides_read(const struct store_snapshot *snap, struct diff_side s[2],
                                         const struct filing_diff_call *call, struct error_text *e) {
  struct stored_choice c = {call->company, call->form ? call->form : "10-K", call->exhibit, 0, NULL};
  struct stored_place *list;
  size_t count, older = 0;
  enum store_status status = stored_text_find(snap, &c, &list, &count, e);
  if (!status && (older = older_of(list, count, call)) == count) {
    say_too_few(call, c.form, list, count, e);
    status = STORE_ABSENT;
  }
  if (!status && !call->back)
    warn_if_old(call, c.form, &list[0]);
  if (!status)
    status = stored_text_read(snap, &list[older], call->item, &s[0].text, &s[0].json, NULL, e);
  if (!status)
    status = stored_text_read(snap, &list[call->back], call->item, &s[1].text, &s[1].json, NULL, e);
  free(list);
  return status;
}

/* Takes out columns of spans that only one text has, such as the year to date, from tables that have others; returns
 * those spans. */
static unsigned diff_sides_trim(struct diff_side s[2]) {
  unsigned was = span_columns_all(buf_slice(&s[0].text)), is = span_columns_all(buf_slice(&s[1].text)),
           left = 0;
  for (int i = 0; i < 2 && (was & is) && was != is; i++) {
    struct buf kept;
    buf_init(&kept, s[i].text.max);
    left |= span_columns_keep(&kept, buf_slice(&s[i].text), was & is);
    buf_release(&s[i].text);
    s[i].text = kept;
  }
  return left;
}

/* From here on files are changed only in the store's folder, or not at all: neither stores nor files are trusted. */
static void diff_hold(const struct program *p, const struct store_options *o) {
  static helper_run *const pager[] = {pager_run};
  struct sandbox_scope scope = {.allow = o ? SANDBOX_CHANGE_FILES : SANDBOX_READ_FILES};
  if (isatty(STDOUT_FILENO))
    helper_start(pager, 1);
  if (o)
    store_may_change(o, &scope);
  program_may_read(p, &scope);
  sandbox_enter_scope(&scope);
}

static void diff_store(struct program *p, const struct filing_diff_call *call, struct diff_side s[2]) {
  struct store *store = NULL;
  struct store_snapshot *snap = NULL;
  struct error_text e;
  struct store_options o = {0};
  diff_hold(p, &o);
  enum store_status status = store_open(&store, &o, &e);
  sandbox_no_more_changes();
  if (!status)
    status = store_snapshot_begin(store, &snap, &e);
  if (!status)
    status = diff_sides_read(snap, s, call, &e);
  if (status && call->output == FORM_JSON)
    program_error(p, NULL, status == STORE_ABSENT ? ERROR_NO_CONTENT : store_category(status),
                  slice_of(NULL, 0), slice_of(NULL, 0), "%s", e.text);
  else if (status)
    diag_warn("%s", e.text);
  if (status)
    program_fail(p, status == STORE_ABSENT ? EXIT_NOTHING : store_exit_status(status));
  store_snapshot_end(snap);
  store_close(store);
}

static void diff_files(struct program *p, const struct filing_diff_call *call, struct diff_side s[2]) {
  struct error_text e;
  diff_hold(p, NULL);
  for (int i = 0; i < 2; i++) {
    int fd = program_open(p, p->operands[i]);
    int failed = fd < 0 || record_text_read(fd, call->item, &s[i].text, &s[i].json, &e) != 0;
    if (failed && fd >= 0) {
      diag_warn("%s: %s", p->input_name, e.text);
      program_fail(p, EX_DATAERR);
    }
    if (fd >= 0)
      program_close(fd);
  }
}

static void diff_write(struct program *p, const struct passage_diff *d, const struct diff_about *about,
                       enum program_form form) {
  if (form == FORM_HTML) {
    diff_print_page(&p->out, d, about);
  } else if (form == FORM_JSON) {
    diff_print_records(&p->out, d, about);
  } else {
    diff_print_people(&p->out, d, about, p->colour);
    program_fold(p, 0, 2); /* after the sign */
    pager_show(&p->out.buf);
  }
}

/* The year of a report's last day, or 0. */
static int diff_year(const struct diff_side *s) {
  struct slice day = json_get(json_get(buf_slice(&s->json), "metadata"), "reportDate");
  return json_kind(day) == '"' && day.len > 5 ? atoi(day.data + 1) : 0;
}

void filing_diff_run(struct program *p, const struct filing_diff_call *call) {
  struct diff_side s[2];
  struct passage_diff d;
  diff_sides_init(s);
  (call->company ? diff_store : diff_files)(p, call, s);
  if (p->status == 0) {
    struct diff_about about = {
        .item = call->item, .was = buf_slice(&s[0].json), .is = buf_slice(&s[1].json), .limit = call->limit};
    about.spans = diff_sides_trim(s);
    if (about.spans && call->company)
      about.hint = "--year-ago compares with the same quarter of the year before";
    passage_diff_make(&d, buf_slice(&s[0].text), buf_slice(&s[1].text));
    passage_diff_settle(&d, diff_year(&s[0]), diff_year(&s[1]));
    diff_write(p, &d, &about, call->output);
    passage_diff_release(&d);
  }
  diff_sides_release(s);
}
