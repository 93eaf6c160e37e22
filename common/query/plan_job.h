/* plan_job.h: members of a job that would be passed on unread although they say what is wanted. */
#ifndef BID_PLAN_JOB_H
#define BID_PLAN_JOB_H

#include "base/buf.h"

/* What is wrong with a job's members, "periods" for "period", a limit of -1; NULL where nothing is.  Static. */
const char *plan_job_fault(struct slice job);

#endif
