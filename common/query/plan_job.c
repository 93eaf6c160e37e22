#include "query/plan_job.h"

#include "record/json.h"

const char *plan_job_fault(struct slice job) {
  struct slice limit = json_get(job, "limit");
  if (json_get(job, "periods").data)
    return "a job has no member \"periods\"; \"period\" is meant";
  if (json_get(job, "companies").data)
    return "a job has no member \"companies\"; \"company\" is meant";
  if (json_get(job, "forms").data)
    return "a job has no member \"forms\"; \"form\" is meant";
  if (json_kind(limit) == 0 || json_kind(limit) == 'n')
    return NULL;
  return json_kind(limit) != '0' || json_to_int(limit, 0) < 1 ? "\"limit\" is no whole number of at least 1"
                                                              : NULL;
}
