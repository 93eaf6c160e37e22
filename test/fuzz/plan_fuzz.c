/* plan_fuzz.c: any bytes as a question, as what is given beside it, and as tables: in bounds, ends, and the plan that is
 * written reads back as it was. */
#include "query/plan_json.h"
#include "record/json.h"

#include <stdint.h>
#include <stdlib.h>

static const char companies[] =
    "# date: 2024-06-01\n27419\tTGT\tTARGET CORP\t\t3\n40545\tGE\tGENERAL ELECTRIC "
    "CO\t\t5\n80424\tPG\tPROCTER & GAMBLE Co\t\t4\n"
    "320193\tAAPL\tApple Inc.\t\t1\n1067983\tBRK-B,BRK-A\tBERKSHIRE HATHAWAY INC\t\t2\n";
static const char names[] = "AAPL\t320193\tticker\nApple Inc.\t320193\tname\nBERKSHIRE HATHAWAY "
                            "INC\t1067983\tname\nBRK-B\t1067983\tticker\n"
                            "GE\t40545\tticker\nGENERAL ELECTRIC CO\t40545\tname\nPG\t80424\tticker\nPROCTER "
                            "& GAMBLE Co\t80424\tname\n"
                            "TARGET CORP\t27419\tname\nTGT\t27419\tticker\n";
static const char aliases[] = "Google\t1652044\tbrand\tx\nP&G\t80424\teveryday\tx\n";
static const char forms[] =
    "10-K\tannual report\tannual\t-\t20-F\tx\n8-K\tearnings release\tevent\t2.02\t-\tx\n"
    "4\tform 4\tevent\t-\t-\tx\n10-Q\tquarterly report\tquarter\t-\t-\tx\n";
static const char words[] = "a\t10\t0\t0\napple\t10\t50\t0\ntarget\t10\t0\t0\n";
static const char kinds[] = "generic\tgroup\nfigure\tsales revenue\nfunction\tthe of and\ncompare\tvs\n";

/* Writes the plan, which is valid JSON, and reads it back: the same text again. */
static void check_json(const struct plan *plan) {
  struct buf one, other, scratch;
  struct plan again;
  const char *why;
  size_t at;
  buf_init(&one, 1 << 20);
  buf_init(&other, 1 << 20);
  buf_init(&scratch, 1 << 20);
  plan_init(&again);
  plan_add_json(plan, &one);
  if (json_validate(one.data, one.len, &at, &why) != 0 ||
      plan_read_json(buf_slice(&one), &again, &scratch) != 0)
    abort();
  plan_add_json(&again, &other);
  if (!plan->candidate_count && (one.len != other.len || memcmp(one.data, other.data, one.len) != 0))
    abort();
  plan_release(&again);
  buf_release(&one);
  buf_release(&other);
  buf_release(&scratch);
}

static void plan_text(const struct planner *p, const uint8_t *data, size_t size) {
  struct slice part[4] = {{NULL, 0}};
  struct error_text why;
  struct plan plan;
  struct buf out;
  size_t from = 0, n = 0;
  for (size_t i = 0; i <= size && n < 4; i++)
    if (i == size || (data[i] == '\n' && n < 3)) {
      part[n++] = slice_of((const char *)data + from, i - from);
      from = i + 1;
    }
  struct plan_request ask = {.question = part[0],
                             .entities = &part[1],
                             .entity_count = part[1].len > 0,
                             .forms = &part[2],
                             .form_count = part[2].len > 0,
                             .period = part[3],
                             .now = 1770000000};
  plan_init(&plan);
  buf_init(&out, 1 << 20);
  if (plan_make(p, &ask, &plan, &why) != 0 && why.text[0] == '\0')
    abort();
  check_json(&plan);
  plan_explain(&plan, &out);
  buf_release(&out);
  plan_release(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct planner *p;
  struct error_text why;
  struct slice text = slice_of((const char *)data, size);
  if (p == NULL) {
    struct planner_tables t = {slice_str(companies),
                               slice_str(names),
                               slice_str(aliases),
                               slice_str(forms),
                               slice_str(words),
                               slice_str(kinds),
                               slice_str("# trades: airline\n1\t\t\tairline\nfleet\tairline\n"),
                               slice_str("1\tphone\nalpha\tbeta wolf\n")};
    p = planner_new(&t, &why);
  }
  plan_text(p, data, size);
  struct planner_tables odd = {text, text, text, text, text, text, text, text};
  struct planner *other = planner_new(&odd, &why);
  if (other) {
    planner_add_list(other, text);
    planner_add(other, text, text, text);
    plan_text(other, data, size);
  }
  planner_free(other);
  return 0;
}
