# nightly.mk: one target per task (a line of the watch list and one of its sources), so that make -j works.
# Run by bid-nightly(1), which holds the lock, names the tasks, keeps the stamps and writes the report.
#
# Names of folders, files and companies are passed in the environment and in files, and only read by the shell, in
# quotes: make would expand '$' in them and split them at blanks.  Names of tasks have only letters, digits, '.', '-'
# and '_'.
#
#   BID_NIGHTLY            the bid-nightly to call
#   BID_NIGHTLY_FOLDER     folder of the stamps; the file `tasks` has the names of the tasks
#   BID_NIGHTLY_WATCHLIST  the watch list
#   BID_NIGHTLY_FIRST      how far back a task's first run looks

WATCHLIST ?= data/watchlist.tsv
NIGHTLY ?= pipelines/bid-nightly

# `value` takes the value literally; otherwise make would pass it on to its children expanded.
unexport WATCHLIST NIGHTLY
MAKEOVERRIDES =
nightly: export BID_NIGHTLY_WATCHLIST := $(value WATCHLIST)
nightly: export BID_NIGHTLY := $(value NIGHTLY)
nightly:
	@"$$BID_NIGHTLY" --watchlist "$$BID_NIGHTLY_WATCHLIST"

TASKS := $(shell test -z "$$BID_NIGHTLY_FOLDER" || cat "$$BID_NIGHTLY_FOLDER/tasks")

tasks: $(TASKS:%=%.tonight)

# The mark tells the report that a task is done; it is removed when the next night starts.
$(TASKS:%=%.tonight): %.tonight:
	@"$$BID_NIGHTLY" --task '$*' --watchlist "$$BID_NIGHTLY_WATCHLIST" --first "$$BID_NIGHTLY_FIRST"
	@: >"$$BID_NIGHTLY_FOLDER/$@"

.PHONY: nightly tasks $(TASKS:%=%.tonight)
