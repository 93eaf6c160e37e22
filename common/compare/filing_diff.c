#include "compare/filing_diff.h"
#include "base/diag.h"
#include "compare/diff_print.h"
#include "compare/record_text.h"
#include "compare/stored_text.h"
#include "page/pager.h"
#include "record/error.h"

#include <stdlib.h>

struct diff_side {
  struct buf text, json;
};

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

static enum store_status diff_sides_read(const struct store_snapshot *snap, struct diff_side s[2],
                                         const struct filing_diff_call *call, struct error_text *e) {
  struct stored_choice c = {call->company, call->form ? call->form : "10-K", call->exhibit};
  struct stored_place *list;
  size_t count;
  enum store_status status = stored_text_find(snap, &c, &list, &count, e);
  if (!status && count < call->back + 2) {
    error_set(
        e,
        "too few to compare: the store has %zu of the %zu newest filings of %s on form %s; 'bid ingest -e %s "
        "-f %s -n %zu' reads them",
        count, call->back + 2, call->company, c.form, call->company, c.form, call->back + 2);
    status = STORE_ABSENT;
  }
  for (size_t i = 0; i < 2 && !status; i++)
    status = stored_text_read(snap, &list[call->back + 1 - i], call->item, &s[i].text, &s[i].json, NULL, e);
  free(list);
  return status;
}

static int diff_is_records(const struct program *p, enum diff_form form) {
  return form == DIFF_JSON || (form == DIFF_AUTO && !p->people);
}

static void diff_store(struct program *p, const struct filing_diff_call *call, struct diff_side s[2]) {
  struct store *store = NULL;
  struct store_snapshot *snap = NULL;
  struct error_text e;
  struct store_options o = {0};
  enum store_status status = store_open(&store, &o, &e);
  if (!status)
    status = store_snapshot_begin(store, &snap, &e);
  if (!status)
    status = diff_sides_read(snap, s, call, &e);
  if (status && diff_is_records(p, call->output))
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

int filing_diff_form(const char *name) {
  static const char *const names[] = {"auto", "json", "text", "html"};
  for (int i = 0; i <= DIFF_HTML; i++)
    if (strcmp(names[i], name) == 0)
      return i;
  return -1;
}

static void diff_write(struct program *p, const struct passage_diff *d, const struct diff_about *about,
                       enum diff_form form) {
  if (form == DIFF_HTML) {
    diff_print_page(&p->out, d, about);
  } else if (diff_is_records(p, form)) {
    diff_print_records(&p->out, d, about);
  } else {
    diff_print_people(&p->out, d, about, p->colour);
    program_fold(p, 0, 2); /* after the sign */
    pager_show(&p->out.buf);
  }
}

void filing_diff_run(struct program *p, const struct filing_diff_call *call) {
  struct diff_side s[2];
  struct passage_diff d;
  diff_sides_init(s);
  (call->company ? diff_store : diff_files)(p, call, s);
  if (p->status == 0) {
    struct diff_about about = {call->item, buf_slice(&s[0].json), buf_slice(&s[1].json)};
    passage_diff_make(&d, buf_slice(&s[0].text), buf_slice(&s[1].text));
    diff_write(p, &d, &about, call->output);
    passage_diff_release(&d);
  }
  diff_sides_release(s);
}
